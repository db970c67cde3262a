"""Tables of a posterior: the rating list."""

import arviz as az
import numpy as np
import pandas as pd
import xarray as xr


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
    interval = az.hdi(rating_elo, prob=probability)
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
