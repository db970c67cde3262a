"""Known ratings as strengths: scale and level, effect on games, and the scale estimated from the study's games."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from composed import Anchors, Common, DrawParameter, Free, Model, game_rows
from extended_games import log_probability, play, schedule, truth
from hypothesis import given, settings
from hypothesis import strategies as st

from halfpoint.inference.gaussian.mode import mode
from halfpoint.inference.loops.engine import density, expand, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.elo_scale import ratings_in_elo
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import select
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.populations import MIDDLE
from halfpoint.readers.datasets.study import monitored_names, training

ENTRY = find("davidson-scaled-level")


def ratings_of(declared, p):
    """Ratings of the list for one draw, Elo points."""
    dims = {name: ("chain", "draw", *(["player"] if value.ndim > 1 else [])) for name, value in p.items()}
    posterior = {name: (dims[name], value[None]) for name, value in p.items()}
    return ratings_in_elo(declared, xr.Dataset(posterior))["rating_elo"].to_numpy().ravel()


@given(st.floats(-3, 3), st.floats(0.3, 3))
@settings(max_examples=20, deadline=None)
def test_moving_level_and_strengths_together_changes_no_game_and_no_rating(move, scale):
    selection = schedule(40, 4, 11)
    p = truth(ENTRY, 4, 12) | {"anchor_scale": np.array([scale])}
    moved = p | {"anchor_level": p["anchor_level"] + move, "strength": p["strength"] + (1 - scale) * move}
    rows, declared = game_rows(ENTRY, selection), declare(ENTRY, selection)
    ours, theirs = (log_probability(ENTRY, one, rows) for one in (p, moved))
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    here, there = (ratings_of(declared, one) for one in (p, moved))
    np.testing.assert_allclose(here, there, rtol=1e-10)


def test_a_level_at_the_middle_is_the_model_without_one():
    selection = schedule(40, 4, 11)
    p = truth(ENTRY, 4, 12) | {"anchor_level": np.array([MIDDLE])}
    plain, rows = find("davidson-scaled"), game_rows(ENTRY, selection)
    without = {name: value for name, value in p.items() if name != "anchor_level"}
    np.testing.assert_allclose(log_probability(ENTRY, p, rows), log_probability(plain, without, rows), rtol=1e-13)


def test_the_list_undoes_the_scale_of_anchors():
    """A player of strength mu + kappa (R - mu) is listed at R."""
    entry, rating = find("davidson-scaled"), 2705.0 + np.array([-100.0, 0.0, 200.0, 30.0])
    strength = MIDDLE + 2.1 * (to_natural(rating) - MIDDLE)
    p = truth(entry, 4, 1) | {"strength": strength[None], "anchor_scale": np.array([2.1])}
    np.testing.assert_allclose(ratings_of(declare(entry, schedule(40, 4, 1)), p), rating, rtol=1e-12)


def test_density_is_that_of_the_stated_priors_and_the_formula():
    selection = play(ENTRY, schedule(60, 4, 3), truth(ENTRY, 4, 4), 5)
    known = Anchors((0.0, 1.0), (to_natural(2705.0), to_natural(100.0)))
    narrow = Model("narrow", DAVIDSON, Free((15.0, 1.3)), Common(), DrawParameter(), known)  # a wrong density shows
    declared = declare_model(narrow, selection)
    numbers = numbers_of(declared)
    compiled = density(numbers)
    points = 0.8 * np.random.default_rng(6).standard_normal((4, declared.layout.count))
    values, rows = expand(declared, numbers, points), game_rows(ENTRY, selection)
    logs = log_probability(ENTRY, values, rows)
    expected = logs[:, np.arange(60), selection.games.outcome].sum(axis=1)
    stated = (
        (values["strength"], (15.0, 1.3)),
        (np.log(values["anchor_scale"]), (0.0, 1.0)),
        (values["anchor_level"], (to_natural(2705.0), to_natural(100.0))),
        (values["advantage"], (0.0, 1.0)),
        (values["log_draw"], (1.0, 5.0)),
    )
    for value, (mean, sd) in stated:
        expected = expected + (-0.5 * ((value - mean) / sd) ** 2).reshape(4, -1).sum(axis=1)
    differences = np.array([compiled(point)[0] for point in points]) - expected
    # units of sampling and normalising constants: the same at every point
    np.testing.assert_allclose(differences, differences[0], atol=1e-8)


@pytest.mark.draws
def test_the_level_is_found_where_a_narrow_prior_of_strengths_shows_it():
    p = truth(ENTRY, 8, 31) | {"anchor_level": np.array([MIDDLE + 1.5])}
    selection = play(ENTRY, schedule(4000, 8, 32), p, 33)
    centre = float(p["strength"].mean())
    anchors = Anchors((0.0, 1.0), (MIDDLE, 5.0))
    known = Model("known-centre", DAVIDSON, Free((centre, 0.7)), Common(), DrawParameter(), anchors)
    declared = declare_model(known, selection)
    trace = sample(declared, draws=500, tune=500, chains=2, cores=2, seed=34, pointwise_draws=0, adapt=False)
    assert trace.attrs["divergences"] == 0
    assert trace.attrs["max_rhat"] < 1.03
    posterior = trace["posterior"].to_dataset()
    level = posterior["anchor_level"].to_numpy().ravel()
    kappa = posterior["anchor_scale"].to_numpy().ravel()
    rating = to_natural(posterior["rating_elo"].mean("player").to_numpy().ravel())
    # given kappa and R, mu is as uncertain as the mean of 8 strengths N(g0, 0.7^2), divided by kappa - 1
    told = ((kappa * rating - centre) / (kappa - 1)).var() + (0.7**2 / 8 / (kappa - 1) ** 2).mean()
    assert level.std() == pytest.approx(np.sqrt(told), rel=0.15)
    assert level.std() < 1  # of the prior's 5
    assert abs(level.mean() - p["anchor_level"][0]) < 4 * level.std()


@pytest.mark.real
def test_largest_log_likelihood_by_scale():
    selection = select(training(), monitored_names())
    flat = Model("flat", DAVIDSON, Free((15.0, 1e4)), Common((0.0, 1e4)), DrawParameter((0.0, 1e4)))
    entry = find("davidson-scaled")
    rows, declared = game_rows(entry, selection), declare(entry, selection)
    for kappa, expected in ((1.0, -6176.1), (2.0, -6148.5), (2.25, -6148.8)):
        scaled = replace(selection, anchor_elo=2705.0 + kappa * (selection.anchor_elo - 2705.0))
        p = {name: value[None] for name, value in mode(declare_model(flat, scaled)).values.items()}
        p["anchor_scale"] = np.array([kappa])  # our formula scales the anchors; the mode was found with scaled ones
        logs = log_probability(entry, p, rows)[0]
        total = logs[np.arange(len(selection)), selection.games.outcome].sum()
        assert total == pytest.approx(expected, abs=0.06)  # printed to one decimal
        if kappa == 2.0:
            rating = ratings_of(declared, p)
            assert rating[selection.players.tolist().index("CarlsenMagnus")] == pytest.approx(2890, abs=5)
            assert rating.argmax() == selection.players.tolist().index("CarlsenMagnus")
