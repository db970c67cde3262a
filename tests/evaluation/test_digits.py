"""Digits: numbers have no more decimals than their error allows, on the terminal and on pages."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.evaluation.digits import decimals, digits_of, in_percent, interval


@pytest.mark.parametrize("width", np.logspace(-1.9, 3, 40).tolist())
def test_the_last_digit_is_worth_half_an_interval_at_most_and_a_twentieth_at_least(width):
    worth = 10.0 ** -decimals(width)
    assert worth <= width / 2 or width < 2  # nothing is lost that the error tells
    assert worth > width / 21 or worth == 1.0


def test_an_interval_ends_in_the_digits_of_its_mean():
    for width in (0.003, 0.1, 1.0, 30.0):
        mean, rest = interval(
            {"mean": 12.3456789, "low": 12.3456789 - width / 2, "high": 12.3456789 + width / 2}
        ).split(" (")
        low, high = rest.rstrip(")").split(" to ")
        assert len({len(one.partition(".")[2]) for one in (mean, low, high)}) == 1
    assert interval({"mean": -0.2, "low": -9.0, "high": 8.6}) == "0 (-9 to 9)"


def test_columns_have_the_digits_of_their_errors():
    rated = pd.DataFrame({"rating_elo": [1.0], "sd_elo": [0.1], "low_elo": [0.8], "high_elo": [1.2], "rank_low": [1]})
    assert digits_of(rated) == dict.fromkeys(("rating_elo", "sd_elo", "low_elo", "high_elo"), decimals(0.4))
    wide = pd.concat([rated, rated.assign(low_elo=-20.0)])
    assert set(digits_of(wide).values()) == {0}  # the widest interval decides for the column
    shares = pd.DataFrame({"title_percent": [45.354], "mc_error_percent": [0.44], "points": [3.6]})
    assert digits_of(shares) == {"title_percent": 1, "mc_error_percent": 1}
    assert digits_of(pd.DataFrame({"log_score": [0.1]})) == {}


def test_chances_are_rounded_in_one_way_and_never_certain():
    """Halves of a percent are rounded up, as by JavaScript's toFixed; 0% and 100% are not printed."""
    for share in range(1001):
        shown = in_percent(share / 1000)
        expected = (share + 5) // 10
        assert shown == (">99%" if share >= 995 else "<1%" if share <= 5 else f"{expected}%")
