"""Three ways to solve with a Hessian's body K, to draw with it and to know the diagonal of its inverse.

Dense (`DenseFactor`), up to a few thousand players: Cholesky, exact.

Sparse (`SparseFactor`), many players with few opponents each, exact. SuperLU with a symmetric minimum-degree ordering
and diagonal pivots gives P K P' = L D L'. The entries of Z = K^-1 on the pattern of L follow from the last column to
the first (Takahashi, Fagan & Chen 1973; Erisman & Tinney 1975, Communications of the ACM 18:177):

    Z_ij = -sum_k L_kj Z_ik  (i > j),      Z_jj = 1 / D_j - sum_k L_kj Z_kj,      k over the pattern of column j

Iterative (`IterativeFactor`), where fill-in forbids a factorisation: 10^4 to 10^6 players. Preconditioned conjugate
gradients, several right sides at a time, with a two-level preconditioner

    M^-1 = diag(K)^-1 + R (R' K R)^-1 R',

R the sums over groups of players of like strength: the slow directions of a large field of players are whole classes
moving together, which the coarse system solves exactly (Nicolaides 1987, SIAM J. Numer. Anal. 24:355).

Its draws. K = A' C A + D with A the cells, C their curvature, D the prior precisions. With xi and zeta standard normal,
K^-1 (A' sqrt(C) xi + sqrt(D) zeta) is a draw from N(0, K^-1) (Papandreou & Yuille 2010, NIPS 23).

Its variances. The diagonal of K^-1 from S draws by conditioning each parameter on all others (Siden, Lindgren, Bolin &
Villani 2018, J. Comput. Graph. Stat. 27:898):

    Var(x_i) = 1 / K_ii + Var(E(x_i | rest)),     E(x_i | rest) = x_i - (K x)_i / K_ii

The first term is exact and nearly everything, so that the Monte Carlo error of the second, sqrt(2 / S) of it, is small.
"""

from functools import partial

import numba
import numpy as np
import scipy.linalg as linalg
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from halfpoint.games.compiled_loops import lasting
from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.laplace.hessian import CHUNK, Curvature, over_cells, scatter, sum_of


class DenseFactor:
    """Cholesky factor K = L L' of a Hessian's body.

    Parameters
    ----------
    curvature : Curvature
        The Hessian, at the mode for a Laplace approximation.

    Raises
    ------
    InferenceError
        If K is not positive definite, which only priors without any precision can cause.
    """

    name = "dense"

    def __init__(self, curvature: Curvature) -> None:
        try:
            self.lower = linalg.cholesky(
                np.asfortranarray(curvature.matrix().toarray()), lower=True, overwrite_a=True, check_finite=False
            )
        except linalg.LinAlgError as error:
            raise InferenceError(f"Hessian: expected positive definite, found {error}. Give proper priors.") from error

    def solve(self, right: Floats) -> Floats:
        """Return K^-1 times right, shape (body, column)."""
        return np.asarray(linalg.cho_solve((self.lower, True), right, check_finite=False))

    def variances(self, drawn: Floats | None = None) -> Floats:
        """Return the diagonal of K^-1, shape (body,): sums of squares of the columns of L^-1. No draws needed."""
        inverse, _ = linalg.lapack.dtrtri(self.lower, lower=1)
        return np.asarray(np.einsum("ij,ij->j", inverse, inverse))

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K^-1), shape (body, count)."""
        noise = chance.standard_normal((self.lower.shape[0], count))
        return np.asarray(linalg.solve_triangular(self.lower, noise, trans=1, lower=True, check_finite=False))

    def log_determinant(self) -> float:
        """Return log det K."""
        return 2.0 * float(np.log(np.diag(self.lower)).sum())


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


COLUMNS = 8  # right sides at a time: one cache line of doubles


class IterativeFactor:
    """Solver, draws and variances for a Hessian's body by conjugate gradients.

    Parameters
    ----------
    curvature : Curvature
        The Hessian.
    order : array of float, shape (player,)
        What to sort the players by for the groups: present strengths.
    groups : int
        Groups of players of like strength in the coarse system.
    tolerance : float
        Relative size of the residual, in the preconditioner's norm, at which a solution counts as found.
    """

    name = "iterative"

    def __init__(
        self,
        curvature: Curvature,
        order: Floats,
        groups: int = 200,
        tolerance: float = 1e-6,
    ) -> None:
        self.curvature = curvature
        self.diagonal = curvature.diagonal()
        self.tolerance = tolerance
        self.iterations = 0
        count = curvature.target.players.size
        groups = min(groups, count)
        rank = np.empty(count, dtype=np.int64)
        rank[np.argsort(order, kind="stable")] = np.arange(count)
        group = rank * groups // count
        self.coarse = linalg.cho_factor(curvature.coarse_matrix(group, groups))
        self.group = np.concatenate([group, group + groups]) if curvature.target.advantage == "player" else group

    def restrict(self, vectors: Floats) -> Floats:
        """Return R' vectors: sums over groups, shape (group, column)."""
        return np.stack([np.bincount(self.group, weights=column) for column in vectors.T], axis=1)

    def precondition(self, residual: Floats) -> Floats:
        """Return M^-1 times the residual."""
        coarse = linalg.cho_solve(self.coarse, self.restrict(residual))
        return np.asarray(residual / self.diagonal[:, None] + coarse[self.group])

    def solve(self, right: Floats) -> Floats:
        """Return K^-1 times right, shape (body, column), to the tolerance.

        Raises
        ------
        InferenceError
            If 2,000 iterations do not suffice.
        """
        found = [self.solve_few(right[:, k : k + COLUMNS]) for k in range(0, right.shape[1], COLUMNS)]
        return np.concatenate(found, axis=1) if len(found) > 1 else found[0]

    def solve_few(self, right: Floats) -> Floats:
        """Return K^-1 times right for at most COLUMNS right sides, all iterated together."""
        solution = np.zeros_like(right)
        residual = np.array(right)
        guided = self.precondition(residual)
        direction = guided.copy()
        size = np.einsum("ij,ij->j", residual, guided)
        goal = self.tolerance**2 * size
        for iteration in range(2000):
            if (size <= goal).all():
                self.iterations = iteration
                return solution
            image = self.curvature.times(direction)
            curve = np.einsum("ij,ij->j", direction, image)
            step = np.divide(size, curve, out=np.zeros_like(size), where=curve > 0)
            solution += step * direction
            residual -= step * image
            guided = self.precondition(residual)
            new = np.einsum("ij,ij->j", residual, guided)
            direction *= np.divide(new, size, out=np.zeros_like(size), where=size > 0)
            direction += guided
            size = new
        raise InferenceError(
            f"conjugate gradients: expected a residual below {self.tolerance}, found "
            f"{float(np.sqrt((size / np.maximum(goal, 1e-300)).max()) * self.tolerance):.1e} after 2000 iterations"
        )

    def scores(self, columns: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K), shape (body, columns)."""
        target = self.curvature.target
        seed = int(chance.integers(2**63))
        shape = (target.players.size + 1, columns)
        same = target.advantage != "player"

        def work(start: int, stop: int) -> tuple[Floats, Floats]:
            out_p = np.zeros(shape)
            out_q = out_p if same else np.zeros(shape)
            for first in range(start, stop, CHUNK):
                last = min(stop, first + CHUNK)
                stream = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, first])))
                noise = stream.standard_normal((last - first, columns), dtype=np.float32)
                scatter(first, last, target.white, target.black, self.curvature.cell, noise, out_p, out_q)
            return out_p, out_q

        parts = over_cells(work, target.white.size)
        out_p = sum_of([part[0] for part in parts])
        body = out_p[:-1] if same else target.gather(out_p, sum_of([part[1] for part in parts]))
        return np.asarray(body + np.sqrt(self.curvature.precision)[:, None] * chance.standard_normal(body.shape))

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K^-1), shape (body, count)."""
        found = np.empty((self.diagonal.size, count))
        for first in range(0, count, COLUMNS):
            last = min(count, first + COLUMNS)
            found[:, first:last] = self.solve(self.scores(last - first, chance))
        return found

    def variances(self, drawn: Floats) -> Floats:
        """Return the diagonal of K^-1, shape (body,), from draws from N(0, K^-1), shape (body, count)."""
        square = np.zeros(self.diagonal.size)
        for first in range(0, drawn.shape[1], COLUMNS):
            few = drawn[:, first : first + COLUMNS]
            square += np.square(few - self.curvature.times(few) / self.diagonal[:, None]).sum(axis=1)
        return np.asarray(1.0 / self.diagonal + square / drawn.shape[1])

    def log_determinant(self) -> float:
        """Return NaN: conjugate gradients give no determinant."""
        return float("nan")
