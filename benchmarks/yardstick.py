"""A model of the catalogue on a public comparison, fitted once before the season, with the scores of all forecasters.

    .venv/bin/python benchmarks/yardstick.py models fit tennis|football SEASON MODEL OUT.csv [SINCE]
    .venv/bin/python benchmarks/yardstick.py models apart tennis|football SEASON MODEL FOLDER
    .venv/bin/python benchmarks/yardstick.py models compare OUT.csv OUT.csv ...

`fit` learns all seasons before SEASON (from SINCE on) at once, by the normal approximation, forecasts SEASON and writes
a line a game, never committed. All leagues are one model: groups that never meet share spreads, advantage and the level
of newcomers. Players with too few games enter as newcomers. `compare` prints mean log scores and paired differences
from the first file, with errors clustered by event and player. `apart` also fits each context, a league or a surface,
separately, and compares the common model with these.

An Elo told every fact that the row of sets knows, frozen before each season: names, surfaces, games won, rankings.

    .venv/bin/python benchmarks/yardstick.py elo SEASON[,SEASON ...] FOLDER

Three ratings move match by match over nine seasons: of all matches and of each surface, by results, with steps 250 /
(n + 5)^0.4 Elo after n matches as FiveThirtyEight's, and of games won, by the logarithm of their ratio. A logistic
regression on their differences, on ages and their squares, on numbers of matches, and on rankings before the season,
whose log odds are multiplied in best of five and in the Davis Cup, has its coefficients from the three seasons before.
Prints the mean log score, the slope of results on forecasts and the coefficients; writes a line a match to
FOLDER/elo-SEASON.csv.
"""

import csv
import json
import math
import resource
import sys
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import records
from scipy.optimize import minimize
from yardstick_games import Game, keep, log_score, split, tennis

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


def run_models():
    """Run the command `models`."""
    {"fit": fit, "apart": apart, "compare": compare}[sys.argv[1]](*sys.argv[2:])


BACK, FROM = 9, 3  # seasons of ratings, and of coefficients
UNSEEN = {"names": -0.9, "surfaces": -0.6, "games": -0.15}  # ratings of players without a match, natural units
STEP, SHIFT, POWER = 250.0 / 173.7, 5.0, 0.4
STEP_OF_GAMES, POWER_OF_GAMES, MORE = 1.1, 0.6, 3.0
SHRINK = 0.05


def rated(games, season):
    """Ratings by results, of names and of surfaces, and by games won, before a season; numbers of matches."""
    book, count = {name: {} for name in UNSEEN}, {"names": {}, "surfaces": {}}
    for game in games:
        if not int(season) - BACK <= int(game.season) < int(season):
            continue
        pairs = {"names": (game.first, game.second)}
        pairs["surfaces"] = tuple((player, game.context) for player in pairs["names"])
        for kind, (one, other) in pairs.items():
            rating, played = book[kind], count[kind]
            surprise = game.outcome / 2.0 - 1.0 / (1.0 + math.exp(rating.get(other, 0.0) - rating.get(one, 0.0)))
            for player, sign in ((one, 1.0), (other, -1.0)):
                step = STEP / (played.get(player, 0) + SHIFT) ** POWER
                rating[player] = rating.get(player, 0.0) + sign * step * surprise
                played[player] = played.get(player, 0) + 1
        if game.goals is not None and sum(game.goals):
            one, other = pairs["names"]
            won = book["games"]
            apart = math.log((game.goals[0] + MORE) / (game.goals[1] + MORE)) - won.get(one, 0.0) + won.get(other, 0.0)
            for player, sign in ((one, 1.0), (other, -1.0)):
                step = STEP_OF_GAMES / (count["names"][player] + SHIFT) ** POWER_OF_GAMES
                won[player] = won.get(player, 0.0) + sign * step * apart
    return book, count["names"]


def columns(games, season):
    """Columns of the matches of a season, (match, column), results (match,), and the matches by day."""
    book, played = rated(games, season)
    now = sorted((g for g in games if g.season == season), key=lambda g: (g.date, g.event, g.first, g.second))
    rows = []
    for game in now:
        one, other = game.first, game.second
        keys = {"names": (one, other), "surfaces": ((one, game.context), (other, game.context)), "games": (one, other)}
        apart = {
            kind: book[kind].get(first, UNSEEN[kind]) - book[kind].get(second, UNSEEN[kind])
            for kind, (first, second) in keys.items()
        }
        few, many = (played.get(one, 0), played.get(other, 0)), np.log1p([played.get(one, 0), played.get(other, 0)])
        rows.append([
            apart["names"], apart["surfaces"], 3.0 * apart["games"], float(few[0] < 10) - float(few[1] < 10),
            game.white_age - game.black_age, game.white_age**2 - game.black_age**2, many[0] - many[1],
            game.white_place - game.black_place, game.white_unplaced - game.black_unplaced,
            float(game.best_of == "5"), float(game.level == "D"),
        ])  # fmt: skip
    return np.array(rows), np.array([game.outcome / 2.0 for game in now]), now


def log_odds(coefficients, rows):
    """Log odds of White: nine differences, times e to the power of best of five and Davis Cup."""
    return (rows[:, :9] @ coefficients[:9]) * np.exp(rows[:, 9:] @ coefficients[9:])


def slope_of(odds, won):
    """Slope of results on log odds, by logistic regression without intercept, and its standard error."""
    [slope] = minimize(lambda s: np.logaddexp(0.0, -(2.0 * won - 1.0) * odds * s[0]).sum(), [1.0]).x
    chance = 1.0 / (1.0 + np.exp(-slope * odds))
    return slope, (chance * (1.0 - chance) * odds**2).sum() ** -0.5


def main_of_elo(seasons, folder):
    """Learn, forecast, write and print."""
    games, made = tennis(), {}
    Path(folder).mkdir(parents=True, exist_ok=True)
    for season in seasons.split(","):
        for year in range(int(season) - FROM, int(season) + 1):
            made.setdefault(str(year), None)
            made[str(year)] = made[str(year)] or columns(games, str(year))
        earlier = [made[str(int(season) - back)] for back in range(1, FROM + 1)]
        known, won = np.concatenate([rows for rows, _, _ in earlier]), np.concatenate([y for _, y, _ in earlier])

        def loss(c, known=known, won=won):
            return np.logaddexp(0.0, -(2.0 * won - 1.0) * log_odds(c, known)).sum() + SHRINK * (c @ c)

        found = minimize(loss, np.r_[0.5, 0.3, 0.2, np.zeros(8)]).x
        rows, won, now = made[season]
        odds = log_odds(found, rows)
        score, (slope, error) = np.logaddexp(0.0, -(2.0 * won - 1.0) * odds).mean(), slope_of(odds, won)
        chances = [(1.0 - p, 0.0, p) for p in (1.0 / (1.0 + np.exp(-odds))).tolist()]
        keep(Path(folder) / f"elo-{season}.csv", now, chances)
        print(f"{season}: {len(won)} matches, {score:.4f}, slope {slope:.2f} ± {error:.2f}, {np.round(found, 2)}")


def run_elo():
    """Run the command `elo`."""
    main_of_elo(*sys.argv[1:])


if __name__ == "__main__":
    records.run(models=run_models, elo=run_elo)
