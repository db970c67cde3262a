r"""A declared model's log density for a normal approximation, and its maximisation.

    eta, lam of a row: affine in z given theta           z, theta: see `latent_split`
    F(z, x) = sum of rows E log p(outcome | eta + e, lam + e') + log prior,   e, e' of given widths, or none

Newton steps on F by z and by the requested thetas are halved until F rises. The maximum of F is the mode without
widths, and the centre with the widths of the variational approximation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.affine_rows import AffineRows, blocks_of
from halfpoint.inference.gaussian.latent_split import LatentSplit
from halfpoint.inference.loops.engine import Numbers, numbers_of, potential_of
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.games.table import Floats
from halfpoint.models.reading.sparse_affine import NotAffineError

_STEPS = 100
_LONGEST = 0.5  # step of a theta, in its units
_SCALE = 0.06  # unit of a scale, on the log scale: the same whatever ratings are in games still to come
_SMALL = 1e-3  # step of differences by theta
_LEAST_SHARE = 1e-4  # of a step
_FLAT = 1e-6  # least curvature by a theta


class PosteriorDensity:
    """Values and slopes of a declared model and gradient of its prior; rows are read once, in blocks."""

    def __init__(self, declared: Declared) -> None:
        if declared.current_sums is None and (name := declared.reading.discrete):
            raise InferenceError(f"normal approximation: {name} is discrete. Use method nuts with sampler pymc.")
        try:
            blocks = blocks_of(declared)
            head = next(blocks)
            terms = head[2]
            products = [
                (left[pairs], right[pairs]) for *_, left, right in terms for pairs in [right >= 0] if pairs.any()
            ]
            address, data = potential_of(declared)
            self.declared, self.parts = declared, LatentSplit(declared, products)
        except NotAffineError as error:
            raise InferenceError(
                f"normal approximation: expected sums of parameters, found {error} in {declared.spec.name}. Use method "
                "nuts."
            ) from error
        except NoLoopError as error:
            raise InferenceError(f"normal approximation: {declared.spec.name}: {error}. Use method nuts.") from error
        if not self.parts.z.size:
            raise InferenceError(f"normal approximation: expected parameters, found none in {declared.spec.name}")
        self.rows = AffineRows(address, data, chain([head], blocks), self.parts.source, self.parts.position)

    @cached_property
    def numbers(self) -> Numbers:
        """Numeric form of the model, for the log likelihood of draws."""
        return numbers_of(self.declared, parameters=False)

    @property
    def size(self) -> int:
        """Number of z."""
        return int(self.parts.z.size)

    @property
    def start(self) -> Floats:
        """Starting values of theta, shape (theta,): spreads at a third of their prior scale, the rest at the mean."""
        return np.array([-1.0 if theta.law.kind == "spread" else theta.law.mean for theta in self.parts.thetas])

    def gradient(self, z: Floats, v: Floats) -> Floats:
        """The derivatives of the log prior by z, shape (z,)."""
        total = np.zeros(self.size)
        for term in self.parts.terms:
            total += term.slope(z, v)
        return total

    def placed(self, x: Floats, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Values, eta and lam (2, row) and slopes by z (2, entry)."""
        v = self.parts.values(x, z)
        place, slope = self.rows.at(v)
        self.rows.place(slope, z, place)
        return v, place, slope

    def information(self, v: Floats) -> Floats:
        """Information of the games of each row about eta and lam at values, averaged over results, (3, row)."""
        (place, slope), rows = self.rows.at(v), self.rows
        rows.place(slope, v[self.parts.z], place)
        chances = np.exp(self.declared.outcome.log_probability(place[0], np.zeros(rows.count), place[1]))
        return -rows.curvatures(place, chances)

    def rise(self, x: Floats, z: Floats) -> Floats:
        """Derivatives of the log density by z, without averaging over rows, shape (z,)."""
        v, place, slope = self.placed(x, z)
        gradient = self.gradient(z, v)
        self.rows.gather(slope, self.rows.slopes(place), gradient)
        return gradient


@dataclass(frozen=True, eq=False)
class AveragingSpread:
    """Covariance over which rows are averaged."""

    variance: Floats  # (3, row): variances and covariance of eta and lam
    of_thetas: Floats | float = 0.0  # (3, row): the part of them that is the thetas'
    # where the rest comes from, which follows z where games multiply two of z; without it they stay
    curvature: Any = None

    def at(self, slope: Floats) -> Floats:
        """Variances and covariance by slopes by z, shape (3, row)."""
        return self.variance if self.curvature is None else self.curvature.widths(slope) + self.of_thetas

    def pull(self, slope: Floats, second: Floats) -> Any:
        """Contribution to the gradient of F by z, shape (z,)."""
        return 0.0 if self.curvature is None else self.curvature.pull(slope, second)


@dataclass(frozen=True, eq=False)
class Optimum:
    """Result of a maximisation."""

    x: Floats  # (theta,): thetas
    z: Floats  # (z,): z
    v: Floats  # (value,): all values
    slope: Floats  # (2, entry): of eta and lam by z
    curvature: Any  # H there, with its own solver
    # of each theta that was climbed by: how eta and lam move with it, (2, row), and by how much z falls, (z,)
    moved: list[tuple[Floats, Floats]]
    inner: Floats  # (climbed theta, climbed theta): precision of these, z followed along
    steps: int  # Newton's steps it took


def maximise(
    posterior: PosteriorDensity,
    curve: Callable[[Floats, Floats, Floats], Any],
    start: tuple[Floats, Floats],
    averaged: AveragingSpread | None,
    enough: float,
    climbed_thetas: Sequence[int] = (),
) -> Optimum:
    """Maximise F from thetas and z, with rows averaged over widths or not; an error if that fails.

    `curve` makes H from slopes, curvatures of rows, which it may overwrite, and values; iteration stops if F can rise
    by less than `enough`; `climbed_thetas` are the thetas that are maximised too.
    """
    parts, rows = posterior.parts, posterior.rows
    units = np.array([_SCALE if parts.thetas[k].law.kind == "scale" else parts.thetas[k].unit for k in climbed_thetas])

    def look_at(x: Floats, z: Floats) -> tuple[float, Floats, Floats, Floats, Floats]:
        v, place, slope = posterior.placed(x, z)
        value, first, second = rows.expect(place, None if averaged is None else averaged.at(slope))
        return value + float(parts.log_prior(x, z, v)), v, slope, first, second

    x, z = start
    value, v, slope, first, second = look_at(x, z)
    for steps in range(1, _STEPS + 1):
        gradient = posterior.gradient(z, v)
        rows.gather(slope, first, gradient)
        gradient += 0.0 if averaged is None else averaged.pull(slope, second)
        curvature = curve(slope, second.copy() if len(climbed_thetas) else second, v)
        step, along = curvature.solve(gradient), np.zeros_like(x)
        moved, by_x, inner = _thetas_at(posterior, curvature, (x, z, v), (first, second, slope), climbed_thetas)
        by_x -= np.array([border @ step for _, _, border in moved])
        size, turn = np.linalg.eigh(inner)
        change = turn @ ((turn.T @ by_x) / np.maximum(np.abs(size), _FLAT))
        along[list(climbed_thetas)] = change
        rise = 0.5 * float(gradient @ step + by_x @ change)
        step = step - sum(c * w for c, (_, w, _) in zip(change, moved, strict=True))
        share = min(1.0, _LONGEST / float(np.abs(change / units).max(initial=1e-12)))
        if not np.isfinite(rise):
            break
        further_fields = slope, curvature, [(away, w) for away, w, _ in moved], inner, steps
        if rise < enough and share == 1.0:
            x, z = x + along, z + step
            return Optimum(x, z, parts.values(x, z), *further_fields)
        while share > _LEAST_SHARE:
            trial = look_at(x + share * along, z + share * step)
            if trial[0] > value:
                break
            share /= 2.0
        else:
            return Optimum(x, z, v, *further_fields)
        x, z = x + share * along, z + share * step
        value, v, slope, first, second = trial
    name = posterior.declared.spec.name
    raise InferenceError(f"normal approximation: found no mode of {name}. Use method nuts.")


def _thetas_at(
    posterior: PosteriorDensity,
    curvature: Any,
    point: tuple[Floats, Floats, Floats],
    of_rows: tuple[Floats, Floats, Floats],
    climbed_thetas: Sequence[int],
) -> tuple[list[tuple[Floats, Floats, Floats]], Floats, Floats]:
    """Derivatives by theta: of rows, of z and of its gradient; slopes of F; its curvature with z at the maximum."""
    (x, z, v), (first, second, slope) = point, of_rows
    parts, rows = posterior.parts, posterior.rows
    by_x, inner = np.zeros(len(climbed_thetas)), np.zeros((len(climbed_thetas), len(climbed_thetas)))
    moved = []
    middle = float(parts.log_prior(x, z, v)) if len(climbed_thetas) else 0.0
    for k, theta in enumerate(climbed_thetas):
        step = _SMALL * np.eye(x.size)[theta]
        low, high = (parts.values(at, z) for at in (x - step, x + step))
        logs = [float(parts.log_prior(at, z, side)) for at, side in ((x - step, low), (x + step, high))]
        by_x[k] = (logs[1] - logs[0]) / (2 * _SMALL)
        inner[k, k] = max((2 * middle - logs[0] - logs[1]) / _SMALL**2, _FLAT)
        border = (posterior.gradient(z, low) - posterior.gradient(z, high)) / (2 * _SMALL)
        away: Floats = np.broadcast_to(rows.kind(0.0), (2, rows.count))
        if not rows.still:
            away = (posterior.placed(x + step, z)[1] - posterior.placed(x - step, z)[1]) / (2 * _SMALL)
            by_x[k] += float(np.einsum("ir,ir->", first, away, dtype=np.float64))
            rows.gather(slope, -_curved(second, away), border)
        moved.append((away, curvature.solve(border), border))
    for i, (a, _, border) in enumerate(moved):
        for j, (b, w, _) in enumerate(moved):
            inner[i, j] -= float(border @ w) + (0.0 if rows.still else float((a * _curved(second, b)).sum()))
    return moved, by_x, inner


def _curved(second: Floats, away: Floats) -> Floats:
    """Change of the slopes of rows, (2, row), for a change of eta and lam, (2, row)."""
    return np.array([second[0] * away[0] + second[1] * away[1], second[1] * away[0] + second[2] * away[1]])
