"""Draws from the priors of a model, by its graph, edits included.

The prior of a variable with the transform `ordered` is its distribution given the order: draws in another order are
rejected.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import xarray as xr

from halfpoint.models.errors import ModelError, in_words
from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Node, interpreted, pm, pt
from halfpoint.models.reading.layout import GAMES_NODE, HIDDEN, LATENT
from halfpoint.models.reading.own_likelihoods import log_densities, observed_by_game

_TRIES = 2000  # draws in a row that are not in order
_MORE, _ENOUGH = 20, 100  # times as many draws where potentials weigh them, and effective draws at least


def _dims_of(name: str, dims: Mapping[str, Sequence[object]], values: Mapping[str, Floats]) -> tuple[str, ...]:
    """Dims of a variable: its own, or numbered ones."""
    named_dims = dims.get(name) or ()
    count = np.ndim(values[name])
    return tuple(map(str, named_dims)) if len(named_dims) == count else tuple(f"{name}_dim_{k}" for k in range(count))


def _is_ordered(graph: "pm.Model") -> Node:
    """Whether all variables with the transform `ordered` are in order."""
    from pymc.distributions.transforms import Ordered  # brings PyMC

    transforms = {rv: graph.rvs_to_transforms[rv] for rv in graph.free_RVs}
    rising = [
        pt.all(pt.diff(rv, axis=-1) > 0)
        for rv, transform in transforms.items()
        if any(isinstance(part, Ordered) for part in getattr(transform, "transform_list", [transform]))
    ]
    return pt.all(pt.stack(rising)) if rising else pt.constant(True)


def _drawn(draw: Callable[[], list[Floats]], variables: Sequence[Node]) -> list[Floats]:
    """One draw; `ModelError` by the name of a variable whose prior has none, as flat priors."""
    try:
        return draw()
    except Exception as error:
        for rv in variables:
            try:
                pm.draw(rv, mode=interpreted())
            except Exception as reason:
                words = in_words(reason).partition(". ")[0]
                fault = f"prior: {rv.name} cannot be sampled ({words}). Give it a proper prior, or random=."
                raise ModelError(fault) from error
        raise


class PriorDraws:
    """Prior draws of the variables of a graph that a trace keeps, and of further ones."""

    def __init__(self, graph: "pm.Model", further: Sequence[Node] = ()) -> None:
        self.graph, self.further = graph, further
        shown = [node for node in (*graph.deterministics, *graph.free_RVs) if not node.name.endswith((LATENT, HIDDEN))]
        self.shown = shown = [*shown, *further]
        self.names = [str(node.name) for node in shown]
        outputs = with_observed(graph, [*shown, _is_ordered(graph)])
        self.next, self.chance = pm.pytensorf.compile([], outputs, mode=interpreted(), return_updates=True)

    def each(self, seed: int) -> Iterator[dict[str, Floats]]:
        """Yield draws without end, values by name, equal for equal seeds."""
        pm.pytensorf.reseed_rngs(list(self.chance), seed)
        refused = 0
        while refused < _TRIES:
            *values, is_ordered = _drawn(self.next, [*self.graph.free_RVs, *self.further])
            refused = 0 if is_ordered else refused + 1
            if is_ordered:
                yield dict(zip(self.names, map(np.asarray, values), strict=True))
        raise ModelError(f"prior: {_TRIES:,} draws were not in order. Order the means of the ordered variable.")

    def one(self, rng: np.random.Generator) -> dict[str, Floats]:
        """One draw."""
        return next(self.each(int(rng.integers(2**31))))

    def several(self, count: int, seed: int) -> xr.Dataset:
        """Draws with the dims of a posterior, `draw` first."""
        draws = self.each(seed)
        return self.dataset([next(draws) for _ in range(count)])

    def dataset(self, drawn: list[dict[str, Floats]]) -> xr.Dataset:
        """Draws by name as variables with their dims."""
        dims = self.graph.named_vars_to_dims
        values: dict[str, tuple[tuple[str, ...], Floats]] = {
            name: (("draw", *_dims_of(name, dims, drawn[0])), np.stack([draw[name] for draw in drawn]))
            for name in self.names
        }
        used_dims = {str(dim) for name in self.names for dim in dims.get(name, ())}
        coords = {dim: list(self.graph.coords[dim]) for dim in used_dims}
        return xr.Dataset(values, coords=coords | {"draw": range(len(drawn))})


def beside_games(graph: "pm.Model") -> dict[Node, Node]:
    """Observed variables other than games with their values, such as the known part of a table with gaps."""
    from halfpoint.models.reading.games_variable import GamesVariable

    observed = [rv for rv in graph.observed_RVs if rv.owner is None or not isinstance(rv.owner.op, GamesVariable)]
    if (node := getattr(graph, GAMES_NODE, None)) is not None:  # their likelihood is of the model's own
        by_game = observed_by_game(graph, len(node.op.games.rows))
        observed = [rv for rv in observed if rv.name not in by_game]
    return {rv: graph.rvs_to_values[rv] for rv in observed}


def further_terms(graph: "pm.Model") -> list[tuple[str, Node]]:
    """Terms of a log density besides priors and games, by name: potentials, and other observed variables."""
    observed = beside_games(graph)
    logs = log_densities(graph, observed)
    observed_terms = [(str(rv.name), log) for rv, log in zip(observed, logs, strict=True)]
    return [(str(potential.name), potential) for potential in graph.potentials] + observed_terms


def with_observed(graph: "pm.Model", nodes: Sequence[Node]) -> list[Node]:
    """Nodes with the values of observed variables other than games in place of their draws."""
    from pytensor.graph.replace import graph_replace

    values = {rv: rv.type.filter_variable(value) for rv, value in beside_games(graph).items()}
    return list(graph_replace(list(nodes), values, strict=False)) if values else list(nodes)


def _require_effective(drawn: list[list[Floats]], least: float, terms: list[tuple[str, Node]]) -> Floats:
    """Weights of draws, whose last value is the log weight; `ModelError` by the terms if few draws have any."""
    log = np.array([float(values[-1]) for values in drawn])
    share: Floats = np.exp(log - max(log.max(), np.finfo(np.float64).min))
    effective = share.sum() ** 2 / max(np.square(share).sum(), np.finfo(np.float64).tiny)
    if effective >= least:
        return share
    names = ", ".join(name for name, _ in terms)
    raise ModelError(
        f"prior: too few prior draws agree with {names}: {len(drawn):,} draws have the effective size {effective:.0f}. "
        "Narrow the priors of the parameters on which it depends, or fit without the prior."
    )


def prior_of(graph: "pm.Model", count: int, seed: int) -> xr.Dataset:
    """Draws from all priors of a model, dims as in a posterior, `draw` first, weighted by potentials.

    If the model has potentials, or observes further data than games, more draws are made and resampled by these
    weights.
    """
    prior, terms = PriorDraws(graph), further_terms(graph)
    if not terms:
        return prior.several(count, seed)
    log = pt.switch(_is_ordered(graph), sum(pt.sum(term) for _, term in terms), -np.inf)
    shown = [*prior.shown, *(rv for rv in graph.free_RVs if rv not in prior.shown)]
    draw, chance = pm.pytensorf.compile(
        [], with_observed(graph, [*shown, log]), mode=interpreted(), return_updates=True
    )
    pm.pytensorf.reseed_rngs(list(chance), seed)
    drawn = [_drawn(draw, graph.free_RVs) for _ in range(count)]
    _require_effective(drawn, _ENOUGH / (2 * _MORE), terms)
    drawn += [_drawn(draw, graph.free_RVs) for _ in range((_MORE - 1) * count)]
    share = _require_effective(drawn, _ENOUGH, terms)
    rng = np.random.default_rng([seed, 6])
    places = (np.arange(count) + rng.random()) / count * share.sum()
    indexes = rng.permutation(np.searchsorted(np.cumsum(share), places, side="right").clip(max=len(drawn) - 1))
    return prior.dataset(
        [dict(zip(prior.names, map(np.asarray, drawn[k][: len(prior.shown)]), strict=True)) for k in indexes]
    )
