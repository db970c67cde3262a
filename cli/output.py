"""What an answer looks like: a table on the terminal, JSON when asked, and CSV or JSON in a file.

Text cells that came from files stay text: in CSV what a spreadsheet would run as a formula gets an apostrophe in front.
"""

import json
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.markup import escape

from halfpoint.cli.terminal import console, say, table_of
from halfpoint.games.errors import HalfpointError, printable
from halfpoint.games.whole_file import write_text

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Out = Annotated[Path | None, typer.Option("--out", help="Also write a .csv or .json file.")]
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def plain(value: Any) -> Any:
    """Return a cell as JSON holds it: numbers as numbers, NaN as None."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is pd.NA or (isinstance(value, float) and not np.isfinite(value)):
        return None
    return value


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as JSON holds them."""
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, map(plain, row), strict=True)) for row in frame.to_numpy(dtype=object).tolist()]


def in_full(frame: pd.DataFrame, about: dict[str, Any]) -> dict[str, Any]:
    """Return an answer as JSON holds it: what it is about, and its rows."""
    return {**{key: plain(value) for key, value in about.items()}, "rows": records(frame)}


def as_json_text(answer: dict[str, Any]) -> str:
    """Return an answer as JSON text."""
    return json.dumps(answer, indent=1) + "\n"


def as_json(frame: pd.DataFrame, about: dict[str, Any]) -> str:
    """Return an answer as JSON text: what it is about, and its rows."""
    return as_json_text(in_full(frame, about))


def harmless(value: Any) -> Any:
    """Return a cell that a spreadsheet shows as text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def as_csv(frame: pd.DataFrame) -> str:
    """Return a frame as CSV whose cells no spreadsheet runs."""
    text = StringIO()
    frame.map(harmless).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def write_answer(frame: pd.DataFrame, about: dict[str, Any], path: Path) -> None:
    """Write an answer as CSV or JSON, by the file's suffix.

    Raises
    ------
    HalfpointError
        If the suffix is neither, or the file cannot be written.
    """
    if path.suffix == ".csv":
        write_text(path, as_csv(frame))
    elif path.suffix == ".json":
        write_text(path, as_json(frame, about))
    else:
        raise HalfpointError(f"--out: expected a file that ends in .csv or .json, found {str(path)!r}")


def show(frame: pd.DataFrame, about: dict[str, Any], json_wanted: bool, out: Path | None, digits: int = 1) -> None:
    """Print an answer and write it if asked.

    Parameters
    ----------
    frame : DataFrame
        The rows; text columns are shown left, numbers right with `digits` decimals.
    about : dict
        What the answer is about; `title` heads the table, `note` closes it, `verdict` warns if the run failed.
    json_wanted : bool
        JSON on standard output instead of the table.
    out : Path or None
        File to write as well.
    """
    if out is not None:
        write_answer(frame, about, out)
    if json_wanted:
        typer.echo(as_json(frame, about), nl=False)
        return
    table = table_of(shown(str(about["title"])), ())
    for name in frame.columns:
        numeric = pd.api.types.is_numeric_dtype(frame[name])
        table.add_column(escape(str(name)).replace("_", " "), justify="right" if numeric else "left", no_wrap=True)
    for row in frame.to_numpy(dtype=object).tolist():
        table.add_row(*(cell(value, digits) for value in row))
    console.print(table)
    if not str(about.get("verdict", "converged")).startswith(("converged", "approximate")):
        console.print(shown(str(about["verdict"])), style="bold red")
    if about.get("note"):
        console.print(shown(str(about["note"])))
    if out is not None:
        say(f"Written to {out}")


def shown(text: str) -> str:
    """Return text that came from a file as the terminal shows it: no markup, no control characters."""
    return escape(printable(text))


def cell(value: Any, digits: int) -> str:
    """Return a cell as the terminal shows it."""
    value = plain(value)
    if value is None:
        return ""
    return f"{value:.{digits}f}" if isinstance(value, float) else shown(str(value))
