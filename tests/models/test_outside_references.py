"""Published maximum likelihood estimates, reproduced by the models' log density with flat priors.

One player of each table is the reference: they are not monitored, so their strength is anchored at 0. Ties of a
half-point model are half wins. Standard errors come from finite differences of the model's own gradient.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.nutpie_model import log_likelihood
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players

TABLES = sorted((Path(__file__).parent.parent / "reference" / "counts").glob("*.json"))
FLAT = (0.0, 1e4)  # mean and standard deviation of a flat prior, natural units: moves an estimate by less than 1e-7


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
    """Maximum of a model's log density in natural units, its standard errors, and the log likelihood there."""

    def __init__(self, counts, model, reference):
        row = find(model)
        flat = {name: FLAT for name in ("strength", "advantage", "log_draw") if name in row.parameters}
        games = games_of(counts)
        monitored = games.players[games.players != reference]
        declared = declare(row.but("flat", **flat), select(games, monitored))
        numbers = numbers_of(declared)
        log_density, size = density(numbers), declared.layout.count
        found = minimize(
            lambda x: tuple(-one for one in log_density(x)),
            np.zeros(size),
            jac=True,
            method="BFGS",
            options={"gtol": 1e-9},
        )
        best = found.x
        moves = 1e-3 * np.eye(size)
        hessian = [(log_density(best + s)[1] - log_density(best - s)[1]) / (2 * s.sum()) for s in moves]
        error = np.sqrt(np.diag(np.linalg.inv(-np.array(hessian))))
        at = expand(declared, numbers, np.stack([best, best + 1.0]))  # independent normal parameters in units of theirs
        labels = {"strength": monitored.tolist()}
        values = {name: np.atleast_1d(at[name][0]) for name in at}
        units = np.concatenate([np.atleast_1d(at[name][1] - at[name][0]) for name in at])
        names = [label for name in at for label in labels.get(name, [name])]
        self.value = dict(zip(names, np.concatenate(list(values.values())).tolist(), strict=True))
        self.error = dict(zip(names, (error * units).tolist(), strict=True))
        self.log_likelihood = float(log_likelihood(declared, numbers, {name: at[name][:1] for name in at})[0])


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
