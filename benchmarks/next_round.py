"""Gain of rounds paired for maximum information over the Swiss rule, in simulated tournaments of 16.

`python benchmarks/next_round.py [TOURNAMENTS]` draws ratings from N(0, 150^2) Elo points and strengths around them from
N(0, 75^2), or strengths from N(0, 150^2) if no player is rated. It plays rounds without draws and without an advantage,
and after each round finds the posterior (mode and curvature, with known prior) from which the next round is paired. The
Swiss rule pairs by points, with the ratings as seeds. It prints after each round the distance in Elo points from the
estimated best player to the true best, and the mean squared error of strengths; for knockouts of one game a match the
share won by the best, in a bracket by rating and with new pairings each round. `python benchmarks/next_round.py
promised` prints the expected value of a first round given the ratings: bits, or the probability that the best player
advances.
"""

import sys

import numpy as np

from halfpoint.evaluation.knockout import bracket
from halfpoint.evaluation.next_round import matching, round_of, worths
from halfpoint.evaluation.pairing import swiss_pairs
from halfpoint.models.games.units import ELO_PER_NATURAL

PLAYERS, ROUNDS, DRAWS = 16, 7, 300
AIMS = ("swiss", "top", "all")
SPREADS = {"rated": (150.0, 75.0), "nobody rated": (0.0, 150.0)}  # of ratings, and of strengths around them, Elo


def chance_of(strength):
    """Loss, draw and win of i against j under each draw, shape (draw, i, j, outcome), without draws of games."""
    win = 1.0 / (1.0 + np.exp(strength[:, None, :] - strength[:, :, None]))
    return np.stack([1.0 - win, np.zeros_like(win), win], axis=-1)


def posterior(games, prior):
    """Mode and covariance of strengths given rows of winner and loser, and a prior: ratings and spread."""
    mode, (rating, spread) = prior[0].copy(), prior
    for _ in range(8):
        slope, curve = (rating - mode) / spread**2, np.eye(PLAYERS) / spread**2
        if len(games):
            one, two = games.T
            lost = 1.0 / (1.0 + np.exp(mode[one] - mode[two]))
            np.add.at(slope, one, lost)
            np.add.at(slope, two, -lost)
            weight = lost * (1.0 - lost)
            for a, b, sign in ((one, one, 1), (two, two, 1), (one, two, -1), (two, one, -1)):
                np.add.at(curve, (a, b), sign * weight)
        mode = mode + np.linalg.solve(curve, slope)
    return mode, np.linalg.inv(curve)


def winners(pairs, strength, rng):
    """Rows of winner and loser of simulated games."""
    one, two = np.asarray(pairs).T
    wins = rng.random(one.size) < 1.0 / (1.0 + np.exp(strength[two] - strength[one]))
    return np.column_stack([np.where(wins, one, two), np.where(wins, two, one)])


def swiss(games, number, seeds):
    """Pairs of the Swiss rule."""
    points, met = np.zeros(PLAYERS), np.zeros((PLAYERS, PLAYERS), dtype=np.int64)
    if len(games):
        np.add.at(points, games[:, 0], 1.0)
        met[games[:, 0], games[:, 1]] = met[games[:, 1], games[:, 0]] = 1
    nothing = np.zeros(PLAYERS, dtype=np.int64)
    return np.stack(swiss_pairs(points, seeds, met, nothing, nothing, nothing, number)[:2], axis=1)


def tournament(aim, strength, prior, rng):
    """Loss and squared error after each round, shape (round, 2)."""
    games, found = np.empty((0, 2), dtype=np.int64), []
    shuffled = rng.permutation(PLAYERS)
    seeds = shuffled[np.argsort(-prior[0][shuffled], kind="stable")]
    mode, covariance = posterior(games, prior)
    for number in range(ROUNDS):
        if aim == "swiss":
            pairs = swiss(games, number, seeds)
        else:
            drawn = rng.multivariate_normal(mode, covariance, DRAWS)
            met = np.zeros((PLAYERS, PLAYERS), dtype=np.int64)
            met[games[:, 0], games[:, 1]] = met[games[:, 1], games[:, 0]] = 1
            pairs = matching(worths(chance_of(drawn), drawn, aim), met)
        games = np.concatenate([games, winners(pairs, strength, rng)])
        mode, covariance = posterior(games, prior)
        error = mode - mode.mean() - strength + strength.mean()
        found.append((strength.max() - strength[mode.argmax()], (error**2).mean()))
    return np.array(found)


def knockouts(strength, prior, rng):
    """Indicators of the best player's win: with a bracket by rating, and with new pairings each round."""
    order, won = rng.permutation(PLAYERS), []
    order = order[np.argsort(-prior[0][order], kind="stable")][bracket(PLAYERS)]
    while order.size > 1:
        order = np.array([one for one, _ in winners(order.reshape(-1, 2), strength, rng)])
    won.append(order[0] == strength.argmax())
    left, known = np.arange(PLAYERS), np.empty((0, 2), dtype=np.int64)
    while left.size > 1:
        mode, covariance = posterior(known, prior)
        drawn = rng.multivariate_normal(mode, covariance, DRAWS)[:, left]
        over = winners(left[matching(worths(chance_of(drawn), drawn, "knockout", 1, "coin"))], strength, rng)
        left, known = np.sort(over[:, 0]), np.concatenate([known, over])
    return [*won, left[0] == strength.argmax()]


def told(values):
    """Mean and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values))
    digits = 4 if error < 0.01 else 3 if error < 0.1 else 1 if error < 20 else 0
    return f"{values.mean():.{digits}f} ({error:.{digits}f})"


def compare(name, many):
    """Print the tables of one kind of field."""
    spread, around = (one / ELO_PER_NATURAL for one in SPREADS[name])
    loss, cups = {aim: [] for aim in AIMS}, []
    for seed in range(many):
        chance = np.random.default_rng([seed, 0])
        rating = chance.normal(0.0, spread, PLAYERS)
        truth, prior = rating + chance.normal(0.0, around, PLAYERS), (rating, around)
        for number, aim in enumerate(AIMS):
            loss[aim].append(tournament(aim, truth, prior, np.random.default_rng([seed, 1 + number])))
        cups.append(knockouts(truth, prior, np.random.default_rng([seed, 9])))
    loss, cups = {aim: np.array(rounds) for aim, rounds in loss.items()}, np.array(cups, dtype=float)
    for column, what in enumerate(("Elo points behind the best", "mean squared error of a strength, Elo^2")):
        unit = (ELO_PER_NATURAL, ELO_PER_NATURAL**2)[column]
        print(f"\n{name}: {what} (standard error), {many} tournaments\n\n| after round | {' | '.join(AIMS)} |")
        print("| --: | --: | --: | --: |")
        for number in range(ROUNDS):
            print(f"| {number + 1} | {' | '.join(told(unit * loss[aim][:, number, column]) for aim in AIMS)} |")
        for aim in AIMS[1:]:
            gap = unit * (loss[aim] - loss["swiss"])[:, :, column].mean(axis=1)
            print(f"\n{aim} less swiss, mean of all rounds: {told(gap)}")
    print(f"\n{name}: the best wins a knockout: bracket by rating {told(cups[:, 0])}, paired anew {told(cups[:, 1])}, "
          f"difference {told(cups[:, 1] - cups[:, 0])}")  # fmt: skip


def promised(name, fields, rng):
    """Print the value of the first round by the posterior, for informative and plain pairings."""
    spread, around = (one / ELO_PER_NATURAL for one in SPREADS[name])
    found = {aim: [] for aim in ("top", "all", "knockout")}
    for _ in range(fields):
        rating = rng.normal(0.0, spread, PLAYERS)
        drawn = rating + rng.normal(0.0, around, (1000, PLAYERS))
        for aim, totals in found.items():
            worth = worths(chance_of(drawn), drawn, aim, 1, "coin")
            made = round_of(worth, worth, rating, np.empty((0, 3)), aim == "knockout")
            totals.append((made.total(made.plain), made.total(made.boards)))
    for aim, totals in found.items():
        plain, made = np.array(totals).T
        print(f"| {name} | {aim} | {told(plain)} | {told(made)} | {told(made - plain)} |")


if __name__ == "__main__":
    if "promised" in sys.argv:
        print("| field | aim | plainly | paired for it | difference |\n| --- | --- | --: | --: | --: |")
        promised("rated", 60, np.random.default_rng(1))
        sys.exit()
    for field in SPREADS:
        compare(field, int(sys.argv[1]) if len(sys.argv) > 1 else 300)
