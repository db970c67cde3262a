"""Traces of the models of a printed list: ratings in points of the list, forecasts from the rating on the day."""

import numpy as np
import pytest

from halfpoint.apps import workflows
from halfpoint.apps.workflows.rating_page import people_of
from halfpoint.evaluation.matches import game
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.errors import ModelError
from halfpoint.models.games.rating_history import RatingHistory
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.simulated_list import simulated_list

POINTS = np.array([0.0, 0.5, 1.0])


@pytest.fixture(scope="module")
def games():
    """4,500 games of 30 players on a simulated list, and the truth."""
    return simulated_list(4500, players=30, months=10, seed=3)


@pytest.fixture(scope="module")
def trace(games, tmp_path_factory):
    """Trace of `listed-draws` on them, written and read."""
    declared = declare("listed-draws", select(games[0], games[0].players, "both"))
    tree = fit(declared, "normal", draws=250, chains=2, seed=1, pointwise_draws=0)
    return read(write(tree, tmp_path_factory.mktemp("trace") / "listed.nc"))


def mean_of(trace, name):
    """Posterior mean of a parameter."""
    return trace["posterior"].to_dataset()[name].mean(("chain", "draw")).to_numpy()


@pytest.mark.further
def test_the_inclination_to_draw_is_found(games, trace):
    assert np.corrcoef(mean_of(trace, "draw_tendency"), games[1]["inclination"])[0, 1] > 0.85


def test_the_page_of_a_player_says_how_much_they_draw(games, trace):
    record = people_of(trace)
    draws = {player["name"]: player["draws"] for player in record["players"]}
    most, least = (str(games[0].players[pick(games[1]["inclination"])]) for pick in (np.argmax, np.argmin))
    assert draws[least]["high"] < draws[least]["usual"] < draws[most]["low"]
    truth = np.exp(1.2) / (2.0 + np.exp(1.2))  # two equals without an inclination
    assert draws[most]["usual"] == pytest.approx(100 * truth, abs=6.0)


def test_ratings_are_those_of_the_list_corrected(games, trace):
    history = RatingHistory.of(games[0])
    kappa, phi = (float(mean_of(trace, name)) for name in ("anchor_scale", "shrink"))
    said = kappa * (history.last_elo + phi * (history.mean_elo - history.last_elo))
    found = mean_of(trace, "rating_elo") - 173.7178 * mean_of(trace, "strength")
    assert np.diff(found) == pytest.approx(np.diff(said), abs=1.0)


def test_a_game_is_forecast_by_the_rating_of_the_day(games, trace):
    names = games[0].players
    plain = game(trace, names[0], names[1])
    history = RatingHistory.of(games[0])
    same = game(trace, names[0], names[1], {str(names[0]): float(history.last_elo[0])})
    above = game(trace, names[0], names[1], {str(names[0]): float(history.last_elo[0]) + 100.0})
    assert plain.sum() == pytest.approx(1.0)
    assert same @ POINTS == pytest.approx(plain @ POINTS, abs=0.02)
    gained = np.log(1 / (1 / (above @ POINTS) - 1)) - np.log(1 / (1 / (same @ POINTS) - 1))
    kappa, phi = (float(mean_of(trace, name)) for name in ("anchor_scale", "shrink"))
    share = 1.0 - phi * (1.0 - 1.0 / (history.months[0] + 1.0))  # the mean so far moves by its part
    assert gained * 400 / np.log(10) == pytest.approx(100.0 * kappa * share, abs=3.0)


def test_the_commands_take_a_rating(games, trace):
    first, second = (str(name) for name in games[0].players[:2])
    plain = workflows.forecast(trace, white=first, black=second).frame
    strong = workflows.forecast(trace, white=first, black=second, white_rating=2900.0).frame
    assert strong["expected_percent"][0] > plain["expected_percent"][0] + 0.1
    single = game(trace, first, second)
    assert plain["draw_percent"][0] == pytest.approx(100 * single[1], abs=1e-6)
    newcomer = workflows.forecast(trace, white="Nobody", black=second, white_rating=2600.0).frame
    assert not newcomer["white_known"][0]
    usual = workflows.match(trace, first, second, 4).frame
    better = workflows.match(trace, first, second, 4, first_rating=2900.0).frame
    scores = usual["score"].to_numpy()
    assert scores @ better["probability_percent"] > scores @ usual["probability_percent"]


def test_a_rating_for_a_model_that_reads_none_is_refused(games):
    few = games[0].take(np.arange(300))
    declared = declare("davidson-population", select(few, few.players, "both"))
    tree = fit(declared, "normal", draws=20, chains=2, seed=1, pointwise_draws=0)
    first, second = (str(name) for name in few.players[:2])
    with pytest.raises(ModelError, match=r"expected a model of the printed list .*Leave the rating out"):
        workflows.match(tree, first, second, 4, first_rating=2900.0)
