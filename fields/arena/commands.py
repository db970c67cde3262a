"""`halfpoint leaderboard` and `halfpoint next`: from judgements to a board, and what to judge next."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import (
    Chains,
    Columns,
    DateFormat,
    Draws,
    Ignored,
    OwnModel,
    Quiet,
    Seed,
    Tune,
    know,
    ranged,
    reader_options,
    words_of,
)
from halfpoint.cli.output import AsJson, Out, show
from halfpoint.cli.terminal import say, say_lines
from halfpoint.fields.arena.asked import INTERVAL, REGION, Asked, Judged
from halfpoint.fields.arena.list import FILES, board_of
from halfpoint.fields.arena.next_judgements import JUDGEMENTS, PAIRS, next_comparisons
from halfpoint.inference.fitter import SEED
from halfpoint.workflows.answer_text import as_json_text
from halfpoint.workflows.grid import Settings
from halfpoint.workflows.options import Run

SHOWN = 40
SHORT = (
    "rating_elo", "sd_elo", "low_elo", "high_elo", "rank_low", "rank_high", "best_percent", "tier", "games",
)  # fmt: skip


def leaderboard_command(
    battles: Annotated[Path, typer.Argument(help="JSON lines, Parquet, CSV; PGN of engines; .gz .zst ... too.")],
    out: Annotated[Path, typer.Option(help="Folder for the list, the audit, the page and the trace.")],
    style: Annotated[
        str | None, typer.Option(help="Style to allow for (commas): length, headers, lists, bold, NAME, or all.")
    ] = None,
    judges: Annotated[bool, typer.Option("--judges", help="A position habit and a sharpness for each judge.")] = False,
    by: Annotated[str | None, typer.Option(help="A board of each category or language too.")] = None,
    fix: Annotated[str | None, typer.Option(help="Who stands where, NAME=1000; the mean at 1500 otherwise.")] = None,
    outcomes: Annotated[
        str | None, typer.Option(help="What words mean, such as tie=0.5,both_bad=drop,skip=drop.")
    ] = None,
    region: Annotated[
        float | None, ranged(REGION, help="The file holds scores (method x data set): how near is a tie.")
    ] = None,
    lower: Annotated[bool, typer.Option("--lower", help="Lower scores are better.")] = False,
    tiers: Annotated[float, ranged(INTERVAL, help="Probability that separates tiers.")] = 0.95,
    interval: Annotated[float, ranged(INTERVAL, help="Mass of the intervals.")] = 0.95,
    cluster: Annotated[str | None, typer.Option(help="Column whose judgements go together; judge, prompt.")] = None,
    groups: Annotated[str, typer.Option(help="Groups that never meet: refuse | largest.")] = "refuse",
    method: Annotated[str, typer.Option(help="auto | nuts | normal (approximation, for many judgements).")] = "auto",
    no_checks: Annotated[bool, typer.Option("--no-checks", help="The list alone: no audit, no scores.")] = False,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    draws: Draws = 1000,
    tune: Tune = 1000,
    chains: Chains = 4,
    seed: Seed = SEED,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rank what was judged in pairs: models of an arena, engines, answers, items.

    Writes leaderboard.csv and .json, audit.json, matrix.csv, leaderboard.html (one page) and trace.nc.
    """
    judged = Judged(words_of(style) or (), outcomes, reader_options(columns, ignore, date_format), region, lower)
    asked = Asked(judges, by, fix, groups, method, tiers, interval, cluster, not no_checks)
    run = Run(say=partial(say_lines, aside=as_json), progress=not (quiet or as_json))
    found = board_of(battles, out, judged, asked, Settings(draws, tune, chains, seed), run)
    if as_json:
        typer.echo(as_json_text(found.record()), nl=False)
        return
    rest = len(found.frame) - SHOWN
    cut = f"The first {SHOWN} of {len(found.frame)}; all are in leaderboard.csv. " if rest > 0 else ""
    about = found.about | {"note": cut + found.note}
    short = ("rank", str(about["noun"]), *SHORT)
    show(found.frame.head(SHOWN), about, False, None, chances=("best_percent",), short=short)
    if found.scores is not None:
        about = {"title": "Held-out judgements: lower is better", "note": ""}
        show(found.scores, about, False, None, digits=4)
    say(f"{', '.join(FILES)} and trace.nc in {found.folder}")


def next_command(
    trace: Annotated[Path, typer.Argument(help="NetCDF trace.")],
    pairs: Annotated[int, ranged(PAIRS, help="How many pairs.")] = 20,
    target: Annotated[str, typer.Option(help="What is asked: borders (of tiers) | all | A:B.")] = "borders",
    judgements: Annotated[int, ranged(JUDGEMENTS, help="Judgements of a pair at a time.")] = 1,
    tiers: Annotated[float, ranged(INTERVAL, help="Probability that separates tiers.")] = 0.95,
    as_json: AsJson = False,
    out: Out = None,
    own: OwnModel = None,
) -> None:
    """Say which pairs to compare next: whose comparison is expected to tell most."""
    know(own)
    found = next_comparisons(trace, pairs, target, judgements, tiers)
    show(found.frame, found.about, as_json, out, digits=2)
