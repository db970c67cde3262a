"""Every model of the catalogue by weighted normal draws: Pareto k, effective draws and CPU seconds, on simulated games.

python benchmarks/bench_normal.py rows [ROW ...]
HALFPOINT_DATA_DIR=... python benchmarks/bench_normal.py rows study

600 SIMULATED games of eight players and twelve rated opponents over six months, outcomes from Davidson's formula;
4,000 draws; seconds are those of the process with compiled kernels and one BLAS thread.

Movement of printed interval ends from seed to seed: python benchmarks/bench_normal.py seeds [SEEDS].

Each of five files is rated with ten seeds by the normal approximation. The page gives, over all players and both ends
of their 95% intervals, the standard deviation between seeds and the largest difference between any two seeds.

The football season is `outside/football/E0_1415.csv` of HALFPOINT_DATA_DIR where that exists, else the shipped league.

Hamiltonian moves on simulated files: CPU seconds, R-hat, effective draws, and agreement of two seeds.

python benchmarks/bench_normal.py moves            # all designs, some ten minutes of a processor
python benchmarks/bench_normal.py moves club tour  # some of them
"""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import records
from threadpoolctl import threadpool_limits

import halfpoint as hp
from halfpoint import readers
from halfpoint.apps import workflows
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.gaussian.weighted_draws import draw_weighted
from halfpoint.models.declaration.catalogue import CATALOGUE, declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.games.units import to_elo
from halfpoint.readers.datasets.examples import example_file
from halfpoint.readers.datasets.study import monitored_names, training

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
from moving_truths import swiss

DRAWS = 4000
GAMES, PLAYERS, MONTHS = 600, 20, 6
STUDIED = (
    "bt-population",
    "davidson-population",
    "davidson-all-draws",
    "bt-walk",
    "davidson-walk",
    "davidson-walk-scaled",
)


def selection():
    """Games with ratings, months, margins, deals, contexts and a covariate; eight players have parameters."""
    rng = np.random.default_rng(7)
    names = np.array([f"P{k:02d}" for k in range(PLAYERS)])
    strength = 15.5 + 0.5 * rng.standard_normal(PLAYERS)
    white = rng.integers(0, PLAYERS, GAMES).astype(np.int32)
    black = ((white + rng.integers(1, PLAYERS, GAMES)) % PLAYERS).astype(np.int32)
    elo = np.round(to_elo(strength) + 40.0 * rng.standard_normal(PLAYERS))
    months = np.arange(GAMES) * MONTHS // GAMES + 1
    schedule = Schedule(white, black, months, white_rating_elo=elo[white], black_rating_elo=elo[black])
    games = simulate(Truth(names, strength, 0.2, 0.3), schedule, 12)
    margin = np.round(2.0 * (strength[white] - strength[black]) + 1.5 * rng.standard_normal(GAMES))
    columns = {"rapid": (np.arange(GAMES) % 3 == 0).astype(float), "margin": margin, "deal": np.arange(GAMES) % 9}
    columns["context"] = np.array(["blitz", "rapid", "slow"])[rng.integers(0, 3, GAMES)]
    return select(replace(games, covariates=columns), names[:8])


def study(rows):
    """Print effective draws a CPU second of the whole call on the study's games."""
    print("\n" + records.mark("python benchmarks/bench_normal.py rows study"))
    print(f"The study's games: CPU seconds of declaring, fitting, {DRAWS:,} draws and the trace, all together.\n")
    print("| row | z | k | effective | CPU s | effective draws a CPU s | verdict |\n|---|--:|--:|--:|--:|--:|---|")
    games = select(training(), monitored_names())
    for name in rows:
        for draws in (25, DRAWS // 4):  # kernels first
            began = time.process_time()
            declared = declare(name, games, "described")
            tree = fit(declared, "normal", draws=draws, pointwise_draws=0)
            spent = time.process_time() - began
        k, effective = tree.attrs["pareto_k"], tree.attrs.get("effective_draws", np.nan)
        said = "doubted" if tree.attrs["approximate"] else "believed"
        cells = (
            name,
            declared.layout.count,
            f"{k:.2f}",
            f"{effective:.0f}",
            f"{spent:.2f}",
            f"{effective / spent:.0f}",
            said,
        )
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main_of_rows(rows):
    """Print the table."""
    games = selection()
    print(records.mark("python benchmarks/bench_normal.py rows"))
    print(f"{__doc__}\n| row | z | thetas | k | effective of {DRAWS:,} | fit, CPU s | draws, CPU s | auto |")
    print("|---|--:|--:|--:|--:|--:|--:|---|")
    with threadpool_limits(1, user_api="blas"):
        for name in rows:
            try:
                declared = declare(name, games)
                draw_weighted(HyperparameterGrid(VariationalProblem(declared)), 50, 1)  # kernels
                began = time.process_time()
                nested = HyperparameterGrid(VariationalProblem(declared))
                fitted = time.process_time()
                found = draw_weighted(nested, DRAWS, 1)
            except InferenceError as error:
                print(f"| {name} | {error} |", flush=True)
                continue
            problem, k = nested.problem, found.weights.pareto_k
            cells = (
                name, problem.size, nested.count, f"{k:.2f}", f"{found.weights.effective:.0f}",
                f"{fitted - began:.2f}", f"{time.process_time() - fitted:.2f}",
                f"moves: {found.faults[0]}" if found.faults else "weights",
            )  # fmt: skip
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


def run_rows():
    """Run the command `rows`."""
    if sys.argv[1:2] == ["study"]:
        study(sys.argv[2:] or STUDIED)
    else:
        main_of_rows(sys.argv[1:] or CATALOGUE)


SEEDS = 10


def tournament():
    """A SIMULATED Swiss of 154 players in nine rounds."""
    white, black, score, day = swiss(np.random.default_rng(7), players=154, rounds=9, events=1)
    names = np.array([f"P{k:03d}" for k in range(154)])
    dates = (np.datetime64("2024-01-01") + day).astype(str)
    return readers.read(pd.DataFrame({"date": dates, "white": names[white], "black": names[black], "score": score}))


def season():
    """Path of a football season."""
    kept = Path(os.environ.get("HALFPOINT_DATA_DIR", "."), "outside", "football", "E0_1415.csv")
    return kept if kept.is_file() else example_file("season")


FILES = {
    "simulated club": lambda: example_file("club"),
    "football season": season,
    "Swiss": tournament,
    "1,000 players": lambda: workflows.simulate(games=15_000, players=1000, seed=3)[0],
    "engines": lambda: example_file("engines"),
}


def ends(played, seed: int):
    """Ends of the intervals of all players in the order of their names, (player, 2), and attributes of the trace."""
    rated = workflows.rate(played, method="normal", seed=seed)
    frame = rated.frame.sort_values(rated.ranking.noun)
    return frame[["low_elo", "high_elo"]].to_numpy(), rated.trace


def row(name: str, played, seeds: int) -> str:
    """Row of the page."""
    start, found, traces = time.process_time(), [], []
    for seed in range(seeds):
        one, tree = ends(played, seed)
        found.append(one)
        traces.append(tree.attrs | {"kept": tree["posterior"].sizes["chain"] * tree["posterior"].sizes["draw"]})
    seconds = (time.process_time() - start) / seeds
    values = np.array(found)
    sd, widest = values.std(axis=0, ddof=1), np.ptp(values, axis=0)
    digits = np.ptp(np.round(values), axis=0)
    k = np.mean([one["pareto_k"] for one in traces])
    share = np.mean([one["effective_draws"] / one["kept"] for one in traces])
    cells = [name, traces[0]["model"], f"{values.shape[1]:,}", f"{traces[0]['kept']:,}", f"{k:.2f}", f"{share:.0%}"]
    cells += [f"{np.median(values[..., 1] - values[..., 0]):.0f}", f"{np.sqrt(np.mean(sd**2)):.2f}"]
    cells += [f"{np.median(widest):.2f}", f"{widest.max():.2f}", f"{np.mean(digits == 0):.0%}", f"{digits.max():.0f}"]
    return "| " + " | ".join([*cells, f"{seconds:.1f}"]) + " |"


def main_of_seeds(seeds: int, wanted: str) -> None:
    """Print the page."""
    print("# Movement of interval ends from seed to seed\n")
    print(records.mark("python benchmarks/bench_normal.py seeds"))
    print(
        f"Each file is rated with {seeds} seeds, `method='normal'`, at the default number of draws. Ends are those of"
    )
    print("95% intervals, Elo; movement is the difference between the largest and the smallest of the seeds' values.\n")
    heads = ["file", "model", "players", "draws", "k", "effective", "median width", "sd between seeds"]
    heads += ["median movement", "largest movement", "same digits", "largest in digits", "CPU s a list"]
    print("| " + " | ".join(heads) + " |")
    print("|---|---|" + "--:|" * (len(heads) - 2))
    for name, made in FILES.items():
        if wanted in name:
            print(row(name, made(), seeds), flush=True)


def run_seeds():
    """Run the command `seeds`."""
    main_of_seeds(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS, sys.argv[2] if len(sys.argv) > 2 else "")


PAGE = Path(__file__).with_name("sampling.md")
HEAD = """# Moves around the closest normal

`python benchmarks/bench_normal.py moves`: `halfpoint.rate` without options on simulated files, two seeds. CPU s are
user and system time of the function without imports and compilation; "numbers" is the number of parameters. Apart:
root mean square difference between the mean ratings of the two seeds, in posterior standard deviations.

| file | model | numbers | method | sweeps | CPU s | R-hat | least effective | converged | apart |
|---|---|--:|---|--:|--:|--:|--:|---|--:|
"""


def games(rng, players, count, days=0, near=0, ratings=False, draws=0.2):
    """Games with random pairings, or between neighbours in strength, as a data frame."""
    strength = np.sort(rng.normal(0.0, 0.8, players))
    white = rng.integers(0, players, count)
    step = rng.integers(1, (near or players - 1) + 1, count)
    black = np.clip(white + step * rng.choice([-1, 1], count), 0, players - 1) if near else (white + step) % players
    black = np.where(black == white, (white + 1) % players, black)
    gap = strength[white] - strength[black] + 0.2
    chance = np.exp(np.stack([-gap / 2, np.full(count, draws), gap / 2]))
    result = (rng.random(count) > np.cumsum(chance / chance.sum(axis=0), axis=0)[:2]).sum(axis=0)
    names = np.array([f"P{k:05d}" for k in range(players)])
    made = {"white": names[white], "black": names[black], "result": np.array(["0-1", "1/2-1/2", "1-0"])[result]}
    if days:
        made["date"] = (np.datetime64("2024-01-08") + np.sort(rng.integers(0, days, count))).astype(str)
    if ratings:
        printed = np.round(1500 + 120 * (strength + rng.normal(0.0, 0.3, players)))
        made |= {"white_elo": printed[white], "black_elo": printed[black]}
    return pd.DataFrame(made)


DESIGNS = {
    "club": (
        "club, 68 players, 306 games, rated, near",
        {"players": 68, "count": 306, "days": 300, "near": 3, "ratings": True},
    ),
    "season": ("20 clubs, 380 games", {"players": 20, "count": 380, "days": 280}),
    "years": ("200 players, 1,000 games, two years", {"players": 200, "count": 1000, "days": 730}),
    "near": ("1,000 players, 5,000 games, near", {"players": 1000, "count": 5000, "days": 300, "near": 12}),
    "many": ("10,000 players, 100,000 games, near", {"players": 10_000, "count": 100_000, "near": 12}),
}


def row_of_moves(name, about):
    """Row of the table for a design."""
    file, means, sds = games(np.random.default_rng(0), **about), [], []
    for seed in (1, 2):
        start = time.process_time()
        trace = hp.rate(file, seed=seed).trace
        seconds = time.process_time() - start
        rating = trace["posterior"]["rating_elo"]
        means.append(rating.mean(("chain", "draw")).to_numpy())
        sds.append(rating.std(("chain", "draw")).to_numpy())
    attributes, numbers = trace.attrs, sum(value[0, 0].size for value in trace["posterior"].data_vars.values())
    apart = np.sqrt(np.mean(np.square((means[0] - means[1]) / np.maximum(sds[0], 1e-9))))
    sweeps = str(attributes["sampling"]).rpartition(" columns of ")[2].removesuffix(" sweeps")
    least = min(attributes["min_ess_bulk"], attributes["min_ess_tail"])
    cells = [name, attributes["model"], f"{numbers:,}", attributes["method"]]
    cells += [sweeps if attributes["method"] == "moves" else "", f"{seconds:.1f}", f"{attributes['max_rhat']:.3f}"]
    cells += [f"{least:,.0f}", "yes" if attributes["converged"] else "no", f"{apart:.3f}"]
    return f"| {' | '.join(cells)} |\n"


def main_of_moves():
    """Rate the designs and write the page."""
    asked = sys.argv[1:] or list(DESIGNS)
    hp.rate(games(np.random.default_rng(1), 10, 40), seed=1)  # imports and compiled code
    command = " ".join(["python benchmarks/bench_normal.py moves", *sys.argv[1:]])
    text = HEAD.replace("python benchmarks/bench_normal.py moves", command)
    for key in asked:
        line = row_of_moves(*DESIGNS[key])
        print(line, end="", flush=True)
        text += line
    records.section(PAGE, text, command)


if __name__ == "__main__":
    records.run(rows=run_rows, seeds=run_seeds, moves=main_of_moves)
