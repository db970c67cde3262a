"""Sample a model with NUTS: nutpie by default, PyMC's own sampler as the alternative. Same seed, same draws."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import xarray as xr

from halfpoint.inference.diagnostics.convergence import DIAGNOSED, Diagnosis, diagnose
from halfpoint.inference.diagnostics.graph_edits import Edits, edits, likelihood_as_sampled
from halfpoint.inference.effort_limits import LONG, Effort, Sampler, require_memory
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.location import centre_ratings, location_fixed_by
from halfpoint.inference.loops.engine import numbers_of
from halfpoint.inference.nutpie_model import log_likelihood
from halfpoint.inference.traces.trace_record import attributes_of, constant_data, record_text
from halfpoint.inference.traces.variable_attributes import described_trace, with_units
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import ratings_in_elo, reader_of, reading_from, worth_in
from halfpoint.models.declaration.hand_written import declared_of
from halfpoint.models.declaration.pointwise import each_game, group_of, likelihood_of_games, with_each_game
from halfpoint.models.declaration.posterior_reader import REPORTED, draws_of, parts
from halfpoint.models.errors import NoLoopError, in_words
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.keywords import suggests_keywords
from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import constant_value, pm
from halfpoint.models.reading.layout import HIDDEN, LATENT
from halfpoint.models.reading.own_likelihoods import own_log_likelihood
from halfpoint.models.reading.sparse_affine import NotAffineError

if TYPE_CHECKING:
    from halfpoint.inference.adaptive import SamplingPlan


@suggests_keywords
def sample(
    declared: "Declared | pm.Model",
    effort: Effort = LONG,
    *,
    progress: bool = False,
    pointwise_draws: int | None = None,
    adapt: bool | Literal["steps"] = True,
    groups: Sequence[str] = (),
    draws: int | None = None, tune: int | None = None, chains: int | None = None, seed: int | None = None,
    sampler: Sampler | None = None, cores: int | None = None,
) -> xr.DataTree:  # fmt: skip
    """Sample a declared model and return its trace.

    Parameters
    ----------
    declared : Declared or pymc.Model
        From `halfpoint.models.declare`, or a finished PyMC model to which a log-potential added the games; either model
        may have been edited.
    effort : Effort
        Amount and settings of sampling (`halfpoint.inference.effort_limits.Effort`).
    progress : bool
        Show a progress bar.
    pointwise_draws : int or None
        Number of draws, spread evenly, for which the log likelihood of each game is kept; 0 for none. By default all
        draws, or 1,000 if all draws would give more than 40 million numbers.
    adapt : bool or "steps"
        Sample on, for longer or more carefully, until the chains converge or a limit is reached: eight times the draws
        and the tuning, five runs (see `halfpoint.inference.adaptive`). The trace's attributes record the runs
        (`sampling`, `runs_sampled`) and the length of the last (`draws_sampled`, `tune_sampled`). With "steps" only
        steps are made smaller; with False there is one run. In both cases the number of draws does not change.
    groups : sequence of {"posterior_predictive", "prior", "log_prior"}
        Further groups (`halfpoint.inference.trace_groups`); with `log_prior` the likelihood of each game is kept
        for all draws.
    draws, tune, chains, seed, sampler, cores
        Settings that replace those of `effort`: draws and tune (1,000 each), chains (4), seed, cores, sampler (nutpie;
        pymc; jax: nutpie through JAX on its device).

    Returns
    -------
    xarray.DataTree
        Groups posterior, sample_stats, log_likelihood (`log_likelihood_by_game` of weighted games, or of fewer
        draws), observed_data and constant_data (see docs/traces.md); the convergence verdict is in its attributes.

    Raises
    ------
    InferenceError
        If a setting is out of its range (`halfpoint.inference.effort_limits`), the draws would not fit in memory, or
        the sampler is unknown.
    """
    from halfpoint.inference.adaptive import account, sample_adaptively
    from halfpoint.inference.nutpie_model import compile_declared
    from halfpoint.inference.nuts import all_draws, split_raw_trace
    from halfpoint.inference.reweighted_sampler import first_plan
    from halfpoint.inference.trace_groups import pointwise_for, prior_before, require_groups, with_groups

    effort = effort.with_settings(draws, tune, chains, seed, sampler, cores)
    effort.require()
    require_groups(groups)
    declared = as_declared(declared)
    pointwise_draws = pointwise_for(groups, pointwise_draws)
    require_memory(declared, effort, pointwise_draws)
    taken = [name for name in REPORTED if "model" in declared.__dict__ and name in declared.model.named_vars]
    if taken:
        raise InferenceError(f"model: the name {taken[0]!r} is reserved for a variable of every trace. Rename yours.")
    record_text(declared.spec)  # refused now what no trace could keep
    edited, prior = edits(declared), prior_before(declared, groups, effort.seed)
    require_values(declared)
    start = time.perf_counter()
    compiled = compile_declared(declared, effort.sampler, straight=True) if effort.sampler != "pymc" else None
    middle = time.perf_counter()
    kept_draws = xr.Dataset()

    def run(plan: "SamplingPlan") -> tuple[xr.Dataset, xr.Dataset, int]:
        nonlocal kept_draws
        if compiled is None:
            raw = _with_pymc(declared.model, plan, effort, progress)
        else:
            raw = all_draws(compiled.model, plan, effort, progress)
        kept_draws, statistics = split_raw_trace(raw)
        posterior = kept_draws[[str(name) for name in kept_draws.data_vars if not str(name).endswith((LATENT, HIDDEN))]]
        posterior = posterior.map(lambda value: value if value.dtype.kind == "f" else value.astype(np.float64))
        posterior = with_fixed(posterior, declared, edited)
        posterior = posterior.assign(ratings_in_elo(declared, posterior))
        return posterior, statistics, sum(value[0, 0].size for value in kept_draws.data_vars.values())

    plans = [first_plan(declared, effort)]
    diagnoses = list[Diagnosis]()
    if adapt:
        longer = adapt != "steps"
        posterior, statistics, plans, diagnoses = sample_adaptively(
            run, plans[0], effort.chains, not location_fixed_by(declared), longer
        )
    else:
        posterior, statistics, _ = run(plans[0])
    about = effort.as_record | {
        "seconds_compile": middle - start,
        "seconds_sample": time.perf_counter() - middle,
        "target_accept": plans[-1].acceptance,
        "draws_sampled": plans[-1].draws,
        "tune_sampled": plans[-1].tune,
        "runs_sampled": len(plans),
        "sampling": account(plans, diagnoses) if adapt else "",
    }
    if compiled is not None:
        about |= {"route": compiled.route, "route_reason": compiled.reason}
    total = None if edited.likelihood else likelihood_as_sampled(declared.model, kept_draws)
    tree = assemble(declared.with_current_data, posterior, statistics, about, pointwise_draws, edited, total)
    if declared.alone and pointwise_draws != 0 and not edited.weights and each_game(tree) is None:
        logp = likelihood_as_sampled(declared.model, kept_draws, by_row=True)
        if logp is not None and declared.selection.weight.all():
            logp = logp[..., declared.cells.cell_of_game] / declared.selection.weight
            rows = xr.Dataset({"score": (("chain", "draw", "game"), logp)}, coords=posterior[["chain", "draw"]].coords)
            tree = described_trace(with_each_game(tree, rows))
    return with_groups(tree, declared, groups, effort.seed, prior) if groups else tree


def as_declared(model: "Declared | pm.Model") -> Declared:
    """A declared model, or a finished PyMC model of games as one."""
    return model if isinstance(model, Declared) else declared_of(model)


def with_fixed(posterior: xr.Dataset, declared: Declared, edited: Edits) -> xr.Dataset:
    """Posterior with the parameters fixed at numbers, equal in every draw."""
    if not edited.fixed:
        return posterior
    from halfpoint.models.reading.model_variables import observed_value  # brings PyMC

    constants: dict[str, object] = {}
    sizes = posterior.sizes["chain"], posterior.sizes["draw"]
    for name in edited.fixed:
        if name not in posterior and not name.endswith((LATENT, HIDDEN)):
            node = declared.model[name]
            is_observed = node in declared.model.observed_RVs
            value = (
                observed_value(declared.model, node)
                if is_observed
                else np.asarray(constant_value(node), dtype=np.float64)
            )
            dims = tuple(str(dim) for dim in declared.model.named_vars_to_dims.get(name) or ())
            values = np.broadcast_to(value, (*sizes, *value.shape)).copy()
            constants[name] = (("chain", "draw", *dims), values, {DIAGNOSED: 0})
    return posterior.assign(constants) if constants else posterior


def require_values(declared: Declared) -> None:
    """Raise `InferenceError` if a deterministic variable that is computed from the draws has no value."""
    if declared.current_sums is not None:
        return
    from halfpoint.models.reading.model_variables import numbers_at_start

    for name in declared.layout.computed:
        try:
            numbers_at_start(declared.model, [declared.model[name]])
        except Exception as error:
            raise InferenceError(f"model {declared.spec.name}: {name} has no value: {in_words(error)}") from error


def with_computed(posterior: xr.Dataset, declared: Declared) -> xr.Dataset:
    """Posterior with the deterministic variables that no compiled loop gives, computed from the draws."""
    names = [name for name in declared.layout.computed if name not in posterior]
    if not names:
        return posterior
    from halfpoint.models.reading.under_draws import under_draws

    model, sizes = declared.model, (posterior.sizes["chain"], posterior.sizes["draw"])
    values = {str(name): value.transpose("chain", "draw", ...).to_numpy() for name, value in posterior.items()}
    draws = {
        model[name]: value.reshape(-1, *value.shape[2:]) for name, value in values.items() if name in model.named_vars
    }
    computed: dict[str, object] = {}
    for name, value in zip(names, under_draws([model[name] for name in names], draws), strict=True):
        axes = model.named_vars_to_dims.get(name) or [f"{name}_dim_{k}" for k in range(value.ndim - 1)]
        computed[name] = (("chain", "draw", *map(str, axes)), value.reshape(*sizes, *value.shape[1:]), {DIAGNOSED: 0})
    return posterior.assign(computed)


def _with_pymc(model: "pm.Model", plan: "SamplingPlan", effort: Effort, progress: bool) -> xr.DataTree:
    """Raw trace sampled and compiled by PyMC."""
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


def _edited_attributes(declared: Declared, edited: Edits, total: bool, rated: bool) -> dict[str, str]:
    """Attributes of a trace for an edited model: its edits, and the results left out; empty texts if none."""
    if not edited.words:
        return {"edited": "", "left_out": ""}
    lost = ["the log likelihood of all games"] if not total else []
    lost += ["the log likelihood of each game"] if not edited.pointwise and not declared.alone else []
    lost += ["ratings in Elo points, which take a function of games"] if not rated else []
    said = {"edited": str(edited), "left_out": ", ".join(lost)}
    return said | ({"weighting": f"edited games {edited.weights}"} if edited.weights else {})


def all_games(declared: Declared, p: dict[str, Floats]) -> Floats:
    """The weighted log likelihood of all games under each draw of the parameters, shape (draw,)."""
    if declared.outcome is LIKELIHOOD:
        return own_log_likelihood(declared.model, len(declared.rows), p) @ declared.cells.weight.sum(axis=1)
    try:
        return log_likelihood(declared, numbers_of(declared, parameters=False), p)
    except (NotAffineError, NoLoopError):
        read = reader_of(declared).at(p, declared.rows)
        weight, margin = declared.cells.weight, declared.rows.margin
        blocks = (read.under(some).log_likelihood(margin) for _, some in parts(p, len(declared.rows)))
        return np.concatenate([np.tensordot(value, weight, axes=([1, 2], [0, 1])) for value in blocks])


def _own_by_game(declared: Declared, p: Mapping[str, Floats]) -> Floats:
    """Log density of a likelihood of PyMC's own of each game, (draw, game)."""
    return own_log_likelihood(declared.model, len(declared.rows), p)[:, declared.cells.cell_of_game]


def assemble(
    declared: Declared,
    posterior: xr.Dataset,
    statistics: xr.Dataset,
    settings: dict[str, Any],
    pointwise_draws: int | None = None,
    edited: Edits | None = None,
    total: Floats | None = None,
    diagnosis: Diagnosis | None = None,
) -> xr.DataTree:
    """Trace of a declared model, with the data to assess and repeat it; total (chain, draw)."""
    selection = declared.selection
    fixed = location_fixed_by(declared)
    edited = edits(declared) if edited is None else edited
    posterior = with_computed(with_fixed(posterior, declared, edited), declared)
    if "rating_elo" not in posterior:
        posterior = posterior.assign(ratings_in_elo(declared, posterior))
    posterior, level = centre_ratings(posterior, selection, fixed)
    chains, draws = posterior.sizes["chain"], posterior.sizes["draw"]
    if edited.likelihood:
        total = all_games(declared, draws_of(posterior)).reshape(chains, draws)
    if total is not None:
        statistics = statistics.assign(log_likelihood_total=(("chain", "draw"), total))
    groups = {
        "posterior": posterior,
        "sample_stats": statistics,
        "observed_data": xr.Dataset({"score": ("game", selection.games.score)}),
        "constant_data": constant_data(declared),
    }
    row_per_game = not declared.cells.further.size  # else a game is more than one row of the likelihood
    finished = declared.alone and not edited.weights and "rating_elo" in posterior
    if (edited.pointwise or finished) and row_per_game and (pointwise_draws is None or pointwise_draws > 0):
        outcome, reading, rows = selection.games.outcome, reading_from(declared, posterior), declared.game_rows
        if finished:
            reading = replace(reading, worth=worth_in(declared, reading))
            rows = replace(rows, at_end=(selection.white, selection.black))
        own_density = None if declared.outcome is not LIKELIHOOD else lambda p: _own_by_game(declared, p)
        by_game = likelihood_of_games(reading, posterior, rows, outcome, pointwise_draws, own_density)
        groups[group_of(selection.weighting, by_game, posterior)] = by_game
    independent = settings.get("sampler") == "normal"
    diagnosis = diagnosis or diagnose(posterior, statistics, not fixed, independent)
    tree = xr.DataTree.from_dict({name: xr.DataTree(with_units(dataset, name)) for name, dataset in groups.items()})
    tree.attrs = (
        attributes_of(declared, posterior)
        | level
        | _edited_attributes(declared, edited, total is not None, "rating_elo" in posterior)
        | diagnosis.as_record
        | {"min_ebfmi": diagnosis.min_ebfmi}
        | settings
    )
    return tree
