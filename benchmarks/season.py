"""Football seasons simulated in August and in January, compared with the results.

    .venv/bin/python benchmarks/season.py FOLDER [MODEL] [FIRST] [LAST]

FOLDER contains football-data's files of one league, E0_0001.csv to E0_2122.csv. Each season from FIRST to before LAST
is forecast by MODEL (index-walk) fitted to the four seasons before it, and in January to its first half too. Prints the
number of point totals inside their 95% intervals, the error of the points, and scores of the probabilities of the
title, of the first four and of the last three places, compared with equal probabilities.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.evaluation.seasons import SCORINGS, Calendar, season
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.games.periods import concatenate_tables
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read

BEFORE, DRAWS, CHAINS = 4, 500, 2
CALENDAR = Calendar("3-1-0", 4, 3)


def began(path: Path) -> int:
    """Year in which a file's season begins."""
    return 2000 + int(path.stem[-4:-2])


def final(games: GameTable) -> pd.DataFrame:
    """Points, places and whether each club was first, in the first four and in the last three."""
    worth = np.array(SCORINGS["3-1-0"])
    names = games.players
    points = np.bincount(games.white, worth[games.outcome], names.size)
    points += np.bincount(games.black, worth[2 - games.outcome], names.size)
    ahead = np.bincount(games.white, games.margin, names.size) - np.bincount(games.black, games.margin, names.size)
    place = pd.Series(points + ahead / 1e4, index=names).rank(ascending=False, method="first")
    return pd.DataFrame(
        {
            "true": points,
            "title_true": place == 1,
            "first_4_true": place <= 4,
            "last_3_true": place > names.size - 3,
        },
        index=names,
    )


def forecast(past: GameTable, over: GameTable | None, whole: GameTable, model: str, seed: int) -> pd.DataFrame:
    """Forecast table compared with the final table."""
    known = past if over is None else concatenate_tables([past, over])
    tree = fit(declare(model, select(known, known.people, "both")), "normal", Effort(DRAWS, 0, CHAINS, seed), 0)
    new = np.setdiff1d(whole.people, tree["posterior"]["player"].to_numpy().astype(str)).tolist()
    tree = with_newcomers(tree, new)
    found = season(tree, whole.players.tolist(), CALENDAR, whole, over, seed, 4000)
    return found.table.join(final(whole)).assign(verdict=tree.attrs["verdict"])


def main(folder: str, model: str = "index-walk", first: str = "2012", last: str = "2022") -> None:
    """Forecast the seasons and print the accuracy."""
    games = {began(path): read(path) for path in sorted(Path(folder).glob("E0_*.csv"))}
    kept = []
    for year in range(int(first), int(last)):
        past = concatenate_tables([games[one] for one in range(year - BEFORE, year)])
        before = games[year].date < np.datetime64(f"{year + 1}-01-01")
        for when, over in (("August", None), ("January", games[year].take(before))):
            begun = time.perf_counter()
            table = forecast(past, over, games[year], model, year)
            kept.append(table.assign(year=year, when=when))
            inside = table["true"].between(table["points_low"], table["points_high"])
            said = f"{year} {when}: {int(inside.sum())} of {len(table)} in 95%, {time.perf_counter() - begun:.0f} s"
            print(said, table["verdict"].iloc[0][:60], flush=True)
    told = pd.concat(kept)
    for when, part in told.groupby("when"):
        inside = part["true"].between(part["points_low"], part["points_high"])
        by_year = inside.groupby(part["year"]).mean()
        error = by_year.std(ddof=1) / np.sqrt(by_year.size)
        rmse = np.sqrt(np.mean((part["points"] - part["true"]) ** 2))
        print(
            f"{when}: {int(inside.sum())} of {inside.size} in 95% ({inside.mean():.3f} ± {error:.3f}), RMSE {rmse:.2f}"
        )
        for name, share in (("title", 1 / 20), ("first_4", 4 / 20), ("last_3", 3 / 20)):
            p, true = part[name].to_numpy(), part[f"{name}_true"].to_numpy(dtype=float)
            print(f"  {name}: Brier {np.mean((p - true) ** 2):.4f}, of chance {share * (1 - share):.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
