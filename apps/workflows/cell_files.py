"""Games of any number reduced to cells, file by file, with a tree of merges; each file and each shard is a task."""

import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import polars

from halfpoint.apps.workflows.answer import Answer
from halfpoint.apps.workflows.executor import each
from halfpoint.apps.workflows.options import SHARDS, Say, silent
from halfpoint.models.games.atomic_write import short
from halfpoint.models.games.cells_file import KEY, scan_cells
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.results import results
from halfpoint.models.games.single_files import files as single_files
from halfpoint.models.games.table import OUTCOMES
from halfpoint.readers.cells import merge_cells, reduce_file, write_cells

_SEED = 20140501  # of the hash that a pair of players has its shard by


@dataclass(frozen=True)
class _Reduced:
    """Result of reading one file."""

    file: str
    games: int
    cells: int
    notes: tuple[str, ...]
    simulated: bool


def cells(
    files: str | Path | Sequence[str | Path],
    out: str | Path,
    shards: int = 1,
    reader: Mapping[str, object] | None = None,
    executor: Executor | None = None,
    force: bool = False,
    say: Say = silent,
) -> Answer:
    """Reduce files of games to cells: counts of results by pair of players.

    Parameters
    ----------
    files : str, Path or list of these
        PGN, CSV, Parquet and all other formats of games, or cells, which are added.
    out : str or Path
        Parquet file of the cells (`halfpoint.readers.cells`), or a folder if `shards` is above 1.
    shards : int
        Number of files in the folder; a hash assigns each pair of players to one file. A merge needs memory for one
        file.
    reader : mapping, optional
        Options of the reader of tables: columns, ignore, date_format, outcomes.
    executor : concurrent.futures.Executor, optional
        Executor that reduces files and merges shards in parallel; its workers need access to `files` and the folder of
        `out`.
    force : bool
        Replace a file that halfpoint did not write.
    say : callable, optional
        Called with a line on every file.

    Returns
    -------
    Answer
        One row per file: file, games, cells.

    Raises
    ------
    GameTableError
        If a file cannot be read, sides have several people, or weights are no whole numbers.
    """
    paths = [Path(file) for file in ([files] if isinstance(files, str | Path) else files)]
    if shards not in SHARDS:
        raise GameTableError("--shards", str(SHARDS), str(shards))
    target = Path(out)
    if shards == 1 and target.suffix != ".parquet":
        raise GameTableError("--out", "a file that ends in .parquet, or --shards 2 and more", str(out))
    names = [f"shard-{k:04d}.parquet" for k in range(shards)]
    with ExitStack() as stack:
        if shards == 1:
            places = stack.enter_context(single_files({"--out": out}, reads=paths, force=force))
            targets = [places.aside("--out")]
        else:
            place = stack.enter_context(results(out, "cells", names, reads=paths, force=force))
            targets = [place.aside(name) for name in names]
        prefix = f".{short(targets[0].name)}.cells-"
        for leftover in targets[0].parent.glob(f"{escape(prefix)}*"):  # of a run that could not remove its own
            shutil.rmtree(leftover, ignore_errors=True)
        folder = Path(stack.enter_context(TemporaryDirectory(dir=targets[0].parent, prefix=prefix)))
        jobs = [(str(path.resolve()), str(folder / str(k)), shards) for k, path in enumerate(paths)]
        reductions = []
        for reduction in each(_reduce_file, dict(reader or {}), jobs, executor, say, "file"):
            say(f"{printable(Path(reduction.file).name)}: {reduction.games:,} games, {reduction.cells:,} cells")
            for note in reduction.notes:
                say(note)
            reductions.append(reduction)
        simulated = any(reduction.simulated for reduction in reductions)
        parts = [[str(folder / str(k) / name) for k in range(len(paths))] for name in names]
        sums = [folder / f"merged-{name}" for name in names]  # of this run alone: a task of an earlier run may go on
        merges = list(zip(parts, map(str, sums), strict=True))
        totals = list(each(_merge_shard, simulated, merges, executor, say, "shard"))
        for path, target in zip(sums, targets, strict=True):
            path.replace(target)
    games = sum(reduction.games for reduction in reductions)
    title = f"{games:,} games in {sum(totals):,} cells{' (SIMULATED games)' * simulated}"
    frame = pd.DataFrame(
        [(printable(Path(reduction.file).name), reduction.games, reduction.cells) for reduction in reductions],
        columns=["file", "games", "cells"],
    )
    note = f"Cells have no dates and no order. {shards} shards." if shards > 1 else "Cells have no dates and no order."
    about = {"title": title, "games": games, "cells": sum(totals), "shards": shards, "simulated": simulated}
    return Answer(frame, about | {"note": note})


def _reduce_file(options: Mapping[str, object], job: tuple[str, str, int]) -> _Reduced:
    """Write the cells of one file, a part for each shard."""
    file, folder, shards = job
    table, notes, simulated = reduce_file(file, options)
    Path(folder).mkdir(exist_ok=True)  # a task whose worker died is repeated
    shard = table.select(polars.struct(KEY[:2]).hash(_SEED) % shards).to_series()
    for k in range(shards):
        part = table if shards == 1 else table.filter(shard == k)
        write_cells(part, Path(folder) / f"shard-{k:04d}.parquet", simulated)
    games = int(table.select(polars.sum_horizontal(polars.col(*OUTCOMES).sum())).item() or 0)
    return _Reduced(file, games, len(table), notes, simulated)


def _merge_shard(simulated: bool, job: tuple[Sequence[str], str]) -> int:
    """Write the sum of the parts of one shard, and return its number of cells."""
    parts, out = job
    table = merge_cells([scan_cells(part) for part in parts])
    write_cells(table, out, simulated)
    return len(table)
