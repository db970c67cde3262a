"""Walks with separate step sizes: equal to the plain walk for equal step sizes; distribution, forecast, recovery."""

from itertools import islice

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from extended_games import schedule
from natural_density import NaturalDensity
from scipy.stats import halfnorm, norm

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.nuts import all_draws, split_raw_trace
from halfpoint.inference.reweighted_sampler import CAREFUL_ACCEPTANCE, first_plan
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.reading.prior_draws import PriorDraws
from halfpoint.models.reading.transforms import Shrunk

PLAIN, OWN, CHANGING = "davidson-population-walk", "davidson-volatility-walk", "davidson-stochastic-variance-walk"
SHARED = ("strength", "strength_mean", "strength_spread", "innovation_spread", "advantage", "log_draw")
PACES = ("volatility", "volatility_spread")


@pytest.fixture(scope="module")
def games():
    """Games of three players over six months, read as two quarters."""
    return schedule(40, 3, 1)


def by_months(name):
    """Model with months as periods, so that step sizes can change."""
    row = find(name)
    return row.but(f"{name} by month", every=1)


def carried(name, p):
    """Draws of the random walks with four further periods."""
    found = dict(p)
    for law in declare(by_months(name), schedule(40, 3, 1)).laws:
        if law.transition is not None:
            found[law.name] = law.transition.carry_forward(law.name, found, 4, [1, len(law.name)])
    return found


def test_equal_paces_are_the_plain_walk(games):
    rng = np.random.default_rng(4)
    one, other = declare(PLAIN, games), declare(OWN, games)
    plain, own = NaturalDensity(one.model, SHARED), NaturalDensity(other.model, SHARED + PACES)
    players = games.players.size
    for spread in (0.05, 0.4):
        strength = 15.5 + rng.normal(scale=0.4, size=(players, one.periods))
        point = dict(zip(SHARED, (strength, 15.4, 0.5, 0.2, 0.1, 0.3), strict=True))
        paces = {"volatility": np.zeros(players), "volatility_spread": spread}
        expected = plain(point) + players * norm(0.0, spread).logpdf(0.0) + halfnorm(scale=0.5).logpdf(spread)
        assert own(point | paces) == pytest.approx(expected, abs=1e-6)
        moved = paces | {"volatility": np.log([1.0, 2.0, 0.5])[:players]}
        steps = np.diff(strength, axis=1)
        widths = 0.2 * np.exp(moved["volatility"])[:, None]
        apart = (norm(0.0, widths).logpdf(steps) - norm(0.0, 0.2).logpdf(steps)).sum()
        apart += (norm(0.0, spread).logpdf(moved["volatility"]) - norm(0.0, spread).logpdf(0.0)).sum()
        assert own(point | moved) == pytest.approx(expected + apart, abs=1e-6)


def test_a_walk_drawn_from_its_prior_has_everybodys_pace(games):
    declared = declare(OWN, games)
    steps, paces = [], []
    for p in islice(PriorDraws(declared.model).each(2), 1500):
        np.testing.assert_allclose(p["strength"].mean(axis=1), p["level"], rtol=1e-12)
        widths = p["innovation_spread"] * np.exp(p["volatility"])
        steps.append(np.diff(p["strength"], axis=1) / widths[:, None])
        paces.append(p["volatility"] / p["volatility_spread"])
    for found in (np.concatenate(steps), np.concatenate(paces)[:, None]):
        error = 1 / np.sqrt(len(found))
        np.testing.assert_allclose(np.cov(found.T), np.eye(found.shape[1]).squeeze(), atol=5 * np.sqrt(2) * error)
        np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=5 * error)


def test_a_forecast_walks_on_at_everybodys_pace():
    draws = 20_000
    p = {"strength": np.zeros((draws, 2, 3)), "innovation_spread": np.full(draws, 0.3)}
    p["volatility"] = np.broadcast_to(np.log([0.5, 2.0]), (draws, 2))
    further = carried(OWN, p)["strength"]
    assert further.shape == (draws, 2, 7)
    expected = np.outer([0.25, 4.0], 0.09 * np.arange(1, 5))
    # the standard error of a variance of 20,000 normal values is 1 percent
    np.testing.assert_allclose(further[..., 3:].var(axis=0), expected, rtol=0.05)


def test_paces_that_walk_drawn_from_their_prior_are_glickmans():
    declared = declare(by_months(CHANGING), schedule(40, 3, 1))
    moves, changes = [], []
    for p in islice(PriorDraws(declared.model).each(2), 1500):
        np.testing.assert_allclose(p["strength"].mean(axis=1), p["level"], rtol=1e-12)
        np.testing.assert_allclose(p["pace"].mean(axis=1), p["volatility"], rtol=1e-9, atol=1e-12)
        moves.append(np.diff(p["strength"]) / (p["innovation_spread"] * np.exp(p["pace"][:, :-1])))
        changes.append(np.diff(p["pace"]) / p["pace_spread"])
    found = np.concatenate([np.concatenate(moves), np.concatenate(changes)], axis=1)
    error = 1 / np.sqrt(len(found))
    np.testing.assert_allclose(np.cov(found.T), np.eye(found.shape[1]), atol=5 * np.sqrt(2) * error)
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=5 * error)


@pytest.mark.further
def test_paces_that_stand_still_are_everybodys_own(games):
    rng = np.random.default_rng(4)
    one, other = declare(by_months(OWN), games), declare(by_months(CHANGING), games)
    shared = (*SHARED, "volatility_spread")
    own = NaturalDensity(one.model, (*shared, "volatility"))
    changing = NaturalDensity(other.model, (*shared, "pace", "pace_spread"))  # a pace has its mean in it
    players = games.players.size
    v = np.log([1.0, 2.0, 0.5])[:players]
    strength = 15.5 + rng.normal(scale=0.4, size=(players, one.periods))
    point = dict(zip(shared, (strength, 15.4, 0.5, 0.2, 0.1, 0.3, 0.4), strict=True))
    paces = {"pace": np.repeat(v[:, None], one.periods, axis=1), "pace_spread": 0.2}
    still = players * (one.periods - 1) * norm(0.0, 0.2).logpdf(0.0) + halfnorm(scale=0.3).logpdf(0.2)
    assert changing(point | paces) == pytest.approx(own(point | {"volatility": v}) + still, abs=1e-6)


def test_a_forecast_walks_on_at_paces_that_walk_on():
    draws, c = 40_000, 0.2
    p = {
        "strength": np.zeros((draws, 2, 3)),
        "innovation_spread": np.full(draws, 0.3),
        "pace_spread": np.full(draws, c),
    }
    p["pace"] = np.broadcast_to(np.log([0.5, 2.0])[:, None] * [0.0, 3.0, 1.0], (draws, 2, 3))
    further = carried(CHANGING, p)
    assert further["strength"].shape == further["pace"].shape == (draws, 2, 7)
    expected = np.outer([0.25, 4.0], 0.09 * np.exp(2.0 * c**2 * np.arange(4)))
    found = np.diff(further["strength"][..., 2:]).var(axis=0)
    np.testing.assert_allclose(found, expected, rtol=0.08)  # 5 standard errors of a variance at this kurtosis


def played(pace, months):
    """Selection of a repeated round robin, six times a period, with strengths that walk at these step sizes."""
    rng = np.random.default_rng(3)
    count, periods = pace.shape
    strength = np.cumsum(rng.normal(size=pace.shape) * pace, axis=1)
    rows = [(one, other, period) for period in range(periods) for _ in range(6)
            for one in range(count) for other in range(count) if one != other]  # fmt: skip
    white, black, period = np.array(rows).T
    x = strength[white, period] - strength[black, period]
    score = (rng.random(x.size) < 1 / (1 + np.exp(-x))).astype(float)
    names = np.array([f"P{number}" for number in range(count)])
    people, one, other = code_players(names[white], names[black])
    return select(GameTable(people, one, other, score, period=months * period + 1), people, "both")


@pytest.mark.slow
def test_whose_pace_changed_is_found():
    pace = np.full((8, 24), 0.15)
    pace[:2, 12:] = 0.6
    tree = sample(declare(by_months("bt-stochastic-variance-walk"), played(pace, 1)), seed=1)
    found = tree["posterior"]["pace"].mean(("chain", "draw")).to_numpy()
    assert set(np.argsort(found[:, 12:].mean(axis=1) - found[:, :12].mean(axis=1))[-2:]) == {0, 1}


@pytest.mark.slow
def test_who_walks_far_is_found():
    pace = np.where(np.arange(8) < 2, 0.6, 0.15)
    games = played(np.repeat(pace[:, None], 16, axis=1), 3)
    tree = sample(declare(find("bt-volatility-walk").but("eight"), games), seed=1)
    found = tree["posterior"]["volatility"].mean(("chain", "draw")).to_numpy()
    assert set(np.argsort(-found)[:2]) == {0, 1}
    width = tree["posterior"]["innovation_spread"] * np.exp(tree["posterior"]["volatility"])
    low, high = width.quantile([0.005, 0.995], ("chain", "draw")).to_numpy()
    assert ((low < pace) & (pace < high)).all()


def test_shrunk_coordinates_have_the_width_of_the_posterior():
    unit, sd = np.array([0.2, 1.0, 30.0]), 0.7
    law, coordinates = pm.Normal.dist(0.0, sd, shape=3), Shrunk(0.0, unit, 0.0)
    value, inputs = pt.as_tensor(np.ones(3)), law.owner.inputs
    there, back = coordinates.backward(value, *inputs), coordinates.log_jac_det(value, *inputs)
    wanted = np.sqrt(1.0 / (1.0 / sd**2 + 1.0 / unit**2))
    np.testing.assert_allclose(there.eval(mode="FAST_COMPILE"), wanted, rtol=1e-12)
    np.testing.assert_allclose(back.eval(mode="FAST_COMPILE"), np.log(wanted), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(coordinates.forward(there, *inputs).eval(mode="FAST_COMPILE"), 1.0, rtol=1e-12)


@pytest.mark.further
def test_no_transition_diverges_where_paces_differ():
    pace = 0.15 * np.exp(0.5 * np.random.default_rng(2).standard_normal((5, 1)))
    declared = declare("bt-volatility-walk", played(np.repeat(pace, 6, axis=1), 3))
    model, plan = compile_declared(declared).model, first_plan(declared, Effort())
    statistics = [split_raw_trace(all_draws(model, plan, Effort(seed=seed, cores=1)))[1] for seed in (1, 2, 3)]
    assert plan.acceptance == CAREFUL_ACCEPTANCE
    assert sum(int(one["diverging"].sum()) for one in statistics) == 0
    assert max(float(one["n_steps"].mean()) for one in statistics) < 20.0
