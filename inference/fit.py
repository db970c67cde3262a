r"""Fit a declared model by the requested method; every method returns the same kind of trace.

Traces of an approximation have `approximate`, `method`, `pareto_k` and `effective_draws`. `converged` is 1 if weights
are reliable: then draws have been resampled with them (`resampled`, `distinct_draws`) and count equally. With more than
a million games a trace contains posterior and sample_stats only: the games and their likelihoods would be gigabytes.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import xarray as xr

from halfpoint.inference.diagnostics.convergence import FREE_LEVEL, Diagnosis, diagnose, judged_numbers
from halfpoint.inference.diagnostics.importance_ratios import Importance
from halfpoint.inference.effort_limits import (
    COPIES_OF_NORMAL,
    LONG,
    METHODS,
    Effort,
    Sampler,
    require_memory,
    values_of,
)
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import WeightedDraws, gaussian_draws
from halfpoint.inference.gaussian.moves import INTERRUPTED, Moves
from halfpoint.inference.location import centre_ratings, is_location_fixed, location_fixed_by
from halfpoint.inference.sample import all_games, as_declared, assemble, require_values, sample
from halfpoint.inference.traces.trace_record import attributes_of
from halfpoint.inference.traces.variable_attributes import described_trace
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import ratings_in_elo
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.declaration.trace_attributes import THINNING
from halfpoint.models.games.components import unbounded_players
from halfpoint.models.games.table import Floats
from halfpoint.models.rhat_ess import rhat_and_ess

_WHOLE_GAMES = 1_000_000

_PARTS = 16  # of the numbers that a verdict judges one after another
_HELD, _FEWEST = 6_000_000, 480  # numbers that draws of a walk hold with their coordinates; draws at least


def named_draws(declared: Declared, p: dict[str, Floats], chains: int) -> xr.Dataset:
    """Variables of a trace from parameters of shape (chain * draw, ...), distributed over chains."""
    draws = len(next(iter(p.values()))) // chains
    named_dims = {law.name: law.dims for law in declared.laws}
    dims = {name: named_dims.get(name) or tuple(f"{name}_dim_{k}" for k in range(x.ndim - 1)) for name, x in p.items()}
    named = {
        name: (("chain", "draw", *dims[name]), value.reshape(chains, draws, *value.shape[1:]))
        for name, value in p.items()
    }
    labels = {dim: list(declared.coords[dim]) for name in p for dim in dims[name] if dim in declared.coords}
    players = {"player": declared.cells.players.astype(object)}
    return xr.Dataset(named, coords={"chain": np.arange(chains), "draw": np.arange(draws)} | labels | players)


def _round_player_values(value: xr.DataArray) -> xr.DataArray:
    """Round values of players, also in contexts, to single precision, far below the error of the draws."""
    rounded = any(str(dim).partition(":")[0] == "player" for dim in value.dims)
    return value.astype(np.float32, copy=False).astype(value.dtype, copy=False) if rounded else value


def approximate_trace(
    declared: Declared,
    posterior: xr.Dataset,
    weights: Importance,
    faults: Sequence[str],
    settings: dict[str, object],
    pointwise_draws: int | None,
) -> xr.DataTree:
    """Trace of the draws of a normal approximation; faults list why they are not reliable."""
    chains, draws = posterior.sizes["chain"], posterior.sizes["draw"]
    statistics = xr.Dataset(coords={"chain": posterior["chain"], "draw": posterior["draw"]})
    if len(declared.selection) > _WHOLE_GAMES:
        total = all_games(declared, draws_of(posterior)).reshape(chains, draws)
        statistics = statistics.assign(log_likelihood_total=(("chain", "draw"), total))
        short = posterior.astype(np.float32)
        short, level = centre_ratings(
            short.assign(ratings_in_elo(declared, short)), declared.selection, location_fixed_by(declared)
        )
        tree = described_trace(xr.DataTree.from_dict({"posterior": short, "sample_stats": statistics}))
        tree.attrs = attributes_of(declared, posterior) | level | settings
    else:
        tree = assemble(declared, posterior, statistics, settings, pointwise_draws)
        tree["posterior"] = xr.DataTree(tree["posterior"].to_dataset().map(_round_player_values))
    tree.attrs |= {
        "approximate": int(bool(faults)),
        "method": "normal",
        "pareto_k": weights.pareto_k,
        "effective_draws": weights.effective,
        "verdict": f"APPROXIMATE (normal), {'; '.join(faults)}: compare with NUTS",
        "converged": int(not faults),
    }
    if "resampled" in settings:  # repeated draws count less than their number
        worth = {"min_ess_bulk", "min_ess_tail"} & tree.attrs.keys()
        tree.attrs |= {name: min(tree.attrs[name], tree.attrs["effective_draws"]) for name in worth}
    return tree


FURTHER = ("progress", "adapt", "groups")  # settings of NUTS that are no effort


def fit(
    declared: Declared,
    method: str = "nuts",
    effort: Effort = LONG,
    pointwise_draws: int | None = None,
    say: Callable[[str], None] = lambda line: None,
    times: int = 1,
    *,
    progress: bool | None = None,
    adapt: bool | Literal["steps"] | None = None,
    groups: Sequence[str] | None = None,
    draws: int | None = None, tune: int | None = None, chains: int | None = None, seed: int | None = None,
    sampler: Sampler | None = None, cores: int | None = None,
) -> xr.DataTree:  # fmt: skip
    """Fit a declared model and return its trace.

    Parameters
    ----------
    declared : Declared
        From `halfpoint.models.declaration.catalogue.declare`.
    method : {"auto", "normal", "nuts"}
        Independent draws of a normal approximation with exact weights (normal, see `halfpoint.inference.gaussian`),
        sampling (nuts), or normal if it passes its checks and else nuts (auto). If an approximation fails its checks,
        the trace's attributes `approximate`, `method`, `pareto_k` and `verdict` record it.
    effort : Effort
        Amount of sampling. Approximations divide independent draws among the chains, without tuning.
    pointwise_draws : int or None
        Number of draws for which the log likelihood of each game is kept, 0 for none; by default as in `sample`.
    say : callable
        Called with a line when auto turns to sampling, with the reason; ignored by default.
    times : int
        Factor by which independent draws, which are cheap, outnumber the requested draws.
    progress, adapt, groups
        As in `halfpoint.inference.sample.sample`, for methods auto and nuts.
    draws, tune, chains, seed, sampler, cores
        Settings that replace those of `effort`; sampler and cores for methods auto and nuts.

    Returns
    -------
    xarray.DataTree

    Raises
    ------
    InferenceError
        If the method is unknown, a setting is out of its range, the draws would not fit in memory, or the normal
        approximation is requested but does not fit the model: it was edited, or a part does not state its prior.
    """
    declared = as_declared(declared)
    if method not in METHODS:
        raise InferenceError(f"method: expected {' | '.join(METHODS)}, found {method!r}")
    named = {"progress": progress, "adapt": adapt, "groups": groups, "sampler": sampler, "cores": cores}
    further = {name: value for name, value in named.items() if value is not None and name in FURTHER}
    of_nuts = next((name for name in ("groups", "sampler", "cores") if named[name] is not None), None)
    if of_nuts is not None and method == "normal":
        raise InferenceError(f"{of_nuts}: expected for method nuts only, found with {method}")
    effort = effort.with_settings(draws, tune, chains, seed, sampler, cores)
    effort.require(*(("tune",) if method == "normal" else ()))
    if method == "normal":
        effort = replace(effort, tune=0)
    if method == "nuts":
        require_memory(declared, effort, pointwise_draws)
    else:  # of walks fewer are kept; NUTS looks for itself where these draws are not believed
        stored_effort = replace(effort, draws=_kept_draws(declared, effort) // effort.chains, tune=0)
        require_memory(declared, stored_effort, pointwise_draws, COPIES_OF_NORMAL)
    require_values(declared)
    return _fit_best(declared, method, effort, pointwise_draws, say, times, further)


def _kept_draws(declared: Declared, effort: Effort, times: int = 1) -> int:
    """Number of draws of an approximation: `times` the request, or for a walk as many as fit a file of 25 MB."""
    requested = times * effort.draws
    most = max(_FEWEST, _HELD // values_of(declared)) if declared.moves else requested * effort.chains
    return min(requested, -(-most // effort.chains)) * effort.chains


def _fit_best(
    declared: Declared,
    method: str,
    effort: Effort,
    pointwise_draws: int | None,
    say: Callable[[str], None],
    times: int,
    nuts: dict[str, Any],
) -> xr.DataTree:
    """Weighted normal draws, or NUTS if these are unreliable and the method is automatic."""
    why = ""
    if method != "nuts":
        start, judged = time.perf_counter(), _Judge(declared)
        try:
            draws = gaussian_draws(declared, _kept_draws(declared, effort, times), effort.seed, judged, say)
        except InferenceError as error:
            if method == "normal":
                raise
            why = str(error).removesuffix(" Use method nuts.").removesuffix(".")
        else:
            settings = replace(effort, tune=0).as_record | {"seconds_sample": time.perf_counter() - start}
            record = settings | {"asked": method}
            if isinstance(draws, Moves):
                return _with_moves(declared, draws, record, pointwise_draws, judged.diagnosis_of(draws))
            if method == "normal" or not draws.faults or draws.weights.absence:
                return _with_normal(declared, draws, record | {"sampler": "normal"}, pointwise_draws)
            why = f"normal draws fail their checks ({draws.faults[0]})"
        say(f"NUTS, which takes longer: {effort.chains} chains of {effort.tune} tuning and {effort.draws} kept draws")
    tree = sample(declared, effort, pointwise_draws=pointwise_draws, **nuts)
    said = "; ".join(filter(None, (why and f"NUTS, since {why}", tree.attrs["sampling"])))
    if method != "nuts":
        tree.attrs |= {"method": "nuts", "asked": method, "sampling": said}
    return tree


class _Judge:
    """Verdict on moves by the reported quantities, as for NUTS.

    The numbers are judged in parts until one fails, which is the first to be judged again.
    """

    def __init__(self, declared: Declared) -> None:
        self.declared, self.free_level = declared, not location_fixed_by(declared)
        self.last: tuple[Moves | None, Diagnosis | None] = None, None
        self.failed = 0  # the part that failed

    def __call__(self, moves: Moves) -> bool:
        """True if draws converged."""
        posterior, statistics = self._reported(moves)
        numbers, figures = judged_numbers(posterior, self.free_level), list[Floats]()
        for part in sorted(range(_PARTS), key=lambda part: part != self.failed):
            figures.append(np.concatenate([rhat_and_ess(values[part::_PARTS]) for values in numbers], axis=1))
            if figures[-1].size and not diagnose(posterior, statistics, figures=figures[-1]).converged:
                self.failed = part
                return False
        figures_of_all = np.concatenate(figures, axis=1)
        self.last = moves, diagnose(posterior, statistics, self.free_level, figures=figures_of_all)
        return True

    def diagnosis_of(self, moves: Moves) -> Diagnosis:
        """Diagnosis of draws."""
        last, diagnosis = self.last
        if diagnosis is None or last is None or last.z is not moves.z:
            diagnosis = diagnose(*self._reported(moves), self.free_level)
        return diagnosis

    def _reported(self, moves: Moves) -> tuple[xr.Dataset, xr.Dataset]:
        """Variables of a trace with ratings in Elo points, and statistics."""
        posterior, statistics = _posterior_of(self.declared, moves)
        return posterior.assign(ratings_in_elo(self.declared, posterior)), statistics


def _posterior_of(declared: Declared, moves: Moves) -> tuple[xr.Dataset, xr.Dataset]:
    """Variables of a trace from moves, and statistics of each draw; columns are chains."""
    posterior = named_draws(declared, declared.layout.named(moves.values), len(moves.z))
    statistics = {"diverging": moves.divergent, "acceptance_rate": moves.accepted}
    named = {name: (("chain", "draw"), value) for name, value in statistics.items()}
    return posterior, xr.Dataset(named, coords={"chain": posterior["chain"], "draw": posterior["draw"]})


def _with_moves(
    declared: Declared, moves: Moves, settings: dict[str, object], pointwise_draws: int | None, diagnosis: Diagnosis
) -> xr.DataTree:
    """Trace of moves with their verdict."""
    posterior, statistics = _posterior_of(declared, moves.thinned)
    sizes = posterior.sizes
    shape = {"chains": sizes["chain"], "draws": sizes["draw"], "tune": moves.tuned, "sampler": "moves"}
    shape |= {THINNING: moves.thinning} if moves.thinning > 1 else {}  # a reopened trace keeps its verdict
    account = f"moves around the closest normal, {shape['chains']} columns of {moves.sweeps:,} sweeps"
    tree = assemble(declared, posterior, statistics, settings | shape, pointwise_draws, diagnosis=diagnosis)
    tree["posterior"] = xr.DataTree(tree["posterior"].to_dataset().map(_round_player_values))
    tree.attrs |= {"method": "moves", "sampling": account}
    if moves.stopped:
        tree.attrs["verdict"] += f"; {moves.stopped}"
    _say_separated(tree, declared)
    return tree


def is_interrupted(tree: xr.DataTree) -> bool:
    """True if an interrupt (Ctrl-C) ended the sampling of a trace."""
    return INTERRUPTED in tree.attrs["verdict"]


def _with_normal(
    declared: Declared, draws: WeightedDraws, settings: dict[str, Any], pointwise_draws: int | None
) -> xr.DataTree:
    """Trace of weighted normal draws, resampled by their weights if these are usable."""
    v = draws.v
    if draws.weights.trusted:
        v, indices = draws.resampled(settings["seed"])
        settings = settings | {"resampled": 1, "distinct_draws": int(np.unique(indices).size)}
    posterior = named_draws(declared, declared.layout.named(v), settings["chains"])
    tree = approximate_trace(declared, posterior, draws.weights, draws.faults, settings, pointwise_draws)
    if not draws.faults:
        free = f" ({FREE_LEVEL})" if not is_location_fixed(tree) else ""
        tree.attrs["verdict"] = f"converged: {draws.account}{free}"
    tree.attrs["sampling"] = f"normal approximation, {draws.account}"
    _say_separated(tree, declared)
    return tree


def _say_separated(tree: xr.DataTree, declared: Declared) -> None:
    """Record in a trace, and in its verdict, the players bounded by the prior only; margins bound all players."""
    unbounded = unbounded_players(declared.cells) & (declared.outcome.margin is None)
    names = declared.cells.players[unbounded].tolist()
    tree.attrs["separated"] = len(names)
    if names:
        said = ", ".join(map(str, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        tree.attrs["verdict"] += (
            f"; separated: {said} (all won or all lost against the others), bounded by the prior only"
        )
