"""Bridge: scores and ratings of 1,000,000 results of 20,000 players, results a second; writes benchmarks/bridge.md.

Run: python benchmarks/bench_bridge.py, about ten minutes on one processor; with `abilities` that part alone, as JSON.
"""

import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import records

from halfpoint.apps.fields.bridge import bridge_score
from halfpoint.apps.fields.bridge.as_games import as_games
from halfpoint.apps.fields.bridge.comparison import butler, cross_imps, datums, matchpoints, percent
from halfpoint.apps.fields.bridge.contracts import contract_score, possible_scores
from halfpoint.apps.fields.bridge.read import read_results
from halfpoint.apps.fields.bridge.rules import BridgeRules
from halfpoint.apps.fields.bridge.system import rate
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.apps.fields.bridge.write_csv import csv_text

REPORT = Path(__file__).with_name("bridge.md")
PLAYERS, TABLES, DEALS = 20_000, 16, 62_500
REPEATS = 3


def seatings(rng: np.random.Generator) -> np.ndarray:
    """Draw 64 different players for each deal, shape (result, 4), from permutations of all players."""
    each = PLAYERS // (4 * TABLES)
    drawn = [rng.permutation(PLAYERS)[: each * 4 * TABLES] for _ in range(-(-DEALS // each))]
    return np.concatenate(drawn)[: DEALS * TABLES * 4].reshape(-1, 4).astype(np.int32)


def columns(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a million results."""
    seats = seatings(rng)
    deal = np.repeat(np.arange(DEALS), TABLES).astype(np.int32)
    likely = possible_scores()
    likely = likely[np.abs(likely) <= 1500]
    score = rng.choice(likely, deal.size).astype(np.int32)
    names = np.array([f"Player {k:05d}" for k in range(PLAYERS)])
    date = np.datetime64("2024-01-01") + (deal // 700).astype("timedelta64[D]")
    north, east, south, west = (np.ascontiguousarray(seats[:, k]) for k in range(4))
    return {
        "players": names, "north": north, "east": east, "south": south, "west": west, "deal": deal,
        "deal_names": np.arange(DEALS).astype(np.str_), "score_ns": score,
        "adjusted": np.zeros(deal.size, dtype=np.bool_), "date": date, "simulated": True,
    }  # fmt: skip


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Smallest CPU seconds of some runs, after a run that compiles."""
    work()
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    rng = np.random.default_rng(1)
    parts = columns(rng)
    table = BridgeTable(**parts)
    deals = table.deals
    score = table.score_ns
    level, strain, doubling, tricks = (rng.integers(*ends, len(table)) for ends in ((1, 8), (0, 5), (0, 3), (0, 14)))
    vulnerable = rng.random(len(table)) < 0.5

    def all_scores() -> None:
        grouped = table.deals
        cross_imps(score, grouped)
        percent(matchpoints(score, grouped), grouped)
        butler(score, grouped, datums(score, grouped, "median"))

    rows = [
        ("contracts to points", best(lambda: contract_score(level, strain, doubling, vulnerable, tricks))),
        ("average cross-IMPs", best(lambda: cross_imps(score, deals))),
        ("matchpoints and percentages", best(lambda: percent(matchpoints(score, deals), deals))),
        ("Butler against the median", best(lambda: butler(score, deals, datums(score, deals, "median")))),
        ("all three, from the table", best(all_scores)),
        ("the table with all its checks", best(lambda: BridgeTable(**parts), 1)),
        ("Elo with gamma, periods of 3 days", best(lambda: rate(table, BridgeRules()))),
        ("Elo with artificial matches", best(lambda: rate(table, BridgeRules(method="matches")))),
    ]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    with TemporaryDirectory() as folder:
        file = Path(folder) / "results.csv"
        file.write_text(csv_text(table), encoding="utf-8")
        start = time.process_time()
        read_results(file)
        rows.append(("CSV to the table", time.process_time() - start))
    start = time.process_time()
    bridge_score(table)
    rows.append(("bridge_score of the table, with totals of pairs", time.process_time() - start))
    start = time.process_time()
    as_games(table)
    rows.append(("results to games between pairs", time.process_time() - start))
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    lines = [
        "# Bridge",
        "",
        f"`python benchmarks/bench_bridge.py` wrote this file at commit {commit}, on one of",
        f"{os.cpu_count()} processors: {len(table):,} made-up results of {PLAYERS:,} players, {DEALS:,} deals at",
        f"{TABLES} tables.",
        f"Processor seconds, the least of {REPEATS} runs after one that compiles; checks and the last three once.",
        "",
        "| what | seconds | results a second |",
        "|---|--:|--:|",
        *(f"| {what} | {seconds:.2f} | {len(table) / seconds:,.0f} |" for what, seconds in rows),
        "",
        f"Peak memory {memory:,.0f} MiB with scores and ratings, {whole:,.0f} MiB with the CSV file read as well.",
    ]
    text = "\n".join(lines) + "\n"
    records.section(REPORT, text, "python benchmarks/bench_bridge.py")
    print(text)


if __name__ == "__main__":
    main()
