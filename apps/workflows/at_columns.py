"""Values of a model's own columns where only players are known: `--at rapid=1`, else means, of codes the commonest."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.apps.workflows.contexts import context_column
from halfpoint.models.declaration.elo_scale import ratings_in_other_columns
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_attributes import READS, WORTH, reads_in
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import GameTable
from halfpoint.models.language.games import OWN
from halfpoint.models.reading.reads import Reads

type At = str | Sequence[str] | Mapping[str, float] | None  # a day, "rapid=1", several of them, or columns by name


def split_at(at: At) -> tuple[str | None, dict[str, float]]:
    """Day or period of an option, and its values of columns by name."""
    if isinstance(at, Mapping):
        return None, {str(name): _number(f"{name}={value}", value) for name, value in at.items()}
    parts = [at] if isinstance(at, str) else list(at or ())
    pairs = [part.partition("=") for part in parts if "=" in part]
    days = [part for part in parts if "=" not in part]
    if len(days) > 1:
        raise GameTableError("--at", "one day or period", ", ".join(days))
    return (days[0] if days else None), {name.strip(): _number(f"{name}={value}", value) for name, _, value in pairs}


def at_columns(tree: xr.DataTree, columns: Mapping[str, float], rated: bool = False) -> tuple[xr.DataTree, str]:
    """Trace whose own columns have some values in games of players alone, and a sentence on columns not given.

    With `rated` the ratings in the trace are those of such games.
    """
    reads = reads_in(tree.attrs)
    for name in columns:
        if name not in reads.requested:
            readable = ", ".join(reads.requested) or "none"
            raise GameTableError("--at", f"a column that the model reads ({readable})", repr(name))
        if OWN + name in reads.codes and columns[name] != round(columns[name]):
            raise GameTableError("--at", f"a code of the column {name!r}, a whole number", f"{columns[name]:.6g}")
    note = "".join(f" {sentence}." for sentence in usual_columns(reads, columns))
    note += "" if rated else overall(tree)
    if columns:
        means = {**reads.means, **{OWN + name: value for name, value in columns.items()}}
        changed = tree.copy()
        changed.attrs = {**tree.attrs, READS: json.dumps(replace(reads, means=means).as_record), WORTH: ""}
        if rated:
            before = tree["posterior"].to_dataset()
            rerated = ratings_in_other_columns(reading_of(tree), reading_of(changed), before)
            changed["posterior"] = xr.DataTree(rerated)
        tree, note = (
            changed,
            f" Games have {', '.join(f'{name} = {value:.6g}' for name, value in columns.items())}." + note,
        )
    return tree, note


def usual_columns(reads: Reads, given: Collection[str] = ()) -> list[str]:
    """Sentences, without full stops, on the values of a model's own columns in games of players alone."""
    values: dict[str, list[str]] = {}
    for name, value in reads.requested.items():
        if name not in given:
            key = OWN + name
            what = "the latest" if key in reads.latest else "the commonest" if key in reads.codes else "the mean"
            values.setdefault(what, []).append(f"{name} = {value:.6g}")
    return [
        f"Games have {', '.join(columns)}, {what} of the games of the fit (--at NAME=NUMBER)"
        for what, columns in values.items()
    ]


def overall(tree: xr.DataTree) -> str:
    """Sentence on games of players alone, if strengths differ by a column; else empty."""
    column = context_column(tree)
    return f" Strengths are overall; forecast uses those by {column} for games with this column." if column else ""


def filled(tree: xr.DataTree, games: GameTable) -> tuple[GameTable, str]:
    """Games with the model's own columns that they lack, at the values of a trace, and a sentence on these columns."""
    lacking = {name: mean for name, mean in reads_in(tree.attrs).requested.items() if name not in games.covariates}
    if not lacking:
        return games, ""
    added = {name: np.full(len(games), mean) for name, mean in lacking.items()}
    values = ", ".join(f"{name} = {mean:.6g}" for name, mean in lacking.items())
    return replace(games, covariates={**games.covariates, **added}), f" Games have {values}."


def _number(text: str, value: object) -> float:
    """Number of a column."""
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise GameTableError("--at", "NAME=NUMBER, or a day", repr(text))
    return number
