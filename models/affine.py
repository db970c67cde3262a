r"""Affine arithmetic on graphs: what a graph says of its sources as y = A e + c, read off its operators.

Each node is computed on sparse affine expressions instead of numbers. An operator that is linear gives another one;
any other operator of something that depends on a source raises `NotAffineError`, which names it. Nothing is tried at
points, so what comes out is exact for all values. What does not depend on a source is computed as numbers.

e = (x, z) are the sources x and sums over many of them, z = B e, which are kept apart: x - mean(x) has one long row in
B and short ones in A, where A alone would be dense.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pytensor.compile.ops import ViewOp
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Constant
from pytensor.scalar import basic as scalar
from pytensor.tensor import elemwise
from pytensor.tensor.basic import Alloc, ExtractDiag, Join, MakeVector, ScalarFromTensor, Split, TensorFromScalar
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.elemwise import Elemwise
from pytensor.tensor.math import Dot, Sum
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.shape import Reshape, Shape, SpecifyShape
from pytensor.tensor.subtensor import (
    AdvancedIncSubtensor,
    AdvancedSubtensor,
    IncSubtensor,
    Subtensor,
    unflatten_index_variables,
)
from scipy.sparse import csr_array, eye_array, kron, vstack

Floats = npt.NDArray[np.float64]
LONG = 16  # rows with more terms become terms of their own
MOVING = (  # operators that pick, repeat or move elements of their first input
    Alloc,
    AdvancedSubtensor,
    elemwise.DimShuffle,
    ExtractDiag,
    Reshape,
    ScalarFromTensor,
    SpecifyShape,
    Split,
    Subtensor,
    TensorFromScalar,
)


class NotAffineError(ValueError):
    """An operator that is not linear meets something that depends on a source."""


@dataclass(frozen=True, eq=False)
class Affine:
    """An array whose elements are affine in the terms: A e + c.

    Parameters
    ----------
    matrix : csr_array, shape (element, term)
        A, elements in C order.
    constant : array of float
        c, in the shape of the array.
    """

    matrix: Any
    constant: Floats

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.constant.shape


Value = Affine | npt.NDArray[Any]


class Reading:
    """The values of graphs over some sources, each node read once.

    Parameters
    ----------
    sources : mapping of Variable to tuple of int
        The sources x with their shapes, in the order of e.
    """

    def __init__(self, sources: Mapping[Any, tuple[int, ...]]) -> None:
        sizes = [int(np.prod(shape)) for shape in sources.values()]
        self.sources = sum(sizes)
        self.long: list[Any] = []  # rows of B
        self.known: dict[Any, Value] = {}
        units, stop = eye_array(self.sources, format="csr"), 0
        for (variable, shape), size in zip(sources.items(), sizes, strict=True):
            if variable.dtype != "float64":
                raise NotAffineError(f"{variable.name} is in {variable.dtype}")
            self.known[variable] = Affine(units[stop : stop + size], np.zeros(shape))
            stop += size

    @property
    def terms(self) -> int:
        """Number of terms e."""
        return self.sources + len(self.long)

    @property
    def inner(self) -> Any:
        """B, shape (long row, term); each row has sources and earlier long rows only."""
        return self.stacked(self.long)

    def stacked(self, matrices: list[Any]) -> Any:
        """Return matrices below each other, with a column for every term."""
        wide = [self.widened(matrix) for matrix in matrices]
        return vstack(wide, format="csr") if wide else csr_array((0, self.terms))

    def widened(self, matrix: Any) -> Any:
        """Return a matrix with a column for every term."""
        if matrix.shape[1] == self.terms:
            return matrix
        return csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], self.terms))

    def matrix(self, value: Value) -> Any:
        """Return A of a value, shape (element, term); zeros for numbers."""
        return self.widened(value.matrix) if isinstance(value, Affine) else csr_array((value.size, self.terms))

    def read(self, variable: Any) -> Value:
        """Return a variable as an affine expression, or as numbers where it depends on no source.

        Parameters
        ----------
        variable : Variable
            Output of a graph.

        Raises
        ------
        NotAffineError
            If it is not affine in the sources, or depends on something random or unknown.
        """
        pending = [variable]
        while pending:
            here = pending[-1]
            if here in self.known:
                pending.pop()
            elif here.owner is None:
                self.known[here] = leaf(here)
            else:
                missing = [given for given in here.owner.inputs if given not in self.known]
                if missing:
                    pending.extend(missing)
                else:
                    self.apply(here.owner)
        return self.known[variable]

    def apply(self, node: Any) -> None:
        """Read one node whose inputs are known."""
        given = [self.known[variable] for variable in node.inputs]
        if isinstance(node.op, RandomVariable):
            raise NotAffineError(f"{node.op} is random")
        if isinstance(node.op, Shape):
            found: list[Value] = [np.array(given[0].shape, dtype=np.int64)]
        elif not any(isinstance(value, Affine) for value in given):
            found = perform(node, given)
        elif any(variable.dtype != "float64" for variable in node.outputs):
            raise NotAffineError(f"{node.op} in {node.outputs[0].dtype}")
        else:
            found = self.linear(node, given)
        for variable, value in zip(node.outputs, found, strict=True):
            self.known.setdefault(variable, value)

    def linear(self, node: Any, given: list[Value]) -> list[Value]:
        """Return the outputs of a linear operator."""
        op = node.op
        if type(op) is ViewOp:  # its kin change the gradient
            return [given[0]]
        if isinstance(op, Elemwise) and type(op.scalar_op) in ELEMENTWISE:
            return [ELEMENTWISE[type(op.scalar_op)](self, op, given)]
        if isinstance(op, Sum):
            return [self.sum(op, given[0])]
        if isinstance(op, Dot) or (isinstance(op, Blockwise) and isinstance(op.core_op, Dot)):
            return [self.dot(op, *given)]
        if isinstance(op, MOVING):
            return self.moved(node, given, 1)
        if isinstance(op, Join | MakeVector):
            return self.moved(node, given, len(given))
        if isinstance(op, IncSubtensor | AdvancedIncSubtensor):
            return self.moved(node, given, 2) if op.set_instead_of_inc else [self.increased(op, given)]
        raise NotAffineError(str(op))

    def moved(self, node: Any, given: list[Value], count: int) -> list[Value]:
        """Return what an operator makes of its first `count` inputs: it is performed on the places of elements."""
        if any(isinstance(value, Affine) for value in given[count:]):
            raise NotAffineError(f"{node.op} with an index that depends on a parameter")
        starts = np.cumsum([0, *(int(np.prod(value.shape)) for value in given[:count])])
        places: list[Any] = [
            np.arange(start, stop, dtype=np.float64).reshape(value.shape)
            for start, stop, value in zip(starts[:-1], starts[1:], given, strict=False)
        ]
        matrix = self.stacked([self.matrix(value) for value in given[:count]])
        constants = [value.constant if isinstance(value, Affine) else value for value in given[:count]]
        constant = np.concatenate([np.ravel(one) for one in constants]).astype(np.float64)
        found = [np.asarray(place).astype(np.int64) for place in perform(node, places + given[count:])]
        return [simple(matrix[place.ravel()], constant[place]) for place in found]

    def spread(self, value: Value, shape: tuple[int, ...]) -> tuple[Any, Floats]:
        """Return A and c of a value broadcast to a shape."""
        constant = value.constant if isinstance(value, Affine) else value
        constant = np.broadcast_to(np.asarray(constant, dtype=np.float64), shape)
        if value.shape == shape:
            return self.matrix(value), constant
        place = np.broadcast_to(np.arange(np.prod(value.shape, dtype=np.int64)).reshape(value.shape), shape)
        return self.matrix(value)[place.ravel()], constant

    def sum(self, op: Any, value: Value) -> Value:
        """Return the sums over some axes."""
        axes = tuple(range(len(value.shape))) if op.axis is None else tuple(op.axis)
        kept = [1 if axis in axes else length for axis, length in enumerate(value.shape)]
        size = int(np.prod(value.shape))
        goal = np.broadcast_to(np.arange(np.prod(kept, dtype=np.int64)).reshape(kept), value.shape).ravel()
        chosen = csr_array((np.ones(size), (goal, np.arange(size))), shape=(int(np.prod(kept)), size))
        assert isinstance(value, Affine)
        return self.shortened(chosen @ self.matrix(value), value.constant.sum(axis=axes))

    def dot(self, op: Any, left: Value, right: Value) -> Value:
        """Return the product of two matrices, one of them numbers."""
        if len(left.shape) != 2 or len(right.shape) != 2:
            raise NotAffineError(f"{op} of stacks of matrices")
        if isinstance(left, Affine) and not isinstance(right, Affine):
            mixed = kron(eye_array(left.shape[0]), csr_array(right.T.astype(np.float64)), format="csr")
            return self.shortened(mixed @ self.matrix(left), left.constant @ right)
        if isinstance(right, Affine) and not isinstance(left, Affine):
            mixed = kron(csr_array(left.astype(np.float64)), eye_array(right.shape[1]), format="csr")
            return self.shortened(mixed @ self.matrix(right), left @ right.constant)
        raise NotAffineError(f"{op} of two that depend on parameters")

    def increased(self, op: Any, given: list[Value]) -> Value:
        """Return x with y added at some places."""
        x, y, *index = given
        if any(isinstance(value, Affine) for value in index) or getattr(op, "ignore_duplicates", False):
            raise NotAffineError(str(op))
        size = int(np.prod(x.shape))
        place = np.arange(size).reshape(x.shape)[tuple(unflatten_index_variables(index, op.idx_list))]
        matrix, constant = self.spread(y, place.shape)
        whole = np.array(x.constant if isinstance(x, Affine) else x, dtype=np.float64).ravel()
        np.add.at(whole, place.ravel(), constant.ravel())
        goal = csr_array((np.ones(place.size), (place.ravel(), np.arange(place.size))), shape=(size, place.size))
        return simple(self.matrix(x) + goal @ matrix, whole.reshape(x.shape))

    def shortened(self, matrix: Any, constant: Any) -> Value:
        """Return an expression whose long rows have become terms of their own."""
        matrix = csr_array(matrix)
        matrix.sum_duplicates()
        for row in np.flatnonzero(np.diff(matrix.indptr) > LONG):
            self.long.append(matrix[[row]])
        added = self.terms - matrix.shape[1]
        if added:
            long = np.diff(matrix.indptr) > LONG
            keep = np.where(long, 0.0, 1.0)
            units = csr_array(
                (np.ones(added), (np.flatnonzero(long), np.arange(matrix.shape[1], self.terms))),
                shape=(matrix.shape[0], self.terms),
            )
            matrix = scaled(self.widened(matrix), keep) + units
        return simple(matrix, np.asarray(constant, dtype=np.float64))


def leaf(variable: Any) -> npt.NDArray[Any]:
    """Return the numbers of a constant or of data."""
    if isinstance(variable, Constant):
        return variable.data  # type: ignore[no-any-return]
    if isinstance(variable, SharedVariable):
        return variable.get_value(borrow=True)  # type: ignore[no-any-return]
    raise NotAffineError(f"{variable} is unknown")


def perform(node: Any, given: list[Any]) -> list[Any]:
    """Return the outputs of a node on numbers, by its own Python code."""
    node.op.prepare_node(node, None, None, "py")
    storage: list[list[Any]] = [[None] for _ in node.outputs]
    node.op.perform(node, given, storage)
    return [place[0] for place in storage]


def simple(matrix: Any, constant: Floats) -> Value:
    """Return an expression, as numbers if no term is left in it.

    Raises
    ------
    NotAffineError
        If a slope is not finite.
    """
    if not np.isfinite(matrix.data).all():
        raise NotAffineError("a slope that is not finite")
    if not matrix.data.all():
        matrix = matrix.copy()  # its indexes may be those of another expression
        matrix.eliminate_zeros()
    return Affine(matrix, constant) if matrix.nnz else constant


def scaled(matrix: Any, factor: Floats) -> Any:
    """Return a matrix with each row times a number."""
    data = matrix.data * np.repeat(factor, np.diff(matrix.indptr))
    return csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def common_shape(given: list[Value]) -> tuple[int, ...]:
    """Return the shape that arrays have together."""
    return np.broadcast_shapes(*(value.shape for value in given))


def add(reading: Reading, op: Any, given: list[Value], signs: tuple[float, ...] = ()) -> Value:
    """Return a sum, or a difference by its signs."""
    shape = common_shape(given)
    matrix, constant = reading.spread(given[0], shape)
    for place, value in enumerate(given[1:], start=1):
        more, number = reading.spread(value, shape)
        negative = bool(signs) and signs[place] < 0
        matrix = matrix - more if negative else matrix + more
        constant = constant - number if negative else constant + number
    return simple(matrix, constant)


def subtract(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return a difference."""
    return add(reading, op, given, (1.0, -1.0))


def negate(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return the negative."""
    return add(reading, op, [np.zeros(()), given[0]], (1.0, -1.0))


def multiply(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return a product in which one factor depends on the sources."""
    affine = [value for value in given if isinstance(value, Affine)]
    if len(affine) > 1:
        raise NotAffineError(f"{op} of two that depend on parameters")
    factor = np.ones(())
    for value in given:
        if not isinstance(value, Affine):
            factor = factor * value
    shape = common_shape(given)
    matrix, constant = reading.spread(affine[0], shape)
    factor = np.broadcast_to(factor, shape)
    with np.errstate(invalid="ignore"):  # an infinite factor is refused below
        return simple(scaled(matrix, factor.ravel()), constant * factor)


def divide(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return a quotient whose denominator is numbers."""
    if isinstance(given[1], Affine):
        raise NotAffineError(f"{op} by something that depends on a parameter")
    shape = common_shape(given)
    matrix, constant = reading.spread(given[0], shape)
    factor = np.broadcast_to(np.asarray(given[1], dtype=np.float64), shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        data = matrix.data / np.repeat(factor.ravel(), np.diff(matrix.indptr))
        return simple(csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape), constant / factor)


def same(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return the input, which is in double precision before and after."""
    return given[0]


def second(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return the second input in the shape of both."""
    matrix, constant = reading.spread(given[1], common_shape(given))
    return simple(matrix, constant)


def choose(reading: Reading, op: Any, given: list[Value]) -> Value:
    """Return elements of two inputs, chosen by numbers."""
    if isinstance(given[0], Affine):
        raise NotAffineError(f"{op} by something that depends on a parameter")
    shape = common_shape(given)
    condition = np.broadcast_to(given[0], shape) != 0
    (first, yes), (other, no) = reading.spread(given[1], shape), reading.spread(given[2], shape)
    chosen = condition.ravel().astype(np.float64)
    return simple(scaled(first, chosen) + scaled(other, 1.0 - chosen), np.where(condition, yes, no))


ELEMENTWISE: dict[type, Callable[[Reading, Any, list[Value]], Value]] = {
    scalar.Add: add,
    scalar.Sub: subtract,
    scalar.Neg: negate,
    scalar.Mul: multiply,
    scalar.TrueDiv: divide,
    scalar.Identity: same,
    scalar.Cast: same,
    scalar.Second: second,
    scalar.Switch: choose,
}
