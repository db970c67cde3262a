"""A trace as a model and its parameters, so that the model's own formula says what any game looks like under each draw.

Draws of all chains stand one after the other. A walk goes on beyond its last period with fresh innovations, so that a
forecast h periods ahead carries the uncertainty of h periods.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.find_player import Players
from halfpoint.games.table import Codes, Floats, GameTable, Texts
from halfpoint.models.errors import ModelError
from halfpoint.models.model import Model
from halfpoint.models.periods import Clock
from halfpoint.models.record import model_of
from halfpoint.models.rows import Rows, meetings
from halfpoint.models.strength import carry_on

CHUNK_VALUES = 200_000  # (draw, row) pairs at a time: temporaries stay in the processor's cache
REPORTED = ("rating_elo", "rating_elo_by_month", "advantage_elo", "draw_rate")  # no formula reads them


def draws_of(posterior: xr.Dataset, thin: int = 1) -> dict[str, Floats]:
    """Return the parameters of a posterior, each of shape (draw, ...), chains one after the other.

    Parameters
    ----------
    posterior : xarray.Dataset
        Dims chain, draw and the parameters' own.
    thin : int
        Keep every n-th draw of a chain.
    """
    found: dict[str, Floats] = {}
    for key, variable in posterior.data_vars.items():
        if str(key) not in REPORTED and {"chain", "draw"} <= set(variable.dims) and variable.dtype.kind == "f":
            value = variable.transpose("chain", "draw", ...).to_numpy()[:, ::thin]
            found[str(key)] = value.reshape(-1, *value.shape[2:]).astype(np.float64, copy=False)
    return found


def chunks(model: Model, p: dict[str, Floats], rows: Rows, seed: int = 0) -> Iterator[tuple[slice, Floats]]:
    """Yield (draws, log probabilities (draw, row, outcome)); a half-point draw is the mean of the other two.

    Parameters
    ----------
    model : Model
        The model.
    p : mapping of str to array, shape (draw, ...)
        Its parameters, natural units.
    rows : Rows
        The games.
    seed : int
        Seed of the innovations after a walk's last period.

    Raises
    ------
    ModelError
        If a game is older than the first period of a walk.
    """
    p = reach(model, p, rows, seed)
    count = p["strength"].shape[0]
    step = max(1, CHUNK_VALUES // max(1, len(rows)))
    for start in range(0, count, step):
        part = slice(start, start + step)
        yield part, model.outcome.log_probability(*model.sides({n: v[part] for n, v in p.items()}, rows))


def reach(model: Model, p: dict[str, Floats], rows: Rows, seed: int = 0) -> dict[str, Floats]:
    """Return the parameters with walks carried on to the last period of the rows.

    Raises
    ------
    ModelError
        If a game is older than the first period of the model.
    """
    if not model.walks or not len(rows):
        return p
    if rows.period.min() < 0:
        raise ModelError("forecast: expected games no older than the first month of the model, found older ones")
    missing = int(rows.period.max()) + 1 - p["strength"].shape[-1]
    return p if missing <= 0 else {**p, "strength": carry_on(p["strength"], p["innovation_spread"], missing, seed)}


def outcome_log_likelihood(model: Model, p: dict[str, Floats], rows: Rows, outcome: Codes) -> Floats:
    """Return the unweighted log likelihood of each game under each draw, shape (draw, game)."""
    index = np.arange(len(rows)), outcome.astype(np.intp)
    return np.concatenate([value[:, index[0], index[1]] for _, value in chunks(model, p, rows)])


def weighted_log_likelihood(model: Model, p: dict[str, Floats], rows: Rows, weight: Floats) -> Floats:
    """Return the log likelihood of all rows with weights (row, outcome) under each draw, shape (draw,)."""
    return np.concatenate([np.tensordot(value, weight, axes=([1, 2], [0, 1])) for _, value in chunks(model, p, rows)])


@dataclass(frozen=True, eq=False)
class Reading:
    """A fitted model: what forecasts, matches and tournaments need of a trace.

    Parameters
    ----------
    model : Model
        The model.
    p : mapping of str to array, shape (draw, ...)
        Parameters in natural units, chains one after the other.
    players : array of str, shape (player,)
        Players with parameters.
    first_period : int
        Number of the first period of a walk, else 0.
    levels : mapping of str to array of str
        Levels of grouped effects.
    clock : {"period", "date"}, optional
        What the periods of a walk were; None where nobody knows.
    """

    model: Model
    p: dict[str, Floats]
    players: Texts
    first_period: int = 0
    levels: Any = None
    clock: Clock | None = None

    def index(self, player: str) -> int:
        """Return the place of a player, whose name may differ in case and accents.

        Raises
        ------
        GameTableError
            If the model has no such player; the nearest names are told.
        """
        return Players(self.players.tolist()).find(player)

    def thinned(self, draws: Any) -> "Reading":
        """Return the same with some of the draws."""
        return replace(self, p={name: value[draws] for name, value in self.p.items()})

    def rows(self, games: GameTable, white: Codes, black: Codes, ratings: tuple[Floats, Floats]) -> Rows:
        """Return new games as the model reads them.

        Parameters
        ----------
        games : GameTable
            The games, with periods where strengths walk and columns where the model has effects.
        white, black : array of int32, shape (game,)
            Indexes of the players, -1 where the model does not know them.
        ratings : two arrays of float, shape (game,)
            Ratings in natural units of those whom it does not know.
        """
        return self.model.rows(games, white, black, ratings, self.first_period, self.levels or {}, self.clock)

    def probabilities(self, rows: Rows, seed: int = 0) -> Floats:
        """Return the probabilities of each outcome, shape (outcome, draw, row); half points have draws of 0."""
        result = np.empty((3, self.p["strength"].shape[0], len(rows)))
        for part, value in chunks(self.model, self.p, rows, seed):
            np.exp(np.moveaxis(value, -1, 0), out=result[:, part])
        if not self.model.outcome.draws:
            result[1] = 0.0
        return result

    def pairing(self, white: Codes, black: Codes) -> Floats:
        """Return the probabilities of games between known players, shape (draw, row, outcome).

        Walks are taken at their last period, effects of columns at zero.
        """
        nothing = np.zeros(white.size)
        last = np.full(white.size, self.p["strength"].shape[-1] - 1 if self.model.walks else 0, dtype=np.int64)
        rows = replace(meetings(white, black, nothing, nothing), period=last)
        return np.moveaxis(self.probabilities(rows), 0, -1)


def model_in(attributes: Mapping[Any, Any]) -> Model:
    """Return the model that the attributes of a trace describe.

    Raises
    ------
    ModelError
        If they describe none, or one whose formula of a game is somebody's own and was not given.
    """
    text = attributes.get("model_record")
    try:
        record = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise ModelError(f"trace: expected the record of its model, found {str(text)[:40]!r}")
    return model_of(record)


def reading_of(trace: xr.DataTree, thin: int = 1) -> Reading:
    """Return the model of a trace and its parameters.

    Parameters
    ----------
    trace : xarray.DataTree
        From `halfpoint.inference.sample.sample`.
    thin : int
        Keep every n-th draw of a chain.

    Raises
    ------
    ModelError
        If the trace describes no model, or one whose formula is somebody's own and was not given.
    """
    posterior, model = trace["posterior"].to_dataset(), model_in(trace.attrs)
    first = int(posterior["month"][0]) if "month" in posterior.coords else 0
    levels = {str(key): value.to_numpy() for key, value in posterior.coords.items() if value.dtype.kind in "OUT"}
    clock: Clock | None = None
    if "constant_data" in trace.children:
        times = trace["constant_data"]
        clock = "period" if "period" in times else "date" if "date" in times else None
    players = posterior["player"].to_numpy().astype(np.str_)
    return Reading(model, draws_of(posterior, thin), players, first, levels, clock)
