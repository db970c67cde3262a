"""Readers under fuzzing, and their required behaviour on any file."""

from pathlib import Path

import numpy as np
import written
from pgn_by_chess_library import read_pgn

from halfpoint.apps.workflows.beside.duplicates import find_duplicates, read_accepted
from halfpoint.apps.workflows.beside.rating_lists import read_fide_list
from halfpoint.models.games.components import components
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import read_players
from halfpoint.models.games.table import GameTable
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.read import read
from halfpoint.readers.study_format import read_study

MESSAGE_LIMIT = 1500
PACKINGS = ("gz", "bz2", "zst", "zip")

READERS = {
    "read": read,
    "read as CSV": lambda path: read(path, kind="csv"),
    "read with other words": lambda path: read(path, covariates=["event"], date_format="%Y-%m-%d"),
    "read_study": read_study,
    "read_pgn": read_pgn,
    "read_pgn_headers": lambda path: read_pgn_headers(path).games,
    "read_pgn_headers, lenient": lambda path: read_pgn_headers(path, faulty="apart", moves=True, tags=["Round"]).games,
    "read as JSON lines": lambda path: read(path, kind="jsonl"),
    "read_fide_list": read_fide_list,
    "read_accepted": read_accepted,
    "read_players": read_players,
    **{kind: lambda path, kind=kind: written.read_back(kind, path) for kind in written.KINDS},
}
SUITED = {
    **{f"pgn.{kind}": ("read", "read_pgn", "read_pgn_headers", "read_pgn_headers, lenient") for kind in PACKINGS},
    "csv": ("read", "read as CSV", "read with other words"),
    "study": ("read", "read_study"),
    "pgn": ("read", "read_pgn", "read_pgn_headers", "read_pgn_headers, lenient"),
    "parquet": ("read",),
    "list.txt": ("read_fide_list",),
    "proposals": ("read_accepted",),
    "names.txt": ("read_players",),
    **{kind: (kind,) for kind in written.KINDS},
}


def listing(path: Path) -> list[Path]:
    """Files next to a file; none for a device."""
    return sorted(path.parent.iterdir()) if "\0" not in str(path) and not str(path).startswith("/dev") else []


def check(reader: str, path: Path) -> bool:
    """True if the reader accepted the file; `AssertionError` if it neither accepted nor refused it properly."""
    before = listing(path)
    try:
        answer = READERS[reader](path)
    except HalfpointError as refused:
        message = str(refused)
        assert message.isprintable(), f"{reader}: {message!r} is not one printable line"
        assert len(message) < MESSAGE_LIMIT, f"{reader}: a message of {len(message)} characters"
        return False
    finally:
        assert listing(path) == before, f"{reader} left a file behind"
    if answer is False:
        return False
    if isinstance(answer, GameTable):
        assert len(answer) > 0
        assert np.isin(answer.score, (0.0, 0.5, 1.0)).all()
        assert (answer.white != answer.black).all()
        assert all(name.strip() == name != "" for name in answer.players.tolist())
        components(answer).describe()
        find_duplicates(answer).describe(answer)
    return True
