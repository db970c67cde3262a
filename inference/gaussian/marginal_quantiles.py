r"""Resampled draws whose marginal quantiles hardly depend on the seed.

Under the normal approximation q each printed number y has a known distribution function, a mixture of normals over
theta; of ratings in Elo points, y = k(lam) (strength - pivot), also over the draw parameter lam:

    F(y) = E Phi((y / k(lam) + pivot - m(theta, lam)) / s(theta, lam))

so that the k-th smallest of n draws has level a_k = (k + 1/2) / n but for chance. With importance weights its level is
p_k, the weight of the draws below it. The j-th smallest kept draw is moved to

    F^-1(a),    a where p = (j + 1/2) / n, between a_k linearly

and, if draws are bent, from there to the bent number of the same rank among all draws. This is the weighted
distribution function with E_q 1(y < x) = F(x) as its control variate: only the weights' departure from 1 is left to
chance. Ranks do not change, so the dependence between parameters is preserved. If no rating fixes the level, the mean
is subtracted from strengths. Numbers that depend on other numbers far more than on games, such as the level of all
strengths, are not moved: moving one alone would break the dependence.

Theta is integrated by the trapezoid rule on a grid, lam by Gauss-Hermite quadrature; moments given theta are
interpolated like centres (`hyperparameter_grid`).

Glasserman (2003) Monte Carlo Methods in Financial Engineering, 4.1 for control variates; Iman & Conover (1982) Commun.
Stat. Simul. Comput. 11:311 for ranks that keep dependence; Packham & Schmidt (2010) J. Comput. Finance 13(3):81.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from halfpoint.inference.diagnostics.importance_ratios import Importance
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.quadrature import nodes_of
from halfpoint.inference.location import location_fixed_by
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.games.units import to_natural

MOST_THETAS = 3  # thetas up to which there is a grid
_NODES = (1, 61, 27, 19)  # places of the grid along each axis, by number of thetas
_BEYOND = 3.0  # units of the axes that the grid reaches beyond the outermost nodes
_RARE = 1e-4  # share of a place of the grid, of the largest one, below which it is left out
_LOOSE = 6.0  # deviation of a number, in deviations given all others, up to which it is moved separately
_OF_LAM = 5  # nodes of the draw parameter
_PLACES, _FAR = 41, 4.7  # where F is tabulated, and how many deviations beyond all means
_STRENGTH, _TOGETHER = "strength", 64  # numbers that are tabulated at a time


@dataclass(frozen=True, eq=False)
class _Group:
    """Numbers of one parameter."""

    z: Integers  # (member,): places in z
    centred: bool = False  # whether each is taken less the mean of all
    scaled: bool = False  # whether it is taken in Elo points


@dataclass(frozen=True, eq=False)
class _Scale:
    """Elo points of strengths by the draw parameter."""

    lam: int  # place of the draw parameter in z
    factor: Callable[[Floats], Floats]  # Elo points per natural unit, by draw parameters
    pivot: float  # strength whose rating does not depend on it, natural units


def _scale_of(nested: HyperparameterGrid) -> _Scale | None:
    """How ratings depend on the draw parameter; None where that is no number of z, or more than this number counts."""
    parts, declared = nested.problem.parts, nested.problem.declared
    slots, outcome, anchored = declared.layout.slots, declared.outcome, declared.selection.has_anchors
    level, scores = "anchor_level" in slots, declared.traits.by_scores
    place = parts.position[parts.of(outcome.lam)] if outcome.lam in slots else np.empty(0, dtype=np.int64)
    if place.size != 1 or place[0] < 0 or outcome.further or outcome.sees_level or outcome.scores is None:
        return None
    if (level and parts.position[parts.of("anchor_level")[0]] >= 0) or ("anchor_scale" in slots and not scores):
        return None
    pivot = float(declared.traits.level)
    if level:
        pivot = float(parts.known[parts.of("anchor_level")[0]])
    elif anchored:
        pivot = to_natural(declared.selection.anchor_mean_elo())
    return _Scale(int(place[0]), outcome.elo_per_natural, pivot)


class _Marginals:
    """Distribution functions of numbers under the normal approximation."""

    def __init__(self, nested: HyperparameterGrid) -> None:
        self.nested, self.parts = nested, nested.problem.parts
        self.scale = _scale_of(nested)
        self.u, self.share = _quadrature(nested)

    @cached_property
    def groups(self) -> list[_Group]:
        """The parameters among z, the draw parameter before the strengths."""
        parts, declared = self.parts, self.parts.declared
        own = np.zeros(parts.count, dtype=np.bool_)
        own[parts.z] = True
        found, of_strengths = list[_Group](), list[_Group]()
        for law in declared.laws:
            places, shape = parts.of(law.name), declared.layout.slots[law.name][1]
            if not own[places].all():
                continue
            z = parts.position[places]
            if law.name != _STRENGTH or not shape:
                found.append(_Group(z))
                continue
            free, scaled = not location_fixed_by(declared) and shape[0] > 1, self.scale is not None
            of_strengths += [_Group(one, free, scaled) for one in z.reshape(shape[0], -1).T]
        return found + of_strengths

    @cached_property
    def node_moments(self) -> tuple[Floats, Floats]:
        """Log deviations and correlations with the draw parameter at the nodes, (node, z), as groups take them."""
        problem, store = self.nested.problem, self.nested.problem.store
        here, nodes = np.arange(problem.size), self.nested.nodes
        log_sd, beside = np.empty((2, len(nodes), problem.size))
        for out, other, node in zip(log_sd, beside, nodes, strict=True):
            variance, covariance = node.of_z.copy(), np.zeros(problem.size)
            if self.scale is not None:
                covariance = store.solve(node.root, (here == self.scale.lam).astype(np.float64))
                width = np.sqrt(variance[self.scale.lam])
            for group in self.groups:
                if group.centred:
                    mean = np.zeros(problem.size)
                    mean[group.z] = 1.0 / group.z.size
                    solved = store.solve(node.root, mean)
                    variance[group.z] += mean @ solved - 2.0 * solved[group.z]
                    covariance[group.z] -= covariance[group.z].mean()
            out[:] = 0.5 * np.log(variance)
            other[:] = 0.0 if self.scale is None else covariance / (np.sqrt(variance) * width)
        return log_sd, beside

    @cached_property
    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Means, deviations and correlations with the draw parameter on the grid, (place, z), as groups take them."""
        shares, (log_sd, beside) = self.nested.shares(self.u), self.node_moments
        mean = self.parts.natural(self.nested.thetas(self.u), shares, self.nested.centres)
        for group in self.groups:
            if group.centred:
                mean[:, group.z] -= mean[:, group.z].mean(axis=1, keepdims=True)
        return mean, np.exp(shares @ log_sd), np.clip(shares @ beside, -0.99, 0.99)

    @cached_property
    def loose(self) -> npt.NDArray[np.bool_]:
        """Whether numbers of z do not mainly follow others, at the first node; all of a centred group or none, (z,)."""
        node = self.nested.nodes[0]
        found = np.exp(self.node_moments[0][0]) * np.sqrt(self.nested.problem.store.squared(node.root)) < _LOOSE
        for group in self.groups:
            if group.centred:
                found[group.z] = found[group.z].all()
        return np.asarray(found)

    def reading(self, group: _Group, z: Floats) -> tuple[Floats, Floats]:
        """Location and scale by which numbers of a group are read, (draw,) each, at z (draw, z)."""
        level = z[:, group.z].mean(axis=1) if group.centred else np.zeros(len(z))
        if not group.scaled or self.scale is None:
            return level, np.ones(len(z))
        return level if group.centred else level + self.scale.pivot, self.scale.factor(z[:, self.scale.lam])

    def tabulated(self, group: _Group, some: Integers) -> tuple[Floats, Floats]:
        """Values and Phi^-1 of F there, (number, place) each, of some numbers of a group."""
        mean, sd, share = self.moments[0][:, some], self.moments[1][:, some], self.share
        if group.scaled and self.scale is not None:
            node, weight = nodes_of(_OF_LAM)
            lam, with_lam = self.scale.lam, self.moments[2][:, some]
            at = self.moments[0][:, lam, None] + self.moments[1][:, lam, None] * node  # (theta, node)
            factor = self.scale.factor(at)[..., None]
            moved = mean[:, None] + (with_lam * sd)[:, None] * node[:, None]
            mean = factor * (moved - (0.0 if group.centred else self.scale.pivot))
            sd = factor * (sd * np.sqrt(1.0 - with_lam**2))[:, None]
            mean, sd, share = mean.reshape(-1, some.size), sd.reshape(-1, some.size), np.outer(share, weight).ravel()
        low, high = (mean - _FAR * sd).min(axis=0), (mean + _FAR * sd).max(axis=0)
        places = np.linspace(low, high, _PLACES).T
        total = np.zeros(places.shape)
        for one, width, part in zip(mean, sd, share, strict=True):
            total += part * ndtr((places - one[:, None]) / width[:, None])
        return places, ndtri(np.clip(total, 1e-15, 1.0 - 1e-15))


def _quadrature(nested: HyperparameterGrid) -> tuple[Floats, Floats]:
    """Places of theta in units of the axes, (place, theta), and their shares under the proposals."""
    if not nested.count:
        return np.zeros((1, 0)), np.ones(1)
    low, high = nested.grid.min(axis=0) - _BEYOND, nested.grid.max(axis=0) + _BEYOND
    axes = [np.linspace(a, b, _NODES[nested.count]) for a, b in zip(low, high, strict=True)]
    u = np.array(list(product(*axes)))
    log = nested.log_proposal(u)
    kept = log > log.max() + np.log(_RARE)
    share = np.exp(log[kept] - log.max())
    return u[kept], share / share.sum()


def has_marginals(nested: HyperparameterGrid) -> bool:
    """True if thetas are few and the prior has no further factors, which may bound numbers."""
    return nested.count <= MOST_THETAS and nested.problem.parts.further is None


def resample_marginals(
    nested: HyperparameterGrid, draws: tuple[Floats, Floats, Floats | None], weights: Importance, kept: Codes
) -> Floats:
    """Values (kept, value) of the draws that are kept, with quantiles by the module's equations.

    Parameters
    ----------
    nested : HyperparameterGrid
        The approximation that the draws come from; at most `MOST_THETAS` thetas.
    draws : tuple of array
        For all draws thetas (draw, theta), values (draw, value) and, if they were bent, z before bending (draw, z).
    weights : Importance
        Their weights.
    kept : array
        Indices of the kept draws, with repetitions, (kept,).
    """
    (x, v, straight), laws = draws, _Marginals(nested)
    order = _Order(len(v), np.exp(weights.log_weight), kept)
    parts, z = laws.parts, v[:, laws.parts.z]
    moved = z[kept]
    for group in laws.groups:
        level, factor = laws.reading(group, z)
        unbent = None if straight is None else laws.reading(group, straight)
        after = laws.reading(group, moved)[1]
        for first in range(0, group.z.size, _TOGETHER):
            some = group.z[first : first + _TOGETHER]
            some = some[laws.loose[some]]
            if not some.size:
                continue
            places, levels = laws.tabulated(group, some)
            for k, one in enumerate(some):
                y = (z[:, one] - level) * factor
                by, position, draw, target = order.of(y)
                value = np.interp(target, levels[k], places[k])
                if straight is not None and unbent is not None:
                    value = np.interp(value, np.sort((straight[:, one] - unbent[0]) * unbent[1]), y[by])
                moved[position, one] = level[draw] + value / after[position]
    return np.asarray(parts.values(x[kept], moved))


class _Order:
    """Ranks of draws that are kept, by a number of all draws."""

    def __init__(self, count: int, weight: Floats, kept: Codes) -> None:
        self.weight, self.level = weight / weight.sum(), (np.arange(count) + 0.5) / count
        self.target = (np.arange(kept.size) + 0.5) / kept.size
        self.times = np.bincount(kept, minlength=count)
        self.position = np.argsort(kept, kind="stable")  # of kept draws, those of one draw together
        self.first = np.cumsum(self.times) - self.times

    def of(self, y: Floats) -> tuple[Integers, Integers, Integers, Floats]:
        """All draws by rising y (draw,); positions of the kept ones, which draws they are, Phi^-1 of their levels."""
        order = np.argsort(y)
        weight, times = self.weight[order], self.times[order]
        below = np.cumsum(weight) - 0.5 * weight
        draw = np.repeat(order, times)
        again = np.arange(draw.size) - np.repeat(np.cumsum(times) - times, times)
        levels = ndtri(np.interp(self.target, below, self.level))
        return order, self.position[self.first[draw] + again], draw, levels
