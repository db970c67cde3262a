"""On which level ratings stand: fixed by anchored opponents, else put there by a convention that the trace records."""

import numpy as np
import xarray as xr

from halfpoint.games.select import Selection

LEVEL_ELO = 1500.0  # the average player where no rating fixes the scale
ATTRIBUTE = "level_elo"
OF_PRIOR = "where the prior puts the average"


def by_ratings(tree: xr.DataTree) -> bool:
    """Return whether strengths stand around the ratings of the players themselves."""
    return any(name in tree["posterior"] for name in ("rated_spread", "shrink"))


def anchored(tree: xr.DataTree) -> bool:
    """Return whether ratings fix the level of a trace: of anchored opponents, or those that strengths are around."""
    if by_ratings(tree):
        return True
    constant = tree["constant_data"]
    return bool((constant["white"] < 0).any() or (constant["black"] < 0).any())


def put_level(tree: xr.DataTree, selection: Selection) -> None:
    """Record in the attributes of a trace without anchors where its average player is put.

    Without anchors only differences are known: the players with ratings in the file get the mean of these, each player
    once whatever they played; where nobody has one, the average player gets 1500.
    """
    if anchored(tree):
        return
    ratings = selection.ratings_elo()
    rated = ~np.isnan(ratings)
    if not rated.any():
        tree.attrs[ATTRIBUTE], tree.attrs["level_from"] = LEVEL_ELO, "a convention"
        return
    estimate = tree["posterior"]["rating_elo"].mean(("chain", "draw")).to_numpy()
    tree.attrs[ATTRIBUTE] = float(estimate.mean() - estimate[rated].mean() + ratings[rated].mean())
    tree.attrs["level_from"] = "the mean of the ratings in the file"
    if not rated.all():
        tree.attrs["level_from"] = f"{int(rated.sum())} players with ratings stand at their mean"


def levelled(tree: xr.DataTree) -> tuple[xr.DataArray, str]:
    """Return the ratings of a trace in Elo points on the level it records, and which, in words.

    Every draw of a trace without anchors is moved so that the average player has the level recorded by `put_level`,
    or its posterior mean: what is not known of the level is no part of the intervals.
    """
    ratings = tree["posterior"].to_dataset()["rating_elo"]
    if by_ratings(tree):
        return ratings, "Level fixed by the ratings in the file"
    if anchored(tree):
        return ratings, "Level fixed by the ratings of anchored opponents"
    average = ratings.mean("player")
    level = float(tree.attrs.get(ATTRIBUTE, average.mean()))
    words = f"No anchors: the average player is put at {level:.0f} ({tree.attrs.get('level_from', OF_PRIOR)})"
    return ratings - average + level, words


def by_month(tree: xr.DataTree) -> xr.Dataset:
    """Return the posterior of a walk with its ratings by month moved, as `levelled` moves the last month."""
    posterior = tree["posterior"].to_dataset()
    if "rating_elo_by_month" not in posterior:
        return posterior
    moved = (levelled(tree)[0] - posterior["rating_elo"]).mean("player")
    return posterior.assign(rating_elo_by_month=posterior["rating_elo_by_month"] + moved)
