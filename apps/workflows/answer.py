"""The answer of a workflow: rows and metadata, as JSON without NaN, as CSV, or as a page.

Text cells that came from files stay text: in CSV text that a spreadsheet would run as a formula gets an apostrophe in
front.

Each page of a folder has a link to `index.html`, which lists all pages.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape, unescape
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import xarray as xr

from halfpoint.apps.pages.cells import PLAIN, Look, cells_of, column_digits, rows_of
from halfpoint.apps.pages.listing import PLACE, TITLES, Listing, json_cell, listing, title_of
from halfpoint.apps.pages.page import Chart, Page, Section, page_html, render_template, words_of
from halfpoint.apps.pages.table import table_html
from halfpoint.evaluation.digits import fixed_decimals
from halfpoint.evaluation.first_sentences.comparisons import not_converged
from halfpoint.evaluation.first_sentences.leaders import strongest, winner_of_event
from halfpoint.evaluation.first_sentences.standings import first_of_list
from halfpoint.models.declaration.catalogue import edition_of
from halfpoint.models.games.errors import HalfpointError, printable
from halfpoint.models.games.results import Results
from halfpoint.models.games.sides import USUAL
from halfpoint.models.games.single_files import Files, files
from halfpoint.readers.words import FORMULA_STARTS

_INDEX = "index.html"
_RESIDUE = 1e-12  # of a difference of equal numbers, relative to the largest number of its column, from 1 to `_LARGEST`
_LARGEST = 1e4
_LEAST_RESIDUE = 1e-25  # differences of numbers above 1e-9 are multiples of about this
_HEAD = 5000  # characters of a page that hold its title and its answer
_OURS = '<meta name="generator" content="halfpoint">'
TITLE, _ANSWER = "<title>(.*?)</title>", '<meta name="description" content="(.*?)">'
_NUMBER = re.compile(r"\A[-+−]?(\d++(\.\d*)?|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)
_SHOWN = (".csv", ".json", ".nc", ".parquet", ".png")


def put_page(place: Results, name: str, page: Page) -> None:
    """Write a page, and an index page if its folder has several; a user's own index.html is kept."""
    paths = sorted(path for path in place.folder.glob("*.html") if path.is_file())
    pages = {path.name: path for path in paths if _OURS in _head_of(path)}
    pages |= {file: path for file, path in place.made.items() if file.endswith(".html")}
    pages.pop(_INDEX, None)
    alone = place.alone and not set(pages) - {name}
    place.text(name, page_html(page, "" if alone else "../" * name.count("/") + _INDEX))
    if not alone:
        pages[name] = place.made[name]
        other_files = {path.name for path in place.folder.glob("[!.]*") if path.suffix in _SHOWN} | {
            file for file in place.made if Path(file).suffix in _SHOWN
        }
        rows = [describe_page(file, path) for file, path in sorted(pages.items())]
        links = {quote(os.fsencode(file)): printable(file) for file in sorted(other_files)}
        title = f"Results: {printable(place.folder.name)}"
        place.common(_INDEX, index_html(title, rows, links))


def index_html(title: str, pages: Sequence[Mapping[str, str]], files: Mapping[str, str]) -> str:
    """Page of a folder: its pages with their answers, and its other files by address."""
    return render_template("index.html.j2", {"title": title, "pages": pages, "others": files})


def _head_of(path: Path) -> str:
    """The beginning of a file."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_HEAD)


def describe_page(name: str, path: Path) -> dict[str, str]:
    """Address, title and answer of a page."""
    text = _head_of(path)
    title, answer = (re.search(pattern, text, re.DOTALL) for pattern in (TITLE, _ANSWER))
    return {
        "href": quote(os.fsencode(name)),
        "title": unescape(title[1]) if title else printable(name),
        "answer": unescape(answer[1]) if answer else "",
    }


_SOME, _WANTED = 100, 59
_LIST = "rows-list"
_FACTS = ("system", "settings")
_MARK = re.compile(r" \(SIMULATED(?: \w+)?\)| SIMULATED")


def answer_page(
    frame: pd.DataFrame,
    about: Mapping[str, object],
    *charts: Chart,
    further: tuple[Section, ...] = (),
    look: Look = PLAIN,
) -> Page:
    """Page of rows as the terminal shows them, chances of places shaded, and then every number."""
    title = str(about["title"])
    title = _MARK.sub("", title)
    name = str(about.get("data", ""))
    title = title.replace(name, words_of(name)) if name else title
    note = str(about.get("note", ""))
    verdict = str(about.get("verdict", ""))
    frame, shown = without_residues(frame), without_residues(rows_of(frame, look))
    places = [name for name in map(str, shown.columns) if PLACE.fullmatch(name)]
    first, digits = shown.drop(columns=places), dict(column_digits(shown, look))
    text = f"{note[:1].upper()}{note[1:]}".replace("\n", " ")
    listed = listing(first, _LIST, "The list", digits=digits, text=text, some=_SOME)
    # left out without room alone
    columns = tuple(replace(column, want=min(column.want, _WANTED)) for column in listed.columns)
    sections = [Section("rows", "The list", [replace(listed, columns=columns)])]
    if places:
        sections.append(places_section(shown[[listed.noun, *places]]))
    if charts:
        sections.append(Section("figures", "Figures", charts))
    sections += further
    if look.frame is not None or look.short:
        numbers = listing(frame, "every-list", "Every number", some=_SOME)
        sections.append(Section("every", "Every number", [numbers], folded=True))
    details = {name: str(about[name]) for name in ("data", "system", "settings", "model", "edition") if about.get(name)}
    facts = {name.capitalize(): text for name, text in details.items() if len(text) < 60 and name in _FACTS}
    bad = verdict.startswith("NOT CONVERGED")
    return Page(
        title,
        first_sentence(frame, about) or note.partition(". ")[0] or f"{len(frame):,} rows.",
        sections,
        dict(list(facts.items())[:4]),
        f"{verdict}: do not use these numbers." if bad else "",
        bool(about.get("simulated")),
        [f"{name}: {text}" for name, text in (details | {"verdict": verdict}).items() if text],
    )


def places_section(chances: pd.DataFrame, title: str = "Places", what: str = "place") -> Section:
    """Section with the chance of each place in percent, a row for each competitor, shaded."""
    numbered = {name: f"place_{re.sub(r'[^0-9]', '', str(name))}" for name in chances.columns[1:]}
    heads = {name: name.removeprefix("place_") for name in numbered.values()}
    table = chances.rename(columns=numbered)
    text = f"Chance of each {what} in percent; a darker cell is a likelier {what}."
    listed = listing(table, "places-list", title, heads, noun=str(chances.columns[0]), text=text)
    return Section("places", title, [listed])


def first_sentence(frame: pd.DataFrame, about: Mapping[str, object]) -> str:
    """First sentence of an answer: that of its metadata, or on the first of ordered and named rows; else empty.

    If the sampler of the one model of an answer did not converge, the sentence reports that alone; answers on several
    models doubt the comparison.
    """
    verdict = str(about.get("verdict", ""))
    if verdict.startswith("NOT CONVERGED") and ("model" in about or not about.get("answer")):
        return not_converged(verdict.partition(" (the level")[0])
    if about.get("answer"):
        return str(about["answer"])
    texts = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    chances = [name for name in ("title_percent", "best_percent") if name in frame]
    if not len(frame) or not texts or not (chances or "rank" in frame):
        return ""
    if chances:
        shares = dict(zip(frame[texts[0]].astype(str), frame[chances[0]] / 100.0, strict=True))
        return (
            winner_of_event(shares, "the title")
            if chances[0] == "title_percent"
            else strongest(shares, _games_of_first(frame, chances[0]))
        )
    rating = next((name for name in frame.columns if name.startswith(("rating", "imps", "total"))), None)
    first = frame.iloc[0]
    shares_first = frame["rank"] == first["rank"]
    value = ""
    if rating is not None and pd.notna(first[rating]):
        printed = frame[rating].map(lambda number: _in_print(float(number)))
        shares_first |= printed == printed.iloc[0]
        value = f"{title_of(rating, TITLES).lower()} {printed.iloc[0]}"
    names = frame.loc[shares_first, texts[0]].astype(str).tolist() or [str(first[texts[0]])]
    return first_of_list(names, len(frame), value, first.get("games"))


def _games_of_first(frame: pd.DataFrame, chance: str) -> float | None:
    """Number of games of the row with the largest chance, None if unknown."""
    return (
        float(frame["games"].iloc[int(frame[chance].to_numpy().argmax())]) if "games" in frame and len(frame) else None
    )


def _in_print(rating: float) -> str:
    """A rating without decimals, a smaller number, such as IMPs, with one."""
    return fixed_decimals(rating, 0 if abs(rating) >= 100.0 else 1)


_IN_FILES = {"club": "player"}  # who is rated has one name in files, for scripts; pages and terminals have the field's


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame for JSON."""
    frame, names = without_residues(frame), [_IN_FILES.get(str(name), str(name)) for name in frame.columns]
    return [dict(zip(names, map(json_cell, row), strict=True)) for row in frame.to_numpy(dtype=object).tolist()]


def as_json_text(answer: Mapping[str, object]) -> str:
    """An answer as JSON text; numbers that are not finite are null, also within lists and mappings."""
    return json.dumps(_plain(answer), indent=1, allow_nan=False) + "\n"


def _plain(value: object) -> object:
    """Value in the form of JSON, with its contents."""
    if isinstance(value, Mapping):
        return {str(key): _plain(content) for key, content in value.items()}
    return [_plain(content) for content in value] if isinstance(value, list | tuple) else json_cell(value)


def _without_formula(value: object) -> object:
    """Cell as text for a spreadsheet; a signed number is not a formula."""
    runs = isinstance(value, str) and value.startswith(FORMULA_STARTS) and not _NUMBER.fullmatch(value)
    return f"'{value}" if runs else value


def without_residues(frame: pd.DataFrame) -> pd.DataFrame:
    """Frame with zeros for residues of rounding: numbers near zero in columns with negative numbers.

    Columns without negative numbers, such as p values, are unchanged.
    """
    cleaned = frame.copy(deep=False)
    for place, kind in enumerate(frame.dtypes):
        values = frame.iloc[:, place].to_numpy() if kind == np.float64 else np.zeros(1)
        if np.signbit(values).any():
            finite = np.abs(values[np.isfinite(values)])
            most = _RESIDUE * min(max(1.0, finite.max(initial=0.0)), _LARGEST)
            size = np.abs(values)
            residue = (size == 0.0) | ((size >= _LEAST_RESIDUE) & (size <= most))  # the first: also -0.0
            cleaned.isetitem(place, np.where(residue, 0.0, values))
    return cleaned


def as_csv(frame: pd.DataFrame) -> str:
    """Frame as CSV without cells or headings that a spreadsheet would run."""
    text, frame = StringIO(), without_residues(frame)
    frame.map(_without_formula).rename(columns=_IN_FILES).rename(columns=_without_formula).to_csv(
        text, index=False, lineterminator="\n"
    )
    return text.getvalue()


def kind_of(path: Path, option: str = "--out") -> str:
    """Suffix of a file of an answer."""
    if path.suffix not in (".csv", ".json", ".html"):
        raise HalfpointError(f"{option}: expected a file that ends in .csv, .json or .html, found {str(path)!r}")
    return path.suffix


_SHOWN_ROWS = 20
# of the list in a notebook, where the page's style is not: bars and shades in the colours of the notebook's text
_NOTEBOOK = (
    ".halfpoint table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".halfpoint :is(th,td){padding:1px 8px;text-align:right;white-space:nowrap}"
    ".halfpoint .text{text-align:left}.halfpoint .drawn{min-width:160px;padding:0 16px}"
    ".halfpoint .tier>*{border-top:1px solid}.halfpoint .bar{position:relative;height:16px}"
    ".halfpoint .bar i{position:absolute;top:7px;height:2px;background:#8a63c4}"
    ".halfpoint .bar b{position:absolute;top:4px;width:8px;height:8px;margin-left:-4px;"
    "border-radius:4px;background:#8a63c4}"
    ".halfpoint .bar small{position:absolute;transform:translateX(-50%);font-weight:400}"
    ".halfpoint .heat{background:color-mix(in srgb,#8a63c4 calc(.6*var(--share,0%)),transparent)}"
)


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """Rows of numbers and their metadata: the output of a command, as JSON or as a table."""

    frame: pd.DataFrame  #: the rows
    #: `title`, and where there are any `answer` (the first sentence), `note` (what closes the table), `verdict` (of the
    #: sampler), `model`, `data`, `simulated` and so on; plain values
    about: dict[str, Any]
    look: Look = field(default=Look(), kw_only=True)  #: how terminal, page and notebook show the rows first

    def __post_init__(self) -> None:
        sentence = first_sentence(self.frame, self.about)
        about = {name: value for name, value in self.about.items() if name != "answer"}
        object.__setattr__(self, "about", about | ({"answer": sentence} if sentence else {}))

    @property
    def title(self) -> str:
        """Title of the rows."""
        return str(self.about["title"])

    @property
    def note(self) -> str:
        """Remarks on the rows: levels, intervals, warnings."""
        return str(self.about.get("note", ""))

    def page(self) -> Page:
        """Page of the answer: its rows as the list, the note below."""
        return answer_page(self.frame, self.about, look=self.look)

    def record(self) -> dict[str, Any]:
        """The answer as JSON: metadata and rows."""
        return {**{key: json_cell(value) for key, value in self.about.items()}, "rows": records(self.frame)}

    def json(self) -> str:
        """The answer as JSON text; missing values are null."""
        return as_json_text(Answer.record(self))  # of the rows alone, whatever a kind of answer records beside

    def write(self, path: str | Path, force: bool = False) -> None:
        """Write the answer to a file that ends in .csv, .json or .html.

        `HalfpointError` if the suffix is invalid, the file cannot be written, or halfpoint did not write the existing
        file and `force` is not given.
        """
        kind_of(Path(path), "file")
        with files({"file": path}, force=force) as places:
            put_answer(places, "file", self)

    def __repr__(self) -> str:
        cells = cells_of(self.frame.head(_SHOWN_ROWS), replace(self.look, frame=self._head_of_look()))
        rows = pd.DataFrame(dict(enumerate(column.texts for column in cells)))
        shown = rows.to_string(index=False, header=[column.heading for column in cells]) if len(rows) else ""
        return "\n\n".join(
            filter(None, [self.title, str(self.about.get("answer") or ""), shown, self._cut(), self.note])
        )

    def _repr_html_(self) -> str:
        paragraphs = [escape(str(text)) for text in (self.about.get("answer"), self._cut(), self.note) if text]
        above, below = (paragraphs[:1], paragraphs[1:]) if self.about.get("answer") else ([], paragraphs)
        table = table_html(self._listing(), _SHOWN_ROWS)
        lead = "".join(f"<p>{text}</p>" for text in above)
        notes = "".join(f"<p>{text}</p>" for text in below)
        title = f"<p><b>{escape(self.title)}</b></p>"
        return f'<style>{_NOTEBOOK}</style><div class="halfpoint">{title}{lead}{table}{notes}</div>'

    def _listing(self) -> Listing:
        """The rows as the first list of the page."""
        shown = rows_of(self.frame, self.look)
        return listing(shown, _LIST, self.title, digits=column_digits(shown, self.look))

    def _head_of_look(self) -> pd.DataFrame | None:
        """The first rows of the look."""
        return None if self.look.frame is None else self.look.frame.head(_SHOWN_ROWS)

    def _cut(self) -> str:
        """Number of hidden rows in words; empty if all are shown."""
        count = len(rows_of(self.frame, self.look))
        return f"The first {_SHOWN_ROWS} of {count:,} rows; `frame` has all." if count > _SHOWN_ROWS else ""


def put_answer(places: Files, option: str, answer: Answer) -> None:
    """Make the file of an option from an answer, by its suffix: CSV, JSON, or a page."""
    place, name = places.places[option]
    kind = kind_of(Path(name), option)
    if kind == ".html":
        put_page(place, name, answer.page())
    else:
        place.text(name, as_csv(answer.frame) if kind == ".csv" else answer.json())


def about_table(table: Any, title: str, of: str = "games", **details: object) -> dict[str, object]:
    """Metadata of an answer from a table; simulated data are marked."""
    simulated = f" (SIMULATED {of})" if table.simulated else ""
    return {"title": f"{title}{simulated}", "data": table.name, "simulated": table.simulated, **details}


def about_trace(tree: xr.DataTree, title: str) -> dict[str, object]:
    """Metadata of an answer from a trace; simulated games are marked."""
    attributes = tree.attrs
    simulated = " (SIMULATED games)" if attributes["data_simulated"] else ""
    return {
        "title": f"{title}{simulated}",
        "model": attributes["model"],
        **({"edition": edition} if (edition := edition_of(attributes)) else {}),
        "data": attributes["data_name"],
        "simulated": bool(attributes["data_simulated"]),
        "seats": str(attributes.get("seats", USUAL)),
        **convergence([tree], str(attributes["verdict"])),
    }


def simulated_mark(trees: Sequence[xr.DataTree]) -> str:
    """Mark of a title if the games of a trace are simulated."""
    return " (SIMULATED games)" if any(tree.attrs["data_simulated"] for tree in trees) else ""


def convergence(trees: Sequence[xr.DataTree], verdict: str) -> dict[str, Any]:
    """Verdict on traces for people; for scripts three flags: all converged, any approximate, any simulated."""
    return {
        "simulated": any(bool(tree.attrs["data_simulated"]) for tree in trees),
        "verdict": verdict,
        "converged": all(tree.attrs["converged"] for tree in trees),
        "approximate": any(tree.attrs.get("approximate") for tree in trees),
    }
