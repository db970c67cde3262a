"""The log density of theta and z, its slopes and its maximum, against differences and SciPy's minimisers."""

import numpy as np
import pytest
from scipy.optimize import minimize

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.posterior_density import AveragingSpread, _thetas_at, maximise
from halfpoint.inference.gaussian.variational import FactoredPrecision, VariationalProblem
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable

H = 1e-5


def games_of(games=60, players=6, seed=3):
    """Random games, the last player an anchor of rating 2,700 or 2,800."""
    rng = np.random.default_rng(seed)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    table = GameTable(
        np.array([f"P{k}" for k in range(players)]), white.astype(np.int32), black.astype(np.int32),
        rng.choice([0.0, 0.5, 1.0], games), white_rating_elo=np.full(games, 2700.0),
        black_rating_elo=np.full(games, 2800.0),
    )  # fmt: skip
    return select(table, [f"P{k}" for k in range(players - 1)], "any")


@pytest.fixture(scope="module", params=["davidson-common", "davidson-population", "davidson-population-scaled"])
def problem(request):
    return VariationalProblem(declare(request.param, games_of()))


def log_density(problem, x, z):
    """Log density by the formula of a game and normal terms, which `test_latent_split.py` compares with SciPy."""
    v = problem.parts.values(x, z)
    place, slope = problem.rows.at(v)
    problem.rows.place(slope, z, place)
    chance = problem.declared.outcome.log_probability(place[0], np.zeros(place.shape[1]), place[1])
    weight = problem.declared.cells.weight
    return float((weight * chance).sum() + problem.parts.log_prior(x, z, v))


def curve(problem):
    """H by its factor, at a theta and z."""
    return lambda slope, second, v: FactoredPrecision(
        problem, problem.store.root(problem.hessian(slope, second, v)), slope, v
    )


def point_of(problem, seed=1):
    """A theta and z near the start."""
    rng = np.random.default_rng(seed)
    return problem.start + 0.1 * rng.normal(size=problem.start.size), problem.parts.begin() + 0.3 * rng.normal(
        size=problem.size
    )


def test_slopes_by_z_are_those_of_differences(problem):
    x, z = point_of(problem)
    steps = H * np.eye(z.size)
    rise = [(log_density(problem, x, z + h) - log_density(problem, x, z - h)) / (2 * H) for h in steps]
    np.testing.assert_allclose(problem.rise(x, z), rise, rtol=1e-4, atol=1e-4)
    v = problem.parts.values(x, z)
    prior = [problem.parts.log_prior(x, z + h, v) - problem.parts.log_prior(x, z - h, v) for h in steps]
    np.testing.assert_allclose(problem.gradient(z, v), np.array(prior) / (2 * H), rtol=1e-5, atol=1e-6)


def test_the_information_of_games_is_the_variance_of_its_slopes(problem):
    x, z = point_of(problem)
    v, place, _ = problem.placed(x, z)
    eta, lam = place
    scores = np.stack([-eta / 2.0, lam, eta / 2.0])
    p = np.exp(scores) / np.exp(scores).sum(axis=0)
    by_eta, by_lam = np.array([-0.5, 0.0, 0.5]), np.array([0.0, 1.0, 0.0])
    of_eta, of_lam = by_eta @ p, by_lam @ p
    expected = [by_eta**2 @ p - of_eta**2, (by_eta * by_lam) @ p - of_eta * of_lam, by_lam**2 @ p - of_lam**2]
    count = problem.declared.cells.weight.sum(axis=1)
    np.testing.assert_allclose(problem.information(v), count * np.array(expected), rtol=1e-4, atol=1e-5)


def test_starts_of_spreads_are_below_their_prior_scale(problem):
    kinds = [theta.law.kind for theta in problem.parts.thetas]
    assert problem.start.tolist() == [
        -1.0 if kind == "spread" else theta.law.mean for kind, theta in zip(kinds, problem.parts.thetas, strict=True)
    ]


def test_the_maximum_is_that_of_scipy(problem):
    begin = problem.start, problem.parts.begin()
    top = maximise(problem, curve(problem), begin, None, 1e-10)
    found = minimize(
        lambda z: -log_density(problem, begin[0], z), begin[1], jac=lambda z: -problem.rise(begin[0], z), method="BFGS",
        options={"gtol": 1e-7},
    )  # fmt: skip
    np.testing.assert_allclose(top.z, found.x, atol=1e-4)
    np.testing.assert_array_equal(top.x, begin[0])
    np.testing.assert_allclose(problem.rise(top.x, top.z), 0.0, atol=1e-3)
    np.testing.assert_allclose(top.v, problem.parts.values(top.x, top.z))
    again = maximise(problem, curve(problem), (top.x, top.z), None, 1e-6)
    assert again.steps == 1
    assert top.steps > 1


def test_thetas_are_maximised_too_and_their_curvature_is_that_of_the_profile():
    problem = VariationalProblem(declare("davidson-population-scaled", games_of()))
    climbed = [k for k, theta in enumerate(problem.parts.thetas) if theta.law.kind != "spread"]
    assert climbed
    x, z = problem.start, problem.parts.begin()

    def profile(x, start=z):
        top = maximise(problem, curve(problem), (x, start), None, 1e-12)
        return log_density(problem, x, top.z), top.z

    _, z = profile(x)
    v, place, slope = problem.placed(x, z)
    _, first, second = problem.rows.expect(place, None)
    curvature = curve(problem)(slope, second.copy(), v)
    moved, by_x, inner = _thetas_at(problem, curvature, (x, z, v), (first, second, slope), climbed)
    h = 1e-3
    for i, k in enumerate(climbed):
        step = h * np.eye(x.size)[k]
        (high, z_high), (low, z_low), middle = profile(x + step), profile(x - step), profile(x)[0]
        assert by_x[i] == pytest.approx((high - low) / (2 * h), rel=1e-3, abs=1e-4)
        bend = problem.placed(x + step, z)[1] - 2 * place + problem.placed(x - step, z)[1]
        bent = float((first * bend).sum()) / h**2  # of eta and lam by theta, which the curvature leaves out
        assert inner[i, i] == pytest.approx((2 * middle - high - low) / h**2 + bent, rel=1e-2)
        away, fall, border = moved[i]
        np.testing.assert_allclose(-fall, (z_high - z_low) / (2 * h), rtol=1e-2, atol=1e-4)
        eta = problem.placed(x + step, z)[1] - problem.placed(x - step, z)[1]
        np.testing.assert_allclose(away, eta / (2 * h), atol=1e-4)
        rise = (problem.rise(x - step, z) - problem.rise(x + step, z)) / (2 * h)
        np.testing.assert_allclose(border, rise, rtol=1e-3, atol=1e-3)

    top = maximise(problem, curve(problem), (x, z), None, 1e-10, climbed)
    for k in climbed:
        step = 1e-3 * np.eye(x.size)[k]
        gap = profile(top.x + step, top.z)[0] - profile(top.x - step, top.z)[0]
        assert gap / 2e-3 == pytest.approx(0.0, abs=1e-2)
    others = [k for k in range(x.size) if k not in climbed]
    np.testing.assert_array_equal(top.x[others], x[others])


def test_widths_that_follow_z_are_those_of_the_slopes():
    spread = AveragingSpread(np.ones((3, 2)))
    slope = np.ones((2, 4))
    assert spread.at(slope) is spread.variance
    assert spread.pull(slope, slope) == 0.0

    class Curvature:
        def widths(self, slope):
            return 2.0 * slope

        def pull(self, slope, second):
            return slope + second

    follows = AveragingSpread(np.ones((3, 2)), 0.5, Curvature())
    assert follows.at(slope).tolist() == (2.0 * slope + 0.5).tolist()
    assert follows.pull(slope, slope).tolist() == (2.0 * slope).tolist()


def test_a_density_that_is_not_finite_has_no_mode(problem):
    z = np.full(problem.size, np.nan)
    with pytest.raises(InferenceError, match="found no mode of davidson"):
        maximise(problem, lambda slope, second, v: Nothing(), (problem.start, z), None, 1e-4)


class Nothing:
    """A curvature without numbers."""

    def solve(self, gradient):
        return gradient
