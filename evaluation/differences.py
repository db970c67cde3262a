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


@dataclass(frozen=True)
class PairedErrors:
    """Mean of a paired difference over games, and how sure it is when games are not independent.

    Parameters
    ----------
    mean : float
        Mean of first minus second.
    naive : float
        Standard error of games taken as independent.
    event, player : float
        The same when games of one event, or games that share a player, go together.
    two_way : float
        When games go together that share an event or a player: the one to believe.
    low, high : float
        95% interval of the mean by a bootstrap over events.
    games, events : int
        Number of games and of events.
    """

    mean: float
    naive: float
    event: float
    player: float
    two_way: float
    low: float
    high: float
    games: int
    events: int


BOOTSTRAP, BOOTSTRAP_SEED = 2000, 20140501


def sum_of_squares(labels: npt.NDArray[np.int64], gap: npt.NDArray[np.float64]) -> float:
    """Return the sum over clusters of the squared sum of their differences."""
    _, place = np.unique(labels, return_inverse=True)
    sums = np.bincount(place.ravel(), weights=gap)
    return float(sums @ sums)


def paired_errors(
    difference: npt.ArrayLike, event: npt.ArrayLike, white: npt.ArrayLike, black: npt.ArrayLike
) -> PairedErrors:
    r"""Return the mean of paired differences of games with errors that allow for what games share.

    With e_g = d_g less the mean, the variance of the mean is $n^{-2} \sum e_g e_h$ over the pairs of games that share

        an event           $\sum_c (\sum_{g \in c} e_g)^2$, times C / (C - 1) for C events
        a player           $\sum_i (\sum_{g \ni i} e_g)^2 - \sum_{ij} (\sum_{g \in ij} e_g)^2$, ij the pairs who met
        either             event + player - both

    Games of one event share its conditions, and games of one player what the model has wrong about them. Cameron,
    Gelbach and Miller (2011), J. Bus. Econ. Stat. 29:238, for two ways; Aronow, Samii and Assenova (2015), Political
    Analysis 23:564, for games, which belong to two players. The interval draws events anew, with all their games.

    Parameters
    ----------
    difference : array, shape (game,)
        First score minus second, game by game.
    event : array, shape (game,)
        Label of each game's event.
    white, black : array, shape (game,)
        Labels of the two players.

    Returns
    -------
    PairedErrors
        Errors are NaN where there is one game, and the event's and the interval where there is one event.

    Raises
    ------
    EvaluationError
        If the shapes differ or there is no game.

    Examples
    --------
    >>> found = paired_errors([1.0, 1.0, -1.0, -1.0], ["x", "x", "y", "y"], list("aceg"), list("bdfh"))
    >>> found.mean, round(found.naive, 3), found.event
    (0.0, 0.577, 1.0)
    """
    gap = np.asarray(difference, dtype=np.float64)
    names = np.concatenate([np.asarray(white), np.asarray(black)])
    shapes = {gap.shape, *(np.shape(one) for one in (event, white, black))}
    if gap.ndim != 1 or gap.size == 0 or len(shapes) > 1:
        raise EvaluationError("paired differences", "a value, an event and two players a game", f"shapes {shapes}")
    n, cluster = gap.size, np.unique(np.asarray(event), return_inverse=True)[1].ravel().astype(np.int64)
    player = np.unique(names, return_inverse=True)[1].ravel().astype(np.int64)
    first, second = np.minimum(player[:n], player[n:]), np.maximum(player[:n], player[n:])
    count, events = int(player.max()) + 1, int(cluster.max()) + 1
    own = gap - gap.mean()
    twice, games, meeting = np.tile(own, 2), np.concatenate([first, second]), first * count + second
    by_player = sum_of_squares(games, twice) - sum_of_squares(meeting, own)
    by_event = sum_of_squares(cluster, own)
    both = sum_of_squares(np.tile(cluster, 2) * count + games, twice)
    both -= sum_of_squares(cluster * count**2 + meeting, own)
    enough = events / (events - 1) if events > 1 else float("nan")
    naive = mean_difference(gap, np.zeros(n)).standard_error
    two_way = max(enough * by_event + by_player - both, by_player, enough * by_event)  # a difference may be negative

    def error(total: float) -> float:
        return float(np.sqrt(max(total, 0.0)) / n)

    low = high = float("nan")
    if events > 1:
        sums, sizes = np.bincount(cluster, weights=gap), np.bincount(cluster)
        drawn = np.random.default_rng(BOOTSTRAP_SEED).multinomial(events, np.full(events, 1 / events), BOOTSTRAP)
        low, high = (float(one) for one in np.quantile((drawn @ sums) / (drawn @ sizes), [0.025, 0.975]))
    sure = error(enough * by_event) if events > 1 else float("nan")
    whole = error(two_way) if events > 1 and n > 1 else float("nan")
    return PairedErrors(float(gap.mean()), naive, sure, error(by_player), whole, low, high, n, events)
