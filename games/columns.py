"""From columns of raw values to a checked table: what every reader of rows shares.

A reader hands over one array a column, text or numbers, and the line of each row. Scores are read from numbers (0, 0.5,
1) and from results (1-0, 0-1, 1/2-1/2); dates from YYYY-MM-DD, YYYY.MM.DD and YYYY/MM/DD; an empty or unknown rating is
NaN and an empty or partly unknown date is NaT.
"""

import datetime
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import GameTableError
from halfpoint.games.table import RATING_RANGE_ELO, GameTable, code_players

Values = npt.NDArray[Any]

# Results as chess writes them, and as other sports do: H, D, A for home, draw, away; W, D, L from White's side.
SCORE_OF_RESULT = {
    **{"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "½-½": 0.5, "1/2": 0.5, "½": 0.5, "0,5": 0.5},
    **{"H": 1.0, "D": 0.5, "A": 0.0, "W": 1.0, "L": 0.0},
}
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


def parse_date_as(text: str, form: str) -> np.datetime64:
    """Return the day of a date in a form of its own, NaT where empty; `ValueError` if it is written otherwise."""
    if text in UNKNOWN:
        return np.datetime64("NaT", "D")
    return np.datetime64(datetime.datetime.strptime(text, form).date(), "D")


def parse_goals(text: str) -> float:
    """Return goals or points scored; `ValueError` if it is not a finite number."""
    goals = float(text)
    if not math.isfinite(goals):
        raise ValueError(text)
    return goals


def parse_name(text: str) -> str:
    """Return a player's name, with one blank for any white space; `ValueError` if it is empty or unknown."""
    if text in UNKNOWN:
        raise ValueError(text)
    return " ".join(text.split())


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
    "white_goals": (parse_goals, "goals, a number", "f8"),
    "black_goals": (parse_goals, "goals, a number", "f8"),
}


def as_text(value: object) -> str:
    """Return a cell as stripped text, empty where it is missing."""
    return "" if value is None or value is pandas.NA or value != value else str(value).strip()


def parse_column(
    field: str, values: Values, place: Callable[[int], str], column: str, date_format: str | None = None
) -> Values:
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
    date_format : str, optional
        How dates are written, as `datetime.strptime` has it, for example ``%d/%m/%Y``.

    Raises
    ------
    GameTableError
        At the first row that does not hold what the field needs.
    """
    parser, expected, kind = PARSERS[field]
    if field == "date" and date_format is not None:
        parser, expected = partial(parse_date_as, form=date_format), f"a date written as {date_format}"
    try:
        codes, distinct = pandas.factorize(values, use_na_sentinel=False)
    except TypeError:
        kinds = ", ".join(sorted({type(value).__name__ for value in values}))
        raise GameTableError(f"{place(0)}, column {column}", expected, f"values of type {kinds}") from None
    parsed = []
    for code, value in enumerate(distinct):
        text = as_text(value)
        try:
            parsed.append(parser(text))
        except (ValueError, OverflowError):
            row = int(np.flatnonzero(codes == code)[0])
            shown = repr(text if len(text) <= 60 else f"{text[:60]}...")
            remedy = "Name the form of the dates, such as %d/%m/%Y (date format)." if field == "date" else ""
            raise GameTableError(f"{place(row)}, column {column}", expected, shown, remedy) from None
    return np.asarray(parsed, dtype=kind)[codes]


def build_table(
    raw: Mapping[str, Values],
    source: str,
    line: npt.NDArray[np.int64] | None,
    name: str,
    headers: Mapping[str, str] | None = None,
    covariates: Mapping[str, Values] | None = None,
    sha256: str | None = None,
    date_format: str | None = None,
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
    date_format : str, optional
        How dates are written, if not with the year first.

    Raises
    ------
    GameTableError
        At the first value that breaks a rule.
    """
    if len(raw["white"]) == 0:
        raise GameTableError(source, "at least one game", "no rows")

    def place(row: int) -> str:
        return f"{source}, row {row + 1}" if line is None else f"{source}, line {line[row]}"

    names = {field: (headers or {}).get(field, field) for field in raw}
    parsed = {f: parse_column(f, values, place, names[f], date_format) for f, values in raw.items()}
    if "score" not in parsed:
        parsed["score"] = (1.0 + np.sign(parsed["white_goals"] - parsed["black_goals"])) / 2.0
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
