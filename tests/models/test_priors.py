"""Priors of other families: words of a row, compiled as PyMC declares them."""

from dataclasses import replace

import arviz as az
import numpy as np
import pymc as pm
import pytest
from composed import FAMILIES, Common, DrawParameter, Free
from graph_density import own_density
from made_games import few
from monte_carlo import LIMIT
from pytensor.compile.mode import Mode

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.sample import sample
from halfpoint.models.catalogue import declare, find
from halfpoint.models.errors import ModelError
from halfpoint.models.parts.priors import moments
from halfpoint.models.prior_draws import PriorDraws
from halfpoint.models.record import model_of, record_of

WORDS = {
    "student_t": ("student_t", 4.0, 0.3, 0.7),
    "laplace": ("laplace", 0.3, 0.7),
    "gamma": ("gamma", 2.0, 3.0),
    "exponential": ("exponential", 1.5),
    "half_normal": ("half_normal", 0.8),
    "log_gamma": ("log_gamma", 2.0, 3.0),
}
FREE = find("davidson-common")
ROWS = {f"strength {name}": {"strength": Free(prior)} for name, prior in WORDS.items()}
ROWS |= {f"advantage {name}": {"advantage": Common(WORDS[name])} for name in ("student_t", "gamma")}  # any place alike
ROWS |= {f"draws {name}": {"draws": DrawParameter(WORDS[name])} for name in ("laplace", "log_gamma")}
ROWS["tendency horseshoe"] = {"draws": DrawParameter(tendency=("horseshoe", 0.3))}


def row(name):
    return replace(FREE, name=f"own {name}", **{"strength": Free((0.0, 1.0))} | ROWS[name])


def test_every_family_has_a_word_here():
    assert set(WORDS) == set(FAMILIES)


@pytest.mark.parametrize("name", WORDS)
def test_moments_and_draws_are_those_of_pymc(name):
    family, numbers = FAMILIES[name], WORDS[name][1:]
    drawn = family.of(*numbers).rvs(200_000, random_state=1)
    named = dict(zip(family.numbers, numbers, strict=True))
    theirs = pm.draw(
        getattr(pm, family.distribution).dist(**named, size=200_000), random_seed=2, mode=Mode(linker="py")
    )
    theirs = np.log(theirs) if family.logarithm else theirs
    mean, sd = moments(WORDS[name])
    for found in (drawn, theirs):
        assert found.mean() == pytest.approx(mean, abs=5 * sd / 200_000**0.5)
        assert np.quantile(found, [0.1, 0.9]) == pytest.approx(np.quantile(theirs, [0.1, 0.9]), abs=0.02)
    assert drawn.std() == pytest.approx(sd, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_compiled_code_is_the_graph_and_a_trace_says_the_prior(name):
    declared = declare(row(name), few())
    compute, own = density(numbers_of(declared)), own_density(declared.model)
    start = np.zeros(declared.layout.count)  # PyTensor takes the logarithm of a whole 2 in half precision: a constant
    apart = compute(start)[0] - own(start)[0]
    assert abs(apart) < 0.002
    for seed in range(3):
        point = 0.7 * np.random.default_rng(seed).standard_normal(declared.layout.count)
        (value, slope), (expected, gradient) = compute(point), own(point)
        assert value == pytest.approx(expected + apart, rel=1e-12)
        np.testing.assert_allclose(slope, gradient, rtol=1e-9, atol=1e-11 * np.abs(gradient).max())
    assert model_of(record_of(declared.spec)) == declared.spec
    p = PriorDraws(declared.model).one(np.random.default_rng(1))
    assert np.isfinite(compute(declared.coordinates(p))[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strength student_t", "advantage gamma", "draws log_gamma", "tendency horseshoe"])
def test_the_posterior_is_that_of_pymcs_own_sampler(name):
    declared = declare(row(name), few())
    ours, theirs = (
        sample(declared, Effort(1500, 1000, 2, seed=3, sampler=sampler), pointwise_draws=0)["posterior"].to_dataset()
        for sampler in ("nutpie", "pymc")
    )
    for label in ("strength", "advantage", "log_draw"):
        errors = [az.mcse(one[[label]], method="mean")[label].to_numpy() for one in (ours, theirs)]
        apart = (ours[label] - theirs[label]).mean(("chain", "draw")).to_numpy()
        assert (np.abs(apart) < LIMIT * np.hypot(*errors)).all()


@pytest.mark.parametrize(
    "prior", [("student_t", 4.0, 0.0), ("gamma", -1.0, 1.0), ("cauchy", 0.0, 1.0), ("laplace", 0.0, 0.0)]
)
def test_a_prior_that_is_none_is_refused(prior):
    with pytest.raises(ModelError, match="prior: expected"):
        declare(replace(FREE, name="own", advantage=Common(prior)), few())
