r"""Precision matrix H of z given theta, with its preconditioner: never factorised, and not stored if it has many rows.

    H = sum over rows A' I A + prior precisions,    A the slopes of (eta, lam) by z, I a row's information

I is the observed information of the row's results, or the expected information of a game if the formula's rows curve up
for some results: H needs roots of single rows, and truncated parts of single rows would add up.

Entries of H are stored above the diagonal, entries of numbers that most games share as columns. Conjugate gradients
solve with H, and V = H^-1 is approximated by

    V ~ Z E^-1 Z' + (1 - Z E^-1 Z' H) W (1 - H Z E^-1 Z'),   E = Z' H Z,   W inverts blocks of H (`blocks`)

with Z the numbers that belong to no member, the response of each population to each such number, and each population as
a whole. This V is also the preconditioner; it is exact on the span of Z, which has nearly all the dependence. The
variance of each member comes from draws, given all other members, so that the widths of a game omit only the direct
dependence of two players through their games; the centre is exact.

    e ~ N(0, V)     e = (1 - Z E^-1 Z' H) W^1/2 C^-1/2 m + Z E^-1/2 n,   m, n ~ N(0, 1) where C is not 0
                    C = W^1/2 (H - H Z E^-1 Z' H) W^1/2, about 1
    V_ii            W_i + the mean square of e_i - W_i (H e)_i, that of its second part alone

Nicolaides (1987) SIAM J. Numer. Anal. 24:355 for Z; Mandel (1993) Commun. Numer. Meth. Eng. 9:233 for the formula of
V; Ilic, Turner & Simpson (2010) IMA J. Numer. Anal. 30:749 for draws by Lanczos; Siden, Lindgren, Bolin & Villani
(2018) J. Comput. Graph. Stat. 27:898 for variances.
"""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from halfpoint.inference.gaussian.affine_rows import AffineRows, clip_curvature, loop
from halfpoint.inference.gaussian.krylov import conjugate_gradients, inverse_root_product
from halfpoint.inference.gaussian.latent_split import LatentSplit
from halfpoint.inference.gaussian.posterior_density import PosteriorDensity
from halfpoint.inference.gaussian.sparse.block_diagonal import BlockDiagonal
from halfpoint.models.games.table import Floats

_TOLERANCE, _ROUGH = 1e-5, 1e-3  # of solutions: of a step, and of draws, which move deviations by a ten thousandth
SAMPLES = 16  # draws behind variances
COLUMNS, _MOST_COLUMNS, _AT_HAND = 8, 64, 1 << 18  # columns at a time, more while they have fewer numbers
_SPANNED = 1e-10  # share of the largest eigenvalue of E below which a direction is in the span of the others
_BENT = 1e-3  # upward curvature of rows, of the largest information, from which on expected results are used
_DENSER = 4  # entries of products of priors over those of the priors, from which on the priors are multiplied in turn
MEMBERS = 40  # numbers of one parameter from which on they are a population


@loop
def _pairs_between(first, column, wide):  # type: ignore[no-untyped-def]
    """Row and column, the larger, of the target of each pair of entries of a row, without wide columns."""
    count = 0
    for turn in range(2):
        if turn:
            found = np.empty((2, count), dtype=np.int32)
        count = 0
        for r in range(first.size - 1):
            for p in range(first[r], first[r + 1]):
                for q in range(first[r], p):
                    if wide[column[p]] < 0 and wide[column[q]] < 0:
                        if turn:
                            found[0, count], found[1, count] = column[q], column[p]
                        count += 1
    return found


@loop
def _row_information(first, column, eta, lam, root, wide, place, alone, between, beside):  # type: ignore[no-untyped-def]
    """Add the information of rows: of each number, of each pair, and of each with wide columns, (z, wide)."""
    k = 0
    for r in range(first.size - 1):
        a, b, c = root[0, r], root[1, r], root[2, r]
        for p in range(first[r], first[r + 1]):
            i, one, other = column[p], eta[p] * a + lam[p] * b, lam[p] * c
            if wide[i] < 0:
                alone[i] += one * one + other * other
            else:
                beside[i, wide[i]] += one * one + other * other
            for q in range(first[r], p):
                j = column[q]
                known = one * (eta[q] * a + lam[q] * b) + other * lam[q] * c
                if wide[i] < 0 and wide[j] < 0:
                    between[place[k]] += known
                    k += 1
                if wide[i] >= 0:
                    beside[j, wide[i]] += known
                if wide[j] >= 0:
                    beside[i, wide[j]] += known


@loop
def _row_variances(first, column, eta, lam, block, added, up, down, found):  # type: ignore[no-untyped-def]
    """Write variances and covariance of eta and lam of rows into `found`, (3, row), for V as in `widths`."""
    begin, member, entry = block
    k = up.shape[1]
    for r in range(first.size - 1):
        sums, ee, el, ll = np.zeros((4, k)), 0.0, 0.0, 0.0
        for p in range(first[r], first[r + 1]):
            i, a, b = column[p], float(eta[p]), float(lam[p])
            for c in range(k):
                sums[0, c] += a * up[i, c]
                sums[1, c] += b * up[i, c]
                sums[2, c] += a * down[i, c]
                sums[3, c] += b * down[i, c]
            ee, el, ll = ee + a * a * added[i], el + a * b * added[i], ll + b * b * added[i]
            for q in range(first[r], first[r + 1]):
                for e in range(begin[i], begin[i + 1]):
                    if member[e] == column[q]:
                        ee, el, ll = ee + a * eta[q] * entry[e], el + a * lam[q] * entry[e], ll + b * lam[q] * entry[e]
        for c in range(k):
            ee += sums[0, c] ** 2 - sums[2, c] ** 2
            el += sums[0, c] * sums[1, c] - sums[2, c] * sums[3, c]
            ll += sums[1, c] ** 2 - sums[3, c] ** 2
        found[0, r], found[1, r], found[2, r] = ee, el, ll


class Members:
    """Membership of z in populations, the same at every theta and z.

    `populations` has the members of each population, places in z; `wide` has the numbers that belong to no member, most
    of which enter every game; `of` has the member of each number, -1 for none. Priors connect members in `blocks`.
    """

    def __init__(self, parts: LatentSplit) -> None:
        self.size = int(parts.z.size)
        numbers = [np.unique(parts.position[parts.of(law.name)]) for law in parts.declared.laws]
        numbers = [one[one >= 0] for one in numbers]
        self.populations = [one for one in numbers if one.size >= MEMBERS]
        self.of = np.zeros(self.size, dtype=np.int32)
        for one in self.populations:
            self.of[one] = -1
        self.wide = np.flatnonzero(self.of == 0)
        self.of[self.wide] = np.arange(self.wide.size)
        self.blocks = BlockDiagonal([term.sums for term in parts.terms], self.of < 0)


class PairPattern:
    """Entries of H for pairs of members, by row.

    The entry of two members of a row is stored at `place`, (pair,); `first` and `column` are the stored rows above the
    diagonal.
    """

    def __init__(self, rows: AffineRows, of: npt.NDArray[np.int32]) -> None:
        size = of.size
        low, high = _pairs_between(rows.first, rows.column, of)
        number = low * np.int64(size) + high
        order = np.argsort(number)
        number = number[order]
        new = np.diff(number, prepend=-1) > 0
        self.of, self.place = of, np.empty(order.size, dtype=np.int32)
        self.place[order] = np.cumsum(new, dtype=np.int32) - 1
        row, self.column = np.divmod(number[new], size)
        self.column = self.column.astype(np.int32)
        self.first = np.searchsorted(row, np.arange(size + 1)).astype(np.int32)

    def information(self, rows: AffineRows, slope: Floats, second: Floats, wide: int) -> tuple[Floats, Floats, Any]:
        """Information of rows about each number, (z,), with each wide number, (z, wide), and by pairs, sparse.

        `second` has curvatures (3, row), which are overwritten.
        """
        clip_curvature(second)
        root = second  # I = R'R by rows, R = ((a, b), (0, c)), in the place of the curvatures
        root[0] = np.sqrt(np.maximum(-second[0], 1e-12))
        root[1] /= -root[0]
        root[2] = np.sqrt(np.maximum(-second[2] - root[1] ** 2, 0.0))
        size = self.of.size
        alone, upper, beside = np.zeros(size), np.zeros(self.column.size), np.zeros((size, wide))
        _row_information(rows.first, rows.column, *slope, root, self.of, self.place, alone, upper, beside)
        return alone, beside, sparse.csr_array((upper, self.column, self.first), shape=(size, size))


def bend(second: Floats) -> tuple[float, float]:
    """Largest upward curvature of rows, from curvatures (3, row), and largest information of a row."""
    told = second[0] * second[2]
    return float((second[1] ** 2 - told).max(initial=0.0)), float(told.max(initial=0.0))


def bends(up: float, told: float) -> bool:
    """True if the upward curvature of rows requires averaging over results; arguments of `bend`."""
    return up > _BENT * told


class MatrixFreePrecision:
    """H at one theta by its products, from slopes (2, entry), curvatures (3, row), overwritten, and values."""

    def __init__(
        self,
        posterior: PosteriorDensity,
        members: Members,
        pairs: PairPattern,
        slope: Floats,
        second: Floats,
        v: Floats,
    ) -> None:
        self.rows, self.slope = posterior.rows, slope
        if bends(*bend(second)) and posterior.declared.rows.margin is None:
            second = -posterior.information(v)
        alone, beside, self.upper = pairs.information(self.rows, slope, second, members.wide.size)
        self.finish(posterior.parts, members, alone, beside, v)

    def finish(self, parts: LatentSplit, members: Members, alone: Floats, beside: Floats, v: Floats) -> None:
        """Set up H and its preconditioner from information about each number, (z,), and the wide ones, (z, wide)."""
        self.parts, self.v, self.beside, wide = parts, v, beside, members.wide
        priors = [term.scaled(v) for term in parts.terms]
        self.rest = sum((one.T @ one for one in priors), sparse.diags_array(alone)).tocsr()
        self.factors = None  # of the priors, where their products have many more entries
        if self.rest.nnz > _DENSER * sum(one.nnz for one in priors):
            root = sparse.vstack(priors).tocsr()
            self.factors = (root, root.T.tocsr(), alone.copy())
        self.wide, self.blocks, self.members = wide, members.blocks, beside.copy()
        self.members[wide] = 0.0
        told = alone
        told[wide] = beside[wide, np.arange(wide.size)]
        self.span(members.populations, told)

    def between(self, x: Floats) -> Floats:
        """Off-diagonal information between members of the same row, times x, shape (z, column)."""
        return np.asarray(self.upper @ x + self.upper.T @ x)

    def tied(self) -> Any:
        """Part of H for members tied by priors, sparse, shape (z, z)."""
        pairs = self.blocks.within(self.upper)
        return pairs + pairs.T

    def span(self, populations: list[Any], told: Floats) -> None:
        """Set up Z and W from the information of games about each number, shape (z,)."""
        size, free = told.size, self.wide
        self.alone, self.unit, weight = self.blocks.inverse(self.rest + self.tied())
        self.own = self.alone.diagonal()
        unit = np.zeros((size, free.size))
        unit[free, np.arange(free.size)] = 1.0
        answers, directions = self.product(unit), [unit]
        for one in populations:
            moved, ones = np.zeros((size, free.size + 1)), np.zeros((size, 1))
            moved[one], ones[one] = np.column_stack([answers[one], told[one]]), 1.0
            directions += [self.alone @ moved, ones]
        spanning = np.hstack(directions)
        image = self.product(spanning)
        length = np.sqrt(np.maximum((spanning * image).sum(axis=0), 1e-300))
        spanning, image = spanning / length, image / length
        values, turn = np.linalg.eigh(spanning.T @ image)
        kept = values > _SPANNED * values[-1]
        self.spanning, self.image = (one @ turn[:, kept] / np.sqrt(values[kept]) for one in (spanning, image))
        self.block_image = self.alone @ self.image
        _, lengths, turn = np.linalg.svd(self.spanning[free])
        beyond = (lengths > _SPANNED * lengths.max(initial=1.0)).sum()  # Z without those that are no member's
        self.spanned = np.linalg.qr(weight @ (self.spanning @ turn[beyond:].T))[0]  # where C is 0

    def product(self, x: Floats) -> Floats:
        """H x, shape (z, column)."""
        found = self.between(x) + self.beside @ x[self.wide]
        if self.factors is None:
            found += self.rest @ x
        else:
            root, turned, alone = self.factors
            found += turned @ (root @ x)
            found += alone[:, None] * x
        found[self.wide] += self.members.T @ x
        return np.asarray(found)

    def near(self, r: Floats) -> Floats:
        """Approximation of V times r, shape (z, column)."""
        coarse = self.spanning.T @ r
        rest = self.alone @ (r - self.image @ coarse)
        return np.asarray(rest + self.spanning @ (coarse - self.image.T @ rest))

    def solve(self, b: Floats) -> Floats:
        """H^-1 b, shape (z,)."""
        return conjugate_gradients(self.product, self.near, b[:, None], _TOLERANCE)[:, 0]

    def deflated_residual(self, y: Floats) -> Floats:
        """C y, the part of H outside the span of Z in units of W, shape (z, column)."""
        x = self.unit @ y
        return np.asarray(self.unit.T @ (self.product(x) - self.image @ (self.image.T @ x)))

    def draws(self, count: int, rng: np.random.Generator, spanned: bool = True) -> Floats:
        """Draws from N(0, H^-1), shape (z, count); without Z E^-1/2 n if not spanned."""
        size = self.own.size
        found, width = np.empty((size, count)), max(COLUMNS, min(_MOST_COLUMNS, _AT_HAND // size))
        for begin in range(0, count, width):
            here = slice(begin, min(begin + width, count))
            noise = rng.standard_normal((size, here.stop - begin)) * (self.own > 0.0)[:, None]
            apart = noise - self.spanned @ (self.spanned.T @ noise)
            x = self.unit @ inverse_root_product(self.deflated_residual, apart, _ROUGH)
            free = rng.standard_normal((self.spanning.shape[1], here.stop - begin)) if spanned else 0.0
            found[:, here] = x + self.spanning @ (free - self.image.T @ x)
        return found

    @cached_property
    def deflated_draws(self) -> Floats:
        """Random draws for variances, with the span of Z removed, shape (z, SAMPLES)."""
        return self.draws(SAMPLES, np.random.default_rng(0), spanned=False)

    @cached_property
    def expected(self) -> tuple[Floats, Floats]:
        """Conditional means of each block given the others: along Z, and along the deflated draws, (z, column)."""
        return self.spanning - self.block_image, self.deflated_draws - self.alone @ self.product(self.deflated_draws)

    @cached_property
    def variance(self) -> Floats:
        """The diagonal of V, of members by draws, shape (z,)."""
        spanned, left = self.expected
        found = self.own + np.square(spanned).sum(axis=1) + np.square(left).mean(axis=1)
        return np.where(self.own > 0.0, found, self.preconditioner_diagonal)

    @cached_property
    def roots(self) -> tuple[Floats, Floats]:
        """P and Q, such that the approximation of V above is W + P P' - Q Q', (z, column)."""
        size, turn = np.linalg.eigh(self.image.T @ self.block_image)
        root = np.sqrt(1.0 + size)
        lost = (self.block_image @ turn) / root
        return (self.spanning @ turn) * root - lost, lost

    @cached_property
    def preconditioner_diagonal(self) -> Floats:
        """Diagonal of the preconditioner, the approximation of V above, shape (z,)."""
        up, down = self.roots
        return np.asarray(self.own + np.square(up).sum(axis=1) - np.square(down).sum(axis=1))

    def deviations(self) -> Floats:
        """Standard deviations, shape (z,)."""
        return np.sqrt(self.variance)

    def deviations_about_mean(self, places: npt.NDArray[np.integer[Any]]) -> Floats:
        """Standard deviations of members of one population less their mean, shape (place,), for many members.

        A mean over many members leaves only their common part: `places` are all members.
        """
        spanned, left = self.expected
        common = self.spanning[places].mean(axis=0), self.deflated_draws[places].mean(axis=0)
        apart = np.square(spanned[places] - common[0]).sum(axis=1), np.square(left[places] - common[1]).mean(axis=1)
        return np.asarray(np.sqrt(self.own[places] + apart[0] + apart[1]))

    def unknown(self) -> list[float]:
        """Posterior variances of the sums of each prior term, added up, in units of its squared sd."""
        found = []
        for term, whole in zip(self.parts.terms, self.blocks.whole, strict=True):
            weighted = term.sums * (1.0 / term.sd)[:, None]
            sides = self.expected if whole else (self.spanning, self.deflated_draws)
            spanned, rest = (float(np.square(weighted @ one).sum()) for one in sides)
            known = (weighted @ self.alone).multiply(weighted).sum() if whole else 0.0
            found.append(float(known) + spanned + rest / SAMPLES)
        return found

    @property
    def approximation(self) -> tuple[Any, ...]:
        """Approximation of V for `variances_of_rows`: blocks of W, corrections of the diagonal, P and Q."""
        block = (self.alone.indptr, self.alone.indices, self.alone.data)
        return block, np.maximum(self.variance - self.preconditioner_diagonal, 0.0), *self.roots

    def widths(self) -> Floats:
        """Variances and covariance of eta and lam of all rows, (3, row): V's, and what draws add."""
        return variances_of_rows(self.rows, self.slope, self.approximation)


def variances_of_rows(rows: AffineRows, slope: Floats, approximation: tuple[Any, ...]) -> Floats:
    """Variances and covariance of eta and lam of rows, (3, row), by `MatrixFreePrecision.approximation`."""
    found = np.empty((3, rows.count), rows.kind)
    _row_variances(rows.first, rows.column, *slope, *approximation, found)
    return found
