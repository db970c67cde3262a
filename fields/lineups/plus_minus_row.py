r"""Adjusted plus-minus as a row of the models: line-ups are sides of several people, points a possession their margin.

    y = mean over the offence of g_i - mean over the defence of h_j + a + e,   e ~ N(0, s^2), weighted by possessions
    g_i, h_j ~ N(0, (n t)^2),   o_i = g_i / n,   d_j = h_j / n                  n people on a side

A player is two people here, "Ann (offence)" and "Ann (defence)", since who scores much may defend little. The formula
is `halfpoint.models.margin`, the strengths are free with a given spread, the first seat's advantage a is the level of
all possessions. For given s its posterior is normal, and its mode solves

    least sum of possessions (y - a - sum o_i + sum d_j)^2 + l (sum o_i^2 + sum d_j^2),      l = s^2 / t^2

which is the ridge regression of `halfpoint.fields.lineups.plus_minus`: that is this row in closed form, and what
`halfpoint lineups` prints. Weights count a stint of five possessions as five games with one result, so that s is the
spread of stints' averages; the ridge's standard deviations take e ~ N(0, v / possessions) instead.
"""

import numpy as np

from halfpoint.fields.lineups.table import ROLES, LineupTable
from halfpoint.games.errors import GameTableError
from halfpoint.games.select import select
from halfpoint.models.advantage import Common
from halfpoint.models.declared import Declared, declare_model
from halfpoint.models.margin import MARGIN_NORMAL, MarginSpread
from halfpoint.models.model import Model
from halfpoint.models.strength import Free

LEVEL_SD = 1000.0  # points a possession: of the level nothing is known


def plus_minus_row(table: LineupTable, prior_sd: float) -> Declared:
    """Return the model of margins on stints, declared; `halfpoint.inference.fit.fit` samples it or finds its mode.

    `prior_sd` is t, the standard deviation of what players add and take off, points a possession. `GameTableError` if
    it is not above 0, or sides differ in size.
    """
    if not (prior_sd > 0.0 and np.isfinite(prior_sd)):
        raise GameTableError("prior_sd", "a number above 0", repr(prior_sd))
    seats = table.offence.shape[1]
    if table.defence.shape[1] != seats:
        raise GameTableError(table.source, "as many on offence as on defence", f"{seats} and {table.defence.shape[1]}")
    games = table.as_games()
    strength, level = Free((0.0, seats * prior_sd)), Common((0.0, LEVEL_SD))
    model = Model("plus-minus", MARGIN_NORMAL, strength, level, MarginSpread())
    return declare_model(model, select(games, games.people, "both"))


def effects_of(strength: np.ndarray, declared: Declared, table: LineupTable) -> tuple[np.ndarray, np.ndarray]:
    """Return what players add on offence and take off on defence, (..., player), points a possession.

    Strengths are (..., person), in the order of `declared.cells.players`; 0 for who was never on that side of the
    floor.
    """
    place = {str(name): number for number, name in enumerate(declared.cells.players)}
    padded = np.pad(strength, [(0, 0)] * (strength.ndim - 1) + [(0, 1)])
    offence, defence = (
        padded[..., [place.get(f"{name} ({role})", -1) for name in table.players.tolist()]] / table.offence.shape[1]
        for role in ROLES
    )
    return offence, defence
