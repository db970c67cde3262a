"""Tries at the row of sets, by filters of independent players, from which its form and its numbers were chosen.

    .venv/bin/python benchmarks/yardstick_tries.py [TRY ...]

A player's state is normal: a walk, a part that returns to 0, one of each surface, and the error of their ranking, if
errors persist. A match moves it by its margin (`MARGINS`), a ranking by log ranking / 100 = c - k strength + e. Numbers
are maximum likelihood estimates from the one-step densities of margins and rankings of 2003 to 2009, or known where a
try says so; then each season of 2010 to 2013 is forecast at once from the seasons before it. Prints for each try mean
log scores and slopes of results on log odds by season and pooled, CPU seconds, and the numbers. Games of 2014 and later
are not read. About 4 CPU minutes.
"""

import sys
import time
from functools import partial

import numba
import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr
from yardstick import slope_of
from yardstick_games import tennis

SEASONS, LEARNED = (2010, 2011, 2012, 2013), (2003, 2009)
SURFACES = {"Hard": 2, "Carpet": 3, "Clay": 4, "Grass": 5}
STATES, ERROR, LATE, YEAR, UNRANKED = 7, 6, 214, 365.25, 2.5
MARGINS = {
    "share": lambda a, b: (a - b) / np.maximum(a + b, 12.0),
    "log ratio": lambda a, b: np.log((a + 3.0) / (b + 3.0)),
    "root": lambda a, b: (a - b) / np.sqrt(np.maximum(a + b, 6.0)),
    "games": lambda a, b: (a - b) / 10.0,
}
# standard deviations where players enter, of a year's walk, of the part that returns and its rate a year, of surfaces;
# logarithm of the width and its change in best of five and in the Davis Cup; mean and standard deviation of newcomers;
# effects of decades from 28 and of their squares; slope, standard deviation and level of rankings, standard deviation
# and rate a year of their persistent errors; effect of the ranking on strength, and of a mean of rankings on the entry
START = {
    "entry": 0.16, "walk": 0.04, "fast": 1e-6, "decay": 0.7, "surface": 0.06, "width": -1.36, "long": -0.15, "cup": 0.0,
    "newcomer": -0.1, "newcomers": 0.15, "age": -0.03, "square": -0.2, "slope": 7.3, "noise": 100.0, "level": 0.35,
    "error": 1e-6, "error_decay": 1e-6, "ranked": 0.0, "mean_rank": 0.0,
}  # fmt: skip
POSITIVE = {"entry", "walk", "fast", "decay", "surface", "newcomers", "slope", "noise", "error", "error_decay"}
FREE = ("entry", "walk", "surface", "width", "long", "newcomer", "newcomers", "age", "square")
LAST, EVERY = 0, 1  # rankings that are measurements: the last of a year, or one in 80 days
RANKS = ("slope", "level")
# free numbers, known numbers, margin, seasons learned (0: all since 2000), rankings, days of a period, ranking's effect
TRIES = {
    "walk": (FREE, {}),
    "two speeds": ((*FREE, "fast", "decay"), {"fast": 0.05}),
    "two speeds, five seasons": ((*FREE, "fast", "decay"), {"fast": 0.05}, "share", 5),
    "a level and a part that returns": (("fast", "decay", *FREE), {"fast": 0.07, "walk": 1e-6}),
    "logarithm of the ratio": (FREE, {}, "log ratio"),
    "difference over the root of all games": (FREE, {}, "root"),
    "difference of games": (FREE, {}, "games"),
    "width by Davis Cup": ((*FREE, "cup"), {}),
    "ranking on the day as an effect": ((*FREE, "ranked"), {}, "share", 0, None, 0.0, "day"),
    "last ranking before the season as an effect": ((*FREE, "ranked"), {}, "share", 0, None, 0.0, "season"),
    "mean ranking where players enter": ((*FREE, "mean_rank"), {}, "share", 0, None, 0.0, "mean"),
    "rankings each quarter, error learned": ((*FREE, *RANKS, "noise"), {"noise": 0.8}, "share", 0, EVERY),
    "the same, errors that persist": (
        (*FREE, *RANKS, "noise", "error", "error_decay"),
        {"noise": 0.5, "error": 0.5, "error_decay": 0.5}, "share", 0, EVERY,
    ),
    "last ranking of a year, error learned": ((*FREE, *RANKS, "noise"), {"noise": 0.6}, "share", 0, LAST),
    "last ranking of a year, error 0.6": ((*FREE, *RANKS), {"noise": 0.6}, "share", 0, LAST),
    "last ranking of a year, error 0.7": ((*FREE, *RANKS), {"noise": 0.7}, "share", 0, LAST),
    "last ranking of a year, error 1": ((*FREE, *RANKS), {"noise": 1.0}, "share", 0, LAST),
    "error 0.7, eight seasons": ((*FREE, *RANKS), {"noise": 0.7}, "share", 8, LAST),
    "error 0.7, five seasons": ((*FREE, *RANKS), {"noise": 0.7}, "share", 5, LAST),
    "error 0.7, eight seasons, by half-years": ((*FREE, *RANKS), {"noise": 0.7}, "share", 8, LAST, YEAR / 2.0),
    "error 0.7, eight seasons, by years (chosen)": ((*FREE, *RANKS), {"noise": 0.7}, "share", 8, LAST, YEAR),
    "chosen, without ages": ((*FREE[:-2], *RANKS), {"noise": 0.7, "age": 0.0, "square": 0.0}, "share", 8, LAST, YEAR),
    "chosen, without surfaces": (
        tuple(name for name in (*FREE, *RANKS) if name != "surface"), {"noise": 0.7, "surface": 1e-6}, "share", 8, LAST,
        YEAR,
    ),
    "chosen, without best of": (
        tuple(name for name in (*FREE, *RANKS) if name != "long"), {"noise": 0.7, "long": 0.0}, "share", 8, LAST, YEAR,
    ),
}  # fmt: skip


def matches():
    """Columns of all matches before 2014, in the order of days."""
    games = sorted((game for game in tennis() if game.season < "2014"), key=lambda game: game.when)
    number = {}
    players = [[number.setdefault(name, len(number)) for name in (game.first, game.second)] for game in games]
    rank = np.array([[game.white_ranking, game.black_ranking] for game in games])
    return {
        "season": np.array([int(game.season) for game in games]), "day": np.array([float(game.when) for game in games]),
        "player": np.array(players), "won": np.array([game.outcome / 2.0 for game in games]),
        "surface": np.array([SURFACES[game.context] for game in games]),
        "goals": np.array([game.goals for game in games], dtype=np.float64),
        "long": np.array([float(game.best_of == "5") for game in games]),
        "cup": np.array([float(game.level == "D") for game in games]),
        "age": np.array([[game.white_age, game.black_age] for game in games]),
        "rank": np.where(rank > 0.0, np.log(np.maximum(rank, 1.0) / 100.0), -99.0),
    }  # fmt: skip


def effects_of(kind, data, learned):
    """Rankings that act on strength, (match, side), of forecast matches the last before; means by player."""
    rank, player = data["rank"], data["player"]
    used, last, before, season = np.zeros_like(rank), {}, {}, 0
    total, count = np.zeros((2, player.max() + 1))
    for match in range(len(rank)):
        if data["season"][match] != season:
            season, before = data["season"][match], dict(last)
        for side in (0, 1):
            one = player[match, side]
            if learned[match] and rank[match, side] > -50.0:
                last[one] = rank[match, side]
                total[one] += rank[match, side]
                count[one] += 1
            used[match, side] = (before if kind == "season" else last).get(one, UNRANKED)
    mean = np.where(count > 0, total / np.maximum(count, 1), UNRANKED)
    return used, mean if kind == "mean" else np.zeros_like(mean)


def measured(kind, data, learned):
    """1 where a ranking is a measurement, (match, side)."""
    found, last = np.zeros_like(data["rank"]), {}
    known = learned[:, None] & (data["rank"] > -50.0)
    for match in range(len(found)):
        for side in (0, 1) if kind is not None else ():
            if not known[match, side]:
                continue
            one, day = data["player"][match, side], data["day"][match]
            year = data["season"][match]
            if kind == EVERY and day - last.get(one, -1e9) > 80.0:
                found[match, side], last[one] = 1.0, day
            if kind == LAST:
                if one in last and last[one][0] == year:
                    found[last[one][1:]] = 0.0
                found[match, side], last[one] = 1.0, (year, match, side)
    return found


@numba.njit(cache=True)
def filtered(day, player, surface, margin, seen, long, cup, age, rank, is_measured, used, mean_rank, late, p):
    """Mean and variance of the difference of each match, its width, and the log density of all that is learned."""
    count, games = mean_rank.size, day.size
    m, v, last, there = np.zeros((count, 7)), np.zeros((count, 7, 7)), np.zeros(count), np.zeros(count)
    gap, variance, width, total = np.zeros(games), np.zeros(games), np.zeros(games), 0.0
    h = np.zeros((2, 7))
    for g in range(games):
        for side in range(2):
            one = player[g, side]
            if there[one] == 0.0:
                there[one], last[one] = 1.0, day[g]
                m[one, 0] = (p[8] if late[one] else 0.0) + p[18] * mean_rank[one]
                v[one, 0, 0] = (p[9] if late[one] else p[0]) ** 2
                v[one, 1, 1], v[one, 6, 6] = p[2] ** 2, p[15] ** 2
                for k in range(2, 6):
                    v[one, k, k] = p[4] ** 2
            years = (day[g] - last[one]) / 365.25
            if years > 0.0:
                for k, rate, spread in ((1, p[3], p[2]), (6, p[16], p[15])):
                    left = np.exp(-rate * years)
                    m[one, k] *= left
                    v[one, k, :] *= left
                    v[one, :, k] *= left
                    v[one, k, k] += spread**2 * (1.0 - left**2)
                v[one, 0, 0] += p[1] ** 2 * years
                last[one] = day[g]
            if is_measured[g, side] > 0.0:
                at = m[one, 0] + m[one, 1] + p[10] * age[g, side] + p[11] * age[g, side] ** 2
                along = -p[12] * (v[one, :, 0] + v[one, :, 1]) + v[one, :, 6]
                wide = -p[12] * (along[0] + along[1]) + along[6] + p[13] ** 2
                off = rank[g, side] - (p[14] - p[12] * at + m[one, 6])
                total -= 0.5 * (np.log(2.0 * np.pi * wide) + off**2 / wide)
                m[one] += along * off / wide
                v[one] -= np.outer(along, along) / wide
        for side in range(2):
            one = player[g, side]
            at = m[one, 0] + m[one, 1] + m[one, surface[g]]
            at += p[10] * age[g, side] + p[11] * age[g, side] ** 2 + p[17] * used[g, side]
            gap[g] += at if side == 0 else -at
            h[side] = v[one, :, 0] + v[one, :, 1] + v[one, :, surface[g]]
            variance[g] += h[side, 0] + h[side, 1] + h[side, surface[g]]
        width[g] = np.exp(p[5] + p[6] * long[g] + p[7] * cup[g])
        if seen[g] > 0.0:
            wide, off = variance[g] + width[g] ** 2, margin[g] - gap[g]
            total -= 0.5 * (np.log(2.0 * np.pi * wide) + off**2 / wide)
            for side in range(2):
                one = player[g, side]
                m[one] += (1.0 - 2.0 * side) * h[side] * off / wide
                v[one] -= np.outer(h[side], h[side]) / wide
    return gap, variance, width, total


def run(data, numbers, judged, margin, ranks, period, effect):
    """Filter of matches, whose judged season is forecast at once."""
    learned, goals = data["season"] < judged, data["goals"]
    day = np.floor(data["day"] / period) * period if period else data["day"]
    codes = np.unique(data["player"], return_inverse=True)[1].reshape(-1, 2)
    data = {**data, "player": codes, "day": day}
    first = np.full(codes.max() + 1, np.inf)
    np.minimum.at(first, codes.ravel(), np.repeat(day, 2))
    used, mean = effects_of(effect, data, learned)
    seen = (learned & (goals.sum(axis=1) > 0.0)).astype(np.float64)
    return partial(
        filtered, day, codes, data["surface"], MARGINS[margin](*goals.T), seen, data["long"], data["cup"], data["age"],
        data["rank"], measured(ranks, data, learned), used, mean, first > day[0] + LATE,
    )  # fmt: skip


def some(data, first, last):
    """Matches of some seasons."""
    chosen = (data["season"] >= first) & (data["season"] <= last)
    return {name: values[chosen] for name, values in data.items()}


def try_out(data, free, known, margin="share", back=0, ranks=None, period=0.0, effect=""):
    """Learn, forecast and return cells of a table, and the numbers."""
    start, settings = START | known, (margin, ranks, period, effect)
    if margin != "share":  # in the unit of the margin
        unit = {"log ratio": 1.8, "root": 4.0, "games": 2.0}[margin]
        scaled = ("entry", "walk", "surface", "newcomer", "newcomers", "age", "square")
        start |= {name: start[name] * unit for name in scaled} | {"width": start["width"] + np.log(unit)}
    of = run(some(data, *LEARNED), start, LEARNED[1] + 1, *settings)

    def numbers(x):
        return start | {name: np.exp(v) if name in POSITIVE else v for name, v in zip(free, x, strict=True)}

    def loss(x):
        value = -of(np.array([*numbers(x).values()]))[3]
        return value if np.isfinite(value) else 1e9

    limits = [(np.log(1e-3), np.log(30.0)) if name in POSITIVE else (-5.0, 5.0) for name in free]
    begin = [np.log(start[name]) if name in POSITIVE else start[name] for name in free]
    found = numbers(minimize(loss, begin, method="L-BFGS-B", bounds=limits, options={"maxiter": 40, "eps": 1e-4}).x)
    cells, every = [], []
    for season in SEASONS:
        part = some(data, season - back if back else 2000, season)
        gap, variance, width, _ = run(part, found, season, *settings)(np.array([*found.values()]))
        chance, judged = ndtr(gap / np.sqrt(variance + width**2)), part["season"] == season
        every.append((np.log(chance / (1.0 - chance))[judged], part["won"][judged]))
    for odds, won in (*every, [np.concatenate(columns) for columns in zip(*every, strict=True)]):
        score = np.logaddexp(0.0, -(2.0 * won - 1.0) * odds).mean()
        cells.append(f"{score:.4f} ({slope_of(odds, won)[0]:.2f})")
    return cells, {name: round(float(found[name]), 3) for name in free}


def main(*names):
    """Print a row of a table for each try."""
    data = matches()
    for name in names or TRIES:
        begun = time.process_time()
        cells, found = try_out(data, *TRIES[name])
        print(f"| {name} | {' | '.join(cells)} | {time.process_time() - begun:.0f} | {found} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
