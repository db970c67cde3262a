"""Completion by the shell's TAB of options whose values are names: of models, of rating systems, of a trace's players.

Typer completes commands and options. Names of halfpoint's own models and systems are in `names.toml`, written by
`.ci/catalogue.py`, since importing the catalogues takes half a second; with rows of other distributions the catalogues
are imported.
"""

import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.plugins import is_extended

COMPLETING = "_HALFPOINT_COMPLETE"  # set by a shell that requests completions
NAMES = Path(__file__).with_name("names.toml")
_PLAYERS = ("first", "second", "white", "black", "player", "target")  # options and arguments that are names of players
_CATALOGUES = ("model", "models", "system", "systems")  # options that are names of rows


def words_so_far() -> list[str]:
    """Words of the command line that a shell completes."""
    return (os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")).split()


def completer_of(name: str) -> Callable[[str], list[str]] | None:
    """Completion of an option or argument by its name; None for files and other values."""
    if name in _PLAYERS:
        return lambda incomplete: [player for player in _players() if player.startswith(incomplete)]
    if name in _CATALOGUES:
        return lambda incomplete: [row for row in _rows(name) if row.startswith(incomplete)]
    return None


def _rows(name: str) -> list[str]:
    """Names of models or of systems; none if a row of another distribution is faulty."""
    kind = f"{name.removesuffix('s')}s"
    if not is_extended():
        return list(tomllib.loads(NAMES.read_text(encoding="utf-8"))[kind])
    from halfpoint.models.declaration.catalogue import CATALOGUE
    from halfpoint.systems.catalogue import SYSTEMS

    with suppress(HalfpointError):
        return list(CATALOGUE if kind == "models" else SYSTEMS)
    return []


def _players() -> list[str]:
    """Players of the trace among the words so far."""
    import h5py

    faults = OSError, KeyError, ValueError, TypeError, AttributeError, RuntimeError  # of h5py, and of names too long
    for word in words_so_far():
        with suppress(*faults):
            path = Path(word) / "trace.nc" if Path(word).is_dir() else Path(word)
            if path.suffix == ".nc" and path.is_file():
                with h5py.File(path) as file:
                    return [
                        player.decode() if isinstance(player, bytes) else str(player)
                        for player in file["posterior/player"][:]
                    ]
    return []
