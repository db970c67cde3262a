r"""Compiled loops over rows, written from graphs: value and derivatives of a formula, one line of code per operator.

    value  = sum over rows of  weigh(terms(eta, lam), weights),     derivatives by eta = white - black and by lam

A graph of one row is differentiated and simplified by PyTensor; each operator of the result becomes one line of a
function in vector arithmetic (`inference.loops.vector_arithmetic`) that numba compiles, with its cache beside the
source in the user's cache folder. A formula with another operator, or one that depends on more than the difference of
the sides, has no loop (`NoLoopError`) and is sampled through its graph, as exactly but more slowly.

Most formulas convert scores to log probabilities alike, so this module has code for it that is faster than PyTensor's:
largest score as unit, one exponential for each other outcome, one logarithm and one division. The code is used only if
`Outcome.weigh` equals its `_value_graph`, operator by operator.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.gradient import disconnected_grad
from pytensor.graph.replace import clone_replace

from halfpoint.inference.loops.operators import derivatives, operator_lines, simplify_graphs
from halfpoint.inference.loops.written_modules import load_module
from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.linear_form import (
    GAP,
    LEVEL,
    ONE,
    LinearForms,
    add_forms,
    forms_of,
    level_in,
    row_scalars,
)
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.pymc_import import Node
from halfpoint.models.reading.layout import ELEMENT

_FUNCTIONS = "arcsinh, cosh, exp, expm1, falling, log, log1p, log_and_share, log_sum"
_HEAD = f'''"""A formula as a compiled loop; written by halfpoint, safe to delete."""

import math
from functools import partial

import numba
import numpy as np
from numba import types

from halfpoint.models.games.compiled_loops import lasting
from halfpoint.inference.loops.vector_arithmetic import FAST, LIMIT, LOG2, {_FUNCTIONS}
from halfpoint.inference.loops.vector_arithmetic import plus, power, sigmoid, sinh, softplus, tanh, vectorise, wide

VECTOR, MANY = types.CPointer(types.double), 1 << 48


@vectorise
def row(ARGUMENTS):
'''


# scores s, weights lost, drawn, won -> scores r above the largest, `total` of these and shares p of the outcomes
_TWO = """    ahead = s{0} >= s{1}
    gap = -abs(s{0} - s{1})
    top, e = (s{0} if ahead else s{1}), falling(gap)
    total, near = log_and_share(e)
    far = e * near
    r{0}, r{1} = (0.0 if ahead else gap), (gap if ahead else 0.0)
    p{0}, p{1} = (near if ahead else far), (far if ahead else near)
"""
_THREE = """    first = s2 >= s0
    high, low = (s2 if first else s0), (s0 if first else s2)
    second = s1 > high
    top, middle = (s1 if second else high), (high if second else s1)
    to_low, to_middle = low - top, middle - top
    e_low, e_middle = falling(to_low), falling(to_middle)
    total, share = log_and_share(e_low + e_middle)
    p_low, p_middle = e_low * share, e_middle * share
    r1, p1 = (0.0 if second else to_middle), (share if second else p_middle)
    r_high, p_high = (to_middle if second else 0.0), (p_middle if second else share)
    r2, p2 = (r_high if first else to_low), (p_high if first else p_low)
    r0, p0 = (to_low if first else r_high), (p_low if first else p_high)
"""
# the score of a loss less that of a win: g2 is the slope by s2 of both
_MIRRORED = """    ahead = s2 >= 0.0
    top = abs(s2)
    u = falling(-top)
    square, tied = u * u, exp(min(s1, LIMIT)) * u
    logarithm, near = log_and_share(square + tied)
    total = logarithm + max(s1 - LIMIT, 0.0)
    far, p1 = square * near, tied * near
    games, behind = lost + drawn + won, drawn + 2.0 * (lost if ahead else won)
    slope = games * (2.0 * far + p1) - behind
    g1, g2 = drawn - games * p1, (slope if ahead else -slope)
    value = drawn * s1 - behind * top - games * total
"""
_LOOP = """

def potential(size, stride, each, eta, lam, data, to_eta, to_lam):
    wide()
    shape = (np.int64(size),)
    x, gx = numba.carray(eta, shape), numba.carray(to_eta, shape)
    d = numba.carray(data, (np.int64(LAST * stride + size),))
    value = 0.0
    if each == 0:  # a loop of its own: where one loop serves both, arrays that lie near in memory change its rounding
        common, together = numba.carray(lam, (1,))[0], 0.0
        for k in range(size):
            one, gx[k], by_lam = row(x[k], common, COLUMNS)
            value = plus(value, one)
            together = plus(together, by_lam)
        numba.carray(to_lam, (1,))[0] = together
        return value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        one, gx[k], gy[k] = row(x[k], y[k], COLUMNS)
        value = plus(value, one)
    return value


SIGNATURE = types.float64(types.int64, types.int64, types.int64, *(VECTOR,) * 5)
compiled = lasting(partial(numba.cfunc, SIGNATURE, fastmath=FAST, error_model="numpy"), potential)
"""
_WEIGHTS = ("lost", "drawn", "won")


def _value_graph(scores: Sequence[Node], weight: Sequence[Node], over: tuple[int, ...]) -> Node:
    """Graph of the value that the code above computes."""
    largest = disconnected_grad(reduce(pt.maximum, [scores[k] for k in over]))
    total = pt.log(sum(pt.exp(scores[k] - largest) for k in over))
    return sum(weight[k] * (scores[k] - largest - total) for k in range(3))


def _weighing_in_words(outcome: Outcome) -> list[str]:
    """Code for the weights of a formula's scores, and code for the value computed above."""
    if outcome.margin is not None or len(outcome.over) < 2:
        return [_weight_code(outcome.weigh, outcome.margin is None), ""]
    return [
        _weight_code(outcome.weigh, True),
        _weight_code(lambda s, weight: _value_graph(s, weight, outcome.over), True),
    ]


def _weight_code(function: Callable[..., object], several: bool) -> str:
    """Code of a function of terms and weights."""
    terms = ("s0", "s1", "s2") if several else ("s0",)
    count = len(terms)
    inputs, outputs = row_scalars(
        lambda *rows: function(rows[:count] if several else rows[0], rows[count:]), (*terms, *_WEIGHTS)
    )
    forms = LinearForms({variable: {variable.name: 1.0} for variable in inputs})
    return forms.text(forms.of(outputs)[0])


def _difference_graphs(outcome: Outcome, alone: bool, meant: bool) -> tuple[dict[str, Node], list[Node], bool]:
    """Inputs, terms as graphs of eta and lam, and True if the score of a loss is minus the score of a win."""
    if outcome.further:
        raise NoLoopError(
            f"the formula reads {', '.join(outcome.further)} in addition to the sides and the draw parameter"
        )
    inputs, graphs, forms, linear_forms = forms_of(outcome, alone)
    if level_in(forms, linear_forms, meant):
        raise NoLoopError("the formula depends on more than the difference of the two sides")
    inputs = {"lam": pt.dscalar("lam")} | inputs | {GAP: pt.dscalar("eta")}
    terms = []
    placed = clone_replace(graphs, {inputs["white"]: inputs[GAP], inputs["black"]: pt.constant(np.float64(0.0))})
    for graph, form in zip(placed, linear_forms, strict=True):
        if any(isinstance(key, int) for key in form):
            share = 0.5 * form.get(LEVEL, 0.0)
            terms.append(graph - share * inputs[GAP] if share else graph)
        else:
            linear = [c * inputs[key] for key, c in form.items() if key not in (LEVEL, ONE)]
            terms.append(sum(linear, pt.constant(np.float64(form.get(ONE, 0.0)))))
    mirrored = len(linear_forms) == 3 == len(outcome.over) and not add_forms(
        {**linear_forms[0], LEVEL: 0.0}, {**linear_forms[2], LEVEL: 0.0}
    )
    return inputs, terms, mirrored


def formula_key(outcome: Outcome, alone: bool) -> str:
    """Text of the structure of a formula, equal for all formulas with the same loop."""
    _, _, forms, linear_forms = forms_of(outcome, alone)
    said = [forms.text(form) for form in linear_forms]
    return repr((said, _weighing_in_words(outcome), outcome.over, alone, outcome.margin is None))


def write_formula_loop(outcome: Outcome, alone: bool = False) -> str:
    """The source of a formula's loop."""
    columns = _WEIGHTS if outcome.margin is None else (*_WEIGHTS, "margin")
    meant = len(set(_weighing_in_words(outcome))) == 1  # by structure
    inputs, terms, mirrored = _difference_graphs(outcome, alone, meant)
    eta, lam = inputs[GAP], inputs["lam"]
    if meant:
        lines = _with_shares(terms, eta, lam, outcome.over, mirrored)
    else:
        weight = [pt.dscalar(name) for name in _WEIGHTS]
        value = outcome.weigh(terms if outcome.margin is None else terms[0], weight)
        variables = [eta, lam, *weight, *([inputs["margin"]] if outcome.margin is not None else [])]
        first = derivatives(value, [eta, lam])
        lines, names = operator_lines(variables, simplify_graphs([value, *first]), {})
        lines.append("    return " + ", ".join(f"1.0 * {name}" for name in names))
    read = ", ".join(f"d[np.uint64({f'{k} * stride + ' if k else ''}k)]" for k in range(len(columns)))
    loop = _LOOP.replace("LAST", str(len(columns) - 1)).replace("COLUMNS", read)
    return _HEAD.replace("ARGUMENTS", ", ".join(("eta", "lam", *columns))) + "\n".join(lines) + "\n" + loop


def _with_shares(
    terms: list[Node],
    eta: Node,
    lam: Node,
    over: tuple[int, ...],
    mirrored: bool,
) -> list[str]:
    """Lines of a row whose scores are weighted as in `_value_graph`."""
    by = [pt.dscalar(f"g{k}") for k in range(3)]
    felt = range(1, 3) if mirrored else range(3)
    turned = derivatives(sum(by[k] * terms[k] for k in felt), [eta, lam])
    simple = simplify_graphs([*terms, *turned])
    name_of: dict[Node, str] = {}
    lines, names = operator_lines([eta, lam, *by], simple[:3], name_of)
    count = len(lines)
    lines += [f"    s{k} = 1.0 * {names[k]}" for k in felt]
    if mirrored:
        lines += _MIRRORED.rstrip("\n").split("\n")
    else:
        code = _TWO.format(*over) if len(over) == 2 else _THREE
        lines += [*code.rstrip("\n").split("\n"), "    games = lost + drawn + won"]
        for k in felt:
            if k in over:
                lines.append(f"    g{k} = {_WEIGHTS[k]} - games * p{k}")
            else:
                lines += [f"    r{k} = s{k} - top", f"    g{k} = {_WEIGHTS[k]}"]
        value = " + ".join(f"{_WEIGHTS[k]} * r{k}" for k in felt)
        lines.append(f"    value = {value} - games * total")
    further, names = operator_lines([eta, lam, *by], simple, name_of, count)
    return [*lines, *further, f"    return value, 1.0 * {names[3]}, 1.0 * {names[4]}"]


_ELEMENT_TAIL = """

RECORD = types.CPointer(types.int64)
made = partial(numba.cfunc, types.float64(RECORD, VECTOR, VECTOR, VECTOR), fastmath=FAST, error_model="numpy")
forward, backward = lasting(made, forward_loop), lasting(made, backward_loop)
"""
_FIXED = 7  # numbers of a record before the places: kind, length, two addresses, size, first result, first number
_ELEMENTS: dict[str, tuple[object, object]] = {}  # compiled in this process


def compiled_element(kind: int, graph: Node, inputs: Sequence[Node], single: Sequence[bool]) -> tuple[Any, Any]:
    """The compiled loops of an elementwise operation of `models.reading.layout`, forward and backward, C functions."""
    forms = LinearForms({variable: {f"a{k}": 1.0} for k, variable in enumerate(inputs)})
    key = repr((kind, forms.text(forms.of([graph])[0]), len(inputs), tuple(single)))
    if key not in _ELEMENTS:
        module = load_module(key, lambda: _written_element(kind, graph, inputs, single))
        _ELEMENTS[key] = module.forward, module.backward
    return _ELEMENTS[key]


def _written_element(kind: int, graph: Node, inputs: Sequence[Node], single: Sequence[bool]) -> str:
    """The source of the loops of an elementwise operation."""
    values, size = len(single), len(inputs)
    names = {variable: f"a{k}" for k, variable in enumerate(inputs)}
    g = pt.dscalar("g")
    value, *by = simplify_graphs([graph, *derivatives(g * graph, list(inputs[:values]))])
    lines, (result,) = operator_lines(list(inputs), [value], dict(names))
    arguments = ", ".join(names.values())
    text = [_HEAD.replace("ARGUMENTS", arguments) + "\n".join([*lines, f"    return 1.0 * {result}"])]
    lines, results = operator_lines([*inputs, g], by, dict(names) | {g: "g"})
    lines.append("    return " + ", ".join(f"1.0 * {name}" for name in results) + ("," if values == 1 else ""))
    text += ["", "", "@vectorise", f"def slopes({', '.join(['g', *names.values()])}):", *lines]
    reads = [
        "    wide()",
        f"    r = numba.carray(record, ({_FIXED + values},))",
        "    n, every = r[4], numba.carray(v, (MANY,))",
    ]
    reads += ["    numbers = numba.carray(store, (MANY,))"] if size > values else []
    call_arguments = []
    for k in range(size):
        if k >= values:
            reads.append(f"    a{k} = numbers[r[6] + {k - values} * n : r[6] + {k - values + 1} * n]")
        elif single[k]:
            reads.append(f"    a{k} = every[r[{_FIXED + k}]]")
        else:
            reads.append(f"    a{k} = every[r[{_FIXED + k}] : r[{_FIXED + k}] + n]")
        call_arguments.append(f"a{k}" if k < values and single[k] else f"a{k}[k]")
    called = ", ".join(call_arguments)
    text += ["", "", "def forward_loop(record, v, gv, store):", *reads, "    total = 0.0"]
    if kind == ELEMENT:
        text += ["    out = every[r[5] : r[5] + n]", "    for k in range(n):", f"        out[k] = row({called})"]
    else:
        text += ["    for k in range(n):", f"        total = plus(total, row({called}))"]
    text += ["    return total", "", "", "def backward_loop(record, v, gv, store):", *reads]
    text.append("    turned = numba.carray(gv, (MANY,))")
    text += ["    g = turned[r[5] : r[5] + n]"] if kind == ELEMENT else []
    text += [
        f"    t{k} = 0.0" if single[k] else f"    g{k} = turned[r[{_FIXED + k}] : r[{_FIXED + k}] + n]"
        for k in range(values)
    ]
    text.append("    for k in range(n):")
    text.append(
        f"        {''.join(f's{k}, ' for k in range(values))}= slopes({'g[k]' if kind == ELEMENT else '1.0'}, {called})"
        if values
        else "        pass"
    )
    text += [f"        t{k} = plus(t{k}, s{k})" if single[k] else f"        g{k}[k] += s{k}" for k in range(values)]
    text += [f"    turned[r[{_FIXED + k}]] += t{k}" for k in range(values) if single[k]]
    return "\n".join(text) + "\n    return 0.0\n" + _ELEMENT_TAIL
