"""What a player's printed ratings have been so far: the last one, and the mean over the months they played in.

A list moves slowly and a rating of one month errs; the mean of the ratings so far says where a player has stood. Every
month counts once, with the first rating printed in it, the month of the game itself included: its list is out before
the game. Nothing of later games is looked at. A rating that is missing is the last one known; before any is known it
stays unknown.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Floats, GameTable, Texts

NO_TIME = -(2**60)


@dataclass(frozen=True, eq=False)
class RatingHistory:
    """Printed ratings of players up to some moment.

    Parameters
    ----------
    players : array of str, shape (player,)
        Names, sorted.
    last_elo : array of float, shape (player,)
        Last printed rating in Elo points, NaN where there was none.
    mean_elo : array of float, shape (player,)
        Mean over the months, NaN where there was none.
    months : array of float, shape (player,)
        How many months it is over.
    """

    players: Texts
    last_elo: Floats
    mean_elo: Floats
    months: Floats

    @classmethod
    def of(cls, games: GameTable) -> Self:
        """Return the history at the end of the games."""
        return cls(*walked(games)[1])

    def at(self, names: Texts, today_elo: Floats | None = None) -> tuple[Floats, Floats]:
        """Return rating and mean of ratings so far of players, shape (name,), NaN where nothing is known.

        Parameters
        ----------
        names : array of str
            Players, known or not.
        today_elo : array of float, shape (name,), optional
            Ratings on the day, of a further month; NaN where they are not given, and the last known ones stand in.
        """
        place = np.minimum(np.searchsorted(self.players, names), max(self.players.size - 1, 0))
        known = self.players[place] == names if self.players.size else np.zeros(names.size, dtype=bool)
        last, mean = (np.where(known, value[place], np.nan) for value in (self.last_elo, self.mean_elo))
        months = np.where(known, self.months[place], 0.0) if self.players.size else np.zeros(names.size)
        today = np.full(names.size, np.nan) if today_elo is None else np.asarray(today_elo, dtype=np.float64)
        given = ~np.isnan(today)
        total = np.nan_to_num(mean) * months + np.nan_to_num(today)
        mean = np.where(given, total / np.maximum(months + given, 1.0), mean)
        return np.where(given, today, last), mean


def time_of(games: GameTable) -> npt.NDArray[np.int64]:
    """Return each game's month, shape (game,): its period, else its calendar month, the same for all if neither."""
    if games.period is not None:
        return np.asarray(games.period, dtype=np.int64)
    if games.date is None:
        return np.full(len(games), NO_TIME, dtype=np.int64)
    month = games.date.astype("datetime64[M]")
    return np.where(np.isnat(month), NO_TIME, month.astype(np.int64))


def walked(games: GameTable) -> tuple[tuple[Floats, Floats], tuple[Texts, Floats, Floats, Floats]]:
    """Return rating and mean so far of each side of each game, and of each player at the end.

    Returns
    -------
    (rating, mean) : arrays of float, shape (2, game)
        White's and Black's, Elo points, NaN where nothing is known yet.
    (players, last, mean, months) : arrays
        As in `RatingHistory`.
    """
    count, size = len(games), games.players.size
    unknown = np.full(count, np.nan)
    printed = [unknown if one is None else one for one in (games.white_rating_elo, games.black_rating_elo)]
    player = np.concatenate([games.white, games.black]).astype(np.int64)
    rating, time = np.concatenate(printed).astype(np.float64), np.tile(time_of(games), 2)
    order = np.lexsort((np.tile(np.arange(count), 2), time, player))
    found, mean = np.full(2 * count, np.nan), np.full(2 * count, np.nan)
    last_elo, mean_elo, months = np.full(size, np.nan), np.full(size, np.nan), np.zeros(size)
    total = np.zeros(size)
    noted = np.full(size, NO_TIME - 1, dtype=np.int64)
    for k in order.tolist():
        i, value = player[k], rating[k]
        if not np.isnan(value):
            last_elo[i] = value
            if noted[i] != time[k]:
                noted[i] = time[k]
                total[i] += value
                months[i] += 1.0
                mean_elo[i] = total[i] / months[i]
        found[k], mean[k] = last_elo[i], mean_elo[i]
    return (found.reshape(2, count), mean.reshape(2, count)), (games.players, last_elo, mean_elo, months)
