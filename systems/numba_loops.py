"""Compiled inner loops: numba with the cache on disk, typed as the plain function is.

Every loop over games in this folder is decorated with `compiled`. Division follows NumPy (no check that stops SIMD);
fast math stays off, so that the same games give the same digits everywhere but in the last place.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numba

from halfpoint.games.compiled_loops import lasting


def compiled[F: Callable[..., Any]](function: F) -> F:
    """Return `function` compiled by numba at its first call and cached on disk, with the signature of the plain one."""
    return cast(F, lasting(partial(numba.njit, error_model="numpy", nogil=True), function))
