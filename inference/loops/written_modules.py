"""Written modules in the user's cache folder, loaded if they are intact and the user's own."""

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace

import platformdirs

from halfpoint.inference.loops import vector_arithmetic
from halfpoint.models import formulas
from halfpoint.models.games.atomic_write import write_text
from halfpoint.models.games.errors import HalfpointError

_SEAL = "# sha256 of what follows: "
_WRITERS = ("operators.py", "generator.py", "written_modules.py")


def load_module(key: str, source: Callable[[], str]) -> ModuleType | SimpleNamespace:
    """Load a written module from the user's cache folder if it is intact and writable by the user only."""
    version = hashlib.sha256((key + cache_versions()).encode()).hexdigest()[:16]
    module = f"halfpoint_formula_{version}"
    path = Path(platformdirs.user_cache_dir("halfpoint")) / "formulas" / f"{module}.py"
    try:
        text = path.read_text(encoding="utf-8", errors="replace") if _is_owned(path) and _is_owned(path.parent) else ""
        if not is_intact(text):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.parent.chmod(0o700)  # refused where it is another user's
            path.unlink(missing_ok=True)
            text = source()
            text = f"{_SEAL}{hashlib.sha256(text.encode()).hexdigest()}\n{text}"
            write_text(path, text)
            path.chmod(0o600)
            if not _is_owned(path.parent):
                raise PermissionError(path.parent)
        loaded = sys.modules[module] = ModuleType(module)
        exec(compile(text, path, "exec"), vars(loaded))  # the hashed text, even if the file has changed
    except (OSError, HalfpointError):  # no folder to write in: compiled for this process only
        namespace: dict[str, object] = {}
        exec(compile(source(), module, "exec"), namespace)
        return SimpleNamespace(**namespace)
    return loaded


def _is_owned(path: Path) -> bool:
    """True if a file or folder exists, belongs to the user, and no other user can write to it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if os.name == "nt":  # no owners and modes that say so
        return True
    return status.st_uid == os.geteuid() and not stat.S_ISLNK(status.st_mode) and not status.st_mode & 0o022


def is_intact(text: str) -> bool:
    """True if a written module is unchanged: its first line has the hash of all other lines."""
    first, _, body = text.partition("\n")
    return first == _SEAL + hashlib.sha256(body.encode()).hexdigest()


@cache
def cache_versions() -> str:
    """Versions on which all written code depends: hash of our own sources, and version of PyTensor."""
    sources = [Path(__file__).with_name(name) for name in _WRITERS]
    sources += [Path(str(formulas.__file__)).with_name("linear_form.py"), Path(str(vector_arithmetic.__file__))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest() + version("pytensor")
