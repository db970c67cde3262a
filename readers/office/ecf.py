"""The ECF's results file: players by PIN, and games as two PINs with a score, in fields that begin with a hash.

    #PIN=1#ECF CODE=100000A#NAME=Adler, Ann            #SURNAME=Adler#FORENAME=Ann in other files
    #PIN1=8#SCORE=10#PIN2=1#GAME DATE=13/01/2024#COLOUR=W

SCORE is PIN1's score: 10 a win, 01 a loss, 55 a draw; COLOUR is PIN1's colour, in a game or for the section above it.
(English Chess Federation, rating: format of results files.)
"""

import re
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_FIELD = re.compile(r"#([^=#\n]++)(?:=([^#]*+)|(?=#|$))")
_SECTION = ("OTHER RESULTS", "SECTION RESULTS", "MATCH RESULTS", "TEAM MATCH RESULTS", "RESULTS")
_SCORES = {"10": "1-0", "01": "0-1", "55": "1/2-1/2", "1": "1-0", "0": "0-1", "5": "1/2-1/2", "½": "1/2-1/2"}
_USED = (
    "PIN",
    "NAME",
    "SURNAME",
    "FORENAME",
    "INITIALS",
    "ECF CODE",
    "BCF CODE",
    "EVENT NAME",
    "RESULTS DATE",
    "ROUND",
    "PIN1",
    "PIN2",
    "SCORE",
    "GAME DATE",
    "COLOUR",
    "WHITE ON",
    "PLAYER LIST",
    "FINISH",
    *_SECTION,
)


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with fields of the event and the players."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"#") and b"#PIN" in head and b"=" in head


def columns(file: str | Path, name: str, where: str) -> Source:
    """The games of a results file."""
    text, sha256 = read_text(file)
    players: dict[str, str] = {}
    rows: list[list[str]] = []
    lines: list[int] = []
    event, day, seat, section, others = "", "", "", "", dict[str, None]()
    for number, line in enumerate(text.splitlines(), 1):
        found = {key.strip().upper(): (value or "").strip() for key, value in _FIELD.findall(line)}
        others |= dict.fromkeys(key for key in found if key not in _USED)
        event, day = found.get("EVENT NAME", event), found.get("RESULTS DATE", day)
        begun = next((found[key] for key in _SECTION if key in found), None)
        if begun is not None:
            section, seat = begun, ""
        if "PIN1" not in found:
            seat = found.get("COLOUR", seat)
        if "PIN" in found:
            told = [found.get("SURNAME", ""), found.get("FORENAME", found.get("INITIALS", ""))]
            players[found["PIN"]] = found.get("NAME") or ", ".join(filter(None, told)) or found["PIN"]
        if "PIN1" in found:
            pair = [found["PIN1"], found.get("PIN2", "")]
            if any(pin not in players and pin.strip("0") for pin in pair):
                raise GameTableError(f"{where}, line {number}", "PINs of the list of players", " and ".join(pair))
            score = _SCORES.get(found.get("SCORE", ""), found.get("SCORE", ""))
            names = [players.get(pin, "bye") for pin in pair]
            own = found.get("COLOUR", seat).upper()[:1]
            if own in ("B", "2"):
                names.reverse()
                score = {"1-0": "0-1", "0-1": "1-0"}.get(score, score)
            played = found.get("GAME DATE", day)
            rows.append(
                [*names, score, found.get("ROUND", ""), played, section or event, "" if own in ("W", "B") else "1"]
            )
            lines.append(number)
    unknown = sum(row[6] == "1" for row in rows)
    notes = [f"ECF results: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}"]
    notes += [f"who had White is not known of {count_noun(unknown, 'game')}: they are neutral"] if unknown else []
    notes += [f"not used: {list_names(list(others))}"] if others else []
    header = ["White", "Black", "Result", "Round", "Datum", "Event", "neutral"]  # Datum: the day is first
    kept = [k for k in range(len(header)) if k < 3 or any(row[k] for row in rows)]
    cells = [[row[k] for k in kept] for row in rows]
    return source_of_rows([header[k] for k in kept], cells, name, where, lines, sha256, notes)


ECF = Form(recognises, columns)
