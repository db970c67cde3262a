"""Libraries that not everybody needs: which extra of halfpoint brings them, and one line for who has not got them.

A plain `pip install halfpoint` has what `halfpoint rate` and the questions to its trace need, and no more.
"""

from importlib.util import find_spec

from halfpoint.games.errors import HalfpointError

EXTRAS = {"matplotlib": "figures", "openskill": "systems", "pooch": "study"}


def require(library: str, what: str) -> None:
    """Raise in one line unless a library is installed."""
    if find_spec(library) is None:
        remedy = f"pip install 'halfpoint[{EXTRAS[library]}]'"
        raise HalfpointError(f"{what}: expected the library {library}, found none. Install it: {remedy}.")
