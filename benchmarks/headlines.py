"""Headline numbers of the documents, recomputed and compared with the printed values.

    .venv/bin/python benchmarks/headlines.py [TEXT ...]

runs the commands of HEADLINES, by default all, otherwise those whose name contains a TEXT, each once, and prints
a table: headline, page, printed number, number now, CPU seconds. The exit status is 1 if a number differs by more than
between processors, or a command fails. HALFPOINT_DATA_DIR names the folder of the games.
"""

import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Headline:
    """Number on a page and its command."""

    name: str
    page: str  # the page, from the root
    printed: float
    within: float  # what other processors may change
    command: str  # DATA is $HALFPOINT_DATA_DIR/outside, OUT a folder that is thrown away
    find: str  # pattern of the number in what the command prints

    def now(self) -> tuple[float, float]:
        """Current value of the number, and CPU seconds; `ValueError` if the command fails."""
        text, seconds = output_of(self.command)
        found = re.search(self.find, text)
        if found is None:
            raise ValueError(f"{self.name}: expected {self.find} in the output of {self.command}, found {text[-500:]}")
        return float(found[1]), seconds


@cache
def output_of(command: str) -> tuple[str, float]:
    """Output of a command, errors included, and its CPU seconds."""
    outside = Path(os.environ["HALFPOINT_DATA_DIR"]).resolve() / "outside"
    with tempfile.TemporaryDirectory() as out:
        words = [word.replace("DATA", str(outside)).replace("OUT", out) for word in shlex.split(command)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, *words[1:]],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


HEADLINES = (
    Headline(
        "FIDE's list improved, 2016-17, nats a game", "docs/beat-the-list.md", 0.0148, 0.0001,
        "python benchmarks/claim.py claim DATA/otb-2015-2017.pgn.gz 2016-01 print",
        r'better than\s+`fide-rating`: ([\d.]+)',
    ),
    Headline(
        "the same against the fitted list", "docs/beat-the-list.md", 0.0097, 0.0001,
        "python benchmarks/claim.py claim DATA/otb-2015-2017.pgn.gz 2016-01 print",
        r'`list-fitted`: ([\d.]+)',
    ),
    Headline(
        "ATP 2014, frozen, log score", "benchmarks/yardstick.md", 0.5861, 0.0005,
        "python benchmarks/yardstick.py models fit tennis 2014 'sets-yearly-walk with strength ~ 0 + age + I(age**2) + "
        "(1 | player:context)' OUT/tennis.csv 2006",
        r'"log_score": ([\d.]+)',
    ),
    Headline(
        "ATP 2014, frozen, Elo with the same facts", "benchmarks/yardstick.md", 0.5877, 0.0002,
        "python benchmarks/yardstick.py elo 2014 OUT",
        r'matches, ([\d.]+)',
    ),
    Headline(
        "five leagues 2022-23, frozen, log score", "benchmarks/yardstick.md", 1.0009, 0.0005,
        "python benchmarks/yardstick.py models fit football 2022-23 davidson-entering-walk OUT/leagues.csv",
        r'"log_score": ([\d.]+)',
    ),
    Headline(
        "two speeds of the goal index less Bet365, by day", "docs/football.md", 0.0057, 0.0001,
        "python benchmarks/football.py blocks DATA/football day index-two-speeds",
        r'all +index-two-speeds +\d+ +[\d.]+ +([\d.]+)',
    ),
    Headline(
        "index-walk less Bet365, by month, ten seasons", "docs/football.md", 0.0085, 0.0002,
        "python benchmarks/football.py blocks DATA/football month index index-walk 10",
        r'all +index-walk +\d+ +[\d.]+ +([\d.]+)',
    ),
)  # fmt: skip


def main(*texts: str) -> int:
    """Run headlines and print the table."""
    off = 0
    print("| headline | page | printed | now | CPU s |\n|---|---|--:|--:|--:|")
    for one in HEADLINES:
        if texts and not any(text in one.name for text in texts):
            continue
        try:
            value, seconds = one.now()
        except ValueError as error:
            print(f"| {one.name} | {one.page} | {one.printed} | failed | |", flush=True)
            print(error, file=sys.stderr)
            off += 1
            continue
        wrong = abs(value - one.printed) > one.within
        off += wrong
        print(f"| {one.name} | {one.page} | {one.printed} | {value}{' (off)' * wrong} | {seconds:.0f} |", flush=True)
    return int(off > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
