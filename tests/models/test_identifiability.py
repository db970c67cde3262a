"""Partners: effect of a pair beyond the mean of its strengths, in any order and with any shares."""

from dataclasses import replace

import make_beyond_logp as outside
import numpy as np
import pandas as pd
import pytest
from graph_density import own_density
from natural_density import NaturalDensity
from scipy.stats import kstest

from halfpoint.evaluation.matches import meeting
from halfpoint.inference.forecast import forecast
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import BRIDGE, declare, find, with_effects
from halfpoint.models.declaration.posterior_reader import draws_of, reading_of
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select
from halfpoint.models.rows.effects import Effects
from halfpoint.readers.read import read

PEOPLE = ("Ann", "Bob", "Cid", "Dan", "Eve")
ROWS = [
    ("Bob + Ann", "Cid + Dan", 4.0, "one"),
    ("Cid + Ann", "Bob + Eve", -7.0, "one"),
    ("Dan + Cid", "Ann + Bob", 2.5, "two"),
    ("Eve", "Ann + Cid", 1.0, "two"),
    ("Ann + Bob", "Dan + Cid", 0.0, "two"),
]
PAIRS = ("Ann + Bob", "Ann + Cid", "Bob + Eve", "Cid + Dan")


def frame(rows=ROWS):
    made = pd.DataFrame(rows, columns=["white", "black", "margin", "deal"])
    return made.assign(score=(1.0 + np.sign(made["margin"])) / 2.0)


def played(rows=ROWS):
    return read(frame(rows), sides="+", covariates=("deal",))


def everybody(games):
    return select(games, games.people, "both")


def log_density(name, values):
    """Log density of a model on these games by its formula, game by game."""
    total = outside.normal(values["strength"], (values["strength_mean"], values["strength_spread"]))
    total += outside.normal(values["strength_mean"], (0.0, 1.0)) + outside.half_normal(values["strength_spread"], 4.0)
    total += outside.normal(values["log_width"], (1.5, 1.0))
    total += outside.normal(values["strength_partners"], (0.0, values["strength_partners_spread"]))
    total += outside.half_normal(values["strength_partners_spread"], 1.0)
    total += outside.normal(values["advantage_deal"], (0.0, 10.0))
    deals_differ = name != "bridge-ability-even"
    if deals_differ:
        total += outside.normal(values["log_width_deal"], (0.0, values["log_width_deal_spread"]))
        total += outside.half_normal(values["log_width_deal_spread"], 0.5)
    for white, black, margin, deal in ROWS:
        worth = []
        for side in (white, black):
            people = sorted(side.split(" + "))
            mean = np.mean([values["strength"][PEOPLE.index(one)] for one in people])
            worth.append(mean + (values["strength_partners"][PAIRS.index(" + ".join(people))] if people[1:] else 0.0))
        which = ("one", "two").index(deal)
        expected = worth[0] - worth[1] + values["advantage_deal"][which]
        spread = float(np.exp(values["log_width"] + (values["log_width_deal"][which] if deals_differ else 0.0)))
        total += outside.log_margin(
            {"bridge-ability-t": "margin-t"}.get(name, "margin-normal"), margin, expected, spread
        )
    return total


def values_at(number):
    chance = np.random.default_rng(number)
    return {
        "strength": 2.0 * chance.normal(size=5),
        "strength_mean": chance.normal(),
        "strength_spread": float(np.exp(chance.normal())),
        "log_width": 1.0 + chance.normal(),
        "strength_partners": chance.normal(size=4),
        "strength_partners_spread": float(np.exp(chance.normal())),
        "advantage_deal": 5.0 * chance.normal(size=2),
        "log_width_deal": 0.5 * chance.normal(size=2),
        "log_width_deal_spread": float(np.exp(chance.normal() - 1.0)),
    }


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", BRIDGE)
def test_the_density_on_sides_of_two_is_the_formula_written_apart(name):
    declared = declare(name, everybody(played()))
    assert declared.coords["partners"] == list(PAIRS)
    points = [values_at(number) for number in range(4)]
    if name == "bridge-ability-even":
        points = [{key: value for key, value in point.items() if "log_width_deal" not in key} for point in points]
    positive = [key for key in points[0] if key.endswith("_spread")]
    density_of = NaturalDensity(declared.model, tuple(points[0]), positive)
    found = np.array([density_of(point) for point in points])
    expected = np.array([log_density(name, point) for point in points])
    np.testing.assert_allclose(found - found[0], expected - expected[0], rtol=1e-9, atol=1e-8)
    own, compiled = own_density(declared.model), density(numbers_of(declared))
    x = np.random.default_rng(5).standard_normal(declared.layout.count)
    (value, gradient), (own_value, own_gradient) = compiled(x), own(x)
    assert value == pytest.approx(own_value, rel=1e-11)
    np.testing.assert_allclose(gradient, own_gradient, rtol=1e-8, atol=1e-8)


@pytest.fixture(scope="module")
def trace():
    return sample(declare("bridge-ability", everybody(played())), draws=60, tune=100, chains=2, seed=3, adapt=False)


def test_forecasts_know_partners_in_any_order_and_draw_new_ones_from_their_spread(trace):
    p = draws_of(trace["posterior"].to_dataset())
    coming = [("bob + ann", "Dan + Cid", 0.0, "three"), ("Ann + Dan", "Eve", 0.0, "three")]
    found = forecast(trace, read(frame(coming), sides="+", covariates=("deal",))).margin
    mean, brought = (lambda *who: p["strength"][:, list(who)].mean(axis=1)), p["strength_partners"]
    known = mean(0, 1) + brought[:, 0] - mean(2, 3) - brought[:, 3]
    np.testing.assert_allclose(found.location[..., 0].ravel(), known, rtol=1e-10, atol=1e-12)
    drawn = (found.location[..., 1].ravel() - (mean(0, 3) - mean(4))) / p["strength_partners_spread"]
    assert kstest(drawn, "norm").pvalue > 0.01  # never seen together: any pair of their kind


def test_a_match_between_sides_counts_what_partners_bring(trace):
    p, reading = draws_of(trace["posterior"].to_dataset()), reading_of(trace)
    here = (
        p["strength"][:, [0, 1]].mean(axis=1) + p["strength_partners"][:, 0],
        p["strength"][:, [2, 3]].mean(axis=1) + p["strength_partners"][:, 3],
    )
    expected = np.exp(reading.outcome.log_probability(*here, p["log_width"]))
    found = meeting(reading, "Bob + Ann", "cid+dan")[:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_partners_of_doubles_by_the_option_of_effects():
    model = with_effects(find("davidson-population"), ["strength ~ 1 | partners"])
    declared = declare(model, everybody(played()))
    names = [law.name for law in declared.laws]
    assert {"strength_partners", "strength_partners_spread"} <= set(names)
    own, compiled = own_density(declared.model), density(numbers_of(declared))
    x = np.random.default_rng(2).standard_normal(declared.layout.count)
    assert compiled(x)[0] == pytest.approx(own(x)[0], rel=1e-11)


def test_single_players_have_no_partners():
    rows = [("Ann", "Bob", 1.0, "one"), ("Cid", "Ann", -2.0, "two")]
    games = read(frame(rows), covariates=("deal",))
    declared = declare("bridge-ability", select(games, games.players, "both"))
    assert not [law.name for law in declared.laws if "partners" in law.name]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"formulas": {"advantage": "1 | partners"}}, "partners belong to a side"),
        ({"formulas": {"strength": "1 | club"}}, "its effect cancels"),
    ],
)
def test_what_cannot_be_said_of_effects_is_refused_in_one_line(options, says):
    with pytest.raises(ModelError) as caught:
        Effects(**options)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_without_its_deal_is_told():
    games = replace(played(), covariates={"margin": played().covariates["margin"]})
    with pytest.raises(ModelError, match="expected the column 'deal'"):
        declare("bridge-ability", everybody(games))
