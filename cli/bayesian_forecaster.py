"""A Bayesian model as one more forecaster of a backtest: refitted each period on all games so far.

Monitored players have parameters; an opponent who is not monitored, or a monitored player before his first game, is
anchored to his rating on the day. Games without a monitored player of known strength get no forecast. The forecast is
the mean over posterior draws: of three probabilities (Davidson), or of the expected score (Bradley-Terry).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.games.select import ANCHORED, Selection, anchors, own_weights
from halfpoint.games.table import Codes, Floats, GameTable, Texts, code_players
from halfpoint.games.units import to_natural
from halfpoint.inference.diagnose import Diagnosis
from halfpoint.inference.pointwise import outcome_log_probabilities, seat_draws
from halfpoint.inference.warm_start import Effort, posterior_means, refit
from halfpoint.models.catalogue import Edition, declare, find, one_of_the_twelve, priors
from halfpoint.models.sequential.errors import RatingSystemError
from halfpoint.models.sequential.ledger import NO_PERIOD
from halfpoint.models.sequential.system import Forecast, State, period_of

COLUMNS = ("white_names", "black_names", "score", "period", "white_rating_elo", "black_rating_elo", "weight")
FEWEST_GAMES = 50


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
    """A catalogue model, refitted before each forecast.

    Parameters
    ----------
    name : str
        Name of the catalogue.
    monitored : array of str, shape (player,)
        Players with parameters.
    edition : {"computed", "described", "corrected"}
        Priors and weights.
    effort : Effort
        Draws, tuning, chains, seed.
    """

    name: str
    monitored: Texts
    edition: Edition = "corrected"
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        self.entry = one_of_the_twelve(find(self.name), "backtest")
        self.past: dict[str, npt.NDArray[Any]] = {}
        self.means: dict[str, Floats] | None = None
        self.clock = NO_PERIOD
        self.convergence = Convergence()

    def learn(self, games: GameTable) -> None:
        """Keep the games of one period; the model is fitted when a forecast is asked for."""
        period = period_of(games, self.clock)
        everybody = np.ones(self.monitored.size, dtype=np.bool_)
        white, black = seats_of(games, self.monitored, everybody)
        kept = (white >= 0) | (black >= 0)
        if games.white_rating_elo is None or games.black_rating_elo is None:
            raise RatingSystemError(games.source, "ratings on the day for a Bayesian model", "none")
        new = {name: np.asarray(getattr(games, name))[kept] for name in COLUMNS if name not in ("period", "weight")}
        new |= {"period": np.full(int(kept.sum()), period), "weight": own_weights(games)[0][kept]}
        self.past = {name: np.concatenate([self.past[name], new[name]]) for name in COLUMNS} if self.past else new
        self.clock = period

    def forecast(self, games: GameTable) -> Forecast:
        """Fit the model on the past and return the forecast of a period's games, NaN where it has none."""
        expected, outcome = np.full(len(games), np.nan), np.full((len(games), 3), np.nan)
        own = self.entry.family == "davidson"
        if self.past and self.past["score"].size >= FEWEST_GAMES:
            selection, known = self.selection()
            white, black = seats_of(games, self.monitored, known)
            rows = np.flatnonzero((white >= 0) | (black >= 0))
            if rows.size:
                now = games.take(rows)
                found = self.probabilities(selection, white[rows], black[rows], anchors(now, white[rows], black[rows]))
                outcome[rows] = found
                expected[rows] = np.clip(found @ np.array([0.0, 0.5, 1.0]), 0.0, 1.0)
        return Forecast(expected, outcome if own else None)

    def selection(self) -> tuple[Selection, npt.NDArray[np.bool_]]:
        """Return the past as the model sees it, and which monitored players have played."""
        players, white, black = code_players(self.past["white_names"], self.past["black_names"])
        columns: dict[str, Any] = {name: self.past[name] for name in COLUMNS[2:]}
        games = GameTable(players, white, black, **columns)
        known = np.isin(self.monitored, players)
        white, black = seats_of(games, self.monitored, known)
        anchor = anchors(games, white, black)
        return Selection(games, self.monitored, white, black, anchor, *own_weights(games)), known

    def probabilities(
        self, selection: Selection, white: npt.NDArray[np.int32], black: npt.NDArray[np.int32], anchor_elo: Floats
    ) -> Floats:
        """Return the posterior mean of loss, draw and win, shape (game, 3); for Bradley-Terry (1 - p, 0, p)."""
        declared = declare(self.name, selection, self.edition)
        effort = replace(self.effort, seed=self.effort.seed + self.convergence.fits)
        posterior, diagnosis = refit(declared, effort, self.means)
        self.means = posterior_means(declared, posterior)
        self.convergence.note(diagnosis)
        seats = seat_draws(posterior, self.entry, float(getattr(priors(self.entry, self.edition), "anchored", 0.0)))
        anchor = to_natural(np.nan_to_num(anchor_elo))
        log_probability = outcome_log_probabilities(
            self.entry.family,
            seats.white[:, white] + np.where(white < 0, anchor, 0.0),
            seats.black[:, black] + np.where(black < 0, anchor, 0.0),
            seats.log_draw,
        )
        mean = np.exp(log_probability).mean(axis=0)
        if self.entry.family == "bradley_terry":
            mean[:, 1] = 0.0
        return np.asarray(mean / mean.sum(axis=1, keepdims=True))

    def state(self) -> State:
        """Return the past games, the last posterior means, and how many fits there were and failed."""
        state: State = {f"past_{name}": value for name, value in self.past.items()}
        state |= {f"mean_{name}": value for name, value in (self.means or {}).items()}
        return state | {"clock": np.asarray(self.clock), "fits": self.convergence.numbers()}

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.past = {key.removeprefix("past_"): value for key, value in state.items() if key.startswith("past_")}
        means = {key.removeprefix("mean_"): value for key, value in state.items() if key.startswith("mean_")}
        self.means = means or None
        self.clock = int(state["clock"])
        self.convergence = Convergence.of(state["fits"])
