"""The games that an office counts: their days, who was born when, up to a date."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from halfpoint.games.errors import GameTableError, counted
from halfpoint.games.find_player import Players
from halfpoint.games.readers.compressed import read_text
from halfpoint.games.table import Floats, GameTable

BIRTH_YEARS = (1850, 2100)


def dated(games: GameTable, first_month: str | None) -> GameTable:
    """Return numbered months with the first day of each as date, where the month of period 1 is told."""
    if games.period is None or games.date is not None or first_month is None:
        return games
    try:
        begin = np.datetime64(first_month, "M")
    except ValueError as error:
        raise GameTableError("first month", "YYYY-MM", repr(first_month)) from error
    return replace(games, date=(begin + (games.period - 1)).astype("datetime64[D]"))


def with_days(games: GameTable) -> tuple[GameTable, str]:
    """Return the games whose day is known, and how many are left out for theirs, in words; all where none has one."""
    if games.period is not None or games.date is None:
        return games, ""
    lost = np.isnat(games.date)
    if not lost.any() or lost.all():
        return games, ""
    first = games.place(int(np.flatnonzero(lost)[0]))
    return games.take(~lost), f"left out: {counted(int(lost.sum()), 'game')} without a day, the first {first}"


def until(games: GameTable, at: str | None) -> GameTable:
    """Return the games up to a day, a month or a numbered period, it included."""
    if at is None:
        return games
    if at.lstrip("-").isdecimal() and len(at) < 10 and games.period is not None:
        kept = games.period <= int(at)
    else:
        try:
            unit = {7: "M", 10: "D"}[len(at)]
            last = np.datetime64(at).astype(f"datetime64[{unit}]")
        except (KeyError, ValueError) as error:
            form = "YYYY-MM-DD, YYYY-MM or a number of a period"
            raise GameTableError("--at", form, repr(at)) from error
        if games.date is None:
            remedy = "Give the number of a period, or --first-month."
            raise GameTableError("--at", "games with dates", "numbered periods", remedy)
        kept = games.date.astype(f"datetime64[{unit}]") <= last
    if not kept.any():
        raise GameTableError("--at", "a time after the first game", repr(at))
    return games.take(kept)


def read_births(path: str | Path, games: GameTable) -> dict[str, int]:
    """Return years of birth by player from a CSV file of two columns, player and born."""
    low, high = BIRTH_YEARS

    def year(cells: list[str]) -> int | None:
        known = len(cells) == 1 and cells[0].isdecimal() and low <= int(cells[0]) <= high
        return int(cells[0]) if known else None

    return of_players(path, games, ["player", "born"], f"a player and a year of birth from {low} to {high}", year)


def of_players[V](
    path: str | Path, games: GameTable, heading: list[str], expected: str, value: Callable[[list[str]], V | None]
) -> dict[str, V]:
    """Return what a CSV file says of players, as the games spell them; None of further cells is refused."""
    known, found = Players(games.players.tolist()), {}
    for number, row in enumerate(csv.reader(read_text(path)[0].splitlines()), 1):
        name, *cells = [cell.strip() for cell in row] or [""]
        if not row or (number == 1 and [one.lower() for one in (name, *cells)][: len(heading)] == heading):
            continue
        made = value(cells)
        if made is None:
            raise GameTableError(f"{path}, line {number}", expected, repr(",".join(row)))
        found[known.names[known.find(name)]] = made
    return found


def with_births(games: GameTable, births: Mapping[str, int]) -> GameTable:
    """Return the games with years of birth, and ages where dates are known, as covariates; unknown ones NaN.

    Years of birth that the file has count as those given.
    """
    names, known = ("white_born", "black_born"), games.covariates
    if not births and not all(name in known for name in names):
        return games
    born = np.array([births.get(name, np.nan) for name in games.players.tolist()], dtype=np.float64)
    sides = zip(names, (games.white, games.black), strict=True)
    added = {name: born[side] if births else known[name].astype(np.float64) for name, side in sides}
    if games.date is not None:
        year = games.date.astype("datetime64[Y]").astype(np.int64) + 1970.0
        added |= {f"{side}_age": year - added[f"{side}_born"] for side in ("white", "black")}
    return replace(games, covariates={**games.covariates, **added})


def last_printed(games: GameTable) -> Floats:
    """Return the last rating printed with each player's games, shape (player,), NaN where there is none."""
    found, nothing = np.full(games.players.size, np.nan), np.full(len(games), np.nan)
    sides = (nothing if one is None else one for one in (games.white_rating_elo, games.black_rating_elo))
    player, rating = np.stack([games.white, games.black], axis=1).ravel(), np.stack(list(sides), axis=1).ravel()
    known = ~np.isnan(rating)
    found[player[known]] = rating[known]
    return found
