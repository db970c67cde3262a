r"""Pairing of a Swiss round: a simple rule in the spirit of FIDE's Dutch system, fast to simulate.

1. Players are ordered by points, then by seed. With an odd number the last player without an earlier bye has a bye:
   a point.
2. Score groups from the top: players with equal points, after the players who floated down into them. The upper half of
   a group meets the lower half in order; a player who has met that partner takes the next new partner of the lower
   half, then the nearest earlier partner, then the next of their own half.
3. Unpaired players float down to the next group. Players left after the last group meet any new partner; an earlier
   pair is split if that helps; a second meeting is the last resort.
4. White goes to the player with fewer Whites, then to the player who had Black last, then on odd boards (of even
   rounds: even) to the higher player.

The whole Dutch system (FIDE Handbook C.04.3) also weighs colours before opponents and looks ahead to the last group; no
maintained Python library of this system pairs a simulated round in microseconds.
"""

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.table import Floats

Places = npt.NDArray[np.int64]


@compile_lazily
def order_of(points: Floats, seeds: Places) -> Places:
    """Players by points, with equal points in the order of `seeds`."""
    return seeds[np.argsort(-points[seeds], kind="mergesort")]


@compile_lazily
def has_white(first: int, second: int, colour: Places, last: Places, turn: bool) -> bool:
    """True if the first of two has White (rule 4); `turn` decides if their colours do not."""
    if colour[first] != colour[second]:
        return bool(colour[first] < colour[second])
    return bool(last[first] < last[second]) if last[first] != last[second] else turn


@compile_lazily
def _first_free(player: int, candidates: Places, partner: Places, met: Places) -> int:
    """First unpaired candidate who has not met the player, -1 if none."""
    for candidate in candidates:
        if partner[candidate] < 0 and met[player, candidate] == 0:
            return int(candidate)
    return -1


@compile_lazily
def swiss_pairs(
    points: Floats, seeds: Places, met: Places, colour: Places, last: Places, byes: Places, number: int
) -> tuple[Places, Places, int]:
    """White and Black of each board of a round, and the player with the bye (-1: none).

    Arguments of shape (player,): points so far, players by seed, games with White less games with Black, last colour
    (1, -1, 0 for none), byes so far; (player, player): number of meetings. `number` rounds precede this round.
    """
    standing = order_of(points, seeds)
    count = standing.size
    partner = np.full(count, -1, dtype=np.int64)
    bye = -1
    if count % 2 == 1:
        index = count - 1
        while index > 0 and byes[standing[index]] > 0:
            index -= 1
        bye = standing[index]
        partner[bye] = bye
    top = np.empty(count // 2, dtype=np.int64)
    boards = 0
    group = np.empty(count, dtype=np.int64)
    floating = 0
    start = 0
    while start < count:
        end = start
        while end < count and points[standing[end]] == points[standing[start]]:
            end += 1
        size = floating
        for index in range(start, end):
            if partner[standing[index]] < 0:
                group[size] = standing[index]
                size += 1
        half = size // 2
        for index in range(size):
            player = group[index]
            if partner[player] >= 0:
                continue
            opponent = -1
            if index < half:
                opponent = _first_free(player, group[half + index : size], partner, met)
                if opponent < 0:
                    opponent = _first_free(player, group[half : half + index][::-1], partner, met)
            if opponent < 0:
                opponent = _first_free(player, group[index + 1 : size], partner, met)
            if opponent >= 0:
                partner[player], partner[opponent] = opponent, player
                top[boards] = player
                boards += 1
        floating = 0
        for index in range(size):
            if partner[group[index]] < 0:
                group[floating] = group[index]
                floating += 1
        start = end
    for index in range(floating):
        player = group[index]
        if partner[player] >= 0:
            continue
        for to in range(index + 1, floating):
            if partner[group[to]] >= 0:
                continue
            rival = group[to]
            for board in range(boards - 1, -1, -1):  # one pair apart: one - a, two - b, or one - b, two - a
                a, b = top[board], partner[top[board]]
                if met[player, a] == 0 and met[rival, b] == 0:
                    partner[player], partner[a], partner[rival], partner[b] = a, player, b, rival
                    top[board], top[boards] = a, b
                    boards += 1
                    break
                if met[player, b] == 0 and met[rival, a] == 0:
                    partner[player], partner[b], partner[rival], partner[a] = b, player, a, rival
                    top[board], top[boards] = a, b
                    boards += 1
                    break
            break
    for index in range(floating):
        player = group[index]
        if partner[player] >= 0:
            continue
        for to in range(index + 1, floating):
            if partner[group[to]] < 0:
                partner[player], partner[group[to]] = group[to], player
                top[boards] = player
                boards += 1
                break
    white, black = np.empty(boards, dtype=np.int64), np.empty(boards, dtype=np.int64)
    for board in range(boards):
        player = top[board]
        rival = partner[player]
        white_first = has_white(player, rival, colour, last, (board + number) % 2 == 0)
        white[board], black[board] = (player, rival) if white_first else (rival, player)
    return white, black, bye
