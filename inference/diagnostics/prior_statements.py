r"""What parameters state of their own prior, compared with their graph.

A normal approximation, and a walk that goes on past the last date, take the prior of a parameter from what its block
states of it (`GaussianPrior`, `Transition`, `Hyperparameter`). The graph is the model. Whenever a statement is used it
is compared with the graph: the coordinates of one block are moved at random, all others stay, and

    log p_graph(y') - log p_graph(y) = log p_stated(x') - log p_stated(x)

has to hold, where p_graph is the prior of the block's own free variables by the compiled loops that NUTS runs, and the
Jacobian of its coordinates, which others alone move, falls out. A normal law that agrees so at random points is the
same one. What differs is named, and refused or sampled, never believed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.inference.loops.engine import density, expand, prior_numbers
from halfpoint.models.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.graph.layout import PRIOR, Layout
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
    numbers, every = prior_numbers(layout), replace(layout, slots={"all": (0, (layout.values,))})

    def values(point: Floats) -> _Values:
        v = expand(declared, numbers, point[None], every)["all"][0]
        return {
            name: v[start : start + int(np.prod(shape))].reshape(shape) for name, (start, shape) in layout.slots.items()
        }

    begin = _SPREAD * rng.standard_normal(layout.count)
    before, found = values(begin), []
    sizes = [int(np.prod(shape, dtype=np.int64)) for _, shape in layout.coordinates]
    stops = np.cumsum([0, *sizes])
    for block in chosen:
        own = {name for name, owner in declared.owners.items() if owner == block.name}
        if not {block.name} <= layout.slots.keys() or not own <= {name for name, _ in layout.coordinates}:
            found.append(block.name)  # edited away
            continue
        moved = begin.copy()
        for (name, _), start, stop in zip(layout.coordinates, stops[:-1], stops[1:], strict=True):
            if name in own:
                moved[start:stop] = _SPREAD * rng.standard_normal(stop - start)
        if block.known is not None or block.gathered is not None:
            if not np.array_equal(before[block.name], _stated_values(block, before)):
                found.append(block.name)
            continue
        one, other = _stated_density(block, before), _stated_density(block, values(moved))
        kept = [one for one in layout.operations if one.kind != PRIOR or one.owner in own]
        prior = density(prior_numbers(replace(layout, operations=kept)))  # of its own free variables alone
        said = np.nan if one is None or other is None else other - one
        sampled = prior(moved)[0] - prior(begin)[0]
        if not abs(said - sampled) <= _CLOSE * (1.0 + abs(sampled)):
            found.append(block.name)
    return found
