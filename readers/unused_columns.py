"""A one-line note on unused columns, for files of the fields and files that accompany the games."""

from collections.abc import Collection, Sequence
from pathlib import Path

from halfpoint.models.games.errors import printable
from halfpoint.readers.words import SIMULATED, list_names


def unused_columns(header: Sequence[str], used: Collection[str], file: str | Path | None = None) -> tuple[str, ...]:
    """A note on the columns that are not used, which names the file if given; empty if all columns are used.

    Examples
    --------
    >>> unused_columns(["player", "cost", "vendor"], ["player", "cost"], "costs.csv")
    ("costs.csv, columns not used: 'vendor'",)
    """
    unused = [name for name in header if name.strip() and name not in used and name != SIMULATED]
    place = "" if file is None else f"{printable(Path(file).name)}, "
    return (f"{place}columns not used: {list_names(unused)}",) if unused else ()


def notes_of_file(notes: Sequence[str], file: object) -> tuple[str, ...]:
    """The notes on a file beside the games, each with the name of the file."""
    name = printable(Path(file).name) if isinstance(file, str | Path) else ""
    return tuple(f"{name}, {note}" if name else note for note in notes)
