"""`halfpoint data`: list and download data sets, and count their time controls."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.terminal import say
from halfpoint.games.datasets.fetch import DATASETS, fetch
from halfpoint.games.datasets.study import read_packaged
from halfpoint.games.readers.read import read
from halfpoint.games.readers.study_format import read_study
from halfpoint.games.time_classes import counts_by_evidence

data_app = typer.Typer(help="Data sets: list them, fetch them.", no_args_is_help=True, rich_help_panel="Research")

_Names = Annotated[list[str] | None, typer.Argument(help="Data sets; all of them if none is named.")]
_Folder = Annotated[Path | None, typer.Option("--data-dir", help="Folder to look in first (HALFPOINT_DATA_DIR).")]


@data_app.command("list")
def list_command() -> None:
    """List the data sets available for download."""
    for item in DATASETS.values():
        typer.echo(f"{item.name}: {item.description}")
        typer.echo(f"    file     {item.file}\n    sha256   {item.sha256}")
        typer.echo(f"    from     {item.url}\n    licence  {item.licence}")


@data_app.command("fetch")
def fetch_command(names: _Names = None, data_dir: _Folder = None) -> None:
    """Fetch data sets, check their SHA-256, and print their paths."""
    for name in names or list(DATASETS):
        say(f"{name}: {fetch(name, data_dir)}")


@data_app.command("archives")
def archives_command() -> None:
    """List public archives of games and their terms; halfpoint downloads none of them."""
    for one in read_packaged("archives.csv").itertuples():
        typer.echo(f"{one.name}: {one.holds}\n    from     {one.address}\n    terms    {one.terms}")


@data_app.command("time-controls")
def time_controls_command(
    games: Annotated[list[str] | None, typer.Argument(help="Data sets, files of games; all sets if none.")] = None,
    data_dir: _Folder = None,
) -> None:
    """Print the number of games by class of time control, with the evidence."""
    for name in games or list(DATASETS):
        table = read_study(fetch(name, data_dir), name) if name in DATASETS else read(name)
        say(f"{name}: {len(table):,} games, {counts_by_evidence(table)}")
