r"""Elo's system with its common variants.

    R_new = R + K (W - W_e),     W_e = sum of E(R - R_opponent +- h)          Pires (2014), eq. 4; Elo (1978)

R    rating in Elo points;  K  by rule (k_factor.py);  E  one of the two curves (curves.py)
W    points scored in a batch: one game, one event, or the whole period; ratings move at the end of the batch
h    advantage of White in Elo points: White counts h more, Black h less
s    scale: the difference that means odds of 10 to 1, 400 in Elo's curves; 200 and 600 stretch and squeeze them
     (Krajowski-Kukiel 2011, eq. 4.6), and Sonas' factor 5/6 is the scale 480

By game with the logistic curve this is a stochastic gradient step on the loss of logistic regression with step
eta = K s / ln 10, s = 400 (Kiraly & Qian 2017, section 4).
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.rating_system import Columns, Forecast, GameLog, LedgerSystem, Newcomer, weights_of
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.curves import WIDEST_ELO, Curve, check_curve, expected_score, score_of
from halfpoint.systems.k_factor import FOREVER, KRule, constant, k_of, margin_weight
from halfpoint.systems.matches import rates_people, ratings_before, seats_of

Update = Literal["game", "event", "period", "tournament"]


@dataclass
class Elo(LedgerSystem):
    """Elo ratings."""

    k: KRule = field(default_factory=lambda: constant(20.0))  #: rule for K; `constant(20)` if absent
    curve: Curve = "logistic"  #: curve of the expected score
    #: when ratings move: after each game, each event of the period, or once at its end; "tournament" is by event where
    #: the games name events, else by period
    update: Update = "period"
    advantage_elo: float = 0.0  #: first-move advantage of White, in Elo points
    rule_of_400: bool = False  #: count rating differences above 400 as 400
    newcomer: Newcomer = field(default_factory=Newcomer)  #: where new players start
    scale_elo: float = 400.0  #: scale of the curve in Elo points
    margin_exponent: float = 0.0  #: lambda of `halfpoint.systems.k_factor`: 0 for results alone
    rates_people: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_curve(self.curve)
        if not (0.0 < self.scale_elo < np.inf):
            raise RatingSystemError("scale", "a number of Elo points above 0", repr(self.scale_elo))
        require_word("update", self.update, get_args(Update), RatingSystemError)

    def _start(self, day_elo: Floats) -> Columns:
        rating = self.newcomer.ratings(day_elo)
        return {"rating": rating, "games": self.newcomer.games(day_elo), "peak": rating.copy()}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period; a side of several people has their mean rating, and all of them are updated.

        The log contains K and the change for a whole share, averaged over a side's people. Rules by age read the
        covariates `white_age` and `black_age`, in years; unknown ages count as adult.
        """
        order, bounds = batches(games, self.update)
        seat, share = seats_of(self, self.ledger, games)
        age = np.full((len(games), 2), FOREVER)
        if not rates_people(self, games):
            for side, column in enumerate(("white_age", "black_age")):
                if column in games.covariates:
                    age[:, side] = np.nan_to_num(games.covariates[column].astype(np.float64), nan=FOREVER)
        weighed = (self.k_multiplier(games) * weights_of(games))[order], self.advantage_of(games)[order]
        played = seat[order], share[order], age[order], games.score[order], *weighed
        log = np.empty((len(games), 5))
        people = self.ledger["rating"], self.ledger["games"], self.ledger["peak"]
        move_people(played, bounds, people, self.k.numbers(), self.curve_numbers(games), log)
        self.log = GameLog(*log[np.argsort(order)].T)

    def k_multiplier(self, games: GameTable) -> Floats:
        """Multiplier of K in each game, shape (game,): 1 if only results count."""
        return margin_weight(games, self.margin_exponent) if self.margin_exponent else np.ones(len(games))

    def curve_of(self, games: GameTable) -> tuple[Curve, float]:
        """Curve and its scale in Elo points at the time of these games."""
        return self.curve, self.scale_elo

    def curve_numbers(self, games: GameTable) -> tuple[bool, bool, float, float]:
        """Parameters for `move_people`: normal curve or not, the rule of 400, the stretch, and no kappa."""
        curve, scale_elo = self.curve_of(games)
        return curve == "normal", self.rule_of_400, 400.0 / scale_elo, -1.0

    def advantage_of(self, games: GameTable) -> Floats:
        """White's advantage in each game in Elo points, shape (game,)."""
        return np.full(len(games), float(self.advantage_elo))

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; Elo defines no draw probability."""
        rating = ratings_before(self, self.ledger, games)
        difference = rating[games.white] - rating[games.black] + self.advantage_of(games)
        if self.rule_of_400:
            difference = np.clip(difference, -WIDEST_ELO, WIDEST_ELO)
        curve, scale_elo = self.curve_of(games)
        return Forecast(expected_score(difference * (400.0 / scale_elo), curve))


def batches(games: GameTable, update: Update) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Order of learning of the games, (game,), and the start of each batch, (batch + 1,).

    Games are ordered by date if dates are known, else as in the table; an event has the place of its first game.
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


def events(games: GameTable) -> list[npt.NDArray[np.intp]]:
    """Rows of each event in the table's order, events in the order of learning; one if no event is known."""
    order, bounds = batches(games, "tournament")
    return [np.sort(order[first:end]) for first, end in pairwise(bounds)]


# games in the order of learning: seats and shares of play (game, 2, seat), ages (game, 2); then of each its score, by
# what K is multiplied, and White's advantage in Elo points
type _Played = tuple[npt.NDArray[np.int64], Floats, Floats, Floats, Floats, Floats]


@compile_lazily
def move_people(
    played: _Played, bounds: npt.NDArray[np.int64], people: tuple[Floats, Floats, Floats], rule: tuple[float, ...],
    rules: tuple[bool, bool, float, float], log: Floats,
) -> None:  # fmt: skip
    """Move rating, games and highest rating of `people` in place, batch after batch (eq. 4).

    `rules` contain a flag for the normal curve, the rule of 400 and the factor of differences; `log`, shape (game, 5),
    receives White's expected score, the two K and the two changes.
    """
    seats, shares, age, score, multiplier, advantage_elo = played
    rating, games, peak = people
    normal, rule_of_400, stretch, kappa = rules
    change = np.zeros(rating.size)
    count = np.zeros(rating.size)
    mean = np.zeros(2)
    for batch in range(bounds.size - 1):
        for game in range(bounds[batch], bounds[batch + 1]):
            for side in range(2):
                total, weight = 0.0, 0.0
                for seat in range(seats.shape[2]):
                    player = seats[game, side, seat]
                    if player >= 0:
                        total += shares[game, side, seat] * rating[player]
                        weight += shares[game, side, seat]
                mean[side] = total / weight
            lead = mean[0] - mean[1] + advantage_elo[game]
            if rule_of_400:
                lead = min(max(lead, -400.0), 400.0)
            expected = score_of(lead * stretch, normal, kappa)
            log[game, 0] = expected
            for side in range(2):
                surprise = score[game] - expected if side == 0 else expected - score[game]
                k_sum, seated = 0.0, 0.0
                for seat in range(seats.shape[2]):
                    player = seats[game, side, seat]
                    if player >= 0:
                        k = multiplier[game] * k_of(rule, rating[player], games[player], age[game, side], peak[player])
                        change[player] += k * shares[game, side, seat] * surprise
                        count[player] += 1.0
                        k_sum += k
                        seated += 1.0
                log[game, 1 + side] = k_sum / seated
                log[game, 3 + side] = k_sum / seated * surprise
        for game in range(bounds[batch], bounds[batch + 1]):
            for side in range(2):
                for seat in range(seats.shape[2]):
                    player = seats[game, side, seat]
                    if player >= 0:
                        rating[player] += change[player]
                        games[player] += count[player]
                        change[player], count[player] = 0.0, 0.0
                        peak[player] = max(peak[player], rating[player])
