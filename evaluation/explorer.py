"""The explorer: a rating list to sort and search, two players to set against each other, one player's page.

Everything is one piece of HTML that works offline: the posterior travels as a sample of draws in single precision, the
page computes probabilities from them, and Observable Plot (inlined with d3) draws. Names are written as text, never as
HTML.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from markupsafe import Markup

from halfpoint.evaluation.errors import EvaluationError

MAX_VALUES = 1_000_000  # (draw, player) pairs in the page: 2 seats of 4 bytes each, about 11 MB at most
MAX_DRAWS = 400
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Seats:
    """What each player brings to the White and the Black seat, per draw, in natural units.

    Parameters
    ----------
    white, black : array of float, shape (draw, player)
        Strength with the advantage of that seat.
    log_draw : array of float, shape (draw,), or None
        Davidson's draw parameter; None for a model without draws, which has an expected score only.
    """

    white: Floats
    black: Floats
    log_draw: Floats | None


def packed(values: Floats) -> str:
    """Return an array as base64 of little-endian single precision."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def thinned(seats: Seats) -> Seats:
    """Return at most 400 draws, spread evenly, and fewer where there are very many players."""
    draws, players = seats.white.shape
    kept = max(1, min(draws, MAX_DRAWS, MAX_VALUES // players))
    rows = np.linspace(0, draws - 1, kept).round().astype(int)
    log_draw = None if seats.log_draw is None else seats.log_draw[rows]
    return Seats(seats.white[rows], seats.black[rows], log_draw)


def results_of(white: npt.NDArray[Any], black: npt.NDArray[Any], score: Floats, players: int) -> npt.NDArray[np.int64]:
    """Return losses, draws and wins of each player with each colour.

    Parameters
    ----------
    white, black : array of int, shape (game,)
        Index of the player, -1 where anchored.
    score : array of float, shape (game,)
        White's score.
    players : int
        Number of players.

    Returns
    -------
    array of int, shape (player, colour, outcome)
        Colour White, Black; outcome loss, draw, win for that player.
    """
    counts = np.zeros((players + 1, 2, 3), dtype=np.int64)
    outcome = np.rint(2 * score).astype(np.int64)
    for colour, (side, gained) in enumerate(((white, outcome), (black, 2 - outcome))):
        np.add.at(counts, (side, np.full(side.size, colour), gained), 1)
    return counts[:-1]


def explorer_record(
    ratings: pd.DataFrame,
    players: npt.NDArray[np.str_],
    seats: Seats,
    results: npt.NDArray[np.int64],
    about: Mapping[str, str],
    advantages: pd.DataFrame | None = None,
    months: Mapping[str, pd.DataFrame] | None = None,
) -> dict[str, Any]:
    """Return what the page needs to know.

    Parameters
    ----------
    ratings : DataFrame
        Rating list: player, mean, sd, low, high in Elo points.
    players : array of str, shape (player,)
        Order of the players in `seats` and `results`.
    seats : Seats
        Draws.
    results : array of int, shape (player, colour, outcome)
        From `results_of`.
    about : mapping of str to str
        Title, model, data, verdict: shown above the list.
    advantages : DataFrame, optional
        White's advantage by player: player, mean, low, high in Elo points.
    months : mapping of player to DataFrame, optional
        Rating through time where the model moves: time, mean, low, high.

    Raises
    ------
    EvaluationError
        If the players of the list and of the draws differ.
    """
    listed = ratings.set_index("player").to_dict("index")
    names = [str(name) for name in players]
    if set(names) != set(listed):
        raise EvaluationError("explorer", "the same players in the rating list and in the draws", "others")
    gained = None if advantages is None else advantages.set_index("player").to_dict("index")
    sample = thinned(seats)
    people = []
    for index, name in enumerate(names):
        row: dict[str, Any] = {"name": name, "white": results[index, 0].tolist(), "black": results[index, 1].tolist()}
        row |= {key: float(listed[name][key]) for key in ("mean", "sd", "low", "high")}
        if gained is not None:
            row["advantage"] = {key: float(gained[name][key]) for key in ("mean", "low", "high")}
        if months is not None and name in months:
            row["months"] = months[name][["time", "mean", "low", "high"]].to_numpy(dtype=float).tolist()
        people.append(row)
    return {
        "about": dict(about),
        "players": people,
        "draws": int(sample.white.shape[0]),
        "white": packed(sample.white),
        "black": packed(sample.black),
        "log_draw": None if sample.log_draw is None else packed(sample.log_draw),
    }


def packaged(name: str) -> str:
    """Return a text file that ships with halfpoint.evaluation."""
    return files("halfpoint.evaluation").joinpath(name).read_text(encoding="utf-8")


def explorer_section(record: dict[str, Any]) -> Markup:
    """Return the explorer as one piece of HTML: styles, markup, libraries, data and script.

    Parameters
    ----------
    record : dict
        From `explorer_record`.
    """
    # In a script element only "<" can end the data early, so it is written as an escape.
    data = json.dumps(record, allow_nan=False).replace("<", "\\u003c")
    scripts = [packaged("vendor/d3.min.js"), packaged("vendor/plot.umd.min.js")]
    parts = [f"<style>{packaged('explorer.css')}</style>", packaged("explorer.html")]
    parts += [f"<script>{script}</script>" for script in scripts]
    parts += [f'<script type="application/json" id="explorer-data">{data}</script>']
    parts += [f"<script>{packaged('explorer.js')}</script>"]
    return Markup("\n".join(parts))


def explorer_page(record: dict[str, Any]) -> str:
    """Return the explorer as a page of its own."""
    title = Markup.escape(record["about"].get("title", "halfpoint explorer"))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title></head><body>\n{explorer_section(record)}\n</body></html>\n"
    )
