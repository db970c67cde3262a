"""Graphs of bridge results: margins between partnerships, and players by their partnerships.

    performance of a player = sum over their partnerships of deals * IMPs a deal / sum of deals

A partnership is a node, and an edge from the winner to the loser has what it won, in cross-IMPs, and in how many deals.
Krajowski-Kukiel (2011), section 3.3.2, who also notes what it lacks: partners and opponents are not reckoned with.
"""

import numpy as np
import pandas as pd

from halfpoint.fields.bridge.system import BridgeRatings


def meetings_of(rated: BridgeRatings) -> pd.DataFrame:
    """The edges of the graph of partnerships: one row for each pair of partnerships, most results first.

    Columns winner, loser, results, cross_imps_per_result (at least 0, to the winner).
    """
    pairs, ns, ew, won = rated.pairs, rated.ns, rated.ew, rated.cross_imps
    low, high = np.minimum(ns, ew), np.maximum(ns, ew)
    frame = pd.DataFrame({"low": low, "high": high, "won": np.where(ns == low, won, -won)})
    edges = frame.groupby(["low", "high"])["won"].agg(results="size", mean="mean").reset_index()
    ahead = (edges["mean"] >= 0.0).to_numpy()
    ends = pairs[edges["low"]], pairs[edges["high"]]
    found = pd.DataFrame({
        "winner": np.where(ahead, *ends), "loser": np.where(ahead, *ends[::-1]), "results": edges["results"],
        "cross_imps_per_result": edges["mean"].abs(),
    })  # fmt: skip
    return found.sort_values(["results", "winner", "loser"], ascending=[False, True, True], ignore_index=True)


def players_of_graph(rated: BridgeRatings, partnerships: pd.DataFrame) -> pd.DataFrame:
    """Each player's partnerships, their number and their mean cross_imps_per_result weighted by results."""
    who = dict(zip(rated.pairs.tolist(), rated.partners, strict=True))
    names, player = np.unique(np.array([who[pair] for pair in partnerships["pair"]]), return_inverse=True)
    player = player.ravel()
    results, won = (np.repeat(partnerships[one].to_numpy(), 2) for one in ("results", "cross_imps_per_result"))
    mean = np.bincount(player, results * won) / np.bincount(player, results)
    return pd.DataFrame({"player": names, "partnerships": np.bincount(player), "cross_imps_per_result": mean})
