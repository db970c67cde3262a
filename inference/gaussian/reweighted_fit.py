r"""Gaussian variational approximation at an estimate of theta, for thousands of players and changing weights of games.

    z      the centre given theta: the maximum of F with its own widths, see `posterior_density`
    x      scales and numbers among theta: optimised together with z
    s^2    spreads: (expected squares of a population's members) / (members + (s / S)^2), S the scale of their prior
    l      lengths of processes by days, with spreads: Newton's steps on the slope of F, since games hardly inform about
           single states, so that fixed points of both would be reached too slowly
    P      probabilities of a game: E P(outcome | eta, lam) under q, the uncertainty of scales and numbers included

A game of weight 0 does not inform the fit, but has probabilities: they are its forecast.

MacKay (1992) Neural Comput. 4:415, eq. 4.13 for the fixed point.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.affine_rows import AffineRows
from halfpoint.inference.gaussian.latent_split import LatentSplit
from halfpoint.inference.gaussian.matrix_free_precision import MatrixFreePrecision, Members, PairPattern
from halfpoint.inference.gaussian.posterior_density import AveragingSpread, Optimum, PosteriorDensity, maximise
from halfpoint.inference.gaussian.quadrature import nodes_of
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats
from halfpoint.models.language.laws import Hyperparameter

_ROUNDS = 60
_PATIENT, _FARTHEST = 8, 20.0  # rounds from which on spreads take longer steps, and most steps at once
_STILL = 0.01  # change of a spread, on the log scale, that counts as none
FLOOR = -5.0  # log of a spread, in units of its prior's scale, below which it counts as none
_SMALL = 1e-3  # step of a logarithm for the slope of its prior
_LONGEST, _PLACES, _FINER = 1.0, 9, 4  # of the logarithm of a length: step at most; places tried, and how often finer
_WIDTH = 0.05  # change of the widths of rows, relative, that does
NEAR, _MANY = 1e-3, 10_000.0  # expected rise of F at which a fit has converged, for N numbers; for more in proportion
_NODES = 7
_APART = 0.1  # step of a spread, on the log scale, of differences
_NEWTON, _FLAT = 30, 0.3  # steps at most where there are lengths, and the least curvature by the logarithm of a theta
PART, SHORT = 100, 50_000_000  # draws at a time; numbers from which on single precision is used


@dataclass(frozen=True, eq=False)
class ReweightedFit:
    """End of a fit."""

    x: Floats  # (theta,): thetas, see `parts.Theta`
    z: Floats  # (z,): mean of z
    # (3, row): variances and covariance of eta and lam of all rows; None before the first fit
    variance: Floats | None = None
    top: Optimum | None = None  # what else is known there; None of a fit that was kept in a file


class ReweightedFits:
    """Fits of a declared model, of any row of the catalogue, with changing weights of its games.

    H is factorised, or used through its products only (`matrix_free_precision`). Errors are as in `gaussian_draws`.
    """

    def __init__(self, declared: Declared, factored: bool = True, problem: VariationalProblem | None = None) -> None:
        self.declared = declared
        self.posterior: PosteriorDensity
        self.curve: Callable[[Floats, Floats, Floats], object]
        if factored:
            problem = VariationalProblem(declared) if problem is None else problem
            self.posterior, self.curve = problem, problem.curvature
        else:
            self.posterior = PosteriorDensity(declared)
            members = Members(self.parts)
            pairs = PairPattern(self.posterior.rows, members.of)
            self.curve = partial(MatrixFreePrecision, self.posterior, members, pairs)
        if not factored and self.parts.by_length:
            raise InferenceError(
                "normal approximation: too many days for a process whose length is learned. Use method nuts."
            )
        self.follows = factored and self.posterior.rows.products[0].size > 0
        updated = set(spreads_of(self.parts)) | set(self.parts.by_length)
        self.beside = [k for k in range(len(self.parts.thetas)) if k not in updated]  # parameters optimised with z

    @property
    def parts(self) -> LatentSplit:
        """The model's parameters."""
        return self.posterior.parts

    def fit(self, start: ReweightedFit | None = None, learned: bool = True, patient: int = _PATIENT) -> ReweightedFit:
        """Fit the games with their current weights; spreads are learned, or stay at the start.

        After `patient` rounds spreads take longer steps.
        """
        parts = self.parts
        near = NEAR * max(1.0, self.posterior.size / _MANY)
        begin = ReweightedFit(self.posterior.start, self._begin()) if start is None else start
        x, z, variance = begin.x, begin.z, begin.variance
        averaged = None if variance is None else AveragingSpread(variance)
        if self.follows and variance is not None and begin.top is not None:  # widths that stay may have no top
            averaged = AveragingSpread(variance, self.of_thetas(begin.top), begin.top.curvature)
        past, most = np.zeros_like(x), np.full_like(x, _FARTHEST)
        with threadpool_limits(1, user_api="blas"):
            for done in range(_ROUNDS):
                top = maximise(self.posterior, self.curve, (x, z), averaged, near, self.beside)
                further, curvature = self.of_thetas(top), top.curvature if self.follows else None
                last, variance = variance, top.curvature.widths()
                variance += further
                averaged = AveragingSpread(variance, further if self.follows else 0.0, curvature)
                x, z = top.x, top.z
                move = np.zeros_like(x)
                if learned:
                    move = _updated_spreads(parts, x, z, top.v, top.curvature.unknown()) - x
                    move += _updated_lengths(parts, x, z, top) - x
                if np.abs(move).max(initial=0.0) < _STILL and self.has_settled(last, variance):
                    fitted = ReweightedFit(x, z, variance, top)
                    return self.climb(fitted) if learned and parts.by_length else fitted
                reach, most = _aitken_step(move, past, most) if done > patient else (move, most)
                x, past = x + reach, move
                del top, further  # of millions of rows, gigabytes
        name = self.declared.spec.name
        raise InferenceError(f"normal approximation: the spreads of {name} did not converge. Use method nuts.")

    def _begin(self) -> Floats:
        """Start of z: its prior means where games multiply two z, since far from them the mirrored mode is reached."""
        parts = self.parts
        if not self.posterior.rows.products[0].size:
            return parts.begin()
        first = np.zeros((1, parts.z.size))
        return np.asarray(parts.natural(self.posterior.start[None], np.ones((1, 1)), first)[0])

    def climb(self, still: ReweightedFit) -> ReweightedFit:
        """Maximum of F over spreads and lengths, near a fit: Newton's steps, the curvature corrected by each step."""
        free = self.free_thetas(still)
        low = np.array([FLOOR if self._may_vanish(k) else -np.inf for k in free])
        slope, (_, bent) = _rises(self.parts, still)[free], self.curvature(still, free)
        for _ in range(_NEWTON):
            size, turn = np.linalg.eigh(bent)
            step = np.clip(turn @ ((turn.T @ slope) / np.maximum(np.abs(size), _FLAT)), -1.0, 1.0)
            step = np.maximum(step, low - still.x[free])
            if 0.5 * float(slope @ step) < NEAR:
                return still
            x = still.x.copy()
            x[free] += step
            still = self.fit(replace(still, x=x), learned=False)
            before, slope = slope, _rises(self.parts, still)[free]
            residual = before - slope - bent @ step
            if abs(residual @ step) > 1e-6 * np.linalg.norm(residual) * np.linalg.norm(step):  # symmetric rank one
                bent = bent + np.outer(residual, residual) / (residual @ step)
        name = self.declared.spec.name
        raise InferenceError(f"normal approximation: spreads and lengths of {name} did not converge. Use method nuts.")

    def free_thetas(self, fitted: ReweightedFit) -> list[int]:
        """Places of spreads above the floor, and of lengths."""
        spreads = [k for k in spreads_of(self.parts) if fitted.x[k] > FLOOR + _APART or not self._may_vanish(k)]
        return [*spreads, *self.parts.by_length]

    def curvature(self, still: ReweightedFit, free: list[int]) -> tuple[list[ReweightedFit], Floats]:
        """Fits a step away in each of some thetas, and the negative curvature of F by differences of its slope."""
        steps = _APART * np.eye(still.x.size)
        neighbours = [self.fit(replace(still, x=still.x + steps[k]), learned=False) for k in free]
        falls = [(_rises(self.parts, still) - _rises(self.parts, neighbour))[free] / _APART for neighbour in neighbours]
        bent = np.reshape(falls, (len(free), len(free)))
        return neighbours, (bent + bent.T) / 2.0

    def has_settled(self, last: Floats | None, widths: Floats) -> bool:
        """True if widths of the rows with weight, (3, row), are nearly unchanged."""
        if last is None:
            return False
        counted = self.posterior.rows.counted
        return are_settled(np.abs(widths[0] - last[0])[counted].max(initial=0.0), widths[0][counted].max(initial=0.0))

    def of_thetas(self, top: Optimum) -> Floats:
        """Contribution of scales and numbers to the variances of eta and lam, shape (3, row)."""
        rows = self.posterior.rows
        part = np.zeros((len(top.moved), 2, rows.count), rows.kind)
        for along, (move, _) in zip(part, top.moved, strict=True):
            along += move
        return variances_along(rows, top.slope, [w for _, w in top.moved], np.linalg.inv(top.inner), part)

    def values(self, fitted: ReweightedFit) -> dict[str, Floats]:
        """The parameters by name, natural units."""
        return self.declared.layout.named(self.parts.values(fitted.x, fitted.z))

    def errors(self, fitted: ReweightedFit) -> dict[str, Floats]:
        """Standard deviations of the parameters by name; of the logarithm for positive scales, 0 for spreads."""
        assert fitted.top is not None
        top, parts, v = fitted.top, self.parts, np.zeros(self.parts.count)
        variance = top.curvature.deviations() ** 2
        if top.moved:
            covariance, moved = np.linalg.inv(top.inner), np.array([w for _, w in top.moved])
            variance = variance + np.einsum("iz,ij,jz->z", moved, covariance, moved)
            for k, theta in enumerate(self.beside):
                v[list(parts.thetas[theta].places)] = covariance[k, k]
        v[parts.z] = variance
        return self.declared.layout.named(np.sqrt(v[parts.source]))

    def of_spreads(self, fitted: ReweightedFit) -> tuple[list[int], Floats, Floats]:
        """Positive spreads, lengths, root of the covariance of their logarithms, and moves of z with each, (theta, z).

        The covariance uses finite differences of the slope of F, with z optimised; the slope is 0 at convergence of EM
        (Meng & Rubin 1991).
        """
        free, still = self.free_thetas(fitted), self.fit(fitted, learned=False)
        neighbours, bent = self.curvature(still, free)
        size, turn = np.linalg.eigh(bent)
        moved = np.reshape([(neighbour.z - still.z) / _APART for neighbour in neighbours], (len(free), still.z.size))
        return free, turn / np.sqrt(np.maximum(size, 1.0)), moved

    def _may_vanish(self, k: int) -> bool:
        """True if a spread's prior has mass at 0."""
        return self.parts.thetas[k].law.kind == "spread"

    def draws(self, fitted: ReweightedFit, count: int, seed: int, spreads: bool = False) -> Floats:
        """Draws of all values, (count, value), single precision if many; spreads drawn, or at their estimates."""
        assert fitted.top is not None
        top, rng = fitted.top, np.random.default_rng([seed, 1])
        with threadpool_limits(1, user_api="blas"):
            z = top.curvature.draws(count, rng).T
            z += fitted.z
        x = np.repeat(fitted.x[None], count, axis=0)
        if top.moved:
            away = rng.standard_normal((count, len(top.moved))) @ np.linalg.cholesky(np.linalg.inv(top.inner)).T
            x[:, self.beside] += away
            z -= away @ np.array([w for _, w in top.moved])
        if spreads:
            free, root, moved = self.of_spreads(fitted)
            away = rng.standard_normal((count, len(free))) @ root.T
            x[:, free] += away
            z += away @ moved
        values = np.empty((count, self.parts.source.size), dtype=np.float32 if z.size > SHORT else np.float64)
        for first in range(0, count, PART):
            values[first : first + PART] = self.parts.values(x[first : first + PART], z[first : first + PART])
        return values

    def probabilities(self, fitted: ReweightedFit, cells: npt.NDArray[np.integer]) -> Floats:
        """Chances of cells, (cell, 3), integrated over the posterior; half points have (1 - p, 0, p)."""
        outcome = self.declared.outcome
        assert fitted.variance is not None
        _, place, _ = self.posterior.placed(fitted.x, fitted.z)
        (eta, lam), (a, b, c) = place[:, cells], fitted.variance[:, cells]
        node, weight = nodes_of(_NODES)
        sd_eta = np.sqrt(np.maximum(a, 0.0))
        joint = np.divide(b, sd_eta, out=np.zeros_like(b), where=sd_eta > 0.0)
        sd_lam = np.sqrt(np.maximum(c - joint**2, 0.0))
        total = np.zeros((eta.size, 3))
        for x, x_weight in zip(node, weight, strict=True):
            for y, y_weight in zip(node, weight, strict=True):
                at = eta + sd_eta * x, np.zeros_like(eta), lam + joint * x + sd_lam * y
                total += x_weight * y_weight * np.exp(outcome.log_probability(*at))
        if not outcome.draws:  # half points: the term of a draw is not a probability
            total[:, 1] = 0.0
        return total


def variances_along(
    rows: AffineRows, slope: Floats, ways: Sequence[Floats], covariance: Floats, part: Floats
) -> Floats:
    """Variances and covariance of eta and lam of rows, (3, row), along directions (z,) with a covariance.

    `part` (way, 2, row) has the further moves of eta and lam, and is overwritten.
    """
    total = np.zeros((3, rows.count), rows.kind)
    for along, w in zip(part, ways, strict=True):
        rows.place(slope, -w, along)
    eta, lam = part[:, 0], part[:, 1]
    for moments, (a, b) in zip(total, ((eta, eta), (eta, lam), (lam, lam)), strict=True):
        moments += np.einsum("ir,ij,jr->r", a, covariance, b)
    return total


def are_settled(moved: float, widest: float) -> bool:
    """True if variances of eta, whose largest is `widest`, are nearly unchanged."""
    return bool(moved < _WIDTH * max(widest, 1e-12))


def _aitken_step(move: Floats, past: Floats, most: Floats) -> tuple[Floats, Floats]:
    """Limit of steps in one direction (Aitken), and the most steps at once; fewer if the steps turned."""
    share = np.divide(move, past, out=np.zeros_like(move), where=past != 0.0)
    most = np.where(share < 0.0, np.maximum(most / 2.0, 1.0), most)
    times = np.where(share > 0.0, 1.0 / np.maximum(1.0 - share, 1.0 / most), 1.0)
    return np.clip(times * move, -1.0, 1.0), most


def spreads_of(parts: LatentSplit) -> list[int]:
    """Positive thetas that are the spread of normal members: EM updates them, whatever their prior density is."""
    spreads = {term.spread for term in parts.terms}
    positive = [k for k, theta in enumerate(parts.thetas) if theta.law.kind in ("spread", "positive")]
    return [k for k in positive if parts.thetas[k].law.kind == "spread" or parts.thetas[k].places[0] in spreads]


def _squares(
    parts: LatentSplit, x: Floats, z: Floats, v: Floats, unknown: list[float]
) -> Iterator[tuple[int, float, int, float, float]]:
    """Place, s^2, member count, sum of squares, and posterior variance for each spread s."""
    for k in spreads_of(parts):
        theta = parts.thetas[k]
        for term, variance in zip(parts.terms, unknown, strict=True):
            if term.spread == theta.places[0]:
                squares = np.square(term.rest(z, v)).sum() + variance
                yield k, float(theta.law.value(x[k])) ** 2, term.offset.size, squares, variance


def _rises(parts: LatentSplit, fitted: ReweightedFit) -> Floats:
    """The derivatives of F by the logarithms of spreads and lengths, 0 for other thetas, shape (theta,)."""
    assert fitted.top is not None
    top, rises, prior = fitted.top, np.zeros_like(fitted.x), dict[int, float]()
    for k, share, n, squares, _ in _squares(parts, fitted.x, fitted.z, top.v, top.curvature.unknown()):
        rises[k] += squares / share - n
        prior[k] = _slope_of_prior(parts.thetas[k].law, float(fitted.x[k]))
    for k, slope in prior.items():
        rises[k] += slope
    for k in parts.by_length:
        near = fitted.x[k] + np.array([-_SMALL, _SMALL])
        low, high = _of_length(parts, k, near, fitted.z, top)
        rises[k] += (high - low) / (2.0 * _SMALL)
    return rises


def _slope_of_prior(law: Hyperparameter, x: float) -> float:
    """Slope by log s of the log prior density, of s if half-normal, else of log s."""
    if law.kind == "spread":
        return float(-np.exp(2.0 * x))
    low, high = law.log_density(np.array([x - _SMALL, x + _SMALL]))
    return float(high - low) / (2.0 * _SMALL)


def _updated_spreads(parts: LatentSplit, x: Floats, z: Floats, v: Floats, unknown: list[float]) -> Floats:
    """Updated spreads from squares of members; `unknown` has summed variances of B z by term, in its sd."""
    updated = x.copy()
    for k, spread_square, n, squares, variance in _squares(parts, x, z, v, unknown):
        law = parts.thetas[k].law
        if law.kind == "spread":
            # s^2 = squares / (n + (s / S)^2): half-normal of scale S
            share = law.sd**2 * (np.sqrt(n**2 + 4.0 * squares / law.sd**2) - n) / 2.0
            step = 0.5 * np.log(share) - np.log(law.sd) - x[k]
        else:
            step = _best_logarithm(law, float(x[k]), n, squares) - x[k]
        informed_share = 1.0 - variance / (n * spread_square)
        step = np.clip(step / max(informed_share, 0.1), -1.0, 1.0)  # what EM does slowly at one go
        updated[k] = max(x[k] + step, FLOOR) if law.kind == "spread" else x[k] + step
    return updated


def _best_logarithm(law: Hyperparameter, x: float, n: int, squares: float) -> float:
    """Mode of log s near x: -n log s - squares / (2 s^2), with the log prior density of log s."""
    low, high = x - _LONGEST, x + _LONGEST
    for _ in range(_FINER):
        grid = np.linspace(low, high, _PLACES)
        rise = -n * grid - 0.5 * squares * np.exp(-2.0 * grid) + law.log_density(grid)
        best = float(grid[np.argmax(rise)])
        low, high = best - (high - low) / (_PLACES - 1), best + (high - low) / (_PLACES - 1)
    return best


def _updated_lengths(parts: LatentSplit, x: Floats, z: Floats, top: Optimum) -> Floats:
    """Updated lengths of processes by days: modes of their expected log prior, by the logarithm."""
    updated = x.copy()
    for k in parts.by_length:
        low, high = x[k] - _LONGEST, x[k] + _LONGEST
        for _ in range(_FINER):
            grid = np.linspace(low, high, _PLACES)
            rise = _of_length(parts, k, grid, z, top)
            best = float(grid[np.argmax(rise)])
            low, high = best - (high - low) / (_PLACES - 1), best + (high - low) / (_PLACES - 1)
        updated[k] = best
    return updated


def _of_length(parts: LatentSplit, k: int, grid: Floats, z: Floats, top: Optimum) -> Floats:
    """Expected log prior at logarithms of a length, same shape (place,)."""
    term, law = parts.by_length[k], parts.thetas[k].law
    covariance, share = top.curvature.of_term(term), float(np.asarray(term.share(top.v)))
    prior = np.asarray(law.log_density(grid), dtype=np.float64)
    return prior + term.expected(term.law.known_length * law.value(grid), z, covariance, share)
