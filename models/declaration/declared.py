"""A model function declared on games: its PyMC model, and what compiled code and approximations read of that graph."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.own_likelihood import OWN_LIKELIHOOD
from halfpoint.models.games.select import Cells, Selection
from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.language.games import Games, Recorder
from halfpoint.models.language.laws import Law
from halfpoint.models.language.model import Model, by_hand
from halfpoint.models.pymc_import import Node, pm, pytensor
from halfpoint.models.reading.graph_reading import GraphReading
from halfpoint.models.reading.ground import Ground, run_model
from halfpoint.models.reading.layout import MARGIN, WEIGHT, Layout
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.sparse_affine import NotAffineError, SeatedAffine, split_by_seats
from halfpoint.models.reading.sum_model import SumModel, run_on_sums
from halfpoint.models.reading.traits import Traits
from halfpoint.models.rows.column_coding import Coding
from halfpoint.models.rows.rows import GameRows

type Labels = Sequence[object] | npt.NDArray[np.generic]  # of the members of a dim


@dataclass(frozen=True, eq=False, repr=False)
class Declared:
    """A model declared on games."""

    spec: Model  # the model
    edition: str  # edition of its priors and weights
    selection: Selection  # the games, with the model's weights
    cells: Cells  # the same games merged
    rows: GameRows  # the cells as the function reads them
    ground: Ground  # the games as functions may read them
    reads: Reads  # inputs of the function
    graph: "pm.Model | None" = (
        None  # a PyMC model of these games that was finished elsewhere, in place of the function's
    )

    def __repr__(self) -> str:
        return "\n".join(self.written())

    def written(self) -> list[str]:
        """Text of the model: its games, its formula, and PyMC's print of its variables."""
        outcome, players = self.outcome, self.selection.players.size
        counted = f"{self.selection.counts_in_words()}, {len(self.cells):,} kinds of game, {players:,} players"
        is_own = outcome.name == OWN_LIKELIHOOD  # whose formula is in the laws of its observed variables
        sides = "" if is_own else "; natural units, White (W) meets Black (B)"
        lines = [f"{self.spec.name}: {outcome.title or outcome.name}{sides}"]
        lines += [f"on {counted}" + (f", {self.periods:,} periods" if self.periods > 1 else "")]
        lines += filter(None, [] if is_own else [outcome.written(alone=not self.has_lam)])
        lines += [f"also {self.reads.effects.written}"] if self.reads.effects else []
        return [*lines, *(line.strip() for line in self.model.str_repr().splitlines())]

    @property
    def coding(self) -> Coding:
        """Coding of the columns of effects by the games."""
        return self.ground.code(self.reads.effects)

    @property
    def periods(self) -> int:
        """Number of periods if strengths change, else 1."""
        return self.ground.periods(self.reads.every)[1] if self.reads.every else 1

    @property
    def first_period(self) -> int:
        """Number of the first period, else 0."""
        return self.ground.periods(self.reads.every)[0] if self.reads.every else 0

    def view(self, rows: GameRows | None = None, weight: Floats | None = None) -> Games:
        """The games, or some rows of them, as the function reads them."""
        complete = rows is None
        weight = self.cells.weight if weight is None else weight
        facts = self.ground.facts(self.cells)
        results = None
        if complete and len(self.cells) == len(self.selection):  # a row is a game
            results = self.selection.games.outcome[np.argsort(self.cells.cell_of_game)]
        return Games(
            self.rows if rows is None else rows, weight, facts, Recorder(), source=self if complete else None,
            results=results, responses=self.reads.responses,
        )  # fmt: skip

    @cached_property
    def model(self) -> "pm.Model":
        """PyMC model, with coordinates for sampling; edits of it are sampled."""
        from halfpoint.models.reading.geometry import give_coordinates  # brings PyMC

        graph = self.graph if self.graph is not None else self.spec.run(self.view())
        give_coordinates(graph, self)
        if self.graph is None:
            self.__dict__.update(model=graph, unedited=mark_of(graph))
        return graph

    @cached_property
    def sums(self) -> SumModel | None:
        """Variables as sums, without PyMC, if the function belongs to this package and computes sums only."""
        run = None if self.graph is not None else run_on_sums(self.spec, self.view)
        return None if run is None else run[0]

    @property
    def current_sums(self) -> SumModel | None:
        """Variables as sums if no PyMC model was made, which a user may edit."""
        return None if self.is_edited else self.sums

    @property
    def alone(self) -> bool:
        """True if the PyMC model was finished by hand, without a function for other games."""
        return self.spec.function is by_hand

    @property
    def is_edited(self) -> bool:
        """True if the PyMC model was made and may have been edited since."""
        return self.graph is not None or "model" in self.__dict__

    @property
    def coords(self) -> dict[str, Labels]:
        """Coordinates of the dims of parameters."""
        if self.current_sums is not None:
            return dict(self.current_sums.coords)
        return {str(name): list(labels) for name, labels in self.model.coords.items() if labels is not None}

    @property
    def dims(self) -> dict[str, tuple[str | None, ...]]:
        """Names of the dims of each variable that has any."""
        if self.current_sums is not None:
            return {name: dims for name, dims in self.current_sums.dims.items() if dims}
        return dict(self.model.named_vars_to_dims)

    @property
    def is_untouched(self) -> bool:
        """True if the graph is the one that the function returned, with its data."""
        return "unedited" in self.__dict__ and self.__dict__["unedited"] == mark_of(self.model)

    def _state(self) -> tuple[object, ...]:
        """Identity of the graph and its data, which changes with every edit."""
        if self.current_sums is not None:
            return (id(self.current_sums),)
        from halfpoint.models.reading.model_variables import state_of

        return state_of(self.model)

    @cached_property
    def _read(self) -> dict[str, Any]:
        return {}

    def derive[T](self, name: str, make: Callable[[], T]) -> T:
        """Return a value derived from the current graph, derived again after an edit."""
        state = self._state()
        if self._read.get("state") != state:
            if len(self._read.get("state", ())) > 1:  # of a graph
                from halfpoint.models.reading.geometry import give_coordinates

                give_coordinates(self.model, self)
                state = self._state()
            self._read.clear()
            self._read["state"] = state
        if name not in self._read:
            self._read[name] = make()
        value: T = self._read[name]
        return value

    @property
    def outcome(self) -> Outcome:
        """The formula of a game."""
        formula: Outcome = self._formula[0]
        return formula

    @property
    def has_lam(self) -> bool:
        """True if the formula has a draw parameter, or a width of margins."""
        return bool(self._formula[1])

    @property
    def _formula(self) -> tuple[Outcome, bool]:
        if self.current_sums is not None:
            return self.current_sums.outcome, self.current_sums.sides[2] is not None
        from halfpoint.models.reading.games_variable import games_of

        return self.derive("formula", lambda: (games_of(self.model).op.outcome, games_of(self.model).op.has_lam))

    @property
    def reading(self) -> GraphReading:
        """The one reading of the PyMC graph."""
        return self.derive("reading", lambda: GraphReading(self.model))

    @property
    def strength(self) -> str:
        """Name of the variable by player that enters both sides, empty without one."""
        sums = self.current_sums
        return self.reading.strength if sums is None else "strength" if "strength" in sums.named_vars else ""

    @property
    def layout(self) -> Layout:
        """Places of the variables among sampled coordinates and values."""
        sums = self.current_sums
        return self.reading.layout if sums is None else self.derive("layout", lambda: sums.layout(self._whole_layout))

    def _whole_layout(self) -> Layout:
        """Layout with the operations of the graph."""
        _ = self.model  # from which it is read from now on
        return self.reading.layout

    @property
    def laws(self) -> list[Law]:
        """Variables of the model, each with its law given the others."""
        sums = self.current_sums
        if sums is not None:
            try:
                return self.derive("laws", lambda: sums.laws(self))
            except NotAffineError:
                self.__dict__["sums"] = None
        return self.reading.laws

    @property
    def traits(self) -> Traits:
        """Properties of the model as a whole, read from the graph."""
        return self.derive("traits", lambda: Traits.of(self))

    @property
    def moves(self) -> bool:
        """True if strengths change, by periods or by days."""
        return self.traits.walks or any(law.days is not None for law in self.laws)

    @property
    def with_current_data(self) -> "Declared":
        """Model with the weights and margins of its graph, if they were replaced."""
        data = self.model.named_vars if "model" in self.__dict__ or self.graph is not None else {}
        weight = _current_data(data.get(WEIGHT), self.cells.weight)
        margin = _current_data(data.get(MARGIN), self.rows.margin)
        if weight is self.cells.weight and margin is self.rows.margin:
            return self
        current = replace(self, cells=replace(self.cells, weight=weight), rows=replace(self.rows, margin=margin))
        if margin is not None and margin is not self.rows.margin:
            margins, games = margin[self.cells.cell_of_game], self.selection.games
            content = hashlib.sha256(str(games.sha256).encode() + margins.tobytes()).hexdigest()
            covariates = {**games.covariates, "margin": margins}
            games = replace(games, score=0.5 + 0.5 * np.sign(margins), covariates=covariates, sha256=content)
            current = replace(current, selection=replace(self.selection, games=games))
        current.__dict__.update(model=self.model, _read=dict(self._read))
        return current

    def coordinates(self, p: Mapping[str, Floats]) -> Floats:
        """Coordinates at which the parameters have given values, shape (coordinate,).

        Raises KeyError if values of further parameters are needed.
        """
        from halfpoint.models.reading.transforms import coordinates_of, values_behind

        at = self.derive("coordinates", lambda: coordinates_of(self.model))
        return at(values_behind(self.model, p))

    @property
    def game_rows(self) -> GameRows:
        """The single games, in their order, as the function reads them."""
        return self.rows.take(self.cells.cell_of_game)

    @cached_property
    def seats(self) -> tuple[Codes, Codes]:
        """White's and Black's seat of each cell."""
        return self.rows.white.seats(), self.rows.black.seats()

    def sides(self, slots: Mapping[str, tuple[int, tuple[int, ...]]]) -> list[Any]:
        """The two sides, lam (None for a formula without lam) and further numbers as sums of values by their slots."""
        if self.current_sums is not None:
            values = self.current_sums.at(slots)
            if values is not None:
                return [None if side is None else side.form for side in values.sides]
        from halfpoint.models.reading.affine import forms_of_names
        from halfpoint.models.reading.games_variable import sides_of

        white, black, lam, numbers = sides_of(self.model)
        return forms_of_names([white, black, lam, *numbers], slots, self.model.named_vars)

    def forms(self, layout: Layout | None = None) -> tuple[SeatedAffine, SeatedAffine]:
        """The difference of the sides and lam of each cell as sparse sums of a layout's values."""

        def split() -> tuple[SeatedAffine, SeatedAffine]:
            white, black, lam, *_ = self.sides((layout or self.layout).slots)
            lams = np.zeros(len(self.rows)) if lam is None else lam
            return split_by_seats(white - black, *self.seats), split_by_seats(lams, *self.seats)

        return split() if layout is not None else self.derive("forms", split)

    def part(self, rows: slice) -> "Declared":
        """Model on some of its rows, for files with too many rows to read at once."""
        cells = replace(
            self.cells, white=self.cells.white[rows], black=self.cells.black[rows],
            anchor_elo=self.cells.anchor_elo[rows], weight=self.cells.weight[rows],
        )  # fmt: skip
        part = replace(self, cells=cells, rows=self.rows.take(rows), graph=None)
        facts = self.ground.facts(self.cells)
        graph, _ = run_model(self.spec, lambda: Games(part.rows, cells.weight, facts, Recorder()))
        part.__dict__["sums" if isinstance(graph, SumModel) else "model"] = graph
        return part

    def weighing(self, weight: Floats) -> "Declared":
        """Model on the same games with other weights, shape (game,); sampling units follow the weights."""
        count = len(self.selection)
        if weight.shape != (count,) or not np.all(np.isfinite(weight) & (weight >= 0)):
            raise ModelError(f"weights: expected {count} finite numbers >= 0, one a game")
        cells = replace(self.cells, weight=self.cells.sum_weights(self.selection.games.outcome, weight))
        return replace(self, selection=replace(self.selection, weight=weight), cells=cells)

    def seeing(self, score: Floats, margin: Floats | None = None) -> "Declared":
        """Model on the same games with other results; weights are unchanged until `weighing`."""
        games = replace(self.selection.games, score=score)
        if margin is None:
            return replace(self, selection=replace(self.selection, games=games))
        if self.rows.margin is None or len(self.cells) != len(self.selection) + self.cells.further.shape[1]:
            raise ModelError(f"model {self.spec.name}: expected unmerged games (apart=True), found cells")
        games = replace(games, covariates={**games.covariates, "margin": margin})
        margins = self.rows.margin.copy()  # which printed rankings keep
        margins[self.cells.cell_of_game] = margin
        return replace(self, selection=replace(self.selection, games=games), rows=replace(self.rows, margin=margins))


def mark_of(model: "pm.Model") -> tuple[object, ...]:
    """Identity of a graph with all its data, which changes with every edit."""
    from halfpoint.models.reading.model_variables import state_of

    variables = [model.named_vars.get(name) for name in (WEIGHT, MARGIN)]
    data = (hash(variable.get_value(borrow=True).tobytes()) for variable in variables if hasattr(variable, "get_value"))
    return (id(model), *state_of(model), *data)


def _current_data(variable: Node | None, was: Floats | None) -> Any:
    """Data of a variable of a graph; the given data if the graph has no others of that shape."""
    if variable is None:
        return was
    current = variable.get_value() if isinstance(variable, pytensor.compile.SharedVariable) else None
    same = current is None or was is None or current.shape != was.shape or np.array_equal(current, was)
    return was if same else current


def share_reading(of: Declared, to: Declared) -> None:
    """Share the graph of a model, and the values read from it, with a model on the same games with other results."""
    graph = of.model
    _ = of.layout, of.laws, of.traits
    values = {name: value for name, value in of._read.items() if name != "forms"}
    graph[WEIGHT].set_value(to.cells.weight)
    if to.rows.margin is not None:
        graph[MARGIN].set_value(to.rows.margin)
    to.__dict__.update(model=graph, _read=values)
