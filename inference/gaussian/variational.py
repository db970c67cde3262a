r"""Gaussian variational approximation of z given theta: centre and Hessian averaged over itself, by rows.

    E_q d log p = 0,    H = -E_q d2 log p,    q = N(c, H^-1)
    log p(theta | games) ~ E_q log p(z, theta, games) - log q = at c + E_q of games - tr(Q V) / 2 - log det L

Opper & Archambeau (2009) Neural Computation 21:786; the second line is the resulting bound of the log marginal, in
place of Laplace's approximation (Rue, Martino & Chopin 2009, JRSSB 71:319).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.affine_rows import (
    accumulate_hessian,
    clip_curvature,
    entry_pairs,
    log_likelihoods,
    row_covariances,
    variances,
)
from halfpoint.inference.gaussian.posterior_density import PosteriorDensity, maximise
from halfpoint.inference.gaussian.sparse.cholesky import DenseMatrices, NotPositiveError, SparseMatrices, storage
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats, Integers

_ROUNDS = 40
NEAR = 1e-4  # expected rise of the log density at which the centre has converged
_WIDE = 0.5  # the same at which curvatures are averaged, on the way up
_FEW = 0.02  # change of the widths of rows, relative, that counts as none


@dataclass(frozen=True, eq=False)
class VariationalGaussian:
    """The variational approximation at one theta."""

    x: Floats  # (theta,): theta, by what `Theta.value` takes
    centre: Floats  # (z,): mean
    root: Floats  # stored factor of H
    marginal: float  # log density of theta and the games, z integrated out, up to a constant
    variance: Floats  # (3, row): variances and covariance of eta and lam of the rows
    of_z: Floats  # (z,): variances


@dataclass(eq=False)
class _FactoredPrecision:
    """H at one theta by its factor."""

    problem: "VariationalProblem"  # the model
    root: Floats  # stored factor
    slope: Floats  # (2, entry): of eta and lam by z
    v: Floats  # (value,): where H is

    @cached_property
    def inverse(self) -> Floats:
        """V as stored numbers."""
        return self.problem.store.inverse(self.root)

    def solve(self, b: Floats) -> Floats:
        """H^-1 b, shape (z,)."""
        return self.problem.store.solve(self.root, b)

    def widths(self, slope: Floats | None = None) -> Floats:
        """Variances and covariance of eta and lam of all rows, shape (3, row)."""
        by = self.slope if slope is None else slope
        return np.asarray(variances(self.problem.rows.first, by, self.problem.pair, self.inverse))

    def pull(self, slope: Floats, second: Floats) -> Floats:
        """Gradient of F by z through the widths of rows that contain products of two z, shape (z,)."""
        rows, total = self.problem.rows, np.zeros(self.problem.size)
        part, row, where, coefficient, partner = rows.products
        of_eta, of_lam = row_covariances(rows.first, *slope, self.problem.pair, self.inverse)[:, partner]
        one, other = second[part, row], second[part + 1, row]  # by eta and by lam
        np.add.at(total, rows.column[where], coefficient * (one * of_eta + other * of_lam))
        return total

    def unknown(self) -> list[float]:
        """Posterior variances of the sums of each prior term, added up, in units of its squared sd."""
        return self.problem.traces(self.inverse, self.v)

    def of_term(self, term: Any) -> Floats:
        """Covariances at the entries of the precision of a prior term."""
        return self.inverse[self.problem.of_prior[self.problem.parts.terms.index(term)]]

    def deviations(self) -> Floats:
        """Standard deviations, shape (z,)."""
        return np.asarray(np.sqrt(self.inverse[self.problem.of_z]))

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Draws from N(0, H^-1), shape (z, count)."""
        return self.problem.store.half(self.root, rng.standard_normal((count, self.problem.size)).T)


class VariationalProblem(PosteriorDensity):
    """Declared model for the variational approximation, with the pattern of its Hessian."""

    def __init__(self, declared: Declared) -> None:
        super().__init__(declared)
        pairs = entry_pairs(self.rows.first, self.rows.column)
        self.prior: list[tuple[Any, Integers, Integers, Floats]] = []
        for term in self.parts.terms:
            q = term.precision.tocoo()
            low = q.row >= q.col
            self.prior.append((term, q.row[low].astype(np.int64), q.col[low].astype(np.int64), q.data[low]))
        i = np.concatenate([pairs[0], *(one[1] for one in self.prior)])
        j = np.concatenate([pairs[1], *(one[2] for one in self.prior)])
        self.store: DenseMatrices | SparseMatrices = storage(self.size, i, j)
        self.pair = self.store.places(*pairs)
        here = np.arange(self.size)
        self.of_z = self.store.places(here, here)
        self.of_prior = [self.store.places(one[1], one[2]) for one in self.prior]

    def middle(self, x: Floats) -> Floats:
        """The prior means of z, shape (z,)."""
        v, zero = self.parts.values(x, np.zeros(self.size)), np.zeros(self.size)
        flat = np.zeros((2, self.rows.column.size)), np.zeros((3, self.rows.count))
        return self.store.solve(self.store.root(self.hessian(*flat, v)), self.gradient(zero, v))

    def hessian(self, slope: Floats, second: Floats, v: Floats) -> Floats:
        """H as stored numbers, from slopes (2, entry) and curvatures (3, row) of rows."""
        stored = np.zeros(self.store.length)
        for (term, _, _, data), place in zip(self.prior, self.of_prior, strict=True):
            np.add.at(stored, place, term.curved(data, v))
        accumulate_hessian(self.rows.first, slope[0], slope[1], self.pair, second, stored)
        return stored

    def traces(self, inverse: Floats, v: Floats) -> list[float]:
        """tr(Q V) of each term at a spread of 1, from the stored inverse: the posterior variance of B z."""
        return [
            float(np.sum(term.curved(data, v, spread=False) * np.where(i == j, 1.0, 2.0) * inverse[place]))
            for (term, i, j, data), place in zip(self.prior, self.of_prior, strict=True)
        ]

    def trace(self, inverse: Floats, v: Floats) -> float:
        """tr(Q V) from the stored inverse."""
        terms = zip(self.parts.terms, self.traces(inverse, v), strict=True)
        return float(sum(one * term.share(v) for term, one in terms))

    def factor(self, slope: Floats, second: Floats, v: Floats) -> Floats:
        """Stored factor of H; upward curvature of rows is dropped if H is not positive definite."""
        try:
            return self.store.root(self.hessian(slope, second, v))
        except NotPositiveError:
            flat = second.copy()
            clip_curvature(flat)
            return self.store.root(self.hessian(slope, flat, v))

    def curvature(self, slope: Floats, second: Floats, v: Floats) -> _FactoredPrecision:
        """Curvature H, factorised; see `factor`."""
        return _FactoredPrecision(self, self.factor(slope, second, v), slope, v)

    def closest(self, x: Floats, start: VariationalGaussian | None = None) -> VariationalGaussian:
        """Closest normal at thetas, started from one at nearby thetas; an error after ROUNDS without convergence."""
        if start is None:
            top = maximise(self, self.curvature, (x, self.middle(x)), None, _WIDE)
            z, root = top.z, top.curvature.root
        else:
            z, root = start.centre, start.root
        inverse, widths = None, None
        best = np.inf
        for turn in range(_ROUNDS):
            v, place, slope = self.placed(x, z)
            if start is not None and turn == 0:  # nearly those here: the first turn only makes the next root
                variance = start.variance
            else:
                inverse = self.store.inverse(root)
                variance = variances(self.rows.first, slope, self.pair, inverse)
            value, first, second, _ = self.rows.expect(place, variance)
            gradient = self.gradient(z, v)
            self.rows.gather(slope, first, gradient)
            try:
                better = self.factor(slope, second, v)
            except NotPositiveError:
                break
            step = self.store.solve(better, gradient)
            rise = 0.5 * float(gradient @ step)
            if not np.isfinite(rise):
                break
            still = widths is not None and np.abs(variance[0] - widths).max() < _FEW * variance[0].max()
            if rise < NEAR and still and inverse is not None:
                at_centre = float(self.parts.log_prior(x, z, v))
                marginal = at_centre + value - 0.5 * self.trace(inverse, v) - np.log(self.store.diagonal(root)).sum()
                return VariationalGaussian(x, z, root, marginal, variance, inverse[self.of_z])
            share = 0.5 if turn > 4 and rise > best else 1.0
            z, root, widths, best = z + share * step, better, variance[0], rise
        if start is not None:
            return self.closest(x)
        name = self.declared.spec.name
        raise InferenceError(f"normal approximation: expected a closest normal of {name}, found none. Use method nuts.")

    def log_joint(self, x: Floats, z: Floats) -> tuple[Floats, Floats]:
        """Log densities of thetas (draw, theta), z (draw, z) and games, (draw,), and values (draw, value)."""
        v = self.parts.values(x, z)
        total = log_likelihoods(self.numbers, v) + self.parts.log_prior(x, z, v)
        return total if self.parts.further is None else total + self.parts.further(v), v
