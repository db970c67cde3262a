"""Games in JSON as servers give it: two sides in objects or pairs, and the winner, in any of these ways.

    {"players": {"white": {"user": {"name": "Ann"}}, "black": ...}, "winner": "white", "status": "mate"}
    {"homeTeam": {"name": "Ayr"}, "awayTeam": ..., "score": {"fullTime": {"home": 2, "away": 1}}, "status": "FINISHED"}
    {"team1": "Ayr", "team2": "Elgin", "score": {"ft": [2, 1]}}        {"h": {"title": "Ayr"}, "goals": {"h": "2"}}
    {"match": {"player1_id": 7, "player2_id": 9, "winner_id": 7, "state": "complete"}}, with names elsewhere in the file

The winner is read from the goals, else from a name or a mark of the winner, else from the sides' results. A game with
the status of an unplayed game has no result. Lichess, chess.com, football-data.org and Challonge document such answers;
Understat and openfootball publish such files.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import count_noun
from halfpoint.readers.csv_files import words_in
from halfpoint.readers.forms import Form, not_used, set_aside, source_of_rows
from halfpoint.readers.open_source import open_source
from halfpoint.readers.served.json_sides import (
    SIDES,
    Sides,
    are_own_ids,
    find_sides,
    is_id,
    last_word,
    number,
    plain,
    sits_second,
)
from halfpoint.readers.served.records import Record, Table, names_by_id, read_document, tables_of
from halfpoint.readers.sources import Source

_WORDS = words_in("readers.served")
_DATES, _ROUNDS, _STATUS, _WINNERS = (_WORDS[role] for role in ("date", "round", "status", "winner"))
_SPOILT, _UNPLAYED, _OVER, _DRAWN = (_WORDS[role] for role in ("spoilt", "unplayed", "over", "drawn"))
_HALVES = dict.fromkeys(_WORDS["won"], 2) | dict.fromkeys((*_DRAWN, "d"), 1) | dict.fromkeys(_WORDS["lost"], 0)
_RESULTS = ("0-1", "1/2-1/2", "1-0")
_HEADER = ("Result", "white_goals", "black_goals", "WhiteElo", "BlackElo", "Date", "Round", "neutral")
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*[\[{]")
_INSIDE = re.compile(rb'[\[{,]\s*"\w+"\s*:\s*[\[{]')
_TOLD = re.compile(
    rb'"(?:winner\w*|(?=\w*?score)\w*+|goals|result|status|state|points|ft|outcome|\w+_(?:win|lost))"\s*:',
    re.IGNORECASE,
)
_LISTS = re.compile(
    rb'"(?:competitors|opponents|contestants|slots|teams|participants|sides|players)"\s*:\s*\[\s*[{"]', re.I
)
_FLAT = (b'"radiant_win"', b'"strHomeTeam"')  # of OpenDota and TheSportsDB, whose games have no objects
_OPENED = [
    [re.compile(rb'"%s(?:_?(?:team|player|user|id|name))?"\s*:\s*[\[{"\d]' % word.encode(), re.I) for word in pair]
    for pair in SIDES if pair[0] not in ("0", "1", "a")
]  # fmt: skip


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as JSON with values in objects of objects, two sides, and a result."""
    nested = _INSIDE.search(head) or any(key in head for key in _FLAT)
    if not (_HEAD.match(head) and nested and _TOLD.search(head)):
        return False
    opened = any(first.search(head) and second.search(head) for first, second in _OPENED)
    return opened or bool(_LISTS.search(head)) or _FLAT[1] in head


def columns(file: str | Path, name: str, location: str) -> Source:
    """Games of a file; a file without a table of two sides and results is read like any other JSON."""
    document = read_document(file, location)
    ids = names_by_id(document)
    for table in sorted(tables_of(document).values(), key=len, reverse=True):
        sides = find_sides(table, ids)
        if sides is not None:
            games = _Games(
                sides, ids, dict.fromkeys(key for _, row in table for key in row if row[key] not in (None, ""))
            )
            if games.result_paths:
                playable = [(line, row) for line, row in table if games.side(row, 0) and games.side(row, 1)]
                lines, notes = [line for line, _ in playable] if document.lines else None, games.notes(table, playable)
                return source_of_rows(*games.rows(playable), name, location, lines, document.sha256, notes)
    text, _ = read_text(file)
    return open_source(file, "json" if text.lstrip().startswith("[") else "jsonl", None, name, location)


JSON_GAMES = Form(recognises, columns)


class _Games:
    """Columns of the games in a table of records."""

    def __init__(self, sides: Sides, ids: Mapping[str, str], keys: Collection[str]) -> None:
        self.sides, self.ids, self.keys = sides, ids, keys  # names by id; paths at which records have a value
        self.winner, self.stated = self.path(_WINNERS), self.path(("result",))
        self.states, self.spoilt = (  # paths of the status of a game, and of marks of invalid games
            [path for word in words if (path := self.path((word,)))] for words in (_STATUS, _SPOILT)
        )
        by_goals, by_winner = sides.goals or (), [self.winner] if self.winner else sides.marks or ()
        by_word = [self.stated] if self.stated else []
        by_order = list(sides.names[0]) if sides.of_winners else []
        self.result_paths = [*by_goals, *by_winner] or by_word or by_order
        own_ids = [pair for pair in sides.pairs if any(are_own_ids(pair, names) for names in sides.names)]
        self.own = [*sides.names, *own_ids]  # pairs of paths of the sides' names and ids

    def path(self, words: Sequence[str]) -> str | None:
        """Shortest path outside the sides that ends with the first possible of some words."""
        sides = {path for pair in self.sides.pairs for path in pair}
        for word in words:
            paths = [path for path in self.keys if path not in sides and (path == word or path.endswith(f".{word}"))]
            if paths:
                return min(paths, key=len)
        return None

    def called(self, row: Record, which: int) -> set[str]:
        """Names and ids of a side of a record, in small letters and digits."""
        return {plain(row.get(pair[which])) for pair in self.own} - {""}

    def side(self, row: Record, which: int) -> str:
        """The name of a side of a record; empty if absent."""
        for pair in self.sides.names:
            value = row.get(pair[which])
            if value not in (None, ""):
                by_id = is_id(pair[which]) or isinstance(value, int)
                return self.ids.get(str(value), str(value)) if by_id else str(value)
        return ""

    def result(self, row: Record) -> str:
        """Result of a record; empty if the game was not played or has no result."""
        if any(plain(row.get(path)) in _UNPLAYED for path in self.states):
            return ""
        if any(plain(row.get(path)) in ("true", "1") for path in self.spoilt):
            return "+:-"
        if any(count is not None and count < 0 for count in (number(row.get(path)) for path in self.sides.goals or ())):
            return "+:-"
        goals = self.goals(row)
        by_goals = _RESULTS[1 + (goals[0] > goals[1]) - (goals[0] < goals[1])] if goals else ""
        return self.by_winner(row) or by_goals or self.drawn(row)

    def contradicts(self, row: Record) -> bool:
        """True if the named winner of a record does not have more goals than the other side."""
        goals, result = self.goals(row), self.by_winner(row)
        sign = (goals[0] > goals[1]) - (goals[0] < goals[1]) if goals else 0
        return bool(goals) and result in _RESULTS and _RESULTS.index(result) - 1 != sign

    def drawn(self, row: Record) -> str:
        """Draw if the status states it, or the game is over without a winner; else empty."""
        states = {plain(row.get(path)) for path in self.states}
        return _RESULTS[1] if states & {*_DRAWN} or (states & {*_OVER} and (self.winner or self.sides.marks)) else ""

    def goals(self, row: Record) -> list[float]:
        """Goals of both sides of a record, by names or ids beside them; None if missing."""
        numbers = [number(row.get(path)) for path in self.sides.goals or ()]
        goals = [count for count in numbers if count is not None and count >= 0]
        if len(goals) < 2:
            return []
        for left, right in self.sides.labels:
            labels = plain(row.get(left)), plain(row.get(right))
            first, second = ([label in self.called(row, which) for which in (0, 1)] for label in labels)
            if first[0] and second[1] and not (first[1] and second[0]):
                return goals
            if first[1] and second[0]:
                return goals[::-1]
        return [] if self.sides.labels else goals

    def by_winner(self, row: Record) -> str:
        """Result by the named or marked winner; empty if absent."""
        if self.sides.of_winners:
            return _RESULTS[2]
        value = row.get(self.winner) if self.winner else None
        if value not in (None, "") and self.winner:
            return self.won_by(row, plain(value)) or str(value)
        halves = [_HALVES.get(plain(row.get(path))) for path in self.sides.marks or ()]
        if len(halves) == 2 and halves[0] is not None and halves[1] == 2 - halves[0]:
            return _RESULTS[2 - halves[0] if "lost" in (self.sides.marks or ("",))[0] else halves[0]]
        return str(row[self.stated]) if self.stated and row.get(self.stated) not in (None, "") else ""

    def won_by(self, row: Record, word: str) -> str:
        """Result by a word for the winner: a side, a code, a name or an id; empty if not of one side."""
        winner = self.winner or ""
        if last_word(winner) == "win":  # radiant_win
            return _RESULTS[2 * (word in ("true", "1"))]
        if winner.endswith("code"):
            return {"1": _RESULTS[2], "2": _RESULTS[0], "3": _RESULTS[1], "0": _RESULTS[1]}.get(word, "")
        for which, side in enumerate(self.sides.words):
            if word in (side, f"{side}team"):
                return _RESULTS[2 - 2 * which]
        matches = [word in self.called(row, which) for which in (0, 1)]
        if matches[0] != matches[1]:
            return _RESULTS[2 * matches[0]]
        return _RESULTS[1] if word in _DRAWN else ""

    def rows(self, table: Table) -> tuple[list[str], list[list[str]]]:
        """The header and the rows of a table of games."""
        ratings = next((pair for pair in self.sides.pairs if last_word(pair[0]) in ("rating", "elo")), None)
        date, round_, ground = (self.path(words) for words in (_DATES, _ROUNDS, ("neutral", "neutralsite")))
        team = self.sides.words[0].startswith(("home", "h", "local", "team", "radiant"))
        first, second = ("Home", "Away") if team else ("White", "Black")
        if self.sides.seated is None and self.sides.words[0] not in ("white", "home", "h", "local"):
            first, second = ("Team 1", "Team 2") if team else ("Player 1", "Player 2")
        rows = []
        odd = any(self.contradicts(row) for _, row in table)  # then goals are no margin
        for _, row in table:
            names = [self.side(row, 0), self.side(row, 1)]
            result = self.result(row)
            goals = [f"{count:g}" for count in self.goals(row) if result and not odd] or ["", ""]
            rated = ["" if ratings is None else str(row.get(path) or "") for path in (ratings or ("", ""))]
            if sits_second(row, self.sides.seated):
                names, goals, rated, result = names[::-1], goals[::-1], rated[::-1], "-".join(result.split("-")[::-1])
            neutral = "1" if self.sides.of_winners or plain(row.get(ground or "")) in ("true", "1") else ""
            when = [str(row.get(path or "") or "") for path in (date, round_)]
            rows.append([*names, result, *goals, *rated, *when, neutral])
        return [first, second, *_HEADER], rows

    def notes(self, table: Table, playable: Table) -> list[str]:
        """Paths from which games are read, and excluded games."""
        pairs = (*self.sides.labels, *self.sides.names, self.sides.seated or ())
        used = {*self.result_paths, *self.states, *self.spoilt, *(path for pair in pairs for path in pair)}
        used |= {path for words in (_DATES, _ROUNDS, ("neutral", "neutralsite")) if (path := self.path(words))}
        unread_paths = (path for path in self.keys if path not in used and last_word(path) not in ("rating", "elo"))
        odd = sum(self.contradicts(row) for _, row in playable)
        return [
            f"JSON of games: sides {' and '.join(self.sides.names[0])}, results from {' and '.join(self.result_paths)}",
            set_aside(len(table) - len(playable), "game", " without the names of both sides"),
            f"{count_noun(odd, 'game')} won by a side that has not more goals: margins are not used" if odd else "",
            not_used(unread_paths),
        ]
