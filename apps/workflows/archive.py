"""Files of games from an archive, read as one calendar; undated games are set apart and counted.

Three kinds are set apart: games that break a rule of PGN and faulty rows of tables; games without a day if other games
have one; and copies, whose White, Black, score, day and moves (event and round if moves are missing) agree with an
earlier game. For a file of winners and losers seats are drawn at random.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.apps.workflows.intake import Games, Say, games_from, silent
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.periods import concatenate_tables, oldest_first
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.time_classes import counts_by_evidence, fast, time_classes
from halfpoint.models.games.winners_first import randomise_seats
from halfpoint.readers.duplicates import MOVES, ROUND, UNKNOWN_ROUNDS, find_duplicates
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.pgn_scan import NO_MOVES
from halfpoint.readers.read import detect

_LINES_SHOWN = 5
_MIXED = 0.05  # share of the games judged, of either kind, from which on both have a table

type _Mask = npt.NDArray[np.bool_]


def gather_games(
    games: Sequence[Games],
    options: Callable[[Games], dict[str, Any]],
    say: Say = silent,
    time_control: Sequence[str] | None = None,
) -> GameTable:
    """Games of several files in one table, each in the order of time."""
    tables = []
    for one in games:
        if isinstance(one, str | Path) and detect(one, options(one).get("form")) == "pgn":
            reading = read_pgn_headers(one, time_classes=time_control, moves=True, faulty="apart", **options(one))
            table = reading.games
        elif time_control is not None:
            raise GameTableError("--time-control", "PGN files", "files of other formats")
        else:
            ours = isinstance(one, GameTable) or (
                isinstance(one, str | Path) and detect(one, options(one).get("form")) == "study"
            )
            table = games_from(one, **options(one) | ({} if ours else {"faulty": "apart"}))
        for note in table.notes:
            say(f"{table.name}: {note}")
        tables.append(oldest_first(_games_with_days(randomise_seats(table, say), say)))
    if not any(MOVES in one.covariates for one in tables):
        return concatenate_tables(tables)
    return _without_copies(concatenate_tables([_with_moves(one) for one in tables]), say)


def slow_games(games: GameTable, judged: _Mask, say: Say) -> tuple[_Mask, str] | None:
    """Games not known to be fast, and a name for them; the name states the mixture if others are fast."""
    slow: _Mask = np.asarray(fast(games) == 0.0)
    share = float(slow[judged].mean())
    if not _MIXED <= share <= 1.0 - _MIXED:
        return None
    here = games.take(np.flatnonzero(judged & slow))
    name = "classical games" if bool((time_classes(here) == "classical").all()) else "games not known to be fast"
    say(
        f"fast and slow games are mixed ({counts_by_evidence(games.take(np.flatnonzero(judged)))}): the {len(here):,} "
        f"{name} are also fitted and scored separately; --time-control selects classes"
    )
    return slow, name


def _games_with_days(games: GameTable, say: Say) -> GameTable:
    """Games with a day, if some have one and none has a period."""
    if games.date is None or games.period is not None or not np.isnat(games.date).any():
        return games
    apart = np.isnat(games.date)
    if apart.all():
        raise GameTableError(games.source, "games with a day or a period", f"none in {count_noun(len(games), 'game')}")
    places = ", ".join(games.place(int(row)).rpartition(" ")[2] for row in np.flatnonzero(apart)[:_LINES_SHOWN])
    say(f"set apart: {count_noun(int(apart.sum()), 'game')}, without a day ({games.counts} {places})")
    return games.take(np.flatnonzero(~apart))


def _with_moves(games: GameTable) -> GameTable:
    """Games with the columns that identify duplicates, added if their file has no moves."""
    unknown = {MOVES: np.full(len(games), NO_MOVES, dtype=np.int64), ROUND: np.full(len(games), "")}
    return replace(games, covariates={**unknown, **games.covariates})


def _without_copies(games: GameTable, say: Say) -> GameTable:
    """The games without duplicates, and without the columns that identify them."""
    found = find_duplicates(games)
    rounds = games.covariates[ROUND].astype(np.str_)[found.copy]
    same = ~np.isin(rounds, UNKNOWN_ROUNDS)
    if games.event is not None:
        same &= games.event[found.copy] == games.event[found.original]
    apart = found.copy[found.certain | same]
    if apart.size:
        say(f"set apart: {count_noun(int(apart.size), 'game')}, duplicates of others")
    if apart.size < len(found):
        say(f"{count_noun(len(found) - int(apart.size), 'game')} are possible duplicates (no round or moves), kept")
    kept = np.ones(len(games), dtype=np.bool_)
    kept[apart] = False
    table = games.take(np.flatnonzero(kept))
    further = {name: value for name, value in table.covariates.items() if name not in (ROUND, MOVES)}
    return replace(table, covariates=further)
