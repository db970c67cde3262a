"""Ratings on past days, of models whose strengths move by days: at the ends of months, and a trace as of a day.

States between the days on which a player plays are drawn from their law given the states around them, which is exact
(`halfpoint.models.rows.days.DayLaw.further`).
"""

from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.declaration.trace_attributes import WORTH, reads_in
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.rows.days import DAYS, TICKS, VISITS

BEFORE = np.datetime64("2009-12", "M")  # the month before the first, as months are counted
_BY_MONTH = "rating_elo_by_month"
_VALUES = 4_000_000  # draws times players times days, at most
_FEWEST = 200  # draws, however many players there are
_PERIODS = 120  # periods of a history at most, where there are no months


def moves_by_days(tree: xr.DataTree) -> bool:
    """True if the strengths of a trace's model move by days."""
    return reads_in(tree.attrs).every == DAYS


def ratings_by_period(tree: xr.DataTree) -> xr.Dataset:
    """The draws of all ratings in each period, Elo points, as `rating_elo_by_month`; empty if ratings do not move.

    Periods of strengths that move by days are calendar months, each with the ratings on its last day, up to the last
    day of games; if games have periods but no dates, they are the periods of the games.
    """
    posterior = tree["posterior"].to_dataset()
    if _BY_MONTH in posterior:
        return posterior[[_BY_MONTH]]
    if not moves_by_days(tree):
        return xr.Dataset()
    ticks = tree["constant_data"]["visit_tick"].to_numpy()
    first, last = int(ticks.min()), int(ticks.max())
    if "period" in tree["constant_data"]:
        count = min(last // TICKS - first // TICKS + 1, _PERIODS)
        labels = np.unique(np.linspace(first // TICKS, last // TICKS, count).astype(np.int64))
        ends = np.minimum((labels + 1) * TICKS - 1, last)
    else:
        month = np.timedelta64(1, "M")
        months = np.arange(_month(first), _month(last) + month)
        ends = np.minimum((months + month).astype("datetime64[D]").astype(np.int64) * TICKS - 1, last)
        labels = (months - BEFORE).astype(np.int64)
    size = ends.size * posterior.sizes["player"]
    draws = max(_VALUES // size, _FEWEST)
    thin = max(1, -(-posterior.sizes["chain"] * posterior.sizes["draw"] // draws))
    values = _ratings_at(tree, ends - first, thin)
    shape = posterior.sizes["chain"], -1, *values.shape[1:]
    dims = ("chain", "draw", "player", "month")
    coords = {"player": posterior["player"].to_numpy(), "month": labels}
    return xr.Dataset({_BY_MONTH: (dims, values.reshape(shape))}, coords)


def as_of_tick(tree: xr.DataTree, tick: int) -> xr.DataTree:
    """A trace whose strengths end at a time, in 24ths of a day as the trace counts them; its games stay."""
    reading, posterior = reading_of(tree), tree["posterior"].to_dataset()
    assert reading.facts["visits"] is not None
    constant = tree["constant_data"].to_dataset()
    first = int(constant["visit_tick"].min())
    codes = np.arange(reading.players.size)
    ticks = np.full(codes.size, tick - first)
    visits = reading.facts["visits"].including(codes, ticks, codes.size, reading.periods - 1)
    p = reading.on_days(codes, ticks)
    order = np.flatnonzero(visits.tick <= tick - first)
    order = order[np.lexsort([visits.tick[order], visits.player[order]])]
    moved = _sides_at(reading, np.array([tick - first, reading.periods - 1]))
    slope = _elo_slope(posterior)
    shape = posterior.sizes["chain"], posterior.sizes["draw"], codes.size
    gain = xr.DataArray((moved[..., 0] - moved[..., 1]).reshape(shape), dims=("chain", "draw", "player"))
    variables = {name: (posterior[name].dims, p[name][:, order].reshape(*shape[:2], order.size, *p[name].shape[2:]))
            for name in reading.days}  # fmt: skip
    ended = posterior.drop_vars([*variables, VISITS], errors="ignore").assign(variables)
    ended["strength"] = posterior["strength"] + gain
    ended["rating_elo"] = posterior["rating_elo"] + slope * gain
    days = {"visit_player": (VISITS, visits.player[order]), "visit_tick": (VISITS, visits.tick[order] + first)}
    constant = constant.drop_vars([*days, VISITS], errors="ignore").assign(days)
    result = tree.assign({"posterior": xr.DataTree(ended), "constant_data": xr.DataTree(constant)})
    result.attrs[WORTH] = ""  # the record of the worth of players at the end of all games
    return result


def _month(tick: int) -> np.datetime64:
    """The calendar month of a time."""
    month: np.datetime64 = np.datetime64(tick // TICKS, "D").astype("datetime64[M]")
    return month


def _ratings_at(tree: xr.DataTree, ticks: Integers, thin: int) -> Floats:
    """Ratings at times since the first game, Elo points, (draw, player, time)."""
    reading, posterior = reading_of(tree, thin), tree["posterior"].to_dataset().isel(draw=slice(None, None, thin))
    sides = _sides_at(reading, np.append(ticks, reading.periods - 1))
    rating = posterior["rating_elo"].transpose("chain", "draw", "player").to_numpy()
    slope = _elo_slope(posterior).to_numpy().reshape(-1, 1, 1)
    return np.asarray(rating.reshape(len(sides), -1, 1) + slope * (sides[..., :-1] - sides[..., -1:]))


def _sides_at(reading: Reading, ticks: Integers) -> Floats:
    """Worth of players in the first seat at times since the first game, natural units, (draw, player, time)."""
    players = int(reading.players.size)
    codes = np.repeat(np.arange(players, dtype=np.int32), ticks.size)
    rows = replace(reading.today(codes, codes), period=np.tile(ticks, players), at_end=None)
    draws = len(next(iter(reading.p.values())))
    worth = np.empty((draws, players * ticks.size))
    for part, sides in reading.under(rows):
        worth[part] = sides.white
    return worth.reshape(draws, players, ticks.size)


def _elo_slope(posterior: xr.Dataset) -> xr.DataArray:
    """Elo points a natural unit under each draw: by the ratings and strengths of the two most distant players."""
    mean = posterior["strength"].mean(("chain", "draw")).to_numpy()
    high, low = int(mean.argmax()), int(mean.argmin())
    distance = posterior["strength"].isel(player=high, drop=True) - posterior["strength"].isel(player=low, drop=True)
    elo = posterior["rating_elo"].isel(player=high, drop=True) - posterior["rating_elo"].isel(player=low, drop=True)
    return (elo / distance.where(distance != 0.0)).fillna(ELO_PER_NATURAL).transpose("chain", "draw")
