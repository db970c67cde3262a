r"""A declared model's log density as a normal approximation sees it, and how its top is climbed.

    eta, lam of a row: affine in z given theta           z, theta: see `parts`
    F(z, x) = sum of rows E log p(outcome | eta + e, lam + e') + log prior,   e, e' of given widths, or none

Newton's steps on F by z and by those of theta that are asked for, halved until F rises; without widths its top is the
mode, with those of the closest normal its centre (`settle`).

    s^2    spreads: (expected squares of a population's members) / (members + (s / S)^2), S the scale of their prior

MacKay (1992) Neural Comput. 4:415, eq. 4.13 for the fixed point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.parts import Parts
from halfpoint.inference.normal.rows import Rows, blocks_of
from halfpoint.models.declared import Declared

STEPS = 100
LONGEST = 0.5  # step of a theta, in its units
SMALL = 1e-3  # step of differences by theta
LEAST_SHARE = 1e-4  # of a step
FLAT = 1e-6  # least curvature by a theta
ROUNDS = 60
WIDTH = 0.05  # change of the widths of rows, relative, that counts as none
NEAR, MANY = 1e-3, 10_000.0  # expected rise of F at which a fit stands, of so many numbers; of more in proportion
PATIENT, FARTHEST = 8, 20.0  # rounds from which on spreads go farther at once, and how many steps at most
STILL = 0.01  # change of a spread, on the log scale, that counts as none
FLOOR = -5.0  # log of a spread, in units of its prior's scale, below which it counts as none


class Posterior:
    """A declared model's values, slopes and prior's gradient; its rows are read once, a block at a time."""

    def __init__(self, declared: Declared) -> None:
        blocks = blocks_of(declared)
        head = next(blocks)
        terms = head[2]
        products = [(one[both], two[both]) for *_, one, two in terms for both in [two >= 0] if both.any()]
        self.declared, self.numbers = declared, numbers_of(declared, parameters=False)
        self.parts = Parts(declared, products)
        if not self.parts.z.size:
            raise InferenceError(f"normal approximation: expected parameters, found none in {declared.entry.name}")
        self.rows = Rows(self.numbers, chain([head], blocks), self.parts.source, self.parts.position)

    follows = False  # whether widths of rows follow z where games multiply two of z; else it is taken along its slope

    def curvature(self, slope: Floats, second: Floats, v: Floats) -> Any:
        """Return H of slopes (2, entry), curvatures of rows (3, row), which it may overwrite, and values."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """Number of z."""
        return int(self.parts.z.size)

    @property
    def start(self) -> Floats:
        """Thetas to begin with, shape (theta,): spreads at a third of their prior's scale, the others at their mean."""
        return np.array([-1.0 if theta.kind == "spread" else theta.mean for theta in self.parts.thetas])

    def gradient(self, z: Floats, v: Floats) -> Floats:
        """Return the derivatives of the log prior by z, shape (z,)."""
        total = np.zeros(self.size)
        for term in self.parts.terms:
            total -= term.sums.T @ (term.rest(z, v) / term.sd) * term.share(v)
        return total

    def placed(self, x: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Return values, eta and lam (2, row) and slopes by z (2, entry)."""
        v = self.parts.values(x, z)
        place, slope = self.rows.at(v)
        self.rows.place(slope, z, place)
        return v, place, slope

    def information(self, v: Floats) -> Floats:
        """Return what a game of each row tells of eta and lam at values, whoever wins it, (3, row): none curves up."""
        (place, slope), rows = self.rows.at(v), self.rows
        rows.place(slope, v[self.parts.z], place)
        chances = np.exp(self.declared.entry.outcome.log_probability(place[0], np.zeros(rows.count), place[1]))
        return -rows.curvatures(place, chances)

    def rise(self, x: Floats, z: Floats) -> Floats:
        """Return the derivatives of the log density by z, rows not averaged over anything, shape (z,)."""
        v, place, slope = self.placed(x, z)
        gradient = self.gradient(z, v)
        self.rows.gather(slope, self.rows.slopes(place), gradient)
        return gradient


@dataclass(frozen=True, eq=False)
class Averaged:
    """Over what rows are averaged."""

    variance: Floats  # (3, row): variances and covariance of eta and lam
    of_thetas: Floats | float = 0.0  # (3, row): the part of them that is the thetas'
    # where the rest comes from, which follows z where games multiply two of z; without it they stay
    curvature: Any = None

    def at(self, slope: Floats) -> Floats:
        """Return variances and covariance by slopes by z, shape (3, row)."""
        return self.variance if self.curvature is None else self.curvature.widths(slope) + self.of_thetas

    def pull(self, slope: Floats, second: Floats) -> Any:
        """Return what they add to the gradient of F by z, shape (z,)."""
        return 0.0 if self.curvature is None else self.curvature.pull(slope, second)


@dataclass(frozen=True, eq=False)
class Top:
    """Where a climb ended."""

    x: Floats  # (theta,): thetas
    z: Floats  # (z,): z
    v: Floats  # (value,): all values
    slope: Floats  # (2, entry): of eta and lam by z
    curvature: Any  # H there: `conditional.Factored` or `curvature.Products`
    # of each theta that was climbed by: how eta and lam move with it, (2, row), and by how much z falls, (z,)
    moved: list[tuple[Floats, Floats]]
    inner: Floats  # (climbed theta, climbed theta): precision of these, z followed along
    steps: int  # Newton's steps it took
    rise: float  # of F, expected before the last one; 0 where no step raised it


@dataclass(frozen=True, eq=False)
class Fitted:
    """Where a fit ended."""

    x: Floats  # (theta,): thetas, see `parts.Theta`
    z: Floats  # (z,): mean of z
    # (3, row): variances and covariance of eta and lam of all rows; None before the first fit
    variance: Floats | None = None
    top: Top | None = None  # what else is known there; None of a fit that was kept in a file


def climb(
    posterior: Posterior,
    start: tuple[Floats, Floats],
    averaged: Averaged | None,
    enough: float,
    beside: Sequence[int] = (),
) -> Top:
    """Return the top of F from thetas and z, rows averaged over widths or not; an error if it is not found.

    `enough` is the rise of F still to be had at which to stop; `beside` are the thetas that are climbed by too.
    """
    parts, rows = posterior.parts, posterior.rows
    units = np.array([parts.thetas[k].unit for k in beside])

    def looked(x: Floats, z: Floats) -> Any:
        v, place, slope = posterior.placed(x, z)
        value, first, second, _ = rows.expect(place, None if averaged is None else averaged.at(slope))
        return value + float(parts.log_prior(x, z, v)), v, slope, first, second

    x, z = start
    value, v, slope, first, second = looked(x, z)
    for steps in range(1, STEPS + 1):
        gradient = posterior.gradient(z, v)
        rows.gather(slope, first, gradient)
        gradient += 0.0 if averaged is None else averaged.pull(slope, second)
        curvature = posterior.curvature(slope, second.copy() if len(beside) else second, v)
        step, along = curvature.solve(gradient), np.zeros_like(x)
        moved, by_x, inner = thetas_at(posterior, curvature, (x, z, v), (first, second, slope), beside)
        if len(beside):
            by_x -= np.array([border @ step for _, _, border in moved])
            size, turn = np.linalg.eigh(inner)
            change = turn @ ((turn.T @ by_x) / np.maximum(np.abs(size), FLAT))
            along[list(beside)] = change
            rise = 0.5 * float(gradient @ step + by_x @ change)
            step = step - sum(c * w for c, (_, w, _) in zip(change, moved, strict=True))
            share = min(1.0, LONGEST / max(float(np.abs(change / units).max()), 1e-12))
        else:
            rise, share = 0.5 * float(gradient @ step), 1.0
        if not np.isfinite(rise):
            break
        known = slope, curvature, [(away, w) for away, w, _ in moved], inner, steps
        if rise < enough and share == 1.0:
            x, z = x + along, z + step
            return Top(x, z, parts.values(x, z), *known, rise)
        while share > LEAST_SHARE:
            found = looked(x + share * along, z + share * step)
            if found[0] > value:
                break
            share /= 2.0
        else:
            return Top(x, z, v, *known, 0.0)
        x, z = x + share * along, z + share * step
        value, v, slope, first, second = found
    name = posterior.declared.entry.name
    raise InferenceError(f"normal approximation: expected a mode of {name}, found none. Use method nuts.")


def thetas_at(
    posterior: Posterior,
    curvature: Any,
    point: tuple[Floats, Floats, Floats],
    of_rows: tuple[Floats, Floats, Floats],
    beside: Sequence[int],
) -> tuple[list[tuple[Floats, Floats, Floats]], Floats, Floats]:
    """Return of thetas how rows and slopes move and z falls; slopes of F; its curvature, z followed along."""
    (x, z, v), (first, second, slope) = point, of_rows
    parts, rows = posterior.parts, posterior.rows
    by_x, inner = np.zeros(len(beside)), np.zeros((len(beside), len(beside)))
    moved = []
    middle = float(parts.log_prior(x, z, v)) if len(beside) else 0.0
    for k, one in enumerate(beside):
        step = SMALL * np.eye(x.size)[one]
        low, high = (posterior.placed(at, z) for at in (x - step, x + step))
        logs = [float(parts.log_prior(at, z, side[0])) for at, side in ((x - step, low), (x + step, high))]
        away = (high[1] - low[1]) / (2 * SMALL)
        by_x[k] = float((first * away).sum()) + (logs[1] - logs[0]) / (2 * SMALL)
        inner[k, k] = max((2 * middle - logs[0] - logs[1]) / SMALL**2, FLAT)
        border = (posterior.gradient(z, low[0]) - posterior.gradient(z, high[0])) / (2 * SMALL)
        bent = -np.array([second[0] * away[0] + second[1] * away[1], second[1] * away[0] + second[2] * away[1]])
        rows.gather(slope, bent, border)
        moved.append((away, curvature.solve(border), border))
    for i, (a, _, border) in enumerate(moved):
        for j, (b, w, _) in enumerate(moved):
            of_eta, of_lam = second[0] * b[0] + second[1] * b[1], second[1] * b[0] + second[2] * b[1]
            inner[i, j] -= float((a[0] * of_eta + a[1] * of_lam).sum()) + float(border @ w)
    return moved, by_x, inner


def settle(
    posterior: Posterior,
    start: Fitted,
    enough: float | None = None,
    beside: Sequence[int] = (),
    learned: bool = False,
) -> Fitted:
    """Return where centre, widths of rows and, if they are learned, spreads stand still; an error if they do not.

    `enough` and `beside` as in `climb`; the first is that of the end if it is not given.
    """
    near = NEAR * max(1.0, posterior.size / MANY)
    x, z, variance = start.x, start.z, start.variance
    averaged = None if variance is None else Averaged(variance)
    past, most = np.zeros_like(x), np.full_like(x, FARTHEST)
    for done in range(ROUNDS):
        top = climb(posterior, (x, z), averaged, enough or near, beside)
        further = of_thetas(posterior, top)
        last, variance = variance, top.curvature.widths() + further
        averaged = Averaged(variance, further, top.curvature if posterior.follows else None)
        x, z = top.x, top.z
        move = better(posterior.parts, top) - x if learned else np.zeros_like(x)
        if last is not None and top.rise < near and np.abs(move).max(initial=0.0) < STILL:
            counted = posterior.rows.counted
            least = WIDTH * variance[0][counted].max(initial=1e-12)
            if np.abs(variance[0] - last[0])[counted].max(initial=0.0) < least:
                return Fitted(x, z, variance, top)
        reach, most = farther(move, past, most) if done > PATIENT else (move, most)
        x, past = x + reach, move
    raise InferenceError(
        f"normal approximation: expected spreads of {posterior.declared.entry.name} to settle, found that they do not. "
        "Use method nuts."
    )


def of_thetas(posterior: Posterior, top: Top) -> Floats:
    """Return what scales and numbers add to the variances of eta and lam, shape (3, row)."""
    rows = posterior.rows
    total = np.zeros((3, rows.count))
    if not top.moved:
        return total
    part = np.array([own for own, _ in top.moved])
    for along, (_, w) in zip(part, top.moved, strict=True):
        rows.place(top.slope, -w, along)
    covariance, eta, lam = np.linalg.inv(top.inner), part[:, 0], part[:, 1]
    for one, (a, b) in zip(total, ((eta, eta), (eta, lam), (lam, lam)), strict=True):
        one += np.einsum("ir,ij,jr->r", a, covariance, b)
    return total


def farther(move: Floats, past: Floats, most: Floats) -> tuple[Floats, Floats]:
    """Return where steps in one direction lead, their sum (Aitken), and how many at most; fewer where they turned."""
    share = np.divide(move, past, out=np.zeros_like(move), where=past != 0.0)
    most = np.where(share < 0.0, np.maximum(most / 2.0, 1.0), most)
    times = np.where(share > 0.0, 1.0 / np.maximum(1.0 - share, 1.0 / most), 1.0)
    return np.clip(times * move, -1.0, 1.0), most


def better(parts: Parts, top: Top) -> Floats:
    """Return thetas with the spreads that squares of members ask for."""
    found, unknown = top.x.copy(), top.curvature.unknown()
    for k, theta in enumerate(parts.thetas):
        for term, rest in zip(parts.terms, unknown, strict=True):
            if term.spread == theta.places[0]:
                squares = np.square(term.rest(top.z, top.v)).sum() + rest
                # s^2 = squares / (n + (s / S)^2): half-normal of scale S
                n, scale = term.offset.size, theta.sd
                share = scale**2 * (np.sqrt(n**2 + 4.0 * squares / scale**2) - n) / 2.0
                step = 0.5 * np.log(share) - np.log(scale) - top.x[k]
                told = 1.0 - rest / (n * np.exp(2 * top.x[k]) * scale**2)
                step = np.clip(step / max(told, 0.1), -1.0, 1.0)
                found[k] = max(top.x[k] + step, FLOOR)  # what EM does slowly at one go
    return found
