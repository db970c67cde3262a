"""Repeated sampling until convergence: the settings of the next run, and its effect."""

import numpy as np
import pytest

from halfpoint.inference.adaptive import LONGEST, MOST_RUNS, SamplingPlan, next_plan, with_smaller_steps
from halfpoint.inference.diagnostics.convergence import Diagnosis
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.reweighted_sampler import ReweightedSampler
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate

ASKED = SamplingPlan(1000, 1000, 0.9)
GOOD = {"max_rhat": 1.001, "min_ess_bulk": 2000.0, "min_ess_tail": 2000.0, "divergences": 0, "min_ebfmi": 0.9}


def found(*faults, **values):
    return Diagnosis(**(GOOD | values), faults=faults)


def test_a_run_that_lacks_nothing_is_the_last():
    assert next_plan(ASKED, ASKED, found(), 4, 1) is None


def test_one_divergence_leads_to_smaller_steps_and_longer_tuning():
    once = next_plan(ASKED, ASKED, found("1 divergent transitions", divergences=1), 4, 1)
    assert once == SamplingPlan(1000, 2000, 0.95)
    assert next_plan(once, ASKED, found("1 divergent transitions", divergences=1), 4, 2) == SamplingPlan(
        1000, 4000, 0.99
    )


def test_for_as_many_draws_steps_alone_become_smaller():
    assert with_smaller_steps(ASKED, ASKED, found("R-hat 1.9", max_rhat=1.9, min_ess_bulk=5.0), 1) is None
    bad = found("7 divergent transitions", "R-hat 1.9", divergences=7, max_rhat=1.9)
    plan, runs, ladder = ASKED, 1, []
    while (better := with_smaller_steps(plan, ASKED, bad, runs)) is not None:
        plan, runs = better, runs + 1
        ladder.append(plan)
    assert {step.draws for step in ladder} == {1000}
    assert [step.acceptance for step in ladder] == [0.95, 0.99, 0.99]
    assert next_plan(ASKED, ASKED, found("E-BFMI 0.1", min_ebfmi=0.1), 4, 1) == ladder[0]


def test_too_few_effective_draws_lead_to_as_many_more_as_they_ask_for():
    longer = next_plan(ASKED, ASKED, found("tail ESS 200", min_ess_tail=200.0), 4, 1)
    assert 2000 < longer.draws <= 3000  # 400 are asked for, the last run had 200
    assert (longer.tune, longer.acceptance) == (1000, 0.9)


def test_an_r_hat_of_chance_leads_to_more_draws_of_the_same_chains():
    assert next_plan(ASKED, ASKED, found("R-hat 1.011", max_rhat=1.011), 4, 1) == SamplingPlan(2000, 1000, 0.9)
    assert next_plan(ASKED, ASKED, found("R-hat 1.2", max_rhat=1.2), 4, 1) == SamplingPlan(2000, 2000, 0.9)


def test_the_limits_end_it():
    never = found("bulk ESS 5", "R-hat 1.9", min_ess_bulk=5.0, max_rhat=1.9)
    plan, runs = ASKED, 1
    while (better := next_plan(plan, ASKED, never, 4, runs)) is not None:
        plan, runs = better, runs + 1
    assert plan.draws <= LONGEST * 1000
    assert runs <= MOST_RUNS
    wide = next_plan(ASKED, ASKED, never, 4, 1, width=40_000)
    assert wide.draws < 2000  # a posterior of 4 x 8000 x 40,000 numbers would not fit into the memory


@pytest.fixture(scope="module")
def declared():
    names = np.array(["Ada", "Boris", "Chen", "Dora"])
    games = simulate(Truth(names, np.array([15.6, 15.5, 15.7, 15.4]), 0.2, 0.5), round_robin(4, 10), 3)
    return declare("davidson-common", select(games, games.players, "both"))


@pytest.mark.draws
def test_a_run_that_is_too_short_is_made_longer_until_it_is_enough(declared):
    short = {"draws": 80, "tune": 200, "chains": 4, "seed": 5, "pointwise_draws": 0}
    plain, adapted = sample(declared, **short, adapt=False), sample(declared, **short)
    assert not plain.attrs["converged"]
    assert plain.attrs["sampling"] == ""
    assert adapted.attrs["converged"], adapted.attrs["verdict"]
    assert "sampled " in adapted.attrs["sampling"]
    assert adapted["posterior"].sizes["draw"] == adapted.attrs["draws_sampled"] > plain.attrs["draws_sampled"] == 80
    assert adapted.attrs["runs_sampled"] > plain.attrs["runs_sampled"] == 1
    assert adapted.attrs["draws"] == 80  # what was asked for, so that a finished trace is known again
    assert adapted.attrs["tune_sampled"] in (200, 400, 800)  # chains far apart, by some seeds, are tuned anew
    if adapted.attrs["tune_sampled"] == 200:
        np.testing.assert_array_equal(adapted["posterior"]["rating_elo"][:, :80], plain["posterior"]["rating_elo"])
    again = sample(declared, **short, cores=1)
    np.testing.assert_array_equal(again["posterior"]["rating_elo"], adapted["posterior"]["rating_elo"])


@pytest.mark.draws
def test_a_fit_of_a_backtest_goes_on_too(declared):
    sampler = ReweightedSampler(declared, Effort(draws=80, tune=200, chains=4, seed=5))
    fit = sampler.fit()
    assert fit.diagnosis.converged, fit.diagnosis.verdict
    assert fit.posterior.sizes["draw"] > 80
