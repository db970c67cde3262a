"""Performance ratings compared with examples of the sources."""

import numpy as np
import pytest
from rating_games import put, table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.performance import Performance, difference, performance

SCORE = np.array([1, 0, 0.5, 0.5])


@pytest.mark.parametrize("method", ["quantile", "fide", "400"])
@pytest.mark.parametrize(
    ("opponents", "printed"),
    # Player B's mean opponent is 2187.5, which the thesis prints as 2300.
    [((2400.0, 2550.0, 2600.0, 2650.0), 2550.0), ((2300.0, 2200.0, 2100.0, 2150.0), 2187.5)],
)
def test_players_a_and_b_of_the_thesis(method, opponents, printed):
    assert performance(np.array(opponents), SCORE, method) == printed


def test_algorithm_of_400():
    # Wikipedia source: two wins, a loss and a draw against w, x, y, z give (w + x + y + z + 400) / 4.
    opponents = np.array([2100.0, 2250.0, 2340.0, 1990.0])
    assert performance(opponents, np.array([1, 1, 0, 0.5]), "400") == pytest.approx((opponents.sum() + 400.0) / 4)


@pytest.mark.parametrize(("method", "expected"), [("quantile", 800), ("fide", 800), ("400", 400)])
def test_perfect_and_zero_scores(method, expected):
    opponents = np.array([2000.0, 2200.0])
    assert performance(opponents, np.ones(2), method) == 2100.0 + expected
    assert performance(opponents, np.zeros(2), method) == 2100.0 - expected


def test_quantile_of_seventy_per_cent():
    # Eq. 7 with P = 0.7: the normal quantile is 282.84 * 0.5244; FIDE's table has 149.
    share = np.array([0.7])
    assert difference(share, "quantile", "normal")[0] == pytest.approx(282.843 * 0.524401, abs=0.001)
    assert difference(share, "quantile")[0] == pytest.approx(400.0 * np.log10(0.7 / 0.3), abs=1e-9)
    assert difference(share, "fide")[0] == 149.0


def test_window_of_periods():
    start = Newcomer(2000.0, from_day=False)
    system = Performance("400", periods=2, newcomer=start)
    for period, score in enumerate((1.0, 0.5, 0.0), start=1):
        games = table(["a"], ["b"], [score], period=period, white_rating_elo=2000, black_rating_elo=2100)
        system.learn(games)
    # Periods 2 and 3 count: half a point of two, against 2100 twice.
    assert system.ledger.rating("a") == pytest.approx(2100.0 - 200.0)
    assert system.ledger.rating("b") == pytest.approx(2000.0 + 200.0)


def test_opponents_without_a_printed_rating_count_with_their_own():
    games = table(["a"], ["b"], [1.0])
    system = Performance("400", newcomer=Newcomer(2000.0, from_day=False))
    put(system, games, rating={"b": 2300.0})
    system.learn(games)
    assert system.ledger.rating("a") == 2700.0


def test_bad_settings_are_named():
    with pytest.raises(RatingSystemError, match="quantile, fide, 400, harkness or bcf"):
        Performance("linear")
    with pytest.raises(RatingSystemError, match="at least one period"):
        Performance(periods=0)
    with pytest.raises(RatingSystemError, match="at least one"):
        performance(np.empty(0), np.empty(0))


def test_harkness_by_his_example():
    # 2.5 of 11 against an average of 1850 are 22.7%: 1850 - 10 x 27.3 = 1577
    score = np.array([1, 1, 0.5, *[0] * 8])
    assert performance(np.full(11, 1850.0), score, "harkness") == pytest.approx(1577.0, abs=0.5)


def test_bcf_grading_counts_opponents_as_at_most_forty_grades_away():
    """A player of 150: a win over 130 gives 180, one over 100 counts as over 110, a draw the opponent's grade."""
    grade = 8.0  # Elo points
    for opponent, score, expected in (
        (130, 1.0, 180),
        (100, 1.0, 160),
        (160, 0.5, 160),
        (220, 0.0, 140),
        (180, 0.0, 130),
    ):
        games = table(["own"], ["other"], [score], white_rating_elo=150 * grade, black_rating_elo=opponent * grade)
        made = Performance(method="bcf")
        made.ledger.enter(games)
        made.learn(games)
        assert made.ledger.rating("own") / grade == pytest.approx(expected)
