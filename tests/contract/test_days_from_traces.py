"""Traces of strengths by days: days of the fit, intermediate and later days, newcomers, answers without PyMC,
backtests.
"""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_traces import chosen, trace

from halfpoint.apps.workflows.history import as_of
from halfpoint.evaluation.day_ratings import ratings_by_period
from halfpoint.inference.forecast import forecast
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.traces.netcdf import write
from halfpoint.models import find
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.periods import with_periods
from halfpoint.readers import read

# the loops of the second are 1,000 lines, whose compilation takes 10 CPU s; `test_days` has its law in the fast suite
NAMES = ("davidson-ou", pytest.param("davidson-matern", marks=pytest.mark.further))


def games_at(period):
    """Game of Ada and Boris in a period."""
    games = chosen("unanchored").games
    one = games.take(np.flatnonzero(games.white_names == "Ada")[:1])
    return replace(one, period=np.array([period]), score=np.array([0.5]))


@pytest.mark.parametrize("name", NAMES)
def test_the_last_day_is_what_a_match_takes(name):
    tree = trace(name, "unanchored")
    reading, games = reading_of(tree), games_at(int(chosen("unanchored").games.period.max()))
    codes = [
        np.array([reading.index(str(one))], dtype=np.int32) for one in (games.white_names[0], games.black_names[0])
    ]
    told = forecast(tree, games).probability.reshape(3, -1)
    np.testing.assert_allclose(reading.pairing(*codes)[:, 0].T, told, rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_far_from_all_days_form_is_the_prior_and_close_to_one_it_is_its_own(name):
    reading = reading_of(trace(name, "unanchored"))
    visits, end = reading.facts["visits"], reading.periods - 1
    many = {key: np.repeat(value, 2000, axis=0) for key, value in reading.p.items()}
    reading = replace(reading, p=many)
    after = reading.on_days(np.array([0, 0]), np.array([end + 1, end + 24 * 10**6]))["form"]
    after = after if after.ndim == 2 else after[..., 0]
    last = after[:, visits.last[0]]
    z = after[:, -1] / many["form_spread"]
    assert abs(z.mean()) < 5.0 / np.sqrt(z.size)
    assert z.var() == pytest.approx(1.0, abs=5.0 * np.sqrt(2.0 / z.size))
    close = after[:, -2] - last
    assert np.sqrt(np.mean(close**2)) < np.sqrt(np.mean((after[:, -1] - last) ** 2))


@pytest.mark.parametrize("name", NAMES)
def test_newcomers_have_a_level_and_a_form_of_the_population(name):
    tree = with_newcomers(trace(name, "unanchored"), ["Zoe", "Yan"])
    posterior = tree["posterior"].to_dataset()
    own = trace(name, "unanchored")["posterior"]
    assert posterior.sizes["visit"] == own.sizes["visit"] + 2
    np.testing.assert_array_equal(posterior["form"].isel(visit=slice(0, own.sizes["visit"])), own["form"])
    reading = reading_of(tree)
    visits = reading.facts["visits"]
    form = reading.p["form"] if reading.p["form"].ndim == 2 else reading.p["form"][..., 0]
    np.testing.assert_allclose(reading.p["strength"], reading.p["level"] + form[:, visits.last], rtol=1e-12)


@pytest.mark.further
@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_process_answers_matches_without_pymc(name, tmp_path):
    path = write(trace(name, "unanchored"), tmp_path / "trace.nc")
    code = (
        "import sys, halfpoint as hp\n"
        f"hp.match({str(path)!r}, 'Ada', 'Boris', games=4)\n"
        "assert 'pymc' not in sys.modules, 'PyMC was imported'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def season():
    """Random games on irregular days over four months, with results that follow from strengths."""
    rng, players = np.random.default_rng(5), 6
    white = rng.integers(0, players, 160)
    black = (white + rng.integers(1, players, 160)) % players
    chance = 1.0 / (1.0 + np.exp(0.7 * (black - white)))
    names = np.array([f"P{k}" for k in range(players)])
    day = np.sort(rng.integers(0, 120, 160))
    frame = {"white": names[white], "black": names[black], "score": 1.0 * (rng.random(160) < chance)}
    return read(pd.DataFrame(frame | {"date": (np.datetime64("2024-01-01") + day).astype(str)}))


@pytest.mark.cases(1)
@pytest.mark.parametrize("name", ["bt-ou", "bt-matern"])
def test_a_backtest_sees_no_result_before_its_time(name):
    games = with_periods(season(), "month")
    late = games.period >= 3
    turned = replace(games, score=np.where(late, 1.0 - games.score, games.score))
    found = []
    for one in (games, turned):
        forecaster = Forecaster(find(name), one)
        for period in (1, 2):
            forecaster.learn(one.take(one.period == period))
        found.append(forecaster.forecast(one.take(one.period == 3)).expected_score)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)
    month = games.take(games.period == 3)
    better = np.log(np.where(month.score == 1.0, found[0], 1.0 - found[0])).mean()
    assert better > np.log(0.5)


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_as_of_a_day_has_the_chances_of_games_on_it(name):
    tree, day = trace(name, "unanchored"), 4
    ended, _ = as_of(tree, str(day))
    own, then = reading_of(tree), reading_of(ended)
    codes = [np.array([own.index(one)], dtype=np.int32) for one in ("Ada", "Boris")]
    visits = own.facts["visits"]
    first = int(tree["constant_data"]["visit_tick"].min())
    form = own.p["form"] if own.p["form"].ndim == 2 else own.p["form"][..., 0]
    level = own.p["level"]
    for name_of, code in zip(("Ada", "Boris"), codes, strict=True):
        known = np.flatnonzero((visits.player == code[0]) & (visits.tick == day * 24 - first))
        if known.size:
            strength = ended["posterior"]["strength"].sel(player=name_of).to_numpy().ravel()
            np.testing.assert_allclose(strength, level[:, code[0]] + form[:, known[0]], rtol=1e-9)
    assert then.facts["visits"].tick.max() == day * 24 + 23 - first
    slope = own.outcome.at(own.p).elo_per_natural(own.p["log_draw"])
    gap = ended["posterior"]["rating_elo"].sel(player="Ada") - ended["posterior"]["rating_elo"].sel(player="Boris")
    natural = ended["posterior"]["strength"].sel(player="Ada") - ended["posterior"]["strength"].sel(player="Boris")
    np.testing.assert_allclose(gap.to_numpy().ravel(), natural.to_numpy().ravel() * slope, rtol=1e-4, atol=1e-3)
    told = ratings_by_period(tree)["rating_elo_by_month"]
    np.testing.assert_allclose(told.isel(month=-1), tree["posterior"]["rating_elo"], rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_history_has_all_periods_from_the_first_to_the_last(name):
    months = ratings_by_period(trace(name, "unanchored"))["month"].to_numpy()
    played = np.unique(chosen("unanchored").games.period)
    assert months.tolist() == list(range(int(played.min()), int(played.max()) + 1))
