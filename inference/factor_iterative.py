r"""Work with a Hessian's body by conjugate gradients, where fill-in forbids a factorisation: 10^4 to 10^6 players.

Solving. Preconditioned conjugate gradients, several right sides at a time, with a two-level preconditioner

    M^-1 = diag(K)^-1 + R (R' K R)^-1 R',

R the sums over groups of players of like strength: the slow directions of a large field of players are whole classes
moving together, which the coarse system solves exactly (Nicolaides 1987, SIAM J. Numer. Anal. 24:355).

Draws. K = A' C A + D with A the cells, C their curvature, D the prior precisions. With xi and zeta standard normal,
K^-1 (A' sqrt(C) xi + sqrt(D) zeta) is a draw from N(0, K^-1) (Papandreou & Yuille 2010, NIPS 23).

Variances. The diagonal of K^-1 from S draws by conditioning each parameter on all others (Siden, Lindgren, Bolin &
Villani 2018, J. Comput. Graph. Stat. 27:898):

    Var(x_i) = 1 / K_ii + Var(E(x_i | rest)),     E(x_i | rest) = x_i - (K x)_i / K_ii

The first term is exact and nearly everything, so that the Monte Carlo error of the second, sqrt(2 / S) of it, is small.
"""

import numpy as np
import scipy.linalg as linalg

from halfpoint.games.table import Floats
from halfpoint.inference.cell_kernels import CHUNK, over_cells, scatter
from halfpoint.inference.curvature import Curvature, sum_of
from halfpoint.inference.errors import InferenceError

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
