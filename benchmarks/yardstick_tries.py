"""Tries at the tennis row, judged on a season: log score, slope of results on forecasts, difference from the row.

    .venv/bin/python benchmarks/yardstick_tries.py SEASON FOLDER [TRY ...]
    .venv/bin/python benchmarks/yardstick_tries.py correct SEASON FOLDER EARLIER,... [CORRECTION ...]

A try is a model and the number of seasons that it learns. The slope is that of a logistic regression of the results on
the log odds of the forecasts without intercept: 1 is right, below 1 forecasts are too bold. Differences are in pairs,
with errors clustered by event and player. Prints a row of a table for each try; forecasts go to FOLDER and are reused.

`correct` multiplies the log odds of the row, frozen before SEASON, by factors that depend on facts of a match, and adds
differences of facts. Coefficients are those of a logistic regression without intercept of the results of earlier
seasons on the row's log odds, each frozen before its season: no game of SEASON is learned from.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from yardstick import fit
from yardstick_elo import fitted
from yardstick_games import tennis

AGE, SURFACE, SETS = "age + I(age**2)", "(1 | player:context)", "1 | best_of"
PLACE = "place + unplaced"


def walk(strength=(AGE, SURFACE), sharpness=SETS, row="bt-entering-walk"):
    """A row with effects on strength and sharpness."""
    return f"{row} with strength ~ 0 + {' + '.join(strength)}" + (f"; sharpness ~ {sharpness}" if sharpness else "")


ROW = "the row"
TRIES = {
    ROW: (walk(), 5),
    "last ranking before the season": (walk((AGE, PLACE, SURFACE)), 5),
    "ranking, three seasons": (walk((AGE, PLACE, SURFACE)), 3),
}
FACTS = {
    "": lambda row, facts: row,
    "Davis Cup": lambda row, facts: row * facts["cup"],
    "best of five": lambda row, facts: row * facts["five"],
    "month": lambda row, facts: row * facts["month"],
    "few matches": lambda row, facts: row / np.sqrt(1.0 + facts["matches"]),
    "large odds": lambda row, facts: np.tanh(row / 2.0),
    "ranking": lambda row, facts: np.stack([facts["place"], facts["unplaced"]], axis=1),
    "ranking, best of five": lambda row, facts: facts["place"] * facts["five"],
    "age": lambda row, facts: np.stack([facts["age"], facts["square"]], axis=1),
}
CORRECTIONS = {
    "slope": ("",),
    "slope, Davis Cup": ("", "Davis Cup"),
    "slope, best of five": ("", "best of five"),
    "slope, Davis Cup, best of five": ("", "Davis Cup", "best of five"),
    "slope, month": ("", "month"),
    "slope, few matches": ("", "few matches"),
    "slope, Davis Cup, few matches": ("", "Davis Cup", "few matches"),
    "slope, large odds": ("", "large odds"),
    "slope, Davis Cup, large odds": ("", "Davis Cup", "large odds"),
    "slope, age": ("", "age"),
    "slope, ranking": ("", "ranking"),
    "slope, Davis Cup, ranking": ("", "Davis Cup", "ranking"),
    "slope, Davis Cup, ranking, best of five": ("", "Davis Cup", "ranking", "ranking, best of five"),
    "slope, Davis Cup, ranking, age": ("", "Davis Cup", "ranking", "age"),
}


def path_of(season, folder, name):
    """File of the forecasts of a try."""
    return Path(folder) / f"{season}-{name.replace(' ', '_').replace(',', '')}.csv"


def frozen(path):
    """Log odds (match,), results (match,), and event and players of each match, in the order of days."""
    rows = list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines()))
    rows.sort(key=lambda row: tuple(row[name] for name in ("date", "event", "first", "second")))
    win, won = np.array([float(row["win"]) for row in rows]), np.array([row["outcome"] == "2" for row in rows])
    return np.log(win) - np.log1p(-win), won, [np.array([row[k] for row in rows]) for k in ("event", "first", "second")]


def facts_of(season, games):
    """Facts of each match of a season before it is played, in the order of days, by name, (match,)."""
    now = sorted((one for one in games if one.season == season), key=lambda g: (g.date, g.event, g.first, g.second))
    played = {}
    for one in games:
        if int(season) - 5 <= int(one.season) < int(season):
            for player in (one.first, one.second):
                played[player] = played.get(player, 0) + 1
    found = {
        "cup": [one.level == "D" for one in now],
        "five": [one.best_of == "5" for one in now],
        "month": [int(one.date[5:7]) / 12.0 for one in now],
        "matches": [min(played.get(one.first, 0), played.get(one.second, 0)) for one in now],
        "place": [one.white_place - one.black_place for one in now],
        "unplaced": [one.white_unplaced - one.black_unplaced for one in now],
        "age": [one.white_age - one.black_age for one in now],
        "square": [one.white_age**2 - one.black_age**2 for one in now],
    }
    return {name: np.array(values, dtype=float) for name, values in found.items()}


def columns(terms, odds, facts):
    """Columns of a correction, (match, column)."""
    return np.column_stack([FACTS[one](odds, facts) for one in terms])


def cells_of(odds, won, shared, base):
    """Cells of a table and the log scores (match,): log score, difference from a base, slope."""
    from halfpoint.evaluation.differences import paired_errors

    lost = np.logaddexp(0.0, np.where(won, -odds, odds))
    [slope] = fitted(odds[:, None], won)
    chance = 1.0 / (1.0 + np.exp(-slope * odds))
    error = (chance * (1.0 - chance) * odds**2).sum() ** -0.5
    apart = paired_errors(lost - (lost if base is None else base), *shared)
    less = f"{apart.mean:+.4f} ± {apart.two_way:.4f}" if apart.mean else "0"
    return f"{lost.mean():.4f} | {less} | {slope:.2f} ± {error:.2f}", lost


def correct(season, folder, earlier, *names):
    """Learn corrections on earlier seasons and judge them on a season."""
    games = tennis()
    parts = {one: (*frozen(path_of(one, folder, ROW)), facts_of(one, games)) for one in (*earlier.split(","), season)}
    odds, won, shared, facts = parts.pop(season)
    cells, base = cells_of(odds, won, shared, None)
    print(f"| {ROW} | {cells} | |")
    for name in names or CORRECTIONS:
        terms = CORRECTIONS[name]
        known = np.concatenate([columns(terms, one, about) for one, _, _, about in parts.values()])
        found = fitted(known, np.concatenate([result for _, result, _, _ in parts.values()]))
        cells, _ = cells_of(columns(terms, odds, facts) @ found, won, shared, base)
        print(f"| {name} | {cells} | {', '.join(f'{one:.2f}' for one in found)} |")


def main(season, folder, *names):
    """Fit, judge and print."""
    base = None
    for name in names or TRIES:
        model, seasons = TRIES[name]
        path = path_of(season, folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            fit("tennis", season, model, str(path), str(int(season) - seasons))
        cells, lost = cells_of(*frozen(path), base)
        base = lost if base is None else base
        print(f"| {name} | `{model}` | {seasons} | {cells} |".replace("1 |", "1 \\|"), flush=True)


if __name__ == "__main__":
    correct(*sys.argv[2:]) if sys.argv[1] == "correct" else main(*sys.argv[1:])
