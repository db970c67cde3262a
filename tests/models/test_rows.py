"""Sides of rows: weighted sums by hand, and a single number for equal players with equal shares."""

import numpy as np
import pytest

from halfpoint.models.rows.rows import Side


def side(players, share, anchored=None):
    """Side of rows by seats."""
    share = np.array(share, dtype=float)
    anchored = np.zeros(len(share)) if anchored is None else np.array(anchored, dtype=float)
    return Side(np.array(players, dtype=np.int32), share, anchored, np.zeros(len(share)))


@pytest.mark.parametrize(
    ("made", "equal"),
    [
        (side([[0], [1], [0], [2]], [[1], [1], [1], [1]]), [(0, 2)]),
        (side([[0, 1], [0, 2], [0, 1], [0, 1]], [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.7, 0.3]]), [(0, 2)]),
        (side([[3, 0], [3, 1], [2, 0]], [[1, 0], [1, 0], [1, 0]]), [(0, 1)]),  # who sits without a share is nobody
        (side([[1], [1], [1]], [[1], [1], [1]], [0, 1, 0]), [(0, 2)]),  # a known rating is another side
    ],
)
def test_equal_players_with_equal_shares_have_one_number(made, equal):
    number = made.seats()
    for one in range(len(number)):
        for other in range(one):
            assert (number[one] == number[other]) == ((other, one) in equal), (other, one)


def test_a_side_is_the_sum_of_its_players_by_their_shares():
    made = side([[0, 1], [2, 0]], [[0.5, 0.5], [1.0, 0.0]])
    assert made.of(np.array([[1.0, 3.0, 10.0], [2.0, 2.0, 5.0]])).tolist() == [[2.0, 10.0], [2.0, 5.0]]
    assert len(made.take(np.array([1]))) == 1
    assert made.take(np.array([1])).of(np.array([1.0, 3.0, 10.0])).tolist() == [10.0]
