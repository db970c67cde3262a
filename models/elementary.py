r"""Elementary functions that a compiler turns into vector instructions, exact over all doubles: for generated loops.

Each is a polynomial on a reduced range (Cody & Waite 1980; the logarithm is 2 artanh(g / (2 + g)), Abramowitz & Stegun
1964, 4.6.22), with no branch that a vector instruction could not take. Where a function leaves the doubles it gives 0,
inf or NaN as `math` would, without an error.
"""

from typing import Any

import numpy as np

from halfpoint.models.kernel import HALF_ROOT_BITS, L3, L5, L7, L9, L11, L13, LOG2, TWO_52, TWO_52_BITS
from halfpoint.models.vector import (
    E2,
    E3,
    E4,
    E5,
    E6,
    E7,
    E8,
    E9,
    E10,
    LIMIT,
    LOG2_HIGH,
    LOG2_LOW,
    MANTISSA,
    ROUND,
    bits,
    double,
    exponential,
    vectorised,
)

TINY, UP = 2.0**-1022, 2.0**54
ONE_BITS = np.int64(0x3FF0000000000000)
INFINITE = np.inf


@vectorised
def falling(x: float) -> Any:
    """Return e^x for x <= 0; below -LIMIT that of -LIMIT, an ordinary number."""
    return exponential(max(x, -LIMIT))


@vectorised
def near_exp(x: float) -> Any:
    """Return e^x, beyond LIMIT on either side that of LIMIT."""
    return exponential(min(max(x, -LIMIT), LIMIT))


@vectorised
def _parts(x: float, least: float, most: float) -> Any:
    """Return n and r with x = n log 2 + r, |r| <= log(2) / 2, and (e^r - 1 - r) / r^2."""
    near = min(max(x, least), most)
    multiple = (near * 1.4426950408889634 + ROUND) - ROUND
    r = (near - multiple * LOG2_HIGH) - multiple * LOG2_LOW
    return multiple, r, E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * (E7 + r * (E8 + r * (E9 + r * E10)))))))


@vectorised
def exp(x: float) -> Any:
    """Return e^x: 0 and inf where it leaves the doubles."""
    multiple, r, rest = _parts(x, -746.0, 710.0)
    half = (multiple * 0.5 + ROUND) - ROUND  # 2^n in two factors: the result may be subnormal
    first = double((bits(half + ROUND) << MANTISSA) + ONE_BITS)
    second = double((bits(multiple - half + ROUND) << MANTISSA) + ONE_BITS)
    found = (1.0 + r * (1.0 + r * rest)) * first * second
    return found if x == x else x


@vectorised
def expm1(x: float) -> Any:
    """Return e^x - 1, exact near 0."""
    multiple, r, rest = _parts(x, -40.0, 710.0)
    half = (multiple * 0.5 + ROUND) - ROUND
    first = double((bits(half + ROUND) << MANTISSA) + ONE_BITS)
    power = bits(multiple - half + ROUND) << MANTISSA
    second, inverse = double(ONE_BITS + power), double(ONE_BITS - power)
    found = (first * (r + r * r * rest) + (first - inverse)) * second
    return found if x == x else x


@vectorised
def _artanh(t: float) -> Any:
    """Return 2 artanh(t) for the t of a reduced logarithm."""
    q = t * t
    return t * (2.0 + q * (L3 + q * (L5 + q * (L7 + q * (L9 + q * (L11 + q * L13))))))


@vectorised
def _logarithm(g: float, power: int) -> Any:
    """Return log(2^power (1 + g)) for 1 + g between the roots of 1/2 and 2."""
    whole = double((power + np.int64(2048)) | TWO_52_BITS) - (TWO_52 + 2048.0)
    return whole * LOG2 + _artanh(g / (2.0 + g))


@vectorised
def log(x: float) -> Any:
    """Return the logarithm: -inf at 0, NaN below."""
    small = x < TINY
    z = x * UP if small else x
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    found = _logarithm(double(bits(z) - (power << MANTISSA)) - 1.0, power) - (54.0 * LOG2 if small else 0.0)
    found = found if x > 0.0 else (-INFINITE if x == 0.0 else np.nan)
    return found if x < INFINITE else x


@vectorised
def log1p(x: float) -> Any:
    """Return log(1 + x), exact near 0: -inf at -1, NaN below."""
    z = 1.0 + x
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    reduced = double(bits(z) - (power << MANTISSA)) - 1.0
    lost = (x - (z - 1.0)) if abs(x) < 1.0 else (1.0 - (z - x))  # of x by the rounding of 1 + x
    found = _logarithm(x if power == 0 else reduced, power) + (0.0 if power == 0 else lost / z)
    found = found if x > -1.0 else (-INFINITE if x == -1.0 else np.nan)
    return found if x < INFINITE else x


@vectorised
def log_one_and(f: float) -> Any:
    """Return log(1 + f) for f >= 0, an ordinary number."""
    z = 1.0 + f
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    g = f if power == 0 else double(bits(z) - (power << MANTISSA)) - 1.0
    return (double(power | TWO_52_BITS) - TWO_52) * LOG2 + _artanh(g / (2.0 + g))


@vectorised
def log_and_share(f: float) -> Any:
    """Return log(1 + f) and 1 / (1 + f) for f >= 0 by one division."""
    z = 1.0 + f
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    g = f if power == 0 else double(bits(z) - (power << MANTISSA)) - 1.0
    joint = 1.0 / (z * (2.0 + g))
    return (double(power | TWO_52_BITS) - TWO_52) * LOG2 + _artanh(joint * z * g), joint * (2.0 + g)


@vectorised
def softplus(x: float) -> Any:
    """Return log(1 + e^x)."""
    return max(x, 0.0) + log_one_and(exp(-abs(x)))


@vectorised
def sigmoid(x: float) -> Any:
    """Return 1 / (1 + e^-x)."""
    e = exp(-abs(x))
    share = 1.0 / (1.0 + e)
    return share if x >= 0.0 else e * share


@vectorised
def log_sum(a: float, b: float) -> Any:
    """Return log(e^a + e^b)."""
    gap = a - b
    return max(a, b) + (log_one_and(exp(-abs(gap))) if gap == gap else 0.0)  # two alike infinities have no gap


@vectorised
def power(x: float, y: float) -> Any:
    """Return x^y, to about 1e-16 times the size of its logarithm; NaN where x < 0 and y is no whole number."""
    size = exp(y * log(abs(x)))
    whole = np.floor(y) == y
    turned = (-size if np.floor(0.5 * y) != 0.5 * y else size) if whole else np.nan
    return 1.0 if y == 0.0 else (size if x >= 0.0 else turned)


@vectorised
def sinh(x: float) -> Any:
    """Return the hyperbolic sine, exact near 0."""
    m = expm1(min(abs(x), 708.0))
    half = 0.5 * (m + m / (m + 1.0)) if abs(x) <= 708.0 else exp(abs(x) - 0.6931471805599453)
    return half if x >= 0.0 else -half


@vectorised
def cosh(x: float) -> Any:
    """Return the hyperbolic cosine."""
    m = exp(min(abs(x), 708.0))
    return 0.5 * (m + 1.0 / m) if abs(x) <= 708.0 else exp(abs(x) - 0.6931471805599453)


@vectorised
def tanh(x: float) -> Any:
    """Return the hyperbolic tangent, exact near 0."""
    m = expm1(-2.0 * min(abs(x), 350.0))
    t = -m / (m + 2.0)
    t = t if x >= 0.0 else -t
    return t if x == x else x


@vectorised
def arcsinh(x: float) -> Any:
    """Return the inverse of the hyperbolic sine, exact near 0; beyond 1e150 that of 1e150."""
    size = min(abs(x), 1e150)
    found = log_one_and(size + size * size / (1.0 + np.sqrt(1.0 + size * size)))
    found = found if x >= 0.0 else -found
    return found if x == x else x
