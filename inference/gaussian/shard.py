"""One shard of a fit: some of the cells, and sums over their rows for the numbers that a fit sends.

A shard runs in a separate process beside its cells. It gets numbers z and returns sums over its rows: a value and a
gradient by z, products with the part of H between players, and the largest widths of its rows. No value of a single row
leaves it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars
from threadpoolctl import threadpool_limits

from halfpoint.games.cells import coded, scan_cells
from halfpoint.games.readers.cells_file import OUTCOMES, RATED, RATINGS
from halfpoint.games.table import Codes, Floats, Integers, Texts
from halfpoint.inference.gaussian.affine_rows import AffineRows, roots_of
from halfpoint.inference.gaussian.matrix_free_precision import PairPattern, bend, variances_of_rows
from halfpoint.inference.gaussian.reweighted_fit import variances_along
from halfpoint.models.formulas.outcome import Outcome

_BLOCK = 1 << 18  # rows whose terms are held at a time


@dataclass(frozen=True, eq=False)
class SeatForm:
    """Form of eta and lam of a cell: White's number less Black's, and sums of shared numbers by equality of seats."""

    outcome: Outcome
    alone: bool  # whether draws have no probability of their own
    player: npt.NDArray[np.int32]  # (player,): place in z of each strength
    shared: Integers  # (number,): places in z of numbers that all games share
    slope: Floats  # (2, 2, number): of eta and lam, where seats differ, and on neutral ground
    of: npt.NDArray[np.int32]  # (z,): -1 for members of populations, see `Members`

    def terms(self, white: Codes, black: Codes, neutral: npt.NDArray[np.bool_]) -> list[Any]:
        """Terms of rows, like those of `blocks_of`."""
        rows, none = np.arange(white.size), np.full(white.size, -1)
        found: list[Any] = [
            (0, sign * np.ones(white.size), rows, self.player[side].astype(np.int64), none)
            for sign, side in ((1.0, white), (-1.0, black))
        ]
        for part in range(2):
            for k, place in enumerate(self.shared.tolist()):
                slope = self.slope[part, neutral.astype(np.int64), k]
                here = np.flatnonzero(slope)
                found.append((part, slope[here], here, np.full(here.size, place), none[here]))
        return found


class Shard:
    """Every `count`-th cell of some files from the `number`-th one on."""

    def __init__(self, files: Sequence[str | Path], number: int = 0, count: int = 1) -> None:
        cells = polars.concat([scan_cells(one) for one in files]).gather_every(count, number).collect()
        self.names, self.white, self.black = coded(cells)
        self.neutral = cells["neutral"].to_numpy()
        self.weight = cells.select(OUTCOMES).to_numpy().astype(np.float64)
        self.rated = cells.select(*RATED, *RATINGS).to_numpy().astype(np.float64)
        self.variance: Floats | None = None
        self.widest = 0.0, 0.0

    def players(self) -> polars.DataFrame:
        """Table by player: name, games, wins, draws and losses, and games with a rating and the sum of these."""
        found = {"player": self.names}
        for names, side in ((("losses", "draws", "wins"), self.white), (("wins", "draws", "losses"), self.black)):
            for k, name in enumerate(names):
                counts = np.bincount(side, self.weight[:, k], self.names.size)
                found[name] = found.get(name, 0.0) + counts
        found["neutral"] = np.bincount(self.white, self.weight.sum(axis=1) * self.neutral, self.names.size)
        for k, name in enumerate(("rated", "rating_sum_elo")):
            one, other = self.rated[:, 2 * k], self.rated[:, 2 * k + 1]
            found[name] = sum(
                np.bincount(side, own, self.names.size) for side, own in ((self.white, one), (self.black, other))
            )
        del self.rated
        return polars.DataFrame(found)

    def seat(self, names: Texts, form: SeatForm) -> int:
        """Make rows of the cells, for sorted players `names`; return the number of rows."""
        from halfpoint.inference.loops.generator import compiled_formula  # brings PyTensor

        code = np.searchsorted(names, self.names).astype(np.int32)
        white, black = code[self.white], code[self.black]
        self.form, self.size = form, form.of.size
        address = compiled_formula(form.outcome, form.alone).address
        every = np.arange(self.size)

        def blocks() -> Any:
            for start in range(0, max(white.size, 1), _BLOCK):
                here = slice(start, start + _BLOCK)
                yield start, white[here].size, form.terms(white[here], black[here], self.neutral[here])

        self.rows = AffineRows(address, np.ascontiguousarray(self.weight.T), blocks(), every, every)
        self.pairs = PairPattern(self.rows, form.of)
        del self.names, self.white, self.black, self.weight, self.neutral
        return int(self.rows.count)

    def look(self, z: Floats, averaged: bool, widest: tuple[float, float]) -> tuple[float, Floats, tuple[float, float]]:
        """Value and gradient by z, (z,), of the rows at z, averaged over widths if asked; largest upward curvature."""
        rows, gradient = self.rows, np.zeros(self.size)
        place = self.placed(z)
        value, first, self.second, _ = rows.expect(place, self.variance if averaged else None, widest=widest)
        rows.gather(rows.base, first, gradient)
        return value, gradient, bend(self.second)

    def placed(self, z: Floats) -> Floats:
        """Eta and lam of the rows, (2, row)."""
        place = np.zeros((2, self.rows.count), self.rows.kind)
        self.rows.place(self.rows.base, z, place)
        return place

    def information(self, bent: Floats | None) -> tuple[Floats, Floats]:
        """Information of rows about each number, (z,), and with each shared number, (z, number), at the last point.

        `bent` is z if games count with expected results, else None.
        """
        second = self.second
        if bent is not None:
            place = self.placed(bent)
            chances = np.exp(self.form.outcome.log_probability(place[0], np.zeros(self.rows.count), place[1]))
            second = self.rows.curvatures(place, chances)
        wide = int(self.form.of.max(initial=-1)) + 1
        alone, beside, self.upper = self.pairs.information(self.rows, self.rows.base, second, wide)
        return alone, beside

    def between(self, x: Floats) -> Floats:
        """Off-diagonal information between players of the same cell, times x, shape (z, column)."""
        return np.asarray(self.upper @ x + self.upper.T @ x)

    def widen(
        self, approximation: tuple[Any, ...], ways: Sequence[Floats], covariance: Floats
    ) -> tuple[float, float, tuple[float, float]]:
        """Set widths of rows: largest change and largest variance of eta; largest deviations of eta and lam."""
        rows, last = self.rows, self.variance
        now = variances_of_rows(rows, rows.base, approximation)
        if ways:
            now += variances_along(rows, rows.base, ways, covariance, np.zeros((len(ways), 2, rows.count), rows.kind))
        self.variance, root = now, rows.least
        roots_of(now, root)
        moved = np.inf if last is None else float(np.abs(now[0] - last[0])[rows.counted].max(initial=0.0))
        return moved, float(now[0][rows.counted].max(initial=0.0)), rows.widest(root)

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Call a method in one thread."""
        with threadpool_limits(1, user_api="blas"):
            return getattr(self, name)(*arguments)
