r"""The list of the day, corrected: printed ratings as strengths, their errors, and players' inclination to draw.

    strength on a day   mu + kappa (R - mu + phi (Rbar - R)) + d_i
    log draw parameter  lam = lam0 + bM (M - 2600) / 100 + bA |D| / 100 + bD D' + t_i + t_j

R       a player's printed rating on the day, Rbar the mean of their printed ratings so far (`games.rating_history`)
mu      2705 Elo; only differences count
kappa   `anchor_scale`: natural units of strength per natural unit of rating
phi     `shrink`: how far a rating is drawn towards the mean of the player's ratings so far
d       `strength`: error of the list about a player, d_i ~ N(0, s^2), s ~ HalfNormal(50 Elo)
M, D    mean of the two ratings and White's less Black's, Elo points; D' the same in natural units
bM, bA, bD   `draw_slope`, `draw_gap`, `draw_signed_gap`, each N(0, 1)
t       `draw_tendency`: a player's inclination to draw, t_i ~ N(0, s_t^2), s_t ~ HalfNormal(0.5)

Everybody is rated, so all players of the games have d and t. The formula of a game keeps the expected score
(`models.formulas.draw_curve`): with kappa = 1 it is Elo's own curve, and the list lacks phi and d.

Ratings are measurements with errors, which regress to the mean: Galton (1886) J. Anthropol. Inst. 15:246. The formula
of a game is Davidson's (1970, JASA 65:317) with another difference.
"""

from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.draw_curve import draw_curve
from halfpoint.models.further_models import DRAW, SEAT
from halfpoint.models.further_models import RULES as _RULES
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Games
from halfpoint.models.language.populations import MIDDLE, SCALE, Prior, anchor_map, anchor_scale
from halfpoint.models.pymc_import import Node, pm
from halfpoint.models.rows.printed_list import COLUMN

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model

RULES = _RULES | {"draw_curve": draw_curve}
_CENTRE, _STEP = to_natural(2600.0), to_natural(100.0)
ON_THE_DAY = "0 + fast + (1 | event)"


def listed(
    games: Games,
    shrink: Prior | None = (0.0, 1.0),
    spread: float = to_natural(50.0),
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior = SCALE,
    slope: Prior | None = None,
    gap: Prior | None = None,
    signed_gap: Prior | None = None,
    tendency: float | None = None,
    on_the_day: str = "",
    formula: str = "draw_curve",
) -> "Model":
    """Model of the list of the day with corrections; draws depend on the ratings if the slopes have priors.

    `formula` is draw_curve, davidson or rao_kupper.
    """
    if np.isnan(games.rating).all():
        raise ModelError("ratings: expected games with ratings of the players, found none. Use davidson-population.")
    with pm.Model(coords=games.coords) as model:
        kappa = anchor_scale(scale)
        phi = None if shrink is None else pm.Normal("shrink", *shrink)
        wide = pm.HalfNormal("strength_spread", np.float64(spread))
        missed = pm.Normal("strength", 0.0, wide, dims="player")
        white, black = (_on_the_day(games, number, kappa, phi, missed) for number in (0, 1))
        delta = pm.Normal("advantage", *advantage)
        lam = _draws(games, log_draw, slope, gap, signed_gap, tendency)
        RULES[formula](games, white + delta, black, lam + games.effects("log_draw", on_the_day))
    return model


def _on_the_day(games: Games, number: int, kappa: Node, phi: Node | None, missed: Node | float) -> Node:
    """Value of White's (0) or Black's (1) side: the printed rating on the learned scale, corrected."""
    side, of = ((games.rows.white, games.white), (games.rows.black, games.black))[number]
    rating, above = games.column(COLUMN)[:, number], games.column(COLUMN)[:, 2 + number]
    has_strength = 1.0 - side.anchored  # the rating of an anchored side comes by its anchor
    value = of(missed, anchor_map(kappa)) + (MIDDLE * has_strength + kappa * ((rating - MIDDLE) * has_strength))
    return value if phi is None else value + kappa * phi * (above * has_strength)


def _draws(
    games: Games,
    log_draw: Prior,
    slope: Prior | None,
    gap: Prior | None,
    signed_gap: Prior | None,
    tendency: float | None,
) -> Node:
    """lam of each row, from the ratings of the day."""
    first, second = games.column(COLUMN)[:, 0], games.column(COLUMN)[:, 1]
    mean, difference = ((first + second) / 2 - _CENTRE) / _STEP, first - second
    lam = pm.Normal("log_draw", *log_draw)
    for name, prior, value in (
        ("draw_slope", slope, mean),
        ("draw_gap", gap, np.abs(difference) / _STEP),
        ("draw_signed_gap", signed_gap, difference),
    ):
        if prior is not None:
            lam = lam + pm.Normal(name, *prior) * value
    if tendency is not None:
        spread = pm.HalfNormal("draw_tendency_spread", np.float64(tendency))
        t = pm.Normal("draw_tendency", 0.0, spread, dims="player")
        lam = lam + games.white(t, 0.0) + games.black(t, 0.0)
    return lam
