"""Reading: PGN headers per second on one core, and Parquet games summed by pair while reading.

Each measurement runs in a separate process, for its peak memory. The files are simulated.

    python benchmarks/bench_reading.py speed [--games 1000000] [--rows 10000000] [--players 20000]
    python benchmarks/bench_reading.py speed --beside OTHER/.venv/bin/python [--megabytes 200]

The second command reads a CSV file of a million games and two PGN files, headers alone and Lichess-like games with
moves, alternately with this installation and another one, such as an older commit. It prints the CPU seconds of the CSV
file and megabytes a second of the PGN files, medians of three runs, with their ratios.

Reading of files in the formats of public programs, compared with the true wins, draws and losses.

    python benchmarks/bench_reading.py strangers

Each set has files with their truth (`tests/readers/strangers`). A file is right if every player has the wins, draws and
losses of the truth; it is stopped with one line; or it is misread. A false alarm is a file that the trial stops
although it was read correctly (with `--trust` it gives the truth). Lines of code are counted without docstrings.

The default command on files in the formats of other sites: seconds, verdict, and ratings compared with the truth.

    .venv/bin/python benchmarks/bench_reading.py outside [KIND ...]

The files are simulated (`tests/outside/kinds.py`), so the truth is known. Each is rated by `halfpoint rate FILE --out
FOLDER` in a separate process, without options. Writes benchmarks/reading.md.
"""

import argparse
import io
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import Counter
from pathlib import Path

import records

from halfpoint.apps.fields.races.read import read_races
from halfpoint.models.games.errors import HalfpointError
from halfpoint.readers.read import read

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "readers")]

from outside.judged import judge  # noqa: E402
from outside.kinds import KINDS  # noqa: E402
from strangers import anew_forms, fresh_forms, further_forms, own_forms, third_forms  # noqa: E402
from strangers.tally import FOLDER, TRACKERS, manifest_of, status, tally  # noqa: E402

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
            command = [python, __file__, "speed", "--measure", task, str(path)]
            found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            seconds.append(json.loads(found)["processor_seconds"])
    return sorted(seconds[::2])[turns // 2], sorted(seconds[1::2])[turns // 2]


def main_of_speed() -> None:
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
            subprocess.run([sys.executable, __file__, "speed", "--measure", task, str(path)], check=True)


CERTAIN = "games whose reading is certain"  # in the message of a trial


def of_manifest(folder):
    """Outcome of each file of a manifest with a truth, and True for a false alarm."""
    names = {"understood": "right", "other names": "right", "wrong": "misread", "stopped": "stopped"}
    for entry in manifest_of(folder):
        if entry["truth"] is not None:
            kind, what = status(entry, folder)
            yield names[kind], CERTAIN in what, entry["file"]


def of_forms(forms, races=False):
    """Outcome of each written form, and True for a false alarm."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (ending, content, truth) in forms.items():
            path = Path(folder) / f"{name}.{ending}"
            path.write_bytes(content)
            try:
                yield ("right" if tally((read_races if races else read)(path)) == truth else "misread"), False, name
            except HalfpointError as error:
                alarm = CERTAIN in str(error)
                yield "stopped", alarm and tally(read(path, trust=True)) == truth, name


def lines_of_code(folder):
    """Number of lines with code in the Python files of a folder, without comments and docstrings."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    total = 0
    for file in folder.rglob("*.py"):
        lines, before = set(), tokenize.INDENT
        for token in tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline):
            text = token.type == tokenize.STRING and before in (tokenize.INDENT, tokenize.NEWLINE, tokenize.ENCODING)
            if token.type not in skipped and not text:
                lines |= {*range(token.start[0], token.end[0] + 1)}
            before = token.type if token.type not in (tokenize.COMMENT, tokenize.NL) else before
        total += len(lines)
    return total


def main_of_strangers():
    """Print the table of sets."""
    sets = {
        "public reports": of_manifest(FOLDER),
        "public trackers": of_manifest(TRACKERS),
        "typed from descriptions": of_forms(own_forms.FORMS | further_forms.FORMS | third_forms.FORMS),
        "typed after the readers": of_forms(anew_forms.FORMS),
        "typed by a fresh author": (*of_forms(fresh_forms.FORMS), *of_forms(fresh_forms.RACES, races=True)),
    }
    print("| set | files | right | stopped | misread | false alarms |\n|---|--:|--:|--:|--:|--:|")
    for name, outcomes in sets.items():
        results = list(outcomes)
        count, alarms = Counter(kind for kind, _, _ in results), sum(alarm for _, alarm, _ in results)
        print(f"| {name} | {len(results)} | {count['right']} | {count['stopped']} | {count['misread']} | {alarms} |")
        for kind, _, file in results:
            if kind == "misread":
                print(f"misread: {file}", file=sys.stderr)
    print(f"\nLines of code in readers/: {lines_of_code(ROOT / 'readers'):,}")


HERE = ROOT / "benchmarks"

HALFPOINT = Path(sys.executable).with_name("halfpoint")
HEADER = """# Outside files

Results of `halfpoint rate FILE --out FOLDER` without options on files in the formats of other sites. The games are
simulated with a known truth (`tests/outside/kinds.py`); `benchmarks/bench_reading.py` writes this table. Seconds are
wall time of the whole command, its start and the compiling of the model included.

- *error*: root mean square of list minus truth in Elo points, and the value expected from the list's standard
  deviations. Without ratings in the file, both are centred first.
- *95%*: share of the listed players with finite truth whose 95% interval contains it.

| kind | games | players | model | seconds | verdict | error | expected | 95% |
| --- | ---: | ---: | --- | ---: | --- | ---: | ---: | ---: |
"""


def row_of(kind: str, folder: Path) -> str:
    """Row of the table for one kind."""
    folder.mkdir()
    path, truth = KINDS[kind].make(folder)
    start = time.perf_counter()
    words = [str(HALFPOINT), "rate", str(path), "--out", str(folder / "run"), "--json", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    cells = [kind, f"{truth.games:,}", f"{len(truth.rating_elo)}"]
    if done.returncode:
        told = done.stderr.strip().splitlines()[-1].replace(str(folder), "").replace("|", "/")
        return " | ".join(["", *cells, "", f"{seconds:.0f}", f"exit {done.returncode}: {told}", "", "", ""])[1:-1] + "|"
    answer = json.loads(done.stdout)
    found = judge(answer["rows"], truth)
    cells += [answer["model"], f"{seconds:.0f}", answer["verdict"].replace("|", "/"), f"{found.error_elo:.0f}"]
    return "| " + " | ".join([*cells, f"{found.expected_elo:.0f}", f"{found.covered} of {found.players}"]) + " |"


def main_of_outside() -> None:
    chosen = sys.argv[1:] or list(KINDS)
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for number, kind in enumerate(chosen):
            rows.append(row_of(kind, Path(folder) / str(number)))
            print(rows[-1], flush=True)
    if len(chosen) == len(KINDS):
        text = HEADER + "\n".join(rows) + f"\n\n{os.cpu_count()} cores.\n"
        records.section(HERE / "reading.md", text, "python benchmarks/bench_reading.py outside")


if __name__ == "__main__":
    records.run(speed=main_of_speed, strangers=main_of_strangers, outside=main_of_outside)
