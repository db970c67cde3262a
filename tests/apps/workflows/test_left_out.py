"""Models without a forecast of some games of a backtest are named with the reason; forecast errors name their game."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from rating_games import simulated

from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.backtest_run import run
from halfpoint.apps.workflows.competitors import entry
from halfpoint.evaluation.backtest_tables import JudgedForecasts, left_out
from halfpoint.models.games.results import results
from halfpoint.systems.catalogue import system
from halfpoint.systems.odds import columns_of

ALL = "periods 4 to 6, all games"


@pytest.fixture
def games():
    """300 games with probabilities of an external forecaster who lacks one of them."""
    table, _ = simulated(5, players=10, games=300, periods=6)
    told = np.full((300, 3), 1 / 3)
    told[290] = np.nan
    return replace(table, covariates=dict(zip(columns_of("model"), told.T, strict=True)))


def backtested(parts, folder, say):
    with results(folder, "backtest", (), force=True) as place:
        return run(parts, say, place)


def test_a_model_without_one_forecast_is_named_with_its_reason(games, tmp_path):
    late = games.period >= 4
    plan = BacktestPlan(games, 4, {ALL: late}, ALL, games.players, tmp_path / "state", "elo")
    said = []
    specs = [system("elo"), entry("model", "A model", "")]
    found = backtested([(plan, specs)], tmp_path / "out", said.append)
    assert found.stretch()["system"].tolist() == ["elo"]
    line = f"model is left out: it has no forecast of 1 game of {late.sum():,}"
    assert found.about["left_out"][ALL][0].startswith(line)
    met = f"{games.white_names[290]} - {games.black_names[290]}, {games.place(290)}"
    assert met in found.about["left_out"][ALL][0]
    assert any(one.startswith(f"{ALL}: {line}") for one in said)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert line in page


def test_forecasts_of_each_fit_name_their_games(games, tmp_path):
    some = np.flatnonzero(np.arange(300) % 3 > 0)
    plan = BacktestPlan(games, 4, {ALL: games.period >= 4}, ALL, games.players, tmp_path / "all", "elo")
    part = games.take(some)
    slow = replace(plan, games=part, stretches={"slow": part.period >= 4}, main="slow", rows=some)
    backtested(
        [(replace(slow, folder=tmp_path / "s"), [system("elo")]), (plan, [system("elo")])], tmp_path / "out", print
    )
    long = pl.read_parquet(tmp_path / "out" / "forecasts.parquet")
    assert long.filter(pl.col("set") == "slow")["game"].to_list() == (some + 1).tolist()
    number = long["game"].to_numpy() - 1
    assert (long["white"].to_numpy() == games.white_names[number]).all()
    assert (long["black"].to_numpy() == games.black_names[number]).all()
    assert (long["event"].to_numpy() == games.event[number]).all()
    assert (long["score"].to_numpy() == games.score[number]).all()


def test_reasons_are_told_apart(games):
    """Reasons: no monitored player, a new player without a rating, nothing learned yet."""
    bare = replace(games, white_rating_elo=None, black_rating_elo=None)
    first = np.zeros(300, dtype=bool)
    first[:1] = True
    monitored = games.players[:1]
    at_board = np.isin(games.white_names, monitored) | np.isin(games.black_names, monitored)

    def judged(known):
        expected = np.where(known, 0.5, np.nan)
        return {"m": JudgedForecasts("m", "m", expected, np.full((300, 3), 1 / 3), "own", np.nan, 0.0)}

    late = {"late": games.period >= 4}
    assert left_out(bare, judged(at_board), late, monitored)["late"][0].endswith("neither is monitored)")
    assert left_out(bare, judged(games.period >= 5), late, games.players)["late"][0].endswith("learned too few games)")
    [new] = left_out(bare, judged(~first & (games.period >= 1)), {"all": games.period >= 1}, games.players)["all"]
    assert new.endswith("had not played before, and has no rating)")
    assert left_out(bare, judged(games.period >= 1), late, monitored) == {}
