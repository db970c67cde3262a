"""`halfpoint forecast`: forecasts of a file of games or of a single one, from a trace."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.answers import TraceFile
from halfpoint.apps.cli.options import GameTables, Newcomers, command, options_of
from halfpoint.apps.cli.output import Traced
from halfpoint.apps.cli.terminal import timed_lines
from halfpoint.apps.workflows.options import OneGame
from halfpoint.models.games.ranges import RATING_ELO

_ONE = options_of(OneGame(), white_rating=RATING_ELO, black_rating=RATING_ELO)


@command("Ask", 3)
def forecast_command(
    trace: TraceFile,
    games: Annotated[
        Path | None,
        typer.Argument(help="Games to forecast: PGN, CSV or Parquet; scores are ignored."),
    ] = None,
    single_game: OneGame = _ONE,
    imputation: Annotated[
        str | None,
        typer.Option(
            help="Advantage of players missing from the trace: zero | mean | mirror; default: the model's rule."
        ),
    ] = None,
    new: Newcomers = None,
    tables: GameTables = GameTables(),
    answer: Traced = Traced(),
) -> None:
    """Forecast games: probabilities of loss, draw and win for White with 95% intervals, and the expected score.

    Players missing from the trace have their rating (WhiteElo, BlackElo) if the model has anchors; otherwise they are
    refused unless --new names them.
    """
    from halfpoint.apps.workflows.forecasts import forecast

    report = timed_lines(aside=True)
    answer.give(
        lambda _: forecast(
            trace, games, imputation=imputation, reader=tables.reader, new=new or (), say=report, **vars(single_game)
        ),
        trace, games,
    )  # fmt: skip
