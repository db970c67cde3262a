"""Rows of JSON, XML and text by paths and templates, as known forms describe them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import not_used, pairs_within, set_aside, source_of_rows, text_of_head
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import number

if TYPE_CHECKING:
    from halfpoint.readers.known_forms import KnownForm

PLACE = re.compile(r"\{([^{}]+)\}")
_DEEPEST, _LONGEST_LINE = 40, 2000
_PLACES_OF_PEOPLE = ("rows", "line", "after")
_KINDS = {kind: re.compile(form) for kind, form in {"": r".+", "number": r"-?\d{1,9}(?:\.\d{1,9})?", "word": r"\S+",
    "name": r"[^\W\d][^,;\"]*", "points": r"\d{1,3}", "day": r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"}.items()}  # fmt: skip
type Around = tuple[object, ...]  # objects around a row, the nearest first
type Row = tuple[int, Any, Around]  # line, 0 if unknown; value; objects around it
type Table = tuple[list[str], list[list[str]], list[int]]  # header, cells and lines of rows
type Template = list[tuple[str, re.Pattern[str], re.Pattern[str] | None]]  # field, its kind, the text after it


def document_rows(form: "KnownForm", file: str | Path, name: str, location: str) -> Source:
    """The columns of a form of JSON, XML or text."""
    if form.kind == "json":
        document = read_document(file, location)
        tops, sha256, numbered = document.values, document.sha256, document.lines is not None
        lines = document.lines or [0] * len(tops)
    else:
        text, sha256 = read_text(file)
        numbered = form.kind == "text"
        tops, lines = ([], []) if numbered else ([_of_xml(text, location)], [0])

    def at(path: str) -> list[Row]:
        """The rows at a path, or the lines that fit a template."""
        if form.kind == "text":
            return rows_of_text(text, [path], form.people.get("after", ""))
        rows = document.rows() if form.kind == "json" and not path else zip(lines, tops, strict=True)
        return [row for line, top in rows for row in rows_at(top, path, line)]

    people = _people(form, at(form.people["line" if form.kind == "text" else "rows"])) if form.people else {}
    games: dict[str, list[Mapping[str, str]]] = {}  # columns of the games of a row, by the path of the rows
    for game in form.games or ({},):
        places = {**form.columns, **game, **{name: name for name in form.drop}}
        games.setdefault(places.pop("rows", form.rows), []).append(places)
    of_text = rows_of_text(text, form.lines, form.after) if form.kind == "text" else None
    rows_by_path = {path: at(path) if of_text is None else of_text for path in games}
    rows = [row for group in rows_by_path.values() for row in group]
    if not rows:
        raise GameTableError(location, f"rows of the form {form.name}", "none")
    if form.split:
        rows_by_path = {path: [part for row in group for part in _parts(row, form.split)]
                        for path, group in rows_by_path.items()}  # fmt: skip
    odd = next((value for _, value, _ in rows if form.width and len(value) != form.width), None)
    if odd is not None:
        raise GameTableError(location, f"rows of {form.width} values ({form.name})", f"{len(odd)}: {str(odd)[:60]}")
    cells, numbers = list[list[str]](), list[int]()
    for path, games_of_row in games.items():
        finders = [[_finder(place, people, location) for place in places.values()] for places in games_of_row]
        cells += [[find(row) for find in some] for row in rows_by_path[path] for some in finders]
        numbers += [row[0] for row in rows_by_path[path] for _ in finders]
    asides = [set_aside(len(at(path)), what) for what, path in form.apart.items()]
    asides.append(_unread(form, rows) if form.kind != "text" else _skipped(text, {line for line, *_ in rows}))
    header = [*next(iter(games.values()))[0]]
    if form.split:
        without = sum(not [*_parts(row, form.split)] for row in rows)
        asides.insert(0, set_aside(without, "row", f" without as many {' as '.join(form.split)}"))
        if without == len(rows):
            expected = f"as many {' as '.join(form.split)}, with commas between"
            raise GameTableError(location, expected, f"none in {count_noun(without, 'row')}")
        of_two = all(len([*_parts(row, form.split)]) in (0, 2) for row in rows)
        header, cells, numbers = _games_of_two(header, cells, numbers) if of_two else (header, cells, numbers)
    if form.compare:
        header, cells, numbers, note = _compared(header, cells, numbers, [id(row[2]) for row in rows], form.compare)
        asides.insert(0, note)
    return source_of_rows(header, cells, name, location, numbers if numbered else None, sha256, asides)


def _parts(row: Row, keys: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each part of texts with commas; none if texts have other numbers of parts, or an empty part."""
    line, value, around = row
    texts = [value.get(key) for key in keys] if isinstance(value, dict) else []
    parts = ["" if isinstance(text, dict | list | None) else str(text).split(",") for text in texts]
    if len({*map(len, parts)}) == 1 and all(map(all, parts)):
        yield from ((line, value | dict(zip(keys, some, strict=True)), around) for some in zip(*parts, strict=True))


def _games_of_two(header: list[str], cells: list[list[str]], lines: list[int]) -> Table:
    """Games of each two placings of an event: header, cells and lines."""
    of_sides = {"competitor": ("Player 1", "Player 2"), "place": ("white_rank", "black_rank")}
    columns = {name: of_sides.get(name, (name,)) for name in header if name != "event"}
    rows = []
    for pair in zip(cells[::2], cells[1::2], strict=True):
        texts = dict(zip(header, zip(*pair, strict=True), strict=True))
        rows.append([text for name, new in columns.items() for text in texts[name][: len(new)]] + ["1"])
    return [*(name for new in columns.values() for name in new), "neutral"], rows, lines[::2]


def _compared(
    header: list[str], cells: Sequence[list[str]], lines: Sequence[int], groups: Sequence[int], key: str
) -> tuple[list[str], list[list[str]], list[int], str]:
    """Header, cells and lines of comparisons of each two rows of a group by their numbers of a column, and a note."""
    score, names = header.index(key), [name for name in header[1:] if name != key]
    rows_of_group: dict[int, list[int]] = {}
    for row, group in enumerate(groups):
        rows_of_group.setdefault(group, []).extend([row] if number(cells[row][score]) is not None else [])
    rows, places = list[list[str]](), list[int]()
    for members in rows_of_group.values():
        scores = [(cells[row][0], number(cells[row][score]) or 0.0) for row in members]
        about = [cells[members[0]][header.index(name)] for name in names] if members else []
        rows += [[first, second, result, "1", *about] for first, second, result, _ in pairs_within(scores, equal=True)]
        places += [lines[row] for row in members[:1]] * (len(rows) - len(places))
    without = len(cells) - sum(map(len, rows_of_group.values()))
    groups_in_words = count_noun(len(rows_of_group), "group")
    note = f"{len(rows):,} comparisons in {groups_in_words} by {key}, not independent within one"
    note += f"; {without} without a number" if without else ""
    return ["white", "black", "score", "neutral", *names], rows, places, note


def _unread(form: "KnownForm", rows: Sequence[Row]) -> str:
    """Note on the keys of rows that a form does not use."""
    places = {place for game in (form.columns, *form.games) for place in game.values()}
    used = {re.split(r"[.>]", way)[0].lower() for place in places
            for text in (PLACE.findall(place) or [place]) for way in text.lstrip("@&").split("|")}  # fmt: skip
    keys = dict.fromkeys(key for _, value, _ in rows if isinstance(value, dict) for key in map(str, value))
    known = {*used, *map(str.lower, (*form.unused, *form.drop)), "template", "text"}
    return not_used(key for key in keys if key.lower() not in known)


def _skipped(text: str, used: Set[int]) -> str:
    """Note on the lines of a text that are no rows."""
    lines = [line.strip() for number, line in enumerate(text.splitlines(), 1) if line.strip() and number not in used]
    return f"skipped: {count_noun(len(lines), 'line')} without a game, the first {lines[0][:60]!r}" if lines else ""


def _people(form: "KnownForm", rows: Sequence[Row]) -> dict[str, dict[str, str]]:
    """Names and other values of the people of a form by their ids."""
    finders = {field: _finder(place, {}, "") for field, place in form.people.items() if field not in _PLACES_OF_PEOPLE}
    values = [{field: find(row) for field, find in finders.items()} for row in rows]
    return {_folded(person["id"]): person for person in values if person["id"]}


def _folded(text: str) -> str:
    """An id in small letters without blanks."""
    return "".join(text.split()).casefold()


def _finder(place: str, people: Mapping[str, Mapping[str, str]], location: str) -> Callable[[Row], str]:
    """Function from a row to the text at a place."""
    if "{" in place:
        inner = [_finder(part, people, location) for part in PLACE.findall(place)]
        return lambda row: filled(place, [find(row) for find in inner])
    person, names_key = place.startswith("@"), place.startswith("&")
    place, _, field = place.partition(">") if person else (place, "", "")
    ways = [way if way.startswith("=") else way.lower() for way in place.lstrip("@&").split("|")]

    def find(row: Row) -> str:
        text = next((str(value) for way in ways if (value := _at_way(row, way)) is not None), "")
        if names_key:  # the cell names the key with the text
            return str(next((value for value in (_at_way(row, text.lower()),) if value is not None), text))
        if person and text and _folded(text) not in people:
            row_location = f"{location}, line {row[0]}" if row[0] else location
            raise GameTableError(row_location, "an id of the list of people", repr(text[:60]))
        return people[_folded(text)][field or "name"] if person and text else text

    return find


def _at_way(row: Row, way: str) -> object:
    """The plain value of a row at a path, of the objects around it after ^, or a constant after =."""
    if way.startswith("="):
        return way[1:]
    values = (_at(top, way.lstrip("^").split(".")) for top in (row[2] if way.startswith("^") else (row[1],)))
    return next((value for value in values if value not in (None, "")), None)


def _at(value: object, steps: Sequence[str]) -> object:
    """The plain value at the steps of a path, None if absent; a step 0 may lead to a single value."""
    for step in steps:
        if isinstance(value, dict):
            single = value if step == "0" else None
            value = next((child for key, child in value.items() if str(key).lower() == step), single)
        elif isinstance(value, list) and step.isdecimal():
            value = value[int(step)] if int(step) < len(value) else None
        elif step != "0":
            return None
    return None if isinstance(value, dict | list) else value


def filled(text: str, cells: Sequence[str]) -> str:
    """A text with cells at its places; empty if all cells are."""
    gaps = iter(cells)
    return re.sub(r"\0(?:[-:]\0)?", "", PLACE.sub(lambda _: next(gaps) or "\0", text)).strip(" ,") if any(cells) else ""


def rows_at(top: object, path: str, line: int = 0) -> Iterator[Row]:
    """Yield the objects or lists at a path (`*` for any depth) with the objects around them; lists are entered."""

    def walk(value: Any, steps: Sequence[str], around: Around, depth: int) -> Iterator[Row]:
        if depth > _DEEPEST:
            return
        if isinstance(value, list) and (steps or any(isinstance(child, dict | list) for child in value)):
            for child in value:
                yield from walk(child, steps, around, depth + 1)
        elif not steps:
            yield from [(line, value, around)] if isinstance(value, dict | list) else []
        elif isinstance(value, dict):
            deep = steps[0] == "*"
            for key, child in value.items():
                if str(key).lower() == steps[deep]:
                    yield from walk(child, steps[deep + 1 :], (value, *around), depth + 1)
                elif deep and isinstance(child, dict | list):
                    yield from walk(child, steps, (value, *around), depth + 1)

    yield from walk(top, [step.lower() for step in path.split(".") if step], (), 0)


def _of_xml(text: str, location: str) -> Any:
    """XML as nested objects: attributes and children by name, a list of children of one name if there are several."""
    if "<!ENTITY" in text or re.search(r"<!DOCTYPE[^>\[]{0,1000}\[", text):
        raise GameTableError(location, "plain XML", "entities or a document type of its own")
    try:
        return _of_element(ElementTree.fromstring(text.encode()))
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        raise GameTableError(location, "XML", str(error)) from None


def _of_element(element: ElementTree.Element, depth: int = 0) -> Any:
    """An element as nested objects; a text if it has neither attributes nor children."""
    text = (element.text or "").strip()
    if depth > _DEEPEST or not (element.attrib or len(element)):
        return text
    several: dict[str, list[object]] = {}
    for child in element:
        several.setdefault(str(child.tag).rpartition("}")[2], []).append(_of_element(child, depth + 1))
    children = {tag: group if len(group) > 1 else group[0] for tag, group in several.items()}
    return {**element.attrib, **children} | ({"text": text} if text else {})


def rows_of_text(text: str, templates: Sequence[str], after: str) -> list[Row]:
    """The lines of a text that fit a template, as objects of their fields; with `after`, those below that line."""
    parsed = [_template(template) for template in templates]
    rows, within = list[Row](), not after
    for place, line in enumerate(text.splitlines(), 1):
        begins = line.rstrip(" 0123456789").strip() == after  # GAMES 1
        if after and (begins or not line.strip()):
            within = begins
        elif within and len(line) <= _LONGEST_LINE:
            fits = ((k, row) for k, form in enumerate(parsed, 1) if (row := _parted(line.strip(), form)) is not None)
            rows += [(place, row | {"template": str(k)}, ()) for k, row in [*fits][:1]]
    return rows


def share_of_rows(head: bytes, templates: Sequence[str], after: str) -> float:
    """Share of the first lines with text that fit a template."""
    text = text_of_head(head)
    return len(rows_of_text(text, templates, after)) / max(1, sum(bool(line.strip()) for line in text.splitlines()))


def _template(text: str) -> Template:
    """Fields of a template, each with its kind and the text after it; the first is the text before all fields."""
    parts = [name.partition(":") for name in ("", *PLACE.findall(text))]
    ahead = [*(f"(?={_KINDS.get(kind, _KINDS['']).pattern})" for *_, kind in parts[1:]), ""]
    between = [re.escape(piece).replace(r"\ \ ", r"\s{2,}").replace(r"\ ", r"\s+") for piece in PLACE.split(text)[::2]]
    return [(name, _KINDS.get(kind, _KINDS[""]), re.compile(piece + then) if piece else None)
            for (name, _, kind), piece, then in zip(parts, between, ahead, strict=True)]  # fmt: skip


def _parted(line: str, template: Template) -> dict[str, str] | None:
    """Fields of a line; None if it does not fit. Each field ends where the text after it first occurs."""
    place, fields = 0, dict[str, str]()
    for name, kind, pattern in template:
        match = pattern.search(line, place) if pattern is not None else None
        if pattern is not None and (match is None or (not name and match.start() > 0)):
            return None
        end = match.start() if match else len(line) if name else place
        if name:
            fields[name] = line[place:end].strip()
            if not kind.fullmatch(fields[name]):
                return None
        place = match.end() if match else end
    return fields if place == len(line) else None
