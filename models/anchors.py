r"""How known ratings enter: the strength of an opponent whose rating on the day is a number, not a parameter.

    on the day   anchor = R
    scale        anchor = mu + kappa (R - mu),       rating_i = mu + (g_i - mu) / kappa
    level        the same with mu learned

R       the rating in natural units (points times ln 10 / 400)
kappa   `anchor_scale`: natural units of strength per natural unit of rating, log kappa ~ N(0, 1)
mu      the point that both scales share: 2705, or `anchor_level` ~ N(2705 Elo, (100 Elo)^2), natural units

Why a scale. Elo's score curve has slope 1/4 at equal strength. Davidson's with draw parameter lam has
1 / (2 (2 + e^lam)), so where half the games are drawn the same score needs strengths about (2 + e^lam) / 2 times as far
apart, and ratings taken as they are hold the anchors too close together. kappa = 1 is the study's rule.

The level. Moving mu by c moves every anchor by (1 - kappa) c; when all strengths move by as much, no game and no rating
sees it. So the games tell mu through the strengths' prior alone: under a flat one the posterior of mu is its prior.
Strengths are then sampled around (1 - kappa) (mu - 2705 Elo), along that direction; their density is as stated.

Davidson (1970) JASA 65:317, eq. 2.6, for the curve; Elo (1978) for the scale.
"""

from dataclasses import dataclass
from typing import Any

from halfpoint.models.blocks import Normal, Scale
from halfpoint.models.errors import ModelError
from halfpoint.models.part import Part
from halfpoint.models.priors import Normal as NormalPrior
from halfpoint.models.rows import Parameters, Side, each
from halfpoint.models.site import Site
from halfpoint.models.strength import MIDDLE

SCALE_UNIT = 0.06  # about one posterior standard deviation with some thousand games; sets the sampling unit only


@dataclass(frozen=True)
class Anchors(Part):
    """Known ratings as strengths.

    Parameters
    ----------
    scale : (float, float), optional
        Mean and standard deviation of log kappa, where the scale is learned.
    level : (float, float), optional
        Mean and standard deviation of mu in natural units, where it is learned too.

    Raises
    ------
    ModelError
        If a level is given without a scale.
    """

    scale: NormalPrior | None = None
    level: NormalPrior | None = None

    def __post_init__(self) -> None:
        if self.level is not None and self.scale is None:
            raise ModelError(
                "anchors: expected a scale where the level is learned, found a level alone, which no game would see. "
                "Give both: Anchors(scale=(0.0, 1.0), level=...)."
            )

    @property
    def new(self) -> str:
        """What it adds to the study's models, in words."""
        parts = {"anchor scale": self.scale is not None, "anchor level": self.level is not None}
        return ", ".join(name for name, there in parts.items() if there)

    def blocks(self, site: Site) -> list[Any]:
        """Return the parameters: where asked for `anchor_scale` and `anchor_level`."""
        made: list[Any] = []
        if self.scale is not None:
            label = "natural units of strength per natural unit of rating"
            made.append(Scale("anchor_scale", label, prior=self.scale, unit=SCALE_UNIT))
        if self.level is not None:
            label = "where the scale of ratings meets that of strengths, natural units"
            made.append(Normal("anchor_level", label, prior=self.level, unit=self.level[1]))
        return made

    def at(self, p: Parameters, side: Side) -> Any:
        """Return the anchored part of a side's strength, shape (..., row)."""
        if self.scale is None:
            return side.rating * side.anchored
        scale = each(p["anchor_scale"])
        if "anchor_level" not in p:
            return MIDDLE * side.anchored + scale * ((side.rating - MIDDLE) * side.anchored)
        level = each(p["anchor_level"])
        return (level + scale * (side.rating - level)) * side.anchored
