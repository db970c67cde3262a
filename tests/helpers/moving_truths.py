"""Simulated games of players with constant or random-walk strengths, by design of pairings and order of names.

A design gives White, Black, score and day of each game in the order of days. Games follow Davidson's model; strengths
are random walks with a given standard deviation in Elo points over the whole time.
"""

import numpy as np

NATURAL = np.log(10.0) / 400.0
DAYS = 400


def truths(rng, players, moved_elo, spread_elo=150.0):
    """Strengths by day, natural units, shape (player, day)."""
    steps = rng.normal(0.0, moved_elo * NATURAL / np.sqrt(DAYS), (players, DAYS))
    return rng.normal(0.0, spread_elo * NATURAL, (players, 1)) + np.cumsum(steps, axis=1)


def played(rng, eta, log_draw=0.1):
    """Scores of games by the difference eta, including the first-seat advantage."""
    win, draw = np.exp(eta / 2.0), np.exp(log_draw)
    whole, chance = win + draw + 1.0 / win, rng.random(np.shape(eta))
    return np.where(chance < win / whole, 1.0, np.where(chance < (win + draw) / whole, 0.5, 0.0))


def round_robin(rng, moved_elo=0.0, players=10, cycles=6, seat=0.2):
    """Round robin, repeated cycle by cycle, by the circle method."""
    strength, rows = truths(rng, players, moved_elo), []
    for cycle in range(cycles):
        ring = rng.permutation(players)
        for turn in range(players - 1):
            day = (cycle * (players - 1) + turn) * (DAYS - 1) // (cycles * (players - 1))
            pairs = np.stack([ring[: players // 2], ring[: players // 2 - 1 : -1]], axis=1)
            pairs = pairs[:, ::-1] if (turn + cycle) % 2 else pairs
            rows += [(one, two, day) for one, two in pairs.tolist()]
            ring[1:] = np.roll(ring[1:], 1)
    white, black, day = np.array(rows).T
    return white, black, played(rng, strength[white, day] - strength[black, day] + seat), day


def swiss(rng, moved_elo=0.0, players=24, rounds=6, events=4):
    """Swiss events: each round pairs players with similar points who have not met; ties at random."""
    strength, rows = truths(rng, players, moved_elo), []
    for event in range(events):
        points, met = np.zeros(players), np.eye(players, dtype=bool)
        for turn in range(rounds):
            day = event * (DAYS - rounds) // max(events - 1, 1) + turn
            order = np.argsort(-points - 0.4 * rng.random(players)).tolist()
            while len(order) > 1:
                one = order.pop(0)
                two = order.pop(next((place for place, other in enumerate(order) if not met[one, other]), 0))
                met[one, two] = met[two, one] = True
                one, two = rng.permutation([one, two]).tolist()
                score = float(played(rng, strength[one, day] - strength[two, day] + 0.2))
                points[[one, two]] += score, 1.0 - score
                rows.append((one, two, score, day))
    white, black, score, day = np.array(rows).T
    return white.astype(int), black.astype(int), score, day.astype(int)


def one_swiss(rng, moved_elo=0.0):
    """One Swiss event of nine rounds in two months."""
    return swiss(rng, moved_elo, players=60, rounds=9, events=1)


def winner_first(rng, moved_elo=0.0):
    """Round robins in a file that names the winner first, without an advantage."""
    white, black, score, day = round_robin(rng, moved_elo, seat=0.0)
    lost = score == 0.0
    return np.where(lost, black, white), np.where(lost, white, black), np.maximum(score, 1.0 - score), day


def small_club(rng, moved_elo=0.0, players=10, games=80):
    """Club with few games and random attendance."""
    strength, day = truths(rng, players, moved_elo), np.sort(rng.integers(0, DAYS, games))
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    return white, black, played(rng, strength[white, day] - strength[black, day] + 0.2), day


DESIGNS = {"round robin": round_robin, "Swiss": swiss, "winner first": winner_first, "small club": small_club}
