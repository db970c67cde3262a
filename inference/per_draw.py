r"""The kernel of `models.kernel` over many draws: totals for the criteria, one value a game for LOO. No temporaries.

With eta = white - black + offset of a game in a draw, M = 1, 0, -1 for a win, a draw, a loss of White,

    log P(outcome) = M eta / 2 + lam [draw] - log(e^(eta/2) + e^(-eta/2) + e^lam);

Bradley-Terry has e^lam = 0 and no term lam (half points).
"""

import math

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Codes, Floats
from halfpoint.models.kernel import BLOCK, cell, log_potential
from halfpoint.models.vector import LIMIT, compiled


@compiled
def totals(
    white_seat: Floats,
    black_seat: Floats,
    log_draw: Floats,
    black: Codes,
    offset: Floats,
    surplus: Floats,
    total: Floats,
    runs: npt.NDArray[np.int64],
) -> Floats:
    """Return the log-potential of each draw without its term lam * sum(W_d), shape (draw,).

    Parameters
    ----------
    white_seat, black_seat : array of float, shape (draw, player + 1)
        Seats in natural units.
    log_draw : array of float, shape (draw,)
        Draw parameter, -inf for Bradley-Terry.
    black, offset, surplus, total, runs
        As in `models.kernel.log_potential`.
    """
    result = np.empty(log_draw.size)
    white_slope, black_slope = np.empty(white_seat.shape[1]), np.empty(black_seat.shape[1])
    for draw in range(log_draw.size):
        result[draw], _ = log_potential(
            white_seat[draw],
            black_seat[draw],
            log_draw[draw],
            black,
            offset,
            surplus,
            total,
            runs,
            white_slope,
            black_slope,
        )
    return result


@compiled
def game_values(
    white_seat: Floats,
    black_seat: Floats,
    log_draw: Floats,
    white: Codes,
    black: Codes,
    offset: Floats,
    surplus: Floats,
) -> npt.NDArray[np.float32]:
    """Return the log probability of each game's outcome in each draw, shape (draw, game), in single precision.

    Parameters
    ----------
    white_seat, black_seat : array of float, shape (draw, player + 1)
        Seats in natural units.
    log_draw : array of float, shape (draw,)
        Draw parameter, -inf for Bradley-Terry.
    white, black : array of int32, shape (game,)
        Seats, -1 where anchored.
    offset : array of float, shape (game,)
        Anchor of White minus anchor of Black, natural units.
    surplus : array of float, shape (game,)
        1, 0, -1 for a win, a draw, a loss of White.
    """
    result = np.empty((log_draw.size, white.size), dtype=np.float32)
    eta = np.empty(BLOCK)
    for draw in range(log_draw.size):
        lam = log_draw[draw]
        odds = math.exp(min(lam, LIMIT))
        beyond = max(lam - LIMIT, 0.0)
        bonus = lam if lam > -np.inf else 0.0
        for first in range(0, white.size, BLOCK):
            count = min(BLOCK, white.size - first)
            for k in range(count):
                game = first + k
                eta[k] = white_seat[draw, white[game]] - black_seat[draw, black[game]] + offset[game]
            for k in range(count):
                twice, _, _ = cell(eta[k], odds, surplus[first + k], 1.0)
                drawn = bonus * (1.0 - abs(surplus[first + k]))
                result[draw, first + k] = 0.5 * twice - beyond + drawn
    return result
