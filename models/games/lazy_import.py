"""Optional libraries: imported on first use, with one line of advice if missing.

A plain `pip install halfpoint` installs only the requirements of `halfpoint rate` and of the commands that use its
trace.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from halfpoint.models.games.errors import HalfpointError

# which extra of halfpoint brings them
EXTRAS = {"distributed": "cluster", "matplotlib": "figures", "openskill": "systems", "pooch": "study"}


class LazyModule:
    """A module that is imported on first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, key: str) -> Any:
        return getattr(import_module(self.name), key)


_MODULES = cast(dict[str, object], sys.modules)  # None: an import finds no such module


@contextmanager
def left_out(*libraries: str) -> Iterator[None]:
    """Hide libraries from others that import them if they are installed, until `require` needs one."""
    new = [library for library in libraries if library not in _MODULES]
    _MODULES.update(dict.fromkeys(new))
    try:
        yield
    finally:
        _bring_back(*new)


def _bring_back(*libraries: str) -> None:
    """Make hidden libraries importable again."""
    for library in libraries:
        if library in _MODULES and _MODULES[library] is None:
            del _MODULES[library]


def require(library: str, what: str) -> None:
    """Raise in one line unless a library is installed."""
    _bring_back("dask")  # which distributed needs
    if find_spec(library) is None:
        remedy = f"pip install 'halfpoint[{EXTRAS[library]}]'"
        raise HalfpointError(f"{what}: expected the library {library}, found none. Install it: {remedy}.")
