r"""Strengths that walk, each player at a pace of their own, which may walk as well.

    g_i,t+1 = g_i,t + s_i e_i,t,   e ~ N(0, 1),        around levels l_i ~ N(m, u^2)
    s_i = s exp(v_i),              v_i ~ N(0, t^2),    s ~ HalfNormal(S), t ~ HalfNormal(T)

s is the spread of a step of the player in the middle of the field, learned as in `strength.PooledWalk`; t says how far
paces differ: near 0 the walk is the plain one. v_i is `volatility`: a player walks exp(v_i) times as far as that middle
one. It multiplies strengths, so that the model is not normal given a few numbers: NUTS only.

Stochastic variances. The pace walks in its turn,

    s_i,t = s exp(v_i,t),    v_i,t+1 = v_i,t + c d_i,t,    d ~ N(0, 1),    c ~ HalfNormal(C),

around a mean over the periods v_i ~ N(0, t^2). So are the variances of Glickman (2001) J. Appl. Stat. 28:673, eq. 2 and
3, without a population to shrink to, whose closed-form approximation is the system glicko-2. `pace` is v_i,t.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.models.parts.blocks import Block, Spread, Transition
from halfpoint.models.parts.part import ModelContext
from halfpoint.models.parts.populations import Pooled, Steps, members
from halfpoint.models.parts.strength import PooledWalk, in_turn, waves

_LABEL = "logarithm of how many times as far as the middle of the field a player walks"


@dataclass(frozen=True)
class VolatileWalk(PooledWalk):
    """Strengths that walk from period to period, each player at a pace of their own."""

    volatility: float = 0.5  # scale of the half-normal prior of t, the spread of the logarithms of the paces
    new = "pooled strengths that walk by quarters, each player at a pace of their own"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: those of `PooledWalk`, `volatility_spread` and `volatility` (player)."""
        made: list[Any] = super().blocks(site)
        mean, width, level, spread, walk = made
        own = Pooled("volatility", _LABEL, ("player",), unit=np.ones(site.players))
        told = site.per_player(400.0)[:, None] * (site.periods / (walk.matrix**2).sum(axis=1)) ** 0.5
        paces = members(own, self.volatility, "the volatilities")
        return [mean, width, replace(level, shrunk=True, centring=0.0), spread, *paces, replace(walk, unit=told)]

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`: everybody walks on at their pace."""
        return {"strength": Transition("innovation_spread", level="level", pace="volatility")}


@dataclass(frozen=True)
class StochasticVarianceWalk(VolatileWalk):
    """Strengths that walk from period to period, each player at a pace that walks as well."""

    change: float = 0.3  # scale of the half-normal prior of c, the spread of a step of the logarithm of a pace
    new = "pooled strengths that walk by quarters, each player at a pace that walks as well"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: those of `VolatileWalk`, `pace_spread` and `pace` (player, period)."""
        *before, walk = super().blocks(site)
        label, law, matrix = f"{_LABEL}, by period", self.transitions["pace"], waves(site.periods)
        paces = Steps("pace", label, walk.dims, transition=law, matrix=matrix, standard="pace_step")
        spread = Spread("pace_spread", "spread of a step of the logarithm of a pace", scale=self.change)
        return [*before, spread, paces, walk]

    def course(self, periods: int) -> Floats:
        """See `Walk`: each step has a spread of its own."""
        return in_turn(periods)

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`: paces walk on, and everybody at theirs."""
        paces = Transition("pace_spread", level="volatility")
        return {"pace": paces, "strength": Transition("innovation_spread", level="level", pace="pace")}
