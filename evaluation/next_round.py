r"""Pairing of the next round: most informative, most even, or best for a knockout.

    all        I(outcome; parameters) = H(mean_d p_d) - mean_d H(p_d)                              bits of a game
    top        I(outcome; who is best) = H(mean_d p_d) - sum_b P(b) H(mean of p_d where b is best)  bits of a game
    even       1/4 - (E - 1/2)^2                                                                   E expected score
    knockout   mean_d [i is the best of draw d] p_d(i beats j) + [j is] p_d(j beats i)             chance

p_d   probabilities of loss, draw and win under draw d of the posterior, the mean over both seats;   H  entropy

The pairs of a round have the largest total worth, with each player in one pair (maximum weight matching, an integer
program solved by HiGHS); players meet again only if it cannot be avoided. The round is planned as a whole: the
information of its games is summed. Seats follow the rule of `halfpoint.evaluation.pairing`.

Lindley (1956) Ann. Math. Stat. 27:986; Glickman and Jensen (2005) J. Stat. Plan. Inference 127:279, adaptive paired
comparison designs; Glickman (2008) the same 138:2117, locally optimal knockouts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.knockout import bracket, match_chances
from halfpoint.evaluation.matches import check_draws_exist
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.tournament_options import AIMS, Aim, Decider
from halfpoint.evaluation.tournaments import chances_of, finished_results, seats_of
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.ranges import Range, require_word
from halfpoint.models.games.table import POINTS, GameTable

_PAIRED = Range(2, 200)
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Round:
    """Pairings of the next round."""

    boards: Places  # (board, 2): White and Black, places in the list of players
    plain: Places  # (board, 2): for the same standing the pairs of the Swiss rule, or of a bracket by rating
    worth: Floats  # (player, player): worth of each pair for the goal, on the diagonal that of a bye
    expected: Floats  # (player, player): expected score of White i against Black j

    @property
    def byes(self) -> Places:
        """Players without a game."""
        return np.setdiff1d(np.arange(len(self.worth)), self.boards)

    def total(self, boards: Places) -> float:
        """Total value of pairs and of the byes of all other players."""
        idle = np.setdiff1d(np.arange(len(self.worth)), boards)
        return float(self.worth[boards[:, 0], boards[:, 1]].sum() + self.worth[idle, idle].sum())


def _entropy(p: Floats) -> Floats:
    """Entropy of distributions in bits, summed over the last axis."""
    return np.asarray(-(p * np.log2(np.maximum(p, 1e-300))).sum(axis=-1))


def worths(chance: Floats, strength: Floats, aim: Aim, games: int = 2, decider: Decider = "replay") -> Floats:
    """Value of a meeting of each pair, and on the diagonal of a bye, shape (player, player), symmetric.

    Shapes: chance (draw, player, player, outcome), strength (draw, player).
    """
    best = strength.argmax(axis=1)
    if aim == "knockout":
        worth = np.zeros(chance.shape[1:3])
        for draw, leader in enumerate(best):
            worth[leader] += match_chances(chance[draw], games, decider)[leader]
            worth[leader, leader] += 0.5  # with a bye they advance
        return (worth + worth.T) / len(best)
    mean = chance.mean(axis=0)
    if aim == "even":
        expected = (mean @ POINTS + 1.0 - (mean @ POINTS).T) / 2.0
        worth = 0.25 - (expected - 0.5) ** 2
    elif aim == "all":
        worth = _entropy(mean) - _entropy(chance).mean(axis=0)
    else:
        conditional = np.zeros(mean.shape[:2])
        for leader in np.unique(best):
            is_best = best == leader
            conditional += is_best.mean() * _entropy(chance[is_best].mean(axis=0))
        worth = _entropy(mean) - conditional
    worth = (worth + worth.T) / 2.0
    np.fill_diagonal(worth, 0.0)
    return np.asarray(worth)


def matching(worth: Floats, met: Places | None = None) -> Places:
    """Pairing with the largest total value, each place in one pair, shape (pair, 2), the first place first.

    The upper halves of the worth and of the number of meetings, (player, player), are used; rematches are as few as
    possible.

    Examples
    --------
    >>> matching(np.array([[0, 5, 6, 1], [0, 0, 2, 6], [0, 0, 0, 5], [0, 0, 0, 0.0]])).tolist()
    [[0, 2], [1, 3]]
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    count = len(worth)
    first, second = np.triu_indices(count, 1)
    value = worth[first, second]
    if met is not None:
        value = value - met[first, second] * (1.0 + count * np.ptp(value))
    edge = np.arange(first.size)
    ends = coo_array((np.ones(2 * first.size), (np.concatenate([first, second]), np.concatenate([edge, edge]))))
    scale = float(np.abs(value).max()) or 1.0
    solved = milp(
        -value / scale, constraints=LinearConstraint(ends.tocsr(), 1.0, 1.0), bounds=Bounds(0.0, 1.0),
        integrality=np.ones(first.size), options={"mip_rel_gap": 1e-9},
    )  # fmt: skip
    if solved.x is None:
        raise EvaluationError("players", "an even number of players", f"{count}")
    is_chosen = solved.x > 0.5
    return np.stack([first[is_chosen], second[is_chosen]], axis=1).astype(np.int64)


def next_round(
    trace: xr.DataTree,
    players: Sequence[str],
    aim: Aim = "top",
    results: GameTable | None = None,
    games: int = 2,
    decider: Decider = "replay",
) -> Round:
    """Pairs of the next round, for players of a trace of a model with three outcomes; of any model for "even".

    The results so far, including results against absent players, exclude rematches and balance seats and byes; `games`
    and `decider` describe a knockout match. Raises `EvaluationError` if there are too few or too many players, a player
    is listed twice, or the model has no draws.
    """
    require_word("--aim", aim, AIMS, EvaluationError)
    reading = reading_of(trace)
    if aim != "even":
        check_draws_exist(reading, trace)
    _PAIRED.require("players", len(players), EvaluationError)
    seat = seats_of(reading, players)
    strength = reading.last_strength
    thin = max(1, round(len(strength) * seat.size**2 / 2e6))  # 2e6 draws of pairs: 50 MB of chances
    chance = chances_of(reading.thin(np.arange(0, len(strength), thin)), seat)
    worth = worths(chance, strength[::thin, seat], aim, games, decider)
    played = finished_results(players, seat, results, reading, absent=True)
    expected, rating = chance.mean(axis=0) @ POINTS, strength[:, seat].mean(axis=0)
    return round_of(worth, expected, rating, played, aim == "knockout")


def round_of(worth: Floats, expected: Floats, rating: Floats, played: Floats, cup: bool = False) -> Round:
    """The round for a standing: rows of white, black and score so far, shape (game, 3)."""
    from halfpoint.evaluation.pairing import has_white, swiss_pairs  # compiled by numba: a second to import
    from halfpoint.evaluation.played_rounds import initial_standing, record_game

    count = len(worth)
    standing = initial_standing(max(count, 1 + int(played[:, :2].max(initial=0))))
    for white, black, score in played.tolist():
        record_game(int(white), int(black), score, standing)
    points, met, _, colour, last = standing
    over = int(met.sum(axis=1).max())
    byes = over - met.sum(axis=1)[:count]
    points, met, colour, last = points[:count], np.ascontiguousarray(met[:count, :count]), colour[:count], last[:count]
    order = np.argsort(-rating, kind="stable").astype(np.int64)
    if cup:
        lines = bracket(count).reshape(-1, 2)
        plain = order[lines[(lines >= 0).all(axis=1)]]
        met[:] = 0
    else:
        plain = np.stack(swiss_pairs(points + byes, order, met, colour, last, byes, over)[:2], axis=1)
    idle = count - plain.size  # dummy players for byes: not for each other, nor soon for a player with an earlier bye
    full, again = np.pad(worth, (0, idle)), np.pad(met, (0, idle), constant_values=1)
    full[:count, count:] = np.diag(worth)[:, None]
    again[:count, count:] = 0 if cup else (byes - byes.min())[:, None]
    pairs = matching(full, again)
    pairs = pairs[pairs[:, 1] < count]
    pairs = pairs[np.argsort(-worth[pairs[:, 0], pairs[:, 1]], kind="stable")]
    boards = [
        (first, second) if has_white(first, second, colour, last, (board + over) % 2 == 0) else (second, first)
        for board, (first, second) in enumerate(pairs.tolist())
    ]
    return Round(np.array(boards, dtype=np.int64).reshape(-1, 2), plain, worth, expected)
