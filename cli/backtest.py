"""`halfpoint backtest`: rating systems and Bayesian models forecast each period from its past, and are scored."""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from halfpoint.cli.options import editions_of, monitored_of, ranged
from halfpoint.cli.place import writes_alone
from halfpoint.cli.terminal import console, say, table_of
from halfpoint.games.datasets.replica import replica
from halfpoint.games.datasets.study import games_2013, monitored, training_file
from halfpoint.games.errors import GameTableError
from halfpoint.games.periods import Every, concatenate, with_periods
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.readers.read import read
from halfpoint.games.table import GameTable, Texts
from halfpoint.inference.fitter import Effort
from halfpoint.inference.limits import CHAINS, DRAWS, TUNE
from halfpoint.models.errors import ModelError
from halfpoint.workflows.backtest import REFERENCE, Mask, Plan, bayesian, run, specs_of
from halfpoint.workflows.backtest_tasks import fan_out
from halfpoint.workflows.cluster import check_address

PERIOD = Range(-(10**9), 10**9)
STUDY_FIRST_MONTH = "2010-01"
EVERY: dict[str, Every] = {"month": "month", "week": "week", "day": "day"}


@writes_alone
def backtest(
    games: Annotated[str, typer.Argument(help="A file of games, or study, or replica (simulated).")],
    systems: Annotated[str, typer.Option(help="Rating systems separated by commas, or all.")] = "all",
    models: Annotated[str | None, typer.Option(help="Bayesian models of the catalogue, separated by commas.")] = None,
    begin: Annotated[int | None, ranged(PERIOD, "--from", help="First period judged; those before it tune.")] = None,
    every: Annotated[str, typer.Option(help="Period made from dates: month | week | day.")] = "month",
    then: Annotated[Path | None, typer.Option(help="A second file of later games.")] = None,
    first_month: Annotated[str | None, typer.Option(help="Month that is period 1, YYYY-MM.")] = None,
    monitor: Annotated[str | None, typer.Option(help="Monitored players: file, or N most active.")] = None,
    edition: Annotated[str, typer.Option(help="Edition of the Bayesian models.")] = "corrected",
    draws: Annotated[int, ranged(DRAWS, help="Draws kept, a chain and period.")] = 1000,
    tune: Annotated[int, ranged(TUNE, help="Tuning draws, a chain and period.")] = 200,
    chains: Annotated[int, ranged(CHAINS, help="Chains.")] = 4,
    seed: Annotated[int, ranged(SEED, help="Seed of the first fit.")] = 20140501,
    data_dir: Annotated[Path | None, typer.Option(help="Folder with the study's games.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler, tcp://host:port; each system is a task.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for forecasts, tables and figures.")] = Path("runs/backtest"),
) -> None:
    """Forecast each period from the past only, then learn it; score everybody on the same games.

    Numbers of the systems are tuned on the periods before --from and frozen. A backtest that was interrupted goes on
    where it stopped when the same command is given again.
    """
    check_address(scheduler)
    if every not in EVERY:
        raise GameTableError("--every", " | ".join(EVERY), repr(every))
    chosen = editions_of(edition)
    if len(chosen) != 1:
        raise ModelError("--edition: expected one edition, found 'all'")
    table, later, names = games_of(games, then, EVERY[every], first_month, data_dir, monitor)
    periods = np.unique(table.time)
    first = begin if begin is not None else int(periods[min(12, periods.size // 3)])
    plan = plan_of(table, later, names, first, out)
    effort = Effort(draws, tune, chains, seed)
    specs = specs_of(systems, models, table, lambda name: bayesian(name, names, chosen[0], effort, table))
    if scheduler is not None:
        fan_out(plan, [spec.name for spec in specs], chosen[0], effort, scheduler, console.print)
    scores = run(plan, specs, console.print)
    for stretch in plan.stretches:
        rows = scores[scores["stretch"] == stretch]
        if len(rows):
            title = f"{stretch}: {int(rows['games'].iloc[0]):,} games{' SIMULATED' if table.simulated else ''}"
            console.print(printed(title, rows.to_dict("records")))
    say(f"Forecasts, tables and figures in {out}")


def games_of(
    name: str, then: Path | None, every: Every, first_month: str | None, data_dir: Path | None, monitor: str | None
) -> tuple[GameTable, int | None, Texts]:
    """Return all games with periods, the first period of the later ones (None if there are none), and the monitored."""
    players: Texts | None = None
    if name == "study":
        parts, players = [training_file(data_dir), games_2013(data_dir)], monitored()
    elif name == "replica":
        copy = replica()
        parts, players = [copy.training, copy.set_b], copy.monitored
    else:
        parts = [read(name)] + ([read(then)] if then else [])
    month = STUDY_FIRST_MONTH if name in ("study", "replica") else first_month
    timed = [with_periods(part, every, month) for part in parts]
    table = timed[0] if len(timed) == 1 else concatenate(*timed)
    if players is None or monitor is not None:
        players = monitored_of(monitor, table)
    return table, None if len(timed) == 1 else int(timed[1].time.min()), players


def plan_of(table: GameTable, later: int | None, names: Texts, first: int, out: Path) -> Plan:
    """Return what is judged together: all games, those of monitored players, and the same of the later file."""
    time = table.time
    white, black = np.isin(table.white_names, names), np.isin(table.black_names, names)
    some, both = white | black, white & black
    end = int(time.max()) if later is None else later - 1
    earlier = (time >= first) & (time <= end)
    last = int(time[earlier].max()) if earlier.any() else end
    main = f"periods {first} to {last}, all games"
    stretches: dict[str, Mask] = {main: earlier}
    if not some.all():
        stretches[f"periods {first} to {last}, a monitored player"] = earlier & some
    if later is not None:
        stretches["later games, all"] = time >= later
        stretches["later games, a monitored player"] = (time >= later) & some
        stretches["later games, both monitored"] = (time >= later) & both
    kept = {name: mask for name, mask in stretches.items() if mask.any()}
    if main not in kept:
        raise GameTableError("--from", f"a period up to {int(time.max())}", str(first))
    return Plan(table, first, kept, main, names, out)


def printed(title: str, rows: Sequence[Mapping[Hashable, Any]]) -> Table:
    """Return one stretch as a table for the terminal."""
    headings = ("deviance", "log score", f"less {REFERENCE}", "s.e.", "De Finetti", "RPS", "accuracy", "s / 1000")
    table = table_of(title, ("system", "draws"), headings)
    for row in rows:
        keys = ("expected_score_deviance", "log_score", "log_score_difference", "log_score_standard_error")
        shown = [f"{row[key]:.5f}" for key in (*keys, "de_finetti", "ranked_probability_score", "accuracy")]
        table.add_row(str(row["title"]), str(row["draws"]), *shown, f"{row['seconds_per_1000_games']:.4f}")
    return table
