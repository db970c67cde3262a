"""Games in time: periods, numbers from dates, tables on a common time, and the order of games.

Month m of year y is period 12 (y - y_1) + (m - m_1) + 1, where period 1 is a stated month y_1-m_1; weeks, days and
stretches of n days count in the same way from the first day of that month. The study's first file has months with
1 = January 2010.

Games are in order by period, day and time of day, as far as each is known. Games in unknown order share a moment: all
games of a day if one has no time of day, all games of a period if one has no day. Only games of earlier moments count
as known before a game, for any order in the file.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import GameTableError, few
from halfpoint.models.games.ranges import Every
from halfpoint.models.games.table import Floats, GameTable, code_players

CLOCK = "clock"  # a column of games: seconds since midnight, NaN where unknown
_SECONDS, _DAY_SECONDS = re.compile(r"\d{10}(?:\.\d+)?"), 86_400.0  # since 1970-01-01
_TIME_OF_DAY = re.compile(r"(?:^|[T ])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?!\d)")


def clock_of(text: str) -> float:
    """Seconds since midnight from a text, NaN if it has no time.

    Examples
    --------
    >>> clock_of("15:30"), clock_of("2016-03-01T10:00:05Z"), clock_of("1456826405.0"), clock_of("?")
    (55800.0, 36005.0, 36005.0, nan)
    """
    if _SECONDS.fullmatch(text.strip()):
        return float(text) % _DAY_SECONDS
    match = _TIME_OF_DAY.search(text)
    return float("nan") if match is None else 3600.0 * int(match[1]) + 60.0 * int(match[2]) + float(match[3] or 0)


def moments(games: GameTable) -> npt.NDArray[np.int64]:
    """Numbers that increase with time, shape (game,), equal for games of unknown order."""
    count = len(games)
    moment = np.zeros(count, dtype=np.int64) if games.period is None else np.asarray(games.period, dtype=np.int64)
    if games.date is None:
        return moment
    day = games.date.astype(np.int64)
    moment = _finer(moment, np.where(np.isnat(games.date), np.nan, day.astype(np.float64)))
    return _finer(moment, games.covariates[CLOCK]) if CLOCK in games.covariates else moment


def _finer(moment: npt.NDArray[np.int64], within: Floats) -> npt.NDArray[np.int64]:
    """Moments refined by the order within each; a moment with an unknown order stays whole."""
    rank = np.unique(moment, return_inverse=True)[1].ravel()
    is_unordered = np.zeros(rank.max(initial=-1) + 1, dtype=np.bool_)
    is_unordered[rank[np.isnan(within)]] = True
    place = np.unique(np.where(is_unordered[rank], 0.0, np.nan_to_num(within)), return_inverse=True)[1].ravel()
    return np.asarray(np.unique(rank * (place.max(initial=0) + 1) + place, return_inverse=True)[1].ravel())


def oldest_first(games: GameTable) -> GameTable:
    """Games in order of time; games of one moment keep the order of the file, or its reverse.

    The order is reversed if the file has its newest games first, as servers export them.
    """
    moment = moments(games)
    steps = np.sign(np.diff(moment))
    backwards = int(steps.sum()) < 0
    tie = -np.arange(len(games)) if backwards else np.arange(len(games))
    order = np.lexsort((tie, moment))
    return games if np.array_equal(order, np.arange(len(games))) else games.take(order)


_UNITS: dict[str, tuple[str, int]] = {"month": ("M", 1), "week": ("D", 7), "day": ("D", 1)}
_LONGEST_DAYS = 36_525


def with_periods(games: GameTable, every: Every | int = "month", first: str | None = None) -> GameTable:
    """The games with a period each, sorted by time; numbered periods are kept.

    Parameters
    ----------
    games : GameTable
        Games with periods or dates.
    every : {"month", "week", "day"} or int
        Length of a period made from dates; a number is in days.
    first : str, optional
        Month that begins period 1, as YYYY-MM; the month of the first game if absent.

    Raises
    ------
    GameTableError
        If there is no time, a date is unknown, or an argument is invalid.
    """
    if every not in _UNITS and not (isinstance(every, int) and 1 <= every <= _LONGEST_DAYS):
        expected = f"{' | '.join(_UNITS)} | a number of days from 1 to {_LONGEST_DAYS:,}"
        raise GameTableError("--every", expected, repr(every))
    if games.period is not None:
        return games.take(np.argsort(moments(games), kind="stable"))
    assert games.time.size  # raises where a date is missing
    assert games.date is not None
    try:
        begin = np.datetime64(first, "M") if first else games.date.min().astype("datetime64[M]")
    except ValueError as error:
        raise GameTableError("first month", "YYYY-MM", repr(first)) from error
    unit, step = _UNITS[every] if isinstance(every, str) else ("D", every)
    count = games.date.astype(f"datetime64[{unit}]") - begin.astype(f"datetime64[{unit}]")
    period = count.astype(np.int64) // step + 1
    return replace(games, period=period).take(np.argsort(moments(games), kind="stable"))


def earliest_month(*tables: GameTable) -> str | None:
    """Month of the first game of tables with dates, YYYY-MM; None if no table has any."""
    dates_of_tables = [games.date[~np.isnat(games.date)] for games in tables if games.date is not None]
    days = [dates.min() for dates in dates_of_tables if dates.size]
    return str(min(days).astype("datetime64[M]")) if days else None


def period_at(day: str, games: GameTable, every: Every) -> int:
    """First period with a game on or after a month (YYYY-MM) or day (YYYY-MM-DD)."""
    try:
        begin = np.datetime64(day, "D")
    except ValueError as error:
        raise GameTableError("--from", "a period, a month YYYY-MM or a day YYYY-MM-DD", repr(day)) from error
    if games.date is None or games.period is None:
        raise GameTableError("--from", "the number of a period, as the games have no dates", repr(day))
    begin = begin.astype(f"datetime64[{_UNITS[every][0]}]").astype(games.date.dtype)
    late = games.date >= begin
    if not late.any():
        raise GameTableError("--from", f"a day up to {games.date.max()}", repr(day))
    return int(games.period[late].min())


def concatenate(earlier: GameTable, later: GameTable) -> GameTable:
    """The games of two tables in one, the second after the first, as `concatenate_tables` does."""
    for games in (earlier, later):
        if games.period is None:
            raise GameTableError(games.source, "a period for each game", "none")
    end, begin = earlier.time.max(), later.time.min()
    if begin <= end:
        overlap = f"period {begin:.0f}"
        raise GameTableError(later.source, f"periods after {end:.0f}", overlap, f"{earlier.source} ends there.")
    return concatenate_tables([earlier, later])


def about_joined(tables: Sequence[tuple[str, str | None]]) -> tuple[str, str | None]:
    """Joint name and hash of several tables; no hash if a table lacks a hash."""
    hashes = [sha256 for _, sha256 in tables if sha256 is not None]
    joined = hashlib.sha256("".join(hashes).encode()).hexdigest() if len(hashes) == len(tables) else None
    return " and ".join(few([name for name, _ in tables])), joined


_UNTOLD: dict[str, object] = {"U": "", "M": np.datetime64("NaT", "D"), "f": np.nan}


def concatenate_tables(tables: Sequence[GameTable]) -> GameTable:
    """The games of several tables in one, table after table.

    Columns that a table lacks are unknown: no date (NaT), no rating or number (NaN), no text, weight 1, no
    neutral ground. If no table has dates or periods, each table is a period, in the given order.
    """
    if not tables:
        raise GameTableError("games", "a file, a data frame or rows of games", "an empty list")
    if len(tables) == 1:
        return tables[0]
    if all(games.period is None and (games.date is None or np.isnat(games.date).all()) for games in tables):
        note = ("no game has a date: each file is a period, in the order given",)
        numbers = enumerate(tables, 1)
        tables = [replace(games, period=np.full(len(games), k), notes=games.notes + note) for k, games in numbers]
    tables = _rounds_one_after_other(tables)
    first = tables[0]
    numbered = [games.period is not None for games in tables]
    if any(numbered) and not all(numbered):
        odd = tables[numbered.index(not numbered[0])]
        of_first, of_odd = ("no periods", "periods")[numbered[0]], ("periods", "no periods")[numbered[0]]
        raise GameTableError(odd.source, f"{of_first}, as in {first.source}", of_odd, "Number all games or none.")
    several = next((games for games in tables if games.sides is not None), None)
    if several is not None:
        raise GameTableError(several.source, "single players in joined files", "sides of several people")
    whites, blacks = (np.concatenate([getattr(t, f"{side}_names") for t in tables]) for side in ("white", "black"))
    players, white, black = code_players(whites, blacks)
    optional = [column.name for column in fields(GameTable) if column.name not in ("players", "white", "black", "line")]
    joined: dict[str, Any] = {}
    for name in optional:
        columns = [getattr(games, name) for games in tables]
        if any(isinstance(column, np.ndarray) for column in columns):
            joined[name] = _concatenate_column(columns, tables, 1.0 if name == "weight" else None)
    covariates = dict.fromkeys(name for games in tables for name in games.covariates)
    joined["covariates"] = {
        name: _concatenate_column(
            [t.covariates.get(name) for t in tables], tables, {"neutral": 0.0, "both_bad": 0.0}.get(name)
        )
        for name in covariates
    }
    name, sha256 = about_joined([(games.name, games.sha256) for games in tables])
    source = " and ".join(few([games.source for games in tables]))
    of_all = set(tables[0].notes).intersection(*(games.notes for games in tables))
    notes = (note if note in of_all else f"{games.name}: {note}" for games in tables for note in games.notes)
    joined["notes"] = tuple(dict.fromkeys(notes))
    seats = first.seats if all(games.seats == first.seats for games in tables) else "first"
    simulated, day_first = (any(getattr(games, what) for games in tables) for what in ("simulated", "day_first"))
    return GameTable(
        players, white, black, **joined, name=name, source=source, sha256=sha256, simulated=simulated, seats=seats,
        day_first=day_first,
    )  # fmt: skip


def _rounds_one_after_other(tables: Sequence[GameTable]) -> list[GameTable]:
    """Tables with the rounds of each season numbered after the previous season's.

    Rounds are renumbered if players have one game per period in each file and would have two in both together, as in
    files of seasons. Files of one season (groups, boards) have different players in a round, and copies have the same
    games.
    """
    renumbered, end, seats, games_seen = list[GameTable](), 0, set[str](), set[tuple[str, str, float]]()
    for games in tables:
        if games.period is None or (games.date is not None and not np.isnat(games.date).all()):
            return list(tables)
        number = np.char.add(games.period.astype(np.str_), " ")
        sides = [np.char.add(number, names) for names in (games.white_names, games.black_names)]
        players_of_games = np.concatenate(sides).tolist()
        met = {*players_of_games}
        pairs = {*zip(sides[0].tolist(), sides[1].tolist(), games.score.tolist(), strict=True)}
        anew = len(met & seats) > 0.5 * min(len(met), len(seats)) and len(pairs & games_seen) < 0.8 * len(pairs)
        if anew and len(met) == len(players_of_games):
            note = f"rounds restart and are numbered after {end}"
            games = replace(games, period=games.period - games.period.min() + 1 + end, notes=(*games.notes, note))
        seats |= met
        games_seen |= pairs
        assert games.period is not None
        end = max(end, int(games.period.max()))
        renumbered.append(games)
    return renumbered


def _concatenate_column(
    columns: Sequence[npt.NDArray[np.generic] | None], tables: Sequence[GameTable], absent: float | None
) -> npt.NDArray[np.generic]:
    """Column of several tables, shape (game,), filled where a table lacks it."""
    kinds = {column.dtype.kind for column in columns if column is not None}
    if "U" in kinds:  # numbers in one file and words in another: words
        columns = [None if column is None else column.astype(np.str_) for column in columns]
    fill = absent if absent is not None else _UNTOLD["U" if "U" in kinds else "M" if "M" in kinds else "f"]
    filled = [np.full(len(t), fill) if column is None else column for column, t in zip(columns, tables, strict=True)]
    return np.concatenate(filled)
