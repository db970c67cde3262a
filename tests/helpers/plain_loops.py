"""Loops that numba compiles, run as Python: tests execute their lines, and changes need no compiler."""

import numpy as np
from numba.core.dispatcher import Dispatcher


def run_as_python(patch, *modules):
    """Replace the compiled functions in the names of modules by their Python, until the patch is undone."""
    for module in modules:
        for name, value in list(vars(module).items()):
            if isinstance(value, Dispatcher):
                patch.setattr(module, name, value.py_func)


def run_arithmetic_as_python(patch, arithmetic, *modules):
    """Also replace the instructions of `inference.loops.vector_arithmetic`, in this module and in its users."""
    instructions = {
        "bits": lambda x: np.float64(x).view(np.int64),
        "double": lambda n: np.int64(n).view(np.float64),
        "plus": lambda left, right: left + right,
        "wide": lambda: None,
    }
    for module in (arithmetic, *modules):
        for name, function in instructions.items():
            if hasattr(module, name):
                patch.setattr(module, name, function)
    run_as_python(patch, arithmetic, *modules)


def potential_of(density, slopes):
    """Replacement of `call_potential` for Python: log densities and slopes of eta and lam by NumPy functions.

    Both take eta, lam, and the weights of loss, draw and win; the density is per row, slopes are by eta and by lam.
    """

    def call(address, count, rows, by_row, eta, lam, data, by_eta, by_lam):
        x, y, numbers = (pointer._arr for pointer in (eta, lam, data))
        x, y = x[:count], y[:count] if by_row else np.full(count, y[0])
        weight = [numbers[k * rows : k * rows + count] for k in range(3)]
        of_eta, of_lam = slopes(x, y, weight)
        by_eta._arr[:count] = of_eta
        by_lam._arr[: count if by_row else 1] = of_lam if by_row else of_lam.sum()
        return density(x, y, weight).sum()

    return call
