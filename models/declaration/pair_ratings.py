"""Ratings of players from sides of games, for models without a variable for them: pairs of players under the draws.

rating      r by least squares of the log odds of expected scores on r_i - r_j, both seats alike, over pairs of players;
            also where a side depends on both players, such as by a product
strength    the mean of both seats, less half of a common gain in the first seat, natural units
"""

from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.models.declaration.posterior_reader import Reading, parts
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.games.units import ELO_PER_NATURAL

_NEAR = 1e-6  # share of a side: traces have numbers of four bytes
_NOTHING = 1e-9  # natural units: a difference of sides that is one of rounding
_MOST_MET, _FEWEST_MET = 40, 4  # opponents of each player whose expected scores make a rating
_MOST_BYTES = 1e10  # of the values in between, of all pairs and draws, for more than the fewest opponents
_LEAST = 1e-12  # of an expected score
_TRIED, _DRAWS = 12, 2  # players and draws for which the sides of pairs are compared with those of the players


def sides_under_draws(reading: Reading, codes: Codes) -> tuple[Floats, Floats]:
    """Values of players on White's and on Black's side at the end, (draw, player)."""
    if reading.worth is not None:
        p = reading.p
        first, second, _ = reading.worth.under(p, codes, codes)
        shape = len(next(iter(p.values()))), len(codes)
        return np.broadcast_to(first, shape), np.broadcast_to(second, shape)
    rows = reading.today(codes, codes)
    batches: list[tuple[Floats, Floats]] = []
    row_sides = reading._read(rows, reading.p)
    for _, batch in parts(reading.p, len(rows)):
        sides, count = row_sides.under(batch), len(next(iter(batch.values())))
        batches.append(
            (np.broadcast_to(sides.white, (count, len(rows))), np.broadcast_to(sides.black, (count, len(rows))))
        )
    white, black = (np.concatenate(values) for values in zip(*batches, strict=True))
    return white, black


def lam_of_equals(reading: Reading) -> Floats:
    """Draw parameter of two equals, the mean over the players, (draw,)."""
    codes = np.arange(reading.players.size, dtype=np.int32)
    sides, means = reading._read(reading.today(codes, codes), reading.p), []
    for _, draws in parts(reading.p, codes.size):
        lam, count = sides.under(draws).lam, len(next(iter(draws.values())))
        assert lam is not None
        means.append(np.broadcast_to(lam, (count, codes.size)).mean(axis=1))
    return np.concatenate(means)


def has_sides_of_players(reading: Reading) -> bool:
    """True if the difference of the sides of a game is a value of its first player less one of its second."""
    if reading.worth is not None or reading.by_list or reading.outcome is LIKELIHOOD or reading.players.size < 2:
        return True
    codes = np.arange(min(_TRIED, reading.players.size), dtype=np.int32)
    few = replace(reading, p={name: value[:_DRAWS] for name, value in reading.p.items()})
    white, black = sides_under_draws(few, codes)
    sides = few._read(few.today(codes, np.roll(codes, 1)), few.p).under(few.p)
    gap, by_player = sides.white - sides.black, white - np.roll(black, 1, axis=1)
    return bool(np.allclose(gap, by_player, rtol=_NEAR, atol=_NEAR * np.abs(white).max()))


def paired_ratings(reading: Reading, posterior: xr.Dataset) -> xr.Dataset:
    """Ratings, Elo points, strengths and advantage of the first seat of any model, by expected scores of pairs."""
    players, draws = reading.players.size, len(next(iter(reading.p.values())))
    ahead, most = np.arange(1, players, dtype=np.int32), _opponents(reading, draws)
    if ahead.size > most:  # near and far ones, which join all players by few steps
        ahead = np.unique(np.rint(np.geomspace(1, players / 2, most)).astype(np.int32))
    first = np.repeat(np.arange(players, dtype=np.int32), ahead.size)
    second = ((first + np.tile(ahead, players)) % players).astype(np.int32)
    chance = reading.probabilities(reading.today(np.append(first, second), np.append(second, first)))
    score = np.clip(chance[2] + chance[1] / 2, _LEAST, 1 - _LEAST).reshape(draws, 2, players, -1)
    logit = ELO_PER_NATURAL * np.log(score / (1 - score)) / 2
    rating = _least_squares(logit[:, 0] - logit[:, 1], ahead)
    lead = (logit[:, 0] + logit[:, 1]).mean(axis=(1, 2))
    shape = posterior.sizes["chain"], posterior.sizes["draw"]
    values = {"rating_elo": rating, "strength": rating / ELO_PER_NATURAL}
    ratings: dict[str, tuple[tuple[str, ...], Floats]] = {
        name: (("chain", "draw", "player"), value.reshape(*shape, players)) for name, value in values.items()
    }
    if np.abs(lead).max(initial=0.0) > _NOTHING:
        ratings["advantage_elo"] = (("chain", "draw"), lead.reshape(shape))
    new = {name: value for name, value in ratings.items() if name == "rating_elo" or name not in posterior}
    return xr.Dataset(new).assign_coords(player=reading.players.astype(object))


def _least_squares(gap: Floats, ahead: Codes) -> Floats:
    """Ratings of mean 0, (draw, player), from gaps (draw, player, pair) to players some places ahead.

    The normal equations are those of a ring, which Fourier coefficients solve.
    """
    players, total = gap.shape[1], gap.sum(axis=-1)
    for k, places in enumerate(ahead):
        total = total - np.roll(gap[..., k], places, axis=-1)
    angles = 2 * np.pi / players * np.outer(np.arange(players // 2 + 1), ahead)
    curvature = (2 - 2 * np.cos(angles)).sum(axis=1)
    curvature[0] = np.inf
    return np.asarray(np.fft.irfft(np.fft.rfft(total) / curvature, players))


def _opponents(reading: Reading, draws: int) -> int:
    """Opponents that each player meets for a rating: fewer where the chances of a game are long sums."""
    if reading.players.size < 2:
        return 1
    seats = np.arange(2, dtype=np.int32)
    row_sides = reading._read(reading.today(seats, seats[::-1]), reading.p)
    row_sides.under({name: value[:2] for name, value in reading.p.items()})
    opponents = _MOST_BYTES / (row_sides.bytes_of_a_draw * draws * reading.players.size)  # a pair is two games
    return int(np.clip(2.0 ** np.floor(np.log2(opponents)), _FEWEST_MET, _MOST_MET))


def strength_of_sides(reading: Reading) -> Floats:
    """Strength of every player by the sides of games, natural units, (draw, player)."""
    if reading.outcome is LIKELIHOOD or not has_sides_of_players(reading):
        draws = len(next(iter(reading.p.values())))
        nothing = xr.Dataset(coords={"chain": [0], "draw": np.arange(draws)})
        return np.asarray(paired_ratings(reading, nothing)["strength"].to_numpy()[0], dtype=np.float64)
    white, black = sides_under_draws(reading, np.arange(reading.players.size, dtype=np.int32))
    lead = white - black
    common = lead.min(axis=1, keepdims=True) if np.ptp(lead, axis=1).max(initial=0.0) < _NOTHING else 0.0
    return np.asarray((white + black - common) / 2.0)
