r"""Games as rows: eta and lam as sums of parameters, and expected value, slope and curvature under a normal.

    eta_r = place + sum_k a_rk z_k,    lam_r = place' + sum_k b_rk z_k      a, b affine in theta

Under q the pair (eta, lam) of a row is normal with the root ((a, 0), (b, c)); by Stein's identity slopes alone, at up
to 7 x 7 Gauss-Hermite nodes, give the expected slopes and curvatures:

    E[g_lam y] = c E g_ll,    E[g_eta y] = c E g_el,    E[g_eta x] = a E g_ee + b E g_el

Slopes come from the compiled potential that NUTS uses too (`inference.loops.engine`), so that every formula is
supported, including a user's formula. `inference.loops.generator` can emit curvature itself.
"""

from collections.abc import Iterable, Iterator
from dataclasses import InitVar, dataclass
from functools import cached_property, partial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from halfpoint.inference.gaussian.quadrature import SMALL, least_roots, nodes_for, roots_of
from halfpoint.inference.loops.engine import Numbers, call_compiled, call_potential, log_likelihood
from halfpoint.inference.loops.vector_arithmetic import kept
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.reading.sparse_affine import flat_terms

_BLOCK = 4096
_HELD = 1 << 18  # rows whose terms are held at a time
SHORT = 1 << 22  # rows from which on values by row are in single precision
loop = partial(kept, partial(numba.njit, error_model="numpy", no_cfunc_wrapper=True))


@loop
def expected_moments(address, data, place, root, of_eta, of_lam, both, third):  # type: ignore[no-untyped-def]
    """Expected value in total, and slopes (2, row), curvatures (3, row) and thirds (4, row) of rows.

    Eta and lam of rows are normal about `place` (2, row) with roots (3, row); `of_eta` and `of_lam` are nodes and
    shares.
    """
    eta, lam, rows = place[0], place[1], place.shape[1]
    (nodes, share), (others, beside) = of_eta, of_lam
    first, second = np.zeros((2, rows), place.dtype), np.zeros((3, rows), place.dtype)
    thirds = np.zeros((4, rows if third else 1))
    length = max(1, min(rows, _BLOCK))
    room = np.zeros((4, length))
    x, y, gx, gy = room[0], room[1], room[2], room[3]
    total = 0.0
    for start in range(0, rows, length):
        count = min(length, rows - start)
        for i in range(nodes.size):
            for j in range(others.size if both else 1):
                u, w = nodes[i], others[j] if both else 0.0
                weight = share[i] * (beside[j] if both else 1.0)
                for k in range(count):
                    r = start + k
                    x[k] = eta[r] + root[0, r] * u
                    y[k] = lam[r] + root[1, r] * u + root[2, r] * w
                total += weight * call_potential(
                    address, count, rows, 1, x.ctypes, y.ctypes, data[start:].ctypes, gx.ctypes, gy.ctypes
                )
                for k in range(count):
                    e = weight * gx[k]
                    first[0, start + k] += e
                    second[0, start + k] += e * u
                if both:
                    for k in range(count):
                        f = weight * gy[k]
                        first[1, start + k] += f
                        second[1, start + k] += weight * gx[k] * w
                        second[2, start + k] += f * w
                if third:
                    for k in range(count):
                        thirds[0, start + k] += weight * gx[k] * (u * u - 1.0)
                if third and both:
                    for k in range(count):
                        e = weight * gx[k]
                        thirds[1, start + k] += e * u * w
                        thirds[2, start + k] += e * (w * w - 1.0)
                        thirds[3, start + k] += weight * gy[k] * (w * w - 1.0)
    if both:
        for r in range(rows):
            second[2, r] /= root[2, r]
            second[1, r] /= root[2, r]
    for r in range(rows):
        second[0, r] = (second[0, r] - root[1, r] * second[1, r]) / root[0, r]
    if third and both:
        for r in range(rows):
            c = root[2, r]
            thirds[3, r] /= c * c
            thirds[2, r] /= c * c
            thirds[1, r] = (thirds[1, r] / c - root[1, r] * thirds[2, r]) / root[0, r]
    if third:
        for r in range(rows):
            a, b = root[0, r], root[1, r]
            thirds[0, r] = (thirds[0, r] - 2.0 * a * b * thirds[1, r] - b * b * thirds[2, r]) / (a * a)
    return total, first, second, thirds


@loop
def _sorted_entries(count, row, column):  # type: ignore[no-untyped-def]
    """First entries of rows, columns in order without repeats, and the new position of each given entry."""
    start = np.zeros(count + 1, dtype=np.int64)
    for r in row:
        start[r + 1] += 1
    for r in range(count):
        start[r + 1] += start[r]
    until, held, where = start.copy(), np.empty(row.size, np.int64), np.empty(row.size, np.int64)
    columns = np.empty(row.size, np.int32)
    for e in range(row.size):
        p = until[row[e]]
        until[row[e]] += 1
        while p > start[row[e]] and column[held[p - 1]] > column[e]:
            held[p] = held[p - 1]
            p -= 1
        held[p] = e
    k = 0
    for r in range(count):
        begin, end = start[r], start[r + 1]
        start[r] = k
        for p in range(begin, end):
            if p == begin or column[held[p]] != column[held[p - 1]]:
                columns[k] = column[held[p]]
                k += 1
            where[held[p]] = k - 1
    start[count] = k
    return start, columns[:k].copy(), where


@loop
def _places_at(first, column, a, b, z, eta, lam):  # type: ignore[no-untyped-def]
    """Add the contribution of z to eta and lam (row,)."""
    for r in range(eta.size):
        for p in range(first[r], first[r + 1]):
            eta[r] += a[p] * z[column[p]]
            lam[r] += b[p] * z[column[p]]


@loop
def _accumulate_gradient(first, column, a, b, of_eta, of_lam, out):  # type: ignore[no-untyped-def]
    """Add the contribution of slopes by eta and lam (row,) to the gradient by z."""
    for r in range(of_eta.size):
        for p in range(first[r], first[r + 1]):
            out[column[p]] += a[p] * of_eta[r] + b[p] * of_lam[r]


@loop
def clip_curvature(second):  # type: ignore[no-untyped-def]
    """Clip positive curvatures (3, row), in place."""
    for r in range(second.shape[1]):
        ee, el, ll = second[0, r], second[1, r], second[2, r]
        if ee > 0.0 or ll > 0.0 or el * el > ee * ll:
            middle, apart = (ee + ll) / 2.0, np.hypot((ee - ll) / 2.0, el)
            up, down = min(middle + apart, 0.0), min(middle - apart, 0.0)
            mean, half = (up + down) / 2.0, (up - down) / 2.0 / max(apart, 1e-300)
            second[0, r] = mean + half * (ee - ll) / 2.0
            second[1, r] = half * el
            second[2, r] = mean - half * (ee - ll) / 2.0


@loop
def accumulate_hessian(first, a, b, pair, weight, out):  # type: ignore[no-untyped-def]
    """Subtract curvatures (3, row) from the stored Hessian; `pair` are the places of each row's pairs in turn."""
    k = 0
    for r in range(first.size - 1):
        for p in range(first[r], first[r + 1]):
            by_a = weight[0, r] * a[p] + weight[1, r] * b[p]
            by_b = weight[1, r] * a[p] + weight[2, r] * b[p]
            for q in range(first[r], p + 1):
                out[pair[k]] -= by_a * a[q] + by_b * b[q]
                k += 1


@loop
def variances(first, slope, pair, inverse):  # type: ignore[no-untyped-def]
    """Variance of eta, covariance, variance of lam of each row, (3, row), from the stored inverse."""
    a, b, found, k = slope[0], slope[1], np.zeros((3, first.size - 1)), 0
    for r in range(first.size - 1):
        for p in range(first[r], first[r + 1]):
            for q in range(first[r], p):
                v = inverse[pair[k]]
                found[0, r] += 2.0 * v * a[p] * a[q]
                found[1, r] += v * (a[p] * b[q] + a[q] * b[p])
                found[2, r] += 2.0 * v * b[p] * b[q]
                k += 1
            v = inverse[pair[k]]
            found[0, r] += v * a[p] * a[p]
            found[1, r] += v * a[p] * b[p]
            found[2, r] += v * b[p] * b[p]
            k += 1
    return found


@loop
def row_covariances(first, a, b, pair, inverse):  # type: ignore[no-untyped-def]
    """Covariances of each entry's z with eta and lam of its row, (2, entry), from the stored inverse."""
    found = np.zeros((2, a.size))
    k = 0
    for r in range(first.size - 1):
        for p in range(first[r], first[r + 1]):
            for q in range(first[r], p + 1):
                v = inverse[pair[k]]
                found[0, p] += v * a[q]
                found[1, p] += v * b[q]
                if p != q:
                    found[0, q] += v * a[p]
                    found[1, q] += v * b[p]
                k += 1
    return found


def entry_pairs(first: npt.NDArray[Any], column: npt.NDArray[Any]) -> Integers:
    """The two columns of each pair of entries of a row, shape (2, pair)."""
    begin = np.repeat(first[:-1], np.diff(first))
    each = np.arange(column.size) - begin + 1
    stop = np.cumsum(each)
    within = np.arange(each.sum()) - np.repeat(stop - each, each)
    return np.stack([np.repeat(column, each), column[np.repeat(begin, each) + within]]).astype(np.int64)


def log_likelihoods(numbers: Numbers, v: Floats) -> Floats:
    """The weighted log likelihood of all games at values (draw, value), shape (draw,)."""
    values, result = np.ascontiguousarray(v), np.empty(len(v))
    call_compiled(log_likelihood, numbers)(len(values), values, result)
    return result


def blocks_of(declared: Declared) -> Iterator[tuple[int, int, list[Any]]]:
    """Yield the blocks of rows: first row, number of rows, and their terms.

    A term has its part, eta (0) or lam (1), and for each of its rows the coefficient, row, first value and second value
    (-1 if none).
    """
    read = {law.name for law in declared.laws if law.made is None}  # sums of others are read through
    slots = {name: slot for name, slot in declared.layout.slots.items() if name in read}
    many = len(declared.rows) > _HELD and declared.graph is None
    step = _HELD if many else max(len(declared.rows), 1)
    for start in range(0, max(len(declared.rows), 1), step):
        here = declared.part(slice(start, start + step)) if many else declared
        white, black, lam, *_ = here.sides(slots)
        count = len(here.rows)
        found: list[Any] = []
        for part, form in enumerate((white - black, np.zeros(count) if lam is None else lam)):
            for slope, index in flat_terms(form, count):
                rows = np.flatnonzero(slope)
                one, two = (index[k][rows] if len(index) > k else np.full(rows.size, -1) for k in range(2))
                found.append((part, slope[rows], rows, one, two))
        yield start, count, found


def _smallest_dtype(slope: Floats) -> npt.NDArray[Any]:
    """Convert slopes to one-byte integers or single precision if that is exact."""
    for kind in (np.int8, np.float32):
        with np.errstate(over="ignore", invalid="ignore"):
            found = slope.astype(kind)
        if np.array_equal(found, slope):
            return found
    return slope


@dataclass(eq=False)
class AffineRows:
    """Rows of a model, with its parameters split into theta and z."""

    address: int  # of the potential
    seen: InitVar[Floats]  # (column, row): its data of the games
    blocks: InitVar[Iterable[tuple[int, int, list[Any]]]]  # from `blocks_of`, read once, one at a time
    source: Integers  # (value,): where a value comes from
    position: Integers  # (value,): its place in z, -1 for none (see `Parts`)

    def __post_init__(self, seen: Floats, blocks: Iterable[tuple[int, int, list[Any]]]) -> None:
        self.count, self.data = seen.shape[1], seen.ravel()
        self.kind = np.float32 if self.count > SHORT else np.float64  # of values by row
        self.fixed: list[Any] = []
        self.both = False
        firsts, columns, bases, moved, size = [np.zeros(1, dtype=np.int64)], [], [], [], 0
        for start, count, terms in blocks:
            first, column, base, further = self.entries(start, count, terms)
            firsts.append(size + first[1:])
            columns.append(column)
            bases.append(base if count == self.count else _smallest_dtype(base))
            moved.append((further[0], further[1] + size, *further[2:]))
            size += column.size
            self.both = self.both or bool(base[1].any() or np.any(further[0] == 1))
        self.first = np.concatenate(firsts).astype(np.int64 if self.kind == np.float64 else np.int32)
        self.column = np.concatenate(columns)
        columns.clear()
        self.base = np.concatenate(bases, axis=1)
        self.moved = [np.concatenate([one[k] for one in moved]) for k in range(4)]
        self.counted = self.data[: 3 * self.count].reshape(3, -1).any(axis=0)

    @cached_property
    def products(self) -> tuple[Integers, Integers, Integers, Floats, Integers]:
        """Products of two of z: part, row, entry of the one, coefficient, and entry of the other; each both ways."""
        part, where, coefficient, other = self.moved
        both = self.position[other] >= 0
        part, where, coefficient, other = (one[both] for one in (part, where, coefficient, other))
        row = np.repeat(np.arange(self.count), np.diff(self.first))
        size = int(self.position.max()) + 1
        partner = np.searchsorted(row * size + self.column, row[where] * size + self.position[other])
        return part, row[where], where, coefficient, partner

    def entries(self, start: int, count: int, terms: list[Any]) -> tuple[Integers, Integers, Floats, list[Any]]:
        """First entries of a block's rows, columns, slopes (2, entry), and what moves with another value."""
        entries: list[Any] = []
        source, position = np.append(self.source, -1), np.append(self.position, -1)  # of none, -1, none
        for part, slope, row, one, two in terms:
            i, j = source[one], source[two]
            zi, zj = position[i], position[j]
            both, rest = np.flatnonzero((zi >= 0) & (zj >= 0)), np.flatnonzero((zi < 0) & (zj < 0))
            # both: along its slope at the centre
            self.fixed += [(part, -slope[both], start + row[both], i[both], j[both])] if both.size else []
            self.fixed += [(part, slope[rest], start + row[rest], i[rest], j[rest])] if rest.size else []
            for z, other in ((zi, j), (zj, i)):
                here = np.flatnonzero(z >= 0)
                entries.append((np.full(here.size, part), slope[here], row[here], z[here], other[here]))
        of_part, slope, row, column, other = (np.concatenate([one[k] for one in entries]) for k in range(5))
        first, columns, where = _sorted_entries(count, row, column)
        plain = other < 0
        place = of_part[plain] * columns.size + where[plain]
        base = np.bincount(place, slope[plain], 2 * columns.size).reshape(2, -1)
        return first, columns, base, [one[~plain] for one in (of_part, where, slope, other)]

    def weigh(self, weight: Floats, margin: Floats | None = None) -> None:
        """Set other weights of rows, shape (row, outcome), and other margins."""
        kept = self.data[3 * self.count :] if margin is None else margin
        self.data = np.concatenate([weight.T.ravel(), kept])
        self.counted = weight.any(axis=1)

    def at(self, v: Floats) -> tuple[Floats, Floats]:
        """Constants of eta and lam, (2, row), and their slopes by z, (2, entry), at values."""
        place, slope = np.zeros((2, self.count), self.kind), self.base
        for part, coefficient, row, i, j in self.fixed:
            np.add.at(place[part], row, coefficient * np.where(i >= 0, v[i], 1.0) * np.where(j >= 0, v[j], 1.0))
        if self.moved[0].size:
            part, where, coefficient, other = self.moved
            slope = slope.astype(np.float64)
            np.add.at(slope, (part, where), coefficient * v[other])
        return place, slope

    @property
    def still(self) -> bool:
        """True if eta and lam of all rows are sums of z alone, the same at all thetas."""
        return not self.fixed and not self.moved[0].size

    def place(self, slope: Floats, z: Floats, place: Floats) -> None:
        """Add the contribution of z to eta and lam, (2, row), by its slopes, (2, entry)."""
        _places_at(self.first, self.column, *slope, z, place[0], place[1])

    def gather(self, slope: Floats, first: Floats, gradient: Floats) -> None:
        """Add the contribution of slopes of rows by eta and lam, (2, row), to the gradient by z."""
        _accumulate_gradient(self.first, self.column, *slope, first[0], first[1], gradient)

    def slopes(self, place: Floats) -> Floats:
        """Slopes of rows by eta and lam, (2, row), at (2, row), without averaging."""
        only, one = np.ones((3, self.count), self.kind), np.ones(1)
        return self.averaged(self.data, place, only, ((0.0 * one, one),) * 2)[1]

    def curvatures(self, place: Floats, share: Floats) -> Floats:
        """Curvatures of rows, (3, row), at (2, row), for shares of results (row, outcome)."""
        data = self.data.copy()
        games = data[: 3 * self.count].reshape(3, -1)
        games[:] = share.T * games.sum(axis=0)
        return self.averaged(data, place, self.least, nodes_for((0.0, 0.0)))[2]

    def averaged(
        self, data: Floats, place: Floats, root: Floats, nodes: Any, third: bool = False
    ) -> tuple[float, Floats, Floats, Floats]:
        """Apply `expected_moments` to the rows, with nodes of eta and of lam."""
        found: tuple[float, Floats, Floats, Floats]
        found = expected_moments(self.address, data, place, root, *nodes, self.both, third)
        return found

    def widest(self, root: Floats) -> tuple[float, float]:
        """Largest standard deviations of eta and lam, by roots (3, row) of the rows with weight."""
        one, other = (float(root[k].max(where=self.counted, initial=SMALL)) for k in (0, 2))
        return one, other

    @property
    def least(self) -> Floats:
        """Roots (3, row) of a negligible variance of eta and lam."""
        return least_roots(self.count, self.kind)

    def expect(
        self, place: Floats, variance: Floats | None, third: bool = False, widest: tuple[float, float] = (0.0, 0.0)
    ) -> Any:
        """Expected value, slopes, curvatures and thirds for eta and lam, (2, row), with roots of variances (3, row).

        The widest row determines the nodes; `widest` has the standard deviations of the widest row elsewhere.
        """
        root = self.least
        if variance is not None:
            roots_of(variance, root)
        nodes = nodes_for(np.maximum(self.widest(root), widest))
        return self.averaged(self.data, place, root, nodes, third)
