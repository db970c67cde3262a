"""Selection of the games of a model: monitored players, and opponents anchored to their rating on the day.

A monitored player has parameters. An opponent who is not monitored is anchored: the rating is the known number printed
with the game, never a parameter, and fixes the level of the scale (Pires 2014, section 3).

Games with the same White, Black, anchor and outcome are alike to every likelihood that sums over games, so they merge
into cells with the weights of their losses, draws and wins summed, sorted by White and then Black.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import find_players
from halfpoint.models.games.plain_words import NAMES, plain_word
from halfpoint.models.games.ranges import require_instance, require_word
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.table import Codes, Floats, GameTable, Integers, Texts

ANCHORED = -1
Rule = Literal["any", "both"]


@dataclass(frozen=True, eq=False, repr=False)
class Selection:
    """Games of the monitored players, ready for a model."""

    games: GameTable  # the selected games
    players: Texts  # (player,): the monitored players, in the order asked for
    # (game,): index into `players`, or -1 where that side is anchored; into `sides` where these have several people
    white: Codes
    black: Codes  # likewise
    anchor_elo: Floats  # (game,): rating on the day of the anchored side in Elo points; NaN where both are monitored
    weight: Floats  # (game,): weight of each game in the likelihood
    # name of the weights, for the record: "equal", "given" (a column of the games), or a name of `weights`
    weighting: str = "equal"
    sides: Sides | None = None  # who is on each side, indexes into `players`, where sides have several people
    # (player, 2): rating and standard deviation, Elo points, of players whom a list knows with an error; NaN for the
    # others
    prior_elo: Floats | None = None

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"{self.games.name}: {self.counts_in_words()}"

    def counts_in_words(self) -> str:
        """Number of games and players, weights, and anchored opponents, in words."""
        anchored = int(((self.white < 0) | (self.black < 0)).sum())
        further = f", {anchored:,} games against opponents anchored to their ratings" if anchored else ""
        further += (
            f", {int(self.has_error.sum()):,} of them with a list's rating and error" if self.has_error.any() else ""
        )
        return f"{len(self):,} games of {self.players.size:,} players{further}, weights {self.weighting}"

    @cached_property
    def has_error(self) -> npt.NDArray[np.bool_]:
        """True if a list has a player with an error, shape (player,)."""
        if self.prior_elo is None:
            return np.zeros(self.players.size, dtype=np.bool_)
        return ~np.isnan(self.prior_elo[:, 0])

    @cached_property
    def has_anchors(self) -> bool:
        """True if a game has a known rating, of an opponent or of a player with an error."""
        return bool((self.white < 0).any() or (self.black < 0).any() or self.has_error.any())

    def anchor_mean_elo(self) -> float:
        """Mean of the known ratings, Elo points, over games anchored on one side, or over players."""
        if self.prior_elo is None:
            return float(np.nanmean(self.anchor_elo))
        prior = np.append(self.prior_elo[:, 0], np.nan)
        white, black = (np.where(side < 0, self.anchor_elo, prior[side]) for side in (self.white, self.black))
        alone = np.isnan(white) != np.isnan(black)
        return float(np.nanmean(np.where(np.isnan(white), black, white)[alone] if alone.any() else prior))

    def ratings_elo(self) -> Floats:
        """Mean rating of each player in these games, shape (player,) in Elo points; NaN without any.

        Games count by their weights. A rating of a side of several people belongs to no player.
        """
        if self.sides is not None:
            return np.full(self.players.size, np.nan)
        total, count = np.zeros((2, self.players.size))
        for side, rating in ((self.white, self.games.white_rating_elo), (self.black, self.games.black_rating_elo)):
            if rating is not None:
                is_rated = (side >= 0) & ~np.isnan(rating)
                np.add.at(total, side[is_rated], self.weight[is_rated] * rating[is_rated])
                np.add.at(count, side[is_rated], self.weight[is_rated])
        return np.where(count > 0, total / np.where(count > 0, count, 1.0), np.nan)

    def members(self, side: Codes) -> Codes:
        """People of a side of each game, indexes into `players`, shape (game, seat); -1 in empty seats."""
        return side[:, None] if self.sides is None else self.sides.members[side]

    @property
    def games_of_players(self) -> npt.NDArray[np.int64]:
        """Number of games of each player, shape (player,)."""
        codes = np.concatenate([self.members(side).ravel() for side in (self.white, self.black)])
        return np.bincount(codes[codes >= 0], minlength=self.players.size)

    def seats_of(self, player: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """True if a player is on White's side, and on Black's, in each game; -1 selects anchored opponents."""
        white, black = ((self.members(side) == player).any(axis=1) for side in (self.white, self.black))
        return (white, black) if self.sides is None or player >= 0 else (white & False, black & False)

    def take(self, rows: npt.NDArray[np.bool_]) -> Self:
        """Selection of some of its games, (game,), of the same players."""
        parts = {name: getattr(self, name)[rows] for name in ("white", "black", "anchor_elo", "weight")}
        return replace(self, games=self.games.take(rows), **parts)

    def with_weights(self, weight: Floats, weighting: str) -> Self:
        """Selection with other weights, shape (game,)."""
        if weight.shape != (len(self),):
            raise GameTableError("weights", f"{len(self)} values, one a game", f"shape {weight.shape}")
        return replace(self, weight=np.asarray(weight, dtype=np.float64), weighting=weighting)


def select(games: GameTable, monitored: Sequence[str] | Texts | str, rule: Rule = "any") -> Selection:
    """The games of the monitored players, their opponents anchored.

    Parameters
    ----------
    games : GameTable
        All games.
    monitored : sequence of str, or str
        Names of the players who get parameters, or one name; case and accents need not be the table's.
    rule : {"any", "both"}
        Keep games with at least one monitored player (the study's rule), or only games between two of them.

    Raises
    ------
    GameTableError
        If a monitored player is repeated or has no game (nearest names in the message), no game is left, or an anchored
        opponent has no rating.
    """
    require_word("rule", rule, ("any", "both"), GameTableError)
    require_instance("games", games, GameTable, "Use hp.read(FILE).")
    source = f"monitored players, {games.source}"
    wanted = [monitored] if isinstance(monitored, str) else monitored
    require_instance("monitored", wanted, Iterable, "Give the names in a list.")
    names = np.asarray(find_players([str(name) for name in wanted], games.people.tolist(), source), dtype=np.str_)
    position = np.full(games.people.size, ANCHORED, dtype=np.int32)
    position[np.searchsorted(games.people, names)] = np.arange(names.size, dtype=np.int32)
    if games.sides is not None:
        return _select_sides(games, names, position, rule)
    white, black = games.white, games.black
    if not np.array_equal(position, np.arange(position.size)):
        white, black = position[white], position[black]
    keep = (white >= 0) | (black >= 0) if rule == "any" else (white >= 0) & (black >= 0)
    if not keep.any():
        raise GameTableError(games.source, f"games of the {names.size} monitored players (rule {rule})", "none")
    selected = games.take(keep)
    if selected is not games:
        white, black = white[keep], black[keep]
    return Selection(selected, names, white, black, anchors(selected, white, black), *own_weights(selected))


def _select_sides(games: GameTable, names: Texts, position: Codes, rule: Rule) -> Selection:
    """Games of sides of several people, all of them monitored; see `select`."""
    everyone = games.everyone
    is_monitored = (everyone >= 0) & (position[everyone] >= 0)
    has_all_monitored = (is_monitored | (everyone < 0)).all(axis=1)
    if rule == "any" and (is_monitored.any(axis=1) & ~has_all_monitored).any():
        game = int(np.flatnonzero(is_monitored.any(axis=1) & ~has_all_monitored)[0])
        pair = f"{games.white_names[game]} - {games.black_names[game]}"
        remedy = "A rating on the day cannot replace one of several people"
        remedy += ": rate with --rare pool, fit with --rule both, or without --monitor."
        raise GameTableError(games.place(game), "sides of rated people only", pair, remedy)
    if not has_all_monitored.any():
        raise GameTableError(games.source, f"games among the {names.size} monitored players alone", "none")
    selected = games.take(has_all_monitored)
    assert selected.sides is not None
    inner = np.searchsorted(games.people, selected.sides.people)
    sides = selected.sides.among(position[inner], names)
    unknown = np.full(len(selected), np.nan)
    return Selection(selected, names, selected.white, selected.black, unknown, *own_weights(selected), sides=sides)


def own_weights(games: GameTable) -> tuple[Floats, str]:
    """Weights of the games themselves, shape (game,), and their name for the record: equal or given."""
    if games.weight is None:
        return np.broadcast_to(1.0, len(games)), "equal"  # takes no room
    weight = games.weight.astype(np.float64)
    return weight, "equal" if bool(np.all(weight == 1.0)) else "given"


def anchors(games: GameTable, white: Codes, black: Codes) -> Floats:
    """Anchored side's rating on the day, shape (game,) in Elo points, NaN if both are monitored."""
    if min(white.min(initial=0), black.min(initial=0)) > ANCHORED:
        return np.broadcast_to(np.nan, len(games))  # takes no room
    anchor = np.full(len(games), np.nan)
    for side, rating in ((white, games.white_rating_elo), (black, games.black_rating_elo)):
        rating_of_side = np.full(len(games), np.nan) if rating is None else rating
        anchor = np.where(side == ANCHORED, rating_of_side, anchor)
    lost = np.flatnonzero(((white == ANCHORED) | (black == ANCHORED)) & np.isnan(anchor))
    if lost.size:
        shown = "; ".join(f"{games.place(int(g))}: {games.white_names[g]} - {games.black_names[g]}" for g in lost[:5])
        omitted = f" and {lost.size - 5} more" if lost.size > 5 else ""
        expected = "a rating on the day for every opponent who is not monitored"
        remedy = "Add the ratings, monitor these players, or select with rule 'both'."
        raise GameTableError(games.source, expected, f"{lost.size} games without one ({shown}{omitted})", remedy)
    return anchor


def most_active(games: GameTable, count: int | None = None, at_least: int | None = None) -> Texts:
    """The players with the most games, or with at least a given number.

    Parameters
    ----------
    games : GameTable
        All games.
    count : int, optional
        Number of players to return, most active first (ties by name).
    at_least : int, optional
        Smallest number of games a player must have.

    Returns
    -------
    array of str, shape (player,)

    Raises
    ------
    GameTableError
        If the number is missing or invalid, or no player qualifies.
    """
    if (count is None and at_least is None) or (count is not None and count < 1):
        raise GameTableError("monitored players", "a count >= 1 or a smallest number of games", f"{count!r}")
    played = games.games_of_people
    order = np.argsort(-played, kind="stable")
    if at_least is not None:
        order = order[played[order] >= at_least]
    if not order.size:
        raise GameTableError(games.source, f"a player with at least {at_least} games", f"at most {played.max()}")
    return games.people[order[:count]]


def monitored_players(wanted: int | str | Path | Sequence[str] | None, games: GameTable) -> Texts:
    """The requested players, shape (player,).

    Examples
    --------
    >>> from halfpoint import readers
    >>> table = readers.replica().training
    >>> monitored_players(2, table).size, monitored_players(["CarlsenMagnus"], table).tolist()
    (2, ['CarlsenMagnus'])
    """
    if wanted is None:
        return games.people
    if isinstance(wanted, str | Path):
        return read_players(wanted)
    if isinstance(wanted, int | np.integer):
        return most_active(games, count=int(wanted))
    return np.asarray(list(wanted), dtype=np.str_)


_COLUMNS_OF_GAMES = 4  # commas in one name are fewer


def read_players(path: str | Path) -> Texts:
    """The names in a text file, one per line; blank lines and lines that start with # are skipped.

    `GameTableError` if the file has columns, since only names are read.
    """
    text, _ = read_text(path)
    lines = text.splitlines()
    names = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not names:
        raise GameTableError(str(path), "at least one player", "none")
    header = {plain_word(cell) for cell in re.split("[,;\t]", names[0])}
    if len(header) > 1 and (header & {*NAMES} or len(header) >= _COLUMNS_OF_GAMES):
        remedy = "Keep the column of names alone, without the header."
        raise GameTableError(f"{path}, line 1", "a name a line, without columns", repr(names[0][:80]), remedy)
    return np.asarray(names, dtype=np.str_)


@dataclass(frozen=True, eq=False)
class Cells:
    """Merged games of a selection, sorted by White, then Black, then anchor."""

    players: Texts  # (player,): the monitored players
    # (cell,): index into `players`, -1 where that side is anchored; into `sides` where these have several people
    white: Codes
    black: Codes  # likewise
    anchor_elo: Floats  # (cell,): rating of the anchored side in Elo points, NaN where both are monitored
    weight: Floats  # (cell, outcome): summed weights of the losses, draws and wins for White
    # (cell,): further class that kept games apart (period, covariate class), 0 if none was asked for
    key: npt.NDArray[np.int64]
    cell_of_row: Codes  # (row,): cell of each game of the selection, then of each row beyond one a game
    # (2, row - game): of these their games and outcomes, as with steps of grades (`models.language.grades`)
    further: Integers = field(default_factory=lambda: np.empty((2, 0), dtype=np.int64))
    sides: Sides | None = None  # who is on each side, indexes into `players`, where sides have several people

    def __len__(self) -> int:
        return int(self.white.size)

    @property
    def cell_of_game(self) -> Codes:
        """Cell of each game of the selection, shape (game,)."""
        return self.cell_of_row[: self.cell_of_row.size - self.further[0].size]

    @property
    def weight_of_games(self) -> Floats:
        """Weights of games alone, shape (cell, outcome); further rows have weight 0."""
        if not self.further.size:
            return self.weight
        return self.weight * (np.bincount(self.cell_of_game, minlength=len(self.weight)) > 0)[:, None]

    def by_row[N: np.generic](self, values: npt.NDArray[N], further: npt.NDArray[N] | None = None) -> npt.NDArray[N]:
        """Quantity by game, (game,), extended to further rows, by `further` or the value of their game; (row,)."""
        if not self.further.size:
            return values
        return np.append(values, values[self.further[0]] if further is None else further)

    def sum_weights(self, outcome: Codes, weight: Floats) -> Floats:
        """Summed weights of the losses, draws and wins of cells for given weights of games, shape (cell, outcome)."""
        which = self.by_row(outcome, self.further[1]) * np.int64(len(self)) + self.cell_of_row
        return np.bincount(which, self.by_row(weight), 3 * len(self)).reshape(3, -1).T  # as potentials read it

    def seats(self, side: Codes) -> tuple[Codes, Floats]:
        """People of a side of each cell, indexes into `players`, and their weights, each of shape (cell, seat).

        Empty seats and seats of anchored opponents are -1 with weight 0; the other weights of a side sum to 1.
        """
        if self.sides is None:
            return side[:, None], (side >= 0).astype(np.float64)[:, None]
        return self.sides.members[side], self.sides.weights[side]


def merge(selection: Selection, key: Codes | Integers | None = None, further: Integers | None = None) -> Cells:
    """The cells of a selection.

    Parameters
    ----------
    selection : Selection
        Games with indexes, anchors and weights.
    key : array of int64, shape (game,), optional
        Games with different keys stay in different cells (a month, a time control).
    further : array of int, shape (2, row - game), optional
        Games and outcomes of the rows beyond one per game; `key` then covers all rows, the games first.
    """
    further = np.empty((2, 0), dtype=np.int64) if further is None else further
    game = np.append(np.arange(len(selection)), further[0]) if further.size else slice(None)
    white, black, anchors = selection.white[game], selection.black[game], selection.anchor_elo[game]
    stratum = np.broadcast_to(0, white.size) if key is None else np.asarray(key, dtype=np.int64)
    number = white * np.int64(2 + black.max()) + black  # -1 where anchored
    anchor = np.nan_to_num(anchors, nan=-1.0)
    varying = [column for column in (stratum, anchor) if np.any(column != column[0])]
    changed = np.zeros(number.size, dtype=bool)
    changed[0] = True
    bits = number.size.bit_length()
    if not varying and abs(int(number.max())) < 1 << (62 - bits):  # with its place in one number: a sort of one
        number = (number << bits) | np.arange(number.size)
        number.sort()
        order = (number & ((1 << bits) - 1)).astype(np.int32 if bits < 32 else np.int64)
        changed[1:] = np.diff(number >> bits) != 0
        del number
    else:
        order = np.lexsort((*varying, number))
        for column in (*varying, number):
            changed[1:] |= np.diff(column[order]) != 0
    starts = np.flatnonzero(changed)
    cell_of_row = np.empty(order.size, dtype=np.int32)
    cell_of_row[order] = np.cumsum(changed, dtype=np.int32) - 1
    first = order[starts]
    anchor_elo = anchors[first] if any(anchors.strides) else anchors[: first.size]
    stratum = stratum[first] if varying else np.broadcast_to(stratum[0], starts.shape)
    who, nothing = selection.players, np.empty((first.size, 3))
    cells = Cells(who, white[first], black[first], anchor_elo, nothing, stratum, cell_of_row, further, selection.sides)
    return replace(cells, weight=cells.sum_weights(selection.games.outcome, selection.weight))
