"""Cells: counts of results by White, Black and neutral ground, as a Parquet file that sums any number of games.

    white, black, neutral                                  names of the players; true on neutral ground
    loss, draw, win                                        games that White lost, drew and won, whole numbers
    white_rated, black_rated                               games with a printed rating of White, of Black
    white_rating_sum_elo, black_rating_sum_elo             sums of these ratings, Elo points

A likelihood that sums over games of constant strengths depends on cells alone, so that the reduction is exact. Dates,
events, order and all other columns of the games are gone. Cells of several files are added, in any order and grouping:
counts are integers and the sums of ratings, which are whole numbers below 2^53, are exact too.

Plain games become cells without a table of games between, some ten times faster. Games are plain if the reader of
tables would take each value as it is: columns of names, results and whole ratings and no others; names of ASCII
letters, digits, hyphens and underscores that do not differ in case alone; results that the reader understands without
a note. The reader itself reads one game of each different result.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars

from halfpoint.models.games.cells_file import BATCH, KEY, RATED, RATINGS, SCHEMA, is_cells, scan_cells, shards_of
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.polars_files import scan_file
from halfpoint.models.games.table import OUTCOMES, RATING_RANGE_ELO, GameTable, code_players
from halfpoint.readers.build_table import read_table
from halfpoint.readers.column_names import assign_columns
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.read import detect, open_table, read
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
    def of(cls, file: str | Path, results: polars.DataFrame, options: Mapping[str, object]) -> Self | None:
        """The columns and results of a Parquet file with a row of each different result; None if it is not plain."""
        source, settings = open_table(file, "parquet", options)
        assigned = assign_columns(source, settings, read_table)
        further = assigned.left_out or assigned.seats or assigned.verdicts or assigned.notes or assigned.own_side
        asked = settings.covariates or settings.sides is not None or not settings.scored
        if further or asked or {*assigned.columns} - {*_RATINGS} != {*_SIDES, "score"}:
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
        columns: dict[str, polars.Expr | polars.Series] = {"neutral": polars.lit(False)}
        for field, number, total in zip(_RATINGS, RATED, RATINGS, strict=True):
            if field not in self.column:
                columns |= {number: polars.lit(0, polars.Int64), total: polars.lit(0.0)}
                continue
            if not (frame.schema[field].is_integer() or frame.schema[field] == polars.Float64):
                return None
            rating = frame[field].cast(polars.Float64).fill_nan(None)
            if not (rating.is_between(low, high) & (rating == rating.floor())).all():
                return None
            columns |= {number: rating.is_not_null().cast(polars.Int64), total: rating.fill_null(0.0)}
        meant = frame.select("score").join(self.meaning, on="score", how="left", maintain_order="left")["outcome"]
        if meant.null_count():
            return None
        columns |= {name: (meant == k).cast(polars.Int64) for k, name in enumerate(OUTCOMES)}
        return frame.select("white", "black", **columns).select(*SCHEMA)


MOST_GAMES = 5_000_000  # games, up to which cells are read as single games
_FEW = 100_000  # rows of a Parquet file, up to which it is read as a table
_SIMULATED = "halfpoint-simulated"  # key of a file's metadata
_MOST_RESULTS = 10_000  # different results of a file that is read in batches
_NOT_RESULTS = ("white", "black", "winner", "loser", "date", "period", "white_rating_elo", "black_rating_elo", "event")


def cells_of(games: GameTable) -> polars.DataFrame:
    """The cells of a table of games, sorted by White, Black and neutral ground.

    Raises
    ------
    GameTableError
        If sides have several people, or a weight is not a whole number.

    Examples
    --------
    >>> from halfpoint import readers
    >>> table = readers.read([("Ann", "Bob", 1.0), ("Ann", "Bob", 0.5), ("Ann", "Bob", 1.0), ("Bob", "Ann", 0.0)])
    >>> cells_of(table).select("white", "black", "loss", "draw", "win").rows()
    [('Ann', 'Bob', 0, 1, 2), ('Bob', 'Ann', 1, 0, 0)]
    """
    if games.sides is not None:
        raise GameTableError(games.source, "sides of one player each", "sides of several people")
    weight = np.ones(len(games)) if games.weight is None else games.weight
    if np.any(weight % 1.0):
        raise GameTableError(games.source, "whole weights (counts of games)", "fractions", "Leave the weights out.")
    neutral = np.asarray(games.covariates.get("neutral", np.zeros(len(games))), dtype=np.float64) == 1.0
    columns: dict[str, object] = {"white": games.white, "black": games.black, "neutral": neutral}
    columns |= {name: (weight * (games.outcome == k)).astype(np.int64) for k, name in enumerate(OUTCOMES)}
    for number, total, rating in zip(RATED, RATINGS, (games.white_rating_elo, games.black_rating_elo), strict=True):
        elo = np.full(len(games), np.nan) if rating is None else rating
        columns[number] = (weight * ~np.isnan(elo)).astype(np.int64)
        columns[total] = weight * np.nan_to_num(elo)
    names = polars.Series(games.players.tolist(), dtype=polars.String)
    cells = polars.DataFrame(columns).group_by(KEY).agg(polars.all().sum()).sort(KEY)
    return cells.with_columns(names.gather(cells[side]).alias(side) for side in KEY[:2]).select(*SCHEMA)


def _parts_of(file: str | Path, options: Mapping[str, Any]) -> Iterator[tuple[polars.DataFrame, tuple[str, ...], bool]]:
    """Yield cells of a file of games, notes, and True if simulated; a large Parquet file is read in batches.

    The meaning of a result may depend on the other results of a file (1 is a win with 0, a defeat with 2), so that each
    batch is read behind one row of each different result of the file.
    """
    kind = detect(file, options.get("form"))
    lazy = scan_file(file) if kind == "parquet" else None
    rows = 0 if lazy is None else int(lazy.select(polars.len()).collect().item())
    results = _results_of(file, lazy, options) if lazy is not None and rows > _FEW else None
    plain = None if results is None else PlainGames.of(file, results, options)
    if lazy is None or results is None or (plain is None and rows <= BATCH):
        table = read(file, kind, **options)
        yield cells_of(table), table.notes, table.simulated
        return
    batch_options = {"name": Path(file).name, "source": str(file)} | dict(options)
    for start in range(0, rows, BATCH):
        games = lazy.slice(start, BATCH).collect()
        cells = None if plain is None else plain.cells(games)
        if cells is not None:
            yield cells, (), False
            continue
        table = read(polars.concat([results, games]), **batch_options)
        assert table.line is not None
        if (is_in_batch := table.line > len(results)).any():
            table = table.take(is_in_batch)
            yield cells_of(table), table.notes, table.simulated


def _results_of(file: str | Path, lazy: polars.LazyFrame, options: Mapping[str, object]) -> polars.DataFrame | None:
    """One row of each different result of a file; None if they are too many, or columns are nested."""
    source, settings = open_table(file, "parquet", options)
    columns = assign_columns(source, settings, read_table).columns
    names = [name for field, name in columns.items() if field not in _NOT_RESULTS]
    if source.nested or not set(names) <= set(source.names):
        return None
    distinct_rows = lazy.unique(names, keep="any").head(_MOST_RESULTS + 1).collect(engine="streaming")
    return distinct_rows if len(distinct_rows) <= _MOST_RESULTS else None


def reduce_file(
    file: str | Path, options: Mapping[str, Any] | None = None
) -> tuple[polars.DataFrame, tuple[str, ...], bool]:
    """Read a file of games or cells: its cells, the notes of its reader, and True if games are simulated."""
    if is_cells(file):
        return merge_cells([scan_cells(shard) for shard in shards_of(Path(file))]), (), are_simulated(file)
    merged, notes, simulated = polars.DataFrame(schema=SCHEMA), tuple[str, ...](), False
    for cells, part_notes, part_simulated in _parts_of(file, options or {}):
        merged = merge_cells([merged.lazy(), cells.lazy()])
        notes, simulated = notes or part_notes, simulated or part_simulated
    return merged, notes, simulated


def merge_cells(parts: Sequence[polars.LazyFrame]) -> polars.DataFrame:
    """Sum cells and sort them."""
    merged = polars.concat(parts).group_by(KEY).agg(polars.all().sum())
    return merged.sort(KEY).select(*SCHEMA).collect(engine="streaming")


def write_cells(cells: polars.DataFrame, path: str | Path, simulated: bool) -> None:
    """Write cells as Parquet, marked where games were simulated."""
    content = BytesIO()  # made in memory: the writer of polars has its own words for a disk that is full
    cells.write_parquet(content, metadata={_SIMULATED: str(simulated)})
    Path(path).write_bytes(content.getvalue())


def are_simulated(path: str | Path) -> bool:
    """True if the games of a file of cells, or of one in a folder of such files, were simulated."""
    return any(polars.read_parquet_metadata(shard).get(_SIMULATED) == "True" for shard in shards_of(Path(path)))


def expand_cells(files: Sequence[str | Path]) -> GameTable:
    """Cells as single games without dates, in no order; ratings are the means of each cell.

    Raises
    ------
    GameTableError
        If the cells have no games, or more than `MOST_GAMES`.
    """
    cells = merge_cells([scan_cells(part) for file in files for part in shards_of(Path(file))])
    total = int(cells.select(polars.sum_horizontal(polars.col(*OUTCOMES).sum())).item())
    if not 0 < total <= MOST_GAMES:
        raise GameTableError(str(files[0]), f"cells of 1 to {MOST_GAMES:,} games", f"{total:,}")
    counts = cells.select(OUTCOMES).to_numpy()
    cell = np.repeat(np.arange(len(cells)), counts.sum(axis=1))
    within = np.arange(total) - np.repeat(np.cumsum(counts.sum(axis=1)) - counts.sum(axis=1), counts.sum(axis=1))
    columns: dict[str, Any] = {"score": np.repeat(np.tile([0.0, 0.5, 1.0], len(cells)), counts.ravel())}
    for number, sums, name in zip(RATED, RATINGS, ("white_rating_elo", "black_rating_elo"), strict=True):
        rated = cells[number].to_numpy()
        if rated.any():
            mean = cells[sums].to_numpy() / np.maximum(rated, 1)
            columns[name] = np.where(within < rated[cell], mean[cell], np.nan)
    players, white, black = code_players(cells["white"].to_numpy(), cells["black"].to_numpy())
    neutral = cells["neutral"].to_numpy()[cell]
    columns |= {"covariates": {"neutral": neutral.astype(np.float64)}} if neutral.any() else {}
    name = Path(files[0]).name + f" and {len(files) - 1} more" * (len(files) > 1)
    note = f"cells: {total:,} games of {len(cells):,} cells, without dates and in no order"
    columns |= {"name": name, "source": str(files[0]), "notes": (note,), "simulated": any(map(are_simulated, files))}
    return GameTable(players, white[cell], black[cell], **columns)
