r"""Matches of teams: IMPs of two tables, and the victory points of the World Bridge Federation.

A team sits North-South at one table and East-West at the other; over N boards it scores the IMPs

    I = sum over boards of imp(s_open - s_closed)

and, on the continuous scale in use since 2013, with t = (sqrt(5) - 1) / 2 and B = 15 sqrt(N),

    V(I) = 10 + 10 (1 - t^(3 I / B)) / (1 - t^3) for 0 <= I < B, 20 from B on; the loser has 20 - V

rounded half up to hundredths; then, while some step V(I + 1) - V(I) is wider than the step before it, V(I) gains 0.01,
so that a further IMP never gains more than the IMP before it.
"""

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Floats

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_MOST_BOARDS = 1000


@cache
def victory_point_scale(boards: int) -> Floats:
    """Winner's victory points for 0, 1, 2, ... IMPs, up to the first number that gives 20."""
    if not 1 <= boards <= _MOST_BOARDS:
        raise GameTableError("victory points", f"1 to {_MOST_BOARDS:,} boards", str(boards))
    blitz = 15.0 * math.sqrt(boards)
    imps = np.arange(math.ceil(blitz) + 1)
    points = 10.0 + 10.0 * (1.0 - _GOLDEN ** (3.0 * imps / blitz)) / (1.0 - _GOLDEN**3)
    hundredths = np.floor(100.0 * np.where(imps >= blitz, 20.0, points) + 0.5).astype(np.int64)
    while True:
        step = np.diff(hundredths)
        wider = np.flatnonzero(step[1:] > step[:-1])
        if not wider.size:
            scale = hundredths / 100.0
            scale.flags.writeable = False
            return scale
        hundredths[wider[0] + 1] += 1


def victory_points(imps: int | npt.NDArray[np.integer], boards: int) -> Floats:
    """The victory points of the first team for its IMPs, positive or negative.

    Examples
    --------
    >>> victory_points(np.array([0, 10, -10, 100]), 16).tolist()
    [10.0, 12.8, 7.2, 20.0]
    """
    scale = victory_point_scale(boards)
    won = np.asarray(imps, dtype=np.int64)
    points = scale[np.minimum(np.abs(won), scale.size - 1)]
    return np.asarray(np.where(won >= 0, points, np.round(20.0 - points, 2)))
