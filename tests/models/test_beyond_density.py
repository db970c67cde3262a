"""A frozen name beyond the study keeps its log density, up to a constant, whatever is sampled.

Stored values come from formulas in plain Python, `tests/reference/make_beyond_logp.py`.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import make_beyond_logp as outside
import numpy as np
import pytest
from natural_density import NaturalDensity

from halfpoint.games.readers.csv_files import read_csv
from halfpoint.games.select import select
from halfpoint.models import extended, pooled
from halfpoint.models.beyond import EXTENDED, prepare
from halfpoint.models.catalogue import declare, priors

REFERENCE = Path(__file__).parent.parent / "reference"
STORED = json.loads((REFERENCE / "beyond_logp.json").read_text(encoding="utf-8"))
ROWS = outside.games()
CASES = [(name, data) for name in EXTENDED for data in outside.DATA]
SIGNED = ("advantage", "draw_slope", "draw_tendency", "advantage_effect", "log_draw_effect")  # priors do not see a sign
NEAR = {"abs": 1e-6, "rel": 1e-9}


@cache
def selection(data):
    games = read_csv(REFERENCE / "beyond_games.csv", covariates=("rapid",))
    return select(games, outside.DATA[data], "any" if data == "anchored" else "both")


def steps(values):
    """Return the values at the other points less that at the first: the constant falls out."""
    return np.asarray(values[1:]) - values[0]


def at_points(model, name, data):
    """Return the differences of the model's log density between the five points."""
    points = [outside.point(name, data, number) for number in range(outside.POINTS)]
    positive = [key for key in points[0] if key.endswith("_spread") or key == "anchor_scale"]
    density = NaturalDensity(model, tuple(points[0]), positive)
    return steps([density(point) for point in points])


@cache
def declared(name, data):
    return at_points(declare(name, selection(data)).model, name, data)


def test_every_name_has_frozen_values():
    """A new row of the catalogue needs a row in make_beyond_logp.py: its docstring says how."""
    assert set(EXTENDED) == set(outside.NAMES)
    assert set(STORED) == {f"{name}--{data}" for name, data in CASES}


def test_the_stored_values_are_those_of_the_script_beside_them():
    for key, stored in STORED.items():
        name, data = key.split("--")
        values = [outside.log_density(name, data, outside.point(name, data, i), ROWS) for i in range(outside.POINTS)]
        assert values == pytest.approx(stored, abs=1e-8)


@pytest.mark.parametrize(("name", "data"), CASES)
def test_log_density_is_the_frozen_one(name, data):
    assert declared(name, data) == pytest.approx(steps(STORED[f"{name}--{data}"]), **NEAR)


@pytest.mark.parametrize("name", EXTENDED)
def test_both_editions_have_these_priors(name):
    assert priors(EXTENDED[name], "described") == priors(EXTENDED[name], "corrected") == extended.Priors()


@pytest.mark.parametrize(("name", "data"), CASES)
def test_a_planted_error_is_found(name, data):
    """Each prior a hundredth wider or moved, each signed effect turned, colours turned: none passes for the model."""
    values = [outside.point(name, data, number) for number in range(outside.POINTS)]
    found = declared(name, data)

    def passes(density):
        return steps([density(point) for point in values]) == pytest.approx(found, **NEAR)

    def right(point, rows=ROWS, **priors):
        return outside.log_density(name, data, point, rows, {**outside.PRIORS, **priors})

    assert passes(right)
    used = {"strength", *values[0]} | ({"log_anchor_scale"} if "anchor_scale" in values[0] else set())
    has_prior = used & set(outside.PRIORS)
    if "strength_mean" in has_prior:
        has_prior -= {"strength"}  # their prior is the population
    if "rated_spread" in has_prior:
        has_prior -= {"strength"}  # theirs are their ratings
    if "advantage_mean" in has_prior:
        has_prior -= {"advantage"}
    for parameter in has_prior:
        prior = outside.PRIORS[parameter]
        if isinstance(prior, float):
            wrong = [prior * 1.01]
        else:
            wrong = [(prior[0], prior[1] * 1.01), (prior[0] + 0.01 * prior[1], prior[1])]
        for changed in wrong:
            assert not passes(lambda p, k=parameter, c=changed: right(p, **{k: c})), (parameter, changed)
    for parameter in set(SIGNED) & set(values[0]):
        assert not passes(lambda p, k=parameter: right({**p, k: -np.asarray(p[k])})), parameter
    turned = [{**row, "white": row["black"], "black": row["white"]} for row in ROWS]
    assert not passes(lambda p: right(p, turned))


FORMS = [
    (name, field, form)
    for name, entry in EXTENDED.items()
    for field, forms, has in (
        ("form", ("centred", "non-centred"), entry.advantage == "pooled"),
        ("walk", ("waves", "increments", "centred"), entry.strength == "walk"),
    )
    if has
    for form in forms
]


@pytest.mark.parametrize("data", outside.DATA)
@pytest.mark.parametrize(("name", "field", "form"), FORMS)
def test_what_is_sampled_leaves_the_density_alone(name, field, form, data):
    entry = replace(EXTENDED[name], **{field: form})
    model = prepare(entry, selection(data))[1]
    assert at_points(model, name, data) == pytest.approx(steps(STORED[f"{name}--{data}"]), **NEAR)


@pytest.mark.parametrize("guess", [0.0, 0.4, 50.0])
@pytest.mark.parametrize("name", [name for name, entry in EXTENDED.items() if entry.strength == "pooled"])
def test_how_far_a_population_is_centred_leaves_the_density_alone(name, guess, monkeypatch):
    """From not at all to wholly, by the first guess of its spread."""
    monkeypatch.setattr(pooled, "guess_spread", lambda *_: guess)
    model = declare(name, selection("anchored")).model
    assert at_points(model, name, "anchored") == pytest.approx(steps(STORED[f"{name}--anchored"]), **NEAR)
