"""Test of constant strengths: p under four designs, power against random walks, and the reaction of `rate`."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from moving_truths import DESIGNS
from scipy.stats import binom, chi2, kstest

from halfpoint.apps import workflows
from halfpoint.apps.workflows import suggest
from halfpoint.apps.workflows.suggest import in_time, of_now
from halfpoint.evaluation.movement import movement
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.readers.datasets.examples import example_file


def club(seed, moved_elo=0.0, days=400, games=1200, players=14):
    """Players with random walks of a standard deviation over the whole time, and their strengths on the last day."""
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


@pytest.mark.cases(2)
@pytest.mark.parametrize("design", DESIGNS)
def test_p_of_still_strengths_is_uniform_however_they_were_paired(design):
    found = [p_of(DESIGNS[design](np.random.default_rng([seed, 7]))) for seed in range(120)]
    assert kstest(found, "uniform").pvalue > 0.001
    assert sum(p < 0.01 for p in found) <= binom.ppf(0.999, 120, 0.01)


@pytest.mark.parametrize(("design", "least"), [("round robin", 0.3), ("Swiss", 0.3), ("winner first", 0.3)])
def test_walks_of_two_hundred_elo_are_found_in_a_few_hundred_games(design, least):
    found = [p_of(DESIGNS[design](np.random.default_rng([seed, 8]), 200.0)) for seed in range(30)]
    assert np.mean(np.array(found) < 0.05) > least
    assert np.mean(np.array(found) > 0.9) < 0.1


def test_strengths_that_move_are_found_and_by_how_much():
    tables = [club(seed, moved_elo=250.0)[0] for seed in range(10)]
    days = [table.date.astype(np.int64).astype(float) for table in tables]
    games = [(one.white, one.black, one.score, day, np.zeros(len(one))) for one, day in zip(tables, days, strict=True)]
    p, walked, longest = np.transpose([movement(*one) for one in games])
    assert p.max() < 0.01
    assert (longest > walked).all()
    scale = 2.0 / (2.0 + np.exp(0.1))  # Elo points of a natural unit's 173.7, Davidson
    # 14 players: a standard deviation is known to 20%, ten clubs' root mean square to 6%; tried by steps of 40%
    assert np.sqrt(np.mean(walked**2)) == pytest.approx(250.0 * scale, rel=0.25)


def test_a_change_of_everything_is_found_in_forty_games():
    one, two, half = np.zeros(60, dtype=np.int32), np.ones(60, dtype=np.int32), np.repeat([1.0, 0.0], 30)
    assert p_of((one, two, half, np.arange(60))) < 1e-4


def p_of(games):
    white, black, score, day = games
    return movement(white.astype(np.int32), black.astype(np.int32), score, day.astype(float), np.zeros(score.size))[0]


def test_what_is_not_looked_at_is_said():
    table, _ = club(1)
    assert of(replace(table, date=None, period=np.ones(len(table), dtype=np.int64))) is None
    few = of(table.take(np.arange(0, 1200, 30)))
    assert np.isnan(few.p)
    assert few.words.endswith("; the test for changing strengths is skipped: fewer than 50 games")
    assert "p 0." in of(table.take(np.arange(0, 1200, 12))).words
    day = of(replace(table, date=np.full(len(table), table.date[0])))
    assert "strengths" not in day.words


@pytest.mark.parametrize("design", ["round robin", "Swiss", "winner first"])
def test_walks_are_seldom_longer_than_what_is_said_to_be_possible(design):
    scale = 2.0 / (2.0 + np.exp(0.1))
    held = 0
    for seed in range(60):
        white, black, score, day = DESIGNS[design](np.random.default_rng([seed, 9]), 100.0)
        seats = white.astype(np.int32), black.astype(np.int32)
        held += movement(*seats, score, day.astype(float), np.zeros(score.size))[2] >= 100.0 * scale
    assert held >= binom.ppf(0.001, 60, 0.95)


def long_club(ratings=False, days=3600, neutral=0.0):
    """Ten years of a club with changing strengths."""
    table, _ = club(6, moved_elo=400.0, days=days, games=3000)
    rating = np.linspace(1200.0, 2000.0, 14)
    known = {"white_rating_elo": rating[table.white], "black_rating_elo": rating[table.black]} if ratings else {}
    return replace(table, covariates={"neutral": np.full(len(table), neutral)}, **known)


@pytest.mark.parametrize(("neutral", "end"), [(0.0, "matched-neutral"), (1.0, "matched-even")])
def test_a_list_of_many_years_walks_over_as_many_as_it_can(neutral, end, monkeypatch):
    table = long_club(neutral=neutral)
    selection = select(table, table.players, "both")
    name, kept, told = of_now(f"davidson-{end}", selection, in_time(selection))
    assert (name, kept) == ("davidson-matched-walk", selection)
    assert "left out" not in told
    monkeypatch.setattr(suggest, "LARGEST_WALK", 14 * 20)  # ten years are 40 quarters
    name, kept, told = of_now(f"davidson-{end}", selection, in_time(selection))
    assert (name, kept) == ("davidson-matched-yearly-walk", selection)
    assert "strengths walk by years" in told
    monkeypatch.setattr(suggest, "LARGEST_WALK", 14 * 7)
    name, kept, told = of_now(f"davidson-{end}", selection, in_time(selection))
    assert name == "davidson-matched-yearly-walk"
    age = (table.date.max() - table.date).astype(int)
    assert len(kept) == (age < 4 * 365.25).sum()  # 8 years would be too many
    assert f"{len(table) - len(kept)} games before {kept.games.date.min()} left out" in told


def test_a_walk_by_years_finds_where_strengths_are_now():
    table, now = club(9, moved_elo=300.0, days=3600, games=2500)
    rated = workflows.rate(table, model="davidson-yearly-walk", method="normal", draws=250)
    draws = rated.trace["posterior"]["strength"].isel(month=-1).transpose("chain", "draw", "player").to_numpy()
    draws = draws.reshape(-1, 14) - draws.reshape(-1, 14).mean(axis=1, keepdims=True)
    away = (draws.mean(axis=0) - (now - now.mean()))[1:]  # the last one follows from the others
    assert away @ np.linalg.solve(np.cov(draws[:, 1:].T), away) < chi2.ppf(0.999, 13)
    assert np.corrcoef(draws.mean(axis=0), now)[0, 1] > 0.8


def test_games_of_more_than_a_quarter_walk_whatever_the_test_finds():
    for days, row in ((80, "davidson-matched"), (100, "davidson-matched-walk"), (700, "davidson-matched-walk")):
        table, _ = club(4, days=days)
        selection = select(table, table.players, "both")
        name, kept, _ = of_now("davidson-matched", selection, replace(in_time(selection), p=0.9))
        assert (name, kept) == (row, selection)
    few = table.take(np.arange(40))
    selection = select(few, few.players, "both")
    assert of_now("davidson-matched", selection, in_time(selection))[0] == "davidson-matched"


def test_a_row_that_cannot_walk_takes_the_last_two_years_where_strengths_moved():
    table = long_club(ratings=True)
    selection = select(table, table.players, "both")
    name, kept, told = of_now("davidson-rated", selection, in_time(selection))
    assert name == "davidson-rated"
    assert len(kept) == ((table.date.max() - table.date).astype(int) < 2 * 365.25).sum()
    assert "left out of the current list" in told
    still = replace(in_time(selection), p=0.5)
    assert of_now("davidson-rated", selection, still)[1] is selection  # an average of what nobody sees to move


def test_games_that_older_ones_alone_join_are_kept():
    """Two halves of a club that last met nine years ago."""
    table = long_club()
    apart = (table.white < 7) == (table.black < 7)
    early = np.arange(len(table)) < 200
    table = table.take(apart | early)
    selection = select(table, table.players, "both")
    known = replace(in_time(selection), p=0.001)
    assert of_now("davidson-rated", selection, known)[1] is selection


def test_a_still_row_that_was_asked_for_says_what_it_averages_over():
    said = []
    table, _ = club(3, moved_elo=250.0)
    rated = workflows.rate(table, model="davidson-population", draws=100, tune=200, chains=2, say=said.append)
    assert any("an average over 2020-01-01 to" in line and "--model davidson-matched-walk" in line for line in said)
    assert "an average over 2020-01-01" in rated.note
    for still, hidden in ((club(4, days=200)[0], False), (club(7, days=200, games=300)[0], True)):
        rated = workflows.rate(still, model="davidson-population", draws=500)
        assert (of(still).longest > 2.4 * rated.frame["sd_elo"].median()) == hidden
        told = re.search(r"walks of up to (\d+) Elo would not be detected", rated.note)
        assert bool(told) == hidden
        assert not told or float(told[1]) == pytest.approx(of(still).longest, abs=0.5)


@pytest.mark.draws
@pytest.mark.slow
def test_the_list_of_a_club_that_moved_is_of_now():
    table, now = club(5, moved_elo=250.0, days=900, games=3000)
    rated = workflows.rate(table, draws=500, tune=700)
    assert rated.about["model"] == "davidson-matched-walk"
    assert rated.about["converged"]
    assert "the list shows the latest period" in rated.note
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


def test_games_without_a_date_are_forecast_as_of_the_last_day():
    played = pd.read_csv(example_file("football"))
    last = played["date"].max()
    rated = workflows.rate(played, model="davidson-matched-walk", method="normal", draws=200, chains=2)
    coming = pd.DataFrame({"home": played["home"][:3], "away": played["away"][:3]})
    undated = workflows.forecast(rated.trace, coming)
    dated = workflows.forecast(rated.trace, coming.assign(date=last))
    assert dated.frame["day"].tolist() == [last] * 3
    pd.testing.assert_frame_equal(undated.frame, dated.frame.drop(columns="day"))
    assert f"count as of {last}, the last date" in undated.note
    assert "last date" not in dated.note
