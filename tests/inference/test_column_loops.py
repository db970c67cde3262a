"""Loops over eight columns, as Python, against dense matrices and a likelihood by NumPy."""

import numpy as np
import pytest
from plain_loops import potential_of, run_as_python

from halfpoint.inference.gaussian import column_loops
from halfpoint.inference.loops.rows_of_eight import COLUMNS

SIZE, ROWS = 5, 7


def density(eta, lam, weight):
    """Any smooth function of eta and lam, by row."""
    return weight[0] * np.sin(eta) + weight[1] * eta * lam - weight[2] * lam**2


def slopes(eta, lam, weight):
    """Its derivatives by eta and by lam."""
    return weight[0] * np.cos(eta) + weight[1] * lam, weight[1] * eta - 2.0 * weight[2] * lam


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_as_python(monkeypatch, column_loops)
    monkeypatch.setattr(column_loops, "call_potential", potential_of(density, slopes))
    monkeypatch.setattr(column_loops, "_BLOCK", 3)


def triangle(rng, size=SIZE):
    """A lower triangular matrix, and its columns, diagonals first."""
    matrix = np.tril(rng.normal(size=(size, size)) * (rng.random((size, size)) < 0.6), -1)
    np.fill_diagonal(matrix, 1.0 + rng.random(size))
    rows = [np.flatnonzero(column) for column in matrix.T]
    first = np.cumsum([0, *(row.size for row in rows)])
    return matrix, (first, np.concatenate(rows), np.concatenate([matrix[row, j] for j, row in enumerate(rows)]))


def columns(rng, count=SIZE):
    return rng.normal(size=(count, COLUMNS))


def test_triangles_are_solved():
    rng = np.random.default_rng(1)
    matrix, stored = triangle(rng)
    b = columns(rng)
    low, high = b.copy(), b.copy()
    column_loops.solve_columns(*stored, low)
    column_loops.solve_transposed(*stored, high)
    np.testing.assert_allclose(matrix @ low, b, atol=1e-12)
    np.testing.assert_allclose(matrix.T @ high, b, atol=1e-12)


def test_turns_kicks_and_sums():
    rng = np.random.default_rng(2)
    q, p, slope, angle, step = (columns(rng, count) for count in (SIZE, SIZE, SIZE, 1, 1))
    complex_number = (q + 1j * p) * np.exp(-1j * angle)
    kicked = p + step * (slope + q)
    turned, other = p.copy(), p.copy()
    np.testing.assert_allclose(column_loops.turn(q, turned, np.cos(angle), np.sin(angle)), complex_number.real)
    np.testing.assert_allclose(turned, complex_number.imag)
    column_loops.kick(other, slope, q, step)
    np.testing.assert_allclose(other, kicked)
    weights = rng.normal(size=(3, SIZE))
    np.testing.assert_allclose(column_loops.linear(weights, q), weights @ q)


def test_slopes_by_noise_go_back_to_centres_and_widths():
    """Noise is exp(-shrink logs) e + follow bend; its slopes by bend and logs are those of the chain rule."""
    rng = np.random.default_rng(3)
    of_noise, e, width, follow, shrink = (
        columns(rng), columns(rng), rng.random((SIZE, COLUMNS)), *rng.normal(size=(2, SIZE, 2)),
    )  # fmt: skip
    by_noise = of_noise.copy()
    by_bend, by_logs = column_loops.pull_back(of_noise, e, width, follow, shrink)
    np.testing.assert_allclose(by_bend, follow.T @ by_noise)
    np.testing.assert_allclose(by_logs, -shrink.T @ (e * width * by_noise))
    np.testing.assert_allclose(of_noise, width * by_noise)


def sums(slopes):
    """Sums of rows by their entries that are not 0."""
    used = [np.flatnonzero(row) for row in slopes]
    first, column = np.cumsum([0, *(row.size for row in used)]), np.concatenate(used)
    return first, column, slopes[np.repeat(np.arange(len(slopes)), np.diff(first)), column]


@pytest.fixture(params=["lam of each row", "a common lam"])
def games(request):
    """Slopes of eta and lam by values, products of two values, and weights of rows."""
    rng = np.random.default_rng(4)
    eta, lam = rng.normal(size=(ROWS, SIZE)) * (rng.random((ROWS, SIZE)) < 0.5), np.zeros((ROWS, SIZE))
    pairs = (
        np.array([0, 2, 2, 5]), np.array([0, 1, 0, 1]), rng.normal(size=4), np.array([0, 1, 2, 3]),
        np.array([1, 3, 2, 4]),
    )  # fmt: skip
    if request.param == "a common lam":
        lam[:, 3:] = rng.normal(size=2)
        pairs = tuple(column[[0, 2]] for column in pairs)
        return (sums(eta), sums(lam[:1])), pairs, rng.random((3, ROWS)), (eta, lam)
    lam[:, 4] = rng.normal(size=ROWS)
    return (sums(eta), sums(lam)), pairs, rng.random((3, ROWS)), (eta, lam)


def likelihood(games, v):
    """Log likelihood of each column by NumPy."""
    _, pairs, weight, slopes_of = games
    both = [slope @ v for slope in slopes_of]
    for row, part, share, i, j in zip(*pairs, strict=True):
        both[part][row] += share * v[i] * v[j]
    return density(*both, weight[..., None]).sum(axis=0)


def test_the_likelihood_of_rows_and_its_gradient(games):
    entries, pairs, weight, _ = games
    v = columns(np.random.default_rng(5))
    slope, value = np.zeros(v.shape), np.ones(COLUMNS)
    column_loops.add_rows(0, weight.ravel(), entries, pairs, v, slope, value)
    np.testing.assert_allclose(value, 1.0 + likelihood(games, v), rtol=1e-12)
    for number in range(SIZE):
        step = 1e-6 * (np.arange(SIZE) == number)[:, None]
        rise = (likelihood(games, v + step) - likelihood(games, v - step)) / 2e-6
        np.testing.assert_allclose(slope[number], rise, rtol=1e-6, atol=1e-8)


def test_values_at_noise_and_all_their_slopes(games):
    """Sums of moved centres, times ratios, through two triangles: value and slopes against dense NumPy."""
    entries, pairs, weights, _ = games
    rng, n = np.random.default_rng(6), 3
    (root, factor), (low, low_stored), (high, high_stored) = (triangle(rng, n) for _ in range(3))
    rank, centre, to, back = rng.permutation(n), rng.normal(size=n), rng.permutation(n), rng.permutation(n)
    share, weight, hat, alone = rng.normal(size=(n, n)), rng.random(n), rng.normal(size=n), np.array([-1, 0, 2])
    start, column = n * np.arange(n + 1), np.tile(np.arange(n), n)
    spread, mean, theta = np.array([1, 0, 1]), columns(rng, n), columns(rng, SIZE - n)
    e, rho = columns(rng, n), 0.5 + rng.random((2, COLUMNS))

    def value_at(e, rho, mean, theta):
        moved = centre[:, None] + np.linalg.solve(root.T, e)[rank]
        residual = share @ moved - hat[:, None]
        sums, work = np.where(alone[:, None] >= 0, moved[alone], residual), np.empty((n, COLUMNS))
        work[to] = rho[spread] * sums + mean
        z = np.linalg.solve(high, np.linalg.solve(low, work)[::-1])[back]
        both = np.concatenate([z, theta])
        return -0.5 * (weight[:, None] * residual**2).sum(axis=0) + likelihood(games, both), both

    v = np.concatenate([np.zeros((n, COLUMNS)), theta])
    value, *gradients = column_loops.at_columns(
        0, weights.ravel(), e.copy(), (*factor, rank, centre), (start, column, share.ravel(), weight, hat, alone),
        (low_stored, high_stored, to, back), entries, pairs, spread, rho, mean, v,
    )  # fmt: skip
    expected, both = value_at(e, rho, mean, theta)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(v, both, rtol=1e-12)
    of_noise, of_theta, of_mean, of_rho = gradients
    arguments = [e, rho, mean, theta]
    for which, slope in enumerate((of_noise, of_rho, of_mean, of_theta)):
        for number in range(len(slope)):
            step = 1e-6 * (np.arange(len(slope)) == number)[:, None]
            before, after = arguments[:which], arguments[which + 1 :]
            up, down = (value_at(*before, arguments[which] + h, *after)[0] for h in (step, -step))
            np.testing.assert_allclose(slope[number], (up - down) / 2e-6, rtol=1e-5, atol=1e-6)
