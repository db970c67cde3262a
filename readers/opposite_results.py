"""Columns with the result of a game as each side has it: "win" in the one and "loss" in the other.

Two columns that are not opposite have results of two games, such as legs, or contradict each other. Columns with the
same cells have the same result twice.
"""

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.sources import Source
from halfpoint.readers.words import FIRST, SECOND, TIE, Vocabulary, flags


def require_opposite(source: Source, pair: tuple[str, str]) -> None:
    """Raise `GameTableError` at the first row whose results in two columns are not opposite."""
    cells = [column.to_list() for column in source.read(pair).values()]
    meaning = Vocabulary({}).meanings([*{*cells[0], *cells[1]}])
    sides = [(meaning[one], meaning[other]) for one, other in zip(*cells, strict=True)]
    odd = [row for row, results in enumerate(sides) if all(results) and {*results} not in ({FIRST, SECOND}, {TIE})]
    if odd and cells[0] != cells[1]:
        found = " and ".join(repr(column[odd[0]][:60]) for column in cells)
        remedy = f"Write a row for each game, or name the result: {flags({'score': pair[0]})}."
        place = f"{source.place(odd[0])}, columns {pair[0][:60]} and {pair[1][:60]}"
        raise GameTableError(place, "opposite results of both sides", found, remedy)
