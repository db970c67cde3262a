"""Headline numbers of the documents, recomputed and compared with the printed values.

    .venv/bin/python benchmarks/headlines.py [TEXT ...]

runs the commands of `headlines.toml`, by default all, otherwise those whose name contains a TEXT, each once, and prints
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
import tomllib
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
    command: str
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


def headlines() -> list[Headline]:
    """All headlines, in the order of the file."""
    file = tomllib.loads((ROOT / "benchmarks" / "headlines.toml").read_text(encoding="utf-8"))
    return [Headline(**row) for row in file["headline"]]


def main(*texts: str) -> int:
    """Run headlines and print the table."""
    off = 0
    print("| headline | page | printed | now | CPU s |\n|---|---|--:|--:|--:|")
    for one in headlines():
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
