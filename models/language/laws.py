r"""Laws of the variables of a model's graph as numbers: each given the other variables, and from period to period.

    GaussianRows     sums of values ~ N(0, (sd v_spread)^2), x - mean of a normal variable for instance
    Hyperparameter   a spread with a half-normal prior, a scale e^x, a number, or a positive number with its own density
    Transition       y_t+1 = share y_t + sd s e_t,    e ~ N(0, 1),    y = x - beside

These records are read from a graph (`halfpoint.models.reading.read_laws`); traces keep transitions, so that a walk
continues past its last period without PyMC.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.rows.days import DayLaw

if TYPE_CHECKING:
    from halfpoint.models.reading.sparse_affine import SparseAffine

type Numbers = float | Floats  # one for all, or one each
type Order = Integers | slice  # places of members


@dataclass(frozen=True, eq=False)
class GaussianRows:
    """Sums of values that are independent and normal around 0 given hyperparameters, with sd times a spread."""

    form: "SparseAffine"  # sparse sums of the values of a layout (`sparse_affine`), (row,)
    sd: Floats  # (row,)
    spread: str = ""  # name of the spread; none where sd is all

    @property
    def middle(self) -> Floats:
        """Constant part of the mean, (row,)."""
        numbers = [np.ravel(c) for c, index in self.form.terms if not index]
        return np.asarray(-sum(numbers, np.zeros(self.sd.size)))


@dataclass(frozen=True)
class Transition:
    """Law from one period to the next: y_t+1 = share y_t + sd s e_t, e ~ N(0, 1), y = x - beside, s the spread."""

    spread: str  # name of the spread
    known: float | None = None  # the spread itself, where it is not learned
    share: float = 1.0  # of a period's value that is left in the next; 1 of a walk
    sd: float = 1.0
    beside: str = ""  # name of the values around which they move; y_1 ~ N(0, s^2) there
    # name of the means over the periods, or of the values at `begins`: its prior is used for y_1
    level: str = ""
    begins: Integers | None = None  # (member,): the period in which each one's value is the level
    pace: str = ""  # name of the logarithms of each member's spread over the common one, or of these by period

    @property
    def as_record(self) -> dict[str, object]:
        """Law as numbers and texts, without `begins`, which is needed for past periods only."""
        return {name: value for name, value in asdict(replace(self, begins=None)).items() if value is not None}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Law from a record; `TypeError` or `ValueError` if the record is not valid."""
        names = {field.name for field in fields(cls)} - {"begins"}
        if not set(record) <= names or not isinstance(record.get("spread"), str):
            raise TypeError("a transition with wrong fields")
        for name, value in record.items():
            number = name in ("known", "share", "sd")
            if not isinstance(value, (int | float) if number else str) or (number and not np.isfinite(value)):
                raise TypeError(f"a transition with an invalid {name}")
        return cls(**record)

    def held(self, values: Any) -> Any:
        """Level of values (..., member, period): their mean, or the value at `begins`."""
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
        """First values and standardised steps of the named variable, shapes (...) and (..., period - 1)."""
        deviation = np.asarray(p[name]) - (p[self.beside] if self.beside else 0.0)
        sds = self.step_sds(p, deviation, slice(0, -1))
        return deviation[..., 0] / sds[..., 0] * self.sd, (deviation[..., 1:] - self.share * deviation[..., :-1]) / sds

    def carry_forward(self, name: str, p: Mapping[str, Floats], periods: int, seed: int | list[int]) -> Floats:
        """Values of the named variable with further periods, (..., period); their centre has these periods already."""
        rng, values = np.random.default_rng(seed), np.asarray(p[name])
        count = values.shape[-1]
        deviation = values[..., -1] - (p[self.beside][..., count - 1] if self.beside else 0.0)
        steps = rng.standard_normal((*deviation.shape, periods))
        steps *= self.step_sds(p, values, slice(count - 1, count - 1 + periods))
        for period in range(periods):
            deviation = self.share * deviation + steps[..., period]
            steps[..., period] = deviation
        further = steps + (p[self.beside][..., count:] if self.beside else 0.0)
        return np.concatenate([values, further], axis=-1)


def between(x: Any, limits: tuple[float, float]) -> tuple[Any, Any]:
    """Numbers between two limits at real numbers x, and the logarithm of their slope, both of the shape of x.

    With one limit their distance from it is e^x; with two limits their share of the way is the logistic function of x.
    """
    low, high = limits
    if np.isinf(high):
        return low + np.exp(x), x
    if np.isinf(low):
        return high - np.exp(x), x
    share = 1.0 / (1.0 + np.exp(-np.asarray(x)))
    return low + (high - low) * share, np.log(high - low) - np.logaddexp(0.0, x) - np.logaddexp(0.0, -np.asarray(x))


@dataclass(frozen=True, eq=False)
class Hyperparameter:
    """Parameter that is not normal given the others, as the normal approximation treats it."""

    # scale times e^x, e^x, x itself, e^x of another density, a number between limits by the logistic function of x
    kind: Literal["spread", "scale", "number", "positive", "bounded"]
    mean: float  # of the normal prior of x; 0 of a spread
    sd: float  # likewise; of a spread the scale of its half-normal prior
    unit: Numbers  # about one posterior standard deviation of x
    density: Callable[[Floats], Floats] | None = (
        None  # log density of the number, where it is neither normal nor half-normal
    )
    limits: tuple[float, float] = (-np.inf, np.inf)  # of a bounded number; one of them may be infinite

    def value(self, x: Any) -> Any:
        """Value at x, shape of x."""
        if self.kind == "spread":
            return self.sd * np.exp(x)
        if self.kind == "bounded":
            return between(x, self.limits)[0]
        return np.exp(x) if self.kind in ("scale", "positive") else x

    def log_density(self, x: Any) -> Any:
        """Log prior density of x, shape of x."""
        if self.density is not None:
            if self.kind == "bounded":
                value, log_slope = between(x, self.limits)
                return self.density(value) + log_slope
            return self.density(self.value(x)) + (x if self.kind == "positive" else 0.0)
        if self.kind == "spread":
            return x - 0.5 * np.exp(2.0 * x) + 0.5 * np.log(2.0 / np.pi)
        return -0.5 * ((x - self.mean) / self.sd) ** 2 - np.log(self.sd) - 0.5 * np.log(2.0 * np.pi)


@dataclass(frozen=True, eq=False)
class Law:
    """Variable of a model, and its law given the others if it is of a kind above."""

    name: str
    dims: tuple[str, ...] = ()
    free: bool = True  # whether it is a random variable; False where others make it
    role: Literal["parameter", "spread", "latent"] = "parameter"  # a number to report, a spread, a group's own numbers
    gaussian: tuple[GaussianRows, ...] = ()  # its normal law given others
    hyperparameter: Hyperparameter | None = None
    transition: Transition | None = None
    days: DayLaw | None = None  # how its states by days follow one another
    known: Floats | None = None  # its values, where no parameter moves it
    made: "SparseAffine | None" = (
        None  # of what others make: a sparse sum of their values (`sparse_affine`), where it is one
    )
    log_of: str = ""  # name of the scale whose logarithm it is
    part_of: str = ""  # name of the variable that it is the latent part of
    beside: Callable[[Floats], Floats] | None = (
        None  # log density of its values, (value,) -> (value,), where its normal law only accompanies it
    )
    parents: frozenset[str] = frozenset()  # names of the other variables in its law
    unread: str = ""  # why no kind says its law, in words

    @property
    def hidden(self) -> bool:
        """True if it is part of another variable and not saved in the trace."""
        return self.name.endswith("_") or self.name.endswith("_noncentred")

    @property
    def random(self) -> bool:
        """True if it is not a known number."""
        return self.known is None
