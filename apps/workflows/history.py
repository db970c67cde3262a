"""Ratings through time: a table of all periods, and a trace as of a past day.

A walk is smoothed: ratings of a past day use all games, later games included.
"""

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.workflows.at_columns import At, at_columns, split_at
from halfpoint.evaluation.day_ratings import BEFORE, as_of_tick, moves_by_days, ratings_by_period
from halfpoint.evaluation.rating_list import RatingList
from halfpoint.evaluation.statements import ratings_by_month
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.rows.days import TICKS

_PLAYERS = 200  # at a time


def _by_dates(tree: xr.DataTree) -> bool:
    """True if periods are calendar months, False if they are numbered."""
    return "period" not in tree["constant_data"]


def _periods_of(tree: xr.DataTree, months: np.ndarray) -> list[str]:
    """Texts of periods: months as YYYY-MM, or numbers."""
    if _by_dates(tree):
        return [str(BEFORE + np.timedelta64(int(month), "M")) for month in months]
    return [str(int(month)) for month in months]


def has_history(tree: xr.DataTree) -> bool:
    """True if strengths move, by period or by day."""
    return "rating_elo_by_month" in tree["posterior"].data_vars or moves_by_days(tree)


def ratings_through_time(tree: xr.DataTree) -> pd.DataFrame | None:
    """Rating of each player in each period, as `ratings_by_month`; None for constant strengths."""
    moving = ratings_by_period(tree)
    if not moving:
        return None
    parts = [moving.isel(player=slice(start, start + _PLAYERS)) for start in range(0, moving.sizes["player"], _PLAYERS)]
    return pd.concat(map(ratings_by_month, parts), ignore_index=True)


def history_of(tree: xr.DataTree, ranking: RatingList, months: pd.DataFrame | None) -> pd.DataFrame:
    """Rating of each player in each period: player, period, rating_elo, low_elo, high_elo (95%).

    `months` is that of `ratings_through_time`. For constant strengths one row per player, with period "all".
    """
    if months is None:
        listed = ranking.frame.rename(columns={ranking.noun: "player"})[["player", "rating_elo", "low_elo", "high_elo"]]
        listed.insert(1, "period", "all")
        return listed
    names = dict(zip(("mean", "low", "high"), ("rating_elo", "low_elo", "high_elo"), strict=True))
    labels, place = np.unique(months["month"].to_numpy(), return_inverse=True)
    periods = np.asarray(_periods_of(tree, labels))[place]
    return months.rename(columns=names).assign(period=periods)[["player", "period", *names.values()]]


def as_of(tree: xr.DataTree, at: At, rated: bool = False) -> tuple[xr.DataTree, str]:
    """Trace as of a past day, YYYY-MM-DD or YYYY-MM, or period, and at values of columns; and a sentence on them.

    Strengths and games end there. `GameTableError` if strengths are constant, or the day is before the first period.
    """
    at, columns = split_at(at)
    tree, columns_note = at_columns(tree, columns, rated)
    if at is None:
        return tree, columns_note
    if not has_history(tree):
        remedy = "Rate with a random-walk model, such as --model davidson-population-walk."
        raise GameTableError("--at", "a trace whose strengths move in time", str(tree.attrs["model"]), remedy)
    dated = _by_dates(tree)
    try:
        day = np.datetime64(at).astype("datetime64[D]") if dated else np.datetime64("NaT", "D")
        period = int((day.astype("datetime64[M]") - BEFORE).astype(np.int64)) if dated else int(at)
    except ValueError:
        expected = "a day, YYYY-MM-DD or YYYY-MM" if dated else "the number of a period"
        raise GameTableError("--at", expected, repr(at)) from None
    is_month = len(at) <= len("2024-01")  # a month, of which all games are in
    if is_month and dated:
        day = (day.astype("datetime64[M]") + np.timedelta64(1, "M")).astype("datetime64[D]") - np.timedelta64(1, "D")
    clock = tree["constant_data"]["date" if dated else "period"].to_numpy()
    is_past = clock.astype("datetime64[D]") <= day if dated else clock <= period
    if moves_by_days(tree):
        past, label = _as_of_day(tree, int(day.astype(np.int64)) if dated else period, at)
    else:
        past, label = _as_of_period(tree, period, at)
    for group in ("constant_data", "observed_data"):
        node = past[group].to_dataset()
        past[group] = xr.DataTree(node.isel(game=is_past) if "game" in node.dims else node)
    return past, f" As of {label}, by all games, including later games.{columns_note}"


def _as_of_period(tree: xr.DataTree, period: int, at: str) -> tuple[xr.DataTree, str]:
    """A trace whose strengths end in a period, and this period."""
    posterior = tree["posterior"].to_dataset()
    months = posterior["month"].to_numpy()
    places = np.flatnonzero(months <= period)
    first, *_, last = _periods_of(tree, months[[0, -1]])
    if not places.size:
        raise GameTableError("--at", f"a day from {first} to {last}", at)
    ended = posterior.isel(month=slice(0, int(places[-1]) + 1))
    if places.size == 1:  # a walk has two periods at least: a second one without a step
        ended = posterior.isel(month=[0, 0]).assign_coords(month=months[:2])
    ended["rating_elo"] = posterior["rating_elo_by_month"].isel(month=int(places[-1]), drop=True)
    past = tree.copy()
    past["posterior"] = xr.DataTree(ended)
    return past, _periods_of(tree, months[[places[-1]]])[0]


def _as_of_day(tree: xr.DataTree, requested: int, at: str) -> tuple[xr.DataTree, str]:
    """A trace whose strengths end on a day, counted from 1970-01-01, or in a period, and this day or period."""
    ticks = tree["constant_data"]["visit_tick"].to_numpy()
    first, last = int(ticks.min()) // TICKS, int(ticks.max()) // TICKS
    label_of = (lambda day: str(np.datetime64(day, "D"))) if _by_dates(tree) else str
    if requested < first:
        raise GameTableError("--at", f"a day from {label_of(first)} to {label_of(last)}", at)
    day = min(requested, last)
    return as_of_tick(tree, min((day + 1) * TICKS - 1, int(ticks.max()))), label_of(day)
