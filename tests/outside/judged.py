"""Rating list compared with the truth: its error, and the coverage of its intervals.

If a file has no ratings, the level of a list is a convention, so list and truth are both centred at 0 over the listed
players; otherwise they are compared without a shift. Players whose true rating is infinite are left out.
"""

from dataclasses import dataclass

import numpy as np
from outside.kinds import Truth


@dataclass(frozen=True)
class Judgement:
    """Agreement of a list with the truth.

    Parameters
    ----------
    players : int
        Players compared.
    error_elo : float
        Root mean square of list minus truth, Elo points.
    expected_elo : float
        Root mean square of the list's own standard deviations, the expected size of `error_elo`.
    worst_elo : float
        Largest distance from the truth.
    level_elo : float
        Mean of list minus truth; 0 by construction if the file has no ratings.
    covered : int
        Players whose 95% interval contains the truth.
    """

    players: int
    error_elo: float
    expected_elo: float
    worst_elo: float
    level_elo: float
    covered: int


def judge(rows: list[dict[str, object]], truth: Truth) -> Judgement:
    """Compare the rows of `ratings.json` with the truth."""
    rows = [row for row in rows if np.isfinite(truth.rating_elo.get(str(row["player"]), np.inf))]
    known = np.array([truth.rating_elo[str(row["player"])] for row in rows])
    mean, sd, low, high = (
        np.array([row[name] for row in rows], dtype=np.float64)
        for name in ("rating_elo", "sd_elo", "low_elo", "high_elo")
    )
    shift = 0.0 if truth.rated else mean.mean() - known.mean()
    gap = mean - shift - known
    return Judgement(
        players=len(rows),
        error_elo=float(np.sqrt((gap**2).mean())),
        expected_elo=float(np.sqrt((sd**2).mean())),
        worst_elo=float(np.abs(gap).max()),
        level_elo=float(gap.mean()),
        covered=int(((low - shift <= known) & (known <= high - shift)).sum()),
    )
