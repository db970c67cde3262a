"""PyMC priors: the density of any distribution in a function is compiled, and equals PyMC's graph."""

import arviz as az
import numpy as np
import pymc as pm
import pytest
from graph_density import own_density
from made_games import few
from monte_carlo import LIMIT

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.fit import fit
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.language.model import Model
from halfpoint.models.reading.prior_draws import PriorDraws

D = np.float64  # of a plain 0.5 PyTensor makes a single
STRENGTH = {
    "student_t": lambda: pm.StudentT("strength", nu=D(4.0), mu=D(0.3), sigma=D(0.7), dims="player"),
    "laplace": lambda: pm.Laplace("strength", mu=D(0.3), b=D(0.7), dims="player"),
    "gamma": lambda: pm.Gamma("strength", alpha=D(2.0), beta=D(3.0), dims="player"),
    "exponential": lambda: pm.Exponential("strength", lam=D(1.5), dims="player"),
    "skew_normal": lambda: pm.SkewNormal("strength", mu=D(0.0), sigma=D(1.0), alpha=D(2.0), dims="player"),
    "mvnormal": lambda: pm.MvNormal("strength", mu=np.zeros(6), cov=np.eye(6) + 0.5, dims="player"),
}
ADVANTAGE = {
    "normal": lambda: pm.Normal("advantage", D(0.0), D(0.5)),
    "gamma": lambda: pm.Gamma("advantage", alpha=D(2.0), beta=D(3.0)),
    "gumbel": lambda: pm.Gumbel("advantage", mu=D(0.0), beta=D(0.3)),
    "interval": lambda: pm.Uniform("advantage", D(-1.0), D(1.0)),
    "scaled": lambda: pm.Normal("advantage", 0.0, pm.HalfCauchy("advantage_spread", D(0.5))),
}


def mine(games, strength="normal", advantage="normal"):
    with pm.Model(coords=games.coords) as model:
        g = STRENGTH[strength]() if strength != "normal" else pm.Normal("strength", 0.0, 1.0, dims="player")
        w, lam = ADVANTAGE[advantage](), pm.Normal("log_draw", 0.0, 1.0)
        davidson(games, white=games.white(g) + w, black=games.black(g), log_draw=lam)
    return model


BY_GRAPH = ("mvnormal",)  # distributions whose operators have no compiled line
CASES = [{"strength": name} for name in STRENGTH] + [{"advantage": name} for name in ADVANTAGE]


MARKED = [pytest.param(one, marks=pytest.mark.slow) if "mvnormal" in one.values() else one for one in CASES]


@pytest.mark.cases(4)
@pytest.mark.parametrize("keywords", MARKED, ids=lambda one: "-".join(*one.items()))
def test_compiled_code_is_the_graph(keywords):
    declared = declare(Model("own", mine, keywords), few())
    if keywords.get("strength") in BY_GRAPH:
        assert compile_declared(declared).route == "graph"
        return
    compute, own = density(numbers_of(declared)), own_density(declared.model)
    points = [0.7 * np.random.default_rng(seed).standard_normal(declared.layout.count) for seed in range(3)]
    found, expected = ([one(point) for point in points] for one in (compute, own))
    apart = [one[0] - other[0] for one, other in zip(found, expected, strict=True)]
    single = 1e-3 if keywords.get("strength") == "skew_normal" else 1e-8  # PyMC's constants of it: single precision
    np.testing.assert_allclose(apart, apart[0], atol=single)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one[1], other[1], rtol=max(1e-7, single), atol=1e-9 * np.abs(other[1]).max())
    p = PriorDraws(declared.model).one(np.random.default_rng(1))
    assert np.isfinite(compute(declared.coordinates(p))[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "keywords", [{"strength": "student_t"}, {"strength": "mvnormal"}, {"advantage": "gamma"}, {"advantage": "scaled"}]
)
def test_the_posterior_is_that_of_pymcs_own_sampler(keywords):
    declared = declare(Model("own", mine, keywords), few())
    ours, theirs = (
        sample(declared, Effort(1500, 1000, 2, seed=3, sampler=sampler), pointwise_draws=0)["posterior"].to_dataset()
        for sampler in ("nutpie", "pymc")
    )
    for label in ("strength", "advantage", "log_draw"):
        errors = [az.mcse(one[[label]], method="mean")[label].to_numpy() for one in (ours, theirs)]
        apart = (ours[label] - theirs[label]).mean(("chain", "draw")).to_numpy()
        assert (np.abs(apart) < LIMIT * np.hypot(*errors)).all()


@pytest.mark.cases(1)
@pytest.mark.parametrize("keywords", [{"strength": "student_t"}, {"strength": "laplace"}, {"advantage": "gumbel"}])
def test_normal_draws_are_those_of_nuts(keywords):
    declared = declare(Model("own", mine, keywords), few())
    normal, nuts = fit(declared, "normal", Effort(2000, seed=1)), fit(declared, "nuts", Effort(1000, 700, seed=2))
    assert normal.attrs["converged"], normal.attrs["verdict"]
    for label in ("strength", "advantage"):
        one, other = (tree["posterior"][label] for tree in (normal, nuts))
        if label == "strength":
            one, other = one - one.mean(one.dims[-1]), other - other.mean(other.dims[-1])
        apart = (one.mean(("chain", "draw")) - other.mean(("chain", "draw"))) / other.std(("chain", "draw"))
        few_draws = min(float(normal.attrs["effective_draws"]), 1000.0)
        assert float(np.abs(apart).max()) < LIMIT * np.sqrt(2.0 / few_draws)


def test_the_prior_of_ordered_variables_is_that_of_order_statistics():
    with pm.Model() as model:
        pm.Normal("cuts", 0, 1, shape=2, transform=pm.distributions.transforms.ordered, initval=[-1.0, 1.0])
    drawn = PriorDraws(model).several(2000, 1)["cuts"].to_numpy()
    assert (np.diff(drawn) > 0).all()
    error = LIMIT * np.sqrt((1 - 1 / np.pi) / 2000)
    np.testing.assert_allclose(drawn.mean(axis=0), [-1 / np.sqrt(np.pi), 1 / np.sqrt(np.pi)], atol=error)


def test_a_prior_without_draws_is_named():
    with pm.Model() as model:
        pm.Normal("proper")
        pm.Flat("flat")
    with pytest.raises(ModelError, match="prior: flat cannot be sampled"):
        PriorDraws(model).several(2, 1)
