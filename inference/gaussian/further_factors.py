"""Factors of a model's prior outside its normal approximation: they enter the weights of the draws.

Potentials, other observed variables, and vectors whose prior is not the approximation's normal prior, each by its own
density in PyMC (`pm.logp`).
"""

from collections.abc import Callable

import numpy as np

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats
from halfpoint.models.language.laws import Law
from halfpoint.models.reading.prior_draws import further_terms


def further_factors(declared: Declared) -> Callable[[Floats], Floats] | None:
    """Function from values (draw, value) to the log factor (draw,) of a declared model; None if absent."""
    factors = [factor for factor in (_of_graph(declared), *map(_beside(declared), declared.laws)) if factor is not None]
    if not factors:
        return None
    return lambda v: np.sum([factor(v) for factor in factors], axis=0)


def _beside(declared: Declared) -> Callable[[Law], Callable[[Floats], Floats] | None]:
    """Function of a law for the density of its values over the approximating normal one; None if it is normal."""
    slots = declared.layout.slots

    def of(law: Law) -> Callable[[Floats], Floats] | None:
        beside = law.beside
        if beside is None:
            return None
        start, shape = slots[law.name]
        places = slice(start, start + int(np.prod(shape, dtype=np.int64)))
        rows = law.gaussian[0]
        middle = -sum(c for c, index in rows.form.terms if not index)

        def factor(v: Floats) -> Floats:
            x = v[:, places]
            with np.errstate(all="ignore"):
                normal = -0.5 * np.square((x - middle) / rows.sd) - np.log(rows.sd) - 0.5 * np.log(2.0 * np.pi)
                return np.asarray((beside(x) - normal).sum(axis=1))

        return factor

    return of


def _of_graph(declared: Declared) -> Callable[[Floats], Floats] | None:
    """Factor of potentials and of observed variables other than games."""
    if declared.current_sums is not None:
        return None  # of variables and games only
    import pytensor
    import pytensor.tensor as pt
    from pytensor.graph.replace import vectorize_graph

    from halfpoint.models.pymc_import import interpreted

    model, slots = declared.model, declared.layout.slots
    terms = [term for _, term in further_terms(model)]
    if not terms:
        return None
    named = {name: model[name] for name in slots if name in model.named_vars}
    swap = {
        node: pt.TensorType("float64", (None,) * (1 + len(slots[name][1])))(name=name) for name, node in named.items()
    }
    total = vectorize_graph(sum(pt.sum(term) for term in terms), swap)
    at = pytensor.function(list(swap.values()), total, mode=interpreted(), on_unused_input="ignore")

    def factor(v: Floats) -> Floats:
        arguments = []
        for start, shape in (slots[name] for name in named):
            arguments.append(v[:, start : start + int(np.prod(shape, dtype=np.int64))].reshape(-1, *shape))
        log_factor = np.asarray(at(*arguments))
        return np.broadcast_to(log_factor, len(v))

    return factor
