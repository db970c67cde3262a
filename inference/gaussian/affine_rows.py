r"""Games as rows: eta and lam as sums of parameters, and expected value, slope and curvature under a normal.

    eta_r = place + sum_k a_rk z_k,    lam_r = place' + sum_k b_rk z_k      a, b affine in theta

Under q the pair (eta, lam) of a row is normal with the root ((a, 0), (b, c)); by Stein's identity slopes alone, at up
to 7 x 7 Gauss-Hermite nodes, give the expected slopes and curvatures:

    E[g_lam y] = c E g_ll,    E[g_eta y] = c E g_el,    E[g_eta x] = a E g_ee + b E g_el

Slopes come from the compiled potential that NUTS uses too (`inference.loops.engine`), so that every formula is
supported, including a user's formula. `inference.loops.generator` can emit curvature itself.
"""

from collections.abc import Iterable, Iterator, Sequence
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

type Nodes = Sequence[tuple[Floats, Floats]]  # of a quadrature, and their weights
type RowTerm = tuple[int, Floats, Integers, Integers, Integers]  # part, coefficients, rows, first and second values
_BLOCK = 4096
_HELD = 1 << 18  # rows whose terms are held at a time
SHORT = 1 << 22  # rows from which on values by row are in single precision
loop = partial(kept, partial(numba.njit, error_model="numpy", no_cfunc_wrapper=True))


@loop
def expected_moments(address, data, place, root, of_eta, of_lam, has_lam):  # type: ignore[no-untyped-def]
    """Expected value in total, and slopes (2, row) and curvatures (3, row) of rows.

    Eta and lam of rows are normal about `place` (2, row) with roots (3, row); `of_eta` and `of_lam` are nodes and
    shares.
    """
    eta, lam, rows = place[0], place[1], place.shape[1]
    (nodes, share), (lam_nodes, lam_share) = of_eta, of_lam
    first, second = np.zeros((2, rows), place.dtype), np.zeros((3, rows), place.dtype)
    length = max(1, min(rows, _BLOCK))
    room = np.zeros((4, length))
    x, y, gx, gy = room[0], room[1], room[2], room[3]
    total = 0.0
    for start in range(0, rows, length):
        count = min(length, rows - start)
        for i in range(nodes.size):
            for j in range(lam_nodes.size if has_lam else 1):
                u, w = nodes[i], lam_nodes[j] if has_lam else 0.0
                weight = share[i] * (lam_share[j] if has_lam else 1.0)
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
                if has_lam:
                    for k in range(count):
                        f = weight * gy[k]
                        first[1, start + k] += f
                        second[1, start + k] += weight * gx[k] * w
                        second[2, start + k] += f * w
    if has_lam:
        for r in range(rows):
            second[2, r] /= root[2, r]
            second[1, r] /= root[2, r]
    for r in range(rows):
        second[0, r] = (second[0, r] - root[1, r] * second[1, r]) / root[0, r]
    return total, first, second


@loop
def _sorted_entries(count, row, column):  # type: ignore[no-untyped-def]
    """First entries of rows, columns in order without repeats, and the new position of each given entry."""
    start = np.zeros(count + 1, dtype=np.int64)
    for r in row:
        start[r + 1] += 1
    for r in range(count):
        start[r + 1] += start[r]
    until, order, position = start.copy(), np.empty(row.size, np.int64), np.empty(row.size, np.int64)
    columns = np.empty(row.size, np.int32)
    for e in range(row.size):
        p = until[row[e]]
        until[row[e]] += 1
        while p > start[row[e]] and column[order[p - 1]] > column[e]:
            order[p] = order[p - 1]
            p -= 1
        order[p] = e
    k = 0
    for r in range(count):
        begin, end = start[r], start[r + 1]
        start[r] = k
        for p in range(begin, end):
            if p == begin or column[order[p]] != column[order[p - 1]]:
                columns[k] = column[order[p]]
                k += 1
            position[order[p]] = k - 1
    start[count] = k
    return start, columns[:k].copy(), position


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
            middle, radius = (ee + ll) / 2.0, np.hypot((ee - ll) / 2.0, el)
            up, down = min(middle + radius, 0.0), min(middle - radius, 0.0)
            mean, half = (up + down) / 2.0, (up - down) / 2.0 / max(radius, 1e-300)
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
    a, b, covariances, k = slope[0], slope[1], np.zeros((3, first.size - 1)), 0
    for r in range(first.size - 1):
        for p in range(first[r], first[r + 1]):
            for q in range(first[r], p):
                v = inverse[pair[k]]
                covariances[0, r] += 2.0 * v * a[p] * a[q]
                covariances[1, r] += v * (a[p] * b[q] + a[q] * b[p])
                covariances[2, r] += 2.0 * v * b[p] * b[q]
                k += 1
            v = inverse[pair[k]]
            covariances[0, r] += v * a[p] * a[p]
            covariances[1, r] += v * a[p] * b[p]
            covariances[2, r] += v * b[p] * b[p]
            k += 1
    return covariances


@loop
def row_covariances(first, a, b, pair, inverse):  # type: ignore[no-untyped-def]
    """Covariances of each entry's z with eta and lam of its row, (2, entry), from the stored inverse."""
    covariances = np.zeros((2, a.size))
    k = 0
    for r in range(first.size - 1):
        for p in range(first[r], first[r + 1]):
            for q in range(first[r], p + 1):
                v = inverse[pair[k]]
                covariances[0, p] += v * a[q]
                covariances[1, p] += v * b[q]
                if p != q:
                    covariances[0, q] += v * a[p]
                    covariances[1, q] += v * b[p]
                k += 1
    return covariances


def entry_pairs(first: npt.NDArray[Any], column: npt.NDArray[Any]) -> Integers:
    """The two columns of each pair of entries of a row, shape (2, pair)."""
    begin = np.repeat(first[:-1], np.diff(first))
    counts = np.arange(column.size) - begin + 1
    stop = np.cumsum(counts)
    within = np.arange(counts.sum()) - np.repeat(stop - counts, counts)
    return np.stack([np.repeat(column, counts), column[np.repeat(begin, counts) + within]]).astype(np.int64)


def log_likelihoods(numbers: Numbers, v: Floats) -> Floats:
    """The weighted log likelihood of all games at values (draw, value), shape (draw,)."""
    values, result = np.ascontiguousarray(v), np.empty(len(v))
    call_compiled(log_likelihood, numbers)(len(values), values, result)
    return result


def blocks_of(declared: Declared) -> Iterator[tuple[int, int, list[RowTerm]]]:
    """Yield the blocks of rows: first row, number of rows, and their terms.

    A term has its part, eta (0) or lam (1), and for each of its rows the coefficient, row, first value and second value
    (-1 if none).
    """
    read = {law.name for law in declared.laws if law.made is None}  # sums of others are read through
    slots = {name: slot for name, slot in declared.layout.slots.items() if name in read}
    many = len(declared.rows) > _HELD and declared.graph is None
    step = _HELD if many else max(len(declared.rows), 1)
    for start in range(0, max(len(declared.rows), 1), step):
        block = declared.part(slice(start, start + step)) if many else declared
        white, black, lam, *_ = block.sides(slots)
        count = len(block.rows)
        terms: list[RowTerm] = []
        for part, form in enumerate((white - black, np.zeros(count) if lam is None else lam)):
            for slope, index in flat_terms(form, count):
                rows = np.flatnonzero(slope)
                first, second = (index[k][rows] if len(index) > k else np.full(rows.size, -1) for k in range(2))
                terms.append((part, slope[rows], rows, first, second))
        yield start, count, terms


def _smallest_dtype(slope: Floats) -> npt.NDArray[np.generic]:
    """Convert slopes to one-byte integers or single precision if that is exact."""
    for kind in (np.int8, np.float32):
        with np.errstate(over="ignore", invalid="ignore"):
            compact = slope.astype(kind)
        if np.array_equal(compact, slope):
            return compact
    return slope


@dataclass(eq=False)
class AffineRows:
    """Rows of a model, with its parameters split into theta and z."""

    address: int  # of the potential
    game_data: InitVar[Floats]  # (column, row): its data of the games
    blocks: InitVar[Iterable[tuple[int, int, list[RowTerm]]]]  # from `blocks_of`, read once, one at a time
    source: Integers  # (value,): where a value comes from
    position: Integers  # (value,): its place in z, -1 for none (see `Parts`)

    def __post_init__(self, game_data: Floats, blocks: Iterable[tuple[int, int, list[RowTerm]]]) -> None:
        self.count, self.data = game_data.shape[1], game_data.ravel()
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
        self.moved = [np.concatenate([block[k] for block in moved]) for k in range(4)]
        self.counted = self.data[: 3 * self.count].reshape(3, -1).any(axis=0)

    @cached_property
    def products(self) -> tuple[Integers, Integers, Integers, Floats, Integers]:
        """Products of two z: part, row, entry of one factor, coefficient, entry of the other factor; in both orders."""
        part, entry, coefficient, factor = self.moved
        is_latent = self.position[factor] >= 0
        part, entry, coefficient, factor = (column[is_latent] for column in (part, entry, coefficient, factor))
        row = np.repeat(np.arange(self.count), np.diff(self.first))
        size = int(self.position.max()) + 1
        partner = np.searchsorted(row * size + self.column, row[entry] * size + self.position[factor])
        return part, row[entry], entry, coefficient, partner

    def entries(self, start: int, count: int, terms: list[RowTerm]) -> tuple[Integers, Integers, Floats, list[Any]]:
        """First entries of a block's rows, columns, slopes (2, entry), and entries that depend on another value."""
        entries: list[tuple[npt.NDArray[np.generic], ...]] = []
        source, position = np.append(self.source, -1), np.append(self.position, -1)  # of none, -1, none
        for part, slope, row, left, right in terms:
            i, j = source[left], source[right]
            zi, zj = position[i], position[j]
            double, fixed = np.flatnonzero((zi >= 0) & (zj >= 0)), np.flatnonzero((zi < 0) & (zj < 0))
            # double: along its slope at the centre
            self.fixed += [(part, -slope[double], start + row[double], i[double], j[double])] if double.size else []
            self.fixed += [(part, slope[fixed], start + row[fixed], i[fixed], j[fixed])] if fixed.size else []
            for z, factor in ((zi, j), (zj, i)):
                latent = np.flatnonzero(z >= 0)
                entries.append((np.full(latent.size, part), slope[latent], row[latent], z[latent], factor[latent]))
        of_part, slope, row, column, factor = (np.concatenate([group[k] for group in entries]) for k in range(5))
        first, columns, entry = _sorted_entries(count, row, column)
        plain = factor < 0
        place = of_part[plain] * columns.size + entry[plain]
        base = np.bincount(place, slope[plain], 2 * columns.size).reshape(2, -1)
        return first, columns, base, [values[~plain] for values in (of_part, entry, slope, factor)]

    def weigh(self, weight: Floats, margin: Floats | None = None) -> None:
        """Set other weights of rows, shape (row, outcome), and other margins."""
        margins = self.data[3 * self.count :] if margin is None else margin
        self.data = np.concatenate([weight.T.ravel(), margins])
        self.counted = weight.any(axis=1)

    def at(self, v: Floats) -> tuple[Floats, Floats]:
        """Constants of eta and lam, (2, row), and their slopes by z, (2, entry), at values."""
        place, slope = np.zeros((2, self.count), self.kind), self.base
        for part, coefficient, row, i, j in self.fixed:
            np.add.at(place[part], row, coefficient * np.where(i >= 0, v[i], 1.0) * np.where(j >= 0, v[j], 1.0))
        if self.moved[0].size:
            part, entry, coefficient, factor = self.moved
            slope = slope.astype(np.float64)
            np.add.at(slope, (part, entry), coefficient * v[factor])
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
        only, share = np.ones((3, self.count), self.kind), np.ones(1)
        return self.expected_values(self.data, place, only, ((0.0 * share, share),) * 2)[1]

    def curvatures(self, place: Floats, share: Floats) -> Floats:
        """Curvatures of rows, (3, row), at (2, row), for shares of results (row, outcome)."""
        data = self.data.copy()
        games = data[: 3 * self.count].reshape(3, -1)
        games[:] = share.T * games.sum(axis=0)
        return self.expected_values(data, place, self.least, nodes_for((0.0, 0.0)))[2]

    def expected_values(self, data: Floats, place: Floats, root: Floats, nodes: Nodes) -> tuple[float, Floats, Floats]:
        """Apply `expected_moments` to the rows, with nodes of eta and of lam."""
        moments: tuple[float, Floats, Floats] = expected_moments(self.address, data, place, root, *nodes, self.both)
        return moments

    def widest(self, root: Floats) -> tuple[float, float]:
        """Largest standard deviations of eta and lam, by roots (3, row) of the rows with weight."""
        of_eta, of_lam = (float(root[k].max(where=self.counted, initial=SMALL)) for k in (0, 2))
        return of_eta, of_lam

    @property
    def least(self) -> Floats:
        """Roots (3, row) of a negligible variance of eta and lam."""
        return least_roots(self.count, self.kind)

    def expect(self, place: Floats, variance: Floats | None) -> tuple[float, Floats, Floats]:
        """Expected value, slopes and curvatures for eta and lam, (2, row), with roots of variances (3, row).

        The widest row determines the nodes.
        """
        root = self.least
        if variance is not None:
            roots_of(variance, root)
        return self.expected_values(self.data, place, root, nodes_for(self.widest(root)))
