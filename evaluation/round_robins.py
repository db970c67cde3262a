"""Round robins simulated under one draw of the posterior, many at a time: each remaining game is one number."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.table import POINTS

Places = npt.NDArray[np.int64]
VALUES_AT_ONCE = 2_000_000  # games, and pairs of players whose points are compared
_EQUAL = 1e-6


def ordered_pairs(count: int) -> tuple[Places, Places]:
    """White and Black of a game of each player with every other player, shape (game,) each."""
    white, black = np.nonzero(~np.eye(count, dtype=np.bool_))
    return white, black


def _sums_by_player(values: Floats, who: Places, count: int) -> Floats:
    """Sums of values by player, shape (tournament, player), from shape (tournament, game)."""
    place = np.arange(len(values))[:, None] * count + who
    return np.bincount(place.ravel(), values.ravel(), len(values) * count).reshape(-1, count)


def tournaments(
    limits: Floats,
    seats: tuple[Places, Places, int],
    played: Floats,
    tie_break: int,
    share: int,
    rng: np.random.Generator,
    worth: Floats = POINTS,
) -> Iterator[tuple[Floats, Floats]]:
    """Yield points and tie-breaks, shape (tournament, player) each, in batches of tournaments.

    Shapes: limits (game, 2), played (result, 3).
    """
    white, black, count = seats
    result = np.rint(2.0 * played[:, 2]).astype(np.int64)
    first = np.concatenate([played[:, 0].astype(np.int64), white])
    second = np.concatenate([played[:, 1].astype(np.int64), black])
    step = max(1, min(VALUES_AT_ONCE // max(first.size, 1), VALUES_AT_ONCE // count**2))
    for done in range(0, share, step):
        chance = rng.random((min(step, share - done), white.size))
        come = (chance >= limits[:, 0]).astype(np.int64) + (chance >= limits[:, 1])
        outcome = np.concatenate([np.broadcast_to(result, (len(come), len(played))), come], axis=1)
        points, score = (
            _sums_by_player(worth[outcome], first, count) + _sums_by_player(worth[2 - outcome], second, count),
            outcome / 2.0,
        )
        key = 1e6 * points
        if tie_break:
            first_share, second_share = (
                (np.ones_like(score), np.ones_like(score)) if tie_break == 1 else (score, 1.0 - score)
            )
            key += _sums_by_player(first_share * points[:, second], first, count) + _sums_by_player(
                second_share * points[:, first], second, count
            )
        yield points, key


def meet_all(points: Floats, key: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Title shares and frequency of sharing the most points, over all tournaments; adds shares of places."""
    gap = key[:, None, :] - key[:, :, None]
    ahead, level = (gap >= _EQUAL).sum(axis=-1), (np.abs(gap) < _EQUAL).sum(axis=-1)
    steps = np.zeros((key.shape[1], key.shape[1] + 1))  # a place shared by some is an equal part of each of theirs
    player = np.broadcast_to(np.arange(key.shape[1]), key.shape)
    np.add.at(steps, (player, ahead), 1.0 / level)
    np.add.at(steps, (player, ahead + level), -1.0 / level)
    places += steps.cumsum(axis=1)[:, :-1]
    most = points == points.max(axis=1, keepdims=True)
    return np.where(ahead == 0, 1.0 / level, 0.0).sum(axis=0), (most & (most.sum(axis=1, keepdims=True) > 1)).sum(
        axis=0
    )
