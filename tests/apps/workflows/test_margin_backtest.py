"""Backtests of margins: scores compared with SciPy, simulated truth, no look-ahead, doubles, newcomers, files,
refusals.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import integrate, stats

from halfpoint.apps import workflows
from halfpoint.apps.fields.bridge.as_games import as_games
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.evaluation.margin_tables import pit_share, pit_table
from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.errors import ModelError
from halfpoint.models.games.simulate_sides import MarginTruth, meetings, simulate_margins
from halfpoint.systems.baselines import MarginRates

CLUBS = np.array([f"Club {k:02d}" for k in range(24)])
SMALL = {"draws": 250, "tune": 150, "chains": 2}
EFFORT = Effort(100, 100, 2, cores=1)


def season(spread=1.6, size=1, scale=1.0, games=1000, whole=True, seed=5, periods=10):
    """Simulated games of several periods, each with its fit, and the expected margin of each game."""
    strength = scale * np.linspace(-1.0, 1.0, CLUBS.size)
    white, black = meetings(CLUBS.size, games, seed, size)
    made = simulate_margins(MarginTruth(CLUBS, strength, spread, 0.4 * scale, whole), white, black, seed + 1)
    gap = strength[white].mean(axis=1) - strength[black].mean(axis=1) + 0.4 * scale
    return replace(made, period=np.repeat(np.arange(1, periods + 1), games // periods)), gap


@cache
def football():
    """Backtest of goals with known truth."""
    return workflows.backtest(
        season(scale=1.6, periods=4)[0],
        "elo",
        "margin-normal,davidson-population",
        begin=3,
        reference="davidson-population",
        **SMALL,
    )


def test_margins_so_far_are_a_normal_forecast():
    games, _ = season(periods=20)
    neutral = np.arange(len(games)) % 5 == 0
    games = replace(games, covariates={**games.covariates, "neutral": neutral.astype(float)})
    rates = MarginRates()
    rates.learn(games.take(games.period == 1))
    margin, seated = games.margin[:50], ~neutral[:50]
    mean = margin[seated].mean()
    spread = np.sqrt(((margin - mean * seated) ** 2).sum() / 49)
    now = games.take(games.period == 2)
    told = rates.forecast(now)
    for game in (0, 3):  # on neutral ground, and not
        law = stats.norm(mean * (game > 0), spread)
        y = now.margin[game]
        np.testing.assert_allclose(told.outcome[game], [law.cdf(-0.5), law.cdf(0.5) - law.cdf(-0.5), law.sf(0.5)])
        score, crps, centre, below, up_to = told.margin.at(now.margin, 0.5)[game]
        assert (score, centre) == pytest.approx((-law.logpdf(y), law.mean()))
        assert (below, up_to) == pytest.approx((law.cdf(y - 0.5), law.cdf(y + 0.5)))
        whole = integrate.quad(lambda x, law=law: law.cdf(x) ** 2, -np.inf, y)[0]
        whole += integrate.quad(lambda x, law=law: law.sf(x) ** 2, y, np.inf)[0]
        assert crps == pytest.approx(whole, rel=1e-6)


def test_the_pit_of_whole_numbers_is_spread_evenly():
    rng, scale = np.random.default_rng(3), 1.3
    y = np.rint(scale * rng.standard_normal(20_000))
    below, up_to = (stats.norm(0, scale).cdf(y + side) for side in (-0.5, 0.5))
    edges = np.linspace(0, 1, 11)
    share = np.array([pit_share(below, up_to, low, high).mean() for low, high in pairwise(edges)])
    assert share.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(share, 0.1, atol=4 * np.sqrt(0.09 / 20_000))
    assert pit_share(np.array([0.2, 0.6]), np.array([0.2, 0.6]), 0.25, 0.75).tolist() == [0.0, 1.0]


@pytest.mark.slow
@pytest.mark.draws
def test_on_simulated_football_margins_forecast_goals_and_results_better():
    found, (games, gap) = football(), season(scale=1.6, periods=4)
    later = games.period >= 3
    truth = -stats.norm(gap, np.sqrt(1.6**2 + 1 / 12)).logpdf(games.margin)[later]
    row = found.margins.set_index("system").loc["margin-normal"]
    assert row["games"] == 500
    assert row["difference"] < -3 * row["se_two_way"]
    assert row["difference_crps"] < -3 * row["se_crps"]
    assert -0.01 < row["log_score"] - truth.mean() < 0.06  # 24 strengths of some hundred margins: 24 / (2 * 750) = .016
    assert row["inside_50"] == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / 500))
    assert row["inside_90"] == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 500))
    results = found.stretch().set_index("system")
    assert results.loc["margin-normal", "reference"] == "davidson-population"
    assert results.loc["margin-normal", "difference"] < 0.0
    assert results.loc["margin-normal", "log_score"] < results.loc["margin-rates", "log_score"] - 0.05


@pytest.mark.slow
@pytest.mark.draws
def test_wide_margins_tell_more_than_who_won():
    games, _ = season(spread=12.0, scale=18.0, periods=20)
    models = "margin-normal,davidson-population"
    found = workflows.backtest(games, "base-rates", models, begin=3, reference="davidson-population", **SMALL)
    row = found.stretch().set_index("system").loc["margin-normal"]
    assert row["difference"] < -2.5 * row["se_two_way"]
    assert row["difference"] < -0.01


@pytest.mark.slow
@pytest.mark.draws
def test_heavy_tails_are_forecast_better_by_student_t():
    games, gap = season()
    routs = gap + 1.6 * np.random.default_rng(2).standard_t(2.5, len(games))
    games = replace(games, score=(1 + np.sign(routs)) / 2, covariates={"margin": routs})
    found = workflows.backtest(games, "base-rates", "margin-normal,margin-t", begin=9, **SMALL).margins
    score = found.set_index("system")["log_score"]
    assert score["margin-t"] < score["margin-normal"] - 0.02


def test_later_margins_change_no_earlier_forecast():
    games, _ = season()
    late = games.period >= 2
    other = np.where(late, 3.0 - 2.0 * games.margin, games.margin)
    turned = replace(games, score=(1 + np.sign(other)) / 2, covariates={"margin": other})

    def forecasts(table):
        part = table.take(table.period <= 2)
        rolled = roll(part, Forecaster(find("margin-normal"), part, part.players, EFFORT))
        return rolled.outcome, rolled.margin

    (one, told), (two, said) = forecasts(games), forecasts(turned)
    np.testing.assert_array_equal(one, two)
    before = ~late[: len(told)]
    np.testing.assert_array_equal(told[before], said[before])
    np.testing.assert_array_equal(told[~before, 2], said[~before, 2])  # the mean; scores are of other margins
    assert np.isfinite(told[~before]).all()


@pytest.mark.further
@pytest.mark.draws
def test_people_are_rated_where_sides_have_several():
    games, _ = season(size=2, games=600, scale=2.5, periods=4)
    found = workflows.backtest(games, "margin-rates", "margin-normal,davidson-population", begin=3, **SMALL)
    row = found.margins.set_index("system").loc["margin-normal"]
    assert row["difference"] < -3 * row["se_two_way"]
    results = found.stretch().set_index("system")["log_score"]
    assert results["davidson-population"] < results["elo"]  # which rates 276 pairs


@pytest.mark.slow
def test_newcomers_without_a_rating_are_like_the_others():
    games, _ = season(games=400)
    newcomer = np.isin(games.white_names, "Club 23") | np.isin(games.black_names, "Club 23")
    games = games.take(~newcomer | (games.period >= 5))
    rolled = roll(games, Forecaster(find("margin-normal"), games, games.players, EFFORT))
    first = (games.period == 5) & np.isin(games.white_names, "Club 23")
    assert np.isfinite(rolled.outcome[games.period == 5]).all()
    free = Forecaster(find("davidson"), games, games.players, EFFORT)  # no population: nothing is known
    assert first.any()
    assert np.isnan(roll(games, free).outcome[first]).all()


def write_goals(games, path):
    """Write games as a season of goals with results and dates."""
    margin, date = games.margin, np.datetime64("2024-01-15") + 30 * (games.period - 1)
    table = {"Date": date.astype(str), "HomeTeam": games.white_names, "AwayTeam": games.black_names}
    table |= {"FTHG": 1 + np.maximum(margin, 0), "FTAG": 1 + np.maximum(-margin, 0)}
    pd.DataFrame(table | {"FTR": np.array(["A", "D", "H"])[games.outcome]}).to_csv(path, index=False)


@pytest.mark.further
def test_a_file_of_goals_from_end_to_end_and_a_second_run(tmp_path):
    games, _ = season(games=400, periods=5)
    write_goals(games, tmp_path / "goals.csv")

    def run():
        words = tmp_path / "goals.csv", "elo", "margin-normal", tmp_path / "out"
        return workflows.backtest(*words, begin=4, draws=100, tune=100, chains=2)

    run()
    table = pd.read_csv(tmp_path / "out" / "margins.csv")
    assert set(table["system"]) == {"margin-normal", "margin-rates"}
    assert set(table["reference"]) == {"margin-rates"}
    long = pl.read_parquet(tmp_path / "out" / "forecasts.parquet")
    row = table.set_index("system").loc["margin-normal"]
    judged = long.filter((pl.col("system") == "margin-normal") & (pl.col("period") >= 4))
    assert row["log_score"] == pytest.approx(judged["margin_log_score"].mean(), abs=1e-12)
    assert row["crps"] == pytest.approx(judged["margin_crps"].mean(), abs=1e-12)
    assert row["rmse"] == pytest.approx(np.sqrt(((judged["margin"] - judged["margin_mean"]) ** 2).mean()), abs=1e-12)
    pit = pd.read_csv(tmp_path / "out" / "margins_pit.csv")
    assert pit.groupby("system")["share"].sum().to_numpy() == pytest.approx(1.0)
    assert '"figure-margins"' in (tmp_path / "out" / "report.html").read_text()
    assert "margin-rates" in json.loads((tmp_path / "out" / "backtest.json").read_text())["systems"]
    held = (tmp_path / "out" / "rolled" / "margin-normal.npz").stat().st_mtime_ns
    run()
    assert (tmp_path / "out" / "rolled" / "margin-normal.npz").stat().st_mtime_ns == held
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "out" / "margins.csv"), table)


def test_games_without_margins_are_refused_in_one_line():
    games = replace(season()[0], covariates={})
    with pytest.raises(
        ModelError, match=r"model margin-normal: simulated, game 1: expected a margin, .*--columns margin="
    ):
        workflows.backtest(games, "elo", "margin-normal", begin=6, **SMALL)
    assert not len(workflows.backtest(games, "elo,margin-rates", begin=6).margins)
    assert pit_table(games, {}, np.ones(len(games), dtype=bool)).empty


@pytest.mark.slow
@pytest.mark.draws
def test_bridge_players_are_forecast_deal_by_deal():
    table, _ = simulate_club(players=24, sessions=12, boards=16, skill=1.5, seed=3)
    games = as_games(table)
    session = np.unique(games.date, return_inverse=True)[1]
    games = replace(games, period=1 + session * 6 // (session.max() + 1))
    found = workflows.backtest(games, "base-rates", "bridge-ability", begin=4, draws=150, tune=200, chains=2)
    row = found.margins.set_index("system").loc["bridge-ability"]
    assert row["difference"] < -2 * row["se_two_way"]
    assert row["inside_90"] == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / row["games"]))
    results = found.stretch().set_index("system")["log_score"]
    assert results["bridge-ability"] < results["margin-rates"]


def test_a_method_that_forecasts_no_margin_says_so():
    said = []
    games = season(games=200, periods=5)[0]
    found = workflows.backtest(games, "elo", "margin-normal", begin=5, method="normal", say=said.append)
    assert "margin-normal" in set(found.frame["system"]) - set(found.margins.get("system", []))
    assert "margin-normal: scored by results only; use --method nuts to forecast margins" in said
