"""Scores of methods on data sets as comparisons in pairs, with a region in which two scores are a tie.

A matrix has a column of methods and a column of numbers for each data set; a long table has the columns method, dataset
and score (several rows of a method and a data set are folds, whose mean counts). On each data set each two methods are
compared once: a tie if their scores differ by at most the region of equivalence.

Benavoli, Corani, Demsar & Zaffalon (2017) J. Mach. Learn. Res. 18:77 for the region of practical equivalence.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

from halfpoint.apps.fields.arena.read import Judgements
from halfpoint.apps.workflows.beside.columns import columns_by_words, unused_columns
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.readers.column_values import numbers_of
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.read import detect, open_table
from halfpoint.readers.set_apart import are_in
from halfpoint.readers.sources import Cells, Source
from halfpoint.readers.words import list_names

_METHODS = ("method", "model", "classifier", "algorithm", "system", "name", "estimator")
_WORDS = {
    "method": _METHODS,
    "dataset": ("dataset", "data", "task", "benchmark", "problem"),
    "score": ("score", "value", "metric", "accuracy", "result", "error"),
}


def read_score_matrix(
    source: object,
    region: float,
    lower: bool = False,
    columns: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Judgements:
    """Read the comparisons of a matrix of scores, or a long table; nearly equal scores are ties."""
    if not (np.isfinite(region) and region >= 0):
        raise GameTableError("--region", "a number of at least 0", f"{region}")
    scores = isinstance(source, str | Path) and detect(source) == "score-tables"
    opened, _ = open_table(source, "csv" if scores else None, {"name": name})  # repeats of a data set have a mean here
    table, unused = _scores_of(opened, dict(columns or {}))
    methods, datasets = table.index.to_numpy().astype(np.str_), table.columns.to_numpy().astype(np.str_)
    values = table.to_numpy(dtype=np.float64) * (-1.0 if lower else 1.0)
    method, rival = np.triu_indices(methods.size, 1)
    gaps = (values[method] - values[rival]).T
    data, pair = np.nonzero(np.isfinite(gaps))
    if not pair.size:
        raise GameTableError(opened.where, "a data set with the scores of two methods", "none")
    gap = gaps[data, pair]
    score = np.where(np.abs(gap) <= region, 0.5, (gap > 0).astype(np.float64))
    covariates = {"prompt": datasets[data], "neutral": np.ones(gap.size)}
    shown = "scores" if name is None and opened.kind == "frame" else opened.name
    first, second = (side[pair].astype(np.int32) for side in (method, rival))
    games = GameTable(methods, first, second, score, covariates=covariates, name=shown, source=opened.where)
    ties = float(np.mean(games.score == 0.5))
    account = (
        f"scores: {methods.size} methods on {datasets.size} data sets, {len(games):,} comparisons, {ties:.1%} of them "
        f"within {region:g}: ties",
        *unused,
    )
    return Judgements(games, "method", ("first", "second"), {}, account)


def _scores_of(source: Source, columns: dict[str, str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Scores by method (sorted) and data set, and a note on the columns that are not used."""
    columns = columns_by_words(source.names, _WORDS, columns, source.where)
    if "method" not in columns:
        expected = f"a column of methods, one of {', '.join(_METHODS)}"
        raise GameTableError(source.where, expected, f"columns {list_names(source.names)}", "--columns method=COLUMN")
    long = "dataset" in columns and "score" in columns
    values = [columns["score"]] if long else [name for name in source.names if name != columns["method"]]
    if not values:
        raise GameTableError(source.where, "a column of scores for each data set", "none")
    cells = source.read([columns["method"], *([columns["dataset"]] if long else []), *values])
    methods = cells[columns["method"]]
    empty = are_in(methods, UNKNOWN)
    if empty.any():
        place = f"{_place_of(source, int(np.argmax(empty)))}, column {columns['method']}"
        raise GameTableError(place, "the name of a method", "''")
    numbers = {name: _column_of(source, cells[name], name) for name in values}
    if not long:
        if methods.n_unique() < len(methods):
            repeated = next(name for name in methods.to_list() if methods.to_list().count(name) > 1)
            raise GameTableError(source.where, "every method once", f"{repeated!r} again")
        return pd.DataFrame(numbers, index=methods.to_list()).sort_index(), ()
    datasets = cells[columns["dataset"]]
    datasets = datasets.set(pl.Series(are_in(datasets, UNKNOWN)), "unknown")
    frame = pd.DataFrame({"m": methods.to_list(), "d": datasets.to_list(), "s": numbers[values[0]]})
    unused = unused_columns(source.names, [columns["method"], columns["dataset"], *values])
    return frame.groupby(["m", "d"])["s"].mean().unstack().sort_index(), unused


def _place_of(source: Source, row: int) -> str:
    """Place of a row, for messages."""
    return f"{source.where}, {source.counts} {row + 1 if source.line is None else source.line[row]}"


def _column_of(source: Source, cells: Cells, name: str) -> Floats:
    """Numbers, NaN where empty."""
    numbers = numbers_of(cells)
    if numbers is None:
        wrong = cells.cast(float, strict=False).is_finite().fill_null(False).to_numpy() | are_in(cells, UNKNOWN)
        row = int(np.argmin(wrong))
        raise GameTableError(f"{_place_of(source, row)}, column {name}", "a score, a number", repr(cells[row][:60]))
    return numbers
