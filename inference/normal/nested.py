r"""Theta by nodes: closest normals at a few places of theta, and what lies between them by interpolation.

    log p(theta | games) ~ log marginal of the closest normal, at nodes outwards until it has fallen by DROP

Nodes stand in units of the axes of the curvature there, one standard deviation each, on both sides of every axis, at
corners, and towards no spread along each spread's own axis. Between them centres, marginals, L^-T in units of its
diagonal and the logarithm of that are r^3 and a plane, a natural cubic spline where theta is one number; what that
errs costs weight, not truth.

Rue, Martino & Chopin (2009) JRSSB 71:319 for nesting; Duchon (1977) for r^3.
"""

from itertools import combinations, product

import numpy as np
from scipy.special import betaln, stdtrit

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.conditional import Closest, Problem

DROP, FARTHEST = 6.0, 10.0
REACHED = 4.0  # fall of the log marginal at the last node, at least, for a tail to count as reached
NU, SAFE, OWN = 6.0, 0.1, 0.3
STRETCH = 1.1  # of the distance between nodes, outwards
WHOLE = 3  # thetas up to which all corners are nodes, else those of each pair


def split(widths: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Return draws of split t, shape (count, axis), each side as likely as it is wide."""
    size = np.abs(stdtrit(NU, rng.uniform(1e-9, 1 - 1e-9, (count, widths.shape[1]))))
    low = rng.uniform(size=size.shape) < widths[0] / widths.sum(axis=0)
    return np.asarray(np.where(low, -size * widths[0], size * widths[1]))


def log_split(u: Floats, widths: Floats) -> Floats:
    """Return the log density of split t, up to a constant of the dimension, shape (count,)."""
    density = -0.5 * (NU + 1.0) * np.log1p((u / np.where(u < 0, *widths)) ** 2 / NU) - np.log(widths.mean(axis=0))
    density -= 0.5 * np.log(NU) + betaln(0.5, 0.5 * NU)
    return np.asarray(density.sum(axis=1))


class Nested:
    """Nodes of theta, (node, theta) in units of the axes, with their closest normals."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.count = problem, len(problem.parts.thetas)
        self.last = problem.closest(problem.start)
        self.unreached: list[str] = []
        self.points: list[Floats] = []
        self.nodes: list[Closest] = []
        if self.count:
            self.climb()
        self.place()
        self.tabulate()

    def at(self, x: Floats) -> Closest:
        """Return the closest normal at a theta, from the last one."""
        return self.problem.closest(x, self.last)

    def climb(self) -> None:
        """Find the mode of theta's log marginal and axes of one standard deviation each."""
        d = self.count
        best, axes = self.last, np.diag([0.5 * theta.unit for theta in self.problem.parts.thetas])
        for _ in range(15):
            centre, middle = best.x.copy(), best.marginal
            self.last = best
            pairs = [(self.at(centre - axis), self.at(centre + axis)) for axis in axes]
            slope = np.array([(high.marginal - low.marginal) / 2 for low, high in pairs])
            curve = np.array([2 * middle - low.marginal - high.marginal for low, high in pairs])
            step = np.clip(slope / np.maximum(curve, 0.25), -2.0, 2.0)
            sizes = np.clip(np.maximum(curve, 0.05) ** -0.5, 0.4, 2.5)
            if np.abs(step).max() < 0.4 and np.all((sizes > 0.6) & (sizes < 1.7)):
                break
            tried = self.at(centre + step @ axes)
            best = max([best, tried, *(one for pair in pairs for one in pair)], key=lambda one: one.marginal)
            axes = axes * sizes[:, None]
        outer = np.diag(curve)
        for a, b in combinations(range(d), 2):
            both = self.at(centre + axes[a] + axes[b]).marginal
            outer[a, b] = outer[b, a] = -(both - pairs[a][1].marginal - pairs[b][1].marginal + middle)
        values, turned = np.linalg.eigh(outer)
        self.axes = (turned / np.sqrt(np.maximum(values, 0.1))).T @ axes
        self.middle = centre

    def outwards(self, u: Floats, name: str, farthest: float = FARTHEST) -> tuple[float, float]:
        """Add nodes along a direction until the marginal has fallen; return how far that is and how wide it is."""
        first, width, far, drop = self.nodes[0], 0.0, 0.0, 0.0
        self.last = first
        stride = 1.0
        while far < farthest and drop <= DROP:
            far, stride = far + stride, stride * STRETCH
            try:
                node = self.at(self.middle + far * u @ self.axes)
            except InferenceError:
                break
            self.last = node
            self.points, self.nodes = [*self.points, far * u], [*self.nodes, node]
            drop = first.marginal - node.marginal
            length = far * float(np.linalg.norm(u))
            if length > 1.5 or drop > DROP:
                width = max(width, length / np.sqrt(2 * max(drop, 0.3)))
        self.last = first
        if drop < REACHED:
            self.unreached.append(name)
        return far, width

    def place(self) -> None:
        """Place nodes: the middle, both sides of each axis, corners, and small spreads along their own axes."""
        d, thetas = self.count, self.problem.parts.thetas
        self.points, self.nodes = [np.zeros(d)], [self.at(self.middle) if d else self.last]
        self.widths = np.ones((2, d))
        step = 0.7 if d < 2 else 1.25
        for a, side in product(range(d), (0, 1)):
            u = np.zeros(d)
            u[a] = step * (2 * side - 1)
            main = int(np.abs(self.axes[a] / [theta.unit for theta in thetas]).argmax())
            self.widths[side, a] = self.outwards(u, thetas[main].name)[1]
        self.widths = np.clip(self.widths, 0.3, 4.0)
        groups = [tuple(range(d))] if 1 < d <= WHOLE else list(combinations(range(d), 2))
        for group in groups if d > 1 else ():
            for corner in product((0, 1), repeat=len(group)):
                u = np.zeros(d)
                for a, side in zip(group, corner, strict=True):
                    u[a] = 1.1 * (2 * side - 1) * self.widths[side, a]
                self.points, self.nodes = [*self.points, u], [*self.nodes, self.at(self.middle + u @ self.axes)]
        if d > 1:
            self.alone, inverse = np.sqrt((self.axes**2).sum(axis=0)), np.linalg.inv(self.axes)
            self.alone_widths = np.ones((2, d))
            for k in (k for k, theta in enumerate(thetas) if theta.law.kind == "spread"):
                u = (-1.25 * self.alone[k] * np.eye(d)[k]) @ inverse
                far, _ = self.outwards(u, thetas[k].name, 8)
                drop = self.nodes[0].marginal - self.nodes[-1].marginal
                self.alone_widths[0, k] = np.clip(1.25 * far / np.sqrt(2 * max(drop, 0.3)), 1.0, 4.0)
        self.grid = np.array(self.points).reshape(len(self.nodes), d)
        self.reach = np.array([self.grid.min(axis=0), self.grid.max(axis=0)])

    def tabulate(self) -> None:
        """Set up the interpolant."""
        count, d = self.grid.shape
        plane = np.hstack([np.ones((count, 1)), self.grid])
        cubes = np.linalg.norm(self.grid[:, None] - self.grid, axis=2) ** 3
        system = np.block([[cubes, plane], [plane.T, np.zeros((d + 1, d + 1))]])
        self.solved = np.linalg.pinv(system)[:, :count]
        self.centres = np.array([node.centre for node in self.nodes])
        self.marginals = np.array([node.marginal for node in self.nodes])
        self.diagonals = np.log([self.problem.store.diagonal(node.root) for node in self.nodes])

    def shares(self, u: Floats) -> Floats:
        """Return the share of each node at places in units of the axes, shape (place, node)."""
        u = np.clip(u, self.reach[0], self.reach[1])
        cubes = np.linalg.norm(u[:, None] - self.grid, axis=2) ** 3
        return np.asarray(np.hstack([cubes, np.ones((len(u), 1)), u]) @ self.solved)

    def places(self, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return places of theta in units of the axes and their log density, up to a constant.

        A split t, thinned to the interpolated log marginal where that is lower: what is kept has the lower of the two.
        """
        d = self.count
        if d == 0:
            return np.zeros((count, 0)), np.zeros(count)
        kept: list[Floats] = []
        kept_log: list[Floats] = []
        top = None
        inverse, size = np.linalg.inv(self.axes), np.linalg.slogdet(self.axes)[1]
        while sum(map(len, kept)) < count:
            u = split(self.widths, 4 * count, rng)
            if d > 1:  # a part with the axes of theta itself, whose tails towards no spread are long
                other = split(self.alone_widths, 4 * count, rng) * self.alone
                u = np.where(rng.uniform(size=(len(u), 1)) < OWN, other @ inverse, u)
            wide = log_split(u, self.widths)
            if d > 1:
                own = log_split(u @ self.axes / self.alone, self.alone_widths) - np.log(self.alone).sum() + size
                wide = np.logaddexp(np.log(1.0 - OWN) + wide, np.log(OWN) + own)
            inside = ((u >= self.reach[0]) & (u <= self.reach[1])).all(axis=1)
            marginal = np.where(inside, self.shares(u) @ self.marginals - self.marginals[0], -np.inf)
            top = float(np.quantile((marginal - wide)[inside], 0.98)) if top is None else top
            log = np.minimum(top, np.logaddexp(marginal - wide, np.log(SAFE))) + wide
            keep = np.log(rng.uniform(size=len(u))) < log - wide - top
            kept, kept_log = [*kept, u[keep]], [*kept_log, log[keep]]
        return np.concatenate(kept)[:count], np.concatenate(kept_log)[:count]
