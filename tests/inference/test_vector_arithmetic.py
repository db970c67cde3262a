"""Vectorised arithmetic: its accuracy; compiled code is cached on disk if possible, never stale."""

import math
from fractions import Fraction
from functools import partial

import numba
import numpy as np
import pytest
from numba.core.caching import CacheImpl
from plain_loops import run_arithmetic_as_python

from halfpoint.inference.gaussian.affine_rows import accumulate_hessian
from halfpoint.inference.loops import vector_arithmetic


def double(number):
    return 2 * number


def test_without_a_folder_to_write_code_is_compiled_each_time(monkeypatch):
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    assert vector_arithmetic.kept(partial(numba.njit), double)(21) == 42


def test_kept_code_is_named_after_the_sources_it_inlines(tmp_path):
    source, names = tmp_path / "inlined.py", []

    def keep(function):
        def triple(number):
            return 3 * number

        return function(partial(numba.njit), triple)

    for text in ("x = 1", "x = 1", "x = 2"):
        source.write_text(text, encoding="utf-8")
        names.append(keep(partial(vector_arithmetic.kept, further=(source,))).py_func.__qualname__)
    assert names[0] == names[1] != names[2]
    name = accumulate_hessian.py_func.__qualname__
    assert name.startswith("accumulate_hessian_")
    assert name in accumulate_hessian._cache._impl.filename_base
    assert vector_arithmetic.SOURCE.name == "vector_arithmetic.py"


def test_exponential_against_exact_series():
    @numba.njit
    def exponential(y):
        return vector_arithmetic.exponential(y)

    for y in (0.0, -0.1, -0.34, -0.35, -1.0, -7.7, 2.5):
        term, total = Fraction(1), Fraction(1)
        for power in range(1, 80):
            term *= Fraction(y) / power
            total += term
        assert abs(Fraction(exponential(y)) / total - 1) < 2e-15
    for y in (-700.0, 700.0):
        assert exponential(y) == pytest.approx(math.exp(y), rel=1e-13)


SIZES = (0.0, 1e-300, 1e-12, 1e-3, 0.2, 0.35, 0.7, 1.0, 1.5, 2.5, 9.0, 33.0, 300.0)
BOTH = (*SIZES, *(-x for x in SIZES))
FUNCTIONS = {
    "exp": (math.exp, BOTH),
    "falling": (math.exp, [-x for x in SIZES]),
    "expm1": (math.expm1, BOTH),
    "log": (math.log, [x for x in SIZES if x] + [1e-310, 1e300]),
    "log1p": (math.log1p, [*SIZES, 1e300, -1e-12, -0.2, -0.6, -0.99]),
    "sinh": (math.sinh, BOTH),
    "cosh": (math.cosh, BOTH),
    "tanh": (math.tanh, BOTH),
    "arcsinh": (math.asinh, [*BOTH, 1e140, -1e140]),
    "softplus": (lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))), BOTH),
    "sigmoid": (lambda x: 1.0 / (1.0 + math.exp(-x)), BOTH),
}
ENDS = {
    "exp": {math.inf: math.inf, -math.inf: 0.0, 710.0: math.inf, -709.0: 0.0},
    "expm1": {math.inf: math.inf, -math.inf: -1.0},
    "log": {0.0: -math.inf, math.inf: math.inf, -1.0: math.nan},
    "log1p": {-1.0: -math.inf, math.inf: math.inf, -2.0: math.nan},
    "sinh": {math.inf: math.inf, -math.inf: -math.inf},
    "cosh": {math.inf: math.inf, -math.inf: math.inf},
    "tanh": {math.inf: 1.0, -math.inf: -1.0},
    "softplus": {math.inf: math.inf, -math.inf: 0.0},
    "sigmoid": {math.inf: 1.0, -math.inf: 0.0},
}


@pytest.fixture
def arithmetic(monkeypatch):
    """The functions as Python."""
    run_arithmetic_as_python(monkeypatch, vector_arithmetic)
    with np.errstate(all="ignore"):
        yield vector_arithmetic


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_that_of_the_standard_library(name, arithmetic):
    exact, points = FUNCTIONS[name]
    for x in points:
        assert getattr(arithmetic, name)(x) == pytest.approx(exact(x), rel=4e-15, abs=0.0), x
    for x, end in ENDS.get(name, {}).items():
        assert getattr(arithmetic, name)(x) == pytest.approx(end, abs=0.0, nan_ok=True), x
    if name != "falling":
        assert math.isnan(getattr(arithmetic, name)(math.nan))


def test_functions_of_two_numbers_are_those_of_the_standard_library(arithmetic):
    for a in (-30.0, -0.5, 0.0, 2.0, 700.0):
        for b in (-1.0, 0.0, 3.0):
            exact = max(a, b) + math.log1p(math.exp(-abs(a - b)))
            assert arithmetic.log_sum(a, b) == pytest.approx(exact, rel=4e-15)
    assert arithmetic.log_sum(-math.inf, -math.inf) == -math.inf
    assert arithmetic.log_sum(-math.inf, 2.0) == 2.0
    for x, y in ((2.0, 3.0), (2.0, 0.5), (-2.0, 3.0), (-2.0, 4.0), (0.3, -7.0), (0.0, 2.0), (-1.5, -3.0), (7.0, 0.0)):
        assert arithmetic.power(x, y) == pytest.approx(x**y, rel=1e-14, abs=0.0)
    assert math.isnan(arithmetic.power(-2.0, 0.5))
