"""`halfpoint backtest` from files to tables, its errors, and Bayesian models as forecasters."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rating_games import simulated

from halfpoint.cli.app import application
from halfpoint.evaluation.rolling import roll
from halfpoint.games.errors import HalfpointError
from halfpoint.inference.fitter import Effort
from halfpoint.inference.forecaster import BayesianForecaster
from halfpoint.models.catalogue import find

SMALL = Effort(draws=150, tune=150, chains=2, cores=1)


def run(*words):
    """Run the command in this process."""
    application(["backtest"])(["backtest", *map(str, words)], standalone_mode=False)


def write_csv(games, path):
    """Write games as a CSV file that halfpoint reads."""
    columns = {"white": games.white_names, "black": games.black_names, "score": games.score, "period": games.period}
    columns |= {"white_rating_elo": games.white_rating_elo, "black_rating_elo": games.black_rating_elo}
    pd.DataFrame(columns | {"event": games.event}).to_csv(path, index=False)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.csv"
    write_csv(simulated(81, players=16, games=600, periods=9)[0], path)
    return path


def test_files_of_a_backtest(file, tmp_path):
    run(file, "--systems", "glicko,base-rates", "--from", 5, "--out", tmp_path)
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert set(scores["system"]) == {"fide-rating", "glicko", "base-rates"}  # the reference is always there
    assert set(scores["reference"]) == {"fide-rating"}  # the games have ratings
    assert (scores.loc[scores["system"] == "fide-rating", "difference"] == 0.0).all()
    row = scores[scores["system"] == "glicko"].iloc[0]
    assert row["difference_draw"] + row["difference_decisive"] == pytest.approx(row["difference"], abs=1e-12)
    assert row["low"] < row["difference"] < row["high"]
    assert row["se_two_way"] >= max(row["se_event"], row["se_player"])
    long = pl.read_parquet(tmp_path / "forecasts.parquet")
    assert long.shape == (3 * 600, 8)
    probabilities = long.select("loss", "draw", "win").to_numpy()
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    # the table of scores is what the long table says
    judged = long.filter((pl.col("system") == "glicko") & (pl.col("period") >= 5))
    chosen = judged.select("loss", "draw", "win").to_numpy()[
        np.arange(len(judged)), (2 * judged["score"].to_numpy()).astype(int)
    ]
    row = scores[scores["system"] == "glicko"].iloc[0]
    assert row["log_score"] == pytest.approx(-np.log(chosen).mean(), abs=1e-12)
    assert row["games"] == len(judged)
    periods = pd.read_csv(tmp_path / "scores_by_period.csv")
    last = periods[(periods["system"] == "glicko") & (periods["period"] == 9)].iloc[0]
    assert last["cumulative_lead"] == pytest.approx(-row["difference"] * row["games"], abs=1e-9)
    record = json.loads((tmp_path / "backtest.json").read_text())
    assert record["systems"]["glicko"]["draws"] == "rule"
    assert record["systems"]["glicko"]["settings"].keys() == {"advantage", "deviation", "growth"}
    for figure in ("cumulative", "calibration", "scores"):
        assert (tmp_path / f"{figure}.png").stat().st_size > 5000


def test_the_contract_of_the_scores_and_a_listed_model_on_any_file(file, tmp_path):
    run(file, "--systems", "elo", "--models", "listed-draws", "--reference", "elo", "--from", 5, "--out", tmp_path)
    scores = pd.read_csv(tmp_path / "scores.csv")
    assert scores.columns[:18].tolist() == [
        "system", "set", "games", "periods", "log_score", "deviance", "definetti", "rps", "accuracy", "reference",
        "difference", "se_naive", "se_event", "se_player", "se_two_way", "low", "high", "periods_better",
    ]  # fmt: skip
    assert set(scores["system"]) == {"elo", "listed-draws"}
    assert set(scores["reference"]) == {"elo"}
    row = scores[scores["system"] == "listed-draws"].iloc[0]
    assert (row["periods"], row["draws"]) == (5, "own")
    periods = pd.read_csv(tmp_path / "scores_by_period.csv").pivot(index="period", columns="system", values="log_score")
    assert row["periods_better"] == (periods["listed-draws"] < periods["elo"]).sum()
    assert json.loads((tmp_path / "backtest.json").read_text())["error_to_believe"] == "se_two_way"


def test_a_second_run_uses_what_is_there(file, tmp_path):
    run(file, "--systems", "elo", "--from", 5, "--out", tmp_path)
    first = (tmp_path / "rolled" / "elo.npz").stat().st_mtime_ns
    scores = (tmp_path / "scores.csv").read_text()
    run(file, "--systems", "elo", "--from", 5, "--out", tmp_path)
    assert (tmp_path / "rolled" / "elo.npz").stat().st_mtime_ns == first
    assert (tmp_path / "scores.csv").read_text() == scores


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--from", "1"], "a period with two or more before it"),
        (["--from", "40"], "--from: expected a period"),
        (["--systems", "glico"], "Did you mean 'glicko'"),
        (["--models", "davidson-comon"], "Did you mean 'davidson-common'"),
        (["--every", "year"], "month | week | day"),
        (["--edition", "all"], "one edition"),
    ],
)
def test_mistakes_are_told_in_one_line(file, tmp_path, words, message):
    with pytest.raises(HalfpointError) as error:
        run(file, "--out", tmp_path, *words)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def bayesian_games():
    """Return games of 12 players, 8 of them monitored, in 5 periods, with their true strengths."""
    games, strength = simulated(82, players=12, games=900, periods=5, draw=0.0)
    return games, games.players[:8], strength


def forecasters(name, games, monitored):
    return BayesianForecaster(find(name), monitored, games, SMALL)


@pytest.mark.parametrize("name", [pytest.param("bt-common", marks=pytest.mark.slow), "davidson-common"])
def test_bayesian_forecasts_come_from_the_past_alone_and_resume(name, tmp_path):
    games, monitored, _ = bayesian_games()
    late = games.period >= 4
    turned = replace(games, score=np.where(late, 1.0 - games.score, games.score))
    whole = roll(games, forecasters(name, games, monitored), tmp_path / "run.npz", name)
    other = roll(turned, forecasters(name, turned, monitored))
    known = games.period <= 4
    assert np.array_equal(whole.expected_score[known], other.expected_score[known], equal_nan=True)
    assert not np.array_equal(whole.expected_score[~known], other.expected_score[~known], equal_nan=True)
    # stop after period 3, go on from the state: the same seeds, starts and games give the same forecasts
    stopped = forecasters(name, games, monitored)
    for period in (1, 2, 3):
        now = games.take(games.period == period)
        stopped.forecast(now)
        stopped.learn(now)
    again = forecasters(name, games, monitored)
    again.load(stopped.state())
    found = again.forecast(games.take(games.period == 4)).expected_score
    assert np.array_equal(found, whole.expected_score[games.period == 4], equal_nan=True)


def test_who_is_forecast():
    games, monitored, _ = bayesian_games()
    rolled = roll(games, forecasters("davidson-common", games, monitored))
    seen = np.isin(games.white_names, monitored) | np.isin(games.black_names, monitored)
    later = games.period > 1
    assert np.isnan(rolled.expected_score[~later]).all()  # nothing is known before the first period
    assert np.isnan(rolled.expected_score[later & ~seen]).all()
    assert not np.isnan(rolled.outcome[later & seen]).any()
    assert rolled.outcome[later & seen].sum(axis=1) == pytest.approx(1.0)


def test_forecasts_of_bradley_terry_are_near_the_truth():
    games, monitored, strength = bayesian_games()
    rolled = roll(games, forecasters("bt-common", games, monitored))
    both = np.isin(games.white_names, monitored) & np.isin(games.black_names, monitored) & (games.period == 5)
    truth = 1.0 / (1.0 + 10.0 ** ((strength[games.black] - strength[games.white] - 35.0) / 400.0))
    # about 130 games a player: ratings have a standard error near 35 Elo, an expected score near 0.05
    off = rolled.expected_score[both] - truth[both]
    assert np.sqrt(np.mean(off**2)) < 0.1
    assert np.isnan(rolled.outcome).all()


@pytest.mark.slow
def test_a_model_beyond_the_study_sees_the_past_alone():
    games, monitored, _ = bayesian_games()
    games = replace(games, score=np.where(np.arange(len(games)) % 3 == 0, 0.5, games.score))
    late = games.period >= 4
    turned = replace(games, score=np.where(late, 1.0 - games.score, games.score))
    whole = roll(games, forecasters("davidson-scaled", games, monitored))
    other = roll(turned, forecasters("davidson-scaled", turned, monitored))
    known = games.period <= 4
    assert np.array_equal(whole.outcome[known], other.outcome[known], equal_nan=True)
    assert not np.array_equal(whole.outcome[~known], other.outcome[~known], equal_nan=True)
