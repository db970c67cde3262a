"""Tables of a posterior: the rating list, and what all players share: the first move's worth and the draw rate."""

from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.digits import interval
from halfpoint.games.seats import USUAL, seats_named


def rating_list(rating_elo: xr.DataArray, probability: float = 0.95) -> pd.DataFrame:
    """Return the players by posterior mean rating, best first.

    Parameters
    ----------
    rating_elo : xarray.DataArray
        Ratings in Elo points, dims chain, draw, player.
    probability : float
        Mass of the highest density interval.

    Returns
    -------
    DataFrame
        Columns player, mean, sd, low, high, in Elo points.
    """
    from arviz_stats import hdi

    interval = hdi(rating_elo, prob=probability)
    bound = interval.dims[-1] if interval.dims[-1] != "player" else interval.dims[0]
    low, high = np.moveaxis(interval.to_numpy(), interval.dims.index(bound), 0)
    table = pd.DataFrame(
        {
            "player": rating_elo["player"].to_numpy().astype(str),
            "mean": rating_elo.mean(("chain", "draw")).to_numpy(),
            "sd": rating_elo.std(("chain", "draw"), ddof=1).to_numpy(),
            "low": low,
            "high": high,
        }
    )
    return table.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def first_move_and_draws(posterior: xr.Dataset, probability: float = 0.95) -> dict[str, Any]:
    """Return what the first move is worth and how often two equals draw, each with its interval.

    Parameters
    ----------
    posterior : xarray.Dataset
        Draws of a trace.
    probability : float
        Mass of the highest density intervals.

    Returns
    -------
    dict
        `advantage_elo`: White's whole advantage in Elo points, that of the average player where each has one; and
        `draw_rate`: probability of a draw between two equals without advantage. Each as `mean`, `low` and `high`; None
        where the model has none. `where` says in which games, where effects of columns act on it: "kind = blitz".
    """
    from arviz_stats import hdi

    found: dict[str, Any] = {}
    for name in ("advantage_elo", "draw_rate"):
        value: Any = posterior.get(name)
        if value is None:
            found[name] = None
            continue
        where = {"where": value.attrs["where"]} if "where" in value.attrs else {}
        value = value.mean("player") if "player" in value.dims else value
        low, high = hdi(value, prob=probability).to_numpy()
        found[name] = {"mean": float(value.mean()), "low": float(low), "high": float(high)} | where
    return found


def in_games(found: dict[str, Any]) -> str:
    """Return of which games a number is, in words; empty where it is of all."""
    return f" where {found['where']}" if "where" in found else ""


def first_move_and_draws_in_words(found: dict[str, Any], seats: object = USUAL) -> str:
    """Return what `first_move_and_draws` found as one sentence without its full stop; empty where there is neither.

    Parameters
    ----------
    found : dict
        From `first_move_and_draws`.
    seats : str
        What the seats are called, a key of `halfpoint.games.seats.SEATS`.
    """
    worth, drawn = found["advantage_elo"], found["draw_rate"]
    said = []
    if worth is not None:
        said.append(f"{seats_named(seats).worth} is worth {interval(worth, noun=' Elo')}{in_games(worth)}")
    if drawn is not None:
        said.append(f"two equals draw {interval(drawn, 100.0, '%', ' of their games')}{in_games(drawn)}")
    sentence = "; ".join(said)
    return sentence[:1].upper() + sentence[1:]
