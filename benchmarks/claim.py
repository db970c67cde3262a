"""The claim on independent games: FIDE's list on the day compared with the corrected list, 2016 and 2017.

    .venv/bin/python benchmarks/claim.py claim FILE.pgn [FROM [print]]

One command, `halfpoint backtest FILE --systems ... --models listed-draws,listed-full --from 2016-01`, on a PGN of rated
games of 2015 to 2017 (headers suffice); then, on games not known to be fast, its forecasts by the gap of the ratings,
and the gain of each ingredient of `listed-draws`. The systems are also run day by day. Writes benchmarks/office.md,
which has totals and no single games; "print" prints the gains instead and writes nothing. The file is not part of
halfpoint: `halfpoint data archives` lists such collections.

The corrected list: seconds of backtest and NUTS fit, the normal approximation compared with NUTS; writes office.md.

The backtest uses the normal approximation, whose distance from NUTS is measured on the same games.

Run: HALFPOINT_DATA_DIR=... python benchmarks/claim.py speed, on two processors.

Claims of the texts on public games, `python benchmarks/claim.py texts [PGN ...] [--football CSV ...]`: prints the table
of tables/study.md on the study's games, further files of rated games, football with goals, and a simulated
bridge club of 82 days. Histories of two players are those of `davidson-entering-walk` on the study's training games, by
quarters, less the mean printed ratings of their games in the quarter.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import polars as pl
import records
from beat_the_list import judged_parts, select_models

from halfpoint.apps.fields.bridge.rules import BridgeRules
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.apps.fields.bridge.system import rate
from halfpoint.apps.study.text_claims import Finding, half_point_loss, mean_error, text_claims
from halfpoint.apps.workflows import backtest
from halfpoint.evaluation.backtest_tables import JudgedForecasts, overall
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import Floats
from halfpoint.readers.datasets.study import games_2013, monitored_names, training, training_file

HERE = Path(__file__).resolve().parent
SYSTEMS = "fide-rating,glicko,kappa-elo,elo,base-rates"
MODELS = "listed-draws,listed-full"
GAPS = ((0, 50), (50, 100), (100, 150), (150, 4000))
SLOW = ("classical", "unknown")
PAIRS = (("CarlsenMagnus", "AronianLevon"), ("CarlsenMagnus", "AnandViswanathan"))
NEAR_ELO = 20.0
TEXT_ROW = "| {claim} | {quantity} | {estimate:.3g} | {low:.3g} to {high:.3g} | {games:,} | {data} | {verdict} |"
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


def main_of_claim(file: str, begin: str = "2016-01", how: str = "write") -> None:
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
    records.section(HERE / "office.md", text, "python benchmarks/claim.py claim FILE")


def run_claim():
    """Run the command `claim`."""
    main_of_claim(*sys.argv[1:])


REPORT = Path(__file__).with_name("office.md")
SHOWN = {  # numbers of the model that the page names
    "anchor_scale": "scale of the list",
    "shrink": "shrinking to the mean so far",
    "strength_spread": "spread of what the list misses",
    "advantage": "White's advantage",
    "log_draw": "draws between equals rated 2600",
    "draw_tendency_spread": "spread of inclinations to draw",
    "log_draw_event_spread": "spread of places",
    "log_draw_effect": "faster than classical chess",
}


def beside(declared, trace) -> list[str]:
    """Table of the parameters on the page, by NUTS and by the normal approximation, and the largest difference."""
    refits = ReweightedFits(declared)
    found, posterior = refits.values(refits.fit()), trace["posterior"].to_dataset()
    rows, gaps = [], []
    for name, value in found.items():
        if name not in posterior:
            continue
        drawn = posterior[name]
        mean, sd = (np.ravel(getattr(drawn, what)(("chain", "draw"))) for what in ("mean", "std"))
        away = np.abs(mean - np.ravel(value))[sd > 0] / sd[sd > 0]
        gaps += away.tolist()
        if name in SHOWN:
            rows.append(f"| {SHOWN[name]} | {mean[0]:.4f} ({sd[0]:.4f}) | {np.ravel(value)[0]:.4f} | {away[0]:.2f} |")
    far = f"Of all {len(gaps):,} parameters the largest difference is {max(gaps):.2f} standard deviations."
    return ["", "| number | NUTS | closest normal | gap in sd |", "|---|--:|--:|--:|", *rows, "", far]


def main_of_speed() -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    start, cpu = time.perf_counter(), time.process_time()
    with TemporaryDirectory() as folder:
        select_models(None, Path(folder), parts=False, say=print)
    wall, used = time.perf_counter() - start, time.process_time() - cpu
    print(f"backtest {wall:.0f} s, {used:.0f} CPU s", flush=True)
    games = training_file()
    start, cpu = time.perf_counter(), time.process_time()
    declared = declare("listed-full", select(games, games.players, "both"))
    trace = sample(declared, Effort(1000, 500, cores=2))
    fit_wall, fit_cpu = time.perf_counter() - start, time.process_time() - cpu
    found = trace.attrs
    size = sum(int(value[0, 0].size) for value in trace["posterior"].data_vars.values())
    lines = [
        "# The printed list corrected",
        "",
        f"`HALFPOINT_DATA_DIR=... python benchmarks/claim.py speed` wrote this file at commit {commit}, on",
        f"{os.cpu_count()} processors.",
        "",
        "- Backtest of `listed`, `listed-draws` and `listed-full`, each month of 2011 and 2012, all games:",
        f"  {wall:.0f} s, {used:.0f} CPU seconds.",
        f"- NUTS fit of `listed-full` to the {len(games)} games of 2010 to 2012, 4 x (500 + 1000):",
        f"  {size} parameters, {fit_wall:.0f} s, {fit_cpu:.0f} CPU seconds; {found['verdict']};",
        f"  R-hat {found['max_rhat']:.4f}, smallest bulk ESS {found['min_ess_bulk']:.0f},",
        f"  {found['min_ess_bulk'] / fit_cpu:.1f} effective draws a CPU second,",
        f"  {found['divergences']} divergences.",
        *beside(declared, trace),
    ]
    records.section(REPORT, "\n".join(lines) + "\n", "python benchmarks/claim.py speed")


def bridge_rivals(seed: int = 1) -> Iterator[Finding]:
    """Gamma compared with artificial matches on a simulated club of 82 days."""
    table, _ = simulate_club(players=64, sessions=82, boards=24, seed=seed)
    loss = {}
    for method in ("gamma", "matches"):
        rated = rate(table, BridgeRules(method=method, every="event"))
        x = rated.measured
        outcome = np.where(x > 1.0, 1.0, np.where(x < -1.0, 0.0, 0.5))
        late = rated.period > 20
        loss[method] = half_point_loss(rated.expected[late], outcome[late]), rated.period[late]
    gap = mean_error(loss["matches"][0], loss["gamma"][0], loss["gamma"][1].astype(np.float64))
    quantity = "artificial matches less gamma, nats per 1000 results"
    yield Finding(
        "gamma is better than artificial matches", quantity, *gap, 0.0, loss["gamma"][0].size, "SIMULATED club"
    )


def histories(seed: int = 1) -> Iterator[Finding]:
    """Lead of one player over another by printed ratings and by a random walk, averaged over quarters."""
    games = training()
    selection = select(games, monitored_names())
    tree = fit(declare("davidson-entering-walk", selection), "normal", Effort(draws=1000, chains=4, seed=seed), 0)
    rating = tree["posterior"]["rating_elo_by_month"]
    start = rating["month"].to_numpy()
    assert games.period is not None
    quarter = np.searchsorted(start, games.period, side="right") - 1

    def printed(name: str) -> tuple[Floats, int]:
        """Mean printed rating of a player in each quarter, NaN without games, and number of games."""
        sums, counts = np.zeros(start.size), np.zeros(start.size)
        for names, elo in ((games.white_names, games.white_rating_elo), (games.black_names, games.black_rating_elo)):
            here = (names == name) & ~np.isnan(elo)
            np.add.at(sums, quarter[here], elo[here])
            np.add.at(counts, quarter[here], 1.0)
        return np.divide(sums, counts, out=np.full(start.size, np.nan), where=counts > 0.0), int(counts.sum())

    for first, second in PAIRS:
        (one, played), (two, faced) = printed(first), printed(second)
        lead = (rating.sel(player=first) - rating.sel(player=second)).to_numpy().reshape(-1, start.size)
        known = ~np.isnan(one - two)
        gap = (lead - (one - two))[:, known].mean(axis=1)
        words = (
            f"lead of {first} over {second}, by strength less by printed ratings, mean of {known.sum()} quarters, Elo"
        )
        yield Finding(
            "printed histories compare two players", words, float(gap.mean()), float(gap.std()), 0.0, played + faced,
            "study-training", None, NEAR_ELO,
        )  # fmt: skip


def print_texts() -> None:
    """Print the table of claims of the texts."""
    words = sys.argv[1:]
    at = words.index("--football") if "--football" in words else len(words)
    football = words[at + 1 :] or None
    games = [training_file(), games_2013(), *words[:at]]
    found = text_claims(games, football, further=[*bridge_rivals(), *histories()])
    print("| claim | quantity | estimate | 95% | games | data | verdict |")
    print("| --- | --- | --: | --: | --: | --- | --- |")
    for row in found.frame.to_dict("records"):
        print(TEXT_ROW.format(**row))
    print(f"\n{found.about['answer']} {found.note}")


if __name__ == "__main__":
    records.run(claim=run_claim, speed=main_of_speed, texts=print_texts)
