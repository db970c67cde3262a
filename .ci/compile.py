"""Compile the loops of the normal approximation once, after set-up: tests and commands take them from numba's cache."""

import sys

from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.examples import example_file
from halfpoint.readers.read import read

ROWS = ("davidson-population", "davidson-matched", "davidson-walk", "davidson-player")


def main() -> None:
    """Fit rows of unlike parts to an example."""
    games = read(example_file("football"))
    selection = select(games, games.players, "both")
    for name in ROWS:
        fit(declare(name, selection), "normal", draws=20, chains=2, seed=1)


if __name__ == "__main__":
    sys.exit(main())
