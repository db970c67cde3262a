"""Options of a table of games, the same for every format."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lists_in_text import columns_in, words_in
from halfpoint.models.games.ranges import require_word, shorten_value

FAULTY = ("error", "apart")
DAY_BEFORE = "day first"  # of dates that can be read in two ways, where it is known of others like them
#: options allowed in a file: the types of each, and the expected value in messages
_IN_FILE: dict[str, tuple[Any, str]] = {
    "columns": (dict, 'names, such as columns = {white = "home", black = "away"}'),
    "ignore": (list, 'names, such as ignore = ["Referee"]'),
    "date_format": (str, 'a text, such as date_format = "%d/%m/%Y"'),
    "sides": (str, 'a text, such as sides = "+"'),
    "better": (str, 'higher or lower, such as better = "lower"'),
    "rope": ((int, float), "a number, such as rope = 0.01"),
    "trust": (bool, "true or false"),
    "form": (str, 'a file, such as form = "club.toml"'),
    "outcomes": ((str, dict), 'words and their meanings, such as outcomes = {tie = 0.5, skip = "drop"}'),
}


def options_in(path: str | Path, keys: Sequence[str] = tuple(_IN_FILE)) -> dict[str, object]:
    """Reader options by name from a TOML file; `GameTableError` names the file and the wrong key."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameTableError(str(path), "options of a table as TOML", str(error)) from error
    return options_in_mapping(table, path, keys)


def options_in_mapping(table: dict[str, Any], path: str | Path, keys: Sequence[str]) -> dict[str, object]:
    """Reader options of a TOML file after a check of keys and types; `GameTableError` names the file and the key."""
    for key, value in table.items():
        if key not in keys:
            raise GameTableError(f"{path}, {key}", " | ".join(keys), "another key")
        kinds, expected = _IN_FILE[key]
        names = value.values() if key == "columns" and isinstance(value, dict) else value if key == "ignore" else ()
        if not isinstance(value, kinds) or not all(isinstance(name, str) for name in names):
            raise GameTableError(f"{path}, {key}", expected, shorten_value(value))
    return table


@dataclass(frozen=True)
class ReaderOptions:
    """Options of columns and cells."""

    #: field to the source's column, if the names differ: ``{"white": "W", "black": "B", "score": "y"}``; ``first``,
    #: ``second`` and ``outcome`` are white, black and score. A nested column is called by its path. These options may
    #: also be texts, as on the command line: ``"white=W,black=B"``.
    columns: Mapping[str, str] = field(default_factory=dict)
    covariates: Sequence[str] = ()  #: columns to keep as covariates; of the others those that hold numbers are kept too
    #: columns to leave out. Unused columns of text are left out and named in the table's notes; ``*`` leaves out all
    #: unused columns without a note.
    ignore: Sequence[str] = ()
    about: Sequence[str] = ()  #: fields of `halfpoint.readers.words.ABOUT` to keep as texts where they are there
    #: meanings of words of outcomes, before their usual meanings: ``both_bad=drop``, ``1=first``
    outcomes: str | Mapping[str, object] | None = None
    #: how dates are written if not with the year first, for example ``%d/%m/%Y``; or "day first"
    date_format: str | None = None
    #: whether scores are read; games to come have no score, and get half a point that is not used
    scored: bool = True
    #: mark between the people of a side in one cell, such as +, or "whole" for unsplit names. People may also have
    #: columns of their own (white_1, white_2), or be in lists (`halfpoint.readers.side_cells`).
    sides: str | None = None
    #: of a table of scores of algorithms, whether "higher" or "lower" scores are better; higher if not given
    better: str | None = None
    rope: float | None = None  #: of such a table, how far apart scores are a tie (region of practical equivalence)
    form: str | Path | None = None  #: TOML file of the form of the file (`halfpoint.readers.known_forms`)
    #: one character between the cells of CSV; if not given, that of comma, semicolon, tab and bar which the header has
    #: most of
    delimiter: str | None = None
    #: whether a row that breaks a rule is an "error", or set "apart" and counted in the table's notes: 100 and a tenth
    #: of the rows at most
    faulty: str = "error"
    trust: bool = False  #: whether a reading that fails the trial is kept (`halfpoint.readers.trial`)
    name: str | None = None  #: name of the data set; that of the file if not given
    source: str | None = None  #: what messages call the source; the file if not given

    def __post_init__(self) -> None:
        require_word("--faulty", self.faulty, FAULTY, GameTableError)
        for key, list_in in (("columns", columns_in), ("covariates", words_in), ("ignore", words_in)):
            if isinstance(text := getattr(self, key), str):  # as on the command line
                object.__setattr__(self, key, list_in(text))
        for key, value in (("columns", self.columns), ("outcomes", self.outcomes or "")):
            if not isinstance(value, Mapping | str):
                raise GameTableError(key, _IN_FILE[key][1], shorten_value(value))
