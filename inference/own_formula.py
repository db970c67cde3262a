r"""A formula of your own as compiled code: its derivatives by PyTensor, written out as one loop and kept on disk.

    value    = sum over rows and outcomes of  omega (s_outcome - log sum over the outcomes of exp(s))
    gradient by eta = white - black and by lam

The formula is called once with scalar graph nodes; PyTensor differentiates and simplifies, each operator of the result
becomes one line of a function that numba compiles, with its cache beside the source in the user's cache folder. A
formula with an operator that has no such line, or that looks at more than the difference of the sides, is sampled
through its graph instead: as exact, slower.
"""

import hashlib
import importlib.util
import sys
from functools import cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytensor
import pytensor.tensor as pt
from pytensor.compile.ops import ViewOp
from pytensor.gradient import disconnected_grad
from pytensor.graph.basic import Constant
from pytensor.graph.rewriting.utils import rewrite_graph
from pytensor.graph.traversal import io_toposort
from pytensor.tensor import elemwise
from pytensor.tensor.elemwise import Elemwise

from halfpoint.games.atomic_write import write_text
from halfpoint.models.outcome import Outcome

LINES: dict[str, str] = {
    "Add": " + ",
    "Mul": " * ",
    "Sub": " - ",
    "TrueDiv": " / ",
    "LT": " < ",
    "GT": " > ",
    "LE": " <= ",
    "GE": " >= ",
    "EQ": " == ",
}
CALLS: dict[str, str] = {
    "Neg": "-({0})",
    "Exp": "math.exp({0})",
    "Expm1": "math.expm1({0})",
    "Log": "math.log({0})",
    "Log1p": "math.log1p({0})",
    "Log2": "math.log2({0})",
    "Sqrt": "math.sqrt({0})",
    "Sqr": "{0} * {0}",
    "Pow": "{0} ** {1}",
    "Abs": "abs({0})",
    "Sign": "float(np.sign({0}))",
    "Erf": "math.erf({0})",
    "Erfc": "math.erfc({0})",
    "Sin": "math.sin({0})",
    "Cos": "math.cos({0})",
    "Tan": "math.tan({0})",
    "ArcTan": "math.atan({0})",
    "Sinh": "math.sinh({0})",
    "Cosh": "math.cosh({0})",
    "Tanh": "math.tanh({0})",
    "Reciprocal": "1.0 / ({0})",
    "Maximum": "max({0}, {1})",
    "Minimum": "min({0}, {1})",
    "ScalarMaximum": "max({0}, {1})",
    "ScalarMinimum": "min({0}, {1})",
    "Switch": "({1} if {0} else {2})",
    "Identity": "{0}",
    "Second": "{1}",
    "Cast": "float({0})",
    "Sigmoid": "1.0 / (1.0 + math.exp(-({0})))",
    "Softplus": "max({0}, 0.0) + math.log1p(math.exp(-abs({0})))",
    "Log1mexp": "math.log(-math.expm1({0}))",
}
HEAD = '''"""A formula of a game as a compiled loop; written by halfpoint, safe to delete."""

import math

import numba
import numpy as np
from numba import types

VECTOR = types.CPointer(types.double)
SIGNATURE = types.float64(types.int64, types.int64, types.int64, *(VECTOR,) * 5)


@numba.njit(error_model="numpy")
def log_sum(a, b):
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


@numba.njit(error_model="numpy")
def row(eta, lam, lost, drawn, won):
'''
LOOP = """

def potential(size, stride, each, eta, lam, data, to_eta, to_lam):
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    value, together = 0.0, 0.0
    if each == 0:
        common = numba.carray(lam, (1,))[0]
        for k in range(size):
            one, gx[k], by_lam = row(x[k], common, d[k], d[stride + k], d[2 * stride + k])
            value += one
            together += by_lam
        numba.carray(to_lam, (1,))[0] = together
        return value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        one, gx[k], gy[k] = row(x[k], y[k], d[k], d[stride + k], d[2 * stride + k])
        value += one
    return value


try:
    compiled = numba.cfunc(SIGNATURE, error_model="numpy", cache=True)(potential)
except RuntimeError:
    compiled = numba.cfunc(SIGNATURE, error_model="numpy")(potential)
"""


class NoLoopError(ValueError):
    """A formula cannot be written as a loop over differences; the message says why."""


def written(outcome: Outcome) -> str:
    """Return the source of a formula's loop.

    Parameters
    ----------
    outcome : Outcome
        The formula.

    Raises
    ------
    NoLoopError
        If it looks at more than the difference of the sides, or has an operator without a line of code.
    """
    white, black, lam = pt.dscalar("white"), pt.dscalar("black"), pt.dscalar("lam")
    eta, weights = pt.dscalar("eta"), [pt.dscalar(name) for name in ("lost", "drawn", "won")]
    together = [
        sum(pt.grad(score, [white, black], disconnected_inputs="ignore", return_disconnected="zero"), pt.constant(0.0))
        for score in outcome.scores(white, black, lam)
    ]
    apart = rewrite_graph([one - together[0] for one in together[1:]], include=("canonicalize", "stabilize"))
    if not all(isinstance(one, Constant) and float(one.data) == 0.0 for one in apart):
        raise NoLoopError("the formula looks at more than the difference of the two sides")
    scores = outcome.scores(eta / 2, -eta / 2, lam)
    largest = scores[outcome.over[0]]
    for k in outcome.over[1:]:
        largest = pt.maximum(largest, scores[k])
    largest = disconnected_grad(largest)
    total = largest + pt.log(sum(pt.exp(scores[k] - largest) for k in outcome.over))
    value = sum(weight * (score - total) for weight, score in zip(weights, scores, strict=True))
    slopes = pt.grad(value, [eta, lam], disconnected_inputs="ignore", return_disconnected="zero")
    inputs = [eta, lam, *weights]
    outputs = rewrite_graph([value, *slopes], include=("canonicalize", "stabilize"))
    return HEAD + body(inputs, outputs) + LOOP


def body(inputs: list[Any], outputs: list[Any]) -> str:
    """Return one line of code for each operator between scalar inputs and outputs, and what is returned."""
    names: dict[Any, str] = {variable: str(variable.name) for variable in inputs}

    def name(variable: Any) -> str:
        if variable not in names:
            if not isinstance(variable, Constant):
                raise NoLoopError(f"{variable} is no number")
            names[variable] = repr(float(np.asarray(variable.data).item()))
        return names[variable]

    lines = []
    for place, node in enumerate(io_toposort(inputs, outputs)):
        arguments = [name(variable) for variable in node.inputs]
        lines.append(f"    v{place} = {line(node.op, arguments)}")
        names[node.outputs[0]] = f"v{place}"
    returned = ", ".join(f"float({name(variable)})" for variable in outputs)
    return "\n".join([*lines, f"    return {returned}"]) + "\n"


def line(operator: Any, arguments: list[str]) -> str:
    """Return the code of one operator on named numbers.

    Raises
    ------
    NoLoopError
        If there is none.
    """
    if isinstance(operator, elemwise.DimShuffle | ViewOp):
        return arguments[0]
    if isinstance(operator, Elemwise):
        operator = operator.scalar_op
    kind = type(operator).__name__
    if kind not in {*LINES, *CALLS, "LogAddExp"}:
        raise NoLoopError(f"the formula has the operator {kind}, for which there is no compiled line")
    if kind == "LogAddExp":
        return reduce(lambda left, right: f"log_sum({left}, {right})", arguments)
    return LINES[kind].join(arguments) if kind in LINES else CALLS[kind].format(*arguments)


@cache
def compiled_formula(outcome: Outcome) -> Any:
    """Return the compiled potential of a formula, a C function with its address, from the cache where it is there.

    Raises
    ------
    NoLoopError
        If the formula cannot be written as a loop.
    """
    source = written(outcome)
    version = hashlib.sha256((source + pytensor.__version__).encode()).hexdigest()[:16]
    folder = Path(platformdirs.user_cache_dir("halfpoint")) / "formulas"
    module = f"halfpoint_formula_{version}"
    path = folder / f"{module}.py"
    try:
        if not path.is_file() or path.read_text(encoding="utf-8") != source:
            write_text(path, source)
        found = importlib.util.spec_from_file_location(module, path)
        assert found is not None
        assert found.loader is not None
        made = importlib.util.module_from_spec(found)
        sys.modules[module] = made
        found.loader.exec_module(made)
    except OSError:  # no folder to write in: compiled for this process only
        namespace: dict[str, Any] = {}
        exec(compile(source.replace("cache=True", "cache=False"), module, "exec"), namespace)
        return namespace["compiled"]
    return made.compiled
