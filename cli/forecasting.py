"""`halfpoint forecast`: games to come from a trace, a file of them or one by name."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.answers import RATING, TraceFile
from halfpoint.cli.options import GameTables, Newcomers, command, options_of
from halfpoint.cli.output import Traced
from halfpoint.cli.terminal import timed_lines
from halfpoint.workflows.forecasts import OneGame, forecast

_ONE = options_of(OneGame(), white_rating=RATING, black_rating=RATING)


@command("Ask", 3)
def forecast_command(
    trace: TraceFile,
    games: Annotated[
        Path | None,
        typer.Argument(help="Games to forecast: PGN, CSV or Parquet; scores are not needed and not looked at."),
    ] = None,
    one: OneGame = _ONE,
    imputation: Annotated[
        str | None,
        typer.Option(help="Advantage of unknown players: zero | mean | mirror; the model's own if not given."),
    ] = None,
    new: Newcomers = None,
    tables: GameTables = GameTables(),
    answer: Traced = Traced(),
) -> None:
    """Forecast games: probabilities of loss, draw and win for White with 95% intervals, and the expected score.

    Players whom the trace does not know are at their rating (WhiteElo, BlackElo) where it has anchors, else refused
    unless --new names them.
    """
    said = timed_lines(aside=True)
    answer.give(
        lambda _: forecast(
            trace, games, imputation=imputation, reader=tables.reader, new=new or (), say=said, **vars(one)
        ),
        trace, games,
    )  # fmt: skip
