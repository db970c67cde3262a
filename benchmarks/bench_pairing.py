"""Coverage of 90% intervals where opponents are drawn at random or paired by result, strength or league.

    python benchmarks/bench_pairing.py [SEEDS] > benchmarks/pairing.md

SIMULATED games without ratings, strengths N(0, 350^2) Elo unless stated otherwise; models take pairings as given. "By
strength, 50" sorts players by a rating with an error of 75 Elo plus noise of 50, and pairs neighbours; a Swiss pairs by
points, and a ladder by Elo ratings of the same games: these are functions of results, which a likelihood may take as
given. Leagues have 20 players who meet twice, and 20 games connect each with the next. "Walk": the second eigenvalue of
the matrix of meetings, for players with five games or more (`halfpoint.models.games.components.slowest_walk`); "told":
the share of files for which `rate` warns of too much shrinkage. Slope: Elo points in the list per Elo point of the
truth. Held: the share of players whose 90% interval contains the truth, mean over files with its standard error.
"""

import sys

import numpy as np
import records
from lichess_like import LOG_DRAW, simulated, table_of

from halfpoint.apps import workflows
from halfpoint.models.games.components import slowest_walk
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import outcome_probabilities, scores_drawn
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_elo, to_natural

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


def main():
    """Print the page."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    print(f"# Who meets whom\n\n{__doc__.strip()}\n\n{records.mark('python benchmarks/bench_pairing.py')}")
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


if __name__ == "__main__":
    main()
