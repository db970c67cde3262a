"""Leaderboards: coverage on simulated arenas, seconds from file to page, millions of judgements, beside other programs.

`python benchmarks/bench_leaderboard.py [coverage | speed | peers]` runs one part and writes its table into
leaderboard.md. The peers are those of requirements/benchmarks.txt, and arena-rank with the Python that ARENA_PYTHON
names (`make agreement` installs it).
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np
import records
import xarray as xr

from halfpoint.evaluation.rating_list import tiers
from halfpoint.fields.arena.checks import HALF_TIE
from halfpoint.fields.arena.fit import model_for
from halfpoint.fields.arena.read import read_judgements
from halfpoint.fields.arena.refits import BoardRefits
from halfpoint.fields.arena.simulate import simulate_arena
from halfpoint.games.select import Selection, select
from halfpoint.games.table import Floats
from halfpoint.games.units import to_elo
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.models.declared import declare_model

REPORT = Path(__file__).with_name("leaderboard.md")
RUNS = Path(__file__).with_name("leaderboard.json")
REPLICATIONS, INTERVAL, DRAWS = 50, 0.9, 2000


def one_arena(seed: int) -> dict[str, float]:
    """What one simulated arena gives: coverage, errors, borders."""
    arena = simulate_arena(seed=seed)
    judgements = read_judgements(arena.battles, style=["length"])
    selection = select(judgements.games, judgements.games.players, "both")
    refits = BoardRefits(declare_model(model_for(judgements, True), selection))
    start = time.process_time()
    fit = refits.whole
    seconds = time.process_time() - start
    made = refits.declared.layout.named(refits.model.draws(fit, DRAWS, seed))
    scale = refits.declared.spec.outcome.elo_per_natural(made["log_draw"])[:, None]
    drawn = (made["strength"] - made["strength"].mean(axis=1, keepdims=True)) * scale
    truth = to_elo((arena.strength - arena.strength.mean()).to_numpy()) * 2.0 / (2.0 + np.exp(arena.log_draw))
    low, high = np.quantile(drawn, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2], axis=0)
    names = arena.strength.index.to_numpy()
    found = tiers(xr.DataArray(drawn[None], dims=("chain", "draw", "player"), coords={"player": names}), 0.95)
    place = dict(zip(names.tolist(), truth.tolist(), strict=True))
    wrong = sum(place[one] < place[two] for one, two in found.borders[["leader", "next_leader"]].to_numpy())
    half = half_tie_draws(selection, seed)
    plain, (bottom, top) = half.mean(axis=0), np.quantile(half, [(1 - INTERVAL) / 2, (1 + INTERVAL) / 2], axis=0)
    return {
        "coverage": float(((truth >= low) & (truth <= high)).mean()),
        "rms": float(np.sqrt(np.mean((drawn.mean(axis=0) - truth) ** 2))),
        "sd": float(drawn.std(axis=0).mean()),
        "half_tie_coverage": float(((truth >= bottom) & (truth <= top)).mean()),
        "half_tie_rms": float(np.sqrt(np.mean((plain - truth) ** 2))),
        "borders": len(found.borders),
        "wrong": int(wrong),
        "expected_wrong": found.expected_wrong,
        "length_off": float((made["advantage_effect"].mean() - arena.length) / made["advantage_effect"].std()),
        "ties": float((arena.battles["winner"] == "tie").mean()),
        "seconds": seconds,
    }


def half_tie_draws(selection: Selection, seed: int) -> Floats:
    """Draws of ratings about their mean by Bradley-Terry with ties as half a win, Elo, shape (draw, model)."""
    tree = fit(declare_model(HALF_TIE, selection), "normal", Effort(DRAWS, chains=1, seed=seed))
    drawn = tree["posterior"]["strength"][0].to_numpy()
    return to_elo(drawn - drawn.mean(axis=1, keepdims=True))


def coverage() -> list[str]:
    """The table of coverage."""
    runs = []
    for seed in range(1, REPLICATIONS + 1):
        runs.append(one_arena(seed))
        print(seed, runs[-1], flush=True)
        RUNS.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    return coverage_table(runs)


def coverage_table(runs: list[dict[str, float]]) -> list[str]:
    """The lines of the table of coverage."""
    mean = {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
    error = np.std([run["coverage"] for run in runs], ddof=1) / np.sqrt(len(runs))
    borders, wrong = (int(sum(run[name] for run in runs)) for name in ("borders", "wrong"))
    expected = sum(run["expected_wrong"] for run in runs)
    return [
        "## Coverage",
        "",
        f"{len(runs)} simulated arenas of 60 models and 50,000 battles before 300 judges of unequal sharpness (sd 0.4 "
        f"around 1), with a position and a length effect; {mean['ties']:.0%} ties. The board has length and judges, by "
        "the normal approximation centred on its mean.",
        "",
        "| | this board | half-tie Bradley-Terry without style |",
        "|---|---|---|",
        f"| truth inside 90% intervals | {mean['coverage']:.1%} (standard error {error:.1%}) | "
        f"{mean['half_tie_coverage']:.1%} |",
        f"| root mean square error, Elo | {mean['rms']:.1f} | {mean['half_tie_rms']:.1f} |",
        f"| stated standard deviation, Elo | {mean['sd']:.1f} | |",
        "",
        f"Tiers at 0.95: {borders} borders, {wrong} of them wrong ({wrong / borders:.1%}); the posteriors expected "
        f"{expected:.1f}. CPU seconds of a fit: {mean['seconds']:.1f}.",
        "",
    ]


def speed() -> list[str]:
    """The table of seconds."""
    rows = ["## Speed", "", "| | seconds | of CPU | peak memory, MB |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        arena = simulate_arena()
        arena.battles.to_json(place / "arena.jsonl", orient="records", lines=True)
        halfpoint = Path(sys.executable).with_name("halfpoint")
        words = [halfpoint, "leaderboard", place / "arena.jsonl", "--out", place / "board", "--style", "length"]
        rows.append(timed("50,000 battles, file to page, length and judges", [*words, "--judges", "--quiet"]))
        million = simulate_arena(battles=1_000_000).battles
        million.to_json(place / "million.jsonl", orient="records", lines=True)
        code = "import sys; from halfpoint.fields.arena.read import read_judgements as r; "
        code += "r(sys.argv[1], style=['length'])"
        rows.append(timed("1,000,000 battles, JSON lines", [sys.executable, "-c", code, place / "million.jsonl"]))
    return [*rows, "", f"Imports are part of the seconds. {load_line()}", ""]


def timed(what: str, words: list[object]) -> str:
    """Run a command and return its row of the table."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=2); "
    script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", script, *map(str, words)], check=True, capture_output=True, text=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"| {what} | {wall:.1f} | {cpu:.1f} | {int(done.stdout.split()[-1]) / 1024:.0f} |"


PEERS = {
    "position and ties learned, intervals of ratings and ranks, tiers": "halfpoint",
    "Bradley-Terry, ties half a win, points": "evalica",
    "Newman, ties learned, points": "evalica, Newman",
    "Bradley-Terry, ties half a win, points only": "arena-rank",
    "Bradley-Terry, ties half a win, intervals by the sandwich": "arena-rank, intervals",
}
EVEN = {"length_elo": 0.0, "sharpness": 0.0, "habit_elo": 0.0}  # of an arena: nothing that only halfpoint learns


def peers(battles: int = 1_000_000) -> list[str]:
    """The table of a million battles by halfpoint and by others, one after the other."""
    arena = simulate_arena(battles=battles, **EVEN)
    truth = to_elo((arena.strength - arena.strength.mean()).to_numpy()) * 2.0 / (2.0 + np.exp(arena.log_draw))
    worker, arena_python = Path(__file__).with_name("arena_peers.py"), os.environ.get("ARENA_PYTHON", sys.executable)
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.parquet"
        arena.battles[["model_a", "model_b", "winner"]].to_parquet(path)
        for program in PEERS.values():
            python = arena_python if program.startswith("arena-rank") else sys.executable
            done = subprocess.run([python, worker, program, path], check=True, capture_output=True, text=True)
            found[program] = json.loads(done.stdout.splitlines()[-1])
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, check=True, text=True).stdout
    said = f"""`python benchmarks/bench_leaderboard.py peers` at {commit.strip()}: {battles:,} simulated battles of
        {truth.size} models, without style, before judges of one mind; Parquet, from the file to the answer, CPU
        seconds of one run, and the least of three more. The first call has what it imports and compiles;
        halfpoint's imports PyMC, from whose graph its loops are written, Numba and ArviZ. Scales differ by how ties
        count: errors are those left by a regression on the truth. Ordo and BayesElo, of which neither PyPI nor npm
        nor Debian has a package, are not measured."""
    rows = [
        "## Peers",
        "",
        *textwrap.wrap(" ".join(said.split()), 120),
        "",
        "| | | first call | again | error, Elo | truth inside 90% intervals |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for what, program in PEERS.items():
        best = found[program]
        rating = np.array([best["rating"][name] for name in arena.strength.index])
        slope = float(rating @ truth / (truth @ truth))
        inside = "none given"
        if best["low"] is not None:
            low, high = (np.array([best[end][name] for name in arena.strength.index]) for end in ("low", "high"))
            inside = f"{np.mean((low <= slope * truth) & (slope * truth <= high)):.0%}"
        off = np.sqrt(np.mean((rating / slope - truth) ** 2))
        name = f"{program.split(',')[0]} {best['version']}"
        rows.append(f"| {name} | {what} | {best['first']:.1f} | {best['again']:.1f} | {off:.2f} | {inside} |")
    return [*rows, "", load_line(), ""]


def load_line() -> str:
    """What else the machine did."""
    return f"Load of the machine when it was done: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."


def main() -> None:
    """Run the parts and write the report; a part that is not run keeps its lines."""
    parts = sys.argv[1:] or ["coverage", "speed", "peers"]
    text = (
        REPORT.read_text(encoding="utf-8")
        if REPORT.is_file()
        else "# Leaderboards\n\nBy `benchmarks/bench_leaderboard.py`.\n"
    )
    head, *old = text.split("\n## ")
    kept = {one.split("\n")[0].lower(): "## " + one.rstrip("\n") for one in old}
    for part in parts:
        title, *lines = {"coverage": coverage, "speed": speed, "peers": peers}[part]()
        mark = records.mark(f"python benchmarks/bench_leaderboard.py {part}").rstrip()
        kept[part] = "\n".join([title, "", mark, *lines]).rstrip("\n")
    order = [kept[name] for name in ("coverage", "speed", "peers") if name in kept]
    REPORT.write_text("\n\n".join([head.rstrip("\n"), *order]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
