"""The one list of every page, of players, models, engines, clubs, pairs, conclusions: a table as data for the script.

A table's columns become columns of the list by their names: `rating_elo` with `low_elo` and `high_elo` is a number,
its interval and a bar on a common axis; `rank_low` with `rank_high` an interval of ranks; `..._percent` a chance;
`tier` thin rules between rows. Other columns are shown unchanged. Columns that do not fit the page are left out by
priority, and appear in the row's panel.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.evaluation.digits import decimals, digits_of
from halfpoint.models.games.packaged import packaged_table

MARK = "not converged"
Failed = frozenset[tuple[str, str]]
TITLES: dict[str, str]
TITLES, UNITS = packaged_table("apps.pages", "titles.toml").values()
LAST = ("sd", "tier", "converged", "told_", "part")  # the first to be left out
_ASKED = re.compile(
    r"\A(?:(?:less_)?printed_elo|title_percent|(?:first|last)_\d+_percent|zone_.+_percent)"
)  # main columns of a page
PLACE = re.compile(r"place_\d+(_percent)?")  # a chance of each place: shaded, and never left out
THIRDS = "win_draw_loss"  # a column of three shares in percent
_TOLD = re.compile(
    r"\A(?:[-+−<>]?\d[\d,.]*+%?(?: \(.*\))?$|\d{1,3}%)"
)  # a cell that is a number, perhaps with its interval
_NAMING = ("player", "club", "competitor", "model", "engine", "pair", "name", "system")  # who heads a row
_RESULTS = re.compile(r"R?\d+|place|points")  # of a cross-table: never left out, the list is scrolled


@dataclass(frozen=True)
class Column:
    """A column: heading, format of cells, and priority (0: always shown).

    `kind` is text, told (text that begins with a number), number, percent, heat (percent, shaded), span (from, to),
    ranks (from, to, whole numbers), bar (mean, low, high, perhaps a mark), change (a signed number) or thirds (shares
    of win, draw and loss, percent).
    """

    name: str
    title: str
    kind: str
    digits: int | None = None
    want: int = 50
    signed: bool = False  # a plus before positive numbers
    style: str = ""  # further classes of its cells


@dataclass(frozen=True)
class Listing:
    """A list of the page."""

    id: str  # anchor and heading
    title: str  # likewise
    noun: str  # noun of a row
    columns: tuple[Column, ...]  # in order; the one called `noun` heads the row
    rows: tuple[tuple[Any, ...], ...]  # plain values, a cell each
    marks: Mapping[int, str] = field(default_factory=dict)  # rows that are not to be trusted, and why
    tiers: tuple[int, ...] = ()  # rows that begin a tier
    text: str = ""  # explanation of the numbers, under the list
    people: bool = False  # whether rows are those of whom the page has a panel
    some: int = 100  # rows that are shown at first
    filtered: str = ""  # column whose values can be chosen among; empty for none
    links: Mapping[int, str] = field(default_factory=dict)  # addresses of rows with a page of their own

    def data(self) -> dict[str, object]:
        """List in the form that the script reads."""
        names = ("noun", "columns", "rows", "marks", "tiers", "people", "some", "filtered")
        columns = [{name: value for name, value in vars(column).items() if name != "style"} for column in self.columns]
        return {name: getattr(self, name) for name in names} | {"columns": columns}


def listing(
    frame: pd.DataFrame,
    identifier: str,
    title: str,
    titles: Mapping[str, str] | None = None,
    digits: Mapping[str, int | None] | None = None,
    failed: Failed = frozenset(),
    interval: float = 0.95,
    noun: str = "",
    text: str = "",
    people: bool = False,
    some: int = 100,
    filtered: str = "",
) -> Listing:
    """A table as a list of the page, under an anchor and a heading.

    Parameters
    ----------
    titles : mapping of str to str, optional
        Headings by column, besides `TITLES`; by default a column's name with blanks for underscores.
    digits : mapping of str to int, optional
        Decimals by column; by default as the errors in the table allow (`halfpoint.evaluation.digits`), else two. None
        is a probability in whole percent.
    failed : frozenset of (name, edition)
        Runs that did not converge: their rows, by the columns `name` and `edition`, are marked.
    interval : float
        Mass of the intervals, for their headings.
    noun, text, people, some, filtered
        As in `Listing`; the noun is the first column of text by default.
    """
    frame = frame.rename(columns=str)
    frame = frame[[name for name in frame.columns if len(frame) == 0 or frame[name].notna().any()]]
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    noun = noun or next((name for name in texts if name in _NAMING), texts[0] if texts else str(frame.columns[0]))
    allowed: dict[str, int | None] = {**digits_of(frame), **(digits or {})}
    columns: list[Column] = []
    cells: list[Sequence[object]] = []

    def put(name: str, kind: str, values: Sequence[object], want: int, count: int | None = None) -> None:
        signed = kind == "number" and is_signed(name)
        columns.append(Column(name, title_of(name, titles or {}, interval), kind, count, want, signed))
        cells.append(values)

    names = list(frame.columns)
    spans = {name: ends for name in names if (ends := ends_of(name, names)) is not None}
    hidden = {end for ends in spans.values() for end in ends}
    for name, (low, high) in spans.items():  # as the middle one of its intervals allows
        width = float((frame[high] - frame[low]).median())
        allowed |= dict.fromkeys((name, low, high), (digits or {}).get(name, decimals(width)))
    chances = {name for name, count in (digits or {}).items() if count is None}
    drawn = False
    for place, name in enumerate(names):
        want = 60 + place if name.startswith(LAST) else 10 + place
        want = 0 if name == noun or _RESULTS.fullmatch(name) else 4 if _ASKED.fullmatch(name) else want
        want = 1 if name.startswith("rating_") else want
        values = _plain_cells(frame[name])
        if {"rank_low", "rank_high"} <= set(names) and name in ("rank_low", "rank_high"):
            if name == "rank_low":
                put("ranks", "ranks", _pairs_of(frame, "rank_low", "rank_high"), 9)
        elif name in hidden:
            continue
        elif pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name]):
            place_of = PLACE.fullmatch(name)
            kind = "heat" if place_of else "percent" if name.endswith("_percent") or name in chances else "number"
            want = 0 if place_of else want
            is_whole = pd.api.types.is_integer_dtype(frame[name])
            usual = None if kind != "number" else 0 if is_whole else _digits_of_values(frame[name])
            count = usual if is_whole else allowed.get(name, usual)
            first = name in spans and not drawn
            put(name, kind, values, 1 if first else 2 if name == "rank" else want, count)
            if name in spans:
                low, high = spans[name]
                between = _pairs_of(frame, low, high)
                put(f"{name}_between", "span", between, 8 if first else 60 + place, count)
                if first:
                    pairs = zip(values, between, strict=True)
                    bars = [None if mean is None or pair is None else [mean, *pair] for mean, pair in pairs]
                    put(f"{name}_drawn", "bar", bars, 7 if any(map(_ASKED.fullmatch, names)) else 3, count)
                    drawn = True
        elif name == THIRDS:
            put(name, "thirds", [list(map(float, thirds)) for thirds in frame[name]], 5)
        else:
            is_told = any(values) and all(value is None or not value or _TOLD.match(str(value)) for value in values)
            put(name, "told" if is_told and name != noun else "text", values, want)
    marks = {}
    if {"name", "edition"} <= set(names):
        runs = zip(frame["name"].astype(str), frame["edition"].astype(str), strict=True)
        marks = {row: MARK for row, run in enumerate(runs) if run in failed}
    tiers: tuple[int, ...] = ()
    if "tier" in names:
        tiers = tuple((np.flatnonzero(np.diff(frame["tier"].to_numpy())) + 1).tolist())
    rows = tuple(zip(*cells, strict=True)) if cells else ()
    return Listing(identifier, title, noun, tuple(columns), rows, marks, tiers, text, people, some, filtered)


def title_of(name: str, titles: Mapping[str, str], interval: float = 0.95) -> str:
    """The heading of a column."""
    if name.endswith("_between"):
        return titles.get(name, f"{interval:.0%} interval")
    if name == "ranks":
        return f"Rank, {interval:.0%}"
    number = "".join(re.findall(r"\d+", name))
    title = titles.get(name, TITLES.get(name, TITLES.get(name.replace(number or "#", "#"))))
    if title is not None:
        return title.replace("#", number)
    plain = (
        name.removeprefix("zone_")
        .removesuffix("_elo")
        .removesuffix("_percent")
        .removesuffix("_drawn")
        .replace("_", " ")
    )
    plain = re.sub(rf"\b({'|'.join(UNITS)})\b", lambda match: UNITS[match[0]], plain)
    return "" if name.endswith("_drawn") else plain[:1].upper() + plain[1:]


def is_signed(name: str) -> bool:
    """True if a column has differences, which are printed with a plus if positive."""
    return name.startswith(("less_", "change_"))


def ends_of(name: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Columns of the ends of a number's interval, None if absent."""
    if name == "rank":
        return None
    stem, _, unit = name.rpartition("_")
    candidates = [(f"{name}_low", f"{name}_high")]
    if stem in ("rating", "mean", "effect"):
        candidates.append((f"low_{unit}", f"high_{unit}"))
    if name in ("mean", "imps", "difference", "rating", "elo"):
        candidates += [("low", "high"), (f"low_{name}", f"high_{name}")]
    return next((ends for ends in candidates if set(ends) <= set(names)), None)


def _pairs_of(frame: pd.DataFrame, low: str, high: str) -> list[list[object] | None]:
    """Two columns as pairs, None where one is missing."""
    ends = zip(_plain_cells(frame[low]), _plain_cells(frame[high]), strict=True)
    return [None if None in pair else list(pair) for pair in ends]


def _digits_of_values(values: pd.Series) -> int:
    """Two decimals for numbers around 1, none for numbers in the hundreds or whole numbers."""
    numbers = values.to_numpy(dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    if not numbers.size or (numbers == np.rint(numbers)).all():
        return 0
    return 0 if np.median(np.abs(numbers)) >= 100.0 else 1 if (numbers * 2 == np.rint(numbers * 2)).all() else 2


def json_cell(value: object) -> Any:
    """A cell for JSON: numbers as numbers, missing values and infinity as None."""
    if type(value) is float:
        return value if isfinite(value) else None
    if type(value) in (str, int, bool):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if value is pd.NA or value is pd.NaT or (isinstance(value, float) and not np.isfinite(value)):
        return None
    return value


def _plain_cells(values: pd.Series) -> list[object]:
    """The cells of a column for a page: yes and no, days as text, missing values None."""
    cells = [json_cell(value) for value in values.to_numpy(dtype=object).tolist()]
    words = {True: "yes", False: "no"}
    shown = [words[value] if isinstance(value, bool) else value for value in cells]
    return [value if value is None or isinstance(value, int | float) else str(value) for value in shown]


def runs_of(frame: pd.DataFrame, failed: Failed) -> Sequence[str]:
    """Name the runs in a frame (columns name and edition) that did not converge."""
    runs = dict.fromkeys(zip(frame["name"].astype(str), frame["edition"].astype(str), strict=True))
    return [f"{name} ({edition})" for name, edition in runs if (name, edition) in failed]
