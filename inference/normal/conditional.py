r"""The closest normal to z given theta: centre and Hessian averaged over itself, by rows.

    E_q d log p = 0,    H = -E_q d2 log p,    q = N(c, H^-1)
    log p(theta | games) ~ E_q log p(z, theta, games) - log q = at c + E_q of games - tr(Q V) / 2 - log det L

Opper & Archambeau (2009) Neural Computation 21:786; the second line is the bound of the log marginal that it leaves, in
place of Laplace's (Rue, Martino & Chopin 2009, JRSSB 71:319).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sparse

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.factor import Dense, NotPositiveError, Sparse, storage
from halfpoint.inference.normal.posterior import Fitted, Posterior, settle
from halfpoint.inference.normal.rows import log_likelihoods, pairs_of, shared, squared, straighten, variances
from halfpoint.models.declared import Declared

WIDE = 2.0  # expected rise of the log density at which rows are averaged anew, on the way up


@dataclass(frozen=True, eq=False)
class Closest:
    """The closest normal at one theta."""

    x: Floats  # (theta,): theta, by what `Theta.value` takes
    centre: Floats  # (z,): mean
    root: Floats  # stored factor of H
    marginal: float  # log density of theta and the games, z integrated out, up to a constant
    variance: Floats  # (3, row): variances and covariance of eta and lam of the rows


@dataclass(eq=False)
class Factored:
    """H at one theta by its factor."""

    problem: "Problem"  # the model
    root: Floats  # stored factor
    slope: Floats  # (2, entry): of eta and lam by z

    @cached_property
    def inverse(self) -> Floats:
        """V as stored numbers."""
        return self.problem.store.inverse(self.root)

    def solve(self, b: Floats) -> Floats:
        """Return H^-1 b, shape (z,)."""
        return self.problem.store.solve(self.root, b)

    def widths(self, slope: Floats | None = None) -> Floats:
        """Return variances and covariance of eta and lam of all rows, shape (3, row)."""
        by = self.slope if slope is None else slope
        return np.asarray(variances(self.problem.rows.first, by, self.problem.pair, self.inverse))

    def pull(self, slope: Floats, second: Floats) -> Floats:
        """Return how F moves with z through the widths of rows that multiply two of z, shape (z,)."""
        rows, total = self.problem.rows, np.zeros(self.problem.size)
        part, row, where, coefficient, partner = rows.products
        of_eta, of_lam = shared(rows.first, *slope, self.problem.pair, self.inverse)[:, partner]
        one, other = second[part, row], second[part + 1, row]  # by eta and by lam
        np.add.at(total, rows.column[where], coefficient * (one * of_eta + other * of_lam))
        return total

    def unknown(self) -> list[float]:
        """Return what is not known of each prior term's sums: their summed variances, in units of its sd."""
        found = []
        for _, low, place in self.problem.prior:
            times = np.where(low.row == low.col, 1.0, 2.0)
            found.append(float(np.sum(low.data * times * self.inverse[place])))
        return found

    def deviations(self) -> Floats:
        """Return standard deviations, shape (z,)."""
        here = np.arange(self.problem.size)
        return np.asarray(np.sqrt(self.inverse[self.problem.store.places(here, here)]))

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Return draws from N(0, H^-1), shape (z, count)."""
        return self.problem.store.half(self.root, rng.standard_normal((count, self.problem.size)).T)


class Problem(Posterior):
    """A declared model as the closest normal sees it: where its Hessian has entries, too."""

    def __init__(self, declared: Declared) -> None:
        super().__init__(declared)
        pairs = pairs_of(self.rows.first, self.rows.column)
        lower = [sparse.tril(term.precision, format="coo") for term in self.parts.terms]
        i, j = (np.concatenate([pairs[k], *(one.coords[k].astype(np.int64) for one in lower)]) for k in (0, 1))
        self.store: Dense | Sparse = storage(self.size, i, j)
        self.pair = self.store.places(*pairs)
        # of each prior term its precision's lower triangle and where that is stored
        self.prior = [
            (term, one, self.store.places(*one.coords)) for term, one in zip(self.parts.terms, lower, strict=True)
        ]
        self.follows = self.rows.products[0].size > 0

    def middle(self, x: Floats) -> Floats:
        """Return the prior means of z, shape (z,)."""
        v, zero = self.parts.values(x, np.zeros(self.size)), np.zeros(self.size)
        flat = np.zeros((2, self.rows.column.size)), np.zeros((3, self.rows.count))
        return self.store.solve(self.store.root(self.hessian(*flat, v)), self.gradient(zero, v))

    def hessian(self, slope: Floats, second: Floats, v: Floats) -> Floats:
        """Return H as stored numbers, from slopes (2, entry) and curvatures (3, row) of rows."""
        stored = np.zeros(self.store.length)
        for term, low, place in self.prior:
            np.add.at(stored, place, low.data * term.share(v))
        squared(self.rows.first, slope[0], slope[1], self.pair, second, stored)
        return stored

    def curvature(self, slope: Floats, second: Floats, v: Floats) -> Factored:
        """Return H by its factor; rows that curve up count as straight where it is not positive definite."""
        try:
            root = self.store.root(self.hessian(slope, second, v))
        except NotPositiveError:
            flat = second.copy()
            straighten(flat)
            root = self.store.root(self.hessian(slope, flat, v))
        return Factored(self, root, slope)

    def closest(self, x: Floats, start: Closest | None = None) -> Closest:
        """Return the closest normal at thetas, from that at others near by; an error if it is not found."""
        begin = Fitted(x, self.middle(x)) if start is None else Fitted(x, start.centre, start.variance)
        try:
            found = settle(self, begin, WIDE)
        except (InferenceError, NotPositiveError):
            if start is not None:
                return self.closest(x)
            name = self.declared.entry.name
            raise InferenceError(
                f"normal approximation: expected a closest normal of {name}, found none. Use method nuts."
            ) from None
        assert found.top is not None
        assert found.variance is not None
        z, curvature = found.z, found.top.curvature
        v, place, _ = self.placed(x, z)
        spent = sum(one * term.share(v) for term, one in zip(self.parts.terms, curvature.unknown(), strict=True))
        marginal = float(self.parts.log_prior(x, z, v)) + self.rows.expect(place, found.variance)[0] - 0.5 * spent
        marginal -= np.log(self.store.diagonal(curvature.root)).sum()
        return Closest(x, z, curvature.root, marginal, found.variance)

    def log_joint(self, x: Floats, z: Floats) -> tuple[Floats, Floats]:
        """Return log densities of thetas (draw, theta), z (draw, z) and games, (draw,), and values (draw, value)."""
        v = self.parts.values(x, z)
        return log_likelihoods(self.numbers, v) + self.parts.log_prior(x, z, v), v
