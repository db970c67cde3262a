"""Write beyond_logp.json: the log density of each name beyond the study, by formulas independent of halfpoint.

    log p(parameters) = sum of log priors + sum over games of log L(game)

in natural units and in the parameters that a trace shows (strength, advantage, spreads, ...), whatever is sampled. One
loop over the games, without merging or scaling. A change in any difference between two values of one row of
beyond_logp.json is another model and needs another name.

To add a name, give it a row in NAMES. If it has a new part, add the part's constants to PRIORS, its values at the five
points to `point`, its prior to `log_prior` and its contribution of a game to `log_likelihood`. Then run `python
tests/reference/make_beyond_logp.py`; it needs NumPy only.
"""

import csv
import json
import math
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
NATURAL = math.log(10.0) / 400.0
DATA = {"anchored": ("Ada", "Boris", "Chen", "Dora"), "unanchored": ("Ada", "Boris", "Chen", "Dora", "Olga", "Piet")}
MONTHS = 5  # 2 to 6; nobody plays in month 4
QUARTERS = 2
POINTS = 5
DEALS = 4
BRIDGE = {"strength": "population", "advantage": "none", "deal": True}  # partners: `test_partners`, of sides of two
MARGIN = {"strength": "population", "advantage": "neutral", "scale": True}  # in units of the margin
FREE = {"game": "davidson", "strength": "free", "advantage": "common"}
VOLATILE = {"strength": "pooled walk", "advantage": "neutral", "volatility": True}

CONTEXT = {"strength": "population", "advantage": "neutral", "context": "context"}
ENTERING = {"strength": "entering walk", "advantage": "neutral"}
BY_DAYS = {"strength": "by days", "advantage": "neutral"}

# What a name means. game: half points, davidson, rao-kupper, or the density of the column margin (margin-normal,
# margin-t), or of the margin over its root mean square so far (index). strength: free, population, rated (around the
# mean rating that a player has in the games), walk (by month), pooled walk (by quarters, around levels of a
# population), entering walk (by quarters, from where a player enters) or two speeds (a slow walk by month and what
# fades beside it), or by days (a level of a population and a process on each player's own days, the last one too: form,
# rough, or smooth with its slope). volatility: each player's spread of a step is exp(volatility) times that of all;
# pace: it walks by quarters, and volatility is its mean over them.
# advantage: common, neutral (0 where the column neutral is 1), none, population (one a player) or walking (by month, 0
# on neutral ground). scale: anchors are mu + kappa (R - mu). level: mu is learned. slope: draws by strength. tendency:
# draws by player. rapid: a column of the game acts on the advantage and on draws. deal: each deal lifts the margin and
# has a width; where they are alike, it lifts it only. context: the column by which each strength differs, around
# one of theirs.
NAMES = {
    "bt-scaled": {**FREE, "game": "half points", "scale": True},
    "davidson-scaled": {**FREE, "scale": True},
    "davidson-scaled-level": {**FREE, "scale": True, "level": True},
    "bt-pooled": {**FREE, "game": "half points", "advantage": "population"},
    "davidson-pooled": {**FREE, "advantage": "population"},
    "bt-population": {**FREE, "game": "half points", "strength": "population"},
    "davidson-population": {**FREE, "strength": "population"},
    "davidson-population-scaled": {**FREE, "strength": "population", "scale": True},
    "davidson-strength-draws": {**FREE, "scale": True, "slope": True},
    "davidson-player-draws": {**FREE, "scale": True, "tendency": True},
    "davidson-all-draws": {**FREE, "scale": True, "slope": True, "tendency": True},
    "rao-kupper": {**FREE, "game": "rao-kupper"},
    "rao-kupper-scaled": {**FREE, "game": "rao-kupper", "scale": True},
    "rao-kupper-all-draws": {**FREE, "game": "rao-kupper", "scale": True, "slope": True, "tendency": True},
    "bt-walk": {**FREE, "game": "half points", "strength": "walk"},
    "davidson-walk": {**FREE, "strength": "walk"},
    "bt-population-walk": {**FREE, "game": "half points", "strength": "pooled walk", "advantage": "neutral"},
    "davidson-population-walk": {**FREE, "strength": "pooled walk", "advantage": "neutral"},
    "davidson-walk-scaled": {**FREE, "strength": "walk", "scale": True},
    "davidson-rapid": {**FREE, "rapid": True},
    "davidson-rapid-scaled": {**FREE, "rapid": True, "scale": True},
    "bt-population-even": {**FREE, "game": "half points", "strength": "population", "advantage": "none"},
    "davidson-population-even": {**FREE, "strength": "population", "advantage": "none"},
    "bt-population-neutral": {**FREE, "game": "half points", "strength": "population", "advantage": "neutral"},
    "davidson-population-neutral": {**FREE, "strength": "population", "advantage": "neutral"},
    "margin-normal": {"game": "margin-normal", **MARGIN},
    "margin-t": {"game": "margin-t", **MARGIN},
    "bt-rated": {**FREE, "game": "half points", "strength": "rated", "scale": True},
    "davidson-rated": {**FREE, "strength": "rated", "scale": True},
    "bt-volatility-walk": {**FREE, "game": "half points", **VOLATILE},
    "davidson-volatility-walk": {**FREE, **VOLATILE},
    "bt-context": {**FREE, "game": "half points", **CONTEXT},
    "davidson-context": {**FREE, **CONTEXT},
    "davidson-rated-context": {**FREE, "strength": "rated", "scale": True, "context": "context"},
    "bt-form": {**FREE, "game": "half points", **CONTEXT, "context": "event"},
    "davidson-form": {**FREE, **CONTEXT, "context": "event"},
    "bt-entering-walk": {**FREE, "game": "half points", **ENTERING},
    "davidson-entering-walk": {**FREE, **ENTERING},
    "bt-context-walk": {**FREE, "game": "half points", **ENTERING, "context": "context"},
    "davidson-context-walk": {**FREE, **ENTERING, "context": "context"},
    # these games mix players as lots do, so that opponents tell nothing: else `tests/models/test_distributions.py`
    "bt-matched": {**FREE, "game": "half points", "strength": "population"},
    "bt-matched-even": {**FREE, "game": "half points", "strength": "population", "advantage": "none"},
    "bt-matched-neutral": {**FREE, "game": "half points", "strength": "population", "advantage": "neutral"},
    "bt-matched-walk": {**FREE, "game": "half points", **ENTERING},
    "bt-rated-matched": {**FREE, "game": "half points", "strength": "rated", "scale": True},
    "davidson-matched": {**FREE, "strength": "population"},
    "davidson-matched-even": {**FREE, "strength": "population", "advantage": "none"},
    "davidson-matched-neutral": {**FREE, "strength": "population", "advantage": "neutral"},
    "davidson-matched-walk": {**FREE, **ENTERING},
    "davidson-rated-matched": {**FREE, "strength": "rated", "scale": True},
    "bt-stochastic-variance-walk": {**FREE, "game": "half points", **VOLATILE, "pace": True},
    "davidson-stochastic-variance-walk": {**FREE, **VOLATILE, "pace": True},
    "bridge-ability": {"game": "margin-normal", **BRIDGE},
    "bridge-ability-t": {"game": "margin-t", **BRIDGE},
    "bridge-ability-even": {"game": "margin-normal", **BRIDGE, "deal": "alike"},
    "margin-walk": {"game": "margin-normal", "strength": "two speeds", "advantage": "walking"},
    "index-walk": {"game": "index", "strength": "two speeds", "advantage": "walking"},
    "goals-matched": {"game": "margin-normal", "strength": "population", "advantage": "neutral"},
    "goals-matched-walk": {"game": "margin-normal", **ENTERING},
    "sets": {"game": "margin-normal", "strength": "free", "advantage": "none"},
    "bt-ou": {**FREE, "game": "half points", **BY_DAYS},
    "davidson-ou": {**FREE, **BY_DAYS},
    "bt-matern": {**FREE, "game": "half points", **BY_DAYS, "smooth": True},
    "davidson-matern": {**FREE, **BY_DAYS, "smooth": True},
}

# (mean, standard deviation) of a normal prior, or the scale of a half-normal one; natural units.
PRIORS = {
    "strength": (15.0, 400.0),  # of each player, and of the mean over the months of each one's walk
    "strength_mean": (2705.0 * NATURAL, 400.0 * NATURAL),
    "strength_spread": 400.0 * NATURAL,
    "rated_spread": 200.0 * NATURAL,
    "innovation_spread": 20.0 * NATURAL,
    "advantage": (0.0, 1.0),
    "advantage_mean": (25.0 * NATURAL, 50.0 * NATURAL),
    "advantage_spread": 40.0 * NATURAL,
    "log_draw": (1.0, 5.0),
    "draw_slope": (0.0, 1.0),
    "draw_tendency_spread": 0.5,
    "log_anchor_scale": (0.0, 1.0),
    "anchor_level": (2705.0 * NATURAL, 100.0 * NATURAL),
    "newcomer_mean": (0.0, 200.0 * NATURAL),
    "strength_context_spread": 0.5,
    "advantage_effect": (0.0, 1.0),
    "log_draw_effect": (0.0, 1.0),
    "form_spread": 100.0 * NATURAL,
    "form_length": (5.2, 1.0),  # of its logarithm, days
}
MARGIN_PRIORS = {
    **PRIORS,
    "strength_mean": (0.0, 20.0),
    "strength_spread": 20.0,
    "advantage": (0.0, 20.0),
    "log_width": (1.0, 2.0),
}
GOALS_PRIORS = {
    "strength_spread": (-0.6, 0.8),
    "innovation_spread": (-2.1, 0.5),
    "advantage": (0.3, 0.3),
    "log_width": (0.5, 0.5),
}
BRIDGE_PRIORS = {
    **PRIORS,
    "strength_mean": (0.0, 1.0),
    "strength_spread": 4.0,
    "log_width": (1.5, 1.0),
    "advantage_deal": (0.0, 10.0),
    "log_width_deal_spread": 0.5,
}
TWO_SPEEDS_PRIORS = {
    "level_spread": 20.0,
    "slow_spread": 1.0,
    "fast_spread": 10.0,
    "advantage_level": (0.0, 20.0),
    "advantage_step_spread": 1.0,
    "log_width": (1.0, 2.0),
}
INDEX_PRIORS = {"level_spread": 0.4, "advantage_level": (0.15, 0.15), "log_width": (-0.5, 0.5)}
DECAY = {"margin-walk": 0.7, "index-walk": 0.52}  # a year
KNOWN = {"slow_spread": 0.022, "fast_spread": 0.14, "advantage_step_spread": 0.006}  # of the index


def priors_of(name):
    """Priors of a name; those of margins are in units of the margin."""
    if name.startswith("goals"):
        return PRIORS | GOALS_PRIORS
    if name == "sets":
        return {"strength": (0.0, 15.0)}
    if "matched" in name:
        found = PRIORS | {"strength_spread": (-0.6, 0.8), "log_draw": (0.0, 2.5), "rated_spread": (-1.0, 0.5)}
        if "rated" in name:
            found["log_anchor_scale"] = (0.35 if name.startswith("davidson") else 0.0, 0.3)
        return found | ({"innovation_spread": 35.0 * NATURAL} if name.endswith("walk") else {})
    if NAMES[name]["strength"] == "two speeds":
        return INDEX_PRIORS if NAMES[name]["game"] == "index" else TWO_SPEEDS_PRIORS
    if name.startswith("bridge"):
        return BRIDGE_PRIORS
    if NAMES[name]["strength"] == "entering walk":
        return PRIORS | {"innovation_spread": 35.0 * NATURAL, "strength_spread": 200.0 * NATURAL}
    if NAMES[name]["strength"] == "pooled walk":
        return PRIORS | {"innovation_spread": 35.0 * NATURAL, "volatility_spread": 0.5, "pace_spread": 0.3}
    return MARGIN_PRIORS if name.startswith("margin") else PRIORS


def games():
    """Rows of beyond_games.csv, invented games of six players over five months."""
    with (HERE / "beyond_games.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def point(name, data, number):
    """Parameters of a name at one of the five points; the last point is far out, where priors matter."""
    what, count = NAMES[name], len(DATA[data])
    player = np.arange(count)
    strength = 15.5 + 0.1 * number + (0.0, 0.3, 0.9, 2.0, 40.0)[number] * np.sin(1.0 + 1.7 * player + number)
    values = {"log_draw": (0.0, 1.1, -0.6, 0.4, 2.5)[number]} if what["game"] != "half points" else {}
    if what["game"].startswith("margin") or what["game"] == "index":
        values = {"log_width": (0.5, 1.1, -0.3, 0.9, 2.5)[number]}
    if name == "sets":
        values = {}  # its width is known
    if what["strength"] == "two speeds":
        return values | two_speeds_point(what, strength - 15.5, number)
    if what["strength"] == "by days":
        place = np.arange(len(visits(data)))
        form = (0.1, 0.2, 0.6, 0.4, 1.5)[number] * np.sin(1.3 * place + number)
        slope = 0.1 * (1 + number) * np.cos(2.1 * place + number)
        values |= {
            "level": strength,
            "form": np.stack([form, slope], axis=1) if what.get("smooth") else form,
            "form_spread": (0.3, 0.1, 0.6, 0.8, 1.7)[number],
            "form_length": (2.0, 4.0, 1.0, 30.0, 8.0)[number],
        }
    elif "walk" in what["strength"]:
        month = np.arange(MONTHS if what["strength"] == "walk" else QUARTERS)
        wander = 0.05 * (1 + number) * np.sin(2.3 * month + player[:, None] ** 2 + number)
        values |= {"strength": strength[:, None] + wander, "innovation_spread": (0.1, 0.05, 0.2, 0.33, 0.7)[number]}
    else:
        values["strength"] = strength
    if what.get("volatility"):
        values |= {
            "volatility": (0.0, 0.1, 0.6, 0.4, 1.2)[number] * np.sin(1.1 * player + number),
            "volatility_spread": (0.3, 0.1, 0.5, 0.8, 1.6)[number],
        }
    if what.get("context"):
        pairs = contexts(what["context"], data)
        values |= {
            f"strength_{what['context']}": (0.0, 0.2, 0.7, 0.4, 2.0)[number]
            * np.sin(1.9 * np.arange(len(pairs)) + number),
            f"strength_{what['context']}_spread": (0.3, 0.1, 0.6, 0.8, 1.7)[number],
        }
    if what["strength"] == "entering walk":
        values["strength_spread"] = (0.5, 0.2, 1.3, 0.9, 6.0)[number]
        if data == "anchored":
            values["strength_mean"] = (15.57, 15.2, 16.9, 14.0, 19.0)[number]
    if what.get("pace"):
        wander = 0.2 * number * np.cos(1.9 * np.arange(QUARTERS) + player[:, None] + number)
        values |= {
            "pace": values.pop("volatility")[:, None] + wander - wander.mean(axis=1, keepdims=True),
            "pace_spread": (0.3, 0.1, 0.2, 0.5, 1.1)[number],
        }
    if what["strength"] in ("population", "pooled walk", "by days"):
        values |= {
            "strength_mean": (15.57, 15.2, 16.9, 14.0, 19.0)[number],
            "strength_spread": (0.5, 0.2, 1.3, 0.9, 6.0)[number],
        }
    if what["advantage"] == "population":
        values |= {
            "advantage": (0.0, 0.2, 0.3, 0.1, 0.8)[number] * np.cos(player + 2.0 * number) + 0.1,
            "advantage_mean": (0.14, 0.05, -0.2, 0.4, 0.9)[number],
            "advantage_spread": (0.2, 0.1, 0.4, 0.05, 0.7)[number],
        }
    elif what["advantage"] != "none":
        values["advantage"] = (0.0, 0.24, -0.15, 0.6, 2.0)[number]
    if what["strength"] == "rated":
        values["rated_spread"] = (0.5, 0.2, 1.3, 0.9, 4.0)[number]
    if what.get("scale"):
        values["anchor_scale"] = (1.0, 1.8, 0.6, 2.4, 5.0)[number]
    if what.get("level"):
        values["anchor_level"] = (15.57, 15.3, 16.1, 14.6, 17.5)[number]
    if what.get("slope"):
        values["draw_slope"] = (0.0, 0.5, -0.3, 0.2, 0.1)[number]
    if what.get("tendency"):
        values |= {
            "draw_tendency": (0.0, 0.2, 0.5, 0.3, 1.5)[number] * np.sin(2.0 * player + number) - 0.05,
            "draw_tendency_spread": (0.3, 0.1, 0.6, 0.4, 1.4)[number],
        }
    if what.get("deal"):
        deal = np.arange(DEALS)
        values |= {
            "advantage_deal": (0.0, 1.5, 4.0, 9.0, 25.0)[number] * np.sin(1.3 * deal + number),
        }
    if what.get("deal") is True:
        values |= {
            "log_width_deal": (0.0, 0.2, 0.5, 0.8, 1.4)[number] * np.cos(2.1 * deal + number),
            "log_width_deal_spread": (0.3, 0.15, 0.6, 0.9, 1.7)[number],
        }
    if what.get("rapid"):
        values |= {
            "advantage_effect": np.array([(0.0, 0.3, -0.4, 0.7, 1.9)[number]]),
            "log_draw_effect": np.array([(0.0, -0.2, 0.5, -0.9, 1.2)[number]]),
        }
    return values


def contexts(column, data):
    """Players with parameters in the levels of a column in which they played, sorted as "Ada:clay"."""
    enough = any if data == "anchored" else all
    used = [row for row in games() if enough(row[side] in DATA[data] for side in ("white", "black"))]
    return sorted(
        {
            f"{row[side]}:{row.get(column, 'unknown')}"
            for row in used
            for side in ("white", "black")
            if row[side] in DATA[data]
        }
    )


def entered(data):
    """Quarter of each player's first game, counted from the first quarter."""
    enough = any if data == "anchored" else all
    used = [row for row in games() if enough(row[side] in DATA[data] for side in ("white", "black"))]
    first = min(int(row["period"]) for row in used)
    own = [min(int(row["period"]) for row in used if player in (row["white"], row["black"])) for player in DATA[data]]
    return [(month - 1) // 3 - (first - 1) // 3 for month in own]


def visits(data):
    """Player and day of each state, in the order of players: the days of their games, and the last day of all."""
    enough = any if data == "anchored" else all
    used = [row for row in games() if enough(row[side] in DATA[data] for side in ("white", "black"))]
    last = max(int(row["period"]) for row in used)
    found = {(player, last) for player in DATA[data]}
    found |= {(row[side], int(row["period"])) for row in used for side in ("white", "black") if row[side] in DATA[data]}
    return sorted(found, key=lambda one: (DATA[data].index(one[0]), one[1]))


def by_days(values, data, smooth):
    """Log prior density of form: a dense normal distribution with the covariances of each player's days.

    Of the smooth process f with k(d) = (1 + r |d|) e^(-r |d|), r = sqrt(3) / l, the slope is f' / r.
    """
    total = 0.0
    for player in DATA[data]:
        here = [number for number, (name, _) in enumerate(visits(data)) if name == player]
        day = np.array([visits(data)[number][1] for number in here], dtype=float)
        apart = day[:, None] - day
        if smooth:
            r = math.sqrt(3.0) / values["form_length"]
            fall = np.exp(-r * np.abs(apart))
            across = r * apart * fall
            covariance = np.block(
                [[(1.0 + r * np.abs(apart)) * fall, across], [across.T, (1.0 - r * np.abs(apart)) * fall]]
            )
            x = values["form"][here].T.ravel()
        else:
            covariance, x = np.exp(-np.abs(apart) / values["form_length"]), values["form"][here]
        covariance = values["form_spread"] ** 2 * covariance
        total -= 0.5 * (x @ np.linalg.solve(covariance, x) + np.linalg.slogdet(2.0 * math.pi * covariance)[1])
    return float(total)


def two_speeds_point(what, strength, number):
    """Strengths, slow and total, the advantage by month and their spreads at one of the points."""
    month = np.arange(MONTHS)
    slow = strength[:, None] + 0.05 * (1 + number) * np.sin(2.3 * month + np.arange(strength.size)[:, None] ** 2)
    fast = 0.3 * (1 + number) * np.cos(1.9 * month + 0.7 * np.arange(strength.size)[:, None] + number)
    values = {
        "slow_strength": slow,
        "strength": slow + fast,
        "level_spread": (0.5, 0.2, 1.3, 0.9, 6.0)[number],
        "advantage": (0.1, 0.24, -0.15, 0.6, 2.0)[number] + 0.1 * np.sin(month + number),
    }
    if what["game"] == "index":
        return values
    spreads = {"slow_spread": (0.1, 0.05, 0.2, 0.33, 0.7)[number], "fast_spread": (0.5, 0.2, 0.4, 0.8, 2.0)[number]}
    return values | spreads | {"advantage_step_spread": (0.1, 0.05, 0.3, 0.2, 0.7)[number]}


def two_speeds(name, values, priors, data):
    """Log prior density of strengths of two speeds and of a random-walk advantage."""
    spread = KNOWN | values
    base = 2705.0 * NATURAL if data == "anchored" else 0.0
    slow, fast = values["slow_strength"], values["strength"] - values["slow_strength"]
    share = math.exp(-DECAY[name] / 12.0)
    total = normal(slow.mean(axis=1), (base, values["level_spread"]))
    total += normal(np.diff(slow, axis=1).ravel(), (0.0, spread["slow_spread"]))
    total += normal(fast[:, 0], (0.0, spread["fast_spread"]))
    left = (fast[:, 1:] - share * fast[:, :-1]).ravel()
    total += normal(left, (0.0, spread["fast_spread"] * math.sqrt(1.0 - share**2)))
    total += normal(values["advantage"].mean(), priors["advantage_level"])
    total += normal(np.diff(values["advantage"]), (0.0, spread["advantage_step_spread"]))
    return total + sum(half_normal(values[key], priors[key]) for key in values if key.endswith("_spread"))


def normal(value, prior):
    """Sum of log N(value; mean, sd^2)."""
    mean, sd = prior
    deviation = (np.atleast_1d(value) - mean) / sd
    return float((-0.5 * deviation**2 - math.log(sd * math.sqrt(2.0 * math.pi))).sum())


def half_normal(value, scale):
    """Log density of a positive number with a half-normal or log-normal prior."""
    if isinstance(scale, tuple):
        return normal(math.log(value), scale) - math.log(value)
    return math.log(2.0) + normal(value, (0.0, scale))


def ratings(data, rows):
    """Mean rating of each player in the games with their parameter, natural units."""
    enough = any if data == "anchored" else all
    used = [row for row in rows if enough(row[side] in DATA[data] for side in ("white", "black"))]
    sides = [(row[side], float(row[f"{side}_rating_elo"])) for row in used for side in ("white", "black")]
    return np.array([np.mean([elo for name, elo in sides if name == player]) for player in DATA[data]]) * NATURAL


def log_prior(name, values, priors=None, data="unanchored", rows=()):
    """Log prior density of the parameters of a name."""
    what, total = NAMES[name], 0.0
    priors = priors_of(name) if priors is None else priors
    for parameter in ("log_draw", "log_width", "draw_slope", "anchor_level", "advantage_effect", "log_draw_effect"):
        if parameter in values:
            total += normal(values[parameter], priors[parameter])
    if what["strength"] == "two speeds":
        return total + two_speeds(name, values, priors, data)
    if "anchor_scale" in values:  # its logarithm is normal
        total += normal(math.log(values["anchor_scale"]), priors["log_anchor_scale"]) - math.log(values["anchor_scale"])
    if what["strength"] == "free":
        total += normal(values["strength"], priors["strength"])
    if what["strength"] == "rated":
        listed = ratings(data, rows)
        expected = listed.mean() + values["anchor_scale"] * (listed - listed.mean())
        total += normal(values["strength"] - expected, (0.0, values["rated_spread"]))
        total += half_normal(values["rated_spread"], priors["rated_spread"])
    if what["strength"] == "by days":
        total += by_days(values, data, what.get("smooth", False))
        total += half_normal(values["form_spread"], priors["form_spread"])
        total += half_normal(values["form_length"], priors["form_length"])
    if what["strength"] in ("population", "pooled walk", "by days"):
        level = values["level" if what["strength"] == "by days" else "strength"]
        level = level.mean(axis=1) if what["strength"] == "pooled walk" else level
        total += normal(level, (values["strength_mean"], values["strength_spread"]))
        total += normal(values["strength_mean"], priors["strength_mean"])
        total += half_normal(values["strength_spread"], priors["strength_spread"])
    if what["strength"] == "walk":
        total += normal(values["strength"].mean(axis=1), priors["strength"])
    if what["strength"] == "entering walk":  # nobody enters half a year after the first games here
        begun = values["strength"][np.arange(len(DATA[data])), entered(data)]
        middle = values.get("strength_mean", 2705.0 * NATURAL)
        total += normal(begun, (middle, values["strength_spread"]))
        total += half_normal(values["strength_spread"], priors["strength_spread"])
        total += normal(middle, priors["strength_mean"]) if data == "anchored" else 0.0
    if what.get("context"):
        column = f"strength_{what['context']}"
        total += normal(values[column], (0.0, values[f"{column}_spread"]))
        total += half_normal(values[f"{column}_spread"], priors["strength_context_spread"])
    if "walk" in what["strength"]:  # the mean and the steps of a walk determine it, with a determinant of one
        for player, steps in enumerate(np.diff(values["strength"], axis=1)):
            paces = values["pace"][player, :-1] if what.get("pace") else [0.0] * steps.size
            if what.get("volatility") and not what.get("pace"):
                paces = [values["volatility"][player]] * steps.size
            for step, pace in zip(steps, paces, strict=True):
                total += normal(step, (0.0, values["innovation_spread"] * math.exp(pace)))
        total += half_normal(values["innovation_spread"], priors["innovation_spread"])
    if what.get("volatility"):
        paces = values["pace"].mean(axis=1) if what.get("pace") else values["volatility"]
        total += normal(paces, (0.0, values["volatility_spread"]))
        total += half_normal(values["volatility_spread"], priors["volatility_spread"])
    if what.get("pace"):
        total += normal(np.diff(values["pace"], axis=1), (0.0, values["pace_spread"]))
        total += half_normal(values["pace_spread"], priors["pace_spread"])
    if what["advantage"] == "population":
        total += normal(values["advantage"], (values["advantage_mean"], values["advantage_spread"]))
        total += normal(values["advantage_mean"], priors["advantage_mean"])
        total += half_normal(values["advantage_spread"], priors["advantage_spread"])
    elif what["advantage"] != "none":
        total += normal(values["advantage"], priors["advantage"])
    if what.get("deal"):
        total += normal(values["advantage_deal"], priors["advantage_deal"])
    if what.get("deal") is True:
        total += normal(values["log_width_deal"], (0.0, values["log_width_deal_spread"]))
        total += half_normal(values["log_width_deal_spread"], priors["log_width_deal_spread"])
    if what.get("tendency"):
        total += normal(values["draw_tendency"], (0.0, values["draw_tendency_spread"]))
        total += half_normal(values["draw_tendency_spread"], priors["draw_tendency_spread"])
    return total


def log_outcome(game, score, white, black, lam):
    """Log probability of a score for White (half points: the score times the two logarithms)."""
    if game == "half points":
        return -score * np.logaddexp(0.0, black - white) - (1.0 - score) * np.logaddexp(0.0, white - black)
    if game == "davidson":
        draw = lam + (white + black) / 2.0
        return {0.0: black, 0.5: draw, 1.0: white}[score] - np.logaddexp(np.logaddexp(black, draw), white)
    theta = 1.0 + math.exp(lam)
    win = white - np.logaddexp(white, math.log(theta) + black)
    loss = black - np.logaddexp(black, math.log(theta) + white)
    return {0.0: loss, 0.5: math.log(theta**2 - 1.0) + win + loss, 1.0: win}[score]


def log_margin(game, margin, expected, spread):
    """Log density of a margin: normal, or Student's t with four degrees of freedom."""
    z = (margin - expected) / spread
    if game in ("margin-normal", "index"):
        return -0.5 * z * z - math.log(spread * math.sqrt(2.0 * math.pi))
    constant = math.lgamma(2.5) - math.lgamma(2.0) - 0.5 * math.log(4.0 * math.pi)
    return constant - 2.5 * math.log(1.0 + z * z / 4.0) - math.log(spread)


def with_index(rows):
    """Rows whose margin is divided by its root mean square so far (half-life 200 games), month by month."""
    made, squares, weights = [], 0.0, 0.0
    for month in sorted({int(row["period"]) for row in rows}):
        now = [row for row in rows if int(row["period"]) == month]
        forgets = 0.5 ** (len(now) / 200.0)
        squares = squares * forgets + sum(float(row["margin"]) ** 2 for row in now)
        weights = weights * forgets + len(now)
        made += [{**row, "margin": float(row["margin"]) / math.sqrt(squares / weights)} for row in now]
    return made


def log_likelihood(name, data, values, rows):
    """Log likelihood of the games."""
    what, total = NAMES[name], 0.0
    place = {player: index for index, player in enumerate(DATA[data])}
    middle = values.get("anchor_level", 2705.0 * NATURAL)
    if what["strength"] == "rated":
        middle = ratings(data, rows).mean()
    first = min(int(row["period"]) for row in rows)
    pairs = contexts(what["context"], data) if what.get("context") else []
    if name == "sets":  # margins as if their spread were that of tennis
        used = [row for row in rows if row["white"] in place or row["black"] in place]
        spread = math.sqrt(np.mean([float(row["margin"]) ** 2 for row in used]))
        rows = [{**row, "margin": 29.9 / spread * float(row["margin"])} for row in used]
    if what["game"] == "index":
        rows = with_index([row for row in rows if row["white"] in place or row["black"] in place])
    for row in rows:
        if row["white"] not in place and row["black"] not in place:
            continue  # no parameter is in it
        strength, advantage, tendency = {}, {}, {}
        for side in ("white", "black"):
            player = place.get(row[side])
            if player is None:
                listed = float(row[f"{side}_rating_elo"]) * NATURAL
                strength[side] = middle + values.get("anchor_scale", 1.0) * (listed - middle)
                advantage[side], tendency[side] = values.get("advantage_mean", 0.0), 0.0
                continue
            month = int(row["period"])
            if what["strength"] == "by days":
                form = values["form"][visits(data).index((row[side], month))]
                at = values["level"][player] + np.ravel(form)[0]
            else:
                at = values["strength"][player]
            if what["strength"] in ("walk", "two speeds"):
                at = at[month - first]
            if what["strength"] in ("pooled walk", "entering walk"):
                at = at[(month - 1) // 3 - (first - 1) // 3]
            strength[side] = at
            if what.get("context"):
                level = f"{row[side]}:{row.get(what['context'], 'unknown')}"
                strength[side] = at + values[f"strength_{what['context']}"][pairs.index(level)]
            advantage[side] = values["advantage"][player] if what["advantage"] == "population" else 0.0
            tendency[side] = values["draw_tendency"][player] if what.get("tendency") else 0.0
        lam = values.get("log_draw", 0.0) + tendency["white"] + tendency["black"]
        mean = (strength["white"] + strength["black"]) / 2.0
        lam += values.get("draw_slope", 0.0) * (mean - 2705.0 * NATURAL)
        white, black = strength["white"], strength["black"]
        if what["advantage"] == "population":
            white, black = white + advantage["white"], black - advantage["black"]
        elif what["advantage"] == "common":
            white += values["advantage"]
        elif what["advantage"] == "walking":
            white += values["advantage"][int(row["period"]) - first] * (1.0 - float(row["neutral"]))
        elif what["advantage"] == "neutral":
            white += values["advantage"] * (1.0 - float(row["neutral"]))
        if what.get("rapid"):
            white += float(row["rapid"]) * values["advantage_effect"][0]
            lam += float(row["rapid"]) * values["log_draw_effect"][0]
        if what["game"].startswith("margin") or what["game"] == "index":
            log_width = values.get("log_width", 3.22)
            if what.get("deal"):
                deal = int(row["deal"]) - 1
                white += values["advantage_deal"][deal]
                log_width += values["log_width_deal"][deal] if what["deal"] is True else 0.0
            total += log_margin(what["game"], float(row["margin"]), white - black, math.exp(log_width))
            continue
        total += float(log_outcome(what["game"], float(row["score"]), white, black, lam))
    return total


def log_density(name, data, values, rows, priors=None):
    """Log prior + log likelihood of a name on a data set at a point."""
    return log_prior(name, values, priors, data, rows) + log_likelihood(name, data, values, rows)


def main():
    """Write beyond_logp.json beside this file."""
    rows = games()
    values = {
        f"{name}--{data}": [round(log_density(name, data, point(name, data, i), rows), 9) for i in range(POINTS)]
        for name in NAMES
        for data in DATA
    }
    lines = ",\n".join(f'  "{name}": {json.dumps(found)}' for name, found in values.items())
    (HERE / "beyond_logp.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
