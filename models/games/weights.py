r"""Weights of games by age, by name.

With t the time of a game in the table's unit, a = min t and b = max t:

    equal         1
    computed      ((1 + t - a) / (1 + b - a))^(-1/2)      the study's code: the OLDEST games weigh most
    recency       ((1 + b - t) / (1 + b - a))^(-1/2)      as its text describes: older games weigh less
    exponential   2^(-(b - t) / h)                        h the half-life, in days (`weights_of`)
    sismanis      ((1 + t - a) / (1 + b - a))^2           Elo++

Pires (2014), eq. 75 (printed without the two ones); Sismanis (2010), eq. 6. Weights are not normalised by default.
"""

from dataclasses import replace

import numpy as np

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import HALF_LIFE
from halfpoint.models.games.table import Floats, GameTable

WEIGHTINGS = ("equal", "computed", "recency", "exponential", "sismanis")
_POWERS = {"equal": 0.0, "computed": -0.5, "sismanis": 2.0}  # of 1 + t - a


def weights(name: str, time: Floats, half_life: float | None = None, normalise: bool = False) -> Floats:
    """The weight of each game.

    Parameters
    ----------
    name : {"equal", "computed", "recency", "exponential", "sismanis"}
        Name of the weights (see the module).
    time : array of float, shape (game,)
        Time of each game.
    half_life : float, optional
        Half-life of "exponential", in the unit of `time`.
    normalise : bool
        Scale the weights to mean 1, so that they sum to the number of games.

    Returns
    -------
    array of float, shape (game,)

    Raises
    ------
    GameTableError
        If the name is unknown, or "exponential" has no half-life from 0.001 to 1e9 or infinity.

    Examples
    --------
    >>> weights("sismanis", np.array([1.0, 2.0])).tolist()
    [0.25, 1.0]
    """
    start, end = float(np.min(time)), float(np.max(time))
    age = (1.0 + time - start) / (1.0 + end - start)
    if name in _POWERS:
        weight = age ** _POWERS[name]
    elif name == "recency":
        weight = ((1.0 + end - time) / (1.0 + end - start)) ** -0.5
    elif name == "exponential":
        if half_life != np.inf:  # no game ages
            HALF_LIFE.require("half-life", half_life, GameTableError)
        assert half_life is not None
        weight = np.exp2(-(end - time) / half_life)
    else:
        raise GameTableError("weights", " | ".join(WEIGHTINGS), repr(name))
    return weight / weight.mean() if normalise else weight


def weights_of(games: GameTable, name: str, half_life: float | None = None, normalise: bool = False) -> Floats:
    """Weight of each game by its age, shape (game,): a half-life in days, or in periods without dates."""
    dated = name == "exponential" and games.date is not None and not np.isnat(games.date).any()
    return weights(name, replace(games, period=None).time if dated else games.time, half_life, normalise)
