"""One shard of a fit: some of the cells, and sums over their rows for the numbers that a fit sends.

A shard runs in a separate process that holds its cells. It gets numbers z and returns sums over its rows: a value and a
gradient by z, products with the part of H between players, and the largest widths of its rows. No value of a single row
leaves it. Numbers are in the order of printed ratings here. A row takes about 15 bytes: Black, counts, the information
between its players and the variance of eta; all other numbers of rows exist for a block at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars
from threadpoolctl import threadpool_limits

from halfpoint.inference.gaussian import shard_loops
from halfpoint.inference.gaussian.affine_rows import SHORT, clip_curvature, expected_moments
from halfpoint.inference.gaussian.matrix_free_precision import bend
from halfpoint.inference.gaussian.quadrature import least_roots, nodes_for, roots_of
from halfpoint.inference.loops.formula_loops import compiled_formula
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.cells_file import BATCH, KEY, RATED, RATINGS, scan_cells
from halfpoint.models.games.table import OUTCOMES, Floats, Integers, Texts

_BLOCK = 1 << 15  # rows whose numbers exist at a time


@dataclass(frozen=True, eq=False)
class SeatForm:
    """Form of eta and lam of a cell: White's number less Black's, and sums of shared numbers by equality of seats."""

    outcome: Outcome
    alone: bool  # whether draws have no probability of their own
    player: npt.NDArray[np.int32]  # (player,): place in z of each strength
    shared: Integers  # (number,): places in z of numbers that all games share
    slope: Floats  # (2, 2, number): of eta and lam, where seats differ, and on neutral ground
    of: npt.NDArray[np.int32]  # (z,): -1 for members of populations, see `Members`


@dataclass(frozen=True, eq=False)
class _Widths:
    """Variances and covariance of eta and lam of rows."""

    variance: npt.NDArray[np.floating]  # (row,): of eta
    tilt: Floats  # (kind, z), in this shard's order: the covariance is White's less Black's, and `cross`
    cross: Floats  # (kind,)
    of_lam: Floats  # (kind,): variance of lam


class Shard:
    """Every `count`-th cell of some files from the `number`-th one on."""

    def __init__(self, files: Sequence[str | Path], number: int = 0, count: int = 1) -> None:
        parts = [scan_cells(file) for file in files]
        all_cells = polars.concat(parts)
        sides = [all_cells.select(name=side).unique().collect(engine="streaming") for side in KEY[:2]]
        names = polars.concat(sides).unique().sort("name")["name"]
        code = polars.DataFrame({"name": names, "code": np.arange(names.len(), dtype=np.int32)})
        self.names, self.known = names.to_numpy().astype(np.str_), np.zeros((6, names.len()))
        none = np.zeros(0, np.int32)
        columns: tuple[list[npt.NDArray[np.generic]], ...] = (
            [np.zeros((3, 0), np.uint8)],
            [none],
            [none],
            [none.astype(np.bool_)],
        )
        for lazy in parts:
            size = int(lazy.select(polars.len()).collect().item())
            for start in range(0, size, BATCH):
                cells = lazy.slice(start, BATCH).collect().gather_every(count, number)
                for column, values in zip(columns, self._read(cells, code), strict=True):
                    column.append(values)
        self.counts, self.white, self.black, self.neutral = map(_joined, columns)
        self.rating = self.known[4] / np.maximum(self.known[3], 1.0)
        self.widths: _Widths | None = None

    def _read(self, cells: polars.DataFrame, code: polars.DataFrame) -> tuple[npt.NDArray[np.generic], ...]:
        """Counts, White, Black and neutral ground of some cells; their sums are added to the sums by player."""
        white, black = (
            cells.select(name=side).join(code, on="name", how="left", maintain_order="left")["code"].to_numpy()
            for side in KEY[:2]
        )
        counts, neutral = cells.select(OUTCOMES).to_numpy().T, cells["neutral"].to_numpy()
        player_count = self.names.size
        for side, results, rated, total in zip((white, black), (counts[::-1], counts), RATED, RATINGS, strict=True):
            for sums, numbers in zip(self.known, (*results, cells[rated], cells[total]), strict=False):
                sums += np.bincount(side, numbers, player_count)
        self.known[5] += np.bincount(white, counts.sum(axis=0) * neutral, player_count)
        played = counts.any(axis=0)
        kind = np.min_scalar_type(counts.max(initial=0))
        return counts[:, played].astype(kind), white[played], black[played], neutral[played]

    def players(self) -> polars.DataFrame:
        """Table by player: name, games, wins, draws and losses, and games with a rating and the sum of these."""
        names = ("wins", "draws", "losses", "rated", "rating_sum_elo", "neutral")
        table = polars.DataFrame({"player": self.names} | dict(zip(names, self.known, strict=True)))
        del self.known
        return table

    def seat(self, names: Texts, form: SeatForm) -> int:
        """Make rows of the cells, for sorted players `names`; return the number of rows."""
        place = form.player[np.searchsorted(names, self.names)]
        key = np.full(form.of.size, -1.0)
        key[place] = self.rating  # opponents are near in rating: numbers of neighbours are near in memory
        self.order = np.argsort(key, kind="stable").astype(np.int32)
        self.back = np.empty_like(self.order)
        self.back[self.order] = np.arange(key.size, dtype=np.int32)
        place = self.back[place]
        white, size = place[self.white], form.of.size
        white = white if white.size < np.iinfo(np.int32).max else white.astype(np.int64)
        del self.white
        self.first = shard_loops.sort_by_white(white, size)
        self.black = _in_order(white, place[self.black])
        kinds = 2 if self.neutral.any() else 1
        self.kind = _in_order(white, self.neutral.view(np.uint8)) if kinds > 1 else np.zeros(0, np.uint8)
        self.counts = np.array([_in_order(white, outcome_counts) for outcome_counts in self.counts]).reshape(3, -1)
        self.form, self.slope = form, form.slope[:, :kinds]
        self.address = compiled_formula(form.outcome, form.alone).address
        self.upper = np.zeros(white.size, np.float32 if white.size > SHORT else np.float64)
        self.deviations, self.both = (0.0, 0.0), bool(self.slope[1].any())
        del self.names, self.neutral, self.rating
        return int(white.size)

    def look(self, z: Floats, averaged: bool, widest: tuple[float, float]) -> tuple[float, Floats, tuple[float, float]]:
        """Value and gradient by z, (z,), of the rows at z, maybe averaged over widths; largest upward curvature."""
        value, gradient, bent = self._pass(z, self.widths if averaged else None, widest, expected=False)
        return value, gradient, bent

    def _pass(
        self, z: Floats, widths: _Widths | None, widest: tuple[float, float], expected: bool
    ) -> tuple[float, Floats, tuple[float, float]]:
        """Value, gradient and upward curvature, and information, stored; of expected results of games if `expected`."""
        eta, lam = self.slope @ z[self.form.shared]
        sums, shared = np.zeros((z.size, 2 + 2 * eta.size)), np.zeros((eta.size, 5))
        nodes = nodes_for(widest if widths is None else np.maximum(widest, self.deviations))
        value, up, information = 0.0, 0.0, 0.0
        for start, place, data in self._blocks(z[self.order], eta, lam):
            root = least_roots(place.shape[1]) if widths is None else self._roots(widths, start, place.shape[1])
            if expected:
                chances = np.exp(self.form.outcome.log_probability(place[0], np.zeros(place.shape[1]), place[1]))
                data = chances.T * data.sum(axis=0)
            block_value, slope, second = expected_moments(self.address, data.ravel(), place, root, *nodes, self.both)
            value, bent = value + block_value, bend(second)
            up, information = max(up, bent[0]), max(information, bent[1])
            clip_curvature(second)
            shard_loops.gather(self.first, self.black, self.kind, slope, second, start, sums, shared, self.upper)
        sums = sums[self.back]
        self.sums, self.shared = sums[:, 1:].copy(), shared
        gradient = sums[:, 0].copy()
        np.add.at(gradient, self.form.shared, np.einsum("pkn,kp->n", self.slope, shared[:, :2]))
        return value, gradient, (up, information)

    def _roots(self, widths: _Widths, start: int, count: int) -> Floats:
        """Roots of variances and covariance of eta and lam of a block, (3, row)."""
        variance, root = np.empty((3, count)), np.empty((3, count))
        width_fields = widths.variance, widths.tilt, widths.cross, widths.of_lam
        shard_loops.lay_widths(self.first, self.black, self.kind, *width_fields, start, variance)
        roots_of(variance, root)
        return root

    def _blocks(self, z: Floats, eta: Floats, lam: Floats) -> Iterator[tuple[int, Floats, Floats]]:
        """First row of each block, its eta and lam, (2, row), and its counts, (3, row)."""
        for start in range(0, self.black.size, _BLOCK):
            count = min(_BLOCK, self.black.size - start)
            place, data = np.empty((2, count)), np.empty((3, count))
            shard_loops.lay_out(self.first, self.black, self.kind, self.counts, z, eta, lam, start, place, data)
            yield start, place, data

    def information(self, bent: Floats | None) -> tuple[Floats, Floats]:
        """Information of rows about each number, (z,), and with each shared number, (z, number), at the last point.

        `bent` is z if games count with expected results, else None.
        """
        if bent is not None:
            self._pass(bent, None, (0.0, 0.0), expected=True)
        form = self.form
        with_shared = np.zeros((form.of.size, int(form.of.max(initial=-1)) + 1))
        signed = self.sums[:, 1:].reshape(form.of.size, -1, 2)
        column = form.of[form.shared]
        with_shared[:, column] += np.einsum("zkp,pkn->zn", signed, self.slope)
        by_kind = self.shared[:, [2, 3, 3, 4]].reshape(-1, 2, 2)
        with_shared[np.ix_(form.shared, column)] += np.einsum("pkm,kpq,qkn->mn", self.slope, by_kind, self.slope)
        return self.sums[:, 0], with_shared

    def between(self, x: Floats) -> Floats:
        """Off-diagonal information between players of the same cell, times x, shape (z, column)."""
        product = np.zeros(x.shape)
        shard_loops.between(self.first, self.black, self.upper, np.take(x, self.order, axis=0), product)
        return np.take(product, self.back, axis=0)

    def widen(self, alone: Floats, up: Floats, down: Floats) -> tuple[float, float, tuple[float, float]]:
        """Set widths of rows: largest change and largest variance of eta; largest deviations of eta and lam.

        V of numbers is diag(alone) + up up' - down down', shapes (z,), (z, way) and (z, way).
        """
        (eta, lam), shared, ways = self.slope, self.form.shared, np.hstack([up, down])
        sign = np.repeat([1.0, -1.0], [up.shape[1], down.shape[1]])
        of_eta, of_lam, shared_alone = eta @ ways[shared], lam @ ways[shared], alone[shared]
        alone, ways = alone[self.order], ways[self.order]
        new = self.widths is None
        variance = np.empty(self.black.size, self.upper.dtype) if self.widths is None else self.widths.variance
        moved, most = shard_loops.widen(
            self.first, self.black, self.kind, alone, ways, up.shape[1], of_eta, eta**2 @ shared_alone, variance, new
        )
        tilt, cross = (of_lam * sign) @ ways.T, (of_eta * sign * of_lam).sum(axis=1) + (eta * lam) @ shared_alone
        self.widths = widths = _Widths(variance, tilt, cross, of_lam**2 @ sign + lam**2 @ shared_alone)
        self.deviations = 0.0, 0.0
        for start in range(0, variance.size, _BLOCK):
            root = self._roots(widths, start, min(_BLOCK, variance.size - start))
            self.deviations = max(self.deviations[0], root[0].max()), max(self.deviations[1], root[2].max())
        return np.inf if new else moved, most, self.deviations

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Call a method in one thread."""
        with threadpool_limits(1, user_api="blas"):
            return getattr(self, name)(*arguments)


def _joined[T: np.generic](parts: list[npt.NDArray[T]]) -> npt.NDArray[T]:
    """Join arrays along their last axis, and clear their list."""
    joined = np.concatenate(parts, axis=-1)
    parts.clear()
    return joined


def _in_order[T: np.generic](position: npt.NDArray[np.integer], values: npt.NDArray[T]) -> npt.NDArray[T]:
    """Values at their positions, shape (row,)."""
    ordered = np.empty_like(values)
    ordered[position] = values
    return ordered
