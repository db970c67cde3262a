r"""A learned scale between FIDE ratings and strengths, for anchored opponents.

    anchor = mu + kappa (R - mu),        R_i = mu + (g_i - mu) / kappa

R       an opponent's FIDE rating on the day, in natural units (Elo points times ln 10 / 400)
g_i     strength of a monitored player, natural units of the game's formula
kappa   `anchor_scale`: natural units of strength per natural unit of FIDE rating, log kappa ~ N(0, 1)
mu      the point that both scales share, 2705 Elo; games are blind to it when strengths have a flat prior

Why. Elo's score curve has slope 1/4 at equal strength. Davidson's with draw parameter lam has 1 / (2 (2 + e^lam)), so
where half the games are drawn the same score needs strengths about (2 + e^lam) / 2 times as far apart, and FIDE
ratings taken as they are hold the anchors too close together. kappa = 1 is the study's rule. `rating_elo` is put back
on the Elo scale by the second equation.

Davidson (1970) JASA 65:317, eq. 2.6, for the curve; Elo (1978) for the scale. The level of the opponents against the
monitored players needs no parameter of its own: raising all anchors by a constant raises all strengths by as much.
"""

from dataclasses import dataclass
from typing import Any

import pytensor.tensor as pt

from halfpoint.games.units import to_natural
from halfpoint.models.board import Board, Parameters, each
from halfpoint.models.parts import Normal, parameter

MIDDLE = to_natural(2705.0)  # mu, the study's mean rating
UNIT = 0.06  # about one posterior standard deviation of log kappa with some thousand games; sets the sampling unit only


@dataclass(frozen=True)
class Priors:
    """Normal prior of log kappa, (mean, standard deviation)."""

    log_scale: Normal = (0.0, 1.0)


def declare(priors: Priors | None = None) -> Any:
    """Add `log_anchor_scale` to the model in context and return kappa."""
    return pt.exp(parameter("log_anchor_scale", (priors or Priors()).log_scale, UNIT))


def anchors(p: Parameters, rows: Board) -> tuple[Any, Any]:
    """Return anchored White's and Black's strengths, shape (..., row); FIDE's own where there is no `anchor_scale`."""
    if "anchor_scale" not in p:
        return rows.white_anchor, rows.black_anchor
    scale = each(p["anchor_scale"])
    return MIDDLE + scale * (rows.white_anchor - MIDDLE), MIDDLE + scale * (rows.black_anchor - MIDDLE)


def on_fide_scale(strength: Any, scale: Any = 1.0) -> Any:
    """Return strengths on the scale of FIDE ratings, natural units: mu + (g - mu) / kappa."""
    return MIDDLE + (strength - MIDDLE) / scale
