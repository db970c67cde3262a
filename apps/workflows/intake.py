"""Checked games from a file, a table or a data frame; the account lists every step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from halfpoint.apps.workflows.beside.duplicates import (
    ID_TAGS,
    Proposal,
    drop_duplicates,
    find_duplicates,
    has_answers,
    propose,
    read_accepted,
    rename,
    write_proposals,
)
from halfpoint.apps.workflows.beside.rating_lists import fill_ratings, read_lists
from halfpoint.apps.workflows.options import FACTS, Games, Intake, Progress, silent
from halfpoint.models.declaration.catalogue import BEYOND, ModelName, find, split_effects, with_effects
from halfpoint.models.declaration.outline import columns_of
from halfpoint.models.games.errors import GameTableError, count_noun, printable
from halfpoint.models.games.periods import concatenate_tables
from halfpoint.models.games.sides import seats_named
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.winners_first import randomise_seats
from halfpoint.readers.options import FAULTY
from halfpoint.readers.plain_rows import are_rows
from halfpoint.readers.read import detect, read_source

KEPT = ("surface",)  # columns of words that facts may use

_MAX_PROPOSED_PLAYERS = 50_000  # more names than this are not compared with one another unless asked
_SHOWN_NAMES = 5  # of players whom no list knows
_SHOWN_PAIRS = 3
_PARQUET = b"PAR1"  # the first bytes of every Parquet file
_LIKE = "davidson-common"  # any model of the catalogue, if only effects matter


def games_from(games: Games, options: Mapping[str, object] | None = None) -> GameTable:
    """Games as a table, from any source, by options of its reader."""
    if isinstance(games, list | tuple) and not are_rows(games):
        return concatenate_tables([games_from(part, options) for part in games])
    if isinstance(games, GameTable):
        if options:
            raise GameTableError(next(iter(options)), "games from a file or a data frame", "a table of games")
        return games
    return read_source(games, options=options)


def are_cells(games: object) -> bool:
    """True if all files of games are cells; `GameTableError` if some are."""
    files = files_of(games)
    cells = [_holds_cells(file) for file in files if file.exists()]
    if any(cells) and not all(cells):
        games_file = files[cells.index(False)]
        raise GameTableError(str(games_file), "cells, like the other files", "games", "Reduce them: halfpoint cells.")
    return any(cells)


def _holds_cells(file: Path) -> bool:
    """True for a folder or a Parquet file of cells; polars is imported only for these."""
    if not file.is_dir():
        if not file.is_file():
            return False  # a pipe is read but once
        with file.open("rb") as opened:
            if opened.read(len(_PARQUET)) != _PARQUET:
                return False
    from halfpoint.models.games.cells_file import is_cells

    return is_cells(file)


def games_of_cells(games: Games, options: Mapping[str, object] | None = None) -> GameTable:
    """Cells as single games; `GameTableError` if options of a reader are given."""
    from halfpoint.readers.cells import expand_cells

    if options:
        raise GameTableError(f"--{next(iter(options)).replace('_', '-')}", "a table of games", "cells")
    return expand_cells(files_of(games))


def files_of(games: object) -> list[Path]:
    """Input files of games; empty for games in memory."""
    several = games if isinstance(games, list | tuple) else [games]
    return [Path(source) for source in several if isinstance(source, str | Path)]


def reader_of(games: Games, options: Mapping[str, object] | None, model: str) -> dict[str, Any]:
    """Options of the reader of some games, with the columns that a model's effects require."""
    base, formulas = split_effects(model)
    is_declared = ".py:" in base or base in BEYOND or isinstance(base, ModelName)
    columns = (
        columns_of(with_effects(find(base if is_declared else _LIKE), formulas)) if formulas or is_declared else []
    )
    return reader_options_keeping(games, options, columns)


def reader_options_keeping(
    games: Games, options: Mapping[str, Any] | None, columns: Sequence[str]
) -> dict[str, object]:
    """Reader options for some games, including the requested columns."""
    keywords = dict(options or {})
    if not columns or isinstance(games, GameTable):
        return keywords
    key = "tags" if [detect(file, keywords.get("form")) for file in files_of(games)[:1]] == ["pgn"] else "covariates"
    return keywords | {key: (*keywords.get(key, ()), *columns)}


@dataclass
class Account:
    """Report of the changes to the games during reading, in words."""

    lines: list[str] = field(default_factory=list)  # one line a step
    # gets every line at once, and lines outside the account; a command prints them; silent by default
    tell: Callable[[str], None] = silent

    def say(self, line: str) -> None:
        """Add a line and report it."""
        self.lines.append(line)
        self.tell(line)


def take_in(
    games: Games, folder: Path | None, account: Account, intake: Intake, progress: Progress | None = None
) -> GameTable:
    """Read games, apply accepted spellings, and report names and duplicates."""
    names = None if intake.names is None else Path(intake.names)
    options: dict[str, Any] = dict(intake.reader or {}) | (
        {} if intake.faulty == FAULTY[0] else {"faulty": intake.faulty}
    )
    is_table = isinstance(games, GameTable) or intake.facts == FACTS[1]
    about = {} if is_table else {"about": (*options.get("about", ()), *KEPT)}
    files, tables = files_of(games), list[GameTable]()
    cells = are_cells(games)
    for file in [] if cells else files:
        kind = detect(file, options.get("form"))
        if kind == "pgn":
            csv_options = [name for name in intake.reader or {} if name != "tags"]
            if csv_options:
                raise GameTableError(f"--{csv_options[0].replace('_', '-')}", "a CSV or Parquet file", "PGN")
            tables.append(read_pgn(file, intake, progress))
            continue
        if options and kind == "study":
            raise GameTableError("options of columns", "a CSV or Parquet file", "the study's format")
        tables.append(read_source(file, kind, options | (about if kind in ("csv", "parquet") else {})))
    if intake.time_control is not None and [detect(file, options.get("form")) for file in files].count("pgn") < max(
        len(files), 1
    ):
        raise GameTableError("--time-control", "PGN files", "files of other formats")
    if cells:
        table = games_of_cells(games, options)
    else:
        table = concatenate_tables(tables) if files else games_from(games, options | about)
    account.say(f"{table.name}: {count_noun(len(table), 'game')} among {_count_players(table)}")
    for note in table.notes:
        account.say(note)
    if names is not None:
        accepted = read_accepted(names)
        table = rename(table, accepted)
        account.say(f"names: {count_noun(len(accepted), 'accepted spelling')} merged, {_count_players(table)}")
    if intake.fide_lists:
        table = _fill_from_lists(table, intake, account)
    if table.people.size <= _MAX_PROPOSED_PLAYERS:
        proposals = propose(table)
        if proposals:
            what = _write_names(proposals, folder, names)
            account.say(f"names: {count_noun(len(proposals), 'pair')} may be one player, none merged; {what}")
    copies = find_duplicates(table)
    if len(copies):
        certain = int(copies.certain.sum())
        account.say(copies.describe(table))
        if intake.drop_duplicates:
            table = drop_duplicates(table, copies)
            account.say(f"duplicates: {certain} dropped, {len(table)} games left")
        elif certain:
            account.say("duplicates: none dropped; --drop-duplicates drops duplicates with identical moves")
    return randomise_seats(table, account.say)


def _count_players(table: GameTable) -> str:
    """The number of players of a table, in words, with the number and sizes of sides if these have several people."""
    if table.sides is None:
        return f"{table.players.size} {seats_named(table.seats).noun}s"
    sizes = np.unique(table.sides.sizes).tolist()
    many = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return f"{table.people.size} players, on {table.players.size} different sides of {many}"


def _write_names(proposals: Sequence[Proposal], folder: Path | None, names: Path | None) -> str:
    """Write proposals for the user to answer, never over answers; return the next step in words."""
    if folder is None:
        return "such as " + ", ".join(
            f"{proposal.name!r} and {proposal.same_as!r}" for proposal in proposals[:_SHOWN_PAIRS]
        )
    file = folder / ("names.csv" if names is None else "names-further.csv")
    shown = printable(str(file))
    if has_answers(file):
        what = f"rate again with --names {shown}" if names is None else "add its rows to the file of --names"
        return f"{shown} contains answers and is not overwritten: {what}"
    write_proposals(proposals, file)
    return f"see {shown}, write yes to accept, and rate again with --names"


def _fill_from_lists(games: GameTable, intake: Intake, account: Account) -> GameTable:
    """The games with missing ratings filled from FIDE lists; reports the ratings still unknown."""
    lists = read_lists(games, intake.fide_lists)
    fill = fill_ratings(games, lists)
    for note in dict.fromkeys(fide_list.note for fide_list in lists if fide_list.note):
        account.say(f"FIDE lists, {note}")
    account.say(f"FIDE lists: {fill.filled} ratings filled in, {fill.by_name} of them by the name alone")
    for names, why in (
        (fill.missing, "not in the lists"),
        (fill.ambiguous, "names shared by several players, not filled"),
    ):
        if names:
            omitted = f" and {len(names) - _SHOWN_NAMES} others" if len(names) > _SHOWN_NAMES else ""
            account.say(f"FIDE lists: {'; '.join(names[:_SHOWN_NAMES])}{omitted}: {why}")
    return fill.games


def reading_notes(games: GameTable) -> list[str]:
    """Notes on the reading of games, common to all commands: the reader's notes, and repeated games."""
    copies = find_duplicates(games)
    return [*games.notes, *([copies.describe(games)] if len(copies) else [])]


def read_pgn(path: Path, intake: Intake, progress: Progress | None) -> GameTable:
    """Games of a PGN file, with the columns that identify duplicates."""
    from halfpoint.readers.pgn import read_pgn_headers

    options: dict[str, Any] = dict(intake.reader or {})
    reading = read_pgn_headers(
        path,
        time_classes=intake.time_control,
        tags=(*(ID_TAGS if intake.fide_lists else ()), *options.get("tags", ())),
        moves=True,
        faulty=intake.faulty,
        progress=progress,
    )
    if not len(reading.games):
        raise GameTableError(str(path), "at least one game", "none")
    return reading.games
