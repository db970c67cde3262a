"""Reading: PGN headers per second on one core, and Parquet games summed by pair while reading.

Each measurement runs in a separate process, for its peak memory. The files are simulated.

    python benchmarks/bench_reading.py [--games 1000000] [--rows 10000000] [--players 20000]
    python benchmarks/bench_reading.py --beside OTHER/.venv/bin/python [--megabytes 200]

The second command reads a CSV file of a million games and two PGN files, headers alone and Lichess-like games with
moves, alternately with this installation and another one, such as an older commit. It prints the CPU seconds of the CSV
file and megabytes a second of the PGN files, medians of three runs, with their ratios.
"""

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOVETEXT = " ".join(
    f"{number}. e4 {{ [%eval 0.12] [%clk 0:09:{number:02d}] }} e5 {{ [%clk 0:08:{number:02d}] }}"
    for number in range(1, 31)
)


def write_pgn(path: Path, games: int, players: int, movetext: str = MOVETEXT) -> None:
    """Write Lichess-like games of about 2,100 bytes, or of 400 with an empty movetext."""
    chance = random.Random(1)
    movetext += " " * bool(movetext)
    with path.open("w", encoding="utf-8") as file:
        for number in range(games):
            white, black = chance.sample(range(players), 2)
            result = chance.choice(("1-0", "0-1", "1/2-1/2"))
            day = f"2013.{number % 12 + 1:02d}.{number % 28 + 1:02d}"
            file.write(
                f'[Event "Rated Blitz game"]\n[Site "https://lichess.org/{number:08x}"]\n[Date "{day}"]\n[Round "-"]\n'
                f'[White "Player, Number {white}"]\n[Black "Player, Number {black}"]\n[Result "{result}"]\n'
                f'[UTCDate "{day}"]\n[UTCTime "22:00:{number % 60:02d}"]\n[WhiteElo "{1000 + white % 1500}"]\n'
                f'[BlackElo "{1000 + black % 1500}"]\n[WhiteRatingDiff "+5"]\n[BlackRatingDiff "-5"]\n[ECO "B00"]\n'
                f'[Opening "King\'s Pawn"]\n[TimeControl "300+3"]\n[Termination "Normal"]\n\n{movetext}{result}\n\n'
            )


def write_csv(path: Path, games: int, players: int) -> None:
    """Write games with one day each, about 40 bytes a row."""
    chance = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        file.write("date,white,black,result\n")
        for number in range(games):
            white, black = chance.sample(range(players), 2)
            day = f"{2013 + number * 10 // games}-{number % 12 + 1:02d}-{number % 28 + 1:02d}"
            file.write(f"{day},Player {white},Player {black},{chance.choice(('1-0', '0-1', '1/2-1/2'))}\n")


def write_parquet(path: Path, rows: int, players: int) -> None:
    """Write games in parts of a million rows, so that writing needs little memory."""
    import numpy as np
    import polars

    chance = np.random.default_rng(1)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        for part, start in enumerate(range(0, rows, 1_000_000)):
            count = min(1_000_000, rows - start)
            white = (players * chance.random(count) ** 2).astype(np.int64)
            black = (white + 1 + (players - 1) * chance.random(count)).astype(np.int64) % players
            names = polars.Series([f"Player {number:06d}" for number in range(players)])
            polars.DataFrame(
                {
                    "white": names.gather(white),
                    "black": names.gather(black),
                    "score": chance.choice([0.0, 0.5, 1.0], count),
                    "date": np.datetime64("2010-01-01") + chance.integers(0, 3650, count),
                    "white_rating_elo": (1500 + white % 1000).astype(np.int16),
                    "black_rating_elo": (1500 + black % 1000).astype(np.int16),
                }
            ).write_parquet(Path(folder) / f"{part:04d}.parquet")
        polars.scan_parquet(Path(folder) / "*.parquet").sink_parquet(path)


def measure(task: str, path: str) -> None:
    """Run one task and print its figures as JSON."""
    from halfpoint.models.games.select import merge, select
    from halfpoint.readers.pgn import read_pgn_headers
    from halfpoint.readers.read import read

    start, processor = time.perf_counter(), time.process_time()
    if task.startswith("pgn"):
        figures = {"games": len(read_pgn_headers(path, moves=task == "pgn moves").games)}
    elif task == "csv":
        figures = {"games": len(read(path))}
    elif task == "chess":
        import chess.pgn

        with Path(path).open(encoding="utf-8") as handle:
            count = 0
            while chess.pgn.read_headers(handle) is not None:
                count += 1
        figures = {"games": count}
    else:
        table = read(path)
        figures = {"games": len(table), "cells": len(merge(select(table, table.players, "both")))}
    seconds = {"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - processor}
    status = Path("/proc/self/status").read_text(encoding="utf-8")  # ru_maxrss would begin with the parent's peak
    peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
    print(json.dumps({"task": task, **figures, **seconds, "peak_mebibytes": peak}))


def beside(other: str, megabytes: int, turns: int = 3) -> None:
    """Read the files with two installations alternately; print rates and ratios by CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "games.csv"
        write_csv(table, 1_000_000, 20_000)
        seconds = _by_turns(other, "csv", table, turns)
        print(
            f"CSV, 1,000,000 games: {seconds[0]:.2f} s beside {seconds[1]:.2f}, ratio {seconds[0] / seconds[1]:.2f}",
            flush=True,
        )
        for name, movetext in (("headers", ""), ("with moves", MOVETEXT)):
            path = Path(folder) / "games.pgn"
            write_pgn(path, 100, 5000, movetext)
            write_pgn(path, int(100 * megabytes * 1e6 / path.stat().st_size), 5000, movetext)
            size = path.stat().st_size / 1e6
            for task in ("pgn", "pgn moves"):
                ours, others = (size / one for one in _by_turns(other, task, path, turns))
                hashed = ", moves hashed" if task == "pgn moves" else ""
                rates = f"{ours:.1f} MB/s beside {others:.1f}, ratio {ours / others:.2f}"
                print(f"{name}{hashed}, {size:.0f} MB: {rates}", flush=True)


def _by_turns(other: str, task: str, path: Path, turns: int) -> tuple[float, float]:
    """CPU seconds of a task with this installation and the other, medians of runs."""
    seconds: list[float] = []
    for _ in range(turns):
        for python in (sys.executable, other):
            command = [python, __file__, "--measure", task, str(path)]
            found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            seconds.append(json.loads(found)["processor_seconds"])
    return sorted(seconds[::2])[turns // 2], sorted(seconds[1::2])[turns // 2]


def main() -> None:
    """Write the files, measure each task in its own process, print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--measure", nargs=2, metavar=("TASK", "FILE"))
    parser.add_argument("--beside", metavar="PYTHON")
    parser.add_argument("--megabytes", type=int, default=200)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(*arguments.measure)
        return
    if arguments.beside:
        beside(arguments.beside, arguments.megabytes)
        return
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        pgn, small, parquet = (Path(folder) / name for name in ("games.pgn", "small.pgn", "games.parquet"))
        write_pgn(pgn, arguments.games, arguments.players)
        write_pgn(small, min(arguments.games, 20_000), arguments.players)
        write_parquet(parquet, arguments.rows, arguments.players)
        for path in (pgn, parquet):
            print(f"{path.name}: {path.stat().st_size / 2**20:.0f} MiB")
        for task, path in (("pgn", pgn), ("chess", small), ("cells", parquet)):
            subprocess.run([sys.executable, __file__, "--measure", task, str(path)], check=True)


if __name__ == "__main__":
    main()
