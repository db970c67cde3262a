"""`halfpoint simulate`: games of players whose strengths are known, to try everything on."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.options import Force, command, options_of
from halfpoint.cli.terminal import say
from halfpoint.games.simulate import truth_beside
from halfpoint.workflows.simulation import RANGES, World, run_simulation

_WORLD = options_of(World(), None, (), **RANGES)


@command("Plan")
def simulate_command(
    out: Annotated[
        Path, typer.Argument(help="PGN or CSV file for the games; the true values are written to FILE.truth.csv.")
    ],
    world: World = _WORLD,
    force: Force = False,
) -> None:
    """Simulate games from a Davidson model as PGN or CSV, with a second file of the true ratings.

    Elo points are odds: 400 are 10 to 1 in expected score between equals, for any draw parameter. With --margins games
    have margins in whole units, from strengths of the same Elo points. The tag Simulated of a PGN and the column
    simulated of a CSV mark the games, and all output from them.
    """
    run_simulation(out, world, force)
    say(f"{world.games} SIMULATED games of {world.players} players in {out}, the truth in {truth_beside(out)}")
