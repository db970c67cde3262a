r"""Models of constant strengths: anchors on a scale, populations, pooled advantages, draws that depend on players.

    white = strength + anchors + a,   black = strength + anchors - b
    lam = lam0 + beta ((g_i + g_j) / 2 - mu) + t_i + t_j

a, b    worth of the first seat: `advantage` for all games, 0 on neutral ground if requested, or half of it by player
lam0    `log_draw`: between equals of strength mu = 2705 Elo a share e^lam0 / (2 + e^lam0) of the games is drawn
beta    `draw_slope`: growth of lam per natural unit of mean strength
t       `draw_tendency`: a player's inclination to draw, t_i ~ N(0, s^2), s ~ HalfNormal(S); 0 for an anchored opponent

An opponent with a known rating R has mu + kappa (R - mu) if a scale kappa is learned (`anchor_scale`), else R. A scale
is needed since Elo's score curve has slope 1/4 at equal strength, Davidson's 1 / (2 (2 + e^lam)).

Davidson & Beaver (1977) Biometrics 33:693; Pires (2014), section 3.3, for pooled advantages; Glickman (2025) arXiv
2505.24783 for a draw parameter linear in the mean strength; Wilkinson & Rogers (1973) for effects.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.formulas.rao_kupper import rao_kupper
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Games
from halfpoint.models.language.populations import (
    MIDDLE,
    NEAR,
    SCALE,
    WIDE,
    Prior,
    anchor_map,
    anchor_scale,
    following,
    free,
    population,
    rated,
)
from halfpoint.models.pymc_import import Node, Operand, pm

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model

FREE, SEAT, DRAW = (15.0, 400.0), (0.0, 1.0), (1.0, 5.0)


def first_move(games: Games, advantage: Prior | None, neutral: bool = False) -> Node | float:
    """`advantage` of each row: one number for all games, 0 on neutral ground if `neutral`; 0.0 without a prior."""
    if advantage is None:
        return 0.0
    delta = pm.Normal("advantage", *advantage)
    return delta * games.seated if neutral else delta


_LEVEL = (MIDDLE, to_natural(100.0))
RULES = {"davidson": davidson, "rao_kupper": rao_kupper}


def _scale(learned: Prior | None) -> tuple[Node | None, Callable[[Floats], Operand] | None]:
    """Scale of anchors and function of an anchored opponent, if a scale is learned."""
    if learned is None:
        return None, None
    scale = anchor_scale(learned)
    return scale, anchor_map(scale)


def bt_scaled(games: Games, strength: Prior = FREE, advantage: Prior = SEAT, scale: Prior = SCALE) -> "Model":
    """Half points, anchors on a learned scale."""
    with pm.Model(coords=games.coords) as model:
        kappa, anchored = _scale(scale)
        g = free(games, strength, kappa)
        delta = pm.Normal("advantage", *advantage)
        bernoulli(games, games.white(g, anchored) + delta, games.black(g, anchored))
    return model


def scaled_draws(
    games: Games,
    strength: Prior = FREE,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior | None = SCALE,
    slope: Prior | None = None,
    tendency: float | None = None,
    formula: str = "davidson",
) -> "Model":
    """Three outcomes, anchors on a learned scale, draws that may depend on strengths and players."""
    with pm.Model(coords=games.coords) as model:
        kappa, anchored = _scale(scale)
        g = free(games, strength, kappa)
        delta = pm.Normal("advantage", *advantage)
        white, black = games.white(g, anchored), games.black(g, anchored)
        lam = draw_parameter(games, white, black, log_draw, slope, tendency)
        RULES[formula](games, white + delta, black, lam)
    return model


def draw_parameter(
    games: Games, white: Node, black: Node, log_draw: Prior, slope: Prior | None = None, tendency: float | None = None
) -> Node:
    """lam of each row, from strengths without advantage: `log_draw`, `draw_slope`, `draw_tendency` (player)."""
    lam = pm.Normal("log_draw", *log_draw)
    if slope is not None:
        lam = lam + pm.Normal("draw_slope", *slope) * ((white + black) / 2 - MIDDLE)
    if tendency is not None:
        spread = pm.HalfNormal("draw_tendency_spread", np.float64(tendency))
        t = pm.Normal("draw_tendency", 0.0, spread, dims="player")
        lam = lam + games.white(t, 0.0) + games.black(t, 0.0)
    return lam


def davidson_scaled_level(
    games: Games,
    strength: Prior = FREE,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior = SCALE,
    level: Prior = _LEVEL,
) -> "Model":
    """Davidson's model, anchors on a learned scale around a learned level, `anchor_level`."""
    with pm.Model(coords=games.coords) as model:
        kappa, nu = anchor_scale(scale), pm.Normal("anchor_level", *level)
        g = following(games, strength, kappa, nu)
        anchored = anchor_map(kappa, nu)
        delta, lam = pm.Normal("advantage", *advantage), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g, anchored) + delta, games.black(g, anchored), lam)
    return model


def pooled_advantage(games: Games, advantage: Prior, spread: float) -> tuple[Node, Node]:
    """Half of `advantage` (player) on either side, from a population; an anchored opponent has its mean."""
    mean = pm.Normal("advantage_mean", *advantage)
    wide = pm.HalfNormal("advantage_spread", np.float64(spread))
    delta = pm.Normal("advantage", mean, wide, dims="player")
    return games.white(delta, mean), games.black(delta, mean)


_HALF, _APART = (to_natural(25.0), to_natural(50.0)), to_natural(40.0)


def bt_pooled(
    games: Games, strength: Prior = FREE, advantage: Prior = _HALF, advantage_spread: float = _APART
) -> "Model":
    """Half points, half an advantage for every player, from a population."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        a, b = pooled_advantage(games, advantage, advantage_spread)
        bernoulli(games, games.white(g) + a, games.black(g) - b)
    return model


def davidson_pooled(
    games: Games,
    strength: Prior = FREE,
    advantage: Prior = _HALF,
    advantage_spread: float = _APART,
    log_draw: Prior = DRAW,
) -> "Model":
    """Davidson's model, half an advantage for every player, from a population."""
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", *strength, dims="player")
        a, b = pooled_advantage(games, advantage, advantage_spread)
        lam = pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g) + a, games.black(g) - b, lam)
    return model


def bt_population(
    games: Games,
    strength: Prior = (MIDDLE, WIDE),
    spread: float | Prior = WIDE,
    advantage: Prior | None = SEAT,
    neutral: bool = False,
    context: str = "",
    met: float | Prior | None = None,
    swiss: Prior | None = None,
) -> "Model":
    """Half points, strengths of a population; `context` groups each player's own strength, "1 | player:COLUMN"."""
    with pm.Model(coords=games.coords) as model:
        g = population(games, strength, spread, met=met, swiss=swiss)
        first, second = games.effects("strength", context)
        white = games.white(g) + first + first_move(games, advantage, neutral)
        bernoulli(games, white, games.black(g) + second)
    return model


def davidson_population(
    games: Games,
    strength: Prior = (MIDDLE, WIDE),
    spread: float | Prior = WIDE,
    advantage: Prior | None = SEAT,
    neutral: bool = False,
    log_draw: Prior = DRAW,
    scale: Prior | None = None,
    context: str = "",
    met: float | Prior | None = None,
    swiss: Prior | None = None,
) -> "Model":
    """Davidson's model, strengths of a population; `scale` is that of anchors, `context` as of `bt_population`."""
    with pm.Model(coords=games.coords) as model:
        kappa, anchored = _scale(scale)
        g = population(games, strength, spread, kappa, met, swiss)
        first, second = games.effects("strength", context)
        delta, lam = first_move(games, advantage, neutral), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g, anchored) + first + delta, games.black(g, anchored) + second, lam)
    return model


def bt_rated(
    games: Games,
    spread: float | Prior = NEAR,
    advantage: Prior = SEAT,
    scale: Prior = SCALE,
    met: float | Prior | None = None,
) -> "Model":
    """Half points, strengths around the ratings in the games."""
    with pm.Model(coords=games.coords) as model:
        _, anchored = _scale(scale)
        g = rated(games, spread, met=met)
        delta = pm.Normal("advantage", *advantage)
        bernoulli(games, games.white(g, anchored) + delta, games.black(g, anchored))
    return model


def davidson_rated(
    games: Games,
    spread: float | Prior = NEAR,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior = SCALE,
    context: str = "",
    met: float | Prior | None = None,
) -> "Model":
    """Davidson's model, strengths around the ratings in the games; `context` as of `bt_population`."""
    with pm.Model(coords=games.coords) as model:
        _, anchored = _scale(scale)
        g = rated(games, spread, met=met)
        first, second = games.effects("strength", context)
        delta, lam = pm.Normal("advantage", *advantage), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g, anchored) + first + delta, games.black(g, anchored) + second, lam)
    return model


def davidson_rapid(
    games: Games,
    strength: Prior = FREE,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior | None = None,
) -> "Model":
    """Davidson's model, advantage and draws that differ in rapid games (the column `rapid`)."""
    with pm.Model(coords=games.coords) as model:
        _, anchored = _scale(scale)
        g = pm.Normal("strength", *strength, dims="player")
        delta, lam = pm.Normal("advantage", *advantage), pm.Normal("log_draw", *log_draw)
        a, more = games.effects("advantage", "0 + rapid"), games.effects("log_draw", "0 + rapid")
        davidson(games, games.white(g, anchored) + delta + a, games.black(g, anchored), lam + more)
    return model
