"""Rules of federations compared with their tables and worked examples, or with other programs."""

import numpy as np
import pytest
from rating_games import put, table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.curves import expected_score
from halfpoint.systems.dwz import Dwz, development
from halfpoint.systems.egf import Egf, con
from halfpoint.systems.elo import Elo
from halfpoint.systems.fide import RULES, Fide, away_from_zero, counted_difference, rules_on
from halfpoint.systems.fide_table import score_by_steps
from halfpoint.systems.icc import Icc
from halfpoint.systems.k_factor import RULES as K_RULES
from halfpoint.systems.k_factor import constant, k_of
from halfpoint.systems.kappa_elo import KappaElo, outcome_of_difference
from halfpoint.systems.scrabble import Scrabble
from halfpoint.systems.us_chess import (
    UsChess,
    effective_games,
    floor_of,
    from_fide,
    k_factor,
    special_rating,
    standard_rating,
)
from halfpoint.systems.world_football import WorldFootball, goal_index

LATEST = RULES[-1]


def event(opponents_elo, score, own_elo, **columns):
    """Games of "player" with White against rated opponents, all in one period."""
    names = [f"opponent {number:02d}" for number in range(len(opponents_elo))]
    count = len(names)
    ratings = {"white_rating_elo": np.full(count, own_elo), "black_rating_elo": opponents_elo}
    return table(["player"] * count, names, score, period=1, **ratings, **columns)


def dates(day, count):
    return np.full(count, day, dtype="datetime64[D]")


# FIDE ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("difference", "chance"), [
    (0, 0.5), (3, 0.5), (4, 0.51), (391, 0.91), (392, 0.92), (413, 0.93), (735, 0.99), (736, 1.0), (-413, 0.07),
])  # fmt: skip
def test_rows_of_table_8_1b(difference, chance):
    assert score_by_steps(np.array([difference])) == pytest.approx([chance])


def test_only_players_of_2650_see_a_difference_above_400_since_october_2025():
    # A game of 2813 against 2400 rated by FIDE in November 2025: 413 and .93 for one, 400 and .08 for the other.
    high, low = np.array([2813.0]), np.array([2400.0])
    assert score_by_steps(counted_difference(high, low, LATEST)) == pytest.approx([0.93])
    assert score_by_steps(counted_difference(low, high, LATEST)) == pytest.approx([0.08])
    before = rules_on(np.datetime64("2025-09-30"))
    assert score_by_steps(counted_difference(high, low, before)) == pytest.approx([0.92])


def test_a_change_is_rounded_with_a_half_away_from_zero():
    assert [away_from_zero(value) for value in (-2.5, -2.49, 2.5, 0.49)] == [-3.0, -2.0, 3.0, 0.0]
    system = Fide()
    system.learn(event([2400.0], [0.5], 2425.0))  # P_D = .53 at 25 points, K = 10
    assert system.ledger.rating("player") == 2425.0
    assert system.log.white_change_elo == pytest.approx([-0.3])


def test_k_times_games_is_at_most_700():
    # 39 games with K = 20 in one period were rated with 17.
    system = Fide()
    system.learn(event(np.full(39, 2000.0), np.full(39, 1.0), 2000.0))
    assert set(system.log.white_k) == {17.0}
    assert system.ledger.rating("player") == 2000.0 + away_from_zero(17.0 * 39 * 0.5)


def test_first_rating_of_2024():
    # Five games, three points, opponents summing to 9507: R_a = 13107 / 7, p = 4/7, d_p = 50, published as 1922.
    opponents = np.array([1901.0, 1902.0, 1901.0, 1902.0, 1901.0])
    assert LATEST.first_rating(opponents, np.array([1, 1, 1, 0, 0.0])) == 1922.0
    system = Fide()
    games = event(opponents, [1, 1, 1, 0, 0], np.nan)
    system.learn(games)
    assert system.ledger.rating("player") == 1922.0
    assert system.ledger.rating("player", "games") == 5
    # a rated player's game against an unrated one is not rated
    assert system.ledger.rating("opponent 00") == 1901.0
    assert np.isnan(system.log.white_change_elo).all()
    assert LATEST.first_rating(np.full(9, 2500.0), np.ones(9)) == 2200.0  # the largest
    assert np.isnan(LATEST.first_rating(np.full(5, 1400.0), np.zeros(5)))  # below the floor


@pytest.mark.parametrize(("day", "points", "first"), [
    ("2014-07-01", 3.0, 2020.0), ("2014-07-01", 2.0, 1928.0), ("2010-01-01", 6.0, 2037.5), ("2012-07-01", 6.0, 2045.0),
])  # fmt: skip
def test_first_ratings_before_2024(day, points, first):
    """R_a + 20 (12.5, 15) for each half point above one half, R_a + d_p below: d_p of .40 is -72."""
    rules = rules_on(np.datetime64(day))
    count = rules.games_needed
    score = np.zeros(count)
    score[: int(points)] = 1.0
    assert rules.first_rating(np.full(count, 2000.0), score) == pytest.approx(first, abs=0.5)


def test_a_first_event_without_a_point_is_left_out():
    system = Fide()
    system.learn(event(np.full(5, 1900.0), np.zeros(5), np.nan))
    assert np.isnan(system.ledger.rating("player"))
    assert len(system.pool) == 0
    names = [f"opponent {number:02d}" for number in range(5)]
    system.learn(table(["player"] * 5, names, [1, 0, 0.5, 0.5, 0.5], period=2))
    assert not np.isnan(system.ledger.rating("player"))


@pytest.mark.parametrize(("day", "rating", "games", "age", "k"), [
    ("2010-01-01", 2000.0, 29, 40, 25.0), ("2012-01-01", 2000.0, 29, 40, 30.0), ("2012-01-01", 2000.0, 30, 40, 15.0),
    ("2012-01-01", 2400.0, 30, 40, 10.0), ("2014-07-01", 2000.0, 29, 40, 40.0), ("2014-07-01", 2000.0, 30, 40, 20.0),
    ("2014-07-01", 2000.0, 90, 17, 40.0), ("2014-07-01", 2000.0, 90, 18, 20.0), ("2022-01-01", 2000.0, 90, 18, 40.0),
    ("2024-03-01", 2299.0, 90, 18, 40.0), ("2024-03-01", 2300.0, 90, 18, 20.0), ("2024-03-01", 2400.0, 12, 30, 10.0),
])  # fmt: skip
def test_k_by_date(day, rating, games, age, k):
    assert rules_on(np.datetime64(day)).k_of(rating, games, age, rating) == k


def test_below_the_floor_is_unrated():
    system = Fide()
    system.learn(event([1402.0], [0.0], 1401.0))
    assert np.isnan(system.ledger.rating("player"))


def test_ratings_below_2000_rose_once_in_march_2024():
    names = [f"opponent {number:02d}" for number in range(3)]
    ratings = {"white_rating_elo": 1000.0, "black_rating_elo": [1000.0, 1500.0, 2100.0]}
    february = table(["player"] * 3, names, [0.5, 0.5, 0.5], period=1, date=dates("2024-02-10", 3), **ratings)
    march = table(["other"], ["another"], [0.5], period=2, date=dates("2024-03-05", 1),
                  white_rating_elo=1700.0, black_rating_elo=1700.0)  # fmt: skip
    system = Fide()
    system.learn(february)
    before = {name: system.ledger.rating(name) for name in names}
    system.learn(march)
    for name in names:
        raised = before[name] + 0.4 * max(2000.0 - before[name], 0.0)
        assert system.ledger.rating(name) == np.floor(raised + 0.5)
    assert system.ledger.rating("other") == 1700.0  # printed after it


def test_one_upgrade_an_event_in_2022():
    opponents = np.array([1500.0, 1590.0])
    games = event(opponents, [1.0, 1.0], 2100.0, date=dates("2022-05-01", 2), event=np.array(["one", "one"]))
    system = Fide()
    system.learn(games)
    # the greater difference, 600, counts as 400 (.92); the other one, 510, in full (.96)
    assert system.log.expected_score == pytest.approx([0.92, 0.96])
    assert system.log.white_change_elo == pytest.approx([20 * 0.08, 20 * 0.04])


# US Chess -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("effective", "played", "k"), [
    (6, 4, 80), (6, 6, 66.67), (6, 10, 50), (20, 4, 33.33), (20, 6, 30.77), (20, 10, 26.67), (50, 4, 14.81),
    (50, 6, 14.29), (50, 10, 13.33),
])  # fmt: skip
def test_glickmans_table_of_k(effective, played, k):
    assert k_factor(effective, played) == pytest.approx(k, abs=0.005)


def test_glickmans_example_of_the_special_rating():
    # 1500 after 6 games; 1400 beaten, 1550 lost to, 1650 drawn with: 1511.111, printed as 1511.
    assert special_rating(1500.0, 6.0, np.array([1400.0, 1550.0, 1650.0]), 1.5) == pytest.approx(1511.111, abs=5e-4)


@pytest.mark.parametrize("seed", range(20))
def test_a_special_rating_never_falls_by_a_win_nor_rises_by_a_loss(seed):
    rng = np.random.default_rng(seed)
    own, games = rng.uniform(800, 2000), float(rng.integers(1, 9))
    opponent = np.array([rng.uniform(200, 2600)])
    effective = effective_games(own, games)
    assert special_rating(own, effective, opponent, 1.0) >= own - 1e-9
    assert special_rating(own, effective, opponent, 0.0) <= own + 1e-9


def test_an_unrated_players_special_rating_is_the_average_of_400():
    opponents, score = np.array([1500.0, 1600.0, 1550.0, 1480.0]), 2.5
    assert special_rating(1300.0, 0.0, opponents, score) == pytest.approx(opponents.mean() + 400 * (2 * score - 4) / 4)


def test_bonus_points_begin_at_14_times_the_root_of_the_games():
    opponents = np.full(4, 1600.0)
    effective = effective_games(1500.0, 100.0)
    gain = k_factor(effective, 4) * (4.0 - float(expected_score(np.full(4, -100.0)).sum()))
    after, bonus = standard_rating(1500.0, effective, opponents, 4.0, threshold=14.0)
    assert bonus == pytest.approx(gain - 28.0)
    assert standard_rating(1500.0, effective, opponents, 4.0)[1] == pytest.approx(gain - 20.0)  # today's
    assert after == pytest.approx(1500.0 + gain + bonus)
    assert standard_rating(1500.0, effective, opponents, 4.0, most_meetings=3)[1] == 0.0
    assert standard_rating(1500.0, effective, opponents[:2], 2.0)[1] == 0.0


@pytest.mark.parametrize(
    ("day", "threshold"),
    [("2017-04-30", 12.0), ("2017-05-01", 14.0), ("2023-01-31", 14.0), ("2023-02-01", 12.0), ("2025-01-01", 10.0)],
)
def test_the_bonus_of_the_day(day, threshold):
    names = [f"opponent {number}" for number in range(4)]
    games = table(
        ["player"] * 4, names, [1.0] * 4, white_rating_elo=1500.0, black_rating_elo=1600.0, date=dates(day, 4)
    )
    system = UsChess()
    system.learn(games)
    opponents = np.array(
        [1600.0 - k_factor(effective_games(1600.0, 30.0), 1) * expected_score(np.array([100.0]))[0]] * 4
    )
    after, bonus = standard_rating(1500.0, effective_games(1500.0, 30.0), opponents, 4.0, threshold=threshold)
    assert bonus > 0
    assert system.ledger.rating("player") == pytest.approx(after)


def test_floors():
    assert floor_of(300, 0, 100, True, 2450.0) == 2100.0
    assert floor_of(300, 0, 100, True, 1400.0) == 1200.0
    assert floor_of(300, 0, 100, True, 1399.0) == 150.0
    assert floor_of(1, 1, 1, False, 0.0) == 107.0


@pytest.mark.parametrize(("day", "fide", "start", "games"), [
    ("2024-02-29", 1700.0, 1778.0, 5), ("2024-03-01", 1820.0, 1778.4, 5), ("2024-03-01", 2150.0, 2213.0, 5),
    ("2020-01-01", 2151.0, 2214.0, 10), ("2024-03-01", 2500.0, 2570.0, 10), ("2024-03-01", 700.0, 100.0, 5),
])  # fmt: skip
def test_fide_ratings_become_those_of_us_chess(day, fide, start, games):
    assert from_fide(np.array([fide]), np.datetime64(day)) == pytest.approx([start], abs=0.05)
    system = UsChess(printed="fide")
    printed = {"white_rating_elo": fide, "black_rating_elo": fide}
    forecast = system.forecast(table(["a"], ["b"], [0.5], date=dates(day, 1), **printed))
    assert forecast.expected_score == pytest.approx([0.5])
    system.learn(table(["a"], ["b"], [0.5], date=dates(day, 1), **printed))
    assert system.ledger.rating("a") == pytest.approx(max(start, 112.0), abs=0.05)  # equals draw; the floor
    assert system.ledger.rating("a", "games") == games + 1


def test_a_rating_of_fide_and_one_of_us_chess_meet_on_one_scale():
    """A player with 1820 of FIDE has the expected score of one with 1778.4 of US Chess."""
    system = UsChess(printed="fide")
    games = table(["a"], ["b"], [0.5], white_rating_elo=1820.0, black_rating_elo=np.nan, date=dates("2025-01-01", 1))
    expected = 1.0 / (1.0 + 10.0 ** ((2264.0 - 1778.394) / 400.0))  # a stranger: 2200 of FIDE
    system.learn(table(["c"], ["d"], [0.5], white_rating_elo=1900.0, black_rating_elo=1900.0))
    assert system.forecast(games).expected_score == pytest.approx([expected], abs=1e-5)


@pytest.mark.parametrize(("system", "start"), [(UsChess, 1300.0), (Icc, 1600.0)])
def test_where_nobody_has_a_printed_rating_a_stranger_begins_as_the_rule_says(system, start):
    made = system()
    made.learn(table(["a", "b"], ["c", "c"], [0.5, 0.5], period=1))
    known = made.ledger.rating("a")
    told = made.forecast(table(["a"], ["new"], [0.5], period=2)).expected_score
    assert told == pytest.approx(expected_score(np.array([known - start])))
    made.learn(table(["a"], ["d"], [0.5], period=2, black_rating_elo=2400.0, white_rating_elo=np.nan))
    told = made.forecast(table(["a"], ["new"], [0.5], period=3)).expected_score
    assert told == pytest.approx(expected_score(np.array([made.ledger.rating("a") - Newcomer().rating_elo])))


def test_two_established_players_of_us_chess_by_hand():
    system = UsChess()
    games = table(["a"], ["b"], [1.0], white_rating_elo=2400.0, black_rating_elo=2400.0)
    system.learn(games)
    k = 800 / (30 + 1)  # 30 games printed with a rating, fewer than 50
    first = 2400.0 - k / 2  # b after the first pass
    expected = 1.0 / (1.0 + 10.0 ** ((first - 2400.0) / 400.0))
    assert system.ledger.rating("a") == pytest.approx(2400.0 + k * (1.0 - expected))


# ICC, World Football, scales ----------------------------------------------------------------------------------------


def test_icc_by_hand():
    names = [f"opponent {number:02d}" for number in range(19)]
    system = Icc()
    opponents = 1500.0 + 10.0 * np.arange(19)
    score = np.tile([1.0, 0.5, 0.0], 7)[:19]
    system.learn(table(["new"] * 19, names, score, white_rating_elo=np.nan, black_rating_elo=opponents))
    assert system.ledger.rating("new") == pytest.approx((opponents + 400.0 * (2.0 * score - 1.0)).mean())
    # an established opponent of a player without a game does not move, of one with n games by 32 n / 20
    assert system.ledger.rating("opponent 00") == 1500.0
    own = system.log.black_k
    assert own == pytest.approx(32.0 * np.arange(19) / 20.0)


def test_goal_index_and_the_published_matches_of_world_football():
    assert goal_index(np.array([-5.0, 2.0, 1.0, 0.0, np.nan])).tolist() == [2.0, 1.5, 1.0, 1.0, 1.0]
    # 630 against 500 on neutral ground in a friendly: 3-1 is worth 9.63, 1-3 costs 20.37, 2-2 costs 3.58.
    for score, margin, change in ((1.0, 2.0, 9.63), (0.0, -2.0, -20.37), (0.5, 0.0, -3.58)):
        covariates = {"goal_difference": np.array([margin]), "neutral": np.array([1.0])}
        system = WorldFootball()
        games = table(["A"], ["B"], [score], white_rating_elo=630.0, black_rating_elo=500.0, covariates=covariates)
        system.learn(games)
        # the source rounds W_e to .679, which is worth 20 x 1.5 x .0005
        assert system.log.white_change_elo == pytest.approx([change], abs=0.015)
        assert system.ledger.rating("A") == pytest.approx(630.0 + change, abs=0.015)


def test_importance_is_k():
    covariates = {"importance": np.array([60.0]), "goal_difference": np.array([1.0])}
    games = table(["A"], ["B"], [1.0], white_rating_elo=1900.0, black_rating_elo=2000.0, covariates=covariates)
    system = WorldFootball()  # 100 at home makes them equals
    system.learn(games)
    assert system.log.white_change_elo == pytest.approx([30.0])


def test_five_sixths_of_sonas_is_the_scale_480():
    games = table(["a"], ["b"], [1.0], white_rating_elo=2600.0, black_rating_elo=2480.0)
    system = Elo(k=constant(24.0), scale_elo=480.0)
    system.learn(games)
    assert system.log.expected_score == pytest.approx(expected_score(np.array([120.0 * 5 / 6])))
    with pytest.raises(RatingSystemError, match="a number of Elo points above 0"):
        Elo(scale_elo=0.0)


@pytest.mark.parametrize(("scale", "chance"), [(200.0, 0.909), (400.0, 0.760), (600.0, 0.683)])
def test_scales_of_200_400_and_600(scale, chance):
    # 200 points are odds of 10, 10^(1/2) and 10^(1/3) to 1
    games = table(["a"], ["b"], [1.0], white_rating_elo=2600.0, black_rating_elo=2400.0)
    assert Elo(scale_elo=scale).forecast(games).expected_score == pytest.approx([chance], abs=5e-4)


# Germany, England ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "opponents", "score", "after"), [
    (2161, [2044, 2057, 1999, 2084, 2244, 2127, 2013, 2009], [0.5, 1, 0.5, 0.5, 0, 0, 1, 1], 2151),
    (2147, [2089, 2122, 2132, 2097, 2187, 2121, 2117, 2169, 2165], [0.5, 0.5, 1, 0, 0, 0, 1, 0, 1], 2133),
    (2217, [2378, 2263, 2409, 2189, 2333, 2302, 2251, 2306, 2476], [0.5, 0, 0.5, 0, 0.5, 0, 0, 0, 0], 2181),
    (2116, [1679, 1902, 1861, 2070, 2505, 2123, 2060, 2316, 2122], [0.5, 1, 1, 1, 0, 0.5, 1, 0.5, 1], 2147),
    (2212, [2329, 2328, 2293, 2300, 2302, 2190, 2348, 2350, 2181], [1, 0, 0.5, 0, 1, 0.5, 1, 1, 0.5], 2253),
])  # fmt: skip
def test_tournaments_that_the_german_federation_rated(own, opponents, score, after):
    """Official results of 2005 to 2009, as the tests of Games::Ratings 0.0.5 (CPAN) hold them."""
    system = Dwz()
    system.learn(event(np.array(opponents, dtype=float), np.array(score, dtype=float), float(own)))
    assert system.ledger.rating("player") == after
    assert system.ledger.rating("player", "index") == 7


@pytest.mark.parametrize(("rating", "index", "age", "ahead", "e"), [
    (2000.0, 10.0, 40.0, -0.5, 30.0), (2000.0, 10.0, 23.0, -0.5, 26.0), (2000.0, 10.0, 20.0, -0.5, 21.0),
    (1000.0, 10.0, 18.0, 0.5, 5.0), (1500.0, 10.0, 18.0, 0.5, 8.0), (1000.0, 10.0, 40.0, -0.5, 22.0),
    (500.0, 10.0, 40.0, -0.5, 150.0), (2000.0, 3.0, 40.0, 0.5, 15.0), (2000.0, 0.0, 40.0, 0.5, 5.0),
])  # fmt: skip
def test_the_german_coefficient_by_its_order(rating, index, age, ahead, e):
    """Appendix 1.2: (R / 1000)^4 + J, times R / 2000 for juniors ahead, plus e^((1300 - R) / 150) - 1 for the weak."""
    found = development(*(np.array([value]) for value in (rating, index, age, ahead)))
    assert found.tolist() == [e]


def test_a_first_german_rating_needs_five_games_that_were_not_all_won():
    system, opponents = Dwz(), np.full(5, 1500.0)
    system.learn(event(opponents, np.ones(5), np.nan))
    assert np.isnan(system.ledger.rating("player"))
    assert system.ledger.rating("opponent 00") == 1500.0  # a game against who has none is not counted
    system = Dwz()
    system.learn(event(opponents, np.array([1, 1, 1, 0, 0.5]), np.nan))
    assert system.ledger.rating("player") == round(1500.0 + 400.0 * np.log10(0.7 / 0.3))
    assert system.ledger.rating("player", "index") == 1


@pytest.mark.parametrize(("age", "gain"), [(40.0, 10.0), (16.0, 20.0)])
def test_a_win_over_an_equal_in_england_is_worth_ten_points_and_a_juniors_twenty(age, gain):
    """As the federation's leagues explain it to their players (K 20, juniors 40)."""
    system = Elo(K_RULES["ecf"])
    covariates = {"white_age": np.array([age])}
    system.learn(table(["a"], ["b"], [1.0], white_rating_elo=1700.0, black_rating_elo=1700.0, covariates=covariates))
    assert system.ledger.rating("a") == pytest.approx(1700.0 + gain)


# EGF ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("own", "opponent", "score", "after", "other"), [
    (950, 1200, 1.0, 989, 1173), (1000, 1300, 1.0, 1039, 1274), (0, 0, 0.0, -39, 50), (0, 0, 0.5, 6, 6),
    (2100, 2100, 1.0, 2109.306, None),
])  # fmt: skip
def test_egf_games_as_two_programs_reckon_them(own, opponent, score, after, other):
    """The examples of skillratings 0.29.0, and of ers 1.0.4, whose README prints 2109.306."""
    system = Egf()
    system.learn(table(["a"], ["b"], [score], white_rating_elo=own, black_rating_elo=opponent))
    assert system.ledger.rating("a") == pytest.approx(after, abs=0.5 if other is not None else 5e-4)
    if other is not None:
        assert system.ledger.rating("b") == pytest.approx(other, abs=0.5)


@pytest.mark.parametrize(("own", "opponents", "score", "after"), [
    (220.0, [420.0, 40.0, 1320.0], [0, 1, 0.5], 273), (0.0, [20.0, 40.0, 10.0, -40.0], [1, 0.5, 0, 1], 69),
    (-890.0, [-800.0] * 9, [0] * 9, -900),
])  # fmt: skip
def test_egf_rates_a_tournament_with_the_ratings_before_it(own, opponents, score, after):
    """The two tournaments of skillratings 0.29.0; nobody falls below -900."""
    names = [f"opponent {number}" for number in range(len(opponents))]
    games = table(["player"] * len(names), names, score, period=1)
    system = Egf()
    put(system, games, rating={"player": own} | dict(zip(names, opponents, strict=True)))
    system.learn(games)
    assert system.ledger.rating("player") == pytest.approx(after, abs=0.5)


@pytest.mark.parametrize(("stones", "expected"), [
    (0.0, 0.2732225596195188), (1.0, 0.23947531043217862), (-1.0, 0.30481324383684405), (np.nan, 0.2732225596195188),
])  # fmt: skip
def test_stones_of_go_as_skillratings_reckons_them(stones, expected):
    games = table(
        ["a"],
        ["b"],
        [0.5],
        white_rating_elo=1000.0,
        black_rating_elo=1300.0,
        covariates={"handicap": np.array([stones])},
    )
    assert Egf().forecast(games).expected_score == pytest.approx([expected], abs=1e-15)


def test_stones_for_the_difference_of_grades_make_equals_but_for_half_a_stone():
    names = [f"weaker {number}" for number in range(3)]
    games = table(["strong"] * 3, names, [0.5] * 3, white_rating_elo=2350.0, black_rating_elo=[2300.0, 2200.0, 2100.0],
                  covariates={"handicap": np.array([1.0, 2.0, 3.0])})  # fmt: skip
    assert Egf().forecast(games).expected_score == pytest.approx([0.5] * 3, abs=1e-12)
    with pytest.raises(RatingSystemError, match="0 to 9 stones in column handicap"):
        Egf().forecast(table(["a"], ["b"], [0.5], covariates={"handicap": np.array([12.0])}))


def test_egf_con_is_a_power_of_what_is_left_to_3300():
    assert con(np.array([100.0, 2100.0, 2700.0])) == pytest.approx([16**1.6, 6**1.6, 3**1.6])


# Scrabble -----------------------------------------------------------------------------------------------------------


def test_chews_example_of_expected_wins():
    """1850 before the tournament: .7 + .7 + .6 + .4 + .4 + .3 + .3 wins, and K = 16."""
    opponents = np.array([1702.0, 1702.0, 1778.0, 1922.0, 1922.0, 1998.0, 1998.0])
    games = event(opponents, [1, 1, 1, 1, 0, 0, 0], 1850.0, date=dates("2008-12-31", 7))
    system = Scrabble()
    system.learn(games)
    assert system.log.expected_score == pytest.approx([0.7, 0.7, 0.6, 0.4, 0.4, 0.3, 0.3], abs=0.002)
    assert system.ledger.rating("player") == pytest.approx(1850.0 + 16.0 * (4.0 - 3.4), abs=16 * 7 * 0.002)


@pytest.mark.parametrize(("day", "difference", "expected"), [
    ("2008-12-31", 72.0, 0.6), ("2008-12-31", 239.0, 0.8), ("2008-12-31", 362.0, 0.9),
    ("2009-01-01", 362.0, 1 / (1 + np.exp(-0.0031879 * 362))), ("2009-01-01", np.log(9) / 0.0031879, 0.9),
])  # fmt: skip
def test_the_curves_of_scrabble_by_date(day, difference, expected):
    games = table(
        ["a"], ["b"], [1.0], white_rating_elo=1500.0 + difference, black_rating_elo=1500.0, date=dates(day, 1)
    )
    assert Scrabble().forecast(games).expected_score == pytest.approx([expected], abs=0.001)


@pytest.mark.parametrize(("rating", "games", "k"), [
    (1799.0, 49, 30), (1800.0, 49, 24), (2000.0, 49, 15), (1799.0, 50, 20), (1999.0, 50, 16), (2000.0, 50, 10),
])  # fmt: skip
def test_chews_table_of_multipliers(rating, games, k):
    assert k_of(K_RULES["scrabble"].numbers(), rating, games, 30.0, rating) == k


def test_the_curve_of_tantrix_is_the_normal_one_stretched_twice():
    """Its published table of differences: 14 points are 51%, 28 are 52%, 43 are 53%, 57 are 54%, 71 are 55%."""
    apart = np.array([14.0, 28.0, 43.0, 57.0, 71.0])
    games = table(["a"] * 5, [f"b{one}" for one in range(5)], [1.0] * 5, white_rating_elo=2000.0,
                  black_rating_elo=2000.0 - apart)  # fmt: skip
    expected = Elo(curve="normal", scale_elo=800.0).forecast(games).expected_score
    assert expected == pytest.approx([0.51, 0.52, 0.53, 0.54, 0.55], abs=0.5 / 565.7 * 0.4)


# kappa-Elo ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kappa", [0.0, 2.0])
def test_kappa_0_and_2_are_elo(kappa):
    """Szczecinski and Djebbi: Elo is the model without draws, and the one in which equals draw every second game."""
    difference = np.linspace(-600, 600, 25)
    outcome = outcome_of_difference(difference, kappa)
    np.testing.assert_allclose(outcome @ [0.0, 0.5, 1.0], expected_score(difference), atol=1e-12)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_kappa_elo_is_a_gradient_step_on_davidsons_likelihood(score):
    kappa, k, lead = 1.3, 20.0, 87.0
    system = KappaElo(constant(k), kappa=kappa, advantage_elo=35.0)
    games = table(["a"], ["b"], [score], white_rating_elo=2500.0 + lead, black_rating_elo=2500.0)
    system.learn(games)

    def log_likelihood(at):
        return np.log(outcome_of_difference(np.array([at]), kappa)[0, round(2 * score)])

    slope = (log_likelihood(lead + 35.0 + 1e-3) - log_likelihood(lead + 35.0 - 1e-3)) / 2e-3
    # d/dR of ln P is (y - F) ln 10 / s, s = 800 / (2 + kappa)
    assert system.log.white_change_elo == pytest.approx([k * slope * 800.0 / (2.0 + kappa) / np.log(10.0)], rel=1e-6)


def test_kappa_elo_keeps_the_sum_and_elos_slope_between_equals():
    for kappa in (0.0, 0.7, 3.0):
        score = outcome_of_difference(np.array([-0.01, 0.01]), kappa) @ [0.0, 0.5, 1.0]
        assert np.diff(score)[0] / 0.02 == pytest.approx(np.log(10) / 1600, rel=1e-6)
    games = table(["a", "b"], ["b", "c"], [1.0, 0.5])
    system = KappaElo(newcomer=Newcomer(1500.0, from_day=False))
    put(system, games, rating={"a": 1510.0})
    system.learn(games)
    assert system.ledger["rating"].sum() == pytest.approx(4510.0)
    with pytest.raises(RatingSystemError, match="kappa >= 0"):
        KappaElo(kappa=-1.0)
