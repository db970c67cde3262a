r"""What parameters state of their own prior, compared with their graph.

A normal approximation, and a walk that goes on past the last date, take the prior of a parameter from what its block
states of it (`GaussianPrior`, `Transition`, `Hyperparameter`). The graph is the model. Whenever a statement is used it
is compared with the graph: the coordinates of one block are moved at random, all others stay, and

    log p_graph(y') - log p_graph(y) = log p_stated(x') - log p_stated(x)

has to hold, where p_graph is the prior of the block's own free variables by their graph, operator by operator and not
compiled, and the Jacobian of its coordinates, which others alone move, falls out. A normal law that agrees so at random
points is the same one. What differs is named, and refused or sampled, never believed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.models.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.graph.layout import ELEMENT, GATHER, MATRIX, PRIOR, Layout, Operation
from halfpoint.models.graph.pymc_import import interpreted, pt, pytensor
from halfpoint.models.parts.blocks import Block

_CLOSE = 1e-6  # relative; of sums of many terms in double precision
_SPREAD = 0.7  # of the random moves, in coordinates
_Values = dict[str, Any]


def _stated_values(block: Block, p: _Values) -> Any:
    """Values that a block states of itself where it has no prior: a number, or others laid end to end in an order."""
    if block.gathered is None:
        return block.known
    groups, order = block.gathered
    return np.concatenate([p[name] for name in groups])[order]


def _stated_density(block: Block, p: _Values) -> float | None:
    """Log density that a block states of itself at values of all parameters, up to what others move; None if none."""
    if block.transition is not None:
        first, steps = block.transition.innovations(block.name, p)
        level = block.transition.level
        if level and not np.allclose(block.transition.held(np.asarray(p[block.name])), p[level]):
            return None
        begun = 0.0 if level else np.sum(first**2)
        return float(-0.5 * (np.sum(steps**2) + begun))
    if block.gaussian is not None:
        law, x = block.gaussian, np.asarray(p[block.name], dtype=np.float64)
        x = x if law.whitening is None else law.whitening @ x
        mean = law.offset + law.slope * (p[law.mean] if law.mean else 0.0)
        return float(-0.5 * np.sum(((x - mean) / (law.sd * (p[law.spread] if law.spread else 1.0))) ** 2))
    if block.hyperparameter is not None:
        one = block.hyperparameter
        return float(one.log_density(np.log(p[block.name] / (one.sd if one.kind == "spread" else 1.0))))
    return None


def _function_of(one: Operation) -> Callable[..., Any]:
    """An operation as a function of arrays of the values that it reads: of an element and a prior as its graph says."""
    if one.kind == MATRIX:
        return lambda x: x.reshape(one.size, -1) @ one.numbers[0]
    if one.kind not in (ELEMENT, PRIOR):
        return lambda x: x if one.kind == GATHER else x.reshape(one.size, -1).sum(axis=1)
    given = [pt.dvector() for _ in one.inputs]
    graph = pytensor.graph.replace.vectorize_graph(one.graph, dict(zip(one.inputs, given, strict=True)))
    at = pytensor.function(given, graph, mode=interpreted(), on_unused_input="ignore")
    return lambda *x: np.broadcast_to(at(*(np.broadcast_to(each, one.size) for each in (*x, *one.numbers))), one.size)


def mismatched_transitions(declared: Declared, edited: bool = False) -> str:
    """Names of the parameters whose periods follow one another otherwise than their part states, joined."""
    from halfpoint.models.graph.read_graph import read_layout  # brings PyTensor

    moving = [block.name for block in declared.blocks if block.transition is not None]
    if not moving:
        return ""
    try:
        layout = read_layout(declared.model) if edited else declared.layout
    except NoLoopError:
        return ", ".join(moving)
    return ", ".join(mismatched_priors(declared, lambda block: block.transition is not None, layout))


def mismatched_priors(
    declared: Declared, names: Callable[[Block], bool] = lambda block: True, layout: Layout | None = None
) -> list[str]:
    """Names of the parameters, of those asked for, whose statements are not what their graph says."""
    chosen = [block for block in declared.blocks if names(block)]
    if not chosen:
        return []
    layout, rng = layout or declared.layout, np.random.default_rng(20)
    steps = [(one, _function_of(one)) for one in layout.operations]

    def values(point: Floats) -> tuple[_Values, dict[str, float]]:
        v, priors = np.append(np.zeros(layout.values + layout.between), point), dict[str, float]()
        for one, at in steps:
            found = at(*(v[layout.placed(places)] for places in one.places))
            if one.kind == PRIOR:
                priors[one.owner] = priors.get(one.owner, 0.0) + float(found.sum())
            else:
                v[layout.placed(one.out)] = found.ravel()
        return {
            name: v[start : start + int(np.prod(shape))].reshape(shape) for name, (start, shape) in layout.slots.items()
        }, priors

    begin = _SPREAD * rng.standard_normal(layout.count)
    (before, prior), found = values(begin), list[str]()
    sizes = np.array([np.prod(shape) for _, shape in layout.coordinates], dtype=np.int64)
    for block in chosen:
        own = {name for name, owner in declared.owners.items() if owner == block.name}
        if not {block.name} <= layout.slots.keys() or not own <= {name for name, _ in layout.coordinates}:
            found.append(block.name)  # edited away
            continue
        mine = np.repeat([name in own for name, _ in layout.coordinates], sizes)
        moved = np.where(mine, _SPREAD * rng.standard_normal(layout.count), begin)
        if block.known is not None or block.gathered is not None:
            if not np.array_equal(before[block.name], _stated_values(block, before)):
                found.append(block.name)
            continue
        after, moved_prior = values(moved)
        one, other = _stated_density(block, before), _stated_density(block, after)
        said = np.nan if one is None or other is None else other - one
        sampled = sum(moved_prior[name] - prior[name] for name in own & prior.keys())  # of its own free variables alone
        if not abs(said - sampled) <= _CLOSE * (1.0 + abs(sampled)):
            found.append(block.name)
    return found
