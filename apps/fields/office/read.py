"""Games of a rating office up to a date, with days, events and years of birth."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from halfpoint.apps.workflows.beside.by_player import ByPlayer, read_by_player
from halfpoint.apps.workflows.beside.duplicates import ID_TAGS
from halfpoint.apps.workflows.intake import files_of, games_from, reader_options_keeping, reading_notes
from halfpoint.apps.workflows.options import Games
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import detect

_EVENTS = ("StudyName", "BroadcastName", "Site")  # tags that name an event where Event does not
_UNNAMED = ("", "?", "-")
_BORN = ("born", "birth", "birthyear", "yearofbirth", "yob", "bday", "jahrgang", "geburtsjahr")


def office_games(games: Games, reader: Mapping[str, object] | None = None) -> GameTable:
    """Read games with their rounds and events, from any source.

    If most games have a different Event ("Round 1: A - B", as in studies), or some lack it, all games get the single
    named event, else the name of the study, the broadcast, the site or the file.
    """
    pgn = [detect(file, (reader or {}).get("form")) for file in files_of(games)[:1]] == ["pgn"]
    extra_options: dict[str, bool] = {"moves": True} if pgn else {}  # by which doubled games are found
    kept = ("Round", *_EVENTS, *ID_TAGS) if pgn else ()
    table = games_from(games, reader_options_keeping(games, reader, kept) | extra_options)
    table = replace(table, notes=tuple(reading_notes(table)))
    if table.event is None:
        return table
    event_names = np.unique(table.event[~np.isin(table.event, _UNNAMED)])
    event = np.full(len(table), event_names[0]) if event_names.size == 1 else table.event
    candidates = [event, *(table.covariates[tag] for tag in _EVENTS if tag in table.covariates)]
    names = (
        candidate
        for candidate in candidates
        if 2 * np.unique(candidate).size <= max(len(candidate), 2) and not np.isin(candidate, _UNNAMED).any()
    )
    return replace(table, event=next(names, np.full(len(table), Path(table.name).stem)))


def rounds_of(games: GameTable) -> npt.NDArray[np.int64] | None:
    """Round of each game, shape (game,), by the column or the tag of that name; None if some lack it."""
    rounds = games.period if games.period is not None else games.covariates.get("Round", games.covariates.get("round"))
    try:
        return None if rounds is None else np.array([int(str(value).partition(".")[0]) for value in rounds.tolist()])
    except ValueError:
        return None


def one_period(games: GameTable) -> tuple[GameTable, str]:
    """Games without times as one period in the order of rounds, and a note."""
    if games.period is not None or (games.date is not None and not np.isnat(games.date).all()):
        return games, ""
    rounds = rounds_of(games)
    note = (
        f"no game has a date: all games form one period, in the order of {'the file' if rounds is None else 'rounds'}"
    )
    numbered = replace(games, date=None, period=np.ones(len(games), dtype=np.int64))
    return (numbered if rounds is None else numbered.take(np.argsort(rounds, kind="stable"))), note


def with_month_days(games: GameTable, first_month: str | None) -> GameTable:
    """Numbered months with the first day of each as date, if the month of period 1 is known."""
    if games.period is None or games.date is not None or first_month is None:
        return games
    try:
        begin = np.datetime64(first_month, "M")
    except ValueError as error:
        raise GameTableError("first month", "YYYY-MM", repr(first_month)) from error
    return replace(games, date=(begin + (games.period - 1)).astype("datetime64[D]"))


def with_days(games: GameTable) -> tuple[GameTable, str]:
    """Games with a known day, and a note on games without; all games if none has a day."""
    if games.period is not None or games.date is None:
        return games, ""
    lost = np.isnat(games.date)
    if not lost.any() or lost.all():
        return games, ""
    first = games.place(int(np.flatnonzero(lost)[0]))
    return games.take(~lost), f"left out: {count_noun(int(lost.sum()), 'game')} without a day, the first {first}"


def until(games: GameTable, at: str | None) -> GameTable:
    """Games up to a day, a month or a numbered period, inclusive."""
    if at is None:
        return games
    if at.lstrip("-").isdecimal() and len(at) < 10 and games.period is not None:
        in_time = games.period <= int(at)
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
        in_time = games.date.astype(f"datetime64[{unit}]") <= last
    if not in_time.any():
        raise GameTableError("--at", "a time after the first game", repr(at))
    return games.take(in_time)


def read_births(path: str | Path, games: GameTable) -> ByPlayer[int]:
    """Years of birth by player from a CSV file of the columns player and born."""
    return read_by_player(
        path, games.players, {"born": _BORN}, "a player and a year of birth from 1850 to 2100",
        lambda cells: int(cells[0]) if cells[0].isdecimal() and 1850 <= int(cells[0]) <= 2100 else None,
    )  # fmt: skip


def with_births(games: GameTable, births: Mapping[str, int]) -> GameTable:
    """Games with years of birth, and ages if dates are known, as covariates; NaN if unknown.

    Years of birth in the file of games are used like given years.
    """
    names, covariates = ("white_born", "black_born"), games.covariates
    if not births and not all(name in covariates for name in names):
        return games
    born = np.array([births.get(name, np.nan) for name in games.players.tolist()], dtype=np.float64)
    sides = zip(names, (games.white, games.black), strict=True)
    added = {name: born[side] if births else covariates[name].astype(np.float64) for name, side in sides}
    if games.date is not None:
        year = games.date.astype("datetime64[Y]").astype(np.int64) + 1970.0
        added |= {f"{side}_age": year - added[f"{side}_born"] for side in ("white", "black")}
    return replace(games, covariates={**games.covariates, **added})
