"""Draws from the priors of a model, by its graph, edits included."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import interpreted, pm, pt
from halfpoint.models.reading.layout import GAMES_NODE, HIDDEN, LATENT
from halfpoint.models.reading.own_likelihoods import observed_by_game

_MORE, _ENOUGH = 20, 100  # times as many draws where potentials weigh them, and effective draws at least


def _dims_of(name: str, dims: Mapping[str, Any], values: Mapping[str, Floats]) -> tuple[str, ...]:
    """Dims of a variable: its own, or numbered ones."""
    found = dims.get(name) or ()
    count = np.ndim(values[name])
    return tuple(map(str, found)) if len(found) == count else tuple(f"{name}_dim_{k}" for k in range(count))


class PriorDraws:
    """Prior draws of the variables of a graph that a trace keeps."""

    def __init__(self, graph: "pm.Model") -> None:
        self.graph = graph
        shown = [one for one in (*graph.deterministics, *graph.free_RVs) if not one.name.endswith((LATENT, HIDDEN))]
        self.shown = shown
        self.names = [str(one.name) for one in shown]
        self.next, self.chance = pm.pytensorf.compile([], shown, mode=interpreted(), return_updates=True)

    def each(self, seed: int) -> Iterator[dict[str, Floats]]:
        """Yield draws without end, values by name, equal for equal seeds."""
        pm.pytensorf.reseed_rngs(list(self.chance), seed)
        while True:
            yield dict(zip(self.names, map(np.asarray, self.next()), strict=True))

    def one(self, rng: np.random.Generator) -> dict[str, Floats]:
        """One draw."""
        return next(self.each(int(rng.integers(2**31))))

    def several(self, count: int, seed: int) -> xr.Dataset:
        """Draws with the dims of a posterior, `draw` first."""
        every = self.each(seed)
        return self.dataset([next(every) for _ in range(count)])

    def dataset(self, drawn: list[dict[str, Floats]]) -> xr.Dataset:
        """Draws by name as variables with their dims."""
        dims = self.graph.named_vars_to_dims
        values: dict[str, tuple[tuple[str, ...], Floats]] = {
            name: (("draw", *_dims_of(name, dims, drawn[0])), np.stack([one[name] for one in drawn]))
            for name in self.names
        }
        known = {str(dim) for name in self.names for dim in dims.get(name, ())}
        coords = {dim: list(self.graph.coords[dim]) for dim in known}
        return xr.Dataset(values, coords=coords | {"draw": range(len(drawn))})


def further_terms(graph: "pm.Model") -> list[tuple[str, Any]]:
    """Terms of a log density besides priors and games, by name: potentials, and other observed variables."""
    from halfpoint.models.reading.games_variable import GamesVariable

    others = [one for one in graph.observed_RVs if one.owner is None or not isinstance(one.owner.op, GamesVariable)]
    if (node := getattr(graph, GAMES_NODE, None)) is not None:  # their likelihood is of the model's own
        own = observed_by_game(graph, len(node.op.games.rows))
        others = [one for one in others if one.name not in own]
    seen = [(str(one.name), pm.logp(one, graph.rvs_to_values[one], warn_rvs=False)) for one in others]
    return [(str(one.name), one) for one in graph.potentials] + seen


def prior_of(graph: "pm.Model", count: int, seed: int) -> xr.Dataset:
    """Draws from all priors of a model, dims as in a posterior, `draw` first, weighted by potentials.

    If the model has potentials, or observes further data than games, more draws are made and resampled by these
    weights.
    """
    from halfpoint.models.errors import ModelError

    found, terms = PriorDraws(graph), further_terms(graph)
    if not terms:
        return found.several(count, seed)
    log = sum(pt.sum(one) for _, one in terms)
    shown = [*found.shown, *(one for one in graph.free_RVs if one not in found.shown)]
    at, chance = pm.pytensorf.compile([], [*shown, log], mode=interpreted(), return_updates=True)
    pm.pytensorf.reseed_rngs(list(chance), seed)
    drawn = [at() for _ in range(_MORE * count)]
    weight = np.array([float(one[-1]) for one in drawn])
    share = np.exp(weight - weight.max())
    effective = share.sum() ** 2 / np.square(share).sum()
    if not effective >= _ENOUGH:
        raise ModelError(
            f"prior: the potentials leave too few prior draws: {effective:.0f} effective "
            f"draws of {len(drawn):,}. Move the potential into a prior."
        )
    rng = np.random.default_rng([seed, 6])
    places = (np.arange(count) + rng.random()) / count * share.sum()
    kept = rng.permutation(np.searchsorted(np.cumsum(share), places, side="right").clip(max=len(drawn) - 1))
    return found.dataset(
        [dict(zip(found.names, map(np.asarray, drawn[k][: len(found.shown)]), strict=True)) for k in kept]
    )
