"""Tournaments played out under one draw of the posterior: a Swiss as a compiled loop."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.pairing import swiss_pairs
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.compiled_loops import compile_lazily

type _Ints = npt.NDArray[np.int64]


class Standing(NamedTuple):
    """A tournament so far: points of each player, games and results of each pair, colours.

    `colour` is White's games less Black's, `last` 1 after a game as White, -1 after one as Black.
    """

    points: Floats
    met: _Ints
    scores: Floats
    colour: _Ints
    last: _Ints


@compile_lazily
def initial_standing(count: int) -> Standing:
    """The standing before the first game."""
    none = np.zeros(count, dtype=np.int64)
    met, scores = np.zeros((count, count), dtype=np.int64), np.zeros((count, count))
    return Standing(np.zeros(count), met, scores, none, none.copy())


@compile_lazily
def play_many(
    bounds: Floats,
    rules: tuple[int, int],
    before: tuple[_Ints, Floats, _Ints],
    share: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Points and tie-breaks, shape (tournament, player) each, of `share` tournaments under one draw.

    `bounds` has, for White i and Black j, the chance of a loss and of a loss or draw; `rules` rounds and tie-break;
    `before` seeds, games that are over and byes.
    """
    rounds, tie_break = rules
    order, played, byes_so_far = before
    count = order.size
    totals, keys = np.empty((share, count)), np.empty((share, count))
    for tournament in range(share):
        standing = initial_standing(count)
        points, met, scores, colour, last = standing
        points += byes_so_far
        byes = byes_so_far.copy()
        for row in range(played.shape[0]):
            i, j = int(played[row, 0]), int(played[row, 1])
            record_game(i, j, played[row, 2], standing)
        for number in range(rounds):
            white, black, bye = swiss_pairs(points, order, met, colour, last, byes, number)
            if bye >= 0:
                byes[bye] += 1
                points[bye] += 1.0
            for board in range(white.size):
                i, j = white[board], black[board]
                record_game(i, j, _outcome_of(bounds, i, j, rng), standing)
        key = 1e6 * points
        if tie_break > 0:
            for i in range(count):
                for j in range(count):
                    key[i] += (met[i, j] if tie_break == 1 else scores[i, j]) * points[j]
        totals[tournament], keys[tournament] = points, key
    return totals, keys


@compile_lazily
def _outcome_of(bounds: Floats, i: int, j: int, rng: np.random.Generator) -> float:
    """The score of a simulated game for White."""
    chance = rng.random()
    return 0.0 if chance < bounds[i, j, 0] else 0.5 if chance < bounds[i, j, 1] else 1.0


@compile_lazily
def record_game(i: int, j: int, score: float, standing: Standing) -> None:
    """Record a game: points, pair, colours."""
    points, met, scores, colour, last = standing
    for side in range(2):
        player, opponent, value = (i, j, score) if side == 0 else (j, i, 1.0 - score)
        points[player] += value
        scores[player, opponent] += value
        met[player, opponent] += 1
        colour[player] += 1 if side == 0 else -1
        last[player] = 1 if side == 0 else -1
