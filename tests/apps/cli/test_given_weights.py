"""A column of weights: recorded as given, used in every likelihood, refused where it would be lost."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rating_games import simulated

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.declaration.catalogue import TWELVE, declare, find
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select

WEIGHTED = [name for name in TWELVE if find(name).weighted]


@pytest.fixture(scope="module")
def games():
    found = simulated(41, players=6, games=90, periods=3)[0]
    return replace(found, weight=np.tile([1.0, 2.0, 0.5], 30))


@pytest.fixture(scope="module")
def file(games, tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "games.csv"
    columns = {"white": games.white_names, "black": games.black_names, "score": games.score, "period": games.period}
    columns |= {"white_rating_elo": games.white_rating_elo, "black_rating_elo": games.black_rating_elo}
    pd.DataFrame(columns | {"weight": games.weight}).to_csv(path, index=False)
    return path


def test_weights_are_recorded_as_given(games):
    chosen = select(games, games.players)
    assert chosen.weighting == "given"
    assert chosen.weight.tolist() == games.weight.tolist()
    alike = select(replace(games, weight=np.ones(90)), games.players)
    assert alike.weighting == select(replace(games, weight=None), games.players).weighting == "equal"


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_model_that_weighs_by_age_refuses_weights_that_are_given(name, games):
    with pytest.raises(ModelError, match="weights 'given'") as error:
        declare(name, select(games, games.players))
    assert name.removesuffix("-weighted") + "," in str(error.value)
    assert "\n" not in str(error.value)


def test_commands_refuse_before_they_write(file, tmp_path, halfpoint):
    trace = tmp_path / "trace.nc"
    words = ("--model", "bt-weighted", "--out", trace, "--quiet")
    code, _, told = halfpoint("fit", file, *words)
    assert (code, told.count("\n"), trace.exists()) == (2, 1, False)
    assert "bt," in told
    code, _, told = halfpoint("backtest", file, "--models", "bt-weighted", "--from", 3, "--out", tmp_path / "back")
    assert (code, told.count("\n"), (tmp_path / "back").exists()) == (2, 1, False)


def test_a_game_is_left_out_with_its_weight(file, tmp_path, halfpoint, games):
    trace = tmp_path / "trace.nc"
    words = ("--model", "davidson-common", "--draws", 100, "--tune", 200, "--chains", 2, "--quiet")
    assert halfpoint("fit", file, *words, "--out", trace)[0] == 0
    tree = read(trace)
    assert tree.attrs["weighting"] == "given"
    each, weight = tree["log_likelihood_by_game"]["score"].to_numpy().reshape(-1, 90).astype(float), games.weight
    share = np.exp(-weight * each)
    plain = np.log((share * np.exp(each)).sum(axis=0) / share.sum(axis=0)).sum()
    code, out, _ = halfpoint("compare", trace, trace, "--by", "elpd_loo", "--json")
    assert code == 0
    found = json.loads(out)["rows"][0]
    assert found["elpd_loo"] == pytest.approx(plain, abs=4 * found["mc_error"])


def twice(games):
    """Games with rows of weight 2 replaced by two rows of weight 1."""
    return replace(games.take(np.repeat(np.arange(len(games)), games.weight.astype(int))), weight=None)


@pytest.mark.parametrize("name", ["davidson-common", pytest.param("davidson-scaled", marks=pytest.mark.slow)])
def test_a_backtest_counts_a_game_that_weighs_two_twice(name, games):
    heavy = replace(games, weight=np.tile([1.0, 2.0], 45))
    effort = Effort(draws=100, tune=150, chains=2, cores=1)
    monitored = games.players[:5]
    found = []
    for table in (heavy, twice(heavy), replace(heavy, weight=None)):
        forecaster = Forecaster(find(name), table, monitored, effort)
        for period in (1, 2):
            forecaster.learn(table.take(table.period == period))
        told = forecaster.forecast(heavy.take(heavy.period == 3)).expected_score
        state = forecaster.state()
        forecaster.load(state)
        found.append(told)
    assert np.isfinite(found[0]).any()
    assert np.array_equal(found[0], found[1], equal_nan=True)
    assert not np.array_equal(found[0], found[2], equal_nan=True)
