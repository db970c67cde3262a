"""Models of strengths that change from period to period, by the walks of `halfpoint.models.language.walks`."""

from typing import TYPE_CHECKING

from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Games
from halfpoint.models.language.populations import MIDDLE, WIDE, Prior, anchor_map, anchor_scale
from halfpoint.models.language.walks import entering_walk, pooled_level, volatile_walk, walk
from halfpoint.models.pymc_import import Node, pm
from halfpoint.models.still_models import DRAW, FREE, SEAT, first_move

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model

_MONTHLY, _QUARTERLY, _YEARLY = to_natural(20.0), to_natural(35.0), to_natural(70.0)
_LEVEL, _NEAR, _NEW = (MIDDLE, WIDE), to_natural(200.0), (0.0, to_natural(200.0))


def bt_walk(
    games: Games, level: Prior = FREE, step: float = _MONTHLY, advantage: Prior = SEAT, every: int = 1
) -> "Model":
    """Half points, strengths that walk by months around free levels."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = walk(games, pm.Normal("level", *level, dims="player"), step)
        delta = pm.Normal("advantage", *advantage)
        bernoulli(games, games.white(g) + delta, games.black(g))
    return model


def davidson_walk(
    games: Games,
    level: Prior = FREE,
    step: float = _MONTHLY,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior | None = None,
    every: int = 1,
) -> "Model":
    """Davidson's model, strengths that walk by months around free levels; `scale` is that of anchors."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        anchored = None if scale is None else anchor_map(anchor_scale(scale))
        g = walk(games, pm.Normal("level", *level, dims="player"), step)
        delta, lam = pm.Normal("advantage", *advantage), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g, anchored) + delta, games.black(g, anchored), lam)
    return model


def bt_population_walk(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    step: float = _QUARTERLY,
    advantage: Prior = SEAT,
    every: int = 3,
) -> "Model":
    """Half points, strengths that walk by quarters around levels of a population."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = walk(games, pooled_level(games, level, level_spread), step)
        bernoulli(games, games.white(g) + first_move(games, advantage, True), games.black(g))
    return model


def davidson_population_walk(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    step: float = _QUARTERLY,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    every: int = 3,
) -> "Model":
    """Davidson's model, strengths that walk by quarters around levels of a population."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = walk(games, pooled_level(games, level, level_spread), step)
        delta, lam = first_move(games, advantage, True), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g) + delta, games.black(g), lam)
    return model


def bt_entering_walk(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float | Prior = _NEAR,
    newcomer: Prior = _NEW,
    step: float = _QUARTERLY,
    advantage: Prior = SEAT,
    every: int = 3,
    context: str = "",
    met: float | Prior | None = None,
    swiss: Prior | None = None,
) -> "Model":
    """Half points, strengths that walk by quarters after players enter; `context` as of `bt_population`."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = entering_walk(games, level, level_spread, newcomer, step, met, swiss)
        first, second = games.effects("strength", context)
        white = games.white(g) + first + first_move(games, advantage, True)
        bernoulli(games, white, games.black(g) + second)
    return model


def davidson_entering_walk(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float | Prior = _NEAR,
    newcomer: Prior = _NEW,
    step: float = _QUARTERLY,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    every: int = 3,
    context: str = "",
    met: float | Prior | None = None,
    swiss: Prior | None = None,
) -> "Model":
    """Davidson's model, strengths that walk by quarters after players enter; `context` as of `bt_population`."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = entering_walk(games, level, level_spread, newcomer, step, met, swiss)
        first, second = games.effects("strength", context)
        delta, lam = first_move(games, advantage, True), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g) + first + delta, games.black(g) + second, lam)
    return model


def _volatile(
    games: Games, level: Prior, level_spread: float, step: float, volatility: float, change: float | None
) -> Node:
    """Strengths of a population that walk with individual paces."""
    return volatile_walk(games, pooled_level(games, level, level_spread), step, volatility, change)


def bt_volatility_walk(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    step: float = _QUARTERLY,
    volatility: float = 0.5,
    change: float | None = None,
    advantage: Prior = SEAT,
    every: int = 3,
) -> "Model":
    """Half points, strengths that walk with individual paces; the paces walk if `change` is given."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = _volatile(games, level, level_spread, step, volatility, change)
        bernoulli(games, games.white(g) + first_move(games, advantage, True), games.black(g))
    return model


def davidson_volatility_walk(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    step: float = _QUARTERLY,
    volatility: float = 0.5,
    change: float | None = None,
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
    every: int = 3,
) -> "Model":
    """Davidson's model, strengths that walk with individual paces; the paces walk if `change` is given."""
    games = games.by(every)
    with pm.Model(coords=games.coords) as model:
        g = _volatile(games, level, level_spread, step, volatility, change)
        delta, lam = first_move(games, advantage, True), pm.Normal("log_draw", *log_draw)
        davidson(games, games.white(g) + delta, games.black(g), lam)
    return model


YEARLY = {"step": _YEARLY, "every": 12}
