"""The claim on independent games: FIDE's list on the day compared with the corrected list, 2016 and 2017.

    .venv/bin/python benchmarks/claim.py FILE.pgn [FROM [print]]

One command, `halfpoint backtest FILE --systems ... --models listed-draws,listed-full --from 2016-01`, on a PGN of rated
games of 2015 to 2017 (headers suffice); then, on games not known to be fast, its forecasts by the gap of the ratings,
and the gain of each ingredient of `listed-draws`. The systems are also run day by day. Writes benchmarks/claim.md,
which has totals and no single games; "print" prints the gains instead and writes nothing. The file is not part of
halfpoint: `halfpoint data archives` lists such collections.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import records
from listed_parts import judged_parts

from halfpoint.apps.workflows import backtest
from halfpoint.evaluation.backtest_tables import JudgedForecasts, overall

HERE = Path(__file__).resolve().parent
SYSTEMS = "fide-rating,glicko,kappa-elo,elo,base-rates"
MODELS = "listed-draws,listed-full"
GAPS = ((0, 50), (50, 100), (100, 150), (150, 4000))
SLOW = ("classical", "unknown")
COMMIT = ["git", "rev-parse", "--short", "HEAD"]
DAILY = """
Daily forecasts by the systems on games not known to be fast (each day from all earlier days; `periods` are days):
"""
HEAD = """# The claim on games of other years

`benchmarks/claim.py`, judged from {begin} on. Differences of log score in 0.0001 nats a game with two-way errors
by event and player, below 0 is better. One command at {commit}: {wall:.0f} s, {cpu:.0f} CPU s,
at most {memory:.0f} MB.
"""


def tens(value: float, error: float) -> str:
    """A difference with its error, 0.0001 nats a game."""
    return f"{1e4 * value:.0f} +- {1e4 * error:.0f}"


def tables(out: Path, title: str = "") -> str:
    """The tables of a finished backtest as text."""
    scores, months = pd.read_csv(out / "scores.csv"), pd.read_csv(out / "scores_by_period.csv")
    text, classes = title, json.loads((out / "backtest.json").read_text(encoding="utf-8"))["time_classes"]
    for name, rows in scores.groupby("set", sort=False):
        text += f"\n{name}, {int(rows['games'].iloc[0]):,} games: {classes[name]}\n\n"
        text += "| forecaster | log score | less fide-rating | draws | decisive | periods better |\n"
        text += "|---|--:|--:|--:|--:|--:|\n"
        for row in rows.to_dict("records"):
            cells = [f"`{row['system']}`", f"{row['log_score']:.5f}", tens(row["difference"], row["se_two_way"])]
            cells += [tens(row[f"difference_{part}"], row[f"se_{part}"]) for part in ("draw", "decisive")]
            text += "| " + " | ".join([*cells, f"{row['periods_better']} of {row['periods']}"]) + " |\n"
        here = months[(months["set"] == name) & (months["system"] == "listed-draws")]
        if len(here):
            lead = here["difference"] / here["se_two_way"]
            text += f"\n`listed-draws` by month: {(lead < -2).sum()} better by two errors, {(lead > 2).sum()} worse.\n"
    return text


def gains(parts: pd.DataFrame) -> str:
    """Gain of each ingredient as text."""
    text = (
        "\n| ingredient of listed-draws, games not known to be fast | left out loses | alone gains on the bare list |\n"
    )
    text += "|---|--:|--:|\n"
    for row in parts.to_dict("records"):
        cells = [row["part"], tens(row["left_out"], row["se_left_out"]), tens(row["alone"], row["se_alone"])]
        text += "| " + " | ".join(cells) + " |\n"
    return text


def by_gap(file: str, begin: str, parts: bool = True) -> str:
    """Gain on games not known to be fast, by the gap of the ratings and by ingredient, as text."""
    with tempfile.TemporaryDirectory() as out:
        found = backtest(file, "fide-rating", "listed-draws", out, begin=begin, time_control=SLOW)
        rows = pl.read_parquet(Path(out) / "forecasts.parquet")
    games, judged = found.plan.games, {}
    for name in ("fide-rating", "list-fitted", "listed-draws"):
        own, outcome = rows.filter(pl.col("system") == name), np.full((len(games), 3), np.nan)
        outcome[own["game"].to_numpy() - 1] = own.select("loss", "draw", "win").to_numpy()
        judged[name] = JudgedForecasts(name, name, outcome @ np.array([0.0, 0.5, 1.0]), outcome, "own", np.nan, 0.0)
    gap, late = np.abs(games.white_rating_elo - games.black_rating_elo), found.plan.stretches[found.plan.main]
    sets = {
        f"{low} to {high}" if high < 4000 else f"{low} and more": late & (gap >= low) & (gap < high)
        for low, high in GAPS
    }
    table = overall(games, judged, sets, "fide-rating").set_index(["set", "system"])
    text = "\n`listed-draws` on games not known to be fast, nats a game, better than"
    for name, mark in (("fide-rating", ","), ("list-fitted", ".\n")):
        one = overall(games, judged, {"all": late}, name).set_index("system").loc["listed-draws"]
        text += f" `{name}`: {-one['difference']:.4f} ({one['se_two_way']:.4f}){mark}"
    text += "\n| gap, Elo | games | listed-draws less fide-rating | list-fitted less fide-rating |\n|---|--:|--:|--:|\n"
    for name in sets:
        one, other = (table.loc[(name, system)] for system in ("listed-draws", "list-fitted"))
        cells = [name, f"{int(one['games']):,}", tens(one["difference"], one["se_two_way"])]
        text += "| " + " | ".join([*cells, tens(other["difference"], other["se_two_way"])]) + " |\n"
    return text + gains(judged_parts(found.plan, "listed-draws", print)) if parts else text


def main(file: str, begin: str = "2016-01", how: str = "write") -> None:
    """Run the command, time it, and write the page; or print what is gained alone."""
    if how == "print":
        print(by_gap(file, begin, parts=False))
        return
    with tempfile.TemporaryDirectory() as out:
        words = [str(Path(sys.executable).with_name("halfpoint")), "backtest", file, "--systems", SYSTEMS]
        words += ["--models", MODELS, "--from", begin, "--out", out]
        start = time.perf_counter()
        subprocess.run(words, check=True)
        wall, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        commit = subprocess.run(COMMIT, cwd=HERE, check=True, capture_output=True, text=True).stdout.strip()
        memory, cpu = used.ru_maxrss / 1024, used.ru_utime + used.ru_stime
        text = HEAD.format(begin=begin, commit=commit, wall=wall, cpu=cpu, memory=memory)
        text += tables(Path(out)) + by_gap(file, begin)
    with tempfile.TemporaryDirectory() as out:
        words = [*words[:3], "--systems", SYSTEMS, "--every", "day", "--from", begin, "--out", out]
        words += ["--time-control", ",".join(SLOW)]
        subprocess.run(words, check=True)
        text += tables(Path(out), DAILY)
    records.page(HERE / "claim.md", text, "python benchmarks/claim.py FILE")


if __name__ == "__main__":
    main(*sys.argv[1:])
