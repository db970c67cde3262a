"""Football beside the bookmaker: blocks of seasons, each forecast by systems tuned on all seasons before it.

    .venv/bin/python benchmarks/football.py FOLDER [EVERY] [SYSTEMS]

FOLDER holds football-data's files of one league, E0_0001.csv to E0_2122.csv; EVERY is day or month. Prints, pooled over
the blocks, what `halfpoint backtest` prints of each.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from halfpoint.evaluation.backtest_tables import Judged, overall
from halfpoint.games.periods import united, with_periods
from halfpoint.games.readers.read import read
from halfpoint.workflows import backtest

BLOCKS = ((2012, 2016), (2016, 2020), (2020, 2022))  # judged: seasons from the first to before the last
SYSTEMS = "index,index-two-speeds,index-margin,glicko,glicko-margin,elo,elo-margin,kappa-elo,world-football,base-rates"
DATES = {2016: "2016-08", 2012: "2012-08", 2020: "2020-08"}


def season(path: Path) -> int:
    """Return the year in which a file's season begins."""
    return 2000 + int(path.stem[-4:-2])


def main(folder: str, every: str = "day", systems: str = SYSTEMS) -> None:
    """Run the blocks and print the pooled table."""
    files = sorted(Path(folder).glob("E0_*.csv"), key=season)
    kept = []
    for first, last in BLOCKS:
        with TemporaryDirectory() as out:
            known = [str(path) for path in files if season(path) < last]
            found = backtest(known, systems, out=out, odds="B365", every=every, begin=DATES[first], say=print)
            rows = pl.read_parquet(Path(out) / "forecasts.parquet")
            kept.append(rows.filter(pl.col("period") >= found.plan.first))
    rows = pl.concat(kept)
    games = with_periods(united([read(path) for path in files if season(path) < BLOCKS[-1][1]]), every)
    judged = {}
    for name in rows["system"].unique(maintain_order=True).to_list():
        own = rows.filter(pl.col("system") == name)
        outcome = np.full((len(games), 3), np.nan)
        outcome[own["game"].to_numpy() - 1] = own.select("loss", "draw", "win").to_numpy()
        judged[name] = Judged(name, name, outcome @ np.array([0.0, 0.5, 1.0]), outcome, "own", np.nan, 0.0)
    parts = {"all": ~np.isnan(judged["B365"].expected_score)}
    parts["2012-20"], parts["2020-22"] = (
        parts["all"] & (before == (games.date < np.datetime64("2020-08-01"))) for before in (True, False)
    )
    table = overall(games, judged, parts, "B365")
    print(
        table[
            ["set", "system", "games", "log_score", "difference", "se_two_way", "definetti", "rps", "accuracy"]
        ].to_string(index=False, float_format="%.5f")
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
