"""Solutions with a matrix, and products with its inverse root, by its products with columns: Krylov's methods.

Hestenes & Stiefel (1952) J. Res. Natl. Bur. Stand. 49:409 for conjugate gradients; Ilic, Turner & Simpson (2010) IMA J.
Numer. Anal. 30:749 for inverse roots by Lanczos.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh_tridiagonal

from halfpoint.inference.errors import InferenceError
from halfpoint.models.games.table import Floats

_MOST_STEPS = 2000
_NONE = 1e-10  # share of the first eigenvalue that counts as none
_RARER, _ASKED = 1.1, 4  # steps until it is asked again whether Lanczos has converged, and the columns asked first
Linear = Callable[[Floats], Floats]


def inverse_root_product(product: Linear, b: Floats, tolerance: float) -> Floats:
    """C^-1/2 b, shape (value, column), by Lanczos, column by column; `product` multiplies columns by C.

    Convergence is tested at growing intervals of steps, first of some columns, then of all columns.
    """
    length = np.linalg.norm(b, axis=0)
    basis, before = [b / np.maximum(length, 1e-300)], np.zeros_like(b)
    straight, off_diagonal, ask = np.zeros((0, b.shape[1])), np.zeros((0, b.shape[1])), 1
    for count in range(1, _MOST_STEPS + 1):
        image = product(basis[-1]) - before
        straight = np.vstack([straight, (image * basis[-1]).sum(axis=0)])
        image -= straight[-1] * basis[-1]
        off_diagonal = np.vstack([off_diagonal, np.linalg.norm(image, axis=0)])
        ended = off_diagonal[-1] <= _NONE * straight[0]
        if count == ask or ended.all():
            ask = max(count + 1, int(count * _RARER))
            for few in (slice(_ASKED), slice(None)):
                share = _first_inverse_root(straight[:, few], off_diagonal[:, few])
                last = _first_inverse_root(straight[:-1, few], off_diagonal[:-1, few])
                moved = np.linalg.norm(share - np.vstack([last, np.zeros((1, last.shape[1]))]), axis=0)
                if not (ended[few] | (moved <= tolerance * np.linalg.norm(share, axis=0))).all():
                    break
            else:
                return np.asarray(length * sum(column * part for column, part in zip(basis, share, strict=True)))
        before = off_diagonal[-1] * basis[-1]
        basis.append(image / np.maximum(off_diagonal[-1], 1e-300))
    raise InferenceError("normal approximation: Lanczos sampling did not converge. Use method nuts.")


def _first_inverse_root(straight: Floats, off_diagonal: Floats) -> Floats:
    """First columns of T^-1/2, shape (step, column), of matrices T with diagonals `straight`, (step, column)."""
    columns = np.zeros_like(straight)
    for k in range(straight.shape[1] if len(straight) else 0):
        value, vector = eigh_tridiagonal(straight[:, k], off_diagonal[: len(straight) - 1, k])
        columns[:, k] = vector @ (vector[0] / np.sqrt(np.maximum(value, _NONE)))
    return columns


def conjugate_gradients(product: Linear, near: Linear, b: Floats, tolerance: float) -> Floats:
    """V b, shape (value, column), by conjugate gradients, column by column; `near` approximates V."""
    x, residual = np.zeros_like(b), b.copy()
    turned = near(residual)
    along, size = turned.copy(), (residual * turned).sum(axis=0)
    least = tolerance**2 * np.maximum(size, 1e-300)
    for _ in range(_MOST_STEPS):
        if (size <= least).all():
            return x
        image = product(along)
        step = size / np.maximum((along * image).sum(axis=0), 1e-300)
        x, residual = x + step * along, residual - step * image
        turned = near(residual)
        last, size = size, (residual * turned).sum(axis=0)
        along = turned + size / np.maximum(last, 1e-300) * along
    raise InferenceError("normal approximation: conjugate gradients did not converge. Use method nuts.")
