"""Growth of the time of regular expressions with the length of adversarial texts."""

import ast
import math
import re
import re._constants as codes
import re._parser as parser
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

CALLS = ("compile", "search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
LIMIT_S = 0.3  # of one search: longer is exponential, or near it
LETTERS, LONGER, LONGEST = 160, 1000, 4000
CLASSES = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_WORD: "a"}
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
MANY = 40  # repeats


def patterns_of_module(path: Path, module: str) -> dict[re.Pattern, str]:
    """Patterns of a module with their places: compiled patterns, and literals passed to re."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_of_re(node.func)]
    if not calls:
        return {}
    patterns = {pattern: f"{module}" for pattern in _compiled(vars(import_module(module)))}
    for call in calls:
        text = _literal(call.args[0])
        if text is not None:
            flags = [one for one in (*call.args[1:], *(word.value for word in call.keywords)) if _is_of_re(one)]
            value = 0
            for flag in flags:
                value |= getattr(re, flag.attr, 0) if isinstance(flag.attr, str) and flag.attr.isupper() else 0
            patterns.setdefault(re.compile(text, value), f"{path}:{call.lineno}")
    return patterns


def _is_of_re(node: ast.AST) -> bool:
    """True for `re.name`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def _literal(node: ast.AST) -> str | bytes | None:
    """Literal pattern with the letter a for each inserted value; None for a variable."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "a" for part in node.values)
    return None


def _compiled(value: object, depth: int = 3) -> Iterator[re.Pattern]:
    """Compiled patterns within a module's variables."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, Mapping):
        for one in list(value.values()):
            yield from _compiled(one, depth - 1)
    elif depth and isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes | range):
        for one in list(value)[:100]:
            yield from _compiled(one, depth - 1)


def _letters(tree) -> set[str]:
    """A letter of each character class in a pattern."""
    found: set[str] = set()
    for code, value in tree:
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            found |= set(_sample([(code, value)], 1))
            if code is codes.IN:
                found |= {chr(v if kind is codes.LITERAL else v[0]) for kind, v in value
                          if kind in (codes.LITERAL, codes.RANGE)}  # fmt: skip
        else:
            for part in _parts(code, value):
                found |= _letters(part)
    return found


def _parts(code, value) -> list:
    """Patterns within a node."""
    if code in REPEATS:
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return [value] if code is codes.ATOMIC_GROUP else []


def _sample(tree, repeats: int, branch: int = 0) -> str:
    """Text that a pattern matches, with a number of repeats for open quantifiers."""
    text = ""
    for code, value in tree:
        if code is codes.LITERAL:
            text += chr(value)
        elif code is codes.NOT_LITERAL:
            text += "a" if value != ord("a") else "b"
        elif code is codes.ANY:
            text += "a"
        elif code is codes.IN:
            text += _of_class(value)
        elif code in REPEATS:
            text += _sample(value[2], repeats, branch) * max(value[0], min(repeats, value[1]))
        elif code is codes.BRANCH:
            text += _sample(value[1][branch % len(value[1])], repeats, branch)
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            text += _sample(_parts(code, value)[0], repeats, branch)
    return text


def _of_class(options) -> str:
    """Letter of a class."""
    inside = [one for one in options if one[0] is not codes.NEGATE]
    if len(inside) < len(options):
        pattern = re.compile("[^" + "".join(_written(*one) for one in inside) + "]")
        return next(letter for letter in "a1 .(,-\0é" if pattern.match(letter))
    kind, value = inside[0]
    if kind is codes.CATEGORY:
        return CLASSES.get(value, ".")
    return chr(value if kind is codes.LITERAL else value[0])


def _written(kind, value) -> str:
    """Member of a class as written in a pattern."""
    if kind is codes.CATEGORY:
        name = str(value).removeprefix("CATEGORY_")
        return "\\" + (name[4].upper() if name.startswith("NOT_") else name[0].lower())
    return re.escape(chr(value)) if kind is codes.LITERAL else f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"


def _places(tree, before: str, repeats: int) -> Iterator[tuple[str, str]]:
    """For each open repeat of a pattern, a text that leads to it and a text of its body."""
    for code, value in tree:
        if code in REPEATS and value[1] >= MANY:
            yield before, _sample(value[2], 1)
        for k, part in enumerate(_parts(code, value)):
            yield from _places(part, before, repeats)
            if code is codes.BRANCH:
                yield before, _sample(part, 1, k)
        before += _sample([(code, value)], repeats)


def candidates(pattern: re.Pattern) -> list[tuple[str, str, str]]:
    """Prefixes, repeated units and suffixes that may slow a pattern down."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    places = [*dict.fromkeys([("", "a"), *_places(tree, "", 0), *_places(tree, "", 1)])]
    letters = sorted(_letters(tree) | {" ", "1", "a"}, key=lambda one: (one.isalnum() and one not in "1a", one))[:14]
    pairs = [one + two for one in letters[:5] for two in letters[:5] if one != two]
    wholes = [_sample(tree, repeats, branch) for repeats in (1, 2) for branch in (0, 1)]
    units = [*letters, *wholes[:2], *dict.fromkeys(text for place in places for text in place if text)]
    made = [("", unit, "\0") for unit in (*units, *pairs)]
    made += [(before, one, end) for before, unit in places for one in (unit, *units) for end in ("\0",)]
    made += [(whole, unit, "\0") for whole in wholes for unit in letters]
    return [one for one in dict.fromkeys(made) if one[1]]


class TooLongError(Exception):
    """Search that exceeds the limit."""


def seconds(pattern: re.Pattern, parts: tuple[str, str, str], letters: int, how: str) -> float:
    """CPU seconds of a search in a text of a given length; the limit if it takes longer."""
    before, unit, behind = parts
    text: str | bytes = before + unit * (letters // len(unit) + 1) + behind
    if isinstance(pattern.pattern, bytes):
        text = text.encode("latin-1", "replace")
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    begin = time.thread_time()
    try:
        if how == "findall":
            for _ in pattern.finditer(text):
                pass
        else:
            getattr(pattern, how)(text)
    except TooLongError:
        return LIMIT_S
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - begin


def growth(pattern: re.Pattern, thorough: bool = False) -> tuple[float, str, tuple[str, str, str]]:
    """Largest exponent of the growth of a pattern's time with the length, the call, and the text."""
    worst = (0.0, "", ("", "", ""))
    for how in ("findall", "fullmatch"):
        timed = []
        for parts in candidates(pattern):
            times = [seconds(pattern, parts, LETTERS, how) for _ in range(2)]  # a pause is in one
            if min(times) >= LIMIT_S:
                return math.inf, how, parts
            timed.append((min(times), parts))
        for _, parts in sorted(timed, reverse=True)[: 30 if thorough else 3]:
            power = _power(pattern, parts, LONGER, LONGEST, how)
            if power > 1.4:  # measured again: a page fault is no growth
                power = min(power, _power(pattern, parts, LONGER, 4 * LONGEST, how))
            worst = max(worst, (power, how, parts))
            if power == math.inf:
                return worst
    return worst


def _power(pattern: re.Pattern, parts: tuple[str, str, str], short: int, long: int, how: str) -> float:
    """Logarithm of the ratio of times over the logarithm of the ratio of lengths."""
    less = min(seconds(pattern, parts, short, how) for _ in range(2))
    more = seconds(pattern, parts, long, how)
    return math.inf if more >= LIMIT_S else math.log(more / max(less, 2e-6)) / math.log(long / short)


def on_time_up(*_: object) -> None:
    """Signal handler for the limit."""
    raise TooLongError
