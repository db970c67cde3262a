"""FIDE's two tables: score to rating difference, rating difference to expected score.

FIDE Rating Regulations (in force from 1 July 2017), tables 8.1a and 8.1b; the second is Elo's percentage expectancy
table (Elo 1978, 2.11). Both are symmetric, so only the upper half is stored. A perfect score counts as 800 points.
"""

import numpy as np

from halfpoint.games.table import Floats

# Rating difference for a share of the points of .50, .51, ..., 1.00, in Elo points.
DIFFERENCE_ELO = np.array([
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
], dtype=np.float64)  # fmt: skip

# Largest difference that still gives the stronger player .50, .51, ..., .99; beyond the last it is 1.00.
WIDEST_ELO = np.array([
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
], dtype=np.float64)  # fmt: skip


def difference_by_steps(share: Floats) -> Floats:
    """The rating difference d_p in Elo points of a share of the points, from 0 to 1, same shape.

    The share is rounded to a hundredth first (a half goes up).

    Examples
    --------
    >>> difference_by_steps(np.array([0.0, 0.3, 0.5, 0.9, 1.0])).tolist()
    [-800.0, -149.0, 0.0, 366.0, 800.0]
    """
    hundredths = np.floor(100.0 * np.asarray(share) + 0.5 + 1e-9).astype(np.int64) - 50
    return np.asarray(np.sign(hundredths) * DIFFERENCE_ELO[np.abs(hundredths)])


def score_by_steps(difference_elo: Floats) -> Floats:
    """The expected score in hundredths of who is so many Elo points ahead, rounded to whole ones, same shape."""
    difference = np.asarray(difference_elo, dtype=np.float64)
    whole = np.floor(np.abs(difference) + 0.5)
    over = np.searchsorted(WIDEST_ELO, whole, side="left") / 100.0
    return np.asarray(0.5 + np.sign(difference) * over)
