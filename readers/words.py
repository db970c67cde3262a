"""The vocabulary of all formats: words that identify columns, and meanings of cells.

Words of columns, of chess, other sports, arenas of language models and crowds, are in vocabulary.toml; they are
compared without case, blanks and underscores.

A cell states that the first or the second seat won, that they drew, or that both are bad. Results have the forms of
chess (1-0, 0-1, 1/2-1/2), of other sports (H, D, A for home, draw, away; W, D, L from the first seat's side), of judges
(model_a, left, A>B, tie, both_bad), plain words, the 1, X, 2 of football pools, and the winner by name, by column
(model_a) or by side. Numbers are scores (1, 0.5, 0), signs (1, 0, -1), or signs with a degree (3 to -3, a rubric); in a
column of winners they may also be the numbers of the seats (1, 2). A>>B and A>>>B are verdicts of a second and a third
grade. Ambiguous letters are resolved by the other words of their column. A column of pairs of numbers with a number
above 1, as in "3-2", is a column of goals. The user can define a word ("both_bad=drop"), which overrides all other
rules.
"""

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import strip_accents
from halfpoint.models.games.packaged import packaged_table
from halfpoint.models.games.plain_words import ROUNDS, plain_word
from halfpoint.readers.result_letters import DRAWS, foreign_letters, initials_of_sides, plain_sign, signs_of_results

STUDY_HEADER = ("Site", "Data", "WR", "W", "B", "BR", "y")
_TABLE = packaged_table("readers", "vocabulary.toml")
_PARTS: dict[str, tuple[str, ...]] = {"round": ROUNDS}  # of words of columns


def _expanded(text: str) -> tuple[str, ...]:
    """The words of a text of the table: @name is a part, one+other are two words in either order."""
    words: list[str] = []
    for pair in (word.split("+") for word in strip_accents(text).split()):
        first, *second = (_PARTS[word[1:]] if word.startswith("@") else (word,) for word in pair)
        words += [word for a in first for b in second[0] for word in (b + a, a + b)] if second else first
    return tuple(dict.fromkeys(words))


for part in _TABLE["parts"]:
    _PARTS[part] = _expanded(_TABLE["parts"][part])
PEOPLE, RATINGS, DAY_FIRST, POINTS = (_PARTS[part] for part in ("person", "rating", "day_first", "goals"))
COLOURS = frozenset((*_PARTS["white"], *_PARTS["black"]))
NOUNS = {noun: (_expanded(first), _expanded(second)) for noun, (first, second) in _TABLE["seats"].items()}
ANSWERS, ABOUT, BESIDE, CELLS = ({field: _expanded(words) for field, words in _TABLE[group].items()}
                                 for group in ("answers", "about", "beside", "cells"))  # fmt: skip
SUMS = frozenset(BESIDE["sums"])
WORDS = {
    "white": tuple(word for first, _ in NOUNS.values() for word in first),
    "black": tuple(word for _, second in NOUNS.values() for word in second),
    **{field: _expanded(words) for field, words in _TABLE["columns"].items()}}  # fmt: skip
#: other names of a field: home is white, outcome is score
ALIASES = {word: field for field, words in reversed(WORDS.items()) for word in words}
ALIASES |= {"first": "white", "second": "black"}
_LEGEND = re.compile(r"(?<![\w.])([-+]?\d+(?:\.\d+)?|[^\W\d])\s*=\s*")
_LONGEST_NAME = 100  # of a column in a message
FORMULA_STARTS = (*"=+-@\t\r\n−⁺⁻⁼₊₋₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠",)  # wide, small and raised signs are read as the plain ones
SIMULATED = "simulated"  # a column of ones: the games are generated


def noun_of(column: str) -> str | None:
    """The noun of a column of compared items, such as model or team; None if unknown.

    Examples
    --------
    >>> noun_of("model_a"), noun_of("HomeTeam"), noun_of("H")
    ('model', 'team', None)
    """
    return next((noun for noun, (first, _) in NOUNS.items() if plain_word(column) in first), None)


def split_legend(column: str) -> tuple[str, dict[str, str]]:
    """The name of a column without its legend, and the texts of the legend by cell.

    Examples
    --------
    >>> split_legend("outcome (0 = home, 1 = draw)"), split_legend("E = mc2"), split_legend("Result")
    (('outcome', {'0': 'home', '1': 'draw'}), ('E = mc2', {}), ('Result', {}))
    """
    name, *parts = _LEGEND.split(column)
    texts = {cell: text.strip(" ,;:/|()[]") for cell, text in zip(parts[::2], parts[1::2], strict=True)}
    return (name.strip(" ,;:([-"), texts) if len(texts) > 1 else (column, {})


def is_mark(cells: Iterable[str]) -> bool:
    """True if the texts of the column `simulated` mark a file as simulated: all are one."""
    return {*map(number, cells)} == {1.0}


def flags(columns: Mapping[str, str]) -> str:
    """The option that names columns, as typed in a shell; COLUMN in place of names too long for a message."""
    short = {field: name if len(name) <= _LONGEST_NAME else "COLUMN" for field, name in columns.items()}
    return "--columns " + shlex.quote(",".join(f"{field}={name}" for field, name in short.items()))


def list_names(names: Sequence[str], most: int = 8) -> str:
    """The first names of columns, or of players, for a message."""
    ending = f" and {len(names) - most} others" if len(names) > most else ""
    return ", ".join(repr(name[:60]) for name in names[:most]) + ending


FIRST, SECOND, TIE, BOTH_BAD, DROP = "first", "second", "tie", "both_bad", "drop"
HIGHER = {f"{side}{grade}": (side, grade) for side in (FIRST, SECOND) for grade in (2, 3)}  # graded verdicts
_SCORES = {TIE: 0.5, BOTH_BAD: 0.5} | {word: float(word.startswith(FIRST)) for word in (FIRST, SECOND, *HIGHER)}
_EXACT = {word: meaning for meaning, words in _TABLE["exact"].items() for word in words.split()}
_RESULTS, _OUTCOME_WORDS, STATUS = (
    {plain_word(word): meaning for meaning, words in _TABLE[group].items() for word in _expanded(words)}
    for group in ("results", "outcomes", "status"))  # fmt: skip
_SEAT_ONE = re.compile(r"\A\D*1\D*")
_MOST_ALIKE = 4  # columns whose names have the same parts
PAIRS = tuple((first, second) for first, second in (pair.split() for pair in _TABLE["pairs"]["stems"]))
_TWINS = {first: {second for part, second in PAIRS if part == first} for first, _ in PAIRS}
LOCATIONS = {word: ground for ground, words in _TABLE["locations"].items() for word in words}
BYES, TOTALS = (tuple[str, ...](_TABLE[group]["names"]) for group in ("byes", "totals"))  # totals begin rows
_OUTCOME_WORDS = _RESULTS | _OUTCOME_WORDS
_HALVES, _SEATS, _SEATS_OR_NONE, _SEATS_FROM_ZERO, _SIGNS, _RUBRIC = (
    {float(cell): meaning for cell, meaning in scheme.items()} for scheme in _TABLE["numbers"].values()
)
_SCORE_OF_RESULT = {word: _SCORES[meaning] for word, meaning in (_EXACT | _RESULTS | {"0,5": TIE, "a": SECOND}).items()}
SPACED_DASH = re.compile(r"(?:(?<!\s)\s++)?[-‐‑–—−－:：]\s*")  # between the points of two
TRUE = ("true", "1", "1.0", "yes", "t", "y")
HALVES = ("0.5", "½", "1/2", "0,5", ".5", "1/2-1/2", "½-½", "0.5-0.5")  # of a point
FLAG = "--outcomes"
EMPTY = "empty"  # what an empty cell is called in it
_LONGEST_VERDICT = 60
_COUNTS = re.compile(r"\b\d+-\d+-\d+\b")  # of games won, lost and drawn in a match
_VERDICTS: dict[str, list[str]] = _TABLE["verdicts"]
VERBS: dict[str, str] = _TABLE["verbs"]
WON_BY = tuple(_VERDICTS["won_by"])
_MUCH = _VERDICTS["much"]
_BY = rf"(?P<much>{'|'.join(_MUCH)}|{'|'.join(_VERDICTS['slightly'])})"
_THING = "|".join(_VERDICTS["things"])
SIDES = ("A", "B", "a", "b", "1", "2", "left", "right", "first", "second")
_ITEM, _SIDE = rf"(?:the\s+)?(?:(?:{_THING})\s+)?", rf"(?P<side>{'|'.join(SIDES)})(?:\s+(?:one|{_THING}))?"
_IS_BETTER = rf"\s++(?:(?:is|was)\s*)?(?:{_BY}\s+)?(?:better|preferred|stronger|wins)"
_BETTER = re.compile(_ITEM + _SIDE + _IS_BETTER, re.IGNORECASE)
_PREFERRED = re.compile(rf"(?:I\s+)?(?:{_BY}\s+)?prefer(?:red|s)?\s+{_ITEM}{_SIDE}", re.IGNORECASE)
_LEVEL = re.compile("|".join(_VERDICTS["level"]), re.IGNORECASE)


def parse_score(text: str) -> float:
    """White's score from a result, as in PGN; `ValueError` if invalid."""
    score = _SCORE_OF_RESULT.get(SPACED_DASH.sub("-", text).casefold())
    score = float(text) if score is None else score
    if score not in _HALVES:
        raise ValueError(text)
    return score


def number(value: Any) -> float | None:
    """Number of a value, or of its text; None otherwise."""
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _number_of(word: str) -> float | None:
    """Number of a word, with a point or a comma, None if it is not one."""
    return number(word.replace(",", "."))


def outcome_map(text: str | Mapping[str, object] | None) -> dict[str, str]:
    """Meanings of outcomes given by the user: "tie=0.5,both_bad=drop" and the like."""
    if text is None:
        return {}
    if isinstance(text, str):
        parts = [part.partition("=") for part in text.split(",") if part.strip()]
        pairs = [(word.strip(), meaning.strip()) for word, equals, meaning in parts if equals]
        if len(pairs) < len(parts) or len(dict(pairs)) < len(pairs) or not all(map(all, pairs)):
            raise GameTableError(FLAG, "WORD=MEANING,... with each word once", repr(text))
    else:
        pairs = [(str(word), str(meaning)) for word, meaning in text.items()]
    meanings = _TABLE["meanings"] | {word: word for word in (FIRST, SECOND, TIE, BOTH_BAD, DROP, *HIGHER)}
    for word, meaning in pairs:
        if meaning not in meanings:
            expected = f"first | second | tie | both_bad | drop | 1 | 0.5 | 0, or by how much: {' | '.join(HIGHER)}"
            raise GameTableError(f"{FLAG} {word}", expected, repr(meaning))
    return {word: meanings[meaning] for word, meaning in pairs}


def numbered_from_zero(first: str, second: str) -> bool:
    """True if two names of columns differ in the numbers 0 and 1.

    Examples
    --------
    >>> numbered_from_zero("response_0", "response_1"), numbered_from_zero("player1", "player2")
    (True, False)
    """
    parts = [re.findall(r"\d+|[^\W\d_]+", name.lower()) for name in (first, second)]
    differ = [pair for pair in zip(*parts, strict=False) if pair[0] != pair[1]]
    return len(parts[0]) == len(parts[1]) and differ == [("0", "1")]


def outcome_flags(meanings: Mapping[str, str]) -> str:
    """The option that gives the meanings of words, as typed in a shell; an empty meaning is left to the user.

    For a word with a comma it is the line of a file.

    Examples
    --------
    >>> outcome_flags({"x": ""}), outcome_flags({"It was a draw": ""})
    ('--outcomes x=first|second|tie|both_bad|drop', "--outcomes 'It was a draw'=first|second|tie|both_bad|drop")
    >>> outcome_flags({"Voitto": "first", "Tasan": ""})
    "--outcomes 'Voitto=first,Tasan=first|second|tie|both_bad|drop'"
    >>> outcome_flags({"Draw, agreed": ""})
    '--table FILE.toml with outcomes = {"Draw, agreed" = "first|second|tie|both_bad|drop"}'
    """
    shown = {word[:60]: meaning or "first|second|tie|both_bad|drop" for word, meaning in meanings.items()}
    if any({*word} & {*",="} for word in shown):
        texts = ((json.dumps(text, ensure_ascii=False) for text in pair) for pair in shown.items())
        return f"--table FILE.toml with outcomes = {{{', '.join(map(' = '.join, texts))}}}"
    if len(shown) == 1:
        return "".join(f"{FLAG} {shlex.quote(word)}={meaning}" for word, meaning in shown.items())
    return f"{FLAG} {shlex.quote(','.join(map('='.join, shown.items())))}"


@dataclass(frozen=True)
class Vocabulary:
    """Interpretation of the words of one column."""

    said: Mapping[str, str]  # from `outcome_map`
    headers: tuple[str, str] = ("white", "black")  # names of the columns of the two seats, which cells may repeat
    won: bool = False  # whether the column names the winner (winner, label, choice), so that 1 and 2 are seats

    def meanings(self, words: Sequence[str]) -> dict[str, str]:
        """Meaning of each distinct word of a column; empty if the word is ambiguous alone."""
        plain = {plain_word(word) for word in words} - {""}
        numbers = {number for word in words if word not in self.said and (number := _number_of(word)) is not None}
        pools = "x" in plain and "y" not in plain and bool(numbers) and numbers <= set(_SEATS)
        kinds = [_SEATS_FROM_ZERO] * (self.won and numbered_from_zero(*self.headers)) + [_HALVES]
        kinds += [_SEATS] * (self.won or pools) + [_SEATS_OR_NONE] * (self.won and {*_SEATS} <= numbers) + [_SIGNS]
        kinds += [_RUBRIC] * any(number < 0.0 for number in numbers)
        scheme = next((kind for kind in kinds if numbers <= set(kind)), _HALVES)
        numbered = [self.said[word] for word in words if word in self.said and _number_of(word) is not None]
        sides = {FIRST, SECOND}.intersection(numbered)
        scheme = {number: side for number, side in scheme.items() if side not in sides}  # 1 beside 2=first is open
        by_word = _OUTCOME_WORDS | self.letters(plain, pools)
        by_word |= {plain_word(header): side for header, side in zip(self.headers, (FIRST, SECOND), strict=True)}
        by_word |= {word: side for word in plain - by_word.keys() if (side := side_of(word, self.headers))}
        by_word |= dict(zip(signs_of_results(words), (FIRST, TIE, SECOND), strict=False))
        by_user = {plain_word(word) or word: meaning for word, meaning in self.said.items()}
        empty = self.said.get(EMPTY, "")
        return {word: self.meaning_of(word, scheme, by_word, by_user) if word else empty for word in words}

    def meaning_of(
        self, word: str, scheme: Mapping[float, str], by_word: Mapping[str, str], by_user: Mapping[str, str]
    ) -> str:
        """Meaning of a word; empty if it is ambiguous alone."""
        plain = plain_word(word)
        defined = self.said.get(word) or by_user.get(plain or word)
        if defined:
            return defined
        number = _number_of(word)
        if number is not None:
            sense = scheme.get(number, "")
        else:
            sense = _EXACT.get("".join(SPACED_DASH.sub("-", word).lower().split()), "")
            sense = sense or by_word.get(plain or plain_sign(word), "")
            sense = sense or (verdict_of(word) if " " in word else "")
        return self.said.get(sense, sense) if sense in (TIE, BOTH_BAD) else sense  # for ties it applies to every word

    def letters(self, plain: set[str], pools: bool) -> dict[str, str]:
        """Meanings of A, X and Y given the other words of their column: with H, A is away; with B, a side."""
        initials = initials_of_sides(plain, self.headers)
        if initials and plain_word(self.headers[1]) not in WORDS["opponent"]:
            return dict.fromkeys(DRAWS & plain, TIE) | dict(zip(initials, (FIRST, SECOND), strict=True))
        away = "h" in plain or plain_word(self.headers[1]).startswith("away") or not self.won
        meanings = {"a": SECOND if away and "b" not in plain else FIRST}
        if not self.won or all(len(word) < 3 or word in STATUS for word in plain):  # else names of players
            meanings |= dict(zip(foreign_letters(plain - STATUS.keys()), (FIRST, TIE, SECOND), strict=False))
        if pools:
            meanings["x"] = TIE
        elif "y" in plain or self.won:
            meanings |= {"x": FIRST, "y": SECOND}
        return meanings


def tokens_of(column: str) -> list[str]:
    """The parts of a column's name: home, team, name of homeTeam.name."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column)
    return ["score" if token == "scored" else token for token in re.findall(r"[^\W_]+", strip_accents(spaced))]


def parted_by(left: str, right: str) -> tuple[str, str] | None:
    """Parts in which the names of two columns differ, if they differ in one part that separates two sides."""
    first, second = tokens_of(left), tokens_of(right)
    differ = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    if len(first) != len(second) or len(differ) != 1:
        return None
    numbers = [re.fullmatch(r"\A(\D*)([12])(\D*)", part) for part in differ[0]]
    if numbers[0] and numbers[1] and numbers[0].group(1, 3) == numbers[1].group(1, 3):
        return (numbers[0][2], numbers[1][2]) if numbers[0][2] == "1" else None
    return differ[0] if differ[0] in PAIRS else None


def pairs_apart(names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of names that `parted_by` separates, in the order of the names.

    The time is linear in the number of names: only the first four names with the same parts are compared.
    """
    parts = {name: tuple(tokens_of(name)) for name in names}
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, tokens in parts.items():
        alike.setdefault(tokens, []).append(name)
    place, pairs = {name: k for k, name in enumerate(parts)}, []
    for name, tokens in parts.items():
        partners: set[str] = set()
        for k, part in enumerate(tokens):
            counterparts = _TWINS.get(part, set()) | ({part.replace("1", "2")} if _SEAT_ONE.fullmatch(part) else set())
            for counterpart in counterparts:
                partners.update(alike.get((*tokens[:k], counterpart, *tokens[k + 1 :]), [])[:_MOST_ALIKE])
        pairs += [(name, partner) for partner in sorted(partners, key=place.__getitem__) if parted_by(name, partner)]
    return pairs


def side_of(word: str, headers: Sequence[str]) -> str:
    """Side that a word names by the differing part of its column's name, as red of r_fighter; else empty."""
    parts = parted_by(*headers) or ()
    colours = {"r": "red", "b": "blue"} if {*parts} == {"r", "b"} else {}
    return next((side for side, part in zip((FIRST, SECOND), parts, strict=False)
                 if word in (part, colours.get(part, part))), "")  # fmt: skip


def are_outcomes(words: Sequence[str]) -> bool:
    """True if all distinct words of a column could be results, in addition to goals."""
    return bool(words) and all(Vocabulary({}).meanings(words).values())


def verdict_of(text: str) -> str:
    """The meaning of a verdict in words; empty for other texts.

    Examples
    --------
    >>> verdict_of("A is much better"), verdict_of("slightly prefer Response B"), verdict_of("About the same")
    ('first2', 'second', 'tie')
    """
    if len(text) > _LONGEST_VERDICT:
        return ""
    match = _BETTER.fullmatch(text.strip()) or _PREFERRED.fullmatch(text.strip())
    if match is None:
        return TIE if _LEVEL.fullmatch(text.strip()) or is_tie(text) else ""
    side = FIRST if match["side"].casefold() in ("a", "1", "left", "first") else SECOND
    return f"{side}2" if (match["much"] or "").casefold() in _MUCH else side


def is_tie(text: str) -> bool:
    """True if a text alone states a draw.

    Examples
    --------
    >>> is_tie("Tied"), is_tie("Match drawn"), is_tie("draw by repetition"), is_tie("D")
    (True, True, True, False)
    """
    tokens = [plain_word(token) for token in _COUNTS.sub("", text.partition(" by ")[0]).split()]
    words = [word for word in tokens if word not in ("match", "game", "the", "was", "it", "a", "ended", "in")]
    return bool(words) and all(len(word) > 1 and _RESULTS.get(word) == TIE for word in words)


def result_word(text: str) -> str:
    """Meaning of a text that means the same in every column, such as "I won"; empty if there is none."""
    return str(_RESULTS.get(plain_word(text), ""))


def ties_in(words: Iterable[str]) -> set[str]:
    """Distinct cells of a column that state a draw; half a point does if all cells are scores."""
    cells = {*words} - {""}
    return {cell for cell in cells if is_tie(cell) or (cell in HALVES and cells <= {"1", "1.0", "0", "0.0", *HALVES})}
