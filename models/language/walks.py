r"""Strengths that change from period to period, as plain functions that return a PyMC variable.

    walk       g_i,t+1 = g_i,t + s e_i,t, e ~ N(0, 1), s ~ HalfNormal(S), around levels l_i, the means over the periods
    entering   the same from the period T_i of a player's first game on, and back: g_i,T_i = l_i ~ N(n x_i + m, u^2)
    volatile   g_i,t+1 = g_i,t + s exp(v_i) e_i,t,  v_i ~ N(0, t^2): each player at a pace of their own
    stochastic the same with v_i,t+1 = v_i,t + c d_i,t: paces that walk as well
    two speeds g_i,t = slow_i,t + fast_i,t, a walk and fast_i,t+1 = r fast_i,t + f (1 - r^2)^(1/2) e'_i,t

The strength of a player who does not play keeps walking: its variance grows by s^2 per period. The forecast h periods
after the last period T is g ~ N(g_i,T, h s^2). x_i is 1 for a player who enters more than half a year after the first
games, else 0; n, the strength of such players relative to other players, is learned if no rating fixes the level. The
sampler uses the principal components of the mean-removed walk, slow waves first.

Glickman (1999) Appl. Stat. 48:377, eq. 3, for the walk; Glickman (2001) J. Appl. Stat. 28:673, eq. 2 and 3, for
variances that change; Harvey (1989), section 2.3, and Koopman & Lit (2015) JRSSA 178:167 for two speeds.
"""

import numpy as np

from halfpoint.models.language.games import MONTHS, STEPS, Games
from halfpoint.models.language.populations import MIDDLE, WIDE, Prior, near_opponents, spread_by_kind, spread_of
from halfpoint.models.language.walk_matrices import in_turn, waves
from halfpoint.models.pymc_import import Node, Operand, pm, pt, walk_variable

LATE_MONTHS = 7  # after the first games: longer than a summer, shorter than a season
_YEAR = 12.0  # months
PLAYERS = ("player", MONTHS)


def walk(games: Games, level: Node, step: float, name: str = "strength") -> Node:
    """`strength` (player, month) around levels (player,), with `innovation_spread`, natural units."""
    spread = pm.HalfNormal("innovation_spread", np.float64(step))
    steps = pm.Normal("step_noncentred", 0.0, 1.0, dims=("player", STEPS))
    return pm.Deterministic(name, walk_variable.walks(level, spread, steps, waves(games.periods)), dims=PLAYERS)


def pooled_level(games: Games, level: Prior = (MIDDLE, WIDE), level_spread: float = WIDE) -> Node:
    """`level` (player) of a population, with `strength_mean` and `strength_spread`."""
    mean = pm.Normal("strength_mean", *level)
    spread = pm.HalfNormal("strength_spread", np.float64(level_spread))
    return pm.Normal("level", mean, spread, dims="player")


def entering_walk(
    games: Games,
    level: Prior,
    level_spread: float | Prior,
    newcomer: Prior,
    step: float | Prior,
    met: float | Prior | None = None,
    swiss: Prior | None = None,
    chained: bool = False,
) -> Node:
    """`strength` (player, month) from the entry of players: `entry` (player), `newcomer_mean`, `strength_spread`.

    With `met` players enter near their opponents (`near_opponents`, with `chained` by the players' spread); `swiss` is
    the prior of the spread for whole Swiss events.
    """
    late = games.every * games.entry_periods >= LATE_MONTHS
    if games.has_anchors:
        mean: Operand = pm.Normal("strength_mean", *level)
    else:  # games identify differences only: the level is a convention
        mean = np.float64(level[0])
        if late.any():
            mean = mean + late.astype(np.float64) * pm.Normal("newcomer_mean", *newcomer)
    spread = spread_of("strength_spread", spread_by_kind(games, level_spread, swiss))
    entry = pm.Normal("entry", mean + near_opponents(games, met, chained=chained), spread, dims="player")
    innovation = spread_of("innovation_spread", step)
    steps = pm.Normal("step_noncentred", 0.0, 1.0, dims=("player", STEPS))
    walked = walk_variable.walks(entry, innovation, steps, waves(games.periods), begins=games.entry_periods)
    return pm.Deterministic("strength", walked, dims=PLAYERS)


def volatile_walk(games: Games, level: Node, step: float, volatility: float, change: float | None = None) -> Node:
    """`strength` (player, month) at paces e^volatility (player); `pace` (player, month) if they change."""
    spread = pm.HalfNormal("innovation_spread", np.float64(step))
    width = pm.HalfNormal("volatility_spread", np.float64(volatility))
    pace = pm.Normal("volatility", 0.0, width, dims="player")
    wide = spread * pt.exp(pace)[:, None]
    if change is not None:
        moves = pm.HalfNormal("pace_spread", np.float64(change))
        turns = pm.Normal("pace_step_noncentred", 0.0, 1.0, dims=("player", STEPS))
        pace = pm.Deterministic("pace", walk_variable.walks(pace, moves, turns, waves(games.periods)), dims=PLAYERS)
        wide = spread * pt.exp(pace[:, :-1])
    matrix = waves(games.periods) if change is None else in_turn(games.periods)
    steps = pm.Normal("step_noncentred", 0.0, wide, dims=("player", STEPS))
    return pm.Deterministic("strength", walk_variable.walks(level, spread, steps, matrix, pace=pace), dims=PLAYERS)


def walking_advantage(games: Games, advantage: Prior, step: float, learned: bool = True) -> Node:
    """`advantage` (month) around `advantage_level`; the spread of steps is `advantage_step_spread`, or known."""
    level = pm.Normal("advantage_level", *advantage)
    spread = pm.HalfNormal("advantage_step_spread", np.float64(step)) if learned else float(step)
    steps = pm.Normal("advantage_step_noncentred", 0.0, 1.0, dims=STEPS)
    return pm.Deterministic("advantage", walk_variable.walks(level, spread, steps, waves(games.periods)), dims=MONTHS)


def two_speeds(
    games: Games,
    level_spread: float,
    newcomer: Prior,
    slow: float,
    fast: float,
    decay: float,
    learned: bool,
    level: float = 0.0,
) -> Node:
    """`strength` (player, month), a slow walk plus a fast autoregression, in the unit of the margin.

    `slow` is the spread of a step of the slow strength, `fast` the spread of the fast strength, or both are scales of
    half-normal priors if learned; `decay` is the rate per year at which the fast strength returns to 0.
    """
    late = games.every * games.entry_periods >= LATE_MONTHS
    spread = pm.HalfNormal("level_spread", np.float64(level_spread))
    mean: Operand = np.float64(MIDDLE if games.has_anchors else level)  # known ratings say where the others are
    if late.any():
        mean = mean + late.astype(np.float64) * pm.Normal("newcomer_mean", *newcomer)
    levels = pm.Normal("level", mean, spread, dims="player")
    slowly = pm.HalfNormal("slow_spread", np.float64(slow)) if learned else float(slow)
    steps = pm.Normal("step_noncentred", 0.0, 1.0, dims=("player", STEPS))
    lasting = pm.Deterministic(
        "slow_strength", walk_variable.walks(levels, slowly, steps, waves(games.periods)), dims=PLAYERS
    )
    quickly = pm.HalfNormal("fast_spread", np.float64(fast)) if learned else float(fast)
    passing = pm.Normal("strength_noncentred", 0.0, 1.0, dims=PLAYERS)
    share = float(np.exp(-decay * games.every / _YEAR))
    return pm.Deterministic("strength", walk_variable.fading(lasting, quickly, passing, share), dims=PLAYERS)
