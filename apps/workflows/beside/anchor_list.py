"""Ratings of an earlier list, with errors if given, used as anchors.

A file has one row per player: name, rating, and optionally the standard error, ``"Fritz", 2850, 20`` as in Ordo's
files, or the columns of a rating list under their names, as `halfpoint rate` writes them. A plus-minus column of a
list, as BayesElo and CCRL print it, and Ordo's ERROR are half of a 95% interval, 1.96 standard errors. A rating without
an error, or with the error 0, is fixed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.apps.workflows.beside.columns import csv_rows, unused_columns
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.plain_words import NAMES, plain_word
from halfpoint.models.games.ranges import Range
from halfpoint.models.games.table import Floats, Texts

type Anchored = str | Path | pd.DataFrame | Mapping[str, object]

# words of columns without case, blanks and punctuation; signs unchanged
_RATINGS = ("ratingelo", "rating", "elo", "meanelo", "rtg")
_ERRORS = ("errorelo", "sdelo", "standarderror", "standarderrorelo", "stderr", "stderror", "stdev", "standarddeviation",
           "se", "sd", "error", "uncertainty", "rd", "deviationelo", "deviation", "err", "sigma")  # fmt: skip
_HALF_WIDTHS = ("+/-", "±", "plusminus", "error95", "margin95", "halfwidth", "ci95", "95ci", "margin", "interval95")
_UP, _DOWN = ("+", "plus"), ("-", "minus")  # half of an interval to either side, as BayesElo prints it
_ORDO = ("points", "played", "percent", "games", "w", "cfs", "cfsnext")  # beside which Ordo's ERROR is half of 95%
_WIDTH = 1.96  # standard errors in half of a 95% interval
_RATING, _ERROR = Range(-10_000.0, 20_000.0), Range(0.0, 5_000.0)
HELD_ELO = 0.01  # standard error of a rating that is known


@dataclass(frozen=True, eq=False)
class AnchorList:
    """Known ratings to which players are anchored."""

    source: str  # their source
    names: tuple[str, ...]  # players, each once
    # (player, 2): rating and standard error, Elo points; an error of `HELD_ELO` where the rating is known
    prior_elo: Floats
    notes: tuple[str, ...] = ()  # the column used as errors, and unused columns

    @property
    def is_fixed(self) -> npt.NDArray[np.bool_]:
        """True if a rating is known, shape (player,)."""
        return np.asarray(self.prior_elo[:, 1] <= HELD_ELO)

    def __len__(self) -> int:
        return len(self.names)

    def among(self, players: Sequence[str] | Texts) -> "AnchorList":
        """Part of the list for some players, in their spelling."""
        roster = Players(players)
        row_of_player: dict[str, int] = {}
        for row, name in enumerate(self.names):
            place = roster.place(name)
            if place is not None and row_of_player.setdefault(roster.names[place], row) != row:
                earlier = self.names[row_of_player[roster.names[place]]]
                raise GameTableError(self.source, "every player once", f"{earlier!r} and {name!r}, the same player")
        if not row_of_player:
            missing = f"none of its {len(self)}, such as {self.names[0]!r}"
            raise GameTableError(self.source, "players of the games", missing, roster.hint(self.names[0]))
        return AnchorList(self.source, tuple(row_of_player), self.prior_elo[list(row_of_player.values())], self.notes)

    def of(self, players: Sequence[str] | Texts) -> Floats:
        """Rating and error of each of some players, shape (player, 2), NaN if not in the list."""
        row = dict(zip(self.names, self.prior_elo, strict=True))
        return np.array([row.get(str(name), (np.nan, np.nan)) for name in players]).reshape(-1, 2)

    def words(self, player_count: int) -> str:
        """Number of the list's players in the games, in words."""
        errors = self.prior_elo[~self.is_fixed, 1]
        parts = [f"{int(self.is_fixed.sum())} known"] if self.is_fixed.any() else []
        if errors.size:
            span = f"{errors.min():.3g} to {errors.max():.3g}" if errors.min() < errors.max() else f"{errors[0]:.3g}"
            parts.append(f"{errors.size} with a standard error of {span} Elo")
        away = player_count - len(self)
        absent = f"; {count_noun(away, 'other')} of the list {'are' if away > 1 else 'is'} not in these games"
        ending = absent if away else ""
        return "; ".join([f"anchors, {self.source}: {' and '.join(parts)}{ending}", *self.notes])


def read_anchors(anchors: Anchored) -> AnchorList:
    """Read known ratings to which players are anchored.

    Examples
    --------
    >>> anchors = read_anchors({"Fritz": 2850, "Crafty": (2700, 20)})
    >>> anchors.names, anchors.prior_elo.tolist()
    (('Fritz', 'Crafty'), [[2850.0, 0.01], [2700.0, 20.0]])
    """
    if isinstance(anchors, Mapping):
        numbers_of = {name: elo if isinstance(elo, tuple | list) else (elo,) for name, elo in anchors.items()}
        return _of_rows("anchors", [(f"anchors, {name!r}", [name, *numbers]) for name, numbers in numbers_of.items()])
    if isinstance(anchors, pd.DataFrame):
        header, cells = [str(name) for name in anchors.columns], anchors.astype(object).to_numpy().tolist()
        rows = [(f"anchors, row {number}", row) for number, row in enumerate(cells, 1)]
        return _of_rows("anchors", *_by_columns("anchors", header, rows))
    source = str(anchors)
    lines = csv_rows(source, "one row a line: name, rating, standard error")
    rows = [(f"{source}, line {line}", row) for line, row in lines]
    if not rows:
        raise GameTableError(source, "a row a player: name, rating, standard error", "none")
    first = rows[0][1]
    if len(first) > 1 and _number_of(first[1]) is None:
        return _of_rows(source, *_by_columns(rows[0][0], first, rows[1:]))
    return _of_rows(source, rows)


def _by_columns(
    location: str, header: list[str], rows: Sequence[tuple[str, list[str | float]]]
) -> tuple[list[tuple[str, list[str | float]]], tuple[str, ...]]:
    """Rows of name, rating and standard error from rows with a header, and notes on the columns."""
    places = reversed(list(enumerate(header)))
    column_of_word = {plain_word(name) or name.strip().casefold(): place for place, name in places}
    bare = {_without_scale(name): place for place, name in reversed(list(enumerate(header)))}

    def place(words: tuple[str, ...], among: Mapping[str, int] = column_of_word) -> int | None:
        return next((among[word] for word in words if word in among), None)

    name_at, rating, error, width, up, down = map(place, (NAMES, _RATINGS, _ERRORS, _HALF_WIDTHS, _UP, _DOWN))
    error = place(_ERRORS, bare) if error is None else error
    width = place(_HALF_WIDTHS, bare) if width is None else width
    sides = [up, down] if error is width is None and up is not None and down is not None else []
    if name_at is None or rating is None:
        expected = "columns player and rating, and error (a standard error) or +/- (half of 95%) if there is one"
        raise GameTableError(location, expected, ", ".join(map(repr, header[:8])))
    if error is not None and header[error].strip() == "ERROR" and column_of_word.keys() & {*_ORDO}:
        error, width = None, error
    spread = error if error is not None else sides[0] if sides else width
    read_columns = [header[column] for column in (name_at, rating, spread, *sides) if column is not None]
    notes = [*unused_columns(header, read_columns)]
    if spread is not None:
        what = "standard errors" if error is not None else "half of 95% intervals"
        columns = " and ".join(repr(header[column]) for column in sides or [spread])
        notes.insert(0, f"{'columns' if sides else 'column'} {columns} {'have' if sides else 'has'} {what}")
    widths = sides or ([width] if error is None and width is not None else [])
    parsed_rows = []
    for row_location, row in rows:
        if len(row) > len(header):
            raise GameTableError(row_location, f"{len(header)} cells, as the header has", f"{len(row)}")
        cells = [row[column] if column is not None and column < len(row) else "" for column in (name_at, rating, error)]
        halves = [_number_of(row[column]) for column in widths if column < len(row)]
        spreads = [abs(number) for number in halves if number is not None]
        half = sum(spreads) / len(spreads) if spreads else None
        parsed_rows.append((row_location, cells if half is None else [*cells[:2], half / _WIDTH]))
    return parsed_rows, tuple(notes)


def _without_scale(name: str) -> str:
    """A column's name without its scale: stderr of stderr_elo, se of SE (Elo), +/- of +/- (95%)."""
    sign = next((sign for sign in ("+/-", "±") if sign in name), "")
    return sign or re.sub("elo|rating|points", "", plain_word(name))


def _number_of(cell: object) -> float | None:
    """The number in a cell, None if absent."""
    try:
        return float(str(cell).strip())
    except ValueError:
        return None


def _of_rows(source: str, rows: Sequence[tuple[str, list[str | float]]], notes: tuple[str, ...] = ()) -> AnchorList:
    """List from rows of name, rating and standard error; `place` locates each row in the file."""
    ratings: dict[str, tuple[float, float]] = {}
    for location, row in rows:
        name = str(row[0]).strip()
        if not name or len(row) not in (2, 3):
            raise GameTableError(location, "a name, a rating and if known its standard error", repr(list(row))[:80])
        if name in ratings:
            raise GameTableError(location, "every player once", f"{name!r} again")
        rating = _number_of(row[1])
        missing = len(row) < 3 or str(row[2]).strip().casefold() in ("", "nan", "none")
        error = 0.0 if missing else _number_of(row[2])
        if rating is None or rating not in _RATING:
            raise GameTableError(f"{location}, rating", str(_RATING), repr(row[1]))
        if error is None or error not in _ERROR:
            raise GameTableError(f"{location}, error", str(_ERROR), repr(row[2]))
        ratings[name] = rating, max(error, HELD_ELO)
    if not ratings:
        raise GameTableError(source, "a row a player: name, rating, standard error", "none")
    return AnchorList(source, tuple(ratings), np.array(list(ratings.values())), notes)
