"""A model as a forecaster with the interface of rating systems, fitted again before each period's forecast.

The model is declared on the calendar of all games (`halfpoint.inference.time_grid`), with every result unknown, and
sampled by NUTS, or approximated by a Gaussian. In sampled models monitored players have parameters; an opponent who is
not monitored, or a monitored player before their first game, is anchored to their rating on the day; a newcomer without
a rating has the population's distribution, if the model has a population. Games without a monitored player of known
strength get no forecast; on sides of several people all people must be monitored. In approximated models all players
are monitored, and a player without games has the population's distribution. The forecast is the posterior mean of the
three probabilities, or of the expected score if draws are half points; models of margins also return the mixture of the
margins' distributions.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from halfpoint.inference.diagnostics.convergence import Diagnosis
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.mode import FACTORED
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFit, ReweightedFits
from halfpoint.inference.margin_forecasts import Margins, margins
from halfpoint.inference.reweighted_sampler import ReweightedSampler, SampledFit
from halfpoint.inference.time_grid import Calendar, seats_of
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.elo_scale import reading_from
from halfpoint.models.declaration.posterior_reader import draws_of, seats_among
from halfpoint.models.games.rating_system import Forecast, MarginForecast, State
from halfpoint.models.games.select import anchors
from halfpoint.models.games.table import POINTS, Codes, Floats, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.rows.column_coding import partnerships
from halfpoint.models.rows.rows import Side

_FEWEST_GAMES = 50


@dataclass
class Convergence:
    """Convergence of the fits of a backtest: counts of fits and failures, the worst figures, all divergences."""

    fits: int = 0
    failed: int = 0
    worst_rhat: float = 1.0
    least_ess: float = float("inf")
    divergences: int = 0

    def note(self, diagnosis: Diagnosis) -> None:
        """Count one fit."""
        self.fits += 1
        self.failed += not diagnosis.converged
        self.worst_rhat = max(self.worst_rhat, diagnosis.max_rhat)
        self.least_ess = min(self.least_ess, diagnosis.min_ess_bulk)
        self.divergences += diagnosis.divergences

    def numbers(self) -> Floats:
        """The five numbers, shape (5,)."""
        return np.array(astuple(self))

    @classmethod
    def of(cls, numbers: npt.NDArray[np.generic]) -> Self:
        """Rebuild from an array of `numbers`."""
        fits, failed, worst_rhat, least_ess, divergences = numbers.tolist()
        return cls(int(fits), int(failed), worst_rhat, least_ess, int(divergences))


@dataclass
class Forecaster(Calendar):
    """Model fitted before each forecast to the games learned so far, with the errors of `Calendar`."""

    first: int | None = None  # first period that is forecast; earlier ones are learned only
    # whether an approximated model factorises its information whatever its size, as a published figure may need
    exact: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        law = self.law
        if law is not None and not law.forecast and self.effort is not None:
            raise InferenceError(
                f"forecaster: expected a model of results or margins, found {self.model.name}, which models an index "
                "of games. Add --method normal."
            )
        self.engine: _Approximated | _Sampled = (
            _Approximated(self) if self.effort is None else _Sampled(self, self.effort)
        )

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model to the past and return the forecast of a period's games, NaN for games without one."""
        early = self.first is not None and games.period is not None and int(games.period.min()) < self.first
        if not early and self.past.sum() >= _FEWEST_GAMES:
            return self.engine.forecast(games)
        nothing = np.full((len(games), 3), np.nan)
        return Forecast(nothing[:, 0], nothing if self.draws else None)

    def state(self) -> State:
        """Learned games, their results, and the end of the last fit."""
        return super().state() | self.engine.state()

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Restore the result of `state`."""
        super().load(state)
        self.engine.load(state)


@dataclass
class _Sampled:
    """Forecasts by draws of the posterior."""

    of: Forecaster  # what it computes for
    effort: Effort  # draws, tuning, chains, seed

    def __post_init__(self) -> None:
        self.convergence = Convergence()
        self.means: dict[str, Floats] | None = None

    @cached_property
    def fitter(self) -> ReweightedSampler:
        """Model on the calendar; weights are set before each fit."""
        declared = declare_model(self.of.without_weights, self.of.schedule, apart=self.of.of_margins)
        return ReweightedSampler(declared, self.effort, self.means)

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model to the past and return the forecast of games, NaN for games without one."""
        expected, outcome = np.full(len(games), np.nan), np.full((len(games), 3), np.nan)
        margin: MarginForecast | None = None
        rows, white, black, known_ratings = self.seat_games(games)
        if rows.size:
            outcome[rows], mixture = self.read_forecast(games.take(rows), white, black, known_ratings)
            expected[rows] = np.clip(outcome[rows] @ POINTS, 0.0, 1.0)
            margin = None if mixture is None else MarginForecast(len(games), rows, mixture.score_table)
        return Forecast(expected, outcome if self.of.draws else None, margin)

    def seat_games(self, games: GameTable) -> tuple[npt.NDArray[np.intp], Codes | Side, Codes | Side, Floats]:
        """Games that have a forecast, the players on their sides, and known ratings in natural units.

        New players start at their rating on the day. Without a rating, or before the first game that determines the
        scale of ratings in margins, they start at the population's mean; if the model has no population, their games
        have no forecast. On sides of several people ratings on the day are not used.
        """
        played = np.isin(self.of.players, self.of.schedule.games.take(self.of.past).people)
        everybody = np.ones(self.of.players.size, dtype=np.bool_)
        newcomers = not self.fitter.declared.traits.independent
        if games.sides is not None:
            is_known = np.isin(games.people, self.of.players if newcomers else self.of.players[played])
            everyone = games.everyone
            rows = np.flatnonzero((is_known[everyone] | (everyone < 0)).all(axis=1))
            if not rows.size:
                return rows, np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0)
            part = games.take(rows)
            first, second = seats_among(self.of.players, part)
            return rows, first, second, np.zeros(rows.size)
        white, black = seats_of(games, self.of.players, played)
        first_time = seats_of(games, self.of.players, everybody)
        ratings = games.white_rating_elo, games.black_rating_elo
        if self.of.of_margins and not np.isfinite(self.of.schedule.anchor_elo).any():
            ratings = None, None  # the value of an Elo point in the unit of the margin is unknown
        lost = np.zeros(len(games), dtype=np.bool_)
        for side, seat, rating in ((white, first_time[0], ratings[0]), (black, first_time[1], ratings[1])):
            bare = (side < 0) & (np.isnan(rating) if rating is not None else True)
            side[bare & newcomers] = seat[bare & newcomers]
            lost |= bare & (side < 0)
        rows = np.flatnonzero(((white >= 0) | (black >= 0)) & ~lost)
        if not rows.size:
            return rows, white[rows], black[rows], np.empty(0)
        known_ratings = to_natural(np.nan_to_num(anchors(games.take(rows), white[rows], black[rows])))
        return rows, white[rows], black[rows], known_ratings

    def read_forecast(
        self, games: GameTable, white: Codes | Side, black: Codes | Side, known_ratings: Floats
    ) -> tuple[Floats, Margins | None]:
        """Mean chances of loss, draw and win, shape (game, 3), half points as (1 - p, 0, p), and margins."""
        fit = self.fit()
        declared = fit.declared
        p = self.without_unseen(draws_of(fit.posterior))
        reading = replace(reading_from(declared, fit.posterior), p=p)
        rows = reading.rows(self.of.by_month(games), white, black, (known_ratings, known_ratings))
        mean = reading.probabilities(rows, self.effort.seed).mean(axis=1).T
        mixture = margins(reading, rows, fit.posterior.sizes["chain"]) if self.of.of_margins else None
        return np.asarray(mean / mean.sum(axis=1, keepdims=True)), mixture

    def without_unseen(self, p: dict[str, Floats]) -> dict[str, Floats]:
        """Parameters in which groups of a given spread count 0 before their first game.

        Such a spread describes a nuisance, for instance the effect of a deal on all its tables, which is not part of
        the forecast of a margin; `halfpoint.inference.forecast` also counts unknown groups as 0.
        """
        terms = self.fitter.declared.reads.given
        if not self.of.of_margins or not terms:
            return p
        values, past, coding, games = dict(p), self.of.past, self.fitter.declared.coding, self.of.schedule.games
        for term in terms:
            target, column = (part.strip() for part in term.split("|"))
            name = f"{target}_{column}"
            labels = coding.labels[column][past] if column in coding.labels else partnerships(games.take(past))
            has_games = np.isin(coding.levels[column], labels)
            values[name] = np.where(has_games, values[name], 0.0)
        return values

    def fit(self) -> SampledFit:
        """Posterior of the games so far."""
        self.fitter.set_scores(self.of.score.copy(), self.of.margin.copy() if self.of.of_margins else None)
        self.fitter.fits = self.convergence.fits
        fit = self.fitter.fit(self.of.weight)
        self.means = self.fitter.means
        self.convergence.note(fit.diagnosis)
        return fit

    def last_means(self) -> dict[str, Floats]:
        """Posterior means of the last fit."""
        return self.means or {}

    def state(self) -> State:
        """Last posterior means, and figures of the convergence of the fits."""
        state: State = {f"mean_{name}": np.asarray(value) for name, value in (self.means or {}).items()}
        return state | {"fits": self.convergence.numbers()}

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Restore the result of `state`."""
        means = {key.removeprefix("mean_"): value for key, value in state.items() if key.startswith("mean_")}
        self.means = {name: np.array(value, dtype=np.float64) for name, value in means.items()} or None
        self.convergence = Convergence.of(state["fits"])
        self.__dict__.pop("fitter", None)


@dataclass
class _Approximated:
    """Forecasts by a normal approximation of the posterior; each fit starts from the last."""

    of: Forecaster  # what it computes for

    def __post_init__(self) -> None:
        self.convergence = Convergence()
        self.last: ReweightedFit | None = None

    @cached_property
    def refits(self) -> ReweightedFits:
        """Model on the calendar; weights are set before each fit."""
        declared = declare_model(self.of.without_weights, self.of.schedule, apart=self.of.of_margins)
        few = declared.layout.values < FACTORED or self.of.exact or declared.moves
        return ReweightedFits(declared, factored=few)

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model on the past and return the forecast of a period's games."""
        period = self.of.clock + 1 if games.period is None else int(games.period.min())
        cells = self.refits.declared.cells.cell_of_game[self.of.rows_of(games, period)]
        outcome = self.refits.probabilities(self.fit(), cells)
        expected = np.clip(outcome @ POINTS, 0.0, 1.0)
        return Forecast(expected, outcome if self.of.draws else None)

    def fit(self) -> ReweightedFit:
        """Approximate the posterior of the games learned so far."""
        declared = self.refits.declared.seeing(self.of.score, self.of.margin if self.of.of_margins else None)
        declared = declared.weighing(self.of.weight)
        self.refits.posterior.rows.weigh(declared.cells.weight, declared.rows.margin)
        self.last = self.refits.fit(self.last)
        return self.last

    def last_means(self) -> dict[str, Floats]:
        """The parameters at the last fit."""
        return {} if self.last is None else self.refits.values(self.last)

    def state(self) -> State:
        """End of the last fit."""
        if self.last is None or self.last.variance is None:
            return {}
        return {"x": self.last.x.copy(), "z": self.last.z.copy(), "variance": self.last.variance.copy()}

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Restore the result of `state`."""
        arrays = {name: np.array(state[name], dtype=np.float64) for name in ("x", "z", "variance") if name in state}
        self.last = ReweightedFit(arrays["x"], arrays["z"], arrays["variance"]) if len(arrays) == 3 else None
