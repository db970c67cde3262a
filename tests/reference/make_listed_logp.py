"""Write listed_logp.json: log densities of the models of a printed list, by formulas independent of halfpoint.

    log p(parameters) = sum of log priors + sum over games of log P(outcome)

in natural units and in the parameters that a trace shows. One loop over the games of beyond_games.csv, whose ratings
are made to move from month to month; the places and the tempo of each game are invented too. Probabilities come from
the quadratic equation of the expected score, not from halfpoint's closed form. To write it again:
`python tests/reference/make_listed_logp.py`.
"""

import json
import math
from pathlib import Path

import numpy as np
from make_beyond_logp import DATA, NATURAL, games, half_normal, normal

HERE = Path(__file__).parent
POINTS = 5
NAMES = ("listed", "listed-draws", "listed-full")
PLACES = ("Aachen", "Brno", "Cork")


def rows():
    """Games with changing ratings, a place and a time control."""
    found = games()
    for number, row in enumerate(found):
        for side in ("white", "black"):
            drift = 15 * ((int(row["period"]) * 7 + 3 * len(row[side])) % 5 - 2)
            row[f"{side}_rating_elo"] = float(row[f"{side}_rating_elo"]) + drift
        row |= {"event": PLACES[(number * 7) % 5 % 3], "fast": float(row["rapid"])}
    return found


def point(name, data, number):
    """Parameters of a name at one of five points; the last point is far out, where priors matter."""
    player = np.arange(len(DATA[data]))
    values = {
        "anchor_scale": (1.0, 0.9, 1.4, 0.5, 3.0)[number],
        "shrink": (0.0, 0.6, -0.4, 1.1, 2.5)[number],
        "strength": (0.0, 0.1, 0.3, 0.05, 1.5)[number] * np.sin(1.0 + 1.7 * player + number),
        "strength_spread": (0.1, 0.07, 0.3, 0.02, 0.9)[number],
        "advantage": (0.0, 0.24, -0.15, 0.6, 2.0)[number],
        "log_draw": (0.0, 1.1, -0.6, 0.4, 2.5)[number],
    }
    if name != "listed":
        values |= {
            "draw_slope": (0.0, 0.11, -0.2, 0.3, 0.9)[number],
            "draw_gap": (0.0, -0.26, 0.1, 0.4, -0.8)[number],
            "draw_signed_gap": (0.0, -0.2, 0.5, 0.1, 1.1)[number],
            "draw_tendency": (0.0, 0.2, 0.5, 0.3, 1.5)[number] * np.sin(2.0 * player + number) - 0.05,
            "draw_tendency_spread": (0.3, 0.36, 0.1, 0.6, 1.4)[number],
        }
    if name == "listed-full":
        values |= {
            "log_draw_effect": np.array([(0.0, -0.5, 0.3, -0.9, 1.2)[number]]),
            "log_draw_event": (0.0, 0.2, 0.4, 0.1, 0.9)[number] * np.cos(np.arange(3) + number),
            "log_draw_event_spread": (0.2, 0.23, 0.05, 0.5, 1.1)[number],
        }
    return values


def log_prior(values):
    """Log prior density of the parameters."""
    total = normal(math.log(values["anchor_scale"]), (0.0, 1.0)) - math.log(values["anchor_scale"])
    total += normal(values["shrink"], (0.0, 1.0)) + normal(values["advantage"], (0.0, 1.0))
    total += normal(values["log_draw"], (1.0, 5.0))
    total += normal(values["strength"], (0.0, values["strength_spread"]))
    total += half_normal(values["strength_spread"], 50.0 * NATURAL)
    for slope in ("draw_slope", "draw_gap", "draw_signed_gap", "log_draw_effect"):
        total += normal(values[slope], (0.0, 1.0)) if slope in values else 0.0
    for members in ("draw_tendency", "log_draw_event"):
        if members in values:
            total += normal(values[members], (0.0, values[f"{members}_spread"]))
            total += half_normal(values[f"{members}_spread"], 0.5)
    return total


def means(table):
    """Mean of each side's ratings so far, one a month, including the month of the game."""
    found = []
    for row in table:
        pair = {}
        for side in ("white", "black"):
            months = {}
            for other in table:
                for seat in ("white", "black"):
                    month = int(other["period"])
                    if other[seat] == row[side] and month <= int(row["period"]):
                        months.setdefault(month, other[f"{seat}_rating_elo"])
            pair[side] = sum(months.values()) / len(months)
        found.append(pair)
    return found


def log_likelihood(data, values, table):
    """Log likelihood of the games of players with parameters."""
    place, total = {player: index for index, player in enumerate(DATA[data])}, 0.0
    used = [row for row in table if place.keys() & {row["white"], row["black"]}]
    if data == "unanchored":
        used = [row for row in table if place.keys() >= {row["white"], row["black"]}]
    for row, mean in zip(used, means(used), strict=True):
        strength, tendency = {}, {}
        for side in ("white", "black"):
            player, rating = place.get(row[side]), row[f"{side}_rating_elo"]
            if player is not None:
                rating += values["shrink"] * (mean[side] - rating)
            own = 0.0 if player is None else values["strength"][player]
            strength[side] = values["anchor_scale"] * rating * NATURAL + own
            drawish = "draw_tendency" in values and player is not None
            tendency[side] = values["draw_tendency"][player] if drawish else 0.0
        lead = row["white_rating_elo"] - row["black_rating_elo"]
        level = (row["white_rating_elo"] + row["black_rating_elo"]) / 2.0
        lam = values["log_draw"] + tendency["white"] + tendency["black"]
        lam += values.get("draw_slope", 0.0) * (level - 2600.0) / 100.0
        lam += values.get("draw_gap", 0.0) * abs(lead) / 100.0 + values.get("draw_signed_gap", 0.0) * lead * NATURAL
        if "log_draw_event" in values:
            lam += values["log_draw_effect"][0] * row["fast"] + values["log_draw_event"][PLACES.index(row["event"])]
        total += log_outcome(float(row["score"]), strength["white"] - strength["black"] + values["advantage"], lam)
    return total


def log_outcome(score, u, lam):
    """Log probability of a score for White; the root of the odds solves a quadratic equation."""
    expected, nu = 1.0 / (1.0 + math.exp(-u)), math.exp(lam)
    ahead = nu * (expected - 0.5)
    odds = (ahead + math.sqrt(ahead**2 + 4.0 * expected * (1.0 - expected))) / (2.0 * (1.0 - expected))
    share = {0.0: 1.0 / odds, 0.5: nu, 1.0: odds}[score]
    return math.log(share / (1.0 / odds + nu + odds))


def main():
    """Write listed_logp.json beside this file."""
    table = rows()
    values = {
        f"{name}--{data}": [
            round(log_prior(point(name, data, i)) + log_likelihood(data, point(name, data, i), table), 9)
            for i in range(POINTS)
        ]
        for name in NAMES
        for data in DATA
    }
    lines = ",\n".join(f'  "{name}": {json.dumps(found)}' for name, found in values.items())
    (HERE / "listed_logp.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
