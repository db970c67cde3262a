r"""The Deutsche Wertungszahl (DWZ) of the German chess federation, event by event.

    R_n = R_o + 800 (W - W_e) / (E + n),   W_e = sum over games of 1 / (1 + 10^((R_j - R_o) / 400))
    E   = round(f (R_o / 1000)^4 + f J + S),   J = 5 until 20 years of age, 10 until 25, 15 above
    f   = R_o / 2000, from 1/2 to 1, until 20 years of age where W >= W_e; else 1
    S   = exp((1300 - R_o) / 150) - 1 below 1300 where W < W_e; else 0
    5 <= E <= min(30, 5 index), or 150 where S > 0

W    points in n games against rated players;  index  events rated so far, at least 6 with a printed rating
A player without a rating gets a first rating from an event with at least five games against rated players, neither all
won nor all lost: the rating at which W_e = W. Ratings are whole numbers.

Wertungsordnung of the Deutscher Schachbund, in force since 30 May 2014 (appendix 1.2 for E; the expected score is a
formula since 2013, a table of the normal curve before, which changes ratings by less than a point). Left out, as
missing from tables of games or of small effect: games carried over for two years towards a first rating, and the rating
of events without rated players.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.optimize import brentq

from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.systems.curves import expected_score
from halfpoint.systems.elo import events
from halfpoint.systems.us_chess import ages_of

_FIRST_GAMES, _RATED_INDEX, _ADULT = 5, 6.0, 26.0


def development(rating: Floats, index: Floats, age: Floats, ahead: Floats) -> Floats:
    """E of ratings, indices, ages in years, and points above expectation, same shape.

    Examples
    --------
    >>> one = np.ones(1)
    >>> development(2161 * one, 6 * one, 40 * one, -one).tolist(), development(1200 * one, 3 * one, 18 * one, one)
    ([30.0], array([5.]))
    """
    won, young = ahead >= 0.0, age <= 20.0
    base = (rating / 1000.0) ** 4 + np.select([young, age <= 25.0], [5.0, 10.0], 15.0)
    base = base * np.where(young & won, np.clip(rating / 2000.0, 0.5, 1.0), 1.0)
    brake = np.where((rating < 1300.0) & ~won, np.exp((1300.0 - rating) / 150.0) - 1.0, 0.0)
    most = np.where(brake > 0.0, 150.0, np.clip(5.0 * index, 5.0, 30.0))
    return np.asarray(np.clip(np.floor(base + brake + 0.5), 5.0, most))


@dataclass
class Dwz(LedgerSystem):
    """German ratings, by event; by period if the games name none."""

    weighs: ClassVar[bool] = False
    newcomer: Newcomer = field(default_factory=Newcomer)  # as in `halfpoint.systems.us_chess.UsChess`

    def _start(self, day_elo: Floats) -> Columns:
        rating = np.array(day_elo, dtype=np.float64) if self.newcomer.from_day else np.full(day_elo.shape, np.nan)
        return {"rating": rating, "index": np.where(np.isnan(rating), 0.0, _RATED_INDEX)}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period, event by event."""
        white, black = self.ledger.enter(games)
        age = np.full(len(self.ledger), _ADULT)
        for player, years in ages_of(games, white, black).items():
            age[player] = years
        for rows in events(games):
            self._event(np.append(white[rows], black[rows]), np.append(black[rows], white[rows]),
                        np.append(games.score[rows], 1.0 - games.score[rows]), age)  # fmt: skip

    def _event(self, players: Codes, faced: Codes, points: Floats, age: Floats) -> None:
        """Rate one event, each game from both sides."""
        rating, index = self.ledger["rating"], self.ledger["index"]
        is_rated = ~np.isnan(rating[faced])
        players, faced, points = players[is_rated], faced[is_rated], points[is_rated]
        before, faced_rating = rating[players], rating[faced]
        ahead = np.bincount(players, points - expected_score(before - faced_rating), rating.size)
        count = np.bincount(players, minlength=rating.size)
        rated = np.flatnonzero((count > 0) & ~np.isnan(rating))
        e = development(rating[rated], index[rated], age[rated], ahead[rated])
        new = np.floor(rating[rated] + 800.0 * ahead[rated] / (e + count[rated]) + 0.5)
        for player in np.flatnonzero((count >= _FIRST_GAMES) & np.isnan(rating)):
            of_player = players == player
            opponents, scored = faced_rating[of_player], float(points[of_player].sum())
            if 0.0 < scored < opponents.size:
                root = brentq(lambda r, o=opponents, s=scored: expected_score(r - o).sum() - s, -5e3, 1e4)
                rating[player], index[player] = np.floor(root + 0.5), 1.0
        rating[rated] = new
        index[rated] += 1.0

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; the rule defines no draw probability."""
        rating = np.nan_to_num(self.ledger.peek(games)["rating"], nan=self.newcomer.rating_elo)
        return Forecast(expected_score(rating[games.white] - rating[games.black]))
