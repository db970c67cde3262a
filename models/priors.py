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

import numpy as np
from scipy.special import digamma, polygamma

from halfpoint.games.table import Floats
from halfpoint.models.errors import ModelError

Normal = tuple[float, float]  # mean and standard deviation, in the parameter's own unit
Prior = tuple[float, float] | tuple[str | float, ...]


@dataclass(frozen=True)
class Family:
    """A family of priors."""

    distribution: str  # name of its distribution in PyMC
    # names of its numbers there, in the order in which a prior says them; centre and scale last where it has both
    numbers: tuple[str, ...]
    mean: Callable[..., float]  # numbers -> mean and standard deviation; of one without them centre and scale
    sd: Callable[..., float]  # likewise
    draw: Callable[..., Floats]  # generator, size and numbers -> draws
    positive: bool = False  # whether its parameters are positive, and their logarithm is sampled
    logarithm: bool = False  # whether the parameter is the logarithm of such a variable


def spread_of_t(nu: float, mu: float, sigma: float) -> float:
    """Return the standard deviation of a Student t, its scale where it has none."""
    return sigma * math.sqrt(nu / (nu - 2.0)) if nu > 2.0 else sigma


HORSESHOE = "horseshoe"
FAMILIES = {
    "student_t": Family(
        "StudentT",
        ("nu", "mu", "sigma"),
        lambda nu, mu, sigma: mu,
        spread_of_t,
        lambda rng, size, nu, mu, sigma: mu + sigma * rng.standard_t(nu, size),
    ),
    "laplace": Family(
        "Laplace",
        ("mu", "b"),
        lambda mu, b: mu,
        lambda mu, b: b * math.sqrt(2.0),
        lambda rng, size, mu, b: rng.laplace(mu, b, size),
    ),
    "gamma": Family(
        "Gamma",
        ("alpha", "beta"),
        lambda alpha, beta: alpha / beta,
        lambda alpha, beta: math.sqrt(alpha) / beta,
        lambda rng, size, alpha, beta: rng.gamma(alpha, 1.0 / beta, size),
        positive=True,
    ),
    "exponential": Family(
        "Exponential",
        ("lam",),
        lambda lam: 1.0 / lam,
        lambda lam: 1.0 / lam,
        lambda rng, size, lam: rng.exponential(1.0 / lam, size),
        positive=True,
    ),
    "half_normal": Family(
        "HalfNormal",
        ("sigma",),
        lambda sigma: sigma * math.sqrt(2.0 / math.pi),
        lambda sigma: sigma * math.sqrt(1.0 - 2.0 / math.pi),
        lambda rng, size, sigma: sigma * np.abs(rng.standard_normal(size)),
        positive=True,
    ),
    "log_gamma": Family(
        "Gamma",
        ("alpha", "beta"),
        lambda alpha, beta: float(digamma(alpha) - math.log(beta)),
        lambda alpha, beta: math.sqrt(float(polygamma(1, alpha))),
        lambda rng, size, alpha, beta: np.log(rng.gamma(alpha, 1.0 / beta, size)),
        positive=True,
        logarithm=True,
    ),
}


def family_of(prior: Prior) -> tuple[Family, tuple[float, ...]]:
    """Return the family of a prior that names one, and its numbers."""
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


def checked(prior: Prior) -> Prior:
    """Return a prior that names a family, or the horseshoe, if its numbers are right."""
    right = len(prior) == 2 and isinstance(prior[1], int | float) and 0.0 < prior[1] < math.inf
    if not (prior[0] == HORSESHOE and right):
        family_of(prior)
    return prior


def is_family(prior: Any) -> bool:
    """Return whether a prior names a family."""
    return isinstance(prior, tuple) and bool(prior) and isinstance(prior[0], str)


def moments(prior: Prior) -> tuple[float, float]:
    """Return mean and standard deviation of a prior; centre and scale of one that has none."""
    if not is_family(prior):
        return number_pair(prior)
    family, numbers = family_of(prior)
    return family.mean(*numbers), family.sd(*numbers)


def number_pair(prior: Prior) -> Normal:
    """Return mean and standard deviation of a prior that must be normal: of a level, or the mean of a population."""
    if is_family(prior):
        raise ModelError(f"prior: expected (mean, standard deviation) of a level or a mean, found {prior!r}")
    mean, sd = prior
    return float(mean), float(sd)
