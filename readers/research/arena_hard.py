"""Arena-Hard's judgements: a model against a baseline, two games per line with the answers in exchanged order.

In the first game the baseline is Assistant A, in the second the model is Assistant A; a score is A>>B, A>B, A=B, B>A or
B>>A, and empty without a verdict. Later releases name the baseline in each line; by default it is "baseline".
(lmarena/arena-hard-auto, `model_judgment/*/*.jsonl`.)
"""

import re
from pathlib import Path

from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_USED = ("question_id", "uid", "model", "baseline", "judge", "games", "category")
_HEAD = re.compile(rb'"games"\s*:\s*\[\s*\{')
_SCORE = re.compile(rb'"score"\s*:\s*(?:"\[*[AB][<>=]|null)')


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with lines of a model and of games with a score such as A>>B."""
    return bool(_HEAD.search(head) and _SCORE.search(head) and re.search(rb'"model"\s*:', head))


def columns(file: str | Path, name: str, where: str) -> Source:
    """The judgements of a file, one for each game."""
    document = read_document(file, where)
    rows, lines = [], []
    keys: dict[str, None] = {}
    named = True
    for number, row in document.objects():
        keys |= dict.fromkeys(row)
        named = named and bool(row.get("baseline"))
        model, baseline = row.get("model"), row.get("baseline") or "baseline"
        for turn, game in enumerate(row.get("games") or []):
            first, second = (model, baseline) if turn % 2 else (baseline, model)
            score = game.get("score") if isinstance(game, dict) else None
            about = [row.get("judge"), row.get("question_id", row.get("uid")), row.get("category")]
            rows.append([first, second, score, *about])
            lines.append(number)
    notes = ["Arena-Hard: the baseline is shown first in the first game of a line, the model in the second"]
    notes += [] if named else ["no line names the baseline: it is called 'baseline' (v0.1 used gpt-4-0314)"]
    rest = [key for key in keys if key not in _USED]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    kept = [k for k in range(6) if k < 3 or any(row[k] for row in rows)]
    header = ("model_a", "model_b", "winner", "judge", "prompt", "category")
    cells = [[row[k] for k in kept] for row in rows]
    numbers = lines if document.lines else None
    return source_of_rows([header[k] for k in kept], cells, name, where, numbers, document.sha256, notes)


ARENA_HARD = Form(recognises, columns)
