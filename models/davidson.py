r"""Davidson's model: each game is a loss, a draw or a win for White.

White is player i, Black is player j; c makes the three probabilities sum to one.

    log P(loss) = c + g_j - b
    log P(draw) = c + lam + (g_i + a + g_j - b) / 2
    log P(win)  = c + g_i + a
    log L       = sum over games of  omega log P(outcome)

g      strength, natural units; an anchored g is a known number, its rating in Elo points times ln 10 / 400
a      what the first move is worth to White (none: 0, common: delta, player: delta_i)
b      what it costs Black (none and common: 0, player: delta_j)
lam    draw parameter `log_draw`; at lam = 0 two equals draw one game in three
omega  weight of the game

Davidson (1970) JASA 65:317. Davidson & Beaver (1977) Biometrics 33:693. Pires (2014), eq. 47, 48 and 55 to 61.
Differs from the text: an anchored opponent's delta is 0.1.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pymc as pm

from halfpoint.games.cells import Cells
from halfpoint.games.units import to_natural
from halfpoint.models import level
from halfpoint.models.outcome import Outcome
from halfpoint.models.parts import (
    Advantage,
    Backend,
    Normal,
    advantages,
    coords,
    observe,
    parameter,
    posterior_scale,
    seats,
)

NORMALISED: tuple[int, ...] = (0, 1, 2)  # loss, draw and win sum to one
INFORMATION = 0.12  # of one game about a strength, Var(score) with half the games drawn; sets the sampling unit only


@dataclass(frozen=True)
class Priors:
    """Normal priors, (mean, standard deviation), in natural units, as the text of the study states them."""

    strength: Normal = (15.0, 400.0)
    advantage: Normal = (1.0, 10.0)
    log_draw: Normal = (1.0, 5.0)
    anchored: float = 0.1  # advantage of an opponent who has no parameter


def scores(white: Any, black: Any, log_draw: Any) -> tuple[Any, Any, Any]:
    """Return (loss, draw, win) on the log scale from the two sides in natural units, arrays or graph nodes."""
    return black, log_draw + (white + black) / 2, white


DAVIDSON = Outcome("davidson", scores, (0, 1, 2), INFORMATION)


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
        Priors in natural units; the study's stated ones by default.
    backend : {"fused", "graph"}
        How the log-potential is computed (see `parts.observe`).

    Returns
    -------
    pymc.Model
        With `strength` (player), `advantage` and `log_draw` in natural units.
    """
    priors = priors or Priors()
    with pm.Model(coords=coords(cells)) as model:
        unit = posterior_scale(cells, priors.strength[1], INFORMATION, "player")
        _, seen = level.declare("strength", priors.strength, unit, cells)
        log_draw = parameter("log_draw", priors.log_draw, posterior_scale(cells, priors.log_draw[1], 0.25, "all"))
        a, b = advantages(advantage, priors.advantage, priors.anchored, cells, INFORMATION)
        white, black = seats(seen, a, b)
        observe(
            cells,
            scores,
            NORMALISED,
            white,
            black,
            to_natural(np.nan_to_num(cells.anchor_elo)),
            log_draw,
            backend=backend,
        )
    return model
