"""Interface of every rating system, and the ledger of its players.

A system forecasts each game before it learns it: the caller requests the forecast of a period's games, and only then
lets the system learn them. Forecasts do not change the state.

Numbers of players are in columns that grow with new players. Most systems start a player from the rating printed with
their first game, as a federation would, or from a constant if no rating is printed (`Newcomer`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import POINTS, Codes, Floats, GameTable, Texts

type State = dict[str, npt.NDArray[np.generic]]


MARGIN_SCORES = ("log_score", "crps", "mean", "below", "up_to")


@dataclass(frozen=True, eq=False)
class MarginForecast:
    """Forecast of the margins of games."""

    games: int  # number of games that it was asked about
    rows: npt.NDArray[np.intp]  # (row,): those that it forecasts
    # margins of these rows, shape (row,), and a half width -> shape (row, 5), the columns of `MARGIN_SCORES`: minus the
    # log density, the CRPS and the mean of the forecast, and the chances of margins up to half a width less and half a
    # width more
    scored: Callable[[Floats, float], Floats]

    def at(self, margin: Floats, half: float = 0.0) -> Floats:
        """Forecasts of given margins, shape (game, 5), NaN if missing; margin (game,)."""
        forecasts = np.full((self.games, len(MARGIN_SCORES)), np.nan)
        forecasts[self.rows] = self.scored(margin[self.rows], half)
        return forecasts


@dataclass(frozen=True)
class Forecast:
    """Forecast of the results of games."""

    # (game,): White's expected score, from 0 to 1; NaN for a game that the system cannot forecast
    expected_score: Floats
    # (game, 3): probability of loss, draw and win for White; None where the system defines none
    outcome: Floats | None = None
    margin: MarginForecast | None = None  # its forecast of margins, if any

    @classmethod
    def of_outcomes(cls, outcome: Floats, margin: MarginForecast | None = None) -> Self:
        """The forecast of probabilities of loss, draw and win, shape (game, 3)."""
        return cls(np.clip(outcome @ POINTS, 0.0, 1.0), outcome, margin)

    def __post_init__(self) -> None:
        wrong = (self.expected_score < 0.0) | (self.expected_score > 1.0)
        if wrong.any():
            fault = f"{self.expected_score[np.argmax(wrong)]} at game {int(np.argmax(wrong)) + 1}"
            raise RatingSystemError("forecast", "expected scores from 0 to 1", fault)
        if self.outcome is not None and self.outcome.shape != (*self.expected_score.shape, 3):
            shape = f"shape {self.outcome.shape}"
            raise RatingSystemError("forecast", f"three probabilities for {self.expected_score.size} games", shape)


@dataclass(frozen=True)
class GameLog:
    """Changes of both ratings by each game of the last learned period.

    Systems with updates by game keep it as their attribute `log`. A change is NaN if a game was not rated for that
    player; changes beyond the sum of the games (rounding, a bonus, a floor) are not included.
    """

    expected_score: Floats  #: (game,): White's expected score before the period, as the system reckons it
    white_k: Floats  #: (game,): the two K
    black_k: Floats  #: likewise
    white_change_elo: Floats  #: (game,): the two changes in Elo points
    black_change_elo: Floats  #: likewise

    def of_repeated(self, times: npt.NDArray[np.int64]) -> Self:
        """Log of repeated games, counts of shape (game,): sums of changes, means of the rest."""
        game = np.repeat(np.arange(times.size), times)
        columns = {}
        for column in fields(self):
            total = np.bincount(game, getattr(self, column.name), minlength=times.size)
            columns[column.name] = np.where(times > 0, total, np.nan)
            if not column.name.endswith("change_elo"):
                columns[column.name] = columns[column.name] / np.maximum(times, 1)
        return type(self)(**columns)


@runtime_checkable
class RatingSystem(Protocol):
    """A rating system that learns one period after another."""

    def learn(self, games: GameTable) -> None:
        """Learn the games of one period (`period_of` defines how idle periods are counted)."""

    def forecast(self, games: GameTable) -> Forecast:
        """Forecast of games from all games learned so far; the state does not change."""

    def state(self) -> State:
        """Learned values, as named arrays without Python objects."""

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Restore a state that `state` returned for a system with the same settings."""


def _times_of(games: GameTable, system: str) -> npt.NDArray[np.int64]:
    """Number of times that each game counts, shape (game,), by whole weights; `RatingSystemError` for others."""
    assert games.weight is not None
    odd = games.weight != np.floor(games.weight)
    if odd.any() or games.weight.sum() > _MOST_GAMES:
        row = int(np.argmax(odd if odd.any() else games.weight))
        expected = f"whole weights for {system} (a game of weight 2 is two games), {_MOST_GAMES:,} games at most"
        remedy = "Leave them out (--ignore weight), or rate by a model, which takes any weight."
        raise RatingSystemError(games.place(row), expected, f"{games.weight[row]:g}", remedy)
    return games.weight.astype(np.int64)


def period_of(games: GameTable, clock: int) -> int:
    """Number of the period of a table of games."""
    if games.period is None:
        return clock + 1
    first, last = int(games.period.min()), int(games.period.max())
    if first != last:
        raise RatingSystemError(games.source, "the games of one period", f"periods {first} to {last}")
    if first <= clock:
        raise RatingSystemError(games.source, f"a period after {clock}, the last one learned", f"period {first}")
    return first


type Columns = dict[str, Floats]
_NO_PERIOD = -(2**31)
_MOST_GAMES = 50_000_000


@dataclass(frozen=True)
class Newcomer:
    """Starting rating of a new player."""

    rating_elo: float = 2200.0  # start for a player without a printed rating, in Elo points
    from_day: bool = True  # start from the rating printed with their first game where there is one
    # games that players are taken to have played who enter with a printed rating (30: established, FIDE)
    games_if_rated: int = 30

    def ratings(self, day_elo: Floats) -> Floats:
        """The start in Elo points, shape (player,), for printed ratings (NaN: none)."""
        if not self.from_day:
            return np.full(day_elo.shape, self.rating_elo)
        return np.where(np.isnan(day_elo), self.rating_elo, day_elo)

    def games(self, day_elo: Floats) -> Floats:
        """Initial number of games, shape (player,)."""
        rated = ~np.isnan(day_elo) if self.from_day else np.zeros(day_elo.shape, dtype=np.bool_)
        return np.where(rated, float(self.games_if_rated), 0.0)


def day_ratings(games: GameTable, last: bool = False) -> Floats:
    """First or last printed rating of each player in the table, shape (player,), NaN without one."""
    rating_of_player, nothing = np.full(games.players.size, np.nan), np.full(len(games), np.nan)
    sides = [nothing if ratings is None else ratings for ratings in (games.white_rating_elo, games.black_rating_elo)]
    player, rating = np.stack([games.white, games.black], axis=1).ravel(), np.stack(sides, axis=1).ravel()
    rows = np.flatnonzero(~np.isnan(rating))[:: 1 if last else -1]
    rating_of_player[player[rows]] = rating[rows]  # of a player the one that is written last stays
    return rating_of_player


class Ledger:
    """Names, and a column of numbers for each property of a player."""

    def __init__(self, start: Callable[[Floats], Columns]) -> None:
        self.start = start
        self.names: list[str] = []
        self.position: dict[str, int] = {}
        self.columns: Columns = start(np.empty(0))

    def __getitem__(self, column: str) -> Floats:
        return self.columns[column]

    def __len__(self) -> int:
        return len(self.names)

    def places(self, players: Texts) -> npt.NDArray[np.int64]:
        """Place of each name, same shape, -1 if unknown."""
        return np.array([self.position.get(name, -1) for name in players.tolist()], dtype=np.int64)

    def enter(self, games: GameTable) -> tuple[Codes, Codes]:
        """Add the new players of a table and return White's and Black's positions, shape (game,)."""
        codes = self.add(games.players, day_ratings(games)).astype(np.int32)
        return codes[games.white], codes[games.black]

    def add(self, players: Texts, day_elo: Floats) -> npt.NDArray[np.int64]:
        """Add new names with their printed ratings, and return the place of each, same shape."""
        place = self.places(players)
        new = np.flatnonzero(place < 0)
        if new.size:
            place[new] = np.arange(len(self), len(self) + new.size)
            for name in players[new].tolist():
                self.position[name] = len(self.names)
                self.names.append(name)
            begun = self.start(day_elo[new])
            for key, column in self.columns.items():
                self.columns[key] = np.concatenate([column, begun[key]])
        return place

    def peek(self, games: GameTable) -> Columns:
        """Columns for the players of a table, shape (player,) each; start values for new players."""
        return self.peek_names(games.players, day_ratings(games))

    def peek_names(self, players: Texts, day_elo: Floats) -> Columns:
        """Columns for some names, same shape each; new players start by their printed ratings."""
        place = self.places(players)
        is_listed = place >= 0
        columns = self.start(day_elo)
        for key, column in self.columns.items():
            columns[key][is_listed] = column[place[is_listed]]
        return columns

    def rating(self, name: str, column: str = "rating") -> float:
        """One player's number."""
        if name not in self.position:
            raise RatingSystemError("player", "a player with games", repr(name), "Check the spelling.")
        return float(self.columns[column][self.position[name]])

    def state(self) -> State:
        """Names and columns as named arrays."""
        arrays: State = {f"player_{key}": column.copy() for key, column in self.columns.items()}
        return arrays | {"names": np.asarray(self.names, dtype=np.str_)}

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Restore the state returned by `state`."""
        self.names = state["names"].tolist()
        self.position = {name: place for place, name in enumerate(self.names)}
        self.columns = {key: np.array(state[f"player_{key}"], dtype=np.float64) for key in self.columns}


def weights_of(games: GameTable) -> Floats:
    """Number of times that each game counts, shape (game,): once without weights."""
    return np.ones(len(games)) if games.weight is None else games.weight


class Periodic:
    """Common parts of systems that learn by period: the clock, and saving and restoring the state.

    A subclass defines `learn_period`, which learns the games of a period, and `learned`, the attributes that store the
    result: arrays, and objects with a state, such as a `Ledger`.
    """

    learned: tuple[str, ...] = ("ledger",)
    weighs: ClassVar[bool] = True  # whether a game counts by its weight
    clock: int = _NO_PERIOD
    log: GameLog | None = None

    def learn(self, games: GameTable) -> None:
        """Learn the games of one period; a game of weight 2 counts as two games, one of weight 0 as none."""
        period = period_of(games, self.clock)
        if games.weight is None or bool(np.all(games.weight == 1.0)) or (self.weighs and (games.weight % 1.0).any()):
            self.learn_period(games, period)
        else:
            times = _times_of(games, type(self).__name__)
            self.log = None
            if times.any():
                self.learn_period(replace(games.take(np.repeat(np.arange(len(games)), times)), weight=None), period)
            self.log = None if self.log is None else self.log.of_repeated(times)
        self.clock = period

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of a period with a given number."""
        raise NotImplementedError

    def state(self) -> State:
        """Learned values, as named arrays without Python objects."""
        arrays: State = {"clock": np.asarray(self.clock)}
        for name in self.learned:
            learned = getattr(self, name)
            arrays |= {name: learned.copy()} if isinstance(learned, np.ndarray) else learned.state()
        return arrays

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Restore a state that `state` returned for a system with the same settings."""
        expected = self.state()
        if not expected.keys() <= state.keys():
            raise RatingSystemError("state", f"the arrays {', '.join(expected)}", f"{', '.join(sorted(state))}")
        self.clock = int(state["clock"])
        for name in self.learned:
            learned = getattr(self, name)
            if isinstance(learned, np.ndarray):
                setattr(self, name, np.array(state[name], dtype=learned.dtype))
            else:
                learned.load(state)


class LedgerSystem(Periodic):
    """Common parts of periodic systems with ratings: the ledger, and initial ratings of new players."""

    newcomer: Newcomer

    @cached_property
    def ledger(self) -> Ledger:
        """The players known to the system."""
        return Ledger(self._start)

    def _start(self, day_elo: Floats) -> Columns:
        return {"rating": self.newcomer.ratings(day_elo), "games": self.newcomer.games(day_elo)}

    def lead(self, games: GameTable) -> Floats:
        """White's current rating less Black's, shape (game,)."""
        rating = self.ledger.peek(games)["rating"]
        return np.asarray(rating[games.white] - rating[games.black])


@runtime_checkable
class KeepsRatings(RatingSystem, Protocol):
    """A rating system that keeps the ratings of its players in a ledger."""

    ledger: Ledger


@runtime_checkable
class StartsPlayers(RatingSystem, Protocol):
    """A rating system whose new players start by a `Newcomer`."""

    newcomer: Newcomer


def ledger_of(system: RatingSystem, source: str) -> Ledger:
    """Ledger of a system; `source` begins the error for a system without one."""
    if not isinstance(system, KeepsRatings):
        raise RatingSystemError(source, "a system that keeps ratings", type(system).__name__)
    return system.ledger
