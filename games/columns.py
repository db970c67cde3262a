"""From columns of raw values to a checked table: what every reader of rows shares.

A reader hands over one array a column, text or numbers, and the line of each row. Scores are read from numbers (0, 0.5,
1) and from results (1-0, 0-1, 1/2-1/2); dates from YYYY-MM-DD, YYYY.MM.DD and YYYY/MM/DD; an empty or unknown rating is
NaN and an empty or partly unknown date is NaT.
"""

import datetime
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import GameTableError
from halfpoint.games.table import RATING_RANGE_ELO, GameTable, code_players

Values = npt.NDArray[Any]

REQUIRED = ("white", "black", "score")
OPTIONAL = ("period", "date", "white_rating_elo", "black_rating_elo", "event", "weight")
FIELDS = REQUIRED + OPTIONAL

SCORE_OF_RESULT = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "½-½": 0.5, "1/2": 0.5, "½": 0.5}
UNKNOWN = ("", "?", "-", "nan", "NaN", "None", "<NA>", "NaT")
DATE = re.compile(r"(\d{1,4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ]00:00:00(?:\.0+)?)?")
UNKNOWN_DATE = re.compile(r"[\d?]{4}[-./][\d?]{2}[-./][\d?]{2}")


def parse_score(text: str) -> float:
    """Return White's score; `ValueError` if it is not one."""
    score = SCORE_OF_RESULT.get(text)
    score = float(text) if score is None else score
    if score not in (0.0, 0.5, 1.0):
        raise ValueError(text)
    return score


def parse_rating(text: str) -> float:
    """Return a rating in Elo points, NaN if unknown; `ValueError` if it is not a number from 0 to 4000."""
    if text in UNKNOWN:
        return math.nan
    rating = float(text)
    if not RATING_RANGE_ELO[0] <= rating <= RATING_RANGE_ELO[1]:
        raise ValueError(text)
    return rating


def parse_period(text: str) -> int:
    """Return a period number; `ValueError` if it is not a whole number."""
    number = float(text)
    if not number.is_integer() or abs(number) > 2**53:
        raise ValueError(text)
    return int(number)


def parse_weight(text: str) -> float:
    """Return a weight; `ValueError` if it is not a finite number of at least 0."""
    weight = float(text)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(text)
    return weight


def parse_date(text: str) -> np.datetime64:
    """Return the day, NaT where a part is unknown; `ValueError` for a day that is not in the calendar."""
    if text in UNKNOWN or ("?" in text and UNKNOWN_DATE.fullmatch(text)):
        return np.datetime64("NaT", "D")
    match = DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return np.datetime64(datetime.date(int(match[1]), int(match[3]), int(match[4])), "D")


def parse_name(text: str) -> str:
    """Return a player's name; `ValueError` if it is empty or unknown."""
    if text in UNKNOWN:
        raise ValueError(text)
    return text


PARSERS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "white": (parse_name, "a player's name", "U"),
    "black": (parse_name, "a player's name", "U"),
    "score": (parse_score, "White's score: 0, 0.5 or 1", "f8"),
    "period": (parse_period, "a period, a whole number", "i8"),
    "date": (parse_date, "a day of the calendar, such as 2012-11-30", "M8[D]"),
    "white_rating_elo": (parse_rating, "a rating, a number from 0 to 4000", "f8"),
    "black_rating_elo": (parse_rating, "a rating, a number from 0 to 4000", "f8"),
    "weight": (parse_weight, "a weight, a finite number of at least 0", "f8"),
    "event": (str, "a text", "U"),
}


def as_text(value: object) -> str:
    """Return a cell as stripped text, empty where it is missing."""
    return "" if value is None or value is pandas.NA or value != value else str(value).strip()


def parse_column(field: str, values: Values, place: Callable[[int], str], column: str) -> Values:
    """Return a column's values, each distinct text parsed once.

    Parameters
    ----------
    field : str
        One of `FIELDS`.
    values : array, shape (game,)
        Text or numbers.
    place : callable
        Where row k stands, for the message.
    column : str
        The column's name in the source, for the message.

    Raises
    ------
    GameTableError
        At the first row that does not hold what the field needs.
    """
    parser, expected, kind = PARSERS[field]
    codes, distinct = pandas.factorize(values, use_na_sentinel=False)
    parsed = []
    for code, value in enumerate(distinct):
        text = as_text(value)
        try:
            parsed.append(parser(text))
        except (ValueError, OverflowError):
            row = int(np.flatnonzero(codes == code)[0])
            shown = repr(text if len(text) <= 60 else f"{text[:60]}...")
            raise GameTableError(f"{place(row)}, column {column}", expected, shown) from None
    return np.asarray(parsed, dtype=kind)[codes]


def assign_columns(
    present: Sequence[str], columns: Mapping[str, str], covariates: Sequence[str], ignore: Sequence[str], where: str
) -> dict[str, str]:
    """Return which source column holds which field.

    Parameters
    ----------
    present : sequence of str
        The source's columns.
    columns : mapping of str to str
        Field to source column; a field that is not named is looked up under its own name.
    covariates, ignore : sequence of str
        Source columns to keep as covariates, and to leave out.
    where : str
        The source, for messages.

    Raises
    ------
    GameTableError
        If a column is repeated, unknown or missing.
    """
    known = ", ".join(FIELDS)
    strange = [field for field in columns if field not in FIELDS]
    if strange:
        raise GameTableError(f"{where}, column map", f"fields among {known}", repr(strange[0]))
    if len(set(present)) != len(present):
        twice = next(name for name in present if list(present).count(name) > 1)
        raise GameTableError(where, "every column once", f"column {twice!r} again")
    for name in [*columns.values(), *covariates, *ignore]:
        if name not in present:
            raise GameTableError(where, f"a column {name!r}", f"columns {', '.join(map(repr, present))}")
    taken = {*columns.values(), *covariates, *ignore}
    chosen = dict(columns) | {f: f for f in FIELDS if f not in columns and f in present and f not in taken}
    unknown = [name for name in present if name not in taken and name not in chosen.values()]
    if unknown:
        shown = ", ".join(map(repr, unknown[:8]))
        remedy = "Map them to fields, keep them as covariates, or ignore them."
        raise GameTableError(where, f"columns among {known}", f"unknown columns {shown}", remedy)
    for field in REQUIRED:
        if field not in chosen:
            shown = ", ".join(map(repr, present))
            raise GameTableError(where, f"a column for {field}", f"columns {shown}", "Give a column map.")
    return chosen


def build_table(
    raw: Mapping[str, Values],
    source: str,
    line: npt.NDArray[np.int64] | None,
    name: str,
    headers: Mapping[str, str] | None = None,
    covariates: Mapping[str, Values] | None = None,
    sha256: str | None = None,
) -> GameTable:
    """Return the checked table of raw columns.

    Parameters
    ----------
    raw : mapping of str to array, shape (game,)
        Field to its raw values.
    source : str
        File or object the values come from.
    line : array of int64, shape (game,), optional
        Line of each row in the source.
    name : str
        Name of the data set.
    headers : mapping of str to str, optional
        Field to the column's name in the source, for messages.
    covariates : mapping of str to array, shape (game,), optional
        Further columns, numbers where all their values are.
    sha256 : str, optional
        Hash of the source.

    Raises
    ------
    GameTableError
        At the first value that breaks a rule.
    """
    if len(raw["white"]) == 0:
        raise GameTableError(source, "at least one game", "no rows")

    def place(row: int) -> str:
        return f"{source}, row {row + 1}" if line is None else f"{source}, line {line[row]}"

    parsed = {f: parse_column(f, values, place, (headers or {}).get(f, f)) for f, values in raw.items()}
    players, white, black = code_players(parsed.pop("white"), parsed.pop("black"))
    further = {}
    for key, values in (covariates or {}).items():
        numbers = pandas.to_numeric(pandas.Series(values), errors="coerce").to_numpy(dtype=np.float64)
        text = np.asarray([as_text(value) for value in values], dtype=np.str_)
        further[key] = numbers if not np.isnan(numbers[text != ""]).any() else text
    return GameTable(
        players,
        white,
        black,
        parsed["score"],
        parsed.get("period"),
        parsed.get("date"),
        parsed.get("white_rating_elo"),
        parsed.get("black_rating_elo"),
        parsed.get("event"),
        parsed.get("weight"),
        covariates=further,
        line=line,
        name=name,
        source=source,
        sha256=sha256,
    )
