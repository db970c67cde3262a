"""`halfpoint mle`: maximum likelihood with standard and quasi standard errors."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import Columns, DateFormat, Effects, Force, Ignored, Outcomes, Sides, named, reader_options
from halfpoint.cli.output import AsJson, Out, put, show
from halfpoint.games.results import files
from halfpoint.workflows.estimates import maximum_likelihood


def mle(
    games: Annotated[Path, typer.Argument(help="Games: CSV, PGN, Parquet or the study's text format.")],
    model: Annotated[
        str, typer.Option(help="A name of `halfpoint models`, without its priors: bt, bt-common, davidson, ...")
    ] = "bt",
    reference: Annotated[
        str | None, typer.Option(help="Player whose strength is 0; the first by name if not given.")
    ] = None,
    effects: Effects = None,
    columns: Columns = None,
    ignore: Ignored = None,
    date_format: DateFormat = None,
    sides: Sides = None,
    outcomes: Outcomes = None,
    force: Force = False,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Estimate strengths by maximum likelihood: standard errors, quasi standard errors, AIC and BIC."""
    with files({"--out": out}, reads=(games, model.partition(".py:")[0] + ".py"), force=force) as places:
        reader = reader_options(columns, ignore, date_format, sides, outcomes)
        found = maximum_likelihood(games, named(model, effects), reference, reader)
        put(places, "--out", found)
    show(found.frame, found.about, as_json, out, digits=4)
