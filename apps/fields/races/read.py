"""Rankings from a CSV file: one row per placing, or per event with places in columns or the order in one cell.

    race,driver,place       race,1,2,3              judge,order
    Monza,Ann,1             Monza,Ann,Bob,Cem       J1,Ann > Bob = Cem
    Monza,Bob,2             Imola,Bob = Cem,,Ann    J2,Cem > Ann > Bob
    Monza,Cem,DNF

Equal places, or `=` between names, are ties. Starters without a place are behind all placed competitors, in unknown
order. In files with one row per event their names are in the column `unplaced`. Places need not be consecutive.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, nan
from pathlib import Path

import numpy as np
import pandas as pd
import polars

from halfpoint.apps.fields.races.shapes import in_rows
from halfpoint.apps.fields.races.sides import Side, join_rows, sides_by_name, split_cells
from halfpoint.apps.fields.races.table import LAST, RaceTable
from halfpoint.apps.workflows.beside.columns import columns_by_words, unused_columns
from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun, printable
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import Floats, Texts
from halfpoint.readers.column_values import parse_column, texts_of
from halfpoint.readers.csv_files import CsvColumns, words_in
from halfpoint.readers.known_forms import fits_known_form
from halfpoint.readers.read import detect, open_table
from halfpoint.readers.sound_cells import require_header, require_short
from halfpoint.readers.words import flags, tokens_of

_WORDS = words_in("apps.fields.races")
_PLACE = re.compile(
    r"(?:place|rank|position|pos|p|platz|rang)?(\d+)(?:(?:st|nd|rd|th|er|e|ter)?(?:place|platz|rang)?)?"
)
_ROW = ("event", "competitor", "place")
_ORDINALS = {word: str(k) for k, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), 1)}
_BEHIND = (*("", "dnf", "ret", "retired", "nc", "dsq", "dq", "wd", "otl", "unplaced", "-", "na", "nan", "none", "0"),
          *("ritirato", "abandon", "abandono", "retirado", "aufgegeben", "uitgevallen", "brutit", "keskeytti"),
          *("\\n", "r", "d", "e", "n"))  # fmt: skip  # Ergast's: nothing; retired, disqualified, excluded, unclassified
_NUMBERS_OF_STARTERS = ("lane", "bib", "grid", "start", "seed", "draw", "number", "no", "nr", "lap", "laps", "age")
_WHOLE_PLACE = re.compile(r"(?:[t=]\s*)?[1-9]\d{0,4}(?:st|nd|rd|th)?\.?\s*(?:=|dh)?")
_NO_PLACE = re.compile(r"[^\W\d_]{1,4}\.?")  # PU, UR, BD, RO, OCS, ...: a word in place of a place
_FEWEST = re.compile(
    r"\b(?:low(?:est)?|few(?:est)?|least) (?:\w+ )?(?:wins?|is best|are best|is better|first)\b", re.IGNORECASE
)
_MOST_TRIED = 3  # columns of a field
_ABSENT = ("dns", "dnp", "dnq", "ns", "scratched", "scr", "w", "wv", "wx", "dnc", "nr")  # did not start, is not beaten
Races = str | Path | pd.DataFrame | RaceTable


COLUMNS = ["event", "date", "line", "place", "who"]  # place infinite for none, unknown for who was not there
type _Placing = tuple[str, str, int, float, str]
type _Opened = tuple[CsvColumns, str, str, tuple[str, ...]]


def read_races(
    source: Races, columns: Mapping[str, str] | None = None, unplaced: str = "last", extra_columns: Sequence[str] = (),
    sides: str | None = None, date_format: str | None = None, form: str | Path | None = None,
) -> RaceTable:  # fmt: skip
    """Read the events of a CSV file or a data frame, by their dates, else in file order, with other columns.

    `sides` is the separator of the people in a competitor's cell, None if competitors are single people; a column
    `team` joins the rows of its people (`halfpoint.apps.fields.races.sides`). `date_format` is the form of dates, such
    as %d/%m/%Y, and `form` the TOML file of the form of the file (`halfpoint.readers.known_forms`).
    """
    if isinstance(source, RaceTable):
        return source
    require_word("--unplaced", unplaced, ("last", "out"), GameTableError)
    table, location, name, notes_of_form = _opened(source, form)
    twice = next((name for name in table.header if table.header.count(name) > 1), None)
    if twice is not None:
        raise GameTableError(f"{location}, header", "columns with different names", f"{twice!r} twice")
    chosen, cells = columns_by_words(table.header, _WORDS, columns or {}, f"{location}, header"), table.cells
    lines = list(table.lines)
    require_header(table.header, location)
    for column in [column for field, column in chosen.items() if field != "order"]:
        require_short(cells[column], column, lambda row: f"{location}, line {lines[row]}")
    if _counts_players(chosen, cells) and "competitor" not in (columns or {}):
        del chosen["competitor"]
    shaped, shape_note, columns_used = in_rows(cells, chosen), "", list(chosen.values())
    if shaped is not None:
        cells, row_of, shape_note, further = shaped
        columns_used += further
        lines = [lines[row] for row in row_of]
        in_cells = {"event", "competitor"} <= chosen.keys()
        chosen = chosen if in_cells else {field: field for field in ("event", "competitor", "place")}
        chosen |= {"place": chosen["points"]} if "place" not in chosen else {}
    fewest = next((title for title in table.titles if _FEWEST.search(title)), None)
    if fewest is not None and "highest first" in shape_note:
        remedy = "Write a minus sign before each number, or places in their stead."
        raise GameTableError(location, "points of which more are better", f"the title {fewest[:60]!r}", remedy)
    if "first_name" in chosen and len(cells[chosen["competitor"]]) == len(cells[chosen["first_name"]]):
        full_names = zip(cells[chosen["competitor"]], cells[chosen["first_name"]], strict=True)
        cells = {
            **cells,
            chosen["competitor"]: [f"{last}, {first}" if first.strip() else last for last, first in full_names],
        }
    rows = _Cells({field: cells[column] for field, column in chosen.items()}, lines, location)
    if "competitor" in chosen and "place" in chosen:
        if "event" not in chosen:
            event = _proposed(cells, {field: chosen[field] for field in _ROW[1:]})
            remedy = f"Say which: {flags(event)}." if event else "Add a column event with the name of the event."
            raise GameTableError(f"{location}, header", "a column for the event", "none", remedy)
        placings = _by_row(rows)
    else:
        numbered = _numbered_places(table.header, chosen)
        columns_used += numbered
        placings = _by_event(rows, _places_of(table.header, cells, chosen, location, numbered, lines))
    listed, people = pd.DataFrame(placings, columns=COLUMNS), dict[str, Side]()
    if sides is not None:
        listed, people = split_cells(listed, sides, location)
    elif "team" in chosen:
        if "place" not in chosen:
            raise GameTableError(f"{location}, --columns team", "a row for each person with their place", "none")
        by_field = [[rows.get(field, row) for row in range(len(rows.lines))] for field in ("team", "share")]
        listed, people = join_rows(listed, by_field[0], by_field[1], location)
    events = _table_of(listed, unplaced == "last", location, name, date_format)
    events = replace(events, sides=sides_by_name(people, events.competitors.tolist())) if people else events
    row = np.searchsorted(np.asarray(table.lines), np.asarray(events.line))
    covariates = {name: _column(table, name, row, location) for name in extra_columns}
    unused = unused_columns(table.header, [*columns_used, *extra_columns])
    ends = (f"{note}." for note in (*notes_of_form, *unused))
    notes = (*([shape_note] if shape_note else []), *events.notes, *ends)
    return replace(events, simulated=table.simulated, covariates=covariates, notes=notes)


def _opened(source: str | Path | pd.DataFrame, form: str | Path | None = None) -> _Opened:
    """Cells of a file or a frame, its name in messages, the name of the data set, and notes on its form."""
    if isinstance(source, pd.DataFrame):
        frame, location, name, notes = source, "data frame", "data frame", tuple[str, ...]()
    elif form is None and detect(source) in ("csv", "tsv") and not fits_known_form(text := read_text(source)[0]):
        return CsvColumns.whole(text, str(source)), str(source), printable(Path(source).name), ()
    else:
        opened, _ = open_table(source, options={"form": form})
        location, name, notes = opened.where, opened.name, opened.notes
        cells_of_column = opened.read(opened.names, labels=opened.names)
        frame = pd.DataFrame({column: texts_of(cells) for column, cells in cells_of_column.items()})
    return CsvColumns(frame.to_csv(index=False), ",", location), location, name, notes


def _counts_players(chosen: Mapping[str, str], cells: Mapping[str, Sequence[str]]) -> bool:
    """True if a column such as players has numbers without places beside it: how many took part."""
    alone = chosen.get("competitor", "").endswith("s") and {"place", "points", "order"}.isdisjoint(chosen)
    return alone and all(cell.strip().isdecimal() for cell in cells[chosen["competitor"]])


def _column(table: CsvColumns, name: str, row: np.ndarray, location: str) -> Floats | Texts:
    """A further column of a file of rows, same shape: numbers if all cells are, else text."""
    if name not in table.cells:
        raise GameTableError(f"{location}, header", f"the column {name!r} of the formula", ", ".join(table.header))
    texts = np.array(table.cells[name], dtype=np.str_)[row]
    empty = np.flatnonzero(np.char.strip(texts) == "")
    if empty.size:
        raise GameTableError(f"{location}, line {table.lines[row[empty[0]]]}", f"a value in {name!r}", "none")
    numbers = pd.to_numeric(pd.Series(texts), errors="coerce").to_numpy(dtype=np.float64)
    return texts if np.isnan(numbers).any() else numbers


@dataclass(frozen=True)
class _Cells:
    """Columns of text by field, and the place of each row."""

    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]
    source: str

    def get(self, name: str, row: int) -> str:
        """Cell with single blanks; empty if the column is missing."""
        return " ".join(self.columns[name][row].split()) if name in self.columns else ""

    def place(self, row: int, name: str) -> str:
        """Place of a cell, for messages."""
        return f"{self.source}, line {self.lines[row]}, {name}"


def _numbered_places(header: Sequence[str], chosen: Mapping[str, str]) -> list[str]:
    """The columns of places, 1, 2, 3, ..., in their order."""
    numbered = [(int(match[1]), name) for name in header if (match := _PLACE.fullmatch(_ordinal(name)))]
    return [name for _, name in sorted(numbered) if name not in chosen.values()]


def _ordinal(name: str) -> str:
    """A column's name in small letters, with a number for a word such as first."""
    plain = plain_word(name)
    word = next((ordinal for ordinal in _ORDINALS if plain.startswith(ordinal)), None)
    return plain if word is None else _ORDINALS[word] + plain.removeprefix(word)


def _places_of(
    header: Sequence[str], cells: Mapping[str, Sequence[str]], chosen: Mapping[str, str], location: str,
    numbered: Sequence[str], lines: Sequence[int],
) -> list[list[str]]:  # fmt: skip
    """Names of each place, row by row: from the columns of places, else from the column of orders."""
    if numbered:
        return [list(row) for row in zip(*(cells[name] for name in numbered), strict=True)]
    if "order" in chosen:
        orders = [re.split(r"(?:(?<!\s)\s++)?>\s*", text) for text in cells[chosen["order"]]]
        odd = next((row for row, names in enumerate(orders) if len(names) > 1 and not all(map(str.strip, names))), None)
        if odd is not None:
            found = repr(cells[chosen["order"]][odd][:60])
            raise GameTableError(f"{location}, line {lines[odd]}, order", "a name on each side of >", found)
        return orders
    proposed = _proposed(cells, {field: chosen[field] for field in _ROW if field in chosen})
    remedy = "Name them by --columns, or describe the file by --form."
    remedy = f"Say which: {flags(proposed)}{_rivals(cells, {**chosen, **proposed})}." if proposed else remedy
    raise GameTableError(
        f"{location}, header",
        "columns for event, competitor and place; or 1, 2, 3, ... with names; or order (A > B = C)",
        f"columns {', '.join(header[:12])}", remedy,
    )  # fmt: skip


def _proposed(cells: Mapping[str, Sequence[str]], chosen: Mapping[str, str]) -> dict[str, str]:
    """Proposed columns for the fields that are missing, by field; empty unless the rows are then orders."""
    free = [name for name, column in cells.items() if name and 1 < len({*column}) < len(column)]
    whole = [name for name in free if not {*_NUMBERS_OF_STARTERS} & {*tokens_of(name)}]
    places = [name for name in whole if all(map(_may_be_place, cells[name])) and any(map(str.isdecimal, cells[name]))]
    texts = [name for name in free if not any(cell.strip().isdecimal() for cell in cells[name])]
    fields = {"place": places[::-1], "competitor": texts[::-1], "event": free}
    fields |= {field: [name] for field, name in chosen.items()}
    for names in product(*(fields[field][:_MOST_TRIED] for field in fields)):
        columns = dict(zip(fields, names, strict=True))
        if len({*names}) == len(names) and _are_orders(*(cells[columns[field]] for field in _ROW)):
            return {field: columns[field] for field in _ROW if field not in chosen}
    return {}


def _rivals(cells: Mapping[str, Sequence[str]], chosen: Mapping[str, str]) -> str:
    """Other columns that may have the places beside a proposed one, for a message; empty if there are none."""
    event, competitor = (cells[chosen[field]] for field in _ROW[:2])
    others = [name for name, column in cells.items() if name and name not in chosen.values()
              and not {*_NUMBERS_OF_STARTERS} & {*tokens_of(name)} and len({*column}) > 1
              and all(map(_may_be_place, column)) and _are_orders(event, competitor, column)]  # fmt: skip
    return "".join(f", or place={name}" for name in others[:_MOST_TRIED])


def _are_orders(events: Sequence[str], who: Sequence[str], places: Sequence[str]) -> bool:
    """True if each event has every name once, and places from 1 to at most the number of its rows."""
    if not len(events) == len(who) == len(places):
        return False
    rows = pd.DataFrame({"event": events, "who": who, "place": pd.to_numeric(pd.Series(places), errors="coerce")})
    by_event = rows.groupby("event")["place"]
    fits = (by_event.min().fillna(1) == 1) & ~(by_event.max() > by_event.size())
    return bool(fits.all()) and not rows.duplicated(["event", "who"]).any() and by_event.ngroups < len(rows)


def _may_be_place(cell: str) -> bool:
    """True if a cell is a whole place, or a word in place of one."""
    text = cell.strip().casefold()
    return text in (*_ABSENT, *_BEHIND) or _WHOLE_PLACE.fullmatch(text) is not None


def _by_row(rows: _Cells) -> list[_Placing]:
    """Placings of rows with one competitor each; rows of competitors who did not start are dropped."""
    placings, first = list[_Placing](), dict[str, tuple[str, int]]()
    series = "date" if _are_numbers_of_days(rows) else "series"
    event_series = {(rows.get("event", row), rows.get(series, row)) for row in range(len(rows.lines))}
    fell = bool({"pu", "ur", "bd", "ro"} & {text.strip().casefold() for text in rows.columns["place"]})  # of horses
    anew = len(event_series) > len({event for event, _ in event_series})  # as rounds are each season
    for row, line in enumerate(rows.lines):
        name, who, date = rows.get("event", row), rows.get("competitor", row), rows.get("date", row)
        if anew and name:
            name = f"{rows.get(series, row)} {name}".strip()
        if not name or not who:
            raise GameTableError(rows.place(row, "competitor" if name else "event"), "a name", "an empty cell")
        same, begun = first.setdefault(name, (date, line))
        if date != same:
            raise GameTableError(rows.place(row, "date"), f"{same!r} as in line {begun}", repr(date))
        text = rows.get("place", row)
        absent = _ABSENT if fell else (*_ABSENT, "f")
        place = nan if text.casefold() in absent else inf
        if text.casefold() not in (*absent, *_BEHIND):
            place = inf if _NO_PLACE.fullmatch(text) else _place_in(text, rows.place(row, "place"))
        placings.append((name, date, line, place, who))
    _require_places_from_one(rows, [event for event, *_ in placings])
    return placings


def _are_numbers_of_days(rows: _Cells) -> bool:
    """True if events are numbers that begin anew on each day, as the races of a meeting do."""
    if "date" not in rows.columns or "series" in rows.columns:
        return False
    days = {(rows.get("event", row), rows.get("date", row)) for row in range(len(rows.lines))}
    numbers = {number for number, _ in days}
    return all(map(str.isdecimal, numbers)) and len(days) >= 2 * len(numbers)


def _require_places_from_one(rows: _Cells, events: Sequence[str]) -> None:
    """Raise `GameTableError` if each of several events has one place 0, the first place or no place."""
    zeros = [row for row in range(len(events)) if rows.get("place", row) == "0"]
    named = [events[row] for row in zeros]
    if len(named) > 1 and len(named) == len({*named}) == len({*events}):
        found = f"one place 0 in each of {len(named)} events"
        remedy = "Count places from 1 if 0 is the first, or write DNF for 0 if it is no place."
        raise GameTableError(rows.place(zeros[0], "place"), "places from 1", found, remedy)


def _place_in(text: str, location: str) -> float:
    """Place in a cell, which may be marked as shared (T3, 3=, 3 DH) or be an ordinal."""
    match = re.fullmatch(r"(?:[tT=]\s*)?(\d{1,9}(?:\.\d+)?)(?:st|nd|rd|th)?\.?\s*(?:=|[dD][hH])?", text)
    if match is None or float(match[1]) <= 0.0:
        raise GameTableError(location, "a place from 1, DNF, or an empty cell", repr(text))
    return float(match[1])


def _by_event(rows: _Cells, places: Sequence[Sequence[str]]) -> list[_Placing]:
    """Placings of rows with all names of an event; a row without competitors for empty events."""
    placings, first = list[_Placing](), dict[str, int]()
    for row, line in enumerate(rows.lines):
        name = rows.get("event", row) or f"line {line}"
        if first.setdefault(name, line) != line:
            raise GameTableError(rows.place(row, "event"), "every event once", f"{name!r} as in line {first[name]}")
        event = name, rows.get("date", row), line
        placings.append((*event, nan, ""))
        for place, cell in enumerate(places[row], start=1):
            placings += [(*event, float(place), who) for who in _shared(cell)]
        placings += [(*event, inf, who) for who in _shared(rows.get("unplaced", row).replace(";", "="))]
    return placings


def _shared(cell: str) -> list[str]:
    """Names of a cell that share a place."""
    return [" ".join(name.split()) for name in cell.split("=") if name.strip()]


def _in_time(events: pd.DataFrame, location: str, date_format: str | None) -> pd.DataFrame:
    """Events in order of their dates if all have one, else in the order of the file."""
    if not events["date"].any():
        return events
    lines, cells = events["line"].tolist(), polars.Series(events["date"].tolist())
    try:
        days = parse_column("date", cells, lambda row: f"{location}, line {lines[row]}", "date", date_format)
    except GameTableError as error:
        raise GameTableError(
            error.where, error.expected, error.found, "Name their form, such as --date-format %d/%m/%Y."
        ) from None
    for row in np.flatnonzero(np.isnat(days)).tolist():
        raise GameTableError(f"{location}, line {lines[row]}, date", "a day", repr(events["date"].iloc[row]))
    return events.iloc[np.argsort(days, kind="stable")]


def _table_of(
    placings: pd.DataFrame, unplaced_last: bool, location: str, name: str, date_format: str | None
) -> RaceTable:
    """Table of informative events, with notes on the other events."""
    events = _in_time(placings.drop_duplicates("event"), location, date_format)["event"].to_numpy(dtype=np.str_)
    number = pd.Index(events).get_indexer(placings["event"])
    place = placings["place"].to_numpy(dtype=np.float64)
    placed, lost = np.isfinite(place), np.isinf(place)
    first, all_ = (np.bincount(number[some], minlength=events.size) for some in (placed, placed | lost & unplaced_last))
    informative = (first > 0) & (all_ > 1)
    if not informative.any():
        raise GameTableError(location, "at least one event of two or more competitors", "none")
    absent, lost = np.isnan(place) & (placings["who"] != ""), lost & informative[number]
    notes = {
        f"{count_noun(int(absent.sum()), 'placing')} of competitors who did not start left out.": absent,
        f"{count_noun(int((~informative).sum()), 'event')} with a single competitor left out.": ~informative,
        f"{count_noun(int(lost.sum()), 'placing')} without a place: "
        f"{'behind all placed' if unplaced_last else 'left out'}.": lost,
    }
    rows = np.flatnonzero(informative[number] & placed | lost & unplaced_last)
    rows = rows[np.lexsort((place[rows], number[rows]))]
    again = placings.iloc[rows].duplicated(["event", "who"]).to_numpy()  # shared drives, as there were
    notes[f"{count_noun(int(again.sum()), 'placing')} of competitors with a better place in the event left out."] = (
        again
    )
    rows = rows[~again]
    all_ = np.bincount(number[rows], minlength=events.size)
    competitors, who = np.unique(placings["who"].to_numpy(dtype=np.str_)[rows], return_inverse=True)
    rank = pd.Series(place[rows]).groupby(number[rows]).rank("dense").to_numpy() - 1.0
    return RaceTable(
        competitors, events[informative], np.concatenate([[0], np.cumsum(all_[informative])]), who.astype(np.int32),
        np.where(placed[rows], rank, LAST).astype(np.int32), placings["line"].to_numpy(dtype=np.int64)[rows], name,
        location, notes=tuple(words for words, some in notes.items() if some.any()),
    )  # fmt: skip
