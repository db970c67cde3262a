"""Values of the columns of games: names, periods, days, ratings, weights, goals, each distinct text parsed once.

Days are read from YYYY-MM-DD, YYYY.MM.DD and YYYY/MM/DD (a time of day is dropped), from seconds since 1970, and from
one other form if it is the only one in which the whole column can be read. An empty or unknown rating is NaN; an empty
or partly unknown day is NaT, and so is 1899-12-30, which is a spreadsheet's zero.
"""

import datetime
import math
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.games.errors import GameTableError, clip_text
from halfpoint.games.readers.options import DAY_BEFORE
from halfpoint.games.readers.sources import Cells, Place
from halfpoint.games.readers.words import DAY_FIRST, plain_word
from halfpoint.games.table import LARGEST_WEIGHT, RATING_RANGE_ELO

Values = npt.NDArray[Any]

UNKNOWN = ("", "?", "-", "nan", "NaN", "None", "<NA>", "NaT")
_TIME_OF_DAY = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|[-+]\d{2}:?\d{2}))?)?"
_DATE = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})" + _TIME_OF_DAY)
_LATER = re.compile(r"(?<=\d)[T ,]+\d{1,2}:\d{2}(?::\d{2})?$")  # a time of day behind a date in another form
_DATE_FORMS = (
    *("%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y", "%d.%m.%y", "%Y%m%d"),
    *("%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y"),
    *("%a %b %d %Y", "%a %d %b %Y", "%a %d.%m.%Y", "%A %d %B %Y"),
)
_SECONDS = "seconds since 1970"
_KIND_OF_RATING = re.compile(r" ?(?:[EFN]|P\d*)$")  # estimated, FIDE or national; provisional after so many games
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_NAMED_PERIOD = re.compile(r"(?:[^\W\d_]{2,}\.? ?)?(\d{1,9})\.?")  # not R32 of tennis
_SINCE_1970 = re.compile(r"\d{9,13}(\.\d+)?")
_UNKNOWN_DATE = re.compile(r"[\d?]{4}[-./][\d?]{2}[-./][\d?]{2}")
SPREADSHEET_ZERO = np.datetime64("1899-12-30", "D")
_NO_DAY = np.datetime64("NaT", "D")
_LARGEST_GOALS = 1e6
YES = ("true", "t", "yes", "y", "1", "1.0", "neutral")
_NO = ("false", "f", "no", "n", "0", "0.0", "")


def encode_cells(cells: Cells) -> tuple[npt.NDArray[np.int64], list[str]]:
    """The index of each cell among the distinct cells, shape (row,), and these in order of occurrence."""
    distinct = cells.unique(maintain_order=True)
    codes = cells.replace_strict(distinct, polars.Series(range(len(distinct)), dtype=polars.Int64))
    return codes.to_numpy(), distinct.to_list()


def parse_rating(text: str) -> float:
    """A rating in Elo points, NaN if unknown; `ValueError` if it is not a number from 0 to 4000."""
    return math.nan if text in UNKNOWN else _parse_number_within(_KIND_OF_RATING.sub("", text), *RATING_RANGE_ELO)


def _parse_period(text: str) -> int:
    """A period number, also of "Round 3" and "3."; `ValueError` if it is not a whole number."""
    named = _NAMED_PERIOD.fullmatch(text)
    number = float(text if named is None else named[1])
    if not number.is_integer() or abs(number) > 2**53:
        raise ValueError(text)
    return int(number)


def _parse_number_within(text: str, low: float, high: float) -> float:
    """A number; a comma separates thousands or is a decimal point; `ValueError` outside the range."""
    number = float(text.replace(",", "" if _THOUSANDS.fullmatch(text) else "."))
    if not low <= number <= high:
        raise ValueError(text)
    return number


def _known_day(day: datetime.date) -> np.datetime64:
    """A day, NaT for a spreadsheet's zero."""
    found: np.datetime64 = np.datetime64(day, "D")
    return _NO_DAY if found == SPREADSHEET_ZERO else found


def parse_date(text: str) -> np.datetime64:
    """The day, NaT if a part is unknown; `ValueError` for an impossible day."""
    if text in UNKNOWN or ("?" in text and _UNKNOWN_DATE.fullmatch(text)):
        return _NO_DAY
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return _known_day(datetime.date(int(match[1]), int(match[3]), int(match[4])))


def _parse_date_as(text: str, form: str) -> np.datetime64:
    """The day of a date in a given format, NaT if empty; `ValueError` for another format."""
    if text in UNKNOWN:
        return _NO_DAY
    if form == _SECONDS:
        seconds = float(text)
        return np.datetime64(int(seconds / (86_400_000.0 if seconds > 1e11 else 86_400.0)), "D")
    return _known_day(datetime.datetime.strptime(text if "%H" in form else _LATER.sub("", text), form).date())


def _date_form(texts: Iterable[str], place: str, month_first: bool = True) -> str | None:
    """The one form in which all dates can be read; None if one has the year first, or none fits."""
    known = [text for text in texts if text not in UNKNOWN]
    if not known or any(_DATE.fullmatch(text) or "?" in text for text in known):
        return None
    if all(map(_SINCE_1970.fullmatch, known)):
        return _SECONDS
    fitting: dict[str, list[np.datetime64]] = {}
    for form in _DATE_FORMS:
        if (form == "%Y%m%d" and any(len(text) != 8 for text in known)) or (form[1] == "m" and not month_first):
            continue
        try:
            fitting[form] = [_parse_date_as(text, form) for text in known]
        except ValueError:
            continue
    if len({tuple(days) for days in fitting.values()}) > 1:
        either = " or ".join(f"--date-format {form}" for form in fitting)
        raise GameTableError(place, "dates that can be read in one way", repr(known[0][:60]), f"Say {either}.")
    return next(iter(fitting), None)


def has_day_first(cells: Cells) -> bool:
    """True if some first number of a column of dates is above 12, so the day precedes the month."""
    first = cells.str.extract(r"^(\d{1,2})[-/.]\d", 1).cast(polars.Int64, strict=False)
    return bool((first > 12).any())


def parse_name(text: str) -> str:
    """A player's name as `normalise_spelling` has it; `ValueError` if it is empty or unknown."""
    if text in UNKNOWN:
        raise ValueError(text)
    return normalise_spelling(text)


def normalise_spelling(text: str) -> str:
    """A name with one blank for any white space and letters composed (NFC), so that one name is one player."""
    return normalize("NFC", " ".join(text.split()))


def _parse_neutral(text: str) -> float:
    """1 for a neutral ground, 0 for none or an empty cell; `ValueError` if it is neither."""
    word = text.casefold()
    if word not in (*YES, *_NO):
        raise ValueError(text)
    return float(word in YES)


_parse_goals = partial(_parse_number_within, low=-_LARGEST_GOALS, high=_LARGEST_GOALS)
OPTIONAL = ("period", "date", "white_rating_elo", "black_rating_elo", "neutral")  # left out where guessed wrongly
_PARSERS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "white": (parse_name, "a player's name", "U"),
    "black": (parse_name, "a player's name", "U"),
    "neutral": (_parse_neutral, "a neutral ground or not: TRUE or FALSE, 1 or 0", "f8"),
    "period": (_parse_period, "a period, a whole number", "i8"),
    "date": (parse_date, "a day of the calendar, such as 2012-11-30", "M8[D]"),
    "white_rating_elo": (parse_rating, "a rating, a number from 0 to 4000", "f8"),
    "black_rating_elo": (parse_rating, "a rating, a number from 0 to 4000", "f8"),
    "weight": (
        partial(_parse_number_within, low=0, high=LARGEST_WEIGHT),
        f"a weight, a number from 0 to {LARGEST_WEIGHT:g}",
        "f8",
    ),
    "event": (str, "a text", "U"),
    "margin": (_parse_goals, "a margin, a number", "f8"),
    "white_goals": (_parse_goals, "goals, a number", "f8"),
    "black_goals": (_parse_goals, "goals, a number", "f8"),
}


def parse_column(field: str, cells: Cells, place: Place, column: str, date_format: str | None = None) -> Values:
    """A column's values, shape (row,)."""
    if cells.dtype != polars.String:
        raise GameTableError(f"{place(0)}, column {column}", _PARSERS[field][1], "a list")
    codes, texts = encode_cells(cells)
    parser, expected = _parser_of(field, texts, f"{place(0)}, column {column}", date_format)
    parsed = []
    for code, text in enumerate(texts):
        try:
            parsed.append(parser(text))
        except (ValueError, OverflowError):
            row = int(np.flatnonzero(codes == code)[0])
            remedy = "Name their form, such as --date-format %d/%m/%Y." if field == "date" else ""
            raise GameTableError(
                f"{place(row)}, column {column}", expected, repr(clip_text(text, 60)), remedy
            ) from None
    return np.asarray(parsed, dtype=_PARSERS[field][2])[codes]


def _parser_of(
    field: str, texts: Iterable[str], place: str, date_format: str | None
) -> tuple[Callable[[str], Any], str]:
    """The parser of a field's texts, and its expected format: dates in one form all share it."""
    day_first = date_format == DAY_BEFORE or plain_word(place.rpartition(", column ")[2]) in DAY_FIRST
    said = None if date_format == DAY_BEFORE else date_format
    form = said or (_date_form(texts, place, not day_first) if field == "date" else None)
    if field == "date" and form is not None:
        return partial(_parse_date_as, form=form), f"a date written as {form}"
    return _PARSERS[field][:2]


def mostly_wrong(field: str, cells: Cells, place: str, date_format: str | None) -> bool:
    """True if fewer than half of a column's distinct known values are valid for the field."""
    if cells.dtype != polars.String:
        return True
    texts = set(cells.unique().to_list()) - set(UNKNOWN)
    parser, _ = _parser_of(field, texts, place, date_format)

    def fits(text: str) -> bool:
        try:
            parser(text)
        except (ValueError, OverflowError):
            return False
        return True

    return 2 * sum(map(fits, texts)) < len(texts)


def numbers_of(cells: Cells) -> npt.NDArray[np.float64] | None:
    """A column's numbers, NaN where empty, shape (row,); None unless every cell is a finite number or empty."""
    if cells.dtype != polars.String:
        return None
    known = ~cells.is_in(list(UNKNOWN))
    made = cells.cast(polars.Float64, strict=False)
    if not bool((made.is_finite().fill_null(False) | ~known).all()) or not known.any():
        return None
    return made.fill_null(float("nan")).to_numpy().copy()


def texts_of(cells: Cells) -> npt.NDArray[np.str_]:
    """A column's texts, shape (row,); a list as its texts with a comma between."""
    plain = cells if cells.dtype == polars.String else cells.list.join(", ")
    return plain.to_numpy().astype(np.str_)
