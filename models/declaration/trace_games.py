"""Games that a trace keeps, as a table and as its model reads them."""

from typing import Any

import numpy as np
import xarray as xr

from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.declaration.trace_attributes import reads_in
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.games.table import MARGINS, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import OWN
from halfpoint.models.rows.column_coding import KEPT
from halfpoint.models.rows.rows import GameRows, team_sides

_OF_GAMES = ("period", "date", "white_rating_elo", "black_rating_elo")  # columns of games that a trace keeps


def keeps_games(trace: xr.DataTree) -> bool:
    """True if a trace keeps all columns that its model reads, margins and own columns too; no printed ratings."""
    reads, family = reads_in(trace.attrs), formula_named(str(trace.attrs.get("family", "")))
    intact = all(key in trace["constant_data"] for key in reads.columns) if "constant_data" in trace.children else False
    return intact and (family is None or family.margin is None or f"{OWN}{MARGINS[0]}" in reads.columns)


def games_in(trace: xr.DataTree) -> GameTable:
    """Games of a trace, if `keeps_games`: players, scores, times, ratings, columns of effects."""
    constant = trace["constant_data"].to_dataset()
    names, place = np.unique(
        np.concatenate([constant[name].to_numpy().astype(np.str_) for name in ("white_name", "black_name")]),
        return_inverse=True,
    )
    white, black = place.astype(np.int32).reshape(2, -1)
    of_games: dict[str, Any] = {name: constant[name].to_numpy() for name in _OF_GAMES if name in constant}
    stored = [str(name) for name in constant if name == "neutral" or str(name).startswith(KEPT)]
    columns = {name.removeprefix(KEPT): constant[name].to_numpy() for name in stored}
    columns |= {
        str(name).removeprefix(OWN): constant[name].to_numpy() for name in constant if str(name).startswith(OWN)
    }
    about: dict[str, Any] = {
        "name": trace.attrs["data_name"],
        "source": trace.attrs["data_name"],
        "seats": trace.attrs.get("seats"),
    }
    about |= {"sha256": trace.attrs["data_sha256"] or None, "simulated": bool(trace.attrs["data_simulated"])}
    score = trace["observed_data"]["score"].to_numpy()
    return GameTable(names, white, black, score, covariates=columns, **of_games, **about)


def rows_in(reading: Reading, trace: xr.DataTree) -> GameRows:
    """Games of a trace as its model reads them, if `keeps_games`."""
    constant = trace["constant_data"].to_dataset()
    seats: list[Any] = [constant[name].to_numpy() for name in ("white", "black")]
    anchors = to_natural(np.nan_to_num(constant["anchor_elo"].to_numpy()))
    white_side, black_side = seats
    if "side_player" in constant:
        members, share = (constant[name].to_numpy() for name in ("side_player", "side_share"))
        white_side, black_side = (team_sides(members[seat], share[seat]) for seat in seats)
    games, first = games_in(trace), reading.first_period
    return reading.reads.rows(games, white_side, black_side, (anchors, anchors), first, reading.coding, reading.clock)
