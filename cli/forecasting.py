"""`halfpoint forecast`: forecasts of a file of games or of a single one, from a trace."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from halfpoint.cli.answers import RATING, TraceFile
from halfpoint.cli.options import GameTables, command, options_of
from halfpoint.cli.output import Traced
from halfpoint.cli.terminal import timed_lines
from halfpoint.evaluation.digits import interval
from halfpoint.games.sides import seats_named
from halfpoint.workflows.forecasts import OneGame, forecast, of_newcomers

_ONE = options_of(OneGame(), white_rating=RATING, black_rating=RATING)


@command("Ask", 3)
def forecast_command(
    trace: TraceFile,
    games: Annotated[
        Path | None,
        typer.Argument(help="Games to forecast: PGN, CSV or Parquet; scores are ignored."),
    ] = None,
    one: OneGame = _ONE,
    imputation: Annotated[
        str | None,
        typer.Option(
            help="Advantage of players missing from the trace: zero | mean | mirror; default: the model's rule."
        ),
    ] = None,
    tables: GameTables = GameTables(),
    answer: Traced = Traced(),
) -> None:
    """Forecast games: probabilities of loss, draw and win for White with 95% intervals, and the expected score.

    Players missing from the trace have their rating (WhiteElo, BlackElo) if the model has anchors; otherwise they are
    drawn from the population.
    """
    said = timed_lines(aside=True)
    answer.give(
        lambda _: forecast(trace, games, imputation=imputation, reader=tables.reader, say=said, **vars(one)),
        trace, games, brief=lambda found: for_terminal(found.frame, str(found.about["seats"]), found.about["new"]),
    )  # fmt: skip


def for_terminal(found: pd.DataFrame, seats: str, new: Sequence[str] = ()) -> pd.DataFrame:
    """A forecast for the terminal: each probability with its interval in one cell, newcomers marked."""
    words = seats_named(seats)
    columns = {}
    for side, heading in (("white", words.first), ("black", words.second)):
        seated = zip(found[side], found[f"{side}_known"], strict=True)
        marks = (" (new)" if of_newcomers(name, new) else "" if known else " (by rating)" for name, known in seated)
        columns[heading] = [f"{name}{mark}" for name, mark in zip(found[side], marks, strict=True)]
    titles = {"loss": f"{words.first} loses", "draw": "draw", "win": f"{words.first} wins"}
    if words.first == "Home":  # in the order in which these are read
        titles = {"win": "home", "draw": "draw", "loss": "away"}
    for name, title in (titles | {"expected": "expected score"}).items():
        if f"{name}_percent" in found:
            values = zip(*(found[f"{name}{end}_percent"] for end in ("", "_low", "_high")), strict=True)
            told = [interval(dict(zip(("mean", "low", "high"), one, strict=True))) for one in values]
            columns[title] = told if name == "expected" else [one.partition(" ")[0] for one in told]  # room for names
    if "margin" in found:
        values = zip(found["margin"], found["margin_low"], found["margin_high"], strict=True)
        columns["margin (of the game)"] = [f"{mean:.2f} ({low:.1f} to {high:.1f})" for mean, low, high in values]
    return pd.DataFrame(columns)
