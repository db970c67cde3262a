"""A new user's walk: an empty folder, the wheel, four irregular files, --help and the README.

    python tests/outside/walk.py HALFPOINT [TABLE.md]

HALFPOINT is the command of the environment that is tested. Every command is typed as the previous messages advise; the
table has the file, the commands, seconds, and the messages that stopped a command or asked for something.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from outside.warts import FILES  # noqa: E402

LONGEST = 260
LOUD = ("halfpoint:", "set apart", "names:", "duplicates:", "NOT CONVERGED", "columns left out", "dates:")


@dataclass(frozen=True)
class Step:
    """Typed command, its exit, its seconds, and every line that it printed."""

    file: str
    words: tuple[str, ...]
    code: int
    seconds: float
    lines: tuple[str, ...]

    @property
    def told(self) -> list[str]:
        """Lines that stop the walk or ask for an option."""
        return [line for line in self.lines if line.startswith(LOUD)]


STEPS: dict[str, tuple[str, ...]] = {
    "a club's PGN": (
        "rate {file} --out club --quiet",
        "ACCEPT club/names.csv",
        "rate {file} --out club --quiet --names club/names.csv --drop-duplicates",
        "rank club/trace.nc",
        "match club/trace.nc muller novak --games 4",
    ),
    "a football CSV": (
        "rate {file} --out liga --quiet",
        "rate {file} --out liga --quiet --columns white=Local,black=Visitante,score=Resultado",
        "ACCEPT liga/names.csv",
        "rate {file} --out liga --quiet --columns white=Local,black=Visitante,score=Resultado,date=Fecha "
        "--names liga/names.csv",
        "forecast liga/trace.nc --white atletico --black holme",
        "forecast liga/trace.nc --white 'atletico ashford' --black 'Holme Town'",
    ),
    "an engine match": (
        "rate {file} --out engines --quiet",
        "match engines/trace.nc 'quartz 4.1' 'basalt 12' --games 10",
    ),
    "an arena's JSON lines": (
        "leaderboard {file} --out board",
        "leaderboard {file} --out board --ignore judge --style length",
        "next board/trace.nc --pairs 3",
    ),
}


def typed(command: str, folder: Path, file: str, line: str) -> Step:
    """Run a typed line in a folder."""
    import shlex

    words = tuple(shlex.split(line))
    if words[0] == "ACCEPT":  # the stranger opens the file and writes yes
        path = folder / words[1]
        path.write_text(path.read_text(encoding="utf-8").replace("\n,", "\nyes,"), encoding="utf-8")
        return Step(file, ("(yes in", f"{words[1]})"), 0, 0.0, ())
    begun = time.perf_counter()
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run([command, *words], cwd=folder, capture_output=True, text=True, check=False, env=surroundings)
    seconds = time.perf_counter() - begun
    lines = tuple(f"{done.stdout}\n{done.stderr}".splitlines())
    return Step(file, words, done.returncode, seconds, lines)


def walk(command: str, folder: Path) -> list[Step]:
    """All steps of the walk, file by file."""
    made = []
    for kind, lines in STEPS.items():
        file = FILES[kind](folder).name
        made += [typed(command, folder, kind, line.format(file=file)) for line in lines]
    return made


def table_of(steps: list[Step]) -> str:
    """Walk as a table in Markdown."""
    rows = ["| file | typed | ends with | s | what was said |", "| --- | --- | --- | --: | --- |"]
    for step in steps:
        words = " ".join(word if " " not in word else f"'{word}'" for word in step.words)
        said = "<br>".join(one[:LONGEST].replace("|", "/").replace("'*'", "'\\*'") for one in step.told)
        rows.append(f"| {step.file} | `{words}` | {step.code} | {step.seconds:.0f} | {said} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        table = table_of(walk(str(Path(sys.argv[1]).absolute()), Path(empty)))
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(table, encoding="utf-8")
    else:
        sys.stdout.write(table)
