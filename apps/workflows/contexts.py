"""Strengths by context: each player in each level of a column, by `1 | player:COLUMN`.

A player's rating in a context is the strength of their side there, in Elo points on the scale of the list; in a context
without their games it is their strength plus the spread of contexts. Games do not identify a common rise of all players
in a context: players there have on average their overall ratings, unless known ratings fix the level.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.workflows.trace_list import noun_of, seats_in
from halfpoint.evaluation.rating_list import MASS, RatingList, played_by
from halfpoint.inference.location import is_location_fixed
from halfpoint.models.declaration.elo_scale import strengths
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.declaration.trace_attributes import reads_in
from halfpoint.models.games.table import Floats
from halfpoint.models.rows.column_coding import FORM, KEPT, draw_unseen_levels
from halfpoint.models.rows.effects import PLAYER, name_of

_FEWEST = 20  # games of a context that is listed
_MOST = 12  # contexts that are


def context_column(tree: xr.DataTree) -> str:
    """Column by which strengths of a trace differ, empty if absent; events do not count."""
    effects = reads_in(tree.attrs).effects
    found = [name.removeprefix(PLAYER) for _, name in effects.groups() if name.startswith(PLAYER)]
    return next((name for name in found if PLAYER + name != FORM), "")


def _ratings_in(tree: xr.DataTree, reading: Reading, column: str, level: str) -> xr.DataArray:
    """Ratings in a context, Elo points, dims chain, draw, player."""
    assert reading.coding is not None
    term, name = f"strength | {PLAYER}{column}", name_of("strength", f"{PLAYER}{column}")
    codes, posterior = np.arange(reading.players.size, dtype=np.int32), tree["posterior"].to_dataset()
    there = reading.coding.of_players(term, np.full(codes.size, level), codes, codes)
    rows = reading.today(codes, codes)
    rows = replace(rows, columns={**rows.columns, term: there})
    p, rows = draw_unseen_levels(reading.reads.effects, reading.p, rows)
    apart: Any = p[name][:, rows.columns[term][:, 0, 0]]
    played = there[:, 0, 0] >= 0
    if played.any() and not is_location_fixed(tree):
        apart = apart - apart[:, played].mean(axis=1, keepdims=True)
    rating = posterior["rating_elo"].transpose("chain", "draw", "player")
    return rating + _elo_of_each(reading, posterior)[..., None] * np.reshape(apart, rating.shape)


def _elo_of_each(reading: Reading, posterior: xr.Dataset) -> Floats:
    """Elo points of a natural unit in the list under each draw, shape (chain, draw)."""
    natural, rating = strengths(reading, posterior), posterior["rating_elo"]
    natural = natural.isel(month=-1) if "month" in natural.dims else natural
    away = natural - natural.mean("player")
    return np.asarray(((away * rating).sum("player") / (away**2).sum("player")).transpose("chain", "draw"))


def lists_by_context(
    tree: xr.DataTree, noun: str | None = None, mass: float = MASS, tier: float = MASS,
    beside: Callable[[xr.DataArray], pd.DataFrame] = lambda _: pd.DataFrame(),
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """List of a trace in each context of 20 games or more, most games first; empty without contexts.

    `beside` gives further columns by player, from ratings of dims chain, draw, player.
    """
    column = context_column(tree)
    if not column:
        return {}
    constant, reading = tree["constant_data"].to_dataset(), reading_of(tree)
    labels, score = constant[KEPT + column].to_numpy().astype(np.str_), tree["observed_data"]["score"].to_numpy()
    seats = seats_in(tree, "white", None), seats_in(tree, "black", None)
    found: dict[str, pd.DataFrame] = {}
    levels, counts = np.unique(labels[labels != ""], return_counts=True)
    for place in np.argsort(-counts, kind="stable")[:_MOST]:
        if counts[place] < _FEWEST:
            break
        ratings, here = _ratings_in(tree, reading, column, str(levels[place])), labels == levels[place]
        mean, anchors = ratings.mean(("chain", "draw")).to_numpy(), constant["anchor_elo"].to_numpy()[here]
        played = played_by((seats[0][:, here], seats[1][:, here]), score[here], mean, anchors)
        known = played.assign(**{str(name): one.to_numpy() for name, one in beside(ratings).items()})
        made = RatingList.of_draws(ratings, known, noun=noun or noun_of(tree), mass=mass, tier=tier)
        found[str(levels[place])] = made.frame
    return found


def side_by_side(frame: pd.DataFrame, lists: Mapping[str, pd.DataFrame], noun: str) -> pd.DataFrame:
    """A list with rank and rating in each context; players without games there have no rank (NaN) but a rating."""
    made = frame[["rank", noun, "rating_elo"]].copy()
    for name, board in lists.items():
        found = board.set_index(noun).reindex(made[noun])
        made[f"{name} rank"] = found["rank"].where(found["games"] > 0).to_numpy()
        made[f"{name} elo"] = found["rating_elo"].to_numpy()
    return made


def one_below_another(lists: dict[str, pd.DataFrame], column: str, noun: str) -> pd.DataFrame:
    """Lists by context stacked in one table with a column of the context, for players with games there."""
    names = [noun, "rank", "rating_elo", "sd_elo", "low_elo", "high_elo", "games"]
    parts = [frame[frame["games"] > 0][names].assign(**{column: name}) for name, frame in lists.items()]
    return pd.concat(parts, ignore_index=True)
