"""Numbers of a system, tuned on an early window and then kept fixed.

Each number in turn is set to the value of its grid that forecasts the window best, with all other numbers fixed; sweeps
are repeated until no value changes (six at most). The window is rolled as in a backtest, each period forecast from its
past, and its first third only warms up. Systems are tuned on their own forecasts: on the log score if they forecast
probabilities, else on the expected score.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rolling import Rolled, periods_of, roll
from halfpoint.evaluation.scores import binomial_deviance, log_score
from halfpoint.models.games.rating_system import RatingSystem
from halfpoint.models.games.table import GameTable

_SWEEPS = 6
_BELIEVED = 1e-4


@dataclass(frozen=True)
class Tuned:
    """Result of tuning."""

    settings: Mapping[str, float]  # the tuned parameters
    loss: float  # mean loss of the window under them
    tried: int  # number of settings tried


def judged_games(games: GameTable) -> npt.NDArray[np.bool_]:
    """Mask of the scored games of a window, shape (game,): games after its first third of periods."""
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    periods = np.unique(games.period)
    return np.asarray(games.period >= periods[-(-periods.size // 3) % periods.size])


def window_loss(games: GameTable, rolled: Rolled) -> float:
    """Mean loss of the scored games of a window; games without a forecast are excluded."""
    judged = judged_games(games) & ~np.isnan(rolled.expected_score)
    if not judged.any():
        return float("inf")
    has_outcome = judged & ~np.isnan(rolled.outcome).any(axis=1)
    if has_outcome.sum() == judged.sum():
        return float(log_score(rolled.outcome[judged], games.outcome[judged]).mean())
    return float(binomial_deviance(rolled.expected_score[judged], games.score[judged], _BELIEVED).mean())


def tune(
    games: GameTable,
    build: Callable[[Mapping[str, float]], RatingSystem],
    grid: Mapping[str, tuple[float, ...]],
    start: Mapping[str, float],
) -> Tuned:
    """Parameters on the grid, by name, that best forecast a window with periods; the search begins at `start`."""
    losses: dict[tuple[float, ...], float] = {}
    parts = periods_of(games)

    def loss(settings: Mapping[str, float]) -> float:
        key = tuple(settings[name] for name in start)
        if key not in losses:
            losses[key] = window_loss(games, roll(games, build(settings), parts=parts))
        return losses[key]

    best = dict(start)
    for _ in range(_SWEEPS if grid else 0):
        before = dict(best)
        for name, values in grid.items():
            best[name] = min(values, key=lambda value, name=name: loss(best | {name: value}))  # type: ignore[misc]
        if best == before:
            break
    return Tuned(best, loss(best), len(losses))


def frozen_window(games: GameTable, first: int) -> npt.NDArray[np.bool_]:
    """Games before the first scored period of a backtest, shape (game,), as a mask."""
    if games.period is None:
        raise EvaluationError(games.source, "a period for each game", "none")
    mask = np.asarray(games.period < first)
    if mask.all() or np.unique(games.period[mask]).size < 2:
        low, high = int(games.period.min()), int(games.period.max())
        raise EvaluationError("--from", f"a period with two or more before it, of {low} to {high}", str(first))
    return mask
