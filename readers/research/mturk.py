"""Results of Amazon Mechanical Turk: columns of a task (Input.*) and of its answers (Answer.*), one row per assignment.

The items compared are the two columns of the task that differ in a letter, a number or a side (Input.image_a and
Input.image_b); the answer is the column that names the preferred item, or a column of true and false for each item. An
assignment that the requester rejected is set apart. ("Batch results" of the requester's page.)
"""

import re
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.first_rows import read_sheet, words_of
from halfpoint.readers.form_notes import not_used, set_aside
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import are_outcomes, list_names, numbered_from_zero, pairs_apart

_ANSWERS = ("choice", "preference", "preferred", "winner", "answer", "better", "label", "vote", "selection", "chosen")


def recognises(path: str, head: bytes) -> bool:
    """True if a table has the columns of assignments, of the task and of its answers."""
    words = words_of(head)
    return "hitid" in words and "workerid" in words and b"Input." in head and b"Answer." in head


def columns(file: str | Path, name: str, location: str) -> Source:
    """The judgements of a file of results."""
    sheet = read_sheet(file, location)
    cells = {key: [row[k] for _, row in sheet.rows] for k, key in enumerate(sheet.header)}
    left, right = _sides_of(cells, location)
    sides = [plain_word(key.removeprefix("Input.")) for key in (left, right)]
    answer, winners = _answers_of(cells, sides, (left, right), location)
    status = cells.get("AssignmentStatus", [""] * len(sheet.rows))
    accepted = [k for k, state in enumerate(status) if state.lower() != "rejected"]
    judge, prompt = cells["WorkerId"], cells["HITId"]
    rows = [[cells[left][k], cells[right][k], winners[k], judge[k], prompt[k]] for k in accepted]
    used = {left, right, *answer.split(", "), "WorkerId", "HITId", "AssignmentStatus"}
    notes = [f"Mechanical Turk: {left} and {right}, {answer} has the preferred answer",
             set_aside(len(status) - len(accepted), "rejected assignment"),
             not_used(key for key in sheet.header if key not in used)]  # fmt: skip
    lines, header = [sheet.rows[k][0] for k in accepted], ("left", "right", "winner", "judge", "prompt")
    return source_of_rows(header, rows, name, location, lines, sheet.sha256, notes)


MTURK = Form(recognises, columns)


def _sides_of(cells: Mapping[str, Sequence[str]], location: str) -> tuple[str, str]:
    """Two compared columns of the task: the pair that differs in a word and shares the most values."""
    keys = [key for key in cells if key.startswith("Input.")]
    pairs = [*pairs_apart(keys), *(pair for pair in permutations(keys, 2) if numbered_from_zero(*pair))]
    if not pairs:
        raise GameTableError(location, "two columns of the task, such as Input.a and Input.b", list_names(list(cells)))
    values = {key: {*cells[key]} for pair in pairs for key in pair}
    return max(pairs, key=lambda pair: len(values[pair[0]] & values[pair[1]]) / len(values[pair[0]] | values[pair[1]]))


def _answers_of(
    cells: Mapping[str, Sequence[str]], sides: Sequence[str], pair: tuple[str, str], location: str
) -> tuple[str, list[str]]:
    """Columns of preferences, and the word of each row: left, right, tie, or the cell unchanged."""
    answers = [key for key in cells if key.startswith("Answer.")]
    words = {plain_word(key.split(".")[1]): key for key in answers}

    def side_of(word: str) -> str:
        plain = plain_word(word)
        seats = (("left", sides[0]), ("right", sides[1]))
        return next((side for side, name in seats if plain and plain in (name, name[-1:])), "")

    marked = [key for key in answers if {cell.lower() for cell in cells[key]} <= {"true", "false", "", "1", "0"}]
    picked = {key: side_of(re.sub(r"\.on$", "", key).rpartition(".")[2]) for key in marked}
    picked |= {key: "tie" for key in marked if plain_word(key).endswith(("tie", "same", "equal", "neither", "both"))}
    if {"left", "right"} <= set(picked.values()):
        sided = {key: side for key, side in picked.items() if side}
        chosen = [[side for key, side in sided.items() if cells[key][k].lower() in ("true", "1")]
                  for k in range(len(cells[pair[0]]))]  # fmt: skip
        return ", ".join(sided), [picks[0] if len(picks) == 1 else "" for picks in chosen]
    for key in (*(words[word] for word in _ANSWERS if word in words), *answers):
        names = {*cells[pair[0]], *cells[pair[1]]}
        filled = {cell for cell in cells[key] if cell}
        if filled and all(side_of(cell) or cell in names or are_outcomes([cell]) for cell in filled):
            return key, [side_of(cell) or cell for cell in cells[key]]
    raise GameTableError(location, "an answer that has the preferred answer", list_names(answers))
