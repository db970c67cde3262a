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
from halfpoint.cli.output import AsJson, end, show
from halfpoint.cli.terminal import reading_bar, say, timed_lines
from halfpoint.games.few_games import GAMES_NEEDED
from halfpoint.inference.fitter import SEED
from halfpoint.workflows.answer_text import as_json_text
from halfpoint.workflows.grid import Settings
from halfpoint.workflows.intake import Intake
from halfpoint.workflows.options import Run
from halfpoint.workflows.rating_list import lists_of

SHOWN = 40
SHORT = (
    "rank", "player", "club", "rating_elo", "sd_elo", "low_elo", "high_elo", "margin", "games", "W-D-L",
    "goal_difference", "form",
)  # fmt: skip


def rate(
    games: Annotated[Path, typer.Argument(help="PGN, CSV, Parquet or the study's format; .gz .bz2 .zst .zip too.")],
    out: Annotated[Path, typer.Option(help="Folder for the list, the page and the trace.")],
    model: Annotated[
        str,
        typer.Option(
            help="auto (by what the file tells), a name of `halfpoint models`, or FILE.py:NAME (runs the file)."
        ),
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
    anchors: Annotated[
        Path | None, typer.Option(help="CSV of name, rating and standard error: who is known, as an earlier list.")
    ] = None,
    effects: Effects = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    sides: Sides = None,
    outcomes: Outcomes = None,
    draws: Draws = 1000,
    tune: Tune = 200,
    chains: Chains = 4,
    seed: Seed = SEED,
    method: Annotated[
        str, typer.Option(help="auto (normal draws where they are to be believed, else nuts) | normal | nuts.")
    ] = "auto",
    force: Annotated[
        bool, typer.Option("--force", help="Sample anew, and replace files that are not of an earlier run.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rate the players of a file of games.

    Writes ratings.csv, ratings.json, report.html (a page to explore) and trace.nc (for rank, match, forecast, ...).
    The same command again uses the finished trace.
    """
    intake = Intake(
        monitored_of(monitor), min_games, rare, groups, names, drop_duplicates, words_of(time_control),
        fide_list or (), fide_month or (), anchors, reader_options(columns, ignore, date_format, sides, outcomes),
    )  # fmt: skip
    hearing = timed_lines(as_json), partial(reading_bar, quiet=quiet or as_json), not (quiet or as_json)
    settings, run = Settings(draws, tune, chains, seed), Run(method, force, *hearing)
    rated = lists_of(games, out, named(model, effects), intake, settings, run)
    records = []
    for one in rated:
        records.append(one.record())
        if not as_json:
            rest = len(one.frame) - SHOWN
            cut = f"The first {SHOWN} of {len(one.frame)}; all are in ratings.csv. " if rest > 0 else ""
            shown, about = one.frame.head(SHOWN), one.about | {"note": cut + one.note}
            if "club" in shown:
                results = shown[["wins", "draws", "losses"]].astype(int).to_numpy().tolist()
                shown = shown.assign(**{"W-D-L": ["-".join(map(str, three)) for three in results]})
            show(shown, about, False, None, short=SHORT)
            say(f"ratings.csv, ratings.json, report.html and trace.nc in {one.folder}")
    if as_json:
        typer.echo(as_json_text(records[0] if len(records) == 1 else {"groups": records}), nl=False)
    end(*(one.about["verdict"] for one in rated))
