r"""Draws that depend on how strong the players are and on who they are.

    lam = lam0 + beta ((g_i + g_j) / 2 - mu) + t_i + t_j + x' c

lam0    `log_draw`, the draw parameter of two players of strength mu
g       strengths of White and Black without any advantage, natural units; mu = 2705 Elo
beta    `draw_slope`: growth of the draw parameter per natural unit of mean strength
t       `draw_tendency`: pooled, t_i ~ N(0, s^2), s = `draw_tendency_spread`; 0 for an anchored opponent
x' c    covariates of the game (see covariates)

lam goes into either tie formula: Davidson's, or Rao and Kupper's, where it has the same meaning between equals (both
draw a share e^lam / (2 + e^lam) of their games).

Glickman (2025) arXiv 2505.24783 for a draw parameter linear in the mean strength.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.models import pooled
from halfpoint.models.anchor_scale import MIDDLE
from halfpoint.models.board import Board, Parameters, each, of_player
from halfpoint.models.parts import Normal, parameter

SLOPE_UNIT = 0.06  # about one posterior standard deviation with some thousand games; sets the sampling unit only


@dataclass(frozen=True)
class Priors:
    """Normal priors (mean, standard deviation): of lam0, and of beta per natural unit of strength."""

    log_draw: Normal = (1.0, 5.0)
    slope: Normal = (0.0, 1.0)


def declare(unit: float, priors: Priors, slope: bool, tendency: float | None, player_unit: Floats) -> dict[str, Any]:
    """Add the parameters of draws to the model in context and return them by name.

    Parameters
    ----------
    unit : float
        About one posterior standard deviation of `log_draw`.
    priors : Priors
        Priors.
    slope : bool
        Whether draws depend on strength.
    tendency : float, optional
        Scale of the prior of the spread of tendencies, for pooled tendencies.
    player_unit : array of float, shape (player,)
        About one posterior standard deviation of a player's tendency.
    """
    p = {"log_draw": parameter("log_draw", priors.log_draw, np.float64(unit))}
    if slope:
        p["draw_slope"] = parameter("draw_slope", priors.slope, SLOPE_UNIT)
    if tendency is not None:
        p["draw_tendency"] = pooled.declare("draw_tendency", 0.0, tendency, player_unit, "non-centred")
    return p


def log_draw(p: Parameters, rows: Board, white: Any, black: Any) -> Any:
    """Return lam, shape (..., row), from the strengths of White and Black without advantage."""
    lam = each(p["log_draw"])
    if "draw_slope" in p:
        lam = lam + each(p["draw_slope"]) * ((white + black) / 2 - MIDDLE)
    if "draw_tendency" in p:
        at_white, at_black = of_player(p["draw_tendency"], rows, 0.0)
        lam = lam + at_white + at_black
    return lam
