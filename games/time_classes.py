"""What is known of the time control of games: a class for each, and whether it is faster than classical chess.

In this order: the column `time_class` of the reader (PGN TimeControl, or words of the event's name), the words of the
event's name, and a short list of events of 2010 to 2012 that are recalled, from no outside record, to have been played
fast (`datasets/fast_events.csv`). What none of them says stays unknown.

The thinking time of a game of 60 moves is m = base + 60 increments (FIDE Laws of Chess 2023, appendices A and B):

    bullet     m < 3 minutes          (usage; FIDE counts it as blitz)
    blitz      m <= 10 minutes
    rapid      m < 60 minutes
    classical  m >= 60 minutes

Lichess counts 40 moves: bullet below 179 seconds, blitz below 479, rapid below 1499, classical above.
"""

import re
from importlib.resources import files
from io import StringIO
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.games.table import Floats, GameTable, Texts

FAST = ("bullet", "blitz", "rapid")
JANUARY_2010 = 40 * 12  # months from January 1970


def fast_events() -> pd.DataFrame:
    """Return the list of fast events: event, first_month, last_month (YYYY-MM), time_class, source."""
    text = files("halfpoint.games.datasets").joinpath("fast_events.csv").read_text(encoding="utf-8")
    return pd.read_csv(StringIO(text), dtype=str)


def time_classes(games: GameTable) -> Texts:
    """Return the class of each game, shape (game,): bullet, blitz, rapid, classical or unknown."""
    told = games.covariates.get("time_class")
    found = np.full(len(games), UNKNOWN_CLASS, dtype="<U9") if told is None else np.asarray(told).astype("<U9")
    if games.event is None:
        return found
    names, place = np.unique(games.event, return_inverse=True)
    by_words = np.array([time_class("", str(name)) for name in names], dtype="<U9")[place]
    found = np.where(found == UNKNOWN_CLASS, by_words, found)
    month = months_of(games)
    if month is None:
        return found
    for name, begin, end, kind, _ in fast_events().to_numpy(dtype=str).tolist():
        first, last = np.array([begin, end], dtype="datetime64[M]").astype(np.int64)
        here = (games.event == name) & (month >= first) & (month <= last) & (found == UNKNOWN_CLASS)
        found = np.where(here, kind, found)
    return found


def months_of(games: GameTable) -> npt.NDArray[np.int64] | None:
    """Return the calendar month of each game since January 1970; the study's periods count from January 2010."""
    counted = None
    if games.period is not None and games.name.startswith("study"):
        counted = np.asarray(games.period, dtype=np.int64) - 1 + JANUARY_2010
    if games.date is None:
        return counted
    found = games.date.astype("datetime64[M]").astype(np.int64)
    return found if counted is None else np.where(np.isnat(games.date), counted, found)


def fast(games: GameTable) -> Floats:
    """Return 1 for games faster than classical chess and 0 for others and for those nobody knows, shape (game,)."""
    if "fast" in games.covariates:
        return np.asarray(games.covariates["fast"], dtype=np.float64)
    return np.isin(time_classes(games), FAST).astype(np.float64)


def shares(games: GameTable) -> dict[str, float]:
    """Return the share of the games in each class that occurs, the fastest first."""
    found = time_classes(games)
    every = {name: float(np.mean(found == name)) for name in (*CLASSES, UNKNOWN_CLASS)}
    return {name: share for name, share in every.items() if share > 0.0}


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
