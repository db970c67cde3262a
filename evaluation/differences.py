"""Paired differences of scores: the mean or the sum over games, its standard error."""

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


def sum_difference(first: npt.ArrayLike, second: npt.ArrayLike, cluster: npt.ArrayLike | None = None) -> Difference:
    r"""Return the sum over games of the difference of two criteria, with its paired standard error.

    Games apart: $\sqrt{n \, var(d)}$ (Vehtari, Gelman and Gabry 2017, Stat. Comput. 27:1413, on comparing models).
    Games of one event share its conditions; with labels the error is that of sums over C clusters,
    $\sqrt{C / (C - 1) \sum_c (\sum_{g \in c} (d_g - \bar d))^2}$ (Cameron and Miller 2015, J. Hum. Resour. 50:317). It
    asks for some 30 clusters or more.

    Parameters
    ----------
    first, second : array, shape (game,)
        One term a game, from the same function.
    cluster : array, shape (game,), optional
        Label of each game's cluster (an event, a site, a day); without it each game stands by itself.

    Returns
    -------
    Difference
        `mean` is the sum; `games` the number of games.

    Raises
    ------
    EvaluationError
        If the shapes differ or there is no game.

    Examples
    --------
    Two events, one of which goes against the other in all its games:

    >>> found = sum_difference([1.0, 1.0, -1.0, -1.0], [0.0, 0.0, 0.0, 0.0], ["x", "x", "y", "y"])
    >>> found.mean, found.standard_error
    (0.0, 4.0)
    """
    single = mean_difference(first, second)
    gap = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if cluster is None:
        return Difference(float(gap.sum()), single.standard_error * single.games, single.games)
    labels = np.asarray(cluster)
    if labels.shape != gap.shape:
        raise EvaluationError("clusters", f"{gap.size} labels, one a game", f"shape {labels.shape}")
    _, place = np.unique(labels, return_inverse=True)
    sums = np.bincount(place, weights=gap - gap.mean())
    error = float(np.sqrt(sums.size / (sums.size - 1) * (sums @ sums))) if sums.size > 1 else float("nan")
    return Difference(float(gap.sum()), error, single.games)
