"""Matches of two or more sides with one or more players each, as flat arrays; people on the sides of games.

A match is a list of sides and their ranks, 0 the best, equal ranks a draw. Two-sided games are the special case. A
share of play other than 1 means that a player took part in a fraction of it.

A system with `rates_people` set rates all people on a side: each person has one rating in any line-up. Other systems
rate a side as a unit, like one player.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Ledger, day_ratings
from halfpoint.models.games.table import Floats, GameTable, Texts

Ints = npt.NDArray[np.int64]
type Seats = tuple[Ints, Floats, Ints, Floats, Ints]


@dataclass(frozen=True, eq=False)
class Matches:
    """Ranked matches of sides."""

    players: Texts  # (player,): every player once
    member: Ints  # (seat,): index into `players`, side after side
    share: Floats  # (seat,): share of play, above 0
    side_start: Ints  # (side + 1,): seats `side_start[s]:side_start[s + 1]` are side s
    rank: Floats  # (side,): place within the match, lower is better, equal is a draw
    match_start: Ints  # (match + 1,): sides `match_start[m]:match_start[m + 1]` are match m

    def __post_init__(self) -> None:
        if (np.diff(self.side_start) < 1).any() or (np.diff(self.match_start) < 2).any():
            raise RatingSystemError("matches", "two or more sides a match, one or more players a side", "fewer")
        if not ((self.share > 0.0) & np.isfinite(self.share)).all():
            raise RatingSystemError("matches", "shares of play above 0", f"{self.share.min()}")
        if not np.isfinite(self.rank).all():
            raise RatingSystemError("matches", "a rank for each side", "a side without a rank")
        match = np.repeat(np.arange(len(self)), np.diff(self.side_start[self.match_start]))
        key = match * max(self.players.size, 1) + self.member
        if np.unique(key).size != key.size:
            raise RatingSystemError("matches", "every player once a match", "a player twice in a match")

    def __len__(self) -> int:
        return int(self.match_start.size - 1)

    @property
    def seats(self) -> Seats:
        """Arrays for compiled loops, without the names."""
        return self.member, self.share, self.side_start, self.rank, self.match_start


def matches_of(
    sides: Sequence[Sequence[Sequence[str]]],
    ranks: Sequence[Sequence[float]] | None = None,
    shares: Sequence[Sequence[Sequence[float]]] | None = None,
) -> Matches:
    """Matches from the names of the players on each side of each match.

    Ranks are those of the sides, lower is better, by default their order; shares of play are 1 by default.

    Examples
    --------
    >>> one = matches_of([[["Ann", "Bob"], ["Cid"], ["Dee", "Eve"]]], ranks=[[0, 1, 1]])
    >>> len(one), one.players.tolist(), one.side_start.tolist()
    (1, ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'], [0, 2, 3, 5])
    """
    names = [name for match in sides for side in match for name in side]
    players, member = np.unique(np.array(names, dtype=np.str_), return_inverse=True)
    places = [list(range(len(match))) for match in sides] if ranks is None else ranks
    rank = np.array([value for match in places for value in match], dtype=np.float64)
    if rank.size != sum(len(match) for match in sides):
        raise RatingSystemError("matches", "a rank for each side", f"{rank.size}")
    share = np.ones(len(names))
    if shares is not None:
        share = np.array([value for match in shares for side in match for value in side], dtype=np.float64)
        if share.size != len(names):
            raise RatingSystemError("matches", "a share for each player", f"{share.size}")
    return Matches(
        players, member.astype(np.int64), share, _starts([len(side) for match in sides for side in match]), rank,
        _starts([len(match) for match in sides]),
    )  # fmt: skip


def two_sided(players: Texts, seat: Ints, share: Floats, outcome: npt.NDArray[np.integer]) -> Matches:
    """The matches of two-sided games, by participants and shares of play, shape (game, 2, seat) each."""
    is_seated = seat >= 0
    rank = np.stack([outcome < 1, outcome > 1], axis=1).astype(np.float64).ravel()
    return Matches(
        players, seat[is_seated].astype(np.int64), share[is_seated], _starts(is_seated.sum(axis=2).ravel()), rank,
        np.arange(0, rank.size + 1, 2, dtype=np.int64),
    )  # fmt: skip


def _starts(sizes: Sequence[int] | npt.NDArray[np.integer]) -> Ints:
    """Starts of stretches of these sizes, and the end."""
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))]).astype(np.int64)


def rates_people(rated: object, games: GameTable) -> bool:
    """True if a system rates the people of sides rather than the sides."""
    return games.sides is not None and bool(getattr(rated, "rates_people", False))


def who_is_rated(rated: object, games: GameTable) -> tuple[Texts, Floats]:
    """Rated people or players of a table, shape (player,), and their printed ratings; sides have no ratings."""
    if rates_people(rated, games):
        return games.people, np.full(games.people.size, np.nan)
    return games.players, day_ratings(games)


def seats_of(rated: object, ledger: Ledger, games: GameTable) -> tuple[Ints, Floats]:
    """Enter players in a ledger; return indices and shares of play, shape (game, 2, seat), White's first.

    Empty seats are at -1, with a share of 0.
    """
    place, codes = ledger.add(*who_is_rated(rated, games)), np.stack([games.white, games.black], axis=1)
    if not rates_people(rated, games):
        seat = place[codes][:, :, None]
        return seat, np.ones(seat.shape)
    assert games.sides is not None
    members = games.sides.members
    return np.where(members >= 0, np.append(place, -1)[members], -1)[codes], games.sides.share[codes]


def matches_in_order(rated: object, ledger: Ledger, games: GameTable, order: npt.NDArray[np.intp]) -> Matches:
    """The games of a period as matches in a ledger, in the order of learning; new players are entered."""
    seat, share = seats_of(rated, ledger, games)
    return two_sided(np.asarray(ledger.names, dtype=np.str_), seat[order], share[order], games.outcome[order])


def side_sums(rated: object, games: GameTable, values: Floats, power: int = 1) -> tuple[Floats, Floats]:
    """Sums over the people of White and Black of share^power times a value, shape (game,) each."""
    if not rates_people(rated, games):
        return values[games.white], values[games.black]
    assert games.sides is not None
    members, share = games.sides.members, games.sides.share
    is_seated = members >= 0
    sums = np.where(is_seated, np.where(is_seated, share, 1.0) ** power * np.append(values, 0.0)[members], 0.0).sum(
        axis=1
    )
    return sums[games.white], sums[games.black]


def ratings_before(rated: object, ledger: Ledger, games: GameTable) -> Floats:
    """Current ratings of the players of a table, shape (player,); mean of its people for a side."""
    rating = ledger.peek_names(*who_is_rated(rated, games))["rating"]
    if not rates_people(rated, games):
        return rating
    assert games.sides is not None
    return np.asarray((games.sides.weights * np.append(rating, 0.0)[games.sides.members]).sum(axis=1))
