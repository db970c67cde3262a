"""Variants of the tennis model, scored on a season: log score, slope, difference from the model.

    .venv/bin/python benchmarks/yardstick_tries.py SEASON FOLDER [TRY ...]
    .venv/bin/python benchmarks/yardstick_tries.py correct|stack SEASON FOLDER EARLIER,... [CORRECTION ...]

A try is a model and the number of seasons that it learns. The slope is that of a logistic regression of the results on
the log odds of the forecasts without intercept: 1 is right, below 1 forecasts are too bold. Differences are paired,
with errors clustered by event and player. Prints a row of a table for each try; forecasts go to FOLDER and are reused.

`correct` multiplies the log odds of the model, fixed before SEASON, by factors that depend on facts of a match, and
adds differences of facts. `stack` adds the log odds of further fixed forecasts, such as those of the Elo of
`yardstick_rivals.py`. Coefficients are those of a logistic regression without intercept of the results of earlier
seasons, each forecast before its season; games of SEASON are not used.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from yardstick import fit
from yardstick_games import tennis
from yardstick_rivals import elo, fitted

AGE, SURFACE, SETS = "age + I(age**2)", "(1 | player:context)", "1 | best_of"
PLACE, FORM = "place + unplaced", "(1 | player:event)"


def walk(strength=(AGE, SURFACE), sharpness=SETS, row="bt-entering-walk"):
    """Model with effects on strength and sharpness."""
    return f"{row} with strength ~ 0 + {' + '.join(strength)}" + (f"; sharpness ~ {sharpness}" if sharpness else "")


def margins(games, effects=f"0 + {AGE} + {SURFACE}", width=""):
    """Margins of games won, random-walk strengths by quarters with entry levels, in units of the margin."""
    import pymc as pm

    from halfpoint.models import margin
    from halfpoint.models.language.walks import entering_walk

    games = games.by(3)
    with pm.Model(coords=games.coords) as model:
        g = entering_walk(games, level=(0.0, 1.0), level_spread=30.0, newcomer=(0.0, 30.0), step=5.0)
        first, second = games.effects("strength", effects, sd=30.0, spread=10.0)
        lam = pm.Normal("log_width", 4.0, 1.0) + games.effects("log_width", width)
        margin(games, games.white(g) + first, games.black(g) + second, lam)
    return model


def margins_by_sets(games):
    """Margins whose spread depends on best-of."""
    return margins(games, width=SETS)


def margins_of_two_speeds(games):
    """Margins of games won, strengths by quarters: a walk, and a mean-reverting part."""
    import pymc as pm

    from halfpoint.models import margin
    from halfpoint.models.language.walks import two_speeds

    games = games.by(3)
    with pm.Model(coords=games.coords) as model:
        g = two_speeds(games, level_spread=30.0, newcomer=(0.0, 30.0), slow=5.0, fast=10.0, decay=0.7, learned=True)
        first, second = games.effects("strength", f"0 + {AGE} + {SURFACE}", sd=30.0, spread=10.0)
        lam = pm.Normal("log_width", 4.0, 1.0) + games.effects("log_width", SETS)
        margin(games, games.white(g) + first, games.black(g) + second, lam)
    return model


def ranked_margins(games):
    """Margins with the last ranking before the season as an effect on strength."""
    return margins(games, f"0 + {AGE} + {PLACE} + {SURFACE}", SETS)


ROW, MARGINS, SPEEDS, ELO = "the row", "margins", "margins, two speeds", "Elo"
TRIES = {
    ROW: (walk(), 5),
    "last ranking before the season": (walk((AGE, PLACE, SURFACE)), 5),
    "ranking, three seasons": (walk((AGE, PLACE, SURFACE)), 3),
    "without best of": (walk(sharpness=""), 5),
    "ten seasons": (walk(sharpness=""), 10),
    "yearly walk": (walk(row="bt-yearly-walk", sharpness=""), 10),
    "form of an event": (walk((AGE, SURFACE, FORM), ""), 5),
    "process by days": (walk(row="bt-ou", sharpness=""), 5),
    MARGINS: (margins, 5),
    "margins, best of": (margins_by_sets, 5),
    "margins, best of, ranking": (ranked_margins, 5),
    SPEEDS: (margins_of_two_speeds, 5),
}
FACTS = {
    "Davis Cup": lambda odds, facts: odds * facts["cup"],
    "best of five": lambda odds, facts: odds * facts["five"],
    "month": lambda odds, facts: odds * facts["month"],
    "few matches": lambda odds, facts: odds / np.sqrt(1.0 + facts["matches"]),
    "large odds": lambda odds, facts: np.tanh(odds / 2.0),
    "ranking": lambda odds, facts: np.stack([facts["place"], facts["unplaced"]], axis=1),
    "ranking, best of five": lambda odds, facts: facts["place"] * facts["five"],
    "age": lambda odds, facts: np.stack([facts["age"], facts["square"]], axis=1),
}
CUP, RANKED = "Davis Cup", ("Davis Cup", "ranking")
# forecasts whose log odds are columns, and facts, which multiply the log odds of the first forecast or stand alone
CORRECTIONS = {
    "slope": (ROW,),
    "slope, Davis Cup": (ROW, CUP),
    "slope, best of five": (ROW, "best of five"),
    "slope, Davis Cup, best of five": (ROW, CUP, "best of five"),
    "slope, month": (ROW, "month"),
    "slope, few matches": (ROW, "few matches"),
    "slope, Davis Cup, few matches": (ROW, CUP, "few matches"),
    "slope, large odds": (ROW, "large odds"),
    "slope, Davis Cup, large odds": (ROW, CUP, "large odds"),
    "slope, age": (ROW, "age"),
    "slope, ranking": (ROW, "ranking"),
    "slope, Davis Cup, ranking": (ROW, *RANKED),
    "slope, Davis Cup, ranking, best of five": (ROW, *RANKED, "ranking, best of five"),
    "slope, Davis Cup, ranking, age": (ROW, *RANKED, "age"),
}
STACKS = {
    "row, Davis Cup, ranking": (ROW, *RANKED),
    "row, Elo": (ROW, ELO),
    "row, Elo, Davis Cup, ranking": (ROW, ELO, *RANKED),
    "margins": (MARGINS,),
    "margins, Davis Cup, ranking": (MARGINS, *RANKED),
    "margins, Davis Cup, ranking, best of five": (MARGINS, *RANKED, "best of five"),
    "margins, Davis Cup, ranking, age": (MARGINS, *RANKED, "age"),
    "margins, Elo": (MARGINS, ELO),
    "margins, Elo, Davis Cup, ranking": (MARGINS, ELO, *RANKED),
    "row, margins, Davis Cup, ranking": (ROW, MARGINS, *RANKED),
    "row, margins, Elo, Davis Cup, ranking": (ROW, MARGINS, ELO, *RANKED),
    "two speeds": (SPEEDS,),
    "two speeds, Davis Cup, ranking": (SPEEDS, *RANKED),
    "two speeds, Davis Cup, ranking, best of five": (SPEEDS, *RANKED, "best of five"),
    "two speeds, Elo": (SPEEDS, ELO),
    "two speeds, Elo, Davis Cup, ranking": (SPEEDS, ELO, *RANKED),
    "two speeds, Elo, Davis Cup, ranking, best of five": (SPEEDS, ELO, *RANKED, "best of five"),
    "row, two speeds, Davis Cup, ranking": (ROW, SPEEDS, *RANKED),
    "row, two speeds, Elo, Davis Cup, ranking": (ROW, SPEEDS, ELO, *RANKED),
}


def path_of(season, folder, name):
    """Path of the forecasts of a variant."""
    return Path(folder) / f"{season}-{name.replace(' ', '_').replace(',', '')}.csv"


def frozen(path):
    """Log odds (match,), results (match,), and event and players of each match, in the order of days."""
    rows = list(csv.DictReader(Path(path).read_text(encoding="utf-8").splitlines()))
    rows.sort(key=lambda row: tuple(row[name] for name in ("date", "event", "first", "second")))
    win, won = np.array([float(row["win"]) for row in rows]), np.array([row["outcome"] == "2" for row in rows])
    return np.log(win) - np.log1p(-win), won, [np.array([row[k] for row in rows]) for k in ("event", "first", "second")]


def facts_of(season, games):
    """Facts of each match before it is played, in the order of days, by name, (match,)."""
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


def columns(terms, facts):
    """Columns of a correction, (match, column)."""
    odds = facts[terms[0]]
    return np.column_stack([FACTS[one](odds, facts) if one in FACTS else facts[one] for one in terms])


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


def forecasts(season, folder, names):
    """Log odds of forecasts of a season by name, computed if missing; results, events and players."""
    for name in names:
        if not path_of(season, folder, name).exists():
            elo(season, path_of(season, folder, name)) if name == ELO else main(season, folder, name)
    found = {name: frozen(path_of(season, folder, name)) for name in names}
    return {name: odds for name, (odds, _, _) in found.items()}, *found[ROW][1:]


def correct(season, folder, earlier, *names, among=CORRECTIONS):
    """Estimate corrections on earlier seasons and score them on a season."""
    games, parts, names = tennis(), {}, names or tuple(among)
    needed = dict.fromkeys([ROW, *(one for name in names for one in among[name] if one not in FACTS)])
    for one in (*earlier.split(","), season):
        odds, won, shared = forecasts(one, folder, needed)
        parts[one] = (facts_of(one, games) | odds, won, shared)
    facts, won, shared = parts.pop(season)
    cells, base = cells_of(facts[ROW], won, shared, None)
    print(f"| {ROW} | {cells} | |")
    for name in names:
        known = np.concatenate([columns(among[name], about) for about, _, _ in parts.values()])
        found = fitted(known, np.concatenate([result for _, result, _ in parts.values()]))
        cells, _ = cells_of(columns(among[name], facts) @ found, won, shared, base)
        print(f"| {name} | {cells} | {', '.join(f'{one:.2f}' for one in found)} |")


def main(season, folder, *names):
    """Fit, score and print."""
    base = None
    for name in names or TRIES:
        model, seasons = TRIES[name]
        path = path_of(season, folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            fit("tennis", season, model, str(path), str(int(season) - seasons))
        cells, lost = cells_of(*frozen(path), base)
        base = lost if base is None else base
        shown = str(getattr(model, "__name__", model)).replace("|", "\\|")
        print(f"| {name} | `{shown}` | {seasons} | {cells} |", flush=True)


if __name__ == "__main__":
    among = {"correct": CORRECTIONS, "stack": STACKS}.get(sys.argv[1])
    main(*sys.argv[1:]) if among is None else correct(*sys.argv[2:], among=among)
