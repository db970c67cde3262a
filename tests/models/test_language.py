"""Every row of the catalogue in the one language: its frozen density, and compiled code that equals its graph."""

import ctypes
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import make_beyond_logp
import make_logp
import numpy as np
import pytest
from natural_density import NaturalDensity

from halfpoint.games.datasets.replica import replica
from halfpoint.games.readers.csv_files import read_csv
from halfpoint.games.select import select
from halfpoint.games.units import to_natural
from halfpoint.inference.compile import density
from halfpoint.inference.compiled import own_density
from halfpoint.inference.engine import compiled_functions, numbers_of
from halfpoint.inference.fitter import Effort, Fitter
from halfpoint.models.beyond import EXTENDED
from halfpoint.models.blocks import inverted
from halfpoint.models.catalogue import MODELS
from halfpoint.models.catalogue_rows import CATALOGUE, EDITIONS, FURTHER, TWELVE, declare

REFERENCE = Path(__file__).parent.parent / "reference"
STUDY = json.loads((REFERENCE / "logp.json").read_text(encoding="utf-8"))
BEYOND = json.loads((REFERENCE / "beyond_logp.json").read_text(encoding="utf-8"))
CASES = [(name, edition) for name in CATALOGUE for edition in (EDITIONS if name in TWELVE else ("corrected",))]


def steps(values):
    """Return the values at the other points less that at the first: the constant falls out."""
    return np.asarray(values[1:]) - values[0]


@cache
def study_games():
    return select(read_csv(REFERENCE / "small_games.csv"), make_logp.MONITORED)


@cache
def beyond_games(data):
    games = read_csv(REFERENCE / "beyond_games.csv", covariates=("rapid",))
    return select(games, make_beyond_logp.DATA[data], "any" if data == "anchored" else "both")


def test_every_name_of_the_catalogue_has_a_row():
    assert set(TWELVE) == set(MODELS)
    assert set(FURTHER) == set(EXTENDED)


@pytest.mark.parametrize(("name", "edition"), [case for case in CASES if case[0] in TWELVE])
def test_the_twelve_have_their_frozen_densities(name, edition):
    points = [make_logp.point(name, number) for number in range(3)]
    if name.startswith("bt"):  # stored in Elo points
        points = [{key: to_natural(np.asarray(value)) for key, value in point.items()} for point in points]
        points = [{"strength": point.pop("rating"), **point} for point in points]
    density = NaturalDensity(declare(name, study_games(), edition).model, tuple(points[0]))
    found = steps([density(point) for point in points])
    assert found == pytest.approx(steps(STUDY[f"{name}--{edition}"]), abs=1e-6, rel=1e-9)


@pytest.mark.parametrize("data", make_beyond_logp.DATA)
@pytest.mark.parametrize("name", FURTHER)
def test_the_further_models_have_their_frozen_densities(name, data):
    points = [make_beyond_logp.point(name, data, number) for number in range(make_beyond_logp.POINTS)]
    positive = [key for key in points[0] if key.endswith("_spread") or key == "anchor_scale"]
    density = NaturalDensity(declare(name, beyond_games(data)).model, tuple(points[0]), positive)
    found = steps([density(point) for point in points])
    assert found == pytest.approx(steps(BEYOND[f"{name}--{data}"]), abs=1e-6, rel=1e-9)


@cache
def chess(rule):
    games = replica(3)
    rapid = np.random.default_rng(0).integers(0, 2, len(games.training)).astype(float)
    table = replace(games.training, covariates={**games.training.covariates, "rapid": rapid})
    return select(table, games.monitored, rule)


@pytest.mark.parametrize("rule", ["any", "both"])
@pytest.mark.parametrize(("name", "edition"), CASES)
def test_compiled_code_equals_the_graph(name, edition, rule):
    """Value and gradient at two points: the graph is the definition."""
    declared = declare(name, chess(rule), edition)
    numbers, count = numbers_of(declared), declared.layout.count
    table, value, gradient = numbers.table(), np.zeros(1), np.zeros(count)
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, *(ctypes.c_void_p,) * 4)
    call, own = kind(compiled_functions()[0].address), own_density(declared.model)
    for seed in (1, 2):
        point = 0.5 * np.random.default_rng(seed).standard_normal(count)
        code = call(count, *(array.ctypes.data for array in (point, gradient, value, table)))
        expected, slope = own(point)
        assert code == 0
        assert value[0] == pytest.approx(expected, rel=1e-10)
        assert gradient == pytest.approx(slope, rel=1e-9, abs=1e-9 * np.abs(slope).max())


@pytest.mark.parametrize("rule", ["any", "both"])
@pytest.mark.parametrize(("name", "edition"), CASES)
def test_what_a_trace_keeps_are_the_values_of_the_coordinates_that_were_sampled(name, edition, rule):
    """Every draw, turned back into coordinates, has the log density that the sampler noted for it."""
    declared = declare(name, chess(rule), edition)
    fit = Fitter(declared, Effort(draws=4, tune=4, chains=2, seed=5, cores=1)).fit()
    log_density = density(numbers_of(declared))
    for chain in range(2):
        for draw in range(4):
            one = fit.posterior.isel(chain=chain, draw=draw)
            values = {str(key): value.to_numpy() for key, value in one.data_vars.items()}
            found = log_density(inverted(declared.blocks, values))[0]
            assert found == pytest.approx(float(fit.statistics["logp"][chain, draw]), rel=1e-7)
