r"""Inflation: mean and spread of a pool of ratings over time, for any rating system.

After each period, over the players active in the last periods (a game in one of them),

    mean, sd, top     of their ratings; `top` is the mean of the best ten
    less_printed      mean of (rating - rating printed with the player's last game): drift against the official list
    less_reference    the same against a reference, such as a model whose anchors fix its level

The mean also changes when different people play; the two differences compare the same players, so that their changes
are due to the system. Elo (1978), section 3; Pires (2014), section 2.1, on K and inflation.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.rating_system import RatingSystem, day_ratings, ledger_of
from halfpoint.models.games.table import Floats, GameTable

_TOP = 10
COLUMNS = ("period", "players", "mean_elo", "sd_elo", "top_elo", "less_printed_elo", "less_reference_elo")
Reference = Callable[[str, int], float]  # player and period to a rating, NaN if unknown


def pool_history(
    games: GameTable, system: RatingSystem, active_periods: int = 12, reference: Reference | None = None
) -> pd.DataFrame:
    """Mean and spread of a system's pool, one row per period: `COLUMNS`, NaN without active players.

    The system must be new and keep ratings, and is modified; a player counts with a game in the last periods.

    Raises
    ------
    EvaluationError
        If the games have no periods.
    RatingSystemError
        If the system keeps no ratings.
    """
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    ledger = ledger_of(system, "rating system")
    last: dict[str, int] = {}
    printed: dict[str, float] = {}
    rows = []
    for period in np.unique(games.period).tolist():
        current = games.take(games.period == period)
        system.learn(current)
        last |= dict.fromkeys(current.players.tolist(), period)
        ratings = zip(current.players.tolist(), day_ratings(current, last=True).tolist(), strict=True)
        printed |= {name: rating for name, rating in ratings if not np.isnan(rating)}
        active = [
            (name, rating)
            for name, rating in zip(ledger.names, ledger["rating"].tolist(), strict=True)
            if not np.isnan(rating) and last[name] > period - active_periods
        ]
        rating = np.array([value for _, value in active])
        official = np.array([printed.get(name, np.nan) for name, _ in active])
        reference_elo = np.array([np.nan if reference is None else reference(name, period) for name, _ in active])
        best = np.sort(rating)[::-1][:_TOP]
        summary = (_mean_of(rating), float(rating.std(ddof=1)) if rating.size > 1 else np.nan, _mean_of(best))
        rows.append((period, rating.size, *summary, _mean_of(rating - official), _mean_of(rating - reference_elo)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _mean_of(values: Floats) -> float:
    """Mean of the known values, NaN if absent."""
    finite = values[~np.isnan(values)]
    return float(finite.mean()) if finite.size else float("nan")
