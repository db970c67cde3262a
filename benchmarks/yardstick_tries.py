"""Tries at the tennis row, judged on a season: log score, slope of results on forecasts, difference from the row.

    .venv/bin/python benchmarks/yardstick_tries.py SEASON FOLDER [TRY ...]

Each try is a model and the first season that it learns. The slope is that of a logistic regression of the results on
the log odds of the forecasts without intercept: 1 is right, below 1 forecasts are too bold. Differences are in pairs,
with errors clustered by event and player. Prints a row of a table for each try; forecasts go to FOLDER and are reused.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from yardstick import fit
from yardstick_elo import fitted

AGE, SURFACE, SETS = "age + I(age**2)", "(1 | player:context)", "sharpness ~ 1 | best_of"
PLACE = "place + unplaced"


def walk(strength=(AGE, SURFACE), sharpness=SETS, row="bt-entering-walk"):
    """A row with effects on strength and sharpness."""
    return f"{row} with strength ~ 0 + {' + '.join(strength)}" + (f"; {sharpness}" if sharpness else "")


RANKED = (AGE, PLACE, SURFACE)
TRIES = {
    "the row": (walk(), 5),
    "last ranking before the season": (walk(RANKED), 5),
    "the same, its square": (walk((AGE, PLACE, "I(place**2)", SURFACE)), 5),
    "ranking, without age": (walk((PLACE, SURFACE)), 5),
    "ranking, sharpness by level too": (walk(RANKED, f"{SETS}) + (1 | level)".replace("~ 1", "~ (1")), 5),
    "ranking, sharpness by stage too": (walk(RANKED, f"{SETS}) + (1 | stage)".replace("~ 1", "~ (1")), 5),
    "sharpness by level too": (walk(sharpness=f"{SETS}) + (1 | level)".replace("~ 1", "~ (1")), 5),
    "ranking, no sharpness": (walk(RANKED, ""), 5),
    "ranking, three seasons": (walk(RANKED), 3),
    "ranking, two seasons": (walk(RANKED), 2),
    "ranking, eight seasons": (walk(RANKED), 8),
    "ranking, years": (walk(RANKED, row="bt-yearly-walk"), 5),
    "ranking, years, eight seasons": (walk(RANKED, row="bt-yearly-walk"), 8),
    "ranking, days, rough": (walk(RANKED, row="bt-ou"), 3),
    "ranking, days, smooth": (walk(RANKED, row="bt-matern"), 3),
    "ranking, form of the event": (walk((*RANKED, "(1 | player:event)")), 3),
    "ranking, level of the event": (walk((*RANKED, "(1 | player:level)")), 5),
}


def judged(path):
    """Log scores (match,), their slope and its standard error, and event and players of each match."""
    rows = list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines()))
    rows.sort(key=lambda row: (row["date"], row["event"], row["first"], row["second"]))
    win, won = np.array([float(row["win"]) for row in rows]), np.array([row["outcome"] == "2" for row in rows])
    odds = np.log(win) - np.log1p(-win)
    [slope] = fitted(odds[:, None], won)
    chance = 1.0 / (1.0 + np.exp(-slope * odds))
    error = (chance * (1.0 - chance) * odds**2).sum() ** -0.5
    shared = [np.array([row[name] for row in rows]) for name in ("event", "first", "second")]
    return -np.log(np.where(won, win, 1.0 - win)), slope, error, shared


def main(season, folder, *names):
    """Fit, judge and print."""
    from halfpoint.evaluation.differences import paired_errors

    base = None
    for name in names or TRIES:
        model, seasons = TRIES[name]
        path = Path(folder) / f"{season}-{name.replace(' ', '_').replace(',', '')}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            try:
                fit("tennis", season, model, str(path), str(int(season) - seasons))
            except Exception as error:  # a try that fails is a row of the table
                print(f"| {name} | failed: {str(error)[:200]} |", flush=True)
                continue
        lost, slope, error, shared = judged(path)
        base = lost if base is None else base
        apart = paired_errors(lost - base, *shared)
        told = f"{apart.mean:+.4f} ± {apart.two_way:.4f}" if apart.mean else "0"
        print(f"| {name} | `{model}` | {lost.mean():.4f} | {told} | {slope:.2f} ± {error:.2f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
