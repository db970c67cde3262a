"""`halfpoint list`, `performance` and `pool`: what a federation's rating office does with a file of games."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import (
    Columns,
    DateFormat,
    Force,
    Ignored,
    Outcomes,
    Sides,
    numbers_of,
    ranged,
    reader_options,
)
from halfpoint.cli.output import AsJson, Out, answer_file, end, put, show
from halfpoint.cli.terminal import say
from halfpoint.fields.office.cross_table import cross_table
from halfpoint.fields.office.list import ACTIVE_PERIODS, official_list
from halfpoint.fields.office.list import in_short as listed_in_short
from halfpoint.fields.office.performances import in_short, performances
from halfpoint.fields.office.pools import DEFAULT, ends, pool
from halfpoint.games.errors import GameTableError
from halfpoint.games.periods import Every
from halfpoint.games.ranges import Range
from halfpoint.games.results import files
from halfpoint.games.table import RATING_RANGE_ELO

DOTS_PER_INCH = 120
ACTIVE = Range(1, 1_000_000)
START = Range(*RATING_RANGE_ELO)
Every_ = Annotated[str, typer.Option("--every", help="Rating period made from dates: month | week | day | N (days).")]
FirstMonth = Annotated[str | None, typer.Option(help="Month that is period 1, YYYY-MM.")]
GamesFile = Annotated[Path, typer.Argument(help="A file of games: PGN, CSV, Parquet.")]


def every_of(text: str) -> Every | int:
    """Return a length of a period as the option says it; a number is so many days."""
    if text.isdecimal() and len(text) < 7:
        return int(text)
    words: dict[str, Every] = {"month": "month", "week": "week", "day": "day"}
    if text not in words:
        raise GameTableError("--every", "month | week | day | a number of days", repr(text))
    return words[text]


def list_command(
    games: GamesFile,
    system: Annotated[str, typer.Option(help="A rating system: fide, uscf, icc, elo, glicko, ...")] = "fide",
    at: Annotated[
        str | None, typer.Option("--at", help="Last day, month or period: YYYY-MM-DD, YYYY-MM or a number.")
    ] = None,
    every: Every_ = "month",
    first_month: FirstMonth = None,
    settings: Annotated[
        str | None, typer.Option("--set", help="Numbers of the system, such as k=20,scale=480.")
    ] = None,
    start: Annotated[float | None, ranged(START, help="Rating of new players without one, 2200 if not given.")] = None,
    births: Annotated[Path | None, typer.Option(help="CSV of player and born (year), for juniors' rules.")] = None,
    live: Annotated[bool, typer.Option("--live", help="Printed ratings and what the last period changes.")] = False,
    active: Annotated[int, ranged(ACTIVE, help="Periods without a game before a player is inactive.")] = ACTIVE_PERIODS,
    log: Annotated[
        Path | None, typer.Option(callback=answer_file, help="Also write every game: expected score, K, change (.csv).")
    ] = None,
    fide_list: Annotated[
        list[Path] | None, typer.Option(help="FIDE list that fills missing ratings; repeat for several months.")
    ] = None,
    fide_month: Annotated[
        list[str] | None, typer.Option(help="Month of each FIDE list (2012-12) if its name does not tell.")
    ] = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    sides: Sides = None,
    outcomes: Outcomes = None,
    as_json: AsJson = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Print the rating list of any rating system at any date: rating, change, games, provisional mark, activity."""
    with files({"--out": out, "--log": log}, reads=(games, births, *(fide_list or ())), force=force) as places:
        found = official_list(
            games, system, at, every_of(every), first_month, numbers_of(settings), births, live, active,
            reader_options(columns, ignore, date_format, sides, outcomes), fide_list or (), fide_month or (), start,
        )  # fmt: skip
        put(places, "--out", found)
        put(places, "--log", found.of_games)
    show(found.frame if as_json else listed_in_short(found.frame), found.about, as_json, out)
    if log is not None and not as_json:
        say(f"Games written to {log}")


def performance_command(
    games: GamesFile,
    event: Annotated[str | None, typer.Option(help="Only this event.")] = None,
    player: Annotated[str | None, typer.Option(help="Only this player.")] = None,
    titles: Annotated[Path | None, typer.Option(help="CSV of player,title,federation, for title norms.")] = None,
    trace: Annotated[Path | None, typer.Option(help="NetCDF trace, for 95% intervals from its model.")] = None,
    cross: Annotated[bool, typer.Option("--cross", help="The cross-table of the event instead.")] = False,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    sides: Sides = None,
    outcomes: Outcomes = None,
    as_json: AsJson = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Print who performed how in each event: points, opponents' mean, three performance ratings, title norms."""
    reader = reader_options(columns, ignore, date_format, sides, outcomes)
    given = {"--player": player, "--titles": titles, "--trace": trace}
    strange = next((name for name, value in given.items() if value is not None), None)
    if cross and strange is not None:
        raise GameTableError(strange, "performances", "--cross, which has no room for it")
    with files({"--out": out}, reads=(games, titles, trace), force=force) as places:
        found = (
            cross_table(games, event, reader) if cross else performances(games, titles, trace, event, player, reader)
        )
        put(places, "--out", found)
    show(found.frame if as_json or cross else in_short(found.frame), found.about, as_json, out)
    end(found.about.get("verdict"))


def pool_command(
    games: GamesFile,
    systems: Annotated[str, typer.Option(help="Rating systems separated by commas, or all.")] = ",".join(DEFAULT),
    trace: Annotated[Path | None, typer.Option(help="NetCDF trace of a model to measure the drift against.")] = None,
    every: Every_ = "month",
    first_month: FirstMonth = None,
    active: Annotated[int, ranged(ACTIVE, help="Periods without a game before a player is inactive.")] = ACTIVE_PERIODS,
    figure: Annotated[Path | None, typer.Option(help="PNG of mean, spread and drift by period.")] = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    sides: Sides = None,
    outcomes: Outcomes = None,
    as_json: AsJson = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Print inflation: how mean and spread of each system's pool move, and its drift against printed ratings."""
    with files({"--out": out, "--figure": figure}, reads=(games, trace), force=force) as places:
        found = pool(
            games, systems, trace, every_of(every), first_month, active,
            reader_options(columns, ignore, date_format, sides, outcomes),
        )  # fmt: skip
        put(places, "--out", found)
        if figure is not None:
            from halfpoint.evaluation.figures.style import save_png

            save_png(found.figure(), places.aside("--figure"), DOTS_PER_INCH)
    show(found.frame if as_json else ends(found.frame), found.about, as_json, out)
    if figure is not None and not as_json:
        say(f"Written to {figure}")
    end(found.about.get("verdict"))
