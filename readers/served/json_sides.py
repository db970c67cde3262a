"""The paths of two sides in flat records of JSON: their names, their goals, and marks of the winner.

Two paths belong to the two sides if they differ in one word: `home_score` and `away_score`, `players.white.rating` and
`players.black.rating`, `score.ft.0` and `score.ft.1`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halfpoint.readers.csv_files import words_in
from halfpoint.readers.served.records import AROUND, NAMES, Record, Table

_WORDS = words_in("readers.served")
SIDES = tuple((first, second) for first, _, second in (pair.partition("-") for pair in _WORDS["sides"]))
type Pair = tuple[str, str]  # paths
_NAME_WORDS = (*NAMES, *_WORDS["nouns"], *(word for pair in SIDES for word in pair), *_WORDS["codes"])
_GOALS, _MARKS = _WORDS["goals"], _WORDS["marks"]
_NO_GOALS = re.compile(
    r"half|(?<![a-z])(?:ht|p|et|i|id|ids|xg|age|elo)(?![a-z])|_id|pen|extra|expected|odds|prob|rat(?:e|ing)|rank|seed|"
    r"record|shots|votes|year|accuracy|fouls|cards|corners|aggregate|order|number|diff|period|linescore|quarter"
)
_AT_HOME = {"homeaway": "home", "ishome": "true", "is_home": "true", "qualifier": "home", "side": "home",
            "color": "white", "colour": "white"}  # fmt: skip


@dataclass(frozen=True)
class Sides:
    """Keys of the two sides in the records of a table."""

    words: tuple[str, str]
    names: tuple[Pair, ...]  # the best first: a record has the first of which it has both
    pairs: tuple[Pair, ...]  # all pairs of the words
    goals: Pair | None
    labels: tuple[Pair, ...]  # names or ids beside the goals, where these are in a list of their own
    marks: Pair | None
    seated: Pair | None  # paths that mark the side at home, or with White

    @property
    def of_winners(self) -> bool:
        """True if the first side is always the winner."""
        return self.words in (("winner", "loser"), ("winning", "losing"))


def find_sides(table: Table, ids: Mapping[str, str]) -> Sides | None:
    """Two sides of most records of a table; None if they have no names, and no ids with names."""
    keys = list(dict.fromkeys(key for _, row in table for key in row if not key.startswith(AROUND)))
    pairs = {words: [(key, twin) for key in keys for twin in _swapped(key, *words) if twin in keys] for words in SIDES}
    for words, matched in pairs.items():
        names = tuple(sorted((pair for pair in matched if _hold_names(table, pair, ids)), key=_name_rank))
        if 2 * sum(any(row.get(a) and row.get(b) for a, b in names) for _, row in table) <= len(table):
            continue
        other_pairs = [pair for other_words, group in pairs.items() if other_words != words for pair in group]
        all_pairs = dict.fromkeys((*matched, *other_pairs))
        goals = [pair for pair in all_pairs if pair not in names and _are_goals(table, pair)]
        marks = [pair for pair in matched if pair not in names and pair not in goals and last_word(pair[0]) in _MARKS]
        seated = next((pair for pair in matched if last_word(pair[0]) in _AT_HOME), None)
        best = min(goals, key=lambda pair: (pair not in matched, *_goal_rank(pair)), default=None)
        mark = min(marks, key=lambda pair: (_MARKS.index(last_word(pair[0])), len(pair[0])), default=None)
        siblings = [pair for pair in all_pairs if best and _parents(pair) == _parents(best) != _parents(names[0])]
        labels = tuple(pair for pair in siblings if pair != best and _hold_names(table, pair, ids))
        return Sides(words, names, tuple(matched), best, labels, mark, seated)
    return None


def _parents(pair: Pair) -> tuple[str, str]:
    """Paths of the objects that contain a pair of values."""
    return pair[0].rpartition(".")[0], pair[1].rpartition(".")[0]


def are_own_ids(pair: Pair, names: Pair) -> bool:
    """True if a pair of paths has the ids of the sides whose names are at another pair: beside these, or above."""
    roots, name_roots = _parents(pair), _parents(names)
    return is_id(pair[0]) and all(f"{b}.".startswith(f"{a}.") or not a for a, b in zip(roots, name_roots, strict=True))


def sits_second(row: Record, seated: Pair | None) -> bool:
    """True if a record places its second side at home, or with White."""
    if seated is None:
        return False
    first, second = (plain(row.get(path)) for path in seated)
    return second == _AT_HOME[last_word(seated[0])] != first


def _swapped(path: str, first: str, second: str) -> Iterator[str]:
    """Yield a path with a word of the first side exchanged for the second side's, all and one at a time."""
    part = len(first) < 2
    pattern = rf"(?<![^._]){first}(?![^._])" if part else rf"{first}(?!\d)"
    if first == "1":
        pattern = r"(?<!\d)1(?![^._])"
    several = [*re.finditer(pattern, path)]
    if len(several) > 1:
        yield re.sub(pattern, second, path)
    for match in several:
        yield path[: match.start()] + second + path[match.end() :]


def last_word(path: str) -> str:
    """The last part of a path without the sides' words: `name` of `home.name`, `score` of `away_score`."""
    last = path.rpartition(".")[2]
    last = last[3:] if last.startswith(("strhome", "straway", "inthome", "intaway")) else last
    if last in _MARKS or last in _AT_HOME:
        return last
    for word in (word for pair in SIDES for word in pair):
        if len(word) > 1 or not word.isalpha():
            last = last.removeprefix(word).removesuffix(word) or last
    return last.strip("_") or path.rpartition(".")[2]


def is_id(path: str) -> bool:
    """True if a path ends with an id."""
    return re.search(r"(?:^|[._]|player\d?|team\d?|user)id$", path) is not None


def _hold_names(table: Table, pair: Pair, ids: Mapping[str, str]) -> bool:
    """True if names, or ids, are at both paths, and they differ within records."""
    values = [(row.get(pair[0]), row.get(pair[1])) for _, row in table]
    values = [(a, b) for a, b in values if a not in (None, "") and b not in (None, "")]
    if not values or 10 * sum(a == b for a, b in values) > len(values):
        return False
    if is_id(pair[0]) or all(isinstance(value, int) and str(value) in ids for two in values for value in two):
        return all(isinstance(value, str | int) for two in values for value in two)
    last = pair[0].rpartition(".")[2]
    name_words = {last, last_word(pair[0]), *last.split("_")} & {*_NAME_WORDS}
    return bool(name_words) and all(isinstance(value, str) and number(value) is None for two in values for value in two)


def _name_rank(pair: Pair) -> tuple[bool, int, int, str]:
    """Rank of a pair of names: ids last, names before codes, short paths first."""
    last = last_word(pair[0])
    rank = _NAME_WORDS.index(last) if last in _NAME_WORDS else len(_NAME_WORDS)
    return is_id(pair[0]), rank, len(pair[0]), pair[0]


def _are_goals(table: Table, pair: Pair) -> bool:
    """True if both paths have numbers of goals wherever either has a value."""
    if _NO_GOALS.search(pair[0]) or not any(word in pair[0] for word in _GOALS):
        return False
    values = [(row.get(pair[0]), row.get(pair[1])) for _, row in table]
    values = [(a, b) for a, b in values if a not in (None, "") or b not in (None, "")]
    return bool(values) and all(number(value) is not None for two in values for value in two)


def _goal_rank(pair: Pair) -> tuple[int, int, str]:
    """Rank of a pair of goals: full time first."""
    return next((k for k, word in enumerate(_GOALS) if word in pair[0])), len(pair[0]), pair[0]


def number(value: Any) -> float | None:
    """Number of a value, or of its text; None otherwise."""
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def plain(value: object) -> str:
    """A value in small letters and digits; empty for None."""
    return "" if value is None else re.sub(r"[^a-z0-9]+", "", str(value).lower())
