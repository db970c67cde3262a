"""Traces of earlier schemas as traces of the present one, and traces without their model.

    1   `rating_elo` of models with draws is on the scale of their natural units
    2   a model is its name; Bradley-Terry models have `rating` and other numbers in Elo points
    3   ratings are on the level of the prior
    4   the log likelihood of a game is called `outcome`
    5   a model is a record of its parts
    6   `observation` and the trait `vague` may be missing; seconds of the run are attributes

Draws, names and games are data and stay as they are. A row of the catalogue keeps its name and its density, so that its
present function reads its draws. Other models of schemas 1 to 5 were code of a form that no longer exists: their traces
are read without a function, as are traces from which only the data are read.
"""

import json

import numpy as np
import xarray as xr

from halfpoint.inference.location import ATTRIBUTE, FROM, OF_OPPONENTS, centre_ratings, location_fixed_by
from halfpoint.inference.traces.trace_record import SCHEMA, attributes_of
from halfpoint.models.declaration.catalogue import CATALOGUE, EDITIONS, find, split_effects
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.elo_scale import ratings_in_elo, scale_of
from halfpoint.models.declaration.pointwise import OF_ARVIZ
from halfpoint.models.declaration.record import record_without_function
from halfpoint.models.declaration.trace_attributes import READS, TRAITS, WALKS, WORTH, record_in
from halfpoint.models.declaration.trace_games import games_in
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.by_name import formula_named
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.select import Selection
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.traits import Traits

_NAME = SCHEMA.rpartition("-")[0]
SCHEMAS = tuple(f"{_NAME}-{number}" for number in range(1, int(SCHEMA.rpartition("-")[2]) + 1))
_OF_MODEL = ("model_record", READS, TRAITS, WALKS, WORTH, "family", "observation", "advantage", "anchored")
_BEFORE = {"edited": "", "left_out": "", "seats": "white", "side_separator": ""}  # attributes that came later
_LOST = (
    "the trace has an earlier format ({schema}): its draws, names and games can be read. Fit the model again to "
    "forecast other games"
)
_WITHHELD = "the trace was opened with data_only=True. Open it without this option to use its model"


def present_trace(tree: xr.DataTree, data_only: bool = False) -> xr.DataTree:
    """Trace in the present schema; `data_only` reads draws, names and games, and no function for their model."""
    schema = str(tree.attrs["schema"])
    number = int(schema.rpartition("-")[2])
    tree.attrs = {**_BEFORE, **tree.attrs, "schema": SCHEMA}
    if number <= 2:
        tree["posterior"] = xr.DataTree(_in_natural_units(tree["posterior"].to_dataset()))
    if number <= 4 and OF_ARVIZ in tree.children and "outcome" in tree[OF_ARVIZ]:
        tree[OF_ARVIZ] = xr.DataTree(tree[OF_ARVIZ].to_dataset().rename(outcome="score"))
    declared = None if number > 5 or data_only else _declared_row(tree)
    if number <= 3:
        _give_level(tree, declared, number)
    if declared is not None:
        attributes = attributes_of(declared, tree["posterior"].to_dataset())
        tree.attrs |= {name: attributes[name] for name in _OF_MODEL}
    elif number <= 5:
        tree.attrs |= _without_model(tree, _WITHHELD if data_only else _LOST.format(schema=schema))
    elif data_only:
        tree.attrs["model_record"] = _withheld_record(tree)
    if "observation" not in tree.attrs:
        formula = _formula(tree)
        tree.attrs["observation"] = "" if formula is None else formula.observation
    return tree


def with_data_only(tree: xr.DataTree) -> xr.DataTree:
    """Trace in memory without the function of its model."""
    tree = tree.copy()
    tree.attrs = {**tree.attrs, "model_record": _withheld_record(tree)}
    return tree


def _withheld_record(tree: xr.DataTree) -> str:
    """Record of the model of a trace, without its function."""
    return json.dumps(record_without_function(record_in(tree.attrs)["name"], _WITHHELD))


def _formula(tree: xr.DataTree) -> Outcome | None:
    """Formula of a game, if it is one of this package."""
    return formula_named(str(tree.attrs.get("family", "")))


def _in_natural_units(posterior: xr.Dataset) -> xr.Dataset:
    """Posterior with the numbers of Bradley-Terry models in natural units, under their present names."""
    if "strength" in posterior or "rating" not in posterior:
        return posterior
    reported = ("rating_elo", "rating_elo_by_month", "advantage_elo")
    scaled = {name: value / ELO_PER_NATURAL for name, value in posterior.data_vars.items() if name not in reported}
    renamed = {name: str(name).replace("rating", "strength", 1) for name in scaled}
    return posterior.assign(scaled).rename(renamed)


def _declared_row(tree: xr.DataTree) -> Declared | None:
    """Row of the catalogue on the games of a trace; None if the trace is of another model, or of an edited one."""
    name, edition = str(tree.attrs["model"]), next((key for key in EDITIONS if key == tree.attrs.get("edition")), None)
    if split_effects(name)[0] not in CATALOGUE or tree.attrs["edited"] or edition is None:
        return None
    try:
        declared = declare_model(find(name, edition), _selection(tree), edition)
        shapes = {name: shape for name, (_, shape) in declared.layout.kept_slots().items()}
    except ModelError:
        return None
    posterior = tree["posterior"].to_dataset()
    drawn = {str(name): value.transpose("chain", "draw", ...).shape[2:] for name, value in posterior.data_vars.items()}
    fits = all(drawn.get(name) == shape for name, shape in shapes.items())
    return declared if fits and declared.outcome.name == tree.attrs["family"] else None


def _selection(tree: xr.DataTree) -> Selection:
    """Games of a trace as they were selected, with their own weights."""
    constant, games = tree["constant_data"].to_dataset(), games_in(tree)
    players = tree["posterior"]["player"].to_numpy().astype(np.str_)
    white, black = (constant[name].to_numpy().astype(np.int32) for name in ("white", "black"))
    custom = tree.attrs["weighting"] == "given"
    weight = constant["weight"].to_numpy() if custom else np.ones(len(games))
    sides = None
    if "side_player" in constant:
        members, share = constant["side_player"].to_numpy().astype(np.int32), constant["side_share"].to_numpy()
        sides = Sides(players, members, share, str(tree.attrs["side_separator"]))
    error = [constant[name].to_numpy() for name in ("prior_elo", "prior_error_elo") if name in constant]
    return Selection(
        games, players, white, black, constant["anchor_elo"].to_numpy(), weight, "given" if custom else "equal", sides,
        np.stack(error, axis=1) if error else None,
    )  # fmt: skip


def _give_level(tree: xr.DataTree, declared: Declared | None, number: int) -> None:
    """Put the ratings of a trace of schemas 1 to 3 on the scale of expected scores, and on their level."""
    posterior, selection = tree["posterior"].to_dataset(), _selection(tree)
    anchored = bool(((selection.white < 0) | (selection.black < 0)).any())
    fixed = OF_OPPONENTS if anchored else ""
    if declared is not None:
        posterior = posterior.assign(ratings_in_elo(declared, posterior))
        fixed = location_fixed_by(declared)
    elif number == 1 and (formula := _formula(tree)) is not None:
        pivot = selection.anchor_mean_elo() if anchored else posterior["rating_elo"].mean()
        share = scale_of(formula, posterior) / ELO_PER_NATURAL
        posterior = posterior.assign(rating_elo=pivot + (posterior["rating_elo"] - pivot) * share)
    posterior, level = centre_ratings(posterior, selection, fixed)
    tree["posterior"] = xr.DataTree(
        posterior.assign(rating_elo=posterior["rating_elo"].transpose("chain", "draw", ...))
    )
    tree.attrs |= level


def _without_model(tree: xr.DataTree, why: str) -> dict[str, object]:
    """Attributes of a trace whose model has no function: its name, and the properties that its draws show."""
    posterior = tree["posterior"].to_dataset()
    dims = posterior["advantage"].dims if "advantage" in posterior else ()
    pooled, formula = "strength_spread" in posterior, _formula(tree)
    traits = Traits(
        draws=formula is not None and formula.lam in posterior, walks="month" in posterior.dims, pooled=pooled,
        seats="none" if "advantage" not in posterior else "player" if "player" in dims else "common", vague=not pooled,
    )  # fmt: skip
    return {
        "model_record": json.dumps(record_without_function(str(tree.attrs["model"]), why)),
        READS: json.dumps(Reads().as_record), TRAITS: json.dumps(traits.as_record), WALKS: "{}", WORTH: "",
        FROM: str(tree.attrs.get(FROM, "")),
        "anchored": int(ATTRIBUTE not in tree.attrs),
    }  # fmt: skip
