r"""Simulation-based calibration: what is simulated is found again, on average over the prior.

    theta ~ prior,   games ~ model(theta),   draws ~ posterior(games)   =>   rank of theta among the draws is uniform

A wrong formula, a wrong sign or a sampler that cannot cope bends the distribution of ranks. Priors must be proper
enough to simulate from. Each simulation swaps the weights of the model's cells; nothing is compiled. What diverges is
sampled again with smaller steps, by the rule of `halfpoint.inference.sample`; the draws stay as many, since ranks are
taken among equally many. Half-point models are simulated without draws, for which their likelihood is a distribution.

Talts, Betancourt, Simpson, Vehtari & Gelman (2018) arXiv 1804.06788; Modrak et al. (2023) Bayesian Anal. 20:461. Bands
that hold for all ranks at once: Saeilynoja, Buerkner & Vehtari (2022) Stat. Comput. 32:32, from ArviZ.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.games.ranges import Range
from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import Fit, Fitter
from halfpoint.inference.limits import SIMULATIONS, Effort
from halfpoint.models.declared import Declared
from halfpoint.models.prior_draws import PriorDraws

SHORT = Effort(draws=250, tune=300, chains=2, cores=2)
BAND_SIMULATIONS = 20_000  # simulations behind the simultaneous band


@dataclass(frozen=True, eq=False)
class Experiment:
    """What is simulated and fitted."""

    # the model on a design: who meets whom how often, with priors that can be simulated from; results are not used
    declared: Declared
    names: tuple[str, ...]  # parameters whose ranks are taken
    # a prior draw of all parameters to the probabilities of the cells, shape (cell, outcome). Where this is not the
    # model's own formula, calibration must fail.
    probability: Callable[[Mapping[str, Any]], Floats]
    # a prior draw and a generator to margins of the cells, one game each, for models of margins
    margins: Callable[[Mapping[str, Any], np.random.Generator], Floats] | None = None


@dataclass(frozen=True, eq=False)
class Ranks:
    """Ranks of the truth among posterior draws."""

    # (simulation,): by scalar parameter, for example "advantage" or "strength[2]"; from 0 to `draws`
    rank: dict[str, npt.NDArray[np.int64]]
    draws: int  # draws that the truth was ranked among
    divergences: int = 0  # divergent transitions of all fits; ranks of a sampler that diverges are not to be trusted

    def curves(self, probability: float = 0.99, seed: int = 1) -> dict[str, Floats]:
        """Return by parameter the distribution of ranks and its simultaneous band.

        Points from 0 to 1, share of ranks below each, lower and upper end of the band.
        """
        rng = np.random.default_rng(seed)
        result = {}
        for name, rank in self.rank.items():
            uniform = np.sort((rank + rng.random(rank.size)) / (self.draws + 1))
            points, lower, upper = band(rank.size, probability)
            share = np.searchsorted(uniform, points, side="right") / rank.size
            result[name] = np.stack([points, share, lower, upper])
        return result

    def outside(self, probability: float = 0.99, seed: int = 1) -> dict[str, float]:
        """Return by parameter how far the distribution of ranks leaves the simultaneous band, 0 where it never does."""
        return {
            name: float(max(np.max(share - upper), np.max(lower - share), 0.0))
            for name, (_, share, lower, upper) in self.curves(probability, seed).items()
        }


def join_ranks(parts: Sequence[Ranks]) -> Ranks:
    """Return the ranks of several runs of the same experiment as one."""
    names = parts[0].rank
    ranks = {name: np.concatenate([part.rank[name] for part in parts]) for name in names}
    return Ranks(ranks, parts[0].draws, sum(part.divergences for part in parts))


@cache
def band(simulations: int, probability: float) -> tuple[Floats, Floats, Floats]:
    """Return points and the band that a uniform sample's distribution stays inside as a whole, by ArviZ."""
    points = np.arange(1, simulations) / simulations
    rng = np.random.default_rng(214)
    from arviz_stats.ecdf_utils import get_pointwise_confidence_band, simulate_confidence_bands

    pointwise = simulate_confidence_bands(simulations, 1, points, probability, BAND_SIMULATIONS, rng)
    lower, upper = get_pointwise_confidence_band(pointwise, simulations, points)
    return points, lower, upper


def fitted(experiment: Experiment, weight: Floats, effort: Effort) -> Fit:
    """Return the fit of an experiment where its cells weigh this; of margins, where they are these."""
    declared = experiment.declared
    if experiment.margins is not None:
        outcome = np.sign(np.rint(weight)).astype(np.int64) + 1
        declared = replace(declared, rows=replace(declared.rows, margin=weight))
        weight = np.eye(3)[outcome]
    declared = replace(declared, cells=replace(declared.cells, weight=weight))
    return Fitter(declared, effort, careful=True).fit()


def calibrate(
    experiment: Experiment,
    simulations: int,
    seed: int,
    thin: int = 5,
    part: range | None = None,
    **settings: Any,
) -> Ranks:
    """Return the ranks of prior draws among the posterior draws of the games they gave.

    Parameters
    ----------
    experiment : Experiment
        What is simulated and fitted.
    simulations : int
        Number of simulated data sets.
    seed : int
        Seed of everything.
    thin : int
        Keep every n-th draw, so that those kept are nearly independent.
    part : range, optional
        Which of the simulations to do now; all if not given. What each of them gives does not depend on the others.
    **settings
        Of each of two chains: draws (250), tune (300), cores.

    Raises
    ------
    InferenceError
        If there is no simulation, or a setting is out of its range.
    """
    Range(1, int(SIMULATIONS.most)).require("simulations", simulations, InferenceError)
    effort = replace(SHORT, **settings, seed=seed)
    effort.require()
    games = np.rint(experiment.declared.cells.weight.sum(axis=1)).astype(np.int64)
    ranks: dict[str, list[int]] = {}
    divergences, prior = 0, PriorDraws(experiment.declared.model)
    for simulation in part if part is not None else range(simulations):
        rng = np.random.default_rng([seed, simulation])
        one = prior.one(rng)
        if experiment.margins is not None:
            weight = experiment.margins(one, rng)
        else:
            weight = rng.multinomial(games, experiment.probability(one)).astype(np.float64)
        fit = fitted(experiment, weight, replace(effort, seed=seed + simulation))
        divergences += fit.diagnosis.divergences
        for label, rank in below(fit.posterior, {name: one[name] for name in experiment.names}, thin):
            ranks.setdefault(label, []).append(rank)
    kept = 2 * len(range(0, effort.draws, thin))
    return Ranks({name: np.asarray(values) for name, values in ranks.items()}, kept, divergences)


def below(posterior: Any, truth: Mapping[str, Any], thin: int) -> Iterator[tuple[str, int]]:
    """Yield of each number of the truth how many of the draws, every n-th of each chain, are below it."""
    for name, value in truth.items():
        draws = posterior[name].transpose("chain", "draw", ...).to_numpy()[:, ::thin]
        count = (draws.reshape(draws.shape[0] * draws.shape[1], -1) < np.ravel(value)).sum(axis=0).tolist()
        labels = [name] if len(count) == 1 else [f"{name}[{k}]" for k in range(len(count))]
        yield from zip(labels, count, strict=True)
