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
from halfpoint.models.games.table import Floats, Integers

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
            pairs = np.empty((2, count), dtype=np.int32)
        count = 0
        for r in range(first.size - 1):
            for p in range(first[r], first[r + 1]):
                for q in range(first[r], p):
                    if wide[column[p]] < 0 and wide[column[q]] < 0:
                        if turn:
                            pairs[0, count], pairs[1, count] = column[q], column[p]
                        count += 1
    return pairs


@loop
def _row_information(first, column, eta, lam, root, wide, place, alone, between, with_wide):  # type: ignore[no-untyped-def]
    """Add the information of rows: of each number, of each pair, and of each with wide columns, (z, wide)."""
    k = 0
    for r in range(first.size - 1):
        a, b, c = root[0, r], root[1, r], root[2, r]
        for p in range(first[r], first[r + 1]):
            i, root_eta, root_lam = column[p], eta[p] * a + lam[p] * b, lam[p] * c
            if wide[i] < 0:
                alone[i] += root_eta * root_eta + root_lam * root_lam
            else:
                with_wide[i, wide[i]] += root_eta * root_eta + root_lam * root_lam
            for q in range(first[r], p):
                j = column[q]
                information = root_eta * (eta[q] * a + lam[q] * b) + root_lam * lam[q] * c
                if wide[i] < 0 and wide[j] < 0:
                    between[place[k]] += information
                    k += 1
                if wide[i] >= 0:
                    with_wide[j, wide[i]] += information
                if wide[j] >= 0:
                    with_wide[i, wide[j]] += information


@loop
def _row_variances(first, column, eta, lam, block, added, up, down, variance):  # type: ignore[no-untyped-def]
    """Write variances and covariance of eta and lam of rows into `variance`, (3, row), for V as in `widths`."""
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
        variance[0, r], variance[1, r], variance[2, r] = ee, el, ll


class Members:
    """Membership of z in populations, the same at every theta and z.

    `populations` has the members of each population, places in z; `wide` has the numbers that belong to no member, most
    of which enter every game; `of` has the member of each number, -1 for none. Priors connect members in `blocks`.
    """

    def __init__(self, parts: LatentSplit) -> None:
        self.size = int(parts.z.size)
        numbers = [np.unique(parts.position[parts.of(law.name)]) for law in parts.declared.laws]
        numbers = [places[places >= 0] for places in numbers]
        self.populations = [places for places in numbers if places.size >= MEMBERS]
        self.of = np.zeros(self.size, dtype=np.int32)
        for population in self.populations:
            self.of[population] = -1
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

    def information(
        self, rows: AffineRows, slope: Floats, second: Floats, wide: int
    ) -> tuple[Floats, Floats, sparse.csr_array]:
        """Information of rows about each number, (z,), with each wide number, (z, wide), and by pairs, sparse.

        `second` has curvatures (3, row), which are overwritten.
        """
        clip_curvature(second)
        root = second  # I = R'R by rows, R = ((a, b), (0, c)), in the place of the curvatures
        root[0] = np.sqrt(np.maximum(-second[0], 1e-12))
        root[1] /= -root[0]
        root[2] = np.sqrt(np.maximum(-second[2] - root[1] ** 2, 0.0))
        size = self.of.size
        alone, upper, with_wide = np.zeros(size), np.zeros(self.column.size), np.zeros((size, wide))
        _row_information(rows.first, rows.column, *slope, root, self.of, self.place, alone, upper, with_wide)
        return alone, with_wide, sparse.csr_array((upper, self.column, self.first), shape=(size, size))


def bend(second: Floats) -> tuple[float, float]:
    """Largest upward curvature of rows, from curvatures (3, row), and largest information of a row."""
    information = second[0] * second[2]
    return float((second[1] ** 2 - information).max(initial=0.0)), float(information.max(initial=0.0))


def bends(up: float, information: float) -> bool:
    """True if the upward curvature of rows requires averaging over results; arguments of `bend`."""
    return up > _BENT * information


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
        alone, with_wide, self.upper = pairs.information(self.rows, slope, second, members.wide.size)
        self.finish(posterior.parts, members, alone, with_wide, v)

    def finish(self, parts: LatentSplit, members: Members, alone: Floats, with_wide: Floats, v: Floats) -> None:
        """Set up H and its preconditioner from information about each number, (z,), and the wide ones, (z, wide)."""
        self.parts, self.v, self.beside, wide = parts, v, with_wide, members.wide
        priors = [term.scaled(v) for term in parts.terms]
        self.rest = sum((prior.T @ prior for prior in priors), sparse.diags_array(alone)).tocsr()
        self.factors = None  # of the priors, where their products have many more entries
        if self.rest.nnz > _DENSER * sum(prior.nnz for prior in priors):
            root = sparse.vstack(priors).tocsr()
            self.factors = (root, root.T.tocsr(), alone.copy())
        self.wide, self.blocks, self.members = wide, members.blocks, with_wide.copy()
        self.members[wide] = 0.0
        information = alone
        information[wide] = with_wide[wide, np.arange(wide.size)]
        self.span(members.populations, information)

    def between(self, x: Floats) -> Floats:
        """Off-diagonal information between members of the same row, times x, shape (z, column)."""
        return np.asarray(self.upper @ x + self.upper.T @ x)

    def tied(self) -> sparse.csr_array | float:
        """Part of H for members tied by priors, sparse, shape (z, z)."""
        pairs = self.blocks.within(self.upper)
        return pairs + pairs.T

    def span(self, populations: list[Integers], information: Floats) -> None:
        """Set up Z and W from the information of games about each number, shape (z,)."""
        size, free = information.size, self.wide
        self.alone, self.unit, weight = self.blocks.inverse(self.rest + self.tied())
        self.own = self.alone.diagonal()
        unit = np.zeros((size, free.size))
        unit[free, np.arange(free.size)] = 1.0
        answers, directions = self.product(unit), [unit]
        for population in populations:
            moved, ones = np.zeros((size, free.size + 1)), np.zeros((size, 1))
            moved[population], ones[population] = np.column_stack([answers[population], information[population]]), 1.0
            directions += [self.alone @ moved, ones]
        spanning = np.hstack(directions)
        image = self.product(spanning)
        length = np.sqrt(np.maximum((spanning * image).sum(axis=0), 1e-300))
        spanning, image = spanning / length, image / length
        values, turn = np.linalg.eigh(spanning.T @ image)
        is_free = values > _SPANNED * values[-1]
        self.spanning, self.image = (
            matrix @ turn[:, is_free] / np.sqrt(values[is_free]) for matrix in (spanning, image)
        )
        self.block_image = self.alone @ self.image
        _, lengths, turn = np.linalg.svd(self.spanning[free])
        beyond = (lengths > _SPANNED * lengths.max(initial=1.0)).sum()  # Z without those that are no member's
        self.spanned = np.linalg.qr(weight @ (self.spanning @ turn[beyond:].T))[0]  # where C is 0

    def product(self, x: Floats) -> Floats:
        """H x, shape (z, column)."""
        total = self.between(x) + self.beside @ x[self.wide]
        if self.factors is None:
            total += self.rest @ x
        else:
            root, turned, alone = self.factors
            total += turned @ (root @ x)
            total += alone[:, None] * x
        total[self.wide] += self.members.T @ x
        return np.asarray(total)

    def near(self, r: Floats) -> Floats:
        """Approximation of V times r, shape (z, column)."""
        coarse = self.spanning.T @ r
        fine = self.alone @ (r - self.image @ coarse)
        return np.asarray(fine + self.spanning @ (coarse - self.image.T @ fine))

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
        draws, width = np.empty((size, count)), max(COLUMNS, min(_MOST_COLUMNS, _AT_HAND // size))
        for begin in range(0, count, width):
            columns = slice(begin, min(begin + width, count))
            noise = rng.standard_normal((size, columns.stop - begin)) * (self.own > 0.0)[:, None]
            residual = noise - self.spanned @ (self.spanned.T @ noise)
            x = self.unit @ inverse_root_product(self.deflated_residual, residual, _ROUGH)
            free = rng.standard_normal((self.spanning.shape[1], columns.stop - begin)) if spanned else 0.0
            draws[:, columns] = x + self.spanning @ (free - self.image.T @ x)
        return draws

    @cached_property
    def deflated_draws(self) -> Floats:
        """Random draws for variances, with the span of Z removed, shape (z, SAMPLES)."""
        return self.draws(SAMPLES, np.random.default_rng(0), spanned=False)

    @cached_property
    def expected(self) -> tuple[Floats, Floats]:
        """Means of each block given the other blocks: along Z, and along the deflated draws, (z, column)."""
        return self.spanning - self.block_image, self.deflated_draws - self.alone @ self.product(self.deflated_draws)

    @cached_property
    def variance(self) -> Floats:
        """The diagonal of V, of members by draws, shape (z,)."""
        spanned, left = self.expected
        variance = self.own + np.square(spanned).sum(axis=1) + np.square(left).mean(axis=1)
        return np.where(self.own > 0.0, variance, self.preconditioner_diagonal)

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

    def deviations_about_mean(self, places: npt.NDArray[np.integer]) -> Floats:
        """Standard deviations of members of one population less their mean, shape (place,), for many members.

        A mean over many members leaves only their common part: `places` are all members.
        """
        spanned, left = self.expected
        common = self.spanning[places].mean(axis=0), self.deflated_draws[places].mean(axis=0)
        squares = np.square(spanned[places] - common[0]).sum(axis=1), np.square(left[places] - common[1]).mean(axis=1)
        return np.asarray(np.sqrt(self.own[places] + squares[0] + squares[1]))

    def unknown(self) -> list[float]:
        """Posterior variances of the sums of each prior term, added up, in units of its squared sd."""
        variances = []
        for term, is_whole in zip(self.parts.terms, self.blocks.whole, strict=True):
            weighted = term.sums * (1.0 / term.sd)[:, None]
            sides = self.expected if is_whole else (self.spanning, self.deflated_draws)
            spanned, deflated = (float(np.square(weighted @ side).sum()) for side in sides)
            of_blocks = (weighted @ self.alone).multiply(weighted).sum() if is_whole else 0.0
            variances.append(float(of_blocks) + spanned + deflated / SAMPLES)
        return variances

    @property
    def approximation(self) -> tuple[Any, ...]:
        """Approximation of V for `variances_of_rows`: blocks of W, corrections of the diagonal, P and Q."""
        block = (self.alone.indptr, self.alone.indices, self.alone.data)
        return block, np.maximum(self.variance - self.preconditioner_diagonal, 0.0), *self.roots

    def widths(self) -> Floats:
        """Variances and covariance of eta and lam of all rows, (3, row): by the approximation of V and by draws."""
        return variances_of_rows(self.rows, self.slope, self.approximation)


def variances_of_rows(rows: AffineRows, slope: Floats, approximation: tuple[object, ...]) -> Floats:
    """Variances and covariance of eta and lam of rows, (3, row), by `MatrixFreePrecision.approximation`."""
    variance = np.empty((3, rows.count), rows.kind)
    _row_variances(rows.first, rows.column, *slope, *approximation, variance)
    return variance
