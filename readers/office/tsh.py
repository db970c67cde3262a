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
    found = [(k, _PLAYER.fullmatch(line)) for k, line in lines if line]
    return [] if any(one is None for _, one in found) else [(k, one) for k, one in found if one is not None]


def recognises(path: str, head: bytes) -> bool:
    """True if all lines are players with opponents and scores."""
    text = decode(head)
    players = _players(text if len(head) < 65536 else text[: text.rfind("\n")])
    named = all(any(map(str.isalpha, one[1])) for _, one in players)
    return len(players) > 1 and named and any(one[3].strip() for _, one in players)


def columns(file: str | Path, name: str, where: str) -> Source:
    """The games of a division."""
    text, sha256 = read_text(file)
    players = _players(text)
    if not players:
        raise GameTableError(where, "a player in each line", "another line")
    opponents = [[int(one) for one in found[3].split()] for _, found in players]
    scores = [[int(one) for one in found[4].split()] for _, found in players]
    firsts = [
        [int(one) for one in (re.search(r"p12\s++([\d ]+)", found[5] or "") or ["", ""])[1].split()]
        for _, found in players
    ]
    rows, lines, byes, unknown = [], [], 0, 0
    for own, (line, found) in enumerate(players):
        for at, other in enumerate(opponents[own]):
            if other == 0:
                byes += 1
                continue
            place = f"{where}, line {line}, round {at + 1}"
            if other > len(players) or opponents[other - 1][at : at + 1] != [own + 1] or other == own + 1:
                raise GameTableError(place, "what both players tell", f"opponent {other}")
            first = firsts[own][at] if at < len(firsts[own]) else 0
            theirs = firsts[other - 1][at] if at < len(firsts[other - 1]) else 0
            if first == 2 or (first != 1 and theirs != 2 and own > other - 1) or (first != 1 and theirs == 1):
                continue
            known = first == 1 or theirs == 2
            unknown += not known
            points = [str(one[at]) if at < len(one) else "" for one in (scores[own], scores[other - 1])]
            rival = players[other - 1][1]
            rows.append(
                [found[1].strip(), rival[1].strip(), *points, str(at + 1), found[2], rival[2], "" if known else "1"]
            )
            lines.append(line)
    notes = [f"tsh: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}"]
    notes += [f"set apart: {count_noun(byes, 'bye')}"] if byes else []
    notes += [f"who began is not known of {count_noun(unknown, 'game')}: they are neutral"] if unknown else []
    header = ["Player 1", "Player 2", "white_goals", "black_goals", "Round", "WhiteElo", "BlackElo", "neutral"]
    return source_of_rows(header, rows, name, where, lines, sha256, notes)


TSH = Form(recognises, columns)
