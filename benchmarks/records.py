"""Marks of benchmark pages, with the command, commit and machine of the figures below, and headlines run anew.

A benchmark writes its page by `page`, its part of a page by `section`, or prints it below a `mark`: a comment that
applies up to the next one.

    <!-- run: COMMAND; commit: 0123abc; machine: two processors; given: 6,807, 46 -->

`commit: 0123abc (of the page)` is the commit that added the figures, if the page does not name the commit of their
code; given numbers are settings. `tests/documents/test_records.py` checks that each page is marked before its first
figure.

    .venv/bin/python benchmarks/records.py [TEXT ...]                 or: make headlines

runs the commands of HEADLINES, by default all, otherwise those whose name contains a TEXT, each once, and prints
a table: headline, page, printed number, number now, CPU seconds. The exit status is 1 if a number differs by more than
between processors, or a command fails. HALFPOINT_DATA_DIR names the folder of the games.
"""

import os
import platform
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = re.compile(
    r"<!-- run: (?P<command>.+?); commit: (?P<commit>\w+)(?P<of> \(of the page\))?; machine: (?P<machine>.+?)"
    r"(?:; given: (?P<given>[^;]+?))? -->",
    re.DOTALL,
)


def now() -> tuple[str, str]:
    """Commit and machine of the current run."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(asked, cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}"
    return commit, f"{machine}, Python {platform.python_version()}"


def mark(command: str) -> str:
    """Comment for a page: command, commit and machine of the following figures."""
    commit, machine = now()
    return f"<!-- run: {command}; commit: {commit}; machine: {machine} -->\n"


def page(path: Path, text: str, command: str) -> None:
    """Write a page of one run, with its mark below the title."""
    title, _, rest = text.partition("\n\n")
    path.write_text(f"{title}\n\n{mark(command)}\n{rest}", encoding="utf-8")


def section(path: Path, text: str, command: str) -> None:
    """Write the text of one run, with its mark below the title, as the section of this title of a page."""
    title, _, rest = text.partition("\n\n")
    lines, is_code = f"{title}\n\n{mark(command)}\n{rest.rstrip()}".splitlines(), False
    for place, line in enumerate(lines):
        is_code ^= line.startswith("```")
        lines[place] = f"#{line}" if re.match("#+ ", line) and not is_code else line
    whole = path.read_text(encoding="utf-8") if path.is_file() else f"# {path.stem.capitalize()}\n"
    head, *sections = whole.rstrip("\n").split("\n## ")
    name = title.removeprefix("# ")
    places = [place for place, old in enumerate(sections) if old.split("\n")[0] == name] or [len(sections)]
    sections[places[0] : places[0] + 1] = ["\n".join(lines).removeprefix("## ") + "\n"]
    path.write_text("\n## ".join([head, *sections]).rstrip("\n") + "\n", encoding="utf-8")


def run(**commands: Callable[[], object]) -> None:
    """Run the command that the first word names, on the further words; without words all, one after the other."""
    if len(sys.argv) == 1:
        for command in commands.values():
            command()
    elif sys.argv[1] in commands:
        commands[sys.argv.pop(1)]()
    else:
        sys.exit(f"{Path(sys.argv[0]).name}: expected {' | '.join(commands)}, found {sys.argv[1]!r}")


def cpu_seconds():
    """CPU seconds of this process and its descendants, running or ended."""
    tick = os.sysconf("SC_CLK_TCK")
    parents, used = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
            used[int(folder.name)] = sum(int(value) for value in fields[11:15]) / tick
    family = {os.getpid()}
    while grown := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= grown
    return sum(used.get(pid, 0.0) for pid in family)


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
            cwd=HERE.parent,
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


def headlines(*texts: str) -> int:
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
    sys.exit(headlines(*sys.argv[1:]))
