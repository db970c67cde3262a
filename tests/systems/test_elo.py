"""Elo compared with the worked examples of its sources, and as stochastic gradient descent."""

import numpy as np
import pytest
from rating_games import periods_of, put, simulated, table
from scipy.optimize import approx_fprime

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.models.games.table import GameTable
from halfpoint.systems.curves import expected_score
from halfpoint.systems.elo import Elo, batches
from halfpoint.systems.k_factor import RULES, constant, k_of

START = Newcomer(1500.0, from_day=False)


def event(player_elo, opponents_elo, score, **settings):
    """Player's rating after one event with White."""
    names = [f"opponent {number}" for number in range(len(opponents_elo))]
    games = table(["player"] * len(names), names, score)
    system = Elo(newcomer=START, **settings)
    put(system, games, rating={"player": player_elo} | dict(zip(names, opponents_elo, strict=True)))
    system.learn(games)
    return system.ledger.rating("player")


@pytest.mark.parametrize(("score", "printed"), [((0, 0.5, 1, 1, 0), 1601), ((0, 0.5, 1, 1, 0.5), 1617)])
def test_five_rounds_of_the_wikipedia_source(score, printed):
    # 1613 + 32 (2.5 - 2.88) = 1601 and 1613 + 32 (3 - 2.88) = 1617; the source rounds each term to 0.01.
    rating = event(1613.0, (1609.0, 1477.0, 1388.0, 1586.0, 1720.0), score, k=constant(32.0))
    assert rating == pytest.approx(printed, abs=0.5 + 32 * 5 * 0.005)
    terms = expected_score(1613.0 - np.array([1609.0, 1477.0, 1388.0, 1586.0, 1720.0]))
    assert terms.round(2).tolist() == [0.51, 0.69, 0.79, 0.54, 0.35]


def test_player_a_of_the_thesis():
    # W_e = 0.068 is the logistic curve; R_n = 1881.8, which the thesis cuts to 1881.
    opponents, score = (2400.0, 2550.0, 2600.0, 2650.0), (1, 0, 0.5, 0.5)
    assert event(1820.0, opponents, score, k=constant(32.0)) == pytest.approx(1881.8, abs=0.05)
    assert expected_score(1820.0 - np.array(opponents)).sum() == pytest.approx(0.068, abs=5e-4)
    assert expected_score(1820.0 - np.array(opponents), "normal").sum() == pytest.approx(0.030, abs=5e-4)


@pytest.mark.parametrize(("curve", "total"), [("logistic", 3.400), ("normal", 3.429)])
def test_player_b_of_the_thesis(curve, total):
    # The thesis mixes the curves in one sum (3.42); these are the pure ones, and eq. 6 has 2800 for 2500.
    opponents = (2300.0, 2200.0, 2100.0, 2150.0)
    assert expected_score(2500.0 - np.array(opponents), curve).sum() == pytest.approx(total, abs=5e-4)
    rating = event(2500.0, opponents, (1, 0, 0.5, 0.5), k=constant(16.0), curve=curve)
    assert rating == pytest.approx(2500.0 + 16.0 * (2.0 - total), abs=0.01)


@pytest.mark.parametrize(("advantage", "gain"), [(41.7, 5.99), (43.68, 6.28)])
def test_white_advantage_in_the_example_of_the_thesis(advantage, gain):
    games = table(["lower"], ["higher"], [0.5])
    start = Newcomer(2686.0, from_day=False)
    systems = [Elo(newcomer=start, advantage_elo=h) for h in (0.0, advantage)]
    for system in systems:
        put(system, games, rating={"lower": 2686.0, "higher": 2715.0})
    without, with_advantage = (system.forecast(games).expected_score[0] for system in systems)
    assert 100.0 * (with_advantage - without) == pytest.approx(gain, abs=0.01)


@pytest.mark.parametrize(
    ("rule", "rating", "games", "age", "peak", "k"),
    [
        ("fide", 2000.0, 29, 30, None, 40.0),
        ("fide", 2000.0, 30, 30, None, 20.0),
        ("fide", 2299.0, 500, 17, None, 40.0),
        ("fide", 2300.0, 500, 17, None, 20.0),
        ("fide", 2299.0, 500, 18, None, 20.0),
        ("fide", 2400.0, 500, 30, None, 10.0),
        ("fide", 2380.0, 500, 30, 2405.0, 10.0),
        ("fide", 2450.0, 12, 30, None, 40.0),
        ("uscf", 2099.0, 500, 30, None, 32.0),
        ("uscf", 2100.0, 500, 30, None, 24.0),
        ("uscf", 2401.0, 500, 30, None, 16.0),
        ("icc", 2700.0, 500, 30, None, 32.0),
        ("elo", 2700.0, 500, 30, None, 16.0),
        ("elo", 1900.0, 500, 30, None, 32.0),
    ],
)
def test_k_by_rule(rule, rating, games, age, peak, k):
    assert k_of(RULES[rule].numbers(), rating, games, age, rating if peak is None else peak) == k


def test_fide_k_is_kept_after_2400_was_reached():
    games = table(["falling"], ["other"], [0.0])
    system = Elo(k=RULES["fide"], newcomer=Newcomer(2390.0, from_day=False))
    put(system, games, rating={"falling": 2390.0}, peak={"falling": 2410.0}, games={"falling": 40, "other": 40})
    system.learn(games)
    assert system.ledger.rating("falling") == pytest.approx(2385.0)  # K = 10
    assert system.ledger.rating("other") == pytest.approx(2400.0)  # K = 20
    assert system.ledger.rating("other", "peak") == pytest.approx(2400.0)


def test_ages_are_read_from_covariates():
    games = table(
        ["junior"], ["adult"], [1.0], covariates={"white_age": np.array([15.0]), "black_age": np.array([40.0])}
    )
    system = Elo(k=RULES["fide"], newcomer=Newcomer(2000.0, from_day=False))
    put(system, games, games={"junior": 100, "adult": 100})
    system.learn(games)
    assert system.ledger.rating("junior") == pytest.approx(2020.0)
    assert system.ledger.rating("adult") == pytest.approx(1990.0)


def test_game_by_game_is_a_gradient_step_of_logistic_regression():
    # Kiraly & Qian (2017): R <- R - eta dl/dR with l the log loss is Elo with K = eta ln 10 / s, s = 400.
    games, _ = simulated(3, players=6, games=60, periods=1, draw=0.0)
    k = 24.0
    eta = k * 400.0 / np.log(10.0)
    system = Elo(k=constant(k), update="game", newcomer=START)
    system.learn(games)

    def loss(ratings, white, black, score):
        p = 1.0 / (1.0 + 10.0 ** ((ratings[black] - ratings[white]) / 400.0))
        return -(score * np.log(p) + (1.0 - score) * np.log(1.0 - p))

    ratings = np.full(games.players.size, 1500.0)
    for i, j, s in zip(games.white, games.black, games.score, strict=True):
        ratings = ratings - eta * approx_fprime(ratings, loss, 1e-4, i, j, s)
    computed = [system.ledger.rating(name) for name in games.players]
    # finite differences of step 1e-4 lose about eps / step * eta = 1e-8 a step
    assert computed == pytest.approx(ratings, abs=1e-3)
    assert np.ptp(ratings) > 50.0


def test_batches_by_event_and_by_date():
    days = np.array(["2010-01-03", "2010-01-01", "2010-01-02", "2010-01-04"], dtype="datetime64[D]")
    games = table(["a", "a", "b", "c"], ["b", "c", "c", "d"], [1, 0, 0.5, 1], date=days, event=np.array(list("YXYX")))
    order, bounds = batches(games, "event")
    assert order.tolist() == [1, 3, 2, 0]  # X began first, on 1 January; then Y by date
    assert bounds.tolist() == [0, 2, 4]
    order, bounds = batches(games, "game")
    assert order.tolist() == [1, 2, 0, 3]
    assert bounds.tolist() == [0, 1, 2, 3, 4]


def test_one_game_an_event_is_update_by_game():
    games, _ = simulated(4, players=8, games=50, periods=1)
    events = np.array([f"event {number:03d}" for number in range(len(games))])
    alone = GameTable(games.players, games.white, games.black, games.score, event=events)
    by_event, by_game = Elo(update="event", newcomer=START), Elo(update="game", newcomer=START)
    by_event.learn(alone)
    by_game.learn(alone)
    assert by_event.ledger["rating"].tolist() == by_game.ledger["rating"].tolist()


def test_an_event_is_asked_for_where_there_is_none():
    with pytest.raises(RatingSystemError, match="an event for each game"):
        Elo(update="event").learn(table(["a"], ["b"], [1]))


def test_constant_k_keeps_the_sum_of_ratings():
    games, _ = simulated(5)
    system = Elo(newcomer=START, update="game", advantage_elo=35.0)
    for period in periods_of(games):
        system.learn(period)
    assert system.ledger["rating"].sum() == pytest.approx(1500.0 * len(system.ledger))


def test_a_new_player_starts_from_his_printed_rating_or_the_constant():
    games = table(
        ["new", "old"], ["old", "unrated"], [1, 0.5], white_rating_elo=[2610, 2500], black_rating_elo=[2505, np.nan]
    )
    system = Elo(newcomer=Newcomer(1800.0), k=constant(0.0))
    assert system.forecast(games).expected_score[0] == pytest.approx(expected_score(np.array([105.0]))[0])
    system.learn(games)
    # "old" was first printed as 2505
    assert [system.ledger.rating(name) for name in ("new", "old", "unrated")] == [2610.0, 2505.0, 1800.0]
    assert system.ledger.rating("new", "games") == 31
    assert system.ledger.rating("unrated", "games") == 1


def test_bad_settings_are_named():
    with pytest.raises(RatingSystemError, match=r"expected game \| event \| period \| tournament, found 'week'"):
        Elo(update="week")
    with pytest.raises(RatingSystemError, match="a number >= 0"):
        constant(float("nan"))
