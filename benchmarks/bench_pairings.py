"""Coverage of 90% intervals where opponents are drawn at random or paired by result, strength or league.

    python benchmarks/bench_pairings.py coverage [SEEDS]

SIMULATED games without ratings, strengths N(0, 350^2) Elo unless stated otherwise; models take pairings as given. "By
strength, 50" sorts players by a rating with an error of 75 Elo plus noise of 50, and pairs neighbours; a Swiss pairs by
points, and a ladder by Elo ratings of the same games: these are functions of results, which a likelihood may take as
given. Leagues have 20 players who meet twice, and 20 games connect each with the next. "Walk": the second eigenvalue of
the matrix of meetings, for players with five games or more (`halfpoint.models.games.components.slowest_walk`); "told":
the share of files for which `rate` warns of too much shrinkage. Slope: Elo points in the list per Elo point of the
truth. Held: the share of players whose 90% interval contains the truth, mean over files with its standard error.

Gain of rounds paired for maximum information over the Swiss rule, in simulated tournaments of 16.

`python benchmarks/bench_pairings.py informative [TOURNAMENTS]` draws ratings from N(0, 150^2) Elo points and strengths
around them from N(0, 75^2), or strengths from N(0, 150^2) if no player is rated. It plays rounds without draws and
without an advantage, and after each round finds the posterior (mode and curvature, with known prior) from which the
next round is paired. The Swiss rule pairs by points, with the ratings as seeds. It prints after each round the distance
in Elo points from the estimated best player to the true best, and the mean squared error of strengths; for knockouts of
one game a match the share won by the best, in a bracket by rating and with new pairings each round. `python
benchmarks/bench_pairings.py informative promised` prints the expected value of a first round given the ratings: bits,
or the probability that the best player advances.

Rating systems on short histories without printed ratings, compared with Elo; writes office.md.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import records
from bench_cells import LOG_DRAW, simulated, table_of

from halfpoint.apps import workflows
from halfpoint.evaluation.knockout import bracket
from halfpoint.evaluation.next_round import matching, round_of, worths
from halfpoint.evaluation.pairing import swiss_pairs
from halfpoint.evaluation.rolling import roll
from halfpoint.models.games.components import slowest_walk
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, outcome_probabilities, round_robin, scores_drawn, simulate
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL, to_elo, to_natural
from halfpoint.systems.catalogue import SYSTEMS

WARNING = "or long chains connect some players"
ADVANTAGE = 0.12


def played(chance, strength, white, black):
    """Scores of White, (game,)."""
    return scores_drawn(outcome_probabilities(strength[white] - strength[black] + ADVANTAGE, LOG_DRAW), chance)


def turned(chance, one, other):
    """Random White and Black."""
    turn = chance.random(one.size) < 0.5
    return np.where(turn, one, other), np.where(turn, other, one)


def rounds(chance, players, count, found, spread=350.0):
    """Rounds in which players are sorted by `found(strength, points, elo)`, and neighbours meet."""
    strength, points, elo = to_natural(chance.normal(0.0, spread, players)), np.zeros(players), np.zeros(players)
    rating = to_elo(strength) + chance.normal(0.0, 75.0, players)
    games = [], [], []
    for _ in range(count):
        order = np.argsort(found(rating, points, elo, chance))
        white, black = turned(chance, order[::2], order[1::2])
        score = played(chance, strength, white, black)
        points[white] += score
        points[black] += 1.0 - score
        gain = 24.0 * (score - 1.0 / (1.0 + 10.0 ** ((elo[black] - elo[white]) / 400.0)))
        elo[white] += gain
        elo[black] -= gain
        for column, new in zip(games, (white, black, score), strict=True):
            column.append(new)
    return strength, *(np.concatenate(column) for column in games)


def leagues(chance, apart):
    """Four leagues of 20, this many Elo points apart, two meetings a pair, 20 games between neighbouring leagues."""
    strength = to_natural(np.concatenate([chance.normal(apart * k, 100.0, 20) for k in range(4)]))
    inside = np.array([(i, j) for i in range(20) for j in range(20) if i != j])
    pairs = [inside + 20 * k for k in range(4)]
    pairs += [
        np.column_stack([chance.integers(20, size=20), 20 + chance.integers(20, size=20)]) + 20 * k for k in range(3)
    ]
    white, black = np.concatenate(pairs).T
    return strength, white, black, played(chance, strength, white, black)


def site(chance):
    """First year of the site of `bench_large.py matched`."""
    made = simulated(400, 12_000, int(chance.integers(1_000_000)))
    table = table_of(made, made.week <= 52, rated=False)
    return made.strength[np.asarray(table.players).astype(int)], table.white, table.black, table.score


def by_strength(search):
    """Order of a rating plus noise."""
    return lambda rating, points, elo, chance: rating + chance.normal(0.0, search, rating.size)


DESIGNS = {
    "by lot": lambda chance: rounds(chance, 200, 40, lambda rating, *_: chance.random(rating.size)),
    "Swiss of 100, 9 rounds": lambda chance: rounds(
        chance, 100, 9, lambda rating, points, *_: points + 0.1 * chance.random(rating.size)
    ),
    "ladder by its own Elo, 20 games each": lambda chance: rounds(
        chance, 200, 20, lambda rating, points, elo, _: elo + chance.normal(0.0, 50.0, elo.size)
    ),
    "by strength, 300, 40 games each": lambda chance: rounds(chance, 200, 40, by_strength(300.0)),
    "by strength, 150, 40 games each": lambda chance: rounds(chance, 200, 40, by_strength(150.0)),
    "by strength, 50, 40 games each": lambda chance: rounds(chance, 200, 40, by_strength(50.0)),
    "by strength, 50, strengths N(0, 150^2)": lambda chance: rounds(chance, 200, 40, by_strength(50.0), 150.0),
    "a site, 12,000 games of 400": site,
    "leagues as strong as one another": lambda chance: leagues(chance, 0.0),
    "leagues 150 Elo apart": lambda chance: leagues(chance, 150.0),
}


def measured(strength, table, model):
    """Coverage, slope, and whether the list has the warning."""
    rated = workflows.rate(table, model=model, method="normal", groups="largest", min_games=1)
    posterior = rated.trace["posterior"]
    truth = to_elo(strength[posterior["player"].to_numpy().astype(int)])
    drawn = to_elo(posterior["strength"].stack(s=("chain", "draw")).transpose("player", "s").to_numpy())
    drawn, truth = drawn - drawn.mean(axis=0), truth - truth.mean()
    low, high = np.quantile(drawn, [0.05, 0.95], axis=1)
    held, slope = ((low <= truth) & (truth <= high)).mean(), np.polyfit(truth, drawn.mean(axis=1), 1)[0]
    return held, slope, any(WARNING in line for line in rated.about["not_told"])


def main_of_coverage():
    """Print the page."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    print(f"# Who meets whom\n\n{__doc__.strip()}\n\n{records.mark('python benchmarks/bench_pairings.py coverage')}")
    print("| opponents | files | walk | told | default: held | slope | `davidson-common`: held | slope |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for name, design in DESIGNS.items():
        rows = []
        for seed in range(seeds):
            strength, white, black, score = design(np.random.default_rng([seed, 9]))
            names = np.char.zfill(np.arange(strength.size).astype("U4"), 4)
            table = GameTable(names, white.astype(np.int32), black.astype(np.int32), score, name="x", simulated=True)
            walk = slowest_walk(select(table, table.players), 5)
            default = measured(strength, table, "davidson-population")
            rows.append([walk, default[2], *default[:2], *measured(strength, table, "davidson-common")[:2]])
        mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
        held = [f"{mean[k]:.1%} ({100.0 * error[k]:.1f})" for k in (2, 4)]
        cells = seeds, f"{mean[0]:.2f}", f"{mean[1]:.0%}", held[0], f"{mean[3]:.2f}", held[1], f"{mean[5]:.2f}"
        print("|", " | ".join(map(str, (name, *cells))), "|", flush=True)


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


def run_informative():
    """Run the command `informative`."""
    if "promised" in sys.argv:
        print("| field | aim | plainly | paired for it | difference |\n| --- | --- | --: | --: | --: |")
        promised("rated", 60, np.random.default_rng(1))
        sys.exit()
    for field in SPREADS:
        compare(field, int(sys.argv[1]) if len(sys.argv) > 1 else 300)


FILES, PLAYERS_OF_HISTORIES, GAMES, PERIODS = 12, 30, 240, 6
NAMES = (
    *("elo", "elo-game", "glicko", "uscf", "icc", "performance-fide", "performance-400", "performance-quantile"),
    *("ecf", "colley", "massey", "pi-ratings", "centrality", "base-rates"),
)
HEAD = """# Short histories

By `benchmarks/bench_pairings.py`: {files} simulated files of {players} players and {games} games, standard deviation
of strengths 0.9 natural units, {periods} periods, no rating printed; each system with its default parameters. Log loss
of the expected score, in nats, from the second period on, and its difference from Elo's; standard errors over files in
brackets.

| system | log loss | less Elo |
|---|---|---|
"""


def losses(seed: int) -> list[float]:
    """Log loss of each system on one file."""
    rng = np.random.default_rng(seed)
    names = np.array([f"player {number:02d}" for number in range(PLAYERS_OF_HISTORIES)])
    every = simulate(
        Truth(names, rng.normal(15.0, 0.9, PLAYERS_OF_HISTORIES), 0.5, 0.2), round_robin(PLAYERS_OF_HISTORIES, 1), seed
    )
    games = every.take(np.sort(rng.choice(len(every), GAMES, replace=False)))
    period = np.repeat(np.arange(1, PERIODS + 1), GAMES // PERIODS)
    games = replace(games, period=period, date=None, white_rating_elo=None, black_rating_elo=None)
    found = []
    for name in NAMES:
        spec = SYSTEMS[name]
        expected = np.clip(roll(games, spec.build(spec.start)).expected_score, 1e-6, 1.0 - 1e-6)[period > 1]
        score = games.score[period > 1]
        found.append(float(-np.mean(score * np.log(expected) + (1.0 - score) * np.log1p(-expected))))
    return found


def main_of_histories() -> None:
    """Write office.md next to this file."""
    every = np.array([losses(seed) for seed in range(FILES)])
    gap = every - every[:, :1]
    text = HEAD.format(files=FILES, players=PLAYERS_OF_HISTORIES, games=GAMES, periods=PERIODS)
    for name, loss, away, error in zip(NAMES, every.mean(0), gap.mean(0), gap.std(0, ddof=1) / FILES**0.5, strict=True):
        text += f"| {name} | {loss:.3f} | {away:+.3f} ({error:.3f}) |\n"
    records.section(Path(__file__).with_name("office.md"), text, "python benchmarks/bench_pairings.py histories")


if __name__ == "__main__":
    records.run(coverage=main_of_coverage, informative=run_informative, histories=main_of_histories)
