r"""Rao and Kupper's model of ties: a game is drawn when neither side is ahead by more than a threshold.

With d = white - black, the difference of the two sides in natural units, and theta = 1 + e^lam:

    P(win)  = e^(d/2) / (e^(d/2) + theta e^(-d/2))
    P(loss) = e^(-d/2) / (theta e^(d/2) + e^(-d/2))
    P(draw) = (theta^2 - 1) / ((e^(d/2) + theta e^(-d/2)) (theta e^(d/2) + e^(-d/2)))

theta = 1 + e^lam lets lam be any number and gives it Davidson's meaning between equals: the draw share is
(theta - 1) / (theta + 1) = e^lam / (2 + e^lam).

In units of the stronger side, u = e^-|d|, a game has one exponential and two logarithms:

    log P(stronger wins) = -log(1 + theta u),    log P(weaker wins) = -|d| - log(theta + u)
    log P(draw) = lam + log(1 + theta) + log P(win) + log P(loss),       theta^2 - 1 = e^lam (1 + theta)

These need no normalising. For lam beyond 700 the excess, `over`, is taken out of the exponentials, so that neither
values nor gradients overflow however far apart the two sides are.

Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
"""

from types import ModuleType

import numpy as np

from halfpoint.models.formulas.outcome import Outcome, Scores
from halfpoint.models.formulas.potential import potential
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand, is_node, pt

_LIMIT = 700.0  # e^LIMIT is an ordinary number


def scores(white: Operand, black: Operand, log_draw: Operand) -> Scores:
    """Log probabilities of loss, draw and win, arrays or graph nodes."""
    ahead = white - black
    lib: ModuleType = pt if is_node(ahead) or is_node(log_draw) else np
    far, over = lib.where(ahead >= 0, ahead, -ahead), lib.maximum(log_draw - _LIMIT, 0.0)
    decay, odds = lib.exp(-lib.maximum(far - over, 0.0)), lib.exp(lib.clip(log_draw, -_LIMIT, _LIMIT))
    strong = -lib.log1p((1.0 + odds) * decay) - lib.where(over > far, over - far, 0.0)
    weak = -far - over - lib.log1p(odds + decay)
    draw = log_draw + over + lib.log1p(1.0 + odds) + strong + weak
    return lib.where(ahead >= 0, weak, strong), draw, lib.where(ahead >= 0, strong, weak)


RAO_KUPPER = Outcome("rao_kupper", scores, over=(), information=0.2, title="Rao-Kupper, three outcomes")


def rao_kupper(games: Games, white: Operand, black: Operand, log_draw: Operand) -> Node:
    """Rao and Kupper's log-potential of the games of a model; call it inside `with pm.Model():`.

    Parameters
    ----------
    games : Games
        The games that the model function was given.
    white, black : tensor, shape (row,) or ()
        The two sides of each row, natural units: strengths with the advantage of the seats.
    log_draw : tensor, shape (row,) or ()
        The draw parameter lam, theta = 1 + e^lam.

    Returns
    -------
    tensor
        The observed variable `games`.

    References
    ----------
    Rao & Kupper (1967) JASA 62:194, eq. 2.3 to 2.5.
    """
    return potential(RAO_KUPPER, games, white, black, log_draw)
