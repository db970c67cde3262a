"""Description of a model, and the groups for ArviZ, compared with densities in closed form and with ArviZ."""

import numpy as np
import pymc as pm
import pytest
import xarray as xr
from scipy.stats import halfnorm, norm

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.sample import sample
from halfpoint.inference.trace_groups import log_prior, prior_draws, require_groups, with_groups
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.pointwise import each_game, with_each_game
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.language.model import Model


@pytest.fixture(scope="module")
def chosen():
    """Games of six players, each pair 20 times."""
    names = np.array([f"player {i}" for i in range(6)])
    return select(simulate(Truth(names, np.linspace(14.5, 16.0, 6), 0.8, 0.3), round_robin(6, 20), 1), names, "both")


def test_a_model_is_written_as_a_statistician_writes_it(chosen):
    lines = repr(declare("davidson-population", chosen)).split("\n")
    assert lines[1].startswith(f"on {len(chosen)} games of 6 players")
    assert "P(loss) : P(draw) : P(win) = e^B : e^(lam + ((W + B) / 2)) : e^W" in lines
    assert "strength ~ Normal(f(strength_mean), strength_spread)" in lines
    assert "advantage ~ Normal(0, 1)" in lines
    assert len(lines) <= 13
    assert repr(chosen).count("\n") == 0


@pytest.mark.parametrize("name", ["bt", "bt-pooled", "davidson-population", "davidson-player", "davidson-all-draws"])
def test_every_parameter_has_its_law(name, chosen):
    declared = declare(name, chosen)
    text = repr(declared)
    assert all(f"\n{law.name}" in text for law in declared.laws if not law.hidden)
    assert len(text.split("\n")) < 20


@pytest.fixture(scope="module")
def declared(chosen):
    """Model with a population of players."""
    return declare("davidson-population", chosen)


def test_log_priors_are_the_densities_at_the_top(declared):
    tree = fit(declared, "normal", draws=100, chains=2, seed=1)
    posterior = tree["posterior"].to_dataset()
    found = log_prior(declared, posterior)
    assert set(found.data_vars) == {"strength_mean", "strength_spread", "advantage", "log_draw"}
    mean, sd = declared.spec.parameters["strength"]
    for name, law in {
        "strength_mean": norm(mean, sd), "strength_spread": halfnorm(scale=declared.spec.parameters["spread"]),
        "advantage": norm(0, 1), "log_draw": norm(1, 5),
    }.items():  # fmt: skip
        np.testing.assert_allclose(found[name], law.logpdf(posterior[name].to_numpy()), atol=1e-9)


def told_by_potential(games, mean=0.3, sd=0.25):
    """Advantage with a wide prior and a potential, which together are one normal prior."""
    with pm.Model(coords=games.coords) as model:
        strength, advantage = pm.Normal("strength", 0.0, 1.0, dims="player"), pm.Normal("advantage", 0.0, 1.0)
        pm.Potential("survey", pm.logp(pm.Normal.dist(mean, sd), advantage))
        bernoulli(games, games.white(strength) + advantage, games.black(strength))
    return model


def told_by_prior(games, mean=0.3, sd=0.25):
    """The same prior in closed form."""
    precision = 1.0 + sd**-2
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        advantage = pm.Normal("advantage", mean * sd**-2 / precision, precision**-0.5)
        bernoulli(games, games.white(strength) + advantage, games.black(strength))
    return model


@pytest.mark.further
def test_potentials_count_as_prior_in_both_groups(chosen):
    import arviz as az

    told = {}
    for function in (told_by_potential, told_by_prior):
        declared = declare(function, chosen)
        tree = fit(declared, "normal", draws=1000, chains=4, seed=1)
        tree = with_groups(tree, declared, ["prior", "log_prior"])
        advantage = tree["posterior"]["advantage"].to_numpy()
        found = sum(tree["log_prior"][name].to_numpy() for name in tree["log_prior"] if name != "strength")
        exact = norm(0.3 * 16 / 17, 17**-0.5).logpdf(advantage)
        np.testing.assert_allclose(found - exact, (found - exact)[0, 0], atol=1e-9)
        drawn = tree["prior"]["advantage"].to_numpy().ravel()
        assert drawn.mean() == pytest.approx(0.3 * 16 / 17, abs=4 * (17 * 1000) ** -0.5 * 1.5)
        assert drawn.std() == pytest.approx(17**-0.5, rel=4 * 1.5 * 2000**-0.5)
        each = tree["sample_stats"]["log_likelihood_total"].to_dataset(name="games")
        groups = {"posterior": tree["posterior"].to_dataset(), "log_prior": tree["log_prior"].to_dataset()}
        whole = xr.DataTree.from_dict(groups | {"log_likelihood": each})
        told[function] = az.psense_summary(whole, var_names=["advantage"], round_to=6).iloc[0]
    one, other = told.values()
    assert one["prior"] == pytest.approx(other["prior"], rel=0.15)
    assert one["prior"] > 0.05  # 17 of the prior's precision, and 300 games


def test_a_potential_too_narrow_for_draws_of_the_prior_is_named_before_sampling(chosen):
    declared = declare(Model("narrow", told_by_potential).but("narrow", mean=5.0, sd=0.001), chosen)
    with pytest.raises(ModelError, match="prior draws agree with survey: 1,000 draws have the effective size 1"):
        sample(declared, draws=10**6, groups=("prior",))  # never sampled


def test_observed_values_too_narrow_for_draws_of_the_prior_are_named_before_sampling(chosen):
    def measured(games):
        with pm.Model(coords=games.coords) as model:
            strength = pm.Normal("strength", 0.0, 1.0, dims="player")
            pm.Normal("measure", strength, 0.01, observed=np.linspace(-1.0, 1.0, len(games.coords["player"])))
            bernoulli(games, games.white(strength), games.black(strength))
        return model

    with pytest.raises(ModelError, match="prior draws agree with measure: 1,000 draws have the effective size 1"):
        sample(declare(Model("measured", measured), chosen), draws=10**6, groups=("prior",))


def test_groups_of_variables_with_a_shape(chosen):

    def shaped(games):
        with pm.Model(coords=games.coords) as model:
            strength, both = pm.Normal("strength", 0.0, 1.0, dims="player"), pm.Normal("both", 0.0, 0.5, shape=2)
            bernoulli(games, games.white(strength) + both[0], games.black(strength) - both[1])
        return model

    def unnamed(games):
        with pm.Model(coords=games.coords) as model:
            strength = pm.Normal("strength", 0.0, 1.0, shape=len(games.coords["player"]))
            bernoulli(games, games.white(strength), games.black(strength))
        return model

    tree = sample(
        declare(shaped, chosen), draws=100, tune=200, chains=2, seed=1, groups=("prior", "log_prior"), adapt=False
    )
    assert tree["posterior"]["both"].shape == (2, 100, 2)
    assert tree["prior"]["both"].sizes["draw"] == 1000
    expected = norm(0.0, 0.5).logpdf(tree["posterior"]["both"].to_numpy()).sum(axis=-1)
    np.testing.assert_allclose(tree["log_prior"]["both"], expected, atol=1e-9)
    assert declare(unnamed, chosen).dims["strength"] == ("player",)  # by the seats that read it


@pytest.mark.slow
def test_priors_are_drawn_on_the_level_of_the_list(chosen):
    declared = declare("davidson-population", chosen)
    found = prior_draws(declared, 1, 2000)
    value = found["advantage"].to_numpy().ravel()
    assert abs(value.mean()) < 4 / np.sqrt(2000)
    assert abs(value.std() - 1) < 4 / np.sqrt(4000)
    np.testing.assert_allclose(found["rating_elo"].mean("player"), 1500.0)  # the level of the list


def test_an_unknown_group_is_told():
    with pytest.raises(InferenceError, match="found 'posteriors'"):
        require_groups(["posteriors"])


def test_games_played_again_stand_beside_their_likelihood(declared):
    tree = fit(declared, "normal", draws=200, chains=2, seed=1, pointwise_draws=100)
    traces = [tree]
    few = each_game(tree).isel(draw=slice(10))
    for step in (1, 3, 6, 10):  # 10 draws in steps of 6 are 2, as in steps of 5
        short = tree.assign(posterior=xr.DataTree(tree["posterior"].to_dataset().sel(draw=few["draw"])))
        traces.append(with_each_game(short, few.isel(draw=slice(None, None, step))))
    for trace in traces:
        again = with_groups(trace, declared, ["posterior_predictive"])["posterior_predictive"]["score"]
        each = each_game(trace)["score"]
        assert again.shape == each.shape
        assert again["draw"].equals(each["draw"])
        assert set(np.unique(again)) <= {0.0, 0.5, 1.0}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_arviz_alone_judges_a_trace(declared):
    import arviz as az

    tree = sample(declared, draws=200, tune=200, seed=1, groups=("posterior_predictive", "prior", "log_prior"))
    az.plot_ppc_dist(tree, backend="matplotlib")
    az.plot_ppc_pit(tree, backend="matplotlib")
    az.plot_loo_pit(tree, backend="matplotlib")
    az.plot_prior_posterior(tree, var_names=["advantage"], backend="matplotlib")
    told = az.psense_summary(tree, var_names=["advantage", "strength_spread"])
    assert (told["prior"] < told["likelihood"]).all()  # 300 games say more than the prior
