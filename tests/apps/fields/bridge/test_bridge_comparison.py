"""IMPs, cross-IMPs, matchpoints, Butler and victory points: printed examples, and direct sums in Python."""

import numpy as np
import pytest

from halfpoint.apps.fields.bridge.comparison import (
    butler,
    comparisons,
    cross_imps,
    datums,
    deals_of,
    imp,
    matchpoints,
    percent,
)
from halfpoint.apps.fields.bridge.teams import victory_point_scale, victory_points
from halfpoint.models.games.errors import GameTableError

FIVE = np.array([-100, 600, -50, 620, -100])  # Krajowski-Kukiel (2011), section 3.2.2
ONE = deals_of(np.zeros(5, dtype=np.int64))


def test_imps_at_every_bound():
    ends = [0, 10, 20, 40, 50, 80, 90, 120, 130, 160, 170, 210, 220, 260, 270, 310, 320, 360, 370, 420, 430, 490, 500,
            590, 600, 740, 750, 890, 900, 1090, 1100, 1290, 1300, 1490, 1500, 1740, 1750, 1990, 2000, 2240, 2250, 2490,
            2500, 2990, 3000, 3490, 3500, 3990, 4000, 15200]  # fmt: skip
    expected = [0, 0] + [k for k in range(1, 24) for _ in (0, 1)] + [24, 24]
    assert imp(np.array(ends)).tolist() == expected
    assert imp(-np.array(ends)).tolist() == [-k for k in expected]


def test_the_example_of_the_thesis():
    assert cross_imps(FIVE, ONE).tolist() == [-6.5, 8.75, -5.0, 9.25, -6.5]
    np.testing.assert_allclose(cross_imps(FIVE, ONE, "all"), [-5.2, 7.0, -4.0, 7.4, -5.2])
    assert matchpoints(FIVE, ONE).tolist() == [1, 6, 4, 8, 1]
    assert percent(matchpoints(FIVE, ONE), ONE).tolist() == [12.5, 75, 50, 100, 12.5]


@pytest.mark.parametrize(
    ("kind", "datum", "imps"),
    [
        ("mean", 194, [-7, 9, -6, 10, -7]),
        ("median", -50, [-2, 12, 0, 12, -2]),
        ("trimmed", 150, [-6, 10, -5, 10, -6]),
    ],
)
def test_butler_of_the_example(kind, datum, imps):
    found = datums(FIVE, ONE, kind)
    assert found.tolist() == [datum]
    assert butler(FIVE, ONE, found).tolist() == imps


def test_datums_are_rounded_to_tens():
    scores, deals = np.array([-50, 100, -60, -90]), deals_of(np.array([0, 0, 1, 1]))
    assert datums(scores, deals).tolist() == [25.0, -75.0]
    assert datums(scores, deals, rounding="half up").tolist() == [30.0, -70.0]
    assert datums(scores, deals, rounding="toward zero").tolist() == [20.0, -70.0]
    assert butler(scores, deals, np.array([np.nan, -70.0]))[2:].tolist() == [0, -1]
    assert np.isnan(butler(scores, deals, np.array([np.nan, -70.0]))[:2]).all()


def club(seed=4, results=3000, deals=211):
    """Random scores with mixed deals, and a few adjusted ones."""
    rng = np.random.default_rng(seed)
    deal = rng.integers(0, deals, results)
    score = 10 * rng.integers(-80, 81, results)
    return score, deal, rng.random(results) > 0.03


def test_sums_taken_directly():
    score, deal, compared = club()
    grouped = deals_of(deal, compared)
    x, m, others = cross_imps(score, grouped), matchpoints(score, grouped), comparisons(grouped)
    for row in range(score.size):
        rest = (deal == deal[row]) & compared
        rest[row] = False
        if not compared[row] or not rest.any():
            assert np.isnan(x[row])
            assert np.isnan(m[row])
            assert others[row] == 0
            continue
        assert others[row] == rest.sum()
        assert x[row] == pytest.approx(imp(score[row] - score[rest]).sum() / rest.sum())
        assert m[row] == 2 * (score[rest] < score[row]).sum() + (score[rest] == score[row]).sum()


def test_what_one_line_wins_the_other_loses():
    score, deal, compared = club(5)
    grouped = deals_of(deal, compared)
    for found in (cross_imps(score, grouped), percent(matchpoints(score, grouped), grouped) - 50.0):
        sums = np.zeros(deal.max() + 1)
        np.add.at(sums, deal[~np.isnan(found)], found[~np.isnan(found)])
        np.testing.assert_allclose(sums, 0.0, atol=1e-9)
    np.testing.assert_allclose(cross_imps(-score, grouped), -cross_imps(score, grouped))  # the lines exchanged


def test_an_adjusted_result_changes_nobody_s_score():
    score, deal, _ = club(6, 40, 3)
    whole = cross_imps(np.append(score, 9990), deals_of(np.append(deal, 1), np.append(np.ones(40, dtype=bool), False)))
    np.testing.assert_array_equal(whole[:-1], cross_imps(score, deals_of(deal)))
    assert np.isnan(whole[-1])


def test_a_deal_played_once_has_no_score():
    alone = deals_of(np.array([0, 1, 1]))
    assert np.isnan(cross_imps(np.array([420, 50, 50]), alone)).tolist() == [True, False, False]
    assert np.isnan(butler(np.array([420, 50, 50]), alone, np.array([400.0, 50.0]))).tolist() == [True, False, False]


VICTORY_POINTS = {  # boards: for 1, 2, 5, 10, 20, 30 IMPs, cells of the printed table
    6: (10.50, 10.99, 12.33, 14.25, 17.12, 19.06),
    8: (10.44, 10.86, 12.05, 13.78, 16.46, 18.37),
    16: (10.31, 10.61, 11.48, 12.80, 15.00, 16.73),
    20: (10.28, 10.55, 11.34, 12.53, 14.58, 16.23),
    32: (10.22, 10.44, 11.07, 12.05, 13.78, 15.24),
}


@pytest.mark.parametrize("boards", VICTORY_POINTS)
def test_victory_points_of_the_printed_table(boards):
    found = victory_points(np.array([1, 2, 5, 10, 20, 30]), boards)
    assert found.tolist() == list(VICTORY_POINTS[boards])
    np.testing.assert_allclose(victory_points(-np.array([1, 2, 5, 10, 20, 30]), boards), 20.0 - found, atol=1e-12)


@pytest.mark.parametrize("boards", [1, 2, 6, 7, 9, 16, 24, 32, 48, 64, 128])
def test_a_further_imp_is_never_worth_more_than_the_one_before(boards):
    scale = np.round(100 * victory_point_scale(boards)).astype(int)
    assert scale[0] == 1000
    assert scale[-1] == 2000
    steps = np.diff(scale)
    assert (steps >= 0).all()
    assert (np.diff(steps) <= 0).all()


def test_the_rule_beside_the_raw_formula():
    """The raw formula gives 15.23 for 30 IMPs of 32 boards, where the table has 15.24."""
    t, blitz = (5**0.5 - 1) / 2, 15 * 32**0.5
    raw = 10 + 10 * (1 - t ** (3 * 30 / blitz)) / (1 - t**3)
    assert round(raw, 2) == 15.23
    assert victory_points(30, 32) == 15.24


@pytest.mark.parametrize(
    "call",
    [
        lambda: datums(FIVE, ONE, "middle"),
        lambda: datums(FIVE, ONE, rounding="up"),
        lambda: datums(FIVE, ONE, "trimmed", trim=-1),
        lambda: cross_imps(FIVE, ONE, "n"),
        lambda: victory_points(1, 0),
    ],
)
def test_words_and_numbers_out_of_range_are_told(call):
    with pytest.raises(GameTableError, match=r"expected .* found"):
        call()
