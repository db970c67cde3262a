"""PyMC and PyTensor, imported when the first graph is made, so that reading a trace does not import them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats

if TYPE_CHECKING:
    import pymc as pm
    import pytensor
    import pytensor.tensor as pt

    from halfpoint.models.language import day_distributions, distributions, walk_variable
    from halfpoint.models.reading import games_variable

__all__ = [
    "Node", "Operand", "constant_value", "day_distributions", "distributions", "games_variable", "interpreted",
    "is_node", "own_likelihoods", "pm", "pt", "pytensor", "standing_in", "walk_variable",
]  # fmt: skip

type Node = pt.TensorVariable  # a value of a graph
type Operand = float | Floats | pt.TensorVariable  # a number, an array or a node: what formulas do arithmetic with

_IN_PLACE: ContextVar[object] = ContextVar("in_place", default=None)  # functions in place of those of the modules


class _Replaceable(LazyModule):
    """A module that is imported on first use, unless other functions stand in for its own."""

    def __getattr__(self, key: str) -> Any:
        substitute = _IN_PLACE.get()
        return super().__getattr__(key) if substitute is None else getattr(substitute, key)


@contextmanager
def standing_in(functions: object) -> Iterator[None]:
    """Let the attributes of an object stand in for PyMC and the modules below, within the context only."""
    token = _IN_PLACE.set(functions)
    try:
        yield
    finally:
        _IN_PLACE.reset(token)


if not TYPE_CHECKING:
    pm, pt, pytensor = _Replaceable("pymc"), _Replaceable("pytensor.tensor"), LazyModule("pytensor")
    # modules of this package that bring PyMC
    day_distributions = _Replaceable("halfpoint.models.language.day_distributions")
    distributions = _Replaceable("halfpoint.models.language.distributions")
    games_variable = _Replaceable("halfpoint.models.reading.games_variable")
    walk_variable = _Replaceable("halfpoint.models.language.walk_variable")
own_likelihoods: Any = _Replaceable("halfpoint.models.reading.own_likelihoods")


def is_node(value: object) -> bool:
    """True if a value is a node of a graph; False if PyTensor was never imported."""
    basic = sys.modules.get("pytensor.graph.basic")
    return basic is not None and isinstance(value, basic.Variable)


def interpreted(is_simplified: bool = False) -> "pytensor.compile.mode.Mode":
    """PyTensor mode without compilation: one operator at a time, on whole arrays.

    A simplified graph computes nothing twice, and fills no array in Python, number by number.
    """
    if not is_simplified:
        return pytensor.compile.mode.Mode(linker="py", optimizer=None)
    from pytensor.graph.rewriting.db import RewriteDatabaseQuery

    return pytensor.compile.mode.Mode(linker="py", optimizer=RewriteDatabaseQuery(include=["canonicalize", "merge"]))


def constant_value(node: Node) -> Node:
    """The value of a node without parameters, as an array: found without compiling, which would leave files behind."""
    if hasattr(node, "data"):
        return node.data
    return node.get_value() if hasattr(node, "get_value") else node.eval(mode=interpreted())
