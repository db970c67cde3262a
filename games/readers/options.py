"""What a user may say of a table of games, the same for every format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from halfpoint.games.errors import GameTableError

FAULTY = ("error", "apart")


@dataclass(frozen=True)
class ReaderOptions:
    """What is said of columns and cells.

    Parameters
    ----------
    columns : mapping of str to str
        Field to the source's column, where the names differ: ``{"white": "W", "black": "B", "score": "y"}``; ``first``,
        ``second`` and ``outcome`` are white, black and score. A nested column is called by its path.
    covariates, ignore : sequence of str
        Columns to keep as covariates, and to leave out. Of the others those that hold numbers are kept too; texts are
        left out and named in the table's notes. ``*`` in `ignore` leaves out all others and names none.
    about : sequence of str
        Fields of `halfpoint.games.readers.words.ABOUT` to keep as texts where the source has them.
    outcomes : str or mapping, optional
        What words of outcomes mean, before what they mean by themselves: ``both_bad=drop``, ``1=first``.
    date_format : str, optional
        How dates are written if not with the year first, for example ``%d/%m/%Y``.
    scored : bool
        Whether scores are wanted; games to come have none, and get half a point that nothing looks at.
    sides : str, optional
        What stands between the people of a side in one cell, such as +, or "whole" for names as they stand. People may
        also have columns of their own (white_1, white_2), or stand in lists (`halfpoint.games.readers.side_cells`).
    delimiter : str, optional
        One character between the cells of CSV; if not given, that of comma, semicolon, tab and bar which the header
        has most of.
    faulty : {"error", "apart"}
        Whether a row that breaks a rule is an error, or set apart and counted in the table's notes: 100 and a
        tenth of the rows at most.
    name, source : str, optional
        Name of the data set, and what messages call the source; those of the file if not given.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    covariates: Sequence[str] = ()
    ignore: Sequence[str] = ()
    about: Sequence[str] = ()
    outcomes: str | Mapping[str, Any] | None = None
    date_format: str | None = None
    scored: bool = True
    sides: str | None = None
    delimiter: str | None = None
    faulty: str = "error"
    name: str | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        if self.faulty not in FAULTY:
            raise GameTableError("--faulty", " | ".join(FAULTY), repr(self.faulty))
