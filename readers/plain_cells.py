"""Cells of plain games, without a table of games between: some ten times faster than `readers.cells.cells_of`.

Games are plain if the reader of tables would take each value as it is: columns of names, results and whole ratings and
no others; names of ASCII letters, digits, hyphens and underscores that do not differ in case alone; results that the
reader understands without a note. The reader itself reads one game of each different result.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import polars

from halfpoint.models.games.cells_file import RATED, RATINGS, SCHEMA
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import OUTCOMES, RATING_RANGE_ELO
from halfpoint.readers.build_table import read_table
from halfpoint.readers.column_names import assign_columns
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.read import open_table, read
from halfpoint.readers.words import BYES

_PLAIN = r"^[-_]*[0-9A-Za-z][0-9A-Za-z_-]*$"
_NO_PLAYERS = [word.lower() for word in (*UNKNOWN, *BYES)]
_SIDES = ("white", "black")
_RATINGS = ("white_rating_elo", "black_rating_elo")


@dataclass(frozen=True, eq=False)
class PlainGames:
    """Columns of plain games, and the meaning of their results."""

    column: Mapping[str, str]  # of each field
    meaning: polars.DataFrame  # result, as in the file, and outcome, 0, 1 or 2

    @classmethod
    def of(cls, file: str | Path, results: polars.DataFrame, options: Mapping[str, Any]) -> Self | None:
        """The columns and results of a Parquet file with a row of each different result; None if it is not plain."""
        source, settings = open_table(file, "parquet", options)
        assigned = assign_columns(source, settings, read_table)
        further = assigned.left_out or assigned.seats or assigned.verdicts or assigned.notes or assigned.own_side
        options = settings.covariates or settings.sides is not None or not settings.scored
        if further or options or {*assigned.columns} - {*_RATINGS} != {*_SIDES, "score"}:
            return None
        score = results[assigned.columns["score"]].alias("score")
        names = [polars.Series(side, [side] * len(score)) for side in _SIDES]
        try:
            games = read(polars.DataFrame([*names, score]), outcomes=settings.outcomes)
        except GameTableError:
            return None
        if len(games) < len(score) or games.notes or games.weight is not None or games.covariates:
            return None
        outcome = polars.Series("outcome", games.outcome, dtype=polars.Int8)
        return cls(assigned.columns, polars.DataFrame([score, outcome]))

    def cells(self, games: polars.DataFrame) -> polars.DataFrame | None:
        """A cell for each of some games of the file; None if they are not plain."""
        frame = games.select(polars.col(column).alias(field) for field, column in self.column.items())
        if any(frame.schema[side] != polars.String for side in _SIDES) or (frame["white"] == frame["black"]).any():
            return None
        names = polars.concat([frame["white"].unique(), frame["black"].unique().alias("white")]).unique()
        small = names.str.to_lowercase()
        plain = names.null_count() == 0 and names.str.contains(_PLAIN).all() and small.n_unique() == names.len()
        if not plain or small.is_in(_NO_PLAYERS).any():
            return None
        low, high = RATING_RANGE_ELO
        columns: dict[str, Any] = {"neutral": polars.lit(False)}
        for field, number, total in zip(_RATINGS, RATED, RATINGS, strict=True):
            if field not in self.column:
                columns |= {number: polars.lit(0, polars.Int64), total: polars.lit(0.0)}
                continue
            kind = frame.schema[field]
            elo = frame[field].drop_nulls()
            if kind == polars.Float64:
                elo = elo.drop_nans()
            elif not kind.is_integer():
                return None
            if not (elo.is_between(low, high).all() and (elo == elo.floor()).all()):
                return None
            rating = polars.col(field).cast(polars.Float64).fill_nan(None)
            columns |= {number: rating.is_not_null().cast(polars.Int64), total: rating.fill_null(0.0)}
        meant = frame.select("score").join(self.meaning, on="score", how="left", maintain_order="left")["outcome"]
        if meant.null_count():
            return None
        columns |= {name: (meant == k).cast(polars.Int64) for k, name in enumerate(OUTCOMES)}
        return frame.select("white", "black", **columns).select(*SCHEMA)
