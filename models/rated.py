r"""Strengths of players whose ratings the file tells: a population around these ratings, on a learned scale.

    g_i = mu + kappa (R_i - mu) + s z_i,      z_i ~ N(0, 1)            players with ratings
    g_i = m + t z_i                                                    players without

R_i    mean rating that player i has in the games, natural units (Elo points times ln 10 / 400); a number
mu     mean of R_i over the players who have one, each once; a number, `anchor_level`
kappa  `anchor_scale`: natural units of strength per natural unit of rating, log kappa ~ N(0, 1)
s      `rated_spread`: how far strengths are from what the ratings say, s ~ HalfNormal(200 Elo)
m, t   `unrated_mean` ~ N(mu, (400 Elo)^2) and `unrated_spread` ~ HalfNormal(400 Elo), where somebody has no rating

Why. With no rating used, games between players of 2400 and 1600 who hardly meet tell their difference badly, and a list
strays from ratings that were won in thousands of other games. Taken as exact, ratings could not be corrected. Here few
games leave players near what their ratings say and many games move them; s is learned from all. So is kappa, since
ratings may be on a wider or narrower scale than strengths; anchored opponents are on the same scale, at
mu + kappa (R - mu). R are ratings with errors, so that kappa is less than what an Elo point is worth by as much as
they err; it carries R to g, and never g to the list: that is the scores' scale (see the module of Elo points).

Strengths are sampled partly centred, as in `pooled`, about where their ratings put them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from halfpoint.games.cells import Cells
from halfpoint.games.table import Floats
from halfpoint.games.units import to_natural
from halfpoint.models import pooled
from halfpoint.models.errors import ModelError
from halfpoint.models.parts import parameter

FIRST_UNRATED = to_natural(200.0)  # a first guess of t, which says how far strengths are sampled centred


@dataclass(frozen=True)
class Priors:
    """Priors in natural units: scales of half-normal ones, standard deviation of the mean of the unrated."""

    spread: float = to_natural(200.0)
    unrated_mean: float = to_natural(400.0)
    unrated_spread: float = to_natural(400.0)


def declare(
    cells: Cells, ratings_elo: Floats, scale: Any, unit: Floats, information: float, priors: Priors | None = None
) -> dict[str, Any]:
    """Add strengths around ratings to the model in context; return `strength` (player) and `anchor_level`.

    Parameters
    ----------
    cells : Cells
        The games.
    ratings_elo : array of float, shape (player,)
        Each player's rating in Elo points, NaN where they have none.
    scale : TensorVariable
        kappa.
    unit : array of float, shape (player,)
        About one posterior standard deviation of each strength from the games alone, natural units.
    information : float
        Fisher information of one game between equals.
    priors : Priors, optional
        Priors in natural units.

    Raises
    ------
    ModelError
        If no player has a rating.
    """
    priors = priors or Priors()
    known = ~np.isnan(ratings_elo)
    if not known.any():
        raise ModelError("ratings: expected games with ratings of the players, found none. Take davidson-population.")
    listed = to_natural(ratings_elo)
    middle = float(listed[known].mean())
    level = pm.Deterministic("anchor_level", pt.as_tensor_variable(np.float64(middle)))
    above = pm.Data("rated_above", np.where(known, listed - middle, 0.0), dims="player")
    spread = pm.Deterministic("rated_spread", pm.HalfNormal("rated_spread_raw", 1.0) * priors.spread)
    drawn = cells.weight[:, 1].sum() / cells.weight.sum()
    told = middle + np.where(known, listed - middle, 0.0) / max(1.0 - drawn, 0.1)  # kappa is about 1 / (1 - draw rate)
    first = pooled.guess_spread(cells, told, information, unit, floor=0.0)
    first = first if first > 2.0 * np.median(unit) else 0.0  # where games tell less than ratings nothing is centred
    mean, width, guess = middle + scale * above, spread, np.where(known, first, FIRST_UNRATED)
    if not known.all():
        others = parameter("unrated_mean", (middle, priors.unrated_mean), priors.unrated_mean / 4)
        wide = pm.Deterministic("unrated_spread", pm.HalfNormal("unrated_spread_raw", 1.0) * priors.unrated_spread)
        mean, width = pt.where(known, mean, others), pt.where(known, spread, wide)
    weight = pm.Data("rated_centring", guess**2 / (guess**2 + unit**2), dims="player")
    moved, wide = (mean - told) / unit, width / unit
    raw = pm.Normal("strength_raw", weight * moved, wide**weight, dims="player")
    value = told + unit * (moved + wide ** (1.0 - weight) * (raw - weight * moved))
    return {"strength": pm.Deterministic("strength", value, dims="player"), "anchor_level": level}
