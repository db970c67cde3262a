"""A Bayesian model as a forecaster with the interface of rating systems: fitted anew before each period's forecast.

The model is declared on the calendar of all games, who meets whom and when, with every result unknown. A game weighs 0
until it is learned, so no result is seen before its time, and one `Fitter` serves all periods.

Monitored players have parameters; an opponent who is not monitored, or a monitored player before their first game, is
anchored to their rating on the day. Games without a monitored player of known strength get no forecast. The forecast is
the mean over posterior draws: of three probabilities, or of the expected score where draws are half points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.games.select import ANCHORED, Selection, anchors, own_weights
from halfpoint.games.table import Codes, Floats, GameTable, Texts
from halfpoint.games.units import to_natural
from halfpoint.games.weights import weights
from halfpoint.inference.diagnose import Diagnosis
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import Effort, Fit, Fitter
from halfpoint.models.model import Model, declare_model
from halfpoint.models.reading import Reading, draws_of
from halfpoint.systems.ledger import NO_PERIOD
from halfpoint.systems.system import Forecast, State, period_of

FEWEST_GAMES = 50
UNKNOWN = 0.5
POINTS = np.array([0.0, 0.5, 1.0])


def seats_of(games: GameTable, monitored: Texts, known: npt.NDArray[np.bool_]) -> tuple[Codes, Codes]:
    """Return White's and Black's index among the monitored players who are known, shape (game,), -1 for others."""
    index = {str(name): number for number, name in enumerate(monitored) if known[number]}
    white, black = (
        np.array([index.get(name, ANCHORED) for name in names.tolist()], dtype=np.int32)
        for names in (games.white_names, games.black_names)
    )
    return white, black


@dataclass
class Convergence:
    """How the fits of a backtest converged: how many, how many failed, the worst figures, all divergences."""

    fits: int = 0
    failed: int = 0
    worst_rhat: float = 1.0
    least_ess: float = float("inf")
    divergences: int = 0

    def note(self, found: Diagnosis) -> None:
        """Count one fit."""
        self.fits += 1
        self.failed += not found.converged
        self.worst_rhat = max(self.worst_rhat, found.max_rhat)
        self.least_ess = min(self.least_ess, found.min_ess_bulk)
        self.divergences += found.divergences

    def numbers(self) -> Floats:
        """Return the five numbers, shape (5,)."""
        return np.array([self.fits, self.failed, self.worst_rhat, self.least_ess, self.divergences])

    @classmethod
    def of(cls, numbers: npt.NDArray[Any]) -> Self:
        """Return what `numbers` came from."""
        fits, failed, worst_rhat, least_ess, divergences = numbers.tolist()
        return cls(int(fits), int(failed), worst_rhat, least_ess, int(divergences))


@dataclass
class BayesianForecaster:
    """A model, fitted before each forecast on the games learned so far.

    Parameters
    ----------
    model : Model
        A model of the catalogue, or your own.
    monitored : array of str, shape (player,)
        Players with parameters.
    calendar : GameTable
        All games of the backtest, with periods; their scores are not looked at.
    effort : Effort
        Draws, tuning, chains, seed.
    """

    model: Model
    monitored: Texts
    calendar: GameTable
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        everybody = np.ones(self.monitored.size, dtype=np.bool_)
        if self.model.outcome.margin is not None:
            raise InferenceError(
                f"model {self.model.name}: expected a model of outcomes, since a backtest learns results game by game, "
                "found one of margins. Take davidson-population, or score forecasts by halfpoint.inference.margins."
            )
        white, black = seats_of(self.calendar, self.monitored, everybody)
        kept = (white >= 0) | (black >= 0)
        if self.calendar.period is None or not kept.any():
            raise InferenceError(
                f"{self.calendar.source}: expected games of monitored players with periods, found none"
            )
        games = replace(self.calendar.take(kept), score=np.full(int(kept.sum()), UNKNOWN))
        white, black = white[kept], black[kept]
        self.schedule = Selection(
            games, self.monitored, white, black, anchors(games, white, black), *own_weights(games)
        )
        self.past = np.zeros(len(games), dtype=np.bool_)
        self.score = games.score.copy()
        self.clock = NO_PERIOD
        self.convergence = Convergence()
        self.means: dict[str, Floats] | None = None

    @cached_property
    def fitter(self) -> Fitter:
        """The model on the calendar, its weights set fit by fit."""
        return Fitter(declare_model(replace(self.model, weighting="equal"), self.schedule), self.effort, self.means)

    def learn(self, games: GameTable) -> None:
        """Note the results of one period."""
        period = period_of(games, self.clock)
        rows = np.flatnonzero(self.schedule.games.time == period)
        seats = np.isin(games.white_names, self.monitored) | np.isin(games.black_names, self.monitored)
        if rows.size != int(seats.sum()):
            found = f"{int(seats.sum())} games in period {period}"
            raise InferenceError(f"{games.source}: expected the {rows.size} games of the calendar, found {found}")
        self.past[rows], self.score[rows] = True, games.score[seats]
        self.clock = period

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model on the past and return the forecast of a period's games, NaN where it has none."""
        expected, outcome = np.full(len(games), np.nan), np.full((len(games), 3), np.nan)
        if self.past.sum() >= FEWEST_GAMES:
            known = np.isin(self.monitored, self.schedule.games.take(self.past).players)
            white, black = seats_of(games, self.monitored, known)
            rows = np.flatnonzero((white >= 0) | (black >= 0))
            if rows.size:
                outcome[rows] = self.probabilities(games.take(rows), white[rows], black[rows])
                expected[rows] = np.clip(outcome[rows] @ POINTS, 0.0, 1.0)
        return Forecast(expected, outcome if self.model.outcome.draws else None)

    def probabilities(self, games: GameTable, white: Codes, black: Codes) -> Floats:
        """Return the posterior mean of loss, draw and win, shape (game, 3); half points as (1 - p, 0, p)."""
        fit = self.fit()
        declared, known = fit.declared, to_natural(np.nan_to_num(anchors(games, white, black)))
        reading = Reading(self.model, draws_of(fit.posterior), self.monitored, declared.first_period, declared.coords)
        rows = reading.rows(games, white, black, (known, known))
        mean = reading.probabilities(rows, self.effort.seed).mean(axis=1).T
        return np.asarray(mean / mean.sum(axis=1, keepdims=True))

    def fit(self) -> Fit:
        """Return the posterior of the games so far."""
        weight = self.past * self.schedule.weight
        if self.model.weighting != "equal":
            time = self.schedule.games.time[self.past]
            weight[self.past] = weights(self.model.weighting, time, normalise=self.model.mean_one)
        self.fitter.scored(self.score.copy())
        self.fitter.fits = self.convergence.fits
        fit = self.fitter.fit(weight)
        self.means = self.fitter.means
        self.convergence.note(fit.diagnosis)
        return fit

    def state(self) -> State:
        """Return which games were learned, their results, the last posterior means, and how the fits went."""
        state: State = {"past": self.past.copy(), "score": self.score.copy(), "clock": np.asarray(self.clock)}
        state |= {f"mean_{name}": np.asarray(value) for name, value in (self.means or {}).items()}
        return state | {"fits": self.convergence.numbers()}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.past = np.array(state["past"], dtype=np.bool_)
        self.score = np.array(state["score"], dtype=np.float64)
        self.clock = int(state["clock"])
        means = {key.removeprefix("mean_"): value for key, value in state.items() if key.startswith("mean_")}
        self.means = {name: np.array(value, dtype=np.float64) for name, value in means.items()} or None
        self.convergence = Convergence.of(state["fits"])
        self.__dict__.pop("fitter", None)
