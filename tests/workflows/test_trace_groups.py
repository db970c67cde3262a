"""The groups that ArviZ asks for, added to any trace: likelihoods that are the model's, results drawn from it."""

import warnings

import arviz as az
import numpy as np
import pytest

import halfpoint as hp
from halfpoint.games.errors import HalfpointError
from halfpoint.models.pointwise import with_likelihood_of_games


@pytest.fixture(scope="module")
def league():
    rated = hp.rate(hp.load("football"), model="davidson-population", method="normal", draws=250, chains=2)
    return rated, hp.with_predictive(rated.trace)


def test_likelihoods_are_those_of_the_model(league):
    rated, tree = league
    mine = tree["log_likelihood"]["score"]
    own = with_likelihood_of_games(rated.trace, None)["log_likelihood"]["score"]
    assert mine.sizes == {"chain": 2, "draw": tree["posterior"].sizes["draw"], "game": 135}
    np.testing.assert_allclose(mine.sel(draw=own["draw"]), own, atol=1e-5)


def test_drawn_results_have_the_chances_of_the_forecasts(league):
    rated, tree = league
    drawn = tree["posterior_predictive"]["score"]
    chance = hp.forecast(rated.trace, rated.selection.games).frame
    for value, name in ((0.0, "loss"), (0.5, "draw"), (1.0, "win")):
        share, expected = (drawn == value).mean().item(), chance[f"{name}_percent"].mean() / 100.0
        assert abs(share - expected) < 5.0 * np.sqrt(expected * (1.0 - expected) / drawn.size)


@pytest.mark.parametrize("name", ["plot_loo_pit", "plot_ppc_dist"])
def test_arviz_draws_what_it_draws_of_any_trace(league, name):
    _, tree = league
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ArviZ and what it stands on
        getattr(az, name)(tree, backend="none")
        assert np.isfinite(az.loo(tree).elpd)


def test_games_that_a_trace_does_not_keep_are_asked_for():
    rated = hp.rate(hp.load("football"), model="margin-normal", method="normal", draws=200, chains=2)
    with pytest.raises(HalfpointError, match=r"games: .*Pass games=.*selection\.games"):
        hp.with_predictive(rated.trace)
    tree = hp.with_predictive(rated.trace, rated.selection.games)
    assert tree["posterior_predictive"]["score"].sizes["game"] == 135
    with pytest.raises(HalfpointError, match="games: expected the 135 games of the trace, found 280"):
        hp.with_predictive(rated.trace, hp.load("club"))
