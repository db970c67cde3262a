r"""The Internet Chess Club's rating: an average while provisional, K = 32 afterwards, scaled by a new opponent's games.

    provisional (fewer than 20 games):   R = mean over games of  R_j + 400 s            against an established j
                                                             or  (R + R_j) / 2 + 200 s  against a provisional j
    established:   R += K (W - 1 / (1 + 10^((R_j - R) / 400))),   K = 32, or 32 n_j / 20 against a provisional j

s is 1, 0 or -1 for a win, a draw or a loss, W the score, n_j the opponent's games. A player without a game counts as
1600 for opponents, and in a forecast if no rating was printed. Games are rated one by one. A provisional rating is an
average of a few games, up to 400 points from the opponents', so forecasts from short histories are poor.

Internet Chess Club, help ratings, from the Internet Chess Server of 1992 to 1995; the server also moved the mean of
active players towards 1720, which is left out. ICC changed to Glicko-2 in 2021 (`glicko-2`).
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.rating_system import Columns, Forecast, GameLog, LedgerSystem, Newcomer
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.systems.curves import expected_score
from halfpoint.systems.elo import batches

_START_ELO = 1600.0


@dataclass
class Icc(LedgerSystem):
    """Ratings of the Internet Chess Club."""

    weighs: ClassVar[bool] = False
    #: where new players start: from the rating printed with their first game, as established, else without one
    newcomer: Newcomer = field(default_factory=Newcomer)

    def _start(self, day_elo: Floats) -> Columns:
        rated = ~np.isnan(day_elo) & self.newcomer.from_day
        rating = np.where(rated, day_elo, _START_ELO)
        return {"rating": rating, "games": self.newcomer.games(day_elo), "printed": rated + 0.0}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period one by one, by date if dates are known."""
        order, _ = batches(games, "game")
        white, black = self.ledger.enter(games)
        log = np.empty((len(games), 5))
        _one_by_one(white[order], black[order], games.score[order], self.ledger["rating"], self.ledger["games"], log)
        self.log = GameLog(*log[np.argsort(order)].T)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; ICC defines no draw probability."""
        columns = self.ledger.peek(games)
        unknown = columns["games"] == 0.0
        stranger = self.newcomer.rating_elo if self.ledger["printed"].any() else _START_ELO
        rating = np.where(unknown, stranger, columns["rating"])
        return Forecast(expected_score(rating[games.white] - rating[games.black]))


@compile_lazily
def _one_by_one(white: Codes, black: Codes, score: Floats, rating: Floats, games: Floats, log: Floats) -> None:
    """Move `rating` and `games` in place, game after game; `log` as in elo.py, K NaN for the provisional."""
    for game in range(white.size):
        i, j = white[game], black[game]
        before_i, before_j, played_i, played_j = rating[i], rating[j], games[i], games[j]
        for side in range(2):
            before, faced = (before_i, before_j) if side == 0 else (before_j, before_i)
            played, faced_games = (played_i, played_j) if side == 0 else (played_j, played_i)
            points = score[game] if side == 0 else 1.0 - score[game]
            if played < 20.0:
                outcome = 2.0 * points - 1.0
                value = faced + 400.0 * outcome if faced_games >= 20.0 else (before + faced) / 2.0 + 200.0 * outcome
                after, k = (before * played + value) / (played + 1.0), np.nan
            else:
                k = 32.0 * min(faced_games, 20.0) / 20.0
                after = before + k * (points - 1.0 / (1.0 + 10.0 ** ((faced - before) / 400.0)))
            player = i if side == 0 else j
            rating[player] = after
            log[game, 1 + side], log[game, 3 + side] = k, after - before
        log[game, 0] = 1.0 / (1.0 + 10.0 ** ((before_j - before_i) / 400.0))
        games[i] += 1.0
        games[j] += 1.0
