"""Missing ratings on the day, filled from the FIDE lists of the months."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from halfpoint.games.errors import GameTableError
from halfpoint.games.fide_list import FideList, Kind, read_fide_list
from halfpoint.games.names import plain
from halfpoint.games.table import Floats, GameTable, Texts

ID_TAGS = ("WhiteFideId", "BlackFideId")


@dataclass(frozen=True, eq=False)
class Filled:
    """A table with ratings filled in, and what could not be.

    Parameters
    ----------
    games : GameTable
        The games; a rating that was there stays.
    filled : int
        Ratings filled in.
    by_name : int
        How many of them by the name alone.
    ambiguous : tuple of str
        Players whose name stands for several in a list; their ratings stay unknown.
    missing : tuple of str
        Players in no list that is old enough, or without a rating there.
    """

    games: GameTable
    filled: int
    by_name: int
    ambiguous: tuple[str, ...]
    missing: tuple[str, ...]


def read_lists(
    games: GameTable, paths: Iterable[str | Path], months: Sequence[str] | None = None, kind: Kind = "standard"
) -> list[FideList]:
    """Return the FIDE lists of some files, with the players of the table alone.

    Parameters
    ----------
    games : GameTable
        Whose players to keep.
    paths : iterable of str or Path
        The lists.
    months : sequence of str, optional
        Their months (``2012-12``), where neither header nor file name tells them.
    kind : {"standard", "rapid", "blitz"}
        Which ratings.

    Raises
    ------
    GameTableError
        If a file is no rating list or its month is unknown.
    """
    names = {plain(name) for name in games.players.tolist()}
    numbers = {number for tag in ID_TAGS for number in ids_of(games, tag).tolist() if number}
    chosen = list(paths)
    given = [None] * len(chosen) if months is None else list(months)
    if len(given) != len(chosen):
        raise GameTableError("months", f"{len(chosen)} months, one a list", f"{len(given)}")
    pairs = zip(chosen, given, strict=True)
    return [read_fide_list(p, m, kind, lambda number, name: number in numbers or name in names) for p, m in pairs]


def ids_of(games: GameTable, tag: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the FIDE ids of a side from its covariate, 0 where unknown, shape (game,)."""
    if tag not in games.covariates:
        return np.zeros(len(games), dtype=np.int64)
    texts = [str(value).strip().removesuffix(".0") for value in games.covariates[tag].tolist()]
    return np.array([int(text) if text.isdecimal() and len(text) < 18 else 0 for text in texts], dtype=np.int64)


def fill_ratings(games: GameTable, lists: Sequence[FideList]) -> Filled:
    """Return the table with unknown ratings filled from the latest list that is not later than the game.

    A player is found by the FIDE id (the covariates WhiteFideId and BlackFideId), else by a name that only one player
    of the list has.

    Parameters
    ----------
    games : GameTable
        Games with dates.
    lists : sequence of FideList
        The lists, in any order.

    Returns
    -------
    Filled

    Raises
    ------
    GameTableError
        If the table has no dates, or there is no list or two of one month.
    """
    if games.date is None:
        raise GameTableError(games.source, "dates, to choose the list of the month", "none")
    ordered = sorted(lists, key=lambda item: item.month)
    months = np.array([item.month for item in ordered], dtype="datetime64[M]")
    if not lists or np.unique(months).size != months.size:
        raise GameTableError("rating lists", "one or more, each of its own month", f"months {months.tolist()}"[:80])
    chosen = np.searchsorted(months, games.date.astype("datetime64[M]"), side="right") - 1
    chosen[np.isnat(games.date)] = -1
    ambiguous: set[str] = set()
    missing: set[str] = set()
    counts = np.zeros(2, dtype=np.int64)

    def side(known: Floats | None, names: Texts, tag: str) -> Floats:
        rating = np.full(len(games), np.nan) if known is None else known.copy()
        numbers = ids_of(games, tag)
        for game in np.flatnonzero(np.isnan(rating)).tolist():
            name, number = str(names[game]), int(numbers[game])
            if chosen[game] < 0:
                missing.add(name)
                continue
            listed = ordered[chosen[game]]
            by_name = number not in listed.rating_elo
            if by_name and number == 0:
                found = listed.ids.get(plain(name), [])
                if len(found) > 1:
                    ambiguous.add(name)
                    continue
                number = found[0] if found else 0
            if number in listed.rating_elo:
                rating[game] = listed.rating_elo[number]
                counts[:] += (1, by_name)
            else:
                missing.add(name)
        return rating

    white = side(games.white_rating_elo, games.white_names, ID_TAGS[0])
    black = side(games.black_rating_elo, games.black_names, ID_TAGS[1])
    filled = replace(games, white_rating_elo=white, black_rating_elo=black)
    return Filled(filled, int(counts[0]), int(counts[1]), tuple(sorted(ambiguous)), tuple(sorted(missing)))
