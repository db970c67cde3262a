"""Values of the columns of games: names, periods, days, ratings, weights, goals, each distinct text parsed once.

Days are read by `halfpoint.readers.days`. An empty or unknown rating is NaN.
"""

import math
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.models.games.errors import GameTableError, clip_text
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.table import LARGEST_WEIGHT, RATING_RANGE_ELO
from halfpoint.readers.days import UNKNOWN, read_day, reader_of
from halfpoint.readers.options import DAY_BEFORE
from halfpoint.readers.sources import Cells, Place
from halfpoint.readers.words import DAY_FIRST

Values = npt.NDArray[Any]

_KIND_OF_RATING = re.compile(r" ?(?:[EFN]|P\d*)$")  # estimated, FIDE or national; provisional after N games
_DOTTED = re.compile(r"[1-3]\.\d{3}")  # 1.834 is 1834, as spreadsheets of the continent write it
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_COUNT, _GROUPED = re.compile(r"\d{1,9}(?:\.0+)?"), re.compile(r"[1-9]\d{0,2}(?:[.,'’\s]\d{3})+")
_NAMED_PERIOD = re.compile(r"\A(?:[^\W\d_]{2,}+\.? ?)?(\d{1,9})\.?")  # not R32 of tennis
_SEASON = re.compile(r"\D{0,12}(\d{1,4})(?:\D?\d{2,4})?(?:\.0)?")
_LARGEST_GOALS = 1e6
YES = ("true", "t", "yes", "y", "1", "1.0", "neutral")
NO = ("false", "f", "no", "n", "0", "0.0", "")
_NEUTRAL = dict.fromkeys(YES, 1.0) | dict.fromkeys(NO, 0.0)


def encode_cells(cells: Cells) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Index of each cell among the distinct cells, shape (row,), and the distinct cells in order of occurrence."""
    distinct = cells.unique(maintain_order=True)
    codes = cells.replace_strict(distinct, polars.Series(range(len(distinct)), dtype=polars.Int64))
    return codes.to_numpy(), distinct.to_list()


def by_word(cells: Cells, value: Callable[[str], object], dtype: npt.DTypeLike = bool) -> Values:
    """A value of each cell, shape (row,), computed once for each distinct text."""
    codes, words = encode_cells(cells)
    return np.array([value(word) for word in words], dtype=dtype)[codes]


def parse_rating(text: str) -> float:
    """A rating in Elo points, NaN if unknown or 0, as in PGN; `ValueError` if it is not a number from 0 to 4000."""
    if text in UNKNOWN or text.lower().rstrip(".") in ("unr", "unrated", "nr", "unrat", "--"):
        return math.nan
    plain = _KIND_OF_RATING.sub("", text)
    rating = _parse_number_within(plain.replace(".", "") if _DOTTED.fullmatch(plain) else plain, *RATING_RANGE_ELO)
    return rating or math.nan


def _parse_period(text: str) -> int:
    """A period number, also of "Round 3" and "3."; `ValueError` if it is not a whole number."""
    match = _NAMED_PERIOD.fullmatch(text)
    number = float(text if match is None else match[1])
    if not number.is_integer() or abs(number) > 2**53:
        raise ValueError(text)
    return int(number)


def _parse_season(text: str) -> int:
    """The year in which a season begins, also of "2023/24" and "Season 3"; `ValueError` if absent."""
    match = _SEASON.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return -int(match[1]) if text.startswith("-") else int(match[1])


def parse_count(text: str) -> float:
    """A whole number, with or without a mark of thousands; NaN for other texts.

    Examples
    --------
    >>> parse_count("1,204"), parse_count("3.0"), parse_count("1 000 000"), parse_count("2.5")
    (1204.0, 3.0, 1000000.0, nan)
    """
    if _COUNT.fullmatch(text):
        return float(text)
    return float(re.sub(r"\D", "", text)) if _GROUPED.fullmatch(text) else math.nan


def _parse_number_within(text: str, low: float, high: float) -> float:
    """A number; a comma separates thousands or is a decimal point; `ValueError` outside the range."""
    number = float(text.replace(",", "" if _THOUSANDS.fullmatch(text) else "."))
    if not low <= number <= high:
        raise ValueError(text)
    return number


parse_date = partial(read_day, numbers=False)  # as PGN and the study write it


def has_day_first(cells: Cells) -> bool:
    """True if some first number of a column of dates is above 12, so the day precedes the month."""
    return bool((cells.str.extract(r"^(\d{1,2})[-/.]\d", 1).cast(polars.Int64, strict=False) > 12).any())


def parse_name(text: str) -> str:
    """A player's name as `normalise_spelling` returns it; `ValueError` if it is empty or unknown."""
    if text in UNKNOWN:
        raise ValueError(text)
    return normalise_spelling(text)


def normalise_spelling(text: str) -> str:
    """A name with one blank for any white space and letters composed (NFC), so that one name is one player."""
    return normalize("NFC", " ".join(text.split()))


_GOALS, _RATINGS = ("white_goals", "black_goals"), ("white_rating_elo", "black_rating_elo")
_OF_GOALS = re.compile(r"goal|tore|goles|gols|buts|\Aft[ha]g\Z")  # in names of columns that count, unlike points
_COUNTED = "goals, a number of at least 0"
_NOT_NEGATIVE = "Correct the goals; points, which may be negative, need another name, such as home_points."
GOALS_AND_POINTS = re.compile(r"(1?\d)-(\d{1,2})")  # of Gaelic games, with three points a goal


def _parse_goals(text: str, low: float = -_LARGEST_GOALS) -> float:
    """Goals or points of a side; 2-10 of Gaelic games are 16 points."""
    match = GOALS_AND_POINTS.fullmatch(text := text.rstrip("*†‡^ "))  # marks of footnotes
    return 3.0 * int(match[1]) + int(match[2]) if match else _parse_number_within(text, low, _LARGEST_GOALS)


# left out where guessed wrongly
OPTIONAL = ("season", "period", "date", *_RATINGS, "neutral")
_parse_weight = partial(_parse_number_within, low=0, high=LARGEST_WEIGHT)
_PARSERS: dict[str, tuple[Callable[[str], object], str, str]] = {
    **dict.fromkeys(("white", "black"), (parse_name, "a player's name", "U")),
    "neutral": (lambda text: _NEUTRAL[text.casefold()], "a neutral ground or not: TRUE or FALSE, 1 or 0", "f8"),
    "season": (_parse_season, "a season, such as 2023 or 2023/24", "i8"),
    "period": (_parse_period, "a period, a whole number", "i8"),
    "date": (parse_date, "a day of the calendar, such as 2012-11-30", "M8[D]"),
    **dict.fromkeys(_RATINGS, (parse_rating, "a rating, a number from 0 to 4000", "f8")),
    "weight": (_parse_weight, f"a weight, a number from 0 to {LARGEST_WEIGHT:g}", "f8"),
    "event": (str, "a text", "U"),
    "margin": (_parse_goals, "a margin, a number", "f8"),
    **dict.fromkeys(_GOALS, (_parse_goals, "goals, a number", "f8")),
}


def parse_column(field: str, cells: Cells, place: Place, column: str, date_format: str | None = None) -> Values:
    """A column's values, shape (row,)."""
    if cells.dtype != polars.String:
        raise GameTableError(f"{place(0)}, column {column}", _PARSERS[field][1], "a list")
    codes, texts = encode_cells(cells)
    parser, expected = _parser_of(field, texts, f"{place(0)}, column {column}", date_format)
    parsed = _parsed(parser, texts)
    if faulty := [code for code, value in enumerate(parsed) if value is None]:
        rows = np.flatnonzero(np.isin(codes, faulty)).tolist()
        form = f"Name their form, such as --date-format %d/%m/%Y, or leave them out: --ignore {column!r}."
        remedy = form if field == "date" else _NOT_NEGATIVE if expected == _COUNTED else ""
        fault = repr(clip_text(texts[faulty[0]], 60))
        raise GameTableError(f"{place(rows[0])}, column {column}", expected, fault, remedy).at(place, rows)
    return np.asarray(parsed, dtype=_PARSERS[field][2])[codes]


def _parsed(parser: Callable[[str], object], texts: Iterable[str]) -> list[object]:
    """Values of texts, None for those that are refused."""
    values = list[object]()
    for text in texts:
        try:
            values.append(parser(text))
        except (ValueError, OverflowError, KeyError):
            values.append(None)
    return values


def _parser_of(
    field: str, texts: Iterable[str], place: str, date_format: str | None
) -> tuple[Callable[[str], object], str]:
    """Parser of a field's texts, and the expected form; all dates of a column have one form."""
    if field == "date":
        day_first = date_format == DAY_BEFORE or plain_word(place.rpartition(", column ")[2]) in DAY_FIRST
        return reader_of(texts, place, None if date_format == DAY_BEFORE else date_format, day_first)
    if field in _GOALS and _OF_GOALS.search(plain_word(place.rpartition(", column ")[2])):
        return partial(_parse_goals, low=0.0), _COUNTED
    return _PARSERS[field][:2]


def unfit(field: str, cells: Cells, place: str, date_format: str | None, least: float = 0.5) -> bool:
    """True if fewer than half of a column's distinct known values, or than `least`, are valid for the field."""
    if cells.dtype != polars.String:
        return True
    texts = sorted({*cells.unique().to_list()} - {*UNKNOWN})
    values = _parsed(_parser_of(field, texts, place, date_format)[0], texts)
    return len(values) - values.count(None) < least * len(texts)


def numbers_of(cells: Cells) -> npt.NDArray[np.float64] | None:
    """A column's numbers, NaN where empty, shape (row,); None unless every cell is a finite number or empty."""
    if cells.dtype != polars.String:
        return None
    is_known, numbers = ~cells.is_in(list(UNKNOWN)), cells.cast(polars.Float64, strict=False)
    if not bool((numbers.is_finite().fill_null(False) | ~is_known).all()) or not is_known.any():
        return None
    return numbers.fill_null(float("nan")).to_numpy().copy()


def texts_of(cells: Cells) -> npt.NDArray[np.str_]:
    """A column's texts, shape (row,); a list as its texts with a comma between."""
    return (cells if cells.dtype == polars.String else cells.list.join(", ")).to_numpy().astype(np.str_)
