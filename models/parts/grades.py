r"""Graded verdicts: by how much the better side was better, as steps beyond a verdict of loss, draw or win.

    P(loss), P(draw), P(win)                        Davidson's formula, whatever the grades: nothing is added to it
    P(grade > h | grade >= h, i better than j)      1 / (1 + e^-(c_h + b (g_i - g_j))),    h = 1 .. G - 1

c_h     cut points `grade_cut`: log odds, between equals, that whoever is better at grade h is better still
b       `grade_slope`: growth of that for a natural unit of difference, position and style included
G       how many grades there are: 2 of `a>b`, `a>>b`, 3 of a rubric of seven points; a tie has none

The two sides share the cut points, so that exchanging them changes nothing. Given who was better the log odds of
neighbouring grades are those of adjacent categories, log p_k = s_k x + c_|k|, whose equal steps are b = 1/2; how often
games are lost, drawn and won does not depend on the cuts, which is why forecasts and Elo points are those of loss, draw
and win, summed over grades. c_h -> -inf, no higher grade, and b = 0, grades that say nothing, are both Davidson's model
exactly. Each step is one more row of the likelihood, with the same two numbers: lam at `_NEVER`, so that no step ties.

Tutz (1990) Br. J. Math. Stat. Psychol. 43:39 for steps one after the other; Agresti (1992) Appl. Stat. 41:287 for
adjacent categories in paired comparisons.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.games.table import Floats, GameTable, Integers
from halfpoint.models.parts.blocks import Block, Normal, parameter
from halfpoint.models.parts.part import ModelContext, Part
from halfpoint.models.parts.priors import Prior, number_pair
from halfpoint.models.rows import Parameters, Values, expand_rows

_NEVER = -40.0  # lam of a step, which is passed or not


@dataclass(frozen=True)
class Grades(Part):
    """Cut points and slope of the grades of verdicts."""

    most: int = 2  #: the highest grade
    cut: Prior = (0.0, 2.0)  #: mean and standard deviation of each c_h
    slope: Prior = (0.5, 0.5)  #: the same of b

    @property
    def new(self) -> str:
        """What they add to the study's models, in words."""
        return f"verdicts of {self.most} grades"

    def blocks(self, site: ModelContext) -> list[Block]:
        """The parameters: `grade_cut` (grade) and `grade_slope`."""
        cut, slope = number_pair(self.cut), "growth of the log odds of a higher grade per natural unit"
        step = site.overall(cut[1])
        return [
            Normal("grade_cut", "log odds of a higher grade", ("grade",), prior=cut, unit=step, size=self.most - 1),
            parameter("grade_slope", slope, prior=self.slope, unit=step),
        ]

    def steps(self, games: GameTable) -> tuple[Integers, Integers, Integers]:
        """The steps of graded games, shape (step,): game, h, minus h where Black was better, and outcome (0 or 2)."""
        grade = games.grade
        found: list[tuple[Integers, Integers, Integers]] = []
        for h in range(1, self.most):
            game = np.flatnonzero(grade >= h)
            found.append((game, np.where(games.score[game] == 1.0, h, -h), 2 * (grade[game] > h)))
        game, step, outcome = (np.concatenate(one) for one in zip(*found, strict=True))
        return game, step, outcome

    def at(
        self, p: Parameters, step: Floats, sides: tuple[Values, Values, Values], gap: Values
    ) -> tuple[Values, Values, Values]:
        """White, black and lam where rows are steps, from those of verdicts and the difference of the sides."""
        white, black, lam = sides
        here, verdict = (step != 0.0).astype(np.float64), (step == 0.0).astype(np.float64)
        cut = p["grade_cut"][..., np.maximum(np.abs(step).astype(np.int64) - 1, 0)]
        further = cut * here + expand_rows(p["grade_slope"]) * gap * np.sign(step)
        return white * verdict + further, black * verdict, lam * verdict + _NEVER * here
