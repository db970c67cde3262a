"""Hints for races: each leads to the right orders, or none is printed."""

import shlex

import pandas as pd
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


def test_the_hint_names_every_column_that_may_have_the_places(tmp_path):
    text = "Manche,Class.,GC,Cycleur\n1,1,1,Ann\n1,2,2,Bob\n1,3,3,Cem\n2,2,1,Ann\n2,1,2,Bob\n2,DNF,3,Cem\n"
    message, path = race_hint(tmp_path, text)
    assert ("place=GC" in message, "or place=Class" in message) == (True, True)
    columns = {"event": "Manche", "competitor": "Cycleur", "place": "Class."}
    assert read_races(path, columns=columns).has_place.sum() == 5


def test_races_that_are_numbered_anew_each_day_are_events_of_their_day(tmp_path):
    places = (("1", "Gold"), ("2 DH", "Star"), ("2 DH", "Sea"), ("PU", "Wind"), ("WV", "Boy"))
    rows = [f"2024-03-{day:02},{race},{place},{horse}\n" for day in (3, 10) for race in (1, 2)
            for place, horse in places]  # fmt: skip
    (tmp_path / "meetings.csv").write_text("date,raceno,plc,horse\n" + "".join(rows), encoding="utf-8")
    table = read_races(tmp_path / "meetings.csv")
    assert len(table) == 4
    assert table.sizes.tolist() == [4] * 4  # withdrawn horses take no part
    assert table.group[:3].tolist() == [0, 1, 1]


def test_one_wrong_date_of_a_race_is_still_refused(tmp_path):
    places = ((1, "Ann"), (2, "Bob"))
    rows = [f"2024-03-0{race},{race},{place},{name}\n" for race in (1, 2, 3) for place, name in places]
    text = "date,raceno,plc,horse\n" + "".join(rows).replace("2024-03-02,2,2", "2024-03-03,2,2")
    (tmp_path / "races.csv").write_text(text, encoding="utf-8")
    with pytest.raises(GameTableError, match="expected '2024-03-02' as in line 4"):
        read_races(tmp_path / "races.csv")


def test_semicolons_between_names_of_a_data_frame_are_no_columns():
    frame = pd.DataFrame({"race": ["a", "b"], "1": ["Ann", "Bob"], "unplaced": ["Bob;Cem;Dan;Eva", "Ann;Cem;Dan;Eva"]})
    assert read_races(frame).sizes.tolist() == [5, 5]


@pytest.mark.parametrize("count", ["Players", "N"])
def test_points_by_person_beside_their_number_and_the_winner(tmp_path, count):
    nights = [{"Ann": 30, "Bob": 45, "Cem": 20}, {"Ann": 50, "Cem": 35, "Dov": 35}, {"Bob": 25, "Cem": 40, "Dov": 15}]
    lines = [f"Date,Game,{count},Ann,Bob,Cem,Dov,Winner"]
    for k, points in enumerate(nights):
        cells = ",".join(str(points.get(name, "")) for name in ("Ann", "Bob", "Cem", "Dov"))
        lines.append(f"2024-01-0{k + 1},Azul,{len(points)},{cells},{max(points, key=points.get)}")
    (tmp_path / "nights.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    events = read_races(tmp_path / "nights.csv")
    orders = [
        [events.competitors[events.who[k]] for k in range(events.start[e], events.start[e + 1])]
        for e in range(len(events))
    ]
    assert [order[0] for order in orders] == ["Bob", "Ann", "Cem"]
    assert [{*order} for order in orders] == [{*night} for night in nights]
