"""Columns that a user's function reads: which its likelihood observes, which are codes, and games that need others."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import Floats, GameTable, Integers
from halfpoint.models.language.games import OWN, Games
from halfpoint.models.language.responses import Responses
from halfpoint.models.reading.own_likelihoods import observed_by_game, responses_of
from halfpoint.models.reading.reads import Reads
from halfpoint.models.rows.rows import GameRows

if TYPE_CHECKING:
    import pymc as pm

_NEAR, _NEAR_ONE = 1e-9, 1e-6
_COLUMNS = 3  # columns for which a game is read alone
_TIMES = 3  # fewer say nothing of a trend
_ROWS = 20  # rows on which a column is tried as codes
_BETWEEN = (0.25, 0.4)  # above a whole number: codes have no such values


def with_responses(
    reads: Reads, view: Games, model: "pm.Model", run: "Callable[[Games], pm.Model]", responses: Responses | None = None
) -> Reads:
    """Record of the columns of a likelihood of PyMC's own; `model` is the function's on the games of `view`.

    The observed variables that give the results are inferred from the results unless passed.
    Columns on which no chance of a result depends are observed, as those of `Games.observed` are.
    """
    assert view.results is not None
    reads = replace(reads, responses=responses or responses_of(model, view.results))
    before, observed, terms = sides_as_numbers(model, terms=True), set(reads.observed), len(model.potentials)
    if reads.responses is not None and reads.responses.kind == "code":
        _require_complete(reads.responses, view.facts.name, np.exp(before[:3]).sum(axis=0))
    for key in reads.columns:
        if key.startswith(OWN) and (key not in observed or terms) and observed_by_game(model, len(view.rows)):
            rows = replace(view.rows, columns={**view.rows.columns, key: np.zeros(len(view.rows))})
            after = sides_as_numbers(run(replace(view, rows=rows, responses=reads.responses)), terms=True)
            same = [np.array_equal(*pair, equal_nan=True) for pair in zip(before, after, strict=True)]
            if all(same[: len(same) - terms]):
                observed.add(key)
            if key in observed and not all(same):
                term = model.potentials[same[len(same) - terms :].index(False)].name
                raise ModelError(
                    f"model {view.facts.name}: the Potential {term} reads the column {key.removeprefix(OWN)!r}, which "
                    "the likelihood observes, so games to come have no probabilities. Write both as one observed "
                    "variable "
                    "by pm.CustomDist."
                )
    return replace(reads, observed=tuple(sorted(observed)))


def _require_complete(code: Responses, name: str, total: Floats) -> None:
    """Refuse a code whose distribution has further values, by the sum of the probabilities of each row's results."""
    worst = total[np.argmax(np.abs(total - 1.0))]
    if not abs(worst - 1.0) < _NEAR_ONE:
        levels = ", ".join(str(level) for level, _ in code.levels)
        raise ModelError(
            f"model {name}: expected that {code.variables[0]} has the values {levels} with probability 1, found "
            f"{worst:.3g} at the start. Observe a distribution of three values, such as pm.Categorical, a margin, or "
            "two scores."
        )


def require_games_apart(reads: Reads, name: str, model: "pm.Model", one_row: "Callable[[Integers], pm.Model]") -> None:
    """Raise `ModelError` if a game depends on other games, such as by ranks, or has a variable of its own."""
    from halfpoint.models.reading.model_variables import shape_of

    whole, single = (
        {str(variable.name): shape_of(graph, variable) for variable in graph.free_RVs}
        for graph in (model, one_row(np.array([0])))
    )
    for variable in (variable for variable in whole if whole[variable] != single.get(variable)):
        raise ModelError(
            f"model {name}: the shape of {variable} depends on the games, {whole[variable]} for all games and "
            f"{single.get(variable, ())} for one, so games to come have no values of it. Fix its levels, and replace "
            "effects of single games by an overdispersed likelihood and missing values by numbers."
        )
    sides = sides_as_numbers(model)
    rows = model_rows(model)
    for key in [key for key in reads.columns if key in rows.columns and key not in reads.observed][:_COLUMNS]:
        column = np.asarray(rows.columns[key], dtype=np.float64).reshape(len(rows), -1)[:, 0]
        place = np.array([int(np.argmax(column))])
        alone = sides_as_numbers(one_row(place))
        if not all(
            np.allclose(np.broadcast_to(side, len(rows))[place], side_alone, rtol=_NEAR, atol=_NEAR, equal_nan=True)
            for side, side_alone in zip(sides, alone, strict=True)
        ):
            raise ModelError(
                f"model {name}: a game depends on the column {key.removeprefix(OWN)!r} of other games, which forecasts "
                "lack. Use its mean(), std(), min(), max() or np.median, which stay those of the fit."
            )


def codes_among(reads: Reads, view: Games, run: "Callable[[Games], pm.Model]") -> tuple[str, ...]:
    """Columns of whole numbers that the function reads as codes, such as an index of a season.

    Between two whole numbers the sides of a game are constant or not defined, and at these numbers they differ.
    """
    few = replace(view, rows=view.rows.take(np.arange(min(_ROWS, len(view.rows)))), responses=reads.responses)

    def sides_at(key: str, value: float) -> list[Floats]:
        column = np.full(len(few.rows), value)
        return sides_as_numbers(run(replace(few, rows=replace(few.rows, columns={**few.rows.columns, key: column}))))

    def equal(sides: list[Floats], others: list[Floats]) -> bool:
        return all(np.array_equal(*pair, equal_nan=True) for pair in zip(sides, others, strict=True))

    def has_codes(key: str) -> bool:
        values = np.unique(np.asarray(view.rows.columns[key], dtype=np.float64))
        if len(values) < 2 or (values != np.rint(values)).any():
            return False
        try:
            first, second = (sides_at(key, values[0] + part) for part in _BETWEEN)
        except Exception:  # a table that the function looks values up in has whole numbers alone
            return True
        return equal(first, second) and not equal(sides_at(key, values[0]), sides_at(key, values[1]))

    return tuple(key for key in reads.columns if key.startswith(OWN) and key not in reads.observed and has_codes(key))


def usual_value(column: Floats, weight: Floats, is_code: bool) -> float:
    """Value of a column in games of which only the players are known: the mean, the commonest of codes."""
    if not is_code:
        return float(np.average(column, weights=weight))
    values, places = np.unique(column, return_inverse=True)
    weights = np.bincount(places, weight)
    return float(values[len(values) - 1 - np.argmax(weights[::-1])])  # the largest of several


def latest_value(column: Floats, games: GameTable) -> float | None:
    """Last value of a column that never falls or never rises with time, such as a year; None for other columns."""
    dated = games.date is not None and not np.isnat(games.date).any()
    if not len(games) or (games.period is None and not dated):
        return None
    time = games.date.astype("datetime64[D]").astype(np.float64) if dated and games.date is not None else games.time
    order = np.lexsort((column, time))
    starts = np.flatnonzero(np.diff(time[order], prepend=-np.inf))
    if len(starts) < _TIMES or column.min() == column.max():
        return None
    low, high = (extreme.reduceat(column[order], starts) for extreme in (np.minimum, np.maximum))
    if (low[1:] >= high[:-1]).all():
        return float(high[-1])
    return float(low[-1]) if (high[1:] <= low[:-1]).all() else None


def model_rows(model: "pm.Model") -> GameRows:
    """Rows of the games of a model."""
    from halfpoint.models.reading.games_variable import games_of

    rows: GameRows = games_of(model).op.games.rows
    return rows


def sides_as_numbers(model: "pm.Model", terms: bool = False) -> list[Floats]:
    """Sides and draw parameter of each row, with `terms` also Potentials, at a point near the initial one."""
    from halfpoint.models.reading.games_variable import sides_of
    from halfpoint.models.reading.model_variables import numbers_at_start

    white, black, lam, numbers = sides_of(model)
    nodes = [node for node in (white, black, lam, *numbers) if node is not None]
    return numbers_at_start(model, nodes + (model.potentials if terms else []))
