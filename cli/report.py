"""`halfpoint report DIR`: the folder of a study run becomes one HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from halfpoint.cli.terminal import say
from halfpoint.workflows.study_report import report


def report_command(
    folder: Annotated[Path, typer.Argument(help="Folder of a study run, with summary.json and tables/.")],
    out: Annotated[Path | None, typer.Option("--out", help="The page; report.html in the folder if not given.")] = None,
) -> None:
    """Write the report of a study run: one HTML page with everything inside."""
    say(f"Report in {report(folder, out)}")
