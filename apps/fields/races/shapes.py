"""Conversion of tables of rankings in other shapes to one row per placing: event, competitor, place.

helm, R1, R2, R3               row: competitor, column: race; places or points, "(3.0)" discarded, "7.0 DNF"
skater, segment, J1, J2        row: competitor, column: judge; marks, the highest is the best
event, competitor, points      row: placing; the most points are the best
ann, bob, cem                  row: event, column: competitor; places, points if the columns are not of places
player_names, ranks            row: event, with as many names as places in its cells: "a,b,c" and "1,2,2"
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd

from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.words import WORDS

_RACE = re.compile(r"(?:r|race|heat|round|run|lauf|rennen|manche|q|course|prueba|w)(\d{1,3})")
_JUDGE = re.compile(r"(?:j|judge|juror|jury|jueza?|juez|richter)(\d{1,2})")
_POINTS = re.compile(r"\A\(?\s*+(\d++(?:[.,]\d+)?)?\s*+([A-Za-z]{2,5}\d?)?\s*\)?")
_NUMBER = re.compile(r"-?\d{1,9}(?:[.,]\d{1,9})?")
_LEAST = 2  # columns
_PENALTY = 2  # places behind the last, for boats that did not start or were disqualified

Columns = Mapping[str, Sequence[str]]
# columns, the row of each placing, a note, and the columns that only this shape uses
type Shaped = tuple[dict[str, list[str]], list[int], str, list[str]]


def in_rows(columns: Columns, chosen: Mapping[str, str]) -> Shaped | None:
    """Columns event, competitor and place of a table in another shape, and the row of each; None otherwise."""
    competitor, place = chosen.get("competitor"), chosen.get("place")
    if competitor is not None and place is not None and "event" in chosen:
        return _parted(columns, competitor, place)
    if competitor is not None and place is None and {"event", "points"} <= chosen.keys():
        return _by_points(columns, chosen)
    if competitor is None and place is None and "order" not in chosen:
        return _by_person(columns, chosen)
    if "order" in chosen:
        return None
    plain = {name: plain_word(name) for name in columns}
    for form, marks in ((_RACE, False), (_JUDGE, True)):
        wide = [name for name in columns if form.fullmatch(plain[name]) and all(map(_number, columns[name]))]
        if competitor is not None and len(wide) >= _LEAST:
            return _by_column(columns, competitor, wide, marks)
    return None


def _number(cell: str) -> bool:
    """True if a cell contains points, a place, a mark, or a word in place of them."""
    return _POINTS.fullmatch(cell.strip()) is not None


def _by_column(columns: Columns, competitor: str, wide: Sequence[str], marks: bool) -> Shaped:
    """Placings from rows of competitors and columns of events; marks give places within each group of rows.

    Cells are points if most events lack a first place, or have places far behind the last.
    """
    names = [name.strip() for name in columns[competitor]]
    again = len({*names}) < len(names)
    group = next((name for name in columns if again and 1 < len({*columns[name]}) * 2 <= len(names) and
                  name not in (*wide, competitor)), None)  # fmt: skip
    placings: dict[str, list[str]] = {"event": [], "competitor": [], "place": []}
    rows = []
    for name in wide:
        for row, cell in enumerate(columns[name]):
            match = _POINTS.fullmatch(cell.strip())
            assert match is not None
            placings["event"].append(f"{columns[group][row]} {name}" if group else name)
            placings["competitor"].append(names[row])
            placings["place"].append((match[2] or match[1] or "").replace(",", "."))
            rows.append(row)
    value = pd.to_numeric(pd.Series(placings["place"]), errors="coerce")
    least, most = (getattr(value[value > 0].groupby(pd.Series(placings["event"])), name)() for name in ("min", "max"))
    points = not marks and bool(((least == 1) & (most <= len(names) + _PENALTY)).mean() < 0.5)
    if marks or points:
        placings = _ranked(placings)
    return (
        placings,
        rows,
        f"a row a competitor; columns {wide[0]} to {wide[-1]} have their "
        f"{'marks' if marks else 'points, highest first' if points else 'places'}.",
        [competitor, *wide, *([group] if group else [])],
    )


def _ranked(columns: Columns) -> dict[str, list[str]]:
    """Columns event, competitor and place of placings with points (highest first) in place of places."""
    value = pd.to_numeric(pd.Series([cell.replace(",", ".") for cell in columns["place"]]), errors="coerce")
    ranks = value.groupby(pd.Series(columns["event"])).rank("min", ascending=False)
    places = ["" if pd.isna(rank) else f"{rank:.0f}" for rank in ranks]
    return {"event": [*columns["event"]], "competitor": [*columns["competitor"]], "place": places}


def _by_points(columns: Columns, chosen: Mapping[str, str]) -> Shaped | None:
    """Placings of rows with points; None if points are not numbers."""
    cells = columns[chosen["points"]]
    if not all(map(_number, cells)) or not any(cell.strip() for cell in cells):
        return None
    placings = _ranked({"event": columns[chosen["event"]], "competitor": columns[chosen["competitor"]], "place": cells})
    further_columns = {name: [*columns[name]] for field, name in chosen.items() if field not in ("points", *placings)}
    renamed = {chosen[field]: placings[field] for field in ("event", "competitor")} | {
        chosen["points"]: placings["place"]
    }
    note = f"places by {chosen['points']}: the most points are the best."
    return further_columns | renamed, [*range(len(cells))], note, [chosen["points"]]


def _by_person(columns: Columns, chosen: Mapping[str, str]) -> Shaped | None:
    """Placings of a table with a column for each competitor; None if its columns are no numbers, or name winners.

    Cells are places if every row has a first place and none above the number of competitors; else points.
    """
    wide = [name for name in columns if name and name not in chosen.values() and _are_numbers(columns[name])]
    filled = [
        sum(bool(columns[name][row].strip()) for name in wide) for row in range(len(next(iter(columns.values()))))
    ]
    counts = [name for name in wide if [*map(_whole, columns[name])] == [count - 1 for count in filled]]
    wide = [name for name in wide if name not in counts]  # how many took part
    text_columns = [name for name in columns if name not in (*wide, *counts, *chosen.values())]
    text_columns = [name for name in text_columns if not {*map(str.strip, columns[name])} <= {*wide}]  # who won
    if len(wide) <= _LEAST or len(text_columns) > 1 or any(name.isdecimal() for name in wide):
        return None
    if not {*WORDS["winner"]}.isdisjoint(map(plain_word, wide)):
        return None  # games of two players by their numbers
    rows = [*zip(*(columns[name] for name in wide), strict=True)]
    numbers = [[float(cell.replace(",", ".")) for cell in row if cell.strip()] for row in rows]
    ranked = [[number for number in row if number > 0.0] for row in numbers]
    places = any(ranked) and all(row and min(row) == 1.0 and max(row) <= len(wide) for row in ranked if row)
    event_column = next(
        (chosen[field] for field in ("event", "date") if field in chosen), text_columns[0] if text_columns else ""
    )
    names = (
        columns[event_column]
        if event_column and len({*columns[event_column]}) == len(rows)
        else [str(k) for k in range(1, len(rows) + 1)]
    )
    placings: dict[str, list[str]] = {"event": [], "competitor": [], "place": []}
    of_row = []
    for number, row in enumerate(rows):
        for name, cell in zip(wide, row, strict=True):
            if cell.strip() and not (places and float(cell.replace(",", ".")) == 0.0):
                for key, value in zip(placings, (names[number], name, cell), strict=True):
                    placings[key].append(value)
                of_row.append(number)
    what = "places, 0 for none" if places else "points, highest first"
    note = f"one row per event; columns {wide[0]} to {wide[-1]} have {what}."
    return placings if places else _ranked(placings), of_row, note, [*wide, *([event_column] if event_column else [])]


def _are_numbers(cells: Sequence[str]) -> bool:
    """True if cells are numbers or empty, some of them numbers."""
    return any(cell.strip() for cell in cells) and all(
        not cell.strip() or _NUMBER.fullmatch(cell.strip()) for cell in cells
    )


def _whole(cell: str) -> int:
    """A whole number, -1 for other texts."""
    return int(cell) if cell.strip().isdecimal() else -1


def _parted(columns: Columns, competitor: str, place: str) -> Shaped | None:
    """Placings of rows whose cells have several names and as many places; None if cells have one."""
    names = [[part.strip() for part in cell.split(",")] for cell in columns[competitor]]
    places = [[part.strip() for part in cell.split(",")] for cell in columns[place]]
    alike = all(len(people) == len(ranks) for people, ranks in zip(names, places, strict=True))
    if not alike or not names or min(map(len, names)) < _LEAST:
        return None
    rows = [row for row, people in enumerate(names) for _ in people]
    other_columns = {
        name: [cells[row] for row in rows] for name, cells in columns.items() if name not in (competitor, place)
    }
    return (
        other_columns | {competitor: [*chain(*names)], place: [*chain(*places)]},
        rows,
        f"one row per event; {competitor} has its names.",
        [],
    )
