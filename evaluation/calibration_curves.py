r"""Calibration: the observed share of an event against the probability that was forecast for it.

A table has one row per bin: mean forecast, observed share, games n, and an interval for the share. For an event (loss,
draw, win) it is Wilson's score interval. For the expected score, whose observations are 0, 1/2 and 1, it is Wilson's
interval for the number of coin tosses of equal precision (`score_interval`). Every interval has a positive width, even
in a bin of wins alone.

Wilson (1927), J. Am. Stat. Assoc. 22:209; Korn and Graubard (1998), Surv. Methodol. 24:193, for the effective number;
Agresti and Coull (1998), Am. Stat. 52:119, for the two successes and two failures; Murphy and Winkler (1977), Appl.
Stat. 26:41.
"""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats, check_expected, check_probability, expected_score
from halfpoint.models.games.table import OUTCOMES, POINTS


def wilson_interval(happened: npt.ArrayLike, games: npt.ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval for a share.

    Examples
    --------
    >>> low, high = wilson_interval([5], [10])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.2366], [0.7634])
    """
    n = np.asarray(games, dtype=np.float64)
    share = np.asarray(happened, dtype=np.float64) / n
    z = NormalDist().inv_cdf(0.5 + level / 2)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return np.where(share == 0.0, 0.0, middle - half), np.where(share == 1.0, 1.0, middle + half)  # exact at the ends


def score_interval(scores: npt.ArrayLike, level: float = 0.95) -> tuple[float, float]:
    r"""An interval for the expected score of games whose scores are between 0 and 1; scores (game,).

    Wilson's interval of the mean with $n^* = n / r$ games, where r is the variance of the scores over the variance of a
    coin with the same mean, $r = s^2 / (m (1 - m))$. Both variances include two added wins and two added losses, so
    that r exists if all games ended alike. Draws make r less than 1 and the interval narrower; without draws r is 1 and
    the interval is Wilson's own.

    Examples
    --------
    >>> low, high = score_interval([1.0, 1.0, 1.0, 1.0])
    >>> round(low, 4), round(high, 4)
    (0.5101, 1.0)
    """
    y = np.asarray(scores, dtype=np.float64)
    padded = np.concatenate([y, [0.0, 0.0, 1.0, 1.0]])
    coins = y.size * padded.mean() * (1.0 - padded.mean()) / padded.var()
    low, high = wilson_interval([y.mean() * coins], [coins], level)
    return max(0.0, float(low[0])), min(1.0, float(high[0]))


def calibration_table(
    forecast: npt.ArrayLike, observed: npt.ArrayLike, bins: int = 10, level: float = 0.95
) -> pd.DataFrame:
    """Observed shares against forecasts, by bins of the forecast; empty bins are left out.

    One row per bin: bin_low, bin_high, mean_forecast, observed_share, games, low, high.
    """
    f, y = check_expected(forecast, observed)
    if bins < 1 or f.size == 0:
        raise EvaluationError("calibration", "games, bins >= 1", f"{f.size}, {bins}")
    limits = np.unique(np.quantile(f, np.linspace(0, 1, bins + 1)))
    limits = limits if limits.size > 1 else np.array([limits[0], limits[0]])
    place = np.clip(np.searchsorted(limits, f, side="right") - 1, 0, limits.size - 2)
    rows = []
    for number in np.unique(place):
        in_bin = place == number
        n, share = int(in_bin.sum()), float(y[in_bin].mean())
        low, high = score_interval(y[in_bin], level)
        rows.append((limits[number], limits[number + 1], float(f[in_bin].mean()), share, n, low, high))
    names = ["bin_low", "bin_high", "mean_forecast", "observed_share", "games", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def calibration_of_outcomes(
    probability: npt.ArrayLike, outcome: npt.ArrayLike, bins: int = 10, level: float = 0.95
) -> pd.DataFrame:
    """Calibration tables of loss, draw, win and expected score, stacked, by a column `event`.

    Arguments are probabilities (game, outcome) and outcomes 0, 1, 2 (game,); the rest as for `calibration_table`.
    """
    p, o = check_probability(probability, outcome)
    parts = [calibration_table(p[:, k], (o == k).astype(float), bins, level) for k in range(3)]
    parts.append(calibration_table(np.clip(expected_score(p), 0, 1), POINTS[o], bins, level))
    for name, part in zip((*OUTCOMES, "expected_score"), parts, strict=True):
        part.insert(0, "event", name)
    return pd.concat(parts, ignore_index=True)
