r"""Pareto frontier of rating and cost, for a board and for each of its criteria.

line    players with a higher mean rating than all players of at most their cost, by cost
P_i     probability that g_i > g_j for all j with c_j <= c_i: share of draws in which no player as cheap is stronger
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.workflows.beside.by_player import read_by_player
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Texts

type Costs = Mapping[str, float] | str | Path


_COST = ("cost", "price", "costusd", "priceusd", "usd", "costs", "dollars", "eur", "costper1m", "costpermillion")


def read_costs(costs: Costs, players: Texts) -> tuple[pd.Series, tuple[str, ...]]:
    """Costs by player in any unit above 0, NaN if missing, from a mapping or a CSV file, and notes on the file."""

    def cost(cells: list[str]) -> float | None:
        number = pd.to_numeric(cells[0], errors="coerce")
        return float(number) if 0.0 < number < np.inf else None

    notes: tuple[str, ...] = ()
    if not isinstance(costs, Mapping):
        by_player = read_by_player(costs, players, {"cost": _COST}, "a name and a cost above 0", cost)
        costs, notes = by_player.values, by_player.notes
    series = pd.Series({str(name): costs.get(str(name), np.nan) for name in players}, dtype=np.float64)
    if series.notna().sum() < 2:
        raise GameTableError("--costs", "costs of two or more entries of the board", f"{series.notna().sum()}")
    return series, notes


def chances(ratings: xr.DataArray, cost: pd.Series) -> pd.DataFrame:
    """Cost and probability of being on the frontier in percent by player; ratings of dims chain, draw, player.

    Examples
    --------
    >>> drawn = xr.DataArray([[[1.0, 2.0, 3.0], [1.0, 2.0, 1.5]]], dims=("chain", "draw", "player"))
    >>> told = chances(drawn.assign_coords(player=["a", "b", "c"]), pd.Series({"a": 1.0, "b": 5.0, "c": 10.0}))
    >>> told["frontier_percent"].tolist()
    [100.0, 100.0, 50.0]
    """
    drawn, names = ratings.stack(sample=("chain", "draw")).T.to_numpy(), ratings["player"].to_numpy()
    costs = cost.reindex(names).to_numpy()
    share = np.full(costs.size, np.nan)
    for player in np.flatnonzero(np.isfinite(costs)):
        cheap = (costs <= costs[player]) & (np.arange(costs.size) != player)
        share[player] = 100.0 * np.mean((drawn[:, [player]] > drawn[:, cheap]).all(axis=1))
    return pd.DataFrame({"cost": costs, "frontier_percent": share}, names)


def line(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of a list that are on the frontier, the cheapest first."""
    by_cost = frame.dropna(subset=["cost"]).sort_values(["cost", "rating_elo"], ascending=[True, False])
    return by_cost[by_cost["rating_elo"] > by_cost["rating_elo"].cummax().shift(fill_value=-np.inf)]


def in_words(lines: Mapping[str, pd.DataFrame], noun: str) -> str:
    """Members of the frontiers in a sentence; empty without any."""
    members = "; ".join(
        f"{'' if key == 'all' else f'by {key}, '}{', '.join(frame[noun])}" for key, frame in lines.items()
    )
    return f"Worth their cost: {members}." if lines else ""
