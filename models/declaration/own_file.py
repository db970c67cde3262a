"""A user's model from a Python file: `FILE.py:NAME` in place of a name of the catalogue.

    # mymodels.py
    def mine(games):
        with pm.Model(coords=games.coords) as model:
            ...
        return model

`mymodels.py:mine` is then accepted like a name of the catalogue. The file is run, as Python runs any file that it
imports, with the modules in its folder; a trace never runs a file.
"""

import importlib.util
import sys
from pathlib import Path

from halfpoint.models.errors import ModelError
from halfpoint.models.games.errors import HalfpointError, printable
from halfpoint.models.language.model import Model, as_model

MARK = ".py:"


_RUN: dict[tuple[Path, int], dict[str, object]] = {}  # what files define, as sys.modules has what modules define
_FOLDERS: list[str] = []  # of these files, where Python looks for modules last


def run_file(path: Path, changed: int) -> dict[str, object]:
    """Names that a file defines; the file runs again after each change."""
    if (path, changed) in _RUN:
        return _RUN[path, changed]
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise ModelError(f"--model: expected a Python file, found {printable(str(path))}")
    module = importlib.util.module_from_spec(specification)
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # nothing is left beside the user's file
    _look_in(str(path.parent))
    standing = sys.modules.setdefault(path.stem, module)  # where dataclasses look for what annotations mean
    try:
        specification.loader.exec_module(module)
    except Exception as error:  # whatever a user's file does wrong
        what = printable(f"{type(error).__name__}: {error}".split("\n")[0])
        raise ModelError(f"--model: {printable(str(path))} does not run: {what}") from error
    finally:
        sys.dont_write_bytecode = written
        if standing is module:
            del sys.modules[path.stem]
    _RUN[path, changed] = vars(module)
    return _RUN[path, changed]


def _look_in(folder: str) -> None:
    """Let Python find modules in a folder; those of other such folders, or from before a change, are forgotten."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and str(Path(file).parent) in _FOLDERS:
            del sys.modules[name]
    sys.path[:] = [place for place in sys.path if place not in _FOLDERS]
    _FOLDERS[:] = [] if folder in sys.path else [folder]
    sys.path += _FOLDERS


def load(reference: str) -> Model:
    """Load the model that `FILE.py:NAME` names: a function of games, or a `Model`."""
    file, _, name = reference.rpartition(":")
    path = Path(file).expanduser()
    try:
        changed = max(file.stat().st_mtime_ns for file in (path, *filter(Path.is_file, path.parent.glob("*.py"))))
    except (OSError, ValueError) as error:
        raise ModelError(f"--model: expected a file of models, found none at {printable(file)!r}") from error
    scope = run_file(path.resolve(), changed)
    value, place = scope.get(name), scope.get("__name__")
    if isinstance(value, Model):
        return value
    if callable(value) and not isinstance(value, type):
        try:
            return as_model(value)
        except HalfpointError as error:
            raise ModelError(f"--model: {printable(file)}: {error}") from error
    functions = [key for key, part in scope.items() if callable(part) and getattr(part, "__module__", None) == place]
    names = ", ".join(sorted({*functions, *(key for key, part in scope.items() if isinstance(part, Model))})) or "none"
    raise ModelError(f"--model: expected a function of games in {printable(file)} ({names}), found {printable(name)!r}")
