"""Level of ratings: one rule for every trace, applied when the trace is made, so that all lists agree.

If ratings fix the level, of anchored opponents or as the centre of strengths, draws are not changed; anchors whose
games have weight 0 fix no level. Otherwise games identify differences only, and every draw is shifted so that the
average player has the same level: the rated players in the file have their mean rating, each counted once; 1500 if no
player is rated. Intervals then exclude the uncertainty of the level, and lists show `rating_elo`.
"""

import numpy as np
import xarray as xr

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.select import Selection

LEVEL_ELO = 1500.0  # the average player where no rating fixes the scale
ATTRIBUTE, FROM = "level_elo", "level_from"
OF_OPPONENTS, OF_PLAYERS = "the ratings of anchored opponents", "the ratings in the file"
OF_A_LIST = "the anchors, within their errors"


def location_fixed_by(declared: Declared) -> str:
    """Name the ratings that fix the level of a model; empty if its games give differences only."""
    if declared.traits.by_scores:
        return OF_PLAYERS
    if declared.selection.has_error.any():
        return OF_A_LIST
    cells = declared.cells
    met = ((cells.white < 0) | (cells.black < 0)) & (cells.weight.sum(axis=1) > 0)
    return OF_OPPONENTS if met.any() else ""


def is_location_fixed(tree: xr.DataTree) -> bool:
    """True if ratings fix the level of a trace; else an attribute has the level of its average player."""
    return ATTRIBUTE not in tree.attrs


def centre_ratings(posterior: xr.Dataset, selection: Selection, fixed: str) -> tuple[xr.Dataset, dict[str, object]]:
    """Posterior with ratings on their level, and its record for a trace; `fixed` from `location_fixed_by`."""
    if fixed or "rating_elo" not in posterior:
        return posterior, {FROM: fixed}
    ratings, average = selection.ratings_elo(), posterior["rating_elo"].mean("player", skipna=False)
    rated = ~np.isnan(ratings)
    level, source = LEVEL_ELO, "a convention"
    if rated.any():
        estimate = posterior["rating_elo"].mean(("chain", "draw")).to_numpy()
        level = float(estimate.mean() - estimate[rated].mean() + ratings[rated].mean())
        source = "the mean of the ratings in the file"
        if not rated.all():
            source = f"{int(rated.sum())} players with ratings have their mean"
    return shift_ratings(posterior, level - average), {ATTRIBUTE: level, FROM: source}


def shift_ratings(posterior: xr.Dataset, by: float | xr.DataArray) -> xr.Dataset:
    """Posterior with all ratings shifted, by a number or by draw."""
    names = [name for name in ("rating_elo", "rating_elo_by_month") if name in posterior]
    return posterior.assign({name: (posterior[name] + by).transpose(*posterior[name].dims) for name in names})


def location_in_words(tree: xr.DataTree) -> str:
    """Describe the level of the ratings of a trace."""
    source = str(tree.attrs[FROM])
    if is_location_fixed(tree):
        return f"Level fixed by {source}"
    return f"No anchors: the average player has rating {float(tree.attrs[ATTRIBUTE]):.0f} ({source})"
