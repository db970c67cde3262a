"""A club's spreadsheet as a table of games: its titles and remarks, and two columns of one name.

Programs that pair tournaments write White and Black side by side under the same headers (Name, Elo, ..., Name, Elo):
the first of two is White's. A row of one cell is a remark; one that names a round ("Runde 3", "3. Runde") is the round
of the rows below it, where no column tells it.
"""

import re

from halfpoint.games.errors import count_noun
from halfpoint.games.find_player import strip_accents
from halfpoint.games.readers.csv_files import CsvColumns
from halfpoint.games.readers.words import PEOPLE, RATINGS, ROUNDS, WORDS, plain_word

_TWINS = (*PEOPLE, *RATINGS)
_A_ROUND = re.compile(rf"(?:{'|'.join(ROUNDS)})\W{{0,3}}(\d+)\b|(\d+)\W{{0,3}}(?:{'|'.join(ROUNDS)})\b")


def as_spreadsheet(table: CsvColumns) -> tuple[str, ...]:
    """Name the columns of a table by their seats and rounds, in place; return skipped rows, a line each."""
    header, notes = table.header, []
    twins = [name for name in dict.fromkeys(header) if header.count(name) == 2 and plain_word(name) in _TWINS]
    if any(plain_word(name) in PEOPLE for name in twins):
        notes.append(f"two columns {' and '.join(twins)}: the first is White's, the second Black's")
    for name in twins:
        header[header.index(name)] = f"{name} (White)"
        header[header.index(name)] = f"{name} (Black)"
    said = {-1: table.titles[-1] if table.titles else ""} | table.remarks
    rounds = {at: one[1] or one[2] for at, text in said.items() if (one := _A_ROUND.match(strip_accents(text)))}
    if rounds and not {*map(plain_word, header)} & {"period", *WORDS["period"]}:
        column, now = [], rounds.get(-1, "")
        for at in range(len(table.lines)):
            now = rounds.get(at, now)
            column.append(now)
        header.append("Round")
        table.columns.append(column)
    passed = [*table.titles, *table.remarks.values()]
    if passed:
        notes.append(f"passed over: {count_noun(len(passed), 'row')} of one cell, the first {passed[0][:60]!r}")
    return tuple(notes)
