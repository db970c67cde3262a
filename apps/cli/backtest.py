"""`halfpoint backtest`: rating systems and Bayesian models forecast each period from its past, and are scored."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from halfpoint.apps.cli.options import (
    FIRST,
    FURTHER,
    HOW,
    IN_BRIEF,
    READING,
    Effects,
    Force,
    GameTables,
    Monitored,
    TimeControl,
    command,
    model_with_effects,
    options_of,
    word_option,
)
from halfpoint.apps.cli.output import end
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import put_table, say, table_of, timed_lines
from halfpoint.apps.cli.workers import Workers
from halfpoint.apps.workflows.options import Dates, Entrants, Run
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.errors import printable
from halfpoint.models.games.lists_in_text import words_in

_ENTRANTS = options_of(
    Entrants(odds="", forecasts=[]),
    FURTHER,
    systems=typer.Option(rich_help_panel=FIRST),
    models=Annotated[str | None, word_option(parser=words_in, panel=FIRST)],
    forecasts=Annotated[list[Path], typer.Option()],
)
_DATES = options_of(
    Dates(),
    READING,
    without=("reader",),
    begin=typer.Option("--from", rich_help_panel=FIRST),
    every=typer.Option(rich_help_panel=FIRST),
    monitor=Monitored,
    time_control=TimeControl,
)

_MARGINS = [
    ("log score", "log_score", ".4f"), ("difference", "difference", ".4f"), ("s.e.", "se_two_way", ".4f"),
    ("CRPS", "crps", ".4f"), ("difference", "difference_crps", ".4f"), ("s.e.", "se_crps", ".4f"),
    ("rmse", "rmse", ".4f"), ("in 50%", "inside_50", ".1%"), ("in 90%", "inside_90", ".1%"),
]  # fmt: skip
_BEST = 10  # systems that a terminal shows, and the reference


@command("Judge", 1)
def backtest(
    games: Annotated[list[str], typer.Argument(help="Files of games, or study, or replica (simulated).")],
    who: Entrants = _ENTRANTS,
    effects: Effects = None,
    dates: Dates = _DATES,
    tables: GameTables = GameTables(),
    method: Annotated[
        str, typer.Option(rich_help_panel=HOW, help="Method of fitting models: nuts | normal (fast, all players).")
    ] = "nuts",
    sampling: Effort = IN_BRIEF,
    machines: Workers = Workers(),
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for forecasts, tables and a page.")] = Path(
        "runs/backtest"
    ),
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Forecast each period from earlier periods only, and score all forecasters on the same games.

    Parameters of the systems are tuned on the periods before --from and then fixed. The same command resumes an
    interrupted backtest.
    """
    import numpy as np

    from halfpoint.apps.workflows.answer import records
    from halfpoint.apps.workflows.backtesting import run_backtest
    from halfpoint.evaluation.backtest_tables import SCORES
    from halfpoint.evaluation.margin_tables import REFERENCE as MARGIN_REFERENCE

    who = replace(who, models=[model_with_effects(name, effects) for name in who.models_by_name])
    heard = timed_lines(aside=True) if as_json else say
    with machines.executor(heard) as executor:
        run = Run(method, force, heard, executor=executor)
        result = run_backtest(games, out, who, replace(dates, reader=tables.reader), sampling, run)
    if as_json:
        put_json(result.record() | {"margins": records(result.margins), "folder": printable(str(out))})
        end(result.about["verdict"])
        return
    say(str(result.about["answer"]))
    for stretch in dict.fromkeys([*result.frame["set"], *(result.margins["set"] if len(result.margins) else ())]):
        ranking = result.stretch(stretch)  # best first
        rows = (
            ranking[(np.arange(len(ranking)) < _BEST) | (ranking["system"] == result.plan.reference)]
            if len(ranking)
            else ranking
        )
        simulated = " SIMULATED" if result.about["simulated"] else ""
        if len(rows):
            shown = "" if len(rows) == len(ranking) else f"; the best of {len(ranking)}"
            title = f"{stretch}: {int(rows['games'].iloc[0]):,} games{simulated}{shown}"
            score = {name: (rule.heading, name, ".5f") for name, rule in SCORES.items()}
            numbers = [score.pop("log_score")]
            numbers += [(f"less {result.plan.reference}", "difference", ".5f"), ("s.e.", "se_two_way", ".5f")]
            numbers += score.values()
            put_table(_numbers_table(title, {"system": "title"}, numbers, rows.to_dict("records")))
            if stretch in result.about["time_classes"]:
                say(f"{stretch} are {result.about['time_classes'][stretch]}")
        margins = result.margins[result.margins["set"] == stretch] if len(result.margins) else result.margins
        if len(margins):
            title = f"margins, {stretch}{simulated}; differences to {MARGIN_REFERENCE}"
            put_table(_numbers_table(title, {"system": "title"}, _MARGINS, margins.to_dict("records")))
    if len(result.frame) and result.frame["se_two_way"].isna().all():
        say("All games are of one event or of two players, so no standard error can be computed.")
    else:
        say("s.e. is two-way: it allows for games that share an event or a player.")
    say(f"Forecasts, tables, seconds (timing.json) and a page in {out}")
    end(result.about["verdict"])


def _numbers_table(
    title: str, left: Mapping[str, str], right: Sequence[tuple[str, str, str]], rows: Iterable[Mapping[Hashable, Any]]
) -> Table:
    """Rows as a table for the terminal: columns of texts by heading, and heading, key and format of numbers."""
    import numpy as np

    table = table_of(title, tuple(left), tuple(heading for heading, _, _ in right))
    for row in rows:
        values = [(row.get(key, float("nan")), how) for _, key, how in right]
        numbers = ["" if np.isnan(value) else format(value, how) for value, how in values]
        table.add_row(*(str(row[key]) for key in left.values()), *numbers)
    return table
