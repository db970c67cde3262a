"""When the games of rows were played: clocks, days that are unknown, and rounds numbered within seasons and events."""

import itertools

import numpy as np
import polars

from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.periods import CLOCK, clock_of
from halfpoint.models.games.table import Texts
from halfpoint.readers.column_values import Values, by_word, parse_column
from halfpoint.readers.days import SPREADSHEET_ZERO, UNKNOWN, are_months
from halfpoint.readers.set_apart import Rows, are_in


def within_seasons(rows: Rows, parsed: dict[str, Values]) -> list[str]:
    """Number the rounds of each season after the previous season's, in place; return a note."""
    season = parsed.get("season", parse_column("season", rows.cells["season"], rows.place, rows.names["season"]))
    seasons = np.unique(season).size
    if seasons < 2 or ("date" in parsed and not np.isnat(parsed["date"]).all()):
        return []
    if rows.names["season"] == rows.names["period"]:
        parsed["period"] = season
        return [f"periods: the {seasons} seasons of column {rows.names['season']!r}"]
    return [_numbered_within(rows, parsed, season, "season", f"{seasons} seasons", "")]


def within_events(rows: Rows, names: tuple[Texts, Texts], parsed: dict[str, Values]) -> list[str]:
    """Number the rounds of consecutive events one after another, in place; return a note.

    Events are consecutive if each has one run of rows and shares players with the event before; parallel leagues have
    different players, and keep their rounds.
    """
    _, first, event = np.unique(parsed["event"], return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))[event.ravel()]
    if first.size < 2 or (np.diff(order) < 0).any() or (np.diff(parsed["period"])[np.diff(order) > 0] > 0).any():
        return []
    starts = [*np.sort(first).tolist(), order.size]
    players = [{*names[0][a:b].tolist(), *names[1][a:b].tolist()} for a, b in itertools.pairwise(starts)]
    if any(2 * len(before & after) < min(len(before), len(after)) for before, after in itertools.pairwise(players)):
        return []
    return [_numbered_within(rows, parsed, order, "event", f"{first.size} events", ", in the order of events")]


def _numbered_within(rows: Rows, parsed: dict[str, Values], outer: Values, field: str, number: str, order: str) -> str:
    """Number the rounds within seasons or events one after another, in place; return a note."""
    pairs = np.stack([outer, parsed["period"]], axis=1)
    parsed["period"] = np.unique(pairs, axis=0, return_inverse=True)[1].ravel() + 1
    columns = f"{rows.names['period']!r} within {rows.names[field]!r}{order}"
    return f"periods: {columns}, {int(parsed['period'].max())} in {number}"


def clocks_of(rows: Rows) -> Values | None:
    """Seconds since midnight, NaN where unknown, from a column of times or days with times; None if all are unknown."""
    columns = [rows.cells[field] for field in (CLOCK, "date") if field in rows.cells]
    clocks = (by_word(cells, clock_of, np.float64) for cells in columns if cells.dtype == polars.String)
    return next((values for values in clocks if np.isfinite(values).any()), None)


def zero_days(rows: Rows, date: Values | None) -> list[str]:
    """Note on dates without days, or on a spreadsheet's zero, which are unknown."""
    if date is not None and are_months(rows.cells["date"].unique().to_list()):
        return [f"dates: {rows.names['date']!r} has no days; games count as of the first day of their month or year"]
    if date is None or not np.isnat(date).any():
        return []
    empty = are_in(rows.cells["date"], UNKNOWN) | rows.cells["date"].str.contains("?", literal=True).to_numpy()
    zero = np.isnat(date) & ~empty
    if not zero.any():
        return [f"dates: {count_noun(int(empty.sum()), 'game')} without a date"] if not empty.all() else []
    what = f"{count_noun(int(zero.sum()), 'game')} of {SPREADSHEET_ZERO}, a spreadsheet's zero"
    return [f"dates: {what}, treated as unknown ({rows.counts} {rows.line[np.argmax(zero)]})"]
