"""Extent of a run of the study as a record."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfpoint.models.games.settings import setting


@dataclass(frozen=True)
class Scope:
    """Extent, games and folder of a run of the study."""

    data_dir: str | Path | None = setting(None, "folder with the study's games")
    replica: bool = setting(False, "use the simulated replica instead of the games")
    extended: bool = setting(False, "without --models: all models that the games allow (an hour)")
    groups: Sequence[str] = setting((), "further groups of the traces, for ArviZ (`halfpoint.inference.trace_groups`)")
    warn: Callable[[str], None] = setting(
        warnings.warn, "gets a line if the games are simulated because the study's games are not available"
    )
