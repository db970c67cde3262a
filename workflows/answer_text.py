"""An answer as text: JSON without NaN, and CSV in which no spreadsheet finds a formula.

Text cells that came from files stay text: in CSV what a spreadsheet would run as a formula gets an apostrophe in front.
"""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.games.errors import HalfpointError

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def plain(value: Any) -> Any:
    """Return a cell as JSON holds it: numbers as numbers, NaN as None."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is pd.NA or (isinstance(value, float) and not np.isfinite(value)):
        return None
    return value


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as JSON holds them."""
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, map(plain, row), strict=True)) for row in frame.to_numpy(dtype=object).tolist()]


def in_full(frame: pd.DataFrame, about: dict[str, Any]) -> dict[str, Any]:
    """Return an answer as JSON holds it: what it is about, and its rows."""
    return {**{key: plain(value) for key, value in about.items()}, "rows": records(frame)}


def as_json_text(answer: dict[str, Any]) -> str:
    """Return an answer as JSON text."""
    return json.dumps(answer, indent=1) + "\n"


def as_json(frame: pd.DataFrame, about: dict[str, Any]) -> str:
    """Return an answer as JSON text: what it is about, and its rows."""
    return as_json_text(in_full(frame, about))


def without_formula(value: Any) -> Any:
    """Return a cell that a spreadsheet shows as text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def as_csv(frame: pd.DataFrame) -> str:
    """Return a frame as CSV of which no spreadsheet runs a cell, nor a heading."""
    text = StringIO()
    frame.map(without_formula).rename(columns=without_formula).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def kind_of(path: Path, option: str = "--out") -> str:
    """Return the suffix of a file of an answer."""
    if path.suffix not in (".csv", ".json", ".html"):
        raise HalfpointError(f"{option}: expected a file that ends in .csv, .json or .html, found {str(path)!r}")
    return path.suffix
