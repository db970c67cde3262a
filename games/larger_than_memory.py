"""Parquet files larger than the memory, aggregated to cells without ever holding the games.

Two passes of polars' streaming engine: the first checks every row and counts each player's games, the second sums the
games of each (White, Black, anchor, period). A model sees a cell as it would see its games (`halfpoint.games.select`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import polars

from halfpoint.games.errors import GameTableError, printable
from halfpoint.games.find_player import find_players
from halfpoint.games.readers.column_names import assign_columns
from halfpoint.games.readers.options import ReaderOptions
from halfpoint.games.readers.polars_files import FAULTS, scan_file, unreadable, without_panics
from halfpoint.games.readers.sources import of_lazy
from halfpoint.games.readers.words import SCORE_OF_RESULT
from halfpoint.games.select import ANCHORED, Cells
from halfpoint.games.table import POINTS, RATING_RANGE_ELO, Codes, Texts

PeriodUnit = Literal["all", "year", "month", "period"]
NOT_LOOKED_AT = ("event", "weight", "neutral", "margin")
SIDES, RATINGS = ("white", "black"), ("white_rating_elo", "black_rating_elo")


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
    opened = of_lazy(lazy, "parquet", name or printable(Path(path).name), source)
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
            played = polars.concat([games.select(player=side) for side in SIDES]).group_by("player")
            counts = played.agg(games=polars.len()).collect(engine="streaming").sort("player")
            names = pick_monitored(counts, monitored, at_least, source)
            cells = sum_cells(games, counts["player"].to_list(), names, chosen, source)
    except GameTableError:
        raise
    except FAULTS as error:
        raise unreadable(path, error) from None
    count = int(cells.weight.sum())
    return Aggregate(cells, count, int(counts["games"].sum()) // 2 - count, opened.name, source)


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


def pick_monitored(
    counts: polars.DataFrame, monitored: Sequence[str] | Texts | None, at_least: int, source: str
) -> list[str]:
    """Return the sorted names of the players with parameters."""
    if monitored is not None:
        return sorted(find_players(list(monitored), counts["player"].to_list(), f"monitored players, {source}"))
    names: list[str] = counts.filter(polars.col("games") >= at_least)["player"].to_list()
    if not names:
        raise GameTableError(
            source, f"a player with at least {at_least} games", f"at most {counts['games'].to_numpy().max()}"
        )
    return names


def sum_cells(
    games: polars.LazyFrame, players: list[str], names: list[str], chosen: Mapping[str, str], source: str
) -> Cells:
    """Return the cells of games, in them the counts of losses, draws and wins as weights."""
    others = sorted({*players} - {*names})
    codes = polars.Enum([*names, *others])
    anchor = polars.lit(None, dtype=polars.Float32)
    for side, field in zip(SIDES, RATINGS, strict=True):
        code = polars.col(side).cast(codes).to_physical().cast(polars.Int32)
        games = games.with_columns(polars.when(code < len(names)).then(code).otherwise(ANCHORED).alias(f"{side}_code"))
        if others and field in chosen:
            anchor = polars.when(polars.col(f"{side}_code") == ANCHORED).then(polars.col(field)).otherwise(anchor)
    keys = ["white_code", "black_code", "anchor", "key"]
    coded = games.filter((polars.col("white_code") != ANCHORED) | (polars.col("black_code") != ANCHORED))
    coded = coded.select("score", *keys[:2], anchor.alias("anchor"), "key")
    sums = [(polars.col("score") == value).sum().alias(str(value)) for value in POINTS.tolist()]
    frame = coded.group_by(keys).agg(sums).collect(engine="streaming").sort(keys)
    if not len(frame):
        raise GameTableError(source, "games of the monitored players", "none")
    white, black = (frame[f"{side}_code"].to_numpy() for side in SIDES)
    anchor_elo = frame["anchor"].cast(polars.Float64).fill_null(np.nan).to_numpy()
    lost = ((white == ANCHORED) | (black == ANCHORED)) & np.isnan(anchor_elo)
    weight = frame.select(map(str, POINTS.tolist())).to_numpy().astype(np.float64)
    if lost.any():
        found, remedy = f"{int(weight[lost].sum())} games without one", "Monitor these players or add ratings."
        raise GameTableError(source, "a rating on the day for every opponent who is not monitored", found, remedy)
    no_games: Codes = np.zeros(0, dtype=np.int32)
    key = frame["key"].to_numpy().astype(np.int64)
    return Cells(np.array(names, dtype=np.str_), white, black, anchor_elo, weight, key, no_games)
