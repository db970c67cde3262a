"""Forecasts compared with independently written equations of the models, and with the study's printed figures."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from composed import attributes_of_row

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecast import IMPUTATIONS, Rule, forecast
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, outcome_probabilities, round_robin, simulate
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.readers.datasets.study import COVARIATES, monitored_names, set_a, set_b, training

KNOWN = ["Ann", "Bob"]


def games_of(pairs, scores, white_elo=None, black_elo=None):
    players, white, black = code_players([w for w, _ in pairs], [b for _, b in pairs])
    return GameTable(
        players,
        white,
        black,
        np.asarray(scores, dtype=float),
        white_rating_elo=None if white_elo is None else np.asarray(white_elo, dtype=float),
        black_rating_elo=None if black_elo is None else np.asarray(black_elo, dtype=float),
    )


def trace_of(model, /, **variables):
    """A trace with given draws, one chain, natural units."""
    draws = len(next(iter(variables.values())))
    data = {}
    for name, value in variables.items():
        value = np.asarray(value, dtype=float)[None]
        data[name] = (("chain", "draw", "player")[: value.ndim], value)
    posterior = xr.Dataset(data, coords={"chain": [0], "draw": np.arange(draws), "player": KNOWN})
    tree = xr.DataTree.from_dict({"posterior": xr.DataTree(posterior)})
    tree.attrs = attributes_of_row(model)
    return tree


def natural(elo):
    return np.asarray(elo) * np.log(10) / 400


def logistic(elo):
    return 1 / (1 + 10 ** (-np.asarray(elo) / 400))


def test_bradley_terry_follows_its_equation():
    tree = trace_of("bt-common", strength=natural([[2700, 2600], [2720, 2580]]), advantage=natural([40, 30]))
    games = games_of([("Ann", "Bob"), ("Cy", "Ann")], [0.5, 1], [np.nan, 2650], [np.nan, np.nan])
    told = forecast(tree, games)
    expected = logistic([[140, 2650 + 40 - 2700], [170, 2650 + 30 - 2720]])
    np.testing.assert_allclose(told.expected_score[0], expected, rtol=1e-12)
    half = (np.log(expected[:, 0]) + np.log(1 - expected[:, 0])) / 2
    np.testing.assert_allclose(told.log_predictive[0], np.column_stack([half, np.log(expected[:, 1])]), rtol=1e-12)
    assert told.mean_probability is None
    assert told.both_known.tolist() == [True, False]


@pytest.mark.parametrize(
    ("imputation", "white_unknown", "black_unknown"),
    [("zero", 0.3, 0.1), ("mean", 0.3 + 0.2, 0.1 + 0.2), ("mirror", 0.0, 0.0)],
)
def test_davidson_follows_its_equation_under_each_imputation(imputation, white_unknown, black_unknown):
    elo = np.log(10) / 400
    tree = trace_of("davidson-player", strength=[[15.6, 15.2]], advantage=[[0.3, 0.1]], log_draw=[1.1])
    games = games_of(
        [("Ann", "Bob"), ("Ann", "Cy"), ("Cy", "Bob"), ("Cy", "Dee")],
        [1, 0.5, 0, 0],
        [0, 0, 2650, 2650],
        [0, 2600, 0, 2500],
    )
    told = forecast(tree, games, Rule(imputation))
    both = {"zero": 0.0, "mean": 0.4, "mirror": 0.0}[imputation]
    difference = np.array(
        [
            15.6 - 15.2 + 0.4,
            15.6 - 2600 * elo + white_unknown,
            2650 * elo - 15.2 + black_unknown,
            150 * elo + both,
        ]
    )
    expected = outcome_probabilities(difference, 1.1)
    np.testing.assert_allclose(told.mean_probability, expected, rtol=1e-10)
    np.testing.assert_allclose(told.mean_expected, expected @ [0, 0.5, 1], rtol=1e-10)
    happened = expected[np.arange(4), [2, 1, 0, 0]]
    np.testing.assert_allclose(told.log_predictive[0, 0], np.log(happened), rtol=1e-10)


def test_imputation_leaves_games_of_known_players_alone():
    rng = np.random.default_rng(5)
    tree = trace_of(
        "bt-player",
        strength=natural(rng.normal(2700, 30, (50, 2))),
        advantage=natural(rng.normal(20, 9, (50, 2))),
    )
    games = games_of([("Ann", "Bob"), ("Bob", "Cy")], [1, 0], [0, 0], [0, 2700])
    told = [forecast(tree, games, Rule(imputation)).expected_score for imputation in IMPUTATIONS]
    for other in told[1:]:
        np.testing.assert_array_equal(told[0][..., 0], other[..., 0])
        assert np.all(told[0][..., 1] != other[..., 1])


@pytest.mark.draws
def test_table_has_posterior_means_inside_their_intervals(tmp_path: Path):
    games = games_of([("Ann", "Bob"), ("Bob", "Ann")], [1, 0])
    declared = declare("bt-common", select(games, KNOWN, "both"))
    drawn = sample(declared, draws=50, tune=50, chains=2, seed=6, adapt=False)
    assert "Ann" in forecast(write(drawn, tmp_path / "trace.nc"), games).table()["white"].tolist()

    rng = np.random.default_rng(6)
    tree = trace_of("davidson", strength=rng.normal(15.5, 0.2, (400, 2)), log_draw=rng.normal(1, 0.1, 400))
    table = forecast(tree, games).table(0.9)
    assert table["white"].tolist() == ["Ann", "Bob"]
    for name in ("loss", "draw", "win", "expected"):
        assert (table[f"{name}_low"] < table[name]).all()
        assert (table[name] < table[f"{name}_high"]).all()
    np.testing.assert_allclose(table[["loss", "draw", "win"]].sum(axis=1), 1)
    np.testing.assert_allclose(table["expected"], table["win"] + table["draw"] / 2)
    np.testing.assert_allclose(table["win"][0], table["loss"][1], rtol=1e-12)  # no advantage: colours change nothing


def test_a_player_without_estimate_and_rating_is_named():
    tree = trace_of("bt", strength=natural([[2700, 2600]]))
    with pytest.raises(InferenceError, match=r"'Cy', found neither"):
        forecast(tree, games_of([("Ann", "Bob"), ("Bob", "Cy")], [1, 0]))
    with pytest.raises(InferenceError, match="'Cy'"):
        forecast(tree, games_of([("Cy", "Bob")], [1], [np.nan], [2600]))
    with pytest.raises(InferenceError, match=r"zero \| mean \| mirror"):
        forecast(tree, games_of([("Ann", "Bob")], [1]), Rule("none"))  # type: ignore[arg-type]
    with pytest.raises(InferenceError, match="expected 1 values"):
        forecast(tree, games_of([("Ann", "Cy")], [1]), None, np.zeros(2), np.zeros(2))


@pytest.mark.draws
def test_forecast_of_a_sampled_model_finds_the_truth():
    players = np.array([f"P{k}" for k in range(6)])
    truth = Truth(players, np.linspace(-0.6, 0.6, 6) + 15.5, 0.2, 0.8)
    games = simulate(truth, round_robin(6, 60), 3)
    tree = sample(declare("davidson-common", select(games, players.tolist()), "described"), Effort(300, 400, 2, seed=4))
    new = simulate(truth, round_robin(6, 2), 9)
    told = forecast(tree, new)
    where = [np.searchsorted(players, names) for names in (new.white_names, new.black_names)]
    exact = outcome_probabilities(truth.difference(*where), truth.log_draw)
    spread = told.probability.std(axis=(1, 2)).T
    assert np.abs((told.mean_probability - exact) / spread).max() < 4  # 90 correlated figures of 7 parameters


PRINTED_RULES_SET_A = {"bt": 576.9, "bt-common": 570.5, "bt-weighted": 573.7, "bt-common-weighted": 567.3}


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize(("name", "expected"), PRINTED_RULES_SET_A.items())
def test_set_a_as_the_study_computed_it(name, expected):
    tree = sample(declare(name, select(training(), monitored_names()), "computed"))
    assert -2 * forecast(tree, set_a()).log_predictive.sum(axis=-1).mean() == pytest.approx(expected, abs=0.3)


@pytest.mark.further
@pytest.mark.draws
@pytest.mark.real
def test_set_b_with_the_december_list():
    games = set_b()
    tree = sample(declare("bt-common", select(training(), monitored_names()), "computed"), Effort(500, 500, 2))
    told = forecast(tree, games, None, *(games.covariates[column] for column in COVARIATES))
    logs = told.log_predictive
    assert -2 * logs[..., told.both_known].sum(axis=-1).mean() == pytest.approx(570.5, abs=0.6)
    assert told.both_known.sum() == 411
    carlsen = games.white_names == "CarlsenMagnus", games.black_names == "CarlsenMagnus"
    day = np.concatenate([games.white_rating_elo[carlsen[0]], games.black_rating_elo[carlsen[1]]]).mean()
    scale = day / float(tree["posterior"]["rating_elo"].sel(player="CarlsenMagnus").mean())
    printed = forecast(tree, games, Rule(scale=scale)).log_predictive.sum(axis=-1).mean()
    assert -printed == pytest.approx(499.4, abs=0.4)  # thesis table 15
