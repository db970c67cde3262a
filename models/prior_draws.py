"""Draws from the priors of a model, by its graph: what is declared there is what is drawn, edits included."""

from collections.abc import Iterator

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.models.graph.layout import HIDDEN, LATENT
from halfpoint.models.graph.pymc_import import interpreted, pm


class PriorDraws:
    """The variables of a graph that a trace keeps, as its priors draw them."""

    def __init__(self, graph: "pm.Model") -> None:
        self.graph = graph
        shown = [one for one in (*graph.deterministics, *graph.free_RVs) if not one.name.endswith((LATENT, HIDDEN))]
        self.names = [str(one.name) for one in shown]
        self.next, self.chance = pm.pytensorf.compile([], shown, mode=interpreted(), return_updates=True)

    def each(self, seed: int) -> Iterator[dict[str, Floats]]:
        """Yield draws without end, values by name, the same ones for the same seed."""
        pm.pytensorf.reseed_rngs(list(self.chance), seed)
        while True:
            yield dict(zip(self.names, map(np.asarray, self.next()), strict=True))

    def one(self, rng: np.random.Generator) -> dict[str, Floats]:
        """One draw."""
        return next(self.each(int(rng.integers(2**31))))

    def several(self, count: int, seed: int) -> xr.Dataset:
        """Draws with the dims of a posterior, `draw` first."""
        dims, every = self.graph.named_vars_to_dims, self.each(seed)
        drawn = [next(every) for _ in range(count)]
        values: dict[str, tuple[tuple[str, ...], Floats]] = {
            name: (("draw", *map(str, dims.get(name, ()))), np.stack([one[name] for one in drawn]))
            for name in self.names
        }
        known = {str(dim) for name in self.names for dim in dims.get(name, ())}
        return xr.Dataset(values, coords={dim: list(self.graph.coords[dim]) for dim in known} | {"draw": range(count)})
