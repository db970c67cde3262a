r"""Leave-future-out: each month forecast from the months before it, with as few fits as the draws allow.

For a forecast of month t + 1 the games weigh w_t: 0 after t, and before that what a weighting gives them seen from t.
A fit made with weights w_s, s <= t, serves month t + 1 by importance weights

    log r = sum over games of (w_t - w_s) l,      l the log likelihood of a game under a draw,

smoothed by Pareto (PSIS). Where the shape k of their tail exceeds 0.7, the model is fitted again with w_t. The log
score of a game of month t + 1 is -log of its mean probability under the weighted draws. Its Monte Carlo error is by the
delta method: with v_d the sum over games of (share of draw d in the mean probability, less its weight), summed over all
months that a fit serves, the variance of the summed log score is the sum of v_d^2 over draws and fits.

Buerkner, Gabry & Vehtari (2020) J. Stat. Comput. Simul. 90:2499, sections 2 and 3. Vehtari, Simpson, Gelman, Yao &
Gabry (2024) J. Mach. Learn. Res. 25:72 for k. The fit is passed in as a function, so any model can be asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.games.weights import weights
from halfpoint.models.smoothing import log_sum, smoothed

LIMIT_K = 0.7
Fit = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Future:
    """Log scores of forecasts one month ahead."""

    game: npt.NDArray[np.int64]  # (forecast,): index of the game that was forecast
    month: npt.NDArray[np.int64]  # (forecast,): its month
    log_score: Floats  # (forecast,): -log of its forecast probability, lower is better, nats
    pareto_k: dict[int, float]  # shape of the importance weights' tail, 0 where the model was fitted for that month
    fits: int  # how many fits were made
    # standard error of the mean log score from the finite number of draws, which are taken as independent
    monte_carlo_error: float = 0.0

    @property
    def mean(self) -> float:
        """Mean log score of a game."""
        return float(self.log_score.mean())


def weights_seen_from(
    month: npt.NDArray[np.int64], now: int, weighting: str = "equal", half_life: float | None = None
) -> Floats:
    """Return the weights of games as seen at the end of month `now`: 0 after it, shape (game,); month (game,)."""
    seen = month <= now
    result = np.zeros(month.size)
    if weighting == "exponential" and half_life is not None and np.isinf(half_life):
        weighting = "equal"
    scaled = weighting != "exponential"
    result[seen] = weights(weighting, month[seen].astype(np.float64), half_life, normalise=scaled)
    return result


def leave_future_out(
    fit: Fit,
    month: npt.NDArray[np.int64],
    first: int,
    weight_at: Callable[[int], Floats] | None = None,
    last: int | None = None,
) -> Future:
    """Return the log scores of forecasts one month ahead, of the months from `first` to `last` that have games.

    `fit` goes from weights of games (game,) to the log likelihood of all games under the draws (draw, game), such as
    `halfpoint.inference.fitter.Fitter`; `weight_at` from a month to the weights of games seen at its end, alike by
    default. An `EvaluationError` if no month before `first` or none from it on has games. Shapes: month (game,).
    """
    targets = [int(m) for m in np.unique(month) if m >= first and (last is None or m <= last)]
    if not targets or not (month < first).any():
        raise EvaluationError("first month", "games both before it and from it on", repr(first))
    seen_from = weight_at or (lambda now: weights_seen_from(month, now))
    fitted: Floats | None = None
    log_likelihood = np.empty((0, 0))
    games, scores, shapes, fits = [], [], {}, 0
    variance, influence = 0.0, np.zeros(0)
    for target in targets:
        wanted = seen_from(target - 1)
        if np.any(wanted[month >= target] > 0):
            raise EvaluationError("weights", "0 for every game that is not yet seen", f"others in month {target}")
        log_weight, shape = np.zeros(0), np.inf
        if fitted is not None:
            log_weight, shape = importance(log_likelihood, wanted - fitted)
        if shape > LIMIT_K:
            log_likelihood, fitted, shape, fits = fit(wanted), wanted, 0.0, fits + 1
            log_weight = np.full(log_likelihood.shape[0], -np.log(log_likelihood.shape[0]))
            variance, influence = variance + float(influence @ influence), np.zeros(log_weight.size)
        rows = np.flatnonzero(month == target)
        terms = log_likelihood[:, rows] + log_weight[:, None]
        each = log_sum(terms.T)
        influence = influence + (np.exp(terms - each) - np.exp(log_weight)[:, None]).sum(axis=1)
        scores.append(-each)
        games.append(rows)
        shapes[target] = float(shape)
    chosen = np.concatenate(games)
    error = float(np.sqrt(variance + influence @ influence) / chosen.size)
    return Future(chosen, month[chosen], np.concatenate(scores), shapes, fits, error)


def importance(log_likelihood: Floats, change: Floats) -> tuple[Floats, float]:
    """Return smoothed log importance weights that sum to one, shape (draw,), and their Pareto k."""
    ratio = log_likelihood @ change
    if np.allclose(ratio, ratio[0]):
        return np.full(ratio.size, -np.log(ratio.size)), 0.0
    log_weight, shape = smoothed(ratio[None])
    return log_weight[0], float(shape[0])


def half_life_curve(
    fit: Fit, month: npt.NDArray[np.int64], first: int, half_lives: Sequence[float], others: Sequence[str] = ()
) -> dict[str, Future]:
    """Return leave-future-out by weighting: "half-life H" for each in months, infinity being equal weights, and others.

    The others are names of weights, scaled to mean 1: "computed", "recency", "equal".
    """
    asked: list[tuple[str, str, float | None]] = [(f"half-life {h:g}", "exponential", h) for h in half_lives]
    asked += [(name, name, None) for name in others]
    result = {}
    for label, weighting, half_life in asked:

        def seen(now: int, name: str = weighting, memory: float | None = half_life) -> Floats:
            return weights_seen_from(month, now, name, memory)

        result[label] = leave_future_out(fit, month, first, seen)
    return result
