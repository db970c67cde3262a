"""Periods of games: numbers from dates, and two tables in one time.

Month m of year y is period 12 (y - y_1) + (m - m_1) + 1, where period 1 is a stated month y_1-m_1; weeks, days and
stretches of n days count in the same way from the first day of that month. The study's first file has months with
1 = January 2010.
"""

from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np

from halfpoint.games.errors import GameTableError
from halfpoint.games.table import GameTable, code_players

Every = Literal["month", "week", "day"]
UNITS: dict[str, tuple[str, int]] = {"month": ("M", 1), "week": ("D", 7), "day": ("D", 1)}
LONGEST_DAYS = 36_525


def with_periods(games: GameTable, every: Every | int = "month", first: str | None = None) -> GameTable:
    """Return the games with a period each, sorted by time; numbered periods stay as they are.

    Parameters
    ----------
    games : GameTable
        Games with periods or dates.
    every : {"month", "week", "day"} or int
        Length of a period made from dates; a number is so many days.
    first : str, optional
        Month that begins period 1, as YYYY-MM; the month of the first game if absent.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If there is no time, a date is unknown, or an argument is senseless.
    """
    if every not in UNITS and not (isinstance(every, int) and 1 <= every <= LONGEST_DAYS):
        raise GameTableError(
            "period", f"{' | '.join(UNITS)} | a number of days from 1 to {LONGEST_DAYS:,}", repr(every)
        )
    if games.period is not None:
        return games.take(np.argsort(games.period, kind="stable"))
    days = games.time  # raises where a date is missing
    assert games.date is not None
    try:
        begin = np.datetime64(first, "M") if first else games.date.min().astype("datetime64[M]")
    except ValueError as error:
        raise GameTableError("first month", "YYYY-MM", repr(first)) from error
    unit, step = UNITS[every] if isinstance(every, str) else ("D", every)
    count = games.date.astype(f"datetime64[{unit}]") - begin.astype(f"datetime64[{unit}]")
    period = count.astype(np.int64) // step + 1
    order = np.argsort(days, kind="stable")
    return replace(games, period=period).take(order)


def concatenate(earlier: GameTable, later: GameTable) -> GameTable:
    """Return the games of two tables in one, the second after the first.

    Columns that only one table has are left out, covariates too.

    Parameters
    ----------
    earlier, later : GameTable
        Tables with periods; the later one must begin after the earlier one ends.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If a table has no periods, or the periods overlap.
    """
    for games in (earlier, later):
        if games.period is None:
            raise GameTableError(games.source, "a period for each game", "none")
    end, begin = earlier.time.max(), later.time.min()
    if begin <= end:
        found = f"period {begin:.0f}"
        raise GameTableError(later.source, f"periods after {end:.0f}", found, f"{earlier.source} ends there.")
    players, white, black = code_players(
        np.concatenate([earlier.white_names, later.white_names]),
        np.concatenate([earlier.black_names, later.black_names]),
    )
    joined: dict[str, Any] = {}
    for item in fields(GameTable):
        values = getattr(earlier, item.name), getattr(later, item.name)
        if item.name not in ("players", "white", "black", "line") and all(isinstance(v, np.ndarray) for v in values):
            joined[item.name] = np.concatenate(values)
    names = f"{earlier.name} and {later.name}", f"{earlier.source} and {later.source}"
    simulated = earlier.simulated or later.simulated
    return GameTable(players, white, black, **joined, name=names[0], source=names[1], simulated=simulated)
