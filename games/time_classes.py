"""What is known of the time control of games: a class for each, and whether it is faster than classical chess.

In this order: the column `time_class` of the reader (PGN TimeControl, or words of the event's name), the words of the
event's name, and a short list of events of 2010 to 2012 that are recalled, from no outside record, to have been played
fast (`datasets/fast_events.csv`). What none of them says stays unknown.
"""

from importlib.resources import files
from io import StringIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.games.readers.time_control import CLASSES, UNKNOWN_CLASS, time_class
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
