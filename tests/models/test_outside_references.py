"""Maximum likelihood estimates printed elsewhere, reached by the models' own log density with priors that are flat.

One player of each table is the reference: not monitored, so that their strength is anchored at 0. Ties of a half-point
model are half wins. Standard errors come from finite differences of the model's own gradient.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from own_units import Density
from scipy.optimize import minimize

from halfpoint.games.cells import merge
from halfpoint.games.select import select
from halfpoint.games.table import GameTable, code_players
from halfpoint.games.units import ELO_PER_NATURAL
from halfpoint.models import bradley_terry, davidson
from halfpoint.models.catalogue import find

TABLES = sorted((Path(__file__).parent.parent / "reference" / "counts").glob("*.json"))
FLAT = 1e4  # standard deviation of a flat prior, natural units: moves an estimate by less than 1e-7


def games_of(counts):
    """One weighted row for each pair and outcome; the anchored player's rating is 0 Elo."""
    rows = [
        (white, black, score, number)
        for white, black, *numbers in counts
        for score, number in zip((1.0, 0.5, 0.0), numbers, strict=True)
        if number
    ]
    players, white, black = code_players([row[0] for row in rows], [row[1] for row in rows])
    zero = np.zeros(len(rows))
    score, weight = np.array([row[2] for row in rows]), np.array([float(row[3]) for row in rows])
    return GameTable(players, white, black, score, weight=weight, white_rating_elo=zero, black_rating_elo=zero)


class Fit:
    """The maximum of a model's log density in natural units, its standard errors, and the log likelihood there."""

    def __init__(self, counts, model, reference):
        entry = find(model)
        elo = entry.family == "bradley_terry"
        unit = ELO_PER_NATURAL if elo else 1.0
        flat = (0.0, FLAT * unit)
        games = games_of(counts)
        monitored = games.players[games.players != reference]
        cells = merge(select(games, monitored))
        if elo:
            built = bradley_terry.build(cells, entry.advantage, bradley_terry.Priors(flat, flat))
            names = ["rating"]
        else:
            built = davidson.build(cells, entry.advantage, davidson.Priors(flat, flat, flat))
            names = ["strength", "log_draw"]
        names += ["advantage"] if entry.advantage != "none" else []
        density = Density(built, names)
        start = np.zeros(density.unit.size)
        found = minimize(
            lambda raw: tuple(
                -one * scale for one, scale in zip(density(raw * density.unit), (1, density.unit), strict=True)
            ),
            start,
            jac=True,
            method="BFGS",
            options={"gtol": 1e-9},
        )
        best = found.x * density.unit
        steps = 1e-3 * density.unit * np.eye(best.size)
        hessian = [(density(best + s)[1] - density(best - s)[1]) / (2 * s.sum()) for s in steps]
        error = np.sqrt(np.diag(np.linalg.inv(-np.array(hessian))))
        labels = [*monitored.tolist(), *names[1:]]
        self.value = dict(zip(labels, (best / unit).tolist(), strict=True))
        self.error = dict(zip(labels, (error / unit).tolist(), strict=True))
        flat_density = best.size * math.log(FLAT * unit * math.sqrt(2 * math.pi))
        self.log_likelihood = density(best)[0] + flat_density


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_printed_estimates(path):
    table = json.loads(path.read_text(encoding="utf-8"))
    fit = Fit(table["counts"], table["model"], table["reference"])
    half_digit = 0.5 * 10.0 ** -table["digits"] * 1.02
    if "worth" in table:  # geometric mean 1
        level = np.mean([fit.value.get(player, 0.0) for player in table["worth"]])
        found = {player: math.exp(fit.value.get(player, 0.0) - level) for player in table["worth"]}
        assert found == pytest.approx(table["worth"], abs=half_digit)
        return
    printed = table["strength"] | {key: table[key] for key in ("advantage", "log_draw") if key in table}
    found = {name: value / table.get("scale", 1.0) for name, value in fit.value.items()}
    assert found == pytest.approx(printed, abs=half_digit)
    if "printed_after_seven_steps" in table:
        assert found == pytest.approx(table["printed_after_seven_steps"], abs=2e-4)
    if "standard_error" in table:
        # R's glm gives the errors of its last but one iteration, 1.3e-5 off for one tennis player
        assert fit.error == pytest.approx(table["standard_error"], abs=max(half_digit, 2e-5))
    if "log_likelihood" in table:
        digits = table.get("log_likelihood_digits", table["digits"])
        assert fit.log_likelihood == pytest.approx(table["log_likelihood"], abs=0.51 * 10.0**-digits)


def test_two_players_in_closed_form():
    # theta = log(w / l) and nu = d / sqrt(w l) (Davidson 1970); half wins give log((w + d / 2) / (l + d / 2)).
    fit = Fit([["first", "second", 30, 50, 20]], "davidson", "second")
    assert fit.value == pytest.approx({"first": math.log(1.5), "log_draw": math.log(50 / math.sqrt(600))}, abs=1e-6)
    fit = Fit([["first", "second", 30, 50, 20]], "bt", "second")
    assert fit.value == pytest.approx({"first": math.log(55 / 45)}, abs=1e-6)


def test_a_cycle_of_three_leaves_nobody_ahead():
    fit = Fit([["a", "b", 1, 0, 0], ["b", "c", 1, 0, 0], ["c", "a", 1, 0, 0]], "bt", "c")
    assert fit.value == pytest.approx({"a": 0.0, "b": 0.0}, abs=1e-6)


def test_equal_scores_in_a_balanced_design_are_equal_strengths():
    # Davidson (1970), section 3: with equally many games a pair, the order of the strengths is that of the scores.
    results = [["a", "b", 3, 1, 0], ["a", "c", 0, 2, 2], ["a", "d", 2, 1, 1], ["b", "c", 3, 1, 0]]
    results += [["b", "d", 1, 2, 1], ["c", "d", 2, 0, 2]]
    score = dict.fromkeys("abcd", 0.0)
    for first, second, win, draw, loss in results:
        score[first] += win + draw / 2
        score[second] += loss + draw / 2
    fit = Fit(results, "davidson", "d")
    value = fit.value | {"d": 0.0}
    assert score == {"a": 7.0, "b": 6.0, "c": 5.5, "d": 5.5}
    assert value["a"] > value["b"] > value["c"] + 0.01
    assert value["c"] == pytest.approx(value["d"], abs=1e-6)
