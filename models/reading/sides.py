r"""The sides of rows under draws of the parameters, by the model's own function, run on those rows.

    white, black, lam of a row     sparse sums of the parameters, without PyMC for functions of this package
                                   (`reading.sum_model`), else read from the graph (`reading.affine`)

If a side is not a sum of parameters and products of two, its graph is evaluated operator by operator under all draws at
once, as exactly but more slowly. Values of players at the end of the games come from a trace's record
(`models.declaration.worth`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.table import Floats, Integers, Texts
from halfpoint.models.language.games import MONTHS, OWN, Facts, Games, Recorder
from halfpoint.models.language.model import Model
from halfpoint.models.pymc_import import Node
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine
from halfpoint.models.reading.sum_model import run_on_sums
from halfpoint.models.rows.column_coding import Coding
from halfpoint.models.rows.days import VISITS, Visits, visits_of_rows
from halfpoint.models.rows.effects import Effects
from halfpoint.models.rows.printed_ranks import COLUMN as RANKED
from halfpoint.models.rows.rows import GameRows

if TYPE_CHECKING:
    import pymc

    from halfpoint.models.reading.affine import Form
    from halfpoint.models.reading.under_draws import CompiledNodes

_OF_STATES = {"player", MONTHS, VISITS}  # dims of variables that later periods and new players extend

type Draws = Mapping[str, Floats]  # parameters by name, (draw, ...)


@dataclass(frozen=True, eq=False)
class Sides:
    """Two sides and lam of each row under each draw, natural units, (draw, row) or broadcastable to it."""

    outcome: Outcome  # the formula, at its further numbers
    white: Floats
    black: Floats
    lam: Floats | None  # None for formulas without lam

    def log_probability(self) -> Floats:
        """Log probabilities of loss, draw and win, (draw, row, outcome)."""
        return self.outcome.log_probability(self.white, self.black, self.lam)

    def log_likelihood(self, margin: Floats | None) -> Floats:
        """The log likelihood of each outcome, (draw, row, outcome); of the margin, whatever its outcome."""
        return self.outcome.log_likelihood(self.white, self.black, self.lam, margin)


@dataclass(frozen=True, eq=False)
class Reader:
    """Model function with the facts about the games of its fit."""

    model: Model
    reads: Reads
    players: Texts  # names of the players with parameters
    coding: Coding | None = None
    ratings_elo: Floats | None = None  # (player,): each one's mean rating in the games of the fit
    prior_elo: Floats | None = None  # (player, 2): of a list with errors
    entered: Integers | None = None  # (player,): periods from the first one to each player's first game
    first_period: int = 0
    periods: int = 1
    anchored: bool = False
    imputed: bool = False  # whether what anchored opponents have beside their rating is left out, to be added
    visits: Visits | None = None  # days on which players have a state, where strengths move by days
    columns: Mapping[str, Floats] | None = None  # own columns of the games of the fit, (game,)
    fresh: tuple[str, ...] = ()  # names of new players

    def graph(self, rows: GameRows, sizes: Mapping[str, int], periods: int) -> "pymc.Model":
        """The PyMC model of the function on rows."""
        return self.model.run(self.view(rows, sizes, periods))

    def view(self, rows: GameRows, sizes: Mapping[str, int], periods: int) -> Games:
        """Rows as the function reads them."""
        players = int(self.players.size)
        coding = self.coding

        def code(effects: Effects) -> Coding:
            if coding is None or any(name not in coding.levels for _, name in effects.groups()):
                raise ModelError(f"model {self.model.name}: expected the columns of its effects, found none")
            return coding

        ratings, entered = self.ratings_elo, self.entered
        facts = Facts(
            players=self.players.astype(object),
            asked=self.model.effects,
            code=code,
            periods=lambda months: (self.first_period, periods),
            entered=lambda months: np.zeros(players, dtype=np.int64) if entered is None else _padded(entered, players),
            ratings_elo=lambda: np.zeros(players) if ratings is None else _padded(ratings, players, np.nan),
            anchored=self.anchored,
            prior_elo=None if self.prior_elo is None else _padded(self.prior_elo, players, np.nan),
            sizes=sizes,
            margin=lambda law: np.zeros(len(rows)),
            imputed=self.imputed,
            name=self.model.name,
            grades=self.model.grades,
            has=lambda name: (name if name == RANKED else OWN + name) in self.reads.columns,
            visits=lambda: self.visits_with(rows),
            fresh=self.fresh,
            fitted=(self.columns or {}).get,
        )
        bare_rows = rows if rows.margin is None else replace(rows, margin=np.zeros(len(rows)))  # of games to come
        return Games(bare_rows, np.zeros((len(rows), 3)), facts, Recorder(), responses=self.reads.responses)

    def visits_with(self, rows: GameRows) -> Visits:
        """Days on which players have a state, with the days of rows."""
        assert self.visits is not None
        return self.visits.including(*visits_of_rows(rows), int(self.players.size), self.periods - 1)

    def at(self, p: Draws, rows: GameRows) -> "RowSides":
        """The sides of rows as functions of parameters of these shapes."""
        sizes = {name: int(np.shape(value)[-1]) for name, value in p.items() if np.ndim(value) > 1}
        last = int(rows.period.max(initial=0)) + 1 if len(rows) else 1
        view = partial(self.view, rows, sizes, max(self.periods, last))
        places: dict[str, tuple[int, tuple[int, ...]]] = {}
        start = 0
        for name, value in p.items():
            places[name] = start, tuple(np.shape(value)[1:])
            start += int(np.prod(places[name][1], dtype=np.int64))
        sum_run = run_on_sums(self.model, view, places)
        if sum_run is not None:
            sum_model = sum_run[0]
            slots = {name: place for name, place in places.items() if name in sum_model.named_vars}
            sums = [None if side is None else side.form for side in sum_model.sides]
            return RowSides(sum_model.outcome, (), slots, sums, [], {}, len(rows))
        from halfpoint.models.reading.affine import affine
        from halfpoint.models.reading.games_variable import games_of, sides_of
        from halfpoint.models.reading.model_variables import observed_value, shape_of

        graph = self.model.run(view())
        observed = {rv: observed_value(graph, rv) for rv in graph.observed_RVs if rv.owner.op is not games_of(graph).op}
        white, black, lam, numbers = sides_of(graph)
        op = games_of(graph).op
        free = {str(variable.name) for variable in graph.free_RVs}
        lost = free - set(p)  # else a deterministic variable may have one value for each game of the fit
        axes = graph.named_vars_to_dims
        swapped = free | {name for name in graph.named_vars if lost or _OF_STATES & set(axes.get(name) or ())}
        of_games = {
            name
            for name in (swapped - free) & set(places)
            if not _OF_STATES & set(axes.get(name) or ()) and places[name][1] != shape_of(graph, graph[name])
        }
        slots = {name: place for name, place in places.items() if name in swapped - of_games}
        parameter_forms = {graph[name]: SparseAffine.of(*place) for name, place in slots.items()}
        nodes = [white, black, lam, *numbers]
        try:
            node_forms: dict[Node, Form] = {**observed, **parameter_forms}
            forms = [None if node is None else affine(node, node_forms) for node in nodes]
        except NotAffineError:
            forms = None
        named = {name: graph[name] for name in slots}
        return RowSides(op.outcome, op.numbers, slots, forms, nodes, named, len(rows), observed)


@dataclass(frozen=True, eq=False)
class RowSides:
    """The sides of some rows as functions of the parameters."""

    outcome: Outcome
    numbers: tuple[str, ...]  # names of further numbers that the formula reads
    slots: Mapping[str, tuple[int, tuple[int, ...]]]  # where each parameter's values begin in the forms
    forms: "list[Form | None] | None"  # sides, lam and numbers as sparse sums; None for other formulas
    nodes: list[Node | None]  # the same as graph nodes
    named: Mapping[str, Node]  # the parameters' graph nodes
    count: int  # rows
    observed: Mapping[Node, Floats] = field(default_factory=dict)  # values of other observed variables

    def under(self, p: Draws) -> Sides:
        """The sides under draws of the parameters, (draw, row)."""
        if self.forms is not None:
            values = [None if form is None else evaluate(form, p, self.slots) for form in self.forms]
        else:
            values = self._evaluated(p)
        white, black, lam, *numbers = values
        outcome = self.outcome.at(dict(zip(self.numbers, numbers, strict=True)))
        assert white is not None
        assert black is not None
        return Sides(outcome, white, black, lam)

    def _evaluated(self, p: Draws) -> list[Floats | None]:
        """Values of the nodes under all draws at once."""
        lost = [name for name in self._free_names if name not in p]
        if lost:
            raise ModelError(f"trace: expected draws of {lost[0]!r}, which the sides of a game read, found none")
        draws = {node: p[name] for name, node in self.named.items()}
        count = len(next(iter(draws.values()), [0]))
        observed = {node: np.broadcast_to(value, (count, *value.shape)) for node, value in self.observed.items()}
        values = iter(self._compiled(draws | observed))
        return [None if node is None else next(values) for node in self.nodes]

    @property
    def bytes_of_a_draw(self) -> int:
        """Memory of the values in between under one draw, as of the last evaluation of the graph; 1 for sums."""
        return 1 if self.forms is not None else max(1, self._compiled.bytes_of_a_draw)

    @cached_property
    def _free_names(self) -> list[str]:
        """Names of random variables, other than the slots, that the nodes read."""
        return [str(rv.name) for rv in _free_inputs(self.nodes, [*self.named.values(), *self.observed])]

    @cached_property
    def _compiled(self) -> "CompiledNodes":
        """The nodes as a function of draws, for all batches of them."""
        from halfpoint.models.reading.under_draws import CompiledNodes

        return CompiledNodes([node for node in self.nodes if node is not None], [*self.named.values(), *self.observed])


def _free_inputs(nodes: list[Node | None], sources: list[Node]) -> list[Node]:
    """Random variables that nodes read, other than the sources."""
    from pytensor.graph.traversal import walk
    from pytensor.tensor.random.op import RandomVariable

    inputs = set(sources)

    def before(node: Node) -> list[Node]:
        return [] if node in inputs or node.owner is None else node.owner.inputs

    upstream = list(walk([node for node in nodes if node is not None], before))
    return [
        rv for rv in upstream if rv not in inputs and rv.owner is not None and isinstance(rv.owner.op, RandomVariable)
    ]


def evaluate(form: "Form", p: Draws, slots: Mapping[str, tuple[int, tuple[int, ...]]]) -> Floats:
    """Evaluate a sparse sum, or numbers, under draws of the parameters, (draw, row)."""
    terms = getattr(form, "terms", None)
    if terms is None:
        return np.asarray(form, dtype=np.float64)[None]
    total: Floats = np.zeros((1, *form.shape))
    for c, index in terms:
        product: Floats = np.asarray(c)[None]
        for place in index:
            product = product * _taken(place, p, slots)
        total = total + product
    return total


def _taken(place: Integers, p: Draws, slots: Mapping[str, tuple[int, tuple[int, ...]]]) -> Floats:
    """Values of parameters by index, (draw, row)."""
    low, high = (int(place.min()), int(place.max())) if place.size else (0, 0)
    for name, (start, shape) in slots.items():
        size = int(np.prod(shape, dtype=np.int64))
        if start <= low and high < start + size:
            value = np.asarray(p[name])
            flat = value.reshape(value.shape[0], -1)
            return flat[:, low - start : low - start + 1] if low == high else flat[:, place - start]
    values: Floats = np.zeros((1, 1))
    for name, (start, shape) in slots.items():
        size = int(np.prod(shape, dtype=np.int64))
        inside = (place >= start) & (place < start + size)
        if inside.any():
            flat = np.asarray(p[name]).reshape(np.shape(p[name])[0], -1)
            values = values + flat[:, np.where(inside, place - start, 0)] * inside
    return values


def _padded[T: (Floats, Integers)](values: T, count: int, fill: float = 0.0) -> T:
    """Values of players, padded for further players."""
    gap = count - len(values)
    if gap <= 0:
        return values[:count]
    return np.concatenate(
        [values, np.full((gap, *np.shape(values)[1:]), fill, dtype=np.asarray(values).dtype if fill == 0.0 else float)]
    )
