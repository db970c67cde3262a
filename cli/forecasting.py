"""`halfpoint forecast`: games to come from a trace, a file of them or one by name."""

from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import typer
import xarray as xr

from halfpoint.cli.answers import TraceFile, about
from halfpoint.cli.options import Columns, DateFormat, Ignored, ranged, reader_options
from halfpoint.cli.output import AsJson, Out, show
from halfpoint.cli.terminal import say, say_lines
from halfpoint.games.errors import HalfpointError
from halfpoint.games.find_player import Players
from halfpoint.games.ranges import Range
from halfpoint.games.readers.frames import read_frame
from halfpoint.games.readers.read import detect
from halfpoint.games.readers.read import read as read_games
from halfpoint.games.table import RATING_RANGE_ELO, GameTable
from halfpoint.inference.forecast import forecast
from halfpoint.inference.imputation import IMPUTATIONS, Rule
from halfpoint.inference.traces import read
from halfpoint.workflows.answer_text import write_answer
from halfpoint.workflows.level import anchored

RATING = Range(*RATING_RANGE_ELO)
CHUNK_VALUES = 4_000_000  # (draw, game) pairs at a time, some 100 MB


def forecast_command(
    trace: TraceFile,
    games: Annotated[
        Path | None,
        typer.Argument(help="Games to forecast: PGN, CSV or Parquet; scores are not needed and not looked at."),
    ] = None,
    white: Annotated[str | None, typer.Option(help="One game: White.")] = None,
    black: Annotated[str | None, typer.Option(help="One game: Black.")] = None,
    white_rating: Annotated[float | None, ranged(RATING, help="Elo of a White whom the trace lacks.")] = None,
    black_rating: Annotated[float | None, ranged(RATING, help="Elo of a Black whom the trace lacks.")] = None,
    imputation: Annotated[
        str | None,
        typer.Option(help="Advantage of unknown players: zero | mean | mirror; the model's own if not given."),
    ] = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Forecast games: probabilities of loss, draw and win for White with 95% intervals, and the expected score.

    Players whom the trace does not know need a rating: the columns white_rating_elo and black_rating_elo, or the
    headers WhiteElo and BlackElo.
    """
    tree = read(trace)
    if (games is None) == (white is None or black is None):
        raise HalfpointError("forecast: expected a file of games, or --white and --black, found both or neither")
    chosen = [one for one in IMPUTATIONS if one == imputation]
    if imputation is not None and not chosen:
        raise HalfpointError(f"--imputation: expected {' | '.join(IMPUTATIONS)}, found {imputation!r}")
    if games is None:
        row = {"white": white, "black": black, "score": 0.5}
        ratings = {"white_rating_elo": white_rating, "black_rating_elo": black_rating}
        row |= {name: value for name, value in ratings.items() if value is not None}
        table = read_frame(pd.DataFrame([row]), source="--white and --black")
    else:
        table = games_to_come(games, columns, ignore, date_format)
        for note in table.notes:
            say_lines(note, aside=True)
    check_level(tree, table)
    step = max(1, CHUNK_VALUES // (tree["posterior"].sizes["chain"] * tree["posterior"].sizes["draw"]))
    rule = Rule(chosen[0] if chosen else None)
    rows = np.arange(len(table))
    parts = [forecast(tree, table.take(rows[start : start + step]), rule).table() for start in rows[::step].tolist()]
    found = pd.concat(parts, ignore_index=True)
    numeric = found.select_dtypes("number").columns
    found[numeric] = 100 * found[numeric]
    found = found.rename(columns={name: f"{name}_percent" for name in numeric})
    heading = about(tree, f"Forecast by {tree.attrs['model']}")
    if as_json:
        show(found, heading, True, out)
        return
    if out is not None:
        write_answer(found, heading, out)
    note = "Percent, with 95% intervals (equal tails) of what is known about the strengths."
    show(for_terminal(found), heading | {"note": note}, False, None)
    if out is not None:
        say(f"Written to {out}")


def for_terminal(found: pd.DataFrame) -> pd.DataFrame:
    """Return a forecast with each chance and its interval in one cell, and unknown players marked."""
    columns = {
        side: [
            name if known else f"{name} (by rating)"
            for name, known in zip(found[side], found[f"{side}_known"], strict=True)
        ]
        for side in ("white", "black")
    }
    for name in ("loss", "draw", "win", "expected"):
        if f"{name}_percent" in found:
            values = zip(*(found[f"{name}{end}_percent"] for end in ("", "_low", "_high")), strict=True)
            title = "expected score" if name == "expected" else f"White's {name}"
            columns[title] = [f"{mean:.1f} ({low:.1f} to {high:.1f})" for mean, low, high in values]
    return pd.DataFrame(columns)


def games_to_come(path: Path, columns: str | None, ignore: str | None, date_format: str | None) -> GameTable:
    """Return the games of a file whose scores need not be known; PGN results `*` are welcome."""
    kind = detect(path)
    options = reader_options(columns, ignore, date_format)
    if kind == "study":
        return read_games(path, kind, **options)
    return read_games(path, kind, scored=False, **options)


def check_level(tree: xr.DataTree, games: GameTable) -> None:
    """Refuse players known by a rating alone where the trace has no anchors: their scales cannot be compared.

    Raises
    ------
    HalfpointError
        Naming the first such player.
    """
    if anchored(tree):
        return
    known = Players(tree["posterior"]["player"].to_numpy().tolist())
    strange = next((name for name in games.players.tolist() if known.place(name) is None), None)
    if strange is not None:
        raise HalfpointError(
            f"forecast: expected players of the trace, found {strange!r}. {known.hint(strange)} The trace has no "
            "anchored opponents, so a rating says nothing about others. Rate with --monitor or --rare anchor."
        )
