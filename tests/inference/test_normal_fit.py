"""The normal approximation of models with populations: its mode, its integral, its spreads; and as a forecaster."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from halfpoint.evaluation.rolling import roll
from halfpoint.games.select import select
from halfpoint.games.table import GameTable, code_players
from halfpoint.inference.compile import density
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import Effort, Fitter
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.normal_fit import FEW, Plan
from halfpoint.models.blocks import inverted
from halfpoint.models.catalogue import LISTED, declare
from halfpoint.models.model import game_rows

TRUTH = {
    "anchor_scale": 0.9, "shrink": 0.6, "advantage": 0.23, "log_draw": 1.2, "draw_slope": 0.15, "draw_gap": -0.3,
    "draw_signed_gap": -0.25, "strength_spread": 0.2, "draw_tendency_spread": 0.4,
}  # fmt: skip


@cache
def listed_games(games=9000, players=120, periods=18, seed=11, sign=1.0):
    """Return games drawn from `listed-full` with known numbers, ratings that wander, and events of one month."""
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
    rows = game_rows(declared.entry, declared.selection, 0, declared.coding)
    members = {
        "strength": TRUTH["strength_spread"] * rng.standard_normal(players),
        "draw_tendency": TRUTH["draw_tendency_spread"] * rng.standard_normal(players),
        "log_draw_event": 0.25 * rng.standard_normal(len(declared.coords["event"])),
        "log_draw_effect": np.array([-0.5]),
    }
    p = {name: np.asarray(value) for name, value in (TRUTH | members).items()}
    p["shrink"] = sign * p["shrink"]
    probability = np.exp(declared.entry.outcome.log_probability(*declared.entry.sides(p, rows)))
    outcome = (rng.random((games, 1)) > probability.cumsum(axis=1)).sum(axis=1)
    return replace(table, score=np.minimum(outcome, 2) / 2.0), members


def fitted(games, name="listed-full", **options):
    """Return plan and approximation of a model on games."""
    declared = declare(name, select(games, games.players, "both"))
    plan = Plan(declared)
    sums = plan.sums(game_rows(declared.entry, declared.selection, 0, declared.coding))
    weight = np.zeros((len(games), 3))
    weight[np.arange(len(games)), games.outcome] = 1.0
    return plan, sums, weight, plan.fit(sums, weight, **options)


def test_every_number_of_a_simulated_list_is_recovered():
    """Within four standard errors; spreads within four of sd / sqrt(2 n), n the members that games tell of."""
    games, members = listed_games()
    _, _, _, fit = fitted(games)
    for name, truth in TRUTH.items():
        if name.endswith("_spread"):
            assert fit.spreads[name] == pytest.approx(truth, abs=4 * truth / np.sqrt(2 * 120 * 0.5))
        else:
            scale = truth if name == "anchor_scale" else 1.0  # its error is that of the logarithm
            assert float(fit.values[name]) == pytest.approx(truth, abs=4 * scale * float(fit.errors[name]))
    assert float(fit.values["log_draw_effect"][0]) == pytest.approx(
        -0.5, abs=4 * float(fit.errors["log_draw_effect"][0])
    )
    for name in ("strength", "draw_tendency"):
        score = (fit.values[name] - members[name]) / fit.errors[name]
        assert np.sqrt(np.mean(score**2)) == pytest.approx(1.0, abs=0.25)


def test_a_planted_sign_of_the_memory_is_found():
    games, _ = listed_games(seed=12, sign=-1.0)
    _, _, _, fit = fitted(games)
    assert float(fit.values["shrink"]) < -4 * float(fit.errors["shrink"])
    assert float(fit.values["shrink"]) == pytest.approx(-0.6, abs=4 * float(fit.errors["shrink"]))


def test_the_mode_is_where_the_sampled_density_is_highest():
    """Given its spreads: the slope of the compiled density, whose coordinates are linear in z, is nothing there."""
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    plan, _, _, fit = fitted(games)
    log_density = density(numbers_of(plan.declared))
    values = {name: value for name, value in fit.values.items() if not name.startswith("log_anchor")}
    point = inverted(plan.declared.blocks, values)
    slope = log_density(point)[1]
    names = np.concatenate([[name] * int(np.prod(shape)) for name, shape in plan.declared.layout.coordinates])
    fixed = np.array(["spread" in name for name in names])
    step = 1e-3 * np.random.default_rng(1).standard_normal(point.size) * ~fixed
    assert np.abs(slope[~fixed]).max() < 0.05
    here = log_density(point)[0]
    assert max(log_density(point + step)[0], log_density(point - step)[0]) < here + 1e-6


@pytest.mark.draws
def test_it_agrees_with_nuts_on_the_same_games():
    """Means within half a posterior standard deviation, standard deviations within a quarter of each other."""
    games, _ = listed_games(games=3000, players=40, periods=10, seed=7)
    plan, _, _, fit = fitted(games, "listed-draws")
    posterior = Fitter(plan.declared, Effort(draws=500, tune=400, chains=2, seed=3)).fit().posterior
    for name in ("shrink", "advantage", "log_draw", "draw_gap", "draw_signed_gap"):
        sd = float(posterior[name].std())
        assert float(fit.values[name]) == pytest.approx(float(posterior[name].mean()), abs=0.5 * sd)
        assert float(fit.errors[name]) == pytest.approx(sd, rel=0.25)
    tendency = posterior["draw_tendency"]
    sd = tendency.std(("chain", "draw")).to_numpy()
    assert np.abs((fit.values["draw_tendency"] - tendency.mean(("chain", "draw")).to_numpy()) / sd).max() < 0.6
    assert np.median(fit.errors["draw_tendency"] / sd) == pytest.approx(1.0, abs=0.15)


def test_forecasts_are_integrated_over_what_is_not_known():
    """Against 40,000 draws from the same normal distribution."""
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    plan, sums, _, fit = fitted(games)
    some = np.arange(0, 1500, 100)
    few = sums[0].take(some), sums[1].take(some)
    draws = np.random.default_rng(2).multivariate_normal(fit.z, fit.covariance, 40_000, method="eigh")
    total = np.zeros((some.size, 3))
    for z in draws:
        v = plan.natural(z)
        eta, lam = few[0].at(v), few[1].at(v)
        total += np.exp(plan.declared.entry.outcome.log_probability(eta, np.zeros_like(eta), lam))
    found = fit.probabilities(few)
    assert found.sum(axis=1) == pytest.approx(1.0, rel=1e-12)
    assert found == pytest.approx(total / len(draws), abs=0.004)


def test_of_somebody_without_a_game_the_population_is_known():
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    late = games.period == 6
    declared = declare("listed-full", select(games, games.players, "both"))
    plan = Plan(declared)
    sums = plan.sums(game_rows(declared.entry, declared.selection, 0, declared.coding))
    early = np.flatnonzero(~late & (games.white != 3) & (games.black != 3))
    weight = np.zeros((early.size, 3))
    weight[np.arange(early.size), games.outcome[early]] = 1.0
    fit = plan.fit((sums[0].take(early), sums[1].take(early)), weight)
    assert float(fit.values["draw_tendency"][3]) == 0.0
    assert float(fit.errors["draw_tendency"][3]) == pytest.approx(fit.spreads["draw_tendency_spread"], rel=1e-9)


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


def test_what_it_does_not_know_is_refused_by_name():
    games, _ = listed_games(games=1500, players=30, periods=6, seed=5)
    for name in ("davidson-common", "davidson-player-draws", "bt-scaled"):
        with pytest.raises(InferenceError, match="normal approximation"):
            Plan(declare(name, select(games, games.players, "both")))


def test_beyond_some_hundred_values_no_matrix_is_held_and_forecasts_are_the_same():
    """Beside the factorised information: probabilities to 0.002, errors to a tenth, the log score to a 10,000th."""
    games, _ = listed_games(games=6000, players=220, periods=12, seed=21)
    plan, sums, weight, fit = fitted(games)
    far = replace(plan, exact=False).fit(sums, weight)
    assert fit.here.size > FEW
    one, other = fit.probabilities(sums), far.probabilities(sums)
    assert other == pytest.approx(one, abs=2e-3)
    scores = [-np.log(p[np.arange(len(games)), games.outcome]).mean() for p in (one, other)]
    assert scores[1] == pytest.approx(scores[0], abs=1e-4)
    for parameter in ("strength", "draw_tendency", "advantage", "log_draw", "draw_gap"):
        assert far.errors[parameter] == pytest.approx(fit.errors[parameter], rel=0.15)
