"""Parameters that hang on others: members of a population, groups in one order, walks around levels (see `blocks`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.models.blocks import Block, Spread, reflected, register
from halfpoint.models.graphs import pm, pt


@dataclass(frozen=True, eq=False)
class Pooled(Block):
    """Parameters of a population: normal around a mean that may differ and be learned, with a learned spread."""

    mean: str = ""  # name of the learned number in the mean; none for a known mean
    spread: str = ""  # name of the spread
    unit: Any = 1.0  # (member,): about one posterior standard deviation of each
    base: Any = 0.0  # (member,): the mean is base + slope times the learned number
    slope: Any = 1.0  # likewise
    centring: Any = 0.0  # (member,): w: 0 non-centred, 1 centred
    centre: Any = 0.0  # (member,): a number near the values
    pivot: int | None = None  # member whose axis is reflected onto the mean, where games see differences only
    times: Any = 1.0  # (member,): the standard deviation of a member is that many spreads

    def law(self, family: str) -> str:
        """See `Block`."""
        base, slope = np.unique(np.round(self.base, 9)), np.unique(np.round(self.slope, 9))
        mean = f"{base[0]:.4g}" if base.size == 1 and base[0] else ("" if base.size == 1 else "base")
        times = "" if slope.size == 1 and slope[0] == 1 else (f"{slope[0]:.4g} " if slope.size == 1 else "slope ")
        spread = self.spread if np.ndim(self.times) == 0 else f"error {self.spread}"
        around = " + ".join(filter(None, (mean, self.mean and times + self.mean))) or "0"
        return f"~ {family}({around}, {spread})"

    def plan(self) -> tuple[Floats, Floats, Floats, Floats, Any]:
        """Return unit, offset, slope and centring of the coordinates, shape (member,), and what is added in the end."""
        unit = np.asarray(self.unit, dtype=np.float64)
        base, slope, centring = (
            np.array(np.broadcast_to(value, unit.shape), dtype=np.float64)
            for value in (self.base, self.slope, self.centring)
        )
        offset = base - self.centre
        if self.pivot is None:
            return unit, offset, slope, centring, self.centre
        size, here = unit.size, np.arange(unit.size) == self.pivot
        offset, slope = (np.where(here, np.sqrt(size) * one[self.pivot], 0.0) for one in (offset, slope))
        return unit, offset, slope, np.where(here, 0.0, centring), self.centre

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameters to the model in context and to `p`."""
        unit, offset, slope, centring, centre = self.plan()
        weight = pm.Data(f"{self.name}_centring", centring, dims=self.dims or None)
        middle = (offset + slope * (p[self.mean] if self.mean else 0.0)) / unit
        width = pt.log(p[self.spread]) - np.log(unit / self.times)
        shape: dict[str, Any] = {"dims": self.dims or None, "shape": unit.shape}
        raw = pm.Normal(f"{self.name}_raw", weight * middle, pt.exp(weight * width), **shape)
        value = unit * (middle + pt.exp((1.0 - weight) * width) * (raw - weight * middle))
        p[self.name] = register(self.name, centre + reflected(value, self.pivot, unit.size), self.dims)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinates at which the parameters have these values."""
        unit, offset, slope, centring, centre = self.plan()
        value = reflected(np.asarray(p[self.name], dtype=np.float64) - centre, self.pivot, unit.size)
        middle = (offset + slope * (p[self.mean] if self.mean else 0.0)) / unit
        width = p[self.spread] * self.times / unit
        return np.asarray(centring * middle + (value / unit - middle) / width ** (1.0 - centring))


def members(
    name: str, label: str, scale: float, whole: str = "", dims: tuple[str, ...] = ("player",), **about: Any
) -> list[Block]:
    """Return the parameters of a population: `NAME_spread`, of a half-normal prior of that scale, and `NAME`."""
    spread = Spread(f"{name}_spread", f"spread of {whole or f'the {label}'}", scale=scale)
    return [spread, Pooled(name, label, dims, spread=spread.name, **about)]


@dataclass(frozen=True, eq=False)
class Horseshoe(Block):
    """Parameters most of which are near 0 and some are not: x_i = s l_i z_i, z_i ~ N(0, 1), l_i ~ half-Cauchy(1).

    Carvalho, Polson & Scott (2010) Biometrika 97:465.
    """

    words = "= {0.spread} l z, l and z of {family}"
    spread: str = ""  # name of s, the spread of all

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameters to the model in context and to `p`."""
        local = pm.HalfCauchy(f"{self.name}_local_raw", 1.0, dims=self.dims)
        raw = pm.Normal(f"{self.name}_raw", 0.0, 1.0, dims=self.dims)
        p[self.name] = register(self.name, p[self.spread] * local * raw, self.dims)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return coordinates at which the parameters have these values: those with every l at 1."""
        value = np.asarray(p[self.name], dtype=np.float64)
        return np.concatenate([np.zeros(value.size), value / p[self.spread]])


@dataclass(frozen=True, eq=False)
class Gathered(Block):
    """Parameters of several groups in one order."""

    groups: tuple[str, ...] = ()  # names of the groups' parameters
    order: Any = None  # (member,): place of each member among the groups laid end to end

    def law(self, family: str) -> str:
        """See `Block`."""
        return f"= {' and '.join(self.groups)}"

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameters to the model in context and to `p`."""
        value = pt.concatenate([p[name] for name in self.groups])[self.order]
        p[self.name] = register(self.name, value, self.dims)

    def of_itself(self, p: Mapping[str, Any], blocks: Sequence[Block]) -> dict[str, Any]:
        """See `Block`."""
        named: dict[str, Any] = {other.name: other for other in blocks}
        sizes = [np.size(named[group].unit) for group in self.groups]
        laid = np.empty(self.order.size)
        laid[self.order] = p[self.name]
        return dict(zip(self.groups, np.split(laid, np.cumsum(sizes)[:-1]), strict=True))

    def apart(self, name: str, dim: str) -> tuple[list[Block], tuple[str, ...], Any]:
        """See `Block`."""
        return [], self.groups, self.order

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return no coordinate: the groups have them."""
        return np.zeros(0)


@dataclass(frozen=True, eq=False)
class Steps(Block):
    """Walks around levels: x_i = level_i + spread_i M' z_i, z ~ N(0, 1), dims (player, period), or period alone."""

    level: str = ""  # names of the levels and of the spread of a step
    spread: str = ""  # likewise
    matrix: Any = None  # (step, period): M
    raw: str = "step_raw"  # name of z
    pace: str = ""  # name of the logarithms of each player's spread over `spread`; nobody's differs without it

    def law(self, family: str) -> str:
        """See `Block`."""
        own = f" exp({self.pace})" if self.pace else ""
        return f"= {self.level} + sum of steps ~ {family}(0, {self.spread}{own})"

    def spreads(self, p: Mapping[str, Any]) -> Any:
        """Return the spread of a step, of all or of each player, shape (player, 1)."""
        return p[self.spread] * np.exp(p[self.pace])[..., None] if self.pace else p[self.spread]

    def declare(self, p: dict[str, Any]) -> None:
        """Add the walks to the model in context and to `p`."""
        steps = pm.Normal(self.raw, 0.0, 1.0, dims=(*self.dims[:-1], "innovation"))
        value = pt.expand_dims(p[self.level], -1) + self.spreads(p) * (steps @ self.matrix)
        p[self.name] = register(self.name, value, self.dims)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinates at which the walks have these values."""
        around = (np.asarray(p[self.name]) - np.asarray(p[self.level])[..., None]) / self.spreads(p)
        return np.asarray(around @ np.linalg.pinv(self.matrix))


def inverted(blocks: list[Block], p: Mapping[str, Any]) -> Floats:
    """Return the coordinates at which all parameters of a model have these values, shape (coordinate,)."""
    values: dict[str, Any] = {}
    for block in blocks:
        values |= block.of_itself(p, blocks)
    values |= p
    return np.concatenate([np.ravel(block.invert(values)) for block in blocks])
