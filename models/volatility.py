r"""Strengths that walk, each player at a pace of their own.

    g_i,t+1 = g_i,t + s_i e_i,t,   e ~ N(0, 1),        around levels l_i ~ N(m, u^2)
    s_i = s exp(v_i),              v_i ~ N(0, t^2),    s ~ HalfNormal(S), t ~ HalfNormal(T)

s is the spread of a step of the player in the middle of the field, learned as in `strength.PooledWalk`; t says how far
paces differ: near 0 the walk is the plain one. v_i is `volatility`: a player walks exp(v_i) times as far as that middle
one. It multiplies strengths, so that the model is not normal given a few numbers: NUTS only.

A pace stands still here. In Glickman (2001) J. Appl. Stat. 28:673, eq. 2 and 3, the logarithm of a player's variance of
steps walks in its turn, without a population to shrink to; his closed-form approximation is the system glicko-2.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.blocks import Block, Transition
from halfpoint.models.part import Site
from halfpoint.models.populations import members
from halfpoint.models.strength import PooledWalk

LABEL = "logarithm of how many times as far as the middle of the field a player walks"


@dataclass(frozen=True)
class VolatileWalk(PooledWalk):
    """Strengths that walk from period to period, each player at a pace of their own."""

    volatility: float = 0.5  # scale of the half-normal prior of t, the spread of the logarithms of the paces
    new = "pooled strengths that walk by quarters, each player at a pace of their own"

    def blocks(self, site: Site) -> list[Block]:
        """Return the parameters: those of `PooledWalk`, `volatility_spread` and `volatility` (player)."""
        *before, walk = super().blocks(site)
        unit = np.ones(site.players)
        return [*before, *members("volatility", LABEL, self.volatility, "the volatilities", unit=unit), walk]

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`: everybody walks on at their pace."""
        return {"strength": Transition("innovation_spread", level="level", pace="volatility")}
