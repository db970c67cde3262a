"""The calendar that a forecaster learns: all games of a backtest, results unknown until they are learned.

A game weighs 0 until it is learned, so no result is seen before its time. Learned games are matched to the calendar by
players, day, event and columns, in any order of rows; games outside the calendar are refused.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.models.declaration.declare_model import check_weighting
from halfpoint.models.formulas.margin import Distribution, margins_of
from halfpoint.models.games.rating_history import running_ratings
from halfpoint.models.games.rating_system import Periodic, period_of
from halfpoint.models.games.select import ANCHORED, Selection, anchors, own_weights, select
from halfpoint.models.games.table import MARGINS, Codes, Floats, GameTable, Texts
from halfpoint.models.language.model import Model
from halfpoint.models.reading.ground import glance
from halfpoint.models.rows.printed_list import MEANS

_UNKNOWN = 0.5
_TOLD = ("date", "event", "white_rating_elo", "black_rating_elo", "weight")  # distinguish games of one pair


def seats_of(games: GameTable, monitored: Texts, is_known: npt.NDArray[np.bool_]) -> tuple[Codes, Codes]:
    """White's and Black's index among the known monitored players, shape (game,), -1 for others."""
    index = {str(name): number for number, name in enumerate(monitored) if is_known[number]}
    white, black = (
        np.array([index.get(name, ANCHORED) for name in names.tolist()], dtype=np.int32)
        for names in (games.white_names, games.black_names)
    )
    return white, black


def _first_month(games: GameTable) -> np.datetime64 | None:
    """Month of the first game if periods are shorter than months, else None."""
    if games.date is None or np.isnat(games.date).any():
        return None
    months = games.date.astype("datetime64[M]")
    return months.min() if np.unique(games.time).size > np.unique(months).size else None


@dataclass
class Calendar(Periodic):
    """Games of a backtest as a model reads them, with the games learned so far."""

    model: Model  # a model of the catalogue, or your own
    calendar: GameTable  # all games of the backtest, with periods; their scores are not read
    monitored: Texts | None = None  # (player,): players with parameters; all players if not given
    # draws, tuning, chains, seed; without it the model is approximated (`halfpoint.inference.gaussian.reweighted_fit`)
    effort: Effort | None = None

    def __post_init__(self) -> None:
        everybody = self.monitored is None
        self.players: Texts = self.calendar.people if self.monitored is None else self.monitored
        is_learned = self.learned_by(self.calendar)
        if self.calendar.period is None or not is_learned.any():
            raise InferenceError(
                f"{self.calendar.source}: expected games of monitored players with periods, found none"
            )
        if self.effort is None and not everybody:
            raise InferenceError(
                "forecaster: an approximated model needs all players monitored. Leave monitor out, or use nuts"
            )
        self.games = self.calendar.take(is_learned)
        self.seen = glance(self.model, self.whole(self.games))
        self.begin = _first_month(self.games) if self.seen.reads.every > 0 else None
        self.schedule = self.select_games(self.games)
        check_weighting(self.model, self.schedule.weighting)
        self.past = np.zeros(len(self.games), dtype=np.bool_)
        self.score, self.margin = np.full(len(self.games), _UNKNOWN), np.zeros(len(self.games))
        self.learned = ("past", "score", "margin") if self.of_margins else ("past", "score")

    @property
    def without_weights(self) -> Model:
        """Model without weights by age, which the calendar sets for the games learned so far (`weight`)."""
        return replace(self.model, weighting="equal", half_life=None)

    @property
    def weight(self) -> Floats:
        """Weight of each game given the games learned so far, shape (game,); 0 for all other games."""
        weight = self.past * self.schedule.weight
        if self.model.weighted:
            weight[self.past] = self.model.weights(self.games.take(self.past))
        return weight

    @property
    def of_margins(self) -> bool:
        """True if the model is a model of margins."""
        return self.law is not None

    @property
    def law(self) -> Distribution | None:
        """Law of margins of the model; None for models of results."""
        law: Distribution | None = self.seen.margin
        return law

    @property
    def draws(self) -> bool:
        """True if a draw has a probability of its own."""
        return self.seen.draws

    def whole(self, games: GameTable) -> Selection:
        """Selection of all games, between monitored players or against others, before any result is hidden."""
        if self.monitored is None or games.sides is not None:
            return select(games, self.players, "both")
        white, black = seats_of(games, self.players, np.ones(self.players.size, dtype=np.bool_))
        return Selection(games, self.players, white, black, anchors(games, white, black), *own_weights(games))

    def by_month(self, games: GameTable) -> GameTable:
        """Games with months as periods if strengths walk and periods of the calendar are shorter."""
        if self.begin is None or games.date is None:
            return games
        return replace(games, period=(games.date.astype("datetime64[M]") - self.begin).astype(np.int64) + 1)

    def select_games(self, games: GameTable) -> Selection:
        """Games of the calendar as the model reads them, results unknown."""
        games = replace(games, score=np.full(len(games), _UNKNOWN))
        law = self.law
        if law is not None:
            margins_of(games, self.model.name, law)
            further = {name: value for name, value in games.covariates.items() if name not in MARGINS}
            games = replace(games, covariates={**further, MARGINS[0]: np.zeros(len(games))})
        if self.effort is None:
            (_, mean), _ = running_ratings(games)  # a column, so that some games can be read alone
            games = replace(games, covariates={**games.covariates, **dict(zip(MEANS, mean, strict=True))})
        return self.whole(self.by_month(games))

    def learned_by(self, games: GameTable) -> npt.NDArray[np.bool_]:
        """Mask of games that the model learns, shape (game,): with a monitored player, or of monitored people alone."""
        everyone = games.everyone
        is_monitored = np.isin(games.people, self.players)[everyone] & (everyone >= 0)
        if games.sides is None and self.monitored is not None:
            return np.asarray(is_monitored.any(axis=1))
        return np.asarray((is_monitored | (everyone < 0)).all(axis=1))

    def rows_of(self, games: GameTable, period: int) -> npt.NDArray[np.intp]:
        """Rows of games of a period in the calendar, (game,), in any order; identical games in their own order."""
        rows = np.flatnonzero(self.games.time == period)
        expected = self.games.take(rows)
        columns = [name for name in _TOLD if getattr(expected, name) is not None and getattr(games, name) is not None]
        covariates = [name for name in expected.covariates if name in games.covariates and name not in MARGINS]
        keys = [
            pd.DataFrame(
                {"white": table.white_names, "black": table.black_names}
                | {name: getattr(table, name) for name in columns}
                | {f"column {name}": table.covariates[name] for name in covariates}
            )
            for table in (expected, games)
        ]
        all_keys = pd.concat(keys, ignore_index=True)
        codes = all_keys.groupby(list(all_keys.columns), sort=False, dropna=False).ngroup().to_numpy()
        order, given_order = (np.argsort(part, kind="stable") for part in (codes[: rows.size], codes[rows.size :]))
        if not np.array_equal(codes[: rows.size][order], codes[rows.size :][given_order]):
            finding = f"{len(games)} in period {period}, not all of which are in the calendar"
            raise InferenceError(f"{games.source}: expected the {rows.size} games of the calendar, found {finding}")
        place = np.empty(rows.size, dtype=np.intp)
        place[given_order] = rows[order]
        return place

    def learn(self, games: GameTable) -> None:
        """Learn the games of one period; each counts by its weight in the calendar."""
        period = period_of(games, self.clock)
        self.learn_period(games, period)
        self.clock = period

    def learn_period(self, games: GameTable, period: int) -> None:
        """Note the results of one period."""
        if self.monitored is not None:
            games = games.take(self.learned_by(games))
        rows = self.rows_of(games, period)
        self.past[rows], self.score[rows] = True, games.score
        law = self.law
        if law is not None and law.forecast:
            self.margin[rows] = games.margin
        elif law is not None:  # made of the games learned so far
            self.margin[self.past] = law.of(self.games.take(self.past))
