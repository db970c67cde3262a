"""What a workflow answers: rows, and what they are about."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

from halfpoint.evaluation.report.page import Page
from halfpoint.games.seats import USUAL
from halfpoint.games.single_files import Files, files
from halfpoint.models.catalogue import edition_of
from halfpoint.workflows.answer_page import answer_page
from halfpoint.workflows.answer_text import as_csv, as_json, kind_of
from halfpoint.workflows.pages import put_page

SHOWN_ROWS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """Rows of numbers, with what they are about: what a command prints, as JSON or as a table.

    Parameters
    ----------
    frame : DataFrame
        The rows.
    about : dict
        `title`, and where there are any `note` (what closes the table), `verdict` (of the sampler), `model`, `data`,
        `simulated` and so on; plain values.
    """

    frame: pd.DataFrame
    about: dict[str, Any]

    @property
    def title(self) -> str:
        """What the rows are."""
        return str(self.about["title"])

    @property
    def note(self) -> str:
        """What is to be said of the rows: levels, intervals, warnings."""
        return str(self.about.get("note", ""))

    def page(self) -> Page:
        """Return the answer as a page: its rows as the list, the note under it."""
        return answer_page(self.frame, self.about)

    def json(self) -> str:
        """Return the answer as JSON text: what it is about, and its rows; missing values are null."""
        return as_json(self.frame, self.about)

    def write(self, path: str | Path, force: bool = False) -> None:
        """Write the answer to a file that ends in .csv, .json or .html.

        Raises
        ------
        HalfpointError
            If the suffix is another, the file cannot be written, or halfpoint did not write what is there and it is
            not replaced by `force`.
        """
        kind_of(Path(path), "file")
        with files({"file": path}, force=force) as places:
            put_answer(places, "file", self)

    def __repr__(self) -> str:
        rows = self.frame.to_string(index=False, max_rows=SHOWN_ROWS, float_format=lambda value: f"{value:.6g}")
        return "\n\n".join(filter(None, [self.title, rows, self.note]))

    def _repr_html_(self) -> str:
        shown = self.frame.to_html(index=False, max_rows=SHOWN_ROWS)
        return f"<p><b>{escape(self.title)}</b></p>{shown}<p>{escape(self.note)}</p>"


def put_answer(places: Files, option: str, answer: Answer) -> None:
    """Make the file of an option from an answer, by its suffix: CSV, JSON, or a page."""
    place, name = places.places[option]
    kind = kind_of(Path(name), option)
    if kind == ".html":
        put_page(place, name, answer.page())
    else:
        place.text(name, as_csv(answer.frame) if kind == ".csv" else answer.json())


def about_table(table: Any, title: str, of: str = "games", **more: Any) -> dict[str, Any]:
    """Return what an answer from a table is about, by its name; what was simulated is named as such."""
    simulated = f" (SIMULATED {of})" if table.simulated else ""
    return {"title": f"{title}{simulated}", "data": table.name, "simulated": table.simulated, **more}


def about_trace(tree: xr.DataTree, title: str) -> dict[str, Any]:
    """Return what an answer from a trace is about; simulated games are named as such."""
    attributes = tree.attrs
    simulated = " (SIMULATED games)" if attributes["data_simulated"] else ""
    return {
        "title": f"{title}{simulated}",
        "model": attributes["model"],
        **({"edition": edition} if (edition := edition_of(attributes)) else {}),
        "data": attributes["data_name"],
        "simulated": bool(attributes["data_simulated"]),
        "seats": str(attributes.get("seats", USUAL)),
        "verdict": attributes["verdict"],
    }
