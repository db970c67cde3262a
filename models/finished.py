"""Worth of players in a PyMC model that was finished by hand, read from the sides of its own games.

Such a model has no function for other games. Where its sides are sums over parameters of the players alone, the same
for all games of a player, other games between these players are read from the record of these sums, as those of any
trace (`halfpoint.models.worth`); columns, periods and printed ratings leave no such record.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from halfpoint.games.table import Codes, Integers
from halfpoint.models.declared import Declared
from halfpoint.models.graph.sparse_affine import NotAffineError, SparseAffine, flat_terms
from halfpoint.models.worth import Worth, recorded_terms

_Terms = list[tuple[Any, tuple[Any, ...]]]
_NEAR = 1e-9


def worth_of_finished(declared: Declared) -> Worth | None:
    """Sums over parameters by player that give the sides of a finished model's games; None if no such sums exist."""
    if declared.selection.sides is not None or not declared.selection.players.size:
        return None
    white, black = declared.seats
    kept = np.flatnonzero((declared.cells.white >= 0) & (declared.cells.black >= 0) & (declared.rows.seated == 1.0))
    players, slots = int(declared.selection.players.size), declared.layout.slots
    try:
        first, second, lam, *further = declared.sides(slots)
    except (NotAffineError, NotImplementedError):
        return None
    if further or not kept.size:
        return None
    seats = white[kept], black[kept]
    found = {"white": _of_seat(first, kept, len(white), seats[0], players)}
    found["black"] = _of_seat(second, kept, len(white), seats[1], players)
    if lam is not None:
        found |= _of_both(lam, kept, len(white), seats, players)
    record: dict[str, Any] = {}
    for name, terms in found.items():
        told = None if terms is None else recorded_terms(SparseAffine((players,), terms), declared.layout.kept_slots())
        if told is None:
            return None
        record[name] = told
    return Worth(record)


def _of_seat(form: Any, kept: Integers, rows: int, seats: Codes, players: int) -> _Terms | None:
    """Terms of each player's side from those of rows; None if they are not the player's alone."""
    made = [_by_player(term, seats, players) for term in _terms(form, kept, rows)]
    return None if None in made else [one for one in made if one is not None]


def _of_both(
    form: Any, kept: Integers, rows: int, seats: tuple[Codes, Codes], players: int
) -> dict[str, _Terms | None]:
    """Terms of lam: of the game, of the player in the first seat, and of the player in the second."""
    found: dict[str, _Terms | None] = {"first": [], "second": [], "lam": []}
    for slope, index in _terms(form, kept, rows):
        if all(_alike(one) for one in (slope, *index)):
            name, made = "lam", _by_player((slope, index), seats[0], players)
        else:
            both = zip(("first", "second"), (_by_player((slope, index), one, players) for one in seats), strict=True)
            name, made = next(((key, one) for key, one in both if one is not None), ("lam", None))
        there = found[name]
        found[name] = None if made is None or there is None else [*there, made]
    return found


def _terms(form: Any, kept: Integers, rows: int) -> Iterable[tuple[Any, tuple[Any, ...]]]:
    """Terms of some rows that count in any."""
    for slope, index in flat_terms(form, rows):
        if np.any(slope[kept]):
            yield slope[kept], tuple(one[kept] for one in index)


def _by_player(term: tuple[Any, tuple[Any, ...]], seats: Codes, players: int) -> tuple[Any, tuple[Any, ...]] | None:
    """Term of each player from that of each row with the player in a seat; None if rows of a player differ."""
    slope, index = term
    made = [_spread(one, seats, players) for one in (slope, *index)]
    if any(one is None for one in made):
        return None
    return made[0], tuple(made[1:])


def _spread(values: Any, seats: Codes, players: int) -> Any:
    """Value of each player from the rows; without rows the common value, or the value of the next row."""
    if _alike(values):
        return np.broadcast_to(np.ravel(values)[:1], (players,))
    of_first = np.full(players, -1, dtype=np.int64)
    of_first[seats[::-1]] = np.arange(seats.size)[::-1]
    seen = of_first >= 0
    made = np.zeros(players, dtype=np.asarray(values).dtype)
    made[seen] = values[of_first[seen]]
    if not np.allclose(made[seats], values, rtol=_NEAR, atol=0.0):
        return None
    if not seen.all():
        if made.dtype.kind == "f":
            return None
        apart = made[seen] - np.flatnonzero(seen)
        if np.ptp(apart):
            return None
        made = np.arange(players, dtype=np.int64) + apart[0]
    return made


def _alike(values: Integers | Any) -> bool:
    """True if all values are equal."""
    return bool(np.ptp(values) == 0)
