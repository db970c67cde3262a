"""Days in any usual notation: each distinct cell is read separately; the whole column gives the order of day and month.

Accepted are 2024-01-13 (also with . or / between), 20240113, 13.1.2024, 13/01/24, "13. Januar 2024", "Sat, Jan 13,
2024", the ISO week 2024-W02 (its Monday), seconds or milliseconds since 1970 and a spreadsheet's serial number 45304; a
time of day after it is dropped. Numbers such as 3/4/2024 are read in the one order, day or month first, that fits all
cells, else they are refused; of two digits each, as 24.03.31, the year is first if the last numbers vary more. A partly
unknown day is NaT, and so is 1899-12-30, a spreadsheet's zero.
"""

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import strip_accents
from halfpoint.models.games.packaged import packaged_table

UNKNOWN = ("", "?", "-", "nan", "NaN", "None", "<NA>", "NaT", "NA", "N/A", "n/a", "null", "NULL", "TBD", "tbd", "TBA")
SPREADSHEET_ZERO = np.datetime64("1899-12-30", "D")
DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "day", "month", "year"
_FORMS = {DAY_FIRST: "%d{0}%m{0}{1}", MONTH_FIRST: "%m{0}%d{0}{1}", YEAR_FIRST: "%y{0}%m{0}%d"}
_FEW_YEARS = 5  # that games of 24.03.31 span; 01.03.05 and 01.04.15 have either reading
_NO_DAY = np.datetime64("NaT", "D")
_TIME_OF_DAY = re.compile(r"(?i)(?<=\w)[T ,]{1,20}(?:at )?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?"
                          r"(?: ?[ap]\.?m?\.?)?(?: ?(?:[A-Z]{1,4}|[-+]\d{2}:?\d{2}))?$")  # fmt: skip
_YEAR_FIRST = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ,]\d{1,2}:\d{2}.*)?")
_UNKNOWN_DATE = re.compile(r"[\d?]{4}[-./][\d?]{2}[-./][\d?]{2}")
_NUMBERS = re.compile(r"(\d{1,2})([-./ ]) ?(\d{1,2})\2 ?'?(\d{4}|\d{2})")
_WEEK = re.compile(r"(\d{4})[- ]?(?:w|kw|week)[- ]?(\d{1,2})(?:-(\d))?", re.IGNORECASE)
_LONGEST = 100  # letters of a day and a time
_WEEKDAY = re.compile(r"\A([^\W\d_]{2,}+)[.,]{0,2} +(?=\d)")
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE]\+\d{1,2})?")
_EASTERN = re.compile(r"(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]")
_MONTH_ALONE = re.compile(r"(?P<year>\d{4})(?:[-./](?P<month>\d{1,2}))?|(?P<first>\d{1,2})[-./](?P<last>\d{4})")
_SHOWS_YEAR = re.compile(r"\d{4}|^\d{1,2}\.\d{1,2}\.\d{2}$")
_YEARS = (1800, 2199)
_SERIALS = (15_000, 80_000)  # of a spreadsheet: 1941 to 2119
_TABLE = packaged_table("readers", "calendar.toml")
_MONTHS = {word: month for month, words in enumerate(_TABLE["months"], 1) for word in words.split()}
_PASSED = {word for words in _TABLE["passed"].values() for word in words.split()}


def _without_time(text: str) -> str:
    """A text without the time of day at its end; a long one, which cannot be a day, is unchanged."""
    return _TIME_OF_DAY.sub("", text) if len(text) <= _LONGEST else text


def read_day(text: str, order: str | None = None, numbers: bool = True) -> np.datetime64:
    """Day of a text, NaT if a part is unknown; `ValueError` if it is not a day, or ambiguous without `order`.

    Examples
    --------
    >>> [str(read_day(text)) for text in ("13. Januar 2024", "Sat, Jan 13, 2024", "2024-W02-6", "45304")]
    ['2024-01-13', '2024-01-13', '2024-01-13', '2024-01-13']
    """
    if text in UNKNOWN or ("?" in text and _UNKNOWN_DATE.fullmatch(text)):
        return _NO_DAY
    if match := _YEAR_FIRST.fullmatch(text):
        return _known(int(match[1]), int(match[3]), int(match[4]))
    plain = _without_time(text.strip()) if ":" in text or "T" in text else text.strip()
    if plain[:1].isalpha() and (match := _WEEKDAY.match(plain)) and strip_accents(match[1]) in _PASSED:
        plain = plain[match.end() :]
    if match := _NUMBERS.fullmatch(plain):
        if order == YEAR_FIRST:
            return _known(_year(match[1]), int(match[3]), int(match[4]))
        return _known(_year(match[4]), *_month_and_day(int(match[1]), int(match[3]), match[2], order))
    if match := _EASTERN.match(plain):
        return _known(*map(int, match.groups()))
    if match := _WEEK.fullmatch(plain):
        return np.datetime64(datetime.date.fromisocalendar(int(match[1]), int(match[2]), int(match[3] or 1)), "D")
    return _of_number(plain, numbers) if _NUMBER.fullmatch(plain) else _by_name(plain)


def _of_number(text: str, numbers: bool) -> np.datetime64:
    """The day of YYYYMMDD and, if numbers may be days, of a serial number or of seconds since 1970."""
    if len(text) == 8 and _YEARS[0] <= int(text[:4]) <= _YEARS[1]:
        return _known(int(text[:4]), int(text[4:6]), int(text[6:]))
    value = float(text)
    if numbers and value == 0.0:
        return _NO_DAY
    if numbers and _SERIALS[0] <= value <= _SERIALS[1]:
        return SPREADSHEET_ZERO + np.timedelta64(int(value), "D")
    if numbers and 1e8 <= value < 1e13:
        return np.datetime64(int(value / (86_400_000.0 if value > 1e11 else 86_400.0)), "D")
    raise ValueError(text)


def _by_name(text: str) -> np.datetime64:
    """The day of a text with the name of its month."""
    tokens = _TOKEN.findall(strip_accents(text))
    numbers = [token for token in tokens if token.isdecimal()]
    words = [token for token in tokens if not token.isdecimal() and (token in _MONTHS or token not in _PASSED)]
    if len(words) != 1 or words[0] not in _MONTHS or len(numbers) != 2:
        raise ValueError(text)
    first, second = numbers
    year, day = (first, second) if len(first) == 4 else (second, first)
    return _known(_year(year), _MONTHS[words[0]], int(day))


def _month_and_day(first: int, second: int, mark: str, order: str | None) -> tuple[int, int]:
    """Month and day of two numbers in an order; with dots the day is first."""
    if mark == "." or order == DAY_FIRST or first == second:
        return second, first
    if order == MONTH_FIRST:
        return first, second
    raise ValueError(order)


def _year(text: str) -> int:
    """The year of four digits, or of two by the rule of `strptime`."""
    return int(text) if len(text) == 4 else int(text) + (1900 if int(text) > 68 else 2000)


def _known(year: int, month: int, day: int) -> np.datetime64:
    """A day of the calendar, NaT for a spreadsheet's zero."""
    calendar_day = np.datetime64(datetime.date(year, month, day), "D")
    return _NO_DAY if calendar_day == SPREADSHEET_ZERO else calendar_day


def _read_as(text: str, form: str) -> np.datetime64:
    """The day of a text in a form of the user's, NaT where empty; `ValueError` if it is written otherwise."""
    if text in UNKNOWN:
        return _NO_DAY
    day = datetime.datetime.strptime(text if "%H" in form or "%I" in form else _without_time(text), form).date()
    return _known(day.year, day.month, day.day)


def month_of(text: str) -> np.datetime64:
    """First day of a month or a year written without a day; `ValueError` if it is neither.

    Examples
    --------
    >>> [str(month_of(text)) for text in ("2024-03", "3/2024", "März 2024", "2024")]
    ['2024-03-01', '2024-03-01', '2024-03-01', '2024-01-01']
    """
    if text in UNKNOWN:
        return _NO_DAY
    if match := _MONTH_ALONE.fullmatch(text):
        year, month = int(match["year"] or match["last"]), int(match["month"] or match["first"] or 1)
        if not _YEARS[0] <= year <= _YEARS[1]:
            raise ValueError(text)
        return _known(year, month, 1)
    year, *months = sorted(_TOKEN.findall(strip_accents(text)))
    if len(months) != 1 or len(year) != 4 or not year.isdecimal():
        raise ValueError(text)
    return _known(int(year), _MONTHS.get(months[0], 0), 1)


def _can_read(texts: Iterable[str], read: Callable[[str], np.datetime64]) -> bool:
    """True if some texts are known, and a function reads all of these."""
    with suppress(ValueError, OverflowError):
        return bool([read(text) for text in texts if text not in UNKNOWN])
    return False


def are_months(texts: Iterable[str]) -> bool:
    """True if all known texts are months or years without a day."""
    return _can_read(texts, month_of)


def reader_of(
    texts: Iterable[str], place: str, form: str | None = None, day_first: bool = False
) -> tuple[Callable[[str], np.datetime64], str]:
    """Parser of a column of days, and the expected form; `GameTableError` if days have two readings."""
    if form is not None:
        if not re.search("%[YyGcDxs]", form):
            raise GameTableError("--date-format", "a form with the year, such as %d/%m/%Y", repr(form))
        return partial(_read_as, form=form), f"a date written as {form}"
    texts = [*texts]
    if are_months(texts):
        return month_of, "a month, such as 2012-11"
    matches = (_NUMBERS.fullmatch(_without_time(text)) for text in texts if not text[:4].isdecimal())
    if not (parts := [match for match in matches if match]):
        return read_day, "a day of the calendar, such as 2012-11-30"
    year = "%Y" if all(len(part[4]) == 4 for part in parts) else "%y"
    orders = {order: _FORMS[order].format(parts[0][2], year) for order in _orders_of(parts, day_first)}
    if len(orders) > 1:
        either = " or ".join(f"--date-format {form}" for form in orders.values())
        raise GameTableError(place, "unambiguous dates", repr(parts[0][0][:60]), f"Say {either}.")
    return partial(read_day, order=next(iter(orders))), f"a date written as {next(iter(orders.values()))}"


def _orders_of(parts: Sequence[re.Match[str]], day_first: bool) -> list[str]:
    """Orders of the numbers of days that fit all; the year of 24.03.31 is first if the last numbers vary more."""
    first, second, last = (sorted(int(part[k]) for part in parts) for k in (1, 3, 4))
    spread, alike = last[-1] - last[0], all(part[2] == "." or part[1] == part[3] for part in parts)
    two_digits = all(len(part[1] + part[4]) == 4 for part in parts)
    turned = two_digits and second[-1] <= 12 and last[0] > 0 and last[-1] <= 31 and spread > first[-1] - first[0]
    if turned and spread >= 10 and second[0] < second[-1] and first[0] >= 10 and first[-1] - first[0] <= _FEW_YEARS:
        return [YEAR_FIRST]
    orders = [DAY_FIRST] * (day_first or alike or second[-1] <= 12)
    orders += [] if day_first or alike or first[-1] > 12 else [MONTH_FIRST]
    return [*orders, *[YEAR_FIRST] * (turned and not day_first)] or [DAY_FIRST]


def are_days(texts: Iterable[str]) -> bool:
    """True if every known text is clearly a day: four digits of a year, or a month's name."""
    return _can_read(texts, _clear_day)


def _clear_day(text: str) -> np.datetime64:
    """The day of a text that shows a year or names a month; `ValueError` for another text."""
    if _SHOWS_YEAR.search(text) is None and _MONTHS.keys().isdisjoint(_TOKEN.findall(strip_accents(text))):
        raise ValueError(text)
    match = _NUMBERS.fullmatch(_without_time(text))
    return read_day(text, MONTH_FIRST if match and int(match[3]) > 12 else DAY_FIRST, numbers=False)
