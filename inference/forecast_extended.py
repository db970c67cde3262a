"""Forecasts by the models beyond the study: the model's own formula, unknown players anchored as in its own games."""

import numpy as np
import xarray as xr

from halfpoint.games.select import ANCHORED, Selection
from halfpoint.games.table import Codes, Floats, GameTable
from halfpoint.inference.errors import InferenceError
from halfpoint.models.extended import Extended
from halfpoint.models.forecast import log_probabilities


def beyond_the_study(
    entry: Extended, posterior: xr.Dataset, games: GameTable, places: tuple[Codes, Codes], anchor_elo: Floats
) -> Floats:
    """Return probabilities of a model beyond the study, shape (outcome, draw, game), by the model's own formula.

    Parameters
    ----------
    places : two arrays of int32, shape (game,)
        White and Black, -1 where unknown; an unknown player is anchored as in the model's own games.
    anchor_elo : array of float, shape (game,)
        Rating of the unknown player in Elo points, NaN where both are known.

    Raises
    ------
    InferenceError
        If neither player of a game is known.
    """
    lost = np.flatnonzero((places[0] == ANCHORED) & (places[1] == ANCHORED))
    if lost.size:
        raise InferenceError(f"{games.place(int(lost[0]))}: expected a player the model knows, found none")
    players = posterior["player"].to_numpy().astype(np.str_)
    selection = Selection(games, players, *places, anchor_elo, np.ones(len(games)))
    first = int(posterior["month"][0]) if "month" in posterior.coords else 0
    probability = np.exp(log_probabilities(entry, posterior, selection, first))
    if 1 not in entry.normalised:
        probability[..., 1] = 0.0
    return np.moveaxis(probability, -1, 0)
