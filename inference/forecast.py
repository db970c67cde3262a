r"""Forecasts of new games from a posterior: the probabilities of each game under every draw.

Seats as in the models, in natural units: White brings w = g_i + a_i, Black v = g_j - b_j, and the model's own formula
gives loss, draw and win from them. Bradley-Terry has an expected score E = P(White) and no draw probability; Davidson
has E = P(win) + P(draw) / 2.

A player who is not in the model is anchored to their rating, R ln 10 / 400 in natural units (Pires 2014, section 3.4).
If the model has half an advantage per player, the unknown player's half is

    zero      0
    mean      the mean over the known players, in each draw, or a value that is given
    mirror    minus the opponent's half, so that the advantage cancels

or, if no rule is given, the model's own value: the population's mean if advantages are pooled, else 0. Models without
advantages by player impute nothing and refuse "mean" and "mirror". On sides of several people all people must be known.

The study's program differs on set B: "mean" is the whole common advantage, "mirror" uses twice the opponent's half, and
the known players' strengths are multiplied by a factor (`mean_advantage`, `mirror_factor` and `scale`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.margin_forecasts import Margins, margins
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.declaration.posterior_reader import Reading, reading_of
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.select import ANCHORED
from halfpoint.models.games.table import OUTCOMES, Codes, Floats, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.rows.rows import GameRows

_Imputation = Literal["zero", "mean", "mirror"]
IMPUTATIONS: tuple[_Imputation, ...] = get_args(_Imputation)


@dataclass(frozen=True)
class Rule:
    """Rule for values that are not in the model."""

    imputation: _Imputation | None = None  # half advantage of an unknown player; the model's own if not given
    mean_advantage: float | None = None  # value of "mean" in natural units, in place of the mean over the known players
    # "mirror" gives this times the opponent's: -1 as the study's text says, 2 as its program did
    mirror_factor: float = -1.0
    scale: float = 1.0  # factor on the strengths of the known players
    # whether effects read the columns of the games; else they count 0, as for games of which only the players are known
    columns: bool = True


def player_indices(players: Sequence[str], names: Sequence[str]) -> Codes:
    """Index of each name among the players of a model, -1 without an estimate, shape (game,)."""
    index = Players(players)
    place_of = {name: index.place(name) for name in set(names)}
    return np.array([ANCHORED if place_of[name] is None else place_of[name] for name in names], dtype=np.int32)


def _ratings_of(
    games: GameTable, side: Literal["white", "black"], place: Codes, rating_elo: Floats | None, players: Sequence[str]
) -> Floats:
    """Ratings in natural units of players of one side without an estimate, 0 for all other players."""
    rating = rating_elo
    if rating is None:
        rating = games.white_rating_elo if side == "white" else games.black_rating_elo
    ratings = np.full(len(games), np.nan) if rating is None else np.asarray(rating, dtype=np.float64)
    if ratings.shape != (len(games),):
        raise InferenceError(f"{side} ratings: expected {len(games)} values, one a game, found shape {ratings.shape}")
    lost = np.flatnonzero((place == ANCHORED) & ~np.isfinite(ratings))
    if lost.size:
        names = games.white_names if side == "white" else games.black_names
        raise InferenceError(
            f"{games.place(int(lost[0]))}: expected an estimate or a rating of {str(names[lost[0]])!r}, found neither. "
            f"{Players(players).hint(str(names[lost[0]]))} Otherwise give a rating or leave these games out."
        )
    return np.where(place == ANCHORED, to_natural(np.nan_to_num(ratings)), 0.0)


def _check_rule(rule: Rule, reading: Reading) -> None:
    """Refuse a rule that is unknown or does not fit the model."""
    if rule.imputation is not None and rule.imputation not in IMPUTATIONS:
        raise InferenceError(f"imputation: expected {' | '.join(IMPUTATIONS)}, found {rule.imputation!r}")
    if rule.imputation in ("mean", "mirror") and not reading.traits.halves:
        raise InferenceError(
            f"imputation: expected a model with an advantage per player for {rule.imputation!r}, found {reading.name}, "
            "which has no advantage by player. Leave the imputation out."
        )


def _apply_rule(rule: Rule, reading: Reading, white: Codes, black: Codes) -> Reading:
    """Reading under a rule: scaled strengths, half advantages of unknown players; white, black (game,)."""
    p = reading.p
    names = ("strength", *(("level", *reading.days) if reading.days else ()))  # by days strengths are these two
    scaled = p if rule.scale == 1.0 else {**p, **{name: rule.scale * p[name] for name in names if name in p}}
    reading = replace(reading, p=scaled)
    if not reading.traits.halves:
        return reading
    half = p["advantage"]
    imputation = rule.imputation or ("zero" if "advantage_mean" not in p else None)
    if imputation is None:  # the population's mean
        return reading
    if imputation == "zero":
        unknown = np.zeros((half.shape[0], 1))
    elif imputation == "mean":
        mean = half.mean(axis=1) if rule.mean_advantage is None else np.full(half.shape[0], rule.mean_advantage)
        unknown = mean[:, None]
    else:  # at most one side of a game has an opponent to mirror
        opponent = np.maximum(white, black)
        unknown = rule.mirror_factor * np.where(opponent == ANCHORED, 0.0, half[:, opponent])
    return replace(reading, imputed=unknown)


@dataclass(frozen=True, eq=False)
class Forecast:
    """Forecasts of some games under every draw."""

    games: GameTable  # the games
    # (outcome, chain, draw, game): probabilities of loss, draw and win for White. Bradley-Terry has half-points lost
    # and won, and 0 for a draw.
    probability: Floats
    draws_are_outcomes: bool  # whether a draw has a probability (Davidson) or counts as two half-points (Bradley-Terry)
    known_white: npt.NDArray[np.bool_]  # (game,): whether the model has an estimate for the player
    known_black: npt.NDArray[np.bool_]  # likewise
    margin: Margins | None = None  # forecasts of the margins, by models of margins

    @property
    def both_known(self) -> npt.NDArray[np.bool_]:
        """Mask of games whose players both have estimates, shape (game,)."""
        return self.known_white & self.known_black

    @property
    def expected_score(self) -> Floats:
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
        """Log likelihood of the results under each draw, shape (chain, draw, game).

        A draw in Bradley-Terry is half a loss and half a win: the mean of their logarithms. Models of margins return
        the log density of the margin, NaN without margins.
        """
        if self.margin is not None:
            return self.margin.log_density
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
        """Table of forecasts, one row per game: players, posterior means and equal-tailed intervals.

        Columns white, black, white_known, black_known, expected, expected_low, expected_high and, for models with
        draws, loss, draw and win, each with _low and _high; for models of margins also margin, in its own unit, with
        the predictive interval of the margin.
        """
        games, tails = self.games, ((1 - level) / 2, (1 + level) / 2)
        columns: dict[str, npt.NDArray[np.generic]] = {
            "white": games.white_names,
            "black": games.black_names,
            "white_known": self.known_white,
            "black_known": self.known_black,
        }
        values = {"expected": self.expected_score}
        if self.draws_are_outcomes:
            values |= dict(zip(OUTCOMES, self.probability, strict=True))
        for name, value in values.items():
            columns[name] = value.mean(axis=(0, 1))
            columns[f"{name}_low"], columns[f"{name}_high"] = np.quantile(value, tails, axis=(0, 1))
        if self.margin is not None and self.margin.outcome.margin.forecast:
            columns["margin"] = self.margin.mean
            columns["margin_low"], columns["margin_high"] = self.margin.quantile(tails)
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
        A trace or its NetCDF file.
    games : GameTable
        New games; their scores are ignored.
    rule : Rule, optional
        Rule for unknown values; the model's own by default.
    white_rating_elo, black_rating_elo : array of float, shape (game,), optional
        Ratings in Elo points for players who are not in the model; by default the ratings of the day in `games`.
    thin : int
        Keep every n-th draw of a chain.

    Returns
    -------
    Forecast

    Raises
    ------
    InferenceError
        If a player has neither an estimate nor a rating (the message names them), the rule is unknown, or the model
        does not support it.
    GameTableError
        If a person on a side of several people has no estimate.
    ModelError
        If strengths walk and the games lack the periods or dates of the walk; or the games lack a column of an effect,
        or have a level of a fixed effect that the games of the fit lack.
    """
    tree = trace if isinstance(trace, xr.DataTree) else read(trace)
    rule = rule or Rule()
    reading = reading_of(tree, thin)
    rows, white, black = seats(reading, games, rule, white_rating_elo, black_rating_elo)
    obeyed = _apply_rule(rule, reading, white, black)
    chains = tree["posterior"].sizes["chain"]
    value = obeyed.probabilities(rows).reshape(3, chains, -1, len(games))
    margin = None if reading.outcome.margin is None else margins(obeyed, rows, chains)
    return Forecast(games, value, reading.outcome.draws, white != ANCHORED, black != ANCHORED, margin)


def seats(
    reading: Reading,
    games: GameTable,
    rule: Rule,
    white_rating_elo: Floats | None = None,
    black_rating_elo: Floats | None = None,
) -> tuple[GameRows, Codes, Codes]:
    """Games as a model reads them, and the indices of White and Black, -1 if unknown to the model.

    Missing columns of the games are reported here, before any draw is used.
    """
    _check_rule(rule, reading)
    if reading.coding is not None and not rule.columns:
        reading = replace(reading, coding=reading.coding.without_covariates)
    if games.sides is not None:
        places = np.zeros(len(games), dtype=np.int32)  # all players are known, or refused here
        nothing = np.zeros(len(games))
        return reading.rows(games, *reading.seats(games), (nothing, nothing)), places, places
    players = reading.players.tolist()
    white = player_indices(players, games.white_names.tolist())
    black = player_indices(players, games.black_names.tolist())
    white_rating = _ratings_of(games, "white", white, white_rating_elo, players)
    black_rating = _ratings_of(games, "black", black, black_rating_elo, players)
    return reading.rows(games, white, black, (white_rating, black_rating)), white, black
