"""Modules of compiled loops that are written by the program, kept in the user's cache folder with numba's cache."""

import hashlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import platformdirs
import pytensor

from halfpoint.games.atomic_write import write_text
from halfpoint.models import elementary, linear, vector

WRITERS = ("written_modules.py", "operators.py", "generator.py")
FUNCTIONS = "arcsinh, cosh, erf, erfc, exp, expm1, falling, log, log1p, log_above, log_and_share, log_sum, near_cosh"
HEAD = f'''"""A formula as a compiled loop; written by halfpoint, safe to delete."""

import math
from functools import partial

import numba
import numpy as np
from numba import types

from halfpoint.games.compiled_loops import lasting
from halfpoint.models.elementary import {FUNCTIONS}
from halfpoint.models.elementary import LOG2, near_exp, near_sinh, power, sigmoid, sinh, softplus, tanh
from halfpoint.models.vector import FAST, LIMIT, exponential, plus, vectorised, wide

VECTOR, MANY = types.CPointer(types.double), 1 << 48


@vectorised
def row(ARGUMENTS):
'''


def loaded(key: str, source: Callable[[], str]) -> Any:
    """Return a written module, from the user's cache folder where it is there."""
    version = hashlib.sha256((key + versions()).encode()).hexdigest()[:16]
    module = f"halfpoint_formula_{version}"
    path = Path(platformdirs.user_cache_dir("halfpoint")) / "formulas" / f"{module}.py"
    try:
        if not path.is_file():
            write_text(path, source())
        found = importlib.util.spec_from_file_location(module, path)
        assert found is not None
        assert found.loader is not None
        made = importlib.util.module_from_spec(found)
        sys.modules[module] = made
        found.loader.exec_module(made)
    except OSError:  # no folder to write in: compiled for this process only
        namespace: dict[str, Any] = {}
        exec(compile(source(), module, "exec"), namespace)
        return SimpleNamespace(**namespace)
    return made


@cache
def versions() -> str:
    """Return what all written code depends on: our own sources and the version of PyTensor."""
    sources = [Path(__file__).with_name(name) for name in WRITERS]
    sources += [Path(str(module.__file__)) for module in (elementary, linear, vector)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest() + str(pytensor.__version__)
