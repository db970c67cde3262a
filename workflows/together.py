"""Players as the games tell them apart: those who never play apart are listed as one, and what is not told is said."""

import numpy as np
import xarray as xr

from halfpoint.games.partners import Told, told
from halfpoint.games.select import Selection
from halfpoint.games.sides import Sides


def sides_of(tree: xr.DataTree) -> Sides | None:
    """Return who is on which side of the games of a trace; None where every side is one player."""
    constant = tree["constant_data"].to_dataset()
    if "side_player" not in constant:
        return None
    people = tree["posterior"]["player"].to_numpy().astype(np.str_)
    members, share = constant["side_player"].to_numpy().astype(np.int32), constant["side_share"].to_numpy()
    return Sides(people, members, share, str(tree.attrs.get("side_separator", "")))


def told_by(games: xr.DataTree | Selection) -> Told | None:
    """Return what the games of a trace, or of a selection, tell of each person; None where sides are single players."""
    if isinstance(games, Selection):
        return None if games.sides is None else told(games.sides, games.white, games.black)
    sides = sides_of(games)
    if sides is None:
        return None
    constant = games["constant_data"].to_dataset()
    return told(sides, *(constant[side].to_numpy().astype(np.int32) for side in ("white", "black")))


def as_told(ratings: xr.DataArray, found: Told | None) -> xr.DataArray:
    """Return ratings in which those who never play apart are one: the mean of theirs, named "Ann + Bob"."""
    if found is None or not found.together:
        return ratings
    values = ratings.transpose("chain", "draw", "player").to_numpy()
    joined = np.stack([values[..., unit].mean(axis=-1) for unit in found.units], axis=-1)
    coords = {name: ratings[name] for name in ("chain", "draw")} | {"player": found.names.astype(object)}
    return xr.DataArray(joined, dims=("chain", "draw", "player"), coords=coords, name=ratings.name)
