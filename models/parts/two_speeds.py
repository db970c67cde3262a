r"""Strengths of two speeds: a slow walk and what comes and goes.

    strength_i,t = slow_i,t + fast_i,t
    slow    slow_i,t+1 = slow_i,t + s e_i,t,                             around levels l_i ~ N(n x_i, u^2)
    fast    fast_i,t+1 = r fast_i,t + f (1 - r^2)^(1/2) e'_i,t,          fast_i,1 ~ N(0, f^2), r = exp(-decay a period)

x_i is 1 of a side that enters more than half a year after the first games, as promoted clubs do, else 0: what they are
worth against the others, n, is learned with everything else. u has a half-normal prior; s and f have such priors too,
or are known numbers: a few years of games hardly tell them, and then those of many years serve better. h periods after
the last one slow has gone on walking and fast has decayed towards its spread f; this is the forecast.

A walk and an autoregressive strength beside it: Harvey (1989) Forecasting, Structural Time Series Models and the Kalman
Filter, section 2.3; of football Koopman & Lit (2015) JRSSA 178:167, whose strengths are autoregressive alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.models.graph.layout import LATENT
from halfpoint.models.graph.pymc_import import Node, pm
from halfpoint.models.parts.blocks import Block, Normal, Spread, Transition, register, spread_name, spread_of
from halfpoint.models.parts.part import ModelContext, Strength
from halfpoint.models.parts.populations import Pooled, Steps
from halfpoint.models.parts.priors import Prior, number_pair
from halfpoint.models.parts.strength import LATE_MONTHS, LEVEL, MIDDLE, waves

_MONTHS = 12.0


def ar1_matrix(periods: int, share: float) -> Floats:
    """The matrix from independent normal numbers to autoregressive ones of spread 1, shape (period, period)."""
    apart = np.abs(np.subtract.outer(np.arange(periods), np.arange(periods)))
    return np.asarray(np.linalg.cholesky(share**apart).T)


@dataclass(frozen=True, eq=False)
class _Fading(Block):
    """Autoregressive numbers beside others: x = beside + spread M' z, z ~ N(0, 1), with dims (player, period)."""

    periods: int = 1  # how many

    def declare(self, p: dict[str, Node]) -> None:
        """Add the numbers to the model in context and to `p`."""
        z = pm.Normal(f"{self.name}{LATENT}", 0.0, 1.0, dims=self.dims)
        value = p[self.law.beside] + p[self.law.spread] * (z @ ar1_matrix(self.periods, self.law.share))
        p[self.name] = register(self.name, value, self.dims)

    def behind(self, p: Mapping[str, Floats], blocks: Sequence[Block]) -> dict[str, Floats]:
        """See `Block`."""
        apart = (np.asarray(p[self.name]) - np.asarray(p[self.law.beside])) / p[self.law.spread]
        return {f"{self.name}{LATENT}": np.linalg.solve(ar1_matrix(self.periods, self.law.share).T, apart.T).T}


@dataclass(frozen=True)
class TwoSpeeds(Strength):
    """Strengths of two speeds, in the unit of what is seen."""

    level: float = 20.0  # scale of the half-normal prior of the spread of the levels
    # mean and standard deviation of what a side that enters later is worth against the others
    newcomer: Prior = (0.0, 20.0)
    # spread of a step of the slow strength, per square root of a period, and of the fast strength; scales of their
    # half-normal priors where they are learned
    slow: float = 1.0
    fast: float = 10.0  # likewise
    decay: float = 0.7  # rate a year at which the fast strength goes back to 0
    every: int = 1  # months a period
    learned: bool = True  # whether they are
    # around which levels stand where nobody is anchored, a convention; its standard deviation says nothing
    prior: Prior = (0.0, 1.0)
    walks: ClassVar[bool] = True
    enters: ClassVar[bool] = True
    new = "strengths of two speeds, by month"

    @property
    def share(self) -> float:
        """What is left of a fast strength a period later."""
        return float(np.exp(-self.decay * self.every / _MONTHS))

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: spreads, `newcomer_mean`, `level` (player), `slow_strength` and `strength`."""
        slow = spread_of("slow_spread", "spread of a step of the slow strength", self.slow, self.learned)
        fast = spread_of("fast_spread", "spread of the fast strength", self.fast, self.learned)
        late = self.every * site.entered >= LATE_MONTHS
        unit = site.per_player(self.level)
        base = MIDDLE if site.anchored else number_pair(self.prior)[0]  # known ratings say where the others are
        made: list[Block] = [Spread("level_spread", "spread of the levels", scale=self.level)]
        share = site.guess_spread(base, unit) ** 2
        level = Pooled("level", LEVEL, ("player",), spread="level_spread", base=base, unit=unit, centre=base)
        level = replace(level, centring=share / (share + unit**2))
        if late.any():
            mean, sd = number_pair(self.newcomer)
            label = "what sides that enter later are worth against the others"
            made.append(Normal("newcomer_mean", label, prior=(mean, sd), unit=sd / 4.0))
            level = replace(level, mean="newcomer_mean", slope=late.astype(np.float64))
        dims, laws, periods = ("player", "month"), self.transitions, site.periods
        walk = Steps("slow_strength", "slow strength by period", dims, transition=laws["slow_strength"])
        return [
            *made,
            level,
            slow,
            replace(walk, matrix=waves(periods)),
            fast,
            _Fading("strength", "strength by period, slow and fast", dims, "parameter", laws["strength"], periods),
        ]

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`."""
        slow, fast = (spread_name(name, self.learned) for name in ("slow_spread", "fast_spread"))
        share = self.share
        return {
            "slow_strength": Transition(slow, self.slow, level="level"),
            "strength": Transition(fast, self.fast, share, float(np.sqrt(1.0 - share**2)), beside="slow_strength"),
        }

    def newcomers(self, p: Mapping[str, Floats], count: int, seed: int) -> dict[str, Floats]:
        """The strengths of sides that enter now, as those that entered later have been, all periods alike."""
        rng = np.random.default_rng([seed, 2])
        draws, _, periods = p["strength"].shape
        mean, sd = number_pair(self.newcomer)
        middle = p["newcomer_mean"] if "newcomer_mean" in p else mean + sd * rng.standard_normal(draws)
        slow = np.asarray(middle)[:, None] + p["level_spread"][:, None] * rng.standard_normal((draws, count))
        wide = np.broadcast_to(p.get("fast_spread", np.asarray(self.fast)), (draws,))
        fast = wide[:, None] * rng.standard_normal((draws, count))
        found = {"slow_strength": slow, "strength": slow + fast}
        return {name: np.repeat(value[..., None], periods, axis=-1) for name, value in found.items()}
