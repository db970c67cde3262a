"""The cross-table of an event, and what a printed list says of who has no rating: by hand."""

import numpy as np
import pytest

from halfpoint.fields.office.cross_table import cross_table
from halfpoint.fields.office.list import in_short, official_list
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import GameTable, code_players


def played(rows, **columns):
    white, black, score = zip(*rows, strict=True)
    players, one, two = code_players(np.array(white), np.array(black))
    return GameTable(players, one, two, np.array(score, float), **columns)


ROWS = [
    ("Ann", "Bob", 1.0),
    ("Bob", "Cy", 1.0),
    ("Cy", "Ann", 1.0),
    ("Ann", "Dee", 0.5),
    ("Dee", "Bob", 0.0),
    ("Cy", "Dee", 0.5),
]


def test_results_stand_against_the_places_of_the_others():
    """Bob has 2 of 3; Ann and Cy 1.5: Cy beat Ann (1.5) and drew with Dee (0.5 of 1), Ann beat Bob (2) and drew."""
    found = cross_table(played(ROWS, event=np.array(["Cup"] * 6)))
    frame = found.frame.set_index("player")
    assert found.title == "Cup"
    assert found.frame["player"].tolist() == ["Bob", "Ann", "Cy", "Dee"]
    assert frame["points"].to_dict() == {"Bob": 2.0, "Ann": 1.5, "Cy": 1.5, "Dee": 1.0}
    assert frame.loc["Ann", ["1", "2", "3", "4"]].tolist() == ["1", "·", "0", "½"]
    assert frame.loc["Cy", ["wins", "draws", "losses"]].tolist() == [1, 1, 1]


def test_several_events_are_told():
    with pytest.raises(GameTableError, match="found 2 \\(A, B\\)"):
        cross_table(played(ROWS, event=np.array(["A"] * 4 + ["B"] * 2)))


def test_a_list_says_why_somebody_has_no_rating_and_by_which_rules():
    """Dee has no printed rating and three games against rated players, of the five that rules of 2023 ask for."""
    rating = {"Ann": 2000.0, "Bob": 1900.0, "Cy": 1800.0, "Dee": np.nan}
    days = np.array(["2023-05-01"] * 5 + ["NaT"], "datetime64[D]")
    games = played(
        ROWS, date=days,
        white_rating_elo=np.array([rating[row[0]] for row in ROWS]),
        black_rating_elo=np.array([rating[row[1]] for row in ROWS]),
    )  # fmt: skip
    found = official_list(games, "fide")
    frame = found.frame.set_index("player")
    assert frame.loc["Dee", "why"] == "2 of 5 games against rated players"
    assert "regulations in force from 2022-01-01" in found.note
    assert "1 player without a rating: 1 with 2 of 5" in found.note
    assert "left out: 1 game without a day" in found.note
    assert (frame["wins"] + frame["draws"] + frame["losses"]).tolist() == frame["games"].tolist()
    shown = in_short(found.frame).set_index("player")
    assert shown.loc["Dee", ["rating", "new", "active"]].tolist() == ["", "yes", "yes"]
    assert shown.loc["Ann", "W-D-L"] == "1-1-1"
    assert shown.loc["Ann", "printed"] == "2000"
