r"""Coordinates in which a posterior is nearly standard normal: a nested Laplace approximation as a map that NUTS uses.

    rest | theta: mode c(theta), precision H(theta);    log p(theta | games) ~ log p(theta, c) - log det H / 2

Theta are spreads and scales, the rest all other coordinates. Along each axis of theta's curvature there are nodes until
the marginal has fallen; W' H W = 1 at the middle, turned so that it stays nearly diagonal where it changes most. Modes
and logarithms of the diagonals are least squares in four features of w (`loops.transport_map`); w bends the axis so
that its marginal falls alike on both sides. The map is exact however well it is fitted: the posterior does not change.

Rue, Martino & Chopin (2009) JRSSB 71:319 for nesting; Parno & Marzouk (2018) SIAM/ASA J. Uncertain. Quantif. 6:645 and
Monnahan et al. (2024, SparseNUTS) for the approximation as NUTS's metric.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.linalg import cho_solve
from threadpoolctl import threadpool_limits

from halfpoint.inference.loops.engine import Numbers, density
from halfpoint.inference.loops.transport_map import FEATURES
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Booleans, Floats
from halfpoint.models.language.laws import Law
from halfpoint.models.reading.layout import Layout

_MOST, _FEW = 400, 4  # coordinates, and hyperparameters, up to which there is a map
_MOST_BY_DAYS = 1000  # coordinates with processes by days: a long process takes the place of the levels, a curved ridge
_NEAR, _STEPS, _REFRESHED = 1e-3, 80, 4  # expected rise at which a mode converged; steps at most, and with one factor
_DIFFERENCE = 1e-4  # of a coordinate, in which a gradient changes
_FALLEN, _FARTHEST, _STRETCH = 7.0, 12.0, 1.15  # fall of the marginal at the last node; how far; of their distance
_BENT = 0.8  # of an axis, its bend at most
_TRIED, _ROUGH = 50, 3.0  # trial numbers, and standard deviation of their log density over a normal one at most


@dataclass(frozen=True, eq=False)
class _Node:
    """Conditional approximation at one theta."""

    x: Floats  # (theta,)
    marginal: float  # log, up to a constant
    point: Floats  # (coordinate,): theta and the mode of the rest
    precision: Floats  # (rest, rest)
    root: Floats  # its lower factor


class _NestedLaplace:
    """Nodes of a log density: coordinates -> (value, gradient)."""

    def __init__(self, at: Callable[[Floats], tuple[float, Floats]], theta: Booleans) -> None:
        self.at, self.theta, self.rest = at, theta, np.flatnonzero(~theta)

    def precision(self, point: Floats) -> Floats:
        """Curvature by z, by differences of gradients."""
        gradient, steps = self.at(point)[1], _DIFFERENCE * np.eye(point.size)[self.rest]
        curvature = np.array([(gradient - self.at(point + step)[1])[self.rest] for step in steps]) / _DIFFERENCE
        return (curvature + curvature.T) / 2.0

    def first(self, start: Floats) -> _Node:
        """Node at the theta of a start (coordinate,)."""
        root = _root(self.precision(start))
        return self.node(start[self.theta], _Node(start[self.theta], 0.0, start, root, root))

    def node(self, x: Floats, near: _Node) -> _Node:
        """Node at a theta, started from a nearby one; `LinAlgError` if the search fails."""
        point, root, is_fresh, share = near.point.copy(), near.root, False, 1.0
        point[self.theta] = x
        value, slope = self.at(point)
        for taken in range(1, _STEPS + 1):
            step = np.zeros_like(point)
            step[self.rest] = cho_solve((root, True), slope[self.rest], check_finite=False)
            if 0.5 * float(slope @ step) < _NEAR:
                break
            trial = self.at(point + share * step)
            if better := trial[0] > value:
                point, (value, slope), share = point + share * step, trial, 1.0
            elif is_fresh:
                share /= 4.0
            if (is_fresh := not better) or taken % _REFRESHED == 0:
                root = _root(self.precision(point))
        else:
            raise np.linalg.LinAlgError
        precision = self.precision(point)
        root = np.linalg.cholesky(precision)
        return _Node(x, value - float(np.log(np.diag(root)).sum()), point, precision, root)

    def outwards(self, middle: _Node, axis: Floats) -> list[tuple[float, _Node]]:
        """Nodes along an axis, on one side until the marginal falls, with their distances."""
        nodes, far, stride = [(0.0, middle)], 0.0, 1.0
        while far < _FARTHEST and middle.marginal - nodes[-1][1].marginal < _FALLEN:
            far, stride = far + stride, stride * _STRETCH
            nodes.append((far, self.node(middle.x + far * axis, nodes[-1][1])))
        return nodes[1:]


def _climb(at: Callable[[Floats, _Node], _Node], best: _Node, axes: Floats) -> tuple[_Node, Floats]:
    """Node at the mode of theta's log marginal, and axes of one standard deviation each, by rows.

    A node has its theta, `x`, and its log `marginal`; `at` makes a node from a theta and a node near by.
    """
    for _ in range(15):
        middle = best
        pairs = [(at(middle.x - axis, middle), at(middle.x + axis, middle)) for axis in axes]
        slope = np.array([(high.marginal - low.marginal) / 2 for low, high in pairs])
        curve = np.array([2 * middle.marginal - low.marginal - high.marginal for low, high in pairs])
        step = np.clip(slope / np.maximum(curve, 0.25), -2.0, 2.0)
        sizes = np.clip(np.maximum(curve, 0.05) ** -0.5, 0.4, 2.5)
        if np.abs(step).max() < 0.4 and np.all((sizes > 0.6) & (sizes < 1.7)):
            break
        tried = at(middle.x + step @ axes, middle)
        best = max([middle, tried, *(node for pair in pairs for node in pair)], key=lambda node: node.marginal)
        axes = axes * sizes[:, None]
    outer = np.diag(curve)
    for a, b in combinations(range(len(axes)), 2):
        corner = at(middle.x + axes[a] + axes[b], middle).marginal
        outer[a, b] = outer[b, a] = -(corner - pairs[a][1].marginal - pairs[b][1].marginal + middle.marginal)
    values, turned = np.linalg.eigh(outer)
    return middle, (turned / np.sqrt(np.maximum(values, 0.1))).T @ axes


def _root(precision: Floats) -> Floats:
    """Lower factor of a curvature, of its absolute value if it is not negative definite."""
    values, turned = np.linalg.eigh(precision)
    return np.linalg.cholesky(precision if values[0] > 0.0 else (turned * np.maximum(np.abs(values), 0.01)) @ turned.T)


def _half_width(middle: _Node, nodes: list[tuple[float, _Node]]) -> float:
    """Half of the distance at which the marginal falls by two on one side of an axis: about one sd."""
    roots = [0.0, *(np.sqrt(max(middle.marginal - node.marginal, 1e-3)) for _, node in nodes)]
    away = [0.0, *(far for far, _ in nodes)]
    reached = float(np.interp(np.sqrt(2.0), np.maximum.accumulate(roots), away))
    return reached / 2.0 * max(1.0, float(np.sqrt(2.0) / roots[-1]))


def _features(w: Floats) -> Floats:
    """Features whose sums are means and widths, (w, feature)."""
    root = np.sqrt(1.0 + w**2)
    return np.column_stack([w, root - 1.0, w / root, 1.0 / root - 1.0])


def _fitted_map(laplace: _NestedLaplace, start: Floats) -> Floats:
    """Map in the form of `transport_map`, from a start (coordinate,)."""
    theta, latent = laplace.theta, laplace.rest
    n, d = theta.size, int(theta.sum())
    middle, axes = laplace.first(start), np.eye(0)
    if d:
        middle, axes = _climb(laplace.node, middle, 0.3 * np.eye(d))
    sides = [[laplace.outwards(middle, sign * axis) for sign in (-1.0, 1.0)] for axis in axes]
    white = np.linalg.inv(middle.root).T
    if d:
        changes = [white.T @ (up[0][1].precision - down[0][1].precision) @ white for down, up in sides]
        white = white @ np.linalg.eigh(max(changes, key=np.linalg.norm))[1]
    moves, bends = np.zeros((2, FEATURES, d, n)), np.zeros((2, d))
    for k, (down, up) in enumerate(sides):
        left, right = _half_width(middle, down), _half_width(middle, up)
        a = (left + right) / 2.0
        b = float(np.clip((right - left) / (np.sqrt(5.0) - 1.0), -_BENT * a, _BENT * a))
        grid, bends[:, k] = np.linspace(-9.0, 9.0, 2000), (a, b)
        u = np.array([*(-far for far, _ in down), *(far for far, _ in up)])
        w = np.interp(u, a * grid + b * (np.sqrt(1.0 + grid**2) - 1.0), grid)
        nodes = [node for _, node in (*down, *up)]
        diagonals = [((node.precision @ white) * white).sum(axis=0) for node in nodes]
        wanted = np.hstack([[node.point[latent] - middle.point[latent] for node in nodes], -0.5 * np.log(diagonals)])
        solved = np.linalg.lstsq(_features(w), wanted)[0]
        moves[0][:2, k, theta] = np.outer((a, b), axes[k])
        moves[0][:, k, latent], moves[1][:, k, d:] = solved[:, : latent.size], solved[:, latent.size :]
    matrix = np.zeros((n, n))
    matrix[d:, latent] = white.T
    return np.concatenate([[d], bends.ravel(), middle.point, moves.ravel(), matrix.ravel()])


def _is_scale(law: Law) -> bool:
    """True if a variable is a spread or a positive number."""
    return law.free and law.hyperparameter is not None and law.hyperparameter.kind != "number"


def straighten(declared: Declared, numbers: Numbers, layout: Layout, start: Floats | None = None) -> Numbers:
    """Numeric form of a model with a map for sampling, near a start (coordinate,), 0 if not given.

    Unchanged without a suitable map.
    """
    names = {law.name for law in declared.laws if law.log_of or _is_scale(law)}
    slots = [(name in names, shape) for name, shape in layout.coordinates]
    theta = np.concatenate([np.full(int(np.prod(shape, dtype=np.int64)), is_theta) for is_theta, shape in slots])
    most = _MOST_BY_DAYS if any(law.days is not None for law in declared.laws) else _MOST
    if theta.size > most or theta.sum() > _FEW or theta.all():
        return numbers
    begin = np.zeros(theta.size) if start is None else start
    try:
        with threadpool_limits(1, user_api="blas"), np.errstate(all="ignore"):
            straight = replace(numbers, transport=_fitted_map(_NestedLaplace(density(numbers), theta), begin))
    except np.linalg.LinAlgError:
        return numbers
    at, tried = density(straight), np.random.default_rng(0).standard_normal((_TRIED, theta.size))
    rough = np.std([at(point)[0] + 0.5 * point @ point for point in tried])
    return straight if rough < _ROUGH else numbers
