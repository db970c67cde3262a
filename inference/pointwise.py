r"""The log probability of each game under each draw: NumPy, in chunks of draws, bounded memory.

The formulas are the model files' own `scores`, here on arrays instead of graph nodes; the likelihood is unweighted. For
Bradley-Terry the value is the half-point term y log p + (1 - y) log(1 - p).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.games.table import Codes, Floats
from halfpoint.games.units import to_natural
from halfpoint.inference.per_draw import game_values, totals
from halfpoint.models import bradley_terry, davidson
from halfpoint.models.catalogue import Entry
from halfpoint.models.kernel import runs_of

CHUNK_VALUES = 4_000_000  # (draw, game) pairs at a time: about 100 MB of temporaries


@dataclass(frozen=True, eq=False)
class SeatDraws:
    """What each player brings to the White and the Black seat, per draw, in natural units.

    Parameters
    ----------
    family : {"bradley_terry", "davidson"}
        Which formula.
    white, black : array of float, shape (draw, player + 1)
        Strength with the advantage of that seat; the last slot is for anchored opponents.
    log_draw : array of float, shape (draw, 1), or None
        Davidson's draw parameter.
    """

    family: str
    white: Floats
    black: Floats
    log_draw: Floats | None


def seat_draws(posterior: xr.Dataset, entry: Entry, anchored_advantage: float) -> SeatDraws:
    """Return the seats of every draw of a posterior.

    Parameters
    ----------
    posterior : xarray.Dataset
        Variables `rating` (Elo) or `strength` (natural), `advantage`, `log_draw`; dims chain, draw, player.
    entry : Entry
        The model of the catalogue.
    anchored_advantage : float
        Known advantage of an anchored opponent when there is one per player, in the unit of `advantage`.

    Returns
    -------
    SeatDraws
        Draws of all chains, chain by chain.
    """
    elo = entry.family == "bradley_terry"

    def flat(name: str) -> Floats:
        value = posterior[name].transpose("chain", "draw", ...).to_numpy()
        value = value.reshape(value.shape[0] * value.shape[1], -1).astype(np.float64)
        return to_natural(value) if elo else value

    strength = flat("rating" if elo else "strength")
    draws, players = strength.shape
    known = np.zeros((draws, players + 1))
    known[:, :-1] = strength
    log_draw = None if elo else flat("log_draw")
    if entry.advantage == "none":
        return SeatDraws(entry.family, known, known, log_draw)
    delta = flat("advantage")
    if entry.advantage == "common":
        return SeatDraws(entry.family, known + delta, known, log_draw)
    anchored = to_natural(anchored_advantage) if elo else anchored_advantage
    half = np.concatenate([delta, np.full((draws, 1), anchored)], axis=1)
    return SeatDraws(entry.family, known + half, known - half, log_draw)


def outcome_log_probabilities(family: str, white: Floats, black: Floats, log_draw: Floats | None) -> Floats:
    """Return log probabilities (..., outcome) from the two sides of each game, in natural units.

    Parameters
    ----------
    family : {"bradley_terry", "davidson"}
        Which formula; Bradley-Terry's draw term is the mean of the other two, not a probability.
    white, black : array of float, shape (draw, game)
        The two sides.
    log_draw : array of float, shape (draw, 1), or None
        Davidson's draw parameter.
    """
    if family == "bradley_terry":
        scores, over = bradley_terry.scores(white, black), bradley_terry.NORMALISED
    else:
        scores, over = davidson.scores(white, black, log_draw), davidson.NORMALISED
    total = scores[over[0]]
    for outcome in over[1:]:
        total = np.logaddexp(total, scores[outcome])
    return np.stack([score - total for score in scores], axis=-1)


def chunks(seats: SeatDraws, white: Codes, black: Codes, anchor_elo: Floats) -> Iterator[tuple[slice, Floats]]:
    """Yield (draws, log probabilities of shape (draw, game, outcome)) in chunks of draws.

    Parameters
    ----------
    seats : SeatDraws
        From `seat_draws`.
    white, black : array of int32, shape (game,)
        Index of the monitored player, -1 where anchored.
    anchor_elo : array of float, shape (game,)
        Anchors in Elo points, NaN where both are monitored.
    """
    anchor = to_natural(np.nan_to_num(anchor_elo))
    known_white, known_black = np.where(white < 0, anchor, 0.0), np.where(black < 0, anchor, 0.0)
    step = max(1, CHUNK_VALUES // max(1, white.size))
    for start in range(0, seats.white.shape[0], step):
        rows = slice(start, start + step)
        log_draw = None if seats.log_draw is None else seats.log_draw[rows]
        yield (
            rows,
            outcome_log_probabilities(
                seats.family,
                seats.white[rows][:, white] + known_white,
                seats.black[rows][:, black] + known_black,
                log_draw,
            ),
        )


def offsets(white: Codes, black: Codes, anchor_elo: Floats) -> Floats:
    """Return the anchor of White minus the anchor of Black in natural units, 0 where both are monitored."""
    anchor = to_natural(np.nan_to_num(anchor_elo))
    return np.where(white < 0, anchor, 0.0) - np.where(black < 0, anchor, 0.0)


def draw_parameter(seats: SeatDraws) -> Floats:
    """Return lam of each draw, minus infinity for Bradley-Terry, shape (draw,)."""
    return (
        np.full(seats.white.shape[0], -np.inf)
        if seats.log_draw is None
        else np.ascontiguousarray(seats.log_draw.ravel())
    )


def total_log_likelihood(seats: SeatDraws, white: Codes, black: Codes, anchor_elo: Floats, weight: Floats) -> Floats:
    """Return the weighted log likelihood of all games for each draw, shape (draw,).

    Parameters
    ----------
    weight : array of float, shape (cell, outcome)
        Summed weights, as in `Cells`; the other arguments as in `chunks` with cells for games.
    """
    log_draw, offset = draw_parameter(seats), offsets(white, black, anchor_elo)
    surplus, total = weight[:, 2] - weight[:, 0], weight.sum(axis=1)
    value = totals(seats.white, seats.black, log_draw, black, offset, surplus, total, runs_of(white, black))
    return value if seats.log_draw is None else value + log_draw * weight[:, 1].sum()


def log_likelihood(
    seats: SeatDraws, white: Codes, black: Codes, anchor_elo: Floats, outcome: Codes
) -> npt.NDArray[np.float32]:
    """Return the unweighted log likelihood of each game, shape (draw, game), in single precision."""
    surplus = outcome.astype(np.float64) - 1.0
    offset = offsets(white, black, anchor_elo)
    return game_values(seats.white, seats.black, draw_parameter(seats), white, black, offset, surplus)
