"""Games in sentences, one per line: "Ann beat Bob", "2024-01-13: Ann drew with Bob", "Ann > Bob", "Ann 2-1 Bob".

Such lines name the winner first, so the first seat is unknown and every game is neutral, unless all lines have two
names with a score.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from halfpoint.readers.forms import Rows, plain_text, text_form
from halfpoint.readers.words import VERBS

_DAY = r"(?P<day>\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})"
_BEFORE = rf"\A(?:[-*•]\s++|\d{{1,4}}[.)]\s++)?(?:[\[(]?{_DAY}[\])]?(?:\s*+[,:;–-]\s++|\s++))?"
_POINTS = r"(?:\d{1,3}|½|1/2)\s?[-:–]\s?(?:\d{1,3}|½|1/2)"
_SCORE = rf"(?P<score>{_POINTS})"
_BEFORE_SCORE = r"(?<![\s,:(])[\s,:(]++"
_ENDED = r"(?:in|after|on|by)\s(?:over ?time|extra time|penalt\w++|pens|a tie-?break|shoot-?out|o\.?t\.?|\d++ [a-z]++)"
_BEHIND = rf"(?:(?<!\s)\s++\(?{_ENDED}\)?)?(?:{_BEFORE_SCORE}{_SCORE}\)?)?[.!]?"
_OTHER = r"(?P<other>[^\W\d].*?)"


def _name_before(mark: str) -> str:
    """Pattern of words up to the first mark that a name follows."""
    return rf"(?P<one>[^\W\d]\S*+(?:\s++(?!(?:{mark})\s++[^\W\d])\S++)*+)\s++"


_VERSUS = r"(?:vs?\.?|[-–])"
_FORMS = (  # with the result by the verb, empty if the score is the result
    *((result, re.compile(rf"{_BEFORE}{_name_before(verb)}(?:{verb})\s++{_OTHER}{_BEHIND}", re.IGNORECASE))
      for result, verb in VERBS.items()),
    ("", re.compile(rf"{_BEFORE}{_name_before(_VERSUS)}{_VERSUS}\s++{_OTHER}{_BEFORE_SCORE}{_SCORE}\)?", re.I)),
    ("", re.compile(rf"{_BEFORE}{_name_before(_POINTS)}{_SCORE}\s++{_OTHER}")),
)  # fmt: skip
_NO_NAME = re.compile(
    r"\A(?:by\s|.*\bby (?:forfeit|default|walkover)|[;|\t<>={}\[\]\"]|[^,]*+,[^,]*+,|[^()]*+\)|(?>.*\()[^)]*+$|.{60})"
)
_LEAST_LINES = 3
_LONGEST = 200  # letters of a line


def _lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with text other than comments and rules, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and line[:1] not in "#%" and not re.fullmatch(r"\W+", line.strip()):
            yield number, line.strip()


class _Game(NamedTuple):
    """A game in a sentence."""

    first: str  # the first name
    second: str
    result: str  # a key of `VERBS` if a verb names the winner, else the score
    day: str  # empty if unknown
    score: str  # beside a verb


def _game_in(line: str) -> _Game | None:
    """The game in a line; None if absent."""
    if len(line) > _LONGEST:
        return None
    for result, form in _FORMS:
        match = form.fullmatch(line)
        if match and match["one"] != match["other"] and not any(map(_NO_NAME.match, match.group("one", "other"))):
            score, day = match["score"] or "", match["day"] or ""
            return _Game(match["one"], match["other"], result or score, day, result and score)
    return None


def recognises(path: str, head: bytes) -> bool:
    """True if every line with text is a game in a sentence, and most names are in several lines."""
    lines = [line for _, line in _lines_of(plain_text(head))]
    lines = lines[len(lines) > _LEAST_LINES and _game_in(lines[0]) is None :]  # below a title
    if len(lines) < _LEAST_LINES or _game_in(lines[0]) is None:
        return False
    games = [_game_in(line) for line in lines]
    times = Counter(name for game in games if game is not None for name in game[:2])
    return None not in games and 2 * sum(count > 1 for count in times.values()) >= len(times)


def rows_of_text(text: str, _: str) -> Rows:
    """The columns of games in sentences."""
    lines = [(number, _game_in(line), line) for number, line in _lines_of(text)]
    games = [(number, game) for number, game, _ in lines if game is not None]
    other_lines = [line for _, game, line in lines if game is None]
    neutral = "1" if any(game.result in VERBS for _, game in games) else ""
    with_scores = any(game.score for _, game in games)
    notes = [
        "a game a line, in words",
        neutral and "the first seat is unknown, so no first-move or home advantage can be estimated",
        "not used: scores after the names, because a verb names the winner" if with_scores else "",
        f"skipped: {len(other_lines)} lines without a game, the first {other_lines[0][:60]!r}" if other_lines else "",
    ]
    header, rows = ("White", "Black", "Result", "Date", "neutral"), [(*game[:4], neutral) for _, game in games]
    return Rows(header, rows, [number for number, _ in games], notes)


SENTENCES = text_form(recognises, rows_of_text)
