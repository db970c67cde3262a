r"""FIDE's rating regulations by date: table 8.1b, the 400-point rule, K, first ratings, the floor.

    R_new = round( R + K sum( score - P_D ) ),   P_D from table 8.1b at D, a difference above 400 counted as 400
    R_u   = R_a + d_p,   d_p from table 8.1a at the share of points                                   first rating

A period is one list: its games are rated with the ratings at its start. A change is rounded to a whole number, a half
away from zero (8.3.4). A rated player's game against an unrated player is not rated; an unrated player's results
against rated players are pooled until there are enough. A player who falls below the floor becomes unrated, as a new
player.

    in force from   K new / below 2400 / after   junior    first rating                        floor   beyond 400
    2009-07-01      25 / 15 / 10                 -         9 games, + 12.5 a half point        1200    400
    2011-07-01      30 / 15 / 10                 -         9 games, + 15 a half point          1200    400
    2012-07-01      the same                               the same                            1000    400
    2014-07-01      40 / 20 / 10, K n <= 700     < 18, 40  5 games, + 20 a half point          1000    400
    2022-01-01      the same                     to 31 Dec the same                            1000    once an event
    2024-03-01      the same                     to 31 Dec 5 games and 2 draws with 1800,      1400    400
                                                           at most 2200
    2025-10-01      the same                     to 31 Dec the same                            1400    none from 2650 on

On 1 March 2024 every rating below 2000 rose by 0.4 (2000 - R).

Sources: FIDE Handbook B.02, Rating Regulations of 1 July 2009, 1 July 2014, 1 January 2022, 1 March 2024 and 1 October
2025, paragraphs 7.1.4, 7.2.1, 8.2 and 8.3; FIDE Qualification Commission, "New rating regulations come into force",
1 March 2024. Before July 2014 a new player had 9 games to play (7.14 of 2003), and an unrated player's games in round
robins counted for their opponents; tables of games do not mark round robins, so here these games never count.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from halfpoint.models.games.packaged import packaged_table
from halfpoint.models.games.rating_system import Columns, Forecast, GameLog, LedgerSystem, Newcomer
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.systems.fide_table import difference_by_steps, score_by_steps

_POOL_MONTHS = 26
_ESTABLISHED_GAMES = 30
_ONE_TIME_DAY = np.datetime64("2024-03-01")
_NO_DAY = -(2**40)


@dataclass(frozen=True)
class FideRules:
    """The numbers of the regulations in force from one day on."""

    since: str  #: first day, YYYY-MM-DD
    new_k: float  #: K for the first 30 games, below 2400, and ever after 2400 was reached
    k: float  #: likewise
    top_k: float = 10.0  #: likewise
    junior_k: float = 0.0  #: K of a junior whose rating never reached 2300; 0 for no such rule
    #: whether a junior is one until the end of the year of the 18th birthday, or until that birthday
    junior_until_year_end: bool = False
    most_k_times_games: float = math.inf  #: K n may not exceed this in a period
    #: what each half point above one half adds to a first rating; 0 where table 8.1a gives it
    half_point_elo: float = 0.0
    games_needed: int = 5  #: games against rated players that a first rating needs
    draws_with_1800: int = 0  #: hypothetical drawn games with players rated 1800 that a first rating counts
    largest_first_elo: float = math.inf  #: largest first rating
    floor_elo: float = 1000.0  #: lowest rating that is listed
    #: how many differences above 400 an event may have counted as 400, for the stronger player's benefit
    upgrades_an_event: float = math.inf
    exempt_from_elo: float = math.inf  #: rating from which a player's differences count in full

    def k_of(self, rating: float, games: float, age: float, peak: float) -> float:
        """K of a player; `age` is in years by the junior rule, infinite if unknown."""
        if peak >= 2400.0 and (games >= _ESTABLISHED_GAMES or self.junior_k > 0.0):
            return self.top_k
        if self.junior_k and peak < 2300.0 and (age <= 18.0 if self.junior_until_year_end else age < 18.0):
            return self.junior_k
        return self.new_k if games < _ESTABLISHED_GAMES else self.k

    def first_rating(self, opponents_elo: Floats, score: Floats) -> float:
        """First rating of an unrated player (8.2), NaN if it is below the floor."""
        count = opponents_elo.size + self.draws_with_1800
        mean = float(opponents_elo.sum() + 1800.0 * self.draws_with_1800) / count
        points = float(score.sum()) + self.draws_with_1800 / 2
        if self.half_point_elo and points >= count / 2:
            first: float = mean + self.half_point_elo * (2.0 * points - count)
        else:
            first = mean + float(difference_by_steps(np.array([points / count]))[0])
        first = min(float(math.floor(first + 0.5)), self.largest_first_elo)
        return first if first >= self.floor_elo else math.nan


RULES = tuple(FideRules(**row) for row in packaged_table("systems", "fide_rules.toml")["rules"])


def rules_on(day: np.datetime64) -> FideRules:
    """Regulations in force on a day; for earlier days the first known ones."""
    begun = [rules for rules in RULES if np.datetime64(rules.since) <= day]
    return begun[-1] if begun else RULES[0]


def counted_difference(own_elo: Floats, other_elo: Floats, rules: FideRules) -> Floats:
    """Rating difference that counts for a player's own change (8.3.1): 400 at most, unless exempt.

    Examples
    --------
    >>> counted_difference(np.array([2813.0]), np.array([2400.0]), RULES[-1]).tolist()
    [413.0]
    """
    difference = own_elo - other_elo
    return np.where(own_elo >= rules.exempt_from_elo, difference, np.clip(difference, -400.0, 400.0))


def away_from_zero(value: float) -> float:
    """The nearest whole number; halves are rounded away from zero."""
    return math.copysign(math.floor(abs(value) + 0.5), value)


@dataclass
class Fide(LedgerSystem):
    """FIDE's ratings by list, with the regulations of the day; `white_age` and `black_age` are covariates."""

    weighs: ClassVar[bool] = False
    #: where new players start: from the rating printed with their first game, else unrated; the constant is only
    #: the rating of an unrated player in a forecast
    newcomer: Newcomer = field(default_factory=Newcomer)
    learned = ("ledger", "pool", "day")

    def __post_init__(self) -> None:
        self.pool = np.empty((0, 4))  # player, opponent's rating, score, month: results of the unrated
        self.day = np.array(_NO_DAY)  # the last one of which games were learned
        self.rules = RULES[-1]

    def _start(self, day_elo: Floats) -> Columns:
        rating = np.floor(day_elo + 0.5) if self.newcomer.from_day else np.full(day_elo.shape, np.nan)
        peak, has_played = np.nan_to_num(rating, nan=0.0), np.zeros(day_elo.shape)
        return {"rating": rating, "games": self.newcomer.games(day_elo), "peak": peak, "seen": has_played}

    def rules_of(self, games: GameTable) -> tuple[FideRules, np.datetime64 | None]:
        """Regulations for a period of games, the latest if no day is known, and its first day."""
        if games.date is None or np.isnat(games.date).all():
            return RULES[-1], None
        first = np.nanmin(games.date)
        return rules_on(first), first

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period, which form one list."""
        rules, day = self.rules_of(games)
        self.rules = rules
        self._one_time_increase(day)
        white, black = self.ledger.enter(games)
        rating, count, peak = self.ledger["rating"], self.ledger["games"], self.ledger["peak"]
        is_rated = ~np.isnan(rating[white]) & ~np.isnan(rating[black])
        played = np.bincount(white[is_rated], minlength=rating.size) + np.bincount(
            black[is_rated], minlength=rating.size
        )
        sides = []
        total = np.zeros(rating.size)
        k_now = np.zeros(rating.size)
        unknown = np.full(len(games), np.nan)
        for players, opponents, score, ages in (
            (white, black, games.score, games.covariates.get("white_age", unknown)),
            (black, white, 1.0 - games.score, games.covariates.get("black_age", unknown)),
        ):
            age = np.nan_to_num(ages.astype(np.float64), nan=np.inf, posinf=np.inf)
            difference = counted_difference(rating[players], rating[opponents], rules)
            if math.isfinite(rules.upgrades_an_event):
                difference = np.where(
                    is_rated, self._fewer_upgrades(games, players, rating[players] - rating[opponents]), difference
                )
            chance = score_by_steps(np.where(is_rated, difference, 0.0))
            k = np.array([
                rules.k_of(rating[p], count[p], a, peak[p]) if ok else math.nan
                for p, a, ok in zip(players, age, is_rated, strict=True)
            ])  # fmt: skip
            limit = np.floor(rules.most_k_times_games / np.maximum(played[players], 1))
            k = np.where(is_rated, np.where(k * played[players] > rules.most_k_times_games, limit, k), math.nan)
            np.add.at(total, players[is_rated], np.rint(100.0 * (score - chance))[is_rated])  # hundredths, exact
            k_now[players[is_rated]] = k[is_rated]
            sides.append((chance, k, k * np.rint(100.0 * (score - chance)) / 100.0))
        self._pool(games, white, black, period)
        moved = np.flatnonzero(played)
        for player in moved:
            rating[player] += away_from_zero(k_now[player] * total[player] / 100.0)
        count[moved] += played[moved]
        np.maximum(peak, np.nan_to_num(rating, nan=0.0), out=peak)
        rating[rating < rules.floor_elo] = np.nan
        self._first_ratings(rules)
        (chance, white_k, white_change), (_, black_k, black_change) = sides
        self.log = GameLog(np.where(is_rated, chance, np.nan), white_k, black_k, white_change, black_change)

    def _one_time_increase(self, day: np.datetime64 | None) -> None:
        """Raise ratings below 2000 once, with the first games from 1 March 2024 on, if earlier games were learned."""
        if day is None:
            return
        before, today = int(self.day), int(day.astype("datetime64[D]").astype(np.int64))
        threshold = int(_ONE_TIME_DAY.astype(np.int64))
        if before != _NO_DAY and before < threshold <= today:
            rating = self.ledger["rating"]
            low = rating < 2000.0
            rating[low] = np.floor(rating[low] + 0.4 * (2000.0 - rating[low]) + 0.5)
        self.day = np.array(max(before, today))

    def _fewer_upgrades(self, games: GameTable, players: Codes, difference: Floats) -> Floats:
        """Differences with only the greatest above 400 of a player's event counted as 400 (8.3.1 of 2022)."""
        counted = difference.copy()
        event = np.zeros(players.size) if games.event is None else np.unique(games.event, return_inverse=True)[1]
        rows = np.flatnonzero(difference > 400.0)
        rows = rows[np.argsort(-difference[rows], kind="stable")]
        _, best = np.unique(np.stack([players[rows], event[rows]]), axis=1, return_index=True)
        counted[rows[best]] = 400.0
        return np.maximum(counted, -400.0)

    def _pool(self, games: GameTable, white: Codes, black: Codes, period: int) -> None:
        """Keep unrated players' results against rated ones; a first event without a point is excluded (8.2.1)."""
        rating, has_played = self.ledger["rating"], self.ledger["seen"]
        rows = []
        for players, opponents, score in ((white, black, games.score), (black, white, 1.0 - games.score)):
            is_pooled = np.isnan(rating[players]) & ~np.isnan(rating[opponents])
            rows.append(
                np.column_stack([players, rating[opponents], score, np.full(players.size, float(period))])[is_pooled]
            )
        new = np.concatenate(rows)
        recent = self.pool[self.pool[:, 3] > period - _POOL_MONTHS]
        for player in np.unique(new[:, 0]).astype(np.int64):
            results = new[new[:, 0] == player]
            if has_played[player] == 0.0 and results[:, 2].sum() == 0.0:
                new = new[new[:, 0] != player]
            has_played[player] = 1.0
        self.pool = np.concatenate([recent, new])

    def _first_ratings(self, rules: FideRules) -> None:
        """Give a first rating to unrated players with enough results."""
        rating, peak, count = self.ledger["rating"], self.ledger["peak"], self.ledger["games"]
        for player in np.unique(self.pool[:, 0]).astype(np.int64):
            results = np.sort(self.pool[self.pool[:, 0] == player], axis=0)  # sums do not depend on the order of rows
            if len(results) < rules.games_needed:
                continue
            rating[player] = rules.first_rating(results[:, 1], results[:, 2])
            if not np.isnan(rating[player]):
                peak[player] = max(peak[player], rating[player])
                count[player] += len(results)
                self.pool = self.pool[self.pool[:, 0] != player]

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores by table 8.1b; FIDE defines no draw probability."""
        rating = np.nan_to_num(self.ledger.peek(games)["rating"], nan=self.newcomer.rating_elo)
        rules, _ = self.rules_of(games)
        return Forecast(score_by_steps(counted_difference(rating[games.white], rating[games.black], rules)))

    def reasons_unrated(self) -> dict[str, str]:
        """Reason why each unrated player has no rating, in words."""
        needed = self.rules.games_needed
        reasons = {}
        for player in np.flatnonzero(np.isnan(self.ledger["rating"])).tolist():
            count = int((self.pool[:, 0] == player).sum())
            below = f"first rating below {self.rules.floor_elo:.0f}, the lowest that is listed"
            few = f"{count} of {needed} games against rated players"
            reasons[str(self.ledger.names[player])] = below if count >= needed else few
        return reasons
