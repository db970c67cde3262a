r"""Uncertainty of a performance: ratings supported by one event alone, under a fitted model.

    p(R | event)  proportional to  mean over draws of  prod_games P(y | R, opponent, first move, draws)

The player's own strength is removed from the posterior and gets a flat prior within 1,000 Elo of the opponents' mean;
opponents, first-move advantage and draw parameter keep their posterior. In a half-point model a draw is half a win and
half a loss. After a perfect score the prior alone determines the upper end.

A variable `strength` that sides add unchanged gets the values R, so that draws that depend on it follow. A model with
other names or sums gets them on the player's side of each game.
"""

from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.declaration.pair_ratings import strength_of_sides
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural

_WIDTH_ELO = 1000.0
_POINTS = 401
_MOST_DRAWS = 200
_NEAR_ELO = 0.01  # of a rating that is linear in strengths, draws in single precision


@dataclass(frozen=True, eq=False)
class EventModel:
    """A fitted model with its scale in Elo points: rating = start + slope x strength, in each draw."""

    reading: Reading  #: the model and its draws
    start: Floats  #: (draw,), scale of the ratings
    slope: Floats
    strength: Floats  #: (draw, player), natural units, at the end of the games


def event_model(trace: xr.DataTree, rating_elo: xr.DataArray) -> EventModel:
    """Model of a trace in the form that judges events."""
    total = rating_elo.sizes["chain"] * rating_elo.sizes["draw"]
    thin = max(1, total // _MOST_DRAWS)
    reading = reading_of(trace, thin)
    if reading.outcome is LIKELIHOOD:
        found = f"{reading.name}, whose likelihood is PyMC's own"
        raise EvaluationError("trace", "a formula of results, in which a player has a side of each game", found)
    rating = rating_elo.transpose("chain", "draw", "player").to_numpy()[:, ::thin]
    rating = rating.reshape(-1, rating.shape[-1])
    strength = reading.last_strength
    start, slope = _line(strength, rating)
    if not np.allclose(start[:, None] + slope[:, None] * strength, rating, rtol=0.0, atol=_NEAR_ELO):
        strength = strength_of_sides(reading)
        start, slope = _line(strength, rating)
    return EventModel(reading, start, slope, strength)


def _line(strength: Floats, rating: Floats) -> tuple[Floats, Floats]:
    """Start and slope, (draw,), of ratings over strengths, both (draw, player), by the weakest and the strongest."""
    rows = np.arange(strength.shape[0])
    low, high = strength.argmin(axis=1), strength.argmax(axis=1)
    slope = (rating[rows, high] - rating[rows, low]) / (strength[rows, high] - strength[rows, low])
    return rating[:, 0] - slope * strength[:, 0], slope


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
    last = model.strength
    printed, faced = [], np.empty(len(games))
    for side, column in ((white, games.white_rating_elo), (black, games.black_rating_elo)):
        rating = np.full(len(games), np.nan) if column is None else column
        if np.isnan(rating[side < 0]).any():
            raise EvaluationError(games.source, "a rating of every opponent missing from the model", "none")
        elo = (model.start[:, None] + model.slope[:, None] * last[:, side]).mean(axis=0)
        faced = np.where(side == code, faced, np.where(side < 0, rating, elo))
        printed.append(to_natural(np.where(side < 0, rating, 0.0)))
    rows = reading.rows(games, white, black, (printed[0], printed[1]))
    strength = reading.p["strength"]
    if reading.traits.walks:
        rows = replace(rows, period=np.full(len(games), reading.periods - 1, dtype=np.int64))
    grid = faced.mean() + np.linspace(-_WIDTH_ELO, _WIDTH_ELO, _POINTS)
    log_likelihood = np.empty((_POINTS, last.shape[0]))
    p, rows = reading.extend_for(rows)
    row_sides, game = reading._read(rows, p), np.arange(len(games))  # once for all of the grid
    sides, own, moved = row_sides.under(p), np.where(white == code, 1.0, -1.0), strength.copy()
    moved[:, code] += 1.0
    by_one = row_sides.under(p | {"strength": moved})
    is_added = np.allclose(by_one.white - by_one.black - (sides.white - sides.black), own)
    for number, point in enumerate(grid):
        value = (point - model.start) / model.slope
        if is_added:
            moved[:, code] = value.reshape(-1, *[1] * (strength.ndim - 2))
            shifted = row_sides.under(p | {"strength": moved})
        else:
            gain = (value - last[:, code])[:, None]
            shifted = replace(
                sides, white=sides.white + gain * (white == code), black=sides.black + gain * (black == code)
            )
        log = shifted.log_probability()[:, game, games.outcome]
        log_likelihood[number] = np.maximum(log, np.log(1e-300)).sum(axis=1)
    density = np.exp(log_likelihood - log_likelihood.max()).mean(axis=1)
    parts = np.diff(grid) * (density[1:] + density[:-1]) / 2.0
    below = np.concatenate([[0.0], np.cumsum(parts)]) / parts.sum()
    low, high = np.interp([0.025, 0.975], below, grid)
    weight = density / density.sum()
    return {"model_elo": float(weight @ grid), "low_elo": float(low), "high_elo": float(high)}
