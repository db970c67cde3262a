r"""Log density of any model that is a sum over rows: two C functions for nutpie, compiled once and kept on disk.

    raw coordinates x  ->  values v of all parameters     operations, see `models.reading.layout` and `coordinates`
    eta = white - black and lam of each row               sparse sums, see `models.reading.sparse_affine`
    log p(x) = potential(eta, lam) + log prior(x)         one C function per outcome formula, see `generator`

The gradient is taken back through the same three steps. Everything that belongs to one model, the address of its
potential included, is a number in a table that reaches the compiled code through a pointer: one compilation serves
every model, and another formula of a game needs its potential compiled only.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from halfpoint.inference.loops.coordinates import backward, calling, forward, records
from halfpoint.inference.loops.formula_loops import compiled_formula
from halfpoint.inference.loops.sparse_sums import add_columns, add_gradient_by_seats, add_seats_by_runs, take_columns
from halfpoint.inference.loops.transport_map import pull_back, transport
from halfpoint.inference.loops.vector_arithmetic import kept, vectorise, wide
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.reading.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from llvmlite import ir
    from numba.core.base import BaseContext
    from numba.core.typing import Signature

_BLOCK = 8192  # rows whose slopes stay in the second-level cache
_INVALID, _NOT_FINITE = -1, 4  # a bad call ends the chain; a density that is not finite is a divergence
Density = Callable[[Floats], tuple[float, Floats]]
# inlined here
_LOOPS = tuple(Path(__file__).with_name(name) for name in ("coordinates.py", "sparse_sums.py", "transport_map.py"))


@dataclass(frozen=True, eq=False)
class Numbers:
    """Arguments of the compiled functions, in this order."""

    # number of coordinates, values, values in between, rows and runs; address of the potential; 1 if lam differs
    # between rows; then for each of the six tables of columns (eta by White's seat, Black's seat and row, lam likewise)
    # rows, columns, and where its constants, entries and kinds begin
    sizes: Integers
    operations: Integers  # from `coordinates.records`, which has them all
    starts: Integers  # likewise
    store: Floats  # likewise
    prior: Floats  # log density that nothing moves
    constant: Floats  # the six tables one after the other
    index: npt.NDArray[np.int32]  # likewise
    partner: npt.NDArray[np.int32]  # likewise
    slope: Floats  # likewise
    kind: Integers  # likewise
    black: npt.NDArray[np.int32]  # (row,): Black's seat
    # (3 * (run + 1),): First row, White's seat, and Black's or -1 where it varies, of consecutive rows; the last ends
    # the last run
    runs: Integers
    kept: Integers  # (2 * parameter,): first value and number of values of each parameter that a trace keeps
    data: Floats  # (column, row): the potential's data of the games
    transport: Floats  # the map that is sampled through, see `transport_map`; none of coordinates sampled themselves

    def table(self) -> npt.NDArray[np.uint64]:
        """Address and size of each array; the arrays must outlive the table."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        return np.array([(array.ctypes.data, array.size) for array in arrays], dtype=np.uint64).ravel()


# no literals: what reads the table would be compiled for each
(
    _SIZES,
    _OPERATIONS,
    _STARTS,
    _STORE,
    _PRIORS,
    _CONSTANT,
    _INDEX,
    _PARTNER,
    _SLOPE,
    _KIND,
    _BLACK,
    _RUNS,
    _KEPT,
    _DATA,
    _TRANSPORT,
) = np.arange(15)
_COORDINATES, _VALUES, _BETWEEN, ROWS, _RUN_COUNT, ADDRESS, _EACH, _TABLES = np.arange(8)
_ZERO: Any = np.int64(0)
_ONE: Any = np.int64(1)
_OF_TABLE = 5  # numbers of each table of columns in `sizes`
_WHITE_SEATS, _BLACK_SEATS, _BY_ROW = range(3)
_LONG = 8  # rows of one White and one Black that are worth a run of their own


def _runs_of(white: Codes, black: Codes) -> npt.NDArray[np.int64]:
    """Runs of rows with the same White's seat, and the same Black's seat in runs of LONG rows, shape (run + 1, 3)."""
    new = np.ones(white.size, dtype=bool)
    new[1:] = (white[1:] != white[:-1]) | (black[1:] != black[:-1])
    first = np.flatnonzero(new)
    opponent = np.where(np.diff(first, append=white.size) >= _LONG, black[first], -1)
    short, whites = opponent < 0, white[first]
    starts = np.ones(first.size, dtype=bool)  # short ones of one White are joined
    starts[1:] = ~(short[1:] & short[:-1] & (whites[1:] == whites[:-1]))
    return np.vstack([np.column_stack([first, whites, opponent])[starts], [[white.size, -1, -1]]]).astype(np.int64)


def numbers_of(declared: Declared, layout: Layout | None = None, parameters: bool = True) -> Numbers:
    """Numeric form of a declared model, by a layout of its graph; without parameters for `log_likelihood` only."""
    layout = layout or declared.layout
    if parameters and layout.unread:
        raise NoLoopError(layout.unread)
    (eta, lam), seats = declared.forms(layout), declared.seats
    address, data = potential_of(declared)
    none = np.empty(0, np.int64)
    operations, starts, store = records(layout) if parameters else (none, none, np.empty(0))
    alike = all(table.alike for table in (lam.white, lam.black, lam.rows))
    tables = [eta.white, eta.black, eta.rows, lam.white, lam.black, lam.rows]
    runs = _runs_of(*seats)
    between, constant = (layout.between, layout.constant) if parameters else (0, 0.0)  # games read values only
    sizes = [layout.count, layout.values, between, data.shape[1], len(runs) - 1, address, int(not alike)]
    begin = np.zeros(3, dtype=np.int64)
    for table in tables:
        rows, columns = table.constant.size, table.kind.size
        sizes += [rows, columns, *begin.tolist()]
        begin += rows, rows * columns, columns
    joined = [
        np.concatenate([getattr(table, name).ravel() for table in tables])
        for name in ("constant", "index", "partner", "slope", "kind")
    ]
    arrays = (np.asarray(sizes, dtype=np.int64), operations, starts, store, np.array([constant]))
    kept_slots = [(start, int(np.prod(shape, dtype=np.int64))) for start, shape in layout.kept_slots().values()]
    kept_values = np.asarray(kept_slots, dtype=np.int64).ravel()
    further = (seats[1].astype(np.int32), runs.ravel(), kept_values, data, np.empty(0))
    return Numbers(*(np.ascontiguousarray(array) for array in (*arrays, *joined, *further)))


def potential_of(declared: Declared) -> tuple[int, Floats]:
    """Address of the potential of a declared model, and its data of the games, (column, row), read-only."""
    current = declared.with_current_data
    weight = np.ascontiguousarray(current.cells.weight.T)
    data = weight if current.rows.margin is None else np.vstack([weight, current.rows.margin])
    return compiled_formula(declared.outcome, not declared.traits.draws).address, data


@intrinsic
def _pointer(context, address):  # type: ignore[no-untyped-def]
    """An address as a pointer."""

    def generate(
        target: "BaseContext", builder: "ir.IRBuilder", signature: "Signature", arguments: "Sequence[ir.Value]"
    ) -> "ir.Value":
        return builder.inttoptr(arguments[0], target.get_value_type(types.voidptr))

    return types.voidptr(types.uint64), generate


@intrinsic
def call_potential(context, address, size, stride, by_row, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Call the potential at an address; see `generator`."""
    return calling(3, 5)


def _array_of(kind: type[np.generic]) -> Callable[..., npt.NDArray[Any]]:
    """Make a function that returns the array of a type at a place of the table."""

    def find_array(table, place):  # type: ignore[no-untyped-def]
        return numba.carray(_pointer(table[2 * place]), (np.int64(table[2 * place + 1]),), kind)

    return vectorise(find_array)


_floats, _integers, _short_integers = (_array_of(kind) for kind in (np.float64, np.int64, np.int32))


@vectorise
def _place_of(sizes: Integers, t: int) -> tuple[int, int, int, int, int]:
    """Rows and columns of a table of columns, and the starts of its constants, entries and kinds."""
    at = _TABLES + _OF_TABLE * t
    return sizes[at], sizes[at + 1], sizes[at + 2], sizes[at + 3], sizes[at + 4]


@vectorise
def games(table: npt.NDArray[np.uint64], sizes: Integers, v: Floats, gv: Floats | None) -> float:
    """Log likelihood of all games at values; its gradient is added to `gv` unless `gv` is None."""
    total = 0.0
    constant, slope, data = _floats(table, _CONSTANT), _floats(table, _SLOPE), _floats(table, _DATA)
    index, partner, kind = _short_integers(table, _INDEX), _short_integers(table, _PARTNER), _integers(table, _KIND)
    black, runs = _short_integers(table, _BLACK), _integers(table, _RUNS)
    rows, by_row = sizes[ROWS], sizes[_EACH]
    most = _ONE
    for t in range(0, 6, 3):
        most = max(most, sizes[_TABLES + _OF_TABLE * t], sizes[_TABLES + _OF_TABLE * (t + 1)])
    seats = np.zeros(4 * most)
    for t in range(6):
        if t % 3 != _BY_ROW and (t < 3 or by_row):
            length, columns, base, e, c = _place_of(sizes, t)
            out = seats[(t - t // 3) * most :]
            for k in range(length):
                out[k] = constant[base + k]
            add_columns(e, c, length, columns, _ZERO, length, index, partner, slope, kind, v, out)
    size = min(rows, _BLOCK)
    eta, to_eta = np.zeros(size), np.zeros(size)
    lam, to_lam = np.zeros(size if by_row else _ONE), np.zeros(size if by_row else _ONE)
    if by_row == 0:
        for t in range(3, 6):
            length, columns, base, e, c = _place_of(sizes, t)
            lam[0] += constant[base]
            add_columns(e, c, length, columns, _ZERO, _ONE, index, partner, slope, kind, v, lam)
    to = np.zeros(4 * most if gv is not None else _ONE)
    by_lam, head = 0.0, _ZERO
    for first in range(0, rows, _BLOCK):
        stop = min(rows, first + _BLOCK)
        count = stop - first
        tail = head
        for part in range(2 if by_row else 1):
            length, columns, base, e, c = _place_of(sizes, 3 * part + _BY_ROW)
            out = eta if part == 0 else lam
            for k in range(count):
                out[k] = constant[np.uint64(base + first + k)]
            tail = add_seats_by_runs(
                runs, head, first, stop, black, seats[2 * part * most :], seats[(2 * part + 1) * most :], out
            )
            add_columns(e, c, length, columns, first, count, index, partner, slope, kind, v, out)
        total += call_potential(
            sizes[ADDRESS], count, rows, by_row,
            eta.ctypes, lam.ctypes, data[first:].ctypes, to_eta.ctypes, to_lam.ctypes,
        )  # fmt: skip
        if gv is not None:
            if by_row == 0:
                by_lam += to_lam[0]
            for part in range(2 if by_row else 1):
                length, columns, base, e, c = _place_of(sizes, 3 * part + _BY_ROW)
                g = to_eta if part == 0 else to_lam
                take_columns(e, c, length, columns, first, count, index, partner, slope, kind, v, g, gv)
                add_gradient_by_seats(
                    runs, head, first, stop, black, g, to[2 * part * most :], to[(2 * part + 1) * most :]
                )
        head = tail
    if gv is not None:
        if by_row == 0:
            to_lam[0] = by_lam
        for t in range(6):
            length, columns, base, e, c = _place_of(sizes, t)
            if t >= 3 and by_row == 0:
                take_columns(e, c, length, columns, _ZERO, _ONE, index, partner, slope, kind, v, to_lam, gv)
            elif t % 3 != _BY_ROW:
                g = to[(t - t // 3) * most :]
                take_columns(e, c, length, columns, _ZERO, length, index, partner, slope, kind, v, g, gv)
    return total


@vectorise
def _laid_out(sizes: Integers, mapping: Floats, x: Floats, width: Floats) -> tuple[Floats, float]:
    """Array for all values with the coordinates of a point in their places, and log determinant of the map."""
    first, total = sizes[_VALUES] + sizes[_BETWEEN], 0.0
    v = np.empty(first + x.size)
    if mapping.size:
        total = transport(mapping, x, v[first:], width)
    else:
        v[first:] = x
    return v, total


def log_density(size, point, gradient, value, numbers):  # type: ignore[no-untyped-def]
    """Fill log density and gradient at coordinates, in nutpie's form."""
    wide()
    table = numba.carray(numbers, (2 * _TRANSPORT + 2,), np.uint64)
    sizes = _integers(table, _SIZES)
    if size != sizes[_COORDINATES]:
        return _INVALID
    x, gx = numba.carray(point, (sizes[_COORDINATES],)), numba.carray(gradient, (sizes[_COORDINATES],))
    mapping, width = _floats(table, _TRANSPORT), np.empty(x.size)
    v, total = _laid_out(sizes, mapping, x, width)
    gv = np.zeros(v.size)
    operations, store = _integers(table, _OPERATIONS), _floats(table, _STORE)
    total += _floats(table, _PRIORS)[0] + forward(operations, store, v)
    total += games(table, sizes, v, gv)
    backward(operations, _integers(table, _STARTS), store, v, gv)
    if mapping.size:
        pull_back(mapping, x, width, gv[v.size - x.size :], gx)
    else:
        gx[:] = gv[v.size - x.size :]
    finite = np.isfinite(total)
    for k in range(gx.size):
        finite &= np.isfinite(gx[k])
    if not finite:
        return _NOT_FINITE
    numba.carray(value, (1,))[0] = total
    return 0


def trace_values(size, count, point, result, numbers):  # type: ignore[no-untyped-def]
    """Fill the values that a trace keeps at coordinates, in nutpie's form."""
    table = numba.carray(numbers, (2 * _TRANSPORT + 2,), np.uint64)
    sizes, slots = _integers(table, _SIZES), _integers(table, _KEPT)
    if size != sizes[_COORDINATES] or count != slots[1::2].sum():
        return _INVALID
    out, x = numba.carray(result, (count,)), numba.carray(point, (sizes[_COORDINATES],))
    v, _ = _laid_out(sizes, _floats(table, _TRANSPORT), x, np.empty(x.size))
    forward(_integers(table, _OPERATIONS), _floats(table, _STORE), v)
    place = 0
    for k in range(slots.size // 2):
        for j in range(slots[2 * k + 1]):
            out[place + j] = v[slots[2 * k] + j]
        place += slots[2 * k + 1]
    return 0


def log_likelihood(draws, values, result, numbers):  # type: ignore[no-untyped-def]
    """Fill the log likelihood of all games at values (draw, value)."""
    wide()
    table = numba.carray(numbers, (2 * _TRANSPORT + 2,), np.uint64)
    sizes = _integers(table, _SIZES)
    points, out = numba.carray(values, (draws, sizes[_VALUES])), numba.carray(result, (draws,))
    for row in range(np.int64(draws)):
        out[row] = games(table, sizes, points[row], None)
    return 0


_COUNT, _VECTOR = types.uint64, types.CPointer(types.double)
_SIGNATURES = {
    log_density: types.int64(_COUNT, _VECTOR, _VECTOR, _VECTOR, types.voidptr),
    trace_values: types.int64(_COUNT, _COUNT, _VECTOR, _VECTOR, types.voidptr),
    log_likelihood: types.int64(_COUNT, _VECTOR, _VECTOR, types.voidptr),
}


@cache
def compiled_function(function: Callable[..., int]) -> Any:
    """C function of `log_density`, `trace_values` or `log_likelihood`, compiled on first use."""
    return kept(partial(numba.cfunc, _SIGNATURES[function], error_model="numpy"), function, _LOOPS)


def call_compiled(function: Callable[..., int], numbers: Numbers) -> Callable[..., int]:
    """Call such a function of a model from Python: with whole numbers, then arrays of doubles."""
    compiled, table = compiled_function(function), numbers.table()
    kinds = [ctypes.c_uint64 if kind == _COUNT else ctypes.c_void_p for kind in _SIGNATURES[function].args]
    of = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(compiled.address)

    def call(*arguments: int | npt.NDArray[Any]) -> int:
        assert numbers.sizes.size  # the table holds addresses only: the numbers must outlive it
        addresses = (argument if isinstance(argument, int) else argument.ctypes.data for argument in arguments)
        return int(of(*addresses, table.ctypes.data))

    return call


def density(numbers: Numbers) -> Density:
    """The compiled log density as a function of Python: coordinates -> (value, gradient)."""
    assert numbers.starts.size  # numbers of the games only have no operations
    call, value, gradient = call_compiled(log_density, numbers), np.zeros(1), np.empty(int(numbers.sizes[0]))

    def at(point: Floats) -> tuple[float, Floats]:
        place = np.ascontiguousarray(point, dtype=np.float64)
        return (-np.inf if call(place.size, place, gradient, value) else float(value[0])), gradient.copy()

    return at


def expand(declared: Declared, numbers: Numbers, points: Floats) -> dict[str, Floats]:
    """Parameters, each of shape (draw, ...), at coordinates of shape (draw, coordinate)."""
    assert numbers.starts.size
    call, shown = call_compiled(trace_values, numbers), declared.layout.kept_slots()
    sizes = [int(np.prod(shape, dtype=np.int64)) for _, shape in shown.values()]
    result = np.empty((len(points), sum(sizes)))
    for point, values in zip(np.ascontiguousarray(points, dtype=np.float64), result, strict=True):
        call(point.size, values.size, point, values)
    parts = np.split(result, np.cumsum(sizes)[:-1], axis=1)
    return {name: part.reshape(-1, *shape) for (name, (_, shape)), part in zip(shown.items(), parts, strict=True)}
