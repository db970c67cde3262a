"""Tables of games of sides contain known people only, with a share each."""

import numpy as np
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.table import GameTable


def played(members, share, people=("Ann", "Bo", "Cy")):
    """A game between two sides."""
    sides = Sides(np.array(people), np.array(members, dtype=np.int32), np.array(share, dtype=float))
    first, second = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    return GameTable(np.array(["A", "B"]), first, second, np.array([1.0]), sides=sides)


def test_sides_of_known_people_are_a_table():
    assert len(played([[0, 1], [2, -1]], [[0.5, 0.5], [1.0, 0.0]])) == 1


@pytest.mark.parametrize(
    ("members", "share", "message"),
    [
        ([[0, 3], [2, -1]], [[0.5, 0.5], [1.0, 0.0]], "an empty side or an unknown person"),  # of three people
        ([[0, 1], [-1, -1]], [[0.5, 0.5], [0.0, 0.0]], "an empty side or an unknown person"),
        ([[0, 1], [2, -1]], [[0.5, 0.0], [1.0, 0.0]], "a share of 0 or less"),
        ([[0, 1], [2, -1]], [[0.5, -0.5], [1.0, 0.0]], "a share of 0 or less"),
        ([[0, 1], [2, -1]], [[0.5, np.nan], [1.0, 0.0]], "a share of 0 or less"),
    ],
)
def test_unknown_people_and_shares_of_nothing_are_refused(members, share, message):
    with pytest.raises(GameTableError, match=message):
        played(members, share)
