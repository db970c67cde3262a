"""Groups for ArviZ, added to any trace: the model's likelihoods, and results drawn from it."""

import pickle
import warnings

import arviz as az
import numpy as np
import pytest

import halfpoint as hp
from halfpoint.models.declaration.pointwise import with_likelihood_of_games
from halfpoint.models.games.errors import HalfpointError


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


PLOTS = {
    "plot_loo_pit": {}, "plot_ppc_dist": {}, "plot_forest": {"var_names": ["advantage", "rating_elo"]},
    "plot_rank_dist": {"var_names": ["advantage"]}, "plot_ess": {"var_names": ["advantage"]},
    "plot_pair": {"var_names": ["advantage", "log_draw"]},
}  # fmt: skip


def drawn(name, tree, **how):
    """Plot by ArviZ, without its warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(az, name)(tree, backend="none", **how)


@pytest.mark.parametrize("name", PLOTS)
def test_arviz_draws_what_it_draws_of_any_trace(league, name):
    drawn(name, league[1], **PLOTS[name])


def test_arviz_judges_the_games(league):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = az.loo(league[1], pointwise=True)
    assert np.isfinite(found.elpd)
    assert found.pareto_k.shape == (135,)
    drawn("plot_khat", found)


def test_a_prior_is_drawn_where_the_trace_was_asked_for_it():
    words = dict(method="normal", draws=200, chains=2, groups=("prior",))
    tree = hp.workflows.fit(hp.load("football"), "davidson-population", **words)
    drawn("plot_prior_posterior", tree, var_names=["advantage", "log_draw"])


@pytest.mark.slow
def test_energy_is_drawn_of_nuts():
    tree = hp.rate(hp.load("club"), model="davidson-common", method="nuts", draws=200, tune=200, chains=2).trace
    drawn("plot_energy", tree)
    for name in ("plot_loo_pit", "plot_ppc_dist"):
        drawn(name, hp.with_predictive(tree))


def test_games_that_a_trace_does_not_keep_are_asked_for():
    rated = hp.rate(hp.load("football"), model="margin-normal", method="normal", draws=200, chains=2)
    with pytest.raises(HalfpointError, match=r"games: .*Pass games=.*selection\.games"):
        hp.with_predictive(rated.trace)
    tree = hp.with_predictive(rated.trace, rated.selection.games)
    assert tree["posterior_predictive"]["score"].sizes["game"] == 135
    with pytest.raises(HalfpointError, match="games: expected the 135 games of the trace, found 280"):
        hp.with_predictive(rated.trace, hp.load("club"))


def test_a_missing_group_is_named_with_its_remedy(league):
    rated, tree = league
    with (
        pytest.warns(UserWarning, match=r"use az\.loo\(hp\.with_predictive\(trace\)\)"),
        pytest.raises(TypeError, match="log likelihood not found"),
    ):
        az.loo(rated.trace)
    with pytest.raises(AttributeError, match=r'hp\.fit\(\.\.\., groups=\("prior",\)\) adds them'):
        az.plot_prior_posterior(rated.trace)
    with pytest.raises(AttributeError, match=r'hp\.rate\(\.\.\., method="nuts"\) samples with it'):
        az.plot_energy(rated.trace)
    with pytest.raises(KeyError, match=r"use hp\.with_predictive\(trace\)"):
        az.plot_ppc_dist(rated.trace)
    with pytest.raises(AttributeError, match=r"no attribute 'nothing'$"):
        _ = rated.trace.nothing
    assert az.loo(tree).elpd < 0.0
    copied = pickle.loads(pickle.dumps(rated.trace))
    assert copied.identical(rated.trace)
    assert list(copied.attrs) == list(rated.trace.attrs)
