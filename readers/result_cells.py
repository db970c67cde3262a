"""Cells that contain more than a result: "3-2 (aet)", "1-1 (4-3 pen.)", "W 103-98", "B+3.5", "P-P", "1-0F".

A cell is split into its score and its tail. Words of tails and words for a result are in the group `status` of
vocabulary.toml: a forfeit, not played, decided by other means than the score, or played.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from halfpoint.models.games.find_player import strip_accents
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.words import CELLS, FIRST, HALVES, SECOND, SPACED_DASH, STATUS, WON_BY

FORFEIT, UNPLAYED, DECIDED, PLAYED, AWARDED = "forfeit", "unplayed", "decided", "played", "awarded"
_SIGNS = frozenset({*(f"{first}{mark}{second}" for mark in "-/:" for first in "+-" for second in "+-"), "--"})
_GOALS = re.compile(r"(?s)(?:([WDLT]),?\s*)?\(?(\d{1,4}(?:½|[.,]5)?|½)\s*(?:[-‐‑–—−－:：]|(?<=\s)[xX](?=\s))\s*"
                    r"(\d{1,4}(?:½|[.,]5)?|½)\)?((?:[^\d\-–:/.].*|/[^\W\d].*)?)")  # fmt: skip
_SET = re.compile(r"\[?(?<!\d)(\d{1,3})\s?[-‐‑–—−－:：]\s?(\d{1,3})(?!\d)\]?")
_PARENTHESES = re.compile(r"\([^()]{0,40}\)")
_HALF_TIME = re.compile(r"\A\(\d{1,3}\s?[-–:]\s?\d{1,3}\)\s*+(?=\d)")  # before the score
_SHOOTOUT = re.compile(r"(?<!\d)N ?\(N\) ?([-–:xX]) ?(?:\(N\) ?N|N ?\(N\))".replace("N", r"(\d{1,3})"))
_FEWEST_POINTS = 5  # of the winner of a set
_FEWEST_OF_SETS = 12.0  # games or points of all sets, to which fewer count as if they were filled up evenly
_GO = re.compile(r"\A([wb])(?:hite|lack)?\s*\+\s*+([\w.,½/ ]*)", re.IGNORECASE)
_EASTERN = re.compile(r"([白黑黒백흑]).{0,12}?[胜勝승]")  # "白中盘胜", "黒3目半勝ち", "흑 불계승"
_DRAWN, _FORFEITED, _FILLING, _HALVES = (CELLS[kind] for kind in ("drawn", "forfeited", "filling", "halves"))
_CHESS = re.compile(r"(1|0|1/2|½)-(1|0|1/2|½)(\D*)")
_TAILED = re.compile(r"((?:1|0|1/2|½)-(?:1|0|1/2|½)|[wldt](?=[-(]))-?(\D+)")
_TWICE = re.compile(r"([pacvx])-\1", re.IGNORECASE)
_SLASHED = re.compile(r"(?!1/2\Z|[01]/[01]\Z)\d{1,3}/\d{1,3}")  # goals, beside which 1/2 is no draw
_OVERTIME = "pp"  # behind a decided score, in Czech and Slovak; otherwise postponed
_LONGEST = 200  # letters of a remark on a game
_MOST = 0.8  # of the distinct cells of a column of goals; the others are not understood
_WON = r"(?:won|wins|win|beat|def\.?|defeated|gewinnt|gana)\b"
_VERDICT = re.compile(rf"\A(\S++(?:\s++(?!{_WON})\S++)*+)\s++{_WON}.*", re.IGNORECASE)
_PANEL = re.compile(  # votes of judges before or behind the side, 2-1 Aff
    r"\A(?=\d[-–]\d\s|.*\s\(?\d[-–]\d\)?\Z)(?:\d[-–]\d\s++)?+([^\W\d]\S*+(?:\s++(?!\(?\d[-–]\d\)?\Z)\S++)*+)"
    r"(?:\s++\(?\d[-–]\d\)?)?+\Z"
)
_WON_BY = re.compile(rf"\A(?:{'|'.join(WON_BY)})\s+(?:(?:el|la|le|il|do|da|de|för|for|til)\s+)?(\S.*)", re.I)


@dataclass(frozen=True)
class Goals:
    """Contents of a cell with the goals of both sides."""

    first: float
    second: float
    letter: str = ""  # W, D, T or L of the first side, which goes before the goals
    tail: str = ""  # FORFEIT, UNPLAYED, DECIDED, PLAYED, or empty without a tail

    @property
    def gap(self) -> float:
        """The first side's goals less the second's, with the sign of the letter."""
        gap = self.first - self.second
        return {"W": abs(gap), "L": -abs(gap)}.get(self.letter, gap)


def kind_of(text: str) -> str:
    """Meaning of a text without a score: FORFEIT, UNPLAYED, DECIDED or PLAYED; empty if it is unknown.

    Examples
    --------
    >>> kind_of("no result"), kind_of("(a.e.t.)"), kind_of("n.V."), kind_of("4-3 pens"), kind_of("rain")
    ('unplayed', 'played', 'played', 'decided', '')
    >>> kind_of("Incomparecencia del visitante"), kind_of("Gast nicht angetreten")
    ('forfeit', 'forfeit')
    """
    if len(text) > _LONGEST:
        return ""
    status = str(STATUS.get(plain_word(text), ""))
    if status:
        return status
    tokens = [plain_word(token) for token in re.split(r"[\s,;()/\[\]]+", strip_accents(text))]
    tokens = [word for token in tokens if (word := token.strip("0123456789")) and word not in _FILLING]
    kinds = [STATUS.get(part, "") for part in (tokens if "".join(tokens) not in STATUS else ["".join(tokens)])]
    if not tokens:
        return PLAYED
    return next(kind for kind in (FORFEIT, AWARDED, UNPLAYED, DECIDED, PLAYED) if kind in kinds) if all(kinds) else ""


def no_game_in(text: str) -> bool:
    """True if a text that is not understood has a word of a forfeit or of a game that was not played.

    Examples
    --------
    >>> no_game_in("void - wrong players"), no_game_in("no game"), no_game_in("Postponed")
    (True, False, False)
    """
    if len(text) > _LONGEST or kind_of(text):
        return False
    tokens = [plain_word(token) for token in re.split(r"[\s,;()/\[\].:-]+|\baward\b", strip_accents(text))]
    tokens += [first + second for first, second in pairwise(tokens)]  # nicht angetreten
    no_game = {*CELLS["amended"], *(word for word in tokens if STATUS.get(word) in (FORFEIT, AWARDED, UNPLAYED))}
    return any(word in no_game for word in tokens if word == "void" or len(word) > 4)


def goals_in(text: str) -> Goals | None:
    """Goals in a cell, or sets won if it lists sets; None without goals or with an unknown tail.

    A second score behind the first is of sets that agree with it, or decides a level score; else both are unknown, NaN.
    """
    text = _SHOOTOUT.sub(r"\1 \3 \5\6 (\2-\4\7 pens)", _HALF_TIME.sub("", text.strip()))
    match = _GOALS.fullmatch(text)
    if match is None:
        return None
    tail = match[4].strip()
    kind = "" if not tail else kind_of(tail)
    if not kind and tail:
        return None
    first, second = map(float, sets_won(text) if kind == PLAYED else (0, 0))
    if first == second:
        first, second = (float(points.replace("½", ".5").replace(",", ".")) for points in (match[2], match[3]))
        won, lost = sets_won(further := _PARENTHESES.sub(" ", tail).lstrip(" ,;/"))
        if first != second and _SET.match(further) and (won - lost) * (first - second) <= 0:
            first, second, kind = float("nan"), float("nan"), DECIDED if kind == PLAYED else kind
    kind = PLAYED if kind == UNPLAYED and plain_word(tail) == _OVERTIME and first != second else kind
    return Goals(first, second, match[1] or "", kind)


def sets_won(text: str) -> tuple[int, int]:
    """Sets that each side won in a list of two sets and more, 0 and 0 for other scores.

    Points in parentheses are of tie-breaks, or of a half. A set has a winner, with at least five points.

    Examples
    --------
    >>> sets_won("4-6 7-6(4) 6-2"), sets_won("(15-21) (14-21)"), sets_won("2-1 0-1"), sets_won("25-20 (12-10)")
    ((2, 1), (0, 2), (0, 0), (0, 0))
    """
    bare = _PARENTHESES.sub(" ", text).strip() or re.sub(r"[()]", " ", text)
    sets = [(int(first), int(second)) for first, second in _SET.findall(bare)]
    if len(sets) < 2 or _SET.sub("", bare).strip(" ,;/") or any(a == b or max(a, b) < _FEWEST_POINTS for a, b in sets):
        return 0, 0
    won = sum(a > b for a, b in sets)
    return won, len(sets) - won


def lead_in_sets(text: str) -> float:
    """Lead of the first side in percent of the games or points of all sets, at least 12; 0 without a set.

    Examples
    --------
    >>> round(lead_in_sets("6-4 7-6(5)"), 1), lead_in_sets("6-0 2-0 RET"), lead_in_sets("W/O")
    (13.0, 66.7, 0.0)
    """
    sets = [(int(first), int(second)) for first, second in _SET.findall(_PARENTHESES.sub(" ", text))]
    first, second = (float(sum(points)) for points in zip(*sets, strict=True)) if sets else (0.0, 0.0)
    return round(100.0 * (first - second) / max(first + second, _FEWEST_OF_SETS), 1)


def goals_of(words: Sequence[str]) -> dict[str, Goals]:
    """Goals of a column's distinct words: mostly pairs of numbers, some above 1; else empty.

    In a column of pairs such as 3/1, 1/2 is no draw.

    Examples
    --------
    >>> [score.gap for score in goals_of(["3/1", "1/2", "0/0"]).values()], goals_of(["1", "1/2", "0"])
    ([2.0, -1.0, 0.0], {})
    """
    slash = "-" if any(_SLASHED.fullmatch(word.strip()) for word in words) else "/"
    goals = {word: score for word in words if (score := goals_in(word.replace("/", slash))) is not None}
    pairs = {(score.first, score.second) for score in goals.values()}
    many = any(max(pair) > 1 for pair in pairs) or (1, 1) in pairs
    gaelic = pairs == {(0.0, 2.0)} and len(goals) > 2 and max(map(int, re.findall(r"\d+", "-".join(goals)))) > 7
    return goals if many and not gaelic and len(goals) >= min(_MOST * len(words), max(3, len(words) - 1)) else {}


def result_of_go(text: str) -> str:
    """Result of a game of go with White first; `+:-` or `-:+` for a forfeit, empty if absent.

    Examples
    --------
    >>> [result_of_go(text) for text in ("W+R", "B+3.5", "W+F", "Jigo", "Void", "Unfinished")]
    ['1-0', '0-1', '+:-', '1/2-1/2', '', '']
    """
    eastern = _EASTERN.match(text.strip())
    if eastern is not None:
        return "1-0" if eastern[1] in "白백" else "0-1"
    match = _GO.fullmatch(text.strip())
    if match is None:
        return "1/2-1/2" if text.strip().lower() in _DRAWN else ""
    return (("+:-", "-:+") if match[2].strip(" .").lower() in _FORFEITED else ("1-0", "0-1"))[match[1].lower() == "b"]


def go_result(text: str) -> str:
    """Winning side by a result of go such as W+Res. or B+3.5; empty if it is not one."""
    return {"1-0": FIRST, "0-1": SECOND}.get(result_of_go(text), "")


def kinds_of(words: Sequence[str], meant: Collection[str] = ()) -> dict[str, str]:
    """FORFEIT, AWARDED or UNPLAYED by cell, for distinct cells of results without a result.

    Words that the user defined are not changed. "0-0" is a double forfeit if other cells are results of chess.
    """
    user_words = {word.lower() for word in meant}
    bare = {word: "".join(SPACED_DASH.sub("-", word).split()).lower() for word in words}
    chess = any(cell in (*HALVES, *_HALVES) for cell in bare.values())
    kinds: dict[str, str] = {}
    for word, plain in bare.items():
        goals, go, result = goals_in(word), result_of_go(word), _CHESS.fullmatch(plain)
        if plain in user_words or word.lower() in user_words or not plain:
            continue
        if plain in _SIGNS or (plain == "0-0" and chess):
            kind = FORFEIT
        elif result is not None and result[3]:
            tail = kind_of(result[3]) if goals is None else goals.tail
            kind = FORFEIT if result[3].strip("() .") in _FORFEITED else tail
        elif go in ("1-0", "0-1", "+:-", "-:+"):
            kind = FORFEIT if ":" in go else ""
        else:
            kind = goals.tail if goals is not None else UNPLAYED if _TWICE.fullmatch(plain) else kind_of(word)
        if kind in (FORFEIT, UNPLAYED, AWARDED):
            kinds[word] = kind
    return kinds


def without_tail(word: str) -> str:
    """Result of chess or a word without the tail on how it ended, as "1-0" of "1-0 (time)" and "W" of "W-KO"."""
    match = _TAILED.fullmatch("".join(SPACED_DASH.sub("-", word).split()).lower())
    return match[1] if match and kind_of(match[2]) in (PLAYED, DECIDED) else word


def winner_in(text: str) -> str:
    """Winner by a text such as "India won by 6 wickets", "Gana local" or "2-1 Aff"; else the text itself."""
    match = _VERDICT.fullmatch(text) or _WON_BY.fullmatch(text) or _PANEL.fullmatch(text)
    return text if match is None else match[1]
