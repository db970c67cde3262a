r"""Simulation-based calibration: fits recover simulated parameters, on average over the prior.

    theta ~ prior,   games ~ model(theta),   draws ~ posterior(games)   =>   rank of theta among the draws is uniform

A wrong formula, a wrong sign, a sampler that fails or a normal approximation wrongly judged reliable distorts the
distribution of ranks. Priors must be proper enough to simulate from. Each simulation swaps the weights of the model's
cells; no model is compiled. Half-point models are simulated without draws, for which their likelihood is a
distribution.

Ranks are among RANKED draws of every fit: every N-th draw of chains, nearly independent, or each weighted draw once,
with copies last, since copies move the rank together.

For a user's file theta comes from the posterior of its games, further games are simulated from theta as they were
played, and the fit uses both (Säilynoja, Schmitt, Bürkner and Vehtari 2025, Posterior SBC, arXiv 2502.03279): the ranks
are uniform again, and the prior need be no narrower than it is.

If no rating fixes the level, the mean over the players is subtracted from strengths before they are ranked. Ranks of
the strengths themselves would show the prior of the level alone, hundreds of times as wide as the information in games,
and hide faults of strengths.

Talts, Betancourt, Simpson, Vehtari & Gelman (2018) arXiv 1804.06788; Modrak et al. (2023) Bayesian Anal. 20:461.
Simultaneous bands for all ranks: Saeilynoja, Buerkner & Vehtari (2022) Stat. Comput. 32:32, from ArviZ.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.inference.effort_limits import SIMULATIONS, Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.location import is_location_fixed
from halfpoint.inference.observed_simulations import ObservedSimulations
from halfpoint.models.declaration.declared import Declared, share_reading
from halfpoint.models.games.ranges import SEED, Range
from halfpoint.models.games.table import Floats
from halfpoint.models.reading.prior_draws import PriorDraws

SHORT = Effort(draws=250, tune=300, chains=2, cores=2)
EFFORT = {"auto": Effort(), "normal": Effort(), "nuts": SHORT}  # by method; normal draws are as many as those of `rate`
RANKED = 100  # draws that the truth is ranked among
_BAND_SIMULATIONS = 20_000  # simulations for the simultaneous band


@dataclass(frozen=True, eq=False)
class Experiment:
    """Model, parameters and design of a calibration by simulation."""

    # the model on a design: who meets whom how often, with priors that can be simulated from; results are not used
    declared: Declared
    names: tuple[str, ...]  # parameters whose ranks are taken
    # a prior draw of all parameters to the probabilities of the cells, shape (cell, outcome). Where this is not the
    # model's own formula, calibration must fail.
    probability: Callable[[Mapping[str, object]], Floats]
    # a prior draw and a generator to margins of the cells, one game each, for models of margins
    margins: Callable[[Mapping[str, object], np.random.Generator], Floats] | None = None

    # posterior draws of all parameters, (draw, ...), the prior where it is None; and the weights of the games that gave
    # them, (cell, outcome), 0 where there were none
    posterior: Mapping[str, Floats] | None = None
    observed: Floats | float = 0.0
    simulations: ObservedSimulations | None = None  # of a likelihood of PyMC's own, which gives more than outcomes

    @cached_property
    def prior(self) -> PriorDraws:
        """Prior of the model, made once for all simulations."""
        return PriorDraws(self.declared.model)

    @cached_property
    def design(self) -> Declared:
        """Declared model with only the results from which truths are drawn, read once for all simulations."""
        even = self.declared.cells.weight.mean(axis=1, keepdims=True).repeat(3, axis=1)
        return replace(self.declared, cells=replace(self.declared.cells, weight=even + self.observed))

    def truth(self, rng: np.random.Generator) -> Mapping[str, object]:
        """Parameters to simulate from, one draw."""
        if self.posterior is None:
            return self.prior.one(rng)
        drawn = rng.integers(len(next(iter(self.posterior.values()))))
        return {name: value[drawn] for name, value in self.posterior.items()}


@dataclass(frozen=True, eq=False)
class Ranks:
    """Ranks of the truth among posterior draws."""

    # (simulation,): by scalar parameter, for example "advantage" or "strength[2]"; from 0 to `draws`
    rank: dict[str, npt.NDArray[np.int64]]
    draws: int  # draws that the truth was ranked among
    divergences: int = 0  # divergent transitions of all fits; ranks of a sampler that diverges are not to be trusted
    # (simulation,): whether normal draws were taken and believed. Since that is a matter of the games, ranks of these
    # simulations alone are uniform, too, unless draws are believed by luck.
    normal: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    def curves(self, probability: float = 0.99, seed: int = 1) -> dict[str, Floats]:
        """Points from 0 to 1, share of ranks below each, and both ends of the simultaneous band, by parameter."""
        rng = np.random.default_rng(seed)
        result = {}
        for name, rank in self.rank.items():
            uniform = np.sort((rank + rng.random(rank.size)) / (self.draws + 1))
            points, lower, upper = _band(rank.size, probability)
            share = np.searchsorted(uniform, points, side="right") / rank.size
            result[name] = np.stack([points, share, lower, upper])
        return result

    def outside(self, probability: float = 0.99) -> dict[str, float]:
        """Largest distance of the distribution of ranks outside the simultaneous band, 0 if inside, by parameter."""
        return {
            name: float(max(np.max(share - upper), np.max(lower - share), 0.0))
            for name, (_, share, lower, upper) in self.curves(probability).items()
        }


def join_ranks(parts: Sequence[Ranks]) -> Ranks:
    """The ranks of several runs of the same experiment as one."""
    names = parts[0].rank
    ranks = {name: np.concatenate([part.rank[name] for part in parts]) for name in names}
    normal = np.concatenate([part.normal for part in parts])
    return Ranks(ranks, parts[0].draws, sum(part.divergences for part in parts), normal)


@cache
def _band(simulations: int, probability: float) -> tuple[Floats, Floats, Floats]:
    """Points and simultaneous band for the distribution of a uniform sample, by ArviZ."""
    points = np.arange(1, simulations) / simulations
    rng = np.random.default_rng(214)
    from arviz_stats.ecdf_utils import get_pointwise_confidence_band, simulate_confidence_bands

    pointwise = simulate_confidence_bands(simulations, 1, points, probability, _BAND_SIMULATIONS, rng)
    lower, upper = get_pointwise_confidence_band(pointwise, simulations, points)
    return points, lower, upper


def _fit_experiment(experiment: Experiment, weight: Floats, method: str, effort: Effort) -> xr.DataTree:
    """Trace of an experiment for given weights of its cells and, for margins, given margins."""
    design, declared = experiment.design, experiment.declared
    if experiment.margins is not None:
        outcome = np.sign(np.rint(weight)).astype(np.int64) + 1
        design = declared = replace(declared, rows=replace(declared.rows, margin=weight))
        weight = np.eye(3)[outcome]
    declared = replace(declared, cells=replace(declared.cells, weight=weight))
    share_reading(design, declared)  # coordinates are read once, of no results
    return fit(declared, method, effort, pointwise_draws=0, adapt="steps")


def calibrate(
    experiment: Experiment,
    simulations: int,
    seed: int,
    part: range | None = None,
    method: str = "nuts",
    effort: Effort | None = None,
) -> Ranks:
    """Rank prior draws among the posterior draws of games simulated from them.

    `part` are the simulations to run now, by default all; the result of a simulation does not depend on `part`.
    `method` is the calibrated method ("auto", "normal", "nuts"), with its effort from `EFFORT` by default. If chains
    diverge, steps are made smaller by the rule of `sample`, without more draws. Arguments out of range raise
    `InferenceError`.
    """
    Range(1, int(SIMULATIONS.most)).require("simulations", simulations, InferenceError)
    if method not in EFFORT:
        raise InferenceError(f"method: expected {' | '.join(EFFORT)}, found {method!r}")
    effort = replace(effort or EFFORT[method], seed=seed)
    effort.require()
    count = min(RANKED // effort.chains, effort.draws) * effort.chains
    games = np.rint(experiment.declared.cells.weight.sum(axis=1)).astype(np.int64)
    ranks: dict[str, list[int]] = {}
    normal, divergences = list[bool](), 0
    for simulation in part if part is not None else range(simulations):
        rng = np.random.default_rng([seed, simulation])
        own_effort = replace(effort, seed=(seed + simulation) % int(SEED.most))
        if experiment.simulations is not None:
            parameters, declared = experiment.simulations.one(rng)
            tree = fit(declared, method, own_effort, pointwise_draws=0, adapt="steps")
        else:
            parameters = experiment.truth(rng)
            if experiment.margins is not None:
                weight = experiment.margins(parameters, rng)
            else:
                weight = np.add(experiment.observed, rng.multinomial(games, experiment.probability(parameters)))
            tree = _fit_experiment(experiment, weight, method, own_effort)
        divergences += int(tree.attrs["divergences"])
        normal.append(tree.attrs.get("method") == "normal" and bool(tree.attrs["converged"]))
        drawn = tree["posterior"].sizes["chain"], tree["posterior"].sizes["draw"]
        chosen = once(tree, count) if tree.attrs.get("resampled") else even_indices(*drawn, count)
        truth = {name: parameters[name] for name in experiment.names}
        free = "" if is_location_fixed(tree) else experiment.declared.strength
        for label, rank in count_below(tree["posterior"], truth, chosen, free):
            ranks.setdefault(label, []).append(rank)
    return Ranks({name: np.asarray(values) for name, values in ranks.items()}, count, divergences, np.asarray(normal))


def even_indices(chains: int, draws: int, count: int) -> npt.NDArray[np.int64]:
    """Indices of draws to keep, evenly spaced in each chain."""
    per_chain = -(-count // chains)
    places = np.arange(per_chain) * (draws // per_chain)
    return np.asarray((np.arange(chains)[:, None] * draws + places).ravel()[:count])


def once(tree: xr.DataTree, count: int) -> npt.NDArray[np.int64]:
    """Indices of resampled draws to keep: each once, in their random order, then copies."""
    mark = tree["sample_stats"]["log_likelihood_total"].to_numpy().ravel()
    copy = np.ones(mark.size, dtype=np.bool_)
    copy[np.unique(mark, return_index=True)[1]] = False
    return np.argsort(copy, kind="stable")[:count]


def count_below(
    posterior: Any, truth: Mapping[str, Any], indices: npt.NDArray[np.int64], free: str = ""
) -> Iterator[tuple[str, int]]:
    """Number of kept draws below each number of the truth; `free` names the strengths if their level is free."""
    for name, value in truth.items():
        draws = posterior[name].transpose("chain", "draw", ...).to_numpy()
        draws = draws.reshape(-1, *draws.shape[2:])[indices]
        if name == free:
            value, draws = value - value.mean(axis=0), draws - draws.mean(axis=1, keepdims=True)
        count = (draws.reshape(indices.size, -1) < np.ravel(value)).sum(axis=0).tolist()
        labels = [name] if len(count) == 1 else [f"{name}[{k}]" for k in range(len(count))]
        yield from zip(labels, count, strict=True)
