"""A name of the catalogue keeps its log density, for any sampled coordinates.

Stored values come from formulas in plain Python, `tests/reference/make_logp.py` for the study's twelve models and
`tests/reference/make_beyond_logp.py` for the others. Those of the twelve are absolute; the others are compared up to a
constant.
"""

import json
from functools import cache
from pathlib import Path

import make_beyond_logp as outside
import make_logp
import numpy as np
import pytest
from covering_rows import COVERING, FEW, by_row
from few_cases import few
from graph_density import own_density
from natural_density import NaturalDensity

from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.models.declaration.catalogue import (
    BEYOND,
    BRIDGE,
    BY_DAYS,
    CATALOGUE,
    CONTEXTS,
    EDITIONS,
    FURTHER,
    GOALS,
    LISTED,
    MATCHED,
    SETS,
    TWELVE,
    TWO_SPEEDS,
    declare,
    find,
)
from halfpoint.models.games.select import select
from halfpoint.models.games.units import to_natural
from halfpoint.models.reading.transforms import PartlyCentred, Shrunk, Units
from halfpoint.readers.read import read

REFERENCE = Path(__file__).parent.parent / "reference"
STUDY = json.loads((REFERENCE / "logp.json").read_text(encoding="utf-8"))
STORED = json.loads((REFERENCE / "beyond_logp.json").read_text(encoding="utf-8"))
STUDY_ROWS, ROWS = make_logp.games(), outside.games()
SLOW = pytest.mark.slow
# whose formulas are written apart here
APART = (*FURTHER, *CONTEXTS, *MATCHED, *GOALS, *BRIDGE, *TWO_SPEEDS, *SETS, *BY_DAYS)
CASES = [(name, data) for name in APART for data in outside.DATA]
FIRST = next(iter(outside.DATA))
ANCHORED = [pytest.param(*case, marks=() if case[1] == FIRST and case[0] in COVERING else SLOW) for case in CASES]
STUDIED = few([(name, edition) for edition in EDITIONS for name in TWELVE], 12)
SIGNED = ("advantage", "draw_slope", "draw_tendency", "advantage_effect", "log_draw_effect")  # priors do not see a sign
NEAR = {"abs": 1e-6, "rel": 1e-9}


def steps(values):
    """Values at the other points relative to the first, without the constant."""
    return np.asarray(values[1:]) - values[0]


@cache
def study_games():
    return select(read(REFERENCE / "small_games.csv"), make_logp.MONITORED)


@cache
def beyond_games(data):
    games = read(REFERENCE / "beyond_games.csv", covariates=("rapid", "deal", "context"))
    return select(games, outside.DATA[data], "any" if data == "anchored" else "both")


def test_every_name_and_edition_has_frozen_values():
    """A new row of the catalogue needs a row in make_beyond_logp.py: its docstring says how."""
    every = (*TWELVE, *FURTHER, *CONTEXTS, *MATCHED, *GOALS, *LISTED, *BRIDGE, *TWO_SPEEDS, *SETS, *BY_DAYS)
    assert every == tuple(CATALOGUE)  # those of LISTED: `test_listed`
    assert make_logp.NAMES == TWELVE
    assert set(STUDY) == {f"{name}--{edition}" for name in TWELVE for edition in EDITIONS}
    assert set(APART) == set(outside.NAMES)
    assert set(STORED) == {f"{name}--{data}" for name, data in CASES}


def test_the_stored_values_are_those_of_the_scripts_beside_them():
    for key, stored in STUDY.items():
        name, edition = key.split("--")
        values = [make_logp.log_density(name, edition, make_logp.point(name, i), STUDY_ROWS) for i in range(3)]
        assert values == pytest.approx(stored, abs=1e-8)
    for key, stored in STORED.items():
        name, data = key.split("--")
        values = [outside.log_density(name, data, outside.point(name, data, i), ROWS) for i in range(outside.POINTS)]
        assert values == pytest.approx(stored, rel=1e-11, abs=1e-8)  # processors sum in different orders


def natural(point):
    """Stored point of the twelve models in natural units, and log |d stored / d natural|: some are in Elo."""
    if "rating" not in point:
        return dict(point), 0.0
    size = sum(np.size(value) for value in point.values())
    values = {key: to_natural(np.asarray(value)) for key, value in point.items()}
    return {"strength": values.pop("rating"), **values}, -size * float(np.log(to_natural(1.0)))


@pytest.mark.parametrize(("name", "edition"), STUDIED)
def test_the_twelve_have_their_frozen_densities(name, edition):
    points = [natural(make_logp.point(name, number)) for number in range(3)]
    log_density = NaturalDensity(declare(name, study_games(), edition).model, tuple(points[0][0]))
    found = [log_density(point) - log_scale for point, log_scale in points]
    assert found == pytest.approx(STUDY[f"{name}--{edition}"], abs=1e-7)


@pytest.mark.parametrize("name", by_row(TWELVE, also=("bt-player-weighted", "davidson-player")))
def test_compiled_density_and_gradient_at_random_points(name):
    """The sampled density equals the plain formula and its finite differences."""
    declared = declare(name, study_games(), "computed")
    numbers = numbers_of(declared)
    compiled, bt = density(numbers), name.startswith("bt")
    centre = declared.coordinates(natural(make_logp.point(name, 1))[0])
    chance = np.random.default_rng(11)

    def plainly(x):
        values = {key: value[0] for key, value in expand(declared, numbers, x[None]).items()}
        if bt:
            values = {key: value / to_natural(1.0) for key, value in values.items()}
            values["rating"] = values.pop("strength")
        return make_logp.log_density(name, "computed", values, STUDY_ROWS)

    constant = compiled(centre)[0] - plainly(centre)
    for _ in range(2):
        x = centre + chance.normal(size=centre.size)
        value, gradient = compiled(x)
        assert value == pytest.approx(plainly(x) + constant, abs=1e-7)
        moves = 1e-4 * np.eye(centre.size)
        slopes = [(plainly(x + move) - plainly(x - move)) / (2 * move.sum()) for move in moves]
        assert gradient == pytest.approx(np.array(slopes), abs=1e-6)


def at_points(model, name, data):
    """Differences of a model's log density between the five points."""
    points = [outside.point(name, data, number) for number in range(outside.POINTS)]
    positive = [key for key in points[0] if key.endswith(("_spread", "_length")) or key == "anchor_scale"]
    log_density = NaturalDensity(model, tuple(points[0]), positive)
    return steps([log_density(point) for point in points])


@cache
def declared_at_points(name, data):
    return at_points(declare(name, beyond_games(data)).model, name, data)


@pytest.mark.parametrize(("name", "data"), ANCHORED)
def test_the_further_models_have_their_frozen_densities(name, data):
    assert declared_at_points(name, data) == pytest.approx(steps(STORED[f"{name}--{data}"]), **NEAR)


@pytest.mark.parametrize("name", APART)
def test_the_further_models_have_one_edition(name):
    assert find(name, "described") == find(name, "corrected") == BEYOND[name]


@pytest.mark.cases(4)
@pytest.mark.parametrize(("name", "data"), by_row(CASES))
def test_a_planted_error_is_found(name, data):
    values = [outside.point(name, data, number) for number in range(outside.POINTS)]
    found = declared_at_points(name, data)

    def passes(log_density):
        return steps([log_density(point) for point in values]) == pytest.approx(found, **NEAR)

    def right(point, rows=ROWS, **priors):
        return outside.log_density(name, data, point, rows, {**outside.priors_of(name), **priors})

    assert passes(right)
    used = {"strength", *values[0]} | ({"log_anchor_scale"} if "anchor_scale" in values[0] else set())
    has_prior = used & set(outside.priors_of(name))
    if "strength_spread" in has_prior:
        has_prior -= {"strength"}  # their prior is the population
    if "rated_spread" in has_prior:
        has_prior -= {"strength"}  # theirs are their ratings
    if "advantage_mean" in has_prior:
        has_prior -= {"advantage"}
    for parameter in has_prior:
        prior = outside.priors_of(name)[parameter]
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


def sampled_otherwise(declared, centring):
    """Model with partly centred populations and other sampling units."""

    model = declared.model
    for one in model.free_RVs:
        given = model.rvs_to_transforms[one]
        if isinstance(given, PartlyCentred) and not isinstance(given, Shrunk):
            share = np.full(given.unit.shape, centring)
            changed = PartlyCentred(given.centre + 0.3, given.unit * 1.7, share, given.pivot)
            changed.centring = (
                share if given.pivot is None else np.where(np.arange(share.size) == given.pivot, 0.0, share)
            )
            model.rvs_to_transforms[one] = changed
        elif isinstance(given, Units):
            model.rvs_to_transforms[one] = Units(given.centre, given.unit * 0.6, given.pivot)
    declared._read.clear()
    return declared


POPULATIONS = {"strength_spread", "level_spread", "rated_spread", "advantage_spread", "draw_tendency_spread"}
GEOMETRIES = [
    pytest.param(name, data, centring, marks=() if (data, centring) == (FIRST, least) and name in FEW else SLOW)
    for name, data in CASES
    for least in ((0.4,) if POPULATIONS & set(outside.point(name, data, 0)) else (0.0,))
    for centring in ((least, 0.0, 1.0) if least and name in COVERING else (least,))
    if data == FIRST or (centring == least and name in COVERING)
]


@pytest.mark.cases(2)
@pytest.mark.parametrize(("name", "data", "centring"), GEOMETRIES)
def test_what_is_sampled_leaves_the_density_alone(name, data, centring):
    other = sampled_otherwise(declare(name, beyond_games(data)), centring)
    assert at_points(other.model, name, data) == pytest.approx(steps(STORED[f"{name}--{data}"]), **NEAR)
    compiled, graph = density(numbers_of(other)), own_density(other.model)
    x = 0.5 * np.random.default_rng(1).standard_normal(other.layout.count)
    (value, gradient), (expected, slope) = compiled(x), graph(x)
    assert value == pytest.approx(expected, rel=1e-10)
    assert gradient == pytest.approx(slope, rel=1e-9, abs=1e-9 * np.abs(slope).max())
