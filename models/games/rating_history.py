"""A player's printed ratings so far: the latest rating, and the mean over months played.

A list changes slowly and a rating of one month has an error; the mean of the ratings so far estimates a player's usual
level. Every month counts once, with the first rating printed in it, the month of the game itself included: its list is
out before the game. Later games are not used, nor other games of the same moment (`halfpoint.models.games.periods`),
whose ratings may date from after the game; the game's own rating is then used for its month. Games without days are
used in file order. A missing rating is replaced by the last known rating; before any is known it stays unknown.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.periods import moments
from halfpoint.models.games.table import Floats, GameTable, Texts

NO_TIME = -(2**60)


@dataclass(frozen=True, eq=False)
class RatingHistory:
    """Printed ratings of players up to some moment."""

    players: Texts  # (player,): names, sorted
    last_elo: Floats  # (player,): last printed rating in Elo points, NaN where there was none
    mean_elo: Floats  # (player,): mean over the months, NaN where there was none
    months: Floats  # (player,): how many months it is over

    @classmethod
    def of(cls, games: GameTable) -> Self:
        """The history at the end of the games."""
        return cls(*running_ratings(games)[1])

    @classmethod
    def nothing(cls, players: Texts) -> Self:
        """History of players without known ratings."""
        unknown = np.full(players.size, np.nan)
        return cls(np.sort(players), unknown, unknown, np.zeros(players.size))

    def at(self, names: Texts, today_elo: Floats | None = None) -> tuple[Floats, Floats]:
        """Rating and mean of ratings so far of players, shape (name,), NaN if unknown."""
        place = np.where(np.isin(names, self.players), np.searchsorted(self.players, names), -1)
        unknown = ((self.last_elo, np.nan), (self.mean_elo, np.nan), (self.months, 0.0))
        last, mean, months = (np.append(values, value)[place] for values, value in unknown)
        today = np.full(names.size, np.nan) if today_elo is None else np.asarray(today_elo, dtype=np.float64)
        has_rating = ~np.isnan(today)
        total = np.nan_to_num(mean) * months + np.nan_to_num(today)
        mean = np.where(has_rating, total / np.maximum(months + has_rating, 1.0), mean)
        return np.where(has_rating, today, last), mean


def time_of(games: GameTable) -> npt.NDArray[np.int64]:
    """Each game's month, shape (game,): its period, else its calendar month, the same for all if neither."""
    if games.period is not None:
        return np.asarray(games.period, dtype=np.int64)
    if games.date is None:
        return np.full(len(games), NO_TIME, dtype=np.int64)
    month = games.date.astype("datetime64[M]")
    return np.where(np.isnat(month), NO_TIME, month.astype(np.int64))


def running_ratings(games: GameTable) -> tuple[tuple[Floats, Floats], tuple[Texts, Floats, Floats, Floats]]:
    """Rating and mean so far of each side of each game, and the final values of each player.

    Rating and mean have shape (2, game), White's and Black's, Elo points, NaN before the first known rating; the final
    values are those of `RatingHistory`.
    """
    count, size = len(games), games.players.size
    unknown = np.full(count, np.nan)
    printed = [unknown if ratings is None else ratings for ratings in (games.white_rating_elo, games.black_rating_elo)]
    player = np.concatenate([games.white, games.black]).astype(np.int64)
    rating = np.concatenate(printed).astype(np.float64)
    undated = np.ones(count, dtype=np.bool_) if games.date is None else np.isnat(games.date)
    moment = np.tile(moments(games) * (count + 1) + np.where(undated, np.arange(1, count + 1), 0), 2)
    order = np.lexsort((rating, moment, np.tile(time_of(games), 2), player))
    player, moment, rating, time = player[order], moment[order], rating[order], np.tile(time_of(games), 2)[order]
    row, is_rated = np.arange(2 * count), ~np.isnan(rating)
    begin = np.searchsorted(player, np.arange(size))  # where each player's games begin
    last = np.maximum.accumulate(np.where(is_rated, row, -1))  # the last known rating up to here
    before = np.concatenate([[-1], last[:-1]])
    first_of_month = is_rated & ((before < begin[player]) | (time != time[np.maximum(before, 0)]))
    total = np.concatenate([[0.0], np.cumsum(np.where(first_of_month, np.nan_to_num(rating), 0.0))])
    months = np.concatenate([[0.0], np.cumsum(first_of_month.astype(np.float64))])
    new = np.ones(2 * count, dtype=np.bool_)
    new[1:] = (np.diff(player) != 0) | (np.diff(moment) != 0)
    first_row = np.maximum.accumulate(np.where(new, row, 0))  # where the games of the same player and moment begin
    past = before[first_row]  # the last known rating of earlier moments
    has_past = past >= begin[player]
    running = np.where(is_rated, rating, np.where(has_past, rating[np.maximum(past, 0)], np.nan))
    itself = is_rated & ~(has_past & (time[np.maximum(past, 0)] == time))  # the month's first rating is the game's own
    counted = months[first_row] - months[begin[player]] + itself
    sums = total[first_row] - total[begin[player]] + np.where(itself, np.nan_to_num(rating), 0.0)
    mean = np.where(counted > 0.0, sums / np.maximum(counted, 1.0), np.nan)
    ends = np.searchsorted(player, np.arange(size), side="right")
    unsorted = np.empty(2 * count, dtype=np.intp)
    unsorted[order] = row
    has_rating = last[ends - 1] >= begin
    final = np.where(has_rating, rating[np.maximum(last[ends - 1], 0)], np.nan)
    months_of_all = months[ends] - months[begin]
    mean_of_all = np.where(has_rating, (total[ends] - total[begin]) / np.maximum(months_of_all, 1.0), np.nan)
    sides = running[unsorted].reshape(2, count), mean[unsorted].reshape(2, count)
    return sides, (games.players, final, mean_of_all, months_of_all)
