"""Every system of the catalogue: state saved and restored, forecasts without side effects, names, errors."""

import numpy as np
import pytest
from rating_games import periods_of, simulated, table

from halfpoint.models.games.array_files import read_arrays, write_arrays
from halfpoint.models.games.errors import PlacedError, RatingSystemError
from halfpoint.models.games.rating_system import Forecast, RatingSystem, period_of
from halfpoint.systems.catalogue import SYSTEMS, system

GAMES, _ = simulated(61, players=12, games=240, periods=6)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_saved_system_goes_on_as_if_never_stopped(name, tmp_path):
    spec = SYSTEMS[name]
    whole, first = spec.build(spec.start), spec.build(spec.start)
    assert isinstance(whole, RatingSystem)
    for period in periods_of(GAMES):
        expected = whole.forecast(period)
        if period.period[0] == 4:
            write_arrays(tmp_path / "state.npz", first.state())
            second = spec.build(spec.start)
            second.load(read_arrays(tmp_path / "state.npz"))
            first = second
        again = first.forecast(period)
        twice = first.forecast(period)
        assert again.expected_score.tolist() == expected.expected_score.tolist()
        assert twice.expected_score.tolist() == again.expected_score.tolist()
        assert (again.outcome is None) == (spec.draws == "rule")
        if again.outcome is not None:
            assert again.outcome.tolist() == expected.outcome.tolist()
            assert again.outcome.sum(axis=1) == pytest.approx(1.0)
        whole.learn(period)
        first.learn(period)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_period_is_learned_once_and_in_order(name):
    spec = SYSTEMS[name]
    built = spec.build(spec.start)
    built.learn(GAMES.take(GAMES.period == 3))
    for period in (2, 3):
        with pytest.raises(RatingSystemError, match="a period after 3"):
            built.learn(GAMES.take(GAMES.period == period))
    with pytest.raises(RatingSystemError, match="the games of one period"):
        built.learn(GAMES.take(GAMES.period > 3))


@pytest.mark.parametrize("name", SYSTEMS)
def test_relabelled_players_get_the_same_forecasts(name):
    spec = SYSTEMS[name]
    renamed = {old: f"renamed {99 - number:02d}" for number, old in enumerate(GAMES.players)}
    one, other = spec.build(spec.start), spec.build(spec.start)
    for period in periods_of(GAMES):
        names = [renamed[n] for n in period.white_names], [renamed[n] for n in period.black_names]
        ratings = {"white_rating_elo": period.white_rating_elo, "black_rating_elo": period.black_rating_elo}
        twin = table(*names, period.score, period=period.period, event=period.event, **ratings)
        assert other.forecast(twin).expected_score == pytest.approx(one.forecast(period).expected_score, abs=1e-7)
        one.learn(period)
        other.learn(twin)


def test_a_system_takes_no_foreign_state(tmp_path):
    write_arrays(tmp_path / "elo.npz", SYSTEMS["elo"].build(SYSTEMS["elo"].start).state())
    with pytest.raises(RatingSystemError, match="player_rating, player_deviation, player_last"):
        SYSTEMS["glicko"].build(SYSTEMS["glicko"].start).load(read_arrays(tmp_path / "elo.npz"))


def test_a_file_that_is_no_state(tmp_path):
    (tmp_path / "text.npz").write_text("not a state")
    with pytest.raises(RatingSystemError, match="a saved state"):
        read_arrays(tmp_path / "text.npz")
    with pytest.raises(RatingSystemError, match="a saved state"):
        read_arrays(tmp_path / "absent.npz")


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    elo = SYSTEMS["elo"].build(SYSTEMS["elo"].start)
    write_arrays(tmp_path / "state.npz", elo.state())
    before = (tmp_path / "state.npz").read_bytes()

    def fail(*arguments, **names):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(PlacedError, match="expected a place to write, found disk full"):
        write_arrays(tmp_path / "state.npz", elo.state())
    assert [path.name for path in tmp_path.iterdir()] == ["state.npz"]
    assert (tmp_path / "state.npz").read_bytes() == before


def test_unknown_names_offer_the_nearest():
    with pytest.raises(RatingSystemError, match="Did you mean 'glicko'"):
        system("gliko")
    built = system("elo").build(system("elo").start)
    with pytest.raises(RatingSystemError, match="a player with games"):
        built.ledger.rating("nobody")


def test_a_forecast_is_from_zero_to_one():
    with pytest.raises(RatingSystemError, match=r"found 1\.2 at game 2"):
        Forecast(np.array([0.5, 1.2]))
    with pytest.raises(RatingSystemError, match="three probabilities for 2 games"):
        Forecast(np.array([0.5, 0.2]), np.zeros((2, 2)))


def test_games_without_periods_are_the_next_period():
    assert period_of(table(["a"], ["b"], [1]), 7) == 8
