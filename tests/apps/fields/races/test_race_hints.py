"""Hints for races: each leads to the right orders, or none is printed."""

import shlex

import pytest

from halfpoint.apps.fields.races.read import read_races
from halfpoint.models.games.errors import GameTableError

RACES = [("1", "Le Goff"), ("2", "Masson"), ("3", "Aubert")], [("1", "Masson"), ("2", "Le Goff"), ("3", "Aubert")]
BIBS = {"Le Goff": "1", "Masson": "7", "Aubert": "4"}


def race_hint(folder, text):
    """The last sentence of the message that stops a text of races, and its file."""
    path = folder / "races.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameTableError) as error:
        read_races(path)
    return str(error.value).removesuffix(".").rpartition("Say which: ")[2], path


def test_the_hint_for_races_passes_over_bibs_and_clubs(tmp_path):
    rows = [f"{k},{place},{BIBS[who]},{who},{'Brest' if who < 'M' else 'Dole'}\n"
            for k, race in enumerate(RACES, 1) for place, who in race]  # fmt: skip
    hint, path = race_hint(tmp_path, "Manche,Class.,Dossard,Cycleur,Equipe\n" + "".join(rows))
    races = read_races(path, columns=dict(pair.split("=") for pair in shlex.split(hint)[1].split(",")))
    assert sorted(races.competitors.tolist()) == sorted(BIBS)
    names = races.competitors[races.who].tolist()
    assert [names[:3], names[3:]] == [[who for _, who in race] for race in RACES]


@pytest.mark.parametrize("numbers", [("58", "61", "55"), ("9", "4", "7")])
def test_points_under_an_unknown_name_are_not_proposed_as_places(tmp_path, numbers):
    rows = [f"{k},{who},{number}\n" for k in (1, 2) for who, number in zip(BIBS, numbers, strict=True)]
    message, _ = race_hint(tmp_path, "Round,Player,Coins\n" + "".join(rows))
    assert "place=" not in message


def test_a_team_is_not_proposed_as_the_event(tmp_path):
    message, _ = race_hint(tmp_path, "place,driver,team\n1,Ann,X\n2,Bob,Y\n3,Cem,X\n4,Dov,Y\n")
    assert "event=team" not in message
    assert "Add a column event" in message
