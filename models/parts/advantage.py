r"""What the first seat is worth: a to White, b from Black, natural units.

    Nothing     a = b = 0
    Common      a = delta, b = 0:            one number for all games
    Walking     a = delta_t, b = 0:          delta_t+1 = delta_t + s e_t, around a level, s known or ~ HalfNormal(S)
    PerPlayer   a = delta_i, b = delta_j:    half an advantage a player; an anchored opponent has a known one
    Pooled      the same, delta_i ~ N(m, s^2), s ~ HalfNormal(S); an anchored opponent has the population's mean m

On neutral ground both are 0, for models that read the column `neutral`. Between two players of no own advantage White's
whole advantage is delta, or 2 m.

Davidson & Beaver (1977) Biometrics 33:693; Pires (2014), eq. 45, 46, 58 to 61, and section 3.3, which names pooled
advantages as open.
"""

from dataclasses import dataclass

from halfpoint.games.units import to_natural
from halfpoint.models.parts.blocks import Block, Normal, Transition, parameter, spread_name, spread_of
from halfpoint.models.parts.part import Advantage, ModelContext
from halfpoint.models.parts.populations import Pooled as Members
from halfpoint.models.parts.populations import Steps, members
from halfpoint.models.parts.priors import Prior, moments, number_pair
from halfpoint.models.parts.strength import waves
from halfpoint.models.rows import GameRows, Parameters, Values, expand_rows


@dataclass(frozen=True)
class Nothing(Advantage):
    """The seats are alike."""

    kind = "none"

    def blocks(self, site: ModelContext) -> list[Block]:
        """No parameter."""
        return []

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values | float, Values | float]:
        """A and b."""
        return 0.0, 0.0


@dataclass(frozen=True)
class Common(Nothing):
    """One advantage for all games."""

    prior: Prior = (0.0, 1.0)  #: mean and standard deviation of delta, natural units; or a family and its numbers
    neutral: bool = False  #: whether the column `neutral` of the games takes the advantage away
    kind = "common"

    @property
    def new(self) -> str:
        """What it adds to the study's models, in words."""
        return "neutral grounds" if self.neutral else ""

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameter: `advantage`."""
        unit = site.overall(moments(self.prior)[1])
        return [parameter("advantage", "White's advantage, natural units", prior=self.prior, unit=unit)]

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values | float, Values | float]:
        """A and b, shape (..., row)."""
        return (expand_rows(p["advantage"]) * rows.seated if self.neutral else expand_rows(p["advantage"])), 0.0


@dataclass(frozen=True)
class Walking(Common):
    """One advantage for all games of a period, walking from period to period, on grounds that are not neutral."""

    neutral: bool = True
    #: of a step, natural units per square root of a period; scale of its half-normal prior where it is learned
    spread: float = 0.1
    learned: bool = True  #: whether it is
    new = "an advantage that walks"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `advantage_level`, `advantage_step_spread` and `advantage` (period)."""
        prior = number_pair(self.prior)
        label, steps = "White's advantage, natural units", "spread of a step of White's advantage, natural units"
        spread = spread_of("advantage_step_spread", steps, self.spread, self.learned)
        return [
            Normal("advantage_level", f"mean of {label}", prior=prior, unit=site.overall(prior[1])),
            spread,
            Steps(
                "advantage",
                label,
                ("month",),
                transition=self.transitions["advantage"],
                matrix=waves(site.periods),
                standard="advantage_step",
            ),
        ]

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values | float, Values | float]:
        """A and b, shape (..., row)."""
        at = p["advantage"][..., rows.period]
        return (at * rows.seated if self.neutral else at), 0.0

    @property
    def transitions(self) -> dict[str, Transition]:
        """See `Part`."""
        spread = spread_name("advantage_step_spread", self.learned)
        return {"advantage": Transition(spread, self.spread, level="advantage_level")}


@dataclass(frozen=True)
class PerPlayer(Nothing):
    """Half an advantage for every player."""

    prior: Prior = (1.0, 10.0)  #: mean and standard deviation of delta_i, natural units; or a family and its numbers
    anchored: float = 0.1  #: known delta of an anchored opponent, natural units
    kind = "player"
    halves = True

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameter: `advantage` (player)."""
        label, unit = "half of White's advantage, natural units", site.per_player(moments(self.prior)[1])
        return [parameter("advantage", label, ("player",), prior=self.prior, unit=unit, size=site.players)]

    def at(self, p: Parameters, rows: GameRows) -> tuple[Values | float, Values | float]:
        """A and b, shape (..., row)."""
        known = self.of_anchored(p)
        white, black = (side.of(p["advantage"]) + known * side.anchored for side in (rows.white, rows.black))
        return white, black

    def of_anchored(self, p: Parameters) -> Values | float:
        """The delta of an anchored opponent: the one that a forecast imputes, else the known one."""
        return p.get("advantage_of_unknown", self.anchored)


@dataclass(frozen=True)
class Pooled(PerPlayer):
    """Half an advantage for every player, drawn from a population."""

    prior: Prior = (to_natural(25.0), to_natural(50.0))  #: mean and standard deviation of its mean, natural units
    spread: float = to_natural(40.0)  #: scale of the half-normal prior of its spread, natural units
    kind = "pooled"
    new = "pooled advantages"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `advantage_mean`, `advantage_spread` and `advantage` (player)."""
        label, unit = "half of White's advantage, natural units", site.per_player(400.0)
        own = Members("advantage", label, ("player",), mean="advantage_mean", unit=unit)
        return [
            Normal("advantage_mean", f"mean of {label}", prior=number_pair(self.prior), unit=site.overall(1.0) / 2),
            *members(own, self.spread, label),
        ]

    def of_anchored(self, p: Parameters) -> Values | float:
        """The delta of an anchored opponent: one that a forecast imputes, else the population's mean."""
        return p["advantage_of_unknown"] if "advantage_of_unknown" in p else expand_rows(p["advantage_mean"])
