"""Paired differences of scores: the mean or the sum over games, its standard error."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.games.later import Later

sparse = Later("scipy.sparse")


@dataclass(frozen=True)
class Difference:
    """Mean of a paired difference with its standard error."""

    mean: float  # mean of first minus second
    # standard deviation of the differences (divisor n - 1) over the square root of n; NaN for one game
    standard_error: float
    games: int  # number of games n


def mean_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Difference:
    r"""Return the mean difference of two scores of the same games, with its paired standard error $s_d / \sqrt n$.

    Pairing removes what makes a game hard for both forecasts; games are taken as independent. Diebold and Mariano
    (1995), J. Bus. Econ. Stat. 13:253, without autocovariances. Shapes: first, second (game,).

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

    `mean` is the sum; `games` the number of games.

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
    """Mean of a paired difference over games, and how sure it is when games are not independent."""

    mean: float  # mean of first minus second
    naive: float  # standard error of games taken as independent
    event: float  # the same when games of one event, or games that share a player, go together
    player: float  # likewise
    two_way: float  # when games go together that share an event or a player: the one to believe
    low: float  # 95% interval of the mean by a bootstrap over events
    high: float  # likewise
    games: int  # number of games and of events
    events: int  # likewise

    def columns(self) -> dict[str, float]:
        """Return the difference and its errors as columns of a table."""
        errors = {"se_naive": self.naive, "se_event": self.event, "se_player": self.player, "se_two_way": self.two_way}
        return {"difference": self.mean} | errors | {"low": self.low, "high": self.high}


BOOTSTRAP, BOOTSTRAP_SEED = 2000, 20140501


MOST_BY_SUBSETS = 6  # people of a game up to whom their subsets are fewer than the games they share


def sum_of_squares(labels: npt.NDArray[np.int64], gap: npt.NDArray[np.float64]) -> float:
    """Return the sum over clusters of the squared sum of their differences."""
    _, place = np.unique(labels, return_inverse=True)
    sums = np.bincount(place.ravel(), weights=gap)
    return float(sums @ sums)


def over_shared(
    everyone: npt.NDArray[np.int64], gap: npt.NDArray[np.float64], within: npt.NDArray[np.int64] | None = None
) -> float:
    r"""Return the sum of e_g e_h over the ordered pairs of games that share a person, and a label where one is given.

    By inclusion and exclusion over the sets T of people of a game, $\sum_T (-1)^{|T| + 1} (\sum_{g \ni T} e_g)^2$;
    where games have many people, whose sets are too many, by the matrix of who is in which game, some games at a time.

    Shapes: everyone (game, seat).
    """
    n, seats = everyone.shape
    label = np.zeros(n, dtype=np.int64) if within is None else within
    count = int(everyone.max()) + 1
    if seats > MOST_BY_SUBSETS:
        rows, columns = np.nonzero(everyone >= 0)
        pairs = np.unique(label[rows] * count + everyone[rows, columns], return_inverse=True)[1].ravel()
        who = sparse.csr_array((np.ones(rows.size), (rows, pairs)), shape=(n, int(pairs.max()) + 1))
        met, total, block = who.T.tocsr(), 0.0, 512
        for first in range(0, n, block):
            shared = (who[first : first + block] @ met).tocsr()
            shared.data[:] = 1.0
            total += float(gap[first : first + block] @ (shared @ gap))
        return total
    order, total = np.sort(everyone, axis=1), 0.0
    for size in range(1, seats + 1):
        keys, values = [], []
        for chosen in combinations(range(seats), size):
            there = np.flatnonzero((order[:, chosen] >= 0).all(axis=1))
            keys.append(np.column_stack([label[there], order[np.ix_(there, chosen)]]))
            values.append(gap[there])
        whole = np.concatenate(keys)
        if len(whole):
            key = whole[:, 0]
            for column in whole.T[1:]:  # numbered anew after each, so that no product overflows
                key = np.unique(key * count + column, return_inverse=True)[1].ravel()
            total -= (-1.0) ** size * sum_of_squares(key, np.concatenate(values))
    return total


def paired_errors(
    difference: npt.ArrayLike, event: npt.ArrayLike, white: npt.ArrayLike, black: npt.ArrayLike, interval: bool = True
) -> PairedErrors:
    r"""Return the mean of paired differences of games with errors that allow for what games share.

    With e_g = d_g less the mean, the variance of the mean is $n^{-2} \sum e_g e_h$ over the pairs of games that share

        an event           $\sum_c (\sum_{g \in c} e_g)^2$, times C / (C - 1) for C events
        a player           $\sum_i (\sum_{g \ni i} e_g)^2 - \sum_{ij} (\sum_{g \in ij} e_g)^2$, ij the pairs who met
        either             event + player - both

    Games of one event share its conditions, and games of one player what the model has wrong about them. Where sides
    have several people it is people who are shared, with whomever they sit (see `over_shared`). Cameron,
    Gelbach and Miller (2011), J. Bus. Econ. Stat. 29:238, for two ways; Aronow, Samii and Assenova (2015), Political
    Analysis 23:564, for games, which belong to two players. The interval, where asked for, draws events anew, with all
    their games.

    Errors are NaN where there is one game, and the event's and the interval where there is one event.

    Examples
    --------
    >>> found = paired_errors([1.0, 1.0, -1.0, -1.0], ["x", "x", "y", "y"], list("aceg"), list("bdfh"))
    >>> found.mean, round(found.naive, 3), found.event
    (0.0, 0.577, 1.0)
    """
    gap = np.asarray(difference, dtype=np.float64)
    sides = [one[:, None] if one.ndim == 1 else one for one in (np.asarray(white), np.asarray(black))]
    shapes = {gap.shape, np.shape(event), *(one.shape[:1] for one in sides)}
    if gap.ndim != 1 or gap.size == 0 or len(shapes) > 1:
        raise EvaluationError("paired differences", "a value, an event and two players a game", f"shapes {shapes}")
    n, cluster = gap.size, np.unique(np.asarray(event), return_inverse=True)[1].ravel().astype(np.int64)
    joined = np.concatenate(sides, axis=1)
    everyone = np.unique(joined, return_inverse=True)[1].reshape(joined.shape).astype(np.int64)
    if any(one.shape[1] > 1 for one in sides):
        everyone[joined == -1] = -1
    events = int(cluster.max()) + 1
    own = gap - gap.mean()
    by_player = over_shared(everyone, own)
    by_event = sum_of_squares(cluster, own)
    both = over_shared(everyone, own, cluster)
    enough = events / (events - 1) if events > 1 else float("nan")
    naive = mean_difference(gap, np.zeros(n)).standard_error
    two_way = max(enough * by_event + by_player - both, by_player, enough * by_event)  # a difference may be negative

    def error(total: float) -> float:
        return float(np.sqrt(max(total, 0.0)) / n)

    low = high = float("nan")
    if events > 1 and interval:
        sums, sizes = np.bincount(cluster, weights=gap), np.bincount(cluster)
        drawn = np.random.default_rng(BOOTSTRAP_SEED).multinomial(events, np.full(events, 1 / events), BOOTSTRAP)
        low, high = (float(one) for one in np.quantile((drawn @ sums) / (drawn @ sizes), [0.025, 0.975]))
    sure = error(enough * by_event) if events > 1 else float("nan")
    whole = error(two_way) if events > 1 and n > 1 else float("nan")
    return PairedErrors(float(gap.mean()), naive, sure, error(by_player), whole, low, high, n, events)
