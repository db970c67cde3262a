"""`halfpoint list`, `performance` and `pool`: what a federation's rating office does with a file of games."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.cli.options import FideLists, FideMonths, GameTables, grouped, numbers_of, ranged, worded
from halfpoint.cli.output import Answering, answer_file, end, put, show
from halfpoint.cli.terminal import say
from halfpoint.fields.office.cross_table import cross_table
from halfpoint.fields.office.list import ACTIVE_PERIODS, Listing, listed
from halfpoint.fields.office.list import in_short as listed_in_short
from halfpoint.fields.office.performances import in_short, performances
from halfpoint.fields.office.pools import DEFAULT, ends, pool
from halfpoint.games.errors import GameTableError
from halfpoint.games.periods import Every
from halfpoint.games.ranges import Range
from halfpoint.games.table import RATING_RANGE_ELO

DOTS_PER_INCH = 120
ACTIVE = Range(1, 1_000_000)
START = Range(*RATING_RANGE_ELO)


def every_of(text: str) -> Every | int:
    """Return a length of a period as the option says it; a number is so many days."""
    if text.isdecimal() and len(text) < 7:
        return int(text)
    words: dict[str, Every] = {"month": "month", "week": "week", "day": "day"}
    if text not in words:
        raise GameTableError("--every", "month | week | day | a number of days", repr(text))
    return words[text]


Every_ = Annotated[
    Any, worded("--every", help="Rating period made from dates: month | week | day | N (days).", parser=every_of)
]
Active = Annotated[int, ranged(ACTIVE, "--active", help="Periods without a game before a player is inactive.")]
FirstMonth = Annotated[str | None, typer.Option(help="Month that is period 1, YYYY-MM.")]
GamesFile = Annotated[Path, typer.Argument(help="A file of games: PGN, CSV, Parquet.")]


@dataclass(frozen=True)
class Listed(Listing):
    """Options of a rating list."""

    every: Every_ = "month"
    first_month: FirstMonth = None
    settings: Annotated[
        Any, worded("--set", help="Numbers of the system, such as k=20,scale=480.", parser=numbers_of)
    ] = None
    start_elo: Annotated[
        float | None, ranged(START, "--start", help="Rating of new players without one, 2200 if not given.")
    ] = None
    births: Annotated[Path | None, typer.Option(help="CSV of player and born (year), for juniors' rules.")] = None
    live: Annotated[bool, typer.Option("--live", help="Printed ratings and what the last period changes.")] = False
    active_periods: Active = ACTIVE_PERIODS
    fide_lists: FideLists = field(default_factory=list)
    fide_months: FideMonths = field(default_factory=list)


@grouped
def list_command(
    games: GamesFile,
    system: Annotated[str, typer.Option(help="A rating system: fide, uscf, icc, elo, glicko, ...")] = "fide",
    at: Annotated[str | None, typer.Option(help="Last day, month or period: YYYY-MM-DD, YYYY-MM or a number.")] = None,
    how: Listed = Listed(),
    log: Annotated[
        Path | None, typer.Option(callback=answer_file, help="Also write every game: expected score, K, change (.csv).")
    ] = None,
    tables: GameTables = GameTables(),
    answer: Answering = Answering(),
) -> None:
    """Print the rating list of any rating system at any date: rating, change, games, provisional mark, activity."""
    with answer.files(games, how.births, *how.fide_lists, log=log) as places:
        found = listed(games, system, at, replace(how, reader=tables.reader))
        put(places, "--out", found)
        put(places, "--log", found.of_games)
    show(found.frame if answer.as_json else listed_in_short(found.frame), found.about, answer)
    if log is not None and not answer.as_json:
        say(f"Games written to {log}")


@grouped
def performance_command(
    games: GamesFile,
    event: Annotated[str | None, typer.Option(help="Only this event.")] = None,
    player: Annotated[str | None, typer.Option(help="Only this player.")] = None,
    titles: Annotated[Path | None, typer.Option(help="CSV of player,title,federation, for title norms.")] = None,
    trace: Annotated[Path | None, typer.Option(help="NetCDF trace, for 95% intervals from its model.")] = None,
    cross: Annotated[bool, typer.Option("--cross", help="The cross-table of the event instead.")] = False,
    tables: GameTables = GameTables(),
    answer: Answering = Answering(),
) -> None:
    """Print who performed how in each event: points, opponents' mean, three performance ratings, title norms."""
    given = {"--player": player, "--titles": titles, "--trace": trace}
    strange = next((name for name, value in given.items() if value is not None), None)
    if cross and strange is not None:
        raise GameTableError(strange, "performances", "--cross, which has no room for it")
    with answer.files(games, titles, trace) as places:
        found = (
            cross_table(games, event, tables.reader)
            if cross
            else performances(games, titles, trace, event, player, tables.reader)
        )
        put(places, "--out", found)
    show(found.frame if answer.as_json or cross else in_short(found.frame), found.about, answer)
    end(found.about.get("verdict"))


@grouped
def pool_command(
    games: GamesFile,
    systems: Annotated[str, typer.Option(help="Rating systems separated by commas, or all.")] = ",".join(DEFAULT),
    trace: Annotated[Path | None, typer.Option(help="NetCDF trace of a model to measure the drift against.")] = None,
    every: Every_ = "month",
    first_month: FirstMonth = None,
    active: Active = ACTIVE_PERIODS,
    figure: Annotated[Path | None, typer.Option(help="PNG of mean, spread and drift by period.")] = None,
    tables: GameTables = GameTables(),
    answer: Answering = Answering(),
) -> None:
    """Print inflation: how mean and spread of each system's pool move, and its drift against printed ratings."""
    with answer.files(games, trace, figure=figure) as places:
        found = pool(games, systems, trace, every, first_month, active, tables.reader)
        put(places, "--out", found)
        if figure is not None:
            from halfpoint.evaluation.figures.style import save_png

            save_png(found.figure(), places.aside("--figure"), DOTS_PER_INCH)
    show(found.frame if answer.as_json else ends(found.frame), found.about, answer)
    if figure is not None and not answer.as_json:
        say(f"Written to {figure}")
    end(found.about.get("verdict"))
