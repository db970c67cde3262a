r"""Intervals of ranks in an official list, for systems without errors.

Elo's rule changes a rating R by K (S - E). Around the true strength, with E(R) of slope b per point,

    var <- (1 - K b)^2 var + K^2 s^2,        which settles at  K s^2 / (b (2 - K b)),

s^2 the variance of a score around its expectation, b = ln(10) / 400 times the mean of E (1 - E). Both are estimated
from the games of the list, with the K of each player's last game. This is the scatter of a rating due to games alone
for constant strengths, without changes of strength. Glicko and similar systems have their own deviation.
"""

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.rating_list import rank_intervals
from halfpoint.models.games.table import Floats

_SLOPE = np.log(10.0) / 400.0
DRAWS, _CELLS = 2000, 4_000_000  # draws of all ratings, fewer of long lists
_SEED = 1


def scatter_of(log: pd.DataFrame, names: pd.Series) -> Floats:
    """Standard deviation of each player's rating by their last K, Elo points; NaN if no K is known."""
    forecast_games = log[np.isfinite(log["expected_score"])]
    seats = [
        forecast_games[[side, f"{side}_k"]]
        .set_axis(["player", "k"], axis=1)
        .assign(game=np.arange(len(forecast_games)))
        for side in ("white", "black")
    ]
    last = pd.concat(seats).dropna().sort_values("game", kind="stable").groupby("player")["k"].last()
    expected = forecast_games["expected_score"]
    variance = float(((forecast_games["score"] - expected) ** 2).mean())
    slope = _SLOPE * float((expected * (1.0 - expected)).mean())
    k = np.minimum(last.reindex(names).to_numpy(np.float64), 1.0 / slope)  # a newcomer's first K knows no bound
    return np.asarray(np.sqrt(k * variance / (slope * (2.0 - k * slope))))


def with_rank_intervals(frame: pd.DataFrame, sd: Floats) -> pd.DataFrame:
    """List with rank_low and rank_high, 95%, by errors sd (player,), NaN for none; unchanged without any."""
    rated = frame["rating_elo"].notna().to_numpy()
    listed = rated & np.isfinite(sd)
    if not listed.any():
        return frame
    mean, spread = frame["rating_elo"].to_numpy(np.float64)[rated], np.where(listed, sd, 0.0)[rated]
    count = int(np.clip(_CELLS // max(mean.size, 1), 200, DRAWS))
    drawn = np.random.default_rng(_SEED).normal(mean, spread, (1, count, mean.size))
    intervals = rank_intervals(
        xr.DataArray(drawn, dims=("chain", "draw", "player"), coords={"player": np.arange(mean.size)})
    )
    ranked = frame.copy()
    for place, name in enumerate(("rank_low", "rank_high"), list(frame.columns).index("rating_elo") + 1):
        values = pd.Series(pd.NA, frame.index, dtype="Int64")
        values[listed] = intervals[name].to_numpy()[listed[rated]]
        ranked.insert(place, name, values)
    return ranked
