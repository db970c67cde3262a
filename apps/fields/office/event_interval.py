r"""Uncertainty of a performance: ratings supported by one event alone, under a fitted model.

    p(R | event)  proportional to  mean over draws of  prod_games P(y | R, opponent, first move, draws)

The player's own strength is removed from the posterior and gets a flat prior within 1,000 Elo of the opponents' mean;
opponents, first-move advantage and draw parameter keep their posterior. In a half-point model a draw is half a win and
half a loss. After a perfect score the prior alone determines the upper end.
"""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural

_WIDTH_ELO = 1000.0
_POINTS = 401
_MOST_DRAWS = 200


@dataclass(frozen=True, eq=False)
class EventModel:
    """A fitted model with its scale in Elo points: rating = start + slope x strength, in each draw."""

    reading: Reading  #: the model and its draws
    start: Floats  #: (draw,), scale of the ratings
    slope: Floats


def event_model(trace: xr.DataTree, rating_elo: xr.DataArray) -> EventModel:
    """Model of a trace in the form that judges events."""
    total = rating_elo.sizes["chain"] * rating_elo.sizes["draw"]
    thin = max(1, total // _MOST_DRAWS)
    reading = reading_of(trace, thin)
    strength = reading.p["strength"]
    strength = strength[..., -1] if strength.ndim > 2 else strength
    rating = rating_elo.transpose("chain", "draw", "player").to_numpy()[:, ::thin].reshape(strength.shape)
    rows = np.arange(strength.shape[0])
    low, high = strength.argmin(axis=1), strength.argmax(axis=1)
    slope = (rating[rows, high] - rating[rows, low]) / (strength[rows, high] - strength[rows, low])
    return EventModel(reading, rating[:, 0] - slope * strength[:, 0], slope)


def event_rating(model: EventModel, games: GameTable, player: str) -> dict[str, float]:
    """Rating supported by one player's games of an event: model_elo, and the ends low_elo and high_elo."""
    reading = model.reading
    players = Players(reading.players.tolist())
    code = players.find(player)
    white, black = (
        np.array([-1 if (place := players.place(name)) is None else place for name in names], dtype=np.int32)
        for names in (games.white_names, games.black_names)
    )
    if not ((white == code) | (black == code)).all():
        raise EvaluationError(games.source, f"games of {player!r} only", "games of other players")
    strength = reading.p["strength"]
    last = strength[..., -1] if strength.ndim > 2 else strength
    printed, faced = [], np.empty(len(games))
    for side, column in ((white, games.white_rating_elo), (black, games.black_rating_elo)):
        rating = np.full(len(games), np.nan) if column is None else column
        if np.isnan(rating[side < 0]).any():
            raise EvaluationError(games.source, "a rating of every opponent missing from the model", "none")
        elo = (model.start[:, None] + model.slope[:, None] * last[:, side]).mean(axis=0)
        faced = np.where(side == code, faced, np.where(side < 0, rating, elo))
        printed.append(to_natural(np.where(side < 0, rating, 0.0)))
    rows = reading.rows(games, white, black, (printed[0], printed[1]))
    if reading.traits.walks:
        rows = replace(rows, period=np.full(len(games), strength.shape[-1] - 1, dtype=np.int64))
    grid = faced.mean() + np.linspace(-_WIDTH_ELO, _WIDTH_ELO, _POINTS)
    log_likelihood = np.empty((_POINTS, last.shape[0]))
    moved, (p, rows) = strength.copy(), reading.extend_for(rows)
    sides, game = reading._read(rows, p), np.arange(len(games))  # once for all of the grid
    for number, point in enumerate(grid):
        moved[:, code] = ((point - model.start) / model.slope).reshape(-1, *[1] * (strength.ndim - 2))
        log = sides.under(p | {"strength": moved}).log_probability()[:, game, games.outcome]
        log_likelihood[number] = np.maximum(log, np.log(1e-300)).sum(axis=1)
    density = np.exp(log_likelihood - log_likelihood.max()).mean(axis=1)
    parts = np.diff(grid) * (density[1:] + density[:-1]) / 2.0
    below = np.concatenate([[0.0], np.cumsum(parts)]) / parts.sum()
    low, high = np.interp([0.025, 0.975], below, grid)
    weight = density / density.sum()
    return {"model_elo": float(weight @ grid), "low_elo": float(low), "high_elo": float(high)}
