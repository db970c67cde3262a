"""Weighted normal draws compared with long runs of NUTS; planted errors; factor-free compared with factored draws."""

from dataclasses import replace
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from monte_carlo import LIMIT, independent_errors, mean_error, sd_error
from scipy.stats import kstest, kstwobign

from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian import affine_rows, unweighted_draws
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.gaussian.weighted_draws import draw_weighted, matched_noise, standardise_draws
from halfpoint.inference.traces.whole_trace import fault_of
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.games.units import to_elo

OVER = ("chain", "draw")


def slow(*names):
    """Models of a test that runs in the slow suite."""
    return [pytest.param(name, marks=pytest.mark.slow) for name in names]


def league(players, games, seed=1, months=4, spread=0.6, monitored=None):
    """Simulated games with ratings, months and margins; all players, or the first ones, have parameters."""
    rng = np.random.default_rng(seed)
    names = np.array([f"P{k:03d}" for k in range(players)])
    strength = 15.5 + spread * rng.standard_normal(players)
    white = rng.integers(0, players, games).astype(np.int32)
    black = ((white + rng.integers(1, players, games)) % players).astype(np.int32)
    elo = np.round(to_elo(strength))
    schedule = Schedule(
        white, black, np.arange(games) * months // games + 1, white_rating_elo=elo[white], black_rating_elo=elo[black]
    )
    made = simulate(Truth(names, strength, 0.2, 0.3), schedule, seed)
    margin = np.round(2.0 * (strength[white] - strength[black]) + 1.5 * rng.standard_normal(games))
    made = replace(made, covariates={"margin": margin, "neutral": np.zeros(games)})
    return select(made, names[:monitored])


@pytest.fixture(scope="module")
def nested():
    return HyperparameterGrid(VariationalProblem(declare("davidson-population", league(10, 200))))


def test_draws_are_believed_and_a_wrong_precision_is_found(nested):
    found = draw_weighted(nested, 2000, 1)
    assert not found.faults
    assert found.weights.effective > 1500
    right = nested.nodes, nested.diagonals
    try:
        for wrong in (1.6, 0.3):  # the precision's root too large: tails are missed; too small: weights vary
            nested.nodes = [replace(node, root=wrong * node.root) for node in right[0]]
            nested.diagonals = right[1] + np.log(wrong)
            planted = draw_weighted(nested, 2000, 1)
            assert planted.weights.effective < 0.5 * found.weights.effective, wrong
            assert planted.faults or wrong < 1.0
    finally:
        nested.nodes, nested.diagonals = right


def test_noise_has_the_moments_of_a_normal_and_its_quantiles():
    noise = matched_noise(np.random.default_rng(1), 6000, 40)
    assert np.allclose(noise.mean(axis=0), 0.0, atol=1e-12)
    assert np.allclose(noise.T @ noise / 6000, np.eye(40), atol=1e-12)
    few = matched_noise(np.random.default_rng(1), 500, 40)
    assert np.allclose(few.mean(axis=0), 0.0, atol=1e-12)
    assert np.abs(few.T @ few / 500 - np.eye(40)).max() > 0.05
    along = noise @ np.full(40, 40**-0.5)
    assert kstest(along, "norm").statistic < kstwobign.isf(1e-4) / np.sqrt(6000)


@pytest.mark.draws
def test_means_and_deviations_hardly_differ_from_seed_to_seed(nested):
    drawn = [draw_weighted(nested, 4000, seed) for seed in range(12)]
    found = [one.v[one.weights.resampled(4000, seed)] for seed, one in enumerate(drawn)]
    here = nested.problem.parts.of("strength")
    apart = np.array([one[:, here] - one[:, here].mean(axis=1, keepdims=True) for one in found])
    sd = apart.std(axis=1)
    mean = apart.mean(axis=1).std(axis=0, ddof=1) / sd.mean(axis=0)
    width = (sd / sd.mean(axis=0)).std(axis=0, ddof=1)
    assert np.sqrt(np.mean(mean**2)) < 0.75 / np.sqrt(4000)
    assert np.sqrt(np.mean(width**2)) < 0.75 / np.sqrt(2 * 4000)


def test_the_determinant_between_nodes_is_that_of_the_map(nested):
    size, store = nested.problem.size, nested.problem.store
    units = [store.half(node.root, np.diag(store.diagonal(node.root))) for node in nested.nodes]
    places = np.array([[0.4], [-1.7]])
    for place, one in zip(places, nested.shares(places), strict=True):
        exact = np.tensordot(one, units, 1) * np.exp(-one @ nested.diagonals)
        many, x = (np.repeat(value[None], size, axis=0) for value in (one, nested.middle + place @ nested.axes))
        at_noise, at_zero = (
            standardise_draws(nested, x, noise, many) for noise in (np.eye(size), np.zeros((size, size)))
        )
        np.testing.assert_allclose(at_noise[1], -np.linalg.slogdet(exact)[1], rtol=1e-10)
        moved = (at_noise[0] - at_zero[0]).T  # by the parts that matter, whose determinant is the same
        assert np.square(moved - exact).sum() < 1e-5 * np.square(exact).sum()
        assert np.linalg.slogdet(moved)[1] == pytest.approx(np.linalg.slogdet(exact)[1], abs=1e-5 * size)


@pytest.mark.parametrize("name", ["davidson-rated", "davidson-walk-scaled", "bt-population-walk", "davidson-all-draws"])
def test_z_in_units_of_its_prior_and_back(name):
    problem, rng = VariationalProblem(declare(name, league(6, 120))), np.random.default_rng(3)
    parts, x = problem.parts, problem.start[None] + 0.3
    y = rng.standard_normal((2, problem.size))
    z = parts.natural(np.repeat(x, 2, axis=0), np.eye(2), y)
    np.testing.assert_allclose([parts.standard(x[0], one) for one in z], y, atol=1e-8)
    v = parts.values(np.repeat(x, 2, axis=0), z)
    apart = np.diff([sum(term.log_density(z, v) for term in parts.terms)])
    np.testing.assert_allclose(apart, -0.5 * np.diff(np.square(y).sum(axis=1))[None], atol=1e-8)


def test_a_likelihood_that_weighs_otherwise_is_found(nested):
    problem = nested.problem
    heavy = VariationalProblem(problem.declared.weighing(3.0 * problem.declared.selection.weight))
    kept, problem.numbers = problem.numbers, heavy.numbers
    try:
        assert draw_weighted(nested, 2000, 1).faults
    finally:
        problem.numbers = kept


def test_without_factors_centre_and_deviations_are_those_with_them():
    declared = declare("davidson-population", league(150, 3000, monitored=140))
    refits, problem = ReweightedFits(declared, factored=False), VariationalProblem(declared)
    found = refits.fit()
    exact = problem.closest(found.x)
    here = np.arange(problem.size)
    sd = np.sqrt(problem.store.inverse(exact.root)[problem.store.places(here, here)])
    assert np.abs((found.z - exact.centre) / sd).max() < 0.1
    np.testing.assert_allclose(found.top.curvature.deviations(), sd, rtol=0.1)
    peak = HyperparameterGrid(problem).middle
    assert float(np.abs(found.x - peak)[0]) < 0.1  # the spread's fixed point, on the log scale


@pytest.mark.parametrize("name", ["davidson-population", *slow("davidson-population-walk", "index-walk")])
def test_without_factors_what_is_not_known_of_sums_is_that_of_the_inverse(name):
    curvature = ReweightedFits(declare(name, league(50, 1500, months=12)), factored=False).fit().top.curvature
    inverse = np.linalg.inv(curvature.product(np.eye(curvature.own.size)))
    for term, found in zip(curvature.parts.terms, curvature.unknown(), strict=True):
        sums = (term.sums * (1.0 / term.sd)[:, None]).toarray()
        assert found == pytest.approx(np.einsum("rz,zy,ry->", sums, inverse, sums), rel=3e-3)


@pytest.mark.further
@pytest.mark.parametrize(
    "name", ["davidson-population-walk", *slow("davidson", "davidson-population", "davidson-scaled", "bt-player")]
)
def test_without_factors_draws_and_deviations_are_those_of_the_inverse(name):
    curvature = ReweightedFits(declare(name, league(150, 1500, monitored=140)), factored=False).fit().top.curvature
    size, count = curvature.own.size, 20_000
    precision = curvature.product(np.eye(size))
    ratio = curvature.deviations() / np.sqrt(np.diag(np.linalg.inv(precision)))
    np.testing.assert_allclose(ratio, 1.0, rtol=0.1)  # by SAMPLES draws each
    assert np.median(ratio) == pytest.approx(1.0, abs=3e-3)
    white = np.linalg.cholesky(precision).T @ curvature.draws(count, np.random.default_rng(1))
    spectrum = np.linalg.eigvalsh(white @ white.T / count)  # from (1 - root(size / count))^2 to the same with a plus
    assert spectrum.min() > (1 - np.sqrt(size / count)) ** 2 - 0.02
    assert spectrum.max() < (1 + np.sqrt(size / count)) ** 2 + 0.02


@pytest.mark.parametrize("name", ["davidson-player-draws", *slow("davidson-population", "davidson-population-walk")])
def test_without_factors_widths_of_rows_are_those_of_the_inverse(name):
    curvature = ReweightedFits(declare(name, league(150, 3000)), factored=False).fit().top.curvature
    rows, inverse = curvature.rows, np.linalg.inv(curvature.product(np.eye(curvature.own.size)))
    row = np.repeat(np.arange(rows.count), np.diff(rows.first))
    eta, lam = np.zeros((2, rows.count, curvature.own.size))
    eta[row, rows.column], lam[row, rows.column] = curvature.slope
    found, right = curvature.widths()[0::2], np.array([((one @ inverse) * one).sum(axis=1) for one in (eta, lam)])
    ratio = found / right
    assert np.abs(np.median(ratio, axis=1) - 1.0).max() < 0.05
    np.testing.assert_allclose(ratio, 1.0, rtol=0.3)  # by SAMPLES draws each


@pytest.mark.further
@pytest.mark.parametrize("name", ["davidson-rated", *slow("davidson-population")])
def test_rows_in_single_precision_give_the_same_list(monkeypatch, name):
    selection, lists = league(150, 3000), []
    for most in (affine_rows.SHORT, 1):
        monkeypatch.setattr(affine_rows, "SHORT", most)
        refits = ReweightedFits(declare(name, selection), factored=False)
        found = refits.fit()
        lists.append((refits.values(found)["strength"], refits.errors(found)["strength"], found.x))
    (strength, error, x), (other, wide, y) = lists
    assert np.abs((strength - other) / error).max() < 1e-3
    np.testing.assert_allclose(wide, error, rtol=1e-3)
    np.testing.assert_allclose(y, x, atol=1e-3)


@pytest.mark.parametrize("name", ["davidson-scaled", *slow("davidson-rated")])
def test_players_in_another_order_have_the_same_list(name):
    selection, lists = league(150, 3000, monitored=140), []
    for order in (np.arange(140), np.random.default_rng(2).permutation(140)):
        found = ReweightedFits(declare(name, select(selection.games, selection.players[order])), factored=False)
        top = found.fit()
        back = np.argsort(order)
        lists.append([one["strength"][back] for one in (found.values(top), found.errors(top))])
    (strength, error), (other, wide) = lists
    assert np.abs((strength - other) / error).max() < 1e-2
    np.testing.assert_allclose(wide, error, rtol=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "games", "monitored"),
    [
        ("davidson-population", 12, 150, 12),
        ("davidson-player-draws", 12, 500, 8),
        ("bt-pooled", 12, 300, 8),
        ("margin-t", 10, 200, 10),
        ("davidson-walk", 8, 300, 5),
    ],
)
def test_draws_are_those_of_long_runs_of_nuts(name, players, games, monitored):
    declared = declare(name, league(players, games, monitored=monitored))
    normal = fit(declared, "normal", draws=5000, pointwise_draws=0)
    exact = fit(declared, "nuts", draws=5000, tune=1000, pointwise_draws=0)
    assert normal.attrs["converged"], normal.attrs["verdict"]
    for key in exact["posterior"].data_vars:
        if str(key) in ("strength_mean", "level") and monitored == players:
            continue  # a convention
        one, other = (tree["posterior"][key] for tree in (normal, exact))
        if "player" in one.dims:
            one, other = one - one.mean("player"), other - other.mean("player")
        sd, (of_mean, of_sd) = other.std(OVER), independent_errors(one, normal.attrs["effective_draws"])
        away, wider = np.abs(one.mean(OVER) - other.mean(OVER)), np.abs(one.std(OVER) - sd)
        assert (away < 0.03 * sd + LIMIT * np.hypot(of_mean, mean_error(other))).all(), key
        assert (wider < 0.02 * sd + LIMIT * np.hypot(of_sd, sd_error(other))).all(), key


def test_pairs_of_entries_are_those_of_each_row():
    rng = np.random.default_rng(4)
    size = rng.integers(0, 6, 50)
    first, column = np.append(0, np.cumsum(size)), rng.integers(0, 30, size.sum()).astype(np.int32)
    rows = [column[start:stop] for start, stop in pairwise(first)]
    pairs = [sorted(pair) for row in rows for pair in combinations_with_replacement(row.tolist(), 2)]
    found = affine_rows.entry_pairs(first, column)
    assert sorted(pairs) == sorted(sorted(pair) for pair in found.T.tolist())


@pytest.mark.slow
def test_thousands_of_players_who_met_at_random_are_as_far_from_the_truth_as_their_errors_say():
    players, rng = 2600, np.random.default_rng(1)  # their factor would be dense
    declared = declare("davidson-population", league(players, 40_000))
    found = unweighted_draws(declared, 500, 1)
    assert found.weights.absence
    strength = declared.layout.named(found.v)["strength"]
    strength = strength - strength.mean(axis=1, keepdims=True)  # games know no level
    truth = 0.6 * rng.standard_normal(players)  # as `league` draws it
    away = strength.mean(axis=0) - truth + truth.mean()
    assert np.sqrt(np.mean((away / strength.std(axis=0)) ** 2)) == pytest.approx(1.0, abs=LIMIT / np.sqrt(2 * players))


@pytest.mark.slow
def test_a_normal_posterior_of_thousands_of_parameters_is_believed():
    """Leads in sets without unknown spreads: one factor is exact, however long."""
    players, years, a_year = 800, 10, 2000
    rng = np.random.default_rng(8)
    drawn = league(players, years * a_year, months=12 * years)
    games = drawn.games
    gap = 15.0 * (games.white_rating_elo - games.black_rating_elo) / 100.0
    lead = np.clip(gap + 25.0 * rng.standard_normal(gap.size), -100.0, 100.0)
    tour = select(replace(games, covariates={"lead_percent": lead}), drawn.players)
    declared = declare("sets-yearly-walk", tour)
    trace = fit(declared, "normal", draws=100, chains=4)
    assert declared.layout.count > 8_000
    assert trace.attrs["converged"], trace.attrs["verdict"]  # 400 draws are enough
    assert fault_of(trace) == ""
