"""Paired differences of scores: the mean over games and its standard error."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError


@dataclass(frozen=True)
class Difference:
    """Mean of a paired difference with its standard error.

    Parameters
    ----------
    mean : float
        Mean of first minus second.
    standard_error : float
        Standard deviation of the differences (divisor n - 1) over the square root of n; NaN for one game.
    games : int
        Number of games n.
    """

    mean: float
    standard_error: float
    games: int


def mean_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Difference:
    r"""Return the mean difference of two scores of the same games, with its paired standard error $s_d / \sqrt n$.

    Pairing removes what makes a game hard for both forecasts; games are taken as independent. Diebold and Mariano
    (1995), J. Bus. Econ. Stat. 13:253, without autocovariances.

    Parameters
    ----------
    first, second : array, shape (game,)
        One score a game, from the same function.

    Returns
    -------
    Difference

    Raises
    ------
    EvaluationError
        If the shapes differ or there is no game.

    Examples
    --------
    >>> mean_difference([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]).mean
    2.0
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or a.size == 0:
        raise EvaluationError("paired scores", "two arrays of the same games", f"shapes {a.shape} and {b.shape}")
    gap = a - b
    error = float(gap.std(ddof=1) / np.sqrt(gap.size)) if gap.size > 1 else float("nan")
    return Difference(float(gap.mean()), error, int(gap.size))
