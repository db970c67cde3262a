"""Checks of the audit on arrays: values by hand, planted errors detected, no false alarms."""

import numpy as np
import pytest
from scipy.stats import binom

from halfpoint.apps.fields.arena.checks import ALPHA, concentration, intransitivity, position_finding, swap_consistency


def davidson(eta, log_draw=0.4):
    scores = np.stack([-eta / 2, np.full_like(eta, log_draw), eta / 2], axis=-1)
    p = np.exp(scores)
    return p / p.sum(axis=-1, keepdims=True)


def battles(rng, players=8, count=3000):
    white = rng.integers(0, players, count)
    return white, (white + rng.integers(1, players, count)) % players


def outcomes(rng, p):
    uniform = rng.random(len(p))
    return np.where(uniform < p[:, 2], 1.0, np.where(uniform < p[:, 2] + p[:, 1], 0.5, 0.0))


def test_position_is_found_by_its_distance_from_nothing():
    drawn = np.random.default_rng(1).normal(20.0, 5.0, 4000)
    found = position_finding(540, 460, drawn, ("first shown", "second shown"))
    assert found.found
    assert found.numbers["share"] == 0.54
    assert not position_finding(540, 460, drawn - 20.0, ("left", "right")).found


def test_circles_are_found_and_strengths_are_not():
    rng = np.random.default_rng(2)
    strength = np.linspace(-0.5, 0.5, 8)
    white, black = battles(rng)
    eta = strength[white] - strength[black]
    p = davidson(eta)
    alarms = sum(bool(intransitivity(white, black, outcomes(rng, p), [p] * 200, 8, seed).found) for seed in range(40))
    assert alarms <= binom.ppf(0.9999, 40, ALPHA)
    circle = 0.6 * np.where((black - white) % 8 <= 3, 1.0, -1.0) * ((black - white) % 8 != 4)
    found = intransitivity(white, black, outcomes(rng, davidson(eta + circle)), [p] * 200, 8)
    assert found.found
    assert found.numbers["ratio"] > 1.5


def test_as_many_judges_as_judge_equally_often():
    equal = np.repeat([f"j{k}" for k in range(50)], 4)
    found = concentration(equal)
    assert found.numbers["effective"] == pytest.approx(50.0)
    assert not found.found
    one = np.concatenate([equal, np.repeat("j0", 40)])
    assert concentration(one).found
    assert concentration(np.repeat(["a", "b", "c"], 10)).numbers["effective"] == pytest.approx(3.0)


def test_both_orders_are_compared_by_prompt():
    """Prompt 1: A wins both times; prompt 2: the first shown wins both times; prompt 3: in one order only."""
    white, black = np.array([0, 1, 0, 1, 0]), np.array([1, 0, 1, 0, 1])
    found = swap_consistency(white, black, np.array([1.0, 0.0, 1.0, 1.0, 1.0]), np.array(["1", "1", "2", "2", "3"]))
    assert found.numbers == {"pairs": 2, "same": 0.5, "first_both_times": 0.5, "second_both_times": 0.0}
    assert swap_consistency(white[:1], black[:1], np.array([1.0]), np.array(["1"])) is None
    again = swap_consistency(*(np.tile(one, 2) for one in (white[:2], black[:2], np.array([1.0, 0.0]))),
                             np.full(4, "one FEN"), ("White", "Black"))  # fmt: skip
    assert again.numbers["pairs"] == 2
