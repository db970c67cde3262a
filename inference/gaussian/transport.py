r"""Draws from nested Gaussian approximations with importance weights, and their reliability.

    z = centre(theta) + L(theta)^-T e,                                      e ~ N(0, 1)
    z = centre + L^-T (e + (T(e, e) - t) / 6),  T = E d3 log p, whitened    bent: right to third order, t its mean
    log weight = log p(theta, z, games) - log q(theta) - log q(z | theta)

The bend's Jacobian I + T(e) / 3 has an exact determinant; if it is not positive definite the map folds, and the draw
has no weight. Weights are reliable if Pareto k is below 0.5 or the largest weight is below S^0.25 times their mean
(`halfpoint.inference.diagnostics.importance_ratios`), if there are 100 effective draws per chain, and if the nodes
reach the tails of theta: k does not depend on regions that are never drawn. A k near the limit is averaged over further
draws, since its error exceeds its distance from the limit.

Vehtari, Simpson, Gelman, Yao & Gabry (2024) JMLR 25:72 for k.
"""

from dataclasses import dataclass, replace

import numpy as np

from halfpoint.inference.diagnostics.convergence import format_figure
from halfpoint.inference.diagnostics.importance_ratios import BELIEVED_K, ENOUGH, Importance, importance
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid, distances
from halfpoint.inference.gaussian.marginal_quantiles import has_marginals, resample_marginals
from halfpoint.inference.gaussian.variational import VariationalGaussian, VariationalProblem
from halfpoint.models.games.table import Codes, Floats, Integers

_CLOSE, FURTHER, _MANY = 0.08, 3, 4000  # of the limit, less than the error of k; sets of N draws, over which
# k is a mean there, too
_TURNS, _TRIED = 8, 500  # rounds of trial draws, and thetas of each, with two z
_EVEN, _LOUD = 0.12, 0.7  # how far the thetas' own log weights vary, and lie above their median, that counts as evenly
_FAR = 3.0  # log weights are cut beyond these standard deviations of the part of z that theta does not explain
_HEAVY, _LIGHT, _LONELY, _CLOSEST, _DEEP = 8, 2, 2, 0.35, 6.0  # nodes a round; how far apart; lonely ones not below
_HALF = 0.5  # share of trial draws that have weights, at least
_BENDABLE = 3e11  # draws times rows times z squared up to which a bend is worth its cost, some 30 CPU seconds
_FAR_MORE = 50  # times as many draws as z
_TRIED_VALUES, _FEWEST_TRIED = 400_000, 100  # numbers z of all trial thetas, where they are many; thetas at least
_PROPOSED, _PROPOSED_VALUES = 4, 4_000_000  # proposals for each draw that is kept, and numbers z of all, at most
_CHUNK, _FEWEST = 4_000_000, 16  # values laid out at a time, and draws at least


@dataclass(frozen=True, eq=False)
class _Proposals:
    """Proposals from which draws are resampled."""

    nested: HyperparameterGrid
    x: Floats  # (proposal, theta): thetas
    v: Floats  # (proposal, value): all values of the model
    weights: Importance
    straight: Floats | None  # (proposal, z): z before it was bent; None where it was not


@dataclass(frozen=True, eq=False)
class WeightedDraws:
    """Draws of all values and their weights."""

    v: Floats  # (draw, value): all values of the model
    weights: Importance
    bent: bool  # whether they were bent
    unreached: tuple[str, ...]  # thetas whose tails no node reaches
    proposals: _Proposals | None = None  # these draws and further ones, where their distribution is known

    def resampled(self, seed: int) -> tuple[Floats, Codes]:
        """Values (draw, value) of as many draws that count equally, and the draws' indices, (draw,).

        If marginals are known, the draws come from all proposals, and `marginal_quantiles` gives the quantiles of
        single numbers.
        """
        made, count = self.proposals, len(self.v)
        if made is None or not has_marginals(made.nested):
            kept = self.weights.resampled(count, seed)
            return self.v[kept], kept
        kept = made.weights.resampled(count, seed)
        return resample_marginals(made.nested, (made.x, made.v, made.straight), made.weights, kept), kept

    @property
    def faults(self) -> tuple[str, ...]:
        """Reasons why the draws are not reliable, in words; empty if they are."""
        if self.weights.absence:
            return (self.weights.absence,)
        found = []
        if not self.weights.pareto_k < BELIEVED_K and not self.weights.harmless:
            found.append(
                f"Pareto k {format_figure(self.weights.pareto_k, BELIEVED_K, 2)}, should be below {BELIEVED_K}"
            )
        if not self.weights.effective >= ENOUGH:
            found.append(
                f"{format_figure(self.weights.effective, ENOUGH)} effective draws, should be at least {ENOUGH}"
            )
        if self.unreached:
            found.append(f"the tail of {self.unreached[0]} is not reached")
        return tuple(found)

    @property
    def account(self) -> str:
        """Describe the draws and their quality in words."""
        if self.weights.absence:
            return f"{len(self.v):,} independent draws, not weighted"
        how = "independent draws" + (", bent" if self.bent else "")
        k = f"k {self.weights.pareto_k:.2f}"
        if self.weights.pareto_k >= BELIEVED_K:
            k += f" of weights up to {self.weights.largest:.1f} times their mean"
        return f"{len(self.v):,} {how}, weighted, {k}, {self.weights.effective:,.0f} effective"


class _CubicTransport:
    """Cubic transport of one Gaussian approximation: whitened rows, and expected third derivatives."""

    def __init__(self, problem: VariationalProblem, node: VariationalGaussian) -> None:
        rows, store = problem.rows, problem.store
        _, place, slope = problem.placed(node.x, node.centre)
        *_, third = rows.expect(place, node.variance, third=True)
        whole = np.zeros((2, rows.count, problem.size))
        row = np.repeat(np.arange(rows.count), np.diff(rows.first))
        whole[:, row, rows.column] = slope
        inverse = np.column_stack([store.half(node.root, e) for e in np.eye(problem.size)])  # L^-T
        self.a, self.b = (np.asarray(one @ inverse) for one in whole)
        self.third, self.both = third, rows.both
        p2 = (self.a**2).sum(axis=1), (self.a * self.b).sum(axis=1), (self.b**2).sum(axis=1)
        self.mean = self.squared(p2)

    def squared(self, p2: tuple[Floats, Floats, Floats]) -> Floats:
        """T contracted with second moments of rows."""
        (eee, eel, ell, lll), (pp, pq, qq) = self.third, p2
        found: Floats = (eee * pp + 2 * eel * pq + ell * qq) @ self.a
        if self.both:
            found = found + (eel * pp + 2 * ell * pq + lll * qq) @ self.b
        return found

    def __call__(self, e: Floats) -> tuple[Floats, float]:
        """Transported noise and the log determinant, infinite if the map folds."""
        p, q = self.a @ e, self.b @ e
        eee, eel, ell, lll = self.third
        curved = self.a.T @ (self.a * (eee * p + eel * q)[:, None])
        if self.both:
            mixed = self.a.T @ (self.b * (eel * p + ell * q)[:, None])
            curved += mixed + mixed.T + self.b.T @ (self.b * (ell * p + lll * q)[:, None])
        curved /= 3.0
        curved[np.diag_indices(e.size)] += 1.0
        moved = e + (self.squared((p * p, p * q, q * q)) - self.mean) / 6.0
        try:
            return moved, 2.0 * float(np.log(np.diag(np.linalg.cholesky(curved))).sum())
        except np.linalg.LinAlgError:
            return moved, np.inf


def _ratios(
    nested: HyperparameterGrid, u: Floats, noise: Floats, log_q: Floats, bend: bool = False
) -> tuple[Floats, Floats]:
    """Log weights of draws and all values, (draw,) and (draw, value), from places of theta and noise of z.

    `log_q` is the log density of the places, (draw,); noise is bent in place.
    """
    problem, count, share = nested.problem, len(u), nested.shares(u)
    log_q = log_q - 0.5 * np.square(noise).sum(axis=1)
    if bend:
        log_q -= _transport_noise(nested, noise, share.argmax(axis=1))
    x = nested.thetas(u)
    step = max(_FEWEST, _CHUNK // problem.parts.count)
    log_p, v = np.empty(count), np.empty((count, problem.parts.count))
    for first in range(0, count, step):
        here = slice(first, first + step)
        z, log_root = standardise_draws(nested, x[here], noise[here], share[here])
        log_q[here] += log_root
        log_p[here], v[here] = problem.log_joint(x[here], z)
    ratio = log_p - log_q
    ratio[~np.isfinite(ratio)] = -np.inf
    return ratio, v


def matched_noise(rng: np.random.Generator, count: int, size: int) -> Floats:
    """Standard normal noise (draw, z) with sample mean 0, and unit covariance if draws far outnumber z.

    So means and standard deviations of draws hardly err by chance (moment matching, Barraquand 1995).
    """
    noise = rng.standard_normal((count, size))
    noise -= noise.mean(axis=0)
    if count > _FAR_MORE * size:
        noise = noise @ np.linalg.inv(np.linalg.cholesky(noise.T @ noise / count)).T
    return noise


def draw_weighted(
    nested: HyperparameterGrid, count: int, seed: int, bend: bool = False, times: int = 1
) -> WeightedDraws:
    """Draws with their exact weights, transported or not; `times` as many proposals to resample from."""
    rng = np.random.default_rng([seed, 1])
    u, log_q = nested.places(times * count, rng)
    noise, x, straight = matched_noise(rng, times * count, nested.problem.size), nested.thetas(u), None
    if bend:
        straight = standardise_draws(nested, x, noise, nested.shares(u))[0]
    ratio, v = _ratios(nested, u, noise, log_q, bend)
    judged = _smooth_weights(ratio[:count])
    proposals = _Proposals(nested, x, v, judged if times == 1 else _smooth_weights(ratio), straight)
    return WeightedDraws(v[:count], judged, bend, tuple(nested.unreached), proposals=proposals)


def even(nested: HyperparameterGrid, seed: int) -> None:
    """Add nodes at extreme weights of trial draws, far from other nodes, until the weights of theta are even.

    The covariance of the weights of two z for each theta estimates the variance of the thetas' own weights.
    """
    rng = np.random.default_rng([seed, 2])
    tried = int(np.clip(_TRIED_VALUES // nested.problem.size, _FEWEST_TRIED, _TRIED))
    for _ in range(_TURNS if nested.count else 0):
        u, log_q = nested.places(tried, rng)
        noise = rng.standard_normal((2 * tried, nested.problem.size))
        ratio = _ratios(nested, np.tile(u, (2, 1)), noise, np.tile(log_q, 2))[0].reshape(2, -1)
        whole = np.isfinite(ratio)
        if whole.mean() < _HALF:
            return
        ratio -= np.median(ratio[whole])
        apart, weight = np.clip(ratio, -_FAR, _FAR), np.logaddexp(*ratio) - np.log(2.0)
        apart -= apart.mean(axis=1, keepdims=True)
        between = (apart[0] * apart[1]).mean()
        alone = np.sqrt(max(float(np.square(apart).mean() - between), 0.0) / 2.0)
        if between < _EVEN**2 and weight.max() < _LOUD + _FAR * alone:
            return
        nested.add(u[_apart_from(nested, u, weight)])


def _apart_from(nested: HyperparameterGrid, u: Floats, weight: Floats) -> list[int]:
    """Choose places (place, theta) as nodes: those of the largest and least weights, and the most isolated."""
    order, near, chosen = np.argsort(-weight), distances(u, nested.grid).min(axis=1), list[int]()

    def choose(k: int) -> None:
        chosen.append(k)
        np.minimum(near, np.linalg.norm(u - u[k], axis=1), out=near)

    for ranked, most in ((order, _HEAVY), (order[::-1], _LIGHT)):
        before = len(chosen)
        for k in ranked[: 4 * most]:
            if near[k] > _CLOSEST and len(chosen) < before + most:
                choose(int(k))
    near[nested.marginal(u) < -_DEEP] = 0.0
    for _ in range(_LONELY):
        choose(int(near.argmax()))
    return chosen


def _transport_noise(nested: HyperparameterGrid, noise: Floats, near: Integers) -> Floats:
    """Transport noise in place, each draw at its nearest node; return log determinants, infinite at folds."""
    bends = {k: _CubicTransport(nested.problem, nested.nodes[k]) for k in np.unique(near)}
    found = np.empty(len(noise))
    for k, node in enumerate(near):
        noise[k], found[k] = bends[node](noise[k])
    return found


def standardise_draws(nested: HyperparameterGrid, x: Floats, noise: Floats, share: Floats) -> tuple[Floats, Floats]:
    """Draws of z, shape (draw, z), and the log determinants of L, from thetas (draw, theta) and noise.

    L^-T = sum of share_k L_k^-T diag L_k, a triangle of ones along its diagonal, times 1 / diag L by its logarithm.
    """
    store, diagonal = nested.problem.store, share @ nested.diagonals
    z = nested.problem.parts.natural(x, share, nested.centres)
    noise = np.ascontiguousarray((noise * np.exp(-diagonal)).T)
    z += store.spread(nested.principal, share @ nested.mixing, noise).T
    return z, diagonal.sum(axis=1)


def _smooth_weights(ratio: Floats) -> Importance:
    """Smoothed weights of log ratios, of which some may be minus infinity: no weight."""
    whole = np.isfinite(ratio)
    if whole.all():
        return importance(ratio)
    some = importance(ratio[whole])
    log_weight = np.full(ratio.size, -np.inf)
    log_weight[whole] = some.log_weight
    return Importance(some.pareto_k, log_weight, some.absence)


def best_draws(nested: HyperparameterGrid, count: int, seed: int) -> WeightedDraws:
    """Draws with even weights of theta; if they are unreliable, bent.

    With few numbers, more straight draws are proposed than kept, since random weights add error to quantiles.
    """
    even(nested, seed)
    times = int(np.clip(_PROPOSED_VALUES // (count * nested.problem.size), 1, _PROPOSED))
    found = check_pareto_k(nested, draw_weighted(nested, count, seed, times=times), seed)
    if not found.faults or float(count) * nested.problem.rows.count * nested.problem.size**2 > _BENDABLE:
        return found
    bent = check_pareto_k(nested, draw_weighted(nested, count, seed, bend=True), seed)
    return max(found, bent, key=lambda one: (not one.faults, one.weights.effective))


def check_pareto_k(nested: HyperparameterGrid, found: WeightedDraws, seed: int) -> WeightedDraws:
    """Draws whose k, if close to the limit, is averaged over further sets."""
    weights = found.weights
    others = bool(found.unreached or weights.absence or not weights.effective >= ENOUGH)
    if others or weights.harmless or not abs(weights.pareto_k - BELIEVED_K) < _CLOSE:
        return found
    count = min(len(found.v), _MANY)
    further = (draw_weighted(nested, count, seed + turn, found.bent) for turn in range(1, FURTHER + 1))
    k = float(np.mean([weights.pareto_k, *(one.weights.pareto_k for one in further)]))
    return replace(found, weights=replace(weights, pareto_k=k))
