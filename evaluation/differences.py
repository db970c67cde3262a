"""Paired differences of scores: the mean or the sum over games, its standard error."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats

_sparse, _special = LazyModule("scipy.sparse"), LazyModule("scipy.special")


type _Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Difference:
    """Mean of a paired difference with its standard error."""

    mean: float  # mean of first minus second
    # standard deviation of the differences (divisor n - 1) over the square root of n; NaN for one game
    standard_error: float
    games: int  # number of games n


def mean_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> Difference:
    r"""The mean difference of two scores of the same games, with its paired standard error $s_d / \sqrt n$.

    Pairing removes the difficulty of a game that both forecasts share; games are treated as independent. Diebold and
    Mariano (1995), J. Bus. Econ. Stat. 13:253, without autocovariances. Shapes: first, second (game,).

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
    r"""The sum over games of the difference of two criteria, with its paired standard error.

    For independent games the error is $\sqrt{n \, var(d)}$ (Vehtari, Gelman and Gabry 2017, Stat. Comput. 27:1413, on
    comparing models). Games of one event share its conditions; with labels the error is computed from sums over C
    clusters, $\sqrt{C / (C - 1) \sum_c (\sum_{g \in c} (d_g - \bar d))^2}$ (Cameron and Miller 2015, J. Hum. Resour.
    50:317). It needs some 30 clusters or more.

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
    """Mean of a paired difference over games, with errors for dependent games."""

    mean: float  # mean of first minus second
    naive: float  # standard error of games taken as independent
    event: float  # the same when games of one event, or games that share a player, go together
    player: float  # likewise
    two_way: float  # when games go together that share an event or a player: the one to believe
    freedom: float  # degrees of freedom of `two_way`
    games: int  # number of games and of events
    events: int  # likewise

    @property
    def low(self) -> float:
        """Lower end of the 95% interval of the mean by `two_way` and Student's t."""
        return self.mean - self.two_way * float(_special.stdtrit(self.freedom, 0.975))

    @property
    def high(self) -> float:
        """Upper end of the 95% interval of the mean by `two_way` and Student's t."""
        return 2.0 * self.mean - self.low

    def columns(self) -> dict[str, float]:
        """The difference and its errors as columns of a table."""
        errors = {"se_naive": self.naive, "se_event": self.event, "se_player": self.player, "se_two_way": self.two_way}
        return {"difference": self.mean} | errors | {"low": self.low, "high": self.high}


_MOST_BY_SUBSETS = 6  # people of a game up to whom their subsets are fewer than the games they share
_NOTHING_LEFT = 1e-9  # share of a variance that the games' own mean leaves, below which the variance is unknown


class _ClusterSums:
    """Sums of values over the games of each game's cluster, for labels of shape (game,)."""

    def __init__(self, labels: _Labels) -> None:
        self.place = np.unique(labels, return_inverse=True)[1].ravel()

    def of(self, values: Floats) -> Floats:
        """Sums, shape (game,) as the values."""
        return np.asarray(np.bincount(self.place, values)[self.place])


class _SharedSums:
    r"""Sums of values over the games that share a person, or a label, with each game.

    By inclusion and exclusion over the sets T of people of a game, $\sum_{T \subset g} (-1)^{|T| + 1} \sum_{h \ni T}
    e_h$; if games have too many people for their sets, by the incidence matrix of people and games, some games at a
    time.

    Parameters
    ----------
    everyone : array of int, shape (game, seat)
        People of each game, -1 for an empty seat.
    within : array of int, shape (game,), optional
        Labels: sums are over games with the same label.
    """

    def __init__(self, everyone: _Labels, within: _Labels | None = None) -> None:
        n, seats = everyone.shape
        label = np.zeros(n, dtype=np.int64) if within is None else within
        count = int(everyone.max()) + 1
        self.games, self.incidence = n, None
        self.sets: list[tuple[float, _Labels, _ClusterSums]] = []  # sign, games and their clusters, by size of a set
        if seats > _MOST_BY_SUBSETS:
            rows, columns = np.nonzero(everyone >= 0)
            pairs = np.unique(label[rows] * count + everyone[rows, columns], return_inverse=True)[1].ravel()
            self.incidence = _sparse.csr_array((np.ones(rows.size), (rows, pairs)), shape=(n, int(pairs.max()) + 1))
            return
        order = np.sort(everyone, axis=1)
        for size in range(1, seats + 1):
            sets = [
                (subset, np.flatnonzero((order[:, subset] >= 0).all(axis=1)))
                for subset in combinations(range(seats), size)
            ]
            game = np.concatenate([members for _, members in sets])
            if game.size:
                parts = [np.column_stack([label[members], order[np.ix_(members, subset)]]) for subset, members in sets]
                table = np.concatenate(parts)
                key = table[:, 0]
                for column in table.T[1:]:  # numbered anew after each, so that no product overflows
                    key = np.unique(key * count + column, return_inverse=True)[1].ravel()
                self.sets.append(((-1.0) ** size, game, _ClusterSums(key)))

    def of(self, values: Floats) -> Floats:
        """Sums, shape (game,) as the values."""
        total = np.zeros(self.games)
        if self.incidence is not None:
            met, block = self.incidence.T.tocsr(), 512
            for first in range(0, self.games, block):
                shared = (self.incidence[first : first + block] @ met).tocsr()
                shared.data[:] = 1.0
                total[first : first + block] = shared @ values
        for sign, game, clusters in self.sets:
            total -= sign * np.bincount(game, clusters.of(values[game]), self.games)
        return total


def _share_left(reach: Floats) -> float:
    """Factor f of a variance (`SharedGames`), from the number of games that share something with each, (game,)."""
    n = reach.size
    return float(1.0 - 2.0 * (reach @ reach) / (n * reach.sum()) + reach.sum() / n**2)


def _variance_of_mean(deviation: Floats, sums: Floats, factor: float) -> float:
    """Variance of a mean from deviations and their sums over games that share something, (game,) each, and f."""
    return max(float(deviation @ sums), 0.0) / (factor * deviation.size**2) if factor > _NOTHING_LEFT else float("nan")


class SharedGames:
    r"""Games that share events and players, for the errors of the means of differences of these games.

    With $e_g = d_g$ less the mean, and $S_{gh} = 1$ for g = h and for games that share an event or player, else 0, the
    variance of the mean is

        $v = n^{-2} e^T S e / f,$   $f = 1 - 2 |S 1|^2 / (n 1^T S 1) + 1^T S 1 / n^2$

    $e^T S e$ is a sum over events $\sum_c (\sum_{g \in c} e_g)^2$; over players
    $\sum_i (\sum_{g \ni i} e_g)^2 - \sum_{ij} (\sum_{g \in ij} e_g)^2$, ij the pairs who met; over games that share
    either, event + player - both (Cameron, Gelbach and Miller 2011, J. Bus. Econ. Stat. 29:238,; Aronow, Samii
    and Assenova 2015, Political Analysis 23:564, for games, which belong to two players). Games of one event share its
    conditions, and games of one player the model's error about them; on sides of several people games share people.
    The largest of the three is `two_way`.

    f corrects for the subtracted mean: $E[e^T S e] = f 1^T C 1$ if the covariance C of the games is a multiple of S,
    and for any C within S if each game shares with equally many games. It is 1 - 1 / n for games without common events
    or players, 1 - 1 / C for C equal events, and some 1 - 4 / N for N players who meet each other. At f = 0 the error
    is NaN: a match of two players, or one event, is uninformative about other players or events.

    The interval is Student's with $\nu = (v_p + v_c) / (v_p / (N - 1) + v_c / (C - 1))$, N and C the effective numbers
    $(\sum m)^2 / \sum m^2$ of players and of events with m games (Kish 1965, Survey Sampling).

    Parameters
    ----------
    event : array, shape (game,)
        Labels of events.
    white, black : array, shape (game,) or (game, seat)
        Players, or the people of both sides, -1 for an empty seat.
    """

    def __init__(self, event: npt.ArrayLike, white: npt.ArrayLike, black: npt.ArrayLike) -> None:
        sides = [side[:, None] if side.ndim == 1 else side for side in (np.asarray(white), np.asarray(black))]
        shapes = {np.shape(event), *(side.shape[:1] for side in sides)}
        if len(shapes) > 1 or np.size(event) == 0:
            raise EvaluationError("paired differences", "a value, an event and two players a game", f"shapes {shapes}")
        self.games = int(np.size(event))
        cluster = np.unique(np.asarray(event), return_inverse=True)[1].ravel().astype(np.int64)
        joined = np.concatenate(sides, axis=1)
        everyone = np.unique(joined, return_inverse=True)[1].reshape(joined.shape).astype(np.int64)
        if any(side.shape[1] > 1 for side in sides):
            everyone[joined == -1] = -1
        self._by_event, self._by_player = _ClusterSums(cluster), _SharedSums(everyone)
        self._by_both = _SharedSums(everyone, cluster)
        ones = np.ones(self.games)
        self._left = tuple(map(_share_left, (ones, *self._sums(ones))))
        sizes = np.bincount(cluster), np.bincount(everyone[everyone >= 0])
        self._effective = np.array([
            self.games**2 / (sizes[0] @ sizes[0]), sizes[1].sum() ** 2 / (sizes[1] @ sizes[1])
        ])  # fmt: skip
        self.events = int(cluster.max()) + 1

    def _sums(self, values: Floats) -> tuple[Floats, Floats, Floats]:
        """Sums over games of the event, of the players, and of either, shape (game,) each as the values."""
        by_event, by_player = self._by_event.of(values), self._by_player.of(values)
        return by_event, by_player, by_event + by_player - self._by_both.of(values)

    def errors(self, difference: npt.ArrayLike) -> PairedErrors:
        """Mean of a difference of shape (game,), with its errors."""
        gap = np.asarray(difference, dtype=np.float64)
        if gap.shape != (self.games,):
            shapes = f"{gap.shape} for {self.games} games"
            raise EvaluationError("paired differences", "a value, an event and two players a game", shapes)
        deviation = gap - gap.mean()
        parts = zip((deviation, *self._sums(deviation)), self._left, strict=True)
        v_naive, v_event, v_player, v_either = (_variance_of_mean(deviation, sums, factor) for sums, factor in parts)
        ways = np.array([v_event, v_player]) + np.finfo(np.float64).tiny
        two_way, freedom = float(np.sqrt(np.max([v_event, v_player, v_either]))), float("nan")
        if np.isfinite(two_way):
            freedom = float(ways.sum() / (ways / (self._effective - 1.0)).sum())
        naive, by_event, by_player = (float(np.sqrt(variance)) for variance in (v_naive, v_event, v_player))
        return PairedErrors(float(gap.mean()), naive, by_event, by_player, two_way, freedom, self.games, self.events)


def paired_errors(
    difference: npt.ArrayLike, event: npt.ArrayLike, white: npt.ArrayLike, black: npt.ArrayLike
) -> PairedErrors:
    """Mean of a paired difference of games, with errors that allow for shared events and players (`SharedGames`).

    Examples
    --------
    >>> found = paired_errors([1.0, 1.0, -1.0, -1.0], ["x", "x", "y", "y"], list("aceg"), list("bdfh"))
    >>> found.mean, round(found.naive, 3), round(found.event, 3)
    (0.0, 0.577, 1.0)
    """
    return SharedGames(event, white, black).errors(difference)
