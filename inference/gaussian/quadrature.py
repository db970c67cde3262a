"""Gauss-Hermite nodes of eta and lam of rows, and roots of their variances and covariance."""

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Floats

SMALL = 1e-3  # least standard deviation of eta and lam of a row: slopes at its nodes still give the curvature
_WIDEST = 3.0  # of eta: rows of players who won all games are averaged over no more
_NODES = ((1.01 * SMALL, 2), (0.02, 3), (0.3, 5), (np.inf, 7))  # largest standard deviation for each number


@cache
def nodes_of(count: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss-Hermite quadrature."""
    nodes, share = np.polynomial.hermite_e.hermegauss(count)
    return nodes, share / share.sum()


def nodes_for(deviations: Iterable[float]) -> list[tuple[Floats, Floats]]:
    """Nodes of eta and lam by the largest standard deviations of rows."""
    return [nodes_of(next(n for most, n in _NODES if max(deviation, SMALL) <= most)) for deviation in deviations]


def least_roots(count: int, kind: npt.DTypeLike = np.float64) -> Floats:
    """Roots (3, row) of a negligible variance of eta and lam."""
    root = np.zeros((3, count), kind)
    root[0::2] = SMALL
    return root


def roots_of(variance: Floats, root: Floats) -> None:
    """Write the roots of variances and covariance of eta and lam, (3, row), into roots (3, row)."""
    share = np.minimum(1.0, _WIDEST**2 / np.maximum(variance[0], SMALL**2))
    root[0] = np.sqrt(np.maximum(variance[0] * share, SMALL**2))
    root[1] = variance[1] * share / root[0]
    root[2] = np.sqrt(np.maximum(variance[2] * share - root[1] ** 2, SMALL**2))
