r"""Games as a model function reads them: seats, periods, columns, known ratings, columns of effects.

    games.coords                    coordinates of a `pm.Model`: player, outcome; month, innovation with periods
    games.white(x), games.black(x)  x of each seat's player: x is (player,) or (player, month); for several people the
                                    mean by shares of play; for a known rating the value of `anchored`
    games.seated                    1 if the seats differ (White moves first, home and away), 0 on neutral ground
    games.column("rapid")           a column of the games, one number per row; x.mean() is that of the games of the fit
    games.observed("goals")         a column that a likelihood of PyMC's own observes
    games.rating                    each player's mean rating in the games, natural units, NaN without one
    games.by(3)                     the same games by periods of three months
    games.by_days()                 the same games by days; `games.visits` are the days on which each player has a state
    games.white_today(x), games.black_today(x)  x (visit,) of each seat's player on the day; 0 for a known rating

A row is a game, or all games that agree in everything that the function reads: the sides, and each column, period or
neutral ground that it requests. One natural unit of strength is 400 / ln 10 = 173.7 Elo points in Bradley and Terry's
formula.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.games.ranges import Range
from halfpoint.models.games.table import GRADE, Booleans, Codes, Floats, Integers, Texts
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.column import Column
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.rows.days import DAYS, VISITS, Visits
from halfpoint.models.rows.effects import Effects
from halfpoint.models.rows.rows import Columns, GameRows, Side

if TYPE_CHECKING:
    from scipy.sparse import sparray

    from halfpoint.models.declaration.declared import Declared
    from halfpoint.models.formulas.margin import Distribution
    from halfpoint.models.language.responses import Responses
    from halfpoint.models.rows.column_coding import Coding

PERIOD, SEATED = "period", "seated"
OWN = "column:"  # begins the name of a column that a function reads directly
RESULT = "result"  # what `observed` calls the results
MADE = ("listed", GRADE, "ranked")  # columns that the suite makes of games
MONTHS, STEPS = "month", "innovation"  # dims of periods and of the steps between them


_EVERY = Range(1, 1_200)


class UnreadError(KeyError):
    """Raised when a function reads a column that the rows do not have yet."""


def _require_name(method: str, name: object) -> None:
    """Refuse a name of a column that is not a text."""
    if not isinstance(name, str):
        raise ModelError(f"games.{method}: expected the name of a column, found {type(name).__name__}")


type Anchored = Operand | Callable[[Floats], Operand] | None  # what an opponent with a known rating has


@dataclass(eq=False)
class Recorder:
    """Record of the columns and effects that a function reads of its games."""

    keys: dict[str, int] = field(default_factory=dict)  # of rows: columns by name; `PERIOD` has its months
    effects: dict[str, str] = field(default_factory=dict)  # formulas of effects by target
    given: dict[str, float] = field(default_factory=dict)  # spreads that are given, by "TARGET | COLUMN"
    margin: "Distribution | None" = None  # the law of margins that was asked for them
    observed: set[str] = field(default_factory=set)  # keys of columns that a likelihood of the function's own observes
    seated: list[Node | Floats] = field(default_factory=list)  # quantities by player that were read by seats


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts about all games and players that are not in the rows."""

    players: Texts  # names of the players with parameters
    asked: Effects  # effects that are asked for beside the function
    code: Callable[[Effects], "Coding"]  # codes the columns of effects
    periods: Callable[[int], tuple[int, int]]  # months of a period -> number of the first one, and how many there are
    entered: Callable[[int], Integers]  # months of a period -> periods from the first to each player's first, (player,)
    ratings_elo: Callable[[], Floats]  # each player's mean rating in the games, NaN without one, (player,)
    anchored: bool = False  # whether a known rating meets a player in a game that counts
    prior_elo: Floats | None = (
        None  # (player, 2): rating and standard error of players whom a list knows, NaN of others
    )
    # name -> one value a row, and coding -> columns of effects; None where rows have all that they will have
    column: Callable[[str], Floats] | None = None
    effect_columns: Callable[["Coding"], Columns] | None = None
    margin: Callable[["Distribution"], Floats] | None = None  # law of margins -> one value a row
    # months of a period -> the period of each row from the first one; None where rows have theirs
    period: Callable[[int], Integers] | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)  # number of levels by parameter, where there are more by now
    imputed: bool = False  # whether what anchored opponents have beside their rating is left out
    name: str = ""  # of the model, for messages
    # whether of deviations from ratings -> B of who met whom, sparse (player, player)
    # (`halfpoint.models.games.meetings`)
    opponents: Callable[[bool, bool], "sparray | None"] = lambda rated, chained: None
    swiss: Callable[[], bool] = lambda: False  # whether most games are of whole Swiss events
    grades: int = 0  # highest grade of verdicts, 0 without grades
    has: Callable[[str], bool] = lambda name: False  # whether the games have a column of numbers, or rows of rankings
    visits: Callable[[], Visits] | None = None  # days on which players have a state; None without days
    fitted: Callable[[str], Any] | None = None  # name -> the column of the games of the fit, (game,)
    fresh: tuple[str, ...] = ()  # names of new players, who have no game in the fit


@dataclass(frozen=True, eq=False)
class Games:
    """Games as a model function reads them; see the module."""

    rows: GameRows
    weight: Floats  # (row, 3): weights of loss, draw and win
    facts: Facts
    recorder: Recorder = field(default_factory=Recorder)
    every: int = 0  # months of a period; 0 for constant strengths, `DAYS` where each player has days of their own
    results: Codes | None = None  # (row,): 0 loss, 1 draw, 2 win, where each row is a game of the fit
    responses: "Responses | None" = None  # what a likelihood of the function's own observes, if known
    source: "Declared | None" = None  # its declared model, for a `pm.Model` that is sampled separately

    @property
    def coords(self) -> dict[str, Sequence[object] | Texts]:
        """Coordinates of the dims of a model's parameters."""
        coords: dict[str, Sequence[object] | Texts] = {"player": self.facts.players, "outcome": ["loss", "draw", "win"]}
        if self.every == DAYS:
            coords |= {VISITS: range(len(self.visits)), "state": ["form", "slope"]}
        elif self.every:
            first, count = self.facts.periods(self.every)
            begin = (first - 1) * self.every + 1
            coords |= {MONTHS: range(begin, begin + count * self.every, self.every), STEPS: range(max(count - 1, 0))}
        prior = self.facts.prior_elo
        if prior is not None and np.isnan(prior[:, 0]).any():
            coords["unlisted_player"] = np.asarray(self.facts.players)[np.isnan(prior[:, 0])]
        if self.facts.grades:
            coords["grade"] = range(2, self.facts.grades + 1)
        return coords

    def by(self, every: int) -> Self:
        """Games by periods of a number of months, or by numbered periods; `ModelError` if it is not 1 to 1,200."""
        if every != DAYS:
            _EVERY.require("games.by, months of a period", every, ModelError)
        self.recorder.keys[PERIOD] = every
        rows = self.rows if self.facts.period is None else replace(self.rows, period=self.facts.period(every))
        return replace(self, every=every, rows=rows)

    def by_days(self) -> Self:
        """Games by days, with separate days for each player; see `halfpoint.models.rows.days`."""
        return self.by(DAYS)

    @property
    def visits(self) -> Visits:
        """Days on which players have a state: the days of their games, and the last day."""
        if self.facts.visits is None:
            raise ModelError(
                f"model {self.facts.name}: expected games by days, found none. Call games.by_days() first."
            )
        return self.facts.visits()

    @property
    def period(self) -> Integers:
        """Period of each row, counted from the first period, (row,)."""
        self._read(PERIOD)
        return self.rows.period

    @property
    def periods(self) -> int:
        """Number of periods."""
        return self.facts.periods(self.every)[1]

    @property
    def seated(self) -> Floats:
        """1 where the seats differ, 0 on neutral ground, (row,)."""
        self._read(SEATED)
        return self.rows.seated

    def has(self, name: str) -> bool:
        """True if the games of the fit have a column of numbers, which a function may then read."""
        return self.facts.has(name)

    @property
    def ranked(self) -> Floats | None:
        """0 for rows of games, 1 for rows of White's printed ranking, -1 of Black's, (row,); None without rankings."""
        return self.column("ranked") if self.facts.has("ranked") else None

    @property
    def rating(self) -> Floats:
        """Each player's mean rating in the games, natural units, NaN without one, (player,)."""
        return np.asarray(to_natural(self.facts.ratings_elo()))

    @property
    def has_anchors(self) -> bool:
        """True if a known rating meets a player in a game with weight, which fixes the level of all strengths."""
        return self.facts.anchored

    @property
    def entry_periods(self) -> Integers:
        """Number of periods between the first game and each player's first game, (player,)."""
        return self.facts.entered(self.every)

    def opponents(self, rated: bool = False, chained: bool = False) -> "sparray | None":
        """Matrix B of `Autoregression`, sparse (player, player): each player less the mean of their opponents.

        With `rated` it is of deviations from ratings, with `chained` scaled if players meet near ones only
        (`halfpoint.models.games.meetings.chain_matrix`). None if pairings follow from results, or mix all players at
        random: they carry no information.
        """
        return self.facts.opponents(rated, chained)

    @property
    def is_swiss(self) -> bool:
        """True if most games are of Swiss events that are whole in the file."""
        return self.facts.swiss()

    @property
    def is_listed(self) -> Booleans | None:
        """Mask of players for whom a list has a standard error, (player,); None without such a list."""
        prior = self.facts.prior_elo
        if prior is None or np.isnan(prior).all():
            return None
        self.recorder.keys.setdefault("list", True)
        return np.asarray(~np.isnan(prior[:, 0]))

    @property
    def list_rating(self) -> Floats:
        """Rating and standard error of the players in a list, natural units, (listed player, 2)."""
        assert self.facts.prior_elo is not None
        return np.asarray(to_natural(self.facts.prior_elo[self.is_listed]))

    def margin(self, law: "Distribution") -> Floats:
        """Margins of the rows, in their own unit, (row,), NaN for games without one."""
        self.recorder.margin = law
        if self.rows.margin is None:
            if self.facts.margin is None:
                raise UnreadError("margin")
            return self.facts.margin(law)
        return self.rows.margin

    def column(self, name: str) -> Floats:
        """Column of the games as numbers, (row,); columns made for the rows have any shape.

        Its mean, standard deviation and other summaries are those of the games of the fit, also for other games.
        """
        _require_name("column", name)
        key = name if name in MADE else OWN + name
        self._read(key)
        values = self.rows.columns[key]
        fit = None if self.facts.fitted is None or key in MADE else self.facts.fitted(key)
        return values if fit is None else Column.of(values, fit)

    def observed(self, name: str) -> Floats:
        """Column that a likelihood of PyMC's own observes, (row,); 0 for games to come, which have no value yet.

        `games.observed("result")` is 0 for a loss, 1 for a draw and 2 for a win of the first seat.
        """
        _require_name("observed", name)
        self.recorder.observed.add(OWN + name)
        if name != RESULT:
            return np.asarray(self.column(name))
        return np.zeros(len(self.rows)) if self.results is None else np.clip(self.results, 0, 2).astype(np.float64)

    def _read(self, key: str) -> None:
        """Record that a function reads a column, and return it."""
        self.recorder.keys.setdefault(key, True)
        if key in (PERIOD, SEATED) or key in self.rows.columns:
            return
        if self.facts.column is None:
            raise UnreadError(key)
        self.rows.columns[key] = self.facts.column(key)  # type: ignore[index]

    def effect_columns(self, effects: Effects, coding: "Coding") -> Columns:
        """The columns of the rows that effects read."""
        if self.facts.effect_columns is not None:
            self.rows.columns.update(self.facts.effect_columns(coding))  # type: ignore[attr-defined]
        return self.rows.columns

    def white(self, x: Node | Floats, anchored: Anchored = None) -> Node:
        """A player's quantity on White's side of each row.

        Parameters
        ----------
        x : tensor, dims (player,) or (player, month)
            The quantity, in its own unit; for a walk the row's period selects the value.
        anchored : float or callable, optional
            Value for an opponent with a known rating: a number, or a function of the rating in natural units, (row,).
            By default the rating itself.

        Returns
        -------
        tensor, shape (row,)
        """
        return self._side(self.rows.white, x, anchored)

    def black(self, x: Node | Floats, anchored: Anchored = None) -> Node:
        """A player's quantity on Black's side of each row; see `white`."""
        return self._side(self.rows.black, x, anchored)

    def white_today(self, x: Node | Floats) -> Node:
        """Quantity by visit, for White's player on the day of each row, (row,); 0 for known ratings."""
        return self._today(self.rows.white, x)

    def black_today(self, x: Node | Floats) -> Node:
        """A quantity by visit on Black's side of each row; see `white_today`."""
        return self._today(self.rows.black, x)

    def _today(self, side: Side, x: Node | Floats) -> Node:
        total: Operand = 0.0
        for seat in range(side.players.shape[1]):
            share = side.share[:, seat]
            players = np.where(share != 0.0, side.players[:, seat], -1)
            values = x[self.visits.at(players, self.period, strict=self.facts.column is None)]
            total = total + (values if np.all(share == 1.0) else values * share)
        return total

    def _side(self, side: Side, x: Node | Floats, anchored: Anchored) -> Node:
        if x is None or isinstance(x, str) or getattr(x, "ndim", 1) == 0:
            shown = "a single number" if hasattr(x, "ndim") else f"{x!r:.60}"
            raise ModelError(
                f"model {self.facts.name}: games.white and games.black expected a variable by player, found {shown}. "
                'Write dims="player" in its prior.'
            )
        when = (self.period,) if getattr(x, "ndim", 1) == 2 else ()
        self.recorder.seated.append(x)
        total: Operand = 0.0
        for seat in range(side.players.shape[1]):
            share, values = side.share[:, seat], x[(side.players[:, seat], *when)]
            total = total + (values if np.all(share == 1.0) else values * share)
        if not side.anchored.any() or (self.facts.imputed and anchored is not None and not callable(anchored)):
            return total
        value = side.rating if anchored is None else anchored(side.rating) if callable(anchored) else anchored
        return total + value * side.anchored

    def effects(
        self,
        target: str,
        formula: str = "",
        *,
        sd: float | None = None,
        spread: float | None = None,
        given: Mapping[str, float] | None = None,
    ) -> Any:
        """Sum of the effects of columns on `target` for each row (`halfpoint.models.rows.effects`); 0.0 if none.

        The parameters are declared in the PyMC model in context: TARGET_effect of a fixed formula, TARGET_COLUMN and
        its spread of a grouped one. Formulas requested by name or by `--effects` are joined to `formula`.

        Parameters
        ----------
        target : {"advantage", "log_draw", "log_width", "strength", "sharpness"}
            Target of the effects. For "strength" the effects on White's side and on Black's are returned.
        formula : str
            For example "0 + rapid + (1 | site)".
        sd : float, optional
            Standard deviation of the prior of a fixed effect, natural units per unit of the column.
        spread : float, optional
            Scale of the half-normal prior of the spread of a grouped effect, natural units.
        given : mapping, optional
            Known spreads, by column.
        """
        from halfpoint.models.language.effect_variables import effect_variables

        asked = self.facts.asked
        if target in self.recorder.effects:
            raise ModelError(f"effects on {target}: the model reads them in two places. Read them once")
        formula_asked = asked.formulas.get(target, "")
        combined = " + ".join(filter(None, (formula, formula_asked)))
        self.recorder.effects[target] = combined
        if not combined:
            return (0.0, 0.0) if target == "strength" else 0.0
        self.recorder.given |= {f"{target} | {column}": float(known) for column, known in (given or {}).items()}
        sd, spread = asked.sd if sd is None else sd, asked.spread if spread is None else spread
        return effect_variables(self, target, Effects({target: combined}, sd, spread), dict(given or {}))
