"""Errors of comparisons in tests: correct in known cases, and wide enough for skewed posteriors."""

import numpy as np
import pytest
import xarray as xr
from monte_carlo import COMPARISONS, FALSE_ALARM, LIMIT, mean_error, means_apart, sd_error, sds_apart
from scipy.stats import norm


def draws(values):
    return xr.DataArray(values, dims=("chain", "draw", "entry"))


def test_the_level_is_that_of_the_suite():
    assert 2 * norm.sf(LIMIT) * COMPARISONS < FALSE_ALARM


def test_errors_of_independent_normal_draws_are_the_textbook_ones():
    found = draws(np.random.default_rng(1).normal(5.0, 3.0, (4, 2000, 40)))
    assert mean_error(found).mean() == pytest.approx(3.0 / np.sqrt(8000), rel=0.05)
    assert sd_error(found).mean() == pytest.approx(3.0 / np.sqrt(2 * 8000), rel=0.05)


@pytest.mark.cases(1)
@pytest.mark.parametrize("tail", ["normal", "exponential", "squared"])
def test_draws_of_one_posterior_are_never_called_apart(tail):
    rng = np.random.default_rng(2)
    make = {"normal": rng.standard_normal, "exponential": rng.standard_exponential}.get(
        tail, lambda shape: rng.standard_normal(shape) ** 2
    )
    one, other = draws(make((4, 1000, 500))), draws(make((4, 1000, 500)))
    assert means_apart(one, other) < LIMIT
    assert sds_apart(one, other) < LIMIT


def test_a_tenth_of_a_standard_deviation_is_found():
    rng = np.random.default_rng(3)
    one, other = draws(rng.normal(0.0, 1.0, (4, 2000, 5))), draws(rng.normal(0.0, 1.12, (4, 2000, 5)))
    assert sds_apart(one, other) > LIMIT
    assert means_apart(one, one + 0.1) > LIMIT
    assert sds_apart(one, one) == 0.0
