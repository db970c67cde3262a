"""Models of strengths that change from day to day; the processes are those of `halfpoint.models.rows.days`."""

from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Games
from halfpoint.models.language.populations import MIDDLE, WIDE, Prior, spread_of
from halfpoint.models.language.walks import pooled_level
from halfpoint.models.pymc_import import Node, day_distributions, pm
from halfpoint.models.rows.days import VISITS
from halfpoint.models.still_models import DRAW, SEAT, first_move

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model

_LEVEL, _FORM = (MIDDLE, WIDE), to_natural(100.0)
_LENGTH = (5.2, 1.0)  # mean and standard deviation of the logarithm of days: half a year, one to three years at most


def form_by_days(
    games: Games, spread: float = _FORM, length: Prior = _LENGTH, kernel: str = "ornstein-uhlenbeck"
) -> Node:
    """`form` (visit) of players on their own days, added to a level, with `form_spread` and `form_length`, days."""
    wide, long = pm.HalfNormal("form_spread", np.float64(spread)), spread_of("form_length", length)
    if kernel == "ornstein-uhlenbeck":
        return day_distributions.OrnsteinUhlenbeck("form", wide, long, games.visits, dims=VISITS)
    if kernel == "matern":
        return day_distributions.Matern("form", wide, long, games.visits, dims=(VISITS, "state"))[:, 0]
    raise ModelError(f"kernel: expected ornstein-uhlenbeck or matern, found {kernel!r}")


def _sides(
    games: Games, level: Prior, level_spread: float, form: float, length: Prior, kernel: str
) -> tuple[Node, Node]:
    """Strengths of both sides on the day; declares `strength` (player) at the end of the games."""
    base = pooled_level(games, level, level_spread)
    now = form_by_days(games, form, length, kernel)
    pm.Deterministic("strength", base + now[games.visits.last], dims="player")
    return games.white(base) + games.white_today(now), games.black(base) + games.black_today(now)


def bt_days(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    form: float = _FORM,
    length: Prior = _LENGTH,
    kernel: str = "ornstein-uhlenbeck",
    advantage: Prior = SEAT,
) -> "Model":
    """Half points, strengths that move by days around levels of a population."""
    games = games.by_days()
    with pm.Model(coords=games.coords) as model:
        white, black = _sides(games, level, level_spread, form, length, kernel)
        bernoulli(games, white + first_move(games, advantage, True), black)
    return model


def davidson_days(
    games: Games,
    level: Prior = _LEVEL,
    level_spread: float = WIDE,
    form: float = _FORM,
    length: Prior = _LENGTH,
    kernel: str = "ornstein-uhlenbeck",
    advantage: Prior = SEAT,
    log_draw: Prior = DRAW,
) -> "Model":
    """Davidson's model, strengths that move by days around levels of a population."""
    games = games.by_days()
    with pm.Model(coords=games.coords) as model:
        white, black = _sides(games, level, level_spread, form, length, kernel)
        delta, lam = first_move(games, advantage, True), pm.Normal("log_draw", *log_draw)
        davidson(games, white + delta, black, lam)
    return model
