"""Compiled loops in numba's cache on disk, if it is usable.

Every loop over games of rating systems is decorated with `compiled`. Division follows NumPy (no check that stops SIMD);
fast math stays off, so that results differ between machines in the last digit at most.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numba


def lasting(decorator: Callable[..., Any], function: Callable[..., object]) -> Any:
    """Compile with numba's cache on disk, or without it if the place is not writable, full or damaged."""
    try:
        compiled = decorator(cache=True)(function)
    except Exception:  # numba finds no folder that it may write, or a cfunc, which is compiled here, a damaged file
        return decorator(cache=False)(function)
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None:
        load, save = file.load, file.save

        def load_if_sound(key: object) -> Any:
            try:
                return load(key)
            except Exception:  # a damaged file unpickles to anything: compiled again
                return None

        def save_if_possible(key: object, data: object) -> None:
            for attempt in (save, lambda *_: file.flush(), save):  # flush forgets an index that cannot be read
                try:
                    attempt(key, data)
                except Exception:
                    continue
                if attempt is save:
                    return

        file.load, file.save = load_if_sound, save_if_possible
    return compiled


def compile_lazily[F: Callable[..., object]](function: F) -> F:
    """Return `function` compiled by numba at its first call and cached on disk, with the signature of the plain one."""
    return cast(F, lasting(partial(numba.njit, error_model="numpy", nogil=True), function))
