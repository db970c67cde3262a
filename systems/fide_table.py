"""FIDE's two tables: score to rating difference, rating difference to expected score.

FIDE Rating Regulations (in force from 1 July 2017), tables 8.1a and 8.1b; table 8.1b is Elo's percentage expectancy
table (Elo 1978, 2.11). Both are symmetric, so only the upper half is stored. A perfect score counts as 800 points.
"""

import numpy as np

from halfpoint.models.games.packaged import packaged_text
from halfpoint.models.games.table import Floats

_TABLE = np.loadtxt(packaged_text("systems", "fide_table.csv").splitlines(), delimiter=",", skiprows=1, unpack=True)
# Rating difference for a share of the points of .50, .51, ..., 1.00, in Elo points; the largest difference that still
# gives the stronger player .50, .51, ..., .99, beyond the last of which it is 1.00.
DIFFERENCE_ELO, WIDEST_ELO = _TABLE[1], _TABLE[2][:-1]


def difference_by_steps(share: Floats) -> Floats:
    """Rating difference d_p in Elo points for a share of the points, from 0 to 1, same shape.

    The share is rounded to a hundredth first (a half goes up).

    Examples
    --------
    >>> difference_by_steps(np.array([0.0, 0.3, 0.5, 0.9, 1.0])).tolist()
    [-800.0, -149.0, 0.0, 366.0, 800.0]
    """
    hundredths = np.floor(100.0 * np.asarray(share) + 0.5 + 1e-9).astype(np.int64) - 50
    return np.asarray(np.sign(hundredths) * DIFFERENCE_ELO[np.abs(hundredths)])


def score_by_steps(difference_elo: Floats) -> Floats:
    """Expected score in hundredths for a lead in Elo points, rounded, same shape."""
    difference = np.asarray(difference_elo, dtype=np.float64)
    rounded = np.floor(np.abs(difference) + 0.5)
    over = np.searchsorted(WIDEST_ELO, rounded, side="left") / 100.0
    return np.asarray(0.5 + np.sign(difference) * over)
