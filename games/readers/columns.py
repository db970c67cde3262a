"""From columns of raw values to a checked table: what every reader of rows shares.

A reader hands over one array a column, text or numbers, and the line of each row. What a score may be is in
`halfpoint.games.readers.score_cells`. Dates are read from YYYY-MM-DD, YYYY.MM.DD and YYYY/MM/DD (a time of day is
dropped), and from one other form if it is the only one in which the whole column can be read. An empty or unknown
rating is NaN, an empty or partly unknown date is NaT. A column guessed to hold an optional field that mostly does not
is left out.
"""

import datetime
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import Assignment
from halfpoint.games.readers.score_cells import (
    goal_differences,
    holds_goals,
    holds_signs,
    parse_goals_cell,
    parse_neutral,
    parse_score,
    parse_sign,
    winner_scores,
)
from halfpoint.games.readers.set_apart import rows_apart, without
from halfpoint.games.readers.side_cells import are_several, marks_of, parts_of, read_sides, side_keys
from halfpoint.games.seats import seats_of_column
from halfpoint.games.sides import JOINED, Sides
from halfpoint.games.table import RATING_RANGE_ELO, GameTable, code_players

Values = npt.NDArray[Any]

UNKNOWN = ("", "?", "-", "nan", "NaN", "None", "<NA>", "NaT")
TIME_OF_DAY = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|[-+]\d{2}:?\d{2}))?)?"
DATE = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})" + TIME_OF_DAY)
DATE_FORMS = (
    *("%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y", "%d.%m.%y", "%Y%m%d"),
    *("%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y"),
)
UNKNOWN_DATE = re.compile(r"[\d?]{4}[-./][\d?]{2}[-./][\d?]{2}")


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


def date_form(texts: Iterable[str], place: str) -> str | None:
    """Return the one form of `DATE_FORMS` in which all dates can be read; None if one has the year first, or none fits.

    Raises
    ------
    GameTableError
        If two forms fit and disagree, as day and month may; the message has the option for either.
    """
    known = [text for text in texts if text not in UNKNOWN]
    if not known or any(DATE.fullmatch(text) or "?" in text for text in known):
        return None
    fitting: dict[str, list[np.datetime64]] = {}
    for form in DATE_FORMS:
        if form == "%Y%m%d" and any(len(text) != 8 for text in known):
            continue
        try:
            fitting[form] = [parse_date_as(text, form) for text in known]
        except ValueError:
            continue
    if len({tuple(days) for days in fitting.values()}) > 1:
        either = " or ".join(f"--date-format {form}" for form in fitting)
        raise GameTableError(place, "dates that can be read in one way", repr(known[0][:60]), f"Say {either}.")
    return next(iter(fitting), None)


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


OPTIONAL = ("period", "date", "white_rating_elo", "black_rating_elo", "neutral")  # left out where guessed wrongly
PARSERS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "white": (parse_name, "a player's name", "U"),
    "black": (parse_name, "a player's name", "U"),
    "score": (parse_score, "White's score: 0, 0.5 or 1", "f8"),
    "neutral": (parse_neutral, "a neutral ground or not: TRUE or FALSE, 1 or 0", "f8"),
    "period": (parse_period, "a period, a whole number", "i8"),
    "date": (parse_date, "a day of the calendar, such as 2012-11-30", "M8[D]"),
    "white_rating_elo": (parse_rating, "a rating, a number from 0 to 4000", "f8"),
    "black_rating_elo": (parse_rating, "a rating, a number from 0 to 4000", "f8"),
    "weight": (parse_weight, "a weight, a finite number of at least 0", "f8"),
    "event": (str, "a text", "U"),
    "margin": (parse_goals, "a margin, a number", "f8"),
    "white_goals": (parse_goals, "goals, a number", "f8"),
    "black_goals": (parse_goals, "goals, a number", "f8"),
}


def as_text(value: object) -> str:
    """Return a cell as stripped text, empty where it is missing."""
    return "" if value is None or value is pandas.NA or value != value else str(value).strip()


def parse_column(
    field: str,
    values: Values,
    place: Callable[[int], str],
    column: str,
    date_format: str | None = None,
    goals_in_cells: bool = False,
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
    goals_in_cells : bool
        Whether a score may be two numbers of goals, as in tables; in PGN "2-0" is a mistake.

    Raises
    ------
    GameTableError
        At the first row that does not hold what the field needs.
    """
    parser, expected, kind = PARSERS[field]
    try:
        codes, distinct = pandas.factorize(values, use_na_sentinel=False)
    except TypeError:
        kinds = ", ".join(sorted({type(value).__name__ for value in values}))
        raise GameTableError(f"{place(0)}, column {column}", expected, f"values of type {kinds}") from None
    texts = [as_text(value) for value in distinct]
    if field == "date":
        date_format = date_format or date_form(texts, f"{place(0)}, column {column}")
    if date_format is not None and field == "date":
        parser, expected = partial(parse_date_as, form=date_format), f"a date written as {date_format}"
    if field == "score" and goals_in_cells and holds_goals(texts):
        parser = parse_goals_cell
    elif field == "score" and goals_in_cells and holds_signs(texts):
        parser = parse_sign
    parsed = []
    for code, text in enumerate(texts):
        try:
            parsed.append(parser(text))
        except (ValueError, OverflowError):
            row = int(np.flatnonzero(codes == code)[0])
            shown = repr(text if len(text) <= 60 else f"{text[:60]}...")
            remedy = "Name their form, such as --date-format %d/%m/%Y." if field == "date" else ""
            raise GameTableError(f"{place(row)}, column {column}", expected, shown, remedy) from None
    return np.asarray(parsed, dtype=kind)[codes]


def mostly_wrong(field: str, values: Values, place: str, date_format: str | None) -> bool:
    """Return whether fewer than half of a column's distinct known values are what the field needs."""
    texts = {as_text(value) for value in values} - set(UNKNOWN)
    parser = PARSERS[field][0]
    if field == "date":
        form = date_format or date_form(texts, place)
        parser = parser if form is None else partial(parse_date_as, form=form)

    def fits(text: str) -> bool:
        try:
            parser(text)
        except (ValueError, OverflowError):
            return False
        return True

    return 2 * sum(map(fits, texts)) < len(texts)


def build_table(
    raw: Mapping[str, Values],
    source: str,
    line: npt.NDArray[np.int64] | None,
    name: str,
    headers: Mapping[str, str] | None = None,
    covariates: Mapping[str, Values] | None = None,
    sha256: str | None = None,
    date_format: str | None = None,
    assigned: Assignment | None = None,
    sides: str | None = None,
) -> GameTable:
    """Return the checked table of raw columns.

    Parameters
    ----------
    raw : mapping of str to array, shape (game,)
        Field to its raw values: White and Black with a score, goals or winner, or winner and loser. The winner is then
        White in every game, and every game is neutral, because such seats say nothing.
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
    assigned : Assignment, optional
        Where the columns come from, for the notes: which were guessed and which left out.
    sides : str, optional
        What stands between the people of a side in one cell, or "whole" for names as they stand; found if not given
        (see `halfpoint.games.readers.side_cells`).

    Raises
    ------
    GameTableError
        At the first value that breaks a rule.
    """
    columns, notes = dict(raw), []
    left_out = [] if assigned is None else list(assigned.left_out)
    seatless = "loser" in columns
    if seatless:
        columns = {"white": columns.pop("winner"), "black": columns.pop("loser")} | columns
        columns |= {"score": np.ones(len(columns["white"])), "neutral": np.ones(len(columns["white"]))}
        notes.append("winners and losers: who sat first is not told, so no first-move or home advantage can be found")
    if len(columns["white"]) == 0:
        raise GameTableError(source, "at least one game", "no rows")

    covariates = dict(covariates or {})
    rows = "row" if line is None else "line"
    apart = {} if assigned is None else rows_apart(columns, as_text)
    if apart:
        kept, line, told = without(columns, apart, line, source)
        columns = {field: values[kept] for field, values in columns.items()}
        covariates = {key: values[kept] for key, values in covariates.items()}
        notes += told

    def place(row: int) -> str:
        return f"{source}, {rows} {row + 1 if line is None else line[row]}"

    names = {field: (headers or {}).get(field, field) for field in columns}
    if seatless:
        names |= {"white": names.get("winner", "winner"), "black": names.get("loser", "loser")}
    guessed = frozenset[str]() if assigned is None else assigned.guessed
    for field in [one for one in OPTIONAL if one in guessed and one in columns]:
        if mostly_wrong(field, columns[field], f"{source}, column {names[field]}", date_format):
            del columns[field]
            left_out.append(names[field])
    winner = columns.pop("winner", None)
    table = assigned is not None
    margin = goal_differences(columns["score"]) if table and "score" in columns else None
    mark, said = marks_of(columns, sides, as_text)
    notes += [said] if said else []
    several = are_several(columns, mark)
    who: Sides | None = None
    seated = {key: columns.pop(key) for key in side_keys(columns) if several or key not in ("white", "black")}
    left_out += [] if several else [names[key] for key in seated]
    parsed = {f: parse_column(f, values, place, names[f], date_format, table) for f, values in columns.items()}
    if several:
        players, white, black, who = read_sides(seated, mark, names, place, source, as_text, parse_name)
        parsed |= {"white": players[white], "black": players[black]}
        for field in ("white_rating_elo", "black_rating_elo"):
            if parsed.pop(field, None) is not None:
                left_out.append(names[field])
    if winner is not None:
        seats = names["white"], names["black"]
        texts = [as_text(value) for value in winner]
        if several and mark:
            texts = [JOINED.join(sorted(parts_of(text, mark))) if mark in text else text for text in texts]
        parsed["score"] = winner_scores(texts, parsed["white"], parsed["black"], seats, place)
    if "margin" in parsed:
        margin = parsed["margin"]
    elif "white_goals" in parsed:
        margin = parsed["white_goals"] - parsed["black_goals"]
    if "score" not in parsed:
        assert margin is not None
        parsed["score"] = (1.0 + np.sign(margin)) / 2.0
    if who is None:
        players, white, black = code_players(parsed["white"], parsed["black"])
    elif who.members.shape[1] == 1 and bool(np.all(who.share == 1.0)):
        who = None  # nobody has a partner
    further = {}
    for key, values in covariates.items():
        numbers = pandas.to_numeric(pandas.Series(values), errors="coerce").to_numpy(dtype=np.float64)
        text = np.asarray([as_text(value) for value in values], dtype=np.str_)
        further[key] = numbers if not np.isnan(numbers[text != ""]).any() else text
    if "neutral" in parsed:
        further["neutral"] = parsed["neutral"]
    if margin is not None:
        further["margin" if "margin" in parsed else "goal_difference"] = margin
    if assigned is not None:
        notes += replace(assigned, left_out=tuple(left_out)).notes()
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
        notes=tuple(notes),
        seats="first" if seatless else seats_of_column(names["white"]),
        sides=who,
    )
