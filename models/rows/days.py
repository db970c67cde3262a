r"""Strengths in continuous time: processes in state space, and the days on which each player plays.

    x_k = A x_k-1 + s C e_k,   e ~ N(0, 1),   C C' = 1 - A A',   x_1 ~ N(0, s^2 1)

    ornstein-uhlenbeck   A = e^(-d/l)                                       covariance s^2 e^(-d/l)
    matern               A = e^(-a) ((1 + a, a), (-a, 1 - a))               s^2 (1 + a) e^(-a),   a = sqrt(3) d / l

k counts a player's own days, which are d days apart. x is form; of the Matern process (smoothness 3/2) also its slope
by days, in units of sqrt(3) s / l. A player has a state on each day on which they play and on the last day of games. No
other state is needed, since the process is Markov: a later or intermediate day is drawn from its law given the states
around it.

Days are counted in 24ths, so that a column `session` (1, 2, ... within a day) separates games of one day.

Hartikainen & Sarkka (2010) IEEE MLSP, 379, for Matern processes in state space; Rasmussen & Williams (2006), Gaussian
Processes for Machine Learning, eq. 4.17 and B.27, for the covariances.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats, GameTable, Integers

if TYPE_CHECKING:
    from halfpoint.models.pymc_import import Operand
    from halfpoint.models.rows.rows import GameRows

DAYS = -1  # months of a period in which each player has days of their own
TICKS = 24  # of a day
VISITS = "visit"  # the dim of players' own days
SESSION = "session"  # the column that numbers the sessions of a day
FIRST = 1e9  # days since nothing: a player's first state owes nothing to an earlier one
_SMALL, _TERMS = 0.1, 7  # of 2 a: below it N terms avoid the loss of digits
type Matrix = tuple[tuple[Any, ...], ...]  # by rows, each entry of any shape


def ornstein_uhlenbeck(days: "Operand", length: "Operand", xp: ModuleType = np) -> tuple[Matrix, Matrix]:
    """A and C of a step of some days; `xp` is NumPy or PyTensor."""
    return ((xp.exp(-days / length),),), ((xp.sqrt(-xp.expm1(-2.0 * days / length)),),)


def matern(days: "Operand", length: "Operand", xp: ModuleType = np) -> tuple[Matrix, Matrix]:
    """A and C (lower) of a step of some days; `xp` is NumPy or PyTensor."""
    a = np.sqrt(3.0) * days / length
    x, decay = 2.0 * a, xp.exp(-a)
    series: Operand = 1.0
    for n in range(_TERMS, 0, -1):
        series = 1.0 + series * x / (3.0 + n)
    square = xp.exp(-x)
    first = xp.where(x < _SMALL, square * x**3 / 6.0 * series, 1.0 - square * (1.0 + x + x**2 / 2.0))
    across = square * x**2 / 2.0
    root = xp.sqrt(first)
    below = across / root
    corner = xp.sqrt(first + 2.0 * x * square - below**2)
    return ((decay * (1.0 + a), decay * a), (-decay * a, decay * (1.0 - a))), ((root,), (below, corner))


KERNELS: dict[str, Callable[..., tuple[Matrix, Matrix]]] = {
    "ornstein-uhlenbeck": ornstein_uhlenbeck,
    "matern": matern,
}
STATES = {"ornstein-uhlenbeck": 1, "matern": 2}  # numbers of a state


def whitened(kernel: str, days: "Operand", length: "Operand", xp: ModuleType = np) -> tuple[list[list[Any]], Any]:
    """Coefficients of x_k and x_k-1 in C^-1 (x_k - A x_k-1), and log det C."""
    a, c = KERNELS[kernel](days, length, xp)
    zero = 0.0 * days
    if len(c) == 1:
        ((root,),) = c
        return [[1.0 / root, -a[0][0] / root]], xp.log(root)
    (root,), (below, corner) = c
    first = [1.0 / root, zero, -a[0][0] / root, -a[0][1] / root]
    raw = [zero, 1.0 + zero, -a[1][0], -a[1][1]]
    return [first, [(entry - below * top) / corner for entry, top in zip(raw, first, strict=True)]], xp.log(
        root * corner
    )


def ticks(games: GameTable, clock: str | None = None) -> Integers:
    """Time of each game in 24ths of a day, (game,): by its date, else by its period, counted as days."""
    dated = games.date is not None and not np.isnat(games.date).any()
    by_date = dated if clock is None else clock == "date"
    if (by_date and not dated) or (not by_date and games.period is None):
        wanted = "a period" if clock == "period" else "a date"
        raise ModelError(
            f"{games.source}: expected {wanted} for each game, since the strengths of this model move by days, found "
            f"games without one. Add the column {wanted.split()[-1]}."
        )
    day = games.date.astype("datetime64[D]").astype(np.int64) if by_date else np.asarray(games.period, dtype=np.int64)  # type: ignore[union-attr]
    return np.asarray(day * TICKS + _sessions(games))


def _sessions(games: GameTable) -> Integers | int:
    """The sessions of games within their days, from 0, (game,)."""
    if SESSION not in games.covariates:
        return 0
    try:
        number = np.asarray(games.covariates[SESSION]).astype(np.float64)
    except (TypeError, ValueError):
        number = np.full(len(games), np.nan)
    lost = np.flatnonzero(~((number >= 1) & (number <= TICKS) & (number == np.rint(number))))
    if lost.size:
        raise ModelError(
            f"{games.place(int(lost[0]))}: expected a session of the day from 1 to {TICKS} in the column {SESSION!r}. "
            "Rename the column if it is something else."
        )
    return number.astype(np.int64) - 1


@dataclass(frozen=True, eq=False)
class Visits:
    """Days on which players have a state: days of the fit by player and day, then further days."""

    player: Integers  # (visit,)
    tick: Integers  # (visit,): 24ths of a day since the first game
    before: Integers  # (visit,): the player's visit before, -1 for none
    days: Floats  # (visit,): days since then, `FIRST` for the first
    last: Integers  # (player,): each player's visit at the end of the games

    @classmethod
    def of(cls, player: Integers, tick: Integers, players: int, end: int) -> Self:
        """Visits of players at times, and of all players at the end; any order, repeats count once."""
        everyone = np.arange(players)
        pairs = np.unique(np.stack([np.append(player, everyone), np.append(tick, np.full(players, end))]), axis=1)
        who, when = pairs
        before = np.where(np.diff(who, prepend=-1) == 0, np.arange(who.size) - 1, -1)
        last = np.flatnonzero(when == end)
        return cls(who, when, before, _days(when, before), last)

    @classmethod
    def from_trace(cls, player: Integers, tick: Integers, players: int, end: int) -> Self:
        """Visits in a trace: visits of the fit, then visits of later players."""
        who, when = np.asarray(player, dtype=np.int64), np.asarray(tick, dtype=np.int64)
        before = np.where(np.diff(who, prepend=-1) == 0, np.arange(who.size) - 1, -1)
        last = np.zeros(players, dtype=np.int64)
        at_end = np.flatnonzero(when == end)
        last[who[at_end]] = at_end
        return cls(who, when, before, _days(when, before), last)

    def __len__(self) -> int:
        return int(self.player.size)

    def at(self, player: Integers, tick: Integers, strict: bool = True) -> Integers:
        """Visits of players at times, in the shape of `player`; arbitrary for player -1, and if not strict."""
        far = 1 << 40
        key = self.player.astype(np.int64) * far + self.tick
        order = np.argsort(key, kind="stable")
        sought = np.asarray(player, dtype=np.int64) * far + tick
        place = np.minimum(np.searchsorted(key[order], sought), max(len(self) - 1, 0))
        visit = order[place] if len(self) else np.zeros(sought.shape, dtype=np.int64)
        if not len(self) or not strict:
            return np.asarray(visit)
        if np.any((key[visit] != sought) & (np.asarray(player) >= 0)):
            raise ModelError("games: expected a state of each player on each day, found a day without one")
        return np.asarray(visit)

    def including(self, player: Integers, tick: Integers, players: int, end: int) -> Self:
        """Add further visits: at these times, and at the end for players who came later."""
        earlier = self.last.size
        late = np.arange(earlier, players)
        who, when = np.append(player, late).astype(np.int64), np.append(tick, np.full(late.size, end)).astype(np.int64)
        far = 1 << 40
        fresh = np.unique(np.stack([who, when]), axis=1)
        new = ~np.isin(fresh[0] * far + fresh[1], self.player.astype(np.int64) * far + self.tick)
        who, when = fresh[:, new]
        if not who.size:
            return self
        none = np.full(who.size, -1)
        later = np.flatnonzero((who >= earlier) & (when == end)) + len(self)
        return type(self)(
            np.append(self.player, who), np.append(self.tick, when), np.append(self.before, none),
            np.append(self.days, np.full(who.size, FIRST)), np.append(self.last, later),
        )  # fmt: skip


def _days(tick: Integers, before: Integers) -> Floats:
    """Days between visits and the previous ones."""
    return np.where(before >= 0, (tick - tick[before]) / TICKS, FIRST)


def clock_of(constant: Mapping[str, npt.ArrayLike], every: int) -> Literal["period", "date"] | None:
    """Clock of the games of a trace, from data by name; models that move by days prefer complete dates."""
    if every == DAYS and "date" in constant and not np.isnat(np.asarray(constant["date"])).any():
        return "date"
    return "period" if "period" in constant else "date" if "date" in constant else None


def visits_in(constant: Mapping[str, npt.ArrayLike], players: int, count: int) -> tuple[Visits, int, int]:
    """Visits in the data of a trace by name, the time of the first game, and the span in 24ths of a day.

    `ModelError` if their number differs, or a player lacks the last day.
    """
    nothing = np.zeros(0, dtype=np.int64)
    player, tick = (np.asarray(constant.get(name, nothing)) for name in ("visit_player", "visit_tick"))
    alike = player.shape == tick.shape == (count,) and count > 0 and player.dtype.kind == tick.dtype.kind == "i"
    if not alike or player.min() < 0 or player.max() >= players or np.unique(player[tick == tick.max()]).size < players:
        raise ModelError("trace: expected the days of players' states, with the last day of each player. Fit again.")
    first, end = int(tick.min()), int(tick.max())
    return Visits.from_trace(player, tick - first, players, end - first), first, end - first + 1


def visits_of_rows(rows: "GameRows") -> tuple[Integers, Integers]:
    """Players and times of the seats of rows, both (seat of a row,)."""
    seats = [
        (side.players[:, seat][taken], rows.period[taken])
        for side in (rows.white, rows.black)
        for seat in range(side.players.shape[1])
        for taken in [side.share[:, seat] != 0.0]
    ]
    who, when = (np.concatenate(parts) for parts in zip(*seats, strict=True))
    return who.astype(np.int64), when.astype(np.int64)


@dataclass(frozen=True)
class DayLaw:
    """Law by which the states of a variable by visits follow one another, as recorded in a trace."""

    kernel: str
    spread: str = ""  # name of s; none where it is known
    length: str = ""  # name of l, days; likewise
    known_spread: float = 1.0  # s, or a factor of the named spread
    known_length: float = 1.0  # likewise

    @property
    def as_record(self) -> dict[str, object]:
        """The law as numbers and texts."""
        return asdict(self)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Law from a record; `TypeError` if the record is not valid."""
        kinds = {field.name: field.type for field in fields(cls)}
        if set(record) != set(kinds) or record["kernel"] not in KERNELS:
            raise TypeError("a law by days with wrong fields")
        texts = all(isinstance(record[name], str) for name in ("spread", "length"))
        numbers = all(
            isinstance(record[name], float) and record[name] > 0.0 for name in ("known_spread", "known_length")
        )
        if not texts or not numbers:
            raise TypeError("a law by days with values of wrong types")
        return cls(**record)

    def numbers(self, p: Mapping[str, Any]) -> tuple[Any, Any]:
        """Values of s and l by name, in their shape."""
        spread = self.known_spread * (p[self.spread] if self.spread else 1.0)
        return spread, self.known_length * (p[self.length] if self.length else 1.0)

    def further(self, values: Floats, p: Mapping[str, Floats], visits: Visits, seed: int | list[int]) -> Floats:
        """States of all visits, (draw, visit, ...): the first states are known, later states are drawn by their law.

        Each is drawn given the previous state, drawn or known, and the next known state: exact, since the process is
        Markov.
        """
        draws, count = values.shape[0], values.shape[1]
        size = STATES[self.kernel]
        state = np.zeros((draws, len(visits), size))
        state[:, :count] = values.reshape(draws, count, size)
        spread, length = (np.broadcast_to(np.asarray(number, dtype=np.float64), (draws,)) for number in self.numbers(p))
        rng = np.random.default_rng(seed)
        order = np.lexsort([visits.tick, visits.player])
        player, tick = visits.player[order], visits.tick[order]
        for place in np.flatnonzero(order >= count):
            visit = order[place]
            early = place > 0 and player[place - 1] == player[place]
            days = (tick[place] - tick[place - 1]) / TICKS if early else FIRST
            a, q = self._step(days, length)
            mean = np.einsum("nij,nj->ni", a, state[:, order[place - 1]]) if early else np.zeros((draws, size))
            later = np.flatnonzero((player[place + 1 :] == player[place]) & (order[place + 1 :] < count))
            if later.size:
                end = place + 1 + later[0]
                b, r = self._step((tick[end] - tick[place]) / TICKS, length)
                gain = q @ np.swapaxes(b, 1, 2) @ np.linalg.inv(b @ q @ np.swapaxes(b, 1, 2) + r)
                mean = mean + np.einsum("nij,nj->ni", gain, state[:, order[end]] - np.einsum("nij,nj->ni", b, mean))
                q = q - gain @ b @ q
            root = _root(q)
            noise = rng.standard_normal((draws, size))
            state[:, visit] = mean + spread[:, None] * np.einsum("nij,nj->ni", root, noise)
        return state.reshape(draws, len(visits), *values.shape[2:])

    def _step(self, days: float, length: Floats) -> tuple[Floats, Floats]:
        """A and C C' of a step under each draw, (draw, state, state)."""
        a, c = KERNELS[self.kernel](np.full(length.shape, days), length)
        size = len(c)
        root = np.zeros((length.size, size, size))
        for i, row in enumerate(c):
            for j, entry in enumerate(row):
                root[:, i, j] = entry
        step = np.stack([np.stack(row, axis=-1) for row in a], axis=1)
        return step, root @ np.swapaxes(root, 1, 2)


def _root(matrix: Floats) -> Floats:
    """Lower roots of small covariances, (draw, state, state), also if rounding makes them singular."""
    if matrix.shape[1] == 1:
        return np.sqrt(np.maximum(matrix, 0.0))
    first = np.sqrt(np.maximum(matrix[:, 0, 0], 0.0))
    below = np.divide(matrix[:, 1, 0], first, out=np.zeros_like(first), where=first > 0.0)
    root = np.zeros_like(matrix)
    root[:, 0, 0], root[:, 1, 0] = first, below
    root[:, 1, 1] = np.sqrt(np.maximum(matrix[:, 1, 1] - below**2, 0.0))
    return root
