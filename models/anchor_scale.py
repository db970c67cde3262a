r"""A learned scale, and as an option a learned level, between FIDE ratings and strengths of anchored opponents.

    anchor = mu + kappa (R - mu),        R_i = mu + (g_i - mu) / kappa

R       an opponent's FIDE rating on the day, in natural units (Elo points times ln 10 / 400)
g_i     strength of a monitored player, natural units of the game's formula
kappa   `anchor_scale`: natural units of strength per natural unit of FIDE rating, log kappa ~ N(0, 1)
mu      the point that both scales share: 2705 Elo, or with the option `level` a parameter, `anchor_level` ~
        N(2705 Elo, (100 Elo)^2), natural units

Why. Elo's score curve has slope 1/4 at equal strength. Davidson's with draw parameter lam has 1 / (2 (2 + e^lam)), so
where half the games are drawn the same score needs strengths about (2 + e^lam) / 2 times as far apart, and FIDE
ratings taken as they are hold the anchors too close together. kappa = 1 is the study's rule. The second equation puts
strengths back on the scale of the anchors' ratings (see elo_scale).

The level. Moving mu by c moves every anchor by (1 - kappa) c; when all strengths move by as much, no game and no
rating sees it. So the games tell mu through the strengths' prior alone: under a flat one the posterior of mu is
its prior and nothing is lost by fixing it (the other names do); under a narrow one around g0 it is where the players,
rated R on average by their games, have strength g0: mu = (kappa R - g0) / (kappa - 1). Strengths are sampled around
(1 - kappa) (mu - 2705 Elo), along that direction; their density is as stated.

Davidson (1970) JASA 65:317, eq. 2.6, for the curve; Elo (1978) for the scale.
"""

from dataclasses import dataclass
from typing import Any

import pytensor.tensor as pt

from halfpoint.games.units import to_natural
from halfpoint.models.board import Board, Parameters, each
from halfpoint.models.parts import Normal, parameter

MIDDLE = to_natural(2705.0)  # mu where it is not learned, the study's mean rating
UNIT = 0.06  # about one posterior standard deviation of log kappa with some thousand games; sets the sampling unit only


@dataclass(frozen=True)
class Priors:
    """Normal priors (mean, standard deviation): of log kappa, and of mu in natural units where it is learned."""

    log_scale: Normal = (0.0, 1.0)
    level: Normal = (MIDDLE, to_natural(100.0))


def declare(priors: Priors | None = None) -> Any:
    """Add `log_anchor_scale` to the model in context and return kappa."""
    return pt.exp(parameter("log_anchor_scale", (priors or Priors()).log_scale, UNIT))


def declare_level(priors: Priors | None = None) -> Any:
    """Add `anchor_level` to the model in context and return mu; it is sampled in units of its prior."""
    prior = (priors or Priors()).level
    return parameter("anchor_level", prior, prior[1])


def shift(p: Parameters) -> Any:
    """Return how far a learned level moves all anchors, (1 - kappa) (mu - 2705 Elo); None where mu is fixed."""
    return (1 - p["anchor_scale"]) * (p["anchor_level"] - MIDDLE) if "anchor_level" in p else None


def anchors(p: Parameters, rows: Board) -> tuple[Any, Any]:
    """Return anchored White's and Black's strengths, shape (..., row); FIDE's own where there is no `anchor_scale`."""
    if "anchor_scale" not in p:
        return rows.white_anchor, rows.black_anchor
    scale, level = each(p["anchor_scale"]), each(p["anchor_level"]) if "anchor_level" in p else MIDDLE
    return level + scale * (rows.white_anchor - level), level + scale * (rows.black_anchor - level)


def on_fide_scale(strength: Any, scale: Any = 1.0, level: Any = MIDDLE) -> Any:
    """Return strengths on the scale of FIDE ratings, natural units: mu + (g - mu) / kappa."""
    return level + (strength - level) / scale
