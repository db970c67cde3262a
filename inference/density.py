r"""Log density of normal parameters behind the fused log-potential: two C functions for nutpie, compiled once.

    e = (x, z),  z = B e                       sampled parameters x, and sums over many of them, one after the other
    y = A e + c                                seats, lam and a remainder
    log p(x) = kernel(y) + remainder - sum ((x - m) / s)^2 / 2 - sum log(s sqrt(2 pi))
    gradient = (d e / d x)' A' (d kernel / d y) - (x - m) / s^2

A and B are sparse (rows of A: White's seats, Black's seats, lam, remainder; B is empty in most models, see
`models.affine`). All numbers, these included, reach the compiled code through a pointer, so one compile, kept on disk,
serves every model of this form: both families, all advantages, priors, weights and games.
"""

from dataclasses import dataclass, fields
from functools import cache, partial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from halfpoint.games.table import Floats
from halfpoint.models.kernel import log_potential
from halfpoint.models.vector import kept, vectorised

Integers = npt.NDArray[np.int64]
INVALID, NOT_FINITE = -1, 4  # a bad call ends the chain; a density that is not finite is a divergence


@dataclass(frozen=True, eq=False)
class Numbers:
    """What the compiled functions read, in this order; see the module for the symbols.

    Parameters
    ----------
    mean, precision : array of float, shape (parameter,)
        m and 1 / s^2 of the priors.
    normaliser : array of float, shape (1,)
        -sum log(s sqrt(2 pi)).
    inner_row, inner_column, inner_slope : arrays
        B in compressed rows (ends of rows, columns, values).
    row, column, slope, constant : arrays
        A in compressed rows (ends of rows, columns, values), and c.
    trace_row, trace_column, trace_slope, trace_constant : arrays
        The same for the values that a trace keeps.
    black : array of int32, shape (cell,)
    offset, surplus, total : array of float, shape (cell,)
    runs : array of int64, shape (3 * (run + 1),)
        The cells; see `models.kernel.log_potential`.
    """

    mean: Floats
    precision: Floats
    normaliser: Floats
    inner_row: Integers
    inner_column: Integers
    inner_slope: Floats
    row: Integers
    column: Integers
    slope: Floats
    constant: Floats
    trace_row: Integers
    trace_column: Integers
    trace_slope: Floats
    trace_constant: Floats
    black: npt.NDArray[np.int32]
    offset: Floats
    surplus: Floats
    total: Floats
    runs: Integers

    def table(self) -> npt.NDArray[np.uint64]:
        """Return address and size of each array; the arrays must outlive the table."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        return np.array([(array.ctypes.data, array.size) for array in arrays], dtype=np.uint64).ravel()


MEAN, PRECISION, NORMALISER, INNER_ROW, INNER_COLUMN, INNER_SLOPE = range(6)
ROW, COLUMN, SLOPE, CONSTANT = range(6, 10)
TRACE_ROW, TRACE_COLUMN, TRACE_SLOPE, TRACE_CONSTANT = range(10, 14)
BLACK, OFFSET, SURPLUS, TOTAL, RUNS = range(14, 19)


def _pointer(context: Any, address: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], target.get_value_type(types.voidptr))

    return types.voidptr(types.uint64), generate


pointer: Any = intrinsic(_pointer)


@numba.njit(forceinline=True)  # type: ignore[untyped-decorator]
def floats(table: Any, place: int) -> Any:
    """Return the array of doubles at a place of the table."""
    return numba.carray(pointer(table[2 * place]), (np.int64(table[2 * place + 1]),), np.float64)


@numba.njit(forceinline=True)  # type: ignore[untyped-decorator]
def integers(table: Any, place: int) -> Any:
    """Return the array of 64-bit integers at a place of the table."""
    return numba.carray(pointer(table[2 * place]), (np.int64(table[2 * place + 1]),), np.int64)


@numba.njit(forceinline=True)  # type: ignore[untyped-decorator]
def terms(table: Any, x: Any) -> Any:
    """Return e = (x, z), z = B e."""
    row, column, slope = integers(table, INNER_ROW), integers(table, INNER_COLUMN), floats(table, INNER_SLOPE)
    e = np.empty(x.size + row.size - 1)
    e[: x.size] = x
    for i in range(row.size - 1):
        total = 0.0
        for k in range(row[i], row[i + 1]):
            total += slope[k] * e[column[k]]
        e[x.size + i] = total
    return e


@numba.njit(forceinline=True)  # type: ignore[untyped-decorator]
def affine(row: Any, column: Any, slope: Any, constant: Any, e: Any, result: Any) -> None:
    """Put A e + c into `result`."""
    for i in range(constant.size):
        total = constant[i]
        for k in range(row[i], row[i + 1]):
            total += slope[k] * e[column[k]]
        result[i] = total


# A copy of its own inside log_density. A call would go to whichever compiled copy this process met first, and their
# last bits differ, so that the draws of a seed would depend on what ran before. It stands here, not in the function
# below: what a closure holds is part of the key of numba's cache, and a compiled function is another in each process.
potential_of = vectorised(log_potential.py_func)  # type: ignore[attr-defined]


@cache
def compiled_functions() -> tuple[Any, Any]:
    """Return the log density with its gradient, and the values a trace keeps, as C functions in nutpie's form."""
    number, vector = types.uint64, types.CPointer(types.double)

    def log_density(size, point, gradient, value, numbers):  # type: ignore[no-untyped-def]
        table = numba.carray(numbers, (2 * RUNS + 2,), np.uint64)
        mean, precision = floats(table, MEAN), floats(table, PRECISION)
        if size != mean.size:
            return INVALID
        x = numba.carray(point, (mean.size,))
        out = numba.carray(gradient, (mean.size,))
        row, column = integers(table, ROW), integers(table, COLUMN)
        slope, constant = floats(table, SLOPE), floats(table, CONSTANT)
        y = np.empty(constant.size)
        weight = np.empty(constant.size)
        e = terms(table, x)
        affine(row, column, slope, constant, e, y)
        seats = (constant.size - 2) // 2
        black = numba.carray(pointer(table[2 * BLACK]), (np.int64(table[2 * BLACK + 1]),), np.int32)
        runs = integers(table, RUNS)
        potential, draw_slope = potential_of(
            y[:seats],
            y[seats : 2 * seats],
            y[2 * seats],
            black,
            floats(table, OFFSET),
            floats(table, SURPLUS),
            floats(table, TOTAL),
            runs.reshape((runs.size // 3, 3)),
            weight[:seats],
            weight[seats : 2 * seats],
        )
        weight[2 * seats] = draw_slope
        weight[2 * seats + 1] = 1.0
        total = potential + y[2 * seats + 1] + floats(table, NORMALISER)[0]
        rise = np.zeros(e.size)
        for i in range(mean.size):
            distance = x[i] - mean[i]
            rise[i] = -distance * precision[i]
            total -= 0.5 * distance * distance * precision[i]
        for i in range(constant.size):
            for k in range(row[i], row[i + 1]):
                rise[column[k]] += slope[k] * weight[i]
        inner_row, inner_column, inner_slope = (
            integers(table, INNER_ROW),
            integers(table, INNER_COLUMN),
            floats(table, INNER_SLOPE),
        )
        for i in range(e.size - mean.size - 1, -1, -1):
            for k in range(inner_row[i], inner_row[i + 1]):
                rise[inner_column[k]] += inner_slope[k] * rise[mean.size + i]
        for i in range(mean.size):
            out[i] = rise[i]
            if not np.isfinite(out[i]):
                return NOT_FINITE
        if not np.isfinite(total):
            return NOT_FINITE
        numba.carray(value, (1,))[0] = total
        return 0

    def trace_values(size, count, point, result, numbers):  # type: ignore[no-untyped-def]
        table = numba.carray(numbers, (2 * RUNS + 2,), np.uint64)
        constant = floats(table, TRACE_CONSTANT)
        if count != constant.size:
            return INVALID
        x = numba.carray(point, (np.int64(size),))
        out = numba.carray(result, (constant.size,))
        row, column, slope = integers(table, TRACE_ROW), integers(table, TRACE_COLUMN), floats(table, TRACE_SLOPE)
        affine(row, column, slope, constant, terms(table, x), out)
        return 0

    density_type = types.int64(number, vector, vector, vector, types.voidptr)
    trace_type = types.int64(number, number, vector, vector, types.voidptr)
    parts = ((density_type, log_density), (trace_type, trace_values))
    density, trace = (kept(partial(numba.cfunc, kind, error_model="numpy"), function) for kind, function in parts)
    return density, trace
