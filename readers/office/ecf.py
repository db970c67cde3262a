"""The ECF's results file: players by PIN, and games as two PINs with a score, in fields that begin with a hash.

    #PIN=1#ECF CODE=100000A#NAME=Adler, Ann            #SURNAME=Adler#FORENAME=Ann in other files
    #PIN1=8#SCORE=10#PIN2=1#GAME DATE=13/01/2024#COLOUR=W

SCORE is PIN1's score: 10 a win, 01 a loss, 55 a draw; COLOUR is PIN1's colour, in a game or for the section above it.
(English Chess Federation, rating: format of results files.)
"""

import re

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.packaged import packaged_table
from halfpoint.readers.forms import Rows, not_used, text_form, unknown_seats

_FIELD = re.compile(r"#([^=#\n]++)(?:=([^#]*+)|(?=#|$))")
_SECTIONS, _USED, _RESULTS = packaged_table("readers.office", "fields.toml")["ecf"].values()


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with fields of the event and the players."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"#") and b"#PIN" in head and b"=" in head


def rows_of_text(text: str, location: str) -> Rows:
    """The games of a results file."""
    players: dict[str, str] = {}
    rows, lines = list[list[str | None]](), list[int]()
    event, day, seat, section, unused_keys = "", "", "", "", dict[str, None]()
    for number, line in enumerate(text.splitlines(), 1):
        values = {key.strip().upper(): (value or "").strip() for key, value in _FIELD.findall(line)}
        unused_keys |= dict.fromkeys(key for key in values if key not in (*_USED, *_SECTIONS))
        event, day = values.get("EVENT NAME", event), values.get("RESULTS DATE", day)
        begun = next((values[key] for key in _SECTIONS if key in values), None)
        section, seat = (section, seat) if begun is None else (begun, "")
        seat = seat if "PIN1" in values else values.get("COLOUR", seat)
        if "PIN" in values:
            name_parts = [values.get("SURNAME", ""), values.get("FORENAME", values.get("INITIALS", ""))]
            players[values["PIN"]] = values.get("NAME") or ", ".join(filter(None, name_parts)) or values["PIN"]
        if "PIN1" in values:
            pair = [values["PIN1"], values.get("PIN2", "")]
            if any(pin not in players and pin.strip("0") for pin in pair):
                raise GameTableError(f"{location}, line {number}", "PINs of the list of players", " and ".join(pair))
            score = _RESULTS.get(values.get("SCORE", ""), values.get("SCORE", ""))
            names = [players.get(pin, "bye") for pin in pair]
            colour = values.get("COLOUR", seat).upper()[:1]
            if colour in ("B", "2"):
                names.reverse()
                score = {"1-0": "0-1", "0-1": "1-0"}.get(score, score)
            played, seated = values.get("GAME DATE", day), colour in ("W", "B")
            rows.append([*names, score, values.get("ROUND"), played, section or event, "" if seated else "1"])
            lines.append(number)
    notes = [
        f"ECF results: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}",
        unknown_seats(sum(row[6] == "1" for row in rows)),
        not_used(unused_keys),
    ]
    # Datum: the day is first
    return Rows(["White", "Black", "Result", "Round", "Datum", "Event", "neutral"], rows, lines, notes)


ECF = text_form(recognises, rows_of_text)
