"""Football compared with the bookmaker: blocks of seasons, each forecast by systems tuned on all earlier seasons.

    .venv/bin/python benchmarks/football.py blocks FOLDER [EVERY] [SYSTEMS] [ROW] [WINDOW] [FIRST] [anew]

FOLDER contains football-data's files of one league, E0_0001.csv to E0_2122.csv; EVERY is day or month. Prints the
results of `halfpoint backtest`, pooled over blocks of seasons. With a ROW of the catalogue a block is a season, from
FIRST (2012) on; the model (by its normal approximation) and the systems learn the WINDOW (4) seasons before it. "anew"
renames returning clubs, so that they enter as newcomers. The model is then also compared with the last system on the
games of returning clubs, of new clubs, and of the others.

Football seasons simulated in August and in January, compared with the results.

    .venv/bin/python benchmarks/football.py seasons FOLDER [MODEL] [FIRST] [LAST]

FOLDER contains football-data's files of one league, E0_0001.csv to E0_2122.csv. Each season from FIRST to before LAST
is forecast by MODEL (index-walk) fitted to the four seasons before it, and in January to its first half too. Prints the
number of point totals inside their 95% intervals, the error of the points, and scores of the probabilities of the
title, of the first four and of the last three places, compared with equal probabilities.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import polars as pl
import records

from halfpoint.apps.workflows import backtest
from halfpoint.evaluation.backtest_tables import JudgedForecasts, overall
from halfpoint.evaluation.seasons import season as season_of_trace
from halfpoint.evaluation.tournament_options import SCORINGS, Calendar
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.games.periods import concatenate_tables, with_periods
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read

YEARS = (2012, 2022)
BLOCKS = ((2012, 2016), (2016, 2020), (2020, 2022))  # judged: seasons from the first to before the last
SYSTEMS = "index,index-two-speeds,index-margin,glicko,glicko-margin,elo,elo-margin,kappa-elo,world-football,base-rates"
WINDOW = "4"  # seasons that a row knows before the one it forecasts, by default


def season(path: Path) -> int:
    """Year in which a file's season begins."""
    return 2000 + int(path.stem[-4:-2])


def spells(files: list[Path]) -> dict[int, dict[str, int]]:
    """Season of each club's last promotion by season; 0 for clubs present from the start."""
    found: dict[int, dict[str, int]] = {}
    for path in files:
        year, before = season(path), found.get(season(path) - 1)
        clubs = set(read(path).players.tolist())
        found[year] = {club: 0 if before is None else before.get(club, year) for club in clubs}
    return found


def anew(path: Path, folder: Path, since: dict[str, int]) -> Path:
    """File of a season with another name for each promoted club, by its season of promotion."""
    table = pd.read_csv(path, encoding="latin-1").dropna(subset=["HomeTeam", "AwayTeam"])
    called = {club: f"{club} {year}" if year else club for club, year in since.items()}
    (folder / "seasons").mkdir(exist_ok=True)
    table.replace({"HomeTeam": called, "AwayTeam": called}).to_csv(folder / "seasons" / path.name, index=False)
    return folder / "seasons" / path.name


def main_of_blocks(
    folder: str, every: str = "day", systems: str = SYSTEMS, row: str = "", window: str = WINDOW,
    begin_with: str = "2012", returning: str = "",
) -> None:  # fmt: skip
    """Run the blocks and print the pooled table."""
    files = sorted(Path(folder).glob("E0_*.csv"), key=season)
    kept, since_when = [], spells(files)
    for first, last in [(year, year + 1) for year in range(int(begin_with), YEARS[1])] if row else BLOCKS:
        with TemporaryDirectory() as out:
            since = first - int(window) if row else season(files[0])
            known = [path for path in files if since <= season(path) < last]
            if returning:
                known = [anew(path, Path(out), since_when[season(path)]) for path in known]
            asked = {"models": row, "method": "normal"} if row else {}
            begin = f"{first}-08"
            where = str(Path(out) / "run")
            backtest([str(one) for one in known], systems, out=where, odds="B365", every=every, begin=begin, **asked)
            judged_from = sum(len(read(path)) for path in known if season(path) < first)
            before = sum(len(read(path)) for path in files if season(path) < since)
            rows = pl.read_parquet(Path(where) / "forecasts.parquet").filter(pl.col("game") > judged_from)
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
    shown = ["set", "system", "games", "log_score", "difference", "se_two_way", "definetti", "rps", "accuracy"]
    print(overall(games, judged, parts, "B365")[shown].to_string(index=False, float_format="%.5f"))
    if row:
        year = [int(day[:4]) - (int(day[5:7]) < 8) for day in games.date.astype(str).tolist()]
        there: set[str] = set()
        new = dict[int, set[str]]()
        for one, clubs in since_when.items():
            new[one], there = clubs.keys() - there, there | clubs.keys()
        kinds = []
        for one, *pair in zip(year, games.white_names.tolist(), games.black_names.tolist(), strict=True):
            up = [club for club in pair if since_when[one][club] == one]
            kinds.append("others" if not up else "new" if all(club in new[one] for club in up) else "back")
        judged_games = parts["all"]
        parts = {kind: judged_games & (np.array(kinds) == kind) for kind in ("back", "new", "others")}
        table = overall(games, judged, {"all": judged_games} | parts, systems.split(",")[-1])
        print(table[table["system"] == row][shown].to_string(index=False, float_format="%.5f"))


def run_blocks():
    """Run the command `blocks`."""
    main_of_blocks(*sys.argv[1:])


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
    found = season_of_trace(tree, whole.players.tolist(), CALENDAR, whole, over, seed, 4000)
    return found.table.join(final(whole)).assign(verdict=tree.attrs["verdict"])


def main_of_seasons(folder: str, model: str = "index-walk", first: str = "2012", last: str = "2022") -> None:
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


def run_seasons():
    """Run the command `seasons`."""
    main_of_seasons(*sys.argv[1:])


if __name__ == "__main__":
    records.run(blocks=run_blocks, seasons=run_seasons)
