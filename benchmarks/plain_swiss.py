"""A Swiss played plainly, from the words of `halfpoint.evaluation.pairing` and none of its code, to check chances.

`python benchmarks/plain_swiss.py` plays a Swiss of 200 in nine rounds 1,000,000 times and sets its title chances beside
those of 20,000 tournaments by `halfpoint.evaluation.tournaments`. Only an even number of players is played here.
"""

import time

import numpy as np
from bench_office import chances, forecast, told, truth
from numba import njit

from halfpoint.evaluation.tournaments import Rules


@njit(cache=False)
def candidate(place, step, half, size):
    """The `step`-th place of a group whom the one at `place` asks, -1 when there is nobody left to ask."""
    if place >= half:
        return place + 1 + step if place + 1 + step < size else -1
    below = size - (half + place)  # from their partner in the lower half downwards
    if step < below:
        return half + place + step
    before = step - below  # then upwards within the lower half
    if before < place:
        return half + place - 1 - before
    own = before - place  # then the next of their own half, and on
    return place + 1 + own if place + 1 + own < size else -1


@njit(cache=False)
def pairs_of(points, opponents):
    """Each player's partner and the boards in the order in which they were made; players are in seed order."""
    players = points.size
    partner = np.full(players, -1)
    upper = np.zeros(players // 2, np.int64)
    boards = 0
    waiting = np.zeros(0, np.int64)
    for score in np.unique(points)[::-1]:
        group = np.concatenate((waiting, np.flatnonzero(points == score)))
        size, half = group.size, group.size // 2
        for place in range(size):
            step = 0
            while partner[group[place]] < 0:
                to = candidate(place, step, half, size)
                if to < 0:
                    break
                if partner[group[to]] < 0 and not opponents[group[place], group[to]]:
                    partner[group[place]], partner[group[to]] = group[to], group[place]
                    upper[boards] = group[place]
                    boards += 1
                step += 1
        waiting = group[partner[group] < 0]
    while waiting.size:  # all of them have met: break a pair up, from the last board on
        one, two = waiting[0], waiting[1]
        for board in range(boards - 1, -1, -1):
            a, b = upper[board], partner[upper[board]]
            if not opponents[one, a] and not opponents[two, b]:
                partner[one], partner[a], partner[two], partner[b] = a, one, b, two
                upper[board], upper[boards] = a, b
                break
            if not opponents[one, b] and not opponents[two, a]:
                partner[one], partner[b], partner[two], partner[a] = b, one, a, two
                upper[board], upper[boards] = a, b
                break
        if partner[one] < 0:
            partner[one], partner[two] = two, one
            upper[boards] = one
        boards += 1
        waiting = waiting[2:]
    return partner, upper


@njit(cache=False)
def play(table, rounds, tournaments, seed):
    """Count the titles of each player; shared titles count in parts."""
    np.random.seed(seed)  # noqa: NPY002  numba's own state
    players = table.shape[0]
    titles = np.zeros(players)
    for _ in range(tournaments):
        points = np.zeros(players)
        opponents = np.zeros((players, players), np.bool_)
        balance = np.zeros(players, np.int64)  # Whites less Blacks
        previous = np.zeros(players, np.int64)
        for number in range(rounds):
            partner, upper = pairs_of(points, opponents)
            for board in range(players // 2):
                white, black = upper[board], partner[upper[board]]
                if balance[white] != balance[black]:
                    swap = balance[white] > balance[black]
                elif previous[white] != previous[black]:
                    swap = previous[white] > previous[black]
                else:
                    swap = (board + number) % 2 == 1
                if swap:
                    white, black = black, white
                luck = np.random.random()  # noqa: NPY002
                if luck < table[white, black, 2]:
                    points[white] += 1.0
                elif luck < table[white, black, 2] + table[white, black, 1]:
                    points[white] += 0.5
                    points[black] += 0.5
                else:
                    points[black] += 1.0
                opponents[white, black] = opponents[black, white] = True
                balance[white] += 1
                balance[black] -= 1
                previous[white], previous[black] = 1, -1
        best = points == points.max()
        titles += best / best.sum()
    return titles


if __name__ == "__main__":
    swiss, many = truth(200, 3), 1_000_000
    ours, seconds = forecast(swiss, Rules("swiss", rounds=9), 20_000)
    play(chances(swiss), 9, 1, 1)  # compiled
    begun = time.perf_counter()
    title = play(chances(swiss), 9, many, 7) / many
    told("Swiss of 200, 9 rounds", ours, title, 20_000, many, seconds, time.perf_counter() - begun)
    longer, seconds = forecast(swiss, Rules("swiss", rounds=9), 200_000, seed=2)
    told("the same, 200,000 of ours", longer, title, 200_000, many, seconds, time.perf_counter() - begun)
