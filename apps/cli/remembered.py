"""Cached help and completion of commands, since importing a command's module, with its samplers, takes seconds.

A command is cached when it runs, or when its help is first shown; a cache file of a different state of the sources is
ignored. The shell's TAB completes options, names of models, systems and players.
"""

import inspect
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.models.games.errors import HalfpointError
from halfpoint.readers.datasets.fetch import cache_folder

HELP = ("--help", "-h")
_LOOKS = ("COLUMNS", "TERMINAL_WIDTH", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "TERM", "GITHUB_ACTIONS")
_PLAYERS = ("first", "second", "white", "black", "player", "target")  # options and arguments that are names of players


def _state() -> str:
    """Hash of all inputs of the help except the terminal: versions, and the last change of sources."""
    digest = sha256(f"{version('halfpoint')} {version('typer')} {sys.version}".encode())
    spec = find_spec("halfpoint")
    folder = Path(spec.origin).parent if spec and spec.origin else Path(__file__).parent
    roots = {folder, Path(__file__).resolve().parents[1]}
    for root in sorted(roots):
        for place, folders, names in os.walk(root):
            folders[:] = [
                child for child in folders if child[0] not in "._" and child not in ("tests", "build", "docs")
            ]
            for name in names:
                if name.endswith((".py", ".toml")):
                    digest.update(f"{name}{os.stat(os.path.join(place, name)).st_mtime_ns}".encode())  # noqa: PTH116, PTH118
    return digest.hexdigest()


def _file_of(name: str) -> Path:
    """Path of the file that stores a command."""
    return cache_folder() / "commands" / f"{sha256(name.encode()).hexdigest()[:16]}.json"


def recall(name: str) -> dict[str, Any]:
    """Remembered parts of a command: params by sub-command, help by its look; empty if none."""
    try:
        record = json.loads(_file_of(name).read_text(encoding="utf-8"))
        return record if isinstance(record, dict) and record["state"] == _state() else {}
    except (OSError, ValueError, KeyError):
        return {}


def remember(name: str, command: Any, helped: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Remember an imported command, and its help if given; a read-only folder is not an error."""
    before = recall(name)
    if before and not helped:
        return before
    parts = getattr(command, "commands", None) or {"": command}
    record = {
        "state": _state(),
        "params": {part: [_described(param) for param in subcommand.params] for part, subcommand in parts.items()},
        "help": before.get("help", {}) | dict(helped or {}),
        "known": _known_names(),
    }
    with suppress(OSError):
        file = _file_of(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(record), encoding="utf-8")
        part.replace(file)
    return record


def _described(param: Any) -> dict[str, Any]:
    """Option or argument in the form of a completion."""
    option = param.param_type_name == "option"
    return {
        "name": param.name, "opts": [*param.opts, *param.secondary_opts] if option else [],
        "flag": bool(getattr(param, "is_flag", False)), "several": bool(getattr(param, "multiple", False)),
        "many": param.nargs == -1, "help": getattr(param, "help", "") or "",
    }  # fmt: skip


def _known_names() -> dict[str, list[str]]:
    """Names of models and systems, if the command imported them and all installed ones are valid."""
    known_names: dict[str, list[str]] = {}
    for key, module, names in (
        ("model", "halfpoint.models.declaration.catalogue", "CATALOGUE"),
        ("system", "halfpoint.systems.catalogue", "SYSTEMS"),
    ):  # fmt: skip
        catalogue = getattr(sys.modules.get(module), names, None)
        known_names[key] = []
        with suppress(HalfpointError):
            known_names[key] = [] if catalogue is None else list(catalogue)
    return known_names


def look_of_help() -> str:
    """Settings on which the help's look depends: width and colours of the terminal."""
    sizes = []
    for stream in (0, 1, 2):
        with suppress(OSError, ValueError):
            sizes.append(os.get_terminal_size(stream).columns)
            break
    return json.dumps([sizes, sys.stdout.isatty(), [os.environ.get(name) for name in _LOOKS]])


def help_of(words: Sequence[str], make: Callable[[], Any]) -> str:
    """Help of a command, as remembered, else made and remembered."""
    command_name = " ".join(word for word in words if word not in HELP)
    key = f"{command_name} {look_of_help()}"
    help_texts = recall(words[0]).get("help", {})
    if key in help_texts:
        return str(help_texts[key])
    from typer import rich_utils

    before, rich_utils.FORCE_TERMINAL = rich_utils.FORCE_TERMINAL, rich_utils.FORCE_TERMINAL or sys.stdout.isatty()
    text = StringIO()
    try:
        with redirect_stdout(text):
            command = make()
    finally:
        rich_utils.FORCE_TERMINAL = before
    remember(words[0], command, {key: text.getvalue()})
    return text.getvalue()


def application_of(name: str, remembered: Mapping[str, Any]) -> typer.Typer:
    """Application with one remembered command, for completion alone; it cannot be run."""
    app = typer.Typer()
    app.callback()(lambda: None)
    parts = remembered["params"]
    if "" in parts:
        app.command(name)(_empty(parts[""], remembered["known"]))
        return app
    below = typer.Typer()
    below.callback()(lambda: None)
    for part, params in parts.items():
        below.command(part)(_empty(params, remembered["known"]))
    app.add_typer(below, name=name)
    return app


def _empty(params: Sequence[Mapping[str, Any]], known_names: Mapping[str, Sequence[str]]) -> Callable[..., None]:
    """Make an empty function with the options of a command."""

    def do_nothing(**options: Any) -> None:
        """Do nothing."""

    parameters = []
    for param in params:
        if param["name"] == "help":
            continue
        kind: Any = bool if param["flag"] else list[str] if param["several"] or param["many"] else str
        complete = _completer(param["name"], known_names)
        declared = (
            typer.Option(*param["opts"], help=param["help"], autocompletion=complete)
            if param["opts"]
            else typer.Argument(help=param["help"], autocompletion=complete)
        )
        parameters.append(
            inspect.Parameter(
                param["name"], inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, declared]
            )
        )
    do_nothing.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    do_nothing.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return do_nothing


def _completer(name: str, known_names: Mapping[str, Sequence[str]]) -> Callable[[str], list[str]] | None:
    """Completion of an option or argument by its name; None for files."""
    if name in _PLAYERS:
        return lambda incomplete: [player for player in _players() if player.lower().startswith(incomplete.lower())]
    names = known_names.get(name.removesuffix("s"), ())
    return (lambda incomplete: [entry for entry in names if entry.startswith(incomplete)]) if names else None


def _players() -> list[str]:
    """Players of the trace among the words so far."""
    import h5py

    words = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    for word in words.split():
        path = Path(word) / "trace.nc" if Path(word).is_dir() else Path(word)
        if path.suffix == ".nc" and path.is_file():
            with suppress(OSError, KeyError), h5py.File(path) as file:
                return [
                    player.decode() if isinstance(player, bytes) else str(player)
                    for player in file["posterior/player"][:]
                ]
    return []
