r"""Models beyond the study: a kind of strength each, then `play`, which all of them share.

    white = strength + context + a,   black = strength + context - b
    lam   = lam0 + beta ((g_i + g_j) / 2 - mu) + t_i + t_j

a, b    worth of the first seat, `advantage`: for all games ("common"), 0 on neutral ground ("neutral"), or half of it
        by player, from a population ("player"); None for no worth
lam0    `log_draw`: between equals of strength mu = 2705 Elo a share e^lam0 / (2 + e^lam0) of the games is drawn; None
        for half points, whose games have no draws of their own
beta    `draw_slope`: growth of lam per natural unit of mean strength
t       `draw_tendency`: a player's inclination to draw, t_i ~ N(0, s^2), s ~ HalfNormal(S); 0 for an anchored opponent
context a strength of a player's own in each group of games, "1 | player:COLUMN"

An opponent with a known rating R has mu + kappa (R - mu) if a scale kappa is learned (`anchor_scale`), else R. A scale
is needed since Elo's score curve has slope 1/4 at equal strength, Davidson's 1 / (2 (2 + e^lam)).

Davidson & Beaver (1977) Biometrics 33:693; Pires (2014), section 3.3, for pooled advantages; Glickman (2025) arXiv
2505.24783 for a draw parameter linear in the mean strength; Wilkinson & Rogers (1973) for effects.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError
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
    spread_of,
)
from halfpoint.models.language.walks import entering_walk, pooled_level, volatile_walk, walk
from halfpoint.models.pymc_import import Node, Operand, day_distributions, pm
from halfpoint.models.rows.days import VISITS

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model
type Map = Callable[[Floats], Operand]

FREE, SEAT, DRAW = (15.0, 400.0), (0.0, 1.0), (1.0, 5.0)
_LEVEL, _APART, _QUARTERLY = (MIDDLE, WIDE), to_natural(40.0), to_natural(35.0)
_LENGTH = (5.2, 1.0)  # mean and standard deviation of the logarithm of days: half a year, one to three years at most
RULES = {"davidson": davidson, "rao_kupper": rao_kupper}


def first_move(games: Games, advantage: Prior | None, neutral: bool = False) -> Node | float:
    """`advantage` of each row: one number for all games, 0 on neutral ground if `neutral`; 0.0 without a prior."""
    if advantage is None:
        return 0.0
    delta = pm.Normal("advantage", *advantage)
    return delta * games.seated if neutral else delta


def pooled_advantage(games: Games, advantage: Prior, spread: float) -> tuple[Node, Node]:
    """Half of `advantage` (player) on either side, from a population; an anchored opponent has its mean."""
    mean = pm.Normal("advantage_mean", *advantage)
    wide = pm.HalfNormal("advantage_spread", np.float64(spread))
    delta = pm.Normal("advantage", mean, wide, dims="player")
    return games.white(delta, mean), games.black(delta, mean)


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


def play(
    games: Games,
    white: Node,
    black: Node,
    advantage: Prior | None,
    log_draw: Prior | None,
    seat: str = "common",
    context: str = "",
    spread: float = _APART,
    slope: Prior | None = None,
    tendency: float | None = None,
    formula: str = "davidson",
    columns: str = "",
) -> None:
    """Add the games: contexts, first move, draws and the formula; `columns` are effects on advantage and draws."""
    strong, weak = games.effects("strength", context) if context else (0.0, 0.0)
    first, second = white + strong if context else white, black + weak if context else black
    if seat == "player":
        assert advantage is not None
        a, b = pooled_advantage(games, advantage, spread)
        first, second = first + a, second - b
    elif advantage is not None:
        first = first + first_move(games, advantage, seat == "neutral")
    if log_draw is None:
        bernoulli(games, first, second)
        return
    lam = draw_parameter(games, white, black, log_draw, slope, tendency)
    if columns:
        first, lam = first + games.effects("advantage", columns), lam + games.effects("log_draw", columns)
    RULES[formula](games, first, second, lam)


def _scale(learned: Prior | None) -> tuple[Node | None, Map | None]:
    """Scale of anchors and function of an anchored opponent, if a scale is learned."""
    if learned is None:
        return None, None
    scale = anchor_scale(learned)
    return scale, anchor_map(scale)


def independent(
    games: Games,
    strength: Prior = FREE,
    scale: Prior | None = SCALE,
    level: Prior | None = None,
    advantage: Prior | None = SEAT,
    seat: str = "common",
    advantage_spread: float = _APART,
    log_draw: Prior | None = DRAW,
    slope: Prior | None = None,
    tendency: float | None = None,
    formula: str = "davidson",
    columns: str = "",
) -> "Model":
    """Strengths with one known prior; `level` is the prior of a learned level of the anchors, `anchor_level`."""
    with pm.Model(coords=games.coords) as model:
        kappa, anchored = _scale(scale)
        if kappa is not None and level is not None:
            nu = pm.Normal("anchor_level", *level)
            g, anchored = following(games, strength, kappa, nu), anchor_map(kappa, nu)
        else:
            g = free(games, strength, kappa)
        white, black = games.white(g, anchored), games.black(g, anchored)
        play(
            games, white, black, advantage, log_draw, seat, "", advantage_spread, slope, tendency, formula, columns
        )  # fmt: skip
    return model


def pooled(
    games: Games,
    strength: Prior = _LEVEL,
    spread: float | Prior = WIDE,
    met: float | Prior | None = None,
    swiss: Prior | None = None,
    scale: Prior | None = None,
    advantage: Prior | None = SEAT,
    seat: str = "common",
    log_draw: Prior | None = DRAW,
    context: str = "",
    chained: bool = False,
) -> "Model":
    """Strengths of a population; with `met` each has a prior around the opponents' strengths (`population`)."""
    with pm.Model(coords=games.coords) as model:
        kappa, anchored = _scale(scale)
        g = population(games, strength, spread, kappa, met, swiss, chained)
        play(games, games.white(g, anchored), games.black(g, anchored), advantage, log_draw, seat, context)
    return model


def around_ratings(
    games: Games,
    spread: float | Prior = NEAR,
    met: float | Prior | None = None,
    scale: Prior = SCALE,
    advantage: Prior | None = SEAT,
    seat: str = "common",
    log_draw: Prior | None = DRAW,
    context: str = "",
) -> "Model":
    """Strengths around the ratings in the games (`rated`)."""
    with pm.Model(coords=games.coords) as model:
        _, anchored = _scale(scale)
        g = rated(games, spread, met=met)
        play(games, games.white(g, anchored), games.black(g, anchored), advantage, log_draw, seat, context)
    return model


def walking(
    games: Games,
    level: Prior = FREE,
    level_spread: float | None = None,
    step: float = to_natural(20.0),
    volatility: float | None = None,
    change: float | None = None,
    scale: Prior | None = None,
    advantage: Prior | None = SEAT,
    seat: str = "common",
    log_draw: Prior | None = DRAW,
    every: int = 1,
) -> "Model":
    """Strengths that walk around levels, free or of a population (`level_spread`).

    With `volatility` each player has their own pace, which walks too if `change` is given.
    """
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        _, anchored = _scale(scale)
        if level_spread is None:
            base = pm.Normal("level", *level, dims="player")
        else:
            base = pooled_level(games, level, level_spread)
        g = walk(games, base, step) if volatility is None else volatile_walk(games, base, step, volatility, change)
        play(games, games.white(g, anchored), games.black(g, anchored), advantage, log_draw, seat)
    return model


def entering(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float | Prior = NEAR,
    newcomer: Prior = (0.0, NEAR),
    step: float = _QUARTERLY,
    met: float | Prior | None = None,
    swiss: Prior | None = None,
    advantage: Prior | None = SEAT,
    seat: str = "neutral",
    log_draw: Prior | None = DRAW,
    every: int = 3,
    context: str = "",
    chained: bool = False,
) -> "Model":
    """Strengths that walk by quarters after players enter (`entering_walk`)."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = entering_walk(games, level, level_spread, newcomer, step, met, swiss, chained)
        play(games, games.white(g), games.black(g), advantage, log_draw, seat, context)
    return model


def by_days(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    form: float = to_natural(100.0),
    length: Prior = _LENGTH,
    kernel: str = "ornstein-uhlenbeck",
    advantage: Prior | None = SEAT,
    seat: str = "neutral",
    log_draw: Prior | None = DRAW,
) -> "Model":
    """Strengths that move from day to day around levels of a population, by a process (`rows.days`)."""
    games = games.by_days()
    with pm.Model(coords=games.coords) as model:
        base = pooled_level(games, level, level_spread)
        state = form_by_days(games, form, length, kernel)
        pm.Deterministic("strength", base + state[games.visits.last], dims="player")
        white, black = games.white(base) + games.white_today(state), games.black(base) + games.black_today(state)
        play(games, white, black, advantage, log_draw, seat)
    return model


def form_by_days(games: Games, spread: float, length: Prior, kernel: str) -> Node:
    """`form` (visit) of players on their own days, added to a level, with `form_spread` and `form_length`, days."""
    wide, long = pm.HalfNormal("form_spread", np.float64(spread)), spread_of("form_length", length)
    if kernel == "ornstein-uhlenbeck":
        return day_distributions.OrnsteinUhlenbeck("form", wide, long, games.visits, dims=VISITS)
    if kernel == "matern":
        return day_distributions.Matern("form", wide, long, games.visits, dims=(VISITS, "state"))[:, 0]
    raise ModelError(f"kernel: expected ornstein-uhlenbeck or matern, found {kernel!r}")
