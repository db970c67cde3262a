"""Rows of eight doubles as values of compiled loops: loaded, added and stored as vectors, without checks for overlap.

In a function compiled by numba, `row(array, k)` is a vector in registers, and +, - and * of rows and numbers are vector
instructions. As Python the same lines are NumPy's, for arrays of shape (number, 8).
"""

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, overload, register_model

from halfpoint.models.games.table import Floats

if TYPE_CHECKING:
    from numba.core.base import BaseContext
    from numba.core.typing import Signature

COLUMNS = 8
_FLAGS = ("contract", "reassoc", "nsz")


class _Row(types.Type):
    """Numba's type of a row."""

    def __init__(self) -> None:
        super().__init__(name=f"row of {COLUMNS}")


_ROW = _Row()


@register_model(_Row)
class _RowModel(models.PrimitiveModel):  # type: ignore[misc]
    """A row is a vector of LLVM."""

    def __init__(self, manager: object, kind: _Row) -> None:
        super().__init__(manager, kind, ir.VectorType(ir.DoubleType(), COLUMNS))


def row(array: Floats, k: int) -> Floats:
    """Row `k` of a contiguous array (number, 8)."""
    return np.array(array[k])


def put(array: Floats, k: int, values: Floats) -> None:
    """Store a row in a contiguous array (number, 8)."""
    array[k] = values


def equal_numbers(x: float) -> Floats:
    """A row of eight equal numbers."""
    return np.full(COLUMNS, x)


def _place(context: "BaseContext", builder: ir.IRBuilder, kind: object, array: ir.Value, k: ir.Value) -> ir.Value:
    """Pointer to a row of an array."""
    data = context.make_array(kind)(context, builder, array).data
    first = builder.gep(data, [builder.mul(k, ir.Constant(k.type, COLUMNS))])
    return builder.bitcast(first, ir.VectorType(ir.DoubleType(), COLUMNS).as_pointer())


def _spread(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Vector of equal numbers."""
    vector, whole = ir.VectorType(ir.DoubleType(), COLUMNS), ir.VectorType(ir.IntType(32), COLUMNS)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), ir.Constant(whole, None))


def _require_rows(array: object) -> None:
    """Raise `TypingError` for an array whose rows are not eight doubles one after the other."""
    if not (
        isinstance(array, types.Array) and array.ndim == 2 and array.layout == "C" and array.dtype == types.float64
    ):
        raise TypingError(f"rows of eight: expected a contiguous array of doubles (number, 8), found {array}")


@intrinsic
def _load(context, array, k):  # type: ignore[no-untyped-def]
    _require_rows(array)

    def generate(context: "BaseContext", builder: ir.IRBuilder, signature: "Signature", arguments: Any) -> ir.Value:
        return builder.load(_place(context, builder, signature.args[0], *arguments), align=8)

    return _ROW(array, types.intp), generate


@intrinsic
def _store(context, array, k, values):  # type: ignore[no-untyped-def]
    _require_rows(array)

    def generate(context: "BaseContext", builder: ir.IRBuilder, signature: "Signature", arguments: Any) -> ir.Value:
        array, k, values = arguments
        builder.store(values, _place(context, builder, signature.args[0], array, k), align=8)
        return context.get_dummy_value()

    return types.none(array, types.intp, _ROW), generate


@intrinsic
def _equal(context, x):  # type: ignore[no-untyped-def]
    def generate(context: "BaseContext", builder: ir.IRBuilder, signature: "Signature", arguments: Any) -> ir.Value:
        return _spread(builder, *arguments)

    return _ROW(types.float64), generate


@overload(row, inline="always")
def _row(array, k):  # type: ignore[no-untyped-def]
    return lambda array, k: _load(array, k)


@overload(put, inline="always")
def _put(array, k, values):  # type: ignore[no-untyped-def]
    return lambda array, k, values: _store(array, k, values)


@overload(equal_numbers, inline="always")
def _equal_numbers(x):  # type: ignore[no-untyped-def]
    return lambda x: _equal(x)


def _operation(of_numbers: Callable[[object, object], object], instruction: str) -> None:
    """Let an operator of two rows, or of a number and a row, be a vector instruction."""

    @intrinsic
    def together(context, left, right):  # type: ignore[no-untyped-def]
        def generate(context: "BaseContext", builder: ir.IRBuilder, signature: "Signature", arguments: Any) -> ir.Value:
            kinds = zip(signature.args, arguments, strict=True)
            rows = [value if kind == _ROW else _spread(builder, value) for kind, value in kinds]
            return getattr(builder, instruction)(*rows, flags=_FLAGS)

        return _ROW(*(kind if kind == _ROW else types.float64 for kind in (left, right))), generate

    @overload(of_numbers, inline="always")
    def operate(left, right):  # type: ignore[no-untyped-def]
        return (lambda left, right: together(left, right)) if _ROW in (left, right) else None


_operation(operator.add, "fadd")
_operation(operator.sub, "fsub")
_operation(operator.mul, "fmul")
