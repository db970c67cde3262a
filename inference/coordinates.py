"""From sampled coordinates to the values of all parameters, and the gradient back: compiled loops of the engine.

Each operation is one kind of block (`models.blocks`), eight integers and a stretch of the store: kind, size, first
coordinate, first value, two indexes, first number, and one more number.
"""

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Floats
from halfpoint.models.layout import (
    AFFINE,
    EXPONENTIAL,
    FOLLOW,
    GATHER,
    KNOWN,
    MATRIX,
    POOL,
    REFLECT,
    SPREAD,
    WALK,
)
from halfpoint.models.vector import vectorised

Integers = npt.NDArray[np.int64]
LOG_ROOT_TWO_PI = 0.5 * np.log(2.0 * np.pi)


@vectorised
def forward(operations: Integers, store: Floats, x: Floats, v: Floats) -> float:
    """Fill the values from the coordinates and return the log prior that operations bring."""
    prior = 0.0
    for o in range(operations.size // 8):
        kind, size, i, out = operations[8 * o], operations[8 * o + 1], operations[8 * o + 2], operations[8 * o + 3]
        a, b, f, more = operations[8 * o + 4], operations[8 * o + 5], operations[8 * o + 6], operations[8 * o + 7]
        if kind == AFFINE:
            for k in range(size):
                v[out + k] = store[f + k] + store[f + size + k] * x[i + k]
        elif kind == FOLLOW:
            mean, sd, middle = store[f + size], store[f + size + 1], store[f + size + 2]
            shift = (1.0 - v[a]) * (v[b] - middle)
            for k in range(size):
                distance = shift + store[f + k] * x[i + k]
                v[out + k] = mean + distance
                prior -= 0.5 * (distance / sd) ** 2 + np.log(sd / store[f + k]) + LOG_ROOT_TWO_PI
        elif kind == EXPONENTIAL:
            v[out] = np.exp(v[i])
        elif kind == SPREAD:
            raw = np.exp(x[i])
            v[out] = store[f] * raw
            prior += x[i] - 0.5 * raw * raw - LOG_ROOT_TWO_PI + np.log(2.0)
        elif kind == POOL:
            mean, logs = (v[a] if a >= 0 else 0.0), np.log(v[b])
            for k in range(size):
                unit, weight = store[f + k], store[f + 3 * size + k]
                middle = (store[f + size + k] + store[f + 2 * size + k] * mean) / unit
                width = logs - np.log(unit)
                rest = x[i + k] - weight * middle
                prior -= 0.5 * (rest * np.exp(-weight * width)) ** 2 + weight * width + LOG_ROOT_TWO_PI
                v[out + k] = store[f + 4 * size + k] + unit * (middle + np.exp((1.0 - weight) * width) * rest)
        elif kind == REFLECT:
            total, norm = 0.0, 0.0
            for k in range(size):
                total += store[f + k] * v[i + k]
                norm += store[f + k] ** 2
            share = 2.0 * total / norm if norm > 0.0 else 0.0
            for k in range(size):
                v[out + k] = store[f + size] + v[i + k] - share * store[f + k]
        elif kind == KNOWN:
            v[out] = store[f]
        elif kind == GATHER:
            for k in range(size):
                v[out + k] = v[np.int64(store[f + k])]
        elif kind == MATRIX:
            for k in range(size):
                total = store[f + k]
                for j in range(size):
                    total += store[f + size + k * size + j] * x[i + j]
                v[out + k] = total
        elif kind == WALK:
            steps = more - 1
            matrix = store[f : f + steps * more].reshape(steps, more)
            moved = np.dot(x[i : i + size * steps].reshape(size, steps), matrix)
            for k in range(size):
                for t in range(more):
                    v[out + k * more + t] = v[a + k] + v[b] * moved[k, t]
    return prior


@vectorised
def backward(operations: Integers, store: Floats, x: Floats, v: Floats, gv: Floats, gx: Floats) -> None:
    """Add to the gradient by the coordinates what the gradient by the values and the prior of operations give."""
    for o in range(operations.size // 8 - 1, -1, -1):
        kind, size, i, out = operations[8 * o], operations[8 * o + 1], operations[8 * o + 2], operations[8 * o + 3]
        a, b, f, more = operations[8 * o + 4], operations[8 * o + 5], operations[8 * o + 6], operations[8 * o + 7]
        if kind == AFFINE:
            for k in range(size):
                gx[i + k] += store[f + size + k] * gv[out + k]
        elif kind == FOLLOW:
            sd, middle = store[f + size + 1], store[f + size + 2]
            shift, total = (1.0 - v[a]) * (v[b] - middle), 0.0
            for k in range(size):
                slope = gv[out + k] - (shift + store[f + k] * x[i + k]) / sd**2
                gx[i + k] += store[f + k] * slope
                total += slope
            gv[a] -= total * (v[b] - middle)
            gv[b] += total * (1.0 - v[a])
        elif kind == EXPONENTIAL:
            gv[i] += gv[out] * v[out]
        elif kind == SPREAD:
            raw = v[out] / store[f]
            gx[i] += gv[out] * v[out] + 1.0 - raw * raw
        elif kind == POOL:
            mean, logs = (v[a] if a >= 0 else 0.0), np.log(v[b])
            by_mean, by_width = 0.0, 0.0
            for k in range(size):
                unit, weight, slope = store[f + k], store[f + 3 * size + k], store[f + 2 * size + k]
                middle = (store[f + size + k] + slope * mean) / unit
                width = logs - np.log(unit)
                rest = x[i + k] - weight * middle
                far = np.exp((1.0 - weight) * width)
                near = rest * np.exp(-2.0 * weight * width)
                g = gv[out + k] * unit
                by_rest = g * far - near
                gx[i + k] += by_rest
                by_mean += (g - weight * by_rest) * slope / unit
                by_width += g * (1.0 - weight) * far * rest + weight * (rest * near - 1.0)
            gv[b] += by_width / v[b]
            if a >= 0:
                gv[a] += by_mean
        elif kind == REFLECT:
            total, norm = 0.0, 0.0
            for k in range(size):
                total += store[f + k] * gv[out + k]
                norm += store[f + k] ** 2
            share = 2.0 * total / norm if norm > 0.0 else 0.0
            for k in range(size):
                gv[i + k] += gv[out + k] - share * store[f + k]
        elif kind == GATHER:
            for k in range(size):
                gv[np.int64(store[f + k])] += gv[out + k]
        elif kind == MATRIX:
            for k in range(size):
                g = gv[out + k]
                for j in range(size):
                    gx[i + j] += store[f + size + k * size + j] * g
        elif kind == WALK:
            steps = more - 1
            matrix = store[f : f + steps * more].reshape(steps, more)
            moved = np.dot(gv[out : out + size * more].reshape(size, more), matrix.T)
            for k in range(size):
                for t in range(more):
                    g = gv[out + k * more + t]
                    gv[a + k] += g
                    gv[b] += g * (v[out + k * more + t] - v[a + k]) / v[b]
                for s in range(steps):
                    gx[i + k * steps + s] += v[b] * moved[k, s]
