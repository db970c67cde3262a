"""Readable cells, the same on terminal, page and notebook: headings, digits, percent, intervals in one cell.

A number has the digits that its error allows (`halfpoint.evaluation.digits`); a number without an error has the
decimals of its `Look`, a whole number none. A look marked as a chance is in whole percent.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from halfpoint.apps.pages.listing import UNITS, ends_of, is_signed, json_cell, title_of
from halfpoint.evaluation.digits import digits_of, fixed_decimals, in_percent

_NUMBER = re.compile(r"[-+−]?[\d,.]*%?|[<>]\d+%")


@dataclass(frozen=True)
class Look:
    """Presentation of rows on a page; files have every number."""

    frame: pd.DataFrame | None = None  #: the rows in the words of their field; None: those of the answer
    digits: int = 1  #: decimals without an error beside
    chances: Sequence[str] = ()  #: columns in whole percent
    short: Sequence[str] = ()  #: columns in their order; empty for all
    decimals: Mapping[str, int] = field(default_factory=dict)  #: decimals by column, where a rule sets them


PLAIN = Look()


@dataclass(frozen=True)
class Cells:
    """Column in printed form."""

    heading: str
    texts: list[str]
    right: bool  #: whether it holds numbers


def rows_of(frame: pd.DataFrame, look: Look) -> pd.DataFrame:
    """Visible rows and columns."""
    shown = frame if look.frame is None else look.frame
    return shown[[name for name in look.short if name in shown]] if look.short else shown


def column_digits(frame: pd.DataFrame, look: Look) -> dict[str, int | None]:
    """Decimals of each column; None for a chance in whole percent."""
    allowed = {**digits_of(frame), **look.decimals}
    numbers = frame.select_dtypes("float")
    whole_numbers = {
        str(name) for name in numbers if numbers[name].notna().any() and (numbers[name].dropna() % 1 == 0).all()
    }
    names = [str(name) for name in frame.columns]
    usual = {name: min(look.digits, 1) if name.endswith("_elo") else look.digits for name in names}
    usual |= dict.fromkeys(whole_numbers, 0)
    return {name: None if name in look.chances else allowed.get(name, usual[name]) for name in names}


def cells_of(frame: pd.DataFrame, look: Look) -> list[Cells]:
    """Columns of rows in printed form, both ends of an interval in one."""
    shown = rows_of(frame, look)
    digits = column_digits(shown, look)
    cells = {name: [cell(value, digits[name], name) for value in shown[name].tolist()] for name in digits}
    right = {name for name, column in cells.items() if all(map(_NUMBER.fullmatch, column))}
    heads = {name: heading(name) for name in cells}
    pairs = {name: ends_of(name, list(cells)) for name in cells} | {"ranks": ("rank_low", "rank_high")}
    for name, (low, high) in ((column, ends) for column, ends in pairs.items() if ends and {*ends} <= {*cells}):
        ends = zip(cells[low], cells.pop(high), strict=True)
        cells[low] = [f"{start} to {end}" if start and end else "" for start, end in ends]
        heads[low] = name if name == "ranks" else "95%" if "95%" not in heads.values() else f"{heads[name]}, 95%"
    return [Cells(heads[name], texts, name in right) for name, texts in cells.items()]


def heading(name: str) -> str:
    """Heading of a column in running text; a heading in words is unchanged."""
    words = name if name != name.lower() else title_of(name, {})
    plain = words[1:2] == " " or words[1:2].islower()  # not W, nor N-S
    keeps_case = name != name.lower() or not plain or words.partition(" ")[0] in UNITS.values()
    return words if keeps_case else words[:1].lower() + words[1:]


def cell(value: object, digits: int | None, name: str = "") -> str:
    """Cell of a column in printed form; with no digits a number is a probability in percent."""
    value = json_cell(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        unit = "%" if name.endswith("_percent") else ""
        if digits is None or (unit and not digits):
            return in_percent(value / 100.0)
        text = fixed_decimals(value, digits)
        return "+" * (is_signed(name) and float(text) > 0.0) + text + unit
    return str(value)
