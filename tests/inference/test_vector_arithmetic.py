"""Vectorised arithmetic: its accuracy; compiled code is cached on disk if possible, never stale."""

import math
from fractions import Fraction
from functools import partial

import numba
import pytest
from numba.core.caching import CacheImpl

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
