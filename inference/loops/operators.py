"""Operators of graphs as lines of code: each scalar operator of PyTensor is a line in vector arithmetic.

A graph of one row is differentiated and simplified by PyTensor; each operator of the result becomes one line on doubles
and booleans (`inference.loops.vector_arithmetic` has the functions). A formula with another operator has no loop
(`NoLoopError`).
"""

from collections import Counter
from functools import reduce

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.ops import ViewOp
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.rewriting.utils import rewrite_graph
from pytensor.graph.traversal import io_toposort
from pytensor.tensor.elemwise import DimShuffle

from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.linear_form import kind_of, number_of

_JOINED = {"Add": "+", "Mul": "*", "Sub": "-", "TrueDiv": "/", "LT": "<", "GT": ">", "LE": "<=", "GE": ">="}
_JOINED |= {"EQ": "==", "NEQ": "!=", "AND": "&", "OR": "|"}
_OF_VECTOR = "Exp Expm1 Log Log1p ArcSinh Sinh Cosh Tanh Sigmoid Softplus"  # functions, in lower case
_OF_NUMPY = {"Sqrt": "sqrt", "Sign": "sign", "IsInf": "isinf", "IsNan": "isnan"}
_OF_MATH = {"GammaLn": "lgamma", "Sin": "sin", "Cos": "cos", "Tan": "tan", "ArcTan": "atan"}
_OF_MATH |= {"Erf": "erf", "Erfc": "erfc"}
_CALLS = {name: f"{name.lower()}({{0}})" for name in _OF_VECTOR.split()}
_CALLS |= {name: f"np.{code}({{0}})" for name, code in _OF_NUMPY.items()}
_CALLS |= {name: f"math.{code}({{0}})" for name, code in _OF_MATH.items()}
_CALLS |= {
    "Neg": "-({0})", "Abs": "abs({0})", "Sqr": "{0} * {0}", "Reciprocal": "1.0 / ({0})", "Pow": "power({0}, {1})",
    "Log2": "log({0}) / LOG2", "Log1mexp": "log(-expm1({0}))", "Maximum": "max({0}, {1})", "Minimum": "min({0}, {1})",
    "Clip": "min(max({0}, {1}), {2})", "Switch": "({1} if {0} else {2})", "Identity": "{0}", "Second": "{1}",
    "Invert": "not ({0})",
}  # fmt: skip
_POWERS = {"0.5": "np.sqrt({0})", "-1.0": "1.0 / ({0})"}
_POWERS |= {f"{n}.0": " * ".join(["({0} * {0})"] * (n // 2) + ["{0}"] * (n % 2)) for n in range(2, 9)}
_WHOLE = ("Add", "Mul", "Sub", "Neg", "Abs", "Sqr", "Maximum", "Minimum", "Switch", "Second", "Identity", "Cast")
_OF_TRUTHS = ("AND", "OR", "Invert")  # of whole numbers they work on bits
_TRUTHS = (*_OF_TRUTHS, "LT", "GT", "LE", "GE", "EQ", "NEQ", "Switch", "Second", "Identity", "Cast", "IsInf", "IsNan")


def derivatives(value: pt.TensorVariable, inputs: list[pt.TensorVariable]) -> list[pt.TensorVariable]:
    """Derivatives of a scalar, zero by inputs that it does not contain."""
    gradients: list[pt.TensorVariable] = pt.grad(
        value, inputs, disconnected_inputs="ignore", return_disconnected="zero"
    )
    return gradients


def simplify_graphs(outputs: list[pt.TensorVariable]) -> list[pt.TensorVariable]:
    """Graphs simplified by PyTensor."""
    return list(rewrite_graph(outputs, include=("canonicalize", "stabilize")))


def operator_lines(
    inputs: list[Variable], outputs: list[Variable], names: dict[Variable, str], count: int = 0
) -> tuple[list[str], list[str]]:
    """Lines of code for scalar operators that are missing in `names`, and the outputs' names."""
    names.update({variable: str(variable.name) for variable in inputs if variable not in names})

    def name(variable: Variable) -> str:
        if variable not in names:
            number = number_of(variable)
            sign = "-" if number < 0 else ""
            names[variable] = repr(number) if np.isfinite(number) else "np.nan" if number != number else f"{sign}np.inf"
        return names[variable]

    lines: list[str] = []
    text: dict[str, str] = {}
    for node in io_toposort(inputs, outputs):
        if node.outputs[0] in names:
            continue
        code = operator_line(node, [name(variable) for variable in node.inputs])
        if code not in text:  # equal lines are one
            text[code] = f"v{count + len(text)}"
            lines.append(f"    {text[code]} = {code}")
        names[node.outputs[0]] = text[code]
    return lines, [name(variable) for variable in outputs]


def operator_line(node: Apply, arguments: list[str]) -> str:
    """The code of one operator on named numbers."""
    if isinstance(node.op, DimShuffle | ViewOp):
        return arguments[0]
    kind, result_dtype = kind_of(node.op), node.outputs[0].dtype
    dtypes = [variable.dtype for variable in node.inputs]
    is_known = kind in _JOINED or kind in _CALLS or kind in ("Cast", "LogAddExp")
    as_truths = kind in _TRUTHS if result_dtype == "bool" else kind not in _OF_TRUTHS
    if kind in _OF_TRUTHS or (kind == "Switch" and result_dtype == "bool"):
        as_truths = as_truths and set(dtypes) == {"bool"}
    exact = kind in ("Switch", "Second", "Cast") or (kind == "Mul" and len(dtypes) == 2 and "bool" in dtypes)
    is_supported = {"float64": True, "bool": as_truths, "int64": kind in _WHOLE}.get(result_dtype, exact)
    if kind == "Cast":
        is_supported = is_supported and (result_dtype in ("float64", "int64", "bool") or dtypes[0] == "bool")
    if not is_known or not is_supported:
        raise NoLoopError(f"the formula has the operator {kind}, for which there is no compiled line")
    if kind == "Cast":
        truncates = result_dtype == "int64" and dtypes[0].startswith("float")
        code = "np.trunc({0})" if truncates else "({0}) != 0.0" if result_dtype == "bool" else "1.0 * ({0})"
        return code.format(*arguments)
    if kind == "LogAddExp":  # of PyTensor's own rewriting
        return reduce(lambda left, right: f"log_sum({left}, {right})", arguments)
    if kind == "Pow" and arguments[1] in _POWERS:
        return _POWERS[arguments[1]].format(arguments[0])
    if kind == "Mul" and "bool" in dtypes:  # a select: a vector of booleans is not a vector of numbers
        truths = [name for name, dtype in zip(arguments, dtypes, strict=True) if dtype == "bool"]
        numbers = [name for name, dtype in zip(arguments, dtypes, strict=True) if dtype != "bool"]
        return f"({' * '.join(numbers)} if {' & '.join(truths)} else 0.0)"
    if kind == "Mul":
        squared = " * ".join(name for name, count in Counter(arguments).items() if count > 1)
        single = [name for name, count in Counter(arguments).items() for _ in range(count % 2)]
        if squared and max(Counter(arguments).values()) < 4:  # a square is one number, and products share it
            arguments = [*single, f"({squared})", f"({squared})"]
    if kind in _JOINED:
        return f" {_JOINED[kind]} ".join(f"({name})" if name.startswith("-") else name for name in arguments)
    return _CALLS[kind].format(*arguments)
