r"""Park and Newman's win and loss scores: direct wins, and discounted indirect wins.

    w_i = k_out_i + alpha sum_j A_ji w_j        w = (1 - alpha A^T)^(-1) k_out       eq. 2.13
    l_i = k_in_i  + alpha sum_j A_ij l_j        l = (1 - alpha A)^(-1) k_in          eq. 2.14
    s_i = w_i - l_i                                                                  eq. 2.12

A_ij  points of player j over player i;  k_out, k_in  points won and lost;  alpha  weight of an indirect win, which must
be below the reciprocal of the largest eigenvalue of A, else the series of indirect wins diverges. The paper has no
draws; here a draw is half a win for each side.

As alpha goes to 0, s_i goes to wins less losses; as it goes to its bound, w goes to the leading eigenvector of A^T and
l to the leading eigenvector of A. If results form several unconnected parts, the largest eigenvalue of all parts bounds
alpha.

Park & Newman (2005) J. Stat. Mech. P10014; equation numbers of Krajowski-Kukiel (2011), section 2.4.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats
from halfpoint.systems.network import Network

_POWER_STEPS = 20_000
_TOLERANCE = 1e-10


def largest_eigenvalue(matrix: sparse.csr_array) -> float:
    """Largest eigenvalue of a sparse matrix without negative entries, shape (player, player).

    By power iteration on each strong component with a shift, which makes it converge if results form a cycle; the
    spectrum of the matrix is the union of the spectra of its strong components. The upper bound of Collatz and Wielandt
    is returned.
    """
    count, label = connected_components(matrix, directed=True, connection="strong")
    order = np.argsort(label, kind="stable")
    bounds = np.searchsorted(label[order], np.arange(count + 1))
    largest = 0.0
    for component in range(count):
        inside = order[bounds[component] : bounds[component + 1]]
        if inside.size == 1:
            largest = max(largest, float(matrix[inside[0], inside[0]]))
            continue
        block = matrix[inside][:, inside]
        shift = float(block.sum()) / inside.size
        vector = np.ones(inside.size)
        for _ in range(_POWER_STEPS):
            image = block @ vector + shift * vector
            ratio = image / vector
            vector = image / image.max()
            if ratio.max() - ratio.min() <= _TOLERANCE * ratio.max():
                break
        largest = max(largest, float(ratio.max()) - shift)
    return largest


def win_and_loss_scores(beaten: sparse.csr_array, alpha: float) -> tuple[Floats, Floats]:
    """Win and loss scores, shape (player,) each, by two sparse solves with one factorisation.

    Parameters
    ----------
    beaten : scipy.sparse.csr_array, shape (player, player)
        Entry (i, j) is the number of points of player j over player i.
    alpha : float
        Weight of an indirect win, at least 0.

    Raises
    ------
    RatingSystemError
        If alpha is not below the reciprocal of the largest eigenvalue.
    """
    eigenvalue = largest_eigenvalue(beaten)
    if not 0.0 <= alpha * eigenvalue < 1.0:
        bound = 1.0 / eigenvalue if eigenvalue > 0.0 else np.inf
        expected = f"alpha from 0 to below 1 / (largest eigenvalue) = {bound:.6g}"
        raise RatingSystemError("Park-Newman", expected, f"{alpha}")
    system = splu(sparse.csc_array(sparse.eye_array(beaten.shape[0]) - alpha * beaten))
    won, lost = np.asarray(beaten.sum(axis=0)), np.asarray(beaten.sum(axis=1))
    return np.asarray(system.solve(won, trans="T")), np.asarray(system.solve(lost))


@dataclass
class ParkNewman(Network):
    """Park and Newman's ratings."""

    share: float = 0.8  #: alpha as a share of the reciprocal of the largest eigenvalue, from 0 to below 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.share < 1.0:
            raise RatingSystemError("Park-Newman", "a share of the largest alpha from 0 to below 1", str(self.share))

    def solve(self, beaten: sparse.csr_array) -> Floats:
        """Win score less loss score, shape (player,)."""
        eigenvalue = largest_eigenvalue(beaten)
        alpha = self.share / eigenvalue if eigenvalue > 0.0 else 0.0
        won, lost = win_and_loss_scores(beaten, alpha)
        return np.asarray(won - lost)
