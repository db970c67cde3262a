"""`halfpoint calibrate`: simulation-based calibration of a model."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.options import Effects, Force, command, model_with_effects, options_of
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import console, put_table, say, table_of, timed_lines
from halfpoint.apps.cli.workers import Workers
from halfpoint.apps.workflows.options import Trial
from halfpoint.inference.effort_limits import SIMULATIONS
from halfpoint.models.games.errors import printable
from halfpoint.models.games.ranges import SEED

_TRIAL = options_of(Trial(), without=("say", "executor"), simulations=SIMULATIONS, seed=SEED, force=Force)


@command("Judge", 3)
def calibrate(
    name: Annotated[
        str,
        typer.Argument(help="A model of `halfpoint models`, FILE.py:NAME (runs the file), or all.", metavar="MODEL"),
    ],
    effects: Effects = None,
    trial: Trial = _TRIAL,
    machines: Workers = Workers(),
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for ranks and figure.")] = Path("runs/calibration"),
    as_json: AsJson = False,
) -> None:
    """Test the calibration of a model: simulate from its prior, refit, and rank the true values among the draws.

    Exit code 0: every parameter is inside its band; 1: some are not, so the model or its sampler is wrong. The false
    alarm rate is 1 in 100 runs. The same command resumes an interrupted run.
    """
    from halfpoint.apps.workflows.calibration import calibrate_models

    good: list[str] = []
    bad: list[str] = []
    records = []
    models = [model_with_effects(name, effects)] if effects else name
    heard = timed_lines(as_json)
    with machines.executor(heard) as executor:
        for calibration in calibrate_models(models, out, replace(trial, say=heard, executor=executor)):
            (good if calibration.calibrated else bad).append(str(calibration.about["model"]))
            records.append(
                calibration.record()
                | {"calibrated": calibration.calibrated, "folder": printable(str(calibration.folder))}
            )
            if as_json:
                continue
            table = table_of(calibration.title, ("parameter",), ("outside its band by",), ("verdict",))
            for label, by, good_one in calibration.frame.to_numpy(dtype=object).tolist():
                table.add_row(label, f"{by:.3f}", "calibrated" if good_one else "[red]NOT calibrated[/red]")
            put_table(table)
            say(calibration.note)
            say(f"Ranks and figure in {calibration.folder}")
    if as_json:
        status = {"code": "not-calibrated" if bad else "calibrated", "exit_code": int(bool(bad))}
        put_json({"title": "Calibration", "models": records}, status)
        raise typer.Exit(int(bool(bad)))
    if bad:
        console.print(f"NOT calibrated: {', '.join(bad)}", style="bold red", markup=False)
        raise typer.Exit(1)
    console.print(f"Calibrated: {', '.join(good)}", markup=False)
