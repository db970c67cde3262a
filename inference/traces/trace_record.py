"""Record of a model and its games in a trace, from which the trace can be checked and the fit repeated."""

import json
from functools import cache
from importlib.metadata import version

import numpy as np
import xarray as xr

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import reading_from, worth_in
from halfpoint.models.declaration.record import check_record, record_of
from halfpoint.models.declaration.trace_attributes import GOALS, READS, TRAITS, WALKS, WORTH
from halfpoint.models.errors import ModelError
from halfpoint.models.games.rating_history import RatingHistory
from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.games import OWN
from halfpoint.models.language.model import Model
from halfpoint.models.reading.ground import entry_periods, visits_of
from halfpoint.models.reading.own_likelihoods import observation_of
from halfpoint.models.reading.reads import Reads, own_column
from halfpoint.models.rows.column_coding import KEPT, code_columns
from halfpoint.models.rows.days import DAYS, SESSION, VISITS

SCHEMA = "halfpoint-trace-7"  # earlier ones: `halfpoint.inference.traces.earlier_schemas`
RECORDED = ("halfpoint", "pymc", "pytensor", "nutpie", "arviz", "numpy", "xarray")


def record_text(model: Model) -> str:
    """Text of a model for a trace; `ModelError` if a model has no text form."""
    try:
        text = json.dumps(record_of(model))
        check_record(json.loads(text))
    except (TypeError, ValueError) as error:
        raise ModelError(f"model {model.name}: expected numbers and texts that a trace can keep ({error})") from error
    return text


@cache
def versions_in_use() -> str:
    """Names and versions of the libraries that a trace records."""
    return ", ".join(f"{name} {version(name)}" for name in RECORDED)


def attributes_of(declared: Declared, posterior: xr.Dataset) -> dict[str, object]:
    """Attributes of a trace for a declared model: the model itself, data and versions."""
    selection, reading = declared.selection, reading_from(declared, posterior)
    worth = worth_in(declared, reading)
    laws = {**reading.transitions, **reading.days}
    walks = {name: None if law is None else law.as_record for name, law in laws.items()}
    return {
        "schema": SCHEMA,
        "model": declared.spec.name,
        "model_record": record_text(declared.spec),
        READS: json.dumps(declared.reads.as_record),
        TRAITS: json.dumps(declared.traits.as_record),
        WALKS: json.dumps(walks),
        WORTH: "" if worth is None else worth.text,
        "family": declared.outcome.name,
        "observation": observation_of(declared.reads.responses, declared.outcome),
        "advantage": declared.traits.seats,
        "anchored": int(reading.facts["anchored"]),
        "edition": declared.edition,
        "weighting": selection.weighting,
        "data_name": selection.games.name,
        "data_sha256": selection.games.sha256 or "",
        "data_simulated": int(selection.games.simulated),
        "seats": selection.games.seats,
        "day_first": int(selection.games.day_first),
        "games": len(selection),
        "players": int(selection.players.size),
        "side_separator": "" if selection.sides is None else selection.sides.separator,
        "versions": versions_in_use(),
        **goals_in(selection.games),
    }


def goals_in(games: GameTable) -> dict[str, float]:
    """Mean product of the goals of both sides, from which markets are read; empty without goals."""
    goals = [np.asarray(games.covariates.get(f"{side}_goals", np.nan)) for side in ("white", "black")]
    if any(column.dtype.kind not in "fiu" for column in goals):
        return {}
    product = np.multiply(*goals, dtype=np.float64)
    is_known = np.isfinite(product)
    return {GOALS: float(product[is_known].mean())} if is_known.any() else {}


def constant_data(declared: Declared) -> xr.Dataset:
    """Constant data of a trace for a declared model (`constant_data_of`)."""
    return constant_data_of(declared.selection, declared.reads)


def constant_data_of(selection: Selection, reads: Reads) -> xr.Dataset:
    """Players, seats, anchors, weights and times, one value per game; ratings by player.

    Effects keep the columns that they read, from which they are coded again (`halfpoint.models.rows.column_coding`).
    For games with ratings: the ratings, each player's last rating, their mean so far and its number of months. If sides
    have several people, `white` and `black` are sides, and `side_player` and `side_share` have their people. For
    players in a list with errors, the list's rating and its error.
    """
    games = selection.games
    coding = code_columns(reads.effects, games, selection.players)
    data: dict[str, object] = {
        "white": ("game", selection.white),
        "black": ("game", selection.black),
        "white_name": ("game", games.white_names.astype(object)),
        "black_name": ("game", games.black_names.astype(object)),
        "anchor_elo": ("game", selection.anchor_elo),
        "weight": ("game", selection.weight),
    }
    if "neutral" in games.covariates:
        data["neutral"] = ("game", np.asarray(games.covariates["neutral"], dtype=np.float64))
    if selection.sides is not None:
        data["side_player"] = (("side", "seat"), selection.sides.members)
        data["side_share"] = (("side", "seat"), selection.sides.share)
    if selection.prior_elo is not None:
        data["prior_elo"], data["prior_error_elo"] = (("player", value) for value in selection.prior_elo.T)
    if games.period is not None:
        data["period"] = ("game", games.period)
    if games.date is not None:
        data["date"] = ("game", games.date.astype("datetime64[s]"))
    if games.white_rating_elo is not None or games.black_rating_elo is not None:
        history = RatingHistory.of(games)
        place = np.searchsorted(history.players, selection.players)
        for name, value in (("listed_elo", history.last_elo), ("listed_mean_elo", history.mean_elo)):
            data[name] = ("player", value[place])
        data["listed_months"] = ("player", history.months[place])
        for name in ("white_rating_elo", "black_rating_elo"):
            if getattr(games, name) is not None:
                data[name] = ("game", getattr(games, name))
    rating = selection.ratings_elo()
    if not np.isnan(rating).all():
        data["player_rating_elo"] = ("player", rating)
    if reads.every == DAYS:
        visits, first = visits_of(selection)
        data |= {"visit_player": (VISITS, visits.player), "visit_tick": (VISITS, visits.tick + first)}
        if SESSION in games.covariates:
            data[KEPT + SESSION] = ("game", np.asarray(games.covariates[SESSION], dtype=np.float64))
    elif reads.every:
        data["player_entered"] = ("player", entry_periods(selection, reads.every))
    data |= coding.trace_variables
    for key in (column for column in reads.columns if column.startswith(OWN)):
        data[key] = ("game", own_column(games, key, ""))
    if games.event is not None:
        data["event"] = ("game", games.event.astype(object))
    return xr.Dataset(data, coords={"player": selection.players.astype(object)})
