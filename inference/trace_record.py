"""What a trace records of its model and its games, so that it can be judged and repeated by itself."""

from importlib.metadata import version
from typing import Any

import xarray as xr

from halfpoint.games.select import Selection
from halfpoint.models.catalogue import Declared, priors

SCHEMA = "halfpoint-trace-2"  # 1 had rating_elo of models with draws on the scale of their natural units
RECORDED = ("halfpoint", "pymc", "pytensor", "nutpie", "arviz", "numpy", "xarray")


def anchored_advantage(declared: Declared) -> float:
    """Return the known advantage of anchored opponents, as the model has it, in the unit of its advantages."""
    known = declared.model.named_vars.get("anchored_advantage")
    if known is not None and hasattr(known, "get_value"):
        return float(known.get_value())
    return float(getattr(priors(declared.entry, declared.edition), "anchored", 0.0))


def attributes_of(declared: Declared) -> dict[str, Any]:
    """Return what a trace records of a declared model: names, options, data and versions."""
    entry, selection = declared.entry, declared.selection
    return {
        "schema": SCHEMA,
        "model": entry.name,
        "family": entry.family,
        "advantage": entry.advantage,
        "edition": declared.edition,
        "weighting": selection.weighting,
        "anchored_advantage": anchored_advantage(declared),
        "data_name": selection.games.name,
        "data_sha256": selection.games.sha256 or "",
        "data_simulated": int(selection.games.simulated),
        "games": len(selection),
        "players": int(selection.players.size),
        "versions": ", ".join(f"{name} {version(name)}" for name in RECORDED),
    } | {  # sum over players of how far a population is sampled centred: the log density of its draws depends on it
        name: float(value.get_value().sum())
        for name, value in declared.model.named_vars.items()
        if name.endswith("_centring")
    }


def constant_data(selection: Selection) -> xr.Dataset:
    """Return who played whom with which colours, anchors, weights and times, one value a game."""
    games = selection.games
    data: dict[str, Any] = {
        "white": ("game", selection.white),
        "black": ("game", selection.black),
        "white_name": ("game", games.white_names.astype(object)),
        "black_name": ("game", games.black_names.astype(object)),
        "anchor_elo": ("game", selection.anchor_elo),
        "weight": ("game", selection.weight),
    }
    if games.period is not None:
        data["period"] = ("game", games.period)
    if games.date is not None:
        data["date"] = ("game", games.date.astype("datetime64[ns]"))
    return xr.Dataset(data, coords={"player": selection.players.astype(object)})
