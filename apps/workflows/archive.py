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

from halfpoint.apps.workflows.beside.duplicates import MOVES, ROUND, UNKNOWN_ROUNDS, find_duplicates
from halfpoint.apps.workflows.intake import games_from
from halfpoint.apps.workflows.options import Games, Say, silent
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.periods import concatenate_tables, oldest_first
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.time_classes import counts_by_evidence, fast, time_classes
from halfpoint.models.games.winners_first import randomise_seats
from halfpoint.readers.pgn import read_pgn_headers
from halfpoint.readers.pgn_scan import NO_MOVES
from halfpoint.readers.read import detect

_LINES_SHOWN = 5
_MIXED = 0.05  # share of the games judged, of either kind, from which on both have a table

type Mask = npt.NDArray[np.bool_]


def gather_games(
    games: Sequence[Games],
    options: Callable[[Games], dict[str, Any]],
    say: Say = silent,
    time_control: Sequence[str] | None = None,
) -> GameTable:
    """Games of several files in one table, each in the order of time."""
    tables = []
    for source in games:
        if isinstance(source, str | Path) and detect(source, options(source).get("form")) == "pgn":
            reading = read_pgn_headers(source, time_classes=time_control, moves=True, faulty="apart", **options(source))
            table = reading.games
        elif time_control is not None:
            raise GameTableError("--time-control", "PGN files", "files of other formats")
        else:
            ours = isinstance(source, GameTable) or (
                isinstance(source, str | Path) and detect(source, options(source).get("form")) == "study"
            )
            table = games_from(source, options(source) | ({} if ours else {"faulty": "apart"}))
        for note in table.notes:
            say(f"{table.name}: {note}")
        tables.append(oldest_first(_games_with_days(randomise_seats(table, say), say)))
    if not any(MOVES in table.covariates for table in tables):
        return concatenate_tables(tables)
    return _without_copies(concatenate_tables([_with_moves(table) for table in tables]), say)


def slow_games(games: GameTable, judged: Mask, say: Say) -> tuple[Mask, str] | None:
    """Games not known to be fast, and a name for them; the name states the mixture if others are fast."""
    slow: Mask = np.asarray(fast(games) == 0.0)
    share = float(slow[judged].mean())
    if not _MIXED <= share <= 1.0 - _MIXED:
        return None
    slow_judged = games.take(np.flatnonzero(judged & slow))
    name = "classical games" if bool((time_classes(slow_judged) == "classical").all()) else "games not known to be fast"
    say(
        f"fast and slow games are mixed ({counts_by_evidence(games.take(np.flatnonzero(judged)))}): "
        f"the {len(slow_judged):,} {name} are also fitted and scored separately; --time-control selects classes"
    )
    return slow, name


def _games_with_days(games: GameTable, say: Say) -> GameTable:
    """Games with a day, if some have one and none has a period."""
    if games.date is None or games.period is not None or not np.isnat(games.date).any():
        return games
    is_undated = np.isnat(games.date)
    if is_undated.all():
        raise GameTableError(games.source, "games with a day or a period", f"none in {count_noun(len(games), 'game')}")
    places = ", ".join(games.place(int(row)).rpartition(" ")[2] for row in np.flatnonzero(is_undated)[:_LINES_SHOWN])
    say(f"set apart: {count_noun(int(is_undated.sum()), 'game')}, without a day ({games.counts} {places})")
    return games.take(np.flatnonzero(~is_undated))


def _with_moves(games: GameTable) -> GameTable:
    """Games with the columns that identify duplicates, added if their file has no moves."""
    unknown = {MOVES: np.full(len(games), NO_MOVES, dtype=np.int64), ROUND: np.full(len(games), "")}
    return replace(games, covariates={**unknown, **games.covariates})


def _without_copies(games: GameTable, say: Say) -> GameTable:
    """The games without duplicates, and without the columns that identify them."""
    copies = find_duplicates(games)
    rounds = games.covariates[ROUND].astype(np.str_)[copies.copy]
    same = ~np.isin(rounds, UNKNOWN_ROUNDS)
    if games.event is not None:
        same &= games.event[copies.copy] == games.event[copies.original]
    dropped = copies.copy[copies.certain | same]
    if dropped.size:
        say(f"set apart: {count_noun(int(dropped.size), 'game')}, duplicates of other games")
    if dropped.size < len(copies):
        say(f"{count_noun(len(copies) - int(dropped.size), 'game')} are possible duplicates (no round or moves), kept")
    is_kept = np.ones(len(games), dtype=np.bool_)
    is_kept[dropped] = False
    table = games.take(np.flatnonzero(is_kept))
    further = {name: value for name, value in table.covariates.items() if name not in (ROUND, MOVES)}
    return replace(table, covariates=further)
