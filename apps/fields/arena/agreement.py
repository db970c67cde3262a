r"""Agreement of judges of the same items: Krippendorff's alpha of pairwise verdicts.

    alpha = 1 - D_o / D_e,     D_o = 1/n sum_u sum_{i != j in u} d(v_i, v_j)^2 / (m_u - 1),
    D_e = sum_{c, k} n_c n_k d(c, k)^2 / (n (n - 1))

over the units u (one prompt and pair each) with m_u >= 2 verdicts, n verdicts in all; d is 1 between different verdicts
(nominal), or their distance with a tie in the middle (interval). 1 is agreement, 0 chance agreement.

Krippendorff (2011) Computing Krippendorff's alpha-reliability; Hayes & Krippendorff (2007) Commun. Methods Meas. 1:77.
"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Floats, GameTable

Metric = Literal["nominal", "interval"]


def krippendorff_alpha(unit: npt.ArrayLike, value: npt.ArrayLike, metric: Metric = "nominal") -> float:
    """Krippendorff's alpha; NaN if no unit was judged twice, or all verdicts agree.

    Parameters
    ----------
    unit : array_like, shape (verdict,)
        Unit of each verdict.
    value : array_like of float, shape (verdict,)
        The verdicts.
    metric : {"nominal", "interval"}
        Distance of different verdicts: 1, or their numerical distance.

    Examples
    --------
    Two judges on four units, who differ on one:

    >>> krippendorff_alpha([1, 1, 2, 2, 3, 3, 4, 4], [0, 0, 1, 1, 0, 1, 1, 1]).__round__(4)
    0.5333
    """
    _, place = np.unique(np.asarray(unit), return_inverse=True)
    kinds, code = np.unique(np.asarray(value, dtype=np.float64), return_inverse=True)
    counts = np.zeros((place.max(initial=-1) + 1, kinds.size))
    np.add.at(counts, (place.ravel(), code.ravel()), 1.0)
    size = counts.sum(axis=1)
    counts, size = counts[size >= 2], size[size >= 2]
    total = counts.sum()
    distance = (kinds[:, None] - kinds) ** 2 if metric == "interval" else 1.0 - np.eye(kinds.size)
    marginal = counts.sum(axis=0)
    expected = marginal @ distance @ marginal / (total * (total - 1.0)) if total > 1.0 else 0.0
    if not expected:
        return float("nan")
    observed = (np.einsum("uc,ck,uk->u", counts, distance, counts) / (size - 1.0)).sum() / total
    return float(1.0 - observed / expected)


def units_of(games: GameTable) -> tuple[npt.NDArray[np.str_], Floats]:
    """Item of each judgement, a pair with its prompt if known, and the verdict for its first name."""
    white, black = games.white_names, games.black_names
    turned = white > black
    first, second = np.where(turned, black, white), np.where(turned, white, black)
    unit = np.char.add(np.char.add(first, " | "), second)
    if "prompt" in games.covariates:
        unit = np.char.add(np.char.add(unit, " | "), np.asarray(games.covariates["prompt"]).astype(np.str_))
    return unit, np.where(turned, 1.0 - games.score, games.score)
