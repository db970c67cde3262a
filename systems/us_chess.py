r"""The US Chess rating system: K from games and rating, the special rating of new players, bonus points, floors.

    N'   = min(N, 50 / sqrt(0.662 + 0.00000739 (2569 - R)^2)),  50 from 2355 on         effective number of games
    K    = 800 / (N' + m)                                                               m games in the event
    E_i  = 1 / (1 + 10^(-(R - R_i) / 400))
    R'   = R + K (S - E) + max(0, K (S - E) - B sqrt(max(m, 4)))                        standard, N > 8
    sum_i P(M - R_i) + N' P(M - R_0) = S + S_0,   P(d) = clip(1/2 + d / 800, 0, 1)      special rating M, N <= 8

S_0 = N'/2 and R_0 = R; a player who has won all games so far has R_0 = R - 400 and S_0 = N', a player who has lost all
has R_0 = R + 400 and S_0 = 0, for any N. The bonus needs three games and no opponent met more than twice. A rating is
established after 25 games. Each player is rated twice: the first pass uses the ratings before the event (for unrated
players the special rating from it), the second the opponents' ratings after the first pass.

Floors: 100 + 4 (wins) + 2 (draws) + (events of three games or more), at most 150; once established, the highest rating
so far less 200, rounded down to a hundred, from 1200 to 2100. A rating is kept with its fraction and listed rounded. By
this rule forecasts from short histories without printed ratings are poor: a first rating depends on a few games alone,
up to 400 points from the opponents', without shrinkage.

An unrated player of known age begins from 50 points per year of age, at least 100 and at most 1300; other unrated
players from 1300.

B depends on the day on which an event ends: 12, 14 from 1 May 2017, 12 again from 1 February 2023, 10 from 1 January
2025. Ratings printed in the file are interpreted as US Chess ratings; if they are FIDE's, new players begin from

    20 + 1.02 F above 2000, 180 + 0.94 F else;  since FIDE raised its ratings, 1 March 2024, -1073 + 1.5667 F up to 2000

as after five games, or after ten if F is above 2150.

Glickman and Doan, The US Chess Rating System (2 September 2020; 6 April 2026 for B; 1 March 2024 for conversions, as
US Chess prints them: Just the Rules, 2025 Rulebook Update, 28D1). Five and ten games: US Chess Forum, 2007 and 2021.
Other rules of earlier years are not implemented, nor the rule of 2026 that a bonus from three games needs three
opponents. Titles' floors, prize floors, matches and dual rating are not in tables of games and are left out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np

from halfpoint.models.games.rating_system import Columns, Forecast, GameLog, LedgerSystem, Newcomer
from halfpoint.models.games.table import Codes, Dates, Floats, GameTable, Integers
from halfpoint.systems.curves import expected_score
from halfpoint.systems.elo import events

_BONUSES = 12.0, 14.0, 12.0, 10.0  # B, the first before all days: of events that end on a day or later
_BONUS_DAYS = np.array(["2017-05-01", "2023-02-01", "2025-01-01"], dtype="datetime64[D]")
_BONUS = _BONUSES[-1]
_RAISED_DAY = np.datetime64("2024-03-01")  # on which FIDE raised its ratings below 2000
_ESTABLISHED_GAMES = 25
_SPECIAL_GAMES = 8
_LARGEST_SPECIAL_ELO, _LARGEST_START_ELO = 2700.0, 1300.0


def effective_games(rating_elo: float, games: float) -> float:
    """N', the effective number of games of a rating.

    Examples
    --------
    >>> round(effective_games(1700.0, 100.0), 1)
    20.0
    """
    if rating_elo > 2355.0:
        return min(games, 50.0)
    return min(games, 50.0 / math.sqrt(0.662 + 0.00000739 * (2569.0 - rating_elo) ** 2))


def from_fide(rating_elo: Floats, day: np.datetime64 | Dates = _RAISED_DAY) -> Floats:
    """US Chess ratings, at least 100, from FIDE ratings of a day or days, same shape; NaT selects today's rule.

    Examples
    --------
    >>> from_fide(np.array([1700.0, 2200.0])).round(1).tolist()
    [1590.4, 2264.0]
    """
    low = np.where(day < _RAISED_DAY, 180.0 + 0.94 * rating_elo, -1073.0 + 1.5667 * rating_elo)
    return np.asarray(np.maximum(np.where(rating_elo > 2000.0, 20.0 + 1.02 * rating_elo, low), 100.0))


_TEN_GAMES_ELO = from_fide(np.array(2150.0))  # above it a converted rating counts as of ten games, else of five


def k_factor(effective: float, played: int) -> float:
    """K = 800 / (N' + m); infinite for an unrated player without a game."""
    return 800.0 / (effective + played)


def special_rating(
    rating_elo: float, effective: float, opponents_elo: Floats, score: float, all_won: bool = False,
    all_lost: bool = False,
) -> float:  # fmt: skip
    """Special rating M, at which the provisional expected scores sum to the points scored.

    If an interval of ratings satisfies the equation, its point nearest to the rating before the event is returned.
    `effective` is N', the opponents' ratings have shape (game,); `all_won` and `all_lost` refer to all earlier games.

    Examples
    --------
    >>> round(special_rating(1500.0, 6.0, np.array([1400.0, 1550.0, 1650.0]), 1.5), 3)
    1511.111
    """
    own_rating = rating_elo + 400.0 * (all_lost - all_won)
    target = score + (effective if all_won else 0.0 if all_lost else effective / 2.0)

    def excess(rating: float) -> float:
        expected = np.clip(0.5 + (rating - opponents_elo) / 800.0, 0.0, 1.0).sum()
        return float(expected + effective * min(max(0.5 + (rating - own_rating) / 800.0, 0.0), 1.0) - target)

    knots = np.unique(
        np.concatenate([opponents_elo - 400.0, opponents_elo + 400.0, [own_rating - 400.0, own_rating + 400.0]])
    )
    values = np.array([excess(knot) for knot in knots])
    flat = np.flatnonzero(np.abs(values) < 1e-9)  # piecewise linear and rising: the roots are one stretch
    if flat.size:
        special = min(max(rating_elo, float(knots[flat[0]])), float(knots[flat[-1]]))
        if flat[0] == 0 and target <= 1e-9:
            special = min(rating_elo, float(knots[flat[-1]]))  # nothing scored: any lower rating would do as well
        elif flat[-1] == knots.size - 1:
            special = max(rating_elo, float(knots[flat[0]]))
    else:
        place = int(np.searchsorted(values, 0.0))
        low, high = knots[place - 1], knots[place]
        special = float(low - values[place - 1] * (high - low) / (values[place] - values[place - 1]))
    return min(special, _LARGEST_SPECIAL_ELO)


def standard_rating(
    rating_elo: float, effective: float, opponents_elo: Floats, score: float, most_meetings: int = 1,
    threshold: float = _BONUS,
) -> tuple[float, float]:  # fmt: skip
    """The standard rating after an event and the bonus in it; opponents_elo (game,)."""
    played = opponents_elo.size
    gain = k_factor(effective, played) * (score - float(expected_score(rating_elo - opponents_elo).sum()))
    bonus = max(0.0, gain - threshold * math.sqrt(max(played, 4))) if played >= 3 and most_meetings <= 2 else 0.0
    return rating_elo + gain + bonus, bonus


def floor_of(wins: float, draws: float, events: float, established: bool, peak_elo: float) -> float:
    """A player's rating floor.

    Examples
    --------
    >>> floor_of(300, 50, 80, True, 1941.0), floor_of(2, 1, 3, False, 700.0)
    (1700.0, 113.0)
    """
    lowest = min(100.0 + 4.0 * wins + 2.0 * draws + events, 150.0)
    if not established or peak_elo < 1400.0:
        return lowest
    return max(lowest, min(math.floor((peak_elo - 200.0) / 100.0) * 100.0, 2100.0))


def ages_of(games: GameTable, white: Codes, black: Codes) -> dict[int, float]:
    """Ages in years by player, for players with a date and a year of birth (covariates `white_born`, `black_born`)."""
    ages: dict[int, float] = {}
    for players, name in ((white, "white_born"), (black, "black_born")):
        column = games.covariates.get(name)
        if column is not None and games.date is not None:
            year = games.date.astype("datetime64[Y]").astype(np.int64) + 1970.0 - column.astype(np.float64)
            ages |= {int(p): float(a) for p, a in zip(players, year, strict=True) if np.isfinite(a)}
    return ages


@dataclass
class UsChess(LedgerSystem):
    """US Chess ratings, event by event."""

    weighs: ClassVar[bool] = False
    # where new players start: from the rating printed with their first game (as established), else unrated; the
    # constant is the rating of a stranger in a forecast, 1300 if no rating was ever printed
    newcomer: Newcomer = field(default_factory=Newcomer)
    printed: Literal["us chess", "fide"] = "us chess"  # whose ratings the file prints
    threshold = _BONUS

    def _start(self, day_elo: Floats) -> Columns:
        rating = np.array(day_elo, dtype=np.float64) if self.newcomer.from_day else np.full(day_elo.shape, np.nan)
        zero = np.zeros(day_elo.shape)
        games = self.newcomer.games(day_elo)
        if self.printed == "fide":
            games = np.minimum(games, np.where(day_elo > _TEN_GAMES_ELO, 10.0, 5.0))
        return {
            "rating": rating, "games": games, "wins": games / 2.0, "losses": games / 2.0, "events": zero,
            "peak": np.where(games > _ESTABLISHED_GAMES, np.nan_to_num(rating), 0.0),
            "printed": np.where(np.isnan(rating), 0.0, 1.0),
        }  # fmt: skip

    def _converted(self, games: GameTable) -> GameTable:
        """Games with printed ratings converted to US Chess."""
        if self.printed != "fide":
            return games
        day = _RAISED_DAY if games.date is None else games.date
        printed = games.white_rating_elo, games.black_rating_elo
        white, black = (None if column is None else from_fide(column, day) for column in printed)
        return replace(games, white_rating_elo=white, black_rating_elo=black)

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period, event by event; without events the period is one event."""
        white, black = self.ledger.enter(self._converted(games))
        log = np.full((len(games), 5), np.nan)
        born = ages_of(games, white, black)
        for rows in events(games):
            last = None if games.date is None else games.date[rows].max()
            self.threshold = _BONUS if last is None else _BONUSES[int(np.searchsorted(_BONUS_DAYS, last, "right"))]
            self._event(white[rows], black[rows], games.score[rows], born, log, rows)
        self.log = GameLog(*log.T)

    def _event(
        self, white: Codes, black: Codes, score: Floats, ages: Mapping[int, float], log: Floats, rows: Integers
    ) -> None:
        """Rate one event: two passes over all its players."""
        columns = self.ledger.columns
        players, faced, points = np.append(white, black), np.append(black, white), np.append(score, 1.0 - score)
        present = np.unique(players).tolist()
        results = {p: (faced[players == p], points[players == p]) for p in present}
        unrated = {p for p in present if np.isnan(columns["rating"][p])}
        begin = {p: float(columns["rating"][p]) for p in present}
        begin |= {p: min(max(50.0 * ages.get(p, 26.0), 100.0), _LARGEST_START_ELO) for p in unrated}
        provisional = begin | {p: self._after(p, begin[p], *results[p], begin) for p in unrated}
        first = {p: self._after(p, begin[p], *results[p], provisional) for p in present}
        second = {p: self._after(p, begin[p], *results[p], first) for p in present}
        rating, opponent = (np.array([of[p] for p in who.tolist()]) for of, who in ((begin, players), (first, faced)))
        expected = expected_score(rating - opponent)
        k = np.array([
            k_factor(effective_games(begin[p], columns["games"][p]), results[p][1].size)
            if columns["games"][p] > _SPECIAL_GAMES else math.nan
            for p in players.tolist()
        ])  # fmt: skip
        log[rows, 0] = expected[: score.size]
        log[rows, 1:3], log[rows, 3:5] = k.reshape(2, -1).T, (k * (points - expected)).reshape(2, -1).T
        size = columns["rating"].size
        played = np.bincount(players, minlength=size)
        for name, gained in (("wins", points == 1.0), ("losses", points == 0.0)):
            columns[name] += np.bincount(players, gained, size)
        columns["games"] += played
        columns["events"] += played >= 3
        drawn = columns["games"] - columns["wins"] - columns["losses"]
        for p in present:
            established = bool(columns["games"][p] > _ESTABLISHED_GAMES)
            if established:
                columns["peak"][p] = max(columns["peak"][p], second[p])
            least = floor_of(columns["wins"][p], drawn[p], columns["events"][p], established, columns["peak"][p])
            columns["rating"][p] = max(second[p], least)

    def _after(
        self, player: int, begin: float, opponents: Codes, points: Floats, ratings: Mapping[int, float]
    ) -> float:
        """Rating of a player after an event with known opponents' ratings."""
        columns = self.ledger.columns
        games = float(columns["games"][player])
        faced = np.array([ratings[int(p)] for p in opponents])
        effective = effective_games(begin, games)
        all_won = games > 0 and columns["wins"][player] == games
        all_lost = games > 0 and columns["losses"][player] == games
        if games <= _SPECIAL_GAMES or all_won or all_lost:
            return special_rating(begin, effective, faced, float(points.sum()), bool(all_won), bool(all_lost))
        most = int(np.bincount(np.unique(opponents, return_inverse=True)[1]).max())
        return standard_rating(begin, effective, faced, float(points.sum()), most, self.threshold)[0]

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; US Chess defines no draw probability."""
        printed = self.ledger["printed"].any()
        stranger = np.array(self.newcomer.rating_elo if printed else _LARGEST_START_ELO)
        unrated = from_fide(stranger) if printed and self.printed == "fide" else stranger
        rating = np.nan_to_num(self.ledger.peek(self._converted(games))["rating"], nan=float(unrated))
        return Forecast(expected_score(rating[games.white] - rating[games.black]))
