r"""Elo's two curves: expected score from a rating difference d in Elo points, and back.

    normal      E = Phi(d / (200 sqrt 2))            Pires (2014), eq. 1 and 2; Elo (1978)
    logistic    E = 1 / (1 + 10^(-d / 400))          Pires (2014), eq. 3

The rule of 400 counts a larger difference as 400 points (FIDE, since July 2009); `halfpoint.systems.elo.Elo` has it.
"""

import math
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtr, ndtri

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import ELO_PER_NATURAL

Curve = Literal["logistic", "normal"]
NORMAL_SD_ELO = 200.0 * math.sqrt(2.0)
WIDEST_ELO = 400.0


def check_curve(curve: str) -> None:
    """Raise `RatingSystemError` unless the name is a known curve."""
    require_word("curve", curve, get_args(Curve), RatingSystemError)


def expected_score(difference_elo: npt.ArrayLike, curve: Curve = "logistic") -> Floats:
    """Expected score for a lead in Elo points, from 0 to 1, same shape.

    Examples
    --------
    >>> expected_score(np.array([-100.0, 0.0, 100.0])).round(4).tolist()
    [0.3599, 0.5, 0.6401]
    """
    check_curve(curve)
    difference = np.asarray(difference_elo, dtype=np.float64)
    if curve == "logistic":
        return np.asarray(expit(difference / ELO_PER_NATURAL), dtype=np.float64)
    return np.asarray(ndtr(difference / NORMAL_SD_ELO), dtype=np.float64)


def quantile_elo(score: Floats, curve: Curve = "logistic") -> Floats:
    """The rating difference in Elo points for an expected score (infinite for 0 and 1): same shape."""
    check_curve(curve)
    if curve == "logistic":
        return np.asarray(logit(score) * ELO_PER_NATURAL, dtype=np.float64)
    return np.asarray(ndtri(score) * NORMAL_SD_ELO, dtype=np.float64)


@compile_lazily
def score_of(difference_elo: float, normal: bool, kappa: float = -1.0) -> float:
    """One expected score, for compiled loops; with Davidson's draws if kappa is not negative."""
    if kappa >= 0.0:
        power = 10.0 ** min(max(difference_elo * (2.0 + kappa) / 1600.0, -150.0), 150.0)
        return float((power + kappa / 2.0) / (power + 1.0 / power + kappa))
    if normal:
        return 0.5 * math.erfc(-difference_elo / 400.0)
    return 1.0 / (1.0 + math.exp(-difference_elo * (math.log(10.0) / 400.0)))
