"""`halfpoint rate`: from a file of games to a rating list with intervals, a verdict, a page and a trace."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import (
    Chains,
    Columns,
    DateFormat,
    Draws,
    Effects,
    Ignored,
    Outcomes,
    Quiet,
    Seed,
    Sides,
    Tune,
    monitored_of,
    named,
    ranged,
    reader_options,
    words_of,
)
from halfpoint.cli.output import AsJson, show
from halfpoint.cli.terminal import reading_bar, say, say_lines
from halfpoint.games.few_games import GAMES_NEEDED
from halfpoint.inference.fitter import SEED
from halfpoint.workflows.answer_text import as_json_text
from halfpoint.workflows.rating_list import rate_groups

SHOWN = 40


def rate(
    games: Annotated[Path, typer.Argument(help="PGN, CSV, Parquet or the study's format; .gz .bz2 .zst .zip too.")],
    out: Annotated[Path, typer.Option(help="Folder for the list, the page and the trace.")],
    model: Annotated[
        str, typer.Option(help="auto (by what the file tells), or a name; see `halfpoint models`.")
    ] = "auto",
    monitor: Annotated[str | None, typer.Option(help="File of names, or N most active players.")] = None,
    min_games: Annotated[int, ranged(GAMES_NEEDED, help="Fewest games of a player who is rated by themselves.")] = 5,
    rare: Annotated[str, typer.Option(help="Players with fewer: auto | anchor (to their ratings) | pool.")] = "auto",
    groups: Annotated[str, typer.Option(help="Players who never meet: refuse | apart | largest.")] = "refuse",
    names: Annotated[Path | None, typer.Option(help="Accepted spellings (names.csv of an earlier run).")] = None,
    drop_duplicates: Annotated[bool, typer.Option("--drop-duplicates", help="Drop certain duplicates.")] = False,
    time_control: Annotated[
        str | None, typer.Option(help="Keep classical, rapid, blitz, bullet (commas); PGN only.")
    ] = None,
    fide_list: Annotated[
        list[Path] | None, typer.Option(help="FIDE list that fills missing ratings; repeat for several months.")
    ] = None,
    fide_month: Annotated[
        list[str] | None, typer.Option(help="Month of each FIDE list (2012-12) if its name does not tell.")
    ] = None,
    effects: Effects = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    sides: Sides = None,
    outcomes: Outcomes = None,
    draws: Draws = 1000,
    tune: Tune = 1000,
    chains: Chains = 4,
    seed: Seed = SEED,
    force: Annotated[bool, typer.Option("--force", help="Sample even where the finished trace is there.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rate the players of a file of games.

    Writes ratings.csv, ratings.json, report.html (a page to explore) and trace.nc (for rank, match, forecast, ...).
    The same command again uses the finished trace.
    """
    rated = rate_groups(
        games,
        out,
        named(model, effects),
        groups,
        monitor=monitored_of(monitor),
        min_games=min_games,
        rare=rare,
        names=names,
        drop_duplicates=drop_duplicates,
        time_control=words_of(time_control),
        fide_lists=fide_list or (),
        fide_months=fide_month or (),
        reader=reader_options(columns, ignore, date_format, sides, outcomes),
        draws=draws,
        tune=tune,
        chains=chains,
        seed=seed,
        force=force,
        say=partial(say_lines, aside=as_json),
        reading=partial(reading_bar, quiet=quiet or as_json),
        progress=not (quiet or as_json),
    )
    records = []
    for one in rated:
        records.append(one.record())
        if not as_json:
            rest = len(one.frame) - SHOWN
            cut = f"The first {SHOWN} of {len(one.frame)}; all are in ratings.csv. " if rest > 0 else ""
            show(one.frame.head(SHOWN).drop(columns="converged"), one.about | {"note": cut + one.note}, False, None)
            say(f"ratings.csv, ratings.json, report.html and trace.nc in {one.folder}")
    if as_json:
        typer.echo(as_json_text(records[0] if len(records) == 1 else {"groups": records}), nl=False)
