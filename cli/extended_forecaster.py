"""A model beyond the study as one more forecaster of a backtest: compiled once, refitted with other weights.

The model is declared on the calendar of all games, who meets whom and when, with every result unknown. A game weighs 0
until it is learned and 1 from then on, so the compiled model serves all periods and no result is seen before its time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.cli.bayesian_forecaster import FEWEST_GAMES, Convergence, seats_of
from halfpoint.games.select import Selection, anchors, own_weights
from halfpoint.games.table import Floats, GameTable, Texts
from halfpoint.inference.refit import Refit
from halfpoint.inference.warm_start import Effort
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended
from halfpoint.models.forecast import log_probabilities
from halfpoint.models.sequential.ledger import NO_PERIOD
from halfpoint.models.sequential.system import Forecast, State, period_of

UNKNOWN = 0.5
POINTS = np.array([0.0, 0.5, 1.0])


@dataclass
class ExtendedForecaster:
    """An extended model, refitted before each forecast on the games learned so far.

    Parameters
    ----------
    entry : Extended
        Name and options; no covariates.
    monitored : array of str, shape (player,)
        Players with parameters.
    calendar : GameTable
        All games of the backtest, with periods; their scores are not looked at.
    effort : Effort
        Draws and tuning draws of a fit: half as many and twice as many, in two chains.
    """

    entry: Extended
    monitored: Texts
    calendar: GameTable
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        everybody = np.ones(self.monitored.size, dtype=np.bool_)
        white, black = seats_of(self.calendar, self.monitored, everybody)
        kept = (white >= 0) | (black >= 0)
        if self.calendar.period is None or not kept.any():
            raise ModelError(f"{self.calendar.source}: expected games of monitored players with periods, found none")
        games = replace(self.calendar.take(kept), score=np.full(int(kept.sum()), UNKNOWN))
        anchor = anchors(games, white[kept], black[kept])
        self.schedule = Selection(games, self.monitored, white[kept], black[kept], anchor, *own_weights(games))
        self.past = np.zeros(len(games), dtype=np.bool_)
        self.score = games.score.copy()
        self.clock = NO_PERIOD
        self.convergence = Convergence()
        self.fitter: Refit | None = None

    def learn(self, games: GameTable) -> None:
        """Note the results of one period."""
        period = period_of(games, self.clock)
        rows = np.flatnonzero(self.schedule.games.time == period)
        seats = np.isin(games.white_names, self.monitored) | np.isin(games.black_names, self.monitored)
        if rows.size != int(seats.sum()):
            found = f"{int(seats.sum())} games in period {period}"
            raise ModelError(f"{games.source}: expected the {rows.size} games of the calendar, found {found}")
        self.past[rows], self.score[rows] = True, games.score[seats]
        self.clock = period

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model on the past and return the forecast of a period's games, NaN where it has none."""
        expected, outcome = np.full(len(games), np.nan), np.full((len(games), 3), np.nan)
        if self.past.sum() >= FEWEST_GAMES:
            played = self.schedule.games.take(self.past)
            known = np.isin(self.monitored, played.players)
            white, black = seats_of(games, self.monitored, known)
            rows = np.flatnonzero((white >= 0) | (black >= 0))
            if rows.size:
                outcome[rows] = self.probabilities(games.take(rows), white[rows], black[rows])
                expected[rows] = np.clip(outcome[rows] @ POINTS, 0.0, 1.0)
        return Forecast(expected, outcome if self.entry.family != "bradley_terry" else None)

    def probabilities(self, games: GameTable, white: npt.NDArray[np.int32], black: npt.NDArray[np.int32]) -> Floats:
        """Return the posterior mean of loss, draw and win, shape (game, 3); half points as (1 - p, 0, p)."""
        posterior = self.fit()
        new = Selection(games, self.monitored, white, black, anchors(games, white, black), np.ones(len(games)))
        assert self.fitter is not None
        logs = log_probabilities(self.entry, posterior, new, self.fitter.first_month, seed=self.effort.seed)
        mean = np.exp(logs).mean(axis=0)
        if self.entry.family == "bradley_terry":
            mean[:, 1] = 0.0
        return np.asarray(mean / mean.sum(axis=1, keepdims=True))

    def fit(self) -> xr.Dataset:
        """Return the posterior of the games so far."""
        if self.fitter is None:
            draws, tune = max(1, self.effort.draws // 2), 2 * self.effort.tune
            self.fitter = Refit(self.entry, self.schedule, None, draws, tune, 2, self.effort.cores, self.effort.seed)
        self.fitter.selection = replace(self.schedule, games=replace(self.schedule.games, score=self.score.copy()))
        posterior = self.fitter.fit(self.past * self.schedule.weight)
        assert self.fitter.diagnosis is not None
        self.convergence.note(self.fitter.diagnosis)
        return posterior

    def state(self) -> State:
        """Return which games were learned, their results, and how the fits went."""
        fits = self.convergence.numbers()
        return {"past": self.past.copy(), "score": self.score.copy(), "clock": np.asarray(self.clock), "fits": fits}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.past = np.array(state["past"], dtype=np.bool_)
        self.score = np.array(state["score"], dtype=np.float64)
        self.clock = int(state["clock"])
        self.convergence = Convergence.of(state["fits"])
