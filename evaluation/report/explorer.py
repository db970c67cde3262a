"""The explorer: a rating list to sort and search, two players to set against each other, one player's page.

Everything is one piece of HTML that works offline: forecasts of all pairs travel with the page in single precision, and
Observable Plot (inlined with d3) draws. Names are written as text, never as HTML.
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

MAX_DRAWS = 2000
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Chances:
    """What is forecast when two players meet.

    Parameters
    ----------
    players : array of str, shape (player,)
        The players who can be set against each other.
    summary : array of float, shape (white, black, quantity, statistic)
        Quantity: probability of loss, draw and win for White, and White's expected score. Statistic: posterior mean and
        the ends of the 95% interval.
    three_outcomes : bool
        Whether the model has a probability of a draw; if not, only the expected score is shown.
    draws : int
        Draws of the posterior behind the numbers.
    """

    players: npt.NDArray[np.str_]
    summary: npt.NDArray[np.float32]
    three_outcomes: bool
    draws: int


def packed(values: npt.NDArray[np.floating[Any]]) -> str:
    """Return an array as base64 of little-endian single precision."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def thinned_draws(draws: int) -> npt.NDArray[np.intp]:
    """Return at most 2,000 draws, spread evenly over all of them."""
    return np.linspace(0, draws - 1, min(draws, MAX_DRAWS)).round().astype(np.intp)


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
    chances: Chances,
    results: Mapping[str, npt.NDArray[np.int64]],
    about: Mapping[str, str],
    advantages: pd.DataFrame | None = None,
    months: Mapping[str, pd.DataFrame] | None = None,
    inclinations: pd.DataFrame | None = None,
) -> dict[str, Any]:
    """Return what the page needs to know.

    Parameters
    ----------
    ratings : DataFrame
        Rating list: player, mean, sd, low, high in Elo points.
    chances : Chances
        Forecasts of the pairs.
    results : mapping of player to array of int, shape (colour, outcome)
        From `results_of`.
    about : mapping of str to str
        `title` and `text`, shown above the list.
    advantages : DataFrame, optional
        White's advantage by player: player, mean, low, high in Elo points.
    months : mapping of player to DataFrame, optional
        Rating through time where the model moves: time, mean, low, high.
    inclinations : DataFrame, optional
        Share of draws with an equal who draws like the others, where players are inclined to draw: player, mean, low,
        high, and `usual`, that share for everybody, in percent.

    Raises
    ------
    EvaluationError
        If a player of the list has no results, or one of the pairs is not in the list.
    """
    listed = {str(name): row for name, row in ratings.set_index("player").to_dict("index").items()}
    unknown = sorted((set(listed) - set(results)) | (set(chances.players.tolist()) - set(listed)))
    if unknown:
        raise EvaluationError("explorer", "the same players in the list, the results and the pairs", repr(unknown[0]))
    gained = None if advantages is None else advantages.set_index("player").to_dict("index")
    inclined = None if inclinations is None else inclinations.set_index("player").to_dict("index")
    people = []
    for name, rating in listed.items():
        colours = results[name].tolist()
        row: dict[str, Any] = {"name": name, "white": colours[0], "black": colours[1]}
        row |= {key: float(rating[key]) for key in ("mean", "sd", "low", "high")}
        if gained is not None:
            row["advantage"] = {key: float(gained[name][key]) for key in ("mean", "low", "high")}
        if inclined is not None:
            row["draws"] = {key: float(inclined[name][key]) for key in ("mean", "low", "high", "usual")}
        if months is not None and name in months:
            row["months"] = months[name][["time", "mean", "low", "high"]].to_numpy(dtype=float).tolist()
        people.append(row)
    return {
        "about": dict(about),
        "players": people,
        "draws": chances.draws,
        "paired": chances.players.tolist(),
        "chances": packed(chances.summary),
        "three_outcomes": chances.three_outcomes,
    }


def packaged(name: str) -> str:
    """Return a text file that ships with halfpoint.evaluation."""
    return files("halfpoint.evaluation.report").joinpath(name).read_text(encoding="utf-8")


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


def explorer_page(record: dict[str, Any], warning: str = "") -> str:
    """Return the explorer as a page of its own.

    Parameters
    ----------
    record : dict
        From `explorer_record`.
    warning : str
        Shown above everything else.
    """
    alert = Markup('<p class="explorer explorer-warning" role="alert">{}</p>').format(warning) if warning else ""
    title = Markup.escape(record["about"].get("title", "halfpoint explorer"))
    dark = "<style>@media (prefers-color-scheme: dark) { body { background: #16181c; } }</style>"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title>{dark}</head><body>\n{alert}{explorer_section(record)}\n</body></html>\n"
    )
