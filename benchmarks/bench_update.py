"""Seconds of an update by one game, and differences of means and deviations from a new fit: writes update.md.

    python benchmarks/bench_update.py [PLAYERS]

SIMULATED games. Seconds are those of a trace with this number of players, in memory and by the files of `halfpoint rate
--from`. Accuracy is measured with 2,000 players, for whom a factor fits into memory: the centre and the deviations of
the normal approximation of all games at the fit's spread.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import records

import halfpoint as hp
from halfpoint.apps import workflows
from halfpoint.inference import gaussian
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select

PAGE = Path(__file__).with_name("update.md")
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


if __name__ == "__main__":
    given = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    text = ["# One further game", "", "Written by `python benchmarks/bench_update.py` on SIMULATED games.", ""]
    text += ["## Seconds", "", *timed(given), "## Accuracy", "", *accuracy()]
    records.page(PAGE, "\n".join(text), "python benchmarks/bench_update.py")
    print(PAGE.read_text())
