r"""Elo's system, with every choice its users made.

    R_new = R + K (W - W_e),     W_e = sum of E(R - R_opponent +- h)          Pires (2014), eq. 4; Elo (1978)

R    rating in Elo points;  K  by rule (k_factor.py);  E  one of the two curves (curves.py)
W    points scored in a batch: one game, one event, or the whole period; ratings move at the end of the batch
h    advantage of White in Elo points: White counts h more, Black h less
s    scale: the difference that means odds of 10 to 1, 400 in Elo's curves; 200 and 600 stretch and squeeze them
     (Krajowski-Kukiel 2011, eq. 4.6), and Sonas' 5/6 of the difference is the scale 480

By game with the logistic curve this is a stochastic gradient step on the loss of logistic regression with step
eta = K s / ln 10, s = 400 (Kiraly & Qian 2017, section 4).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Codes, Floats, GameTable
from halfpoint.systems.curves import WIDEST_ELO, Curve, check_curve, expected_score, score_of
from halfpoint.systems.errors import RatingSystemError
from halfpoint.systems.k_factor import FOREVER, KRule, constant, k_of
from halfpoint.systems.ledger import Columns, Ledger, Newcomer
from halfpoint.systems.margin_weight import margin_weight
from halfpoint.systems.numba_loops import compiled
from halfpoint.systems.people import of_people, ratings_before, seats_of
from halfpoint.systems.system import Forecast, GameLog, State, period_of

Update = Literal["game", "event", "period", "tournament"]


@dataclass
class Elo:
    """Elo ratings.

    Parameters
    ----------
    k : KRule
        Rule for K; `constant(20)` if absent.
    curve : {"logistic", "normal"}
        Curve of the expected score.
    update : {"game", "event", "period", "tournament"}
        When ratings move: after each game, each event of the period, or once at its end; "tournament" is by event where
        the games name events, else by period.
    advantage_elo : float
        What the first move is worth to White, in Elo points.
    rule_of_400 : bool
        Count rating differences above 400 as 400.
    newcomer : Newcomer
        Where new players start.
    white_age, black_age : str
        Covariates that hold ages in years, for rules that ask; unknown ages count as adult.
    scale_elo : float
        Scale of the curve in Elo points.
    margin_exponent : float
        lambda of `halfpoint.systems.margin_weight`: 0 for results alone.
    """

    k: KRule = field(default_factory=lambda: constant(20.0))
    curve: Curve = "logistic"
    update: Update = "period"
    advantage_elo: float = 0.0
    rule_of_400: bool = False
    newcomer: Newcomer = field(default_factory=Newcomer)
    white_age: str = "white_age"
    black_age: str = "black_age"
    scale_elo: float = 400.0
    margin_exponent: float = 0.0
    rates_people: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_curve(self.curve)
        if not (0.0 < self.scale_elo < np.inf):
            raise RatingSystemError("scale", "a number of Elo points above 0", repr(self.scale_elo))
        self.log: GameLog | None = None
        if self.update not in get_args(Update):
            raise RatingSystemError("update", "game, event, period or tournament", repr(self.update))
        self.ledger = Ledger(self._start)

    def _start(self, day_elo: Floats) -> Columns:
        rating = self.newcomer.ratings(day_elo)
        return {"rating": rating, "games": self.newcomer.games(day_elo), "peak": rating.copy()}

    def learn(self, games: GameTable) -> None:
        """Learn the games of one period."""
        period = period_of(games, self.ledger.clock)
        order, bounds = batches(games, self.update)
        if of_people(self, games):
            self.log = self.learn_people(games, order, bounds)
            self.ledger.clock = period
            return
        white, black = self.ledger.enter(games)
        ages = [games.covariates.get(name) for name in (self.white_age, self.black_age)]
        white_age, black_age = (
            np.full(len(games), FOREVER) if age is None else np.nan_to_num(age.astype(np.float64), nan=FOREVER)
            for age in ages
        )
        kept = np.empty((len(games), 5))
        curve, scale_elo = self.curve_of(games)
        update_ratings(
            white[order], black[order], games.score[order], white_age[order], black_age[order],
            self.k_multiplier(games)[order], bounds,
            self.ledger["rating"], self.ledger["games"], self.ledger["peak"], self.k.numbers(),
            curve == "normal", self.rule_of_400, self.advantage_of(games)[order], 400.0 / scale_elo, kept,
        )  # fmt: skip
        back = np.empty(len(games), dtype=np.intp)
        back[order] = np.arange(len(games))
        self.log = GameLog(*kept[back].T)
        self.ledger.clock = period

    def learn_people(self, games: GameTable, order: npt.NDArray[np.intp], bounds: npt.NDArray[np.int64]) -> GameLog:
        """Learn games whose sides have several people: a side is their mean, by shares of play, and all of it move.

        The log has a whole share's K and change, the mean over a side's people.
        """
        white, black, white_share, black_share = seats_of(games, self.ledger.enter_people(games))
        kept = np.empty((len(games), 5))
        curve, scale_elo = self.curve_of(games)
        move_people(
            white[order], black[order], white_share[order], black_share[order], games.score[order],
            self.k_multiplier(games)[order], bounds, self.ledger["rating"], self.ledger["games"], self.ledger["peak"],
            self.k.numbers(), curve == "normal", self.rule_of_400, self.advantage_of(games)[order],
            400.0 / scale_elo, kept,
        )  # fmt: skip
        back = np.empty(len(games), dtype=np.intp)
        back[order] = np.arange(len(games))
        return GameLog(*kept[back].T)

    def k_multiplier(self, games: GameTable) -> Floats:
        """Return by what K is multiplied in each game, shape (game,): 1 where results alone count."""
        return margin_weight(games, self.margin_exponent)

    def curve_of(self, games: GameTable) -> tuple[Curve, float]:
        """Return the curve and its scale in Elo points when these games are played."""
        return self.curve, self.scale_elo

    def advantage_of(self, games: GameTable) -> Floats:
        """Return White's advantage in each game in Elo points, shape (game,)."""
        return np.full(len(games), float(self.advantage_elo))

    def forecast(self, games: GameTable) -> Forecast:
        """Return White's expected scores; Elo defines no draw probability."""
        rating = ratings_before(self, self.ledger, games)
        difference = rating[games.white] - rating[games.black] + self.advantage_of(games)
        if self.rule_of_400:
            difference = np.clip(difference, -WIDEST_ELO, WIDEST_ELO)
        curve, scale_elo = self.curve_of(games)
        return Forecast(expected_score(difference * (400.0 / scale_elo), curve))

    def state(self) -> State:
        """Return names, ratings, games and highest ratings."""
        return self.ledger.state()

    def load(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take over what `state` returned."""
        self.ledger.load(state)


def batches(games: GameTable, update: Update) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Return the order in which games are learned and where each batch of it begins.

    Games are taken by date where dates are known, else as the table has them; an event is placed at its first game.

    Parameters
    ----------
    games : GameTable
        Games of one period.
    update : {"game", "event", "period", "tournament"}
        What a batch is; "tournament" as in `Elo`.

    Returns
    -------
    order : array of int, shape (game,)
    bounds : array of int, shape (batch + 1,)
        Games `order[bounds[b]:bounds[b + 1]]` are batch b.

    Raises
    ------
    RatingSystemError
        If events are asked for and the table names none.
    """
    count = len(games)
    order = np.arange(count) if games.date is None else np.argsort(games.date, kind="stable")
    if update == "game":
        return order, np.arange(count + 1)
    if update == "period" or (update == "tournament" and games.event is None):
        return order, np.array([0, count])
    if games.event is None:
        raise RatingSystemError(games.source, "an event for each game", "none", "Update by game or period.")
    _, first, event = np.unique(games.event[order], return_index=True, return_inverse=True)
    appearance = first[event]
    by_event = np.argsort(appearance, kind="stable")
    starts = np.flatnonzero(np.diff(appearance[by_event], prepend=-1))
    return order[by_event], np.append(starts, count)


@compiled
def update_ratings(
    white: Codes,
    black: Codes,
    score: Floats,
    white_age: Floats,
    black_age: Floats,
    multiplier: Floats,
    bounds: npt.NDArray[np.int64],
    rating: Floats,
    games: Floats,
    peak: Floats,
    rule: tuple[float, ...],
    normal: bool,
    rule_of_400: bool,
    advantage_elo: Floats,
    stretch: float,
    kept: Floats,
) -> None:
    """Move `rating`, `games` and `peak` in place, batch after batch (eq. 4), and keep what each game did.

    `kept`, shape (game, 5), takes White's expected score, the two K and the two changes.
    """
    change = np.zeros(rating.size)
    played = np.zeros(rating.size)
    for batch in range(bounds.size - 1):
        for game in range(bounds[batch], bounds[batch + 1]):
            i, j = white[game], black[game]
            difference = rating[i] - rating[j] + advantage_elo[game]
            if rule_of_400:
                difference = min(max(difference, -400.0), 400.0)
            expected = score_of(difference * stretch, normal, False)
            surprise = score[game] - expected
            white_k = multiplier[game] * k_of(rule, rating[i], games[i], white_age[game], peak[i])
            black_k = multiplier[game] * k_of(rule, rating[j], games[j], black_age[game], peak[j])
            kept[game, 0], kept[game, 1], kept[game, 2] = expected, white_k, black_k
            kept[game, 3], kept[game, 4] = white_k * surprise, -black_k * surprise
            change[i] += white_k * surprise
            change[j] -= black_k * surprise
            played[i] += 1.0
            played[j] += 1.0
        for game in range(bounds[batch], bounds[batch + 1]):
            for player in (white[game], black[game]):
                rating[player] += change[player]
                games[player] += played[player]
                change[player] = 0.0
                played[player] = 0.0
                if rating[player] > peak[player]:
                    peak[player] = rating[player]


@compiled
def move_people(
    white: npt.NDArray[np.int64],
    black: npt.NDArray[np.int64],
    white_share: Floats,
    black_share: Floats,
    score: Floats,
    multiplier: Floats,
    bounds: npt.NDArray[np.int64],
    rating: Floats,
    games: Floats,
    peak: Floats,
    rule: tuple[float, ...],
    normal: bool,
    rule_of_400: bool,
    advantage_elo: Floats,
    stretch: float,
    kept: Floats,
) -> None:
    """Move people's `rating`, `games` and `peak` in place, batch after batch, as `update_ratings` does players'."""
    change = np.zeros(rating.size)
    played = np.zeros(rating.size)
    for batch in range(bounds.size - 1):
        for game in range(bounds[batch], bounds[batch + 1]):
            lead = advantage_elo[game]
            for side in range(2):
                seats, shares = (white[game], white_share[game]) if side == 0 else (black[game], black_share[game])
                total, weight = 0.0, 0.0
                for seat in range(seats.size):
                    if seats[seat] >= 0:
                        total += shares[seat] * rating[seats[seat]]
                        weight += shares[seat]
                lead += total / weight if side == 0 else -total / weight
            if rule_of_400:
                lead = min(max(lead, -400.0), 400.0)
            expected = score_of(lead * stretch, normal, False)
            kept[game, 0] = expected
            for side in range(2):
                seats, shares = (white[game], white_share[game]) if side == 0 else (black[game], black_share[game])
                surprise = score[game] - expected if side == 0 else expected - score[game]
                k_sum, people = 0.0, 0.0
                for seat in range(seats.size):
                    player = seats[seat]
                    if player >= 0:
                        k = multiplier[game] * k_of(rule, rating[player], games[player], FOREVER, peak[player])
                        change[player] += k * shares[seat] * surprise
                        played[player] += 1.0
                        k_sum += k
                        people += 1.0
                kept[game, 1 + side] = k_sum / people
                kept[game, 3 + side] = k_sum / people * surprise
        for game in range(bounds[batch], bounds[batch + 1]):
            for side in range(2):
                seats = white[game] if side == 0 else black[game]
                for seat in range(seats.size):
                    player = seats[seat]
                    if player >= 0:
                        rating[player] += change[player]
                        games[player] += played[player]
                        change[player], played[player] = 0.0, 0.0
                        peak[player] = max(peak[player], rating[player])
