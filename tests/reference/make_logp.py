"""Write logp.json: the log density of each name of the catalogue in each edition, by formulas independent of halfpoint.

    log p(parameters) = sum of log N(parameter; mean, sd^2) + sum over games of omega log L(game)

One loop over the games, in the parameters' own units, without merging or scaling. The priors and weights below state
what a name and an edition mean (Pires 2014, eq. 46, 48, 49 to 61 and 75, and the rules with which the printed numbers
were computed). A change in any value of logp.json is another model and needs another name.

Run as `python tests/reference/make_logp.py`; needs NumPy only.
"""

import csv
import json
import math
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
EDITIONS = ("computed", "described", "corrected")
NAMES = tuple(
    f"{stem}{end}{weighted}"
    for stem in ("bt", "davidson")
    for weighted in ("", "-weighted")
    for end in ("", "-common", "-player")
)
NATURAL = math.log(10.0) / 400.0
MONITORED = ("Ada", "Boris", "Chen", "Dora", "Emil")

# Three points in the parameters' own units, Elo points for Bradley-Terry and natural units for Davidson.
RATINGS = ([2705.0] * 5, [2731.5, 2688.0, 2740.25, 2651.0, 2712.0], [2900.0, 2500.0, 2777.0, 2555.5, 2610.0])
COMMON_ELO = (0.0, 41.7, -25.0)
HALVES_ELO = ([0.0] * 5, [20.0, 35.0, -5.0, 12.5, 50.0], [-40.0, 80.0, 10.0, 0.5, 120.0])
STRENGTHS = ([15.57] * 5, [15.72, 15.48, 15.77, 15.26, 15.61], [16.7, 14.4, 15.99, 14.7, 15.02])
COMMON = (0.0, 0.24, -0.15)
HALVES = ([0.0] * 5, [0.12, 0.2, -0.03, 0.07, 0.29], [-0.23, 0.46, 0.06, 0.003, 0.7])
LOG_DRAW = (0.0, 1.1, -0.6)


def games():
    """Rows of small_games.csv, invented games with five monitored and three anchored players."""
    with (HERE / "small_games.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def kind(name):
    """Return (family, advantage, True if weighted) of a name of the catalogue."""
    words = name.split("-")
    advantage = next((word for word in ("common", "player") if word in words), "none")
    return words[0], advantage, words[-1] == "weighted"


def point(name, number):
    """Parameters of a name at one of the three points."""
    family, advantage, _ = kind(name)
    elo = family == "bt"
    values = {"rating": RATINGS[number]} if elo else {"strength": STRENGTHS[number], "log_draw": LOG_DRAW[number]}
    if advantage == "common":
        values["advantage"] = COMMON_ELO[number] if elo else COMMON[number]
    if advantage == "player":
        values["advantage"] = HALVES_ELO[number] if elo else HALVES[number]
    return values


def priors(name, edition):
    """Return {parameter: (mean, standard deviation)} of a name in an edition."""
    family, advantage, _ = kind(name)
    if family == "bt":
        narrow = edition == "computed" and advantage == "common"
        table = {"rating": (2705.0, 400.0), "advantage": (0.0 if narrow else 50.0, 40.0)}
    elif edition != "computed":
        table = {"strength": (15.0, 400.0), "advantage": (1.0, 10.0), "log_draw": (1.0, 5.0)}
    elif advantage == "player":
        table = {"strength": (15.571, 400.0), "advantage": (1.0, 10.0), "log_draw": (1.0, 5.0)}
    else:
        table = {"strength": (15.571, 0.4174), "advantage": (1.0, 10.0), "log_draw": (1.0, 1.0)}
    if advantage == "none":
        del table["advantage"]
    return table


def omegas(name, edition, rows):
    """Weight of each game."""
    if not kind(name)[2]:
        return [1.0] * len(rows)
    times = [float(row["period"]) for row in rows]
    first, last = min(times), max(times)
    if edition == "computed":  # the oldest games weigh most
        found = [1.0 / math.sqrt((1.0 + t - first) / (1.0 + last - first)) for t in times]
    else:
        found = [1.0 / math.sqrt((1.0 + last - t) / (1.0 + last - first)) for t in times]
    if edition == "corrected":
        mean = sum(found) / len(found)
        found = [value / mean for value in found]
    return found


def log_likelihood(name, values, rows, weights):
    """Weighted log likelihood of the games."""
    family, advantage, _ = kind(name)
    bt = family == "bt"
    place = {player: index for index, player in enumerate(MONITORED)}
    anchored_half = 0.0 if bt else 0.1
    total = 0.0
    for row, omega in zip(rows, weights, strict=True):
        level, half = {}, {}
        for side in ("white", "black"):
            player, known = row[side], float(row[f"{side}_rating_elo"])
            if player in place:
                level[side] = values["rating" if bt else "strength"][place[player]]
                half[side] = values["advantage"][place[player]] if advantage == "player" else 0.0
            else:
                level[side] = known if bt else known * NATURAL
                half[side] = anchored_half
        if advantage == "none":
            first, second = 0.0, 0.0
        elif advantage == "common":
            first, second = values["advantage"], 0.0
        else:
            first, second = half["white"], half["black"]
        score = float(row["score"])
        if bt:
            p = 1.0 / (1.0 + 10.0 ** ((level["black"] - level["white"] - first - second) / 400.0))
            total += omega * (score * math.log(p) + (1.0 - score) * math.log(1.0 - p))
            continue
        win = math.exp(level["white"] + first)
        loss = math.exp(level["black"] - second)
        draw = math.exp(values["log_draw"] + (level["white"] + first + level["black"] - second) / 2.0)
        total += omega * math.log({0.0: loss, 0.5: draw, 1.0: win}[score] / (loss + draw + win))
    return total


def log_density(name, edition, values, rows):
    """Log prior + log likelihood of a name in an edition at a point."""
    total = log_likelihood(name, values, rows, omegas(name, edition, rows))
    for parameter, (mean, sd) in priors(name, edition).items():
        deviation = (np.atleast_1d(values[parameter]) - mean) / sd
        total += float((-0.5 * deviation**2 - math.log(sd * math.sqrt(2.0 * math.pi))).sum())
    return total


def main():
    """Write logp.json beside this file."""
    rows = games()
    values = {
        f"{name}--{edition}": [round(log_density(name, edition, point(name, number), rows), 9) for number in range(3)]
        for name in NAMES
        for edition in EDITIONS
    }
    lines = ",\n".join(f'  "{name}": {json.dumps(found)}' for name, found in values.items())
    (HERE / "logp.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
