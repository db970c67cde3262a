"""Classes of time control: bullet, blitz, rapid, classical, from a PGN TimeControl or the words of an event's name.

The thinking time of a game of 60 moves is m = base + 60 increments (FIDE Laws of Chess 2023, appendices A and B):

    bullet     m < 3 minutes          (usage; FIDE counts it as blitz)
    blitz      m <= 10 minutes
    rapid      m < 60 minutes
    classical  m >= 60 minutes

Lichess counts 40 moves: bullet below 179 seconds, blitz below 479, rapid below 1499, classical above.
"""

import re
from typing import Literal

Rules = Literal["fide", "lichess"]
CLASSES = ("bullet", "blitz", "rapid", "classical")
UNKNOWN_CLASS = "unknown"

STAGE = re.compile(r"(?:(\d{1,4})/)?(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,5}(?:\.\d{1,3})?))?")
WORDS = (
    ("bullet", re.compile(r"bullet|hyper", re.IGNORECASE)),
    ("blitz", re.compile(r"blitz|armageddon|\bspeed\b|\b(?:ICC|FICS|playchess|lichess)\b", re.IGNORECASE)),
    ("rapid", re.compile(r"rapid|quickplay|active ?chess|WRBC", re.IGNORECASE)),
    ("rapid", re.compile(r"\bTB\b|tie-?breaks?\b|\bonline\b|\binternet\b|\bPRO (?:Chess )?League", re.IGNORECASE)),
    ("classical", re.compile(r"classical|standard|correspondence", re.IGNORECASE)),
)
LIMITS_SECONDS = {"fide": (179.9, 600.0, 3599.9), "lichess": (178.9, 478.9, 1498.9)}
MOVES = {"fide": 60, "lichess": 40}


def thinking_seconds(time_control: str, moves: int = 60) -> float | None:
    """Return the seconds a player has for `moves` moves, None if the text does not say.

    Examples
    --------
    >>> thinking_seconds("300+3"), thinking_seconds("40/7200:3600"), thinking_seconds("-")
    (480.0, 10800.0, None)
    """
    total = 0.0
    for stage in time_control.strip().lstrip("*").split(":"):
        match = STAGE.fullmatch(stage.strip())
        if match is None:
            return None
        total += float(match[2]) + moves * float(match[3] or 0.0)
    return total


def time_class(time_control: str, event: str = "", rules: Rules = "fide") -> str:
    """Return the class of a game: bullet, blitz, rapid, classical or unknown.

    Examples
    --------
    >>> time_class("180+2"), time_class("?", "World Rapid Championship"), time_class("", "Wijk aan Zee")
    ('blitz', 'rapid', 'unknown')
    """
    seconds = thinking_seconds(time_control, MOVES[rules])
    if seconds is not None:
        bullet, blitz, rapid = LIMITS_SECONDS[rules]
        if seconds <= bullet:
            return "bullet"
        return "blitz" if seconds <= blitz else "rapid" if seconds <= rapid else "classical"
    return next((name for name, word in WORDS if word.search(event)), UNKNOWN_CLASS)
