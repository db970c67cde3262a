"""`halfpoint list`, `performance` and `pool`: the work of a federation's rating office."""

import shlex
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.apps.cli.options import (
    FideLists,
    GameTables,
    command,
    numbers_of,
    options_of,
    period_of,
    range_option,
    record_options,
    word_option,
)
from halfpoint.apps.cli.output import Answering, Traced, answer_file, write_answer
from halfpoint.apps.cli.terminal import say
from halfpoint.apps.fields.office.options import ACTIVE, AUTO, DEFAULT, OfficialListOptions
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import RATING_ELO

_Every_ = Annotated[
    Any, word_option("--every", help="Rating period made from dates: month | week | day | N (days).", parser=period_of)
]
_Active = Annotated[int, range_option(ACTIVE, "--active", help="Periods without a game before a player is inactive.")]
_GameFiles = Annotated[list[Path], typer.Argument(help="Files of games: PGN, CSV, Parquet, JSON, TRF.")]


_LISTING = options_of(
    OfficialListOptions(fide_lists=[]),
    without=("reader",),
    every=_Every_,
    settings=word_option("--set", parser=numbers_of),
    start_elo=range_option(RATING_ELO, "--start"),
    active_periods=_Active,
    fide_lists=FideLists,
)
_PERIODS = record_options(OfficialListOptions(), every=_Every_, first_month=typer.Option(), active_periods=_Active)


@dataclass(frozen=True)
class _Logged(Answering):
    """Output options of a list, with its games."""

    log: Annotated[
        Path | None, typer.Option(callback=answer_file, help="Also write every game: expected score, K, change (.csv).")
    ] = None


@command("Rate and list", 3)
def list_command(
    games: _GameFiles,
    system: Annotated[
        str,
        typer.Option(
            help="A rating system: fide, uscf, icc, elo, ...; auto: fide, or glicko without ratings; all: side by side."
        ),
    ] = AUTO,
    at: Annotated[str | None, typer.Option(help="Last day, month or period: YYYY-MM-DD, YYYY-MM or a number.")] = None,
    how: OfficialListOptions = _LISTING,
    tables: GameTables = GameTables(),
    answer: _Logged = _Logged(),
) -> None:
    """Print the rating list of any rating system at any date: rating, change, games, provisional mark, activity."""
    from halfpoint.apps.fields.office.list import ALL, every_list, official_list
    from halfpoint.apps.workflows.answer import Answer
    from halfpoint.models.games.single_files import Files

    def make_answer(places: Files) -> Answer:
        if system == ALL:
            if "--log" in places:
                raise GameTableError("--log", "the games of one --system", ALL)
            return every_list(games, at, **vars(replace(how, reader=tables.reader)))
        listed = official_list(games, system, at, **vars(replace(how, reader=tables.reader)))
        write_answer(places, "--log", listed.of_games)
        return listed

    answer.give(make_answer, *games, how.births, *how.fide_lists, side_files={"log": answer.log})
    if not answer.as_json and answer.out is None:
        files = shlex.join(map(str, games)) + (" with the same options of reading" if tables.reader else "")
        say(f"Next: halfpoint rate {files} for intervals, forecasts and history; --out list.html writes a page.")


@dataclass(frozen=True)
class _Performed:
    """Options of performances, without those that fit no cross-table."""

    player: Annotated[str | None, typer.Option(help="Only this player.")] = None
    titles: Annotated[Path | None, typer.Option(help="CSV of player,title,federation, for title norms.")] = None
    trace: Annotated[Path | None, typer.Option(help="NetCDF trace, for 95% intervals from its model.")] = None


@command("Rate and list")
def performance_command(
    games: _GameFiles,
    event: Annotated[str | None, typer.Option(help="Only this event.")] = None,
    of: _Performed = _Performed(),
    cross: Annotated[bool, typer.Option("--cross", help="Print the cross-table of the event instead.")] = False,
    tables: GameTables = GameTables(),
    answer: Traced = Traced(),
) -> None:
    """Print performances by event: points, opponents' mean, three performance ratings, title norms."""
    from halfpoint.apps.fields.office.cross_table import cross_table
    from halfpoint.apps.fields.office.performances import performances
    from halfpoint.apps.workflows.answer import Answer
    from halfpoint.models.games.single_files import Files

    strange = next((name for name, value in asdict(of).items() if value is not None), None)
    if cross and strange is not None:
        raise GameTableError(f"--{strange}", "performances", "--cross, a table without them")

    def make_answer(_: Files) -> Answer:
        if cross:
            return cross_table(games, event, tables.reader)
        return performances(games, of.titles, of.trace, event, of.player, tables.reader)

    answer.give(make_answer, *games, of.titles, of.trace)


@command("Rate and list")
def pool_command(
    games: _GameFiles,
    systems: Annotated[str, typer.Option(help="Rating systems separated by commas, or all.")] = ",".join(DEFAULT),
    trace: Annotated[Path | None, typer.Option(help="NetCDF trace of a model to measure the drift against.")] = None,
    how: OfficialListOptions = _PERIODS,
    tables: GameTables = GameTables(),
    answer: Answering = Answering(),
) -> None:
    """Print inflation: mean and spread of the ratings by period, and their drift against printed ratings."""
    from halfpoint.apps.fields.office.pools import pool

    answer.give(
        lambda _: pool(games, systems, trace, how.every, how.first_month, how.active_periods, tables.reader),
        *games, trace,
    )  # fmt: skip
