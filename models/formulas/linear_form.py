r"""Graphs of rows as scalar graphs and linear forms: the function of two sides in a formula, by its structure.

    score = a level + b gap + sum_k c_k input_k + sum_m d_m atom_m + constant,    white, black = level +- gap / 2

Sums, differences, products with and quotients by numbers are carried out; every other operator is an atom, identified
by its name and the forms of its arguments, so that equal atoms cancel. No values are probed: a step, a cast or a
stopped gradient is an atom like any other. If the level is part of an atom, or scores have different shares of it, the
formula depends on more than the difference of the two sides. The forms as text are the fingerprint of a graph, the same
in every process.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.builders import OpFromGraph
from pytensor.compile.ops import ViewOp
from pytensor.graph.basic import Apply, Constant
from pytensor.graph.op import Op
from pytensor.graph.traversal import io_toposort
from pytensor.tensor.elemwise import DimShuffle, Elemwise
from pytensor.tensor.variable import TensorVariable as Node

from halfpoint.models.errors import NoLoopError

if TYPE_CHECKING:
    from halfpoint.models.formulas.outcome import Outcome

_EPS = 1e-14  # relative; rounding error of equal terms
LEVEL, GAP, ONE = "level", "gap", "1"
_UNORDERED = ("Mul", "Maximum", "Minimum", "EQ", "NEQ", "AND", "OR")
_COMMON = ("Maximum", "Minimum", "Switch")  # what all arguments have in common is taken out
Form = dict[Any, float]  # name of an input, number of an atom, or ONE -> coefficient
_Atom = tuple[str, tuple[tuple[tuple[str | int, float], ...], ...]]  # operator, forms of its arguments
_Nodes = Sequence[Node]


def kind_of(operator: Op) -> str:
    """The name of an operator of scalars."""
    return type(getattr(operator, "scalar_op", operator)).__name__.removeprefix("Scalar")


def number_of(variable: Node) -> float:
    """The number of a constant."""
    if not isinstance(variable, Constant) or np.size(variable.data) != 1:
        raise NoLoopError(f"{variable} is not a number")
    return float(np.asarray(variable.data).item())


def _scalar_graph(outputs: _Nodes, inputs: dict[Node, Node]) -> list[Node]:
    """Graph of one row from a graph over rows; outputs (row,)."""
    scalar_of = dict(inputs)

    def scalar(variable: Node) -> Node:
        if variable not in scalar_of:
            scalar_of[variable] = pt.constant(np.asarray(number_of(variable), dtype=variable.dtype))
        return scalar_of[variable]

    for node in io_toposort(list(inputs), list(outputs)):
        if any(output.type.ndim > 1 for output in node.outputs):
            raise NoLoopError("a row of the formula depends on other rows")
        if isinstance(node.op, DimShuffle):
            scalar_of[node.outputs[0]] = scalar(node.inputs[0])
        elif isinstance(node.op, Elemwise | ViewOp):
            applied = node.op.make_node(*(scalar(operand) for operand in node.inputs))
            scalar_of |= dict(zip(node.outputs, applied.outputs, strict=True))
        elif isinstance(node.op, OpFromGraph) and type(node.op).__module__.startswith("pytensor."):
            inner_inputs = dict(zip(node.op.inner_inputs, map(scalar, node.inputs), strict=True))
            inner = _scalar_graph(node.op.inner_outputs, inner_inputs)
            scalar_of |= dict(zip(node.outputs, inner, strict=True))
        else:
            raise NoLoopError(f"the formula has the operator {kind_of(node.op)}, which does not act row by row")
    return [scalar(output) for output in outputs]


def row_scalars(
    function: Callable[..., object], names: Sequence[str], alone: Sequence[str] = ()
) -> tuple[list[Node], list[Node]]:
    """Scalar inputs by name and the outputs of a function of rows; inputs in `alone` are None."""
    rows = {name: pt.dvector(name) for name in names if name not in alone}
    scalars = {name: pt.dscalar(name) for name in rows}
    result = function(*(rows.get(name) for name in names))
    outputs = [pt.as_tensor_variable(output) for output in (result if isinstance(result, tuple | list) else [result])]
    return list(scalars.values()), _scalar_graph(outputs, {rows[name]: scalars[name] for name in rows})


class LinearForms:
    """Linear forms of scalar graphs."""

    def __init__(self, known: dict[Node, Form]) -> None:
        self.known = known
        self.numbers: dict[_Atom, int] = {}  # of atoms
        self.atoms: list[_Atom] = []

    def of(self, outputs: _Nodes) -> list[Form]:
        """The forms of graph nodes."""
        for node in io_toposort(list(self.known), list(outputs)):
            self.known[node.outputs[0]] = self._applied(node.op, [self._one(operand) for operand in node.inputs], node)
        return [self._one(output) for output in outputs]

    def sees(self, form: Form, name: str) -> bool:
        """True if an atom of a form contains an input."""
        return any(name in self._inputs(key) for key in form if isinstance(key, int))

    def text(self, form: Form) -> str:
        """Text of a form, equal in all processes."""
        return " + ".join(sorted(f"{c!r} {self._text_of(key)}" for key, c in form.items())) or "0"

    def _one(self, variable: Node) -> Form:
        if variable not in self.known:
            value = number_of(variable)
            self.known[variable] = {ONE: value} if value != 0.0 else {}
        return self.known[variable]

    def _inputs(self, key: str | int) -> set[str]:
        if not isinstance(key, int):
            return {key}
        return {name for part in self.atoms[key][1] for inner, _ in part for name in self._inputs(inner)}

    def _text_of(self, key: str | int) -> str:
        if not isinstance(key, int):
            return str(key)
        kind, parts = self.atoms[key]
        return f"{kind}({', '.join(self.text(dict(part)) for part in parts)})"

    def _applied(self, operator: Op, parts: list[Form], node: Apply) -> Form:
        kind = kind_of(operator)
        shared: Form = {}
        dtype_in, dtype = node.inputs[0].dtype, node.outputs[0].dtype
        if kind == "Identity" or (kind == "Cast" and dtype in ("float64", dtype_in)):  # numbers do not change
            return parts[0]
        if kind == "Second":
            return parts[1]
        if kind in ("Add", "Sub") and dtype == "float64":
            total = parts[0]
            for part in parts[1:]:
                total = add_forms(total, part, 1.0 if kind == "Add" else -1.0)
            return total
        if kind == "Neg":
            return add_forms({}, parts[0], -1.0)
        if kind == "Mul" and dtype == "float64":
            fixed = [number for number in map(_number_in, parts) if number is not None]
            free = [part for part in parts if _number_in(part) is None]
            if len(free) <= 1:
                return add_forms({}, free[0] if free else {ONE: 1.0}, float(np.prod(fixed)))
        if kind == "TrueDiv" and _number_in(parts[1]):
            return add_forms({}, parts[0], 1.0 / (_number_in(parts[1]) or 1.0))
        if kind in _COMMON:
            sides = parts[1:] if kind == "Switch" else parts
            shared = {key: c for key, c in sides[0].items() if all(side.get(key) == c for side in sides)}
            parts = [*parts[: len(parts) - len(sides)], *(add_forms(side, shared, -1.0) for side in sides)]
        ordered = [tuple(sorted(part.items(), key=lambda term: (str(term[0]), term[1]))) for part in parts]
        if kind in _UNORDERED:
            ordered.sort(key=repr)
        atom = (str(getattr(operator, "scalar_op", operator)), tuple(ordered))
        if atom not in self.numbers:
            self.numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
        return add_forms(shared, {self.numbers[atom]: 1.0})


def add_forms(form: Form, addend: Form, factor: float = 1.0) -> Form:
    """Add a multiple of one form to another; terms that cancel up to rounding are dropped."""
    total = {key: form.get(key, 0.0) + factor * addend.get(key, 0.0) for key in {**form, **addend}}
    size = {key: abs(form.get(key, 0.0)) + abs(factor * addend.get(key, 0.0)) for key in total}
    return {key: c for key, c in total.items() if abs(c) > _EPS * size[key]}


def _number_in(form: Form) -> float | None:
    """Number that a form equals, None if it is not constant."""
    return form.get(ONE, 0.0) if set(form) <= {ONE} else None


@cache
def forms_of(outcome: "Outcome", alone: bool = False) -> tuple[dict[str, Node], list[Node], LinearForms, list[Form]]:
    """Terms of a formula: inputs by name, graphs of one row, and their forms in level, gap and lam."""
    names = ("white", "black", "lam", "margin", *outcome.further)

    def terms(white: Node, black: Node, lam: Node, margin: Node, *numbers: Node) -> object:
        return outcome.at(dict(zip(outcome.further, numbers, strict=True))).terms(white, black, lam, margin)

    inputs, graphs = row_scalars(terms, names, ("lam",) if alone else ())
    by_name = {str(scalar.name): scalar for scalar in inputs}
    forms_of_inputs: dict[Node, Form] = {scalar: {name: 1.0} for name, scalar in by_name.items()}
    forms_of_inputs |= {by_name["white"]: {LEVEL: 1.0, GAP: 0.5}, by_name["black"]: {LEVEL: 1.0, GAP: -0.5}}
    forms = LinearForms(forms_of_inputs)
    return by_name, graphs, forms, forms.of(graphs)


def sees_level(outcome: "Outcome") -> bool:
    """True if a formula depends on more than the difference of the two sides, by its structure."""
    for alone in (False, True):
        try:
            _, _, forms, forms_of_terms = forms_of(outcome, alone)
        except (NoLoopError, TypeError, ValueError, AttributeError, NotImplementedError):
            continue
        return level_in(forms, forms_of_terms, bool(outcome.over))
    return True  # unknown


def level_in(forms: LinearForms, scores: list[Form], normalised: bool) -> bool:
    """True if scores depend on the level: by unequal shares, shares not normalised away, or in an atom."""
    shares = {form.get(LEVEL, 0.0) for form in scores}
    return len(shares) > 1 or (not normalised and shares != {0.0}) or any(forms.sees(form, LEVEL) for form in scores)
