"""What a user may say of a table of games, the same for every format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from halfpoint.games.errors import GameTableError

FAULTY = ("error", "apart")
DAY_BEFORE = "day first"  # of dates that can be read in two ways, where it is known of others like them


@dataclass(frozen=True)
class ReaderOptions:
    """What is said of columns and cells."""

    #: field to the source's column, where the names differ: ``{"white": "W", "black": "B", "score": "y"}``; ``first``,
    #: ``second`` and ``outcome`` are white, black and score. A nested column is called by its path.
    columns: Mapping[str, str] = field(default_factory=dict)
    covariates: Sequence[str] = ()  #: columns to keep as covariates; of the others those that hold numbers are kept too
    #: columns to leave out. Texts that nothing asks for are left out and named in the table's notes; ``*`` leaves out
    #: all others and names none.
    ignore: Sequence[str] = ()
    about: Sequence[str] = ()  #: fields of `halfpoint.games.readers.words.ABOUT` to keep as texts where they are there
    #: what words of outcomes mean, before what they mean by themselves: ``both_bad=drop``, ``1=first``
    outcomes: str | Mapping[str, Any] | None = None
    #: how dates are written if not with the year first, for example ``%d/%m/%Y``; or "day first"
    date_format: str | None = None
    #: whether scores are wanted; games to come have none, and get half a point that nothing looks at
    scored: bool = True
    #: what stands between the people of a side in one cell, such as +, or "whole" for names as they stand. People may
    #: also have columns of their own (white_1, white_2), or stand in lists (`halfpoint.games.readers.side_cells`).
    sides: str | None = None
    #: one character between the cells of CSV; if not given, that of comma, semicolon, tab and bar which the header has
    #: most of
    delimiter: str | None = None
    #: whether a row that breaks a rule is an "error", or set "apart" and counted in the table's notes: 100 and a tenth
    #: of the rows at most
    faulty: str = "error"
    name: str | None = None  #: name of the data set; that of the file if not given
    source: str | None = None  #: what messages call the source; the file if not given

    def __post_init__(self) -> None:
        if self.faulty not in FAULTY:
            raise GameTableError("--faulty", " | ".join(FAULTY), repr(self.faulty))
