r"""The common rule for draws: probabilities of loss, draw and win from an expected score, for systems without draws.

Davidson's probabilities with strengths chosen such that the expected score of the system does not change. With u the
square root of the odds and nu the draw parameter,

    P(win) : P(draw) : P(loss) = u : nu : 1/u,        E = (u + nu/2) / (u + nu + 1/u)
    u = ( nu (E - 1/2) + sqrt(nu^2 (E - 1/2)^2 + 4 E (1 - E)) ) / (2 (1 - E))

One number, ln nu, is fitted by maximum likelihood to a system's own forecasts of the training months and then kept
fixed.

Davidson (1970) JASA 65:317; thesis Pires (2014), eq. 24.
"""

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats

_optimize = LazyModule("scipy.optimize")
LOG_DRAW_RANGE = (-8.0, 8.0)
_EDGE = 1e-9


def outcome_of(expected_score: Floats, log_draw: float | Floats) -> Floats:
    """Probabilities of loss, draw and win for White that keep the expected score, shape (game, 3).

    Examples
    --------
    >>> outcome_of(np.array([0.5]), 0.0).round(4).tolist()
    [[0.3333, 0.3333, 0.3333]]
    """
    score = np.clip(expected_score, _EDGE, 1.0 - _EDGE)
    nu = np.exp(log_draw)
    ahead = nu * (score - 0.5)
    root = np.sqrt(ahead**2 + 4.0 * score * (1.0 - score))
    # The two forms of the same root; each is used where it subtracts no equal numbers.
    u = np.where(ahead >= 0.0, (ahead + root) / (2.0 * (1.0 - score)), 2.0 * score / (root - ahead))
    shares = np.stack([1.0 / u, np.full_like(u, nu), u], axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def fit_log_draw(expected_score: Floats, outcome: npt.NDArray[np.integer]) -> float:
    """Maximum likelihood estimate of ln nu, given the expected scores."""
    if outcome.size == 0:
        raise RatingSystemError("draw curve", "games of the training months", "none")
    chosen = np.arange(outcome.size), outcome

    def loss(log_draw: float) -> float:
        return float(-np.log(outcome_of(expected_score, log_draw)[chosen]).sum())

    return float(_optimize.minimize_scalar(loss, bounds=LOG_DRAW_RANGE, method="bounded", options={"xatol": 1e-6}).x)
