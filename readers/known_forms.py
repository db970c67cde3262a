"""Known forms: descriptions of files as data, each a TOML file of a few lines, tried before anything is guessed.

    signature = ["BOUT", "OUTCOME", "METHOD"]    # columns of a table; keys of JSON; elements of XML; pieces of text
    columns = {white = "...", black = "..."}     # a field, or any name, and where its cells are
    words.score = {"W/L" = "first"}              # cells of a column, and what they mean
    drop = {Valid = ["FALSE"]}                   # rows to set apart

A place of cells is a column, a path in JSON or XML (`data.model1`, `slots.0.name`; `^date` in an object around the
row), `@PATH` for the person with that id, `A|B` for the first present, `=TEXT` for a constant, or a text with places
in braces: "{Nom}, {Prenom}". JSON and XML have `rows`, the path of the rows (`*` for any depth). Texts have `lines`, such
as "{date:day} {white}  {black}", where one blank is one or more, and two are at least two. `people` has rows or a line,
and the places of id and name. `games` lists further columns if a row has several games; `cut` turns a number into a
winner.

Shipped forms are in `known/`; users add theirs with `--form FILE`, other distributions with the entry point group
`halfpoint.forms` (a mapping, or the path of a TOML file). Docs: docs/reading.md.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import polars

from halfpoint.models.games.compressed import decode, first_bytes, read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.plugins import Installed
from halfpoint.readers.csv_files import first_rows, likely_delimiter
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Cells, Source, one_below_other
from halfpoint.readers.words import list_names

_GROUP = "halfpoint.forms"
_PLACE = re.compile(r"\{([^{}]+)\}")
_DEEPEST = 12
_LONGEST_LINE = 400
_LEAST_ROWS = 0.3  # of the lines of a text
type Around = tuple[Any, ...]  # objects around a row, the nearest first
type Row = tuple[int, Any, Around]  # line, value, objects around it


@dataclass(frozen=True)
class KnownForm:
    """A known form."""

    name: str
    signature: tuple[str, ...]
    columns: Mapping[str, str]
    kind: str = "table"  # table, json, xml or text
    rows: str = ""  # path of the rows of JSON and XML
    lines: tuple[str, ...] = ()  # templates of a line of text, the first that fits is used
    after: str = ""  # line above the rows of a text, up to a blank line
    people: Mapping[str, Any] = field(default_factory=dict)  # rows (or line, after), id, name
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by column of the result
    cut: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # at, below, above, level; by column
    drop: Mapping[str, Sequence[str]] = field(default_factory=dict)
    games: tuple[Mapping[str, str], ...] = ()
    begins: str = ""  # of JSON without blanks, if it has no keys
    width: int = 0  # values of each row, if rows are lists
    date_format: str = ""  # of the column date, as in `time.strptime`
    unused: tuple[str, ...] = ()  # columns of the file that are not read, such as ids beside names
    notes: tuple[str, ...] = ()

    def fits_header(self, names: Sequence[str]) -> bool:
        """True if a table has all columns of the signature."""
        return self.kind == "table" and {*map(plain_word, self.signature)} <= {*map(plain_word, names)}

    def fits_head(self, head: bytes) -> bool:
        """True if the first bytes of a document have all parts of the signature."""
        begin = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        if self.kind == "table" or (begin in b"[{") != (self.kind == "json") or (begin == b"<") != (self.kind == "xml"):
            return False
        if self.begins and not b"".join(head[:4096].split()).startswith(self.begins.encode()):
            return False
        form = {"json": '"{}"', "xml": "<{}", "text": "{}"}[self.kind]
        return all(form.format(part).encode() in head for part in self.signature) and (
            self.kind != "text" or _share_of_rows(head, self) > _LEAST_ROWS
        )


_KEYS = {"signature": list, "columns": dict, "kind": str, "rows": str, "lines": list, "after": str, "people": dict,
         "words": dict, "cut": dict, "drop": dict, "games": list, "unused": list, "notes": list, "about": str,
         "begins": str, "width": int, "date_format": str}  # fmt: skip


def form_of_table(found: Mapping[str, Any], name: str) -> KnownForm:
    """A known form from the values of its TOML; `GameTableError` names the wrong key."""
    for key, value in found.items():
        if key not in _KEYS or not isinstance(value, _KEYS[key]):
            expected = f"{' | '.join(_KEYS)}" if key not in _KEYS else f"a {_KEYS[key].__name__}"
            raise GameTableError(f"{name}, {key}", expected, "another key" if key not in _KEYS else repr(value)[:60])
    if not (found.get("signature") or found.get("begins")) or not (found.get("columns") or found.get("games")):
        raise GameTableError(name, "signature and columns of a form", "one of them missing")
    found = {"signature": [], **found}
    values = {key: tuple(one) if isinstance(one, list) else one for key, one in found.items() if key != "about"}
    if values.get("kind", "table") not in ("table", "json", "xml", "text"):
        raise GameTableError(f"{name}, kind", "table | json | xml | text", repr(values["kind"])[:60])
    return KnownForm(name, **{"columns": {}} | values)


def read_form(path: str | Path) -> KnownForm:
    """A known form from a TOML file."""
    try:
        return form_of_table(tomllib.loads(Path(path).read_text(encoding="utf-8")), str(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise GameTableError(str(path), "a form as TOML", str(error)) from error


@cache
def known_forms() -> tuple[KnownForm, ...]:
    """All known forms: those of other distributions, then halfpoint's by name."""
    plugins = Installed(_GROUP)
    others = [read_form(one) if isinstance(one, str | Path) else form_of_table(one, name)
              for name, one in ((name, plugins[name]) for name in plugins)]  # fmt: skip
    own = sorted(files("halfpoint.readers").joinpath("known").iterdir(), key=lambda one: one.name)
    texts = ((one.name, one.read_text(encoding="utf-8")) for one in own if one.name.endswith(".toml"))
    return (*others, *(form_of_table(tomllib.loads(text), name.removesuffix(".toml")) for name, text in texts))


def recognises(path: str, head: bytes) -> bool:
    """True if a known form of documents fits the first bytes of a file."""
    return any(form.fits_head(head) for form in known_forms())


def columns(file: str | Path, name: str, where: str, form: str | Path | None = None) -> Source:
    """The rows of a document of a known form."""
    head = first_bytes(file)
    chosen = read_form(form) if form else next((one for one in known_forms() if one.fits_head(head)), None)
    if chosen is None:
        raise GameTableError(where, "a file of a known form", "another")
    return _transformed(_document(chosen, file, name, where), chosen)


KNOWN_FORMS = Form(recognises, columns, ("form",))


def fits_known_form(text: str) -> bool:
    """True if a known form of tables fits the header of a CSV text."""
    rows = first_rows(text[:65536], likely_delimiter(text[:65536]), 5)
    return bool(rows) and any(form.fits_header(rows[0]) for form in known_forms())


def with_form(source: Source, form: str | Path | None = None) -> Source:
    """A table read by the user's form, or by the first known form that fits its header; else unchanged."""
    if form is not None:
        own = read_form(form)
        missing = [name for name in own.signature if plain_word(name) not in {*map(plain_word, source.names)}]
        if missing:
            raise GameTableError(f"{source.where}, --form {form}", f"a column {missing[0]!r}", list_names(source.names))
        return _transformed(source, own)
    chosen = next((one for one in known_forms() if one.fits_header(source.names)), None)
    return source if chosen is None else _transformed(source, chosen)


def _transformed(source: Source, form: KnownForm) -> Source:
    """A source with the columns of a form, its words as meanings, and without the rows to set apart."""
    several = form.games or ({},)
    parts = [_one_game(source, form, {**form.columns, **one}, k) for k, one in enumerate(several)]
    note = f"form: {form.name}" + (f", {len(several)} games a row" if len(several) > 1 else "")
    whole = parts[0] if len(parts) == 1 else one_below_other(parts)
    line = None if source.line is None else np.concatenate([one.line for one in parts if one.line is not None])
    return replace(whole, line=line, sha256=source.sha256, notes=(*source.notes, note, *form.notes, *parts[0].notes))


def _one_game(source: Source, form: KnownForm, places: Mapping[str, str], part: int) -> Source:
    """One game of each row of a source."""
    named = {plain_word(name) if form.kind == "table" else name: name for name in reversed(source.names)}

    def column(place: str) -> str | None:
        return named.get(plain_word(place) if form.kind == "table" else place)

    absent = [place for place in places.values() if not place.startswith("=") and "{" not in place
              and column(place) is None]  # fmt: skip
    used = {found for place in (*places.values(), *form.drop) if (found := column(place))}
    used |= {found for place in places.values() for name in _PLACE.findall(place) if (found := column(name))}
    unused = {found for name in form.unused if (found := column(name))}
    others = [name for name in source.names if name not in used | unused and source.names.count(name) == 1]
    places = {name: place for name, place in places.items() if place not in absent}
    names = (*places, *(name for name in others if name not in places))
    apart, notes = np.zeros(0, dtype=bool), list[str]()
    if form.drop:
        cells = source.read([one for name in form.drop if (one := column(name))])
        masks = {name: cells[found].str.to_lowercase().is_in([word.lower() for word in words]).to_numpy()
                 for name, words in form.drop.items() if (found := column(name))}  # fmt: skip
        apart = np.any([*masks.values()], axis=0) if masks else apart
        for name, mask in masks.items():
            if mask.any():
                shown = cells[column(name) or name].filter(polars.Series(mask)).unique(maintain_order=True).to_list()
                notes.append(f"set apart: {count_noun(int(mask.sum()), 'row')}, {name} {list_names(shown)}")
    kept = np.flatnonzero(~apart) if apart.any() else None

    def read(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        needed = {name: [column(one) for one in _PLACE.findall(place)] if "{" in place else [column(place)]
                  for name, place in ((name, places.get(name, name)) for name in wanted)}  # fmt: skip
        every = rows if kept is None else None
        asked = dict.fromkeys(one for some in needed.values() for one in some if one) or {source.names[0]: None}
        cells = source.cells([*asked], every)
        length = len(next(iter(cells.values())))
        made = {}
        for name in wanted:
            place = places.get(name, name)
            if place.startswith("="):
                values = polars.Series([place[1:]] * length, dtype=polars.String)
            elif "{" in place:
                parts = [cells[one].to_list() for one in needed[name] if one]
                text = _PLACE.sub("\0", place)
                values = polars.Series([_filled(text, row) for row in zip(*parts, strict=True)], dtype=polars.String)
            else:
                values = cells[needed[name][0]]  # type: ignore[index]
            if name == "date" and form.date_format:
                values = values.str.strptime(polars.Date, form.date_format, strict=False).cast(polars.String)
                values = values.fill_null("")
            values = _in_words(values, form.words.get(name, {}), form.cut.get(name))
            made[name] = values if kept is None else values.gather(kept[:rows])
        return made

    line = source.line if source.line is None or kept is None else source.line[kept]
    nested = source.nested & {*others}
    return replace(source, names=names, cells=read, line=line, nested=nested, notes=tuple(notes))


def _filled(text: str, cells: Sequence[str]) -> str:
    """A text with cells in its gaps; empty if all cells are."""
    if not any(cells):
        return ""
    for cell in cells:
        text = text.replace("\0", cell, 1)
    return text.strip(" ,")


def _in_words(cells: Cells, words: Mapping[str, str], cut: Mapping[str, Any] | None) -> Cells:
    """Cells with the words of a form replaced, and numbers cut into winners."""
    if (not words and cut is None) or cells.dtype != polars.String:
        return cells
    known = {word.casefold(): meaning for word, meaning in words.items()}

    def meaning(cell: str) -> str:
        found = known.get(cell.casefold())
        if found is not None or cut is None:
            return cell if found is None else found
        try:
            number = float(cell)
        except ValueError:
            return cell
        if number != number or not cut.get("least", number) <= number <= cut.get("most", number):
            return "" if number != number else cell
        return str(cut["level" if number == cut["at"] else "below" if number < cut["at"] else "above"])

    meanings = {cell: meaning(cell) for cell in cells.unique().to_list()}
    return cells.replace_strict(meanings, return_dtype=polars.String)


def _document(form: KnownForm, file: str | Path, name: str, where: str) -> Source:
    """The places of a form in JSON, XML or text, as columns of texts."""
    numbered: bool
    if form.kind == "json":
        document = read_document(file, where)
        tops, sha256, numbered = document.values, document.sha256, document.lines is not None
        lines = document.lines or [0] * len(tops)
        rows = [
            row for line, top in zip(lines, tops, strict=True) for row in _rows_at(top, _steps(form.rows), (), line)
        ]
    else:
        text, sha256 = read_text(file)
        numbered = form.kind == "text"
        tops = [] if numbered else [_of_xml(text, where)]
        rows = (
            _rows_of_text(text, form.lines, form.after) if numbered else [*_rows_at(tops[0], _steps(form.rows), (), 0)]
        )
    people = _people(form, tops, text if numbered and form.kind == "text" else "")
    places = {one for some in (form.columns, *form.games) for one in some.values() if not one.startswith("=")}
    places = {*form.drop, *(inner for one in places for inner in (_PLACE.findall(one) or [one]))}
    header = sorted(places)
    finders = [_finder(place, people, where) for place in header]
    cells = [[find(row) for find in finders] for row in rows]
    if not rows:
        raise GameTableError(where, f"rows of the form {form.name}", "none")
    odd = next((value for _, value, _ in rows if form.width and len(value) != form.width), None)
    if odd is not None:
        raise GameTableError(where, f"rows of {form.width} values ({form.name})", f"{len(odd)}: {str(odd)[:60]}")
    places_of_rows = [line for line, _, _ in rows] if numbered else None
    return source_of_rows(header, cells, name, where, places_of_rows, sha256, ())


def _finder(place: str, people: Mapping[str, str], where: str) -> Callable[[Row], str]:
    """Function from a row to the text at a place."""
    person = place.startswith("@")
    ways = [(one.startswith("^"), one.lstrip("^").lower().split(".")) for one in place.lstrip("@").split("|")]

    def find(row: Row) -> str:
        _, value, outer = row
        values = (_at(top, path) for around, path in ways for top in (outer if around else (value,)))
        text = next((str(one) for one in values if one is not None), "")
        if person and text and text not in people:
            at = f"{where}, line {row[0]}" if row[0] else where
            raise GameTableError(at, "an id of the list of people", repr(text[:60]))
        return people[text] if person and text else text

    return find


def _at(value: Any, path: Sequence[str]) -> Any:
    """The plain value at a path, None if absent."""
    for step in path:
        if isinstance(value, dict):
            value = next((one for key, one in value.items() if str(key).lower() == step), None)
        elif isinstance(value, list) and step.isdecimal():
            value = value[int(step)] if int(step) < len(value) else None
        else:
            return value if step == "0" and not isinstance(value, list) else None
    return None if isinstance(value, dict | list) else value


def _steps(path: str) -> list[str]:
    """Steps of a path of rows."""
    return [step.lower() for step in path.split(".") if step]


def _rows_at(value: Any, path: Sequence[str], around: Around, line: int, depth: int = 0) -> Iterator[Row]:
    """Yield the rows at a path, with the objects around them; lists on the way are entered."""
    if depth > 2 * _DEEPEST:
        return
    if isinstance(value, list) and (path or any(isinstance(one, dict | list) for one in value)):
        for one in value:
            yield from _rows_at(one, path, around, line, depth + 1)
    elif not path:
        if isinstance(value, dict | list):
            yield line, value, around
    elif isinstance(value, dict):
        deep = path[0] == "*"
        for key, one in value.items():
            if key.lower() == path[deep]:
                yield from _rows_at(one, path[deep + 1 :], (value, *around), line, depth + 1)
            elif deep and isinstance(one, dict | list):
                yield from _rows_at(one, path, (value, *around), line, depth + 1)


def _of_xml(text: str, where: str) -> Any:
    """XML as nested objects: attributes and children by name, a list of children of one name if there are several."""
    if "<!ENTITY" in text or re.search(r"<!DOCTYPE[^>]*[\[]", text):
        raise GameTableError(where, "plain XML", "entities or a document type of its own")
    try:
        root = ElementTree.fromstring(text.encode())
    except (ElementTree.ParseError, ValueError) as error:
        raise GameTableError(where, "XML", str(error)) from None
    return _of_element(root)


def _of_element(element: Any, depth: int = 0) -> Any:
    """An element as nested objects; a text if it has neither attributes nor children."""
    if depth > 40:
        return None
    if not element.attrib and not len(element):
        return (element.text or "").strip()
    made: dict[str, Any] = dict(element.attrib)
    for child in element:
        tag, value = str(child.tag).rpartition("}")[2], _of_element(child, depth + 1)
        made[tag] = value if tag not in made else [*(made[tag] if isinstance(made[tag], list) else [made[tag]]), value]
    return made | ({"text": element.text.strip()} if element.text and element.text.strip() else {})


def _people(form: KnownForm, tops: Sequence[Any], text: str) -> dict[str, str]:
    """Names of people by id."""
    about = form.people
    if not about:
        return {}
    if text:
        rows = _rows_of_text(text, [about["line"]], about.get("after", ""))
    else:
        rows = [row for top in tops for row in _rows_at(top, _steps(about["rows"]), (), 0)]
    people = {}
    for row in rows:
        ids = [_finder(one, {}, "")(row) for one in _PLACE.findall(about["id"]) or [about["id"]]]
        names = [_finder(one, {}, "")(row) for one in _PLACE.findall(about["name"]) or [about["name"]]]
        key = _filled(_PLACE.sub("\0", about["id"]) if "{" in about["id"] else "\0", ids)
        if key and any(names):
            people[key] = _filled(_PLACE.sub("\0", about["name"]) if "{" in about["name"] else "\0", names)
    return people


def _rows_of_text(text: str, templates: Sequence[str], after: str) -> list[Row]:
    """The lines of a text that fit a template, as objects of their fields."""
    parsed = [_template(one) for one in templates]
    rows, open_ = list[Row](), not after
    for number, line in enumerate(text.splitlines(), 1):
        if after and (not line.strip() or line.strip() == after):
            open_ = line.strip() == after
            continue
        if open_ and len(line) <= _LONGEST_LINE:
            fits = (
                (k, fields) for k, one in enumerate(parsed, 1) if (fields := _parted(line.strip(), one)) is not None
            )
            rows += [(number, fields | {"template": str(k)}, ()) for k, fields in [*fits][:1]]
    return rows


_KINDS = {"": re.compile(r".+"), "number": re.compile(r"-?\d{1,9}(?:\.\d{1,9})?"),
          "day": re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"), "word": re.compile(r"\S+")}  # fmt: skip


def _share_of_rows(head: bytes, form: KnownForm) -> float:
    """Share of the first lines with text that are rows of a text's form."""
    text = decode(head)
    text = text if len(head) < 65536 else text[: text.rfind("\n")]
    lines = sum(bool(line.strip()) for line in text.splitlines())
    return len(_rows_of_text(text, form.lines, form.after)) / max(lines, 1)


def _template(text: str) -> list[tuple[str, re.Pattern[str], re.Pattern[str] | None]]:
    """Fields of a template, each with its kind and the text behind it; the first field is the text before all."""
    names, between = ["", *_PLACE.findall(text)], _PLACE.split(text)[::2]
    pattern = [re.sub(r"(?:\\ ){2}", r"\\s{2,}", re.escape(one)).replace(r"\ ", r"\s+") for one in between]
    parts = [name.partition(":") for name in names]
    return [(name, _KINDS.get(kind, _KINDS[""]), re.compile(one) if one else None)
            for (name, _, kind), one in zip(parts, pattern, strict=True)]  # fmt: skip


def _parted(
    line: str, template: Sequence[tuple[str, re.Pattern[str], re.Pattern[str] | None]]
) -> dict[str, str] | None:
    """Fields of a line; None if it does not fit. Each field ends at the first place of the text behind it."""
    place, fields = 0, dict[str, str]()
    for k, (name, kind, behind) in enumerate(template):
        found = behind.search(line, place) if behind is not None else None
        if behind is not None and (found is None or (k == 0 and found.start() > 0)):
            return None
        end = found.start() if found else len(line) if name else place
        if name:
            fields[name] = line[place:end].strip()
            if not kind.fullmatch(fields[name]):
                return None
        place = found.end() if found else end
    return fields if place == len(line) else None
