"""UltraFeedback's own records: a prompt with several models' answers and their scores; each pair is a comparison.

    {"instruction": "...", "completions": [{"model": "a", "response": "...", "overall_score": 8.0}, ...]}

Equal scores are ties. The comparisons of one prompt are not independent. (openbmb/UltraFeedback; argilla's curation,
whose records have `chosen_model` and `rejected_model`, is a table of winners and losers.)
"""

import re
from pathlib import Path

from halfpoint.models.games.errors import count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.research.within_groups import pairs_within
from halfpoint.readers.served.json_sides import number
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source

_HEAD = re.compile(rb'"completions"\s*:\s*\[\s*\{')
_SCORES = ("overall_score", "fine-grained_score", "score", "rating")


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with records of several models' completions and their scores."""
    return bool(_HEAD.search(head)) and b'"model"' in head and any(b'"%s"' % key.encode() in head for key in _SCORES)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The comparisons of a file, by prompt."""
    document = read_document(file, location)
    rows, lines, prompts, missing = [], [], 0, 0
    score_keys: dict[str, None] = {}
    for line, record in document.objects():
        answers: list[tuple[str, float]] = []
        for answer in record.get("completions") or []:
            scores = answer if isinstance(answer, dict) else {}
            key = next((key for key in _SCORES if number(scores.get(key)) is not None), "")
            missing += not key
            if key:
                score_keys[key] = None
                answers.append((str(answer.get("model")), float(answer[key])))
        prompts += 1
        for first, second, result, _ in pairs_within(answers, equal=True):
            rows.append((first, second, result, record.get("prompt_id") or record.get("id") or line, "1"))
            lines.append(line)
    notes = [f"scores of several answers: {len(rows):,} comparisons in {count_noun(prompts, 'prompt')} by "
             f"{' or '.join(score_keys)}; comparisons of one prompt are not independent"]  # fmt: skip
    notes += [f"{count_noun(missing, 'answer')} without a score"] if missing else []
    notes.append("not used: texts, and scores by aspect")
    header = ("model_a", "model_b", "winner", "prompt", "neutral")
    return source_of_rows(header, rows, name, location, lines if document.lines else None, document.sha256, notes)


ULTRA_FEEDBACK = Form(recognises, columns)
