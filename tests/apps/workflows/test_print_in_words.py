"""Comparison of printed ratings with the ratings estimated from the games of a list."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from halfpoint.apps.workflows.trace_list import print_in_words

PRINTED = pd.Series([1800.0, 2000.0, 2200.0, np.nan])


def draws(scale, spread=1.0, level=0.0):
    """Ratings whose differences are the printed ones times a scale, with a spread of that scale over draws."""
    rng = np.random.default_rng(3)
    each = scale + spread * rng.standard_normal((2, 500, 1))
    values = np.concatenate(
        [2000.0 + level + each * np.array([-200.0, 0.0, 200.0]), np.full((2, 500, 1), 1500.0)], axis=2
    )
    return xr.DataArray(values, dims=("chain", "draw", "player"), coords={"player": list("abcd")})


@pytest.mark.parametrize(("scale", "side"), [(1.5, "above"), (0.7, "below")])
def test_leads_of_print_that_games_stretch_are_said_with_what_they_do_to_the_top(scale, side):
    moved = abs(200.0 * (scale - 1.0))
    for level in (0.0, 300.0):
        said = print_in_words(draws(scale, spread=0.0, level=level), PRINTED)
        assert f"worth {100 * scale:.0f} by these games ({100 * scale:.0f} to {100 * scale:.0f})" in said
        assert f"a player 200 above the printed mean is {moved:.0f} {side} the printed rating" in said


def test_a_scale_that_may_be_one_is_called_chance_and_two_ratings_say_nothing():
    assert print_in_words(draws(1.02, spread=0.1), PRINTED).endswith("the printed rating, not significantly")
    assert print_in_words(draws(1.5, spread=0.1), PRINTED).endswith("the printed rating")
    assert print_in_words(draws(1.5), PRINTED.where(PRINTED > 1900.0)) == ""
    assert print_in_words(draws(1.5), None) == ""
