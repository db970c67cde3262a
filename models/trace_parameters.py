"""Any trace as an extended model and its parameters, so that one formula forecasts them all.

The twelve are extended models without their new options: a Bradley-Terry trace is in Elo points and is turned into
natural units, a model without advantage has none, and a known advantage of anchored opponents takes the place of a
population's mean.
"""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from halfpoint.games.find_player import Players
from halfpoint.games.table import Codes, Floats, Texts
from halfpoint.games.units import to_natural
from halfpoint.models.beyond import EXTENDED
from halfpoint.models.board import log_probability, seat
from halfpoint.models.catalogue import MODELS
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended, scores
from halfpoint.models.forecast import draws_of


@dataclass(frozen=True, eq=False)
class TraceParameters:
    """What a forecast needs of a trace.

    Parameters
    ----------
    entry : Extended
        The model as an extended one.
    p : mapping of str to array, shape (draw, ...)
        Parameters in natural units, chains one after the other.
    players : array of str, shape (player,)
        Monitored players.
    first_month : int
        Number of the first month of a walk, else 0.
    """

    entry: Extended
    p: dict[str, Floats]
    players: Texts
    first_month: int = 0

    def index(self, player: str) -> int:
        """Return the place of a player; case and accents need not be the trace's.

        Raises
        ------
        GameTableError
            If the name means nobody or several; the nearest names are told.
        """
        return Players(self.players.tolist()).find(player)


def parameters_of(trace: xr.DataTree, thin: int = 1) -> TraceParameters:
    """Return a trace's model and parameters.

    Parameters
    ----------
    trace : xarray.DataTree
        From `halfpoint.inference.sample.sample`, of any model of either catalogue.
    thin : int
        Keep every so manieth draw of a chain.

    Raises
    ------
    ModelError
        If the trace names no model of a catalogue.
    """
    name = str(trace.attrs.get("model", ""))
    posterior = trace["posterior"].to_dataset()
    players = posterior["player"].to_numpy().astype(np.str_)
    if name in EXTENDED:
        entry = EXTENDED[name]
        first = int(posterior["month"][0]) if "month" in posterior.coords else 0
        return TraceParameters(entry, draws_of(posterior, thin), players, first)
    if name not in MODELS:
        raise ModelError(f"trace: expected a model of the catalogue, found {name!r}")
    study = MODELS[name]
    if study.family == "bradley_terry":
        posterior = posterior.assign(strength=to_natural(1.0) * posterior["rating"])
        if "advantage" in posterior:
            posterior = posterior.assign(advantage=to_natural(1.0) * posterior["advantage"])
    p = draws_of(posterior, thin)
    if study.advantage == "player":
        unit = to_natural(1.0) if study.family == "bradley_terry" else 1.0
        p["advantage_mean"] = np.full(p["strength"].shape[0], unit * float(trace.attrs["anchored_advantage"]))
    advantage = "pooled" if study.advantage == "player" else "common"
    return TraceParameters(Extended(name, study.family, advantage), p, players)  # type: ignore[arg-type]


def pairing(parameters: TraceParameters, white: Codes, black: Codes) -> Floats:
    """Return the probabilities of games between monitored players under each draw, shape (draw, game, outcome).

    Walks are taken at their last month, covariates at zero. A half-point model has no draws: its "draw" is 0 and its
    loss and win are expected scores.

    Parameters
    ----------
    parameters : TraceParameters
        From `parameters_of`.
    white, black : array of int32, shape (game,)
        Indexes of the players.
    """
    entry, p = parameters.entry, parameters.p
    unused = np.zeros(white.size)
    last = np.full(white.size, p["strength"].shape[-1] - 1 if entry.strength == "walk" else 0, dtype=np.int64)
    plain = {name: value for name, value in p.items() if not name.endswith("_effect")}
    rows = seat(white, black, unused, unused, last)
    probability = np.exp(log_probability(scores(entry, plain, rows), entry.normalised))
    if 1 not in entry.normalised:
        probability[..., 1] = 0.0
    return probability
