"""Environment of a command: a Python that can import the libraries, folders for compiled code, output."""

import atexit
import gc
import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from halfpoint.models.games.errors import HalfpointError, PlacedError
from halfpoint.models.games.memory import known_values, limit_of_addresses
from halfpoint.readers.datasets.fetch import cache_folder

_ADDRESSES = 1.7e9  # bytes that are claimed, most of them never used, before the first game is read
# what ends libraries in a traceback otherwise
_VARIABLES = {"NUMBA_DISABLE_JIT": ("0", "0, since most loops only exist compiled")} | dict.fromkeys(
    ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"), (r"[1-9]\d*", "a number of threads from 1")
)
_NEW_OBJECTS = 500_000  # before Python looks for garbage, in place of 2,000: imports leave none, .1 CPU s
_SETTINGS_OF = {"arvizrc": "arviz_base", "matplotlibrc": "matplotlib", ".numba_config.yaml": "numba"}


def prepare() -> None:
    """Make the process ready for a command."""
    if sys.flags.optimize > 1:
        raise HalfpointError("python -OO removes docstrings, which libraries need. Use python or python -O.")
    _open_closed_streams()
    for free in known_values(limit_of_addresses):
        if free < _ADDRESSES:
            available = f"{free / 1e9:.1f} GB of addresses left by ulimit -v"
            raise PlacedError(
                "memory", f"{_ADDRESSES / 1e9:.1f} GB of addresses for libraries", available, "Raise that limit."
            )
    for name, (pattern, expectation) in _VARIABLES.items():
        if (value := os.environ.get(name, "").strip()) and not re.fullmatch(pattern, value):
            raise PlacedError(name, expectation, repr(value), f"Correct {name}, or unset it.")
    gc.set_threshold(_NEW_OBJECTS)
    os.environ.pop("MPLBACKEND", None)  # figures are drawn without a screen
    _keep_out_settings()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends no command
    _keep_generated_sources()


def _open_closed_streams() -> None:
    """Redirect closed streams to nowhere, as left by cron and `>&-`.

    A file that is opened later would otherwise get its number, and what libraries print.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.dup(number), "w" if number else "r", encoding="utf-8"))


def _keep_out_settings() -> None:
    """Import libraries that read settings from the working folder in another folder, if it has such settings.

    Files of a user there, such as games and results, then change neither numbers nor figures.
    """
    try:
        working_folder = Path.cwd()
    except OSError:  # the folder is gone
        return
    libraries = [library for name, library in _SETTINGS_OF.items() if (working_folder / name).exists()]
    if libraries:
        os.chdir(Path(__file__).parent)
        try:
            for library in libraries:
                with suppress(ImportError):
                    import_module(library)
        finally:
            os.chdir(working_folder)


def _keep_generated_sources() -> None:
    """Let PyTensor keep compiled code in its own folder, or for this run only if that is not writable.

    The sources that it generates go to our cache, where old ones are cleared; by default each stays permanently in the
    system's temporary folder.
    """
    flags = os.environ.get("PYTENSOR_FLAGS", "")
    added = []
    if "compiledir" not in flags and "PYTENSOR_BASE_COMPILEDIR" not in os.environ:
        home = Path(os.path.expanduser("~/.pytensor"))  # noqa: PTH111 - no error where there is no home
        if not _writable(home):
            place = tempfile.mkdtemp(prefix="halfpoint-")
            atexit.register(shutil.rmtree, place, ignore_errors=True)
            added.append(f"base_compiledir={place}")
    folder = cache_folder() / "generated"
    if "generated_src_dir" not in flags and "," not in str(folder) and _writable(folder):
        added.append(f"generated_src_dir={folder}")
    if added:
        os.environ["PYTENSOR_FLAGS"] = ",".join(filter(None, [flags, *added]))


def _writable(folder: Path) -> bool:
    """True if a folder exists or can be made, and is writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def tell(text: str) -> None:
    """Print the last line of a command, discarding output that waits for a full or closed stream."""
    with suppress(OSError):
        print(f"halfpoint: {text}", file=sys.stderr)  # noqa: T201
    for number, stream in enumerate((sys.stdout, sys.stderr), 1):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
