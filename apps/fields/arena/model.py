r"""The model of a leaderboard: Davidson's with a population, style, sharpness of judges, and grades.

    white - black = (1 + u_k) (g_i - g_j) + a + x' c + v_k        lam = lam0 + y' d

g        `strength`, from a population; with a scale the ratings of an earlier list are priors of its members
u_k      sharpness of judge k, before any advantage (`halfpoint.models.rows.effects`)
a        `advantage` of the answer shown first; none if no judgement has a first answer
x' c     effects on the advantage: style; v_k, the habit of judge k
lam0     `log_draw`; y' d effects on it

Grades of a verdict depend on the gap g_i - g_j + a + x' c + v_k, for all values of the judge's sharpness
(`halfpoint.models.language.grades`).
"""

from typing import TYPE_CHECKING

from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.potential import potential
from halfpoint.models.further_models import DRAW, SEAT, first_move
from halfpoint.models.language.games import Games
from halfpoint.models.language.grades import graded
from halfpoint.models.language.populations import MIDDLE, WIDE, Prior, anchor_map, anchor_scale, population
from halfpoint.models.pymc_import import pm

if TYPE_CHECKING:
    import pymc

    type Model = pymc.Model


def board(
    games: Games,
    strength: Prior = (MIDDLE, WIDE),
    spread: float = WIDE,
    advantage: Prior | None = SEAT,
    log_draw: Prior = DRAW,
    scale: Prior | None = None,
    formula: Outcome = DAVIDSON,
) -> "Model":
    """Pooled strengths, position, style, judges and grades."""
    with pm.Model(coords=games.coords) as model:
        kappa = None if scale is None else anchor_scale(scale)
        anchored = None if kappa is None else anchor_map(kappa)
        g, a = population(games, strength, spread, kappa), first_move(games, advantage)
        lam = pm.Normal("log_draw", *log_draw)
        white_shift, black_shift = games.effects("strength")
        white, black = games.white(g, anchored) + white_shift, games.black(g, anchored) + black_shift
        a, lam = a + games.effects("advantage"), lam + games.effects("log_draw")
        sides = white + a, black, lam
        if "sharpness" in games.facts.asked.formulas:
            gap = (white - black) * (0.5 * games.effects("sharpness"))
            sides = white + gap + a, black - gap, lam
        potential(formula, games, *(graded(games, sides, white + a - black) if games.facts.grades else sides))
    return model
