"""Bridge: scores and ratings of 1,000,000 results of 20,000 players, results a second; writes benchmarks/bridge.md.

Run: python benchmarks/bench_bridge.py, about ten minutes on one processor; with `abilities` that part alone, as JSON.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import records

from halfpoint.fields.bridge import bridge_score
from halfpoint.fields.bridge.ability import ability
from halfpoint.fields.bridge.as_games import as_games
from halfpoint.fields.bridge.comparison import butler, cross_imps, datums, matchpoints, percent
from halfpoint.fields.bridge.contracts import contract_score, possible_scores
from halfpoint.fields.bridge.read import read_results
from halfpoint.fields.bridge.rules import BridgeRules
from halfpoint.fields.bridge.simulate import PARS, points_near
from halfpoint.fields.bridge.system import rate
from halfpoint.fields.bridge.table import BridgeTable
from halfpoint.fields.bridge.write_csv import csv_text

REPORT = Path(__file__).with_name("bridge.md")
PLAYERS, TABLES, DEALS = 20_000, 16, 62_500
REPEATS = 3


def seatings(rng: np.random.Generator) -> np.ndarray:
    """Draw 64 different players for each deal, shape (result, 4): stretches of permutations of all."""
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
    """Return the least processor seconds of some runs, after one that compiles."""
    work()
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def with_partners(rng: np.random.Generator, sessions: int = 2604, players: int = PLAYERS) -> tuple[BridgeTable, Any]:
    """Draw sessions of 24 boards at 16 tables, everybody with one of four partners, and the skills behind them."""
    names = np.array([f"Player {k:05d}" for k in range(players)])
    skill, seats = rng.normal(0.0, 1.0, players), []
    pools = [rng.permutation(players).reshape(-1, 2) for _ in range(4)]
    bonds = [rng.normal(0.0, 0.5, players // 2) for _ in pools]
    worth = []
    for _ in range(sessions):
        here = rng.integers(4)
        sat = rng.choice(players // 2, 2 * TABLES, replace=False)
        ns, ew = sat[:TABLES], sat[TABLES:]
        for board in range(24):
            turned = np.roll(ew, board)
            one, other = pools[here][ns], pools[here][turned]
            seats.append(np.stack([one[:, 0], other[:, 0], one[:, 1], other[:, 1]], axis=1))
            worth.append(skill[one].sum(1) - skill[other].sum(1) + bonds[here][ns] - bonds[here][turned])
    seat, d = np.concatenate(seats).astype(np.int32), np.concatenate(worth)
    deal = np.repeat(np.arange(sessions * 24), TABLES).astype(np.int32)
    score = points_near(rng.choice(PARS, sessions * 24)[deal], d + 4.7 * rng.normal(size=deal.size)).astype(np.int32)
    north, east, south, west = (np.ascontiguousarray(seat[:, k]) for k in range(4))
    return BridgeTable(
        names, north, east, south, west, deal, np.arange(sessions * 24).astype(np.str_), score,
        np.zeros(deal.size, dtype=np.bool_), simulated=True,
    ), skill  # fmt: skip


def abilities(sessions: int = 2604, players: int = PLAYERS) -> dict[str, Any]:
    """Return seconds and memory of players and partnerships of a million results in closed form."""
    table, skill = with_partners(np.random.default_rng(2), sessions, players)
    start = time.process_time()
    games = as_games(table)
    middle = time.process_time()
    found = ability(games)
    end = time.process_time()
    known = skill[np.searchsorted(table.players, found.people)]
    near = float(np.corrcoef(found.strength, known)[0, 1])
    return {
        "results": len(table), "players": int(found.people.size), "pairs": int(found.partners.size),
        "as_games": middle - start, "ability": end - middle, "spreads": list(found.spreads),
        "correlation": near, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
    }  # fmt: skip


def main() -> None:
    if sys.argv[1:2] == ["abilities"]:
        print(json.dumps(abilities(*map(int, sys.argv[2:]))))
        return
    alone = subprocess.run([sys.executable, __file__, "abilities"], capture_output=True, text=True, check=True)
    large = json.loads(alone.stdout)
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
    rows.append(("results to games between pairs", large["as_games"]))
    rows.append(("abilities of players and partnerships", large["ability"]))
    whole = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    lines = [
        "# Bridge",
        "",
        f"`python benchmarks/bench_bridge.py` wrote this file at commit {commit}, on one of",
        f"{os.cpu_count()} processors: {len(table):,} made-up results of {PLAYERS:,} players, {DEALS:,} deals at",
        f"{TABLES} tables.",
        f"Processor seconds, the least of {REPEATS} runs after one that compiles; the last four and the checks of one.",
        "",
        "| what | seconds | results a second |",
        "|---|--:|--:|",
        *(f"| {what} | {seconds:.2f} | {len(table) / seconds:,.0f} |" for what, seconds in rows),
        "",
        f"Peak memory {memory:,.0f} MiB with scores and ratings, {whole:,.0f} MiB with the CSV file read as well.",
        "",
        "The abilities (`halfpoint.fields.bridge.ability`; spreads learned, deviations from draws) are of",
        f"{large['results']:,} others, {large['players']:,} players with up to four partners and",
        f"{large['pairs']:,} partnerships; a process of their own takes {large['memory']:,.0f} MiB at its peak.",
        f"Correlation with the players' true skills {large['correlation']:.3f}.",
    ]
    _, coverage, kept = REPORT.read_text(encoding="utf-8").partition("\n<!-- run: pytest")  # printed by slow tests
    text = "\n".join(lines) + "\n" + coverage + kept
    records.page(REPORT, text, "python benchmarks/bench_bridge.py")
    print(text)


if __name__ == "__main__":
    main()
