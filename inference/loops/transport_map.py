r"""From nearly standard normal numbers to sampled coordinates, and the gradient back: compiled loops of the engine.

    x = base + C'f + M (exp(S'f) e),    f of each w: w, r - 1, w / r, 1 / r - 1,    r = sqrt(1 + w^2)

w are the first numbers, of hyperparameters, whose coordinates are mixtures of a w + b (r - 1); e are all others. A map
is one array: how many w; a and b; base (coordinate,); C and S (4 w, coordinate); M' (coordinate, coordinate), which has
rows for e only. C and S are the dependence of conditional means and standard deviations on w.

Parno & Marzouk (2018) SIAM/ASA J. Uncertain. Quantif. 6:645 for maps that make sampling easy.
"""

import numpy as np

from halfpoint.inference.loops.vector_arithmetic import exp, plus, vectorise
from halfpoint.models.games.table import Floats

FEATURES = 4  # of each w


@vectorise
def _parts(mapping: Floats, n: int) -> tuple[np.int64, Floats, Floats, Floats]:
    """Parts of a map of n coordinates: count of w, base, C and S (4 w, n) one after the other, M' (n, n)."""
    d = np.int64(mapping[0])
    first = 1 + 2 * d
    second = first + n
    third = second + 2 * FEATURES * d * n
    matrix = mapping[third:].reshape(n, n)
    return d, mapping[first:second], mapping[second:third].reshape(2 * FEATURES * d, n), matrix


@vectorise
def transport(mapping: Floats, point: Floats, x: Floats, width: Floats) -> float:
    """Fill coordinates and the widths of e at a point, and return the log determinant without its constant."""
    n = point.size
    d, base, moves, matrix = _parts(mapping, n)
    total = 0.0
    for j in range(n):
        x[j] = base[j]
        width[j] = 0.0
    for k in range(d):
        w = point[k]
        root = np.sqrt(1.0 + w * w)
        total += np.log(mapping[1 + k] + mapping[1 + d + k] * w / root)
        for i, f in enumerate((w, root - 1.0, w / root, 1.0 / root - 1.0)):
            by, wide = moves[i * d + k], moves[(FEATURES + i) * d + k]
            for j in range(n):
                x[j] += f * by[j]
                width[j] += f * wide[j]
    for k in range(d, n):
        total += width[k]
        width[k] = exp(width[k])
        q, line = width[k] * point[k], matrix[k]
        for j in range(n):
            x[j] += q * line[j]
    return total


@vectorise
def pull_back(mapping: Floats, point: Floats, width: Floats, gx: Floats, out: Floats) -> None:
    """Fill the gradient by the numbers, log determinant included, from the gradient by coordinates."""
    n = point.size
    d, _, moves, matrix = _parts(mapping, n)
    along = np.zeros(n)
    for k in range(d, n):
        total, line = 0.0, matrix[k]
        for j in range(n):
            total = plus(total, line[j] * gx[j])
        out[k] = total * width[k]
        along[k] = out[k] * point[k] + 1.0
    for k in range(d):
        w, b = point[k], mapping[1 + d + k]
        root = np.sqrt(1.0 + w * w)
        cube = root**-3.0
        out[k] = b * cube / (mapping[1 + k] + b * w / root)
        for i, slope in enumerate((1.0, w / root, cube, -w * cube)):
            by, wide, total = moves[i * d + k], moves[(FEATURES + i) * d + k], 0.0
            for j in range(n):
                total = plus(total, by[j] * gx[j] + wide[j] * along[j])
            out[k] += slope * total
