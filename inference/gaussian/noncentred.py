r"""Log density and gradient of a model in coordinates whitened by a single factor, for eight columns at once.

    theta = mu + R u,    zt = c + L^-T e,    t = Q zt - mean(theta'),    Q z = rho t + mean(theta)
    log p(u, e) = rows(z, theta) - |(B zt - mean(theta')) / sd|^2 / 2 + log p(theta),    rho = s(theta) / s(theta')

c and L are the centre and the factor of the closest normal at a reference theta' (`variational`), B z - mean ~ N(0,
s^2 sd^2) is the prior (`latent_split`). All of z is noncentred: as a spread falls the density gets flatter than the
factor, never steeper. A half-normal spread is a signed number w, s = S |w|, w ~ N(0, 1), without the funnel of its
logarithm. The determinant of z by zt cancels the spreads' powers in the prior. Q is B, except for rows that are coupled
with one another alone, have no mean and share a spread: there z = rho zt, and Q is 1.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching
from scipy.sparse.linalg import splu

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.column_loops import (
    at_columns,
    linear,
    pull_back,
    solve_columns,
    solve_transposed,
)
from halfpoint.inference.gaussian.sparse.cholesky import SparseMatrices
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.loops.rows_of_eight import COLUMNS
from halfpoint.models.games.table import Booleans, Floats, Integers
from halfpoint.models.language.laws import Hyperparameter

_APART = 1e-4  # of a theta, for slopes by differences
_PROBES, _LEVEL = 8, 0.3  # sets of random signs; square of the ratio of spreads below which noise keeps its width
_LEAST = 1e-12  # absolute value of a signed spread whose logarithm is taken
type _Sums = tuple[Integers, Integers, Floats]  # first entry of each sum, column and slope of each entry


@dataclass(frozen=True, eq=False)
class _Line:
    """A theta on the real line: half-normal spreads as signed numbers, others as in `Hyperparameter`."""

    law: Hyperparameter
    signed: bool

    @cached_property
    def parabola(self) -> Floats | None:
        """Coefficients of a log density that is quadratic in the coordinate, highest first; None if it is not."""
        w = np.linspace(-3.0, 3.0, 9)
        density = np.asarray(self.law.log_density(w), dtype=np.float64)
        if not np.isfinite(density).all():
            return None
        fitted = np.polyfit(w, density, 2)
        return fitted if np.allclose(np.polyval(fitted, w), density, rtol=1e-10, atol=1e-8) else None

    def of(self, x: Floats | float) -> Floats | float:
        """Coordinate of the argument of `Hyperparameter.value`."""
        return np.exp(x) if self.signed else x

    def back(self, w: Floats | float) -> Floats | float:
        """Argument of `Hyperparameter.value` at a coordinate."""
        return np.log(np.maximum(np.abs(w), _LEAST)) if self.signed else w

    def value(self, w: Floats) -> Floats:
        """The number, a spread with its sign."""
        return self.law.sd * w if self.signed else np.asarray(self.law.value(w), dtype=np.float64)

    def density(self, w: Floats) -> tuple[Floats, Floats, Floats | float]:
        """Log prior density of the coordinate up to a constant, its slope, and the number's slope, (column,) each."""
        if self.signed:
            return -0.5 * w * w, -w, self.law.sd
        parabola = self.parabola
        if parabola is not None and self.law.kind in ("positive", "scale", "number"):
            a, b, c = parabola
            rate = 1.0 if self.law.kind == "number" else self.value(w)
            return (a * w + b) * w + c, 2.0 * a * w + b, rate
        near = w + np.array([[0.0], [-_APART], [_APART]])
        with np.errstate(all="ignore"):  # moves far away are refused
            (middle, low, high), (_, low_value, high_value) = np.asarray(self.law.log_density(near)), self.value(near)
            return middle, (high - low) / (2.0 * _APART), (high_value - low_value) / (2.0 * _APART)


def _lower_columns(matrix: sparse.sparray) -> tuple[Integers, Integers, Floats]:
    """Columns of a sparse lower triangle, each with its diagonal first."""
    columns = sparse.csc_array(matrix)
    columns.sort_indices()
    return columns.indptr.astype(np.int64), columns.indices.astype(np.int32), columns.data.astype(np.float64)


def _factor(first: Integers, row: Integers, value: Floats, rank: Integers, centre: Floats) -> tuple[np.ndarray, ...]:
    """Lower triangle by columns, in single precision: any factor gives exact draws, and a short one is read faster."""
    return first.astype(np.int64), row.astype(np.int32), value.astype(np.float32), rank, centre


def _sums_of(of_row: Integers, column: Integers, slope: Floats, count: int) -> _Sums:
    """Sums of rows without the entries whose slope is 0."""
    used = slope != 0.0
    first = np.concatenate([[0], np.cumsum(np.bincount(of_row[used], minlength=count))])
    return first.astype(np.int64), column[used].astype(np.int32), slope[used].astype(np.float64)


def _common(sums: _Sums) -> _Sums:
    """The first sum alone if all are equal, else all."""
    first, column, slope = sums
    length = int(first[1])
    if (np.diff(first) != length).any():
        return sums
    equal = all((values.reshape(-1, max(length, 1)) == values[:length]).all() for values in (column, slope))
    return (first[:2].copy(), column[:length].copy(), slope[:length].copy()) if equal else sums


def _coupled(sums: sparse.csr_array, free: Booleans, spread: Integers) -> tuple[Integers, sparse.csc_array]:
    """Column of the only number that a row scales (-1: none), and Q; `free` rows have no mean."""
    match = maximum_bipartite_matching(sums, perm_type="row")  # row of each column
    if (match < 0).any():
        raise InferenceError("normal approximation: some parameters have no prior. Use method nuts.")
    count, label = connected_components(sums[match], directed=True, connection="strong")
    first, last, simple = np.full(count, np.iinfo(np.int64).max), np.full(count, -1), np.ones(count, dtype=bool)
    np.minimum.at(first, label, spread[match])
    np.maximum.at(last, label, spread[match])
    np.logical_and.at(simple, label, free[match])
    entries = (sums[match] != 0.0).tocoo()
    np.logical_and.at(simple, label[entries.row], label[entries.row] == label[entries.col])
    scaled = (simple & (first == last) & (np.bincount(label, minlength=count) > 1))[label]
    alone = np.full(match.size, -1)
    alone[match[scaled]] = np.flatnonzero(scaled)
    identity = sparse.coo_array((np.ones(int(scaled.sum())), (match[scaled], np.flatnonzero(scaled))), sums.shape)
    return alone, (sparse.diags_array((alone < 0).astype(np.float64)) @ sums + identity).tocsc()


class Noncentred:
    """Log density of a model by columns of (u, e), at a reference."""

    def __init__(self, problem: VariationalProblem) -> None:
        parts = problem.parts
        if parts.by_length:
            raise InferenceError(
                "normal approximation: expected days of a known length, found a learned one. Use method nuts."
            )
        self.problem, self.count, self.size = problem, len(parts.thetas), problem.size
        self.lines = [
            _Line(theta.law, theta.law.kind == "spread" and theta.law.density is None and len(theta.places) == 1)
            for theta in parts.thetas
        ]
        self.signed = np.array([line.signed for line in self.lines], dtype=np.bool_)[:, None]
        start = parts.values(problem.start, np.zeros(problem.size))
        d, terms = self.count, parts.terms
        numbers = {place: k for k, theta in enumerate(parts.thetas) for place in theta.places[:1]}
        numbers |= {place: d + k for k, theta in enumerate(parts.thetas) for place in theta.places[1:]}
        sums = [term.scaled(start) * np.sqrt(1.0 / term.share(start)) for term in terms]  # in units of sd
        self.sums = sparse.vstack(sums).tocsr()
        self.sums.sum_duplicates()
        self.of_sums = self.sums.indptr.astype(np.int64), self.sums.indices.astype(np.int32), self.sums.data
        sd = np.concatenate([np.broadcast_to(term.sd, term.offset.shape) for term in terms])
        spreads = [np.full(term.offset.size, numbers[term.spread] if term.spread >= 0 else d) for term in terms]
        self.spread = np.concatenate(spreads).astype(np.int64)
        self.means = np.zeros((2 * d + 1, self.size))
        begin = 0
        for term in terms:
            rows = slice(begin, begin + term.offset.size)
            self.means[2 * d, rows] += term.offset / sd[rows]
            for place, slope in term.means:
                if place in numbers:
                    self.means[numbers[place], rows] += slope / sd[rows]
                else:
                    self.means[2 * d, rows] += slope * start[place] / sd[rows]
            begin = rows.stop
        alone, solved = _coupled(self.sums, ~self.means.any(axis=0), self.spread)
        factor, n = splu(solved), self.size
        self.solved, self.unsolved = factor.solve, solved
        upper = factor.U.tocsr()[::-1][:, ::-1]
        back = n - 1 - factor.perm_c
        self.solver = (
            _lower_columns(factor.L),
            _lower_columns(upper),
            factor.perm_r.astype(np.int64),
            back.astype(np.int64),
        )
        self.alone = alone
        self.row_sums, self.pairs = self._rows_of(numbers, start)

    def _rows_of(self, numbers: dict[int, int], start: Floats) -> tuple[tuple[_Sums, _Sums], tuple[np.ndarray, ...]]:
        """Sums of eta and of lam by row, and products of two numbers; one sum of lam if all rows have the same."""
        rows, parts, n = self.problem.rows, self.problem.parts, self.size
        index, constants = parts.position.copy(), np.ones(parts.count)
        fixed = np.flatnonzero(index < 0)
        for place in fixed:
            index[place] = n + numbers.get(int(parts.source[place]), 2 * self.count)
        index_of_one = n + 2 * self.count
        still = index == index_of_one
        levels = np.diff(parts.lift.indptr)[parts.source] > 0
        constants[still] = start[still]

        def placed(values: Integers) -> tuple[Integers, Floats]:
            clipped = np.maximum(values, 0)
            if (still & levels)[clipped][values >= 0].any():
                raise InferenceError(
                    "normal approximation: expected sides of strengths, found means over time. Use method nuts."
                )
            return np.where(values < 0, index_of_one, index[clipped]), np.where(values < 0, 1.0, constants[clipped])

        of_row = np.repeat(np.arange(rows.count), np.diff(rows.first))
        part, entry, coefficient, factor = rows.moved
        second, times = placed(factor)
        products = [(of_row[entry], part, coefficient * times, rows.column[entry], second)]
        for number, slope, row, i, j in rows.fixed:
            (left, by_left), (right, by_right) = placed(i), placed(j)
            products.append((row, np.full(row.size, number), slope * by_left * by_right, left, right))
        pairs = [np.concatenate([product[k] for product in products]) for k in range(5)]
        order = np.argsort(pairs[0], kind="stable")
        kinds = (np.int64, np.int64, np.float64, np.int64, np.int64)
        of_eta, of_lam = (_sums_of(of_row, rows.column, values, rows.count) for values in rows.base)
        if not (pairs[1] == 1).any():
            of_lam = _common(of_lam)
        return (of_eta, of_lam), tuple(column[order].astype(kind) for column, kind in zip(pairs, kinds, strict=True))

    def refer(self, x: Floats, steps: Floats | None = None) -> None:
        """Make the factor at a theta, as `Hyperparameter.value` takes it.

        With `steps` (theta,), centres change with theta, and noise is scaled by the spreads.
        """
        problem, d = self.problem, self.count
        self.node = problem.closest(x)
        self.middle = np.array([line.of(a) for line, a in zip(self.lines, x, strict=True)])
        self.reference = self.numbers(self.middle[:, None])[:, 0]
        is_spread = np.isin(np.arange(d), self.spread)
        self.scale = np.where(is_spread, self.reference[:d], 1.0)  # ratios of thetas that are no spread are not used
        spreads = np.append(self.scale, 1.0)
        self.weight = 1.0 / spreads[self.spread] ** 2
        self.hat = self.reference @ self.means
        store, root = problem.store, self.node.root
        if isinstance(store, SparseMatrices):
            self.factor = _factor(store.first, store.row, root, store.rank, self.node.centre)
        else:
            dense, n = root.reshape(self.size, self.size), self.size
            low = np.tril_indices(n)
            first = np.concatenate([[0], np.cumsum(np.arange(n, 0, -1))])
            rows = low[0][np.lexsort(low)]
            self.factor = _factor(first, rows, dense[low][np.lexsort(low)], np.arange(n), self.node.centre)

        lower = sparse.csc_array((self.factor[2], self.factor[1], self.factor[0]), (self.size, self.size))
        self.follow, self.shrink = np.zeros((2, self.size, d))
        self.unit = np.array([a if line.signed else 1.0 for line, a in zip(self.lines, self.middle, strict=True)])
        for k, step in enumerate([] if steps is None else steps.tolist()):
            x_near = x + step * np.eye(d)[k]
            with suppress(InferenceError):
                moved = self._unscaled(x_near, problem.closest(x_near, self.node).centre) - self.node.centre
                ranked = np.empty(self.size)
                ranked[self.factor[3]] = moved
                self.follow[:, k] = (
                    lower.T @ ranked / np.tanh((self.lines[k].of(x_near[k]) - self.middle[k]) / self.unit[k])
                )
            if np.any(self.spread == k):
                self.shrink[:, k] = self._shares(k)
        self.lost = self.shrink.sum(axis=0)

    def _unscaled(self, x: Floats, z: Floats) -> Floats:
        """Numbers zt that give z at another theta."""
        v = self.numbers(np.array([[line.of(a)] for line, a in zip(self.lines, x, strict=True)]))[:, 0]
        rho = np.append(v[: self.count] / self.scale, 1.0)[self.spread]
        return np.asarray(self.solved((self.unsolved @ z - v @ self.means) / rho + self.hat))

    def _shares(self, k: int) -> Floats:
        """Decrease of the log width of each noise by the log of a spread: diag L^-1 J P L^-T, (z,).

        P = d z / d log rho, J the information of the games; by random signs (Bekas, Kokiopoulou & Saad 2007, Appl.
        Numer. Math. 57:1214).
        """
        problem, node, (first, row, root, rank, _) = self.problem, self.node, self.factor
        _, place, slope = problem.placed(node.x, node.centre)
        second = problem.rows.expect(place, node.variance)[2][:, :, None]
        shape = problem.rows.count, self.size
        eta, lam = (sparse.csr_array((values, problem.rows.column, problem.rows.first), shape) for values in slope)
        rng, total = np.random.default_rng(3), np.zeros(self.size)
        for _ in range(_PROBES):
            sign = rng.choice([-1.0, 1.0], (self.size, COLUMNS))
            white = sign.copy()
            solve_transposed(first, row, root, white)
            moved = self.solved(np.where(self.spread[:, None] == k, self.unsolved @ white[rank], 0.0))
            a, b = eta @ moved, lam @ moved
            pulled = np.empty_like(sign)
            pulled[rank] = -(eta.T @ (second[0] * a + second[1] * b) + lam.T @ (second[1] * a + second[2] * b))
            solve_columns(first, row, root, pulled)
            total += (sign * pulled).sum(axis=1)
        return np.clip(total / (_PROBES * COLUMNS), 0.0, 1.0)

    def numbers(self, w: Floats) -> Floats:
        """Thetas, their logarithms (0 where nothing reads them), and 1, from coordinates: (2 theta + 1, column)."""
        values = [line.value(a) for line, a in zip(self.lines, w, strict=True)]
        logs = [np.zeros_like(a) if line.signed else a for line, a in zip(self.lines, w, strict=True)]
        return np.array([*values, *logs, np.ones(w.shape[1])])

    def thetas(self, w: Floats) -> Floats:
        """Thetas as `Hyperparameter.value` takes them, from coordinates, both (theta, ...)."""
        return np.array([line.back(a) for line, a in zip(self.lines, w, strict=True)]).reshape(w.shape)

    def __call__(self, w: Floats, e: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Log density (column,), slopes by w (theta, column) and e (z, column), and z (z, column).

        A signed spread counts by its absolute value, so that both signs have the same centre and noise.
        """
        problem, d, n = self.problem, self.count, self.size
        sign = np.where(self.signed & (w < 0.0), -1.0, 1.0)
        w = sign * w
        v = np.empty((n + 2 * d + 1, COLUMNS))
        v[n:] = self.numbers(w)
        rho = np.vstack([v[n : n + d] / self.scale[:, None], np.ones((1, COLUMNS))])
        near = np.square(rho[:d]) + _LEVEL
        logs, bend = (
            0.5 * (1.0 + _LEVEL) * np.log(near / (1.0 + _LEVEL)),
            np.tanh((w - self.middle[:, None]) / self.unit[:, None]),
        )
        width = linear(self.shrink, -logs)
        np.exp(width, out=width)
        noise = linear(self.follow, bend)
        noise += e * width
        prior = *self.of_sums, self.weight, self.hat, self.alone
        value, of_noise, by_values, by_sums, of_rho = at_columns(
            problem.rows.address, problem.rows.data, noise, self.factor, prior, self.solver,
            self.row_sums, self.pairs, self.spread, rho, self.means.T @ v[n:], v,
        )  # fmt: skip
        by_values += self.means @ by_sums
        by_bend, by_logs = pull_back(of_noise, e, width, self.follow, self.shrink)
        by_bend *= (1.0 - bend**2) / self.unit[:, None]
        by_rho = of_rho[:d] + (by_logs - self.lost[:, None]) * (1.0 + _LEVEL) * rho[:d] / near
        value -= self.lost @ logs
        slope = np.empty((d, COLUMNS))
        for k, line in enumerate(self.lines):
            of_prior, of_density, rate = line.density(w[k])
            value += of_prior
            slope[k] = of_density + rate * (by_values[k] + by_rho[k] / self.scale[k]) + by_bend[k]
            slope[k] += 0.0 if line.signed else by_values[d + k]
        return value, sign * slope, of_noise, v[:n]
