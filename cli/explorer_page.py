"""The explorer of one trace: seats from the draws, results from the games."""

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.explorer import Seats, explorer_record, results_of
from halfpoint.evaluation.tables import rating_list
from halfpoint.games.units import ELO_PER_NATURAL
from halfpoint.inference.pointwise import seat_draws
from halfpoint.models.catalogue import find


def record_of(tree: xr.DataTree) -> dict[str, object]:
    """Return the explorer's record of a trace.

    Parameters
    ----------
    tree : xarray.DataTree
        A trace of a model of the catalogue.
    """
    posterior, constant, attributes = tree["posterior"].to_dataset(), tree["constant_data"].to_dataset(), tree.attrs
    players = posterior["player"].to_numpy().astype(np.str_)
    seats = seat_draws(posterior, find(attributes["model"]), attributes["anchored_advantage"])
    log_draw = None if seats.log_draw is None else seats.log_draw[:, 0]
    results = results_of(
        constant["white"].to_numpy(),
        constant["black"].to_numpy(),
        tree["observed_data"]["score"].to_numpy(),
        players.size,
    )
    simulated = " SIMULATED" if attributes["data_simulated"] else ""
    title = f"{attributes['model']} on {attributes['data_name'].replace(' SIMULATED', '')}{simulated}"
    about = {
        "title": title,
        "text": f"{attributes['games']} games, {attributes['players']} players; edition {attributes['edition']}, "
        f"weights {attributes['weighting']}; sampler: {attributes['verdict']}.",
    }
    drawn = Seats(seats.white[:, :-1], seats.black[:, :-1], log_draw)
    ratings = rating_list(posterior["rating_elo"])
    return explorer_record(ratings, players, drawn, results, about, advantages_of(posterior, attributes["family"]))


def advantages_of(posterior: xr.Dataset, family: str) -> pd.DataFrame | None:
    """Return each player's half advantage and interval in Elo points; None where players have none of their own."""
    if "advantage" not in posterior or "player" not in posterior["advantage"].dims:
        return None
    elo = posterior["advantage"] * (ELO_PER_NATURAL if family == "davidson" else 1.0)
    return rating_list(elo)
