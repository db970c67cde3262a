"""Games of a tournament by the rounds of its players: the opponent's number, the seat if known, and the result.

Each game is in both players' rows, which must agree. It is read from White's row; if seats are unknown, from the upper
row.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.packaged import packaged_table

#: signs and letters of a result, of games that were played; results by the points of both rows
POINTS, _RESULTS = packaged_table("readers", "rounds.toml").values()


type Rounds = Sequence[Sequence[Met | None]]  # of each player, None without an opponent
type Place = Callable[[int, int], str]  # from the row of a player and a round to their place, for messages


class Met(NamedTuple):
    """Round of a player with an opponent."""

    other: str  # the opponent's number
    points: str  # 1, = or 0; + or - of a forfeit; ? or empty if unknown
    seat: str  # w, b, or empty if unknown
    text: str  # how a message calls it


class Game(NamedTuple):
    """A game by the rows of its players."""

    white: int
    black: int
    result: str
    round: int
    seated: bool  # whether it is known who had White


def games_of_rounds(players: Rounds, numberings: Sequence[dict[str, int]], expected: str, place: Place) -> list[Game]:
    """Games of players' rounds by the first numbering with which both rows of every game agree.

    Parameters
    ----------
    players : sequence of sequence
        The rounds of each player, None without an opponent.
    numberings : sequence of mapping
        Rows of the players by their numbers, one mapping or several to try.
    expected : str
        What both rows have to be, for messages.
    place : callable
        From the row of a player and a round to their place, for messages.

    Raises
    ------
    GameTableError
        If rows disagree under every numbering; the place is that of the first.
    """
    odd: GameTableError | None = None
    for row_of in numberings:
        try:
            return list(_games(players, row_of, expected, place))
        except GameTableError as error:
            odd = odd or error
    raise odd or GameTableError(place(0, 1), "a different number for each player", "the same number twice")


def _games(players: Rounds, row_of: Mapping[str, int], expected: str, place: Place) -> Iterator[Game]:
    """Yield the games of players whose rows are identified by numbers."""
    for row, rounds in enumerate(players):
        for number, met in enumerate(rounds, 1):
            if met is None:
                continue
            rival = row_of.get(met.other, -1)
            reply = players[rival][number - 1] if rival not in (-1, row) and len(players[rival]) >= number else None
            mutual = reply is not None and row_of.get(reply.other) == row
            result = _RESULTS.get(met.points + reply.points) if reply is not None and mutual else None
            if reply is None or result is None:
                raise GameTableError(place(row, number), expected, f"{met.text} and {reply and reply.text}")
            seated = met.seat != reply.seat
            if (met.seat == "w" or reply.seat == "b") if seated else row < rival:
                yield Game(row, rival, result, number, seated)
