"""Arithmetic for loops that become vector instructions: numba decorators, bits of numbers, sums, an exponential."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.extending import intrinsic

from halfpoint.games.compiled_loops import lasting

SOURCES = tuple(Path(__file__).with_name(name) for name in ("vector.py", "elementary.py"))
FAST = {"contract", "nsz", "arcp"}  # with error_model="numpy": a check for division by zero keeps a loop scalar
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


def vectorised[Function: Callable[..., Any]](function: Function) -> Function:
    """Compile for use inside a loop only; no `reassoc`, which would break the arithmetic on bits."""
    made = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # wrappers take half the time
    return cast(Function, numba.njit(fastmath=FAST, error_model="numpy", **made)(function))


def kept(decorator: Callable[..., Any], function: Callable[..., Any], further: tuple[Path, ...] = ()) -> Any:
    """Compile with numba's cache on disk, or without it where numba finds no folder that it may write.

    The cache does not see that code inlined from elsewhere has changed, so the name carries the version of the sources,
    those of this folder and `further` ones.
    """
    content = b"".join(source.read_bytes() for source in (*SOURCES, *further))
    function.__qualname__ += f"_{hashlib.sha256(content).hexdigest()[:12]}"
    return lasting(decorator, function)


def _bitcast(origin: Any, goal: Any) -> Any:
    def declare(context: Any, value: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], target.get_value_type(goal))

        return goal(origin), generate

    return declare


bits: Any = intrinsic(_bitcast(numba.types.float64, numba.types.int64))
double: Any = intrinsic(_bitcast(numba.types.int64, numba.types.float64))


def _plus(context: Any, left: Any, right: Any) -> Any:
    """Return left + right, an addition whose order is free, so that a sum over cells becomes a sum of vectors."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments, flags=("reassoc", "nsz", "contract"))

    return numba.types.float64(numba.types.float64, numba.types.float64), generate


def _wide(context: Any) -> Any:
    """Let the loops of this function use vectors of 512 bits; compilers prefer 256 on processors that have both."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')  # .add refuses names that llvmlite lacks
        return target.get_dummy_value()

    return numba.types.none(), generate


plus: Any = intrinsic(_plus)
wide: Any = intrinsic(_wide)


@vectorised
def exponential(y: float) -> Any:
    """Return e^y for -700 <= y <= 700, to 2e-15 relative, by reduction to |r| <= log(2) / 2 (Cody & Waite 1980)."""
    shifted = y * 1.4426950408889634 + ROUND
    multiple = shifted - ROUND
    r = (y - multiple * LOG2_HIGH) - multiple * LOG2_LOW
    polynomial = E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * (E7 + r * (E8 + r * (E9 + r * E10)))))))
    return double(bits(1.0 + r * (1.0 + r * polynomial)) + (bits(shifted) << MANTISSA))
