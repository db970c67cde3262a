"""Normal approximation of every model: parts compared with NumPy, density and normal approximation with their
definitions.
"""

import numpy as np
import pytest
import scipy.sparse
from covering_rows import by_row
from made_traces import ROWS, declared, points
from numpy.testing import assert_allclose

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import gaussian_draws
from halfpoint.inference.gaussian.sparse.cholesky import (
    DenseMatrices,
    NotPositiveError,
    SparseMatrices,
    principal,
    storage,
)
from halfpoint.inference.gaussian.sparse.factor_loops import symbolic_factor
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.loops.engine import density, expand, numbers_of


def sparse_of(matrix):
    """Sparse storage for a matrix in its own order, of any density."""
    return SparseMatrices(np.arange(len(matrix)), *factor_of(scipy.sparse.csc_array(matrix), len(matrix) ** 2))


def factor_of(pattern, most):
    """Columns of a factor, from numbers of the kinds with which fits call the loop, which is compiled for each kind."""
    return symbolic_factor(pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64), float(most))


def test_what_fills_too_much_is_given_up():
    pattern = scipy.sparse.csc_array(np.ones((50, 50)))
    assert factor_of(pattern, 50 * 51 // 2)[1].size == 50 * 51 // 2
    assert factor_of(pattern, 50 * 51 // 2 - 1)[1].size == 0


@pytest.mark.parametrize(("kind", "size", "share"), [("dense", 30, 0.1), ("sparse", 30, 0.1), ("sparse", 300, 0.01)])
def test_factors_solve_draw_and_invert_as_numpy(kind, size, share):
    rng = np.random.default_rng(1)
    pattern = np.tril(rng.uniform(size=(size, size)) < share, -1)
    matrix = np.where(pattern, rng.normal(size=(size, size)), 0.0)
    matrix = matrix + matrix.T
    matrix += np.diag(np.abs(matrix).sum(axis=1) + 1.0)
    store = DenseMatrices(size) if kind == "dense" else sparse_of(matrix)
    i, j = np.nonzero(np.tril(matrix))
    stored = np.zeros(store.length)
    stored[store.places(i, j)] = matrix[i, j]
    root, b = store.root(stored), rng.normal(size=size)
    assert_allclose(store.solve(root, b), np.linalg.solve(matrix, b), atol=1e-12)
    assert_allclose(2 * np.log(store.diagonal(root)).sum(), np.linalg.slogdet(matrix)[1])
    assert_allclose(store.inverse(root)[store.places(i, j)], np.linalg.inv(matrix)[i, j], atol=1e-12)
    half = store.half(root, np.eye(size))  # L^-T
    assert_allclose(half @ half.T, np.linalg.inv(matrix), atol=1e-12)
    assert_allclose(store.half(root, b), half @ b, atol=1e-12)
    stored[store.places(i, i)] = -1.0
    with pytest.raises(NotPositiveError):
        store.root(stored)


def test_draws_between_many_factors_take_few_of_them():
    rng, size = np.random.default_rng(2), 60
    steps = np.diff(np.eye(size), axis=0)
    made = [steps.T @ steps / spread**2 + np.diag(1.0 + np.arange(size) % 3) for spread in np.geomspace(0.3, 3.0, 40)]
    store, roots = sparse_of(made[0]), []
    i, j = np.nonzero(np.tril(made[0]))
    for matrix in made:
        stored = np.zeros(store.length)
        stored[store.places(i, j)] = matrix[i, j]
        roots.append(store.root(stored))
    few, mixing = principal(store, [(root, np.ones(size)) for root in roots])
    assert len(few) < len(roots) / 2
    assert_allclose(mixing.sum(axis=1), 1.0, rtol=1e-12)
    share, e = rng.dirichlet(np.ones(len(roots)), size).T, np.eye(size)
    found = store.spread(few, share.T @ mixing, e)
    assert_allclose(np.diag(found), 1.0, rtol=1e-6)
    whole = sum(
        share[k] * (store.half(root, np.eye(size)) * store.diagonal(root)) for k, root in enumerate(roots)
    )  # columns: L^-T diag L e
    assert np.linalg.norm(found - whole) < 3e-3 * np.linalg.norm(whole)


def test_large_sparse_matrices_are_stored_by_their_pattern():
    size = 2000
    i = np.arange(size - 1)
    store = storage(size, i, i + 1)
    assert isinstance(store, SparseMatrices)
    assert store.length < 4 * size
    stored = np.zeros(store.length)
    stored[store.places(np.arange(size), np.arange(size))] = 2.5
    stored[store.places(i, i + 1)] = -1.0
    b = np.random.default_rng(1).normal(size=size)
    x = store.solve(store.root(stored), b)
    assert_allclose(2.5 * x - np.r_[x[1:], 0] - np.r_[0, x[:-1]], b, atol=1e-10)


def test_a_long_ring_around_a_hub_fills_next_to_nothing():
    size = 3000
    i = np.arange(size)
    store = storage(size + 1, np.r_[i, i], np.r_[(i + 1) % size, np.full(size, size)])
    assert isinstance(store, SparseMatrices)
    assert store.length <= 4 * size  # L of a ring has three to a column, the hub one more


def natural(problem, p):
    """Theta and z as one vector, from values by name."""
    layout, parts = problem.declared.layout, problem.parts
    v = np.zeros(parts.count)
    for name, (start, shape) in layout.slots.items():
        if name in p:
            v[start : start + int(np.prod(shape))] = np.ravel(p[name])
    v = v[parts.source]
    numbers = [v[theta.places[0]] / (theta.law.sd if theta.law.kind == "spread" else 1.0) for theta in parts.thetas]
    logs = [np.log(x) if theta.law.kind != "number" else x for x, theta in zip(numbers, parts.thetas, strict=True)]
    return np.concatenate([logs, v[parts.z]])


OWN_SPREADS = ("volatility-walk", "variance-walk")  # a spread of every player's own: NUTS only
NORMAL = [name for name in ROWS if not name.endswith(OWN_SPREADS)]
LOOSE = ("davidson-population", "davidson-walk", "bt-pooled", "davidson-all-draws")  # nobody anchored: reflected


@pytest.mark.parametrize(
    ("name", "data"), by_row([*((name, "anchored") for name in NORMAL), *((name, "unanchored") for name in LOOSE)])
)
def test_density_of_thetas_and_z_is_the_sampled_one(name, data):
    one = declared(name, data)
    problem, numbers = VariationalProblem(one), numbers_of(one)
    log_posterior = density(numbers)
    count, found = len(problem.parts.thetas), []

    def at(x):
        return natural(problem, {key: value[0] for key, value in expand(one, numbers, x[None]).items()})

    for x in points(one, 3):
        steps = 1e-5 * np.eye(x.size)
        jacobian = np.array([(at(x + step) - at(x - step)) / 2e-5 for step in steps])
        y = at(x)
        joint, _ = problem.log_joint(y[None, :count], y[None, count:])
        found.append(joint[0] - log_posterior(x)[0] + np.linalg.slogdet(jacobian)[1])
    assert_allclose(found, found[0], atol=2e-4)


@pytest.mark.parametrize(
    "name",
    [
        "davidson-walk",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("davidson-population", "rao-kupper-all-draws", "margin-t")
        ),
    ],
)
def test_closest_normal_is_what_it_says(name):
    one = declared(name)
    problem = VariationalProblem(one)
    x = problem.start
    q = problem.closest(x)
    rng = np.random.default_rng(1)

    def slope(z):
        v, place, by = problem.placed(x, z)
        _, first, _ = problem.rows.expect(place, None)
        total = problem.gradient(z, v)
        problem.rows.gather(by, first, total)
        return total

    noise = rng.standard_normal((2000, problem.size))
    whiten = np.array([problem.store.half(q.root, e) for e in np.eye(problem.size)])  # L^-1, row by row of L^-T'
    slopes = np.array([slope(q.centre + side * e @ whiten) for e in noise for side in (1.0, -1.0)]) @ whiten.T
    assert_allclose(slopes.mean(axis=0), 0.0, atol=5 * slopes.std(axis=0).max() / np.sqrt(len(slopes)))
    crossed = np.einsum("ki,kj->ij", (slopes[::2] - slopes[1::2]) / 2, noise) / len(noise)
    assert_allclose(crossed, -np.eye(problem.size), atol=0.15)  # Stein: E slope e' = -1 where whitened


@pytest.mark.parametrize("name", ["davidson-matched-walk", "davidson-rated", "margin-t"])
def test_the_slope_of_the_marginal_is_that_of_its_differences(name):
    problem = VariationalProblem(declared(name))
    node = problem.closest(problem.start + 0.2, sloped=True)
    steps = 0.05 * np.eye(node.x.size)
    both = [[problem.closest(node.x + side * step, node).marginal for side in (-1.0, 1.0)] for step in steps]
    assert_allclose(node.slope, np.diff(both)[:, 0] / 0.1, rtol=0.02, atol=0.02)


def test_paces_of_their_own_are_left_to_nuts():
    with pytest.raises(InferenceError, match=r"a spread by player. Use method nuts"):
        gaussian_draws(declared("davidson-volatility-walk"), 100, 1)


def test_one_seed_gives_one_set_of_draws():
    one = declared("davidson-population")
    first, again, other = (gaussian_draws(one, 500, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.v, again.v)
    assert np.array_equal(first.weights.log_weight, again.weights.log_weight)
    assert not np.array_equal(first.v, other.v)
