"""A page of lists with intervals, one under the other: who, how much, how sure, drawn on one axis a list.

It takes tables and nothing else, so that whatever has means and intervals can have a page. The page holds everything it
shows, works without a network and without a script (which sorts and filters).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from halfpoint.evaluation.digits import decimals, plain
from halfpoint.evaluation.report.templates import rendered

TICKS = 4
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class ForestRow:
    """A row of a list: texts as they are shown, numbers to sort by, and places on the axis in percent of its width."""

    rank: int
    name: str
    mean: str
    interval: str
    value: float
    results: int
    told: str
    left: float
    width: float
    dot: float


@dataclass(frozen=True)
class ForestList:
    """A list with intervals.

    Parameters
    ----------
    id, title, text : str
        Anchor, heading, and what the numbers are.
    noun, unit : str
        What a row is, and the unit of the numbers.
    rows : tuple of ForestRow
        Best first.
    ticks : tuple of (str, float)
        Labels of the axis and their places in percent.
    zero : float or None
        Place of 0, where it is on the axis.
    told : bool
        Whether rows say who can be told apart.
    """

    id: str
    title: str
    text: str
    noun: str
    unit: str
    rows: tuple[ForestRow, ...]
    ticks: tuple[tuple[str, float], ...]
    zero: float | None
    told: bool


@dataclass(frozen=True)
class ListsPage:
    """Everything on the page.

    Parameters
    ----------
    title, answer, verdict : str
        Heading, the answer in a sentence, and what the sampler says.
    trusted, simulated : bool
        Whether the numbers are to be trusted; whether nobody played these games.
    facts : mapping of str to str
        A few numbers on top.
    lists : sequence of ForestList
        In order.
    interval : str
        What the intervals are, in words.
    made : sequence of str
        How the lists were made, a line each, folded at the end.
    """

    title: str
    answer: str
    verdict: str
    trusted: bool
    simulated: bool
    facts: Mapping[str, str]
    lists: Sequence[ForestList]
    interval: str
    made: Sequence[str] = ()


def forest_list(identifier: str, title: str, text: str, frame: pd.DataFrame, value: str, unit: str) -> ForestList:
    """Return a list with intervals from a table.

    Parameters
    ----------
    identifier, title, text : str
        Anchor, heading, and what the numbers are.
    frame : DataFrame
        Best first: rank, a column of names (the second), `value`, low, high, results, and perhaps told ("yes", or how a
        row is known only with others).
    value : str
        Column of the means.
    unit : str
        Their unit.
    """
    noun = str(frame.columns[1])
    low, high = (frame[name].to_numpy(dtype=np.float64) for name in ("low", "high"))
    digits = digits_of_list(frame)
    ends = ticks_of(float(low.min(initial=0.0)), float(high.max(initial=0.0)))
    first, length = ends[0], ends[-1] - ends[0]

    def place(number: float) -> float:
        return round(100.0 * (number - first) / length, 2)

    told = "told" in frame.columns
    rows = []
    for row in frame.to_dict("records"):
        bounds = f"{signed(row['low'], digits)} to {signed(row['high'], digits)}"
        known = str(row["told"]) if told and row["told"] != "yes" else ""
        left, right = place(row["low"]), place(row["high"])
        made = ForestRow(
            rank=int(row["rank"]),
            name=str(row[noun]),
            mean=signed(row[value], digits),
            interval=bounds,
            value=float(row[value]),
            results=int(row["results"]),
            told=known,
            left=left,
            width=round(right - left, 2),
            dot=place(row[value]),
        )
        rows.append(made)
    step = decimals(2.0 * (ends[1] - ends[0]))
    labels = tuple((signed(tick, step), place(tick)) for tick in ends)
    zero = place(0.0) if first < 0.0 < ends[-1] else None
    return ForestList(identifier, title, text, noun, unit, tuple(rows), labels, zero, any(row.told for row in rows))


def digits_of_list(frame: pd.DataFrame) -> int:
    """Return how many decimals the numbers of a list have: as the middle one of its intervals allows."""
    return decimals(float((frame["high"] - frame["low"]).median())) if len(frame) else 0


def signed(value: float, digits: int) -> str:
    """Return a number with a minus sign that is one."""
    return plain(value, digits).replace("-", "−")


def ticks_of(low: float, high: float) -> list[float]:
    """Return round numbers, about `TICKS` steps of them, from below the lowest to above the highest.

    Examples
    --------
    >>> ticks_of(-1.5, 2.3)
    [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
    """
    rough = max(high - low, 1e-6) / TICKS
    size = 10.0 ** np.floor(np.log10(rough))
    step = float(next(one * size for one in STEPS if one * size >= rough * 0.999))
    begin, end = int(np.floor(low / step)), int(np.ceil(high / step))
    return [round(k * step, 10) for k in range(begin, max(end, begin + 1) + 1)]


def lists_page(page: ListsPage) -> str:
    """Return the page as HTML; every text is escaped, so that a name from a file is never markup.

    Parameters
    ----------
    page : ListsPage
        What it says.
    """
    return rendered("lists.html.j2", page=page)
