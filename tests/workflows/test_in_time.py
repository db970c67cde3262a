"""Whether strengths stood still: the test by halves on simulated clubs, and what `rate` makes of the answer."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from halfpoint import workflows
from halfpoint.games.select import select
from halfpoint.games.table import GameTable
from halfpoint.games.units import to_natural
from halfpoint.workflows.suggest import in_time


def club(seed, moved_elo=0.0, days=400, games=1200, players=14):
    """Players who walk so far over the whole time, standard deviation, and what they are worth on the last day."""
    rng = np.random.default_rng(seed)
    names = np.array([f"Player {number:02d}" for number in range(players)])
    way = np.cumsum(rng.normal(0.0, to_natural(moved_elo) / np.sqrt(days), (players, days)), axis=1)
    strength = rng.normal(0.0, to_natural(100.0), players)[:, None] + way
    day = np.sort(rng.integers(0, days, games))
    white = rng.integers(0, players, games).astype(np.int32)
    black = ((white + rng.integers(1, players, games)) % players).astype(np.int32)
    eta = strength[white, day] - strength[black, day] + 0.2
    win, draw = np.exp(eta / 2), np.exp(0.1)
    whole, uniform = win + draw + 1 / win, rng.random(games)
    score = np.where(uniform < win / whole, 1.0, np.where(uniform < (win + draw) / whole, 0.5, 0.0))
    date = np.datetime64("2020-01-01") + day
    table = GameTable(names, white, black, score, date=date.astype("datetime64[D]"), name="club", simulated=True)
    return table, strength[:, -1]


def of(table):
    return in_time(select(table, table.players, "both"))


def test_strengths_that_stand_still_are_blamed_at_the_stated_rate():
    found = [of(club(seed)[0]).p for seed in range(100)]
    assert sum(p < 0.01 for p in found) <= binom.ppf(0.999, 100, 0.01)
    assert sum(p < 0.5 for p in found) == pytest.approx(50, abs=4 * 5)  # binomial, 5


def test_strengths_that_move_are_found_and_by_how_much():
    """From half to half a walk gains the difference of its two means: variance 1/3 of that over the whole time."""
    found = [of(club(seed, moved_elo=250.0)[0]) for seed in range(10)]
    assert all(one.p < 0.01 for one in found)
    scale = 2.0 / (2.0 + np.exp(0.1))  # Elo points of a natural unit's 173.7, Davidson
    expected = 250.0 / np.sqrt(3.0) * scale
    # 14 players: a standard deviation is known to 20%, their root mean square over ten clubs to 6%
    assert np.sqrt(np.mean([one.gained_elo**2 for one in found])) == pytest.approx(expected, rel=0.25)


def test_games_without_days_or_of_few_say_nothing():
    table, _ = club(1)
    assert of(replace(table, date=None, period=np.ones(len(table), dtype=np.int64))) is None
    assert np.isnan(of(table.take(np.arange(100))).p)


def test_a_still_row_that_was_asked_for_says_what_it_averages_over():
    said = []
    table, _ = club(3, moved_elo=250.0)
    rated = workflows.rate(table, model="davidson-population", draws=100, tune=200, chains=2, say=said.append)
    assert any("an average over 2020-01-01 to" in line and "--model davidson-population-walk" in line for line in said)
    assert "an average over 2020-01-01" in rated.note
    still, _ = club(3, days=200)
    rated = workflows.rate(still, model="davidson-population", draws=100, tune=200, chains=2)
    assert "average over" not in rated.note


@pytest.mark.draws
@pytest.mark.slow
def test_the_list_of_a_club_that_moved_is_of_now():
    table, now = club(5, moved_elo=250.0, days=900, games=3000)
    rated = workflows.rate(table, draws=500, tune=700)
    assert rated.about["model"] == "davidson-population-walk"
    assert rated.about["converged"]
    assert "the list is of the last period" in rated.note
    still = workflows.rate(table, model="davidson-population", draws=500, tune=500)
    scale = 2.0 / (2.0 + np.exp(0.1)) / to_natural(1.0)
    truth = dict(zip(table.players.tolist(), 1500.0 + (now - now.mean()) * scale, strict=True))
    away = {}
    for name, one in (("walk", rated), ("still", still)):
        rows = one.frame.set_index("player")
        miss = rows["rating_elo"] - [truth[player] for player in rows.index]
        away[name] = float(np.sqrt((miss**2).mean()))
        if name == "walk":  # a quarter's mean for its last day: somewhat wider than what is stated
            assert (miss.abs() < 3.5 * rows["sd_elo"]).all()
    assert away["walk"] < 0.75 * away["still"]
