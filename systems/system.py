"""The small interface of every rating system: learn a period, forecast games, hand over the state.

A system never sees a game before it has forecast it: the caller asks for the forecast of a period's games, and only
then lets the system learn them. Forecasting changes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import POINTS, Floats, GameTable
from halfpoint.systems.errors import RatingSystemError

type State = dict[str, npt.NDArray[np.generic]]


MARGIN_SCORES = ("log_score", "crps", "mean", "below", "up_to")


@dataclass(frozen=True, eq=False)
class MarginForecast:
    """What a system expects of the margins of games, to be asked when these are known."""

    games: int  # number of games that it was asked about
    rows: npt.NDArray[np.intp]  # (row,): those that it forecasts
    # margins of these rows, shape (row,), and a half width -> shape (row, 5), the columns of `MARGIN_SCORES`: minus the
    # log density, the CRPS and the mean of the forecast, and the chances of margins up to half a width less and half a
    # width more
    scored: Callable[[Floats, float], Floats]

    def at(self, margin: Floats, half: float = 0.0) -> Floats:
        """Return what was forecast of these margins, shape (game, 5), NaN where nothing was; margin (game,)."""
        found = np.full((self.games, len(MARGIN_SCORES)), np.nan)
        found[self.rows] = self.scored(margin[self.rows], half)
        return found


@dataclass(frozen=True)
class Forecast:
    """What a system expects of games before they are played."""

    # (game,): White's expected score, from 0 to 1; NaN for a game that the system cannot forecast
    expected_score: Floats
    # (game, 3): probability of loss, draw and win for White; None where the system defines none
    outcome: Floats | None = None
    margin: MarginForecast | None = None  # what it expects of margins, where it does

    @classmethod
    def of_outcomes(cls, outcome: Floats, margin: MarginForecast | None = None) -> Self:
        """Return the forecast of probabilities of loss, draw and win, shape (game, 3)."""
        return cls(np.clip(outcome @ POINTS, 0.0, 1.0), outcome, margin)

    def __post_init__(self) -> None:
        wrong = (self.expected_score < 0.0) | (self.expected_score > 1.0)
        if wrong.any():
            found = f"{self.expected_score[np.argmax(wrong)]} at game {int(np.argmax(wrong)) + 1}"
            raise RatingSystemError("forecast", "expected scores from 0 to 1", found)
        if self.outcome is not None and self.outcome.shape != (*self.expected_score.shape, 3):
            shape = f"shape {self.outcome.shape}"
            raise RatingSystemError("forecast", f"three probabilities for {self.expected_score.size} games", shape)


@dataclass(frozen=True)
class GameLog:
    """What each game of the period that was learned last did to the two ratings.

    Systems that move by games keep it as their attribute `log`. A change is NaN where a game was not rated for that
    player; what moves a player by more than the sum of the games (rounding, a bonus, a floor) is no part of it.

    Parameters
    ----------
    expected_score : array of float, shape (game,)
        White's expected score before the period, as the system reckons it.
    white_k, black_k : array of float, shape (game,)
        The two K.
    white_change_elo, black_change_elo : array of float, shape (game,)
        The two changes in Elo points.
    """

    expected_score: Floats
    white_k: Floats
    black_k: Floats
    white_change_elo: Floats
    black_change_elo: Floats


@runtime_checkable
class RatingSystem(Protocol):
    """A rating system that learns one period after another."""

    def learn(self, games: GameTable) -> None:
        """Learn the games of one period (`period_of` says how idle periods are counted)."""

    def forecast(self, games: GameTable) -> Forecast:
        """Return the forecast of games, from what has been learned so far; the state does not change."""

    def state(self) -> State:
        """Return all that was learned, as named arrays without Python objects."""

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Take over a state that `state` returned for a system with the same settings."""


def period_of(games: GameTable, clock: int) -> int:
    """Return the number of the period that a table of games stands for."""
    if games.period is None:
        return clock + 1
    first, last = int(games.period.min()), int(games.period.max())
    if first != last:
        raise RatingSystemError(games.source, "the games of one period", f"periods {first} to {last}")
    if first <= clock:
        raise RatingSystemError(games.source, f"a period after {clock}, which was learned last", f"period {first}")
    return first
