"""Compiled loop of a formula, called row by row or on many rows, for comparisons in tests."""

import ctypes

import numpy as np

from halfpoint.inference.loops.formula_loops import compiled_formula


def loop(outcome, eta, lam, weight, margin=None, lead=0):
    """Value and derivatives by eta and by lam, with one lam for all rows or one per row; from row `lead` on."""
    eta, lam = np.array(eta, dtype=np.float64), np.array(lam, dtype=np.float64)
    columns = list(np.asarray(weight, dtype=np.float64).T) + ([] if margin is None else [margin])
    data = np.concatenate([np.full((len(columns), lead), 9.0), np.stack(columns)], axis=1)
    by_eta, by_lam = np.full(eta.shape, np.nan), np.full(max(lam.size, 1), np.nan)
    arrays = (eta, np.atleast_1d(lam), data.ravel()[lead:], by_eta, by_lam)
    kind = ctypes.CFUNCTYPE(ctypes.c_double, *(ctypes.c_int64,) * 3, *(ctypes.c_void_p,) * 5)
    call = kind(compiled_formula(outcome).address)
    value = call(eta.size, data.shape[1], int(lam.ndim == 1), *(one.ctypes.data for one in arrays))
    return value, by_eta, by_lam
