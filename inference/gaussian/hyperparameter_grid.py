r"""Grid of hyperparameters: variational approximations at nodes of theta, interpolation between them.

    log p(theta | games) ~ log marginal of the approximation, at nodes outwards until it has fallen by DROP

Nodes are in units of the axes of curvature at the mode, one standard deviation each, on both sides of every axis, at
corners, towards no spread along each spread's own axis, and where draws have great weights. Between nodes, marginals,
centres in units of the local prior, L^-T in units of its diagonal (of differences where a spread ties numbers,
`tied_differences`) and the logarithm of the diagonal are interpolated by r^3 and a plane, a natural cubic spline if
theta is one number; its error makes weights less even, not draws less accurate. Theta is drawn from a
mixture of t about the nodes, fitted to the interpolated marginal and thinned to it.

Rue, Martino & Chopin (2009) JRSSB 71:319 for nesting, with Laplace's approximation there; Duchon (1977) for r^3; Cappe,
Douc, Guillin, Marin & Robert (2008) Stat. Comput. 18:447 for the shares of the mixture.
"""

from collections.abc import Callable
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.sparse.cholesky import principal
from halfpoint.inference.gaussian.tied_differences import tied_differences
from halfpoint.inference.gaussian.variational import VariationalGaussian, VariationalProblem
from halfpoint.models.games.table import Floats

_STEPS, _FLAT, _NEAR = 25, 0.25, 0.05  # of the climb; least curvature by units; rise at which it ends
_DROP, _FARTHEST, _TO_NOTHING = 8.0, 12.0, 24.0  # fall of the marginal; steps; those of a spread towards 0, at most
_REACHED = 4.0  # fall of the log marginal at the last node, at least, for a tail to count as reached
_DEEPEST = 14.0  # fall of it below which nodes are not distinguished
_REACH = 2.0  # of a node, in widths of its kernel
_MORE, _APART = 8, 0.75  # nodes where weights are great, and their distance
_RISE = 2.5  # of the marginal above that of the node next to it, at most
_STRETCH = 1.2  # of the distance between nodes, outwards
_WHOLE = 3  # thetas up to which all corners are nodes, else those of each pair
_NU, _SAFE = 6.0, 0.02  # degrees of freedom of kernels; share of proposals that is kept wherever they are
_NARROWEST, _WIDEST = 0.5, 3.0  # kernels: each reaches the nodes next to it
_POOL, _POOLS, _TURNS = 2000, 3, 4  # places that shares of kernels are fitted on, how often drawn, and used
_LEAST = 1e-4  # share of a kernel
_CAPPED, _FEWEST = 1e-3, 0.02  # share of proposals that thinning does not reach; share kept on average at least


def distances(left: Floats, right: Floats) -> Floats:
    """Distances between all places (place, theta) of two sets, shape (place, place), without importing SciPy."""
    squares = np.square(left).sum(axis=1)[:, None] + np.square(right).sum(axis=1) - 2.0 * left @ right.T
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def climb(at: Callable[[Floats, Any], Any], node: Any, units: Floats) -> tuple[Any, Floats]:
    """Node at the mode of theta's log marginal, and axes of one standard deviation each, by rows.

    A node has its theta, `x`, its log `marginal` and the `slope` of that; `at` makes a node from a theta and a node
    near by. Steps are those of Newton with a curvature by secants (SR1, Nocedal & Wright 2006, Numerical Optimization,
    6.24), in `units` (theta,); the axes are those of differences of slopes.
    """
    bent, identity, longest = np.eye(units.size), np.eye(units.size), 1.0
    for _ in range(_STEPS):
        values, turned = np.linalg.eigh(bent)
        slope = units * node.slope
        step = np.clip(turned @ ((turned.T @ slope) / np.maximum(np.abs(values), _FLAT)), -longest, longest)
        if 0.5 * float(slope @ step) < _NEAR:
            break
        trial = at(node.x + units * step, node)
        residual = slope - units * trial.slope - bent @ step
        if abs(residual @ step) > 1e-6 * np.linalg.norm(residual) * np.linalg.norm(step):
            bent += np.outer(residual, residual) / (residual @ step)
        better = trial.marginal > node.marginal
        node, longest = (trial, longest) if better else (node, longest / 3.0)
    sizes = np.clip(0.7 * np.maximum(np.diag(bent), 0.05) ** -0.5, 0.2, 2.0)
    away = [at(node.x + size * units * unit, node) for size, unit in zip(sizes, identity, strict=True)]
    outer = np.array([units * (node.slope - near.slope) / size for near, size in zip(away, sizes, strict=True)])
    values, turned = np.linalg.eigh((outer + outer.T) / 2.0)
    return node, (turned / np.sqrt(np.maximum(values, 0.02))).T * units


class HyperparameterGrid:
    """Nodes of theta, (node, theta) in units of the axes, with their variational approximations."""

    def __init__(self, problem: VariationalProblem) -> None:
        self.problem, self.count = problem, len(problem.parts.thetas)
        self.last = problem.closest(problem.start, sloped=True)
        self.unreached: list[str] = []
        self.points: list[Floats] = []
        self.nodes: list[VariationalGaussian] = []
        if self.count:
            units = np.array([0.5 * theta.unit for theta in problem.parts.thetas])
            self.last, self.axes = climb(partial(problem.closest, sloped=True), self.last, units)
            self.middle = self.last.x
        self.place()
        self.tabulate()

    def thetas(self, u: Floats) -> Floats:
        """Thetas (place, theta) at places in units of the axes."""
        if not self.count:
            return np.repeat(self.problem.start[None], len(u), axis=0)
        return np.asarray(self.middle + u @ self.axes)

    def at(self, x: Floats) -> VariationalGaussian:
        """Variational approximation at a theta, started from the previous approximation."""
        return self.problem.closest(x, self.last)

    def outwards(self, u: Floats, name: str, farthest: float) -> float:
        """Add nodes along a direction until the marginal falls; return an estimate of its width there."""
        first, width, far, drop = self.nodes[0], 0.0, 0.0, 0.0
        self.last = first
        stride = 1.0
        while far < farthest and drop <= _DROP:
            far, stride = far + stride, stride * _STRETCH
            try:
                node = self.at(self.middle + far * u @ self.axes)
            except InferenceError:
                break
            self.last = node
            self.points, self.nodes = [*self.points, far * u], [*self.nodes, node]
            drop = first.marginal - node.marginal
            length = far * float(np.linalg.norm(u))
            if length > 1.5 or drop > _DROP:
                width = max(width, length / np.sqrt(2 * max(drop, 0.3)))
        self.last = first
        if drop < _REACHED:
            self.unreached.append(name)
        return float(np.clip(width, 0.3, 4.0))

    def place(self) -> None:
        """Place nodes: the middle, both sides of each axis, corners, and small spreads along their own axes."""
        d, thetas = self.count, self.problem.parts.thetas
        self.points, self.nodes = [np.zeros(d)], [self.at(self.middle) if d else self.last]
        widths = np.ones((2, d))
        step = 1.0 if d < 2 else 1.25
        for a, side in product(range(d), (0, 1)):
            u = np.zeros(d)
            u[a] = step * (2 * side - 1)
            main = int(np.abs(self.axes[a] / [theta.unit for theta in thetas]).argmax())
            farthest = _TO_NOTHING if thetas[main].law.kind == "spread" else _FARTHEST
            widths[side, a] = self.outwards(u, thetas[main].name, farthest)
        groups = [tuple(range(d))] if 1 < d <= _WHOLE else list(combinations(range(d), 2))
        for group in groups if d > 1 else ():
            for corner in product((0, 1), repeat=len(group)):
                u = np.zeros(d)
                for a, side in zip(group, corner, strict=True):
                    u[a] = 1.1 * (2 * side - 1) * widths[side, a]
                self.points, self.nodes = [*self.points, u], [*self.nodes, self.at(self.middle + u @ self.axes)]
        if d > 1:
            alone, inverse = np.sqrt((self.axes**2).sum(axis=0)), np.linalg.inv(self.axes)
            for k in (k for k, theta in enumerate(thetas) if theta.law.kind == "spread"):
                self.outwards((-1.25 * alone[k] * np.eye(d)[k]) @ inverse, thetas[k].name, _TO_NOTHING)

    def refine(self, places: Floats, weights: Floats) -> None:
        """Add nodes where draws, at places (draw, theta), have the greatest weights (draw,), apart from one another."""
        left, self.last = weights.copy(), self.nodes[0]
        for _ in range(_MORE):
            if np.isneginf(left.max()):
                break
            u = places[left.argmax()]
            try:
                node = self.at(self.thetas(u[None])[0])
            except InferenceError:
                pass
            else:
                self.points, self.nodes = [*self.points, u], [*self.nodes, node]
            left[np.square(places - u).sum(axis=1) < _APART**2] = -np.inf
        self.tabulate()

    def tabulate(self) -> None:
        """Set up the interpolant."""
        parts, store = self.problem.parts, self.problem.store
        self.grid = np.array(self.points).reshape(len(self.nodes), self.count)
        count, d = self.grid.shape
        plane, gaps = np.hstack([np.ones((count, 1)), self.grid]), distances(self.grid, self.grid)
        system = np.block([[gaps**3, plane], [plane.T, np.zeros((d + 1, d + 1))]])
        self.solved = np.linalg.pinv(system)[:, :count]
        self.centres = np.array([parts.standard(node.x, node.centre) for node in self.nodes])
        marginals = np.array([node.marginal for node in self.nodes])
        self.marginals = np.maximum(marginals - marginals[0], marginals.max() - marginals[0] - _DEEPEST)
        self.tied = tied_differences(parts, store.rank)
        scales = [self.tied.scale(parts.values(node.x)) for node in self.nodes]
        units = [(node.root, scale) for node, scale in zip(self.nodes, scales, strict=True)]
        self.principal, self.mixing = principal(store, units, self.tied.differences)
        self.diagonals = np.log([store.diagonal(node.root) for node in self.nodes])
        if d:
            self.widths = np.clip(np.sort(gaps, axis=1)[:, min(d, count - 1)], _NARROWEST, _WIDEST)
            self.mix(np.random.default_rng(0))

    def mix(self, rng: np.random.Generator) -> None:
        """Fit mixture shares of the kernels to the interpolated marginal, and the bound of the proposal ratio."""
        self.parts = self.widths**self.count * np.exp(0.7 * self.marginals)
        for _ in range(_POOLS):
            self.parts /= self.parts.sum()
            u = self.proposed(_POOL, rng)
            densities = self.kernels(u)
            log = self.marginal(u) - np.log(densities @ self.parts)
            weight = np.exp(log - log.max())
            for _ in range(_TURNS):
                self.parts *= (weight / (densities @ self.parts)) @ densities / weight.sum()
                self.parts = np.maximum(self.parts, _LEAST)
                self.parts /= self.parts.sum()
        u = self.proposed(2 * _POOL, rng)
        log = self.marginal(u) - self.mixed(u)
        log = log[np.isfinite(log)]
        most = np.logaddexp.reduce(log) - np.log(log.size * _FEWEST)
        self.top = float(min(np.quantile(log, 1.0 - _CAPPED), most))

    def proposed(self, count: int, rng: np.random.Generator) -> Floats:
        """Draws from the kernels, (draw, theta) in units of the axes."""
        node = rng.choice(len(self.parts), count, p=self.parts)
        size = self.widths[node] / np.sqrt(rng.chisquare(_NU, count) / _NU)
        return np.asarray(self.grid[node] + size[:, None] * rng.standard_normal((count, self.count)))

    def kernels(self, u: Floats) -> Floats:
        """Densities of all kernels at places, up to a constant, (place, node)."""
        away = distances(u, self.grid) ** 2 / self.widths**2
        return np.asarray((1.0 + away / _NU) ** (-0.5 * (_NU + self.count)) / self.widths**self.count)

    def mixed(self, u: Floats) -> Floats:
        """Log density of the mixture of kernels, up to the same constant, (place,)."""
        return np.asarray(np.log(self.kernels(u) @ self.parts))

    def marginal(self, u: Floats) -> Floats:
        """Interpolated log marginal density less its value at the middle; minus infinity beyond all nodes."""
        away = distances(u, self.grid)
        inside = (away / self.widths).min(axis=1) < _REACH
        highest = self.marginals[away.argmin(axis=1)] + _RISE
        return np.where(inside, np.minimum(self.shares(u) @ self.marginals, highest), -np.inf)

    def shares(self, u: Floats) -> Floats:
        """The share of each node at places in units of the axes, shape (place, node)."""
        cubes = distances(u, self.grid) ** 3
        return np.asarray(np.hstack([cubes, np.ones((len(u), 1)), u]) @ self.solved)

    def thinned(self, u: Floats) -> tuple[Floats, Floats]:
        """Log shares of accepted proposals at places, and the log density of their mixture, (place,) each."""
        wide, marginal = self.mixed(u), self.marginal(u)
        share = np.minimum(0.0, np.logaddexp(marginal - wide - self.top, np.log(_SAFE)))
        share[np.isneginf(marginal)] = -np.inf
        return share, wide

    def log_proposal(self, u: Floats) -> Floats:
        """Log density of `places`, up to a constant, at places, (place,)."""
        return np.asarray(np.add(*self.thinned(u)))

    def places(self, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Places of theta in units of the axes and their log density, up to a constant.

        A proposal is accepted with probability r + `_SAFE`, at most 1; r is the interpolated marginal over the density
        of proposals, scaled.
        """
        if self.count == 0:
            return np.zeros((count, 0)), np.zeros(count)
        places, logs, total = list[Floats](), list[Floats](), 0
        while total < count:
            u = self.proposed(2 * count, rng)
            share, wide = self.thinned(u)
            keep = np.log(rng.uniform(size=len(u))) < share
            places, logs, total = [*places, u[keep]], [*logs, (share + wide)[keep]], total + int(keep.sum())
        return np.concatenate(places)[:count], np.concatenate(logs)[:count]
