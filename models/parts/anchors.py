r"""How known ratings enter: the strength of an opponent whose rating on the day is a number, not a parameter.

    on the day   anchor = R
    scale        anchor = mu + kappa (R - mu),       rating_i = mu + (g_i - mu) / kappa
    level        the same with mu learned

R       the rating in natural units (points times ln 10 / 400)
kappa   `anchor_scale`: natural units of strength per natural unit of rating, log kappa ~ N(0, 1)
mu      the point that both scales share: 2705, or `anchor_level` ~ N(2705 Elo, (100 Elo)^2), natural units

Why a scale. Elo's score curve has slope 1/4 at equal strength, Davidson's 1 / (2 (2 + e^lam)): where half the games are
drawn ratings taken as they are hold the anchors too close together. kappa = 1 is the study's rule.

The level. Moving mu by c moves every anchor by (1 - kappa) c; when all strengths move by as much, no game sees it, so
that the games tell mu through the strengths' prior alone. Strengths are then sampled around (1 - kappa) (mu - 2705
Elo), along that direction; their density is as stated.

With errors. Players of the pool whom a list knows with an error have its rating and standard error as their prior,

    g_i ~ N(mu + kappa (R_i - mu), (kappa e_i)^2)

R_i, e_i   rating and standard deviation of player i in the list, natural units; known numbers of the selection
mu         mean of the R_i; that of the file where strengths are around ratings in it (`strength`, Rated)
kappa      as above; 1 where no scale is learned

With e_i -> 0 the player is anchored, with a large e_i the games alone tell the strength. All others have the prior of
their part of the model, moved to the level of the list; a population is that of the players whom it does not know.
Without a scale e_i is in points of 400 / ln 10 a natural unit, which are more than Elo points in models with draws (see
`elo_scale`): a list asks for a row with an anchor scale, or for half points.

Glickman (1999) Appl. Stat. 48:377 for ratings with their standard deviations as the normal prior of the next games;
Davidson (1970) JASA 65:317, eq. 2.6, for the curve; Elo (1978) for the scale.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfpoint.games.select import Cells
from halfpoint.games.table import Booleans, Floats
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError
from halfpoint.models.parts.blocks import Block, Known, Normal, Scale
from halfpoint.models.parts.part import ModelContext, Part, Strength
from halfpoint.models.parts.populations import Gathered, Pooled
from halfpoint.models.parts.priors import Normal as NormalPrior
from halfpoint.models.parts.priors import is_family, number_pair
from halfpoint.models.parts.strength import MIDDLE
from halfpoint.models.rows import Parameters, Side, Values, expand_rows

_SCALE_UNIT = 0.06  # about one posterior standard deviation with some thousand games; sets the sampling unit only


@dataclass(frozen=True)
class Anchors(Part):
    """Known ratings as strengths; `ModelError` of a level without a scale."""

    scale: NormalPrior | None = None  #: mean and standard deviation of log kappa, where the scale is learned
    level: NormalPrior | None = None  #: mean and standard deviation of mu, natural units, where it is learned too

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

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: where asked for `anchor_scale` and `anchor_level`."""
        made: list[Block] = []
        if self.scale is not None:
            label = "natural units of strength per natural unit of rating"
            made.append(Scale("anchor_scale", label, prior=self.scale, unit=_SCALE_UNIT))
        if self.level is not None:
            label = "where the scale of ratings meets that of strengths, natural units"
            made.append(Normal("anchor_level", label, prior=self.level, unit=self.level[1]))
        return made

    def at(self, p: Parameters, side: Side) -> Values:
        """The anchored part of a side's strength, shape (..., row)."""
        if self.scale is None:
            return side.rating * side.anchored
        scale = expand_rows(p["anchor_scale"])
        if "anchor_level" not in p:
            return MIDDLE * side.anchored + scale * ((side.rating - MIDDLE) * side.anchored)
        level = expand_rows(p["anchor_level"])
        return (level + scale * (side.rating - level)) * side.anchored


UNKNOWN = "unlisted_player"  # dim of those whom the list does not know
_SCALE, _LEVEL = "anchor_scale", "anchor_level"
_OTHERS, _LISTED, _ONE = "strength_unlisted_", "strength_listed_", "anchor_unit_"
_WIDE = to_natural(400.0)


def strengths(strength: Strength, site: ModelContext) -> list[Block]:
    """The parameters of the strengths, of players whom a list knows with their errors."""
    if site.prior_elo is None or np.isnan(site.prior_elo).all():
        return strength.blocks(site)
    if not strength.listable or _LEVEL in site.known:
        found = "a learned level of anchors" if strength.listable else f"{type(strength).__name__} strengths"
        raise ModelError(
            "anchors with errors: expected strengths that stand still and a scale about a known level, found "
            f"{found}. Take davidson-population-scaled or bt-population, or leave the errors out."
        )
    if site.cells.sides is not None:
        raise ModelError("anchors with errors: expected one player a side, found sides of several people")
    listed = ~np.isnan(site.prior_elo[:, 0])
    rest = _without_listed(site, listed)
    middle = float(to_natural(np.mean(site.prior_elo[listed, 0])))
    part: Any = strength
    if not is_family(strength.prior):
        part = replace(part, prior=(middle, number_pair(strength.prior)[1]))
    blocks = part.blocks(rest) if rest.players else []
    level = next((one for one in blocks if one.name == _LEVEL), None)
    blocks = blocks if level or _SCALE not in site.known else [Known(_LEVEL, "mean of the list", value=middle), *blocks]
    middle = middle if level is None else level.value
    if not rest.players:
        return [*blocks, *_listed_strengths("strength", ("player",), site, listed, middle)]
    *shared, own = blocks
    others, groups, order = own.apart(_OTHERS, UNKNOWN)
    place = np.empty(site.players, dtype=np.int64)
    place[~listed], place[listed] = np.arange(rest.players)[order], rest.players + np.arange(listed.sum())
    return [
        *shared,
        *others,
        *_listed_strengths(_LISTED, (), site, listed, middle),
        Gathered("strength", own.label, ("player",), groups=(*groups, _LISTED), order=place),
    ]


def _listed_strengths(
    name: str, dims: tuple[str, ...], site: ModelContext, listed: Booleans, middle: float
) -> list[Block]:
    """The strengths of those whom the list knows, and the number 1 where no scale is learned."""
    assert site.prior_elo is not None
    rating, error = to_natural(site.prior_elo[listed, 0]), to_natural(site.prior_elo[listed, 1])
    unit = site.per_player(_WIDE)[listed]
    own = Pooled(name, "strength, natural units", dims, times=error, unit=unit, centre=rating)
    own = replace(own, centring=error**2 / (error**2 + unit**2))
    if _SCALE in site.known:
        return [replace(own, mean=_SCALE, spread=_SCALE, base=middle, slope=rating - middle)]
    return [Known(_ONE, "no scale is learned", value=1.0), replace(own, spread=_ONE, base=rating, slope=0.0)]


def _without_listed(site: ModelContext, listed: Booleans) -> ModelContext:
    """The games as the other players see them: those of the list are anchored opponents."""
    assert site.prior_elo is not None
    place = np.append(np.where(listed, -1, np.cumsum(~listed) - 1), -1).astype(np.int32)
    rating: Floats = np.append(site.prior_elo[:, 0], np.nan)
    cells = site.cells
    white, black = place[cells.white], place[cells.black]
    kept = (white >= 0) | (black >= 0)
    anchor = np.where(cells.white < 0, cells.anchor_elo, rating[cells.white])
    anchor = np.where(white >= 0, np.where(cells.black < 0, cells.anchor_elo, rating[cells.black]), anchor)
    met = Cells(
        cells.players[~listed], white[kept], black[kept], anchor[kept], cells.weight[kept], cells.key[kept],
        cells.cell_of_game,
    )  # fmt: skip
    ratings = site.ratings_elo
    return replace(
        site,
        cells=met,
        margin=None if site.margin is None else site.margin[kept],
        ratings_elo=None if ratings is None else lambda: ratings()[~listed],
        prior_elo=None,
    )
