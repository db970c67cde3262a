r"""Gaussian variational approximation of z given theta: centre and Hessian averaged over itself, by rows.

    E_q d log p = 0,    H = -E_q d2 log p,    q = N(c, H^-1)
    log p(theta | games) ~ E_q log p(z, theta, games) - log q = at c + E_q of games - tr(Q V) / 2 - log det L

Opper & Archambeau (2009) Neural Computation 21:786; the second line is the resulting bound of the log marginal, in
place of Laplace's approximation (Rue, Martino & Chopin 2009, JRSSB 71:319).
"""

from dataclasses import dataclass
from functools import cached_property

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
from halfpoint.inference.gaussian.day_term import DayTerm
from halfpoint.inference.gaussian.latent_split import GaussianTerm
from halfpoint.inference.gaussian.posterior_density import PosteriorDensity, maximise
from halfpoint.inference.gaussian.sparse.cholesky import DenseMatrices, NotPositiveError, SparseMatrices, storage
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats, Integers

_ROUNDS = 40
NEAR = 1e-4  # expected rise of the log density at which the centre has converged
_WIDE = 0.5  # the same at which curvatures are averaged, on the way up
_STEP = 1e-3  # of a theta, of differences
_FEW = 0.02  # change of the widths of rows, relative, that counts as none


@dataclass(frozen=True, eq=False)
class VariationalGaussian:
    """The variational approximation at one theta."""

    x: Floats  # (theta,): theta, by what `Theta.value` takes
    centre: Floats  # (z,): mean
    root: Floats  # stored factor of H
    marginal: float  # log density of theta and the games, z integrated out, up to a constant
    variance: Floats  # (3, row): variances and covariance of eta and lam of the rows
    slope: Floats | None = None  # (theta,): of the marginal; None where it was not asked for


@dataclass(eq=False)
class FactoredPrecision:
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
        part, row, entry, coefficient, partner = rows.products
        of_eta, of_lam = row_covariances(rows.first, *slope, self.problem.pair, self.inverse)[:, partner]
        by_eta, by_lam = second[part, row], second[part + 1, row]  # by eta and by lam
        np.add.at(total, rows.column[entry], coefficient * (by_eta * of_eta + by_lam * of_lam))
        return total

    def unknown(self) -> list[float]:
        """Posterior variances of the sums of each prior term, added up, in units of its squared sd."""
        return self.problem.traces(self.inverse, self.v)

    def of_term(self, term: GaussianTerm | DayTerm) -> Floats:
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
        self.prior: list[tuple[GaussianTerm | DayTerm, Integers, Integers, Floats]] = []
        for term in self.parts.terms:
            q = term.precision.tocoo()
            low = q.row >= q.col
            self.prior.append((term, q.row[low].astype(np.int64), q.col[low].astype(np.int64), q.data[low]))
        i = np.concatenate([pairs[0], *(entries[1] for entries in self.prior)])
        j = np.concatenate([pairs[1], *(entries[2] for entries in self.prior)])
        self.store: DenseMatrices | SparseMatrices = storage(self.size, i, j)
        self.pair = self.store.places(*pairs)
        diagonal = np.arange(self.size)
        self.of_z = self.store.places(diagonal, diagonal)
        self.of_prior = [self.store.places(entries[1], entries[2]) for entries in self.prior]

    def middle(self, x: Floats) -> Floats:
        """The prior means of z, shape (z,)."""
        v, zero = self.parts.values(x, np.zeros(self.size)), np.zeros(self.size)
        flat = np.zeros((2, self.rows.column.size)), np.zeros((3, self.rows.count))
        return self.store.solve(self.store.root(self.hessian(*flat, v)), self.gradient(zero, v))

    def hessian(self, slope: Floats, second: Floats, v: Floats) -> Floats:
        """H as stored numbers, from slopes (2, entry) and curvatures (3, row) of rows."""
        stored = np.zeros(self.store.length)
        for (term, _, _, data), place in zip(self.prior, self.of_prior, strict=True):
            np.add.at(stored, place, term.precision_entries(data, v))
        accumulate_hessian(self.rows.first, slope[0], slope[1], self.pair, second, stored)
        return stored

    def traces(self, inverse: Floats, v: Floats) -> list[float]:
        """tr(Q V) of each term at a spread of 1, from the stored inverse: the posterior variance of B z."""
        return [
            float(np.sum(term.precision_entries(data, v, spread=False) * np.where(i == j, 1.0, 2.0) * inverse[place]))
            for (term, i, j, data), place in zip(self.prior, self.of_prior, strict=True)
        ]

    def trace(self, inverse: Floats, v: Floats) -> float:
        """tr(Q V) from the stored inverse."""
        terms = zip(self.parts.terms, self.traces(inverse, v), strict=True)
        return float(sum(trace * term.share(v) for term, trace in terms))

    def factor(self, slope: Floats, second: Floats, v: Floats) -> Floats:
        """Stored factor of H; upward curvature of rows is dropped if H is not positive definite."""
        try:
            return self.store.root(self.hessian(slope, second, v))
        except NotPositiveError:
            flat = second.copy()
            clip_curvature(flat)
            return self.store.root(self.hessian(slope, flat, v))

    def curvature(self, slope: Floats, second: Floats, v: Floats) -> FactoredPrecision:
        """Curvature H, factorised; see `factor`."""
        return FactoredPrecision(self, self.factor(slope, second, v), slope, v)

    def closest(self, x: Floats, start: VariationalGaussian | None = None, sloped: bool = False) -> VariationalGaussian:
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
            value, first, second = self.rows.expect(place, variance)
            gradient = self.gradient(z, v)
            self.rows.gather(slope, first, gradient)
            step = self.store.solve(root, gradient)
            rise = 0.5 * float(gradient @ step)
            still = widths is not None and np.abs(variance[0] - widths).max() < _FEW * variance[0].max()
            if rise < NEAR and still and inverse is not None:
                marginal = value + self._prior(x, z, v, inverse) - np.log(self.store.diagonal(root)).sum()
                by_theta = self._slope(x, z, inverse) if sloped else None
                return VariationalGaussian(x, z, root, float(marginal), variance, by_theta)
            try:
                better = self.factor(slope, second, v)
            except NotPositiveError:
                break
            step = self.store.solve(better, gradient)
            rise = 0.5 * float(gradient @ step)
            if not np.isfinite(rise):
                break
            share = 0.5 if turn > 4 and rise > best else 1.0
            z, root, widths, best = z + share * step, better, variance[0], rise
        if start is not None:
            return self.closest(x, sloped=sloped)
        name = self.declared.spec.name
        raise InferenceError(f"normal approximation: found no closest normal of {name}. Use method nuts.")

    def _prior(self, x: Floats, z: Floats, v: Floats, inverse: Floats) -> float:
        """Expected log prior of theta and z under a normal about z, up to a constant."""
        return float(self.parts.log_prior(x, z, v)) - 0.5 * self.trace(inverse, v)

    def _slope(self, x: Floats, z: Floats, inverse: Floats) -> Floats:
        """Slope of the bound by theta, (theta,), at its maximum over centre and precision, which may be held fixed."""

        def bound(x: Floats) -> float:
            v, place, slope = self.placed(x, z)
            value = self._prior(x, z, v, inverse)
            if not self.rows.still:
                value += self.rows.expect(place, variances(self.rows.first, slope, self.pair, inverse))[0]
            return value

        steps = _STEP * np.eye(x.size)
        return np.array([bound(x + step) - bound(x - step) for step in steps]) / (2.0 * _STEP)

    def log_joint(self, x: Floats, z: Floats) -> tuple[Floats, Floats]:
        """Log densities of thetas (draw, theta), z (draw, z) and games, (draw,), and values (draw, value)."""
        v = self.parts.values(x, z)
        total = log_likelihoods(self.numbers, v) + self.parts.log_prior(x, z, v)
        return total if self.parts.further is None else total + self.parts.further(v), v
