r"""Exact work with a Hessian's body by sparse LDL' and the selected inverse: many players, few opponents each.

SuperLU with a symmetric minimum-degree ordering and diagonal pivots gives P K P' = L D L'. The entries of Z = K^-1 on
the pattern of L follow from the last column to the first (Takahashi, Fagan & Chen 1973; Erisman & Tinney 1975,
Communications of the ACM 18:177):

    Z_ij = -sum_k L_kj Z_ik  (i > j),      Z_jj = 1 / D_j - sum_k L_kj Z_kj,      k over the pattern of column j
"""

from functools import partial

import numba
import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from halfpoint.games.compiled_loops import lasting
from halfpoint.games.table import Floats
from halfpoint.inference.curvature import Curvature
from halfpoint.inference.errors import InferenceError


@partial(lasting, numba.njit)
def selected_inverse(starts, rows, values, pivots):  # type: ignore[no-untyped-def]
    """Return the diagonal of (L D L')^-1; L unit lower by columns with sorted rows, the diagonal left out."""
    size = pivots.size
    kept = np.zeros(values.size)
    diagonal = np.zeros(size)
    work = np.zeros(size)
    slot = np.full(size, -1, dtype=np.int64)
    for j in range(size - 1, -1, -1):
        first, last = starts[j], starts[j + 1]
        for place in range(first, last):
            slot[rows[place]] = place
            work[rows[place]] = 0.0
        for place in range(first, last):
            k, factor = rows[place], values[place]
            work[k] += factor * diagonal[k]
            for lower in range(starts[k], starts[k + 1]):
                i = rows[lower]
                if slot[i] >= first:
                    work[i] += factor * kept[lower]
                    work[k] += values[slot[i]] * kept[lower]
        total = 1.0 / pivots[j]
        for place in range(first, last):
            kept[place] = -work[rows[place]]
            total -= values[place] * kept[place]
        for place in range(first, last):
            slot[rows[place]] = -1
        diagonal[j] = total
    return diagonal


class SparseFactor:
    """Sparse factor P K P' = L D L' of a Hessian's body.

    Parameters
    ----------
    curvature : Curvature
        The Hessian.

    Raises
    ------
    InferenceError
        If the pivots had to leave the diagonal: K is not numerically positive definite.
    """

    name = "sparse"

    def __init__(self, curvature: Curvature) -> None:
        options = {"SymmetricMode": True}
        self.factor = splu(curvature.matrix(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
        self.pivots = self.factor.U.diagonal()
        if not np.array_equal(self.factor.perm_r, self.factor.perm_c) or not (self.pivots > 0).all():
            raise InferenceError("Hessian: expected positive definite, found a negative pivot. Give proper priors.")

    def solve(self, right: Floats) -> Floats:
        """Return K^-1 times right, shape (body, column)."""
        return np.asarray(self.factor.solve(right))

    def variances(self, drawn: Floats | None = None) -> Floats:
        """Return the diagonal of K^-1, shape (body,), by the selected inverse. No draws needed."""
        lower = sparse.csc_array(sparse.tril(self.factor.L, k=-1))
        lower.sort_indices()
        diagonal = selected_inverse(
            lower.indptr.astype(np.int64), lower.indices.astype(np.int64), lower.data, self.pivots
        )
        return np.asarray(diagonal[self.factor.perm_c])

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K^-1), shape (body, count)."""
        noise = chance.standard_normal((self.pivots.size, count)) / np.sqrt(self.pivots)[:, None]
        upper = sparse.csr_array(self.factor.L.T)
        drawn = sparse.linalg.spsolve_triangular(upper, noise, lower=False, unit_diagonal=True)
        return np.asarray(drawn[self.factor.perm_c])

    def log_determinant(self) -> float:
        """Return log det K."""
        return float(np.log(self.pivots).sum())
