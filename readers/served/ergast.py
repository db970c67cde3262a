"""Results of motor races in JSON as Ergast and jolpica-f1 serve them: races with one placing per result.

    {"MRData": {"RaceTable": {"Races": [{"season": "2024", "round": "1", "raceName": "...", "date": "2024-03-02",
     "Results": [{"position": "1", "positionText": "1", "Driver": {"driverId": "ann", "givenName": "Ann", ...}}]}]}}}

A race with several lists (Results, SprintResults, QualifyingResults) is one event for each list. `halfpoint races`
reads them.
"""

from pathlib import Path
from typing import Any

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_LISTS = {"Results": "", "SprintResults": " sprint", "QualifyingResults": " qualifying"}


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as Ergast's answer with a table of races."""
    return b'"MRData"' in head[:2000] and b'"Races"' in head


def columns(file: str | Path, name: str, location: str) -> Source:
    """The placings of a file's races."""
    document = read_document(file, location)
    rows, keys = [], dict[str, None]()
    for value in document.values:
        for race in _races(value):
            for key, kind in _LISTS.items():
                for placing in race.get(key) or []:
                    keys |= dict.fromkeys(placing)
                    driver = placing.get("Driver") or {}
                    full = f"{driver.get('givenName', '')} {driver.get('familyName', '')}".strip()
                    event = f"{race.get('season', '')} {race.get('raceName', race.get('round', ''))}{kind}".strip()
                    place = placing.get("positionText") or placing.get("position")
                    rows.append((event, full or driver.get("driverId"), place, race.get("date")))
    if not rows:
        raise GameTableError(location, "races with results", "none")
    unread_keys = [key for key in keys if key not in ("position", "positionText", "Driver")]
    notes = [f"not used: {list_names(unread_keys)}"] if unread_keys else []
    return source_of_rows(("event", "competitor", "place", "date"), rows, name, location, None, document.sha256, notes)


ERGAST = Form(recognises, columns)


def _races(value: Any) -> list[dict[str, Any]]:
    """Races of an answer; empty for other values."""
    for key in ("MRData", "RaceTable", "Races"):
        value = value.get(key) if isinstance(value, dict) else None
    return [race for race in value if isinstance(race, dict)] if isinstance(value, list) else []
