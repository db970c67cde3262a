"""What a command needs around it: a Python that libraries can be imported under, folders for compiled code, output."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

from halfpoint.games.datasets.fetch import cache_folder
from halfpoint.games.errors import HalfpointError


def prepare() -> None:
    """Make the process ready for a command.

    Raises
    ------
    HalfpointError
        If Python drops docstrings.
    """
    if sys.flags.optimize > 1:
        raise HalfpointError(
            "python -OO: expected a Python that keeps docstrings, which libraries need, found none. "
            "Use python or python -O."
        )
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends no command
    keep_generated_sources()


def keep_generated_sources() -> None:
    """Let PyTensor keep what it compiles: in its own folder, else, where that cannot be written, for this run only.

    The sources that it generates go to our cache, where old ones are cleared; by default each stays for ever in the
    system's temporary folder.
    """
    flags = os.environ.get("PYTENSOR_FLAGS", "")
    added = []
    if "compiledir" not in flags and "PYTENSOR_BASE_COMPILEDIR" not in os.environ:
        home = Path(os.path.expanduser("~/.pytensor"))  # noqa: PTH111 - no error where there is no home
        if not writable(home):
            place = tempfile.mkdtemp(prefix="halfpoint-")
            atexit.register(shutil.rmtree, place, ignore_errors=True)
            added.append(f"base_compiledir={place}")
    folder = cache_folder() / "generated"
    if "generated_src_dir" not in flags and "," not in str(folder) and writable(folder):
        added.append(f"generated_src_dir={folder}")
    if added:
        os.environ["PYTENSOR_FLAGS"] = ",".join(filter(None, [flags, *added]))


def writable(folder: Path) -> bool:
    """Return whether a folder is there, or can be made, and takes files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def tell(error: Exception, text: str) -> None:
    """Print the one line that ends a command; what still waits for a full or closed output is given up."""
    if isinstance(error, OSError):
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.close(silent)
    print(f"halfpoint: {text}", file=sys.stderr)  # noqa: T201
