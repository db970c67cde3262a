"""`halfpoint lineups`: basketball players rated by their line-ups."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import Force, one_of, ranged, reader_options
from halfpoint.cli.output import AsJson, Out, put, show
from halfpoint.fields.lineups.list import in_short
from halfpoint.fields.lineups.list import lineups as rate_lineups
from halfpoint.games.ranges import SEED, Range
from halfpoint.games.results import files

MINIMUM = Range(0.0, 1_000_000.0)
GOING_ON = Range(0.0, 0.9999)
BOOTSTRAP = Range(0, 100_000)
RIDGE = Range(1e-6, 1e12)


def lineups_command(
    stints: Annotated[Path, typer.Argument(help="CSV: off1, off2, ..., def1, def2, ..., points, possessions, game.")],
    minimum: Annotated[float, ranged(MINIMUM, help="Possessions below which a unit is left out.")] = 20.0,
    weight: Annotated[str, typer.Option(help="Of a unit: chance (of being better than the mean) | raw (points).")] = (
        "chance"
    ),
    plain: Annotated[bool, typer.Option("--plain", help="Weights not squared.")] = False,
    eigenvector: Annotated[
        bool, typer.Option("--eigenvector", help="Leading eigenvector instead of the walk.")
    ] = False,
    going_on: Annotated[float, ranged(GOING_ON, "--going-on", help="Chance that the walk goes on.")] = 0.85,
    bootstrap: Annotated[int, ranged(BOOTSTRAP, help="Networks whose weights say nothing, for p.")] = 1000,
    null: Annotated[str, typer.Option(help='Weights that say nothing: resampled | "no skill".')] = "resampled",
    ridge: Annotated[
        float | None, ranged(RIDGE, help="Pull of adjusted plus-minus; by games left out if not given.")
    ] = None,
    seed: Annotated[int, ranged(SEED, help="Seed; the same seed gives the same p.")] = 1,
    columns: Annotated[
        str | None, typer.Option("--columns", help="Which column holds what: points=, possessions=, game=, offence=.")
    ] = None,
    as_json: AsJson = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Rate basketball players by their line-ups: network of units with bootstrap, and adjusted plus-minus."""
    with files({"--out": out}, reads=(stints,), force=force) as places:
        found = rate_lineups(
            stints, reader_options(columns, None, None).get("columns"), minimum,
            one_of("--weight", weight, ("chance", "raw")), not plain, eigenvector, going_on, bootstrap,
            one_of("--null", null, ("resampled", "no skill")), ridge, seed,
        )  # fmt: skip
        put(places, "--out", found)
    show(found.frame if as_json else in_short(found.frame), found.about, as_json, out, digits=2)
