r"""Comparison of results of one deal: IMPs, average cross-IMPs, matchpoints, IMPs against a datum.

With s_i the points of North and South at table i of a deal with n comparable results:

    imp(d) = sign(d) times the number of bounds below |d|                    fig. 3.1; Laws 2017, law 78B
    cross-IMPs   x_i = sum over j != i of imp(s_i - s_j) / (n - 1)            eq. 3.2; some clubs divide by n
    matchpoints  m_i = sum over j != i of 2 [s_i > s_j] + [s_i = s_j]         section 3.2.1; percent of 2 (n - 1)
    Butler       x_i = imp(s_i - D), D the mean, the median, or the mean without the k best and worst

East and West have -x_i, and 2 (n - 1) - m_i. Adjusted results are not compared, nor are deals with one result (NaN).

Krajowski-Kukiel (2011), sections 3.1 and 3.2.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.fields.bridge.options import Datum, Divide, Rounding
from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import Codes, Floats

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
_DATUMS = ("mean", "median", "trimmed")
_ROUNDINGS = ("none", "half up", "toward zero")
IMP_BOUNDS = np.array(
    [15, 45, 85, 125, 165, 215, 265, 315, 365, 425, 495, 595, 745, 895, 1095, 1295, 1495, 1745, 1995, 2245, 2495, 2995,
     3495, 3995], dtype=np.float64,
)  # fmt: skip


def imp(difference: float | Ints | Codes | Floats) -> Ints:
    """IMPs of a difference of points, with its sign.

    Examples
    --------
    >>> imp([20, 650, 700, 4000, -50]).tolist()
    [1, 12, 12, 24, -2]
    """
    points = np.asarray(difference, dtype=np.float64)
    return np.asarray(np.sign(points).astype(np.int64) * np.searchsorted(IMP_BOUNDS, np.abs(points), side="left"))


@dataclass(frozen=True, eq=False)
class Deals:
    """Results grouped by deal: rows in the order of their deals, and the start of each deal."""

    order: Ints  #: (counted,), rows that are compared, deal after deal
    starts: Ints  #: (deal + 1,), rows `order[starts[d]:starts[d + 1]]` are those of deal d
    size: int  #: number of results, those that are not compared included

    @property
    def results(self) -> Ints:
        """Number of compared results of each deal, shape (deal,)."""
        return np.diff(self.starts)


def deals_of(deal: Codes | Ints, compared: Bools | None = None) -> Deals:
    """Group results with the same code (result,) by deal; adjusted results are not compared."""
    rows = np.arange(deal.size) if compared is None else np.flatnonzero(compared)
    codes = deal[rows]
    count = int(deal.max()) + 1 if deal.size else 0
    order = rows[np.argsort(codes, kind="stable")]
    return Deals(order, np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=count))]), deal.size)


def cross_imps(score_ns: Codes | Ints, deals: Deals, divide: Divide = "others") -> Floats:
    """Average cross-IMPs of North and South, (result,), over n - 1 other results or n; NaN without other results.

    Examples
    --------
    >>> one = deals_of(np.zeros(5, dtype=np.int64))
    >>> cross_imps(np.array([-100, 600, -50, 620, -100]), one).tolist()
    [-6.5, 8.75, -5.0, 9.25, -6.5]
    """
    require_word("divide", divide, ("others", "all"), GameTableError)
    imps, score = np.full(deals.size, np.nan), np.asarray(score_ns, dtype=np.int64)
    deal = np.repeat(np.arange(deals.results.size), deals.results)
    order = deals.order[np.lexsort((score[deals.order], deal))]
    _sum_cross_imps(score, order, deals.starts, divide == "all", imps)
    return imps


def matchpoints(score_ns: Codes | Ints, deals: Deals) -> Floats:
    """Matchpoints of North and South, 2 for a better and 1 for an equal result, shape (result,).

    NaN without a comparison. Half of them are the matchpoints of North America.
    """
    values, (scores, deal) = np.full(deals.size, np.nan), _compared_results(score_ns, deals)
    points = 2.0 * (scores.groupby(deal).rank().to_numpy() - 1.0)  # ranks of equal ones are their mean
    values[deals.order] = np.where(deals.results[deal] > 1, points, np.nan)
    return values


def _compared_results(score_ns: Codes | Ints, deals: Deals) -> tuple[pd.Series, Ints]:
    """Points and deal of the compared results, in the order of their deals, shape (counted,) each."""
    deal = np.repeat(np.arange(deals.results.size), deals.results)
    return pd.Series(np.asarray(score_ns, dtype=np.float64)[deals.order]), deal


def comparisons(deals: Deals) -> Ints:
    """Number of other results compared with each result, shape (result,); 0 for those not compared."""
    counts = np.zeros(deals.size, dtype=np.int64)
    counts[deals.order] = np.repeat(np.maximum(deals.results - 1, 0), deals.results)
    return counts


def percent(points: Floats, deals: Deals) -> Floats:
    """Matchpoints as per cent of the maximum, shape (result,)."""
    counts = comparisons(deals)
    return np.asarray(100.0 * points / np.where(counts > 0, 2.0 * counts, np.nan))


def datums(
    score_ns: Codes | Ints, deals: Deals, kind: Datum = "mean", rounding: Rounding = "none", trim: int = 1
) -> Floats:
    """Datum of each deal, shape (deal,), NaN for a deal without results; rounded to tens on request.

    A trimmed mean drops `trim` results at each end; fewer if the deal has fewer results.

    Raises
    ------
    GameTableError
        If an option is not one of its words, or `trim` is negative.
    """
    require_word("datum", kind, _DATUMS, GameTableError)
    require_word("rounding of the datum", rounding, _ROUNDINGS, GameTableError)
    if trim < 0:
        raise GameTableError("trimmed results", "a whole number >= 0", repr(trim))
    scores, deal = _compared_results(score_ns, deals)
    count = deals.results[deal]
    ends: dict[str, int | Ints] = {"mean": 0, "median": count, "trimmed": trim}
    off = np.minimum(ends[kind], (count - 1) // 2)
    place = scores.groupby(deal).rank(method="first").to_numpy() - 1.0
    inside = (off <= place) & (place < count - off)
    datum = scores[inside].groupby(deal[inside]).mean().reindex(range(deals.results.size)).to_numpy()
    if rounding == "half up":
        return np.asarray(10.0 * np.floor(datum / 10.0 + 0.5))
    return np.asarray(10.0 * np.trunc(datum / 10.0)) if rounding == "toward zero" else datum


def butler(score_ns: Codes | Ints, deals: Deals, datum: Floats) -> Floats:
    """IMPs of North and South against a datum (deal,), shape (result,), NaN without a comparison."""
    imps = np.full(deals.size, np.nan)
    against = np.repeat(datum, deals.results)
    alone = np.repeat(deals.results < 2, deals.results)
    points = np.asarray(score_ns, dtype=np.float64)[deals.order] - against
    imps[deals.order] = np.where(alone | np.isnan(against), np.nan, imp(np.nan_to_num(points)))
    return imps


@compile_lazily
def imps_of(difference: int) -> int:
    """IMPs for compiled loops."""
    size = 0
    while size < IMP_BOUNDS.size and IMP_BOUNDS[size] < abs(difference):
        size += 1
    return size if difference > 0 else -size


@compile_lazily
def _sum_cross_imps(score: Ints, order: Ints, starts: Ints, by_all: bool, imps: Floats) -> None:
    """Fill `imps`, with the results of a deal in the order of their scores; the work grows with distinct scores."""
    for deal in range(starts.size - 1):
        first, end = starts[deal], starts[deal + 1]
        n = end - first
        if n < 2:
            continue
        values = np.empty(n, dtype=np.int64)
        counts = np.zeros(n, dtype=np.int64)
        kinds = 0
        for place in range(first, end):
            value = score[order[place]]
            if kinds == 0 or value != values[kinds - 1]:
                values[kinds] = value
                kinds += 1
            counts[kinds - 1] += 1
        sums = np.zeros(kinds, dtype=np.int64)
        for high in range(kinds):
            for low in range(high):
                gain = imps_of(values[high] - values[low])
                sums[high] += counts[low] * gain
                sums[low] -= counts[high] * gain
        divisor, place = n if by_all else n - 1, first
        for kind in range(kinds):
            for _ in range(counts[kind]):
                imps[order[place]] = sums[kind] / divisor
                place += 1
