"""Declaration of a model function on games: columns that it reads, merged games, names that a trace cannot keep."""

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.declaration.declared import Declared, mark_of
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import Cells, Selection, merge
from halfpoint.models.games.table import GRADE, Codes, Integers
from halfpoint.models.language.games import MONTHS, OWN, Games, UnreadError
from halfpoint.models.language.grades import grade_steps
from halfpoint.models.language.model import Model, as_model, is_own
from halfpoint.models.reading.first_density import require_density
from halfpoint.models.reading.ground import Ground, probe, run_model
from halfpoint.models.reading.own_columns import (
    codes_among,
    latest_value,
    require_games_apart,
    usual_value,
    with_responses,
)
from halfpoint.models.reading.own_likelihoods import has_formula
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.sum_model import SumModel
from halfpoint.models.rows.printed_ranks import COLUMN as RANKED
from halfpoint.models.rows.printed_ranks import rank_rows
from halfpoint.models.rows.rows import GameRows, group_codes

if TYPE_CHECKING:
    import pymc as pm

_TURNS = 5  # runs until nothing further is read


def check_weighting(model: Model, weighting: str) -> None:
    """Refuse games with weights for a model that sets weights by age."""
    if model.weighted and weighting != "equal":
        plain = model.name.removesuffix("-weighted")
        alternative = "" if plain == model.name else f", or use {plain}, which counts games by them"
        raise ModelError(
            f"model {model.name}: it sets its own weights by age, but the games have weights {weighting!r}. Remove the "
            f"weights{alternative}."
        )


def declare_model(model: object, selection: Selection, edition: str = "corrected", apart: bool = False) -> Declared:
    """Declare a model, or a function of games, on a selection of games; `apart` keeps games unmerged."""
    model = as_model(model)
    if (model.weighting == "exponential") != (model.half_life is not None):
        raise ModelError(
            f"model {model.name}: half_life=... belongs to weighting='exponential', found weighting "
            f"{model.weighting!r} and half-life {model.half_life}"
        )
    if model.weighting != "equal":
        check_weighting(model, selection.weighting)
        name = f"{model.weighting}, mean 1" if model.mean_one else model.weighting
        selection = selection.with_weights(model.weights(selection.games), name)
    ground = Ground(selection, model)
    reads = probe(ground)
    for _ in range(_TURNS):
        cells, rows = _merged(ground, reads, apart)
        declared = Declared(model, edition, selection, cells, rows, ground, reads)
        try:
            graph, view = run_model(model, declared.view)
        except UnreadError as error:
            reads = replace(reads, columns=tuple(sorted({*reads.columns, str(error.args[0])})))
            continue
        recorded = Reads.of(view.recorder)
        if recorded == reads:
            if not isinstance(graph, SumModel) and not has_formula(graph) and not apart:
                return declare_model(model, selection, edition, apart=True)
            if is_own(model) or model.keywords:
                require_density(graph, model.name)
            return _finished(_with_facts(declared, graph, view), graph)
        reads = reads.union(recorded)
    raise ModelError(
        f"model {model.name}: the function reads other columns on its second run. Make its reads independent of results"
    )


def require_equal_weights(declared: Declared) -> None:
    """Raise `ModelError` if games have weights, which a likelihood of PyMC's own ignores."""
    if (declared.selection.weight != 1.0).any():
        raise ModelError(
            f"model {declared.spec.name}: expected games without weights for a likelihood of its own, found weights "
            f"{declared.selection.weighting!r}. Remove them, or weight the games in the likelihood."
        )


def _with_facts(declared: Declared, graph: "SumModel | pm.Model", view: Games) -> Declared:
    """Declared model with data of the fit that other games need: means of columns, periods, observed variables."""
    spec, reads, keys = declared.spec, declared.reads, [key for key in declared.reads.columns if key.startswith(OWN)]
    if not isinstance(graph, SumModel):
        if reads.every > 0 and not any(MONTHS in (dims or ()) for dims in graph.named_vars_to_dims.values()):
            reads = replace(reads, span=(declared.first_period, declared.periods))
        if not has_formula(graph):
            require_equal_weights(declared)
            reads = with_responses(reads, view, graph, spec.run, spec.responses)
        if is_own(spec):
            require_games_apart(
                reads, spec.name, graph,
                lambda place: spec.run(replace(declared.view(view.rows.take(place)), responses=reads.responses)),
            )  # fmt: skip
            reads = replace(reads, codes=codes_among(reads, view, spec.run) if keys else ())
    columns = {key: declared.ground.column(key) for key in keys if key not in reads.observed}
    selection = declared.selection
    ends = {key: latest_value(column, selection.games) for key, column in columns.items()}
    latest = {key: value for key, value in ends.items() if value is not None}
    usual = {key: usual_value(column, selection.weight, key in reads.codes) for key, column in columns.items()}
    return replace(declared, reads=replace(reads, means=usual | latest, latest=tuple(latest)))


def _finished(declared: Declared, graph: "SumModel | pm.Model") -> Declared:
    """Declared model of the graph just made, if the graph has games."""
    if not isinstance(graph, SumModel):
        from halfpoint.models.reading.games_variable import games_of

        games_of(graph)
        _require_dims(graph, declared.spec.name)
        _require_names(graph, declared.spec.name)
    if declared.selection.prior_elo is not None and not np.isnan(declared.selection.prior_elo).all():
        if "list" not in declared.ground.made:
            raise ModelError(
                f"anchors with errors: model {declared.spec.name} does not use ratings with standard errors. Use "
                "davidson-population-scaled or bt-population, or leave the errors out."
            )
        if declared.selection.sides is not None:
            raise ModelError("anchors with errors: expected one player a side, found sides of several people")
    if isinstance(graph, SumModel):
        declared.__dict__["sums"] = graph
    else:
        from halfpoint.models.reading.geometry import give_coordinates

        give_coordinates(graph, declared)
        declared.__dict__["model"] = graph
        declared.__dict__["unedited"] = mark_of(graph)
    return declared


def _require_names(model: "pm.Model", name: str) -> None:
    """Refuse variables with names that dims of a trace have."""
    dims = {"chain", "draw", "game", *model.coords}
    reserved = [str(variable.name) for variable in [*model.free_RVs, *model.deterministics] if variable.name in dims]
    if reserved:
        raise ModelError(
            f"model {name}: the name {reserved[0]!r} is reserved for a dim of every trace. Rename the variable."
        )


def _require_dims(model: "pm.Model", name: str) -> None:
    """Refuse strengths without the dim of players, which traces, newcomers and lists need."""
    strength = model.named_vars.get("strength")
    dims = [str(dim) for dim in model.named_vars_to_dims.get("strength") or ()]
    if strength is not None and strength.ndim and "player" not in dims:
        raise ModelError(
            f"model {name}: expected strength with the dim of players, found {', '.join(dims) or 'a shape'}. Write "
            'dims="player" in place of shape=.'
        )


def _merged(ground: Ground, reads: Reads, unmerged: bool) -> tuple[Cells, GameRows]:
    """Merge games with equal values of all columns that the function reads."""
    selection, model = ground.selection, ground.model
    games, further = ground.rows(reads), None
    if GRADE in reads.columns:
        steps = np.zeros(len(selection))
        if model.grades and selection.games.grade.any():
            game, step, outcome = grade_steps(selection.games, model.grades)
            games, further = games.take(np.append(np.arange(len(selection)), game)), np.stack([game, outcome])
            steps = np.append(steps, step)
        games = replace(games, columns={**games.columns, GRADE: steps})
    if RANKED in reads.columns:
        games, further = _with_ranks(games, selection)
    cells = merge(selection, np.arange(len(games)) if unmerged else _kinds(games), further)
    row_of_cell = np.zeros(len(cells), dtype=np.int64)
    row_of_cell[cells.cell_of_row] = np.arange(len(games))
    return cells, games.take(row_of_cell)


def _with_ranks(games: GameRows, selection: Selection) -> tuple[GameRows, Integers]:
    """Rows of games and of printed rankings, whose logarithms are the margins, and games and outcomes of the latter."""
    game, side, rank = rank_rows(selection)
    assert games.margin is not None
    margin, place = np.append(games.margin, rank), np.append(np.arange(len(selection)), game)
    columns = {**games.take(place).columns, RANKED: np.append(np.zeros(len(selection)), side)}
    outcome = selection.games.outcome[game].astype(np.int64)
    return replace(games.take(place), columns=columns, margin=margin), np.stack([game, outcome])


def _kinds(rows: GameRows) -> Codes | Integers:
    """A class for each row, shape (row,), such that rows of one class agree in period, seats and columns."""
    columns = [np.asarray(value, dtype=np.float64).reshape(len(rows), -1).T for value in rows.columns.values()]
    return group_codes([rows.period, rows.seated, *chain(*columns), *([] if rows.margin is None else [rows.margin])])
