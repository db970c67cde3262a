r"""Draws from nested Gaussian approximations with importance weights, and their reliability.

    z = centre(theta) + L(theta)^-T e,    e ~ N(0, 1);    log weight = log p(theta, z, games) - log q(theta) - log q(e)

Weights are reliable if Pareto k is small (`halfpoint.inference.diagnostics.importance_ratios`), if half of the draws,
and 400, are effective, and if the nodes reach the tails of theta: k does not depend on regions that are never drawn.
"""

from dataclasses import dataclass, field

import numpy as np

from halfpoint.inference.diagnostics.convergence import format_figure
from halfpoint.inference.diagnostics.importance_ratios import ENOUGH, ROUNDING, Importance, importance
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.models.games.table import Codes, Floats

_SHARE = 0.5  # of draws that are effective, at least: else some count for dozens
_FAR_MORE = 50  # times as many draws as z
_CHUNK, _FEWEST = 1_000_000, 16  # values laid out at a time, and draws at least


@dataclass(frozen=True, eq=False)
class WeightedDraws:
    """Draws of all values and their weights."""

    v: Floats  # (draw, value): all values of the model
    weights: Importance
    unreached: tuple[str, ...] = ()  # thetas whose tails no node reaches
    places: Floats = field(default_factory=lambda: np.empty((0, 0)))  # (draw, theta): in units of the grid's axes

    def resampled(self, seed: int) -> tuple[Floats, Codes]:
        """Values (draw, value) of the same number of equally weighted draws, and the draws' indices, (draw,)."""
        indices = self.weights.resampled(len(self.v), seed)
        return self.v[indices], indices

    @property
    def faults(self) -> tuple[str, ...]:
        """Reasons why the draws are not reliable, in words; empty if they are."""
        if self.weights.absence:
            return (self.weights.absence,)
        faults = []
        if not self.weights.replaces_sampling:
            limit = self.weights.limit
            faults.append(f"Pareto k {format_figure(self.weights.pareto_k, limit, 2)}, should be below {limit}")
        needed = max(ENOUGH, _SHARE * len(self.v))
        if not self.weights.effective >= (1.0 - ROUNDING) * needed:
            effective = format_figure(self.weights.effective, needed)
            faults.append(f"{effective} effective draws, should be at least {needed:.0f}")
        if self.unreached:
            faults.append(f"the draws do not cover the tail of {self.unreached[0]}")
        return tuple(faults)

    @property
    def even(self) -> bool:
        """True if weights are reliable and nearly even, so that nothing is gained by further nodes."""
        return self.weights.even and not self.faults

    @property
    def account(self) -> str:
        """Describe the draws and their quality in words."""
        if self.weights.absence:
            return f"{len(self.v):,} independent draws, not weighted"
        k = f"k {self.weights.pareto_k:.2f}"
        if self.weights.pareto_k >= self.weights.limit:
            k += f" of weights up to {self.weights.largest:.1f} times their mean"
        return f"{len(self.v):,} independent draws, weighted, {k}, {self.weights.effective:,.0f} effective"


def matched_noise(rng: np.random.Generator, count: int, size: int) -> Floats:
    """Standard normal noise (draw, z) with sample mean 0, and unit covariance if draws far outnumber z.

    Means and standard deviations of draws then have almost no random error (moment matching, Barraquand 1995).
    """
    noise = rng.standard_normal((count, size))
    noise -= noise.mean(axis=0)
    if count > _FAR_MORE * size:
        noise = noise @ np.linalg.inv(np.linalg.cholesky(noise.T @ noise / count)).T
    return noise


def draw_weighted(nested: HyperparameterGrid, count: int, seed: int) -> WeightedDraws:
    """Draws with their exact weights."""
    rng = np.random.default_rng([seed, 1])
    u, log_q = nested.places(count, rng)
    noise, problem, share, x = (
        matched_noise(rng, count, nested.problem.size),
        nested.problem,
        nested.shares(u),
        nested.thetas(u),
    )
    log_q -= 0.5 * np.square(noise).sum(axis=1)
    step = max(_FEWEST, _CHUNK // problem.parts.count)
    log_p, v = np.empty(count), np.empty((count, problem.parts.count))
    for first in range(0, count, step):
        chunk = slice(first, first + step)
        z, log_root = standardise_draws(nested, x[chunk], noise[chunk], share[chunk])
        log_q[chunk] += log_root
        log_p[chunk], v[chunk] = problem.log_joint(x[chunk], z)
    return WeightedDraws(v, smooth_weights(log_p - log_q), tuple(nested.unreached), u)


def standardise_draws(nested: HyperparameterGrid, x: Floats, noise: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Draws of z, shape (draw, z), and the log determinants of L, from thetas (draw, theta) and noise.

    L^-T = C^-1 S (sum of share_k S_k^-1 C L_k^-T diag L_k S_k) S^-1, triangles of ones along their diagonals, times
    1 / diag L by its logarithm; C takes differences that a spread ties and S has the spreads (`tied_differences`).
    """
    store, diagonal, tied, parts = nested.problem.store, share @ nested.diagonals, nested.tied, nested.problem.parts
    z = parts.natural(x, share, nested.centres)
    noise = np.ascontiguousarray((noise * np.exp(-diagonal)).T)
    by_place = {theta.places[0]: theta.law.value(x[:, k]) for k, theta in enumerate(parts.thetas)}
    spreads = [by_place[k] if k in by_place else parts.values(x)[:, k] for k, _ in tied.groups]
    for (_, places), spread in zip(tied.groups, spreads, strict=True):
        noise[store.rank[places]] /= spread
    moved = store.spread(nested.principal, share @ nested.mixing, noise, tied.differences)
    for (_, places), spread in zip(tied.groups, spreads, strict=True):
        moved[places] *= spread
    z += tied.sums(moved).T
    return z, diagonal.sum(axis=1)


def smooth_weights(ratio: Floats) -> Importance:
    """Smoothed weights of log ratios; a ratio that is not finite gives weight 0."""
    is_finite = np.isfinite(ratio)
    if is_finite.all():
        return importance(ratio)
    some = importance(ratio[is_finite])
    log_weight = np.full(ratio.size, -np.inf)
    log_weight[is_finite] = some.log_weight
    return Importance(some.pareto_k, log_weight, some.absence)
