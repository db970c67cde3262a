"""Printed scores against our own: deals whose page lacks a result, and deals that no reckoning gives.

A page that prints percentages or average IMPs says by them with how many results each was compared. Where they are not
those of the results shown, one result more is looked for: at matchpoints anywhere between the others, at cross-IMPs any
score that a contract gives. If it makes every printed score of the deal right, that result is missing from the page; if
none does, the deal is not as printed.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.fields.bridge.comparison import Ints, comparisons, cross_imps, deals_of, imp, matchpoints
from halfpoint.fields.bridge.contracts import possible_scores
from halfpoint.fields.bridge.table import BridgeTable
from halfpoint.games.table import Floats

_DECIMALS = 4
_CHECKED = ("MP", "XIMP")


@dataclass(frozen=True, eq=False)
class _OfficialCheck:
    """What became of printed scores."""

    agreeing: Ints  #: deals that are as printed, that are with one result more, and that are neither
    hidden: Ints
    wrong: Ints
    unchecked: int  #: printed scores that were not checked: against a datum that is not printed, or of an unknown kind


def check_official(table: BridgeTable) -> _OfficialCheck:
    """Which deals have the scores that are printed: MP in percent, XIMP as cross-IMPs over the others or all."""
    nothing = np.empty(0, dtype=np.int64)
    if table.official is None:
        return _OfficialCheck(nothing, nothing, nothing, 0)
    printed = ~np.isnan(table.official)
    kind = np.full(len(table), "") if table.scoring is None else table.scoring
    known = printed & np.isin(kind, _CHECKED) & ~table.adjusted
    half_unit = {one: _tolerance(table.official[known & (kind == one)]) for one in _CHECKED}
    found: dict[str, list[int]] = {"agreeing": [], "hidden": [], "wrong": []}
    grouped = table.deals
    for deal in np.unique(table.deal[known]).tolist():
        rows = grouped.order[grouped.starts[deal] : grouped.starts[deal + 1]]
        told = known[rows]
        scoring = str(kind[rows[told][0]])
        score, official = table.score_ns[rows].astype(np.int64), table.official[rows]
        found[verdict(score, official, told, scoring, half_unit[scoring])].append(deal)
    sets = {word: np.array(deals, dtype=np.int64) for word, deals in found.items()}
    return _OfficialCheck(**sets, unchecked=int((printed & ~known & ~table.adjusted).sum()))


def _tolerance(official: Floats) -> float:
    """Half a unit of the last printed digit of scores, and a little for how numbers are held."""
    for decimals in range(_DECIMALS):
        if np.allclose(np.round(official, decimals), official, rtol=0.0, atol=1e-9):
            return 0.5 * 10.0**-decimals + 1e-6
    return 0.5 * 10.0**-_DECIMALS + 1e-6


def verdict(score: Ints, official: Floats, told: np.ndarray, scoring: str, half_unit: float) -> str:
    """Return "agreeing", "hidden" or "wrong" for one deal."""
    n = score.size
    whole = deals_of(np.zeros(n, dtype=np.int64))

    def right(expected: Floats) -> bool:
        """Whether one row of expected scores, shape (candidate, result), is as printed."""
        return bool((np.abs(expected - official)[..., told] <= half_unit).all(axis=-1).any())

    if scoring == "MP":
        points = matchpoints(score, whole) if n > 1 else np.zeros(n)
        if n > 1 and right(100.0 * points / (2.0 * comparisons(whole))):
            return "agreeing"
        steps = np.unique(score)
        more = np.unique(np.concatenate([steps, steps - 5, steps + 5]))[:, None]
        return "hidden" if right(100.0 * (points + 2 * (score > more) + (score == more)) / (2.0 * n)) else "wrong"
    sums = cross_imps(score, whole) * (n - 1) if n > 1 else np.zeros(n)
    if n > 1 and any(right(sums / divisor) for divisor in (n - 1, n)):
        return "agreeing"
    gained = sums + imp(score - possible_scores()[:, None])
    return "hidden" if any(right(gained / divisor) for divisor in (n, n + 1)) else "wrong"
