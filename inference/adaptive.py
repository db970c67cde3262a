"""Continued sampling, longer or with smaller steps, before convergence is judged.

A run with the requested settings is diagnosed. Its failed checks determine the next run:

    divergent transitions, low E-BFMI    smaller steps (acceptance 0.9, 0.95, 0.99) after twice the tuning
    too few effective draws              more draws, in proportion to the shortage
    R-hat below 1.05                     twice the draws
    R-hat from 1.05                      twice the draws after twice the tuning

until all checks pass or a limit is reached: eight times the draws and the tuning, acceptance 0.99, five runs. Every run
has the same seed, so that the seed determines the trace, on a machine of any speed; with unchanged tuning and steps it
continues the chains of the run before: their draws are the first of its own.

R-hat of converged chains exceeds 1 by about 1 / (effective draws a chain), so that it is above 1.01 by chance in short
runs; longer chains separate this from chains that differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, isfinite

import xarray as xr

from halfpoint.inference.diagnostics.convergence import MAX_RHAT, MIN_EBFMI, MIN_ESS_PER_CHAIN, Diagnosis, diagnose

_CAREFUL = (0.9, 0.95, 0.99)  # shares of accepted steps to go to
LONGEST = 8  # times the draws and the tuning asked for
MOST_RUNS = 5
_FAR = 1.05  # R-hat from which chains differ by more than chance, and are tuned anew
_LARGEST = 200_000_000  # numbers that a posterior may hold, 1.6 GB
_RESERVE = 1.3  # draws, as a multiple of the number that the last run needed


@dataclass(frozen=True)
class SamplingPlan:
    """Settings of a run of the sampler."""

    draws: int  # draws kept and tuning draws, a chain
    tune: int  # likewise
    acceptance: float  # share of accepted steps that the step size is adapted to

    def __str__(self) -> str:
        return f"{self.tune} tuning and {self.draws} kept draws a chain, {self.acceptance:g} accepted"


def next_plan(
    plan: SamplingPlan, first: SamplingPlan, diagnosis: Diagnosis, chains: int, runs: int, width: int = 1
) -> SamplingPlan | None:
    """Return the settings of the next run, or None if no run is needed or allowed."""
    if diagnosis.converged or runs >= MOST_RUNS:
        return None
    most_draws = max(first.draws, min(LONGEST * first.draws, _LARGEST // max(1, chains * width)))
    most_tune = LONGEST * max(first.tune, 100)
    better = with_smaller_steps(plan, first, diagnosis, runs) or plan
    if chains > 1 and isfinite(diagnosis.max_rhat) and not diagnosis.max_rhat < MAX_RHAT:
        tune = better.tune if diagnosis.max_rhat < _FAR else 2 * max(plan.tune, 50)
        better = replace(better, tune=tune, draws=2 * plan.draws)
    least = min(diagnosis.min_ess_bulk, diagnosis.min_ess_tail)
    if isfinite(least) and least < MIN_ESS_PER_CHAIN * chains:
        wanted = _RESERVE * plan.draws * MIN_ESS_PER_CHAIN * chains / max(least, 1.0)
        better = replace(better, draws=max(better.draws, ceil(min(wanted, most_draws))))
    better = replace(better, draws=min(better.draws, most_draws), tune=min(better.tune, most_tune))
    return None if better == plan else better


def with_smaller_steps(plan: SamplingPlan, first: SamplingPlan, diagnosis: Diagnosis, runs: int) -> SamplingPlan | None:
    """Plan with smaller steps and longer tuning, None if chains mix well or a limit is reached."""
    if runs >= MOST_RUNS or not (diagnosis.divergences or diagnosis.min_ebfmi < MIN_EBFMI):
        return None
    acceptance = next((share for share in _CAREFUL if share > plan.acceptance), plan.acceptance)
    tune = min(2 * max(plan.tune, 50), LONGEST * max(first.tune, 100))
    better = replace(plan, acceptance=acceptance, tune=tune)
    return None if better == plan else better


def account(plans: list[SamplingPlan], diagnoses: list[Diagnosis]) -> str:
    """Describe the runs and their reasons in one line; empty if the first run suffices."""
    if len(plans) == 1:
        return ""
    steps = [f"{plan} ({'; '.join(diagnosis.faults)})" for plan, diagnosis in zip(plans, diagnoses, strict=False)][:-1]
    end = "" if diagnoses[-1].converged else f" (limit: {LONGEST} times the draws, {MOST_RUNS} runs)"
    return f"sampled {len(plans)} times: {', then '.join(steps)}, then {plans[-1]}{end}"


def sample_adaptively(
    run: Callable[[SamplingPlan], tuple[xr.Dataset, xr.Dataset, int]],
    first: SamplingPlan,
    chains: int,
    free_level: bool = False,
    longer: bool = True,
) -> tuple[xr.Dataset, xr.Dataset, list[SamplingPlan], list[Diagnosis]]:
    """Sample by a plan, and repeat with better plans until all checks pass or a limit is reached.

    Returns the posterior and statistics of the last run, and plans and diagnoses of all runs. If `longer` is false,
    repeated runs have smaller steps but no more draws.
    """
    plans, diagnoses = [first], list[Diagnosis]()
    while True:
        posterior, statistics, width = run(plans[-1])
        diagnoses.append(diagnose(posterior, statistics, free_level))
        state = plans[-1], first, diagnoses[-1]
        better = next_plan(*state, chains, len(plans), width) if longer else with_smaller_steps(*state, len(plans))
        if better is None:
            return posterior, statistics, plans, diagnoses
        plans.append(better)
