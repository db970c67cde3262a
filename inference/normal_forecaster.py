"""A model with populations as a forecaster: its normal approximation before each period, as rating systems are asked.

The model is declared once on the calendar of all games: who meets whom, where, with which ratings, no result known.
A game counts from when it is learned. Each period's fit begins where the last one ended. All players have parameters,
and a player or a place without a game has what the population says, with its whole spread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.games.rating_history import walked
from halfpoint.games.select import Selection, select
from halfpoint.games.table import Floats, GameTable
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal_fit import NormalFit, Plan, Sums
from halfpoint.models.listed import MEANS
from halfpoint.models.model import Declared, Model, declare_model, game_rows
from halfpoint.systems.ledger import NO_PERIOD
from halfpoint.systems.system import Forecast, State, period_of

FEWEST_GAMES = 50
POINTS = np.array([0.0, 0.5, 1.0])
UNKNOWN = 0.5


def with_means(games: GameTable) -> GameTable:
    """Return games with the mean of each side's ratings so far as columns, so that some of them can be read alone."""
    (_, mean), _ = walked(games)
    return replace(games, covariates={**games.covariates, **dict(zip(MEANS, mean, strict=True))})


@dataclass
class NormalForecaster:
    """A model, approximated before each forecast from the games learned so far.

    Parameters
    ----------
    model : Model
        A model that `halfpoint.inference.normal_fit` knows, `listed-full` for instance.
    calendar : GameTable
        All games of the backtest, with periods; their scores are not looked at.
    first : int, optional
        First period that is forecast; earlier ones are learned only.
    """

    model: Model
    calendar: GameTable
    first: int | None = None

    def __post_init__(self) -> None:
        if self.calendar.period is None:
            raise InferenceError(f"{self.calendar.source}: expected games with periods, found none")
        games = replace(with_means(self.calendar), score=np.full(len(self.calendar), UNKNOWN))
        self.schedule: Selection = select(games, games.players, "both")
        self.past = np.zeros(len(games), dtype=np.bool_)
        self.score = np.full(len(games), UNKNOWN)
        self.clock = NO_PERIOD
        self.last: NormalFit | None = None
        self.kept: State = {}
        self.rounds = 0

    @cached_property
    def declared(self) -> Declared:
        """The model on the calendar."""
        return declare_model(replace(self.model, weighting="equal"), self.schedule)

    @cached_property
    def plan(self) -> Plan:
        """What of it is approximated."""
        return Plan(self.declared)

    @cached_property
    def games(self) -> tuple[Sums, Sums]:
        """Difference of the sides and draw parameter of all games of the calendar."""
        return self.plan.sums(game_rows(self.declared.entry, self.declared.selection, 0, self.declared.coding))

    def learn(self, games: GameTable) -> None:
        """Note the results of one period."""
        period = period_of(games, self.clock)
        rows = self.rows_of(games, period)
        self.past[rows], self.score[rows] = True, games.score
        self.clock = period

    def rows_of(self, games: GameTable, period: int) -> npt.NDArray[np.intp]:
        """Return where the games of a period stand in the calendar."""
        rows = np.flatnonzero(self.schedule.games.time == period)
        mine = self.schedule.games.white_names[rows], self.schedule.games.black_names[rows]
        if not all(np.array_equal(a, b) for a, b in zip(mine, (games.white_names, games.black_names), strict=True)):
            found = f"{len(games)} others in period {period}"
            raise InferenceError(f"{games.source}: expected the {rows.size} games of the calendar, found {found}")
        return rows

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model on the past and return the forecast of a period's games, NaN where there is none."""
        early = self.first is not None and games.period is not None and int(games.period.min()) < self.first
        if early or self.past.sum() < FEWEST_GAMES:
            return Forecast(np.full(len(games), np.nan), np.full((len(games), 3), np.nan))
        period = self.clock + 1 if games.period is None else int(games.period.min())
        rows = self.rows_of(games, period)
        outcome = self.fit().probabilities((self.games[0].take(rows), self.games[1].take(rows)))
        return Forecast(np.clip(outcome @ POINTS, 0.0, 1.0), outcome)

    def fit(self) -> NormalFit:
        """Return the approximation of the posterior of the games learned so far."""
        rows = np.flatnonzero(self.past)
        weight = np.zeros((rows.size, 3))
        weight[np.arange(rows.size), np.rint(2.0 * self.score[rows]).astype(np.intp)] = self.schedule.weight[rows]
        start = self.last if self.last is not None else self.restored()
        self.last = self.plan.fit((self.games[0].take(rows), self.games[1].take(rows)), weight, start)
        self.rounds += self.last.rounds
        return self.last

    def restored(self) -> NormalFit | None:
        """Return the fit that a state holds, without its covariance; None where there is none."""
        if "z" not in self.kept:
            return None
        spreads = {key.removeprefix("spread_"): float(np.asarray(value, dtype=np.float64)) for key, value in
                   self.kept.items() if key.startswith("spread_")}  # fmt: skip
        return NormalFit(self.plan, np.array(self.kept["z"], dtype=np.float64), spreads, np.zeros((0, 0)), 0)

    def state(self) -> State:
        """Return which games were learned, their results, and where the last fit ended."""
        state: State = {"past": self.past.copy(), "score": self.score.copy(), "clock": np.asarray(self.clock)}
        if self.last is None:
            return state | {key: value for key, value in self.kept.items() if key == "z" or key.startswith("spread_")}
        spreads = {f"spread_{name}": np.asarray(value) for name, value in self.last.spreads.items()}
        return state | {"z": self.last.z.copy(), **spreads}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.past = np.array(state["past"], dtype=np.bool_)
        self.score = np.array(state["score"], dtype=np.float64)
        self.clock = int(state["clock"])
        self.kept, self.last = dict(state), None


def settled(fit: NormalFit) -> dict[str, Floats]:
    """Return the numbers of a fit that are no player's and no place's: level, slopes, scales and spreads."""
    return {name: value for name, value in fit.values.items() if value.size == 1 and not name.startswith("log_anchor")}
