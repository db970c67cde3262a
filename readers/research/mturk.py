"""Results of Amazon Mechanical Turk: columns of a task (Input.*) and of its answers (Answer.*), one row per assignment.

The items compared are the two columns of the task that differ in a letter, a number or a side (Input.image_a and
Input.image_b); the answer is the column that names the preferred item, or a column of true and false for each item. An
assignment that the requester rejected is set apart. ("Batch results" of the requester's page.)
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.first_rows import words_of
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import are_outcomes, list_names

_SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"), ("x", "y"), ("A", "B"), ("0", "1"))
_ANSWERS = ("choice", "preference", "preferred", "winner", "answer", "better", "label", "vote", "selection", "chosen")


def recognises(path: str, head: bytes) -> bool:
    """True if a table has the columns of assignments, of the task and of its answers."""
    words = words_of(head)
    return "hitid" in words and "workerid" in words and b"Input." in head and b"Answer." in head


def columns(file: str | Path, name: str, where: str) -> Source:
    """The judgements of a file of results."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, where)
    cells = {one: [cell.strip() for cell in column] for one, column in table.cells.items()}
    one, other = _sides_of(cells, where)
    sides = [plain_word(key.removeprefix("Input.")) for key in (one, other)]
    answer, winners = _answers_of(cells, sides, (one, other), where)
    status = cells.get("AssignmentStatus", [""] * len(table.lines))
    kept = [k for k, told in enumerate(status) if told.lower() != "rejected"]
    judge, prompt = cells["WorkerId"], cells["HITId"]
    rows = [[cells[one][k], cells[other][k], winners[k], judge[k], prompt[k]] for k in kept]
    notes = [f"Mechanical Turk: {one} and {other}, {answer} says which was preferred"]
    if len(kept) < len(status):
        notes.append(f"set apart: {count_noun(len(status) - len(kept), 'rejected assignment')}")
    used = {one, other, *answer.split(", "), "WorkerId", "HITId", "AssignmentStatus"}
    rest = [key for key in table.header if key not in used]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    lines = [table.lines[k] for k in kept]
    return source_of_rows(("left", "right", "winner", "judge", "prompt"), rows, name, where, lines, sha256, notes)


MTURK = Form(recognises, columns)


def _sides_of(cells: Mapping[str, Sequence[str]], where: str) -> tuple[str, str]:
    """Two compared columns of the task: the pair that differs in a word and shares the most values."""
    found = []
    for key in (key for key in cells if key.startswith("Input.")):
        for first, second in _SIDES:
            for part in re.finditer(rf"(?<![A-Za-z0-9]){first}(?![A-Za-z0-9])|(?<=[a-z]){first}$", key):
                partner = key[: part.start()] + second + key[part.end() :]
                if partner in cells and partner != key:
                    one, two = set(cells[key]), set(cells[partner])
                    found.append((len(one & two) / max(1, len(one | two)), key, partner))
    if not found:
        raise GameTableError(where, "two columns of the task, such as Input.a and Input.b", list_names(list(cells)))
    best = max(found, key=lambda item: item[0])
    return best[1], best[2]


def _answers_of(
    cells: Mapping[str, Sequence[str]], sides: Sequence[str], pair: tuple[str, str], where: str
) -> tuple[str, list[str]]:
    """Columns of preferences, and the word of each row: left, right, tie, or the cell unchanged."""
    answers = [key for key in cells if key.startswith("Answer.")]
    words = {plain_word(key.split(".")[1]): key for key in answers}

    def side_of(word: str) -> str:
        plain = plain_word(word)
        both = (("left", sides[0]), ("right", sides[1]))
        return next((side for side, known in both if plain and plain in (known, known[-1:])), "")

    marked = [key for key in answers if {cell.lower() for cell in cells[key]} <= {"true", "false", "", "1", "0"}]
    picked = {key: side_of(re.sub(r"\.on$", "", key).rpartition(".")[2]) for key in marked}
    picked |= {key: "tie" for key in marked if plain_word(key).endswith(("tie", "same", "equal", "neither", "both"))}
    if {"left", "right"} <= set(picked.values()):
        rows = range(len(cells[pair[0]]))
        chosen = [
            [side for key, side in picked.items() if side and cells[key][k].lower() in ("true", "1")] for k in rows
        ]
        return ", ".join(key for key, side in picked.items() if side), [
            one[0] if len(one) == 1 else "" for one in chosen
        ]
    for key in (*(words[one] for one in _ANSWERS if one in words), *answers):
        names = {*cells[pair[0]], *cells[pair[1]]}
        known = {cell for cell in cells[key] if cell}
        if known and all(side_of(cell) or cell in names or are_outcomes([cell]) for cell in known):
            return key, [side_of(cell) or cell for cell in cells[key]]
    raise GameTableError(where, "an answer that says which was preferred", list_names(answers))
