r"""Arithmetic for loops that become vector instructions: numba decorators, bits of numbers, elementary functions.

Each function is a polynomial on a reduced range (Cody & Waite 1980; the logarithm is 2 artanh(g / (2 + g)), Abramowitz
& Stegun 1964, 4.6.22), exact over all doubles, without branches that vector instructions cannot execute. Outside the
range of doubles a function returns 0, inf or NaN, without the errors of `math`.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numba
import numpy as np
from numba.extending import intrinsic

from halfpoint.models.games.compiled_loops import lasting

if TYPE_CHECKING:
    from llvmlite import ir
    from numba.core.base import BaseContext
    from numba.core.types import Type
    from numba.core.typing import Signature

SOURCE = Path(__file__)
FAST = {"contract", "nsz", "arcp"}  # with error_model="numpy": a check for division by zero keeps a loop scalar
type Intrinsic = tuple[Signature, Callable[..., ir.Value]]  # types, and the code that is written for them
LIMIT = 700.0  # e^LIMIT and e^-LIMIT are ordinary numbers
LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # sum to log 2; the first ends in zeros
ROUND = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits
MANTISSA = np.int64(52)  # bits
# Chebyshev fit: (e^r - 1 - r) / r^2 for |r| <= log(2) / 2
E2, E3, E4, E5, E6, E7, E8, E9, E10 = (
    0.5000000000000001,
    0.16666666666648286,
    0.04166666666662413,
    0.00833333335373124,
    0.0013888888917213582,
    0.00019841208729459034,
    2.4801521295438655e-05,
    2.762511704349024e-06,
    2.7620088943557933e-07,
)
LEAST, MOST = -708.3964185322641, 709.782712893384  # logarithms of the least and the largest ordinary double
LOG2 = math.log(2.0)
TWO_52, TWO_52_BITS = 2.0**52, np.int64(0x4330000000000000)
HALF_ROOT_BITS = np.int64(0x3FE6A09E667F3BCD)  # sqrt(1/2)
# Chebyshev fit: (2 artanh(t) / t - 2) / t^2 for t^2 <= 0.02944
L3, L5, L7, L9, L11, L13 = (
    0.6666666666666206,
    0.4000000001125826,
    0.28571424124237144,
    0.22222863621611316,
    0.18140141675044053,
    0.16622525963824042,
)
TINY, UP = 2.0**-1022, 2.0**54
ONE_BITS = np.int64(0x3FF0000000000000)
INFINITE = np.inf


def vectorise[Function: Callable[..., object]](function: Function) -> Function:
    """Compile for use inside a loop only; no `reassoc`, which would break the arithmetic on bits."""
    options = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # wrappers take half the time
    return cast(Function, numba.njit(fastmath=FAST, error_model="numpy", **options)(function))


def kept(decorator: Callable[..., object], function: Callable[..., object], further: tuple[Path, ...] = ()) -> Any:
    """Compile with numba's cache on disk, or without it if numba finds no writable folder.

    The cache does not detect changes of inlined code from other files, so the name includes the version of this source
    and of `further` sources.
    """
    content = b"".join(source.read_bytes() for source in (SOURCE, *further))
    function.__qualname__ += f"_{hashlib.sha256(content).hexdigest()[:12]}"
    return lasting(decorator, function)


def _bitcast(origin: "Type", goal: "Type") -> "Callable[..., Intrinsic]":
    def declare(context: "BaseContext", value: "Type") -> "Intrinsic":
        def generate(
            target: "BaseContext", builder: "ir.IRBuilder", signature: "Signature", arguments: "Sequence[ir.Value]"
        ) -> "ir.Value":
            return builder.bitcast(arguments[0], target.get_value_type(goal))

        return goal(origin), generate

    return declare


bits: Callable[[float], np.int64] = intrinsic(_bitcast(numba.types.float64, numba.types.int64))
double: Callable[[np.int64], float] = intrinsic(_bitcast(numba.types.int64, numba.types.float64))


def _plus(context: "BaseContext", left: "Type", right: "Type") -> "Intrinsic":
    """Left + right, an addition whose order is free, so that a sum over cells becomes a sum of vectors."""

    def generate(
        target: "BaseContext", builder: "ir.IRBuilder", signature: "Signature", arguments: "Sequence[ir.Value]"
    ) -> "ir.Value":
        return builder.fadd(*arguments, flags=("reassoc", "nsz", "contract"))

    return numba.types.float64(numba.types.float64, numba.types.float64), generate


def _wide(context: "BaseContext") -> "Intrinsic":
    """Let the loops of this function use vectors of 512 bits; compilers prefer 256 on processors that have both."""

    def generate(
        target: "BaseContext", builder: "ir.IRBuilder", signature: "Signature", arguments: "Sequence[ir.Value]"
    ) -> "ir.Value":
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')  # .add refuses names that llvmlite lacks
        return target.get_dummy_value()

    return numba.types.none(), generate


plus: Callable[[float, float], float] = intrinsic(_plus)
wide: Callable[[], None] = intrinsic(_wide)


@vectorise
def exponential(y: float) -> float:
    """e^y for -700 <= y <= 700, to 2e-15 relative, by reduction to |r| <= log(2) / 2 (Cody & Waite 1980)."""
    shifted = y * 1.4426950408889634 + ROUND
    multiple = shifted - ROUND
    r = (y - multiple * LOG2_HIGH) - multiple * LOG2_LOW
    polynomial = E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * (E7 + r * (E8 + r * (E9 + r * E10)))))))
    return double(bits(1.0 + r * (1.0 + r * polynomial)) + (bits(shifted) << MANTISSA))


@vectorise
def falling(x: float) -> float:
    """e^x for x <= 0; below -LIMIT the value at -LIMIT, an ordinary number."""
    return exponential(max(x, -LIMIT))


@vectorise
def exp(x: float) -> float:
    """e^x: 0 and inf beyond the ordinary doubles."""
    result = exponential(min(max(x, LEAST), MOST))
    result = (result if x >= LEAST else 0.0) if x <= MOST else INFINITE
    return result if x == x else x


@vectorise
def expm1(x: float) -> float:
    """e^x - 1, exact near 0."""
    near = min(max(x, -40.0), 710.0)
    multiple = (near * 1.4426950408889634 + ROUND) - ROUND
    r = (near - multiple * LOG2_HIGH) - multiple * LOG2_LOW
    polynomial = E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * (E7 + r * (E8 + r * (E9 + r * E10)))))))
    half = (multiple * 0.5 + ROUND) - ROUND
    first = double((bits(half + ROUND) << MANTISSA) + ONE_BITS)
    power = bits(multiple - half + ROUND) << MANTISSA
    second, inverse = double(ONE_BITS + power), double(ONE_BITS - power)
    result = (first * (r + r * r * polynomial) + (first - inverse)) * second
    return result if x == x else x


@vectorise
def _artanh(t: float) -> float:
    """2 artanh(t) for the t of a reduced logarithm."""
    q = t * t
    return t * (2.0 + q * (L3 + q * (L5 + q * (L7 + q * (L9 + q * (L11 + q * L13))))))


@vectorise
def _logarithm(g: float, power: np.int64) -> float:
    """Log(2^power (1 + g)) for 1 + g between the roots of 1/2 and 2."""
    exponent = double((power + np.int64(2048)) | TWO_52_BITS) - (TWO_52 + 2048.0)
    return exponent * LOG2 + _artanh(g / (2.0 + g))


@vectorise
def log(x: float) -> float:
    """The logarithm: -inf at 0, NaN below."""
    small = x < TINY
    z = x * UP if small else x
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    result = _logarithm(double(bits(z) - (power << MANTISSA)) - 1.0, power) - (54.0 * LOG2 if small else 0.0)
    result = result if x > 0.0 else (-INFINITE if x == 0.0 else np.nan)
    return result if x < INFINITE else x


@vectorise
def log1p(x: float) -> float:
    """Log(1 + x), exact near 0: -inf at -1, NaN below."""
    z = 1.0 + x
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    reduced = double(bits(z) - (power << MANTISSA)) - 1.0
    result = _logarithm(x if power == 0 else reduced, power)  # what 1 + x rounds off is lost beside log 2 / 2 and more
    result = result if x > -1.0 else (-INFINITE if x == -1.0 else np.nan)
    return result if x < INFINITE else x


@vectorise
def log_and_share(f: float) -> tuple[float, float]:
    """Log(1 + f) and 1 / (1 + f) for f >= 0 by one division."""
    z = 1.0 + f
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    g = f if power == 0 else double(bits(z) - (power << MANTISSA)) - 1.0
    joint = 1.0 / (z * (2.0 + g))
    return (double(power | TWO_52_BITS) - TWO_52) * LOG2 + _artanh(joint * z * g), joint * (2.0 + g)


@vectorise
def softplus(x: float) -> float:
    """Log(1 + e^x)."""
    return max(x, 0.0) + log_and_share(exp(-abs(x)))[0]  # the compiler joins it with the slope


@vectorise
def sigmoid(x: float) -> float:
    """1 / (1 + e^-x), the slope of softplus."""
    e = exp(-abs(x))
    share = log_and_share(e)[1]
    return share if x >= 0.0 else e * share


@vectorise
def log_sum(a: float, b: float) -> float:
    """Log(e^a + e^b)."""
    gap = a - b
    return max(a, b) + (log_and_share(exp(-abs(gap)))[0] if gap == gap else 0.0)  # two alike infinities have no gap


@vectorise
def power(x: float, y: float) -> float:
    """x^y, to about 1e-16 times the size of its logarithm; NaN for x < 0 and y not an integer."""
    size = exp(y * log(abs(x)))
    is_integer = np.floor(y) == y
    turned = (-size if np.floor(0.5 * y) != 0.5 * y else size) if is_integer else np.nan
    return 1.0 if y == 0.0 else (size if x >= 0.0 else turned)


@vectorise
def _halves(x: float) -> tuple[float, float]:
    """Return (e^x - 1) / 2 and (1 - e^-x) / 2 for x >= 0."""
    above = 0.5 * expm1(x)
    return above, (0.5 * above / (above + 0.5) if above < INFINITE else 0.5)


@vectorise
def _sine(x: float, halves: tuple[float, float]) -> float:
    """Hyperbolic sine of x from (e^|x| - 1) / 2 and (1 - e^-|x|) / 2."""
    result = halves[0] + halves[1] if x >= 0.0 else -halves[0] - halves[1]
    return result if x == x else x


@vectorise
def _cosine(x: float, halves: tuple[float, float]) -> float:
    """Hyperbolic cosine of x from (e^|x| - 1) / 2 and (1 - e^-|x|) / 2."""
    result = 1.0 + (halves[0] - halves[1])
    return result if x == x else x


@vectorise
def sinh(x: float) -> float:
    """The hyperbolic sine, exact near 0."""
    return _sine(x, _halves(abs(x)))


@vectorise
def cosh(x: float) -> float:
    """Hyperbolic cosine; the compiler merges it with the sine."""
    return _cosine(x, _halves(abs(x)))


@vectorise
def tanh(x: float) -> float:
    """The hyperbolic tangent, exact near 0."""
    m = expm1(-2.0 * min(abs(x), 350.0))
    t = -m / (m + 2.0)
    t = t if x >= 0.0 else -t
    return t if x == x else x


@vectorise
def arcsinh(x: float) -> float:
    """Inverse hyperbolic sine, exact near 0; constant beyond 1e150."""
    size = abs(x)
    result = log_and_share(size + size * (size / (1.0 + np.sqrt(1.0 + x * x))))[0]  # the slope needs the root too
    result = result if size <= 1e150 else 346.0809111296668
    result = result if x >= 0.0 else -result
    return result if x == x else x
