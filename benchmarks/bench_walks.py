"""Random-walk strengths compared with whole-history-rating: seconds of the fit, and forecasts of the next month.

python benchmarks/bench_walks.py history [GAMES PLAYERS]        # needs whole-history-rating

SIMULATED games with monthly random walks: Davidson's formula, White's advantage 30 Elo. Both programs fit all months
but the last and forecast the last month. whole-history-rating (Coulom 2008; the package has Davidson's formula too) is
given the true spread of steps, and its prior as shipped; halfpoint (method normal) estimates the spread, the draw rate
and White's advantage, and integrates over their uncertainty. whole-history-rating forecasts from its estimates, and
with the errors of its last ratings.

Seconds of an update by one game, and differences of means and deviations from a new fit: writes large.md.

    python benchmarks/bench_walks.py update [PLAYERS]

SIMULATED games. Seconds are those of a trace with this number of players, in memory and by the files of `halfpoint rate
--from`. Accuracy is measured with 2,000 players, for whom a factor fits into memory: the centre and the deviations of
the normal approximation of all games at the fit's spread.
"""

import resource
import subprocess
import sys
import time
import warnings
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import records

import halfpoint as hp
from halfpoint.apps import workflows
from halfpoint.inference import gaussian
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models import find
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
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
    from whr.whole_history_rating import WHR

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


def main_of_history(count=44_000, players=500):
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
    mark = records.mark("python benchmarks/bench_walks.py history")
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


def run_history():
    """Run the command `history`."""
    main_of_history(*map(int, sys.argv[1:3]))


PAGE = Path(__file__).with_name("large.md")
MODEL, TIMES = "davidson-population", 20


def seconds(function, times: int = 1) -> float:
    """CPU seconds of a call, the median of several."""
    found = []
    for _ in range(times):
        start = time.process_time()
        function()
        found.append(time.process_time() - start)
    return float(np.median(found))


def children() -> float:
    """CPU seconds of finished processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(players: int) -> list[str]:
    """Rows of seconds."""
    count = 10 * players
    table = workflows.simulate(games=count + 2 * TIMES, players=players, seed=5)[0]
    kept = {}

    def fit():
        kept["trace"] = workflows.rate(table.take(np.arange(count)), model=MODEL, method="normal").trace

    rows = [("rate all games", seconds(fit))]
    games = iter([table.take(np.array([k])) for k in range(count, count + 2 * TIMES)])

    def one():
        kept["trace"] = hp.update(kept["trace"], next(games))

    one()
    rows.append((f"`hp.update(trace, game)`, median of {TIMES}", seconds(one, TIMES)))
    moved = kept["trace"].attrs["updated"]
    name = str(kept["trace"]["posterior"]["player"].values[0])
    ratings = kept["trace"]["posterior"]["rating_elo"]
    rows.append(("mean and deviation of one player", seconds(lambda: ratings.sel(player=name).std(), 5)))
    rows.append(("means of all players, first time", seconds(lambda: ratings.mean(("chain", "draw")).values)))
    with TemporaryDirectory() as folder:
        path = Path(folder, "trace.nc")
        rows.append(("write the trace", seconds(lambda: write(kept["trace"], path))))
        size = path.stat().st_size / 1e6
        rows.append(("read the trace", seconds(lambda: read(path, False))))
        rows.append(("`hp.rank(trace)`", seconds(lambda: workflows.rank(kept["trace"]))))
        row = table.take(np.array([count + 2 * TIMES - 1]))
        columns = {"date": row.date.astype(str), "white": row.white_names, "black": row.black_names, "score": row.score}
        pd.DataFrame(columns).to_csv(Path(folder, "game.csv"), index=False)
        start = children()
        command = [
            Path(sys.executable).with_name("halfpoint"),
            "rate",
            "game.csv",
            "--from",
            "trace.nc",
            "--out",
            "run",
        ]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        rows.append(("`halfpoint rate game.csv --from trace.nc --out run`, with list and page", children() - start))
    lines = [f"{players:,} players, {count:,} games, `{MODEL}`; {moved}; the file has {size:.0f} MB.", ""]
    return [*lines, "| step | CPU s |", "|---|--:|", *(f"| {name} | {value:.3f} |" for name, value in rows), ""]


def exact(declared, x):
    """Centre and deviations of centred strengths at a spread."""
    problem = VariationalProblem(declared)
    found, z = problem.closest(x), problem.parts.position[problem.parts.of("strength")]
    covariance = np.array([problem.store.solve(found.root, one)[z] for one in np.eye(problem.size)[z]])
    level = covariance.mean(axis=0)
    sd = np.sqrt(np.diag(covariance) - 2.0 * level + level.mean())
    return found.centre[z] - found.centre[z].mean(), sd


def centred(tree):
    """Centred strengths, (draw, player)."""
    strength = tree["posterior"]["strength"].values
    return (strength - strength.mean(axis=-1, keepdims=True)).reshape(-1, strength.shape[-1])


def accuracy(players: int = 2000) -> list[str]:
    """Rows of differences from a new fit."""
    count = 10 * players
    table = workflows.simulate(games=count + 200, players=players, seed=6)[0]
    gaussian.MANY = 100  # draws without weights, as thousands of players have
    tree = workflows.rate(table.take(np.arange(count)), model=MODEL, method="normal").trace
    names = tree["posterior"]["player"].values.astype(str)
    declared = declare(MODEL, select(table.take(np.arange(count)), names))
    x = ReweightedFits(declared, factored=False).fit().x
    before, sd_before = exact(declared, x)
    start = centred(tree)
    rows, done = [], 0
    for games in (1, 10, 50, 200):
        for k in range(done, games):
            tree = hp.update(tree, table.take(np.array([count + k])))
        done = games
        after, sd_after = exact(declare(MODEL, select(table.take(np.arange(count + games)), names)), x)
        now = centred(tree)
        mean = (now.mean(axis=0) - start.mean(axis=0) - (after - before)) / sd_after
        ratio = now.std(axis=0) / start.std(axis=0) * sd_before / sd_after
        own = np.unique(np.concatenate([table.white[count : count + games], table.black[count : count + games]]))
        own = np.searchsorted(names, table.players[own])
        moved = (after - before) / sd_before
        rows.append(
            f"| {games} | {np.abs(moved[own]).max():.2f} | {np.abs(mean[own]).max():.3f} | {np.abs(mean).max():.3f} | "
            f"{np.sqrt(np.mean(mean**2)):.4f} | {100 * np.abs(ratio[own] - 1).max():.1f}% | "
            f"{100 * np.abs(ratio - 1).max():.1f}% | {tree.attrs['updated']} |"
        )
    head = ["games", "largest move of a mean, sd", "error of means: their players", "all players", "root mean square"]
    head += ["error of deviations: their players", "all players", "how"]
    lines = [
        f"{players:,} players, {count:,} games, one further game after the other; means in standard deviations.",
        "",
    ]
    return [*lines, "| " + " | ".join(head) + " |", "|--:|" + "--:|" * 6 + "---|", *rows, ""]


def run_update():
    """Run the command `update`."""
    given = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    text = ["# One further game", "", "Written by `python benchmarks/bench_walks.py update` on SIMULATED games.", ""]
    text += ["## Seconds", "", *timed(given), "## Accuracy", "", *accuracy()]
    records.section(PAGE, "\n".join(text), "python benchmarks/bench_walks.py update")
    print(PAGE.read_text())


if __name__ == "__main__":
    records.run(history=run_history, update=run_update)
