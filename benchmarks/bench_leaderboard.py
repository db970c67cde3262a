"""Leaderboards: coverage on simulated arenas, seconds from file to page, millions of judgements, other programs.

`python benchmarks/bench_leaderboard.py [coverage | speed | peers | reweighted]` runs one part and writes its table into
leaderboard.md. The peers are those of .ci/requirements/benchmarks.txt, and arena-rank with the Python that ARENA_PYTHON
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
import pandas as pd
import records
import xarray as xr
from agreement import HALF_TIES

from halfpoint.apps.fields.arena.checks import HALF_TIE
from halfpoint.apps.fields.arena.clusters import pair_weights
from halfpoint.apps.fields.arena.fit import model_for
from halfpoint.apps.fields.arena.list import leaderboard
from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.arena.refits import BoardRefits
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.evaluation.rating_list import tiers
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian.mode import mode
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import to_elo

REPORT = Path(__file__).with_name("leaderboard.md")
REPLICATIONS, INTERVAL, DRAWS = 50, 0.9, 2000


def one_arena(seed: int) -> dict[str, float]:
    """Coverage, errors and borders of one simulated arena."""
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
    """Draws of centred ratings by Bradley-Terry with ties as half wins, Elo, shape (draw, model)."""
    tree = fit(declare_model(HALF_TIE, selection), "normal", Effort(DRAWS, chains=1, seed=seed))
    drawn = tree["posterior"]["strength"][0].to_numpy()
    return to_elo(drawn - drawn.mean(axis=1, keepdims=True))


def coverage() -> list[str]:
    """Table of coverage."""
    runs = []
    for seed in range(1, REPLICATIONS + 1):
        runs.append(one_arena(seed))
        print(seed, runs[-1], flush=True)
    return coverage_table(runs)


def coverage_table(runs: list[dict[str, float]]) -> list[str]:
    """Rows of the table of coverage."""
    mean = {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
    error = np.std([run["coverage"] for run in runs], ddof=1) / np.sqrt(len(runs))
    borders, wrong = (int(sum(run[name] for run in runs)) for name in ("borders", "wrong"))
    expected = sum(run["expected_wrong"] for run in runs)
    return [
        "## Coverage",
        "",
        f"{len(runs)} simulated arenas of 60 models and 50,000 battles with 300 judges of different sharpness (sd 0.4 "
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
    """Table of seconds."""
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
        code = "import sys; from halfpoint.apps.fields.arena.read import read_judgements as r; "
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
    """Table of a million battles by halfpoint and by other programs."""
    arena = simulate_arena(battles=battles, **EVEN)
    truth = to_elo((arena.strength - arena.strength.mean()).to_numpy()) * 2.0 / (2.0 + np.exp(arena.log_draw))
    worker, arena_python = Path(__file__).with_name("peers.py"), os.environ.get("ARENA_PYTHON", sys.executable)
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.parquet"
        arena.battles[["model_a", "model_b", "winner"]].to_parquet(path)
        for program in PEERS.values():
            python = arena_python if program.startswith("arena-rank") else sys.executable
            done = subprocess.run([python, worker, "arena", program, path], check=True, capture_output=True, text=True)
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


UNEVEN, PAIR_SHAPE, TIMES = 20_000, 0.7, 15  # battles, shape of the gamma of how often pairs meet, arenas


def uneven_arena(seed: int) -> tuple[pd.DataFrame, pd.Series]:
    """Battles of twelve models with very different numbers of battles per pair, and strengths in Elo points."""
    plain = {"length_elo": 0.0, "sharpness": 0.0, "habit_elo": 0.0, "position_elo": 0.0}
    arena = simulate_arena(12, 20 * UNEVEN, seed=seed, **plain)
    rng = np.random.default_rng(seed)
    one, two = (arena.battles[side].str[-2:].astype(int).to_numpy() for side in ("model_a", "model_b"))
    often = rng.gamma(PAIR_SHAPE, size=(12, 12)) + 0.01
    kept = rng.random(len(one)) < (often / often.max())[np.minimum(one, two), np.maximum(one, two)]
    return arena.battles[kept].head(UNEVEN).reset_index(drop=True), to_elo(arena.strength)


def one_reweighted(seed: int, worker: str, python: str) -> dict[str, float]:
    """Difference of arena-rank's reweighted ratings from halfpoint's, by the same estimator and by its board."""
    battles, truth = uneven_arena(seed)
    selection = select((found := read_judgements(battles)).games, found.games.players, "both")
    weight = pair_weights(selection)
    with tempfile.TemporaryDirectory() as folder:
        battles[["model_a", "model_b", "winner"]].to_parquet(path := f"{folder}/battles.parquet")
        asked = [python, worker, "arena", "arena-rank, reweighted", path]
        theirs = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
    names = selection.players.tolist()
    rating, low, high = (np.array([theirs[of][name] for name in names]) for of in ("rating", "low", "high"))
    same = to_elo(mode(declare_model(HALF_TIES, selection.with_weights(weight, "pairs"))).top.z[: len(names)])
    made = leaderboard(battles, interval=INTERVAL, method="normal", checks=False, reweighted=True).frame
    made = made.set_index("model").loc[names]
    own, true = made["rating_elo"] - made["rating_elo"].mean(), (truth[names] - truth[names].mean()).to_numpy()
    slope = float(own @ rating / (rating @ rating))
    width = (made["high_elo"] - made["low_elo"]).to_numpy() / (slope * (high - low))
    scale = float(rating @ true / (true @ true))
    mine = float(own @ true / (true @ true))
    bottom, top = ((made[end] - made["rating_elo"].mean()).to_numpy() for end in ("low_elo", "high_elo"))
    met = np.unique(np.sort(battles[["model_a", "model_b"]].to_numpy().astype(str), axis=1), axis=0, return_counts=True)
    return {
        "least": int(met[1].min()), "most": int(met[1].max()), "same": np.abs(same - same.mean() - rating).max(),
        "off": np.abs(own - slope * rating).max(), "correlation": np.corrcoef(own, rating)[0, 1],
        "order": float(np.argsort(own.to_numpy()).tolist() == np.argsort(rating).tolist()), "width": width.mean(),
        "theirs inside": np.mean((low <= scale * true) & (scale * true <= high)),
        "inside": np.mean((bottom <= mine * true) & (mine * true <= top)),
        "theirs error": np.sqrt(np.mean((rating / scale - true) ** 2)),
        "error": np.sqrt(np.mean((own / mine - true) ** 2)),
    }  # fmt: skip


def reweighted() -> list[str]:
    """Comparison with arena-rank's reweighting."""
    python = os.environ.get("ARENA_PYTHON", sys.executable)
    worker = str(Path(__file__).with_name("peers.py"))
    runs = pd.DataFrame([one_reweighted(seed, worker, python) for seed in range(1, TIMES + 1)])
    mean, error = runs.mean(), runs.std() / np.sqrt(len(runs))
    said = f"""{TIMES} simulated arenas of {UNEVEN:,} battles of 12 models before judges of one mind, who met
        {runs["least"].min()} to {runs["most"].max():,} times a pair; arena-rank 0.1.1 with `reweighted=True` (ties half
        a win) compared with the same estimator in halfpoint, maximum likelihood of Bradley and Terry's formula with the
        weights of `--reweighted`, and with `leaderboard --reweighted` (ties and position estimated; on arena-rank's
        scale by regression). Errors are residuals of a regression on the truth; standard errors over arenas in
        brackets."""
    rows = [
        ("largest difference of the same estimator, Elo, in any arena", f"{runs['same'].max():.7f}"),
        ("largest difference of the board's ratings, Elo, mean", f"{mean['off']:.2f} ({error['off']:.2f})"),
        ("smallest correlation of the board's ratings", f"{runs['correlation'].min():.5f}"),
        ("arenas with one order of all twelve", f"{int(runs['order'].sum())}"),
        ("width of the board's intervals, arena-rank's 1", f"{mean['width']:.3f} ({error['width']:.3f})"),
        ("error of arena-rank, Elo", f"{mean['theirs error']:.2f} ({error['theirs error']:.2f})"),
        ("error of the board, Elo", f"{mean['error']:.2f} ({error['error']:.2f})"),
        (f"truth inside arena-rank's {INTERVAL:.0%} intervals, %",
         f"{100 * mean['theirs inside']:.1f} ({100 * error['theirs inside']:.1f})"),
        (f"truth inside the board's {INTERVAL:.0%} intervals, %",
         f"{100 * mean['inside']:.1f} ({100 * error['inside']:.1f})"),
    ]  # fmt: skip
    told = [f"| {what} | {value} |" for what, value in rows]
    return ["## Reweighted", "", *textwrap.wrap(" ".join(said.split()), 120, break_on_hyphens=False), "", "| | value |",
            "|---|--:|", *told, ""]  # fmt: skip


def load_line() -> str:
    """Sentence with the load of the machine."""
    return f"Load of the machine when it was done: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores."


def main() -> None:
    """Run the parts and write the report; a part that is not run keeps its lines."""
    made = {"coverage": coverage, "speed": speed, "peers": peers, "reweighted": reweighted}
    parts = sys.argv[1:] or list(made)
    text = (
        REPORT.read_text(encoding="utf-8")
        if REPORT.is_file()
        else "# Leaderboards\n\nBy `benchmarks/bench_leaderboard.py`.\n"
    )
    head, *old = text.split("\n## ")
    kept = {one.split("\n")[0].lower(): "## " + one.rstrip("\n") for one in old}
    for part in parts:
        title, *lines = made[part]()
        mark = records.mark(f"python benchmarks/bench_leaderboard.py {part}").rstrip()
        kept[part] = "\n".join([title, "", mark, *lines]).rstrip("\n")
    order = [kept.pop(name) for name in made if name in kept] + list(kept.values())  # then those of other programs
    REPORT.write_text("\n\n".join([head.rstrip("\n"), *order]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
