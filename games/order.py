"""The order of games in time: by period, day and time of day, as far as each is known.

Games of which nobody knows who came first are of one moment: those of a day where one of them has no time of day, those
of a period where one has no day. What was known before a game is what earlier moments told, in whatever order a file
stands.
"""

import re

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Floats, GameTable

CLOCK = "clock"  # a column of games: seconds since midnight, NaN where unknown
TIME_OF_DAY = re.compile(r"(?:^|[T ])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?!\d)")


def clock_of(text: str) -> float:
    """Return the seconds since midnight that a text tells, NaN if it tells none.

    Examples
    --------
    >>> clock_of("15:30"), clock_of("2016-03-01T10:00:05Z"), clock_of("?")
    (55800.0, 36005.0, nan)
    """
    found = TIME_OF_DAY.search(text)
    return float("nan") if found is None else 3600.0 * int(found[1]) + 60.0 * int(found[2]) + float(found[3] or 0)


def moments(games: GameTable) -> npt.NDArray[np.int64]:
    """Return numbers that grow with time, shape (game,), the same for games of which nobody knows who came first."""
    count = len(games)
    now = np.zeros(count, dtype=np.int64) if games.period is None else np.asarray(games.period, dtype=np.int64)
    if games.date is None:
        return now
    day = games.date.astype(np.int64)
    now = finer(now, np.where(np.isnat(games.date), np.nan, day.astype(np.float64)))
    return finer(now, games.covariates[CLOCK]) if CLOCK in games.covariates else now


def finer(now: npt.NDArray[np.int64], within: Floats) -> npt.NDArray[np.int64]:
    """Return moments divided by what happened within each of them; those in which one is unknown stay whole."""
    rank = np.unique(now, return_inverse=True)[1].ravel()
    whole = np.zeros(rank.max(initial=-1) + 1, dtype=np.bool_)
    whole[rank[np.isnan(within)]] = True
    place = np.unique(np.where(whole[rank], 0.0, np.nan_to_num(within)), return_inverse=True)[1].ravel()
    return np.asarray(np.unique(rank * (place.max(initial=0) + 1) + place, return_inverse=True)[1].ravel())


def oldest_first(games: GameTable) -> GameTable:
    """Return the games in the order of time; games of one moment stand as in the file, or the reverse of it.

    The reverse, where the file has its newest games first, as servers export them.
    """
    now = moments(games)
    steps = np.sign(np.diff(now))
    backwards = int(steps.sum()) < 0
    tie = -np.arange(len(games)) if backwards else np.arange(len(games))
    order = np.lexsort((tie, now))
    return games if np.array_equal(order, np.arange(len(games))) else games.take(order)
