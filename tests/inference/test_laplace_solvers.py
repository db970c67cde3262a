"""The three ways to work with a Hessian against dense linear algebra, and the target against the PyMC models."""

import numpy as np
import pytest
from graph_density import own_density
from paired_tables import ADVANTAGES, FAMILIES, hessian, model_of, random_cells

from halfpoint.games.select import select
from halfpoint.games.simulate import Schedule, Truth, simulate
from halfpoint.inference.approximate import log_posterior, parameters_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.laplace import hessian as hessian_module
from halfpoint.inference.laplace import laplace
from halfpoint.inference.laplace.factors import IterativeFactor
from halfpoint.inference.laplace.hessian import curvature
from halfpoint.inference.laplace.target import target
from halfpoint.models.catalogue import EDITIONS, FURTHER, TWELVE, declare, find


@pytest.mark.parametrize("advantage", ADVANTAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_gradient_and_hessian_are_derivatives_of_the_value(family, advantage):
    posterior = target(random_cells(7, 50, 1), model_of(family, advantage))
    position = posterior.prior_mean + np.random.default_rng(2).normal(0, 0.5, posterior.prior_mean.size)
    shape, step = curvature(posterior, position), 1e-5
    around = [
        (curvature(posterior, position + h), curvature(posterior, position - h)) for h in step * np.eye(position.size)
    ]
    slope = np.array([(up.value - down.value) / (2 * step) for up, down in around])
    np.testing.assert_allclose(shape.gradient, slope, atol=1e-6)
    bend = -np.array([(up.gradient - down.gradient) / (2 * step) for up, down in around])
    np.testing.assert_allclose(hessian(shape), bend, atol=1e-6)
    body = hessian(shape)[: posterior.body, : posterior.body]
    np.testing.assert_allclose(shape.times(np.eye(posterior.body)), body, atol=1e-12)
    np.testing.assert_allclose(shape.diagonal(), np.diag(body), rtol=1e-12)


@pytest.mark.parametrize("solver", ["dense", "sparse", "iterative"])
@pytest.mark.parametrize("advantage", ADVANTAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_solvers_agree_with_the_inverse_hessian(family, advantage, solver):
    cells, samples, count = random_cells(30, 200, 3), 400, 4000
    found = laplace(cells, model_of(family, advantage), solver=solver, samples=samples, seed=4, centre="mode")
    assert np.abs(found.mode.curvature.gradient * found.sd).max() < 1e-3  # the mode, in standard deviations
    covariance = np.linalg.inv(hessian(found.mode.curvature))
    sd = np.sqrt(np.diag(covariance))
    error = 4 / np.sqrt(2 * samples) if solver == "iterative" else 1e-8
    np.testing.assert_allclose(found.sd, sd, rtol=error)
    drawn = found.draws(count)
    np.testing.assert_allclose((drawn.mean(axis=0) - found.mode.position) / sd, 0, atol=4.5 / np.sqrt(count))
    correlation = np.cov(drawn.T) / np.outer(sd, sd)
    np.testing.assert_allclose(correlation, covariance / np.outer(sd, sd), atol=5 * np.sqrt(2 / count))


@pytest.mark.parametrize("advantage", ADVANTAGES)
def test_log_density_of_the_approximation_is_the_normal_one(advantage):
    found = laplace(random_cells(10, 60, 5), model_of("davidson", advantage))
    drawn = found.draws(9)
    away = drawn - found.centre
    expected = -0.5 * np.einsum("ij,jk,ik->i", away, hessian(found.mode.curvature), away)
    np.testing.assert_allclose(found.log_density(drawn), expected, rtol=1e-9)


def test_selected_inverse_of_a_league_with_few_opponents_is_exact():
    chance = np.random.default_rng(6)
    white = np.arange(999, dtype=np.int32)
    black = white + 1  # a ladder, and a few games across it
    schedule = Schedule(
        np.concatenate([white, chance.integers(0, 500, 100).astype(np.int32)]),
        np.concatenate([black, chance.integers(500, 1000, 100).astype(np.int32)]),
    )
    names = np.array([f"player {i:04d}" for i in range(1000)])
    games = simulate(Truth(names, chance.normal(15, 1, 1000), 0.2, 0.0), schedule, 7)
    selection = select(games, games.players)
    cells = declare("davidson-common", selection).cells
    model = model_of("davidson", "common", (15.0, 1.0))
    exact, sparse = (laplace(cells, model, solver=solver) for solver in ("dense", "sparse"))
    np.testing.assert_allclose(sparse.sd, exact.sd, rtol=1e-8)
    np.testing.assert_allclose(sparse.mode.position, exact.mode.position, atol=1e-6)


def test_threads_change_nothing(monkeypatch):
    posterior = target(random_cells(50, 300_000, 8), model_of("davidson", "player"))
    vectors = np.random.default_rng(9).normal(size=(posterior.body, 3))
    results = []
    for smallest, threads in ((10**9, "1"), (100_000, "2")):
        monkeypatch.setattr(hessian_module, "SMALLEST_RANGE", smallest)
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        shape = curvature(posterior, posterior.prior_mean)
        made = IterativeFactor(shape, posterior.prior_mean[:50])
        score = made.scores(2, np.random.default_rng(10))
        results.append((len(hessian_module.ranges(300_000)), shape.gradient, shape.times(vectors), score))
    assert [result[0] for result in results] == [1, 2]
    for one, two in zip(results[0][1:], results[1][1:], strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-7)


def small_selection():
    chance = np.random.default_rng(11)
    white = chance.integers(0, 6, 300).astype(np.int32)
    black = ((white + chance.integers(1, 6, 300)) % 6).astype(np.int32)
    period = np.sort(chance.integers(1, 20, 300))
    names = np.array(list("ABCDEF"))
    elo = np.full(300, 2700.0)
    games = simulate(
        Truth(names, np.linspace(15, 16.5, 6), 0.2, 0.3),
        Schedule(white, black, period, white_rating_elo=elo, black_rating_elo=elo),
        12,
    )
    return select(games, names[:5])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", TWELVE)
def test_target_is_the_log_density_of_the_pymc_model(name, edition):
    """Both rise by as much between two points."""
    declared = declare(name, small_selection(), edition)
    posterior, own = target(declared.cells, declared.entry), own_density(declared.model)
    assert declared.selection.white.min() == -1  # somebody is anchored
    ours, theirs = [], []
    for seed in (1, 2):
        away = 0.3 * np.random.default_rng(seed).standard_normal(posterior.prior_mean.size)
        position = posterior.prior_mean + away
        parts = parameters_of(posterior, position, (), {})
        values = {str(key): value.to_numpy() for key, value in parts.items()}
        raw = np.concatenate([np.atleast_1d(block.invert(values)) for block in declared.blocks])
        theirs.append(own(raw)[0])
        ours.append(float(log_posterior(posterior, position[None])[0]))
    assert ours[1] - ours[0] == pytest.approx(theirs[1] - theirs[0], rel=1e-8, abs=1e-8 * abs(ours[0]))


@pytest.mark.parametrize("name", FURTHER)
def test_a_model_of_another_kind_is_refused(name):
    said = f"model {name}: expected independent normal priors and a sum on either side, found more. Use method nuts"
    with pytest.raises(InferenceError, match=said):
        target(random_cells(5, 20, 13), find(name))


def test_unknown_options_are_told():
    cells, model = random_cells(5, 20, 13), model_of("davidson")
    with pytest.raises(InferenceError, match="solver: expected auto"):
        laplace(cells, model, solver="magic")
    with pytest.raises(InferenceError, match=r"centre: expected mean \| mode, found 'median'"):
        laplace(cells, model, centre="median")
    with pytest.raises(InferenceError, match="spread: expected ten players"):
        laplace(cells, model, spread="estimated")
