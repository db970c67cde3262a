r"""Parameters: each kind once, as PyMC declares it, under its own name and in its own units.

A block declares one or a few parameters of a model. The PyMC graph is their density; which coordinates are sampled in
their place is a transform (`geometry`) and no part of it.

    Normal      x ~ N(mean, sd^2)
    OfFamily    x ~ a family of `priors`
    Scale       kappa = exp(x),   x ~ N(mean, sd^2)
    Spread      s ~ HalfNormal(S)
    Pooled      x_i ~ N(m_i, s^2),   m_i = base_i + slope_i mean            (see `populations`)
    Steps       x_i,t+1 = x_i,t + s_i e_i,t,   e ~ N(0, 1)                  (see `populations`)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from halfpoint.games.lazy_import import LazyModule
from halfpoint.games.table import Floats, Integers
from halfpoint.models.graph.layout import HIDDEN, LATENT
from halfpoint.models.graph.pymc_import import Node, pm, pt
from halfpoint.models.parts.priors import Normal as MeanAndSd
from halfpoint.models.parts.priors import Prior, family_of, is_family, number_pair
from halfpoint.models.rows import Values

geometry = LazyModule("halfpoint.models.graph.transforms")  # brings PyMC
_Role = Literal["parameter", "spread", "latent"]
type Numbers = float | Floats  # one for all, or one each
type Order = Integers | slice  # places of members


@dataclass(frozen=True, eq=False)
class GaussianPrior:
    """A normal prior given hyperparameters: A x - offset - slope v_mean ~ N(0, (sd v_spread)^2), in x's own order."""

    offset: Numbers = 0.0  # a number, or one of each value; likewise slope and sd
    sd: Numbers = 1.0
    slope: Numbers = 0.0
    mean: str = ""  # name of the number that the slope goes with
    spread: str = ""  # name of the spread
    whitening: Floats | None = None  # (value, value): A; the values themselves without it


@dataclass(frozen=True)
class Transition:
    """How periods follow one another: y_t+1 = share y_t + sd s e_t, e ~ N(0, 1), y = x - beside, s the spread."""

    spread: str  # name of the spread
    known: float | None = None  # the spread itself, where it is not learned
    share: float = 1.0  # of a period's value that is left in the next; 1 of a walk
    sd: float = 1.0
    beside: str = ""  # name of the values around which they move; y_1 ~ N(0, s^2) there
    # name of the means over the periods, or of the values at `begins`: its prior stands for that of y_1
    level: str = ""
    begins: Integers | None = None  # (member,): the period in which each one's value is the level
    pace: str = ""  # name of the logarithms of each member's spread over the common one, or of these by period

    def held(self, values: Any) -> Any:
        """What the level is of values (..., member, period): their mean, or the one at `begins`."""
        if self.begins is None:
            return values.mean(axis=-1)
        return values[..., np.arange(len(self.begins)), self.begins]

    def step_sds(self, p: Mapping[str, Floats], values: Floats, begin: slice) -> Floats:
        """Standard deviations of the steps that begin in some periods, (..., 1) or (..., period)."""
        spread = np.asarray(p.get(self.spread, self.known), dtype=np.float64) * self.sd
        spread = spread.reshape(spread.shape + (1,) * (np.ndim(values) - spread.ndim))
        if not self.pace:
            return spread
        pace = np.asarray(p[self.pace])
        return spread * np.exp(pace[..., begin] if pace.ndim == np.ndim(values) else pace[..., None])

    def innovations(self, name: str, p: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """First values and standardised steps of what is called so, shapes (...) and (..., period - 1)."""
        apart = np.asarray(p[name]) - (p[self.beside] if self.beside else 0.0)
        sds = self.step_sds(p, apart, slice(0, -1))
        return apart[..., 0] / sds[..., 0] * self.sd, (apart[..., 1:] - self.share * apart[..., :-1]) / sds

    def carried(self, name: str, p: Mapping[str, Floats], periods: int, seed: int | list[int]) -> Floats:
        """Values of what is called so with further periods, (..., period); those around which they move have them."""
        rng, values = np.random.default_rng(seed), np.asarray(p[name])
        count = values.shape[-1]
        apart = values[..., -1] - (p[self.beside][..., count - 1] if self.beside else 0.0)
        steps = rng.standard_normal((*apart.shape, periods))
        steps *= self.step_sds(p, values, slice(count - 1, count - 1 + periods))
        for period in range(periods):
            apart = self.share * apart + steps[..., period]
            steps[..., period] = apart
        further = steps + (p[self.beside][..., count:] if self.beside else 0.0)
        return np.concatenate([values, further], axis=-1)


@dataclass(frozen=True, eq=False)
class Hyperparameter:
    """A number that is not normal given the others, as a normal approximation takes it."""

    kind: Literal["spread", "scale", "number"]  # scale times e^x with a half-normal prior, e^x, or x itself
    mean: float  # of the normal prior of x; 0 of a spread
    sd: float  # likewise; of a spread the scale of its prior
    unit: Numbers  # about one posterior standard deviation of x

    def value(self, x: Any) -> Any:
        """The number at x, shape of x."""
        return self.sd * np.exp(x) if self.kind == "spread" else np.exp(x) if self.kind == "scale" else x

    def log_density(self, x: Any) -> Any:
        """Log prior density of x, shape of x."""
        if self.kind == "spread":
            return x - 0.5 * np.exp(2.0 * x) + 0.5 * np.log(2.0 / np.pi)
        return -0.5 * ((x - self.mean) / self.sd) ** 2 - np.log(self.sd) - 0.5 * np.log(2.0 * np.pi)


@dataclass(frozen=True, eq=False)
class Block:
    """A parameter of a model."""

    name: str  # name that users see
    label: str = ""  # what it is, in words, with its unit
    dims: tuple[str, ...] = ()  # dims of its values
    role: _Role = "parameter"  # a number to report, the spread of a population, or a player's own part of a population
    transition: Transition | None = None  # how its periods follow one another, where it has any

    random: ClassVar[bool] = True  # whether more than the games is needed to know it
    known: ClassVar[float | None] = None  # its value, where it is no random variable
    gathered: ClassVar[tuple[tuple[str, ...], Order] | None] = None  # names of others laid end to end, and the order

    @property
    def hidden(self) -> bool:
        """Whether it is part of another parameter and no trace keeps it."""
        return self.name.endswith(HIDDEN)

    @property
    def law(self) -> Transition:
        """How its periods follow one another, of a block that has them."""
        assert self.transition is not None
        return self.transition

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameter to the model in context and to `p`."""
        raise NotImplementedError

    @property
    def gaussian(self) -> GaussianPrior | None:
        """Its prior given hyperparameters, stated for the normal approximation; None where it is not normal."""
        return None

    @property
    def hyperparameter(self) -> Hyperparameter | None:
        """It as a hyperparameter of the normal approximation, where it may be one."""
        return None

    def behind(self, p: Mapping[str, Floats], blocks: "Sequence[Block]") -> dict[str, Floats]:
        """Values of the graph's variables behind what a trace keeps, where the blocks of a model are these."""
        return {}

    def apart(self, name: str, dim: str) -> "tuple[list[Block], tuple[str, ...], Order]":
        """Return it under another name, as a group of others: blocks, names of groups, place of each member in them."""
        return [replace(self, name=name, dims=(dim,))], (name,), slice(None)


def doubles(numbers: Sequence[float]) -> list[np.float64]:
    """Numbers as PyTensor takes them for doubles: of a plain 400.0 it makes a single, and its logarithm as precise."""
    return [np.float64(one) for one in numbers]


def register(name: str, value: Node, dims: tuple[str, ...] = ()) -> Node:
    """Record a derived value in the model in context under the parameter's name; hidden ones have a name alone."""
    if not name.endswith(HIDDEN):
        return pm.Deterministic(name, value, dims=dims or None)
    value.name = name
    return value


@dataclass(frozen=True, eq=False)
class Normal(Block):
    """Independent normal parameters, sampled in units of about one posterior standard deviation."""

    prior: MeanAndSd = (0.0, 1.0)  # mean and standard deviation
    unit: Numbers = 1.0  # about one posterior standard deviation
    # player whose axis is reflected onto the mean, where games see differences only, or hardly more
    pivot: int | None = None
    level: float = 0.0  # about one posterior standard deviation of that coordinate; the prior's if not given
    size: int = 1  # number of parameters, where they have a dim

    def plan(self) -> tuple[Floats, Floats]:
        """Centre and unit of the coordinates, each of the parameter's shape."""
        mean, sd = self.prior
        shape = (self.size,) if self.dims else ()
        centre, unit = np.full(shape, mean, dtype=np.float64), np.array(np.broadcast_to(self.unit, shape), dtype=float)
        if self.pivot is not None:
            centre[:] = 0.0
            centre[self.pivot] = np.sqrt(self.size) * mean
            unit[self.pivot] = self.level or sd
        return centre, unit

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameter to the model in context and to `p`."""
        units = geometry.Units(*self.plan(), self.pivot)
        p[self.name] = pm.Normal(self.name, *doubles(self.prior), dims=self.dims or None, transform=units)

    @property
    def gaussian(self) -> GaussianPrior:
        """See `Block`."""
        return GaussianPrior(*self.prior)

    @property
    def hyperparameter(self) -> Hyperparameter:
        """See `Block`."""
        return Hyperparameter("number", *self.prior, 2.0 * np.asarray(self.unit))


@dataclass(frozen=True, eq=False)
class _OfFamily(Block):
    """Independent parameters with a prior of a family that is not the normal one."""

    prior: Prior = ("student_t", 4.0, 0.0, 1.0)  # name of the family and its numbers, see `priors`
    # about one posterior standard deviation; of positive parameters the logarithm is sampled as it is
    unit: Numbers = 1.0

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameter to the model in context and to `p`."""
        family, numbers = family_of(self.prior)
        given = dict(zip(family.numbers, doubles(numbers), strict=True))
        distribution, dims = getattr(pm, family.distribution), self.dims or None
        if family.logarithm:  # of a positive variable
            p[self.name] = pt.log(distribution(f"{self.name}_exp{LATENT}", **given, dims=dims))
            p[self.name] = register(self.name, p[self.name], self.dims)
            return
        if family.positive:
            p[self.name] = distribution(self.name, **given, dims=dims)
            return
        units = geometry.Units(np.full(np.shape(self.unit), given["mu"]), self.unit)
        p[self.name] = distribution(self.name, **given, dims=dims, transform=units)

    def behind(self, p: Mapping[str, Floats], blocks: "Sequence[Block]") -> dict[str, Floats]:
        """See `Block`."""
        logarithm = family_of(self.prior)[0].logarithm
        return {f"{self.name}_exp{LATENT}": np.exp(p[self.name])} if logarithm else {}


def parameter(
    name: str,
    label: str,
    dims: tuple[str, ...] = (),
    *,
    prior: Prior,
    unit: Numbers = 1.0,
    pivot: int | None = None,
    level: float = 0.0,
    size: int = 1,
) -> Block:
    """Independent parameters with a normal prior (`Normal`), or one of another family, by what the prior says."""
    if is_family(prior):
        return _OfFamily(name, label, dims, prior=prior, unit=unit)
    return Normal(name, label, dims, prior=number_pair(prior), unit=unit, pivot=pivot, level=level, size=size)


@dataclass(frozen=True, eq=False)
class Following(Block):
    """Independent normal parameters sampled around a value that all of them follow; their density is unmoved by it."""

    prior: MeanAndSd = (0.0, 1.0)  # mean and standard deviation
    unit: Numbers = 1.0  # (player,): about one posterior standard deviation
    scale: str = ""  # the value followed is (1 - scale) (level - middle): how far a learned level moves all anchors
    level: str = ""  # likewise
    middle: float = 0.0  # see above, natural units

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameter to the model in context and to `p`."""
        (mean, sd), shift = doubles(self.prior), self.shift(p)
        units = geometry.Units(np.full(np.shape(self.unit), mean), self.unit)
        apart = pm.Normal(f"{self.name}{LATENT}", mean - shift, sd, dims=self.dims, transform=units)
        p[self.name] = register(self.name, apart + shift, self.dims)

    def shift[V: Values](self, p: Mapping[str, V]) -> V:
        """The value that all follow."""
        return (1 - p[self.scale]) * (p[self.level] - self.middle)

    def behind(self, p: Mapping[str, Floats], blocks: "Sequence[Block]") -> dict[str, Floats]:
        """See `Block`."""
        return {f"{self.name}{LATENT}": p[self.name] - self.shift(p)}

    @property
    def gaussian(self) -> GaussianPrior:
        """See `Block`."""
        return GaussianPrior(*self.prior)


@dataclass(frozen=True, eq=False)
class Scale(Block):
    """A positive parameter with a log-normal prior; `log_NAME` is sampled."""

    prior: MeanAndSd = (0.0, 1.0)  # mean and standard deviation of its logarithm
    unit: float = 1.0  # about one posterior standard deviation of its logarithm

    def declare(self, p: dict[str, Node]) -> None:
        """Add the parameter to the model in context and to `p`."""
        logarithm = Normal(f"log_{self.name}", prior=self.prior, unit=self.unit)
        logarithm.declare(p)
        p[self.name] = register(self.name, pt.exp(p[logarithm.name]))

    def behind(self, p: Mapping[str, Floats], blocks: "Sequence[Block]") -> dict[str, Floats]:
        """See `Block`."""
        return {f"log_{self.name}": np.log(p[self.name])}

    @property
    def hyperparameter(self) -> Hyperparameter:
        """See `Block`."""
        return Hyperparameter("scale", *self.prior, 4.0 * self.unit)


@dataclass(frozen=True, eq=False)
class Spread(Block):
    """A spread with a half-normal prior."""

    role: _Role = "spread"
    scale: float = 1.0  # scale of the prior, in the spread's own unit

    def declare(self, p: dict[str, Node]) -> None:
        """Add the spread to the model in context and to `p`."""
        units = geometry.LogUnits(self.scale)
        p[self.name] = pm.HalfNormal(self.name, *doubles((self.scale,)), default_transform=None, transform=units)

    @property
    def hyperparameter(self) -> Hyperparameter:
        """See `Block`."""
        return Hyperparameter("spread", 0.0, self.scale, 1.0)


@dataclass(frozen=True, eq=False)
class Known(Block):
    """A number that the games tell before anything is sampled."""

    random: ClassVar[bool] = False
    value: float = 0.0  # the number

    @property
    def known(self) -> float:  # type: ignore[override]
        """The number."""
        return self.value

    def behind(self, p: Mapping[str, Floats], blocks: "Sequence[Block]") -> dict[str, Floats]:
        """See `Block`."""
        return {self.name: np.asarray(self.value)}

    def declare(self, p: dict[str, Node]) -> None:
        """Add the number to the model in context and to `p`."""
        p[self.name] = register(self.name, pt.as_tensor_variable(np.float64(self.value)))


def spread_name(name: str, learned: bool) -> str:
    """Name of a spread: one that is not learned no trace keeps."""
    return name if learned else f"{name}{HIDDEN}"


def spread_of(name: str, label: str, value: float, learned: bool) -> Block:
    """Spread: learned with a half-normal prior of that scale, or that number itself."""
    return Spread(name, label, scale=value) if learned else Known(spread_name(name, learned), label, value=value)
