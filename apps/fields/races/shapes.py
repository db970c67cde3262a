"""Conversion of tables of rankings in other shapes to one row per placing: event, competitor, place.

helm, R1, R2, R3               row: competitor, column: race; places or points, "(3.0)" discarded, "7.0 DNF"
skater, segment, J1, J2        row: competitor, column: judge; marks, the highest is the best
player_names, ranks            row: event, with as many names as places in its cells: "a,b,c" and "1,2,2"
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain

import pandas as pd

from halfpoint.models.games.plain_words import plain_word

_RACE = re.compile(r"(?:r|race|heat|round|run|lauf|rennen|manche|q|course|prueba|w)(\d{1,3})")
_JUDGE = re.compile(r"(?:j|judge|juror|jury|jueza?|juez|richter)(\d{1,2})")
_POINTS = re.compile(r"\A\(?\s*+(\d++(?:[.,]\d+)?)?\s*+([A-Za-z]{2,5}\d?)?\s*\)?")
_LEAST = 2  # columns

Columns = Mapping[str, Sequence[str]]
# columns, the row of each placing, a note, and the columns that only this shape uses
type Shaped = tuple[dict[str, list[str]], list[int], str, list[str]]


def in_rows(columns: Columns, chosen: Mapping[str, str]) -> Shaped | None:
    """Columns event, competitor and place of a table in another shape, and the row of each; None otherwise."""
    competitor, place = chosen.get("competitor"), chosen.get("place")
    if competitor is not None and place is not None and "event" in chosen:
        return _parted(columns, competitor, place)
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
    """Placings from rows of competitors and columns of events; marks give places within each group of rows."""
    names = [name.strip() for name in columns[competitor]]
    again = len({*names}) < len(names)
    group = next((name for name in columns if again and 1 < len({*columns[name]}) * 2 <= len(names) and
                  name not in (*wide, competitor)), None)  # fmt: skip
    made: dict[str, list[str]] = {"event": [], "competitor": [], "place": []}
    rows = []
    for name in wide:
        for row, cell in enumerate(columns[name]):
            found = _POINTS.fullmatch(cell.strip())
            assert found is not None
            made["event"].append(f"{columns[group][row]} {name}" if group else name)
            made["competitor"].append(names[row])
            made["place"].append((found[2] or found[1] or "").replace(",", "."))
            rows.append(row)
    if marks:
        frame = pd.DataFrame(made)
        value = pd.to_numeric(frame["place"], errors="coerce")
        made["place"] = [
            "" if pd.isna(rank) else f"{rank:.0f}"
            for rank in value.groupby(frame["event"]).rank("min", ascending=False)
        ]
    return (
        made,
        rows,
        f"a row a competitor; columns {wide[0]} to {wide[-1]} have their {'marks' if marks else 'places'}.",
        [competitor, *wide, *([group] if group else [])],
    )


def _parted(columns: Columns, competitor: str, place: str) -> Shaped | None:
    """Placings of rows whose cells have several names and as many places; None if cells have one."""
    names = [[part.strip() for part in cell.split(",")] for cell in columns[competitor]]
    places = [[part.strip() for part in cell.split(",")] for cell in columns[place]]
    alike = all(len(one) == len(two) for one, two in zip(names, places, strict=True))
    if not alike or not names or min(map(len, names)) < _LEAST:
        return None
    rows = [row for row, one in enumerate(names) for _ in one]
    kept = {name: [cells[row] for row in rows] for name, cells in columns.items() if name not in (competitor, place)}
    return (
        kept | {competitor: [*chain(*names)], place: [*chain(*places)]},
        rows,
        f"a row an event; {competitor} has its names.",
        [],
    )
