"""Walks as graphs: levels, variance of steps, and steps recovered from values."""

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode

from halfpoint.models.language.walk_matrices import in_turn, waves
from halfpoint.models.language.walk_variable import fading, walks

MEMBERS, PERIODS, SPREAD = 3, 6, 0.4
LEVEL, BEGINS, PACE = np.array([15.0, 16.0, 17.5]), np.array([0, 2, 5]), np.log([0.5, 1.0, 3.0])
PLAIN = Mode("py", "fast_compile")


def named(name, value):
    """Named node of a value, as of a random variable."""
    node = pt.as_tensor_variable(np.asarray(value, dtype=np.float64)).copy()
    node.name = name
    return node


def noise(shape, seed=1):
    """Standard normal steps."""
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("matrix_of", [waves, in_turn])
@pytest.mark.parametrize("begins", [None, BEGINS])
@pytest.mark.parametrize("pace", [None, PACE])
def test_values_of_walks_have_their_levels_and_give_their_steps_again(matrix_of, begins, pace):
    matrix = matrix_of(PERIODS)
    steps = noise((MEMBERS, len(matrix)))
    scaled = steps if pace is None else steps * SPREAD * np.exp(pace)[:, None]
    paced = None if pace is None else named("pace", pace)
    node = walks(named("level", LEVEL), named("spread", SPREAD), named("steps", scaled), matrix, begins, paced)
    values = node.eval(mode=PLAIN)
    level = values.mean(axis=-1) if begins is None else values[np.arange(MEMBERS), begins]
    assert level == pytest.approx(LEVEL, rel=1e-12)
    sds = SPREAD * (np.ones(MEMBERS) if pace is None else np.exp(pace))[:, None]
    assert np.diff(values) == pytest.approx(np.diff(sds * (steps @ matrix)), abs=1e-12)
    operator = node.owner.op
    assert operator.steps(values, values.mean(axis=-1), SPREAD) == pytest.approx(scaled, abs=1e-9)
    several = operator.steps(np.stack([values, values]), np.tile(values.mean(axis=-1), (2, 1)), SPREAD)
    assert several == pytest.approx(np.stack([scaled, scaled]), abs=1e-9)


@pytest.mark.parametrize("matrix_of", [waves, in_turn])
def test_changes_of_a_walk_are_independent_and_of_one_variance(matrix_of):
    changes = np.diff(matrix_of(PERIODS), axis=1)
    assert changes.T @ changes == pytest.approx(np.eye(PERIODS - 1), abs=1e-12)


def test_an_autoregression_has_its_covariance_and_gives_its_steps_again():
    share, centre = 0.7, np.arange(3.0 * PERIODS).reshape(3, PERIODS)
    steps = noise((MEMBERS, PERIODS))
    node = fading(named("centre", centre), named("spread", SPREAD), named("steps", steps), share)
    values, operator = node.eval(mode=PLAIN), node.owner.op
    assert operator.steps(values, centre, SPREAD) == pytest.approx(steps, abs=1e-9)
    apart = np.abs(np.subtract.outer(np.arange(PERIODS), np.arange(PERIODS)))
    assert operator.matrix.T @ operator.matrix == pytest.approx(share**apart, abs=1e-12)
    first, later = operator.transition.innovations("x", {"x": values, "centre": centre, "spread": np.float64(SPREAD)})
    assert np.column_stack([first, later]) == pytest.approx(steps, abs=1e-9)
