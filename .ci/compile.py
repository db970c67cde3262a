"""Compile the loops that most commands use once, after set-up: tests and commands take them from numba's cache."""

import sys

from halfpoint.apps.workflows import backtest, tournament
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.examples import example_file
from halfpoint.readers.read import read

ROWS = ("davidson-population", "davidson-matched", "davidson-walk", "davidson-player")
SYSTEMS = ("elo", "elo-fide", "glicko", "glicko-2", "trueskill", "weng-lin-full", "icc", "index")


def main() -> None:
    """Fit rows of unlike parts to an example, by both methods; play a tournament; run rating systems."""
    games = read(example_file("football"))
    selection = select(games, games.players, "both")
    for name in ROWS:
        fit(declare(name, selection), "normal", draws=20, chains=2, seed=1)
    trace = fit(declare("davidson-common", selection), "nuts", draws=20, tune=60, chains=2, seed=1, adapt=False)
    tournament(trace, list(games.players[:4]), simulations=20, format="swiss", rounds=2)
    backtest(games, list(SYSTEMS))


if __name__ == "__main__":
    sys.exit(main())
