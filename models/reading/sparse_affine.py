r"""A formula as sparse sums: the coefficients of parameters in each row, read from its own arithmetic.

    y_r = c_r + sum_k c_rk v_{i_rk} + sum_l c_rl v_{i_rl} v_{j_rl}

v is the vector of all parameters of a model. A `SparseAffine` replaces the values of a parameter; sums, differences,
products with numbers, products of two forms, selections and matrix products with numbers are carried out on it, and
other operations are refused. So the terms are exactly the formula's terms, without probing.

The result is stored by columns: column k contains one index and one coefficient for each row. Columns that are never
used by the same row are merged, and a column with one index for all rows is marked, since its gradient is a plain sum.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Codes, Floats, Integers

Term = tuple[Floats, tuple[Integers, ...]]  # coefficient and indexes, each broadcast to the form's shape

_Entries = npt.NDArray[np.generic]  # coefficients or indexes


class NotAffineError(TypeError):
    """Raised when a formula is not a sum of parameters and products of two."""


def _refuse(what: str) -> Callable[..., NoReturn]:
    """Make a method that refuses an operation other than sums and products."""

    def method(self: object, *operands: object) -> NoReturn:
        raise NotAffineError(f"{what} of a parameter")

    return method


class SparseAffine:
    """Sparse sums of parameters: terms (coefficient, indexes) of its shape; no index: constant, two: a product."""

    __array_ufunc__ = None  # NumPy leaves arithmetic with arrays to this class

    def __init__(self, shape: tuple[int, ...], terms: list[Term]) -> None:
        self.shape, self.terms = shape, terms

    @classmethod
    def of(cls, start: int, shape: tuple[int, ...]) -> "SparseAffine":
        """The form of a parameter whose values begin at `start`."""
        index = start + np.arange(int(np.prod(shape, dtype=np.int64))).reshape(shape)
        return cls(shape, [(np.ones(shape), (index,))])

    @property
    def ndim(self) -> int:
        """Number of dims."""
        return len(self.shape)

    @classmethod
    def numbers(cls, values: npt.ArrayLike) -> "SparseAffine":
        """Numbers as a form."""
        array = np.asarray(values, dtype=np.float64)
        return cls(array.shape, [(array, ())] if np.any(array) else [])

    def rearrange(self, shape: tuple[int, ...], function: Callable[..., Any]) -> "SparseAffine":
        """Form with coefficients and indexes rearranged by a function of arrays, of another shape."""
        return SparseAffine(shape, [(function(c), tuple(function(i) for i in index)) for c, index in self.terms])

    def __getitem__(self, key: Any) -> "SparseAffine":
        shape = np.empty(self.shape, dtype=np.bool_)[key].shape
        return self.rearrange(shape, lambda array: array[key])

    def __add__(self, other: "_Operand") -> "SparseAffine":
        right = other if isinstance(other, SparseAffine) else _constant(other)
        shape = np.broadcast_shapes(self.shape, right.shape)
        terms = []
        for form in (self, right):
            terms += form.rearrange(shape, lambda array: np.broadcast_to(array, shape)).terms
        return SparseAffine(shape, [term for term in terms if term[1] or np.any(term[0])])

    __radd__ = __add__

    def __neg__(self) -> "SparseAffine":
        return self * -1.0

    def __sub__(self, other: "_Operand") -> "SparseAffine":
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> "SparseAffine":
        return (self * -1.0).__add__(other)

    def __mul__(self, other: "_Operand") -> "SparseAffine":
        right = other if isinstance(other, SparseAffine) else _constant(other)
        shape = np.broadcast_shapes(self.shape, right.shape)
        terms = []
        for c, i in self.terms:
            for d, j in right.terms:
                if len(i) + len(j) > 2:
                    raise NotAffineError("a product of more than two parameters")
                indexes = tuple(np.broadcast_to(index, shape) for index in (*i, *j))
                terms.append((np.broadcast_to(c * d, shape), indexes))
        return SparseAffine(shape, terms)

    __rmul__ = __mul__

    def __truediv__(self, other: "_Operand") -> "SparseAffine":
        if isinstance(other, SparseAffine):
            raise NotAffineError("a quotient of parameters")
        return self * (1.0 / np.asarray(other, dtype=np.float64))

    def __matmul__(self, matrix: npt.ArrayLike) -> "SparseAffine":
        """The product with a matrix of numbers, shape (self.shape[-1], column)."""
        numbers = np.asarray(matrix, dtype=np.float64)
        total = _constant(np.zeros((*self.shape[:-1], numbers.shape[1])))
        for k in range(numbers.shape[0]):
            total = total + self[..., k, None] * numbers[k]
        return total

    def transpose(self) -> "SparseAffine":
        """Form with its dims reversed."""
        return self.rearrange(self.shape[::-1], np.transpose)

    def sum_over(self, axes: tuple[int, ...]) -> "SparseAffine":
        """Sums over some dims."""
        axes = tuple(axis % self.ndim for axis in axes)
        outer = [axis for axis in range(self.ndim) if axis not in axes]
        turned = self.rearrange(
            (*(self.shape[axis] for axis in outer), int(np.prod([self.shape[axis] for axis in axes], dtype=np.int64))),
            lambda array: np.transpose(array, (*outer, *axes)).reshape(*(self.shape[axis] for axis in outer), -1),
        )
        total = SparseAffine(turned.shape[:-1], [])
        for place in range(turned.shape[-1]):
            total = total + turned[..., place]
        return total

    def cumulative_sum(self, axis: int) -> "SparseAffine":
        """Running sums along a dim."""
        parts, total = [], None
        for place in range(self.shape[axis]):
            part = self[(*(slice(None),) * (axis % self.ndim), place)]
            total = part if total is None else total + part
            parts.append(total)
        stacked = SparseAffine(self.shape, [])
        for place, part in enumerate(parts):
            position = (*(slice(None),) * (axis % self.ndim), place)

            def pad(array: _Entries, position: Any = position) -> _Entries:
                padded = np.zeros(self.shape, dtype=np.asarray(array).dtype)
                padded[position] = array
                return padded

            stacked = stacked + part.rearrange(self.shape, pad)
        return stacked

    __abs__, __pow__, __rpow__ = _refuse("the absolute value"), _refuse("a power"), _refuse("an exponential")
    __rtruediv__ = _refuse("the reciprocal")
    __mod__, __floordiv__ = _refuse("a remainder"), _refuse("a whole part")
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse("a comparison")
    __bool__, __float__, __int__ = _refuse("the truth"), _refuse("the number"), _refuse("the number")
    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotAffineError(f"{name} of a parameter")


_Operand = SparseAffine | Floats | float


def _constant(value: object) -> SparseAffine:
    """Numbers as a form."""
    if isinstance(value, SparseAffine):
        return value
    try:
        return SparseAffine.numbers(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise NotAffineError(f"arithmetic of a parameter with {type(value).__name__}") from error


def product(left: Floats, right: SparseAffine) -> SparseAffine:
    """The product of a matrix or vector of numbers and a form."""
    turned = right[:, None] if right.ndim == 1 else right.transpose()
    result = (turned if right.ndim == 2 else right[None]) @ np.atleast_2d(left).T
    return result.transpose() if right.ndim == 2 else (result[0] if left.ndim == 2 else result[0, 0])


def joined(axis: int, operands: "Sequence[SparseAffine | Floats]") -> SparseAffine:
    """Affine forms and numbers, concatenated."""
    sizes = [operand.shape[axis] for operand in operands]
    total, begin, result = sum(sizes), 0, None
    for operand, size in zip(operands, sizes, strict=True):
        shape = [*operand.shape]
        shape[axis] = total
        place = (*(slice(None),) * (axis % len(shape)), slice(begin, begin + size))

        def pad(array: _Entries, shape: tuple[int, ...] = tuple(shape), place: tuple[slice, ...] = place) -> _Entries:
            padded = np.zeros(shape, dtype=np.asarray(array).dtype)
            padded[place] = array
            return padded

        form = operand if isinstance(operand, SparseAffine) else SparseAffine.numbers(operand)
        part = form.rearrange(tuple(shape), pad)
        result = part if result is None else result + part
        begin += size
    assert result is not None
    return result


VARYING, UNIFORM, PRODUCT, UNIFORM_PRODUCT = range(4)  # kinds of columns; the last is the sum of those before it


@dataclass(frozen=True, eq=False)
class AffineColumns:
    """Form over rows, ready for compiled code."""

    constant: Floats  # (row,): c_r
    index: npt.NDArray[np.int32]  # (column, row): i and j; the partner of a plain term is -1
    partner: npt.NDArray[np.int32]  # likewise
    slope: Floats  # (column, row): coefficients
    # (column,): VARYING; UNIFORM where one index serves all rows; PRODUCT of two parameters; UNIFORM_PRODUCT where all
    # rows have the same two
    kind: Integers

    @property
    def alike(self) -> bool:
        """True if all rows have the same value at all parameters."""
        arrays = (self.constant[None], self.index, self.partner, self.slope)
        return all(bool(np.all(array == array[:, :1])) for array in arrays)


def flat_terms(form: object, rows: int) -> list[Term]:
    """Terms of a form, numbers expanded to arrays of shape (row,)."""
    sparse = _constant(form)
    return [
        (np.array(slope), tuple(np.array(part) for part in index))
        for slope, index in sparse.rearrange((rows,), lambda array: np.broadcast_to(array, (rows,))).terms
    ]


def columns(terms: list[Term], rows: int) -> AffineColumns:
    """Terms of shape (row,) as columns."""
    fixed = np.zeros(rows)
    merged: list[tuple[Floats, Integers]] = []
    products: list[tuple[Floats, tuple[Integers, ...]]] = []
    for slope, index in terms:
        if not index:
            fixed = fixed + slope
        elif len(index) == 2:
            products.append((slope, index))
        elif np.any(slope):
            for place, (merged_slope, merged_index) in enumerate(merged):
                if np.all((slope == 0) | (merged_slope == 0) | (merged_index == index[0])):
                    merged[place] = (slope + merged_slope, np.where(slope != 0, index[0], merged_index))
                    break
            else:
                merged.append((slope, index[0]))
    entries: list[tuple[Floats | Integers, ...]] = [(slope, place, np.full(rows, -1)) for slope, place in merged]
    entries += [(slope, *index) for slope, index in products if np.any(slope)]
    slopes, first, second = (np.array([entry[k] for entry in entries]).reshape(len(entries), rows) for k in range(3))
    alike = ((first == first[:, :1]) & (second == second[:, :1])).all(axis=1)
    kind = np.where(alike, UNIFORM, VARYING) + PRODUCT * (np.arange(len(entries)) >= len(merged))
    return AffineColumns(fixed, first.astype(np.int32), second.astype(np.int32), slopes.astype(np.float64), kind)


@dataclass(frozen=True, eq=False)
class SeatedAffine:
    """Form over rows, split into terms of White's seat, of Black's seat, and of the row alone."""

    white: AffineColumns  # over seats
    black: AffineColumns  # likewise
    rows: AffineColumns  # over rows


def split_by_seats(form: object, white: Codes, black: Codes) -> SeatedAffine:
    """Split a form over rows by seats, so that shared terms are computed once; white, black (row,)."""
    row_terms: list[Term] = []
    tables: list[list[Term]] = [[], []]
    first = [np.empty(seats.max(initial=-1) + 1, dtype=np.int64) for seats in (white, black)]
    for first_row, seats in zip(first, (white, black), strict=True):
        first_row[seats[::-1]] = np.arange(seats.size)[::-1]
    for slope, index in flat_terms(form, white.size):
        if not index:
            row_terms.append((slope, index))  # known numbers stay with the row
            continue
        for table, seats, first_row in zip(tables, (white, black), first, strict=True):
            if all(np.array_equal(array, array[first_row][seats]) for array in (slope, *index)):
                table.append((slope[first_row], tuple(array[first_row] for array in index)))
                break
        else:
            row_terms.append((slope, index))
    sides = [columns(table, first_row.size) for table, first_row in zip(tables, first, strict=True)]
    return SeatedAffine(sides[0], sides[1], columns(row_terms, white.size))
