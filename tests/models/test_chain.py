"""Operator of a recursion compared with its linear equations and differences; whitened coordinates of processes."""

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode
from pytensor.gradient import verify_grad
from scipy.stats import multivariate_normal, norm

from halfpoint.models.language.chain import Chain, Whitened
from halfpoint.models.rows.days import FIRST, KERNELS, STATES

BEFORE = np.array(
    [[-1, -1], [0, -1], [0, 1], [-1, -1], [3, 0], [4, 2], [5, 5]]
)  # two roots, 0 among the earlier states
PLAIN = Mode("py", "fast_compile")


def random_inputs(seed=3):
    """Coefficients (0 for absent states) and increments."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=BEFORE.shape) * (BEFORE >= 0), rng.normal(size=len(BEFORE))


def test_a_recursion_solves_its_linear_equations():
    coefficients, increments = random_inputs()
    matrix = np.eye(len(BEFORE))
    for k, row in enumerate(BEFORE):
        for j, earlier in enumerate(row):
            matrix[k, earlier] -= coefficients[k, j] if earlier >= 0 else 0.0
    states = Chain(BEFORE)(coefficients, increments).eval(mode=PLAIN)
    assert states == pytest.approx(np.linalg.solve(matrix, increments), rel=1e-12)


def test_derivatives_of_a_recursion_are_differences():
    verify_grad(
        lambda c, w: Chain(BEFORE)(c * (BEFORE >= 0), w),
        list(random_inputs()),
        rng=np.random.default_rng(5),
        mode=PLAIN,
    )


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_density_of_a_process_is_that_of_independent_coordinates(kernel):
    before, spread, length = np.array([-1, 0, 1, -1, 3]), 0.7, 23.0  # two players
    days = np.array([FIRST, 3.0, 40.0, FIRST, 11.0])
    shape = (5,) if STATES[kernel] == 1 else (5, 2)
    value = pt.as_tensor(np.random.default_rng(8).normal(size=shape))
    inputs = (None, None, pt.constant(spread), pt.constant(length), pt.constant(days))
    whitened = Whitened(kernel, before)
    states = whitened.backward(value, *inputs)
    coordinates, log_determinant, states = pytensor.function(
        [], [whitened.forward(states, *inputs), whitened.log_jac_det(value, *inputs), states], mode=PLAIN
    )()
    assert coordinates == pytest.approx(value.data, abs=1e-9)
    dense = 0.0
    for player in (slice(0, 3), slice(3, 5)):
        at = np.cumsum(np.where(days[player] == FIRST, 0.0, days[player]))
        apart = np.abs(at[:, None] - at)
        if kernel == "ornstein-uhlenbeck":
            covariance = np.exp(-apart / length)
        else:
            a, sign = np.sqrt(3.0) * apart / length, np.sign(at[:, None] - at)
            across = sign * a * np.exp(-a)
            covariance = np.block([[(1.0 + a) * np.exp(-a), across], [across.T, (1.0 - a) * np.exp(-a)]])
        dense += multivariate_normal.logpdf(states[player].T.ravel(), cov=spread**2 * covariance)
    assert norm.logpdf(value.data).sum() - log_determinant == pytest.approx(dense, abs=1e-6)
