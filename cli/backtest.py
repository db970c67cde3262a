"""`halfpoint backtest`: rating systems and Bayesian models forecast each period from its past, and are scored."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from halfpoint.cli.options import (
    SAMPLING,
    Effects,
    Force,
    Monitored,
    TimeControl,
    grouped,
    named,
    offered,
    worded,
    words_of,
)
from halfpoint.cli.output import end
from halfpoint.cli.terminal import console, say, table_of
from halfpoint.evaluation.backtest_tables import SCORES
from halfpoint.evaluation.margin_tables import REFERENCE as MARGIN_REFERENCE
from halfpoint.inference.limits import Effort
from halfpoint.workflows.backtesting import Dates, backtested
from halfpoint.workflows.entrants import Entrants
from halfpoint.workflows.options import Run

ENTRANTS = offered(
    Entrants(odds="", forecasts=[]),
    systems=typer.Option(help="Rating systems separated by commas, or all."),
    models=worded(help="Bayesian models, with commas: names, or FILE.py:NAME (runs the file).", parser=words_of),
    reference=typer.Option(help="Who the others are set against; the first of --odds, fide-rating if rated, else elo."),
    odds=typer.Option(help="Columns of decimal odds: B365 for B365H, B365D, B365A, or three with slashes; commas."),
    forecasts=Annotated[
        list[Path], typer.Option(help="File of others' probabilities: players, date, loss, draw, win.")
    ],
    edition=typer.Option(help="Edition of the Bayesian models."),
    ingredients=typer.Option(
        "--parts", help="Also what each ingredient of the first listed model gains: left out, alone."
    ),
    scheduler=typer.Option(help="Address of a Dask scheduler, tcp://host:port; each system is a task."),
)
DATES = offered(
    Dates(),
    begin=typer.Option("--from", help="First period judged, or a month or day of it (2012-08); those before it tune."),
    every=typer.Option(help="Period made from dates: month | week | day."),
    then=Annotated[Path | None, typer.Option(help="A second file of later games.")],
    first_month=typer.Option(help="Month that is period 1, YYYY-MM."),
    monitor=Monitored,
    time_control=TimeControl,
    data_dir=typer.Option(help="Folder with the study's games."),
)


@grouped
def backtest(
    games: Annotated[
        list[str], typer.Argument(help="Files of games, which are one calendar, or study, or replica (simulated).")
    ],
    who: Entrants = ENTRANTS,
    effects: Effects = None,
    dates: Dates = DATES,
    method: Annotated[str, typer.Option(help="How models are fitted: nuts | normal (fast, everybody).")] = "nuts",
    sampling: Effort = SAMPLING,
    out: Annotated[Path, typer.Option(help="Folder for forecasts, tables and figures.")] = Path("runs/backtest"),
    force: Force = False,
) -> None:
    """Forecast each period from the past only, then learn it; score everybody on the same games.

    Numbers of the systems are tuned on the periods before --from and frozen. A backtest that was interrupted goes on
    where it stopped when the same command is given again.
    """
    who = replace(who, models=[named(name, effects) for name in who.models or []])
    found = backtested(games, out, who, dates, sampling, Run(method, force, console.print))
    for stretch in dict.fromkeys([*found.frame["set"], *(found.margins["set"] if len(found.margins) else ())]):
        rows = found.stretch(stretch)
        simulated = " SIMULATED" if found.about["simulated"] else ""
        if len(rows):
            title = f"{stretch}: {int(rows['games'].iloc[0]):,} games{simulated}"
            console.print(stretch_table(title, rows.to_dict("records"), found.plan.reference))
        margins = found.margins[found.margins["set"] == stretch] if len(found.margins) else found.margins
        if len(margins):
            title = f"margins, {stretch}{simulated}; differences to {MARGIN_REFERENCE}"
            console.print(margins_table(title, margins.to_dict("records")))
    if found.parts is not None:
        console.print(parts_table(f"what each ingredient gains, {found.plan.main}", found.parts.to_dict("records")))
    say("The two-way error allows for games that share an event or a player: believe it rather than the naive one.")
    say(f"Forecasts, tables and figures in {out}")
    end(found.about["verdict"])


def stretch_table(title: str, rows: Sequence[Mapping[Hashable, Any]], reference: str) -> Table:
    """Return one set of games as a table for the terminal."""
    first, further = ("deviance", "log_score"), [name for name in SCORES if name not in ("deviance", "log_score")]
    said = [SCORES[name][0] for name in first] + [f"less {reference}", "two-way s.e."]
    said += [SCORES[name][0] for name in further] + ["s / 1000"]
    table = table_of(title, ("system", "draws"), tuple(said))
    for row in rows:
        shown = [f"{row[key]:.5f}" for key in (*first, "difference", "se_two_way", *further)]
        table.add_row(str(row["title"]), str(row["draws"]), *shown, f"{row['seconds_per_1000_games']:.4f}")
    return table


def parts_table(title: str, rows: Sequence[Mapping[Hashable, Any]]) -> Table:
    """Return what ingredients gain as a table for the terminal, 0.0001 nats a game."""
    headings = ("left out", "two-way s.e.", "of it draws", "alone", "two-way s.e.", "of it draws")
    table = table_of(f"{title}; 0.0001 nats a game", ("ingredient",), headings)
    for row in rows:
        keys = ("left_out", "se_left_out", "left_out_draw", "alone", "se_alone", "alone_draw")
        table.add_row(str(row["part"]), *(f"{1e4 * row[key]:.0f}" for key in keys))
    return table


def margins_table(title: str, rows: Sequence[Mapping[Hashable, Any]]) -> Table:
    """Return forecasts of the margins of one set of games as a table for the terminal."""
    shown_errors = ("difference", "two-way s.e.")
    headings = ("log score", *shown_errors, "CRPS", *shown_errors, "rmse", "in 50%", "in 90%")
    table = table_of(title, ("system",), headings)
    for row in rows:
        keys = ("log_score", "difference", "se_two_way", "crps", "difference_crps", "se_crps", "rmse")
        shown = [f"{row.get(key, float('nan')):.4f}" for key in keys]
        table.add_row(str(row["title"]), *shown, f"{row['inside_50']:.1%}", f"{row['inside_90']:.1%}")
    return table
