r"""Knockouts computed exactly: pairings, winners of matches, rounds reached.

    P_r(i) = P_(r-1)(i) sum_j P_(r-1)(j) P(i beats j)        j the players whom i can meet in round r

Colours alternate in a match of several games; a drawn match is replayed, decided by an armageddon game (Black advances
with a draw), or by a coin. No results are simulated.
"""

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import fourier_transform, scores_of
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.tournament_options import Decider


def rounds_of(count: int) -> int:
    """Number of rounds of a knockout."""
    return int(np.ceil(np.log2(count)))


def bracket(count: int) -> npt.NDArray[np.int64]:
    """Seeds in the order of the bracket, -1 for a bye: first against last, the two best in different halves.

    Examples
    --------
    >>> bracket(8).tolist()
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    lines = np.array([0])
    while lines.size < count:
        size = 2 * lines.size
        lines = np.stack([lines, size - 1 - lines], axis=1).ravel()
    return np.where(lines < count, lines, -1).astype(np.int64)


def match_chances(chance: Floats, games: int, decider: Decider) -> Floats:
    """Matrix P(i beats j) in a match, shape (i, j), from chances of games, shape (i, j, outcome), White first."""
    as_white, as_black = chance, chance.transpose(1, 0, 2)[..., ::-1]
    larger, smaller = -(-games // 2), games // 2
    beats = np.zeros(chance.shape[:2])
    for white in {larger, smaller}:  # with an odd number of games the extra White is drawn at random
        spread = scores_of(
            fourier_transform(as_white, games) ** white * fourier_transform(as_black, games) ** (games - white)
        )
        won = spread[..., games + 1 :].sum(axis=-1) + spread[..., games] * _decider_chances(as_white, as_black, decider)
        beats += won / len({larger, smaller})
    np.fill_diagonal(beats, 0.0)
    return beats


def _decider_chances(as_white: Floats, as_black: Floats, decider: Decider) -> Floats:
    """Matrix P(i wins the decider against j), shape (i, j); `as_white` with White, `as_black` with Black."""
    if decider == "coin":
        return np.full(as_white.shape[:2], 0.5)
    if decider == "armageddon":
        return np.asarray((as_white[..., 2] + as_black[..., 1] + as_black[..., 2]) / 2.0)
    won, lost = as_white[..., 2] + as_black[..., 2], as_white[..., 0] + as_black[..., 0]
    return np.asarray(np.divide(won, won + lost, out=np.full(won.shape, 0.5), where=won + lost > 0.0))


def with_results(beats: Floats, played: npt.NDArray[np.float64], games: int) -> Floats:
    """Matrix P(i beats j) with finished matches decided by the points of `games` games or more."""
    if not len(played):
        return beats
    decided = beats.copy()
    points: dict[tuple[int, int], list[float]] = {}
    for white, black, score in played:
        pair = (int(white), int(black)) if white < black else (int(black), int(white))
        points.setdefault(pair, []).append(score if white < black else 1.0 - score)
    for (first, second), scores in points.items():
        lead = 2.0 * sum(scores) - len(scores)
        over = len(scores) >= games or abs(lead) > games - len(scores)
        if not over or lead == 0.0:
            raise EvaluationError(
                "results", "finished matches, each with a winner", f"{len(scores)} games, lead {lead}"
            )
        decided[first, second], decided[second, first] = float(lead > 0), float(lead < 0)
    return decided


def knockout(beats: Floats, order: npt.NDArray[np.int64]) -> Floats:
    """Chance of survival after each round, shape (player, round + 1): all ones, ..., the title.

    Shapes: beats (player, player).
    """
    lines = bracket(order.size)
    who = np.where(lines >= 0, order[np.maximum(lines, 0)], -1)
    reach = np.zeros((order.size, rounds_of(order.size) + 1))
    reach[:, 0] = 1.0
    alive = np.where(who >= 0, 1.0, 0.0)
    width = 1
    for number in range(1, reach.shape[1]):
        after = np.zeros(alive.size)
        for start in range(0, alive.size, 2 * width):
            halves = np.arange(start, start + width), np.arange(start + width, start + 2 * width)
            for half, other_half in (halves, halves[::-1]):
                real = who[half] >= 0
                against = beats[np.ix_(who[half[real]], np.maximum(who[other_half], 0))]
                against = np.where(who[other_half] >= 0, against, 0.0) @ alive[other_half]
                nobody = 1.0 - alive[other_half].sum()  # a bye
                after[half[real]] = alive[half[real]] * (against + nobody)
        alive, width = after, 2 * width
        reach[who[who >= 0], number] = alive[who >= 0]
    return reach
