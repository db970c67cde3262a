r"""Bradley-Terry's model of the score: a draw is half a win and half a loss.

White is player i, Black is player j.

    P(White)  p = e^(g_i + a) / (e^(g_i + a) + e^(g_j - b)) = 1 / (1 + 10^((R_j - R_i - A) / 400))
    log L       = sum over games of  omega (y log p + (1 - y) log(1 - p)),   y = 0, 1/2, 1

g      strength, natural units; R = g 400 / ln 10 is the rating in Elo points. An anchored R is a known number.
a, b   gain of White and loss of Black by the first move, natural units; A = (a + b) 400 / ln 10 is White's
       advantage in Elo points: 0 (none), delta (common), delta_i + delta_j (player: each half an advantage)
omega  weight of the game

A half-point likelihood is not a distribution over three outcomes: it has no draw probability, only an expected score p.

Bradley & Terry (1952) Biometrika 39:324. Pires (2014), eq. 44 to 46 (46 is printed with the sign of delta_j wrong) and
49 to 54. Differs from the text: an anchored opponent's delta is 0.
"""

from halfpoint.models.formulas.outcome import Outcome, level_cancels
from halfpoint.models.formulas.potential import potential
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.rows.rows import Values


@level_cancels
def scores[V: Values](white: V, black: V, log_draw: V | None = None) -> tuple[V, V, V]:
    """Loss, draw and win on the log scale from the two sides in natural units, arrays or graph nodes."""
    return black, (white + black) / 2, white


# loss and win sum to one; the draw is their geometric mean
HALF_POINTS = Outcome("bradley_terry", scores, over=(0, 2), information=0.2, title="Bradley-Terry, half points")


def bernoulli(games: Games, white: Operand, black: Operand) -> Node:
    """Weighted half points, the log-potential of Bradley and Terry's model; call it inside `with pm.Model():`.

    Parameters
    ----------
    games : Games
        The games that the model function was given.
    white, black : tensor, shape (row,) or ()
        The two sides of each row, natural units: strengths with the advantage of the seats.

    Returns
    -------
    tensor
        The observed variable `games`.

    References
    ----------
    Bradley & Terry (1952) Biometrika 39:324; Pires (2014), eq. 44.
    """
    return potential(HALF_POINTS, games, white, black)
