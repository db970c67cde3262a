"""PyMC and PyTensor, imported when the first graph is made: what only reads a trace does without them."""

import sys
from typing import TYPE_CHECKING, Any

from halfpoint.games.lazy_import import LazyModule
from halfpoint.games.table import Floats

if TYPE_CHECKING:
    import pymc as pm
    import pytensor
    import pytensor.tensor as pt

__all__ = ["Node", "Operand", "constant_value", "interpreted", "is_node", "pm", "pt", "pytensor"]

type Node = pt.TensorVariable  # a value of a graph
type Operand = float | Floats | pt.TensorVariable  # a number, an array or a node: what formulas do arithmetic with

if not TYPE_CHECKING:
    pm, pt, pytensor = LazyModule("pymc"), LazyModule("pytensor.tensor"), LazyModule("pytensor")


def is_node(value: object) -> bool:
    """True if a value is a node of a graph; False if PyTensor was never imported."""
    basic = sys.modules.get("pytensor.graph.basic")
    return basic is not None and isinstance(value, basic.Variable)


def interpreted() -> Any:
    """PyTensor mode without compilation: one operator at a time, on whole arrays."""
    return pytensor.compile.mode.Mode(linker="py", optimizer=None)


def constant_value(node: Any) -> Any:
    """The value of a node without parameters, as an array: found without compiling, which would leave files behind."""
    if hasattr(node, "data"):
        return node.data
    return node.get_value() if hasattr(node, "get_value") else node.eval(mode=interpreted())
