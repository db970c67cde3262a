"""Optional libraries: imported on first use, with one line of advice if missing.

A plain `pip install halfpoint` installs only the requirements of `halfpoint rate` and of the commands that use its
trace.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from halfpoint.models.games.errors import HalfpointError

# which extra of halfpoint brings them
EXTRAS = {"distributed": "cluster", "matplotlib": "figures", "openskill": "systems", "pooch": "study"}


class LazyModule:
    """A module that is imported on first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, key: str) -> Any:
        return getattr(import_module(self.name), key)


def require(library: str, what: str) -> None:
    """Raise in one line unless a library is installed."""
    if find_spec(library) is None:
        remedy = f"pip install 'halfpoint[{EXTRAS[library]}]'"
        raise HalfpointError(f"{what}: expected the library {library}, found none. Install it: {remedy}.")
