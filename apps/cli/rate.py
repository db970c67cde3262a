"""`halfpoint rate`: a rating list with intervals, a verdict, a page and a trace from a file of games."""

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.options import (
    READING,
    SAMPLING,
    WHO,
    Effects,
    FideLists,
    GameTables,
    Monitored,
    TimeControl,
    command,
    model_with_effects,
    options_of,
)
from halfpoint.apps.cli.output import Running, end, folder_beside, show, show_contexts
from halfpoint.apps.cli.scripting import put_json
from halfpoint.apps.cli.terminal import say
from halfpoint.apps.cli.workers import Workers
from halfpoint.apps.workflows.options import Intake
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import GAMES_NEEDED

_SHOWN = 40
SHORT = (
    "rank", "player", "club", "rating_elo", "printed_elo", "less_printed_elo", "sd_elo", "low_elo", "high_elo",
    "margin", "games", "W-D-L", "goal_difference", "form",
)  # fmt: skip


_INTAKE = options_of(
    Intake(fide_lists=[]),
    WHO,
    without=("reader",),
    monitor=Monitored,
    min_games=GAMES_NEEDED,
    names=typer.Option(rich_help_panel=READING),
    drop_duplicates=typer.Option(rich_help_panel=READING),
    faulty=typer.Option(rich_help_panel=READING),
    time_control=TimeControl,
    fide_lists=FideLists,
    anchors=Annotated[Path | None, typer.Option()],
)


@command("Rate and list", 1)
def rate(
    games: Annotated[list[Path], typer.Argument(help="Files of games: PGN, CSV, Parquet, JSON, TRF; compressed too.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the list, the page and the trace; default: NAME-ratings."),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="auto (chosen from the file), a name of `halfpoint models`, or FILE.py:NAME (runs the file)."
        ),
    ] = "auto",
    earlier: Annotated[
        Path | None, typer.Option("--from", help="Trace of an earlier run, or its folder, to update with these games.")
    ] = None,
    figures: Annotated[
        bool, typer.Option("--figures", help="Also figures (PNG): list, pairs, places, games, time.")
    ] = False,
    intake: Intake = _INTAKE,
    effects: Effects = None,
    tables: GameTables = GameTables(),
    sampling: Effort = SAMPLING,
    running: Running = Running(),
    machines: Workers = Workers(),
) -> None:
    """Rate the players of a file of games.

    Writes ratings.csv, history.csv (ratings through time), ratings.json, report.html (a page to explore) and trace.nc
    (for rank, match, forecast, ...).
    The same command again uses the finished trace.
    """
    from halfpoint.apps.pages.cells import Look
    from halfpoint.apps.workflows.contexts import context_column
    from halfpoint.apps.workflows.history import has_history
    from halfpoint.apps.workflows.intake import are_cells
    from halfpoint.apps.workflows.rating_list import lists_of
    from halfpoint.evaluation.rating_list import results_as_text

    intake = replace(intake, reader=tables.reader)
    out = out or folder_beside(games, "ratings")
    if are_cells(games) and (machines.workers or machines.cluster or _outgrow_draws(games)):
        draws_only = {
            "--from": earlier,
            "--figures": figures,
            "--effects": effects,
            "options of reading": tables.reader,
        }
        if replace(intake, reader=None, fide_lists=()) != Intake() or intake.fide_lists:
            draws_only["options that select players"] = True
        _list_of_cells(games, out, model, machines, running, [name for name, value in draws_only.items() if value])
        return
    run = running.run
    with machines.executor(run.say) as executor:
        run = replace(run, executor=executor)
        rated = lists_of(games, out, model_with_effects(model, effects), intake, sampling, run, earlier, figures)
    records = []
    for ratings in rated:
        records.append(ratings.record())
        if not running.as_json:
            cut = f"The first {_SHOWN} of {len(ratings.frame)}; all are in ratings.csv. " * (
                len(ratings.frame) > _SHOWN
            )
            shown, about = ratings.frame.head(_SHOWN), ratings.about | {"note": cut + ratings.note}
            if "club" in shown:
                shown = shown.assign(**{"W-D-L": results_as_text(shown)})
            if "club" in shown or "printed_elo" in shown:  # no sd: the interval says it
                shown = shown.drop(columns="sd_elo")
            show(shown, about, look=Look(short=SHORT))
            if ratings.contexts:
                show_contexts(shown, ratings.contexts, ratings.ranking.noun, context_column(ratings.trace))
            say(f"ratings.csv, history.csv, ratings.json, report.html and trace.nc in {ratings.folder}")
            names = ratings.frame[ratings.frame.columns[1]].astype(str).tolist()
            own_model = f" --model {shlex.quote(model)}" if ".py:" in model else ""
            say(_next_step(Path(ratings.folder or out), names, has_history(ratings.trace), own_model))
    if running.as_json:
        put_json(records[0] if len(records) == 1 else {"groups": records})
    end(*(ratings.about["verdict"] for ratings in rated))


def _next_step(folder: Path, players: Sequence[str], moves: bool, own_model: str) -> str:
    """Sentence on the next commands for a list, in the names of its players."""
    words = f"{shlex.quote(str(folder / 'trace.nc'))} {shlex.join(players[:2])}{own_model}"
    steps = [f"halfpoint match {words} forecasts a game"]
    if (names := folder / "names.csv").exists():
        steps.append(f"--names {shlex.quote(str(names))} merges the spellings marked yes")
    return f"Next: {'; '.join(steps)}; report.html {'shows history' if moves else 'has the chances of each pair'}."


def _outgrow_draws(games: list[Path]) -> bool:
    """True if cells are too many for draws."""
    from halfpoint.apps.workflows.cell_list import outgrow_draws

    return outgrow_draws(games)


def _list_of_cells(
    games: list[Path], out: Path, model: str, machines: Workers, running: Running, further: list[str]
) -> None:
    """List the players of cells by means and errors, from shards if requested; without `further` options."""
    from halfpoint.apps.pages.cells import Look
    from halfpoint.apps.workflows.cell_list import rate_cells
    from halfpoint.apps.workflows.cluster import dask_client

    if further:
        raise GameTableError(
            further[0], "ratings with posterior draws", "cells in shards, or too many cells for draws", "Leave it out."
        )
    say_of = running.run.say
    with nullcontext() if machines.cluster is None else dask_client(machines.cluster, say_of) as client:
        answer = rate_cells(games, out, model, machines.workers, client, running.force, say_of)
    if running.as_json:
        put_json(answer.record())
        return
    cut = f"The first {_SHOWN} of {len(answer.frame):,}; all are in ratings.csv. " * (len(answer.frame) > _SHOWN)
    show(answer.frame.head(_SHOWN), answer.about | {"note": cut + answer.note}, look=Look(short=SHORT))
    say(f"ratings.csv in {out}")
