"""Scores of algorithms on data sets: each pair of algorithms is compared by score on each data set.

    dataset,forest,svm,knn        dataset,fold,algorithm,accuracy
    iris,0.95,0.96,0.95           iris,1,forest,0.95

Higher scores are better, unless the name of their column or of the file identifies them as errors, losses or times;
`--better` overrides both. Scores that differ by no more than the region of practical equivalence (`--rope`, 0 if not
given) are a tie. Folds and seeds of a data set are compared separately. (Benavoli et al. 2017, Journal of Machine
Learning Research 18, 77; Wainer 2023, Journal of Machine Learning Research 24, 341; the tables of autorank and
bbt-test.)
"""

import re
from collections.abc import Sequence
from pathlib import Path

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.ranges import require_word
from halfpoint.readers.csv_files import words_in
from halfpoint.readers.forms import NUMBER, Form, pairs_within, read_sheet, rows_of, source_of_rows
from halfpoint.readers.sources import Source

_WORDS = words_in("readers.research")
_SETS, _FOLDS, _ALGORITHMS = (_WORDS[role] for role in ("data_set", "fold", "algorithm"))
_EMPTY = ("", "na", "nan", "none", "-", "?", "null")
_HIGHER, _LOWER = "higher", "lower"
_OF_LOWER = re.compile(rf"(?:^|[^a-z])({'|'.join(_WORDS['lower'])})(?:[^a-z]|$)")


def _wide(plain: Sequence[str]) -> tuple[list[int], list[int]] | None:
    """Columns of the keys and the algorithms of a row; None if the first column is not a data set."""
    if not plain or plain[0] not in _SETS or set(plain) & {*_ALGORITHMS, "white", "black"}:
        return None
    keys = [k for k, word in enumerate(plain) if k == 0 or word in _FOLDS]
    models = [k for k in range(len(plain)) if k not in keys]
    return (keys, models) if len(models) > 1 and len({plain[k] for k in models}) == len(models) else None


def _long(plain: Sequence[str]) -> tuple[list[int], int, int] | None:
    """Columns of the keys, the algorithm and the score; None if a header lacks them or has several scores."""
    algorithm = next((k for k, word in enumerate(plain) if word in _ALGORITHMS), None)
    values = [k for k, word in enumerate(plain) if word in _WORDS["value"]]
    keys = [k for k, word in enumerate(plain) if word in (*_SETS, *_FOLDS, *_WORDS["metric"])]
    is_long = algorithm is not None and len(values) == 1 and any(plain[k] in _SETS for k in keys)
    return (keys, algorithm or 0, values[0]) if is_long else None


def recognises(path: str, head: bytes) -> bool:
    """True if a table has a data set a row with scores of algorithms, not all whole, or a score a row."""
    rows = rows_of(head)
    plain = [plain_word(name) for name in rows[0]] if len(rows) > 2 else []
    if not plain or any(len(row) != len(plain) for row in rows):
        return False
    wide, long = _wide(plain), _long(plain)
    places = [long[2]] if long else wide[1] if wide else []
    cells = [row[k] for row in rows[1:] for k in places if row[k].lower() not in _EMPTY]
    return all(map(NUMBER.fullmatch, cells)) and any(float(cell) % 1.0 for cell in cells)


def columns(file: str | Path, name: str, location: str, better: str | None = None, rope: float | None = None) -> Source:
    """The comparisons of a table of scores."""
    require_word("--better", better or _HIGHER, (_HIGHER, _LOWER), GameTableError)
    if rope is not None and not 0.0 <= rope < float("inf"):
        raise GameTableError("--rope", "a difference of scores of 0 or more", str(rope))
    sheet = read_sheet(file, location)
    long = _long(sheet.plain)
    keys, scored = _wide(sheet.plain) or ([], [])
    word = _OF_LOWER.search((sheet.header[long[2]] if long else name).lower())
    lower = better == _LOWER or (better is None and word is not None)
    sign = -1.0 if lower else 1.0
    groups: dict[tuple[str, ...], tuple[int, list[tuple[str, float]]]] = {}  # line of the first score, and scores
    missing = 0
    for line, row in sheet.rows:
        places, pairs = (long[0], [(row[long[1]], long[2])]) if long else (keys, [(sheet.header[k], k) for k in scored])
        key = (*(row[k] for k in places), *([] if long else [str(line)]))
        for algorithm, k in pairs:
            if row[k].lower() in _EMPTY:
                missing += 1
            elif not NUMBER.fullmatch(row[k]):
                raise GameTableError(f"{location}, line {line}, {sheet.header[k]}", "a score", repr(row[k]))
            else:
                groups.setdefault(key, (line, []))[1].append((algorithm, sign * float(row[k])))
    rows, places_of = [], []
    for key, (line, scores) in groups.items():
        if len({algorithm for algorithm, _ in scores}) < len(scores):
            twice = f"two scores of one algorithm on {key[0]!r}"
            raise GameTableError(f"{location}, line {line}", "a score of each algorithm", twice)
        for first, second, result, margin in pairs_within(scores, equal=True, within=rope or 0.0):
            rows.append((first, second, result, key[0], f"{margin:.12g}", "1"))
            places_of.append(line)
    reason = "" if better else f", as {word[1]!r} says" if word else ""
    turned = f"the {'lower' if lower else 'higher'} the better{reason}"
    turned += "" if better else f" (--better {'higher' if lower else 'lower'} turns it)"
    region = f"at most {rope:g} apart is a tie" if rope else "equal scores are ties (--rope 0.01 widens them)"
    sets = count_noun(len({key[0] for key in groups}), "data set")
    what = f"{len(rows):,} comparisons on {sets}, {turned}, {region}"
    notes = [f"scores of algorithms: {what}; comparisons on a data set are not independent"]
    notes += [f"{count_noun(missing, 'score')} missing"] if missing else []
    notes.append(sheet.not_used((*long[0], *long[1:]) if long else (*keys, *scored)))
    header = ("Model 1", "Model 2", "Result", "prompt", "difference", "neutral")
    return source_of_rows(header, rows, name, location, places_of, sheet.sha256, notes)


SCORE_TABLES = Form(recognises, columns, options=("better", "rope"))
