r"""Priors by a word: a mean and a standard deviation of a normal one, or the name of a family and its numbers.

    (15.0, 2.0)                        normal: mean, standard deviation
    ("student_t", 4.0, 15.0, 2.0)      degrees of freedom, centre, scale
    ("laplace", 15.0, 2.0)             centre, scale
    ("gamma", 2.0, 0.5)                shape, rate                      > 0
    ("exponential", 0.5)               rate                             > 0
    ("half_normal", 2.0)               scale                            > 0
    ("log_gamma", 2.0, 0.5)            the logarithm of a gamma variable: shape, rate (Caron & Doucet 2012)

    ("horseshoe", 0.1)                 scale of the half-normal prior of the spread; of tendencies (`draw_parameter`)

Numbers are in the parameter's own unit. The density is PyMC's, on its graph and in compiled code alike: another family
is another line of `FAMILIES`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from halfpoint.games.lazy_import import LazyModule
from halfpoint.models.errors import ModelError

_stats = LazyModule("scipy.stats")  # brings SciPy's distributions, a second
Normal = tuple[float, float]  # mean and standard deviation, in the parameter's own unit
Prior = tuple[float, float] | tuple[str | float, ...]


@dataclass(frozen=True)
class _Family:
    """A family of priors."""

    distribution: str  # name of its distribution in PyMC
    # names of its numbers there, in the order in which a prior says them; centre and scale last where it has both
    numbers: tuple[str, ...]
    of: Callable[..., Any]  # numbers -> the distribution in SciPy, of the parameter itself
    positive: bool = False  # whether its parameters are positive, and their logarithm is sampled
    logarithm: bool = False  # whether the parameter is the logarithm of such a variable


_HORSESHOE = "horseshoe"
FAMILIES = {
    "student_t": _Family("StudentT", ("nu", "mu", "sigma"), lambda nu, mu, sigma: _stats.t(nu, mu, sigma)),
    "laplace": _Family("Laplace", ("mu", "b"), lambda mu, b: _stats.laplace(mu, b)),
    "gamma": _Family(
        "Gamma", ("alpha", "beta"), lambda alpha, beta: _stats.gamma(alpha, 0.0, 1.0 / beta), positive=True
    ),
    "exponential": _Family("Exponential", ("lam",), lambda lam: _stats.expon(0.0, 1.0 / lam), positive=True),
    "half_normal": _Family("HalfNormal", ("sigma",), lambda sigma: _stats.halfnorm(0.0, sigma), positive=True),
    "log_gamma": _Family(
        "Gamma",
        ("alpha", "beta"),
        lambda alpha, beta: _stats.loggamma(alpha, -math.log(beta)),
        positive=True,
        logarithm=True,
    ),
}


def family_of(prior: Prior) -> tuple[_Family, tuple[float, ...]]:
    """The family of a prior that names one, and its numbers."""
    name, *numbers = prior
    family = FAMILIES.get(str(name))
    if family is None:
        raise ModelError(f"prior: expected (mean, sd) or a family, {' | '.join(FAMILIES)}, found {prior!r}")
    given = tuple(float(number) for number in numbers)
    right = len(given) == len(family.numbers) and all(map(math.isfinite, given))
    if not right or any(number <= 0.0 for one, number in zip(family.numbers, given, strict=True) if one != "mu"):
        expected = ", ".join(family.numbers)
        raise ModelError(f"prior: expected ({name!r}, {expected}), all but mu positive, found {prior!r}")
    return family, given


def check_prior(prior: Prior) -> Prior:
    """A prior that names a family, or the horseshoe, if its numbers are right."""
    right = len(prior) == 2 and isinstance(prior[1], int | float) and 0.0 < prior[1] < math.inf
    if not (prior[0] == _HORSESHOE and right):
        family_of(prior)
    return prior


def is_family(prior: object) -> bool:
    """Whether a prior names a family."""
    return isinstance(prior, tuple) and bool(prior) and isinstance(prior[0], str)


def moments(prior: Prior) -> tuple[float, float]:
    """Mean and standard deviation of a prior; centre and scale of one that has none."""
    if not is_family(prior):
        return number_pair(prior)
    family, numbers = family_of(prior)
    mean, variance = (float(one) for one in family.of(*numbers).stats("mv"))
    return (mean, math.sqrt(variance)) if math.isfinite(variance) else (numbers[-2], numbers[-1])


def number_pair(prior: Prior) -> Normal:
    """Mean and standard deviation of a prior that must be normal: of a level, or the mean of a population."""
    if is_family(prior):
        raise ModelError(f"prior: expected (mean, standard deviation) of a level or a mean, found {prior!r}")
    mean, sd = prior
    return float(mean), float(sd)
