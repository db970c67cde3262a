"""A Bayesian model as a forecaster with the interface of rating systems: fitted anew before each period's forecast.

The model is declared on the calendar of all games, who meets whom and when, with every result unknown. A game weighs 0
until it is learned, so no result is seen before its time, and one `Fitter` serves all periods.

Monitored players have parameters; an opponent who is not monitored, or a monitored player before their first game, is
anchored to their rating on the day; without a rating a newcomer is like the population, where the model has one. Games
without a monitored player of known strength get no forecast; of sides of several people everybody must be monitored.
The forecast is the mean over posterior draws: of three probabilities, or of the expected score where draws are half
points; of a model of margins also the mixture of their distributions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.games.select import ANCHORED, Selection, anchors, own_weights, select
from halfpoint.games.table import MARGINS, Codes, Floats, GameTable, Texts
from halfpoint.games.units import to_natural
from halfpoint.games.weights import weights
from halfpoint.inference.diagnose import Diagnosis
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import Effort, Fit, Fitter
from halfpoint.inference.margins import Margins, margins
from halfpoint.models.coding import levels_of
from halfpoint.models.margin import margins_of
from halfpoint.models.model import Model, declare_model
from halfpoint.models.reading import Reading, draws_of
from halfpoint.models.rows import Side, together
from halfpoint.systems.ledger import NO_PERIOD
from halfpoint.systems.system import Forecast, MarginForecast, State, period_of

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
        kept = self.learned_by(self.calendar)
        if self.calendar.period is None or not kept.any():
            raise InferenceError(
                f"{self.calendar.source}: expected games of monitored players with periods, found none"
            )
        count = int(kept.sum())
        games = replace(self.calendar.take(kept), score=np.full(count, UNKNOWN))
        self.of_margins = self.model.outcome.margin is not None
        if self.of_margins:
            margins_of(games, self.model.name)
            further = {name: value for name, value in games.covariates.items() if name not in MARGINS}
            games = replace(games, covariates={**further, MARGINS[0]: np.zeros(count)})
        if games.sides is not None:
            self.schedule = select(games, self.monitored, "both")
        else:
            white, black = seats_of(games, self.monitored, np.ones(self.monitored.size, dtype=np.bool_))
            known = anchors(games, white, black)
            self.schedule = Selection(games, self.monitored, white, black, known, *own_weights(games))
        self.past = np.zeros(count, dtype=np.bool_)
        self.score, self.margin = games.score.copy(), np.zeros(count)
        self.clock = NO_PERIOD
        self.convergence = Convergence()
        self.means: dict[str, Floats] | None = None

    @cached_property
    def fitter(self) -> Fitter:
        """The model on the calendar, its weights set fit by fit."""
        declared = declare_model(replace(self.model, weighting="equal"), self.schedule, apart=self.of_margins)
        return Fitter(declared, self.effort, self.means)

    def learned_by(self, games: GameTable) -> npt.NDArray[np.bool_]:
        """Return which games the model learns, shape (game,): with a monitored player, or of monitored people alone."""
        everyone = games.everyone
        there = np.isin(games.people, self.monitored)[everyone] & (everyone >= 0)
        if games.sides is None:
            return np.asarray(there.any(axis=1))
        return np.asarray((there | (everyone < 0)).all(axis=1))

    def learn(self, games: GameTable) -> None:
        """Note the results of one period."""
        period = period_of(games, self.clock)
        rows = np.flatnonzero(self.schedule.games.time == period)
        mine = self.learned_by(games)
        if rows.size != int(mine.sum()):
            found = f"{int(mine.sum())} games in period {period}"
            raise InferenceError(f"{games.source}: expected the {rows.size} games of the calendar, found {found}")
        self.past[rows], self.score[rows] = True, games.score[mine]
        if self.of_margins:
            self.margin[rows] = games.margin[mine]
        self.clock = period

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model on the past and return the forecast of a period's games, NaN where it has none."""
        expected, outcome = np.full(len(games), np.nan), np.full((len(games), 3), np.nan)
        margin: MarginForecast | None = None
        if self.past.sum() >= FEWEST_GAMES:
            rows, white, black, known = self.seated(games)
            if rows.size:
                outcome[rows], found = self.read(games.take(rows), white, black, known)
                expected[rows] = np.clip(outcome[rows] @ POINTS, 0.0, 1.0)
                margin = None if found is None else MarginForecast(len(games), rows, found.scored)
        return Forecast(expected, outcome if self.model.outcome.draws else None, margin)

    def seated(self, games: GameTable) -> tuple[npt.NDArray[np.intp], Codes | Side, Codes | Side, Floats]:
        """Return which games have a forecast, who sits on both sides of them, and known ratings in natural units.

        Who has not played yet stands at their rating on the day; without one, or where no game has told what ratings
        are worth in margins, at what the population says, where the model has one, else their games have no forecast.
        On sides of several a rating on the day is nobody's.
        """
        played = np.isin(self.monitored, self.schedule.games.take(self.past).people)
        everybody = np.ones(self.monitored.size, dtype=np.bool_)
        newcomers = not self.model.strength.independent
        if games.sides is not None:
            found = np.isin(games.people, self.monitored if newcomers else self.monitored[played])
            everyone = games.everyone
            rows = np.flatnonzero((found[everyone] | (everyone < 0)).all(axis=1))
            if not rows.size:
                return rows, np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
            part = games.take(rows)
            assert part.sides is not None
            place = {str(name): number for number, name in enumerate(self.monitored)}
            position = np.array([place[name] for name in part.people.tolist()], dtype=np.int32)
            sides = part.sides.among(position, self.monitored)
            first, second = (together(sides.members[side], sides.share[side]) for side in (part.white, part.black))
            return rows, first, second, np.zeros(rows.size)
        white, black = seats_of(games, self.monitored, played)
        first_time = seats_of(games, self.monitored, everybody)
        ratings = games.white_rating_elo, games.black_rating_elo
        if self.of_margins and not np.isfinite(self.schedule.anchor_elo).any():
            ratings = None, None  # nothing has told what an Elo point is worth in the unit of the margin
        lost = np.zeros(len(games), dtype=np.bool_)
        for side, whole, rating in ((white, first_time[0], ratings[0]), (black, first_time[1], ratings[1])):
            bare = (side < 0) & (np.isnan(rating) if rating is not None else True)
            side[bare & newcomers] = whole[bare & newcomers]
            lost |= bare & (side < 0)
        rows = np.flatnonzero(((white >= 0) | (black >= 0)) & ~lost)
        if not rows.size:
            return rows, white[rows], black[rows], np.empty(0)
        known = to_natural(np.nan_to_num(anchors(games.take(rows), white[rows], black[rows])))
        return rows, white[rows], black[rows], known

    def read(
        self, games: GameTable, white: Codes | Side, black: Codes | Side, known: Floats
    ) -> tuple[Floats, Margins | None]:
        """Return the mean chances of loss, draw and win, shape (game, 3), half points as (1 - p, 0, p), and margins."""
        fit = self.fit()
        declared = fit.declared
        p = self.without_unseen(draws_of(fit.posterior))
        reading = Reading(self.model, p, self.monitored, declared.first_period, declared.coding)
        rows = reading.rows(games, white, black, (known, known))
        mean = reading.probabilities(rows, self.effort.seed).mean(axis=1).T
        found = margins(reading, rows, fit.posterior.sizes["chain"]) if self.of_margins else None
        return np.asarray(mean / mean.sum(axis=1, keepdims=True)), found

    def without_unseen(self, p: dict[str, Floats]) -> dict[str, Floats]:
        """Return parameters in which groups of a given spread count 0 until a game of them was learned.

        Such a spread is that of a nuisance, what lifts all tables of a deal for instance, and no part of what a margin
        is forecast to be; `halfpoint.inference.forecast` counts groups that it does not know as 0 too.
        """
        if not self.of_margins or not self.model.effects.given:
            return p
        found, past = dict(p), self.model.effects.completed(self.schedule.games.take(self.past))
        for term in self.model.effects.given:
            target, column = (part.strip() for part in term.split("|"))
            name = f"{target}_{column}"
            seen = np.isin(self.fitter.declared.coding.levels[column], levels_of(past, column))
            found[name] = np.where(seen, found[name], 0.0)
        return found

    def fit(self) -> Fit:
        """Return the posterior of the games so far."""
        weight = self.past * self.schedule.weight
        if self.model.weighting != "equal":
            time = self.schedule.games.time[self.past]
            weight[self.past] = weights(self.model.weighting, time, normalise=self.model.mean_one)
        self.fitter.scored(self.score.copy(), self.margin.copy() if self.of_margins else None)
        self.fitter.fits = self.convergence.fits
        fit = self.fitter.fit(weight)
        self.means = self.fitter.means
        self.convergence.note(fit.diagnosis)
        return fit

    def state(self) -> State:
        """Return which games were learned, their results, the last posterior means, and how the fits went."""
        state: State = {"past": self.past.copy(), "score": self.score.copy(), "clock": np.asarray(self.clock)}
        state |= {"margin": self.margin.copy()} if self.of_margins else {}
        state |= {f"mean_{name}": np.asarray(value) for name, value in (self.means or {}).items()}
        return state | {"fits": self.convergence.numbers()}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.past = np.array(state["past"], dtype=np.bool_)
        self.score = np.array(state["score"], dtype=np.float64)
        if self.of_margins:
            self.margin = np.array(state["margin"], dtype=np.float64)
        self.clock = int(state["clock"])
        means = {key.removeprefix("mean_"): value for key, value in state.items() if key.startswith("mean_")}
        self.means = {name: np.array(value, dtype=np.float64) for name, value in means.items()} or None
        self.convergence = Convergence.of(state["fits"])
        self.__dict__.pop("fitter", None)
