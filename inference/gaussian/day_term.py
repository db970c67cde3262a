r"""The prior of a process by days, given its spread and length, as normal sums of z; coefficients follow the length.

    e = C^-1 (x_k - A x_k-1) / s ~ N(0, 1),    log p = -e'e / 2 - sum log det C - n log s

Symbols and matrices are as in `halfpoint.models.rows.days`. It has the methods of `latent_split.GaussianTerm`. Factors
that are made once, and units in which centres are interpolated, must not change with the length: they use a reference
length.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.rows.days import FIRST, STATES, DayLaw, Visits, whitened


@dataclass(frozen=True, eq=False)
class DayTerm:
    """Normal sums of z by visits."""

    law: DayLaw
    visits: Visits
    first: int  # place of the states in z
    size: int  # of z
    spread: int  # value of the spread, -1 where it is known
    length: int  # value of the length, -1 where it is known
    means: tuple[()] = ()

    @property
    def states(self) -> int:
        """Numbers of a state."""
        return STATES[self.law.kernel]

    @cached_property
    def columns(self) -> Integers:
        """The z of each sum, (row, term): parts of a state and of the previous state (the state itself if first)."""
        n, m = len(self.visits), self.states
        before = np.where(self.visits.before >= 0, self.visits.before, np.arange(n))
        part = np.arange(m)
        terms = np.hstack([m * np.arange(n)[:, None] + part, m * before[:, None] + part])
        return self.first + np.repeat(terms, m, axis=0)

    @cached_property
    def offset(self) -> Floats:
        """Zeros, (row,)."""
        return np.zeros(len(self.columns))

    @cached_property
    def sd(self) -> Floats:
        """Standard deviations of the sums, as multiples of the spread, (row,)."""
        return np.full(len(self.columns), self.law.known_spread)

    def coefficients(self, length: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Coefficients of the sums, (..., row, term), and their log determinant, (...,), at lengths (...,), days."""
        days = self.visits.days
        rows, size = whitened(self.law.kernel, days, np.asarray(length)[..., None])
        shape = np.broadcast_shapes(*(np.shape(entry) for row in rows for entry in row))
        c = np.stack([np.stack([np.broadcast_to(entry, shape) for entry in row], axis=-1) for row in rows], axis=-2)
        return c.reshape(*shape[:-1], -1, 2 * self.states), size.sum(axis=-1)

    def length_of(self, v: Floats) -> Floats | float:
        """The length at values (..., value), days."""
        return self.law.known_length * (1.0 if self.length < 0 else v[..., self.length])

    def share(self, v: Floats) -> Floats | float:
        """Factor of the precision, from values (..., value)."""
        return 1.0 if self.spread < 0 else v[..., self.spread] ** -2.0

    def _sparse(self, coefficients: Floats) -> sparse.csr_array:
        rows = np.repeat(np.arange(len(self.columns)), self.columns.shape[1])
        return sparse.coo_array((coefficients.ravel(), (rows, self.columns.ravel())), (rows[-1] + 1, self.size)).tocsr()

    @cached_property
    def sums(self) -> sparse.csr_array:
        """Sums at a reference length, the median of days between visits, sparse, (row, z)."""
        days = self.visits.days[self.visits.days < FIRST]
        return self._sparse(self.coefficients(np.median(days) if days.size else 1.0)[0])

    def scaled(self, v: Floats) -> sparse.csr_array:
        """The sums over their standard deviations at values, sparse, (row, z)."""
        by = np.sqrt(self.share(v)) / self.law.known_spread
        return self._sparse(self.coefficients(self.length_of(v))[0] * by)

    @cached_property
    def pairs(self) -> tuple[Integers, Integers]:
        """Pair of terms of a sum for each entry of its precision, (pair,)."""
        return np.tril_indices(2 * self.states)

    @cached_property
    def precision(self) -> sparse.coo_array:
        """Entries of the precision on and below the diagonal in the order of `curved`, sparse."""
        left, right = (self.columns[:, part].ravel() for part in self.pairs)
        places = np.maximum(left, right), np.minimum(left, right)
        return sparse.coo_array((np.zeros(left.size), places), (self.size, self.size))

    def precision_entries(self, data: Floats, v: Floats, spread: bool = True) -> Floats:
        """Entries of the precision, in the order of `precision`, at the spreads in the values or at a spread of 1."""
        c, _ = self.coefficients(self.length_of(v))
        left, right = self.pairs
        share = self.share(v) if spread else 1.0
        return np.asarray((c[:, left] * c[:, right]).ravel() * (share / self.law.known_spread**2))

    def middle(self, v: Floats) -> Floats:
        """The mean of the sums: zeros."""
        return self.offset

    def rest(self, z: Floats, v: Floats) -> Floats:
        """Sums over their standard deviations without the spread, (..., row), at the length of values."""
        c, _ = self.coefficients(self.length_of(v))
        return np.asarray((c * z[..., self.columns]).sum(axis=-1) / self.law.known_spread)

    def standard(self, z: Floats, v: Floats) -> Floats:
        """Sums at the reference length in units of the spread, (row,)."""
        return np.asarray((self.sums @ z) / self.law.known_spread * np.sqrt(self.share(v)))

    def slope(self, z: Floats, v: Floats) -> Floats:
        """The derivatives of the log density by z, (z,)."""
        c, _ = self.coefficients(self.length_of(v))
        weight = c * (self.rest(z, v) * (self.share(v) / self.law.known_spread))[:, None]
        return -np.bincount(self.columns.ravel(), weight.ravel(), self.size)

    def log_density(self, z: Floats, v: Floats) -> Floats | float:
        """The log density up to a constant, shape (...,)."""
        size = self.coefficients(self.length_of(v))[1]
        total = -0.5 * np.square(self.rest(z, v)).sum(axis=-1) * self.share(v) - size
        return total if self.spread < 0 else total - len(self.columns) * np.log(v[..., self.spread])

    def expected(self, length: Floats, z: Floats, covariance: Floats, share: float) -> Floats:
        """Log density at lengths (length,), expected over z, by the covariance at the entries of `precision`."""
        left, right = self.pairs
        products = (z[self.columns][:, left] * z[self.columns][:, right]) + covariance.reshape(len(self.columns), -1)
        times = np.where(left == right, 1.0, 2.0) * (share / self.law.known_spread**2)
        density = np.empty(length.shape)
        for k, days in enumerate(length):
            c, size = self.coefficients(days)
            density[k] = -0.5 * float((c[:, left] * c[:, right] * products * times).sum()) - float(size)
        return density
