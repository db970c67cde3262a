"""Time control of games: a class for each, and whether it is faster than classical chess.

In this order: PGN TimeControl, a tempo or words in the event's name, a site where games are played online, and a short
list of fast events of 2010 to 2012, from memory and not from a record (`fast_events.csv`). Any other game has
an unknown class, not classical. Games known only to be played online have the class `online`: they are fast, at an
unknown pace.

The thinking time of a game of 60 moves is m = base + 60 increments (FIDE Laws of Chess 2023, appendices A and B):

    bullet     m < 3 minutes          (usage; FIDE counts it as blitz)
    blitz      m <= 10 minutes
    rapid      m < 60 minutes
    classical  m >= 60 minutes

Lichess counts 40 moves: bullet below 179 seconds, blitz below 479, rapid below 1499, classical above.
"""

import re
from collections import Counter

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.models.games.packaged import packaged_rows, packaged_table
from halfpoint.models.games.table import Floats, GameTable, Texts

FAST = ("bullet", "blitz", "rapid", "online")
_JANUARY_2010 = 40 * 12  # months from January 1970


def fast_events() -> pd.DataFrame:
    """The list of fast events: event, first_month, last_month (YYYY-MM), time_class, source."""
    return pd.DataFrame(packaged_rows("models.games", "fast_events.csv"))


def time_classes(games: GameTable) -> Texts:
    """The class of each game, shape (game,): bullet, blitz, rapid, online, classical or unknown."""
    return _classes_and_evidence(games)[0]


def _classes_and_evidence(games: GameTable) -> tuple[Texts, Texts]:
    """Classes of games and their evidence (`EVIDENCE`), shapes (game,)."""
    column, by = games.covariates.get("time_class"), games.covariates.get(TOLD_BY)
    classes = np.full(len(games), UNKNOWN_CLASS, dtype="<U9") if column is None else np.asarray(column).astype("<U9")
    evidence = np.full(len(games), COLUMN, dtype="<U12") if by is None else np.asarray(by).astype("<U12")
    evidence[classes == UNKNOWN_CLASS] = _NOTHING
    if games.event is None:
        return classes, evidence
    names, place = np.unique(games.event, return_inverse=True)
    by_words = np.array([time_class("", str(name)) for name in names], dtype="<U9")[place]
    evidence[(classes == UNKNOWN_CLASS) & (by_words != UNKNOWN_CLASS)] = _WORDS_TELL
    classes = np.where(classes == UNKNOWN_CLASS, by_words, classes)
    month = _months_of(games)
    if month is None:
        return classes, evidence
    for name, begin, end, kind, _ in fast_events().to_numpy(dtype=str).tolist():
        first, last = np.array([begin, end], dtype="datetime64[M]").astype(np.int64)
        is_in_event = (games.event == name) & (month >= first) & (month <= last) & (classes == UNKNOWN_CLASS)
        classes, evidence = np.where(is_in_event, kind, classes), np.where(is_in_event, _RECALLED, evidence)
    return classes, evidence


def _months_of(games: GameTable) -> npt.NDArray[np.int64] | None:
    """The calendar month of each game since January 1970; the study's periods count from January 2010."""
    counted = None
    if games.period is not None and games.name.startswith("study"):
        counted = np.asarray(games.period, dtype=np.int64) - 1 + _JANUARY_2010
    if games.date is None:
        return counted
    months = games.date.astype("datetime64[M]").astype(np.int64)
    return months if counted is None else np.where(np.isnat(games.date), counted, months)


def fast(games: GameTable) -> Floats:
    """1 for games faster than classical chess, 0 for others and for unknown ones, shape (game,)."""
    if "fast" in games.covariates:
        return np.asarray(games.covariates["fast"], dtype=np.float64)
    return np.isin(time_classes(games), FAST).astype(np.float64)


def count_by_evidence(games: GameTable) -> dict[tuple[str, str], int]:
    """Number of games by class and by the evidence for it, "" of unknown ones; the fastest class first."""
    counted = Counter(zip(*(texts.tolist() for texts in _classes_and_evidence(games)), strict=True))
    order = ((name, by) for name in (*CLASSES, UNKNOWN_CLASS) for by in EVIDENCE)
    return {key: counted[key] for key in order if counted[key]}


def counts_by_evidence(games: GameTable) -> str:
    """Number of games by class and evidence, in words: ``60 classical (event's name), 6,456 unknown``."""
    counted = count_by_evidence(games).items()
    return ", ".join(f"{count:,} {name}" + (f" ({by})" if by else "") for (name, by), count in counted)


CLASSES = ("bullet", "blitz", "rapid", "online", "classical")
UNKNOWN_CLASS = "unknown"
TOLD_BY = "time_class_by"  # a reader's column: evidence for the class
EVIDENCE = ("TimeControl", "event's name", "site", "recalled", "its column", "")
_, _WORDS_TELL, _SITE_TELLS, _RECALLED, COLUMN, _NOTHING = EVIDENCE

_STAGE = re.compile(r"(?:(\d{1,4})/)?(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,5}(?:\.\d{1,3})?))?")
_TABLE = packaged_table("models.games", "time_words.toml")["events"]
_WORDS = [(row["class"], re.compile(row["words"], re.IGNORECASE)) for row in _TABLE]
_TEMPO = re.compile(r"\b(\d{1,3}) ?m(?:in)?\+(\d{1,2}) ?s|\bG/?((?:[1-9]?5|[1-9]0))\b", re.IGNORECASE)  # 3m+2spm, G30
_LICHESS = "lichess.org"
# A site whose games are played on it; "chess.com INT" is how The Week in Chess writes it. What a server only relays
# from a hall is not.
_ONLINE = re.compile(
    r"lichess\.org(?!/(?:broadcast|study))|chess\.com|chess24|freechess\.org|tornelo|playchess|\binternet\b|\bonline\b|\bINT$",
    re.IGNORECASE,
)
_LIMITS_SECONDS = {"fide": (179.9, 600.0, 3599.9), "lichess": (178.9, 478.9, 1498.9)}
_MOVES = {"fide": 60, "lichess": 40}


def _thinking_seconds(time_control: str, moves: int = 60) -> float | None:
    """Seconds a player has for `moves` moves, None if the text does not give it.

    Examples
    --------
    >>> _thinking_seconds("300+3"), _thinking_seconds("40/7200:3600"), _thinking_seconds("-")
    (480.0, 10800.0, None)
    """
    total = 0.0
    for stage in time_control.strip().lstrip("*").split(":"):
        match = _STAGE.fullmatch(stage.strip())
        if match is None:
            return None
        total += float(match[2]) + moves * float(match[3] or 0.0)
    return total


def venue(site: str) -> str:
    """Relevant part of a PGN Site: "lichess.org", "online" for other servers, empty for places and relays."""
    match = _ONLINE.search(site.strip())
    return "" if match is None else _LICHESS if match[0].lower() == _LICHESS else "online"


def time_class(time_control: str, event: str = "", site: str = "") -> str:
    """Class of a game: bullet, blitz, rapid, online, classical or unknown; games on Lichess use its own limits.

    Examples
    --------
    >>> time_class("180+2"), time_class("?", "World Rapid Championship"), time_class("", "Wijk aan Zee")
    ('blitz', 'rapid', 'unknown')
    """
    return class_and_evidence(time_control, event, site)[0]


def class_and_evidence(time_control: str, event: str = "", site: str = "") -> tuple[str, str]:
    """Class of a game and its evidence; see `time_class`."""
    server = venue(site)
    if tempo_class := _class_by_tempo(time_control, "lichess" if server == _LICHESS else "fide"):
        return tempo_class, EVIDENCE[0]
    if tempo := _TEMPO.search(event):
        return _class_by_tempo(f"{60 * int(tempo[1] or tempo[3])}+{tempo[2] or 0}", "fide"), _WORDS_TELL
    for name, word in _WORDS:
        if word.search(event):
            return name, _WORDS_TELL
    return ("online", _SITE_TELLS) if server else (UNKNOWN_CLASS, _NOTHING)


def _class_by_tempo(time_control: str, rules: str) -> str:
    """Class of a time control, empty if unknown."""
    seconds = _thinking_seconds(time_control, _MOVES[rules])
    if seconds is None:
        return ""
    bullet, blitz, rapid = _LIMITS_SECONDS[rules]
    if seconds <= bullet:
        return "bullet"
    return "blitz" if seconds <= blitz else "rapid" if seconds <= rapid else "classical"
