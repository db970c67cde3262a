r"""Davidson's model: each game is a loss, a draw or a win for White.

White is player i, Black is player j; c makes the three probabilities sum to one.

    log P(loss) = c + g_j - b
    log P(draw) = c + lam + (g_i + a + g_j - b) / 2
    log P(win)  = c + g_i + a
    log L       = sum over games of  omega log P(outcome)

g      strength, natural units; an anchored g is a known number, its rating in Elo points times ln 10 / 400
a      gain of White by the first move (none: 0, common: delta, player: delta_i)
b      loss of Black by it (none and common: 0, player: delta_j)
lam    draw parameter `log_draw`; at lam = 0 two equals draw one game in three
omega  weight of the game

Davidson (1970) JASA 65:317. Davidson & Beaver (1977) Biometrics 33:693. Pires (2014), eq. 47, 48 and 55 to 61.
Differs from the text: an anchored opponent's delta is 0.1.
"""

from halfpoint.models.formulas.outcome import Outcome, level_cancels
from halfpoint.models.formulas.potential import potential
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.rows.rows import Values


@level_cancels
def scores[V: Values](white: V, black: V, log_draw: V) -> tuple[V, V, V]:
    """Loss, draw and win on the log scale from the two sides in natural units, arrays or graph nodes."""
    return black, log_draw + (white + black) / 2, white


# 0.12 is Var(score) with half the games drawn
DAVIDSON = Outcome("davidson", scores, over=(0, 1, 2), information=0.12, title="Davidson, three outcomes")


def davidson(games: Games, white: Operand, black: Operand, log_draw: Operand) -> Node:
    """Davidson's log-potential of the games of a model; call it inside `with pm.Model():`.

    Parameters
    ----------
    games : Games
        The games that the model function was given.
    white, black : tensor, shape (row,) or ()
        The two sides of each row, natural units: strengths with the advantage of the seats.
    log_draw : tensor, shape (row,) or ()
        The draw parameter; at 0 two equals draw one game in three.

    Returns
    -------
    tensor
        The observed variable `games`.

    References
    ----------
    Davidson (1970) JASA 65:317; Pires (2014), eq. 47.
    """
    return potential(DAVIDSON, games, white, black, log_draw)
