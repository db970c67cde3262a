"""`halfpoint fit`: one model on any games."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.options import (
    SAMPLING,
    Effects,
    GameTables,
    Monitored,
    command,
    model_with_effects,
    options_of,
    word_option,
)
from halfpoint.apps.cli.output import Sampled, end
from halfpoint.apps.cli.scripting import STANDARD, AsJson, put_json, written_to
from halfpoint.apps.cli.terminal import say, timed_lines
from halfpoint.apps.workflows.options import Fitting, Run
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import PlacedError, printable
from halfpoint.models.games.lists_in_text import words_in
from halfpoint.models.games.ranges import HALF_LIFE

_FITTING = options_of(
    Fitting(),
    without=("reader",),
    half_life=HALF_LIFE,
    monitor=Monitored,
    groups=word_option(
        "--with", help="Further groups, for ArviZ: posterior_predictive,prior,log_prior.", parser=words_in
    ),
)


@command("Research", 1)
def fit(
    games: Annotated[Path, typer.Argument(help="Games: CSV, PGN or the study's text format.")],
    model: Annotated[str, typer.Option(help="A name of `halfpoint models`, or FILE.py:NAME (runs the file).")],
    out: Annotated[Path, typer.Option("--out", "-o", help="NetCDF file for the trace; -: standard output.")],
    how: Fitting = _FITTING,
    effects: Effects = None,
    tables: GameTables = GameTables(),
    sampling: Effort = SAMPLING,
    running: Sampled = Sampled(),
    as_json: AsJson = False,
) -> None:
    """Fit one model to a file of games and write its trace."""
    from halfpoint.apps.workflows.answer import about_trace
    from halfpoint.apps.workflows.fitting import run_fit
    from halfpoint.models.declaration.catalogue import title_of

    aside, model_name = as_json or out == STANDARD, model_with_effects(model, effects)
    if as_json and out == STANDARD:
        raise PlacedError("--out", "a file, together with --json", "- (standard output)", "Choose one of the two.")
    heard = timed_lines(aside)
    run = Run(running.method, running.force, progress=not (running.quiet or aside))
    with written_to(out, ".nc") as place:
        tree = run_fit(games, model_name, place, replace(how, reader=tables.reader), sampling, run)
    if as_json:
        counts = {name: int(tree.attrs[name]) for name in ("games", "players", "seed") if name in tree.attrs}
        put_json(about_trace(tree, title_of(tree.attrs)) | counts | {"trace": printable(str(out))})
    else:
        heard(f"{title_of(tree.attrs)} on {tree.attrs['games']} games: {tree.attrs['verdict']}")
    if not aside:
        say(f"Trace in {out}")
    end(tree.attrs["verdict"])
