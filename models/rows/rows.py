r"""Games as formulas read them: players of each side, known ratings, and columns of the game.

A row is a game, or a cell of games that agree in all of this. A side is one player, or several (a pair of doubles, a
line-up); its strength is the mean over its players by their shares of play,

    side = sum_k share_k g_k        + the anchored part, if a player on it has a known rating instead of a parameter,

the shares of a side summing to one: two players of 1500 are a side of 1500 at any level of all strengths, and sides of
different sizes can meet.

Formulas are bare arithmetic on a mapping `p` of parameter name to values. Leading dims are draws, the last dims the
parameter's own: `p["strength"]` is (..., player). The same line accepts arrays of draws, graph nodes and sparse forms
(`reading.sparse_affine`): sampler, pointwise likelihood, forecasts and simulation share it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, Self, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Codes, Floats, GameTable, Integers
from halfpoint.models.rows.days import DAYS, ticks

type Rows = slice | Codes | Integers | npt.NDArray[np.bool_]  # some of the rows
type Columns = Mapping[str, npt.NDArray[Any]]  # of effects by target: (row, term), or levels (row,)


class Values(Protocol):
    """Operands of the formulas' arithmetic: arrays of draws, nodes of the graph, sparse affine forms."""

    def __getitem__(self, key: Any, /) -> Self: ...
    def __add__(self, operand: Any, /) -> Self: ...
    def __radd__(self, operand: Any, /) -> Self: ...
    def __sub__(self, operand: Any, /) -> Self: ...
    def __rsub__(self, operand: Any, /) -> Self: ...
    def __mul__(self, operand: Any, /) -> Self: ...
    def __rmul__(self, operand: Any, /) -> Self: ...
    def __neg__(self) -> Self: ...
    def __matmul__(self, operand: Any, /) -> Self: ...
    def __truediv__(self, operand: Any, /) -> Self: ...


Parameters = Mapping[str, Values]


@dataclass(frozen=True, eq=False)
class Side:
    """One side of each row: its players with their shares, and its anchored part."""

    players: npt.NDArray[np.int32]  # (row, seat): index of each player; 0 in a seat without a player
    share: Floats  # (row, seat): share of each player; 0 in a seat without a player
    anchored: Floats  # (row,): 1 where a known rating replaces the side, else 0
    rating: Floats  # (row,): that rating in natural units; 0 if absent

    def __len__(self) -> int:
        return int(self.rating.size)

    def of(self, value: Values, *further: npt.NDArray[np.int64]) -> Values:
        """Sum over the side of shares times a player's quantity, shape (..., row)."""
        total: Values | float = 0.0
        for seat in range(self.players.shape[1]):
            total = total + value[(..., self.players[:, seat], *further)] * self.share[:, seat]
        return cast(Values, total)

    def seats(self) -> Codes:
        """Number for each row, shape (row,), equal for equal players with equal shares."""
        return group_codes([*(self.players * (self.share != 0)).T, *self.share.T, self.anchored])

    def take(self, rows: Rows) -> "Side":
        """Side of some rows."""
        return Side(self.players[rows], *(_take_rows(part, rows) for part in (self.share, self.anchored, self.rating)))


def _take_rows[N: np.generic](values: npt.NDArray[N], rows: Rows) -> npt.NDArray[N]:
    """Values of some rows; a common number is returned unchanged."""
    chosen = values[rows]
    return np.broadcast_to(chosen[:1].copy(), chosen.shape) if len(chosen) and not any(values.strides) else chosen


def _single_sides(codes: Codes, rating: Floats) -> Side:
    """Sides of one player: an index, or -1 for a known rating in natural units, shape (row,)."""
    fixed = codes < 0
    if not fixed.any():  # no player: numbers that take no room
        ones, zeros = np.broadcast_to(1.0, (codes.size, 1)), np.broadcast_to(0.0, codes.size)
        return Side(np.asarray(codes, dtype=np.int32)[:, None], ones, zeros, zeros)
    players = np.maximum(codes, 0).astype(np.int32)[:, None]
    return Side(players, (~fixed).astype(np.float64)[:, None], fixed.astype(np.float64), np.where(fixed, rating, 0.0))


@dataclass(frozen=True, eq=False)
class GameRows:
    """Sides and period of each row."""

    white: Side  # the two sides, the first seat first
    black: Side  # likewise
    period: npt.NDArray[np.int64]  # (row,): index of the period for strengths that walk; zeros otherwise
    seated: Floats  # (row,): 1 where the seats differ (White moves first, home and away), 0 on neutral ground
    # columns of effects by target, shape (row, term), and levels of grouped ones, shape (row,)
    columns: Columns = field(default_factory=dict)
    margin: Floats | None = None  # (row,): margins, for formulas of margins
    # the two sides again where rows are games at the end of those of a fit, without columns: see
    # `models.declaration.worth`
    at_end: tuple[Codes | Side, Codes | Side] | None = None

    def __len__(self) -> int:
        return len(self.white)

    def take(self, rows: Rows) -> "GameRows":
        """Subset of the rows."""
        columns = {name: value[rows] for name, value in self.columns.items()}
        margin = None if self.margin is None else self.margin[rows]
        white, black = self.white.take(rows), self.black.take(rows)
        at_end = (
            None
            if self.at_end is None
            else tuple(side.take(rows) if isinstance(side, Side) else side[rows] for side in self.at_end)
        )
        period, seated = _take_rows(self.period, rows), _take_rows(self.seated, rows)
        return GameRows(white, black, period, seated, columns, margin, at_end)  # type: ignore[arg-type]


def group_codes(columns: Iterable[npt.NDArray[np.generic]]) -> Codes:
    """Number for each row, shape (row,), from 0 in the columns' order, equal if all columns agree."""
    number: npt.NDArray[np.intp] | None = None
    for column in columns:
        if np.any(column != column[:1]):
            place, values = pd.factorize(column, sort=True, use_na_sentinel=False)
            number = place if number is None else pd.factorize(number * len(values) + place, sort=True)[0]
    return np.broadcast_to(np.int32(0), len(column)) if number is None else np.asarray(number, dtype=np.int32)


def team_sides(members: Codes, share: Floats) -> Side:
    """Sides of several people: indexes, -1 in empty seats, and shares, scaled to sum to 1, both (row, seat)."""
    nothing = np.zeros(members.shape[0])
    return Side(np.maximum(members, 0).astype(np.int32), share / share.sum(axis=1, keepdims=True), nothing, nothing)


def meetings(
    white: Codes | Side,
    black: Codes | Side,
    white_rating: Floats,
    black_rating: Floats,
    period: Integers | None = None,
    columns: Columns | None = None,
    seated: Floats | None = None,
) -> GameRows:
    """Rows of sides, or of one player a side: indexes (-1 anchored) and ratings of anchors in natural units."""
    first = white if isinstance(white, Side) else _single_sides(white, white_rating)
    second = black if isinstance(black, Side) else _single_sides(black, black_rating)
    periods = np.broadcast_to(np.int64(0), len(first)) if period is None else np.asarray(period, dtype=np.int64)
    seats = np.broadcast_to(1.0, len(first)) if seated is None else seated
    return GameRows(first, second, periods, seats, dict(columns or {}))


Clock = Literal["period", "date"]


def periods(games: GameTable, every: int, clock: Clock | None = None) -> npt.NDArray[np.int64]:
    """Period of each game, `every` months long, shape (game,); period 1 begins with month 1.

    With `DAYS` it is the time of the game, in 24ths of a day.
    """
    if every == DAYS:
        return ticks(games, clock)
    return (months(games, clock) - 1) // every + 1


def months(games: GameTable, clock: Clock | None = None) -> npt.NDArray[np.int64]:
    """Month of each game, shape (game,): its period, or the calendar month, January 2010 being 1."""
    has = [name for name in ("period", "date") if getattr(games, name) is not None]
    if clock is not None and clock not in has:
        counted = "the numbers of their periods" if clock == "period" else "calendar months"
        raise ModelError(
            f"{games.source}: expected a {clock} for each game, since the strengths of this model walk by {counted}, "
            f"found {f'a {has[0]} alone' if has else 'neither period nor date'}. Add the column {clock}."
        )
    if games.period is not None and clock != "date":
        return np.asarray(games.period, dtype=np.int64)
    if games.date is None or np.isnat(games.date).any():
        raise ModelError(f"{games.source}: some games have neither a period nor a date. Add the column period or date")
    return np.asarray(games.date.astype("datetime64[M]").astype(np.int64) - 40 * 12 + 1)
