"""`halfpoint calibrate`: whether a model finds what it simulated."""

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from halfpoint.cli.options import ranged
from halfpoint.cli.terminal import console, say, table_of
from halfpoint.evaluation.figures.sampling import figure_ranks
from halfpoint.evaluation.figures.style import save_png
from halfpoint.games.atomic_write import whole_files
from halfpoint.games.claim import claim
from halfpoint.games.errors import HalfpointError
from halfpoint.games.ranges import SEED
from halfpoint.inference.calibration_designs import calibratable, experiment
from halfpoint.inference.limits import SIMULATIONS
from halfpoint.workflows.answer_text import as_csv
from halfpoint.workflows.calibration import all_ranks, parts_of
from halfpoint.workflows.cluster import check_address, run

FALSE_ALARM = 0.01


def calibrate(
    name: Annotated[str, typer.Argument(help="Model of `halfpoint models`, or all.", metavar="MODEL")],
    simulations: Annotated[int, ranged(SIMULATIONS, help="Simulated data sets.")] = 200,
    seed: Annotated[int, ranged(SEED, help="Seed; the same seed gives the same ranks.")] = 7,
    wrong_sign: Annotated[
        bool, typer.Option("--wrong-sign", help="Plant a wrong sign of the advantage, which must be found.")
    ] = False,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, tcp://host:port; its workers fit.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for ranks and figure.")] = Path("runs/calibration"),
) -> None:
    """Simulate games from a model's prior, fit it, and see whether the truth ranks uniformly among the draws.

    Exit code 0: every parameter inside its band; 1: some are not, the model or its sampler is wrong. A calibrated model
    is called wrong in 1 of 100 runs. A run that was interrupted goes on where it stopped.
    """
    check_address(scheduler)
    names = calibratable() if name == "all" else [name]
    for one in names:
        experiment(one, wrong_sign)  # a mistake is told before anything is written
    bad = [one for one in names if calibrate_one(one, simulations, seed, wrong_sign, scheduler, out)]
    if bad:
        console.print(f"NOT calibrated: {', '.join(bad)}", style="bold red", markup=False)
        raise typer.Exit(1)
    console.print(f"Calibrated: {', '.join(names)}", markup=False)


def calibrate_one(name: str, simulations: int, seed: int, wrong_sign: bool, scheduler: str | None, out: Path) -> bool:
    """Calibrate one model, write its ranks and figure, print the table, and return whether it failed."""
    folder = (out / (f"{name}-wrong-sign" if wrong_sign else name)).resolve()
    with claim(folder):
        return ranked(folder, name, simulations, seed, wrong_sign, scheduler)


def ranked(folder: Path, name: str, simulations: int, seed: int, wrong_sign: bool, scheduler: str | None) -> bool:
    """Calibrate one model in a folder that this process alone writes to; return whether it failed."""
    parts = parts_of(folder, name, simulations, seed, wrong_sign)
    for end in run(parts, scheduler):
        if end.fault:
            raise HalfpointError(f"{end.path.name}: expected ranks, found {end.fault}")
    ranks = all_ranks(parts)
    probability = 1.0 - FALSE_ALARM / len(ranks.rank)  # of each parameter's band, so that all hold together
    title = f"{name}: {simulations} simulations{', WRONG SIGN planted' if wrong_sign else ''}"
    with whole_files(folder / "ranks.csv", folder / "ranks.png") as (listed, figure):
        listed.write_text(as_csv(pd.DataFrame(ranks.rank).assign(draws=ranks.draws)), encoding="utf-8", newline="")
        save_png(figure_ranks(ranks.curves(probability), title), figure)
    outside = ranks.outside(probability)
    table = table_of(title, ("parameter",), ("outside its band by",), ("verdict",))
    for label, by in outside.items():
        table.add_row(label, f"{by:.3f}", "[red]NOT calibrated[/red]" if by > 0 else "calibrated")
    console.print(table)
    console.print(f"{ranks.divergences} divergent transitions in {simulations} fits")
    say(f"Ranks and figure in {folder}")
    return any(by > 0 for by in outside.values())
