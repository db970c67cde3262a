r"""The closest normal of thousands of players: conjugate gradients, draws for variances, spreads by a fixed point.

    H x = b             by conjugate gradients, the diagonal and the level of all strengths together as preconditioner
    e ~ N(0, H^-1)      H e = sum over rows A' root(I) n + sum over priors B' n / s,   n ~ N(0, 1)
    V_ii                1 / H_ii + the mean square of what the others move i by, sum_j H_ij e_j / H_ii
    s^2                 (sum of (B z - d)^2 + its variance under q) / rows, moved by its half-normal prior

Rows are averaged over their own spread, which the draws give, so that the centre is the mean's and not the mode's.

Papandreou & Yuille (2010) NIPS 23 for the draws; Siden, Lindgren, Bolin & Villani (2018) J. Comput. Graph. Stat. 27:898
for the variances; MacKay (1992) Neural Comput. 4:415 for the fixed point.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sparse

from halfpoint.games.table import Floats
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.curvature import solved
from halfpoint.inference.normal.parts import Parts
from halfpoint.inference.normal.rows import Rows, blocks_of, gathered, places_at
from halfpoint.models.model import Declared

SAMPLES, COLUMNS = 32, 8  # draws behind variances, and so many at a time
PART = 1 << 17  # rows at a time
TOLERANCE, ROUGH = 1e-6, 1e-3  # of solutions: of the centre, and of draws, which move deviations by a ten thousandth
ROUNDS, NEAR, STILL = 60, 1e-4, 0.01


@dataclass(frozen=True, eq=False)
class Large:
    """A normal approximation of many numbers.

    Parameters
    ----------
    parts : Parts
        The model's parameters.
    x : array of float, shape (theta,)
        Thetas, at their fixed point.
    centre, sd : array of float, shape (z,)
        Means and standard deviations.
    matrix : Matrix
        H.
    rounds : int
        Newton's steps it took.
    """

    parts: Parts
    x: Floats
    centre: Floats
    sd: Floats
    matrix: "Matrix"
    rounds: int

    def draws(self, count: int, seed: int) -> Floats:
        """Return draws of all values, shape (count, value)."""
        z = self.centre + self.matrix.draws(count, np.random.default_rng([seed, 1])).T
        return self.parts.values(np.repeat(self.x[None], count, axis=0), z)


class Matrix:
    """H at one theta, sparse, and its solutions; rows pass a part at a time."""

    def __init__(self, parts: Parts, rows: Rows, slope: Floats, second: Floats, v: Floats) -> None:
        self.parts, self.rows, self.slope, self.v = parts, rows, slope, v
        self.root = root = second  # I = R'R by rows, R = ((a, b), (0, c)), in the place of the curvatures
        root[0] = np.sqrt(np.maximum(-second[0], 1e-12))
        root[1] /= -root[0]
        root[2] = np.sqrt(np.maximum(-second[2] - root[1] ** 2, 0.0))
        self.priors = [term.sums * (np.sqrt(term.share(v)) / term.sd)[:, None] for term in parts.terms]
        self.h = added(chain((root.T @ root for root in self.priors), self.informed()))
        self.diagonal = self.h.diagonal()
        self.all = np.ones((parts.z.size, 1))
        self.level = float(self.h.sum())

    def parted(self) -> Iterator[tuple[slice, Any, Any]]:
        """Return parts of the rows: which, their entries as loops take them, and their roots, each (row, 1)."""
        for start in range(0, self.rows.count, PART):
            here = slice(start, min(start + PART, self.rows.count))
            first = self.rows.first[here.start : here.stop + 1]
            yield here, (first, self.rows.column, self.slope[0], self.slope[1]), self.root[:, here, None]

    def informed(self) -> Iterator[Any]:
        """Return what parts of the rows add to H."""
        for here, (first, column, of_eta, of_lam), (a, b, c) in self.parted():
            shape, entries = (here.stop - here.start, self.parts.z.size), slice(first[0], first[-1])
            eta, lam = (
                sparse.csr_array((one[entries], column[entries], first - first[0]), shape=shape)
                for one in (of_eta, of_lam)
            )
            one, other = eta * a + lam * b, lam * c
            yield one.T @ one + other.T @ other

    def product(self, x: Floats) -> Floats:
        """Return H x, shape (z, column)."""
        return np.asarray(self.h @ x)

    def near(self, r: Floats) -> Floats:
        """Return about V r: the diagonal, and the level of all strengths together."""
        return np.asarray(r / self.diagonal[:, None] + r.sum(axis=0) / max(self.level, 1e-12))

    def solve(self, b: Floats, tolerance: float) -> Floats:
        """Return H^-1 b."""
        return solved(self.product, self.near, b[:, None], tolerance)[:, 0]

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Return draws from N(0, H^-1), shape (z, count)."""
        found = np.empty((self.diagonal.size, count))
        for begin in range(0, count, COLUMNS):
            width = min(COLUMNS, count - begin)
            noise = np.zeros((self.diagonal.size, width))
            for root in self.priors:
                noise += root.T @ rng.standard_normal((root.shape[0], width))
            for here, entries, (a, b, c) in self.parted():
                one, other = rng.standard_normal((2, here.stop - here.start, width))
                gathered(*entries, a * one, b * one + c * other, noise)
            found[:, begin : begin + width] = solved(self.product, self.near, noise, ROUGH)
        return found

    def variances(self, away: Floats) -> Floats:
        """Return variances and covariance of eta and lam of rows, (3, row), from draws."""
        total = np.zeros((3, self.rows.count))
        for here, entries, _ in self.parted():
            eta, lam = np.zeros((2, here.stop - here.start, away.shape[1]))
            places_at(*entries, away, eta, lam)
            for one, (a, b) in zip(total, ((eta, eta), (eta, lam), (lam, lam)), strict=True):
                one[here] = np.einsum("ij,ij->i", a, b) / away.shape[1]
        return total

    def deviations(self, away: Floats) -> Floats:
        """Return standard deviations from draws, each coordinate conditioned on the others."""
        rest = away - self.product(away) / self.diagonal[:, None]
        return np.asarray(np.sqrt(1.0 / self.diagonal + np.square(rest).mean(axis=1)))


def added(matrices: Iterable[Any]) -> Any:
    """Return the sum of many sparse matrices: sums of like many first."""
    held: list[tuple[int, Any]] = []
    for matrix in matrices:
        held.append((1, sparse.csr_array(matrix)))
        while len(held) > 1 and held[-1][0] >= held[-2][0]:
            (count, one), (further, other) = held.pop(), held.pop()
            held.append((count + further, one + other))
    return sum((matrix for _, matrix in reversed(held[:-1])), held[-1][1])


def large(declared: Declared, seed: int, samples: int = SAMPLES) -> Large:
    """Return the normal approximation of a model of any size; its spreads stand at their fixed point.

    Parameters
    ----------
    declared : Declared
        The model.
    seed : int
        Seed of the draws.
    samples : int
        Draws behind variances.

    Raises
    ------
    InferenceError
        If the model has positive scales, or no approximation is found.
    """
    parts = Parts(declared)
    scales = [theta.name for theta in parts.thetas if theta.kind != "spread"]
    if scales:
        raise InferenceError(f"normal approximation: expected up to 4,000 parameters beside {scales[0]!r}, found more")
    rows = Rows(numbers_of(declared), blocks_of(declared), parts.source, parts.position)
    x, z = np.full(len(parts.thetas), -1.0), parts.begin()
    variance, rounds, away = None, 0, np.zeros((z.size, samples))
    matrix: Any = None
    for _ in range(ROUNDS):
        z, v, matrix, took = climbed(parts, rows, x, z, variance, NEAR * max(1.0, z.size / 1000.0))
        rounds += took
        rng = np.random.default_rng([seed, 2])
        away = matrix.draws(samples, rng)
        unknown = [float(np.square(term.sums @ away).mean(axis=1).sum()) for term in parts.terms]
        spreads = better(parts, x, z, v, unknown)
        still = variance is not None and bool(np.all(np.abs(spreads - x) < STILL))
        variance = matrix.variances(away)
        x = spreads
        if still:
            return Large(parts, x, z, matrix.deviations(away), matrix, rounds)
    raise InferenceError(
        f"normal approximation: expected spreads of {declared.entry.name} to settle, found that they do not"
    )


def climbed(
    parts: Parts, rows: Rows, x: Floats, z: Floats, variance: Floats | None, enough: float
) -> tuple[Floats, Floats, Matrix, int]:
    """Return where expected slopes vanish at thetas, all values, the last Hessian on the way, and steps taken.

    Parameters
    ----------
    parts, rows
        The model.
    x, z : array of float
        Thetas, and where to begin.
    variance : array of float, shape (3, row), optional
        Of eta and lam, over which rows are averaged; without it the end is the mode.
    enough : float
        Rise of the log density still to be had at which to stop.
    """
    v, slope, first, second = looked(parts, rows, x, z, variance)
    turn, rise = 0, np.inf
    while rise >= enough and turn < ROUNDS:
        turn += 1
        gradient = -sum(term.sums.T @ (term.rest(z, v) / term.sd) * term.share(v) for term in parts.terms)
        rows.gather(slope, first, gradient)
        matrix = Matrix(parts, rows, slope, second, v)
        step = matrix.solve(gradient, TOLERANCE)
        rise = 0.5 * float(gradient @ step)
        z = z + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        v, slope, first, second = looked(parts, rows, x, z, variance)
    return z, v, matrix, turn


def looked(parts: Parts, rows: Rows, x: Floats, z: Floats, variance: Floats | None) -> Any:
    """Return values, slopes by z, and expected slopes and curvatures of rows."""
    v = parts.values(x, z)
    place, slope = rows.at(v)
    rows.place(slope, z, place)
    _, first, second, _ = rows.expect(place, variance)
    return v, slope, first, second


def better(parts: Parts, x: Floats, z: Floats, v: Floats, unknown: list[float]) -> Floats:
    """Return the spreads that the squares of a population's members, and what is not known of them, ask for.

    `unknown` has the summed variances of B z of each term, in units of its sd.
    """
    found = x.copy()
    for k, theta in enumerate(parts.thetas):
        for term, rest in zip(parts.terms, unknown, strict=True):
            if term.spread == theta.places[0]:
                squares = np.square(term.rest(z, v)).sum() + rest
                # s^2 = squares / (n + (s / S)^2): half-normal of scale S
                n, scale = term.offset.size, theta.sd
                share = scale**2 * (np.sqrt(n**2 + 4.0 * squares / scale**2) - n) / 2.0
                step = 0.5 * np.log(share) - np.log(scale) - x[k]
                told = 1.0 - rest / (n * np.exp(2 * x[k]) * scale**2)
                found[k] = x[k] + np.clip(step / max(told, 0.1), -1.0, 1.0)  # what EM does slowly at one go
    return found
