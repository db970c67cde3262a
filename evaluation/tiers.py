r"""Tiers: groups of a list that the posterior does not separate, and the ranks that go with it.

Players stand by posterior mean. The first leads the first tier. Whoever follows is in it until the first player of whom

    P(leader stronger than player | games) >= p,

who leads the next tier, and so on. So nobody is separated from the leader of their own tier, and every leader is
separated from the next one. A border is wrong where the next leader is the stronger one in truth; a posterior that is
calibrated draws at most a share 1 - p of wrong borders, and says how many it expects: the sum of 1 - P over the
borders. That is a statement about leaders: the last of a tier and the leader of the next one need not be separated;
P(A > B) of any two is in the matrix.

Ranks are counted draw by draw: 1 + number of players who are stronger in that draw (`statements`).

Our own rule; leaderboards that count who is significantly better than a player, and number ranks by it (Chiang et al.
2024, arXiv 2403.04132), ask the same of pairs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError

DRAWS = ("chain", "draw")


@dataclass(frozen=True, eq=False)
class Tiers:
    """Tiers of a list."""

    # player, tier (from 1), above: the probability that the leader of the player's tier is stronger (0.5 for the
    # leader); players by posterior mean
    frame: pd.DataFrame
    # leader, next_leader, probability that the first is stronger, of each border between two tiers
    borders: pd.DataFrame
    probability: float  # p

    @property
    def expected_wrong(self) -> float:
        """How many borders the posterior expects to be wrong."""
        return float((1.0 - self.borders["probability"]).sum())


def flat_draws(values: xr.DataArray) -> Any:
    """Return what each player has under each draw, chains one after the other, shape (draw, player)."""
    return values.transpose(*DRAWS, "player").to_numpy().reshape(-1, values.sizes["player"])


def ranks_of(flat: Any) -> Any:
    """Return ranks draw by draw, 1 the best, those of equals in the order of players, shape (draw, player)."""
    ranks, place = np.empty(flat.shape, dtype=np.int32), np.arange(1, flat.shape[1] + 1)
    for row, one in zip(ranks, flat, strict=True):
        row[np.argsort(-one, kind="stable")] = place
    return ranks


def tiers(rating_elo: xr.DataArray, probability: float = 0.95) -> Tiers:
    """Return the tiers of a list.

    Examples
    --------
    Two players of whom nobody knows who is stronger, and one who is surely weaker:

    >>> draws = [[[1.0, 2.0, -9.0], [2.0, 1.0, -9.0]]]
    >>> ratings = xr.DataArray(draws, dims=("chain", "draw", "player"), coords={"player": ["a", "b", "c"]})
    >>> tiers(ratings).frame["tier"].tolist()
    [1, 1, 2]
    """
    if not 0.5 < probability < 1.0:
        raise EvaluationError("tiers", "a probability above 0.5 and below 1", f"{probability}")
    flat = flat_draws(rating_elo)
    order = np.argsort(-flat.mean(axis=0, dtype=np.float64), kind="stable")
    names = rating_elo["player"].to_numpy().astype(str)
    leader, tier, rows, borders = order[0], 1, [], []
    for place in order:
        above = 0.5 if place == leader else float((flat[:, leader] > flat[:, place]).mean())
        if place != leader and above >= probability:
            borders.append((names[leader], names[place], above))
            leader, tier, above = place, tier + 1, 0.5
        rows.append((names[place], tier, above))
    return Tiers(
        pd.DataFrame(rows, columns=["player", "tier", "above"]),
        pd.DataFrame(borders, columns=["leader", "next_leader", "probability"]).astype({"probability": float}),
        probability,
    )


def rank_intervals(rating_elo: xr.DataArray, probability: float = 0.95) -> pd.DataFrame:
    """Return player, rank_low and rank_high: the best and the worst rank of the central interval, and P(best)."""
    ranks = ranks_of(flat_draws(rating_elo))
    tail = (1.0 - probability) / 2.0
    low, high = np.quantile(ranks, [tail, 1.0 - tail], axis=0, method="inverted_cdf").astype(int)
    names = rating_elo["player"].to_numpy().astype(str)
    best = (ranks == 1).mean(axis=0)
    return pd.DataFrame({"player": names, "rank_low": low, "rank_high": high, "best": best})
