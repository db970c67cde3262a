"""`halfpoint lineups`: basketball players rated by their line-ups."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.cli.options import columns_of, grouped, one_of, ranged, worded
from halfpoint.cli.output import Answering
from halfpoint.fields.lineups.list import in_short, rated_by
from halfpoint.fields.lineups.system import Walk
from halfpoint.games.ranges import SEED, Range

MINIMUM = Range(0.0, 1_000_000.0)
GOING_ON = Range(0.0, 0.9999)
BOOTSTRAP = Range(0, 100_000)
RIDGE = Range(1e-6, 1e12)


@dataclass(frozen=True)
class Options(Walk):
    """Options of the network."""

    minimum: Annotated[float, ranged(MINIMUM, help="Possessions below which a unit is left out.")] = 20.0
    weight: Annotated[
        Any,
        worded(
            help="Of a unit: chance (of being better than the mean) | raw (points).",
            parser=one_of("--weight", "chance", "raw"),
        ),
    ] = "chance"
    squared: Annotated[bool, typer.Option(" /--plain", help="Weights not squared.", show_default=False)] = True
    eigenvector: Annotated[bool, typer.Option("--eigenvector", help="Leading eigenvector instead of the walk.")] = False
    going_on: Annotated[float, ranged(GOING_ON, help="Chance that the walk goes on.")] = 0.85
    bootstrap: Annotated[int, ranged(BOOTSTRAP, help="Networks whose weights say nothing, for p.")] = 1000
    null: Annotated[
        Any,
        worded(
            help='Weights that say nothing: resampled | "no skill".', parser=one_of("--null", "resampled", "no skill")
        ),
    ] = "resampled"
    seed: Annotated[int, ranged(SEED, help="Seed; the same seed gives the same p.")] = 1


@grouped
def lineups_command(
    stints: Annotated[Path, typer.Argument(help="CSV: off1, off2, ..., def1, def2, ..., points, possessions, game.")],
    walk: Options = Options(),
    ridge: Annotated[
        float | None, ranged(RIDGE, help="Pull of adjusted plus-minus; by games left out if not given.")
    ] = None,
    columns: Annotated[
        Any, worded(help="Which column holds what: points=, possessions=, game=, offence=.", parser=columns_of)
    ] = None,
    answer: Answering = Answering(),
) -> None:
    """Rate basketball players by their line-ups: network of units with bootstrap, and adjusted plus-minus."""
    answer.give(
        lambda _: rated_by(stints, columns, ridge, walk), stints, brief=lambda one: in_short(one.frame), digits=2
    )
