"""Glicko, Glicko-2 and Stephenson compared with their authors' examples."""

import numpy as np
import pytest
from rating_games import periods_of, put, simulated, table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.glicko import Glicko, growth
from halfpoint.systems.glicko_two import GlickoTwo, new_volatility, slope
from halfpoint.systems.stephenson import Stephenson

START = Newcomer(1500.0, from_day=False)
GAMES = table(["player"] * 3, ["first", "second", "third"], [1, 0, 0])
RATINGS = {"player": 1500.0, "first": 1400.0, "second": 1550.0, "third": 1700.0}
DEVIATIONS = {"player": 200.0, "first": 30.0, "second": 100.0, "third": 300.0}


def after_the_example(system):
    put(system, GAMES, rating=RATINGS, deviation=DEVIATIONS)
    system.learn(GAMES)
    return system.ledger


def test_glickmans_glicko_example():
    # "The Glicko system" (1999): 1500/200 beats 1400/30, loses to 1550/100 and 1700/300: 1464, 151.4.
    ledger = after_the_example(Glicko(newcomer=START))
    assert ledger.rating("player") == pytest.approx(1464.0, abs=0.5)
    assert ledger.rating("player", "deviation") == pytest.approx(151.4, abs=0.05)


def test_glickmans_glicko_two_example():
    # "Example of the Glicko-2 system": r' = 1464.06, RD' = 151.52, volatility 0.05999 (tau 0.5).
    ledger = after_the_example(GlickoTwo(tau=0.5, volatility=0.06, newcomer=START))
    assert ledger.rating("player") == pytest.approx(1464.06, abs=0.011)  # Glickman's intermediate steps are rounded
    assert ledger.rating("player", "deviation") == pytest.approx(151.52, abs=0.006)
    assert ledger.rating("player", "volatility") == pytest.approx(0.05999, abs=6e-6)


def test_volatility_is_the_zero_of_its_equation():
    for delta, phi, v, volatility in ((-0.4834, 1.1513, 1.7785, 0.06), (3.0, 0.3, 0.5, 0.1), (0.0, 2.0, 9.0, 0.06)):
        found = new_volatility(delta, phi, v, volatility, 0.5)
        at = 2.0 * np.log(found)
        around = [slope(at + step, delta, phi, v, np.log(volatility**2), 0.5) for step in (-2e-6, 2e-6)]
        assert around[0] > 0.0 > around[1]


def test_growth_that_makes_a_player_new_in_five_years():
    # Krajowski-Kukiel (2011), eq. 2.5: c = 63.2.
    assert growth(50.0, 30.0) == pytest.approx(63.2, abs=0.05)


def test_deviation_grows_with_idle_periods_up_to_the_largest():
    first = table(["a"], ["b"], [1], period=1)
    system = Glicko(growth_elo=63.2, newcomer=START)
    put(system, first, deviation={"a": 50.0, "b": 50.0}, last={"a": 0.0, "b": -40.0})
    forecast = system.forecast(first)
    grown = np.sqrt(50.0**2 + 63.2**2)
    q = np.log(10.0) / 400.0
    both = np.hypot(grown, 350.0)
    assert forecast.expected_score[0] == 0.5
    put(system, first, rating={"a": 1700.0})
    g = 1.0 / np.sqrt(1.0 + 3.0 * (q * both / np.pi) ** 2)
    expected = 1.0 / (1.0 + 10.0 ** (-g * 200.0 / 400.0))
    assert system.forecast(first).expected_score[0] == pytest.approx(expected, abs=1e-12)
    system.learn(first)
    # one game at large deviations: information q^2 g^2 E(1-E)
    g_b = 1.0 / np.sqrt(1.0 + 3.0 * (q * 350.0 / np.pi) ** 2)
    e = 1.0 / (1.0 + 10.0 ** (-g_b * 200.0 / 400.0))
    variance = 1.0 / (1.0 / grown**2 + q**2 * g_b**2 * e * (1.0 - e))
    assert system.ledger.rating("a", "deviation") == pytest.approx(np.sqrt(variance), abs=1e-9)


def test_glicko_two_counts_idle_periods_by_volatility():
    first, second = table(["a"], ["b"], [1], period=1), table(["a", "c"], ["c", "b"], [0, 1], period=5)
    skipping, stepping = GlickoTwo(newcomer=START), GlickoTwo(newcomer=START)
    skipping.learn(first)
    stepping.learn(first)
    for name in ("a", "b"):  # three idle periods, one at a time: phi^2 grows by sigma^2 each
        place = stepping.ledger.position[name]
        grown = stepping.ledger["deviation"][place] ** 2
        grown += 3.0 * (stepping.ledger["volatility"][place] * 400.0 / np.log(10.0)) ** 2
        stepping.ledger["deviation"][place] = np.sqrt(grown)
        stepping.ledger["last"][place] = 4.0
    skipping.learn(second)
    stepping.learn(second)
    assert skipping.ledger["rating"] == pytest.approx(stepping.ledger["rating"], abs=1e-9)


def test_stephenson_contains_glicko():
    # PlayerRatings, ?steph: "Glicko is obtained as a special case upon setting hval, bval and lambda to zero".
    games, _ = simulated(8)
    glicko = Glicko(growth_elo=15.0, deviation_elo=300.0, newcomer=START, advantage_elo=30.0)
    plain = Stephenson(15.0, 300.0, 30.0, START, per_game_elo=0.0, bonus=0.0, pull=0.0)
    for period in periods_of(games):
        assert plain.forecast(period).expected_score.tolist() == glicko.forecast(period).expected_score.tolist()
        glicko.learn(period)
        plain.learn(period)
    assert plain.ledger["rating"].tolist() == glicko.ledger["rating"].tolist()


def test_stephensons_equations_by_hand():
    # The appendix of the vignette written out for one player and two games.
    games = table(["x", "z"], ["y", "x"], [1, 0.5])
    system = Stephenson(10.0, 300.0, 30.0, START, per_game_elo=9.0, bonus=0.01, pull=0.02)
    put(system, games, rating={"x": 1600.0, "y": 1500.0, "z": 1750.0}, deviation={"x": 120.0, "y": 90.0, "z": 200.0})
    system.learn(games)
    q = np.log(10.0) / 400.0
    v, r = 120.0**2, 1600.0
    rj, vj, colour, s = np.array([1500.0, 1750.0]), np.array([90.0, 200.0]) ** 2, np.array([1, -1]), np.array([1, 0.5])
    k = 1.0 / np.sqrt(1.0 + 3.0 * q**2 * vj / np.pi**2)
    e = 1.0 / (1.0 + 10.0 ** (-k * (r - rj + 30.0 * colour) / 400.0))
    new_v = 1.0 / (1.0 / (v + 81.0 * 2) + q**2 * np.sum(k**2 * e * (1.0 - e)))
    new_r = r + q * new_v * np.sum(k * (s - e + 0.01)) + 0.02 * (rj.mean() - r)
    assert system.ledger.rating("x") == pytest.approx(new_r, abs=1e-9)
    assert system.ledger.rating("x", "deviation") == pytest.approx(np.sqrt(new_v), abs=1e-9)


@pytest.mark.parametrize("system", [Glicko, GlickoTwo, Stephenson])
def test_strengths_are_found(system):
    games, strength = simulated(9, players=20, games=4000, periods=10, rated=False)
    rated = system(newcomer=START, advantage_elo=35.0)
    for period in periods_of(games):
        rated.learn(period)
    found = np.array([rated.ledger.rating(name) for name in games.players])
    # about 400 games a player leave a standard error near 15 Elo; strengths have a standard deviation of 120
    assert np.corrcoef(found, strength)[0, 1] > 0.95


def test_bad_settings_are_named():
    with pytest.raises(RatingSystemError, match="c >= 0"):
        Glicko(growth_elo=-1.0)
    with pytest.raises(RatingSystemError, match="positive tau"):
        GlickoTwo(tau=0.0)
    with pytest.raises(RatingSystemError, match="pull from 0 to 1"):
        Stephenson(pull=2.0)
