"""Repeated fits of one model by the normal approximation: parameters, integral, spreads; use as a forecaster."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from composed import game_rows
from few_cases import few

from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.gaussian.reweighted_fit import FLOOR, ReweightedFit, ReweightedFits, _rises
from halfpoint.inference.reweighted_sampler import ReweightedSampler
from halfpoint.models.declaration.catalogue import LISTED, declare, find
from halfpoint.models.declaration.elo_scale import reader_of
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.readers.read import read

TRUTH = {
    "anchor_scale": 0.9, "shrink": 0.6, "advantage": 0.23, "log_draw": 1.2, "draw_slope": 0.15, "draw_gap": -0.3,
    "draw_signed_gap": -0.25, "strength_spread": 0.2, "draw_tendency_spread": 0.4,
}  # fmt: skip


@cache
def listed_games(games=9000, players=120, periods=18, seed=11, sign=1.0):
    """Games from `listed-full` with known parameters, changing ratings, and events of one month."""
    rng = np.random.default_rng(seed)
    names = np.array([f"P{i:03d}" for i in range(players)])
    period = np.sort(rng.integers(1, periods + 1, games))
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    base, wander = rng.normal(2600.0, 80.0, players), rng.normal(0.0, 30.0, (periods + 1, players))
    rating = np.round(base + wander)
    event = np.array([f"E{p:02d}-{k}" for p, k in zip(period, rng.integers(0, 4, games), strict=True)])
    coded, first, second = code_players(names[white], names[black])
    table = GameTable(
        coded, first, second, np.full(games, 0.5), period=period, event=event,
        white_rating_elo=rating[period, white], black_rating_elo=rating[period, black],
        covariates={"fast": (rng.random(games) < 0.2).astype(float)}, simulated=True,
    )  # fmt: skip
    declared = declare("listed-full", select(table, table.players, "both"))
    rows = game_rows(declared.spec, declared.selection)
    members = {
        "strength": TRUTH["strength_spread"] * rng.standard_normal(players),
        "draw_tendency": TRUTH["draw_tendency_spread"] * rng.standard_normal(players),
        "log_draw_event": 0.25 * rng.standard_normal(len(declared.coords["event"])),
        "log_draw_effect": np.array([-0.5]),
    }
    p = {name: np.asarray(value) for name, value in (TRUTH | members).items()}
    p["shrink"] = sign * p["shrink"]
    drawn = {name: value[None] for name, value in p.items()}
    probability = np.exp(reader_of(declared).at(drawn, rows).under(drawn).log_probability()[0])
    outcome = (rng.random((games, 1)) > probability.cumsum(axis=1)).sum(axis=1)
    return replace(table, score=np.minimum(outcome, 2) / 2.0), members


def fitted(games, name="listed-full", learned=None, factored=True):
    """Model on games with its fit to the training games, and values and errors."""
    refits = ReweightedFits(declare(name, select(games, games.players, "both")), factored)
    cells, weight = refits.declared.cells, np.zeros(len(games))
    weight[slice(None) if learned is None else learned] = 1.0
    summed = np.zeros_like(cells.weight)
    np.add.at(summed, (cells.cell_of_game, games.outcome), weight)
    refits.posterior.rows.weigh(summed)
    fit = refits.fit()
    return refits, fit, refits.values(fit), refits.errors(fit)


def test_every_number_of_a_simulated_list_is_recovered():
    games, members = listed_games()
    _, _, values, errors = fitted(games)
    for name, truth in TRUTH.items():
        if name.endswith("_spread"):
            assert float(values[name]) == pytest.approx(truth, abs=4 * truth / np.sqrt(2 * 120 * 0.5))
        else:
            scale = truth if name == "anchor_scale" else 1.0  # its error is that of the logarithm
            assert float(values[name]) == pytest.approx(truth, abs=4 * scale * float(errors[name]))
    assert float(values["log_draw_effect"][0]) == pytest.approx(-0.5, abs=4 * float(errors["log_draw_effect"][0]))
    for name in ("strength", "draw_tendency"):
        score = (values[name] - members[name]) / errors[name]
        assert np.sqrt(np.mean(score**2)) == pytest.approx(1.0, abs=0.25)


def test_without_factors_spreads_and_errors_are_those_with_them():
    games, _ = listed_games(games=3000, players=120, seed=5)
    (_, with_factors, _, errors), (_, without, _, others) = (
        fitted(games, "listed-draws", None, k) for k in (True, False)
    )
    assert without.x == pytest.approx(with_factors.x, abs=0.1)
    for name, error in errors.items():
        if np.all(error > 0.0):
            assert np.median(others[name] / error) == pytest.approx(1.0, abs=0.1), name


def test_spreads_that_creep_settle_where_those_from_elsewhere_do():
    games, _ = listed_games(games=1200, players=60, seed=4)
    refits, fit, _, _ = fitted(games, "listed-draws")
    spreads = [k for k, theta in enumerate(refits.parts.thetas) if theta.law.kind == "spread"]
    x = fit.x.copy()
    x[spreads] = -3.3
    again = refits.fit(ReweightedFit(x, refits.parts.begin()))
    assert again.x[spreads] == pytest.approx(fit.x[spreads], abs=0.1)  # the last step is less than 0.01 of a larger way
    x[spreads] = -6.0  # hardly there: it goes no farther down than the floor, and the fit ends
    assert refits.fit(ReweightedFit(x, refits.parts.begin())).x[spreads] == pytest.approx([FLOOR, FLOOR], abs=0.01)


def test_a_planted_sign_of_the_memory_is_found():
    games, _ = listed_games(seed=12, sign=-1.0)
    _, _, values, errors = fitted(games)
    assert float(values["shrink"]) < -4 * float(errors["shrink"])
    assert float(values["shrink"]) == pytest.approx(-0.6, abs=4 * float(errors["shrink"]))


@pytest.mark.further
def test_it_agrees_with_nuts_on_the_same_games():
    games, _ = listed_games(games=2000, players=40, periods=10, seed=7)
    refits, _, values, errors = fitted(games, "listed-draws")
    posterior = ReweightedSampler(refits.declared, Effort(draws=300, tune=300, chains=2, seed=3)).fit().posterior
    for name in ("shrink", "advantage", "log_draw", "draw_gap", "draw_signed_gap"):
        sd = float(posterior[name].std())
        assert float(values[name]) == pytest.approx(float(posterior[name].mean()), abs=0.33 * sd)
        assert float(errors[name]) == pytest.approx(sd, rel=0.2)
    tendency = posterior["draw_tendency"]
    sd = tendency.std(("chain", "draw")).to_numpy()
    assert np.abs((values["draw_tendency"] - tendency.mean(("chain", "draw")).to_numpy()) / sd).max() < 0.4
    assert np.median(errors["draw_tendency"] / sd) == pytest.approx(1.0, abs=0.15)


def test_forecasts_are_integrated_over_what_is_not_known():
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    refits, fit, _, _ = fitted(games)
    some, times, thetas = np.arange(0, 1500, 100), 4_000, refits.parts.thetas
    total = np.zeros((some.size, 3))
    for v in refits.draws(fit, times, 2):
        x = np.array([np.log(v[one.places[0]] / (one.law.sd if one.law.kind == "spread" else 1.0)) for one in thetas])
        x = np.where([one.law.kind == "number" for one in thetas], v[[one.places[0] for one in thetas]], x)
        _, (eta, lam), _ = refits.posterior.placed(x, v[refits.parts.z])
        total += np.exp(refits.declared.outcome.log_probability(eta[some], np.zeros(some.size), lam[some]))
    found = refits.probabilities(fit, some)
    assert found.sum(axis=1) == pytest.approx(1.0, rel=1e-12)
    assert found == pytest.approx(total / times, abs=0.005)


def test_of_somebody_without_a_game_the_population_is_known():
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    early = np.flatnonzero((games.period != 6) & (games.white != 3) & (games.black != 3))
    _, _, values, errors = fitted(games, learned=early)
    assert float(values["draw_tendency"][3]) == pytest.approx(0.0, abs=1e-9)
    assert float(errors["draw_tendency"][3]) == pytest.approx(float(values["draw_tendency_spread"]), rel=1e-3)


def test_no_result_is_seen_before_its_time():
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    turned = replace(games, score=np.where(games.period >= 5, 1.0 - games.score, games.score))
    first, second = (roll(one, Forecaster(LISTED["listed-draws"], one)) for one in (games, turned))
    past = games.period <= 5
    assert np.array_equal(first.outcome[past], second.outcome[past], equal_nan=True)
    assert not np.allclose(first.outcome[~past], second.outcome[~past])


def test_an_interrupted_backtest_goes_on_and_ends_alike(tmp_path):
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    whole = roll(games, Forecaster(LISTED["listed"], games))
    begun = games.take(games.period <= 4)
    forecaster = Forecaster(LISTED["listed"], games)
    for period in range(1, 5):
        now = games.take(games.period == period)
        forecaster.forecast(now)
        forecaster.learn(now)
    other = Forecaster(LISTED["listed"], games)
    other.load(forecaster.state())
    assert len(begun) == int(other.past.sum())
    now = np.flatnonzero(games.period == 5)
    assert other.forecast(games.take(now)).outcome == pytest.approx(whole.outcome[now], abs=1e-6)


def test_the_file_of_another_calendar_is_refused():
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    forecaster = Forecaster(LISTED["listed"], games)
    with pytest.raises(InferenceError, match=r"expected the \d+ games of the calendar"):
        forecaster.learn(games.take(np.flatnonzero(games.period == 1)[1:]))


@pytest.mark.parametrize("name", ["davidson-common", "davidson-player-draws", "bt-scaled", "davidson-walk"])
def test_every_row_forecasts(name):
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    rolled = roll(games, Forecaster(find(name), games))
    later = games.period > 1
    expected, score = rolled.expected_score[later], games.score[later]
    assert np.isfinite(expected).all()
    assert np.mean((expected - score) ** 2) < np.mean((0.5 - score) ** 2)


@pytest.mark.parametrize("kernel", few(["ornstein-uhlenbeck", "matern"], 1))
def test_spreads_and_lengths_by_days_are_at_the_maximum_and_near_the_truth(kernel):
    spread, length, players, days = 1.0, 60.0, 10, 400
    rng, day = np.random.default_rng(5), np.arange(days)
    apart = np.abs(day[:, None] - day) / length
    a = np.sqrt(3.0) * apart
    covariance = np.exp(-apart) if kernel == "ornstein-uhlenbeck" else (1.0 + a) * np.exp(-a)
    root = np.linalg.cholesky(spread**2 * covariance + 1e-9 * np.eye(days))
    skill = 0.8 * rng.standard_normal(players) + root @ rng.standard_normal((days, players))
    when = np.sort(rng.integers(0, days, 1500))
    white = rng.integers(0, players, when.size)
    black = (white + rng.integers(1, players, when.size)) % players
    won = rng.random(when.size) < 1.0 / (1.0 + np.exp(skill[when, black] - skill[when, white]))
    names = np.array([f"P{k:02d}" for k in range(players)])
    frame = pd.DataFrame({
        "white": names[white], "black": names[black], "score": 1.0 * won,
        "date": (np.datetime64("2020-01-01") + when).astype(str),
    })  # fmt: skip
    games = read(frame)
    declared = declare({"ornstein-uhlenbeck": "bt-ou", "matern": "bt-matern"}[kernel], select(games, games.people))
    fits = ReweightedFits(declared)
    found = fits.fit()
    free, root, _ = fits.of_spreads(found)
    error = np.sqrt((root**2).sum(axis=1))
    assert np.abs(_rises(fits.parts, found)[free] * error).max() < 0.1
    names = {fits.parts.thetas[k].places[0]: k for k in free}
    for name, truth in (("strength_spread", 0.8), ("form_spread", spread), ("form_length", length)):
        k = names[declared.layout.where(name)]
        value = float(fits.parts.thetas[k].law.value(found.x[k]))
        assert abs(np.log(value / truth)) < 4.0 * error[free.index(k)]
    draws = declared.layout.named(fits.draws(found, 400, 1, spreads=True))
    for name in ("form_spread", "form_length"):
        assert np.log(draws[name]).std() == pytest.approx(
            error[free.index(names[declared.layout.where(name)])], rel=0.15
        )


@pytest.mark.cases(1)
@pytest.mark.parametrize("seed", [1, 5])
def test_players_who_enter_later_do_not_begin_in_the_mirrored_mode(seed):
    rng = np.random.default_rng(seed)
    count, people, near = 2000, 60, 18
    days = np.sort(rng.integers(0, 1095, count))
    begin = (days / 1095 * 42).astype(int)  # of the players who are active on a day
    white = begin + rng.integers(0, near, count)
    black = begin + (white - begin + rng.integers(1, near, count)) % near
    strength, place, five = rng.normal(0.0, 0.8, people), rng.normal(0.0, 1.0, people), rng.random(count) < 0.3
    apart = strength[white] - strength[black] - 0.3 * (place[white] - place[black])
    score = rng.random(count) < 1.0 / (1.0 + np.exp(-apart * np.where(five, 1.4, 0.9)))
    columns = {
        "date": pd.Timestamp("2010-01-01") + pd.to_timedelta(days, unit="D"), "score": score.astype(float),
        "white": [f"P{i:02d}" for i in white], "black": [f"P{i:02d}" for i in black],
        "white_place": place[white], "black_place": place[black], "sets": np.where(five, "5", "3"),
    }  # fmt: skip
    table = read(pd.DataFrame(columns), covariates=["white_place", "black_place", "sets"])
    name = "bt-entering-walk with strength ~ 0 + place; sharpness ~ 1 | sets"
    declared = declare(name, select(table, table.players, "both"))
    refits = ReweightedFits(declared)
    found = refits.values(refits.fit())
    assert (found["sharpness_sets"] > -1.0).all()
    assert found["strength_effect"][0] < 0.0
    true = strength[[int(one[1:]) for one in declared.cells.players]]
    assert np.corrcoef(found["entry"], true)[0, 1] > 0.8
