"""`halfpoint cells`: files of games reduced to counts of results by pair of players."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.apps.cli.options import Force, GameTables, command, range_option
from halfpoint.apps.cli.output import show
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import say, timed_lines
from halfpoint.apps.cli.workers import Workers
from halfpoint.apps.workflows.options import SHARDS


@command("Rate and list")
def cells_command(
    files: Annotated[list[Path], typer.Argument(help="Files of games: PGN, CSV, Parquet, ...; or cells to add.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Parquet file of the cells, or a folder of shards.")] = Path(
        "cells.parquet"
    ),
    shards: Annotated[
        int, range_option(SHARDS, help="Number of files in the folder, for games larger than memory.")
    ] = 1,
    tables: GameTables = GameTables(),
    force: Force = False,
    as_json: AsJson = False,
    machines: Workers = Workers(),
) -> None:
    """Reduce games of any number to cells: counts of results by pair of players.

    rate, list and leaderboard read cells in place of games; dates, order and further columns are gone.
    """
    from halfpoint.apps.workflows.cell_files import cells

    report = timed_lines(as_json)
    with machines.executor(report) as executor:
        answer = cells(files, out, shards, tables.reader, executor, force, report)
    if as_json:
        put_json(answer.record())
        return
    show(answer.frame, answer.about)
    say(f"Written to {out}")
