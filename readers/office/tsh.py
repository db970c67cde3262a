"""Divisions of tsh, the program of Scrabble tournaments: one line per player, with opponents' line numbers and scores.

    Adler, Ann  1600  2 3 0; 420 380 50; p12 1 2 0        name, rating, opponents (0 is a bye), scores, first moves

(tsh, poslfit.com: the data file of a division.)
"""

import re

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Rows, set_aside, text_form, text_of_head, unknown_seats
from halfpoint.readers.rounds import Met, games_of_rounds

_PLAYER = re.compile(r"\A([^\d;#]{2,120}+)(?<=\s)(\d{1,4})\s([\d\s]*);([-\d\s]*)(?:;(?:.*?p12\s++([\d ]+))?.*)?")
_SEATS = {"1": "w", "2": "b"}


def _players(text: str) -> list[tuple[int, re.Match[str]]]:
    """Lines of players with their numbers; empty if any other line is not a comment."""
    lines = [(k, line.partition("#")[0].strip()) for k, line in enumerate(text.splitlines(), 1)]
    pairs = [(k, _PLAYER.fullmatch(line)) for k, line in lines if line]
    return [] if any(match is None for _, match in pairs) else [(k, match) for k, match in pairs if match is not None]


def recognises(path: str, head: bytes) -> bool:
    """True if all lines are players with opponents and scores."""
    players = _players(text_of_head(head))
    have_names = all(any(map(str.isalpha, match[1])) for _, match in players)
    return len(players) > 1 and have_names and any(match[3].strip() for _, match in players)


def rows_of_text(text: str, location: str) -> Rows:
    """The games of a division."""
    players = _players(text)
    if not players:
        raise GameTableError(location, "a player in each line", "another line")
    rounds: list[list[Met | None]] = []
    for _, match in players:
        firsts = (match[5] or "").split()
        seats = [_SEATS.get(firsts[k], "") if k < len(firsts) else "" for k in range(len(match[3].split()))]
        opponents = [str(int(number)) for number in match[3].split()]
        rounds.append([Met(number, "", seat, f"opponent {number}") if number != "0" else None
                       for number, seat in zip(opponents, seats, strict=True)])  # fmt: skip
    row_of = {str(row + 1): row for row in range(len(players))}
    games = games_of_rounds(rounds, [row_of], "the same result from both players",
                            lambda row, number: f"{location}, line {players[row][0]}, round {number}")  # fmt: skip
    rows = []
    for game in games:
        sides = players[game.white][1], players[game.black][1]
        points = [(side[4].split()[game.round - 1 :] or [""])[0] for side in sides]
        names, ratings = [side[1].strip() for side in sides], [side[2] for side in sides]
        rows.append([*names, *points, game.round, *ratings, "" if game.seated else "1"])
    notes = [
        f"tsh: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}",
        set_aside(sum(row.count(None) for row in rounds), "bye"),
        unknown_seats(sum(not game.seated for game in games), "who began"),
    ]
    header = ["Player 1", "Player 2", "white_goals", "black_goals", "Round", "WhiteElo", "BlackElo", "neutral"]
    return Rows(header, rows, [players[game.white][0] for game in games], notes)


TSH = text_form(recognises, rows_of_text)
