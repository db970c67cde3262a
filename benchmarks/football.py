"""Football beside the bookmaker: blocks of seasons, each forecast by systems tuned on all seasons before it.

    .venv/bin/python benchmarks/football.py FOLDER [EVERY] [SYSTEMS] [ROW] [WINDOW]

FOLDER holds football-data's files of one league, E0_0001.csv to E0_2122.csv; EVERY is day or month. Prints, pooled over
the blocks, what `halfpoint backtest` prints of each. With a ROW of the catalogue a block is a season, and what it is
forecast by, the row by its normal approximation and the systems too, knows the WINDOW (4) seasons before it.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from halfpoint.evaluation.backtest_tables import JudgedForecasts, overall
from halfpoint.games.periods import concatenate_tables, with_periods
from halfpoint.games.readers.read import read
from halfpoint.workflows import backtest

YEARS = (2012, 2022)
BLOCKS = ((2012, 2016), (2016, 2020), (2020, 2022))  # judged: seasons from the first to before the last
SYSTEMS = "index,index-two-speeds,index-margin,glicko,glicko-margin,elo,elo-margin,kappa-elo,world-football,base-rates"
WINDOW = "4"  # seasons that a row knows before the one it forecasts, by default


def season(path: Path) -> int:
    """The year in which a file's season begins."""
    return 2000 + int(path.stem[-4:-2])


def main(folder: str, every: str = "day", systems: str = SYSTEMS, row: str = "", window: str = WINDOW) -> None:
    """Run the blocks and print the pooled table."""
    files = sorted(Path(folder).glob("E0_*.csv"), key=season)
    kept = []
    for first, last in [(year, year + 1) for year in range(*YEARS)] if row else BLOCKS:
        with TemporaryDirectory() as out:
            since = first - int(window) if row else season(files[0])
            known = [path for path in files if since <= season(path) < last]
            asked = {"models": row, "method": "normal"} if row else {}
            begin = f"{first}-08"
            backtest([str(one) for one in known], systems, out=out, odds="B365", every=every, begin=begin, **asked)
            judged_from = sum(len(read(path)) for path in known if season(path) < first)
            before = sum(len(read(path)) for path in files if season(path) < since)
            rows = pl.read_parquet(Path(out) / "forecasts.parquet").filter(pl.col("game") > judged_from)
            kept.append(rows.with_columns(pl.col("game") + before))
            print(f"{first}: forecast", flush=True)
    rows = pl.concat(kept)
    games = with_periods(concatenate_tables([read(path) for path in files if season(path) < BLOCKS[-1][1]]), every)
    judged = {}
    for name in rows["system"].unique(maintain_order=True).to_list():
        own = rows.filter(pl.col("system") == name)
        outcome = np.full((len(games), 3), np.nan)
        outcome[own["game"].to_numpy() - 1] = own.select("loss", "draw", "win").to_numpy()
        judged[name] = JudgedForecasts(name, name, outcome @ np.array([0.0, 0.5, 1.0]), outcome, "own", np.nan, 0.0)
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
