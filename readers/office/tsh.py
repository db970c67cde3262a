"""Divisions of tsh, the program of Scrabble tournaments: one line per player, with opponents' line numbers and scores.

    Adler, Ann  1600  2 3 0; 420 380 50; p12 1 2 0        name, rating, opponents (0 is a bye), scores, first moves

(tsh, poslfit.com: the data file of a division.)
"""

import re
from pathlib import Path

from halfpoint.models.games.compressed import decode, read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source

_PLAYER = re.compile(r"\A([^\d;#]{2,120}+)(?<=\s)(\d{1,4})\s([\d\s]*);([-\d\s]*)(?:;(.*))?")


def _players(text: str) -> list[tuple[int, re.Match[str]]]:
    """Lines of players with their numbers; empty if any other line is not a comment."""
    lines = [(k, line.partition("#")[0].strip()) for k, line in enumerate(text.splitlines(), 1)]
    pairs = [(k, _PLAYER.fullmatch(line)) for k, line in lines if line]
    return [] if any(match is None for _, match in pairs) else [(k, match) for k, match in pairs if match is not None]


def recognises(path: str, head: bytes) -> bool:
    """True if all lines are players with opponents and scores."""
    text = decode(head)
    players = _players(text if len(head) < 65536 else text[: text.rfind("\n")])
    have_names = all(any(map(str.isalpha, match[1])) for _, match in players)
    return len(players) > 1 and have_names and any(match[3].strip() for _, match in players)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a division."""
    text, sha256 = read_text(file)
    players = _players(text)
    if not players:
        raise GameTableError(location, "a player in each line", "another line")
    opponents = [[int(number) for number in match[3].split()] for _, match in players]
    scores = [[int(number) for number in match[4].split()] for _, match in players]
    firsts = [
        [int(number) for number in (re.search(r"p12\s++([\d ]+)", match[5] or "") or ["", ""])[1].split()]
        for _, match in players
    ]
    rows, lines, byes, unknown = [], [], 0, 0
    for row, (line, match) in enumerate(players):
        for k, opponent in enumerate(opponents[row]):
            if opponent == 0:
                byes += 1
                continue
            place = f"{location}, line {line}, round {k + 1}"
            if opponent > len(players) or opponents[opponent - 1][k : k + 1] != [row + 1] or opponent == row + 1:
                raise GameTableError(place, "what both players tell", f"opponent {opponent}")
            first = firsts[row][k] if k < len(firsts[row]) else 0
            reply = firsts[opponent - 1][k] if k < len(firsts[opponent - 1]) else 0
            if first == 2 or (first != 1 and reply != 2 and row > opponent - 1) or (first != 1 and reply == 1):
                continue
            certain = first == 1 or reply == 2
            unknown += not certain
            points = [str(series[k]) if k < len(series) else "" for series in (scores[row], scores[opponent - 1])]
            rival = players[opponent - 1][1]
            rows.append(
                [match[1].strip(), rival[1].strip(), *points, str(k + 1), match[2], rival[2], "" if certain else "1"]
            )
            lines.append(line)
    notes = [f"tsh: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}"]
    notes += [f"set apart: {count_noun(byes, 'bye')}"] if byes else []
    notes += [f"who began is not known of {count_noun(unknown, 'game')}: they are neutral"] if unknown else []
    header = ["Player 1", "Player 2", "white_goals", "black_goals", "Round", "WhiteElo", "BlackElo", "neutral"]
    return source_of_rows(header, rows, name, location, lines, sha256, notes)


TSH = Form(recognises, columns)
