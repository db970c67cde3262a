r"""Grades of a preference (slightly, much better) as steps after a verdict of loss, draw or win.

    P(loss), P(draw), P(win)                        Davidson's formula, for all grades
    P(grade > h | grade >= h, i better than j)      1 / (1 + e^-(c_h + b (g_i - g_j))),    h = 1 .. G - 1

c_h     cut points `grade_cut`: log odds, between equals, that the better side at grade h is better still
b       `grade_slope`: growth of these log odds per natural unit of difference, position and style included
G       number of grades: 2 for `a>b`, `a>>b`, 3 for a rubric of seven points; a tie has no grade

The two sides share the cut points, so that their order has no effect. Given the better side, neighbouring grades have
the log odds of adjacent categories, log p_k = s_k x + c_|k|, with equal steps if b = 1/2. Probabilities of loss, draw
and win do not depend on the cuts, so forecasts and Elo points use loss, draw and win, summed over grades. If b = 0
(uninformative grades) or c_h -> -inf (no higher grade) the model is exactly Davidson's. Each step adds a row with the
same two numbers to the likelihood; its lam is `NEVER`, so that no step ties.

Tutz (1990) Br. J. Math. Stat. Psychol. 43:39 for sequential steps; Agresti (1992) Appl. Stat. 41:287 for adjacent
categories in paired comparisons.
"""

import numpy as np

from halfpoint.models.games.table import GRADE, GameTable, Integers
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand, pm

NEVER = -40.0  # lam of a step, which is passed or not


def grade_steps(games: GameTable, most: int) -> tuple[Integers, Integers, Integers]:
    """The steps of graded games, shape (step,): game, h, minus h where Black was better, and outcome (0 or 2)."""
    grade = games.grade
    steps: list[tuple[Integers, Integers, Integers]] = []
    for h in range(1, most):
        game = np.flatnonzero(grade >= h)
        steps.append((game, np.where(games.score[game] == 1.0, h, -h), 2 * (grade[game] > h)))
    game, step, outcome = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    return game, step, outcome


def graded(
    games: Games,
    sides: tuple[Node, Node, Operand],
    gap: Node,
    cut: tuple[float, float] = (0.0, 2.0),
    slope: tuple[float, float] = (0.5, 0.5),
) -> tuple[Node, Node, Node]:
    """White, black and lam of verdict rows and of step rows; `gap` is the difference of their sides.

    `cut` and `slope` are mean and standard deviation of each c_h and of b.
    """
    step = games.column(GRADE)
    cuts = pm.Normal("grade_cut", *map(np.float64, cut), dims="grade")
    rise = pm.Normal("grade_slope", *map(np.float64, slope))
    white, black, lam = sides
    is_step, verdict = (step != 0.0).astype(np.float64), (step == 0.0).astype(np.float64)
    cut_of_row = cuts[np.maximum(np.abs(step).astype(np.int64) - 1, 0)]
    further = cut_of_row * is_step + rise * gap * np.sign(step)
    return white * verdict + further, black * verdict, lam * verdict + NEVER * is_step
