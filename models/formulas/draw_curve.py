r"""Draws that leave the expected score alone: one parameter sets the expected score, another the share of draws.

With u = white - black in natural units, E = 1 / (1 + e^-u) and nu = e^lam,

    P(win) : P(draw) : P(loss) = w : nu : 1 / w,      w + nu / 2 = E (w + nu + 1 / w).

Put w = e^(u/2) x; the equation becomes x - 1 / x = nu sinh(u / 2), so that

    log w = u / 2 + b,      b = arsinh(q sinh(u / 2)),      q = e^lam / 2.

It is Davidson's formula with the difference 2 log w in place of u: in Davidson's own formula a larger share of draws
pulls E towards 1/2, and players who draw much look weaker or stronger than they are. Derivatives, r = cosh b:

    d log w / du   = (1 + q cosh(u / 2) / r) / 2
    d log w / dlam = q sinh(u / 2) / r

Elo. E is Elo's own curve at any share of draws: 400 points are odds of 10 to 1 in expected score at every strength. In
the bend b, u / 2 and lam are clipped at 170 against overflow.

Davidson (1970) JASA 65:317 for the formula in w; `models.games.draw_curve` has the same curve for known expected
scores.
"""

from types import ModuleType

import numpy as np

from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.potential import potential
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand, is_node, pt
from halfpoint.models.rows.rows import Values

_FAR = 170.0  # q sinh(u / 2) and its square stay ordinary numbers
_INFORMATION = 0.5  # of a game between equals, half of them drawn: (dE/du)^2 / Var(score); sets sampling units only


def scores[V: Values](white: V, black: V, log_draw: V) -> tuple[V, V, V]:
    """Loss, draw and win on the log scale up to a common constant, arrays or graph nodes."""
    half = (white - black) / 2
    lib: ModuleType = pt if is_node(half) or is_node(log_draw) else np
    q = lib.exp(lib.clip(log_draw, -_FAR, _FAR)) / 2
    ahead = half + lib.arcsinh(q * lib.sinh(lib.clip(half, -_FAR, _FAR)))
    return -ahead, log_draw + 0 * half, ahead


DRAW_CURVE = Outcome("draw_curve", scores, (0, 1, 2), _INFORMATION, title="draw curve, three outcomes")


def draw_curve(games: Games, white: Operand, black: Operand, log_draw: Operand) -> Node:
    """The log-potential of draws that leave the expected score alone; call it inside `with pm.Model():`.

    Parameters
    ----------
    games : Games
        The games that the model function was given.
    white, black : tensor, shape (row,) or ()
        The two sides of each row, natural units of Elo's own curve.
    log_draw : tensor, shape (row,) or ()
        The draw parameter lam.

    Returns
    -------
    tensor
        The observed variable `games`.
    """
    return potential(DRAW_CURVE, games, white, black, log_draw)
