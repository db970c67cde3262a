"""Compile the loops of most commands once, after set-up: tests and commands read them from numba's cache."""

import sys

import numpy as np
import pandas as pd

from halfpoint.apps.workflows import backtest, tournament
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.examples import example_file
from halfpoint.readers.read import read

ROWS = ("davidson-population", "davidson-matched", "davidson-player")
SYSTEMS = ("elo", "elo-fide", "glicko", "glicko-2", "trueskill", "weng-lin-full", "icc", "index")


def many_months() -> pd.DataFrame:
    """Random games of 8 players over 60 months, whose walks have a sparse factor."""
    rng = np.random.default_rng(1)
    white = rng.integers(0, 8, 400)
    black = (white + rng.integers(1, 8, 400)) % 8
    names = np.array([f"player {number}" for number in range(8)])
    columns = {"white": names[white], "black": names[black], "score": rng.integers(0, 2, 400) / 1.0}
    return pd.DataFrame(columns).assign(period=np.sort(rng.integers(1, 61, 400)))


def main() -> None:
    """Fit models with different parts by both methods; simulate a tournament; run rating systems."""
    games, months = read(example_file("football")), read(many_months())
    selection = select(games, games.players, "both")
    fit(declare("bt-walk", select(months, months.players, "both")), "normal", draws=20, chains=2, seed=1)
    for name in ROWS:
        fit(declare(name, selection), "normal", draws=20, chains=2, seed=1)
    trace = fit(declare("davidson-common", selection), "nuts", draws=20, tune=60, chains=2, seed=1, adapt=False)
    tournament(trace, list(games.players[:4]), simulations=20, format="swiss", rounds=2)
    backtest(games, list(SYSTEMS))


if __name__ == "__main__":
    sys.exit(main())
