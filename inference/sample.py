"""Sample a model with NUTS: nutpie by default, PyMC's own sampler as the alternative. Same seed, same draws."""

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.adaptive import Plan, account, adapted
from halfpoint.inference.compile import compile_declared, log_likelihood
from halfpoint.inference.diagnose import Diagnosis, diagnose
from halfpoint.inference.edits import Edits, edits, likelihood_as_sampled
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import acceptance
from halfpoint.inference.groups import pointwise_for, require_groups, with_groups
from halfpoint.inference.level import fixed_by, on_level
from halfpoint.inference.limits import LONG, Effort, EffortOptions, require_memory
from halfpoint.inference.nuts import all_draws, parted
from halfpoint.inference.statements import restless
from halfpoint.inference.trace_record import attributes_of, constant_data, recorded
from halfpoint.models.declared import Declared
from halfpoint.models.elo_scale import in_elo
from halfpoint.models.errors import NoLoopError
from halfpoint.models.forms import NotASumError
from halfpoint.models.graphs import pm
from halfpoint.models.layout import HIDDEN, LATENT
from halfpoint.models.reading import REPORTED, draws_of, likelihood_of_games, weighted_log_likelihood


def sample(
    declared: Declared,
    effort: Effort = LONG,
    *,
    progress: bool = False,
    pointwise_draws: int | None = None,
    adapt: bool | Literal["steps"] = False,
    groups: Sequence[str] = (),
    **settings: Unpack[EffortOptions],
) -> xr.DataTree:
    """Sample a declared model and return its trace.

    Parameters
    ----------
    declared : Declared
        From `halfpoint.models.catalogue.declare`; its PyMC model may have been edited.
    effort : Effort
        How much is sampled, and how (`halfpoint.inference.limits.Effort`).
    progress : bool
        Show a progress bar.
    pointwise_draws : int or None
        Draws for which the log likelihood of each game is kept, spread evenly; 0 none. By default all, but 1,000 where
        all would be more than 40 million numbers.
    adapt : bool or "steps"
        Sample again, more carefully or for longer, until the verdict is that the chains converged or a limit is reached
        (see `halfpoint.inference.adaptive`); the trace says in `sampling` what was done. With "steps" no more draws are
        made than were asked for: steps alone are made smaller.
    groups : sequence of {"posterior_predictive", "prior", "log_prior"}
        Further groups (`halfpoint.inference.groups`); `log_prior` keeps the likelihood of each game of all draws.
    **settings
        Of the effort, by name: draws, tune (1,000 each), chains (4), seed, cores, sampler (nutpie; pymc; jax: nutpie
        through JAX on its device).

    Returns
    -------
    xarray.DataTree
        Groups posterior, sample_stats, log_likelihood, observed_data and constant_data (see docs/traces.md); the
        convergence verdict stands in its attributes.

    Raises
    ------
    InferenceError
        If a setting is out of its range (`halfpoint.inference.limits`), the draws would not fit in memory, or the
        sampler is unknown.
    """
    effort = replace(effort, **settings)
    effort.require()
    require_groups(groups)
    pointwise_draws = pointwise_for(groups, pointwise_draws)
    require_memory(declared, effort, pointwise_draws)
    taken = [name for name in REPORTED if "model" in declared.__dict__ and name in declared.model.named_vars]
    if taken:
        raise InferenceError(
            f"model: expected no variable {taken[0]!r}, which every trace computes. Name yours otherwise."
        )
    recorded(declared.entry)  # told now what no trace could say
    edited = edits(declared)
    start = time.perf_counter()
    compiled = compile_declared(declared, effort.sampler) if effort.sampler != "pymc" else None
    middle = time.perf_counter()
    whole = xr.Dataset()

    def run(plan: Plan) -> tuple[xr.Dataset, xr.Dataset, int]:
        nonlocal whole
        if compiled is None:
            raw = with_pymc(declared.model, plan, effort, progress)
        else:
            raw = all_draws(compiled.model, plan, effort, progress)
        whole, statistics = parted(raw)
        posterior = whole[[str(name) for name in whole.data_vars if not str(name).endswith((LATENT, HIDDEN))]]
        posterior = posterior.map(lambda value: value if value.dtype.kind == "f" else value.astype(np.float64))
        posterior = posterior.assign(in_elo(declared, posterior))
        return posterior, statistics, sum(value[0, 0].size for value in whole.data_vars.values())

    plans, diagnoses = [Plan(effort.draws, effort.tune, acceptance(declared))], list[Diagnosis]()
    if adapt:
        longer = adapt != "steps"
        posterior, statistics, plans, diagnoses = adapted(run, plans[0], effort.chains, not fixed_by(declared), longer)
    else:
        posterior, statistics, _ = run(plans[0])
    about = effort.recorded | {
        "seconds_compile": middle - start,
        "seconds_sample": time.perf_counter() - middle,
        "target_accept": plans[-1].acceptance,
        "sampling": account(plans, diagnoses) if adapt else "",
    }
    if compiled is not None:
        about |= {"route": compiled.route, "route_reason": compiled.reason}
        about |= compiled.centring
    about |= {"restless": restless(declared, bool(edited.beyond))}
    total = None if edited.likelihood else likelihood_as_sampled(declared.model, whole)
    tree = assemble(declared.seen, posterior, statistics, about, pointwise_draws, edited, total)
    return with_groups(tree, declared, groups, effort.seed) if groups else tree


def with_pymc(model: "pm.Model", plan: Plan, effort: Effort, progress: bool) -> xr.DataTree:
    """Return PyMC's raw trace; it compiles by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # our own diagnosis speaks
        raw: xr.DataTree = pm.sample(
            plan.draws,
            tune=plan.tune,
            chains=effort.chains,
            cores=effort.at_once,
            random_seed=effort.seed,
            target_accept=plan.acceptance,
            progressbar=progress,
            quiet=True,
            nuts_sampler="pymc",
            compute_convergence_checks=False,
            model=model,
        )
    return raw


def edited_attributes(edited: Edits, total: bool) -> dict[str, str]:
    """Return what a trace says of an edited model: what differs, and what is left out for it; empty texts for none."""
    if not edited.words:
        return {"edited": "", "left_out": ""}
    lost = ["the log likelihood of all games"] if not total else []
    lost += ["the log likelihood of each game"] if not edited.pointwise else []
    said = {"edited": str(edited), "left_out": ", ".join(lost)}
    return said | ({"weighting": f"edited games {edited.weights}"} if edited.weights else {})


def all_games(declared: Declared, p: dict[str, Floats]) -> Floats:
    """Return the weighted log likelihood of all games under each draw of the parameters, shape (draw,)."""
    try:
        return log_likelihood(declared, numbers_of(declared, parameters=False), p)
    except (NotASumError, NoLoopError):
        return weighted_log_likelihood(declared.entry, p, declared.rows, declared.cells.weight)


def assemble(
    declared: Declared,
    posterior: xr.Dataset,
    statistics: xr.Dataset,
    settings: dict[str, Any],
    pointwise_draws: int | None = None,
    edited: Edits | None = None,
    total: Floats | None = None,
) -> xr.DataTree:
    """Return the trace of a declared model, with what judging and repeating it needs; total (chain, draw)."""
    entry, selection = declared.entry, declared.selection
    fixed = fixed_by(declared)
    posterior, level = on_level(posterior.assign(in_elo(declared, posterior)), selection, fixed)
    edited = edited or Edits()
    chains, draws = posterior.sizes["chain"], posterior.sizes["draw"]
    if edited.likelihood:
        total = all_games(declared, draws_of(posterior)).reshape(chains, draws)
    if total is not None:
        statistics = statistics.assign(log_likelihood_total=(("chain", "draw"), total))
    groups = {
        "posterior": posterior,
        "sample_stats": statistics,
        "observed_data": xr.Dataset({"score": ("game", selection.games.score)}),
        "constant_data": constant_data(selection, declared.coding),
    }
    if edited.pointwise and (pointwise_draws is None or pointwise_draws > 0):
        outcome = selection.games.outcome
        groups["log_likelihood"] = likelihood_of_games(entry, posterior, declared.game_rows, outcome, pointwise_draws)
    independent = settings.get("sampler") == "normal"
    diagnosis = diagnose(posterior, statistics, not fixed, independent)
    tree = xr.DataTree.from_dict({name: xr.DataTree(dataset) for name, dataset in groups.items()})
    tree.attrs = (
        attributes_of(declared)
        | level
        | edited_attributes(edited, total is not None)
        | diagnosis.recorded
        | {"min_ebfmi": diagnosis.min_ebfmi}
        | settings
    )
    return tree
