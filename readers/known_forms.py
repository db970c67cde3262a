"""Known forms: descriptions of files as data, each a TOML file of a few lines, tried before anything is guessed.

    signature = ["BOUT", "OUTCOME", "METHOD"]    # columns of a table; keys of JSON; elements of XML; pieces of text
    columns = {white = "...", black = "..."}     # a field, or any name, and where its cells are
    words.score = {"W/L" = "first"}              # cells of a column, and what they mean
    drop = {Valid = ["FALSE"]}                   # rows to set apart

A place of cells is a column, a path in JSON or XML (`data.model1`, `slots.0.name`; `^date` in an object around the
row), `@PATH` for the person with that id (`@PATH>rating` for another value of theirs), `&PATH` for the value that the
cell names, `A|B` for the first present, `=TEXT` for a constant, or a text with places in braces: "{Nom}, {Prenom}".
JSON and XML have `rows`, the path of the rows (`*` for any depth). Texts have `lines`, such as "{date:day} {white}",
where one blank is one or more, and two are at least two. `people` has rows or a line, and the places of id and name.
`prefixes` are left out of the names of columns. `games` lists further columns if a row has several games, or if games
are at several paths (`rows`); `apart` has the paths of objects that are not games, by a noun; `cut` turns a number into
a winner. `compare` makes comparisons of the first column's items within an object by their numbers in a column. `split`
makes a row of each part of texts with commas, and games if all texts have two parts.

Shipped forms are in `known/`; users add theirs with `--form FILE`, other distributions with the entry point group
`halfpoint.forms` (a mapping, or the path of a TOML file). Docs: docs/reading.md.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from functools import cache, reduce
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np
import polars

from halfpoint.models.games.compressed import first_bytes
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.plugins import Installed
from halfpoint.readers.csv_files import first_rows, likely_delimiter
from halfpoint.readers.forms import Form
from halfpoint.readers.known_documents import PLACE, document_rows, filled, share_of_rows
from halfpoint.readers.sources import Cells, Source, one_below_other
from halfpoint.readers.words import list_names, number

_GROUP = "halfpoint.forms"
_LEAST_ROWS = 0.3  # of the lines of a text
_LONGEST = 1_000_000  # bytes of a form


@dataclass(frozen=True)
class KnownForm:
    """A known form."""

    name: str
    signature: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    kind: str = "table"  # table, json, xml or text
    rows: str = ""  # path of the rows of JSON and XML
    lines: tuple[str, ...] = ()  # templates of a line of text, the first that fits is used
    after: str = ""  # line above the rows of a text, up to a blank line
    people: Mapping[str, str] = field(default_factory=dict)  # rows (or line, after), id, name
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by column of the result
    cut: Mapping[str, Mapping[str, str | int | float]] = field(default_factory=dict)  # by column: at, above, ...
    drop: Mapping[str, Sequence[str]] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)  # paths of what is counted and not read, such as byes
    games: tuple[Mapping[str, str], ...] = ()
    begins: str = ""  # of JSON without blanks, if it has no keys
    width: int = 0  # values of each row, if rows are lists
    split: tuple[str, ...] = ()  # keys of texts with a comma between the parts; each place in them is a row
    compare: str = ""  # column of numbers by which each two rows in one object are compared
    date_format: str = ""  # of the column date, as in `time.strptime`
    unused: tuple[str, ...] = ()  # columns of the file that are not read, such as ids beside names
    prefixes: tuple[str, ...] = ()  # of names of columns, all present, that are left out
    notes: tuple[str, ...] = ()

    def fits_header(self, plain: Set[str]) -> bool:
        """True if a table, of which `plain` has the plain names of the columns, has all columns of the signature."""
        prefixed = all(any(name.startswith(plain_word(prefix)) for name in plain) for prefix in self.prefixes)
        return self.kind == "table" and prefixed and {*map(plain_word, self.signature)} <= plain

    def fits_head(self, head: bytes) -> bool:
        """True if the first bytes of a document have all parts of the signature."""
        begin = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2].replace(b"{{", b"|")[:1]  # templates of Wikipedia are text
        if self.kind == "table" or (begin in b"[{") != (self.kind == "json") or (begin == b"<") != (self.kind == "xml"):
            return False
        if self.begins and not b"".join(head[:4096].split()).startswith(self.begins.encode()):
            return False
        form = {"json": '"{}"', "xml": "<{}", "text": "{}"}[self.kind]
        fits = all(form.format(part).encode() in head for part in self.signature)
        return fits and (self.kind != "text" or share_of_rows(head, self.lines, self.after) > _LEAST_ROWS)


_TYPES: dict[str, object] = {entry.name: entry.type for entry in fields(KnownForm)[1:]} | {"about": str}


def _fits(value: object, kind: Any) -> bool:
    """True if a value of TOML, with all values in it, has the type of a field."""
    if get_origin(kind) is Mapping:
        return isinstance(value, Mapping) and all(_fits(inner, get_args(kind)[1]) for inner in value.values())
    if get_origin(kind) in (tuple, Sequence):
        return isinstance(value, list) and all(_fits(inner, get_args(kind)[0]) for inner in value)
    return isinstance(value, kind) and not isinstance(value, bool)


def _type_in_words(kind: Any) -> str:
    """The type of a field in the words of TOML: a list of texts, a table of tables of texts."""
    names = {Mapping: "table", tuple: "list", Sequence: "list", str: "text", int: "whole number"}
    text = f"a {names.get(get_origin(kind) or kind, 'value')}"
    while get_origin(kind) is not None:
        kind = get_args(kind)[1 if get_origin(kind) is Mapping else 0]
        text += f" of {names.get(get_origin(kind) or kind, 'text or number')}s"
    return text


def form_of_table(table: Mapping[str, object], name: str) -> KnownForm:
    """A known form from the values of its TOML; `GameTableError` names the wrong key."""
    for key, value in table.items():
        if key not in _TYPES:
            raise GameTableError(f"{name}, {key}", " | ".join(_TYPES), "another key")
        if not _fits(value, _TYPES[key]):
            raise GameTableError(f"{name}, {key}", _type_in_words(_TYPES[key]), repr(value)[:60])
    if not (table.get("signature") or table.get("begins")) or not (table.get("columns") or table.get("games")):
        raise GameTableError(name, "signature and columns of a form", "one of them missing")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    values.pop("about", None)
    if values.get("kind", "table") not in ("table", "json", "xml", "text"):
        raise GameTableError(f"{name}, kind", "table | json | xml | text", repr(values["kind"])[:60])
    form = KnownForm(name, **values)
    for field_name, fault, expected in _faults_of(form):
        raise GameTableError(f"{name}, {field_name}", expected, fault)
    return form


def _faults_of(form: KnownForm) -> Iterator[tuple[str, str, str]]:
    """Yield keys whose values do not fit the other keys, with the value and an expected one."""
    for column, cut in form.cut.items():
        missing = [key for key in ("at", "below", "above") if key not in cut]
        wrong = [key for key in ("at", "least", "most") if not isinstance(cut.get(key, 0), int | float)]
        if missing or wrong:
            yield f"cut.{column}", repr(cut)[:60], "numbers at, least and most, and texts below and above"
    keys = {"line" if form.kind == "text" else "rows", "id", "name"}
    if form.people and not keys <= form.people.keys():
        yield "people", list_names([*form.people]), " and ".join(sorted(keys))
    for place in (place for group in (form.columns, *form.games) for place in group.values() if place[:1] == "@"):
        if form.people and (place.partition(">")[2] or "name") not in form.people:
            yield "columns", repr(place)[:60], f"@ID or @ID>KEY with a key of people ({list_names([*form.people])})"
    headers = [[*{**form.columns, **game}] for game in form.games or ({},)]
    if form.compare and not all(form.compare in header[1:] for header in headers):
        yield "compare", repr(form.compare)[:60], "a column after the first"


def read_form(path: str | Path) -> KnownForm:
    """A known form from a TOML file."""
    with Path(path).open("rb") as file:
        content = file.read(_LONGEST + 1)
    if len(content) > _LONGEST:
        raise GameTableError(str(path), f"a form of at most {_LONGEST:,} bytes", "a longer file")
    try:
        return form_of_table(tomllib.loads(content.decode()), str(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameTableError(str(path), "a form as TOML", str(error)) from error


@cache
def known_forms() -> tuple[KnownForm, ...]:
    """All known forms: forms of other distributions, then halfpoint's by name."""
    plugins = Installed(_GROUP)
    plugin_forms = [read_form(plugin) if isinstance(plugin, str | Path) else form_of_table(plugin, name)
              for name, plugin in ((name, plugins[name]) for name in plugins)]  # fmt: skip
    paths = sorted(files("halfpoint.readers").joinpath("known").iterdir(), key=lambda path: path.name)
    texts = ((path.name, path.read_text(encoding="utf-8")) for path in paths if path.name.endswith(".toml"))
    return (*plugin_forms, *(form_of_table(tomllib.loads(text), name.removesuffix(".toml")) for name, text in texts))


def recognises(path: str, head: bytes) -> bool:
    """True if a known form of documents fits the first bytes of a file."""
    return any(form.fits_head(head) for form in known_forms())


def columns(file: str | Path, name: str, location: str, form: str | Path | None = None) -> Source:
    """The rows of a document of a known form."""
    head = first_bytes(file)
    chosen = read_form(form) if form else next((entry for entry in known_forms() if entry.fits_head(head)), None)
    if chosen is None:
        raise GameTableError(location, "a file of a known form", "another")
    return _meant(document_rows(chosen, file, name, location), chosen)


KNOWN_FORMS = Form(recognises, columns, ("form",))


def fits_known_form(text: str) -> bool:
    """True if a known form of tables fits the header of a CSV text."""
    rows = first_rows(text[:65536], likely_delimiter(text[:65536]), 5)
    return bool(rows) and any(form.fits_header({*map(plain_word, rows[0])}) for form in known_forms())


def with_form(source: Source, form: str | Path | None = None) -> Source:
    """A table read by the user's form, or by the first known form that fits its header; else unchanged."""
    plain = {*map(plain_word, source.names)}
    known = (entry for entry in known_forms() if entry.fits_header(plain))
    chosen = next(known, None) if form is None else read_form(form)
    missing = [name for name in chosen.signature if plain_word(name) not in plain] if chosen else []
    if missing:
        raise GameTableError(f"{source.where}, --form {form}", f"a column {missing[0]!r}", list_names(source.names))
    return source if chosen is None else _meant(_placed(source, chosen), chosen)


def _placed(source: Source, form: KnownForm) -> Source:
    """A table with the columns of a form: renamed, constant, or filled from several columns; other columns as well."""
    named = {plain_word(name): name for name in reversed(source.names)}
    games = []
    for game in form.games or ({},):
        first = {name: PLACE.sub(lambda match: f"{{{_present(match[1], named)}}}", place) if "{" in place
                 else _present(place, named) for name, place in {**form.columns, **game}.items()}  # fmt: skip
        places = {name: place for name, place in first.items()
                  if place.startswith("=") or "{" in place or plain_word(place) in named}  # fmt: skip
        games.append(_renamed(source, form, places, named))
    if len(games) == 1:
        return games[0]
    line = None if source.line is None else np.concatenate([source.line] * len(games))
    return replace(one_below_other(games), name=source.name, where=source.where, line=line, sha256=source.sha256)


def _present(place: str, named: Mapping[str, str]) -> str:
    """The first of the columns A|B that a table has, by plain names; the place itself if it has none."""
    return next((way for way in place.split("|") if plain_word(way) in named), place)


def _renamed(source: Source, form: KnownForm, places: Mapping[str, str], named: Mapping[str, str]) -> Source:
    """A table of the columns at some places, and the columns at none of them."""
    needed = {name: [named.get(plain_word(part), "") for part in (PLACE.findall(place) if "{" in place else [place])]
              for name, place in places.items() if not place.startswith("=")}  # fmt: skip
    taken = {key for some in needed.values() for key in some} | {named.get(plain_word(key), "") for key in form.unused}
    alone = [name for name, times in Counter(source.names).items() if times == 1 and name not in {*taken, *places}]
    short = {name: reduce(str.removeprefix, form.prefixes, name) for name in alone}
    free = {name if short[name] in places else short[name]: name for name in alone}

    def read(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        keys = (key for name in wanted for key in needed.get(name, [free.get(name, "")]) if key)
        cells = source.cells([*dict.fromkeys(keys)] or [source.names[0]], rows)
        length = len(next(iter(cells.values())))
        cells_of_name: dict[str, Cells] = {}
        for name in wanted:
            place = places.get(name, name)
            if "{" in place:
                parts = zip(*(cells[key].to_list() if key else [""] * length for key in needed[name]), strict=True)
                cells_of_name[name] = polars.Series([filled(place, row) for row in parts], dtype=polars.String)
            elif place.startswith("="):
                cells_of_name[name] = polars.Series([place[1:]] * length, dtype=polars.String)
            else:
                cells_of_name[name] = cells[needed[name][0] if name in needed else free[name]]
        return cells_of_name

    return replace(source, names=(*places, *free), cells=read, nested=source.nested & free.keys())


def _meant(source: Source, form: KnownForm) -> Source:
    """A source with the words of a form as meanings, and without the rows to set apart."""
    is_apart, notes = None, [f"form: {form.name}", *form.notes]
    for name, words in ((name, form.drop[name]) for name in form.drop if name in source.names):
        mask = source.read([name])[name].str.to_lowercase().is_in([word.lower() for word in words]).to_numpy()
        if mask.any():
            notes.append(f"set apart: {count_noun(int(mask.sum()), 'row')}, {name} {' or '.join(words)}")
            is_apart = mask if is_apart is None else is_apart | mask
    index = None if is_apart is None else np.flatnonzero(~is_apart)

    def read(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        cells = source.cells(wanted, rows if index is None else None)
        texts = {name: _in_words(name, cells[name], form) for name in wanted}
        return texts if index is None else {name: column.gather(index[:rows]) for name, column in texts.items()}

    line = source.line if source.line is None or index is None else source.line[index]
    names = tuple(name for name in source.names if name not in form.drop or name in form.columns)
    return replace(source, names=names, cells=read, line=line, notes=(*source.notes, *notes))


def _in_words(name: str, cells: Cells, form: KnownForm) -> Cells:
    """Cells with the words of a form replaced, numbers cut into winners, and days with the year first."""
    words, cut = form.words.get(name, {}), form.cut.get(name)
    if name == "date" and form.date_format:
        return cells.str.strptime(polars.Date, form.date_format, strict=False).cast(polars.String).fill_null("")
    if (not words and cut is None) or cells.dtype != polars.String:
        return cells
    meaning_of_word = {word.casefold(): meaning for word, meaning in words.items()}

    def meaning(cell: str) -> str:
        value = number(cell) if cut else None
        return meaning_of_word.get(cell.casefold(), cell if value is None else _side_of_cut(value, cell, cut or {}))

    return cells.replace_strict({cell: meaning(cell) for cell in cells.unique().to_list()}, return_dtype=polars.String)


def _side_of_cut(number: float, cell: str, cut: Mapping[str, Any]) -> str:
    """The meaning of a number below, at or above a cut; the cell itself if it is out of range, empty if it is NaN."""
    if not cut.get("least", number) <= number <= cut.get("most", number):
        return "" if number != number else cell
    return str(cut["level" if number == cut["at"] else "below" if number < cut["at"] else "above"])
