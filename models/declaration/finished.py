"""Worth of players in a PyMC model that was finished by hand, read from the sides of its own games.

Such a model has no function for other games. If its sides are sums over parameters of the players alone, the same for
all games of a player, other games between these players use the record of these sums, as with any trace
(`halfpoint.models.declaration.worth`); sides that depend on columns, periods or printed ratings have no such record.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.worth import Worth, recorded_terms
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine, flat_terms

type _Term = tuple[Floats, tuple[Integers, ...]]  # coefficients, and places of the values that they multiply
_NEAR = 1e-9


def worth_of_finished(declared: Declared) -> Worth | None:
    """Sums over parameters by player that give the sides of a finished model's games; None if no such sums exist."""
    if declared.selection.sides is not None or not declared.selection.players.size:
        return None
    rows = declared.rows
    white, black = rows.white.players[:, 0], rows.black.players[:, 0]
    players, slots = int(declared.selection.players.size), declared.layout.slots
    is_rating = (rows.white.anchored != 0.0) | (rows.black.anchored != 0.0)  # a side that is a rating, not a player
    pairs = np.flatnonzero(~is_rating & (rows.seated == 1.0))
    try:
        first, second, lam, *further = declared.sides(slots)
    except (NotAffineError, NotImplementedError):
        return None
    if further or not pairs.size:
        return None
    seats = white[pairs], black[pairs]
    if any(np.unique(seat).size < players for seat in seats):
        return None  # what a player without such a game brings cannot be read from games
    sides = {"white": _of_seat(first, pairs, len(white), seats[0], players)}
    sides["black"] = _of_seat(second, pairs, len(white), seats[1], players)
    if lam is not None:
        sides |= _of_both(lam, pairs, len(white), seats, players)
    record: dict[str, object] = {}
    for name, terms in sides.items():
        recorded = (
            None if terms is None else recorded_terms(SparseAffine((players,), terms), declared.layout.kept_slots())
        )
        if recorded is None:
            return None
        record[name] = recorded
    return Worth(record)


def _of_seat(form: object, pairs: Integers, rows: int, seats: Codes, players: int) -> list[_Term] | None:
    """Terms of each player's side, from the terms of rows; None if they depend on other players."""
    by_player = [_by_player(term, seats, players) for term in _terms(form, pairs, rows)]
    return None if None in by_player else [term for term in by_player if term is not None]


def _of_both(
    form: object, pairs: Integers, rows: int, seats: tuple[Codes, Codes], players: int
) -> dict[str, list[_Term] | None]:
    """Terms of lam: of the game, of the player in the first seat, and of the player in the second."""
    terms: dict[str, list[_Term] | None] = {"first": [], "second": [], "lam": []}
    for slope, index in _terms(form, pairs, rows):
        if all(_alike(values) for values in (slope, *index)):
            name, term = "lam", _by_player((slope, index), seats[0], players)
        else:
            sides = zip(("first", "second"), (_by_player((slope, index), seat, players) for seat in seats), strict=True)
            name, term = next(((key, term) for key, term in sides if term is not None), ("lam", None))
        earlier = terms[name]
        terms[name] = None if term is None or earlier is None else [*earlier, term]
    return terms


def _terms(form: object, pairs: Integers, rows: int) -> Iterable[_Term]:
    """Terms of some rows that count in any."""
    for slope, index in flat_terms(form, rows):
        if np.any(slope[pairs]):
            yield slope[pairs], tuple(places[pairs] for places in index)


def _by_player(term: _Term, seats: Codes, players: int) -> _Term | None:
    """Term of each player, from the rows with the player in a seat; None if rows of a player differ."""
    slope, index = term
    c = np.empty(players)
    c[seats] = slope
    places = np.empty((len(index), players), dtype=np.int64)
    for place, values in zip(places, index, strict=True):
        place[seats] = values
    same = np.allclose(c[seats], slope, rtol=_NEAR, atol=0.0)
    same &= all(np.array_equal(place[seats], values) for place, values in zip(places, index, strict=True))
    return (c, tuple(places)) if same else None


def _alike(values: npt.NDArray[np.number]) -> bool:
    """True if all values are equal."""
    return bool(np.ptp(values) == 0)
