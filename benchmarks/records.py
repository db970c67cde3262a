"""Marks of benchmark pages: command, commit and machine of the figures below.

A benchmark writes its page by `page`, its part of a page by `section`, or prints it below a `mark`: a comment that
applies up to the next one.

    <!-- run: COMMAND; commit: 0123abc; machine: two processors; given: 6,807, 46 -->

`commit: 0123abc (of the page)` is the commit that added the figures, if the page does not name the commit of their
code; given numbers are settings. `tests/documents/test_records.py` checks that each page is marked before its first
figure.
"""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
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
