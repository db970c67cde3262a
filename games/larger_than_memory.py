"""Parquet files larger than the memory, aggregated to cells without ever holding the games.

Two passes of polars' streaming engine: the first checks every row and counts each player's games, the second sums the
games of each (White, Black, anchor, period). A model sees a cell as it would see its games (`halfpoint.games.select`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import numpy as np
import polars

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import assign_columns
from halfpoint.games.readers.options import ReaderOptions
from halfpoint.games.readers.polars_files import FAULTS, scan_file, unreadable, without_panics
from halfpoint.games.readers.sources import of_lazy
from halfpoint.games.readers.words import SCORE_OF_RESULT
from halfpoint.games.select import ANCHORED, Cells
from halfpoint.games.table import RATING_RANGE_ELO, Codes, Texts

PeriodUnit = Literal["all", "year", "month", "period"]
NOT_LOOKED_AT = ("event", "weight", "neutral", "margin")
RATINGS = ("white_rating_elo", "black_rating_elo")


@dataclass(frozen=True, eq=False)
class Aggregate:
    """Cells of a file and what they were made of."""

    # players with parameters, and the cells; `key` is the period, `weight` counts games, `cell_of_game` is empty
    cells: Cells
    games: int  # games in the cells
    left_out: int  # games between two players without parameters
    name: str  # name of the data set and its file
    source: str  # likewise


def aggregate_parquet(
    path: str | Path, columns: Mapping[str, str] | None = None, monitored: Sequence[str] | Texts | None = None,
    at_least: int = 1, period: PeriodUnit = "all", name: str | None = None,
) -> Aggregate:  # fmt: skip
    """Return the cells of a Parquet file of any size.

    Parameters
    ----------
    path : str or Path
        The file, or a pattern such as ``games/*.parquet``.
    columns : mapping of str to str, optional
        Field to the file's column, where the names differ (see `halfpoint.games.readers.column_names`); others
        are left out.
    monitored : sequence of str, optional
        Players with parameters; all with `at_least` games if not given. The others are anchored to their ratings.
    at_least : int
        Smallest number of games of a player with parameters, where `monitored` is not given.
    period : {"all", "year", "month", "period"}
        What keeps cells apart: nothing, the year or month of the date (months since the year 0), or the period column.
    name : str, optional
        Name of the data set; the file's name if not given.

    Raises
    ------
    GameTableError
        If the file is not Parquet, a column is missing, rows break a rule (their number is told), an anchored opponent
        has no rating, or no game is left.
    """
    source = str(path)
    lazy = scan_file(path)
    opened = of_lazy(lazy, "parquet", Path(path).name, source)
    assigned = assign_columns(opened, ReaderOptions(columns=columns or {}, ignore=("*",))).columns
    if {"winner", "equal", "first_won"} & set(assigned):
        raise GameTableError(source, "columns for white, black and score", "a column of winners", "Use games.read.")
    chosen = {field: column for field, column in assigned.items() if field not in NOT_LOOKED_AT}
    games = lazy.select([expression(field, polars.col(column)) for field, column in chosen.items()])
    if "score" not in chosen:
        gap = polars.col("white_goals") - polars.col("black_goals")
        games = games.with_columns(score=(gap.sign() + 1.0) / 2.0)
    games = games.with_columns(key=period_key(period, chosen, lazy, source))
    try:
        with without_panics():
            check_rows(games, chosen, source)
            counts = player_counts(games)
            names = pick_monitored(counts, monitored, at_least, source)
            cells = sum_cells(games, counts["player"].to_list(), names, chosen)
    except FAULTS as error:
        if isinstance(error, GameTableError):
            raise
        raise unreadable(path, error) from None
    total = int(counts["games"].sum()) // 2
    return finish(cells, names, total, name or Path(path).name, source)


def expression(field: str, column: polars.Expr) -> polars.Expr:
    """Return a field's column as the type that the sums need; what cannot be read becomes null."""
    if field in ("white", "black"):
        return column.cast(polars.String, strict=False).str.strip_chars().alias(field)
    if field == "score":
        text = column.cast(polars.String, strict=False).str.strip_chars().str.to_lowercase()
        named = text.replace_strict(SCORE_OF_RESULT, default=None, return_dtype=polars.Float64)
        return polars.coalesce(named, text.cast(polars.Float64, strict=False)).alias(field)
    if field == "date":
        return column.alias(field)
    kind = polars.Int64 if field == "period" else polars.Float32
    return column.cast(kind, strict=False).alias(field)


def period_key(period: PeriodUnit, chosen: Mapping[str, str], lazy: polars.LazyFrame, source: str) -> polars.Expr:
    """Return the expression of the period that keeps cells apart."""
    if period == "all":
        return polars.lit(0, dtype=polars.Int32)
    needed = "period" if period == "period" else "date"
    if period not in ("year", "month", "period") or needed not in chosen:
        raise GameTableError(source, f"a column for {needed} (cells by {period})", "none")
    if period == "period":
        return polars.col("period").cast(polars.Int32)
    date = polars.col("date")
    if lazy.collect_schema()[chosen["date"]] == polars.String:
        date = date.str.replace_all(r"[./]", "-").str.to_date("%Y-%m-%d", strict=False)
    year = date.dt.year()
    return year if period == "year" else year * 12 + date.dt.month().cast(polars.Int32) - 1


def check_rows(games: polars.LazyFrame, chosen: Mapping[str, str], source: str) -> None:
    """Raise `GameTableError` if any row breaks a rule; the message tells how many do."""
    col = polars.col
    low, high = RATING_RANGE_ELO
    rules = {
        "a name of White and of Black": polars.any_horizontal(col("white", "black").fill_null("") == ""),
        "two different players": col("white") == col("black"),
        "White's score 0, 0.5 or 1": col("score").is_null() | ~col("score").is_in([0.0, 0.5, 1.0]),
        "a complete date or period": col("key").is_null(),
    }
    for field in RATINGS:
        if field in chosen:
            known = col(field).is_not_null() & col(field).is_not_nan()
            rules[f"{field} from {low:.0f} to {high:.0f}"] = known & ~col(field).is_between(low, high)
    counted = [rule.fill_null(False).sum().alias(expected) for expected, rule in rules.items()]
    found = games.select(polars.len().alias("rows"), *counted).collect(engine="streaming").row(0, named=True)
    if found.pop("rows") == 0:
        raise GameTableError(source, "at least one game", "no rows")
    for expected, count in found.items():
        if count:
            raise GameTableError(source, expected, f"{count} rows without", "Mend or drop these rows.")


def player_counts(games: polars.LazyFrame) -> polars.DataFrame:
    """Return every player and the number of their games, by name."""
    sides = [games.select(player=polars.col(side)) for side in ("white", "black")]
    counted = polars.concat(sides).group_by("player").agg(games=polars.len())
    return counted.collect(engine="streaming").sort("player")


def pick_monitored(
    counts: polars.DataFrame, monitored: Sequence[str] | Texts | None, at_least: int, source: str
) -> list[str]:
    """Return the sorted names of the players with parameters."""
    if monitored is None:
        names = counts.filter(polars.col("games") >= at_least)["player"].to_list()
        if not names:
            most = counts["games"].to_numpy().max()
            raise GameTableError(source, f"a player with at least {at_least} games", f"at most {most}")
        return cast(list[str], names)
    wanted = sorted({str(name) for name in monitored})
    missing = sorted(set(wanted) - set(counts["player"].to_list()))
    if missing or not wanted:
        found = repr(missing[0]) if missing else "no names"
        raise GameTableError("monitored players", f"names that occur in {source}", found)
    return wanted


def sum_cells(
    games: polars.LazyFrame, players: list[str], names: list[str], chosen: Mapping[str, str]
) -> polars.DataFrame:
    """Return one row a cell: codes of White and Black in `names` (-1 anchored), anchor, key and the three counts."""
    codes = polars.Enum(players)
    position = np.full(len(players), ANCHORED, dtype=np.int32)
    position[np.searchsorted(np.array(players, dtype=object), np.array(names, dtype=object))] = np.arange(len(names))
    table = polars.Series("code", position)
    everybody = len(names) == len(players)

    def code(side: str) -> polars.Expr:
        physical = polars.col(side).cast(codes).to_physical()
        if everybody:
            return physical.cast(polars.Int32).alias(side)
        return physical.replace_strict(
            old=polars.Series(range(len(players)), dtype=polars.UInt32), new=table, return_dtype=polars.Int32
        ).alias(side)

    anchor = polars.lit(None, dtype=polars.Float32)
    if not everybody:
        for side, field in zip(("white", "black"), RATINGS, strict=True):
            known = polars.col(field) if field in chosen else polars.lit(None, dtype=polars.Float32)
            anchor = polars.when(polars.col(f"{side}_code") == ANCHORED).then(known).otherwise(anchor)
    coded = games.with_columns(code("white").alias("white_code"), code("black").alias("black_code"))
    coded = coded.filter((polars.col("white_code") != ANCHORED) | (polars.col("black_code") != ANCHORED))
    coded = coded.select("white_code", "black_code", "key", "score", anchor.alias("anchor"))
    score = polars.col("score")
    sums = [(score == value).sum().cast(polars.UInt32).alias(str(value)) for value in (0.0, 0.5, 1.0)]
    keys = ["white_code", "black_code", "anchor", "key"]
    return coded.group_by(keys).agg(sums).collect(engine="streaming").sort(keys)


def finish(frame: polars.DataFrame, names: list[str], total: int, name: str, source: str) -> Aggregate:
    """Return the cells of the summed frame."""
    if not len(frame):
        raise GameTableError(source, "games of the monitored players", "none")
    white, black = (frame[f"{side}_code"].to_numpy().astype(np.int32) for side in ("white", "black"))
    anchor = frame["anchor"].cast(polars.Float64).fill_null(np.nan).to_numpy().copy()
    lost = ((white == ANCHORED) | (black == ANCHORED)) & np.isnan(anchor)
    weight = frame.select("0.0", "0.5", "1.0").to_numpy().astype(np.float64)
    if lost.any():
        count = int(weight[lost].sum())
        expected = "a rating on the day for every opponent who is not monitored"
        raise GameTableError(source, expected, f"{count} games without one", "Monitor these players or add ratings.")
    key = frame["key"].to_numpy().astype(np.int64)
    no_games: Codes = np.zeros(0, dtype=np.int32)
    players = np.array(names, dtype=np.str_)
    cells = Cells(players, white, black, anchor, weight, key, no_games.astype(np.int64))
    games = int(weight.sum())
    return Aggregate(cells, games, total - games, name, source)
