r"""Forecasts of new games from a posterior: the probabilities of each game under every draw.

Seats as in the models, in natural units: White brings w = g_i + a_i, Black v = g_j - b_j, and the model's own formula
gives loss, draw and win from them. Bradley-Terry has an expected score E = P(White) and no draw probability; Davidson
has E = P(win) + P(draw) / 2.

A player the model does not know is anchored to his rating: see `halfpoint.inference.imputation`.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.games.select import ANCHORED
from halfpoint.games.table import Codes, Floats, GameTable
from halfpoint.inference.imputation import Rule, check_rule, half_advantages, places, ratings_of
from halfpoint.inference.pointwise import SeatDraws, seat_draws
from halfpoint.inference.pointwise_extended import extended_probabilities
from halfpoint.inference.traces import read
from halfpoint.models import bradley_terry, davidson
from halfpoint.models.beyond import Clock
from halfpoint.models.catalogue import find
from halfpoint.models.extended import Extended

CHUNK_VALUES = 100_000  # (draw, game) pairs at a time: temporaries stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Forecast:
    """Forecasts of some games under every draw.

    Parameters
    ----------
    games : GameTable
        The games.
    probability : array of float, shape (outcome, chain, draw, game)
        Probabilities of loss, draw and win for White. Bradley-Terry has half-points lost and won, and 0 for a draw.
    draws_are_outcomes : bool
        Whether a draw has a probability (Davidson) or counts as two half-points (Bradley-Terry).
    known_white, known_black : array of bool, shape (game,)
        Whether the model has an estimate for the player.
    """

    games: GameTable
    probability: Floats
    draws_are_outcomes: bool
    known_white: npt.NDArray[np.bool_]
    known_black: npt.NDArray[np.bool_]

    @property
    def both_known(self) -> npt.NDArray[np.bool_]:
        """Whether both players of a game have estimates, shape (game,)."""
        return self.known_white & self.known_black

    @property
    def expected(self) -> Floats:
        """White's expected score under each draw, shape (chain, draw, game)."""
        return np.asarray(self.probability[2] + self.probability[1] / 2)

    @property
    def mean_expected(self) -> Floats:
        """Posterior mean of White's expected score, shape (game,)."""
        _, draw, win = self.probability.mean(axis=(1, 2))
        return np.asarray(win + draw / 2)

    @property
    def mean_probability(self) -> Floats | None:
        """Posterior mean probabilities of loss, draw and win, shape (game, outcome); None without draws."""
        return np.asarray(self.probability.mean(axis=(1, 2)).T) if self.draws_are_outcomes else None

    @property
    def log_predictive(self) -> Floats:
        """Log likelihood of what happened under each draw, shape (chain, draw, game).

        A draw in Bradley-Terry is half a loss and half a win: the mean of their logarithms.
        """
        result = np.empty(self.probability.shape[1:])
        outcome = self.games.outcome
        for k in range(3):
            rows = np.flatnonzero(outcome == k)
            if k == 1 and not self.draws_are_outcomes:
                result[..., rows] = np.log(self.probability[0][..., rows] * self.probability[2][..., rows]) / 2
            else:
                result[..., rows] = np.log(self.probability[k][..., rows])
        return result

    def table(self, level: float = 0.95) -> pd.DataFrame:
        """Return one row a game: players, posterior means and equal-tailed intervals.

        Parameters
        ----------
        level : float
            Posterior mass of the intervals.

        Returns
        -------
        DataFrame
            white, black, white_known, black_known, expected, expected_low, expected_high and, for models with draws,
            loss, draw and win, each with _low and _high.
        """
        games, tails = self.games, ((1 - level) / 2, (1 + level) / 2)
        columns: dict[str, npt.NDArray[np.generic]] = {
            "white": games.white_names,
            "black": games.black_names,
            "white_known": self.known_white,
            "black_known": self.known_black,
        }
        values = {"expected": self.expected}
        if self.draws_are_outcomes:
            values |= dict(zip(("loss", "draw", "win"), self.probability, strict=True))
        for name, value in values.items():
            columns[name] = value.mean(axis=(0, 1))
            columns[f"{name}_low"], columns[f"{name}_high"] = np.quantile(value, tails, axis=(0, 1))
        return pd.DataFrame(columns)


def forecast(
    trace: xr.DataTree | str | Path,
    games: GameTable,
    rule: Rule | None = None,
    white_rating_elo: Floats | None = None,
    black_rating_elo: Floats | None = None,
    thin: int = 1,
) -> Forecast:
    """Forecast games with a trace.

    Parameters
    ----------
    trace : xarray.DataTree, str or Path
        A trace, or the NetCDF file of one.
    games : GameTable
        New games; their scores are not looked at.
    rule : Rule, optional
        What stands in for what the model does not know; the model's own by default.
    white_rating_elo, black_rating_elo : array of float, shape (game,), optional
        Ratings in Elo points for players the model does not know; by default those of the day in `games`.
    thin : int
        Keep every so manieth draw of a chain.

    Returns
    -------
    Forecast

    Raises
    ------
    InferenceError
        If a player has neither an estimate nor a rating (the message names them), the imputation is unknown or the
        model cannot obey it.
    ModelError
        If strengths walk and the games lack what the walk is counted by, periods or dates.
    """
    tree = trace if isinstance(trace, xr.DataTree) else read(trace)
    rule = rule or Rule()
    entry = find(tree.attrs["model"])
    check_rule(rule, entry)
    posterior = tree["posterior"].to_dataset().isel(draw=slice(None, None, thin))
    players = posterior["player"].to_numpy().astype(np.str_).tolist()
    white, black = places(players, games.white_names.tolist()), places(players, games.black_names.tolist())
    unknown_white = ratings_of(games, "white", white, white_rating_elo, players)
    unknown_black = ratings_of(games, "black", black, black_rating_elo, players)
    shape = (3, posterior.sizes["chain"], posterior.sizes["draw"], len(games))
    if isinstance(entry, Extended):
        ratings = unknown_white, unknown_black
        value = extended_probabilities(
            entry, posterior, games, (white, black), ratings, rule=rule, clock=clock_of(tree)
        )
        three = 1 in entry.normalised
        return Forecast(games, value.reshape(shape), three, white != ANCHORED, black != ANCHORED)
    seats = seat_draws(posterior, entry, 0.0)
    halves = half_advantages(seats, rule) if entry.advantage == "player" else None
    value = probabilities(seats, rule, halves, (white, black), (unknown_white, unknown_black))
    return Forecast(games, value.reshape(shape), entry.family == "davidson", white != ANCHORED, black != ANCHORED)


def clock_of(tree: xr.DataTree) -> Clock | None:
    """Return what the months of a walk were, the periods of its games or calendar months; None where nobody knows."""
    if "constant_data" not in tree.children:
        return None
    times = tree["constant_data"]
    return "period" if "period" in times else "date" if "date" in times else None


def probabilities(
    seats: SeatDraws, rule: Rule, halves: Floats | None, places: tuple[Codes, Codes], ratings: tuple[Floats, Floats]
) -> Floats:
    """Return probabilities, shape (outcome, draw, game), computed a few draws at a time.

    Parameters
    ----------
    seats : SeatDraws
        From the posterior, the last slot 0.
    rule : Rule
        Imputation and scale.
    halves : array of float, shape (draw, player + 1), or None
        Half advantages, None where the model has none per player.
    places : two arrays of int32, shape (game,)
        White and Black, -1 where unknown.
    ratings : two arrays of float, shape (game,)
        Ratings of the unknown in natural units, 0 for the known.
    """
    white, black = places
    if halves is None:  # one whole advantage, or none, in every slot of the White seat
        sides_white, sides_black = seats.black * rule.scale + (seats.white - seats.black), seats.black * rule.scale
    else:
        strength = (seats.white + seats.black) / 2 * rule.scale
        sides_white, sides_black = strength + halves, strength - halves
    mirror = rule.mirror_factor if halves is not None and rule.imputation == "mirror" else 0.0
    result = np.empty((3, seats.white.shape[0], white.size))
    step = max(1, CHUNK_VALUES // white.size)
    for start in range(0, result.shape[1], step):
        rows = slice(start, start + step)
        first = sides_white[rows][:, white] + ratings[0]
        second = sides_black[rows][:, black] + ratings[1]
        if mirror and halves is not None:
            first += mirror * np.where(white == ANCHORED, halves[rows][:, black], 0.0)
            second -= mirror * np.where(black == ANCHORED, halves[rows][:, white], 0.0)
        log_draw = None if seats.log_draw is None else seats.log_draw[rows]
        fill(seats.family, result[:, rows], first, second, log_draw)
    return result


def fill(family: str, result: Floats, white: Floats, black: Floats, log_draw: Floats | None) -> None:
    """Write the probabilities of the two sides, shape (draw, game), by the family's formula, to result[outcome]."""
    if family == "bradley_terry":
        scores, over = bradley_terry.scores(white, black), bradley_terry.NORMALISED
    else:
        scores, over = davidson.scores(white, black, log_draw), davidson.NORMALISED
    top = np.maximum(white, black) if len(over) == 2 else np.maximum(np.maximum(white, black), scores[1])
    total = np.zeros_like(top)
    result[1] = 0.0
    for outcome in over:
        np.exp(scores[outcome] - top, out=result[outcome])
        total += result[outcome]
    result /= total
