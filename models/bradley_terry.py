r"""Bradley-Terry's model of the score, in Elo points: a draw is half a win and half a loss.

White is player i, Black is player j.

    P(White)  p = 1 / (1 + 10^((R_j - R_i - A) / 400))
    log L       = sum over games of  omega (y log p + (1 - y) log(1 - p)),   y = 0, 1/2, 1

R      rating, Elo points. An anchored R is a known number.
A      White's advantage, Elo points: 0 (none), delta (common), delta_i + delta_j (player: each half an advantage)
omega  weight of the game

A half-point likelihood is not a distribution over three outcomes: it has no draw probability, only an expected score p.

Bradley & Terry (1952) Biometrika 39:324. Pires (2014), eq. 44 to 46 (46 is printed with the sign of delta_j wrong) and
49 to 54. Differs from the text: an anchored opponent's delta is 0.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pymc as pm

from halfpoint.games.cells import Cells
from halfpoint.games.units import ELO_PER_NATURAL
from halfpoint.models import level
from halfpoint.models.outcome import Outcome
from halfpoint.models.parts import (
    Advantage,
    Backend,
    Normal,
    advantages,
    coords,
    observe,
    posterior_scale,
    seats,
)

NORMALISED: tuple[int, ...] = (0, 2)  # loss and win sum to one; the draw is their geometric mean
INFORMATION = 0.25 / ELO_PER_NATURAL**2  # of one game about a rating difference, in 1 / Elo^2


@dataclass(frozen=True)
class Priors:
    """Normal priors, (mean, standard deviation), in Elo points, as the text of the study states them."""

    rating: Normal = (2705.0, 400.0)
    advantage: Normal = (50.0, 40.0)
    anchored: float = 0.0  # advantage of an opponent who has no parameter


def scores(white: Any, black: Any) -> tuple[Any, Any, Any]:
    """Return (loss, draw, win) on the log scale from the two sides in natural units, arrays or graph nodes."""
    return black, (white + black) / 2, white


HALF_POINTS = Outcome("bradley_terry", lambda white, black, _: scores(white, black), (0, 2), 0.2)


def build(
    cells: Cells, advantage: Advantage = "none", priors: Priors | None = None, backend: Backend = "fused"
) -> pm.Model:
    """Return the PyMC model of `cells`.

    Parameters
    ----------
    cells : Cells
        The games; anchors in Elo points.
    advantage : {"none", "common", "player"}
        White's advantage.
    priors : Priors, optional
        Priors in Elo points; the study's stated ones by default.
    backend : {"fused", "graph"}
        How the log-potential is computed (see `parts.observe`).

    Returns
    -------
    pymc.Model
        With `rating` (player) and `advantage` in Elo points.
    """
    priors = priors or Priors()
    with pm.Model(coords=coords(cells)) as model:
        unit = posterior_scale(cells, priors.rating[1], INFORMATION, "player")
        _, seen = level.declare("rating", priors.rating, unit, cells)
        a, b = advantages(advantage, priors.advantage, priors.anchored, cells, INFORMATION)
        white, black = seats(seen, a, b)
        anchor = np.nan_to_num(cells.anchor_elo)
        observe(
            cells,
            scores,
            NORMALISED,
            white / ELO_PER_NATURAL,
            black / ELO_PER_NATURAL,
            anchor / ELO_PER_NATURAL,
            backend=backend,
        )
    return model
