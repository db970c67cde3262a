"""Compiled loops of elementwise operations and of priors, written from their graphs, forward and backward."""

from collections.abc import Callable, Sequence
from typing import Any

import pytensor.tensor as pt

from halfpoint.inference.operators import body, simplified, slopes
from halfpoint.inference.written_modules import HEAD, loaded
from halfpoint.models.layout import ELEMENT
from halfpoint.models.linear import Forms

ELEMENT_TAIL = """

RECORD = types.CPointer(types.int64)
made = partial(numba.cfunc, fastmath=FAST, error_model="numpy")
forward = lasting(partial(made, types.float64(RECORD, VECTOR, VECTOR)), forward_loop)
backward = lasting(partial(made, types.float64(RECORD, VECTOR, VECTOR, VECTOR)), backward_loop)
"""
FIXED = 7  # numbers of a record before the places: kind, length, two addresses, size, first result, first number
ELEMENTS: dict[str, tuple[Any, Any]] = {}  # compiled in this process


def compiled_element(kind: int, graph: Any, inputs: Sequence[Any], single: Sequence[bool]) -> tuple[Any, Any]:
    """Return the compiled loops of an elementwise operation of `models.layout`, forward and backward, C functions."""
    forms = Forms({one: {f"a{k}": 1.0} for k, one in enumerate(inputs)})
    key = repr((kind, forms.text(forms.of([graph])[0]), len(inputs), tuple(single)))
    return element_of(key, lambda: written_element(kind, graph, inputs, single))


def element_of(key: str, source: Callable[[], str]) -> tuple[Any, Any]:
    """Return the loops of an element from this process, or from the cache folder."""
    if key not in ELEMENTS:
        module = loaded(key, source)
        ELEMENTS[key] = module.forward, module.backward
    return ELEMENTS[key]


def written_element(kind: int, graph: Any, inputs: Sequence[Any], single: Sequence[bool]) -> str:
    """Return the source of the loops of an elementwise operation."""
    values, size = len(single), len(inputs)
    names = {one: f"a{k}" for k, one in enumerate(inputs)}
    g = pt.dscalar("g")
    one, *by = simplified([graph, *slopes(g * graph, list(inputs[:values]))])
    lines, (result,) = body(list(inputs), [one], dict(names))
    arguments = ", ".join(names.values())
    text = [HEAD.replace("ARGUMENTS", arguments) + "\n".join([*lines, f"    return 1.0 * {result}"])]
    lines, results = body([*inputs, g], by, dict(names) | {g: "g"})
    lines.append("    return " + ", ".join(f"1.0 * {name}" for name in results) + ("," if values == 1 else ""))
    text += ["", "", "@vectorised", f"def slopes({', '.join(['g', *names.values()])}):", *lines]
    reads = [
        "    wide()",
        f"    r = numba.carray(record, ({FIXED + values},))",
        "    n, every = r[4], numba.carray(v, (MANY,))",
    ]
    reads += ["    numbers = numba.carray(store, (MANY,))"] if size > values else []
    given = []
    for k in range(size):
        if k >= values:
            reads.append(f"    a{k} = numbers[r[6] + {k - values} * n : r[6] + {k - values + 1} * n]")
        elif single[k]:
            reads.append(f"    a{k} = every[r[{FIXED + k}]]")
        else:
            reads.append(f"    a{k} = every[r[{FIXED + k}] : r[{FIXED + k}] + n]")
        given.append(f"a{k}" if k < values and single[k] else f"a{k}[k]")
    called = ", ".join(given)
    text += ["", "", "def forward_loop(record, v, store):", *reads, "    total = 0.0"]
    if kind == ELEMENT:
        text += ["    out = every[r[5] : r[5] + n]", "    for k in range(n):", f"        out[k] = row({called})"]
    else:
        text += ["    for k in range(n):", f"        total = plus(total, row({called}))"]
    text += ["    return total", "", "", "def backward_loop(record, v, gv, store):", *reads]
    text.append("    turned = numba.carray(gv, (MANY,))")
    text += ["    g = turned[r[5] : r[5] + n]"] if kind == ELEMENT else []
    text += [
        f"    t{k} = 0.0" if single[k] else f"    g{k} = turned[r[{FIXED + k}] : r[{FIXED + k}] + n]"
        for k in range(values)
    ]
    text.append("    for k in range(n):")
    text.append(
        f"        {''.join(f's{k}, ' for k in range(values))}= slopes({'g[k]' if kind == ELEMENT else '1.0'}, {called})"
        if values
        else "        pass"
    )
    text += [f"        t{k} = plus(t{k}, s{k})" if single[k] else f"        g{k}[k] += s{k}" for k in range(values)]
    text += [f"    turned[r[{FIXED + k}]] += t{k}" for k in range(values) if single[k]]
    return "\n".join(text) + "\n    return 0.0\n" + ELEMENT_TAIL
