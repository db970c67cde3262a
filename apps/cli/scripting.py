"""Output and input of scripts: one JSON record on standard output with `--json`, and `-` for standard input and output.

A record names its JSON Schema, `halfpoint.COMMAND.vN`, a file that a build makes from the types in the folder `schemas`
of `halfpoint.apps.workflows`, and has a status: a code, and the exit code of the command. A version changes if a key is
removed, renamed or of another type; new keys do not change it.
"""

import atexit
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.models.games.errors import PlacedError, printable
from halfpoint.models.games.plugins import Installed

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
STANDARD = Path("-")
NOT_CONVERGED, FAULT = 3, 2  # exit codes: an unreliable answer; no answer
_BAD = "NOT CONVERGED"


def asks_for_json() -> bool:
    """True if the command line has `--json`."""
    return "--json" in sys.argv[1:]


def command_name() -> str:
    """Name of the running command, with its sub-command: `races-rate`."""
    words = sys.argv[1:3]
    several = isinstance(Installed("halfpoint.commands")[words[0]], typer.Typer)
    return "-".join(words if several else words[:1])


def record_of(record: Mapping[str, object], status: Mapping[str, object] | None = None) -> dict[str, object]:
    """Record of the running command, with the name of its schema and its status, by default from its verdicts."""
    return {"schema": f"halfpoint.{command_name()}.v1", "status": status or status_of(record), **record}


def put_json(record: Mapping[str, object], status: Mapping[str, object] | None = None) -> None:
    """Print a record of the running command."""
    from halfpoint.apps.workflows.answer import as_json_text  # half a second, which --help does without

    typer.echo(as_json_text(record_of(record, status)), nl=False)


def status_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Status of a record: `not-converged`, `approximate`, `converged`, or `ok` without sampling."""
    parts = record.get("groups", [record])
    verdicts = [str(part["verdict"]) for part in parts if part.get("verdict")]
    if any(verdict.startswith(_BAD) for verdict in verdicts):
        return {"code": "not-converged", "exit_code": NOT_CONVERGED}
    approximate = any(part.get("approximate") for part in parts)
    return {"code": "approximate" if approximate else "converged" if verdicts else "ok", "exit_code": 0}


def put_fault(code: str, message: str, error: BaseException | None = None, exit_code: int = FAULT) -> None:
    """Print an error as JSON: its code, the line on standard error, and its parts if it has any."""
    parts = {
        name: str(getattr(error, name)) for name in ("where", "expected", "found", "remedy") if hasattr(error, name)
    }
    record = {"schema": "halfpoint.error.v1", "status": {"code": code, "exit_code": exit_code}, "message": message}
    typer.echo(json.dumps(record | {name: printable(text) for name, text in parts.items()}, indent=1))


def code_of(error: BaseException) -> str:
    """Code of an error: the name of its class in small letters, `input` for classes without a code."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__.removesuffix("Error")).lower()
    return "input" if words in ("halfpoint", "placed") else words


@cache
def standard_input() -> Path:
    """Temporary file with the content of standard input, called `stdin`; it exists until the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="halfpoint-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with (folder / "stdin").open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return folder / "stdin"


def from_standard_input(options: Mapping[str, object]) -> dict[str, object]:
    """Options of a command with a file in place of `-` for input; a second `-` is refused."""
    inputs = {name: value for name, value in options.items() if name not in _WRITTEN}
    listed = {name: value if isinstance(value, list) else [value] for name, value in inputs.items()}
    count = sum(
        value == STANDARD or (name == "games" and value == str(STANDARD)) for name in listed for value in listed[name]
    )
    if count > 1:
        raise PlacedError("-", "standard input once", f"{count} times", "Name the other files.")
    if not count:
        return dict(options)
    input_file = standard_input()
    resolved = {name: [_or_here(name, value, input_file) for value in several] for name, several in listed.items()}
    return {
        **options,
        **{name: several if isinstance(options[name], list) else several[0] for name, several in resolved.items()},
    }


def _or_here(name: str, value: object, input_file: Path) -> object:
    """Value of an option, or the file of standard input."""
    if value == STANDARD:
        return input_file
    return str(input_file) if name == "games" and value == str(STANDARD) else value


_WRITTEN = ("out", "log", "places")


@contextmanager
def written_to(out: Path, suffix: str) -> Iterator[Path]:
    """File to write; for `-` a temporary one that is copied to standard output at the end."""
    if out != STANDARD:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="halfpoint-") as folder:
        path = Path(folder, f"stdout{suffix}")
        yield path
        with path.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def without_place(message: str) -> str:
    """Message with `standard input` in place of the name of its temporary file."""
    cached_count = standard_input.cache_info().currsize
    return message.replace(str(standard_input()), "standard input") if cached_count else message
