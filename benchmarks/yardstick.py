"""A model of the catalogue on a public comparison, fitted once before the season, with the scores of all forecasters.

    .venv/bin/python benchmarks/yardstick.py fit tennis|football SEASON MODEL OUT.csv [SINCE]
    .venv/bin/python benchmarks/yardstick.py apart tennis|football SEASON MODEL FOLDER
    .venv/bin/python benchmarks/yardstick.py compare OUT.csv OUT.csv ...

`fit` learns all seasons before SEASON (from SINCE on) at once, by the normal approximation, forecasts SEASON and writes
a line a game, never committed. All leagues are one model: groups that never meet share spreads, advantage and the level
of newcomers. Players with too few games enter as newcomers. `compare` prints mean log scores and paired differences
from the first file, with errors clustered by event and player. `apart` also fits each context, a league or a surface,
separately, and compares the common model with these.
"""

import csv
import json
import resource
import sys
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
from yardstick_games import Game, keep, log_score, split

FACTS = ("context", "best_of", "level", "stage")
OF_PLAYERS = tuple(f"{side}_{fact}" for fact in ("age", "place", "unplaced", "ranking") for side in ("white", "black"))


def table_of(sport, games):
    """Games as a table with all columns that models may read."""
    frame = pd.DataFrame([{one.name: getattr(game, one.name) for one in fields(Game)} for game in games])
    frame = frame.rename(columns={"first": "white", "second": "black"})
    frame["best_of"] = pd.to_numeric(frame["best_of"]).fillna(3.0)
    frame["score"], frame["neutral"] = frame["outcome"] / 2.0, float(sport == "tennis")
    goals = np.array(frame["goals"].tolist())
    lead = goals[:, 0] - goals[:, 1]
    frame["margin"], frame["lead_percent"] = lead, 100.0 * lead / np.maximum(goals.sum(axis=1), 12.0)
    columns = ["date", "white", "black", "score", "neutral", "event", *FACTS, *OF_PLAYERS, "margin", "lead_percent"]
    return frame[columns]


def one_space(name):
    """Name in the form of a table of games, with single spaces."""
    return " ".join(name.split())


def fit(sport, season, model, out, since="", context=""):
    """Fit, forecast, write and print; for a single context if named."""
    from halfpoint.inference import fit as fitted
    from halfpoint.inference import forecast
    from halfpoint.models import declare
    from halfpoint.models.declaration.newcomers import with_newcomers
    from halfpoint.models.games import select
    from halfpoint.readers import read

    before, games = split(sport, season)
    before = [game for game in before if game.season >= since and context in ("", game.context)]
    games = [game for game in games if context in ("", game.context)]
    about = {"covariates": (*FACTS, *OF_PLAYERS, "lead_percent")}
    learned, coming = (read(table_of(sport, some), **about) for some in (before, games))
    begun = time.process_time()
    tree = fitted(declare(model, select(learned, learned.players, "both")), "normal", draws=250, pointwise_draws=0)
    used = time.process_time() - begun
    order = {(str(a), str(b), str(d)[:10]): k for k, (a, b, d) in enumerate(zip(
        coming.white_names, coming.black_names, coming.date, strict=True))}  # fmt: skip
    rows = np.array([order[one_space(game.first), one_space(game.second), game.date] for game in games])
    new = np.setdiff1d(coming.people, tree["posterior"]["player"].to_numpy().astype(str)).tolist()
    found = forecast(with_newcomers(tree, new), coming)
    chances = found.probability.mean(axis=(1, 2)).T[rows]
    chances = chances / chances.sum(axis=1, keepdims=True)
    if sport == "tennis":  # margins near 0 are draws of a model of margins
        win = chances[:, 2] + chances[:, 1] / 2.0
        chances = np.stack([1.0 - win, np.zeros_like(win), win], axis=1)
    keep(out, games, chances.tolist())
    posterior = tree["posterior"].to_dataset()
    small = {
        str(name): np.round([value.mean(("chain", "draw")), value.std(("chain", "draw"))], 3).tolist()
        for name, value in posterior.data_vars.items()
        if value.isel(chain=0, draw=0).size <= 4
    }
    score = float(np.mean(log_score(chances.tolist(), games)))
    told = {"model": getattr(model, "__name__", model), "sport": sport, "season": season, "since": since}
    told |= {"before": len(before), "games": len(games), "log_score": round(score, 5), "fit_cpu_s": round(used)}
    told |= {"gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2)}
    told |= {"sampling": str(tree.attrs["sampling"])}
    print(json.dumps(told | {"numbers": small}), flush=True)


def compare(*paths):
    """Print scores, and paired differences from the first."""
    from halfpoint.evaluation.differences import paired_errors

    read = {path: list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines())) for path in paths}
    lost = {}
    for path, rows in read.items():
        rows.sort(key=lambda row: (row["date"], row["event"], row["first"], row["second"]))
        names = ("loss", "draw", "win")
        lost[path] = np.array([-np.log(max(float(row[names[int(row["outcome"])]]), 1e-15)) for row in rows])
    first = read[paths[0]]
    shared = [np.array([row[name] for row in first]) for name in ("event", "first", "second")]
    for path in paths:
        apart = paired_errors(lost[path] - lost[paths[0]], *shared)
        print(f"{path}: {lost[path].mean():.4f}, {apart.mean:+.4f} +- {apart.two_way:.4f}")


def apart(sport, season, model, folder):
    """Compare a model of all contexts with separate models."""
    one, each, lines = Path(folder) / "one.csv", Path(folder) / "each.csv", []
    one.parent.mkdir(parents=True, exist_ok=True)
    fit(sport, season, model, str(one))
    for context in sorted({game.context for game in split(sport, season)[1]}):
        fit(sport, season, model, str(each), context=context)
        lines += each.read_text(encoding="utf-8").splitlines()[bool(lines) :]
    each.write_text("\n".join(lines) + "\n", encoding="utf-8")
    compare(str(one), str(each))


if __name__ == "__main__":
    {"fit": fit, "apart": apart, "compare": compare}[sys.argv[1]](*sys.argv[2:])
