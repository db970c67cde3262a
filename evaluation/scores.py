r"""Scores of forecasts: arrays in, one value per game out.

A forecast is either three probabilities, shape (game, outcome) with the outcomes loss, draw, win for White, or White's
expected score E, shape (game,). The result is the outcome o in {0, 1, 2} or White's score y in {0, 1/2, 1}. All scores
but `accuracy` are losses: lower is better. Scores are not averaged here; `differences.mean_difference` gives means of
paired differences with their standard errors. Forecasts and outcomes are checked once, before they are scored: every
function raises `EvaluationError` if its arrays are no forecast.

A model of half-points (Bradley-Terry) has no probability of a draw, so it has no log score, De Finetti or ranked
probability score over three outcomes: all models are comparable by the expected score only.
"""

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.table import POINTS

Floats = npt.NDArray[np.float64]
Outcomes = npt.NDArray[np.int64]


def check_probability(probability: npt.ArrayLike, outcome: npt.ArrayLike) -> tuple[Floats, Outcomes]:
    """A three-outcome forecast and the outcomes as arrays; probability (game, outcome), outcome (game,)."""
    p = np.asarray(probability, dtype=np.float64)
    o = np.asarray(outcome)
    if p.ndim != 2 or p.shape[1] != 3 or o.shape != p.shape[:1]:
        raise EvaluationError(
            "forecast", "probability (game, 3) and outcome (game,)", f"shapes {p.shape} and {o.shape}"
        )
    if not np.all(np.isfinite(p)) or p.min(initial=0.0) < 0 or np.any(np.abs(p.sum(axis=1) - 1) > 1e-6):
        raise EvaluationError("forecast", "three probabilities that sum to 1 in every game", "another sum")
    if not np.all(np.isin(o, (0, 1, 2))):
        raise EvaluationError("outcome", "0 loss, 1 draw or 2 win", repr(o[~np.isin(o, (0, 1, 2))][0].item()))
    return p, o.astype(np.int64)


def check_expected(expected: npt.ArrayLike, score: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Expected and observed scores as arrays, shape (game,)."""
    e, y = np.asarray(expected, dtype=np.float64), np.asarray(score, dtype=np.float64)
    if e.ndim != 1 or e.shape != y.shape:
        raise EvaluationError("forecast", "expected and observed score of shape (game,)", f"{e.shape} and {y.shape}")
    for name, value in (("expected score", e), ("observed score", y)):
        outside = ~((value >= 0) & (value <= 1))
        if outside.any():
            raise EvaluationError(name, "values from 0 to 1", repr(value[outside][0].item()))
    return e, y


def expected_score(probability: npt.ArrayLike) -> Floats:
    """White's expected score, shape (..., game), of probabilities, shape (..., game, outcome): draw/2 + win."""
    return np.asarray(np.asarray(probability, dtype=np.float64) @ POINTS)


def log_score(probability: npt.ArrayLike, outcome: npt.ArrayLike) -> Floats:
    r"""The log score, shape (game,): $-\ln p_o$.

    Range 0 to infinity, lower is better, in nats. It is the only local score that is proper. Good (1952), J. R. Stat.
    Soc. B 14:107; Gneiting and Raftery (2007), J. Am. Stat. Assoc. 102:359, section 4.

    Parameters
    ----------
    probability : array, shape (game, outcome)
        Probability of loss, draw and win for White.
    outcome : array of int, shape (game,)
        0 loss, 1 draw, 2 win.

    Examples
    --------
    >>> log_score([[0.25, 0.5, 0.25]], [1]).round(4).tolist()
    [0.6931]
    """
    p, o = check_probability(probability, outcome)
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(np.take_along_axis(p, o[:, None], axis=1)[:, 0]))


def de_finetti(probability: npt.ArrayLike, outcome: npt.ArrayLike) -> Floats:
    r"""De Finetti's distance, which is Brier's score, shape (game,): $\sum_k (p_k - 1[o = k])^2$.

    Range 0 to 2, lower is better, proper; 2/3 for three equal probabilities. De Finetti (1972), Probability, Induction
    and Statistics; Brier (1950), Mon. Weather Rev. 78:1, eq. 2; Pires (2014), section 3.5. Arrays as in `log_score`.

    Examples
    --------
    >>> de_finetti([[0.0, 0.5, 0.5]], [2]).tolist()
    [0.5]
    """
    p, o = check_probability(probability, outcome)
    return np.asarray(np.sum((p - np.eye(3)[o]) ** 2, axis=1))


def de_finetti_score(expected: npt.ArrayLike, score: npt.ArrayLike) -> Floats:
    """The study's De Finetti measure of Bradley-Terry, shape (game,): $(E - y)^2$.

    Range 0 to 1, lower is better. Half of the two-outcome Brier score, with a draw as half a win. It is the squared
    error of the expected score, so it is comparable between all models, but never with `de_finetti`. Pires (2014),
    section 3.5.

    Examples
    --------
    >>> de_finetti_score([0.75, 0.5], [1.0, 0.5]).tolist()
    [0.0625, 0.0]
    """
    e, y = check_expected(expected, score)
    return np.asarray((e - y) ** 2)


def ranked_probability_score(probability: npt.ArrayLike, outcome: npt.ArrayLike) -> Floats:
    r"""The ranked probability score, shape (game,): $\frac12 \sum_{k<3} (\sum_{m \le k} (p_m - 1[o = m]))^2$.

    Range 0 to 1, lower is better, proper, and sensitive to order: if White wins, a forecast of a draw costs less than a
    forecast of a loss. Epstein (1969), J. Appl. Meteorol. 8:985; Constantinou and Fenton (2012), J. Quant. Anal. Sports
    8(1), eq. 1. Arrays as in `log_score`.

    Examples
    --------
    >>> ranked_probability_score([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [2, 2]).tolist()
    [0.5, 1.0]
    """
    p, o = check_probability(probability, outcome)
    ahead = np.cumsum(p - np.eye(3)[o], axis=1)[:, :2]
    return np.asarray(np.sum(ahead**2, axis=1) / 2)


def squared_error(expected: npt.ArrayLike, score: npt.ArrayLike) -> Floats:
    """The squared error of the expected score, shape (game,): $(E - y)^2$.

    Range 0 to 1, lower is better, proper for the mean score. The square root of its mean is `root_mean_square_error`.
    """
    return de_finetti_score(expected, score)


def root_mean_square_error(expected: npt.ArrayLike, score: npt.ArrayLike) -> float:
    """The root mean square error of the expected score, of arrays of shape (game,).

    Range 0 to 1, lower is better. Sismanis (2010), arXiv:1012.4571, section 2.
    """
    return float(np.sqrt(squared_error(expected, score).mean()))


def binomial_deviance(expected: npt.ArrayLike, score: npt.ArrayLike, limit: float = 0.01) -> Floats:
    r"""The binomial deviance, shape (game,): $-(y \log_{10} E + (1 - y) \log_{10}(1 - E))$.

    E is kept between `limit` and 1 - `limit`. Range 0 to 2 at the limit 0.01, lower is better, proper for the mean
    score (apart from the limit). Always predicting 1/2 scores 0.30103. The measure of the Deloitte/FIDE Chess Rating
    Challenge (2011), which has the limit 0.01; Glickman (1999), Appl. Stat. 48:377, section 5.

    Examples
    --------
    >>> binomial_deviance([0.5], [1.0]).round(5).tolist()
    [0.30103]
    """
    e, y = check_expected(expected, score)
    e = np.clip(e, limit, 1 - limit)
    return np.asarray(-(y * np.log10(e) + (1 - y) * np.log10(1 - e)))


def accuracy_of_deviance(deviance: float) -> float:
    """The accuracy of a mean binomial deviance to base 10, 10^-deviance: the geometric mean of the likelihoods.

    Krajowski-Kukiel (2011), chapter 5, prints deviances so, as a share of 1.

    Examples
    --------
    >>> round(accuracy_of_deviance(0.30103), 3)  # a coin
    0.5
    """
    return float(10.0**-deviance)


def accuracy(probability: npt.ArrayLike, outcome: npt.ArrayLike) -> Floats:
    """1 if the most probable outcome occurred, else 0, shape (game,); a tie of m outcomes shares 1/m.

    Range 0 to 1, HIGHER is better. Not proper: it ignores the size of the largest probability.

    Examples
    --------
    >>> accuracy([[0.2, 0.4, 0.4], [0.2, 0.5, 0.3]], [2, 1]).tolist()
    [0.5, 1.0]
    """
    p, o = check_probability(probability, outcome)
    best = np.isclose(p, p.max(axis=1, keepdims=True), rtol=0, atol=1e-12)
    return np.asarray(best[np.arange(o.size), o] / best.sum(axis=1))
