"""Nodes of a graph under draws of its variables: all draws at once, or one after the other where PyTensor cannot."""

import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Node, interpreted, pytensor

type Function = Callable[..., list[npt.ArrayLike]]

_CHUNK_BYTES = 16_000_000  # of the values between inputs and nodes, at a time


def under_draws(nodes: Sequence[Node], draws: Mapping[Node, Floats]) -> list[Floats]:
    """Values of nodes under draws of variables, (draw, ...) each, in double precision.

    Parameters
    ----------
    nodes : sequence of tensor
        Nodes without free variables other than those of `draws`.
    draws : mapping
        Values of each variable, (draw, *its shape).
    """
    return CompiledNodes(nodes, list(draws))(draws)


class CompiledNodes:
    """Nodes as a function of draws of variables, compiled at the first call."""

    def __init__(self, nodes: Sequence[Node], variables: Sequence[Node]) -> None:
        self.nodes = list(nodes)
        self.variables = list(variables)
        self.is_vectorised = True
        self.bytes_of_a_draw = 0  # not measured

    def __call__(self, draws: Mapping[Node, Floats]) -> list[Floats]:
        """Values of the nodes, (draw, ...) each, in double precision."""
        arrays = [np.asarray(draws[node]).astype(node.dtype, copy=False) for node in self.variables]
        count = len(arrays[0]) if arrays else 1
        if self.is_vectorised:
            try:
                return self._all_at_once(arrays, count)
            except (NotImplementedError, ValueError, TypeError):
                self.is_vectorised = False  # nor for the next draws
        outputs = [self._at_a_draw(*(value[k] for value in arrays)) for k in range(count)]
        return [np.array([values[k] for values in outputs], dtype=np.float64) for k in range(len(self.nodes))]

    def _all_at_once(self, arrays: list[Floats], count: int) -> list[Floats]:
        """Values of the nodes under all draws, some megabytes at a time."""
        step = max(1, _CHUNK_BYTES // max(1, self._bytes_of_a_draw(arrays))) if count > 1 else 1
        starts = range(0, count, step)
        parts = [self._at_draws(*(value[start : start + step] for value in arrays)) for start in starts]
        sizes = [min(step, count - start) for start in starts]
        return [
            np.concatenate([_wide(part[k], node.ndim, size) for part, size in zip(parts, sizes, strict=True)])
            for k, node in enumerate(self.nodes)
        ]

    def _bytes_of_a_draw(self, arrays: list[Floats]) -> int:
        """Memory that the values between inputs and nodes take, for one draw."""
        if self.bytes_of_a_draw == 0:
            function, first = self._at_draws, [value[:1] for value in arrays]
            is_traced = tracemalloc.is_tracing()
            if not is_traced:
                tracemalloc.start()
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            function(*first)
            self.bytes_of_a_draw = max(1, tracemalloc.get_traced_memory()[1] - before)
            if not is_traced:
                tracemalloc.stop()
        return self.bytes_of_a_draw

    @cached_property
    def _at_draws(self) -> Function:
        """The nodes as a function of many draws, each variable (draw, *its shape)."""
        from pytensor.graph.replace import vectorize_graph

        tensor = pytensor.tensor.tensor
        inputs = {node: tensor(dtype=node.dtype, shape=(None,) * (1 + node.ndim)) for node in self.variables}
        return _function(inputs, vectorize_graph(self.nodes, inputs))

    @cached_property
    def _at_a_draw(self) -> Function:
        """The nodes as a function of one draw."""
        from pytensor.graph.replace import clone_replace

        inputs = {node: node.type() for node in self.variables}
        return _function(inputs, clone_replace(self.nodes, inputs))


def _function(inputs: Mapping[Node, Node], graphs: Sequence[Node]) -> Function:
    """Graphs as a function of the inputs' values, without compiled code."""
    function: Function = pytensor.function(
        list(inputs.values()), list(graphs), mode=interpreted(is_simplified=True), on_unused_input="ignore"
    )
    return function


def _wide(value: npt.ArrayLike, ndim: int, size: int) -> Floats:
    """Values under draws, (draw, ...), also of a node that depends on none of the variables."""
    value = np.asarray(value, dtype=np.float64)
    value = value[None] if value.ndim == ndim else value
    return np.broadcast_to(value, (size, *value.shape[1:]))
