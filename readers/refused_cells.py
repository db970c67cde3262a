"""Files of cells, which readers of single games recognise and refuse (`halfpoint.models.games.cells_file`)."""

from pathlib import Path
from typing import NoReturn

from halfpoint.models.games.cells_file import is_cells
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.forms import Form

_TAKEN_BY = "halfpoint rate, list, leaderboard and cells"


def refuse_cells(file: str | Path, *_: object, **__: object) -> NoReturn:
    """Raise `GameTableError` for cells: the command needs single games."""
    remedy = f"{_TAKEN_BY} take cells; other commands need dates, order or columns. Give the games."
    raise GameTableError(str(file), "single games", "cells (halfpoint cells)", remedy)


CELLS = Form(is_cells, refuse_cells)
