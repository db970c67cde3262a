r"""Elo points and natural units: the only module with 400 / ln 10.

A strength g in natural units and a rating R in Elo points are one number on two scales (Pires 2014, eq. 43):

    R = g * 400 / ln 10,     g = R * ln 10 / 400.
"""

import math

import numpy as np
import numpy.typing as npt

ELO_PER_NATURAL = 400.0 / math.log(10.0)


def to_elo[T: (float, npt.NDArray[np.float64])](natural: T) -> T:
    """Elo points for strengths or advantages in natural (log-odds) units, same shape.

    Examples
    --------
    >>> round(to_elo(1.0), 2)
    173.72
    """
    return natural * ELO_PER_NATURAL


def to_natural[T: (float, npt.NDArray[np.float64])](elo: T) -> T:
    """Natural (log-odds) units for ratings or advantages in Elo points, same shape.

    Examples
    --------
    >>> round(to_natural(2705.0), 3)
    15.571
    """
    return elo / ELO_PER_NATURAL
