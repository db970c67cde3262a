"""Strengths by context: each player in each level of a column, by `1 | player:COLUMN`.

A player's rating in a context is the strength of their side there, in Elo points on the scale of the list; in a context
without their games it is their strength plus the spread of contexts. Games do not identify a common rise of all players
in a context: players there have on average their overall ratings, unless known ratings fix the level.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

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
    columns = [name.removeprefix(PLAYER) for _, name in effects.groups() if name.startswith(PLAYER)]
    return next((name for name in columns if PLAYER + name != FORM), "")


def _ratings_in(tree: xr.DataTree, reading: Reading, column: str, level: str) -> xr.DataArray:
    """Ratings in a context, Elo points, dims chain, draw, player."""
    assert reading.coding is not None
    term, name = f"strength | {PLAYER}{column}", name_of("strength", f"{PLAYER}{column}")
    codes, posterior = np.arange(reading.players.size, dtype=np.int32), tree["posterior"].to_dataset()
    level_codes = reading.coding.of_players(term, np.full(codes.size, level), codes, codes)
    rows = reading.today(codes, codes)
    rows = replace(rows, columns={**rows.columns, term: level_codes})
    p, rows = draw_unseen_levels(reading.reads.effects, reading.p, rows, given=reading.reads.given)
    code = rows.columns[term][:, 0, 0]  # below 0 for unknown levels without a spread, which count 0
    offsets: Floats = p[name][:, np.maximum(code, 0)] * (code >= 0)
    played = level_codes[:, 0, 0] >= 0
    if played.any() and not is_location_fixed(tree):
        offsets = offsets - offsets[:, played].mean(axis=1, keepdims=True)
    rating = posterior["rating_elo"].transpose("chain", "draw", "player")
    return rating + _elo_of_each(reading, posterior)[..., None] * np.reshape(offsets, rating.shape)


def _elo_of_each(reading: Reading, posterior: xr.Dataset) -> Floats:
    """Elo points of a natural unit in the list under each draw, shape (chain, draw)."""
    natural, rating = strengths(reading, posterior), posterior["rating_elo"]
    natural = natural.isel(month=-1) if "month" in natural.dims else natural
    away = natural - natural.mean("player")
    return np.asarray(((away * rating).sum("player") / (away**2).sum("player")).transpose("chain", "draw"))


def lists_by_context(
    tree: xr.DataTree, noun: str | None = None, mass: float = MASS, tier: float = MASS,
    further_columns: Callable[[xr.DataArray], pd.DataFrame] = lambda _: pd.DataFrame(),
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """List of a trace in each context of 20 games or more, most games first; empty without contexts.

    `further_columns` gives further columns by player, from ratings of dims chain, draw, player.
    """
    column = context_column(tree)
    if not column:
        return {}
    constant, reading = tree["constant_data"].to_dataset(), reading_of(tree)
    labels, score = constant[KEPT + column].to_numpy().astype(np.str_), tree["observed_data"]["score"].to_numpy()
    seats = seats_in(tree, "white", None), seats_in(tree, "black", None)
    lists: dict[str, pd.DataFrame] = {}
    levels, counts = np.unique(labels[labels != ""], return_counts=True)
    for place in np.argsort(-counts, kind="stable")[:_MOST]:
        if counts[place] < _FEWEST:
            break
        ratings, in_level = _ratings_in(tree, reading, column, str(levels[place])), labels == levels[place]
        mean, anchors = ratings.mean(("chain", "draw")).to_numpy(), constant["anchor_elo"].to_numpy()[in_level]
        played = played_by((seats[0][:, in_level], seats[1][:, in_level]), score[in_level], mean, anchors)
        rows = played.assign(**{str(name): values.to_numpy() for name, values in further_columns(ratings).items()})
        level_list = RatingList.of_draws(ratings, rows, noun=noun or noun_of(tree), mass=mass, tier=tier)
        lists[str(levels[place])] = level_list.frame
    return lists


def side_by_side(frame: pd.DataFrame, lists: Mapping[str, pd.DataFrame], noun: str) -> pd.DataFrame:
    """A list with rank and rating in each context; players without games there have no rank (NaN) but a rating."""
    table = frame[["rank", noun, "rating_elo"]].copy()
    for name, board in lists.items():
        rows = board.set_index(noun).reindex(table[noun])
        table[f"{name} rank"] = rows["rank"].where(rows["games"] > 0).to_numpy()
        table[f"{name} elo"] = rows["rating_elo"].to_numpy()
    return table


def one_below_another(lists: dict[str, pd.DataFrame], column: str, noun: str) -> pd.DataFrame:
    """Lists by context stacked in one table with a column of the context, for players with games there."""
    names = [noun, "rank", "rating_elo", "sd_elo", "low_elo", "high_elo", "games"]
    parts = [frame[frame["games"] > 0][names].assign(**{column: name}) for name, frame in lists.items()]
    return pd.concat(parts, ignore_index=True)
