"""A model declared on games: its graph in PyMC, what compiled code reads of it, and the same with other results."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.games.select import Cells, Selection, merge
from halfpoint.games.table import GRADE, OUTCOMES, Codes, Floats
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.margin import margins_of
from halfpoint.models.graph.layout import LIKELIHOOD, Layout
from halfpoint.models.graph.pymc_import import Node, pm, pytensor
from halfpoint.models.graph.sparse_affine import NotAffineError, SeatedAffine, SparseAffine, split_by_seats
from halfpoint.models.model import Model
from halfpoint.models.parts.anchors import UNKNOWN, strengths
from halfpoint.models.parts.blocks import Block
from halfpoint.models.parts.column_coding import Coding, code_columns
from halfpoint.models.parts.part import ModelContext
from halfpoint.models.rows import GameRows, Side, group_codes, periods, team_sides

type Labels = Sequence[object] | npt.NDArray[np.generic]  # of the members of a dim


@dataclass(frozen=True, eq=False, repr=False)
class Declared:
    """A model declared on games."""

    spec: Model  # the model
    edition: str  # edition of its priors and weights
    selection: Selection  # the games, with the model's weights
    cells: Cells  # the same games merged
    rows: GameRows  # the cells as formulas read them
    coords: dict[str, Labels]  # coordinates of the dims of parameters
    coding: Coding  # how the games code the columns of effects
    periods: int = 1  # number of periods where strengths walk, else 1
    first_period: int = 0  # number of the first of them, else 0

    def __repr__(self) -> str:
        return "\n".join(self.written())

    def written(self) -> list[str]:
        """The model as a statistician writes it: what it was declared on, its formula, and what PyMC prints of it."""
        entry, players = self.spec, self.selection.players.size
        lines = [f"{entry.name}: {entry.outcome.title or entry.outcome.name}; natural units, i meets j"]
        counted = f"{self.selection.counted()}, {len(self.cells):,} kinds of game, {players:,} players"
        lines += [f"on {counted}" + (f", {self.periods:,} periods" if self.periods > 1 else "")]
        lines += filter(None, [entry.outcome.written(alone=entry.draws is None)])
        halves = {"none": ("", ""), "common": (" + advantage", "")}
        plus, minus = halves.get(entry.advantage.kind, (" + advantage_i", " - advantage_j"))
        at = "_t" if entry.walks else ""
        lam = f", lam = {entry.outcome.lam}" if entry.draws else ""
        lines.append(f"W = strength_i{at}{plus}, B = strength_j{at}{minus}{lam}")
        lines += [f"also {entry.new}"] if entry.new else []
        return [*lines, *(line.strip() for line in self.model.str_repr().splitlines())]

    @cached_property
    def blocks(self) -> list[Block]:
        """The parameters."""
        draws, information, margin = self.spec.draws, self.spec.outcome.information, self.rows.margin
        if margin is not None:  # a margin tells 1 / variance of the difference, which the games guess
            there = self.cells.weight.sum(axis=1) > 0.0
            information = 1.0 / max(float(np.var(margin[there] if there.any() else margin)), 1e-6)
        sees_level = draws is not None and draws.slope is not None
        ratings = self.selection.ratings_elo
        cells = replace(self.cells, weight=self.cells.weight_of_games)
        site = ModelContext(cells, information, self.periods, self.coords, ratings, level_seen=sees_level)
        site = replace(site, margin=margin, period=self.rows.period, prior_elo=self.selection.prior_elo)
        made: list[Block] = []
        for part in self.spec.parts:
            blocks = part.blocks(site) if part is not self.spec.strength else strengths(part, site)
            made += blocks
            site.known.update(block.name for block in blocks)
        return made

    @cached_property
    def parameters(self) -> "pm.Model":
        """The parameters in PyMC, without the games."""
        graph = pm.Model(coords=self.coords)
        with graph:
            self._declare()
        return graph

    @cached_property
    def model(self) -> "pm.Model":
        """The model in PyMC: its definition, made when first asked for; what is edited in it is sampled so."""
        graph = pm.Model(coords=self.coords)
        with graph:
            p = self._declare()
            weight = pm.Data("weight", self.cells.weight)
            margin = None if self.rows.margin is None else pm.Data("margin", self.rows.margin)
            terms = self.spec.formula(p).terms(*self.spec.sides(p, self.rows), margin)
            pm.Potential(LIKELIHOOD, self.spec.outcome.weigh(terms, [weight[:, k] for k in range(3)]).sum())
        return graph

    def _declare(self) -> dict[str, Node]:
        """Parameters by name, declared in the PyMC model in context."""
        p: dict[str, Node] = {}
        for block in self.blocks:
            block.declare(p)
        return p

    @cached_property
    def owners(self) -> dict[str, str]:
        """Names of the parameters that declare the free variables, by their names."""
        found: dict[str, str] = {}
        p: dict[str, Node] = {}
        with pm.Model(coords=self.coords) as graph:
            for block in self.blocks:
                block.declare(p)
                found |= {str(one.name): block.name for one in graph.free_RVs if one.name not in found}
        return found

    @property
    def seen(self) -> "Declared":
        """The same with the weights and margins of its graph, where somebody swapped them: other results."""
        data = self.model.named_vars if "model" in self.__dict__ else {}
        weight = _current_data(data.get("weight"), self.cells.weight)
        margin = _current_data(data.get("margin"), self.rows.margin)
        if weight is self.cells.weight and margin is self.rows.margin:
            return self
        made = replace(self, cells=replace(self.cells, weight=weight), rows=replace(self.rows, margin=margin))
        if margin is not None and margin is not self.rows.margin:
            each, games = margin[self.cells.cell_of_game], self.selection.games
            content = hashlib.sha256(str(games.sha256).encode() + each.tobytes()).hexdigest()
            covariates = {**games.covariates, "margin": each}
            games = replace(games, score=0.5 + 0.5 * np.sign(each), covariates=covariates, sha256=content)
            made = replace(made, selection=replace(self.selection, games=games))
        made.__dict__.update(blocks=self.blocks, model=self.model)
        return made

    @cached_property
    def layout(self) -> Layout:
        """Where the parameters, as declared, stand among sampled coordinates and values."""
        from halfpoint.models.graph.read_graph import read_layout  # brings PyTensor

        return read_layout(self.parameters)

    def coordinates(self, p: Mapping[str, Floats]) -> Floats:
        """Coordinates at which the parameters, as declared, have these values, shape (coordinate,).

        Raises KeyError where values of further parameters are needed.
        """
        values = dict(p)
        for block in self.blocks:
            values |= block.behind(values, self.blocks)
        return self._coordinates_of(values)

    @cached_property
    def _coordinates_of(self) -> Callable[[Mapping[str, Floats]], Floats]:
        """Coordinates of values of the free variables."""
        from halfpoint.models.graph.transforms import coordinates_of

        return coordinates_of(self.parameters)

    @property
    def game_rows(self) -> GameRows:
        """The single games, in their order, as formulas read them."""
        return self.rows.take(self.cells.cell_of_game)

    @cached_property
    def seats(self) -> tuple[Codes, Codes]:
        """White's and Black's seat of each cell."""
        return self.rows.white.seats(), self.rows.black.seats()

    def forms(self, layout: Layout | None = None) -> tuple[SeatedAffine, SeatedAffine]:
        """The difference of the sides and lam of each cell as sparse sums of a layout's values."""
        slots = (layout or self.layout).slots
        p = {name: SparseAffine.of(start, shape) for name, (start, shape) in slots.items()}
        try:
            white, black, lam = self.spec.sides(p, self.rows)
            difference = white - black
        except NotAffineError:
            raise
        except NotImplementedError as error:  # PyTensor, of what is no graph node
            raise NotAffineError("a function of graph nodes of a parameter") from error
        except (TypeError, ValueError) as error:  # NumPy and Python
            raise NotAffineError(f"a function of arrays of a parameter ({error})") from error
        given = np.zeros(len(self.rows)) if lam is None else lam
        return split_by_seats(difference, *self.seats), split_by_seats(given, *self.seats)

    def weighing(self, weight: Floats) -> "Declared":
        """The same model on the same games with other weights, shape (game,); sampling units follow them."""
        count = len(self.selection)
        if weight.shape != (count,) or not np.all(np.isfinite(weight) & (weight >= 0)):
            raise ModelError(f"weights: expected {count} finite numbers >= 0, one a game")
        cells = replace(self.cells, weight=self.cells.weighed(self.selection.games.outcome, weight))
        return replace(self, selection=replace(self.selection, weight=weight), cells=cells)

    def seeing(self, score: Floats, margin: Floats | None = None) -> "Declared":
        """The same model where the same games ended otherwise; weights are as they were until `weighing`."""
        games = replace(self.selection.games, score=score)
        if margin is None:
            return replace(self, selection=replace(self.selection, games=games))
        if len(self.cells) != len(self.selection):
            raise ModelError(f"model {self.spec.name}: expected each game by itself where margins change, found cells")
        games = replace(games, covariates={**games.covariates, "margin": margin})
        found = np.empty(margin.size)
        found[self.cells.cell_of_game] = margin
        return replace(self, selection=replace(self.selection, games=games), rows=replace(self.rows, margin=found))


def _current_data(variable: Node | None, was: Floats | None) -> Any:
    """The data that a variable of a graph holds, the same as before where it holds no others of that shape."""
    held = variable.get_value() if isinstance(variable, pytensor.compile.SharedVariable) else None
    same = held is None or was is None or held.shape != was.shape or np.array_equal(held, was)
    return was if same else held


def game_rows(model: Model, selection: Selection, first_period: int = 0, coding: Coding | None = None) -> GameRows:
    """The single games of a selection as a model reads them."""
    known = to_natural(np.nan_to_num(selection.anchor_elo))
    white: Codes | Side = selection.white
    black: Codes | Side = selection.black
    if selection.sides is not None:
        white, black = (
            team_sides(selection.sides.members[side], selection.sides.share[side])
            for side in (selection.white, selection.black)
        )
    coding = coding or code_columns(model.effects, selection.games, selection.players)
    return model.rows(selection.games, white, black, (known, known), first_period, coding)


def check_weighting(model: Model, weighting: str) -> None:
    """Refuse games with weights of their own for a model that weighs by age: one of the two would be lost."""
    if model.weighted and weighting != "equal":
        plain = model.name.removesuffix("-weighted")
        raise ModelError(
            f"model {model.name}: expected games that weigh alike, since it weighs them by age, found weights "
            f"{weighting!r}. Leave them out, or take {plain}, which counts games by them."
        )


def _check_draws(model: Model) -> None:
    """Refuse a model whose formula reads a draw parameter that it does not have, or has one that no game would see."""
    name = model.outcome.name
    wrong = [one for one in ("log_draw", "log_width") if one in model.effects.formulas and one != model.outcome.lam]
    if wrong and model.draws is not None:
        raise ModelError(
            f"model {model.name}: effects on {wrong[0]}: expected effects on {model.outcome.lam}, which {name} has"
        )
    if model.draws is not None:
        if model.outcome.scores is HALF_POINTS.scores:
            raise ModelError(
                f"model {model.name}: expected no draw parameter, since {name} counts draws as half points, found one. "
                "Leave out draws=..., or take outcome=DAVIDSON."
            )
        return
    if "log_draw" in model.effects.formulas:
        raise ModelError(f"model {model.name}: effects on log_draw: expected a draw parameter, which {name} lacks")
    try:
        if model.outcome.scores is not None:
            model.outcome.at(dict.fromkeys(model.parameters, np.ones(1))).apply(np.zeros(1), np.zeros(1), None)
    except TypeError as error:
        raise ModelError(
            f"model {model.name}: expected a draw parameter, which {name} reads, found none. Give it: "
            "draws=DrawParameter()."
        ) from error


def declare_model(model: Model, selection: Selection, edition: str = "corrected", apart: bool = False) -> Declared:
    """Declare a model on a selection of games."""
    _check_draws(model)
    if (model.weighting == "exponential") != (model.half_life is not None):
        raise ModelError(
            f"model {model.name}: expected half_life=... with weighting='exponential' and nowhere else, "
            f"found weighting {model.weighting!r} and half-life {model.half_life}"
        )
    if model.outcome.margin is not None:
        margins_of(selection.games, model.name, model.outcome.margin)
    if model.weighting != "equal":
        check_weighting(model, selection.weighting)
        name = f"{model.weighting}, mean 1" if model.mean_one else model.weighting
        selection = selection.weighted(model.weights(selection.games), name)
    first = int(periods(selection.games, model.strength.every).min()) if model.walks else 0
    coding = code_columns(model.effects, selection.games, selection.players)
    games = game_rows(model, selection, first, coding)
    further = None
    if model.grades is not None and selection.games.grade.any():
        game, step, outcome = model.grades.steps(selection.games)
        games, further = games.take(np.append(np.arange(len(selection)), game)), np.stack([game, outcome])
        steps = np.append(np.zeros(len(selection), dtype=np.int64), step)
        games = replace(games, columns={**games.columns, GRADE: steps})
    cells = merge(selection, np.arange(len(games)) if apart else _kinds(games), further)
    one = np.zeros(len(cells), dtype=np.int64)
    one[cells.cell_of_row] = np.arange(len(games))
    count = int(games.period.max()) + 1
    coords: dict[str, Labels] = {"player": cells.players.astype(object), "outcome": list(OUTCOMES)}
    if model.walks:
        every = model.strength.every
        begin = (first - 1) * every + 1
        coords |= {"month": range(begin, begin + count * every, every), "innovation": range(count - 1)}
    if selection.known.any():
        coords[UNKNOWN] = cells.players[~selection.known].astype(object)
    coords |= coding.coords
    if model.grades is not None:
        coords["grade"] = range(2, model.grades.most + 1)
    declared = Declared(model, edition, selection, cells, games.take(one), coords, coding, count, first)
    _ = declared.blocks  # made here, so that what the games lack is told before anything is sampled
    return declared


def _kinds(rows: GameRows) -> Any:
    """A class for each row, shape (row,), such that rows of one class agree in period, seats and columns."""
    columns = [np.asarray(value, dtype=np.float64).reshape(len(rows), -1).T for value in rows.columns.values()]
    return group_codes([rows.period, rows.seated, *chain(*columns), *([] if rows.margin is None else [rows.margin])])
