"""Criteria of traces: recovered games, maxima, and evidence compared with an integral."""

import math

import numpy as np
import pytest
from rating_games import simulated, table

from halfpoint.apps import study
from halfpoint.apps.study.model_criteria import Density, selection_in
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select

GAMES, _ = simulated(71, players=8, games=400, periods=4)


@pytest.fixture(scope="module")
def traces():
    """Short traces of two Davidson models and a weighted Bradley-Terry model on the same games."""
    chosen = select(GAMES, GAMES.players[:5])
    return {
        name: sample(declare(name, chosen, "corrected"), draws=500, tune=500, chains=2, seed=3, progress=False)
        for name in ("davidson", "davidson-common", "bt-common-weighted")
    }


def test_the_games_come_back_from_a_trace(traces):
    chosen, found = select(GAMES, GAMES.players[:5]), selection_in(traces["davidson"])
    for name in ("white", "black", "anchor_elo"):
        np.testing.assert_array_equal(getattr(found, name), getattr(chosen, name))
    np.testing.assert_array_equal(found.games.score, chosen.games.score)


@pytest.mark.parametrize("name", ["davidson-common", "bt-common-weighted"])
def test_the_likelihood_is_that_of_the_trace(traces, name):
    density = Density(traces[name])
    total = traces[name]["sample_stats"]["log_likelihood_total"].transpose("chain", "draw").to_numpy().ravel()
    np.testing.assert_allclose(density.log_likelihood(density.draws[:20]), total[:20], rtol=1e-9)
    largest = density.maximum()
    assert largest >= total.max()
    assert largest - total.mean() == pytest.approx(density.draws.shape[1] / 2, abs=1.2)  # chi-squared, half of it


def test_the_table(traces):
    found = study.criteria(list(traces.values())).frame.set_index("model")
    assert found.loc["davidson-common", "parameters"] == 7
    for name in ("davidson", "davidson-common"):
        row = found.loc[name]
        # a near normal posterior under a prior that says nothing: about k effective parameters, whichever the criterion
        assert row["p_dic"] == pytest.approx(row["parameters"], abs=1.5)
        assert row["waic"] == pytest.approx(row["neg2_elpd_loo"], abs=0.5)
        assert row["dic"] == pytest.approx(row["aic"], abs=3.0)
        assert row["evidence_error"] < 0.2
    assert found.loc["bt-common-weighted", "likelihood"] == "half points, weighted"
    assert math.isnan(found.loc["bt-common-weighted", "log_evidence"])
    assert not found.loc["bt-common-weighted"][["aic", "bic", "dic"]].isna().any()


def test_evidence_against_an_integral():
    """One player, Davidson without an advantage: two parameters, integrated on a grid with all constants."""
    outcome = np.array([2] * 14 + [1] * 16 + [0] * 10)
    games = table(["one"] * 40, [f"other {number}" for number in range(40)], outcome / 2.0,
                  white_rating_elo=2700.0, black_rating_elo=2700.0)  # fmt: skip
    declared = declare("davidson", select(games, ["one"]), "corrected")
    trace = sample(declared, draws=1500, tune=500, chains=2, seed=5, progress=False)
    row = study.criteria([trace]).frame.iloc[0]
    at = 2700.0 * np.log(10) / 400
    strength, lam = np.meshgrid(at + np.linspace(-2, 3, 801), np.linspace(-2, 3, 801), indexing="ij")
    gap = strength - at
    scores = np.stack([-gap / 2, lam, gap / 2])
    density = (np.bincount(outcome)[:, None, None] * (scores - np.log(np.exp(scores).sum(axis=0)))).sum(axis=0)
    density += -0.5 * ((strength - 15.0) / 400.0) ** 2 - np.log(400.0) - 0.5 * ((lam - 1.0) / 5.0) ** 2 - np.log(5.0)
    density -= np.log(2 * np.pi)
    exact = np.log(np.exp(density - density.max()).sum() * (5 / 800) ** 2) + density.max()
    assert abs(row["log_evidence"] - exact) < 4 * row["evidence_error"] + 0.01
