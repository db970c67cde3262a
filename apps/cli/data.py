"""`halfpoint data`: list and download data sets, and count their time controls."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halfpoint.apps.cli.options import GameTables, fields_as_options
from halfpoint.apps.cli.scripting import AsJson, put_json
from halfpoint.apps.cli.terminal import say
from halfpoint.models.games.errors import printable
from halfpoint.readers.datasets.fetch import DATASETS, fetch

if TYPE_CHECKING:
    from halfpoint.apps.workflows.schemas.games import DataFetchRow, DataTimeControlsRow

data_app = typer.Typer(help="Data sets: list them, fetch them.", no_args_is_help=True, rich_help_panel="Research")

_Names = Annotated[list[str] | None, typer.Argument(help="Data sets; all of them if none is named.")]
_Folder = Annotated[Path | None, typer.Option("--data-dir", help="Folder to look in first (HALFPOINT_DATA_DIR).")]


@data_app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the data sets available for download."""
    if as_json:
        put_json({"title": "Data sets", "rows": [asdict(dataset) for dataset in DATASETS.values()]})
        return
    for dataset in DATASETS.values():
        typer.echo(f"{dataset.name}: {dataset.description}")
        typer.echo(f"    file     {dataset.file}\n    sha256   {dataset.sha256}")
        typer.echo(f"    from     {dataset.url}\n    licence  {dataset.licence}")


@data_app.command("fetch")
def fetch_command(names: _Names = None, data_dir: _Folder = None, as_json: AsJson = False) -> None:
    """Fetch data sets, check their SHA-256, and print their paths."""
    rows: list[DataFetchRow] = []
    for name in names or list(DATASETS):
        path = fetch(name, data_dir)
        rows.append({"name": name, "path": printable(str(path)), "sha256": DATASETS[name].sha256})
        if not as_json:
            say(f"{name}: {path}")
    if as_json:
        put_json({"title": "Data sets on this machine", "rows": rows})


@data_app.command("archives")
def archives_command(as_json: AsJson = False) -> None:
    """List public archives of games and their terms; halfpoint downloads none of them."""
    from halfpoint.readers.datasets.study import read_packaged

    archives = read_packaged("archives.csv")
    if as_json:
        put_json({"title": "Archives of games", "rows": archives.to_dict("records")})
        return
    for archive in archives.itertuples():
        typer.echo(f"{archive.name}: {archive.holds}\n    from     {archive.address}\n    terms    {archive.terms}")


@data_app.command("time-controls")
@fields_as_options
def time_controls_command(
    games: Annotated[list[str] | None, typer.Argument(help="Data sets, files of games; all sets if none.")] = None,
    data_dir: _Folder = None,
    tables: GameTables = GameTables(),
    as_json: AsJson = False,
) -> None:
    """Print the number of games by class of time control, with the evidence."""
    from halfpoint.models.games.time_classes import count_by_evidence, counts_by_evidence
    from halfpoint.readers.read import read
    from halfpoint.readers.study_format import read_study

    rows: list[DataTimeControlsRow] = []
    for name in games or list(DATASETS):
        table = read_study(fetch(name, data_dir), name) if name in DATASETS else read(name, **tables.reader)
        counted = count_by_evidence(table)
        rows += [
            {"data": printable(name), "class": time_class, "by": by or None, "games": n}
            for (time_class, by), n in counted.items()
        ]
        if not as_json:
            say(f"{name}: {len(table):,} games, {counts_by_evidence(table)}")
    if as_json:
        put_json({"title": "Games by class of time control", "rows": rows})
