"""Normal terms against SciPy and differences; the split of a model against its graph."""

import numpy as np
import pymc as pm
import pytest
import scipy.sparse as sparse
from scipy.stats import halfnorm, multivariate_normal, norm

from halfpoint.inference.gaussian.latent_split import GaussianTerm, LatentSplit, _gathered, _summed
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate
from halfpoint.models.reading.sparse_affine import SparseAffine

B = np.array([[1.0, 0.0, -1.0], [0.5, 2.0, 0.0], [0.0, 1.0, 1.0]])
OFFSET, SD = np.array([0.2, -0.4, 0.0]), np.array([0.5, 1.5, 2.0])
V = np.array([[0.3, 1.7, -0.6], [-1.0, 0.4, 0.9]])  # (draw, value): the second is a spread
Z = np.array([[0.1, -0.7, 1.2], [0.6, 0.0, -0.3]])
CONSTANT = 1.5 * np.log(2.0 * np.pi) + np.log(SD).sum()


@pytest.fixture(params=["with a spread", "alone"])
def term(request):
    """Sums of three z about an offset and a mean, the spread a value or 1."""
    means = ((0, np.array([1.0, 0.0, -2.0])), (2, np.array([0.0, 0.5, 0.0])))
    return GaussianTerm(sparse.csr_array(B), OFFSET, SD, means, 1 if request.param == "with a spread" else -1)


def law_of(term, v):
    """Mean and standard deviations of B z."""
    mean = OFFSET + sum(slope * v[place] for place, slope in term.means)
    return mean, SD * (v[1] if term.spread == 1 else 1.0)


def test_the_density_is_normal_up_to_a_constant(term):
    exact = []
    for v, z in zip(V, Z, strict=True):
        mean, sd = law_of(term, v)
        exact.append(norm.logpdf(B @ z, mean, sd).sum())
        assert term.log_density(z, v) - exact[-1] == pytest.approx(CONSTANT)
        np.testing.assert_allclose(term.standard(z, v), (B @ z - mean) / sd)
        np.testing.assert_allclose(term.middle(v), mean)
        np.testing.assert_allclose(term.scaled(v).toarray(), B / sd[:, None])
    np.testing.assert_allclose(np.diff(term.log_density(Z, V)), np.diff(exact))


def test_the_slope_is_that_of_differences(term):
    steps = 1e-6 * np.eye(3)
    rise = [(term.log_density(Z[0] + h, V[0]) - term.log_density(Z[0] - h, V[0])) / 2e-6 for h in steps]
    np.testing.assert_allclose(term.slope(Z[0], V[0]), rise, rtol=1e-6)


def test_the_precision_is_the_curvature(term):
    covariance = np.linalg.inv(B) @ np.diag(SD**2) @ np.linalg.inv(B).T
    np.testing.assert_allclose(np.linalg.inv(term.precision.toarray()), covariance)
    spread = V[1, 1] if term.spread == 1 else 1.0
    np.testing.assert_allclose(
        term.precision.data * term.share(V[1]), term.precision_entries(term.precision.data, V[1])
    )
    assert term.share(V[1]) == pytest.approx(spread**-2.0)
    gap = multivariate_normal.logpdf(Z[0], cov=covariance * spread**2) - multivariate_normal.logpdf(
        Z[1], cov=covariance * spread**2
    )
    free = GaussianTerm(term.sums, OFFSET * 0.0, SD, (), term.spread)
    assert free.log_density(Z[0], V[1]) - free.log_density(Z[1], V[1]) == pytest.approx(gap)


def test_the_precision_of_a_level_is_spread_over_the_diagonal():
    even = GaussianTerm(sparse.csr_array(np.full((1, 4), 0.25)), np.zeros(1), np.array([0.5]), even=True)
    matrix = even.precision.toarray()
    np.testing.assert_allclose(matrix, np.eye(4))  # 4 * 1/16 / 0.25 in each row
    np.testing.assert_allclose(matrix.sum(), GaussianTerm(even.sums, even.offset, even.sd).precision.sum())


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([([1.0, 1.0], ([4, 2],))], [4, 2]),
        ([([1.0, 0.0], ([4, 0],)), ([0.0, 1.0], ([0, 7],))], [4, 7]),
        ([([1.0, 0.5], ([4, 2],))], None),
        ([([1.0, 0.0], ([4, 2],))], None),
        ([([1.0, 1.0], ([4, 2],)), ([1.0, 0.0], ([3, 0],))], None),
        ([([1.0, 1.0], ([4, 2], [1, 1]))], None),
    ],
)
def test_sums_of_one_value_each_are_read_through(terms, expected):
    form = SparseAffine((2,), [(np.array(c), tuple(np.array(part) for part in index)) for c, index in terms])
    places = _gathered(form)
    assert (None if places is None else places.tolist()) == expected


def test_sums_of_values_are_those_by_hand():
    form = SparseAffine(
        (2,),
        [(np.array([2.0, 1.0]), (np.array([0, 1]),)), (np.array([1.0, -1.0]), (np.array([1, 2]), np.array([2, 2])))],
    )
    v = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]])
    np.testing.assert_array_equal(_summed(form, v), [[8.0, -7.0], [-3.0, -17.0]])


@pytest.fixture(scope="module")
def selection():
    rng = np.random.default_rng(1)
    white = rng.integers(0, 5, 60).astype(np.int32)
    black = ((white + rng.integers(1, 5, 60)) % 5).astype(np.int32)
    truth = Truth(np.array([f"P{k}" for k in range(5)]), rng.normal(size=5), 0.2, 0.3)
    games = simulate(truth, Schedule(white, black, np.arange(60) // 20 + 1), 1)
    return select(games, games.players)


@pytest.mark.parametrize("name", ["davidson-population", "davidson-walk", "bt-pooled"])
def test_z_in_units_of_its_prior_goes_back_to_itself(name, selection):
    parts = LatentSplit(declare(name, selection))
    rng = np.random.default_rng(2)
    x, z = 0.3 * rng.normal(size=(3, len(parts.thetas))), rng.normal(size=(3, parts.z.size))
    standard = np.array([parts.standard(a, b) for a, b in zip(x, z, strict=True)])
    again = parts.natural(x, np.eye(3), standard)
    np.testing.assert_allclose(again, z, atol=1e-9)
    values = parts.values(x, z)
    for place, number in enumerate(parts.z):
        np.testing.assert_array_equal(values[:, number], z[:, place])
    for k, theta in enumerate(parts.thetas):
        np.testing.assert_allclose(values[:, theta.places[0]], theta.law.value(x[:, k]))
    zero = parts.values(x)
    prior = parts.log_prior(x, z, zero)
    expected = [
        sum(theta.law.log_density(a[k]) for k, theta in enumerate(parts.thetas))
        + sum(term.log_density(b, v) for term in parts.terms)
        for a, b, v in zip(x, z, zero, strict=True)
    ]
    np.testing.assert_allclose(prior, expected)
    sums = np.vstack([term.sums.toarray() for term in parts.terms])
    np.testing.assert_allclose(parts.begin(), start_of(parts, sums))


def start_of(parts, sums):
    """B' offset over the squares of B by column, at least 1."""
    offset = np.concatenate([term.offset for term in parts.terms])
    return sums.T @ offset / np.maximum((sums**2).sum(axis=0), 1.0)


def test_levels_of_walks_are_the_means_over_periods(selection):
    parts = LatentSplit(declare("davidson-walk", selection))
    assert len(parts.steps) == 1
    level, walks, (players, periods), _ = parts.steps[0]
    z = np.random.default_rng(3).normal(size=parts.z.size)
    v = parts.values(np.zeros(len(parts.thetas)), z)
    by_period = v[walks : walks + players * periods].reshape(players, periods)
    np.testing.assert_allclose(v[level : level + players], by_period.mean(axis=1))
    np.testing.assert_allclose((parts.lift @ z)[level : level + players], by_period.mean(axis=1))


def pulled(games):
    """Strengths about a positive mean, which is a theta, and half of the advantage."""
    with pm.Model(coords=games.coords) as model:
        mean, advantage = pm.HalfNormal("mean", 2.0), pm.Normal("advantage", 0.1, 0.3)
        strength = pm.Normal("strength", 3.0 * mean + 0.5 * advantage - 1.0, 0.7, dims="player")
        davidson(games, games.white(strength) + advantage, games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


def test_priors_about_thetas_and_z_are_those_of_the_definition(selection):
    declared = declare(pulled, selection)
    parts = LatentSplit(declared)
    assert [theta.name for theta in parts.thetas] == ["mean"]
    for term in parts.terms:
        weighted = term.sums.toarray() / term.sd[:, None]
        np.testing.assert_allclose(term.precision.toarray(), weighted.T @ weighted, atol=1e-12)
    rng = np.random.default_rng(4)
    found, expected = [], []
    for _ in range(3):
        x, z = 0.5 * rng.normal(size=1), rng.normal(size=parts.z.size)
        found.append(parts.log_prior(x, z, parts.values(x)))
        p = declared.layout.named(parts.values(x, z))
        strengths = norm(3.0 * p["mean"] + 0.5 * p["advantage"] - 1.0, 0.7).logpdf(p["strength"]).sum()
        numbers = norm(0.1, 0.3).logpdf(p["advantage"]) + norm(0.0, 1.0).logpdf(p["log_draw"])
        expected.append(strengths + numbers + halfnorm(scale=2.0).logpdf(p["mean"]) + np.log(p["mean"]))
    np.testing.assert_allclose(np.diff(found), np.diff(expected))


@pytest.mark.parametrize("name", ["davidson-population", "bt-population-walk"])
def test_priors_of_populations_and_walks_are_those_of_the_definition(name, selection):
    """Means and levels about 2705 Elo points; steps of a walk from period to period."""
    elo = np.log(10.0) / 400.0
    declared = declare(find(name).but("by months", every=1) if name.endswith("walk") else name, selection)
    parts = LatentSplit(declared)
    rng = np.random.default_rng(5)
    fixed = None
    found, expected = [], []
    for _ in range(3):
        x, z = 0.3 * rng.normal(size=len(parts.thetas)), rng.normal(size=parts.z.size)
        p = declared.layout.named(parts.values(x, z))
        found.append(parts.log_prior(x, z, parts.values(x)))
        members = p["level"] if "level" in p else p["strength"]
        total = norm(2705.0 * elo, 400.0 * elo).logpdf(p["strength_mean"])
        total += norm(p["strength_mean"], p["strength_spread"]).logpdf(members).sum()
        if "level" in p:
            np.testing.assert_allclose(p["level"], p["strength"].mean(axis=-1))
            total += norm(0.0, p["innovation_spread"]).logpdf(np.diff(p["strength"], axis=-1)).sum()
        for k, theta in enumerate(parts.thetas):
            total += theta.law.log_density(x[k])
        others = {key: p[key] for key in ("advantage", "log_draw") if key in p}
        for key, value in others.items():
            law = next(law for law in declared.laws if law.name == key)
            block = law.gaussian[0]
            total += norm(float(block.middle[0]), float(block.sd[0])).logpdf(value)
        fixed = fixed or sorted(p)
        assert sorted(p) == fixed
        expected.append(float(total))
    np.testing.assert_allclose(np.diff(found), np.diff(expected))


@pytest.mark.parametrize("place", [0, 1])
def test_a_spread_is_any_value(place):
    free = GaussianTerm(sparse.csr_array(B), OFFSET, SD, (), place)
    v = np.array([1.3, 1.7])
    exact = [norm.logpdf(B @ Z[0], OFFSET, SD * spread).sum() for spread in (v[place], 1.0)]
    known = GaussianTerm(sparse.csr_array(B), OFFSET, SD).log_density(Z[0], v)
    assert free.log_density(Z[0], v) - known == pytest.approx(exact[0] - exact[1])
    assert free.share(v) == pytest.approx(v[place] ** -2.0)
