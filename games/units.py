r"""Elo points and natural units: the only place that knows 400 / ln 10.

A strength g in natural units and a rating R in Elo points are one number on two scales (Pires 2014, eq. 43):

    R = g * 400 / ln 10,     g = R * ln 10 / 400.
"""

import math
from typing import overload

import numpy as np
import numpy.typing as npt

ELO_PER_NATURAL = 400.0 / math.log(10.0)


@overload
def to_elo(natural: float) -> float: ...
@overload
def to_elo(natural: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...
def to_elo(natural: float | npt.NDArray[np.float64]) -> float | npt.NDArray[np.float64]:
    """Return Elo points for natural units.

    Parameters
    ----------
    natural : float or array
        Strength or advantage in natural (log-odds) units.

    Returns
    -------
    float or array
        The same in Elo points, same shape.

    Examples
    --------
    >>> round(to_elo(1.0), 2)
    173.72
    """
    return natural * ELO_PER_NATURAL


@overload
def to_natural(elo: float) -> float: ...
@overload
def to_natural(elo: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...
def to_natural(elo: float | npt.NDArray[np.float64]) -> float | npt.NDArray[np.float64]:
    """Return natural units for Elo points.

    Parameters
    ----------
    elo : float or array
        Rating or advantage in Elo points.

    Returns
    -------
    float or array
        The same in natural (log-odds) units, same shape.

    Examples
    --------
    >>> round(to_natural(2705.0), 3)
    15.571
    """
    return elo / ELO_PER_NATURAL
