"""OpenGotha's tournament files: XML with players, games of go, and byes.

A game names its players by their name and first name in capitals without blanks; results are RESULT_WHITEWINS,
RESULT_BLACKWINS, RESULT_EQUAL, RESULT_UNKNOWN and others, and end with _BYDEF if the game was not played.
(lvannier.opengotha, `ExternalDocument`.)
"""

from pathlib import Path
from xml.etree import ElementTree

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source

_RESULTS = {"RESULT_WHITEWINS": "1-0", "RESULT_BLACKWINS": "0-1", "RESULT_EQUAL": "1/2-1/2",
            "RESULT_WHITEWINS_BYDEF": "+:-", "RESULT_BLACKWINS_BYDEF": "-:+"}  # fmt: skip


def recognises(path: str, head: bytes) -> bool:
    """True if a file is XML of a tournament with players and go games."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<") and b"<Tournament" in head and b"<Player" in head


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a tournament."""
    text, sha256 = read_text(file)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise GameTableError(location, "XML of OpenGotha", "a document type or an entity of its own")
    try:
        root = ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        raise GameTableError(location, "XML", str(error)) from None
    players = {}
    for player in root.iter("Player"):
        full = f"{player.get('name', '')} {player.get('firstName', '')}".strip()
        players[full.replace(" ", "").upper()] = full, player.get("rating", "")
    about = next(root.iter("GeneralParameterSet"), None)
    event, day = ("", "") if about is None else (about.get("name", ""), about.get("beginDate", ""))
    rows, handicaps, unseated = [], 0, 0
    for game in root.iter("Game"):
        keys = [game.get("whitePlayer", ""), game.get("blackPlayer", "")]
        if any(key.upper() not in players for key in keys):
            raise GameTableError(
                f"{location}, round {game.get('roundNumber')}", "names of its players", " and ".join(keys)
            )
        seats_known = game.get("knownColor", "true") != "false"
        (white, white_rating), (black, black_rating) = (players[key.upper()] for key in keys)
        result = _RESULTS.get(game.get("result", ""), "")
        stones = game.get("handicap", "0")
        handicaps += stones not in ("0", "") and bool(result)
        unseated += not seats_known
        round_, neutral = game.get("roundNumber", ""), "" if seats_known else "1"
        rows.append([white, black, result, round_, day, white_rating, black_rating, event, stones, neutral])
    byes = sum(1 for _ in root.iter("ByePlayer"))
    notes = [f"OpenGotha: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}"]
    notes += [f"set apart: {count_noun(byes, 'bye')}"] if byes else []
    notes += (
        [f"{count_noun(handicaps, 'game')} with handicap stones (column handicap), counted as even"]
        if handicaps
        else []
    )
    notes += [f"who had White is not known of {count_noun(unseated, 'game')}: they are neutral"] if unseated else []
    notes.append("not used: ranks, clubs and settings of the tournament")
    header = ["White", "Black", "Result", "Round", "Date", "WhiteElo", "BlackElo", "Event", "handicap", "neutral"]
    filled = [k for k in range(len(header)) if k < 3 or any(row[k] for row in rows)]
    cells = [[row[k] for k in filled] for row in rows]
    return source_of_rows([header[k] for k in filled], cells, name, location, None, sha256, notes)


OPEN_GOTHA = Form(recognises, columns)
