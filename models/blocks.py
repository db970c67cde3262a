r"""Parameters and how they are sampled: each kind once, as a PyMC graph, which compiled code is read off (`layout`).

A block declares one or a few parameters of a model. Its density is that of the parameters' own values; which
coordinates are sampled in their place is a choice of geometry and no part of the density.

    Normal      x = centre + unit raw,                       x ~ N(mean, sd^2)
    OfFamily    x = centre + unit raw, or raw,               x ~ a family of `priors`
    Scale       kappa = exp(x),                              x ~ N(mean, sd^2)
    Pooled      x_i ~ N(m_i, s^2), s ~ HalfNormal(S),        m_i = base_i + slope_i mean
    Walk        x_i,t+1 = x_i,t + s_i e_i,t, e ~ N(0, 1)     (see `strength`, `volatility`)

Pooled parameters are sampled partly centred: with u_i about one posterior standard deviation, w_i between 0 (z_i is
sampled: games hardly move x_i) and 1 (x_i is sampled: games fix it),

    y_i ~ N(w_i m_i', (s / u_i)^(2 w_i)),     x_i = c + u_i (m_i' + (s / u_i)^(1 - w_i) (y_i - w_i m_i')),

m_i' = (m_i - c) / u_i, w_i = S0^2 / (S0^2 + u_i^2), S0 a first guess of s.

Reflection. Where few opponents are anchored, or none, the games see differences and hardly a level. Strengths are then
sampled as y = H x, H the Householder reflection that takes the pivot's axis to the mean: y_pivot = sqrt(n) mean(x),
which no game between players sees, and n - 1 contrasts, which the games fix. H is orthonormal and its own inverse, so
equal independent normal priors stay so.

Papaspiliopoulos, Roberts & Skold (2007) Stat. Sci. 22:59 and Gorinova, Moore & Hoffman (2020) ICML for partly centred
coordinates; Householder (1958) J. ACM 5:339.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.models.graphs import pm, pt
from halfpoint.models.layout import HIDDEN
from halfpoint.models.priors import Normal as MeanAndSd
from halfpoint.models.priors import Prior, family_of, is_family

Role = Literal["parameter", "spread", "latent"]
FOLLOWS = "~ {family}({0.prior[0]:.4g}, {0.prior[1]:.4g})"  # a normal prior


@dataclass(frozen=True, eq=False)
class Block:
    """A parameter of a model."""

    name: str  # name that users see
    label: str = ""  # what it is, in words, with its unit
    dims: tuple[str, ...] = ()  # dims of its values
    role: Role = "parameter"  # a number to report, the spread of a population, or a player's own part of a population

    words: ClassVar[str] = ""  # its law, of the block and of a family
    random: ClassVar[bool] = True  # whether more than the games is needed to know it

    @property
    def hidden(self) -> bool:
        """Whether it is part of another parameter and no trace keeps it."""
        return self.name.endswith(HIDDEN)

    def law(self, family: str) -> str:
        """Return what its values follow, or are made of, as a statistician writes it; `family` is what it declares."""
        return self.words.format(self, family=family)

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameter to the model in context and to `p`."""
        raise NotImplementedError

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinates at which the parameters have these values."""
        raise NotImplementedError

    def of_itself(self, p: Mapping[str, Any], blocks: "Sequence[Block]") -> dict[str, Any]:
        """Return further values that follow from what a trace keeps, where the blocks of a model are these."""
        return {}

    def apart(self, name: str, dim: str) -> "tuple[list[Block], tuple[str, ...], Any]":
        """Return it under another name, as a group of others: blocks, names of groups, place of each member in them."""
        return [replace(self, name=name, dims=(dim,))], (name,), slice(None)


def reflected(values: Any, pivot: int | None, size: int) -> Any:
    """Return x - v (2 v'x / v'v), a node or array (..., size), v such that the pivot's axis goes to the mean."""
    if pivot is None:
        return values
    v = np.full(size, -1.0 / np.sqrt(size))
    v[pivot] += 1.0
    v = v if size > 1 else np.zeros(1)
    scale = 2.0 / max(float(v @ v), 1e-300)
    return values - ((values * v).sum(axis=-1) * scale)[..., None] * v


def register(name: str, value: Any, dims: tuple[str, ...] = ()) -> Any:
    """Record a value in the model in context under the parameter's name; hidden ones have a name and no record."""
    if not name.endswith(HIDDEN):
        return pm.Deterministic(name, value, dims=dims or None)
    value.name = name
    return value


@dataclass(frozen=True, eq=False)
class Normal(Block):
    """Independent normal parameters, sampled in units of about one posterior standard deviation."""

    words = FOLLOWS
    prior: MeanAndSd = (0.0, 1.0)  # mean and standard deviation
    unit: Any = 1.0  # about one posterior standard deviation
    # player whose axis is reflected onto the mean, where games see differences only, or hardly more
    pivot: int | None = None
    level: float = 0.0  # about one posterior standard deviation of that coordinate; the prior's if not given
    size: int = 1  # number of parameters, where they have a dim

    def plan(self) -> tuple[Floats, Floats]:
        """Return centre and unit of the coordinates, each of the parameter's shape."""
        mean, sd = self.prior
        shape = (self.size,) if self.dims else ()
        centre, unit = np.full(shape, mean, dtype=np.float64), np.array(np.broadcast_to(self.unit, shape), dtype=float)
        if self.pivot is not None:
            centre[:] = 0.0
            centre[self.pivot] = np.sqrt(self.size) * mean
            unit[self.pivot] = self.level or sd
        return centre, unit

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameter to the model in context and to `p`."""
        centre, unit = self.plan()
        raw = pm.Normal(f"{self.name}_raw", 0.0, self.prior[1] / unit, dims=self.dims or None)
        p[self.name] = register(self.name, reflected(centre + unit * raw, self.pivot, self.size), self.dims)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinates at which the parameters have these values."""
        centre, unit = self.plan()
        value = reflected(np.asarray(p[self.name], dtype=np.float64), self.pivot, self.size)
        return np.asarray((value - centre) / unit)


@dataclass(frozen=True, eq=False)
class OfFamily(Block):
    """Independent parameters with a prior of a family that is not the normal one."""

    prior: Prior = ("student_t", 4.0, 0.0, 1.0)  # name of the family and its numbers, see `halfpoint.models.priors`
    unit: Any = 1.0  # about one posterior standard deviation; of positive parameters the logarithm is sampled as it is

    def law(self, family: str) -> str:
        """See `Block`."""
        _, numbers = family_of(self.prior)
        law = f"{family}({', '.join(f'{number:.4g}' for number in numbers)})"
        return f"= log x, x ~ {law}" if family_of(self.prior)[0].logarithm else f"~ {law}"

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameter to the model in context and to `p`."""
        family, numbers = family_of(self.prior)
        given: dict[str, Any] = dict(zip(family.numbers, numbers, strict=True))
        centre, unit = given.get("mu", 0.0), self.unit
        if family.positive:
            unit = 1.0
        else:  # raw = (x - centre) / unit
            scale = family.numbers[-1]
            given |= {"mu": 0.0, scale: given[scale] / np.asarray(unit)}
        raw = getattr(pm, family.distribution)(f"{self.name}_raw", **given, dims=self.dims or None)
        value = pt.log(raw) if family.logarithm else centre + unit * raw
        p[self.name] = register(self.name, value, self.dims)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinates at which the parameters have these values."""
        family, numbers = family_of(self.prior)
        value = np.asarray(p[self.name], dtype=np.float64)
        if family.positive:
            return value if family.logarithm else np.log(value)
        return np.asarray((value - dict(zip(family.numbers, numbers, strict=True))["mu"]) / self.unit)


def parameter(name: str, label: str, dims: tuple[str, ...] = (), **about: Any) -> Block:
    """Return independent parameters with a normal prior, or one of another family, by what the prior says."""
    if is_family(about["prior"]):
        kept = {key: about[key] for key in ("prior", "unit") if key in about}
        return OfFamily(name, label, dims, **kept)
    return Normal(name, label, dims, **about)


@dataclass(frozen=True, eq=False)
class Following(Block):
    """Independent normal parameters sampled around a value that all of them follow; their density is unmoved by it."""

    words = FOLLOWS
    prior: MeanAndSd = (0.0, 1.0)  # mean and standard deviation
    unit: Any = 1.0  # (player,): about one posterior standard deviation
    scale: str = ""  # the value followed is (1 - scale) (level - middle): how far a learned level moves all anchors
    level: str = ""  # likewise
    middle: float = 0.0  # see above, natural units

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameter to the model in context and to `p`."""
        mean, sd = self.prior
        shift = (1 - p[self.scale]) * (p[self.level] - self.middle)
        raw = pm.Normal(f"{self.name}_raw", -shift / self.unit, sd / self.unit, dims=self.dims)
        p[self.name] = register(self.name, mean + shift + self.unit * raw, self.dims)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinates at which the parameters have these values."""
        shift = (1 - p[self.scale]) * (p[self.level] - self.middle)
        return np.asarray((p[self.name] - self.prior[0] - shift) / self.unit)


@dataclass(frozen=True, eq=False)
class Scale(Block):
    """A positive parameter with a log-normal prior; `log_NAME` is sampled."""

    words = f"= exp(x), x {FOLLOWS}"
    prior: MeanAndSd = (0.0, 1.0)  # mean and standard deviation of its logarithm
    unit: float = 1.0  # about one posterior standard deviation of its logarithm

    def declare(self, p: dict[str, Any]) -> None:
        """Add the parameter to the model in context and to `p`."""
        logarithm = Normal(f"log_{self.name}", prior=self.prior, unit=self.unit)
        logarithm.declare(p)
        p[self.name] = register(self.name, pt.exp(p[logarithm.name]))

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinate at which the parameter has this value."""
        return np.asarray((np.log(p[self.name]) - self.prior[0]) / self.unit)


@dataclass(frozen=True, eq=False)
class Spread(Block):
    """A spread with a half-normal prior."""

    words = "~ {family}({0.scale:.4g})"
    role: Role = "spread"
    scale: float = 1.0  # scale of the prior, in the spread's own unit

    def declare(self, p: dict[str, Any]) -> None:
        """Add the spread to the model in context and to `p`."""
        p[self.name] = register(self.name, pm.HalfNormal(f"{self.name}_raw", 1.0) * self.scale)

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return the coordinate at which the spread has this value."""
        return np.log(np.asarray(p[self.name], dtype=np.float64) / self.scale)


@dataclass(frozen=True, eq=False)
class Known(Block):
    """A number that the games tell before anything is sampled."""

    words = "= {0.value:.4g}"
    random: ClassVar[bool] = False
    value: float = 0.0  # the number

    def of_itself(self, p: Mapping[str, Any], blocks: "Sequence[Block]") -> dict[str, Any]:
        """See `Block`."""
        return {self.name: self.value}

    def declare(self, p: dict[str, Any]) -> None:
        """Add the number to the model in context and to `p`."""
        p[self.name] = register(self.name, pt.as_tensor_variable(np.float64(self.value)))

    def invert(self, p: Mapping[str, Any]) -> Floats:
        """Return no coordinate."""
        return np.zeros(0)


def spread_of(name: str, label: str, value: float, learned: bool) -> Block:
    """Return a spread: learned with a half-normal prior of that scale, or that number itself, which no trace keeps."""
    return Spread(name, label, scale=value) if learned else Known(f"{name}{HIDDEN}", label, value=value)
