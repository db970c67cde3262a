"""Models of your own: copy this file, change what the comments with numbers say, delete what you do not need.

    halfpoint rate games.csv --out ratings --model own_model.py:split
    halfpoint forecast ratings/trace.nc coming.csv --model own_model.py:split

A trace keeps numbers and texts, no code: give the file again wherever one is opened. In a notebook the same cells do.
"""

from dataclasses import dataclass

import pymc as pm

from halfpoint.models import DrawParameter, Model, Outcome, Population
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.parts.blocks import Block, parameter
from halfpoint.models.parts.part import Advantage
from halfpoint.models.rows import expand_rows


# 1. An outcome formula: loss, draw and win on the log scale, up to a common constant, of the two sides of a game
#    (natural units, 400 Elo = ln 10), of the draw parameter, named lam or log_draw, and of further numbers by name.
#    Arithmetic serves arrays and graphs alike; where it needs a function, take pytensor.tensor's.
def scores(white, black, log_draw, tie_slope):
    """Davidson's formula with fewer draws the further the two sides are apart."""
    return black, log_draw + (white + black) / 2 - tie_slope * (white - black) ** 2, white


# 2. A part: who is how strong (Strength), what the first seat is worth (Advantage), how often games are drawn (Draws).
#    Its fields are numbers and texts, its parameters are `blocks`; `at` says what rows of games take of them, here
#    what White gains and what Black loses. `expand_rows` puts a number of all games beside the rows.
@dataclass(frozen=True)
class Split(Advantage):
    """What the first seat is worth, half of it given to White and half taken from Black."""

    prior: tuple[float, float] = (0.0, 0.5)  # mean and standard deviation, natural units

    def blocks(self, site):
        """The parameter: `advantage`."""
        return [parameter("advantage", "White's advantage, natural units", prior=self.prior, unit=0.1)]

    def at(self, p, rows):
        """What White gains and what Black loses, shape (..., row)."""
        half = expand_rows(p["advantage"]) / 2
        return half, half


# 3. A prior that `halfpoint.models.parts.priors` has no word for: any declaration in PyMC, by NUTS.
@dataclass(frozen=True, eq=False)
class Skewed(Block):
    """A number with a skew normal prior."""

    scale: float = 0.5

    def declare(self, p):
        """Add the parameter to the model in context and to `p`."""
        p[self.name] = pm.SkewNormal(self.name, mu=0.0, sigma=self.scale, alpha=3.0)


@dataclass(frozen=True)
class SkewedSplit(Split):
    """The same, more likely worth something than a handicap."""

    def blocks(self, site):
        """The parameter: `advantage`."""
        return [Skewed("advantage", "White's advantage, natural units", scale=self.prior[1])]


# 4. Rows: a name that the catalogue does not have, a formula, parts; what is left out is the default. Further numbers
#    of the formula have their priors in `parameters`. A row of a formula that reads no others, and of parameters made
#    by `halfpoint.models.parts.blocks`, has the normal approximation too; the others are sampled.
split = Model("own-split", DAVIDSON, Population(), Split(), DrawParameter())
fewer = Model(
    "own-fewer-draws",
    Outcome("fewer_draws", scores),
    Population(),
    SkewedSplit(),
    DrawParameter(("student_t", 4.0, 1.0, 2.0)),
    parameters={"tie_slope": (0.0, 0.5)},
)
