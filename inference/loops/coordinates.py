"""From sampled coordinates to the values of all parameters, and the gradient back: compiled loops of the engine.

An operation (`models.reading.layout`) is a record of integers, the first its kind and the second its length:

    element, prior   addresses of the compiled loops, size, first result, first number, place of each value
    gather           size, first result, places
    sum              size, how many each, first result, places
    matrix           rows, columns, columns of the result, first value, first result, first number
    chain            size, terms of each, first result, first a, first b, results that the terms read, -1 for none
"""

from typing import TYPE_CHECKING

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from halfpoint.inference.loops.vector_arithmetic import plus, vectorise
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.reading.layout import CHAIN, ELEMENT, GATHER, MATRIX, PRIOR, SUM, Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numba.core.base import BaseContext
    from numba.core.typing import Signature

    from halfpoint.inference.loops.vector_arithmetic import Intrinsic


def records(layout: Layout) -> tuple[Integers, Integers, Floats]:
    """Operations of a layout as integers, the start of each, and the numbers that they read."""
    integers: list[int] = []
    starts: list[int] = []
    store: list[Floats] = [np.zeros(0)]
    stored = 0
    for op in layout.operations:
        places = [layout.indices(place) for place in (op.places[:2] if op.kind == CHAIN else op.places)]
        out = int(layout.indices(op.out)[0]) if op.out.size else -1
        if op.kind in (ELEMENT, PRIOR):
            from halfpoint.inference.loops.generator import compiled_element  # brings PyTensor

            single = [place.size == 1 and op.size != 1 for place in places]
            loops = compiled_element(op.kind, op.graph, op.inputs, single)
            record = [*(loop.address for loop in loops), op.size, out, stored, *(int(place[0]) for place in places)]
        elif op.kind == MATRIX:
            matrix = op.numbers[0]
            record = [op.size, *matrix.shape, int(places[0][0]), out, stored]
        elif op.kind == CHAIN:
            record = [op.size, places[0].size // max(op.size, 1), out, int(places[0][0]), int(places[1][0])]
            record += op.places[2].tolist()
        elif op.kind == SUM:
            record = [op.size, places[0].size // max(op.size, 1), out, *places[0].tolist()]
        else:
            record = [op.size, out, *places[0].tolist()]
        starts.append(len(integers))
        integers += [op.kind, len(record) + 2, *record]
        store += [number.ravel() for number in op.numbers]
        stored += sum(number.size for number in op.numbers)
    return np.asarray(integers, dtype=np.int64), np.asarray(starts, dtype=np.int64), np.concatenate(store)


def calling(integers: int, pointers: int) -> "Intrinsic":
    """Return an intrinsic that calls a C function at an address, with whole numbers and then pointers."""
    kind = ir.FunctionType(ir.DoubleType(), [ir.IntType(64)] * integers + [ir.IntType(8).as_pointer()] * pointers)

    def generate(
        target: "BaseContext", builder: ir.IRBuilder, signature: "Signature", arguments: "Sequence[ir.Value]"
    ) -> ir.Value:
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return types.float64(*(types.int64,) * (1 + integers), *(types.voidptr,) * pointers), generate


@intrinsic
def _call_loop(context, address, record, v, gv, store):  # type: ignore[no-untyped-def]
    """Call the forward or the backward loop of an element at an address."""
    return calling(0, 4)


@vectorise
def forward(operations: Integers, store: Floats, v: Floats) -> float:
    """Fill the values from the coordinates and return the log prior without its constant."""
    prior, o = 0.0, 0
    while o < operations.size:
        kind, r = operations[o], operations[o + 2 :]
        if kind <= PRIOR:  # an element too
            prior += _call_loop(r[0], operations[o:].ctypes, v.ctypes, v.ctypes, store.ctypes)
        elif kind == GATHER:
            for k in range(r[0]):
                v[r[1] + k] = v[r[2 + k]]
        elif kind == SUM:
            for k in range(r[0]):
                total = 0.0
                for j in range(r[1]):
                    total += v[r[3 + k * r[1] + j]]
                v[r[2] + k] = total
        elif kind == CHAIN:
            for k in range(r[0]):
                total = v[r[4] + k]
                for j in range(r[1]):
                    if r[5 + k * r[1] + j] >= 0:
                        total += v[r[3] + k * r[1] + j] * v[r[2] + r[5 + k * r[1] + j]]
                v[r[2] + k] = total
        else:
            width = r[2]
            for k in range(r[0]):
                out = v[r[4] + k * width : r[4] + (k + 1) * width]
                for t in range(width):
                    out[t] = 0.0
                for s in range(r[1]):
                    factor, line = v[r[3] + k * r[1] + s], store[r[5] + s * width : r[5] + (s + 1) * width]
                    for t in range(width):
                        out[t] += factor * line[t]
        o += operations[o + 1]
    return prior


@vectorise
def backward(operations: Integers, starts: Integers, store: Floats, v: Floats, gv: Floats) -> None:
    """Propagate the gradients of likelihood and prior from the values to the coordinates."""
    for place in range(starts.size - 1, -1, -1):
        o = starts[place]
        kind, r = operations[o], operations[o + 2 :]
        if kind <= PRIOR:  # an element too
            _call_loop(r[1], operations[o:].ctypes, v.ctypes, gv.ctypes, store.ctypes)
        elif kind == GATHER:
            for k in range(r[0]):
                gv[r[2 + k]] += gv[r[1] + k]
        elif kind == SUM:
            for k in range(r[0]):
                for j in range(r[1]):
                    gv[r[3 + k * r[1] + j]] += gv[r[2] + k]
        elif kind == CHAIN:
            for k in range(r[0] - 1, -1, -1):
                g = gv[r[2] + k]
                gv[r[4] + k] += g
                for j in range(r[1]):
                    earlier = r[5 + k * r[1] + j]
                    if earlier >= 0:
                        gv[r[3] + k * r[1] + j] += g * v[r[2] + earlier]
                        gv[r[2] + earlier] += g * v[r[3] + k * r[1] + j]
        else:
            width = r[2]
            for k in range(r[0]):
                out = gv[r[4] + k * width : r[4] + (k + 1) * width]
                for s in range(r[1]):
                    total, line = 0.0, store[r[5] + s * width : r[5] + (s + 1) * width]
                    for t in range(width):
                        total = plus(total, out[t] * line[t])
                    gv[r[3] + k * r[1] + s] += total
