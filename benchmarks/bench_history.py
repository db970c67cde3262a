"""Random-walk strengths compared with whole-history-rating: seconds of the fit, and forecasts of the next month.

python benchmarks/bench_history.py [GAMES PLAYERS] > benchmarks/history.md        # needs whole-history-rating

SIMULATED games with monthly random walks: Davidson's formula, White's advantage 30 Elo. Both programs fit all months
but the last and forecast the last month. whole-history-rating (Coulom 2008; the package has Davidson's formula too) is
given the true spread of steps, and its prior as shipped; halfpoint (method normal) estimates the spread, the draw rate
and White's advantage, and integrates over their uncertainty. whole-history-rating forecasts from its estimates, and
with the errors of its last ratings.
"""

import subprocess
import sys
import time
import warnings
from dataclasses import replace
from importlib.metadata import version

import numpy as np
import records
from whr.whole_history_rating import WHR

from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.models import declare, find
from halfpoint.models.games import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.games.units import to_natural

MONTHS, SPREAD, STEP, WHITE, LOG_DRAW = 24, 250.0, 20.0, 30.0, 0.0
LETTERS = {0.0: "W", 0.5: "D", 1.0: "B"}  # of its seats Black is the first: here White


def field(count, players, seed=1):
    """Games of players who walk by months, White first."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, SPREAD, players)[:, None] + np.cumsum(rng.normal(0.0, STEP, (players, MONTHS)), axis=1)
    month = np.sort(rng.integers(0, MONTHS, count))
    white = rng.integers(0, players, count).astype(np.int32)
    black = ((white + rng.integers(1, players, count)) % players).astype(np.int32)
    gap = to_natural(strength[white, month] - strength[black, month] + WHITE)
    names = np.array([f"P{k:04d}" for k in range(players)])
    games = simulate(Truth(names, np.zeros(players), 0.0, LOG_DRAW), Schedule(white, black, month + 1), seed)
    weight = np.exp(np.stack([-gap / 2, np.full(count, LOG_DRAW), gap / 2], axis=1))
    chance = weight / weight.sum(axis=1, keepdims=True)
    outcome = (rng.uniform(size=count)[:, None] > np.cumsum(chance, axis=1)).sum(axis=1)
    return replace(games, score=outcome / 2.0), chance


def theirs(before, after):
    """Seconds and forecasts of whole-history-rating: from its estimates, and with the uncertainty of ratings."""
    base = WHR({"w2": STEP**2})
    for white, black, score, month in zip(
        before.white_names, before.black_names, before.score.tolist(), before.period.tolist(), strict=True
    ):
        base.create_game(str(white), str(black), LETTERS[score], month, 1)
    start = time.process_time()
    rounds, converged = base.auto_iterate(time_limit=1200)
    seconds = time.process_time() - start
    print(f"whole-history-rating: {rounds} rounds, converged {converged}", file=sys.stderr)
    found = []
    for uncertain in (False, True):
        rows = [
            base.win_draw_loss_probabilities(str(white), str(black), handicap_key=1, account_for_uncertainty=uncertain)[
                ::-1
            ]
            for white, black in zip(after.white_names, after.black_names, strict=True)
        ]
        found.append(np.array(rows))
    return seconds, *found


def ours(before, after):
    """Seconds and forecasts of halfpoint's monthly random walk, by the normal approximation."""
    start = time.process_time()
    row = find("davidson-population-walk").but("by-months", every=1)
    tree = fit(declare(row, select(before, before.players)), "normal", draws=500, chains=4, seed=1, pointwise_draws=0)
    seconds = time.process_time() - start
    print(tree.attrs["verdict"], float(tree["posterior"]["innovation_spread"].mean()), file=sys.stderr)
    return seconds, np.moveaxis(forecast(tree, after).probability.mean(axis=(1, 2)), 0, -1)


def main(count=44_000, players=500):
    warnings.simplefilter("ignore")
    games, chance = field(count, players)
    late = games.period == MONTHS
    before, after = games.take(~late), games.take(late)
    seconds, points, hedged = theirs(before, after)
    own, found = ours(before, after)
    happened = np.arange(len(after)), after.outcome
    lost = {
        "the truth": (None, -np.log(chance[late][happened])),
        "halfpoint, a walk by months": (own, -np.log(found[happened])),
        "whole-history-rating, uncertainty of ratings counted": (seconds, -np.log(hedged[happened])),
        "whole-history-rating, points": (seconds, -np.log(points[happened])),
    }
    reference = lost["whole-history-rating, uncertainty of ratings counted"][1]
    mark = records.mark("python benchmarks/bench_history.py")
    print(f"# Walks compared with whole-history-rating\n\n{mark}\n{__doc__.strip()}")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, check=True, text=True).stdout
    print(f"\nAt {commit.strip()}: {count:,} SIMULATED games "
          f"of {players} players over {MONTHS} months, steps of {STEP:g} Elo a month; "
          f"{len(after):,} games of the last month forecast; whole-history-rating {version('whole-history-rating')}, "
          f"CPU seconds of one run; differences with the standard error by game.\n")  # fmt: skip
    print("| forecaster | CPU s until the fit stands | log score, nats a game | less than whole-history-rating's |")
    print("|---|--:|--:|--:|")
    for name, (spent, score) in lost.items():
        apart = score - reference
        error = apart.std(ddof=1) / np.sqrt(apart.size)
        print(f"| {name} | {'' if spent is None else f'{spent:.1f}'} | {score.mean():.4f} | "
              f"{'' if score is reference else f'{apart.mean():+.4f} ({error:.4f})'} |")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
