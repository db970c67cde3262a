"""`halfpoint lineups`: players rated by their line-ups."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from halfpoint.apps.cli.options import command, options_of, range_option, word_option
from halfpoint.apps.cli.output import Answering
from halfpoint.apps.fields.lineups.options import NetworkWalk
from halfpoint.models.games.lists_in_text import columns_in
from halfpoint.models.games.ranges import SEED, Range

_MINIMUM = Range(0.0, 1_000_000.0)
_BOOTSTRAP = Range(0, 100_000)
_RIDGE = Range(1e-6, 1e12)


_WALK = options_of(
    NetworkWalk(),
    without=("going_on",),
    minimum=_MINIMUM,
    squared=typer.Option(" /--plain", help="Weights not squared.", show_default=False),
    bootstrap=_BOOTSTRAP,
    seed=SEED,
)


@command("Rate and list")
def lineups_command(
    stints: Annotated[Path, typer.Argument(help="CSV: off1, off2, ..., def1, def2, ..., points, possessions, game.")],
    walk: NetworkWalk = _WALK,
    ridge: Annotated[
        float | None, range_option(_RIDGE, help="Ridge of adjusted plus-minus; default: cross-validated.")
    ] = None,
    columns: Annotated[
        Any, word_option(help="Names of columns: points=, possessions=, game=, offence=.", parser=columns_in)
    ] = None,
    answer: Answering = Answering(),
) -> None:
    """Rate basketball players by their line-ups: network of units with bootstrap, and adjusted plus-minus."""
    from halfpoint.apps.fields.lineups.list import lineups

    answer.give(lambda _: lineups(stints, columns, ridge, **asdict(walk)), stints)
