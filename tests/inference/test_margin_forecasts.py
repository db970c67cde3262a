"""Margins: closed forms, SciPy and integrals, simulated truth, forecasts, and files of goals end to end."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from monte_carlo import LIMIT, mean_error
from scipy import integrate, stats

from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecast import forecast
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.margin_forecasts import Margins
from halfpoint.inference.sample import sample
from halfpoint.inference.simulation_based_calibration import SHORT, calibrate
from halfpoint.models.declaration.catalogue import declare, find
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.margin import MARGIN_NORMAL, MARGIN_T
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate_sides import MarginTruth, meetings, simulate_margins
from halfpoint.readers.read import read
from halfpoint.systems.baselines import crps_normal

OF = {"margin_normal": stats.norm, "margin_t": stats.t(4)}
ALONE = replace(SHORT, cores=1)
NAMES = np.array([f"Club {k:02d}" for k in range(12)])


@pytest.mark.parametrize("outcome", [MARGIN_NORMAL, MARGIN_T])
def test_density_and_chances_are_those_of_scipy(outcome):
    gap, spread, margin = np.array([0.0, 2.5, -7.0]), np.array([0.7, 1.6, 12.0]), np.array([1.0, -3.0, 20.0])
    of = OF[outcome.name]
    value = outcome.margin.log_density(gap, np.log(spread), margin)
    np.testing.assert_allclose(value, of.logpdf((margin - gap) / spread) - np.log(spread), rtol=1e-12)
    loss, draw, win = np.exp(outcome.log_probability(gap, np.zeros(3), np.log(spread))).T
    np.testing.assert_allclose(win, of.sf((0.5 - gap) / spread), rtol=1e-12)
    np.testing.assert_allclose(loss, of.cdf((-0.5 - gap) / spread), rtol=1e-12)
    np.testing.assert_allclose(draw, of.cdf((0.5 - gap) / spread) - of.cdf((-0.5 - gap) / spread), rtol=1e-9)


def test_chances_are_numbers_however_far_apart_the_two_are():
    for outcome in (MARGIN_NORMAL, MARGIN_T):
        found = outcome.log_probability(np.array([1e4, -1e4, 0.0]), np.zeros(3), np.array([-3.0, 0.0, -20.0]))
        assert np.isfinite(found).all()
        np.testing.assert_allclose(np.exp(found).sum(axis=1), 1.0)


def test_crps_is_its_integral():
    for y, mean, spread in ((0.0, 0.0, 1.0), (3.0, 0.5, 1.6), (-14.0, 2.0, 5.0)):

        def squared(x, seen=y, at=mean, width=spread):
            return (stats.norm.cdf((x - at) / width) - (x >= seen)) ** 2

        expected = integrate.quad(squared, -np.inf, y)[0] + integrate.quad(squared, y, np.inf)[0]
        assert crps_normal(y, mean, spread) == pytest.approx(expected, rel=1e-6)


def mixture(outcome):
    """Forecasts of two games under four draws."""
    rng = np.random.default_rng(1)
    location, spread = rng.normal(1.0, 1.0, (2, 2, 2)), np.exp(rng.normal(0.5, 0.2, (2, 2, 2)))
    return Margins(outcome, location, spread, np.array([2.0, -4.0]))


@pytest.mark.parametrize("outcome", [MARGIN_NORMAL, MARGIN_T])
def test_scores_of_a_mixture_are_those_of_its_density(outcome):
    found, of = mixture(outcome), OF[outcome.name]
    for game in range(2):
        location, spread = found.location[..., game].ravel(), found.spread[..., game].ravel()
        y = found.seen[game]

        def below(x, at=location, width=spread):
            return of.cdf((x - at) / width).mean()

        density = (of.pdf((y - location) / spread) / spread).mean()
        assert found.log_score[game] == pytest.approx(-np.log(density), rel=1e-12)
        assert found.pit[game] == pytest.approx(below(y), rel=1e-12)
        for level, quantile in zip((0.05, 0.5, 0.975), found.quantile((0.05, 0.5, 0.975))[:, game], strict=True):
            assert below(quantile) == pytest.approx(level, abs=1e-9)
        ends = (-np.inf, y), (y, np.inf)
        expected = sum(integrate.quad(lambda x, s=y: (below(x) - (x >= s)) ** 2, *end)[0] for end in ends)
        assert found.crps[game] == pytest.approx(expected, rel=1e-5)


def test_one_draw_has_the_closed_form():
    found = replace(mixture(MARGIN_NORMAL), location=np.full((1, 1, 2), 0.3), spread=np.full((1, 1, 2), 1.7))
    np.testing.assert_allclose(found.crps, crps_normal(found.seen, 0.3, 1.7), rtol=1e-6)


@cache
def season(count=900, seed=2):
    """Simulated whole-numbered margins of twelve clubs, normal, with their true strengths."""
    strength = np.linspace(-1.2, 1.2, NAMES.size)
    white, black = meetings(NAMES.size, count, seed, 1)
    return simulate_margins(MarginTruth(NAMES, strength, 1.5, 0.4), white, black, seed), strength


@cache
def trace(name):
    games, _ = season()
    return sample(declare(name, select(games, games.players, "both")), Effort(500, 500, 2, 3))


@pytest.mark.draws
@pytest.mark.parametrize("name", ["margin-normal", "margin-t"])
def test_what_was_simulated_is_found(name):
    tree, strength = trace(name), season()[1]
    assert tree.attrs["converged"], tree.attrs["verdict"]
    posterior = tree["posterior"].to_dataset()
    g = posterior["strength"].to_numpy().reshape(-1, NAMES.size)
    g = g - g.mean(axis=1, keepdims=True)
    z = (g.mean(axis=0) - strength) / g.std(axis=0)
    assert np.abs(z).max() < 4
    assert np.corrcoef(g.mean(axis=0), strength)[0, 1] > 0.98
    advantage, spread = posterior["advantage"].to_numpy(), np.exp(posterior["log_width"].to_numpy())
    assert abs(advantage.mean() - 0.4) < 4 * advantage.std()
    if name == "margin-normal":  # rounding adds 1 / 12 to the variance
        assert abs(spread.mean() - np.sqrt(1.5**2 + 1 / 12)) < 4 * spread.std()


def test_the_shape_that_was_simulated_forecasts_better_and_is_calibrated():
    later, _ = season(1500, 9)
    normal, student = (forecast(trace(name), later, thin=20).margin for name in ("margin-normal", "margin-t"))
    assert normal.log_score.mean() < student.log_score.mean()
    assert normal.crps.mean() < student.crps.mean() + 2 * normal.crps.std(ddof=1) / np.sqrt(1500)
    from_middle = np.abs(normal.pit - 0.5)
    assert np.mean(from_middle < 0.45) == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 1500))
    assert np.mean(from_middle < 0.25) == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / 1500))
    assert np.sqrt(np.mean((normal.seen - normal.mean) ** 2)) == pytest.approx(np.sqrt(1.5**2 + 1 / 12), rel=0.1)


def test_a_forecast_has_the_margin_and_an_interval_of_the_game():
    games, _ = season(40, 3)
    found = forecast(trace("margin-normal"), games, thin=5)
    table = found.table()
    assert ((table["margin_low"] < table["margin"]) & (table["margin"] < table["margin_high"])).all()
    width = (table["margin_high"] - table["margin_low"]).mean()
    assert width == pytest.approx(2 * 1.96 * 1.53, rel=0.1)
    np.testing.assert_allclose(found.log_predictive, found.margin.log_density)
    unscored = forecast(trace("margin-normal"), replace(games, covariates={}), thin=5)
    np.testing.assert_allclose(unscored.margin.mean, found.margin.mean)


@pytest.mark.slow
@pytest.mark.draws
def test_the_width_may_differ_by_deal():
    rng = np.random.default_rng(4)
    white, black = meetings(NAMES.size, 1200, 6, 1)
    deal = rng.integers(0, 12, 1200)
    width = np.where(deal < 6, 1.0, 4.0)
    games = simulate_margins(MarginTruth(NAMES, np.linspace(-1, 1, 12), width, whole=False), white, black, 7)
    games = replace(games, covariates={**games.covariates, "deal": deal})
    model = find("margin-normal with log_width ~ 1 | deal")
    tree = sample(declare(model, select(games, games.players, "both")), Effort(300, 400, 2, 5))
    effect = tree["posterior"]["log_width_deal"]
    wild = np.array([int(level) >= 6 for level in tree["posterior"]["deal"].values])
    ratio = effect[..., wild].mean("deal") - effect[..., ~wild].mean("deal")
    assert float(ratio.mean()) == pytest.approx(
        np.log(4.0), abs=4 * float(ratio.std()) + LIMIT * float(mean_error(ratio))
    )
    assert float(ratio.std()) < 0.1


@pytest.mark.slow
def test_simulated_margins_rank_uniformly_among_their_posteriors_and_a_wrong_sign_does_not():
    found = calibrate(experiment("margin-t"), simulations=40, seed=7, effort=ALONE).outside(0.9995)
    assert {name: by for name, by in found.items() if by > 0} == {}
    wrong = calibrate(experiment("margin-normal", wrong_sign=True), simulations=60, seed=7, effort=ALONE).outside(
        0.9995
    )
    assert wrong["advantage"] > 0.0


def test_goals_are_read_for_margins_even_beside_a_result(tmp_path):
    path = tmp_path / "season.csv"
    path.write_text("HomeTeam,AwayTeam,FTHG,FTAG,FTR\nAsh,Elm,3,1,H\nElm,Oak,0,0,D\n")
    assert read(path).covariates["goal_difference"].tolist() == [2.0, 0.0]
    games = read(pd.DataFrame({"white": ["A", "B"], "black": ["B", "A"], "margin": [3.25, -1.0]}))
    assert games.score.tolist() == [1.0, 0.0]
    assert games.covariates["margin"].tolist() == [3.25, -1.0]


def test_games_without_margins_are_refused():
    games, _ = season()
    bare = select(replace(games, covariates={}), games.players, "both")
    with pytest.raises(ModelError, match=r"game 1: expected a margin, .* --columns margin=COLUMN"):
        declare("margin-normal", bare)
    dated = replace(games, period=np.ones(len(games), dtype=np.int64), covariates={})
    with pytest.raises(ModelError, match=r"game 1: expected a margin, .* --columns margin=COLUMN"):
        Forecaster(find("margin-normal"), dated)
    with pytest.raises(ModelError, match="effects on log_draw: expected effects on log_width"):
        declare(find("margin-normal with log_draw ~ 0 + neutral"), bare)


def test_a_file_of_goals_from_end_to_end(tmp_path):
    from halfpoint.apps import workflows

    games, _ = season(300, 5)
    margin = games.covariates["margin"]
    table = {"HomeTeam": games.white_names, "AwayTeam": games.black_names}
    table |= {"FTHG": 1 + np.maximum(margin, 0), "FTAG": 1 + np.maximum(-margin, 0)}
    table["FTR"] = np.array(["A", "D", "H"])[games.outcome]
    pd.DataFrame(table).to_csv(tmp_path / "goals.csv", index=False)
    rated = workflows.rate(
        tmp_path / "goals.csv", tmp_path / "run", "margin-normal", draws=300, tune=400, chains=2, seed=2
    )
    about = json.loads((tmp_path / "run" / "ratings.json").read_text())
    assert about["model"] == "margin-normal"
    assert rated.frame["club"].iloc[0] in NAMES[-3:]
    assert rated.frame["margin"].sum() == pytest.approx(0, abs=1e-9)
    assert rated.frame["margin"].is_monotonic_decreasing
    assert "In units of the margin" in rated.note
    one = workflows.forecast(rated.trace, white="Club 11", black="Club 00").frame.iloc[0]
    assert one["margin"] > 1.5
    assert one["win_percent"] > 70
    assert one["win_percent"] + one["draw_percent"] + one["loss_percent"] == pytest.approx(100)
