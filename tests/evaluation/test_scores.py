"""Scores: values computed by hand, and propriety."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfpoint.evaluation.differences import mean_difference
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import (
    accuracy,
    binomial_deviance,
    de_finetti,
    de_finetti_score,
    expected_score,
    log_score,
    ranked_probability_score,
    root_mean_square_error,
    squared_error,
)

PROPER = (log_score, de_finetti, ranked_probability_score)


@st.composite
def distributions(draw):
    parts = np.array([draw(st.floats(0.01, 1.0)) for _ in range(3)])
    return parts / parts.sum()


def test_hand_values():
    p = np.array([[0.2, 0.3, 0.5]])
    assert log_score(p, [2]) == pytest.approx([np.log(2)])
    assert de_finetti(p, [2]) == pytest.approx([0.04 + 0.09 + 0.25])
    assert ranked_probability_score(p, [2]) == pytest.approx([(0.2**2 + 0.5**2) / 2])
    assert expected_score(p) == pytest.approx([0.65])
    assert squared_error([0.65], [1.0]) == pytest.approx([0.1225])
    assert root_mean_square_error([0.65, 0.5], [1.0, 0.5]) == pytest.approx(0.35 / np.sqrt(2))
    assert binomial_deviance([0.1], [1.0]) == pytest.approx([1.0])


def test_a_football_forecast_of_constantinou_and_fenton():
    # Their table 1, matches 1 and 2: (1, 0, 0) and (0.9, 0.1, 0) when home wins score 0 and 0.005.
    forecasts = np.array([[1.0, 0.0, 0.0], [0.9, 0.1, 0.0]])
    assert ranked_probability_score(forecasts, [0, 0]) == pytest.approx([0.0, 0.005])


def test_deviance_never_passes_its_limit():
    assert binomial_deviance([0.0, 1.0], [1.0, 0.0]) == pytest.approx([2.0, 2.0])


def test_accuracy_shares_a_tie():
    assert accuracy([[1 / 3, 1 / 3, 1 / 3]], [0]) == pytest.approx([1 / 3])


@given(truth=distributions(), other=distributions())
def test_proper_scores_are_least_in_expectation_at_the_truth(truth, other):
    outcomes = np.arange(3)
    for score in PROPER:
        honest = truth @ score(np.tile(truth, (3, 1)), outcomes)
        assert honest <= truth @ score(np.tile(other, (3, 1)), outcomes) + 1e-12


@given(p=distributions(), outcome=st.integers(0, 2))
def test_colours_swapped_change_no_score(p, outcome):
    for score in (*PROPER, accuracy):
        assert score([p], [outcome]) == pytest.approx(score([p[::-1]], [2 - outcome]))
    e, y = expected_score([p]), np.array([outcome / 2])
    for score in (squared_error, binomial_deviance):
        assert score(e, y) == pytest.approx(score(1 - e, 1 - y))


@given(p=distributions(), outcome=st.integers(0, 2))
def test_ranges(p, outcome):
    assert log_score([p], [outcome])[0] >= 0
    assert 0 <= de_finetti([p], [outcome])[0] <= 2
    assert 0 <= ranked_probability_score([p], [outcome])[0] <= 1
    assert 0 <= de_finetti_score(expected_score([p]), [outcome / 2])[0] <= 1


def test_order_matters_to_the_ranked_probability_score_only():
    near, far = [[0.0, 0.8, 0.2]], [[0.8, 0.0, 0.2]]
    assert ranked_probability_score(near, [2])[0] < ranked_probability_score(far, [2])[0]
    assert de_finetti(near, [2]) == pytest.approx(de_finetti(far, [2]))


def test_paired_error_is_the_standard_error_of_the_differences():
    rng = np.random.default_rng(7)
    hard = rng.normal(size=400)
    first, second = hard + rng.normal(scale=0.1, size=400), hard
    found = mean_difference(first, second)
    gap = first - second
    assert found.mean == pytest.approx(gap.mean())
    assert found.standard_error == pytest.approx(np.sqrt(((gap - gap.mean()) ** 2).sum() / 399 / 400))
    assert found.games == 400
    assert mean_difference(second, first).mean == pytest.approx(-found.mean)


@pytest.mark.parametrize(
    ("forecast", "outcome", "says"),
    [
        ([[0.5, 0.6, 0.1]], [1], "sum to 1"),
        ([[0.5, 0.5]], [1], "shapes"),
        ([[0.2, 0.3, 0.5]], [3], "0 loss, 1 draw or 2 win"),
        ([[np.nan, 0.5, 0.5]], [1], "sum to 1"),
    ],
)
def test_a_wrong_forecast_is_refused(forecast, outcome, says):
    with pytest.raises(EvaluationError, match=says):
        log_score(forecast, outcome)


def test_a_wrong_expected_score_is_refused():
    with pytest.raises(EvaluationError, match="0 to 1"):
        squared_error([1.2], [1.0])
    with pytest.raises(EvaluationError, match="same games"):
        mean_difference([1.0], [1.0, 2.0])
