"""Tables as the report shows them: cells with a text and a value to sort by, rows marked where a run failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

MARK = "not converged"
Failed = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Column:
    """Heading of a column, and whether it holds numbers."""

    title: str
    numeric: bool


@dataclass(frozen=True)
class Cell:
    """What a cell shows, and what it sorts by: a number, a text, or None for an empty cell, which sorts last."""

    text: str
    sort: float | str | None


@dataclass(frozen=True)
class Row:
    """Cells, and a mark if the row uses a run that is not to be trusted."""

    cells: tuple[Cell, ...]
    mark: str = ""


@dataclass(frozen=True)
class ReportTable:
    """A table of the report.

    Parameters
    ----------
    id : str
        Anchor in the page.
    caption : str
        What the table shows, with units.
    columns : tuple of Column
        Headings.
    rows : tuple of Row
        Rows in the order first shown.
    filtered : bool
        Whether the page offers to filter the rows by a text.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    filtered: bool = False


def report_table(
    frame: pd.DataFrame,
    identifier: str,
    caption: str,
    titles: Mapping[str, str] | None = None,
    decimals: Mapping[str, int] | int = 2,
    failed: Failed = frozenset(),
    filtered: bool = False,
) -> ReportTable:
    """Return a frame as a table of the report.

    Parameters
    ----------
    frame : DataFrame
        The rows; its index is left out.
    identifier : str
        Anchor in the page.
    caption : str
        What the table shows.
    titles : mapping of str to str, optional
        Headings by column; a column's name with blanks for underscores by default.
    decimals : int or mapping of str to int
        Decimals of floats, for all or by column (2 for those not named).
    failed : frozenset of (name, edition)
        Runs that did not converge: rows of these, by the columns `name` and `edition`, are marked.
    filtered : bool
        Offer a filter.
    """
    names = [str(column) for column in frame.columns]
    columns = tuple(
        Column((titles or {}).get(name, name.replace("_", " ")), pd.api.types.is_numeric_dtype(frame[name]))
        for name in names
    )
    digits = [decimals if isinstance(decimals, int) else decimals.get(name, 2) for name in names]
    rows = []
    for values in frame.astype(object).itertuples(index=False, name=None):
        named = dict(zip(names, values, strict=True))
        bad = (str(named.get("name", "")), str(named.get("edition", ""))) in failed
        cells = tuple(cell(value, count) for value, count in zip(values, digits, strict=True))
        rows.append(Row(cells, MARK if bad else ""))
    return ReportTable(identifier, caption, columns, tuple(rows), filtered)


def cell(value: object, decimals: int = 2) -> Cell:
    """Return a value as a cell."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return Cell("", None)
    if isinstance(value, bool | np.bool_):
        return Cell("yes" if value else "no", "yes" if value else "no")
    if isinstance(value, int | np.integer):
        return Cell(str(value), float(value))
    if isinstance(value, float | np.floating):
        text = f"{value:.{decimals}f}"
        return Cell(text.replace("-", "−") if float(text) else text.lstrip("-"), float(value))
    return Cell(str(value), str(value).casefold())


def wide_ratings(ratings: pd.DataFrame, edition: str) -> pd.DataFrame:
    """Return the posterior mean ratings of an edition, players by models, best first by the mean over models.

    Parameters
    ----------
    ratings : DataFrame
        name, edition, player, mean (Elo points).
    edition : str
        Which edition.
    """
    part = ratings[ratings["edition"] == edition]
    models = list(dict.fromkeys(part["name"]))
    wide = part.pivot(index="player", columns="name", values="mean")[models]
    wide = wide.loc[wide.mean(axis=1).sort_values(ascending=False).index]
    return wide.rename_axis(columns=None).reset_index()


def runs_of(frame: pd.DataFrame, failed: Failed) -> Sequence[str]:
    """Return which of the runs in a frame (columns name and edition) did not converge, in words."""
    found = dict.fromkeys(zip(frame["name"].astype(str), frame["edition"].astype(str), strict=True))
    return [f"{name} ({edition})" for name, edition in found if (name, edition) in failed]
