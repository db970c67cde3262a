"""`halfpoint simulate`: simulated games of players with known strengths, for trials."""

from collections.abc import Callable, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halfpoint.apps.cli.options import Force, command, options_of
from halfpoint.apps.cli.scripting import STANDARD, AsJson, put_json, written_to
from halfpoint.apps.cli.terminal import say
from halfpoint.apps.workflows.options import RANGES, World
from halfpoint.models.games.errors import PlacedError, printable

if TYPE_CHECKING:
    from halfpoint.apps.workflows.schemas.shared import SimulatedFiles

_WORLD = options_of(World(), None, (), **RANGES)


@command("Plan")
def simulate_command(
    out: Annotated[
        Path,
        typer.Argument(help="PGN or CSV file, or - (standard output); the true values are written to FILE.truth.csv."),
    ],
    world: World = _WORLD,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Simulate games from a Davidson model as PGN or CSV, with a second file of the true ratings.

    Elo points are odds: 400 are 10 to 1 in expected score between equals, for any draw parameter. With --margins games
    have margins in whole units, from strengths of the same Elo points. The tag Simulated of a PGN and the column
    simulated of a CSV mark the games, and all output from them.
    """
    from halfpoint.apps.workflows.simulation import run_simulation

    kind = ".csv" if world.people > 1 or world.margins is not None else ".pgn"
    title = f"{world.games} SIMULATED games of {world.players} players"
    simulate_and_write(out, lambda place: run_simulation(place, world, force), as_json, title, kind)


def simulate_and_write(
    out: Path, make: Callable[[Path], tuple[Sized, object]], as_json: bool, title: str, kind: str = ".csv"
) -> None:
    """Simulate, write, and print the names of the files; on standard output the results only, without the truth."""
    from halfpoint.models.games.simulate import truth_beside

    if as_json and out == STANDARD:
        raise PlacedError("OUT", "a file, together with --json", "- (standard output)", "Choose one of the two.")
    with written_to(out, kind) as place:
        table, _ = make(place)
    truth, title = truth_beside(out), title.format(count=len(table))
    if as_json:
        record: SimulatedFiles = {
            "title": title, "simulated": True, "count": len(table),
            "results": printable(str(out)), "truth": printable(str(truth)),
        }  # fmt: skip
        put_json(record)
    elif out != STANDARD:
        say(f"{title} in {out}, the truth in {truth}")
