"""Readers of a trace that share cached rows give the same results as separate readers."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from rating_games import simulated

from halfpoint.inference.fit import fit
from halfpoint.inference.traces.trace_record import attributes_of, constant_data
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.declaration.trace_games import rows_in
from halfpoint.models.errors import ModelError
from halfpoint.models.games.rating_history import NO_TIME
from halfpoint.models.games.select import select
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.traits import Traits


def test_a_copy_with_another_advantage_of_opponents_reads_the_rows_anew():
    games, _ = simulated(5, players=8, games=200)
    trace = fit(declare("davidson-player", select(games, games.players[:5])), "normal", draws=50, chains=2, seed=1)
    reading = reading_of(trace)
    rows, imputed = rows_in(reading, trace), np.full((100, 1), 0.3)
    own = reading.probabilities(rows)
    np.testing.assert_array_equal(reading.probabilities(rows), own)
    alone = replace(reading_of(trace), imputed=imputed).probabilities(rows)
    np.testing.assert_array_equal(replace(reading, imputed=imputed).probabilities(rows), alone)
    np.testing.assert_array_equal(reading.probabilities(rows), own)
    assert np.abs(alone - own).max() > 0.01


@pytest.fixture(scope="module", params=["davidson-common", "bt-common"])
def fitted(request):
    games, _ = simulated(5, players=5, games=150)
    return fit(declare(request.param, select(games, games.players)), "normal", draws=40, chains=2, seed=1)


def draws(trace, name):
    """Draws of a parameter, (draw, ...)."""
    return trace["posterior"][name].transpose("chain", "draw", ...).to_numpy().reshape(80, -1)


def test_pairs_follow_the_formula(fitted):
    white, black = np.array([0, 3], dtype=np.int32), np.array([1, 2], dtype=np.int32)
    chance = reading_of(fitted).pairing(white, black)
    g, a = draws(fitted, "strength"), draws(fitted, "advantage")
    eta = g[:, white] - g[:, black] + a
    tie = np.exp(draws(fitted, "log_draw")) if "log_draw" in fitted["posterior"] else 0.0
    shares = np.stack([np.exp(-eta / 2), tie + 0.0 * eta, np.exp(eta / 2)], axis=-1)
    np.testing.assert_allclose(chance, shares / shares.sum(axis=-1, keepdims=True), rtol=1e-9)


def test_the_games_of_a_trace_have_the_same_chances(fitted):
    reading = reading_of(fitted)
    rows = rows_in(reading, fitted)
    white, black = (fitted["constant_data"][name].to_numpy().astype(np.int32) for name in ("white", "black"))
    np.testing.assert_allclose(
        reading.probabilities(rows), np.moveaxis(reading.pairing(white, black), -1, 0), rtol=1e-9
    )


@pytest.mark.parametrize("thin", [1, 3, 20])
def test_thinned_draws_are_every_few_of_each_chain(fitted, thin):
    strength = fitted["posterior"]["strength"].transpose("chain", "draw", ...).to_numpy()
    p = reading_of(fitted, thin).p["strength"]
    np.testing.assert_array_equal(p, strength[:, ::thin].reshape(-1, 5))


@pytest.mark.parametrize("neutral", [0, 149, 150])
def test_seats_have_no_effect_if_all_games_were_on_neutral_ground(fitted, neutral):
    tree = fitted.copy()
    column = np.where(np.arange(150) < neutral, 1.0, 0.0)
    tree["constant_data"] = tree["constant_data"].to_dataset().assign(neutral=("game", column))
    advantage = reading_of(tree).p["advantage"]
    assert (advantage == 0.0).all() == (neutral == 150)


def test_a_record_that_cannot_be_read_is_named(fitted):
    tree = fitted.copy()
    tree.attrs["model_walks"] = '{"strength": {"spread": 3}}'
    with pytest.raises(ModelError, match="the record of its model cannot be read"):
        reading_of(tree)


def test_the_first_period_of_a_walk_is_that_of_its_first_month():
    """Months 7 to 9 are quarter 3."""
    games, _ = simulated(5, players=4, games=60)
    games = replace(games, period=np.repeat([8, 10, 15], 20), date=None)
    declared = declare("bt-population-walk", select(games, games.players))
    declared = declare_model(declared.spec.but("walk", every=3), declared.selection)
    assert declared.first_period == 3
    data = {
        name: (("chain", "draw", *declared.dims.get(name, ())), np.zeros((1, 2, *shape)))
        for name, (_, shape) in declared.layout.kept_slots().items()
    }
    named = {dim for dims, _ in data.values() for dim in dims}
    coords = {dim: list(labels) for dim, labels in declared.coords.items() if dim in named}
    posterior = xr.Dataset(data, coords=coords)
    tree = xr.DataTree.from_dict({"posterior": posterior, "constant_data": constant_data(declared)})
    tree.attrs = attributes_of(declared, posterior)
    reading = reading_of(tree)
    assert (reading.first_period, reading.periods) == (3, 3)


def test_a_reading_without_more_has_one_period_and_no_time():
    reading = Reading("m", Traits(), Reads(), "davidson", {}, np.array(["Ann"]))
    assert (reading.first_period, reading.periods, reading.last_month) == (0, 1, NO_TIME)
