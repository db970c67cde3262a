"""Elo's curves compared with table 1 of the thesis, and FIDE's tables with one another and with the curves."""

import numpy as np
import pytest
from rating_games import table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.curves import NORMAL_SD_ELO, expected_score, quantile_elo, score_of
from halfpoint.systems.elo import Elo
from halfpoint.systems.fide_table import (
    DIFFERENCE_ELO,
    WIDEST_ELO,
    difference_by_steps,
    score_by_steps,
)

# Pires (2014), table 1: rating difference, normal %, logistic %.
TABLE_1 = [
    (-100, 36.18, 35.99), (-90, 37.52, 37.33), (-80, 38.87, 38.69), (-70, 40.23, 40.06), (-60, 41.60, 41.45),
    (-50, 42.98, 42.85), (-40, 44.38, 44.27), (-30, 45.78, 45.69), (-20, 47.18, 47.12), (-10, 48.59, 48.56),
    (0, 50.00, 50.00), (10, 51.41, 51.44), (20, 52.82, 52.88), (30, 54.22, 54.31), (40, 55.62, 55.73),
    (50, 57.02, 57.15), (60, 58.40, 58.55), (70, 59.77, 59.94), (80, 61.13, 61.31), (90, 62.48, 62.67),
    (100, 63.82, 64.01),
]  # fmt: skip


@pytest.mark.parametrize(("curve", "column"), [("normal", 1), ("logistic", 2)])
def test_table_1(curve, column):
    printed = np.array(TABLE_1)
    computed = 100.0 * expected_score(printed[:, 0], curve)
    # 38.87 and 61.13 of the normal column are printed with a slip of 0.01 (38.86, 61.14).
    assert np.max(np.abs(computed - printed[:, column])) < 0.0101
    assert np.sum(np.abs(computed - printed[:, column]) > 0.00501) == (2 if curve == "normal" else 0)


def test_standard_deviation_of_a_difference():
    assert round(NORMAL_SD_ELO, 2) == 282.84  # eq. 1


@pytest.mark.parametrize("curve", ["normal", "logistic"])
def test_quantile_inverts_the_curve(curve):
    difference = np.linspace(-700.0, 700.0, 29)
    assert quantile_elo(expected_score(difference, curve), curve) == pytest.approx(difference, abs=1e-6)
    assert quantile_elo(np.array([0.0, 1.0]), curve).tolist() == [-np.inf, np.inf]


def test_rule_of_400():
    # Source: the maximum and minimum expected scores are around 0.91 and 0.09.
    difference = np.array([-900.0, -400.0, 399.0, 900.0])
    games = table(["a"] * 4, ["b", "c", "d", "e"], [0.5] * 4, 1, white_rating_elo=2000.0,
                  black_rating_elo=2000.0 - difference)  # fmt: skip
    score = Elo(rule_of_400=True).forecast(games).expected_score
    assert score.round(2).tolist() == [0.09, 0.09, 0.91, 0.91]
    assert score[0] == score[1]
    assert score[2] < score[3]


@pytest.mark.parametrize("normal", [True, False])
def test_compiled_curve_is_the_curve(normal):
    difference = np.linspace(-900.0, 900.0, 37)
    compiled = [score_of(d, normal) for d in difference]
    assert compiled == pytest.approx(expected_score(difference, "normal" if normal else "logistic"), abs=1e-14)


def test_one_class_is_three_to_one():
    # Krajowski-Kukiel (2011), eq. 4.4 and 4.5: 200 points are 76 % and 24 %.
    assert expected_score(np.array([200.0, -200.0])).round(2).tolist() == [0.76, 0.24]


def test_unknown_curve():
    with pytest.raises(RatingSystemError, match=r"expected logistic \| normal, found 'cauchy'"):
        expected_score(np.zeros(1), "cauchy")


def test_fide_table_of_the_source():
    # The short table of the Wikipedia source.
    share = np.array([1.0, 0.99, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.01, 0.0])
    printed = [800, 677, 366, 240, 149, 72, 0, -72, -149, -240, -366, -677, -800]
    assert difference_by_steps(share).tolist() == printed


def test_fide_tables_mirror_each_other():
    # A difference from table 8.1a lies in the step of table 8.1b that has its score.
    shares = np.arange(50, 100) / 100.0
    assert score_by_steps(DIFFERENCE_ELO[:50]) == pytest.approx(shares)
    assert score_by_steps(-DIFFERENCE_ELO[:50]) == pytest.approx(1.0 - shares)
    assert np.all(np.diff(WIDEST_ELO) > 0)


def test_fide_tables_follow_the_normal_curve():
    # Elo's table rounds the normal curve; it was built with a standard deviation of 2000/7, so allow 0.01.
    difference = np.arange(-735.0, 736.0)
    assert np.max(np.abs(score_by_steps(difference) - expected_score(difference, "normal"))) < 0.011


def test_shares_are_rounded_to_hundredths():
    assert difference_by_steps(np.array([0.755, 0.754, 0.615])).tolist() == [202.0, 193.0, 87.0]
