"""Convert rows to games: a row with a number of games, and a game with a row for each side.

    white, black, result, count           a row is N games of one result
    home, away, home.wins, away.wins      a row is as many games as both have wins (and `ties`)
    team, opponent, location, result      a row is a game from the view of one side; "away" or "@" seats it second

A game with one row per side is kept once.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.column_values import by_word, parse_count
from halfpoint.readers.set_apart import Mask, Rows
from halfpoint.readers.words import LOCATIONS

_MOST_GAMES = 20_000_000
_MOST_PAIRED = 0.9  # of the rows without a date, fewer with a mirror are games of their own
_SEATED = ("{}", "{}_goals", "{}_rating_elo", "{}_shots", "{}_shots_on_target", "{}_id")
_WHEN = ("date", "period", "season", "event", "game_id")


def repeated(rows: Rows) -> tuple[Rows, list[str]]:
    """Rows repeated by their columns of counts, and a note."""
    if "count" in rows.cells:
        times = _counts(rows, "count")
        games = rows.take(np.repeat(np.arange(times.size), _checked(times, rows)))
        return _without(games, "count"), [_in_words(times, rows, rows.names["count"])]
    if "white_wins" not in rows.cells:
        return rows, []
    names = [field for field in ("white_wins", "ties", "black_wins") if field in rows.cells]
    times = np.stack([_counts(rows, field) for field in names], axis=1)
    index = np.repeat(np.repeat(np.arange(len(times)), len(names)), _checked(times.ravel(), rows))
    score = {"white_wins": "1", "ties": "0.5", "black_wins": "0"}
    cells = np.repeat(np.tile([score[field] for field in names], len(times)), times.ravel())
    games = rows.take(index)
    games = replace(games, cells={**games.cells, "score": polars.Series(cells.tolist(), dtype=polars.String)})
    games = replace(games, names={**games.names, "score": rows.names["white_wins"]})
    return _without(games, *names), [_in_words(times, rows, " and ".join(rows.names[field] for field in names))]


def _counts(rows: Rows, field: str) -> npt.NDArray[np.int64]:
    """The whole numbers of a column, shape (row,)."""
    numbers = by_word(rows.cells[field], parse_count, np.float64)
    empty = (rows.cells[field] == "").to_numpy()
    odd = ~empty & np.isnan(numbers)
    if odd.any():
        faulty = np.flatnonzero(odd).tolist()
        place = f"{rows.place(faulty[0])}, column {rows.names[field]}"
        error = GameTableError(place, "a number of games", repr(rows.cells[field][faulty[0]]))
        raise error.at(rows.place, faulty)
    return np.where(empty, 0, numbers).astype(np.int64)


def _checked(times: npt.NDArray[np.int64], rows: Rows) -> npt.NDArray[np.int64]:
    """Counts whose sum is a feasible number of games."""
    if not 0 < times.sum() <= _MOST_GAMES:
        raise GameTableError(rows.where, f"from 1 to {_MOST_GAMES:,} games by counts", f"{times.sum():,}")
    return times


def _in_words(times: npt.NDArray[np.int64], rows: Rows, columns: str) -> str:
    """Note on rows that represent several games."""
    return f"counts: {count_noun(len(times), 'row')} are {int(times.sum())} games, by {columns}"


def _without(rows: Rows, *fields: str) -> Rows:
    """Rows without some fields."""
    return replace(rows, cells={key: cells for key, cells in rows.cells.items() if key not in fields})


def seated(rows: Rows, own_side: bool) -> tuple[Rows, list[str]]:
    """Rows in their seats by the column of locations, each game once, and a note on each change.

    Without locations all games are neutral.
    """
    notes: list[str] = []
    count = len(rows.line)
    neutral = np.ones(count, dtype=bool) if own_side else np.zeros(count, dtype=bool)
    turned = np.zeros(count, dtype=bool)
    if "location" in rows.cells:
        place = by_word(rows.cells["location"], lambda word: LOCATIONS.get(word.casefold(), "home"), np.str_)
        turned, neutral = place == "away", place == "neutral"
        notes.append(f"seats: by column {rows.names['location']!r}, {int(turned.sum())} of {count} rows are away games")
    if "neutral" not in rows.cells or "location" in rows.cells:
        texts = np.where(neutral, "1", "0").tolist()
        cells = {**rows.cells, "neutral": polars.Series(texts, dtype=polars.String)}
        rows = replace(rows, cells=cells, names={**rows.names, "neutral": "neutral"})
    rows = _turned(rows, turned)
    if not own_side:
        return _without(rows, "location"), notes
    is_kept = _once(rows)
    second = int((~is_kept).sum())
    if second and 2 * second < _MOST_PAIRED * count and not {*_WHEN} & {*rows.cells}:
        notes.append(f"{second} of {count} rows have a mirror and no date: each row is a game")
    elif second:
        notes.append(f"each side's view: {second} of {count} rows are a game's second row, and left out")
        rows = rows.keep(is_kept)
    if "location" not in rows.cells:
        notes.append("no column identifies the home side, so no first-move or home advantage can be estimated")
    return _without(rows, "location"), notes


def _turned(rows: Rows, turned: Mask) -> Rows:
    """Rows whose two sides are exchanged where `turned`; results are turned later."""
    cells, mask = dict(rows.cells), polars.Series(turned)
    for form in _SEATED:
        white, black = form.format("white"), form.format("black")
        if white in cells and black in cells:
            first, second = cells[white], cells[black]
            cells[white], cells[black] = second.zip_with(mask, first), first.zip_with(mask, second)
    return replace(rows, cells=cells, turned=turned)


def _once(rows: Rows) -> Mask:
    """Mask of rows that keeps one row of each game listed by both sides, shape (row,)."""
    assert rows.turned is not None
    white, black = (rows.cells[side].to_numpy().astype(np.str_) for side in ("white", "black"))
    viewer, low = np.where(rows.turned, black, white), np.where(white < black, white, black)
    further = [rows.cells[key].to_list() for key in _WHEN if key in rows.cells]
    goals = [rows.cells[f"{side}_goals"].to_numpy().astype(np.str_) for side in ("white", "black")
             if f"{side}_goals" in rows.cells]  # fmt: skip
    if len(goals) == 2:  # from the view of the side named first
        swapped = white != low
        further += [np.where(swapped, goals[1], goals[0]).tolist(), np.where(swapped, goals[0], goals[1]).tolist()]
    keys = list(zip(low.tolist(), np.where(white < black, black, white).tolist(), *further, strict=True))
    return _unpaired(keys, viewer == low)


def _unpaired(keys: Sequence[tuple[str, ...]], first: Mask) -> Mask:
    """Mask of rows to keep: of each pair of rows of one key, one by each side, the first side's row."""
    firsts: dict[tuple[str, ...], int] = {}
    for key, by_first in zip(keys, first.tolist(), strict=True):
        firsts[key] = firsts.get(key, 0) + int(by_first)
    is_kept = np.ones(len(keys), dtype=bool)
    for row, (key, by_first) in enumerate(zip(keys, first.tolist(), strict=True)):
        if not by_first and firsts[key] > 0:
            firsts[key] -= 1
            is_kept[row] = False
    return is_kept
