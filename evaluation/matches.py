r"""Posterior forecasts of one game and of a match with given colours. Tournaments: tournaments.py.

A match of n games between i and j has the score s = sum of n half points. Under one draw its games are independent, so
P(s) is the convolution of their three probabilities, here by the discrete Fourier transform, to 1e-15; the forecast is
the mean over draws. Over draws games are not independent: a player who is stronger than estimated is stronger in all
games.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.evaluation.tournament_options import GAMES
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.find_player import Players

TOURNAMENTS = 20_000
_CHUNK_VALUES = 10_000_000  # numbers worked on at a time
Transformed = npt.NDArray[np.complex128]


def check_draws_exist(reading: Reading, trace: xr.DataTree) -> None:
    """Raise `EvaluationError` if a half-point model, without draw probability, is scored on drawn games.

    Without drawn games, as in tennis, a half-point model describes all outcomes.
    """
    if reading.outcome.draws:
        return
    if "observed_data" not in trace.children or bool((trace["observed_data"]["score"] == 0.5).any()):
        raise EvaluationError(
            f"model {reading.name}", "a model with three outcomes", "half points", "Use a Davidson model."
        )


def _read_today(trace: xr.DataTree, ratings_elo: Mapping[str, float] | None) -> Reading:
    """Model of a trace, with given ratings of players on the day, if any."""
    reading = reading_of(trace)
    return reading.rated_today(ratings_elo) if ratings_elo else reading


def game(trace: xr.DataTree, white: str, black: str, ratings_elo: Mapping[str, float] | None = None) -> Floats:
    """The probabilities of loss, draw and win for White, shape (outcome,).

    Names and ratings as in `match`; a half-point model gives a draw 0 and the expected scores as loss and win.
    """
    reading = _read_today(trace, ratings_elo)
    return np.asarray(meeting(reading, white, black)[:, 0].mean(axis=0))


def meeting(reading: Reading, white: str, black: str) -> Floats:
    """Probabilities of one game, shape (draw, 1, outcome), between players or sides of several people."""
    register = Players(reading.players.tolist())
    single = [register.place(name) for name in (white, black)]
    if all(place is not None for place in single):
        return reading.pairing(*(np.array([place], dtype=np.int32) for place in single))
    return reading.pairing(*(reading.side(name)[1] for name in (white, black)))


def expected_score(trace: xr.DataTree, white: str, black: str) -> float:
    """White's expected score in one game, for a trace of any model."""
    loss, draw, win = game(trace, white, black)
    return float((win + draw / 2) / (loss + draw + win))


def expected_score_of_match(
    trace: xr.DataTree, first: str, second: str, colours: str, ratings_elo: Mapping[str, float] | None = None
) -> dict[str, float]:
    """First player's expected score in a match: posterior mean and ends of the 95% interval, equal tails."""
    reading = _read_today(trace, ratings_elo)
    seats = ((first, second, colours.count("W")), (second, first, colours.count("B")))
    score = np.zeros(1)
    for place, (white, black, games) in enumerate(seats):
        loss, draw, win = np.moveaxis(meeting(reading, white, black)[:, 0], -1, 0)
        score = score + games * ((loss if place else win) + draw / 2) / (loss + draw + win)
    low, high = np.quantile(score, [0.025, 0.975])
    return {"mean": float(score.mean()), "low": float(low), "high": float(high)}


def match(
    trace: xr.DataTree, first: str, second: str, colours: str, ratings_elo: Mapping[str, float] | None = None
) -> pd.Series:
    """The distribution of the first player's score in a match.

    Parameters
    ----------
    trace : xarray.DataTree
        A trace of a model with three outcomes.
    first, second : str
        Names of monitored players; names joined by a plus for sides of several players.
    colours : str
        The first player's colour in each game, "W" or "B", for example "WBWBWBWBWBWB".
    ratings_elo : mapping of str to float, optional
        Ratings of the day, for models of the printed list; by default the last known ratings.

    Returns
    -------
    pandas.Series
        Probability of each score 0, 1/2, ..., n.

    Raises
    ------
    EvaluationError
        If a colour is neither W nor B, there is no game or more than 1,000, or games were drawn and the model has no
        draws.
    """
    if not colours or set(colours) - {"W", "B"}:
        raise EvaluationError("colours", "a word of W and B, one letter a game", repr(colours))
    GAMES.require("number of games", len(colours), EvaluationError)
    reading = _read_today(trace, ratings_elo)
    check_draws_exist(reading, trace)
    as_white = meeting(reading, first, second)[:, 0]
    as_black = meeting(reading, second, first)[:, 0, ::-1]
    mean = np.zeros(len(colours) + 1, dtype=np.complex128)
    step = max(1, _CHUNK_VALUES // mean.size)
    for first_draw in range(0, as_white.shape[0], step):
        rows = slice(first_draw, first_draw + step)
        white, black = (fourier_transform(side[rows], len(colours)) for side in (as_white, as_black))
        power = white ** colours.count("W") * black ** colours.count("B")
        mean += power.sum(axis=0) / as_white.shape[0]
    probability = scores_of(mean)
    return pd.Series(probability, index=pd.Index(np.arange(probability.size) / 2, name="score"), name="probability")


def fourier_transform(chances: Floats, games: int) -> Transformed:
    """The Fourier transform of one game's half points, in a match of some games; chances (..., outcome).

    The transform of a match's score is the product of its games' transforms. Frequencies from 0; other frequencies are
    conjugates.
    """
    frequency = np.arange(games + 1) / (2 * games + 1)
    return np.asarray(chances @ np.exp(-2j * np.pi * np.arange(3)[:, None] * frequency))


def scores_of(transform: Transformed) -> Floats:
    """The chance of each score 0, 1/2, ..., n of a match, shape (..., score), from its Fourier transform."""
    return np.maximum(np.fft.irfft(transform, 2 * transform.shape[-1] - 1), 0.0)
