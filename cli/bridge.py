"""`halfpoint bridge`: scores of duplicate bridge, ratings of its players, and forecasts."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import ranged, reader_options
from halfpoint.cli.output import AsJson, show
from halfpoint.cli.terminal import say
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import Range
from halfpoint.workflows.bridge_scores import bridge_score

bridge_app = typer.Typer(help="Duplicate bridge: scores, ratings, forecasts.", no_args_is_help=True)

TRIM = Range(0, 1000)
ResultsFile = Annotated[Path, typer.Argument(help="A file of results: CSV, LIN (vugraph), PBN.")]
BridgeColumns = Annotated[
    str | None, typer.Option("--columns", help="CSV: which column holds what, such as score=points,event=session.")
]
Folder = Annotated[Path | None, typer.Option("--out", help="Folder for the tables as CSV.")]


@bridge_app.command("score")
def score_command(
    results: ResultsFile,
    datum: Annotated[str, typer.Option(help="Datum of Butler scoring: mean | median | trimmed.")] = "mean",
    rounding: Annotated[
        str, typer.Option(help='Rounding of the datum to tens: none | "half up" | "toward zero".')
    ] = "none",
    trim: Annotated[int, ranged(TRIM, help="Results that a trimmed mean leaves off each end.")] = 1,
    divide: Annotated[
        str, typer.Option(help="Cross-IMPs over the other results or over all: others | all.")
    ] = "others",
    official: Annotated[
        str, typer.Option(help="Printed scores that no reckoning gives are refused: check | ignore.")
    ] = "check",
    columns: BridgeColumns = None,
    as_json: AsJson = False,
    out: Folder = None,
) -> None:
    """Score results: IMPs, matchpoints and Butler a result, totals of pairs, matches of teams with victory points."""
    chosen = reader_options(columns, None, None).get("columns")
    found = bridge_score(
        results, chosen, one_of("--datum", datum, ("mean", "median", "trimmed")),
        one_of("--rounding", rounding, ("none", "half up", "toward zero")), trim,
        one_of("--divide", divide, ("others", "all")), official, out,
    )  # fmt: skip
    if len(found.matches) and not as_json:
        show(found.matches, {"title": "Matches"}, False, None, digits=2)
    show(found.frame, found.about, as_json, None, digits=2)
    if out is not None and not as_json:
        say(f"Written to {out}")


def one_of[W: str](option: str, text: str, words: tuple[W, ...]) -> W:
    """Return the word that an option says.

    Raises
    ------
    GameTableError
        If it is none of them.
    """
    for word in words:
        if text == word:
            return word
    raise GameTableError(option, " | ".join(words), repr(text))
