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


def columns(file: str | Path, name: str, location: str) -> Source:
    """The judgements of a file of results."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, location)
    cells = {key: [cell.strip() for cell in column] for key, column in table.cells.items()}
    left, right = _sides_of(cells, location)
    sides = [plain_word(key.removeprefix("Input.")) for key in (left, right)]
    answer, winners = _answers_of(cells, sides, (left, right), location)
    status = cells.get("AssignmentStatus", [""] * len(table.lines))
    accepted = [k for k, state in enumerate(status) if state.lower() != "rejected"]
    judge, prompt = cells["WorkerId"], cells["HITId"]
    rows = [[cells[left][k], cells[right][k], winners[k], judge[k], prompt[k]] for k in accepted]
    notes = [f"Mechanical Turk: {left} and {right}, {answer} says which was preferred"]
    if len(accepted) < len(status):
        notes.append(f"set apart: {count_noun(len(status) - len(accepted), 'rejected assignment')}")
    used = {left, right, *answer.split(", "), "WorkerId", "HITId", "AssignmentStatus"}
    unread_columns = [key for key in table.header if key not in used]
    notes += [f"not used: {list_names(unread_columns)}"] if unread_columns else []
    lines = [table.lines[k] for k in accepted]
    return source_of_rows(("left", "right", "winner", "judge", "prompt"), rows, name, location, lines, sha256, notes)


MTURK = Form(recognises, columns)


def _sides_of(cells: Mapping[str, Sequence[str]], location: str) -> tuple[str, str]:
    """Two compared columns of the task: the pair that differs in a word and shares the most values."""
    pairs = []
    for key in (key for key in cells if key.startswith("Input.")):
        for first, second in _SIDES:
            for part in re.finditer(rf"(?<![A-Za-z0-9]){first}(?![A-Za-z0-9])|(?<=[a-z]){first}$", key):
                partner = key[: part.start()] + second + key[part.end() :]
                if partner in cells and partner != key:
                    left, right = set(cells[key]), set(cells[partner])
                    pairs.append((len(left & right) / max(1, len(left | right)), key, partner))
    if not pairs:
        raise GameTableError(location, "two columns of the task, such as Input.a and Input.b", list_names(list(cells)))
    best = max(pairs, key=lambda pair: pair[0])
    return best[1], best[2]


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
        rows = range(len(cells[pair[0]]))
        chosen = [
            [side for key, side in picked.items() if side and cells[key][k].lower() in ("true", "1")] for k in rows
        ]
        return ", ".join(key for key, side in picked.items() if side), [
            picks[0] if len(picks) == 1 else "" for picks in chosen
        ]
    for key in (*(words[word] for word in _ANSWERS if word in words), *answers):
        names = {*cells[pair[0]], *cells[pair[1]]}
        filled = {cell for cell in cells[key] if cell}
        if filled and all(side_of(cell) or cell in names or are_outcomes([cell]) for cell in filled):
            return key, [side_of(cell) or cell for cell in cells[key]]
    raise GameTableError(location, "an answer that says which was preferred", list_names(answers))
