r"""How often games are drawn: lam, the draw parameter of a row.

    lam = lam0 + beta ((g_i + g_j) / 2 - mu) + t_i + t_j

lam0    `log_draw`: between equals of strength mu a share e^lam0 / (2 + e^lam0) of the games is drawn
g       strengths of White and Black without any advantage, natural units; mu = 2705 Elo
beta    `draw_slope`: growth of lam per natural unit of mean strength
t       `draw_tendency`: a player's inclination to draw, t_i ~ N(0, s^2), s ~ HalfNormal(S); 0 for an anchored opponent

lam has the same meaning in Davidson's and in Rao and Kupper's formula.

Glickman (2025) arXiv 2505.24783 for a draw parameter linear in the mean strength.
"""

from dataclasses import dataclass

from halfpoint.models.parts.blocks import Block, Spread, parameter
from halfpoint.models.parts.part import Draws, ModelContext
from halfpoint.models.parts.populations import Horseshoe, Pooled, members
from halfpoint.models.parts.priors import Prior, check_prior, moments
from halfpoint.models.parts.strength import MIDDLE
from halfpoint.models.rows import GameRows, Parameters, Values, expand_rows

_SLOPE_UNIT = 0.06  # about one posterior standard deviation with some thousand games; sets the sampling unit only


@dataclass(frozen=True)
class DrawParameter(Draws):
    """The draw parameter and what it depends on."""

    #: mean and standard deviation of lam0, or a family and its numbers (`halfpoint.models.parts.priors`)
    level: Prior = (1.0, 5.0)
    slope: Prior | None = None  #: mean and standard deviation of beta, where draws depend on strength
    #: scale of the half-normal prior of the spread of tendencies, where draws depend on the players; ("horseshoe",
    #: scale) where most players are alike and a few are not
    tendency: float | Prior | None = None

    @property
    def new(self) -> str:
        """What it adds to the study's models, in words."""
        parts = {"draws by strength": self.slope is not None, "draws by player": self.tendency is not None}
        return ", ".join(name for name, there in parts.items() if there)

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `log_draw`, and where asked for `draw_slope` and `draw_tendency` (player)."""
        unit = site.overall(moments(self.level)[1], 0.25)
        made: list[Block] = [parameter("log_draw", "draw parameter between equals", prior=self.level, unit=unit)]
        if self.slope is not None:
            label = "growth of the draw parameter per natural unit of mean strength"
            made.append(parameter("draw_slope", label, prior=self.slope, unit=_SLOPE_UNIT))
        if self.tendency is not None:
            name, label, dims = "draw_tendency", "inclination to draw", ("player",)
            if isinstance(self.tendency, tuple):
                scale = float(check_prior(self.tendency)[1])
                own: Block = Horseshoe(name, label, dims, "latent", spread=f"{name}_spread")
                made += [Spread(f"{name}_spread", f"spread of the {label}", scale=scale), own]
            else:
                own = Pooled(name, label, dims, "latent", unit=site.per_player(400.0))
                made += members(own, self.tendency)
        return made

    def at(self, p: Parameters, rows: GameRows, white: Values, black: Values) -> Values:
        """lam, shape (..., row), from the strengths of White and Black without advantage."""
        lam = expand_rows(p["log_draw"])
        if self.slope is not None:
            lam = lam + expand_rows(p["draw_slope"]) * ((white + black) / 2 - MIDDLE)
        if self.tendency is not None:
            lam = lam + rows.white.of(p["draw_tendency"]) + rows.black.of(p["draw_tendency"])
        return lam
