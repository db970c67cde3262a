"""Compiled code is kept on disk where that is possible, and never stale."""

from functools import partial

import numba
from numba.core.caching import CacheImpl

from halfpoint.models import kernel, vector


def double(number):
    return 2 * number


def test_without_a_folder_to_write_code_is_compiled_each_time(monkeypatch):
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    assert vector.kept(partial(numba.njit), double)(21) == 42


def test_kept_code_is_named_after_the_sources_it_inlines():
    assert kernel.log_potential.py_func.__qualname__ == f"log_potential_{vector.VERSION:x}"
    assert f"_{vector.VERSION:x}" in kernel.log_potential._cache._impl.filename_base
