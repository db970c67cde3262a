"""What all players of a posterior share: the first move's worth and the draw rate."""

from typing import Any

import xarray as xr

from halfpoint.evaluation.digits import interval
from halfpoint.evaluation.rating_list import ends
from halfpoint.games.seats import USUAL, seats_named


def first_move_and_draws(posterior: xr.Dataset, probability: float = 0.95) -> dict[str, Any]:
    """Return what the first move is worth and how often two equals draw, each with its interval.

    `advantage_elo`: White's whole advantage in Elo points, that of the average player where each has one; and
    `draw_rate`: probability of a draw between two equals without advantage. Each as `mean`, `low` and `high`; None
    where the model has none. `where` says in which games, where effects of columns act on it: "kind = blitz".
    """
    found: dict[str, Any] = {}
    for name in ("advantage_elo", "draw_rate"):
        value: Any = posterior.get(name)
        if value is None:
            found[name] = None
            continue
        where = {"where": value.attrs["where"]} if "where" in value.attrs else {}
        value = value.mean("player") if "player" in value.dims else value
        low, high = ends(value.to_numpy().ravel(), probability)
        found[name] = {"mean": float(value.mean()), "low": float(low), "high": float(high)} | where
    return found


def in_games(found: dict[str, Any]) -> str:
    """Return of which games a number is, in words; empty where it is of all."""
    return f" where {found['where']}" if "where" in found else ""


def first_move_and_draws_in_words(found: dict[str, Any], seats: object = USUAL) -> str:
    """Return what `first_move_and_draws` found as one sentence without its full stop; empty where there is neither."""
    worth, drawn = found["advantage_elo"], found["draw_rate"]
    said = []
    if worth is not None:
        said.append(f"{seats_named(seats).worth} is worth {interval(worth, noun=' Elo')}{in_games(worth)}")
    if drawn is not None:
        said.append(f"two equals draw {interval(drawn, 100.0, '%', ' of their games')}{in_games(drawn)}")
    sentence = "; ".join(said)
    return sentence[:1].upper() + sentence[1:]
