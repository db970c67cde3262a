"""Games from rounds of players: both rows agree, numberings are tried in turn, and seats come from either row."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.rounds import Met, games_of_rounds


def _met(other, points, seat=""):
    return Met(other, points, seat, f"{points} of {other}")


def _games(*players, numberings=({"1": 0, "2": 1},)):
    return games_of_rounds(players, numberings, "both rows alike", lambda row, number: f"row {row}, round {number}")


@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        (_met("2", "1", "w"), _met("1", "0", "b"), (0, 1, "1-0", 1, True)),
        (_met("2", "1", "b"), _met("1", "0", "w"), (1, 0, "0-1", 1, True)),
        (_met("2", "="), _met("1", "=", "w"), (1, 0, "1/2-1/2", 1, True)),
        (_met("2", "0"), _met("1", "1"), (0, 1, "0-1", 1, False)),
        (_met("2", "+", "w"), _met("1", "-", "b"), (0, 1, "+:-", 1, True)),
        (_met("2", "", "w"), _met("1", "", "b"), (0, 1, "", 1, True)),
    ],
)
def test_a_game_of_two_rows(first, second, game):
    assert _games([first], [second]) == [game]


@pytest.mark.parametrize("reply", [_met("1", "1"), _met("2", "0"), None])
def test_rows_that_disagree_are_refused(reply):
    with pytest.raises(GameTableError, match="row 0, round 1: expected both rows alike"):
        _games([_met("2", "1")], [reply])


def test_the_numbering_that_makes_rows_agree_is_used():
    rows = [_met("7", "1")], [_met("9", "0")]
    assert _games(*rows, numberings=({"1": 0, "2": 1}, {"9": 0, "7": 1})) == [(0, 1, "1-0", 1, False)]
