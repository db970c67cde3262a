r"""Ability of bridge players: individuals and partnerships from IMPs, in closed form.

    x_r = a_NS - a_EW - mean of (a_NS - a_EW) at the other tables of the deal + e_r,      e_r ~ N(0, s^2)
    a   = t_i + t_j + p_ij,      t_i ~ N(0, T^2),      p_ij ~ N(0, P^2)

x      IMPs of North and South at a table, against the other tables of its deal
t, p   what a player, and a partnership beyond its two players, brings to a board; IMPs a board
T, P, s  spreads of players and of partnerships, and of a result around its expectation: at the maximum of the marginal
       likelihood, which is normal, (x | T, P, s) ~ N(0, s^2 I + A C A'), C the diagonal of T^2 and P^2

Given the spreads the posterior is normal with precision C^-1 + A'A / s^2. Results of one deal are taken as independent,
which they are to one part in their number. Who always plays with the same partner is known with them only: `told`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.sparse import coo_array, csr_array

from halfpoint.games.partners import Told, told
from halfpoint.games.sides import code_sides
from halfpoint.games.table import Codes, Floats, Texts
from halfpoint.inference.errors import InferenceError

MOST = 6000  # players and partnerships together: the system is dense
FIRST = (1.0, 0.5, 5.0)  # IMPs a board


@dataclass(frozen=True, eq=False)
class Ability:
    """Players and partnerships with what is known of them.

    Parameters
    ----------
    players : array of str, shape (player,)
        Names.
    pairs : array of int32, shape (pair, 2)
        Players of each partnership, the lower index first.
    mean : array of float, shape (player + pair,)
        Posterior means of t and p, IMPs a board.
    covariance : array of float, shape (player + pair, player + pair)
        Posterior covariance of them.
    spreads : tuple of float
        T, P and s, IMPs.
    log_likelihood : float
        Marginal, at these spreads.
    told : Told
        Who can be told apart.
    """

    players: Texts
    pairs: Codes
    mean: Floats
    covariance: Floats
    spreads: tuple[float, float, float]
    log_likelihood: float
    told: Told

    def of_players(self) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of each player's t, shape (player,)."""
        count = self.players.size
        return self.mean[:count], np.sqrt(np.diag(self.covariance)[:count])

    def of_pairs(self) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of each pair's a, shape (pair,)."""
        count, size = self.players.size, self.pairs.shape[0]
        rows = np.repeat(np.arange(size), 3)
        columns = np.concatenate([self.pairs, count + np.arange(size)[:, None]], axis=1).ravel()
        sums = coo_array((np.ones(rows.size), (rows, columns)), shape=(size, self.mean.size)).tocsr()
        spread = np.asarray((sums @ self.covariance) * sums.toarray()).sum(axis=1)
        return np.asarray(sums @ self.mean), np.sqrt(spread)


def pairs_of(first: Codes, second: Codes) -> tuple[Codes, npt.NDArray[np.int64]]:
    """Return the partnerships among pairs of players, shape (pair, 2), and which each is."""
    both = np.sort(np.stack([first, second], axis=1), axis=1)
    found, place = np.unique(both, axis=0, return_inverse=True)
    return found.astype(np.int32), place.ravel()


def design(players: int, seats: tuple[Codes, Codes, Codes, Codes], deal: Codes) -> tuple[csr_array, Codes]:
    """Return the matrix from t and p to expected IMPs, the field taken off, and the partnerships.

    Raises
    ------
    InferenceError
        If a deal was played at one table, which has nothing to be compared with.
    """
    north, south, east, west = seats
    count = north.size
    pairs, place = pairs_of(np.concatenate([north, east]), np.concatenate([south, west]))
    rows = np.tile(np.arange(count), 6)
    columns = np.concatenate([north, south, players + place[:count], east, west, players + place[count:]])
    signs = np.repeat([1.0, -1.0], 3 * count)
    own = coo_array((signs, (rows, columns)), shape=(count, players + pairs.shape[0])).tocsr()
    _, number, tables = np.unique(deal, return_inverse=True, return_counts=True)
    if tables.min() < 2:
        raise InferenceError("ability: expected at least two tables of each deal, found one. Leave these deals out.")
    at = coo_array((np.ones(count), (number.ravel(), np.arange(count))), shape=(tables.size, count)).tocsr()
    size = tables[number.ravel()][:, None].astype(np.float64)
    others = (at.T @ (at @ own) - own).multiply(1.0 / (size - 1.0))
    return csr_array(own - others), pairs


def ability(players: Texts, seats: tuple[Codes, Codes, Codes, Codes], deal: Codes, imps: Floats) -> Ability:
    """Return players and partnerships from the results of a tournament.

    Parameters
    ----------
    players : array of str, shape (player,)
        Names.
    seats : four arrays of int32, shape (result,)
        North, South, East and West of each result, indexes into `players`.
    deal : array of int, shape (result,)
        Deals; results of one deal are compared.
    imps : array of float, shape (result,)
        IMPs of North and South against the other tables.

    Raises
    ------
    InferenceError
        If a deal was played once, or there are more players and partnerships than the dense system takes.
    """
    matrix, pairs = design(players.size, seats, deal)
    width = matrix.shape[1]
    if width > MOST:
        raise InferenceError(f"ability: expected at most {MOST} players and partnerships, found {width}")
    gram, projected, total = (matrix.T @ matrix).toarray(), matrix.T @ imps, float(imps @ imps)
    single = np.arange(width) < players.size

    def solved(logs: Floats, whole: bool = False) -> tuple[float, Floats, Floats]:
        one, two, noise = np.exp(logs)
        prior = np.where(single, one, two)
        scaled = np.eye(width) + prior[:, None] * gram * prior / noise**2
        factor = cho_factor(scaled, lower=True)
        inner = prior * projected / noise**2
        step = cho_solve(factor, inner)
        quadratic = total / noise**2 - inner @ step
        determinant = 2.0 * np.log(np.diag(factor[0])).sum() + 2.0 * imps.size * np.log(noise)
        value = -0.5 * (quadratic + determinant + imps.size * np.log(2.0 * np.pi))
        covariance = prior[:, None] * cho_solve(factor, np.diag(prior)) if whole else gram
        return float(value), prior * step, covariance

    best = minimize(lambda logs: -solved(logs)[0], np.log(FIRST), method="Nelder-Mead", options={"xatol": 1e-3})
    value, mean, covariance = solved(best.x, whole=True)
    one, two, noise = np.exp(best.x)
    names = players.tolist()
    sides = [{names[a]: 1.0, names[b]: 1.0} for a, b in pairs.tolist()]
    _, place = pairs_of(np.concatenate([seats[0], seats[2]]), np.concatenate([seats[1], seats[3]]))
    half, codes = imps.size, place.astype(np.int32)
    _, white, black, known = code_sides(sides, codes[:half], codes[half:], "results")
    apart = told(known, white, black)
    return Ability(players, pairs, mean, covariance, (float(one), float(two), float(noise)), value, apart)
