r"""Probabilities of each score that agree with given probabilities of loss, draw and win.

    P(x, y) = p_k Q(x, y) / Q_k         k the result of x - y, p_k its probability, Q_k the sum of Q over such scores
    Q(x, y) = Poisson(x; c e^(d/2)) Poisson(y; c e^(-d/2)),    d by the expected score: Q_win + Q_draw / 2 is that of p
    c^2 = E[x y]                        the mean product of the goals of both sides over earlier games

Independent counts have a product of mean c^2 whatever the difference d of the sides, so that c needs no strengths. Sums
over scores are the given probabilities exactly: the results and the markets of a game then have one joint distribution.
"""

from functools import lru_cache

import numpy as np

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.ranges import Range
from halfpoint.models.games.table import Floats
from halfpoint.systems.dixon_coles import score_chances
from halfpoint.systems.score_markets import result_chances

PRODUCT = Range(0.01, 16.0)  # of goals: beyond it, points of other sports
_FARTHEST, _STEPS = 8.0, 321  # logarithms of the ratio of goals, at which expected scores are tabulated


@lru_cache(maxsize=8)
def _expected_scores(product: float) -> tuple[Floats, Floats]:
    """Differences d and their expected scores, (step,)."""
    d = np.linspace(-_FARTHEST, _FARTHEST, _STEPS)
    _, draw, win = result_chances(_independent(d, product)).T
    return d, win + draw / 2.0


def _independent(d: Floats, product: float) -> Floats:
    """Probabilities of scores of independent counts, shape (game, goals of White, goals of Black)."""
    rate = np.sqrt(product) * np.exp(np.stack([d, -d], axis=1) / 2.0)
    return score_chances(rate, 0.0)


def scores_of_results(results: Floats, product: float) -> Floats:
    """Probabilities of scores, shape (game, goals of White, goals of Black).

    Parameters
    ----------
    results : array, shape (game, 3)
        Probabilities of loss, draw and win for White.
    product : float
        Mean product of the goals of both sides over earlier games.

    Returns
    -------
    array
        Their sums over lost, drawn and won scores are `results`.
    """
    PRODUCT.require("mean product of the goals of both sides", product, RatingSystemError)
    differences, expected = _expected_scores(float(product))
    plain = _independent(np.interp(results[:, 2] + results[:, 1] / 2.0, expected, differences), float(product))
    count = np.arange(plain.shape[1])
    kind = 1 + np.sign(np.subtract.outer(count, count)).astype(np.int64)
    return np.asarray(plain * (results / result_chances(plain))[:, kind])
