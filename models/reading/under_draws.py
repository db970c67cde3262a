"""Nodes of a graph under draws of its variables: all draws at once, or one after the other where PyTensor cannot."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Node, interpreted, pytensor

_CHUNK_VALUES = 2_000_000  # (draw, value) pairs at a time


def under_draws(nodes: Sequence[Node], draws: Mapping[Node, Floats]) -> list[Floats]:
    """Values of nodes under draws of variables, (draw, ...) each, in double precision.

    Parameters
    ----------
    nodes : sequence of tensor
        Nodes without free variables other than those of `draws`.
    draws : mapping
        Values of each variable, (draw, *its shape).
    """
    from pytensor.graph.replace import vectorize_graph

    arrays = [np.asarray(value).astype(node.dtype, copy=False) for node, value in draws.items()]
    count = len(arrays[0]) if arrays else 1
    swap = {node: pytensor.tensor.tensor(dtype=node.dtype, shape=(None,) * (1 + node.ndim)) for node in draws}
    try:
        graphs = vectorize_graph(list(nodes), swap)
        values_at = pytensor.function(list(swap.values()), graphs, mode=interpreted(), on_unused_input="ignore")
        largest = max((int(np.prod(value.shape[1:], dtype=np.int64)) for value in arrays), default=1)
        step = max(1, _CHUNK_VALUES // max(1, largest))
        parts = [values_at(*(value[start : start + step] for value in arrays)) for start in range(0, count, step)]
    except (NotImplementedError, ValueError, TypeError):
        return _one_by_one(nodes, draws, arrays, count)
    sizes = [len(arrays[0][start : start + step]) for start in range(0, count, step)] if arrays else [1]
    return [
        np.concatenate([_wide(part[k], node.ndim, size) for part, size in zip(parts, sizes, strict=True)])
        for k, node in enumerate(nodes)
    ]


def _wide(value: npt.ArrayLike, ndim: int, size: int) -> Floats:
    """Values under draws, (draw, ...), also of a node that depends on none of the variables."""
    value = np.asarray(value, dtype=np.float64)
    value = value[None] if value.ndim == ndim else value
    return np.broadcast_to(value, (size, *value.shape[1:]))


def _one_by_one(nodes: Sequence[Node], draws: Mapping[Node, Floats], arrays: list[Floats], count: int) -> list[Floats]:
    """Values of nodes under each draw in turn."""
    from pytensor.graph.replace import clone_replace

    inputs = {node: node.type() for node in draws}
    graphs = clone_replace(list(nodes), inputs)
    values_at = pytensor.function(list(inputs.values()), graphs, mode=interpreted(), on_unused_input="ignore")
    outputs = [values_at(*(value[k] for value in arrays)) for k in range(count)]
    return [np.array([values[k] for values in outputs], dtype=np.float64) for k in range(len(nodes))]
