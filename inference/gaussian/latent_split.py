r"""What of a declared model is normal: its parameters as few numbers theta and many numbers z.

    theta    spreads and positive scales, by their logarithms, and numbers that multiply other parameters
    z        everything else, natural units; given theta its prior is normal, and eta and lam of a game are affine in it

The prior of z given theta is a sum of normal terms, B z - d(theta) ~ N(0, s(theta)^2), whatever NUTS samples in place:

    strengths, advantages, effects      z_i - mean                   sd of the prior
    populations                         z_i - base_i - slope_i m     the spread, a theta; m a theta, a z or a number
    anchors with errors                 z_i - mu - kappa (R_i - mu)  kappa times the error, kappa a theta or 1
    walks                               z_t+1 - z_t                  the spread of a step
                                        mean of z_t over t           sd of the level
    what fades, y = z - beside          y_t+1 - r y_t, y_1           the spread, (1 - r^2)^(1/2) of it but for y_1
    correlated strengths                M^-1 (z - centre)            1

A product of two parameters makes the smaller of them a theta, as long as there are at most MOST of them; the rest is
taken along its slope at the centre, and the weights of the draws make up for it.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from halfpoint.games.table import Floats, Integers
from halfpoint.inference.diagnostics.prior_statements import mismatched_priors
from halfpoint.inference.errors import InferenceError
from halfpoint.models.declared import Declared
from halfpoint.models.parts.blocks import Block, Hyperparameter, Transition

_MOST = 8  # thetas


@dataclass(frozen=True)
class _HyperparameterSlot:
    """A number that is not normal given the others."""

    name: str  # its parameter
    law: Hyperparameter  # its kind and prior, as its block states them
    places: tuple[int, ...]  # value of the number itself, and of its logarithm where it has one
    unit: float  # about one posterior standard deviation of x


@dataclass(frozen=True, eq=False)
class _GaussianTerm:
    """Normal sums of z: B z - offset - slope v_mean ~ N(0, sd^2), sd a number a row or the spread v_spread."""

    sums: Any  # (row, z), sparse: B
    offset: Floats  # (row,)
    slope: Floats  # (row,)
    sd: Floats  # (row,)
    mean: int = -1  # value that the slope goes with, -1 for none
    spread: int = -1  # value of the spread, -1 for none
    even: bool = False  # whether the precision that a factor sees is spread over the diagonal: the level of a walk

    @cached_property
    def precision(self) -> Any:
        """B' sd^-2 B, sparse, shape (z, z)."""
        weighted = self.sums * (self.sd**-2.0)[:, None]
        if self.even:
            return sparse.diags_array(self.sums.T @ (weighted.sum(axis=1))).tocoo()
        return (self.sums.T @ weighted).tocoo()

    def share(self, v: Floats) -> Any:
        """What the precision is multiplied by, from values (..., value)."""
        return 1.0 if self.spread < 0 else v[..., self.spread] ** -2.0

    def middle(self, v: Floats) -> Floats:
        """The mean of B z, shape (..., row)."""
        return self.offset if self.mean < 0 else self.offset + self.slope * v[..., self.mean, None]

    def rest(self, z: Floats, v: Floats) -> Floats:
        """B z less its mean, in units of sd but for the spread: shape (..., row)."""
        return np.asarray((np.asarray((self.sums @ z.T).T) - self.middle(v)) / self.sd)

    def log_density(self, z: Floats, v: Floats) -> Any:
        """The log density up to a constant, shape (...,)."""
        total = -0.5 * np.square(self.rest(z, v)).sum(axis=-1) * self.share(v)
        return total if self.spread < 0 else total - self.offset.size * np.log(v[..., self.spread])


def _is_gaussian(block: Block) -> bool:
    """Whether a parameter is normal given hyperparameters, as its block states."""
    return block.gaussian is not None or block.transition is not None


@dataclass(eq=False)
class LatentSplit:
    """A declared model's parameters taken apart; an error if it has a kind that is not known here."""

    declared: Declared  # the model
    # values that its games multiply, before `source`
    products: list[tuple[Integers, Integers]] = field(default_factory=list)

    def __post_init__(self) -> None:
        layout, blocks = self.declared.layout, self.declared.blocks
        self.count = layout.values
        self.source = np.arange(self.count)  # of a value that is another one
        self.known = np.zeros(self.count)
        self.steps: list[tuple[int, int, tuple[int, int], Transition]] = []  # level, walks, (player, period)
        for block in blocks:
            here, transition = self.of(block.name), block.transition
            if block.gathered is not None:
                groups, order = block.gathered
                self.source[here] = np.concatenate([self.of(name) for name in groups])[order]
            elif block.known is not None:
                self.known[here] = block.known
            elif transition is not None and transition.level:
                periods = layout.slots[block.name][1][-1]
                shape = here.size // periods, periods
                self.steps.append((int(self.of(transition.level)[0]), int(here[0]), shape, transition))
        levels, numbers = {start for start, *_ in self.steps}, self.multiplied()
        self.thetas: list[_HyperparameterSlot] = []
        normal: list[Block] = []
        for block in blocks:
            law, transition = block.hyperparameter, block.transition
            if law is not None and (law.kind != "number" or block.name in numbers):
                further = (layout.where(f"log_{block.name}"),) if law.kind == "scale" else ()
                places = self.of(block.name).tolist()
                unit = np.broadcast_to(law.unit, len(places)).tolist()
                made = zip(places, unit, strict=True)
                self.thetas += [_HyperparameterSlot(block.name, law, (place, *further), one) for place, one in made]
            elif transition is not None and transition.pace:
                raise InferenceError(
                    "normal approximation: expected one spread for the steps of all, found one of each player's. Use "
                    "method nuts."
                )
            elif _is_gaussian(block):
                normal.append(block)
            elif block.gathered is None and block.known is None:
                raise InferenceError(
                    f"normal approximation: expected parameters whose prior it can state, found {block.name!r}. Use "
                    "method nuts."
                )
        if len(self.thetas) > _MOST:
            found = ", ".join(theta.name for theta in self.thetas[:10])
            raise InferenceError(
                f"normal approximation: expected at most {_MOST} spreads, scales and slopes, found {len(self.thetas)} "
                f"({found}). Use method nuts."
            )
        z = [self.of(block.name) for block in normal if self.of(block.name)[0] not in levels]
        self.z = np.concatenate([np.empty(0, dtype=np.int64), *z])
        self.position = np.full(self.count, -1)
        self.position[self.z] = np.arange(self.z.size)
        self.position = self.position[self.source]
        self.terms = [self.term(block) for block in normal]
        others = mismatched_priors(self.declared)
        if others:
            raise InferenceError(
                f"normal approximation: expected the prior that {', '.join(others)} states of itself, found another in "
                "the graph. Use method nuts."
            )

    def of(self, name: str) -> Integers:
        """The places of a parameter's values."""
        start, shape = self.declared.layout.slots[name]
        return start + np.arange(int(np.prod(shape, dtype=np.int64)))

    def multiplied(self) -> set[str]:
        """Names of normal parameters that are taken as theta, since games multiply them by others."""
        owner, blocks, size = np.full(self.count, -1), self.declared.blocks, list[int]()
        for number, block in enumerate(blocks):
            here = self.of(block.name)
            owner[here] = number
            size.append(here.size)
        chosen: set[int] = set()
        laws = [block.hyperparameter for block in blocks]
        left = _MOST - sum(law is not None and law.kind != "number" for law in laws)
        pairs = owner[self.source[np.hstack([np.empty((2, 0), dtype=np.int64), *self.products])]]
        for a, b in np.unique(pairs, axis=1).T.tolist():
            if all(_is_gaussian(blocks[one]) for one in (a, b)) and not {a, b} & chosen:
                smaller = min(a, b, key=size.__getitem__)
                if laws[smaller] is not None and size[smaller] <= left:
                    chosen.add(smaller)
                    left -= size[smaller]
        return {blocks[number].name for number in chosen}

    def means(self, places: Integers) -> Any:
        """The means of z at places (row, ...) as sums of z, sparse, shape (row, z)."""
        each = places.size // max(len(places), 1)
        rows, share = np.repeat(np.arange(len(places)), each), np.full(places.size, 1.0 / max(each, 1))
        return sparse.coo_array((share, (rows, self.position[places.ravel()])), (len(places), self.z.size)).tocsr()

    def term(self, block: Block) -> _GaussianTerm:
        """The prior of a normal parameter, as its block states it."""
        here, where = self.of(block.name), self.declared.layout.where
        at, ones, flat = np.arange(here.size), np.ones(here.size), np.zeros(here.size)
        transition, law = block.transition, block.gaussian
        if transition is not None:
            apart = self.means(here)
            apart = apart - self.means(self.of(transition.beside)) if transition.beside else apart
            first = at % self.declared.layout.slots[block.name][1][-1] == 0
            sums = apart - apart[at - ~first] * np.where(first, 0.0, transition.share)[:, None]
            sd = np.where(first, 1.0, transition.sd)
            kept = ~first if transition.level else np.ones_like(first)
            return _GaussianTerm(sums[kept], flat[kept], flat[kept], sd[kept], spread=where(transition.spread))
        assert law is not None
        seen, even = here, False
        for level, walks, shape, steps in self.steps:
            if here[0] == level:
                seen, even = walks + np.arange(np.prod(shape)).reshape(shape), steps.begins is None
                seen = seen if even else steps.held(seen)
        sums = self.means(seen)
        if law.whitening is not None:
            sums = sparse.csr_array(law.whitening) @ sums
        slope, mean = ones * law.slope, self.source[where(law.mean)] if law.mean else -1
        if mean >= 0 and self.position[mean] >= 0:
            column = np.full(at.size, self.position[mean])
            sums = sums - sparse.coo_array((slope, (at, column)), shape=sums.shape).tocsr()
            slope, mean = flat, -1
        spread = where(law.spread) if law.spread else -1
        return _GaussianTerm(sums, ones * law.offset, slope, ones * law.sd, mean, spread, even and spread < 0)

    def values(self, x: Floats, z: Floats | None = None) -> Floats:
        """All values, shape (..., value), at thetas (..., theta) and z (..., z), 0 if not given."""
        v = np.zeros((*x.shape[:-1], self.count))
        v += self.known
        for k, theta in enumerate(self.thetas):
            v[..., theta.places[0]] = theta.law.value(x[..., k])
            for place in theta.places[1:]:
                v[..., place] = x[..., k]
        if z is not None:
            v[..., self.z] = z
            for level, walks, shape, steps in self.steps:
                held = steps.held(v[..., walks : walks + int(np.prod(shape))].reshape(*v.shape[:-1], *shape))
                v[..., level : level + shape[0]] = held
        return v[..., self.source]

    @cached_property
    def solver(self) -> Any:
        """Factor of B of all terms: as many as there are z, since each has one prior."""
        return splu(sparse.vstack([term.sums for term in self.terms]).tocsc())

    def standard(self, x: Floats, z: Floats) -> Floats:
        """z in units of its prior, (B z - mean) / (sd times the spread), shape (z,)."""
        v = self.values(x)
        return np.concatenate([term.rest(z, v) * np.sqrt(term.share(v)) for term in self.terms])

    def natural(self, x: Floats, y: Floats) -> Floats:
        """z (draw, z) from thetas (draw, theta) and z in units of their priors, (draw, z)."""
        v, first, found = self.values(x), 0, np.empty_like(y)
        for term in self.terms:
            here = slice(first, first + term.offset.size)
            spread = 1.0 if term.spread < 0 else v[..., term.spread, None]
            found[:, here], first = term.middle(v) + y[:, here] * (term.sd * spread), here.stop
        return np.asarray(self.solver.solve(np.ascontiguousarray(found.T)).T)

    def begin(self) -> Floats:
        """About the prior means of z, to begin with, shape (z,)."""
        total, times = np.zeros(self.z.size), np.zeros(self.z.size)
        for term in self.terms:
            total += term.sums.T @ term.offset
            times += np.asarray(term.sums.power(2).sum(axis=0)).ravel()
        return total / np.maximum(times, 1.0)

    def log_prior(self, x: Floats, z: Floats, v: Floats) -> Any:
        """The log prior density of theta and z up to a constant, shape (...,)."""
        of_thetas = (theta.law.log_density(x[..., k]) for k, theta in enumerate(self.thetas))
        return sum(of_thetas, np.zeros(x.shape[:-1])) + sum(term.log_density(z, v) for term in self.terms)
