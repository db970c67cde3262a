"""A club's spreadsheet as a table of games: handling of titles, remarks, and two columns with one name.

Programs that pair tournaments write White and Black side by side under the same headers (Name, Elo, ..., Name, Elo):
the first column of two is White's. A row of one cell is a remark; a remark that names a round ("Runde 3", "3. Runde")
gives the round of the rows below it, if no column does.
"""

import re
from collections import Counter

from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.find_player import strip_accents
from halfpoint.models.games.plain_words import ROUNDS, plain_word
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.words import PEOPLE, POINTS, RATINGS, WORDS, list_names

_TWINS = (*PEOPLE, *RATINGS)
_A_ROUND = re.compile(rf"\A(?:(?:{'|'.join(ROUNDS)})\W{{0,3}}(\d+)\b|(\d+)\W{{0,3}}(?:{'|'.join(ROUNDS)})\b)")
_A_DAY = re.compile(r"\b(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b")
_SIDES = {"white": "home", "black": "away", "winner": "winner", "loser": "loser", "own": "own", "opponent": "opponent"}
_POINTS = {*POINTS, "g", "t", "total"}


def _name_points(table: CsvColumns) -> None:
    """Name, in place, points by the side beside each (Visitor, PTS, Home, PTS), and a column of @ without a name."""
    header = table.header
    for k, name in enumerate(header):
        if name == "" or name.startswith("Unnamed"):
            cells = {cell.strip() for cell in table.columns[k]}
            header[k] = "location" if "@" in cells and cells <= {"", "@", "N", "vs"} else name
    plain = [plain_word(re.sub(r"\.\d$", "", name)) for name in header]
    twice = next((word for word, times in Counter(plain).items() if times == 2 and word in _POINTS), None)
    side_at = [next((name for side, name in _SIDES.items() if word in (side, *WORDS[side])), "") for word in plain]
    places = [k for k, word in enumerate(plain) if word == twice]
    near = [side_at[places[0] :: -1], side_at[places[1] :: 1 if places[1] == places[0] + 1 else -1]] if places else []
    sides = [next(filter(None, names), "") for names in near]  # the next side for the second of Home, PTS, PTS, Visitor
    for k, side in zip(places, sides, strict=True) if len({*sides} - {""}) > 1 else ():
        header[k] = f"{side} points"


def as_spreadsheet(table: CsvColumns) -> tuple[str, ...]:
    """Name the columns of a table by their seats and rounds, in place; return skipped rows, a line each."""
    header, names = table.header, list_names([name for name in table.header if name])
    notes = [f"header of two rows: columns {names}"] if table.merged else []
    _name_points(table)
    doubled = [name for name, times in Counter(header).items() if times == 2]
    people = [name for name in doubled if plain_word(name) in PEOPLE]
    teams = [] if people else [name for name in doubled if plain_word(name) in WORDS["own"]][:1]
    twins = [name for name in doubled if plain_word(name) in _TWINS or name in teams]
    if people or teams:
        notes.append(f"two columns {' and '.join(twins)}: the first is White's, the second Black's")
    twins = [name for name in doubled if name] if twins else []
    for name in twins:
        for side in ("White", "Black"):
            twin = f"{name} ({side})" if plain_word(name) in _TWINS else f"{name} of {side}"
            header[header.index(name)] = side if name in teams else twin
    titles = {-1: table.titles[-1] if table.titles else ""} | table.remarks
    matches = {row: _A_ROUND.match(strip_accents(text)) for row, text in titles.items()}
    rounds = {row: match[1] or match[2] for row, match in matches.items() if match}
    days = {row: match[1] for row, text in titles.items() if row in rounds and (match := _A_DAY.search(text))}
    days = days if days.keys() == rounds.keys() else {}  # a round without a day has no other's
    for name, word, labels in (("Round", "period", rounds), ("Date", "date", days)):
        if labels and not {*map(plain_word, header)} & {word, *WORDS[word]}:
            column = [labels.get(-1, "")]
            for row in range(len(table.lines)):
                column.append(labels.get(row, column[-1]))
            header.append(name)
            table.columns.append(column[1:])
    passed = [*table.titles, *table.remarks.values()]
    skipped = [f"skipped: {count_noun(len(passed), 'row')} of one cell, the first {row[:60]!r}" for row in passed[:1]]
    return (*notes, *skipped)
