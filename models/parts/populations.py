"""Parameters that hang on others: members of a population, groups in one order, walks around levels (see `blocks`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from halfpoint.games.table import Floats, Integers
from halfpoint.models.graph.layout import LATENT
from halfpoint.models.graph.pymc_import import Node, pm, pt
from halfpoint.models.parts.blocks import Block, GaussianPrior, Numbers, Order, Spread, geometry, register


@dataclass(frozen=True, eq=False)
class Pooled(Block):
    """Parameters of a population: normal around a mean that may differ and be learned, with a learned spread."""

    mean: str = ""  # name of the learned number in the mean; none for a known mean
    spread: str = ""  # name of the spread
    unit: Numbers = 1.0  # (member,): about one posterior standard deviation of each
    base: Numbers = 0.0  # (member,): the mean is base + slope times the learned number
    slope: Numbers = 1.0  # likewise
    centring: Numbers = 0.0  # (member,): w: 0 non-centred, 1 centred
    shrunk: bool = False  # whether the spread says how far each is centred, and w is 0
    centre: Numbers = 0.0  # (member,): a number near the values
    pivot: int | None = None  # member whose axis is reflected onto the mean, where games see differences only
    times: Numbers = 1.0  # (member,): the standard deviation of a member is that many spreads

    @property
    def weights(self) -> Floats:
        """How far each member is sampled centred, shape (member,); the pivot's axis, the mean of all, is not."""
        unit = np.asarray(self.unit, dtype=np.float64)
        found = np.array(np.broadcast_to(self.centring, unit.shape), dtype=np.float64)
        return found if self.pivot is None else np.where(np.arange(unit.size) == self.pivot, 0.0, found)

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameters to the model in context and to `p`."""
        base, slope, times = (_collapse_equal(one) for one in (self.base, self.slope, self.times))
        learned = p[self.mean] if self.mean else 0.0
        learned = learned if np.ndim(slope) == 0 and slope == 1.0 else slope * learned
        mean = learned + base if np.any(base) or not self.mean else learned
        sd = p[self.spread] if np.ndim(times) == 0 and times == 1.0 else times * p[self.spread]
        unit = np.asarray(self.unit, dtype=np.float64)
        kind = geometry.Shrunk if self.shrunk else geometry.PartlyCentred
        coordinates = kind(self.centre, unit, self.weights, self.pivot)
        dims, shape = (self.dims, None) if self.dims else (None, unit.shape)
        p[self.name] = pm.Normal(self.name, mean, sd, dims=dims, shape=shape, transform=coordinates)

    @property
    def gaussian(self) -> GaussianPrior:
        """See `Block`."""
        return GaussianPrior(self.base, self.times, self.slope if self.mean else 0.0, self.mean, self.spread)


def _collapse_equal(values: Numbers) -> Numbers:
    """Values as one number where all are alike, shape () or as they are."""
    found = np.asarray(values, dtype=np.float64)
    return found if found.ndim == 0 or not found.size or np.any(found != found.flat[0]) else found.flat[0]


def members(pooled: Pooled, scale: float, whole: str = "") -> list[Block]:
    """The parameters of a population: `NAME_spread`, of a half-normal prior of that scale, and `NAME`."""
    spread = Spread(f"{pooled.name}_spread", f"spread of {whole or f'the {pooled.label}'}", scale=scale)
    return [spread, replace(pooled, spread=spread.name)]


@dataclass(frozen=True, eq=False)
class Horseshoe(Block):
    """Parameters most of which are near 0 and some are not: x_i = s l_i z_i, z_i ~ N(0, 1), l_i ~ half-Cauchy(1).

    Carvalho, Polson & Scott (2010) Biometrika 97:465.
    """

    spread: str = ""  # name of s, the spread of all

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameters to the model in context and to `p`."""
        local = pm.HalfCauchy(f"{self.name}_local{LATENT}", 1.0, dims=self.dims)
        standard = pm.Normal(f"{self.name}{LATENT}", 0.0, 1.0, dims=self.dims)
        p[self.name] = register(self.name, p[self.spread] * local * standard, self.dims)

    def behind(self, p: Mapping[str, Floats], blocks: Sequence[Block]) -> dict[str, Floats]:
        """See `Block`; every l is 1."""
        standard = np.asarray(p[self.name]) / p[self.spread]
        return {f"{self.name}_local{LATENT}": np.ones(standard.shape), f"{self.name}{LATENT}": standard}


@dataclass(frozen=True, eq=False)
class Gathered(Block):
    """Parameters of several groups in one order."""

    groups: tuple[str, ...] = ()  # names of the groups' parameters
    # (member,): place of each member among the groups laid end to end
    order: Integers = field(default_factory=lambda: np.arange(0))

    @property
    def gathered(self) -> tuple[tuple[str, ...], Order]:  # type: ignore[override]
        """See `Block`."""
        return self.groups, self.order

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameters to the model in context and to `p`."""
        value = pt.concatenate([p[name] for name in self.groups])[self.order]
        p[self.name] = register(self.name, value, self.dims)

    def behind(self, p: Mapping[str, Floats], blocks: Sequence[Block]) -> dict[str, Floats]:
        """See `Block`."""
        named: dict[str, Any] = {other.name: other for other in blocks}
        sizes = [np.size(named[group].unit) for group in self.groups]
        laid = np.empty(self.order.size)
        laid[self.order] = p[self.name]
        return dict(zip(self.groups, np.split(laid, np.cumsum(sizes)[:-1]), strict=True))

    def apart(self, name: str, dim: str) -> tuple[list[Block], tuple[str, ...], Order]:
        """See `Block`."""
        return [], self.groups, self.order


@dataclass(frozen=True, eq=False)
class Steps(Block):
    """Walks around levels: x_i = level_i + M' spread_i z_i, z ~ N(0, 1), dims (player, period), or period alone."""

    matrix: Floats = field(default_factory=lambda: np.eye(0))  # (step, period): M
    standard: str = "step"  # z is called so, NAME_noncentred; where there are paces spread_i z_i is
    unit: Numbers = 1.0  # (player, step): what games alone would tell of steps, where there are paces

    def declare(self, p: dict[str, Node]) -> None:
        """Add the walks to the model in context and to `p`."""
        law, name, dims = self.law, f"{self.standard}{LATENT}", (*self.dims[:-1], "innovation")
        if law.pace:
            paces = p[law.pace]  # of each player, or of their periods
            spreads = p[law.spread] * np.exp(paces[..., :-1] if paces.ndim == len(dims) else paces[..., None])
            seen = geometry.Shrunk(0.0, self.unit, 0.0)
            moved = pm.Normal(name, 0.0, spreads, dims=dims, transform=seen) @ self.matrix
        else:
            walks = pm.Normal(name, 0.0, 1.0, dims=dims) @ self.matrix
            if law.begins is not None:
                walks = walks - pt.expand_dims(law.held(walks), -1)
            moved = p[law.spread] * walks
        value = pt.expand_dims(p[law.level], -1) + moved
        p[self.name] = register(self.name, value, self.dims)

    def behind(self, p: Mapping[str, Floats], blocks: Sequence[Block]) -> dict[str, Floats]:
        """See `Block`."""
        around = np.asarray(p[self.name]) - np.asarray(p[self.law.level])[..., None]
        if self.law.begins is not None:  # the matrix has the mean removed
            around = around - around.mean(axis=-1, keepdims=True)
        steps = around @ np.linalg.pinv(self.matrix)
        return {f"{self.standard}{LATENT}": steps if self.law.pace else steps / p[self.law.spread]}
