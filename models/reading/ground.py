"""A selection of games as model functions read it, and the inputs that a function reads."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from halfpoint.models.formulas.margin import margins_of
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.own_likelihood import LIKELIHOOD
from halfpoint.models.games.components import slowest_walk
from halfpoint.models.games.meetings import LOTS, chain_matrix, is_chain, opponents_matrix
from halfpoint.models.games.meetings import meetings as games_between
from halfpoint.models.games.pairings import by_results, of_whole_swiss
from halfpoint.models.games.select import Cells, Selection, merge
from halfpoint.models.games.table import GRADE, Booleans, Codes, Floats, Integers
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import Facts, Games, Recorder
from halfpoint.models.language.model import Model, as_model
from halfpoint.models.reading.own_likelihoods import has_formula
from halfpoint.models.reading.reads import Reads, neutral_ground, own_column
from halfpoint.models.reading.sum_model import SumModel, run_on_sums
from halfpoint.models.rows.column_coding import Coding, code_columns
from halfpoint.models.rows.days import DAYS, Visits
from halfpoint.models.rows.effects import Effects
from halfpoint.models.rows.printed_ranks import COLUMN as RANKED
from halfpoint.models.rows.printed_ranks import has_numbers
from halfpoint.models.rows.rows import GameRows, Side, meetings, periods, team_sides

if TYPE_CHECKING:
    import pymc as pm
    from scipy.sparse import sparray

    from halfpoint.models.formulas.margin import Distribution

_PROBED = 64  # games that a function is run on first, to find its inputs


def entry_periods(selection: Selection, months: int) -> Integers:
    """Number of periods of some months between the first game and each player's first game, (player,)."""
    players, never = int(selection.players.size), np.iinfo(np.int64).max
    first, period = np.full(players + 1, never), periods(selection.games, months)
    for side in (selection.white, selection.black):
        for seat in selection.members(side).T if selection.sides is not None else [side]:
            np.minimum.at(first, np.where(seat < 0, players, seat), period)
    first = first[:-1]
    return np.where(first == never, 0, first - first.min(initial=never))


def visits_of(selection: Selection) -> tuple[Visits, int]:
    """Days on which the players of a selection have a state, and the time of the first game."""
    tick, players, seats = periods(selection.games, DAYS), int(selection.players.size), list[tuple[Codes, Integers]]()
    first = int(tick.min())
    for side in (selection.white, selection.black):
        for seat in selection.members(side).T if selection.sides is not None else [side]:
            seats.append((seat[seat >= 0], tick[seat >= 0] - first))
    who, when = (np.concatenate(parts).astype(np.int64) for parts in zip(*seats, strict=True))
    return Visits.of(who, when, players, int(np.ptp(tick))), first


@dataclass(frozen=True, eq=False)
class Ground:
    """Selection of games as read by model functions; repeated requests are cached."""

    selection: Selection
    model: Model
    made: dict[Hashable, Any] = field(default_factory=dict)

    def once[T](self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value stored under a key, made on the first request."""
        if key not in self.made:
            self.made[key] = make()
        value: T = self.made[key]
        return value

    @property
    def sides(self) -> tuple[Codes | Side, Codes | Side]:
        """Players on White's and on Black's side of each game."""
        selection = self.selection
        if selection.sides is None:
            return selection.white, selection.black
        return self.once(
            "sides",
            lambda: tuple(  # type: ignore[return-value]
                team_sides(selection.sides.members[side], selection.sides.share[side])  # type: ignore[union-attr]
                for side in (selection.white, selection.black)
            ),
        )

    def period(self, months: int) -> Integers:
        """The number of each game's period, (game,)."""
        return self.once(("period", months), lambda: periods(self.selection.games, months))

    def periods(self, months: int) -> tuple[int, int]:
        """Number of the first period, and number of periods."""
        period = self.period(months)
        return int(period.min()), int(period.max() - period.min()) + 1

    def visits(self) -> Visits:
        """The days on which players have a state."""
        return self.once("visits", lambda: visits_of(self.selection)[0])

    def entry_periods(self, months: int) -> Integers:
        """Number of periods between the first period and each player's first game, (player,)."""
        return self.once(("entered", months), lambda: entry_periods(self.selection, months))

    def opponents(self, rated: bool, chained: bool = False) -> "sparray | None":
        """Matrix B of players and opponents; None if pairings follow from results, or mix players at random."""
        return self.once(("opponents", rated, chained), lambda: self._opponents(rated, chained))

    def _opponents(self, rated: bool, chained: bool) -> "sparray | None":
        selection = self.selection
        counts = ~self.by_results()
        if not counts.any() or slowest_walk(selection.take(counts)) < LOTS:
            return None
        weighted = selection.with_weights(np.where(counts, selection.weight, 0.0), selection.weighting)
        between = games_between(merge(weighted))
        return chain_matrix(between) if chained and is_chain(between) else opponents_matrix(between, rated)

    def by_results(self) -> Booleans:
        """True for games whose pairings follow from earlier results, (game,)."""
        return self.once("by results", lambda: by_results(self.selection.games))

    def swiss(self) -> bool:
        """True if most games are of Swiss events that are whole in the file."""
        whole = partial(of_whole_swiss, self.selection.games)
        return self.once("swiss", lambda: bool(whole(self.by_results()).mean() > 0.5))

    def code(self, effects: Effects) -> Coding:
        """Code the columns of effects by the games."""
        key = ("coding", tuple(sorted(effects.formulas.items())))
        return self.once(key, lambda: code_columns(effects, self.selection.games, self.selection.players))

    def effect_columns(self, coding: Coding) -> dict[str, Any]:
        """The columns of effects, by game."""
        key = ("effects", tuple(sorted(coding.effects.formulas.items())))
        return self.once(key, lambda: coding.columns(self.selection.games, *self.sides))

    def column(self, key: str) -> Floats:
        """Column that a function reads, by game."""
        return self.once(("column", key), lambda: own_column(self.selection.games, key, self.model.name))

    def margin(self, law: "Distribution") -> Floats:
        """Margins of the games, (game,); `ModelError` if a game lacks one."""
        return self.once(("margin", law), lambda: margins_of(self.selection.games, self.model.name, law))

    def rows(self, reads: Reads) -> GameRows:
        """Single games with all columns that the function reads."""
        ratings = to_natural(np.nan_to_num(self.selection.anchor_elo))
        first = self.periods(reads.every)[0] if reads.every else 0
        period = self.period(reads.every) - first if reads.every else None
        columns = {} if not reads.effects else dict(self.effect_columns(self.code(reads.effects)))
        columns |= {key: self.column(key) for key in reads.columns if key not in (GRADE, RANKED)}
        seated = neutral_ground(self.selection.games) if reads.neutral else None
        rows = meetings(*self.sides, ratings, ratings, period, columns, seated)
        return rows if reads.margin is None else replace(rows, margin=self.margin(reads.margin))

    def facts(self, cells: Cells | None, rows: npt.NDArray[np.intp] | None = None) -> Facts:
        """Facts about the games, of cells with weights; of some games only in a probe."""
        selection = self.selection
        if cells is None:
            met = ((selection.white < 0) | (selection.black < 0)) & (selection.weight > 0.0)
        else:
            met = ((cells.white < 0) | (cells.black < 0)) & (cells.weight.sum(axis=1) > 0.0)
        probing: dict[str, Any] = {}
        if rows is not None:
            probing["column"] = lambda key: self.column(key)[rows]
            probing["effect_columns"] = lambda coding: {
                name: value[rows] for name, value in self.effect_columns(coding).items()
            }
            probing["margin"] = lambda law: self.margin(law)[rows]
        return Facts(
            players=selection.players.astype(object),
            asked=self.model.effects,
            code=self.code,
            periods=self.periods,
            entered=self.entry_periods,
            ratings_elo=selection.ratings_elo,
            anchored=bool(met.any()) and selection.sides is None,
            prior_elo=selection.prior_elo,
            opponents=self.opponents,
            swiss=self.swiss,
            name=self.model.name,
            grades=self.model.grades,
            has=partial(has_numbers, selection.games),
            visits=self.visits,
            fitted=self.column,
            **probing,
        )


@dataclass(frozen=True)
class Glance:
    """Formula of a model and the columns it reads, found before the model is declared."""

    outcome: Outcome
    reads: Reads
    draws: bool  # whether a draw has a probability of its own

    @property
    def margin(self) -> Any:
        """The law of margins, None for models of results."""
        return self.outcome.margin

    @property
    def walks(self) -> bool:
        """True if strengths have periods."""
        return bool(self.reads.every)


def glance(model: object, selection: Selection) -> Glance:
    """Examine a model on the first games of a selection."""
    ground = Ground(selection, as_model(model))
    reads = probe(ground)
    probed = ground.made["probed"]
    if isinstance(probed, SumModel):
        outcome: Outcome = probed.outcome
    else:
        from halfpoint.models.reading.games_variable import games_of

        outcome = games_of(probed).op.outcome if has_formula(probed) else LIKELIHOOD
    return Glance(outcome, reads, outcome.draws)


def probe(ground: Ground) -> Reads:
    """Columns and effects that a function reads of its games, found by a run on the first games."""
    selection = ground.selection
    rows = np.arange(min(_PROBED, len(selection)))
    ratings = to_natural(np.nan_to_num(selection.anchor_elo))[rows]
    white, black = (side.take(rows) if isinstance(side, Side) else side[rows] for side in ground.sides)
    game_rows = meetings(white, black, ratings, ratings)
    if ground.model.grades:
        game_rows.columns[GRADE] = np.zeros(rows.size)  # type: ignore[index]
    facts = ground.facts(None, rows)
    ground.made["probed"], games = run_model(
        ground.model, lambda: Games(game_rows, np.ones((rows.size, 3)), facts, Recorder())
    )
    if "list" in games.recorder.keys:
        ground.made["list"] = True
    return Reads.of(games.recorder)


def run_model(model: Model, view: Callable[[], Games]) -> "tuple[SumModel | pm.Model, Games]":
    """Variables of a model function, as sums if they are sums, else as a PyMC model, and the games as it read them."""
    sum_run = run_on_sums(model, view)
    if sum_run is not None:
        return sum_run
    games = view()
    return model.run(games), games
