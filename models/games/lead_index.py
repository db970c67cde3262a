r"""Lead of the first side in goals and other counts: an index of the course of a game.

    I = (sum_k a_k d_k / r_k) / (sum_k a_k)            over the known columns

d_k is White's lead in column k: the margin, shots on target, shots; r_k its root mean square so far, the games of the
day included (half-life 200 games), so that goals, points and counts of any kind are in one unit and a change in how
they are counted does no harm.
"""

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Floats, GameTable

COLUMNS = ("shots_on_target", "shots")  # of both seats, beside the margin
_FORGETS = 0.5 ** (1.0 / 200.0)
_PERIOD_DAYS = 30.0
_MOST = 1e9


def leads(games: GameTable) -> Floats:
    """White's lead in the margin and in each of `COLUMNS`, shape (game, 3); NaN if unknown or beyond any count."""
    columns = [games.margin]
    if not np.isfinite(columns[0]).any():
        columns = [2.0 * games.score - 1.0]
    for column in COLUMNS:
        unknown = np.full(len(games), np.nan)
        white, black = (games.covariates.get(f"{side}_{column}", unknown) for side in ("white", "black"))
        columns.append(white - black if white.dtype.kind in "fiu" and black.dtype.kind in "fiu" else unknown)
    lead = np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.float64)
    return np.where(np.abs(lead) < _MOST, lead, np.nan)


def days_of(games: GameTable) -> Floats:
    """Day of each game, shape (game,); a period counts as 30 days if dates are unknown."""
    if games.date is not None and not np.isnat(games.date).any():
        return games.date.astype(np.float64)
    period = np.zeros(len(games)) if games.period is None else games.period.astype(np.float64)
    return _PERIOD_DAYS * period


def no_spread() -> Floats:
    """Initial sums behind r: of squares and of weights, shape (2, column)."""
    return np.zeros((2, 1 + len(COLUMNS)))


def index_of(lead: Floats, bounds: npt.NDArray[np.integer], share: Floats, spread: Floats) -> Floats:
    """Index of games in the order of days, (game,), NaN if unknown; lead (game, column)."""
    root = np.empty_like(lead)
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        valid = np.isfinite(lead[begin:end])  # all games of a day at once: their order says nothing
        count = valid.sum(axis=0)
        spread *= _FORGETS**count
        spread[0] += np.square(np.where(valid, lead[begin:end], 0.0)).sum(axis=0)
        spread[1] += count
        root[begin:end] = np.sqrt(spread[0] / np.maximum(spread[1], 1e-300))
    valid = np.isfinite(lead)
    parts = np.where(valid, lead, 0.0) / np.where(root > 0.0, root, 1.0)  # where all so far were level, so is this one
    shares = valid @ share
    return np.where(shares > 0.0, parts @ share / np.where(shares > 0.0, shares, 1.0), np.nan)


def day_bounds(day: Floats) -> npt.NDArray[np.intp]:
    """Indices at which each day begins among sorted days, and their number."""
    return np.append(np.flatnonzero(np.diff(day, prepend=-np.inf)), day.size)


def game_index(games: GameTable, share: Floats) -> Floats:
    """Index of each game of a table, shape (game,), NaN if unknown."""
    day = days_of(games)
    order = np.argsort(day, kind="stable")
    index = np.empty(len(games))
    index[order] = index_of(leads(games)[order], day_bounds(day[order]), share, no_spread())
    return index
