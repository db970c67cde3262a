"""MT-Bench's pairwise judgements: two games per line, with the answers in exchanged order and the winner of each game.

`g1_winner` is the winner of the game that shows model_1 first, `g2_winner` of the other game; both are model_1, model_2
or tie, and `error` without a verdict. (lm-sys/FastChat, `model_judgment/gpt-4_pair.jsonl`.)
"""

import re
from pathlib import Path

from halfpoint.models.games.errors import count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_SEATS = {"model_1": "model_a", "model_2": "model_b", "tie": "tie"}
_TURNED = {"model_1": "model_b", "model_2": "model_a", "tie": "tie"}
_USED = ("model_1", "model_2", "g1_winner", "g2_winner", "judge", "question_id", "turn")
_KEYS = [re.compile(rb'"%s"\s*:' % key.encode()) for key in _USED[:4]]


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with lines of two models and the winners of two games."""
    return all(key.search(head) for key in _KEYS)


def columns(file: str | Path, name: str, where: str) -> Source:
    """The judgements of a file, two for each line."""
    document = read_document(file, where)
    rows, lines, errors = [], [], 0
    keys: dict[str, None] = {}
    for number, row in document.objects():
        keys |= dict.fromkeys(row)
        judge = row.get("judge")
        about = [judge[0] if isinstance(judge, list) and judge else judge, row.get("question_id"), row.get("turn")]
        one, two = row.get("model_1"), row.get("model_2")
        for winner, seats, pair in (
            (row.get("g1_winner"), _SEATS, (one, two)),
            (row.get("g2_winner"), _TURNED, (two, one)),
        ):
            errors += winner == "error"
            rows.append([*pair, "" if winner == "error" else seats.get(str(winner), winner), *about])
            lines.append(number)
    notes = ["MT-Bench: two games a line, of which the second shows model_2 first"]
    notes += [f"{count_noun(errors, 'game')} in which the judge gave no verdict (error)"] if errors else []
    rest = [key for key in keys if key not in _USED]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    header = ("model_a", "model_b", "winner", "judge", "prompt", "turn")
    return source_of_rows(header, rows, name, where, lines if document.lines else None, document.sha256, notes)


MT_BENCH = Form(recognises, columns)
