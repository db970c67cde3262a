"""Games in JSON as servers give it: two sides in objects or pairs, and the winner, in any of these ways.

    {"players": {"white": {"user": {"name": "Ann"}}, "black": ...}, "winner": "white", "status": "mate"}
    {"homeTeam": {"name": "Ayr"}, "awayTeam": ..., "score": {"fullTime": {"home": 2, "away": 1}}, "status": "FINISHED"}
    {"team1": "Ayr", "team2": "Elgin", "score": {"ft": [2, 1]}}        {"h": {"title": "Ayr"}, "goals": {"h": "2"}}
    {"match": {"player1_id": 7, "player2_id": 9, "winner_id": 7, "state": "complete"}}, with names elsewhere in the file

The winner is read from the goals, else from a name or a mark of the winner, else from the sides' results. A game with
the status of an unplayed game has no result. Lichess, chess.com, football-data.org and Challonge document such answers;
Understat and openfootball publish such files.

Two paths belong to the two sides if they differ in one word: `home_score` and `away_score`, `players.white.rating` and
`players.black.rating`, `score.ft.0` and `score.ft.1`.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import count_noun
from halfpoint.readers.csv_files import words_in
from halfpoint.readers.forms import Form, not_used, set_aside, source_of_rows
from halfpoint.readers.open_source import open_source
from halfpoint.readers.served.records import AROUND, NAMES, Record, Table, names_by_id, read_document, tables_of
from halfpoint.readers.sources import Source
from halfpoint.readers.words import number

_WORDS = words_in("readers.served")
SIDES = tuple((first, second) for first, _, second in (pair.partition("-") for pair in _WORDS["sides"]))
_LONG_SIDES = "|".join(word for pair in SIDES for word in pair if len(word) > 2)
type Pair = tuple[str, str]  # paths
_NAME_WORDS = (*NAMES, *_WORDS["nouns"], *(word for pair in SIDES for word in pair), *_WORDS["codes"])
_GOALS, _MARKS = _WORDS["goals"], _WORDS["marks"]
_ALONE = rf"(?<![a-z])(?:{'|'.join(_WORDS['no_goals_alone'])})(?![a-z])"
_NO_GOALS = re.compile("|".join([_ALONE, *_WORDS["no_goals"]]))
_ASIDE = re.compile(rf"(?:\A|\.)(?:{'|'.join(_WORDS['aside'])})(?:\.\d++)?\.")
_AT_HOME = dict(pair.split("-") for pair in _WORDS["at_home"])


@dataclass(frozen=True)
class Sides:
    """Keys of the two sides in the records of a table."""

    words: tuple[str, str]
    names: tuple[Pair, ...]  # the best first: a record has the first of which it has both
    pairs: tuple[Pair, ...]  # all pairs of the words
    goals: Pair | None
    labels: tuple[Pair, ...]  # names or ids beside the goals, where these are in a list of their own
    marks: Pair | None
    seated: Pair | None  # paths that mark the side at home, or with White

    @property
    def of_winners(self) -> bool:
        """True if the first side is always the winner."""
        return self.words in (("winner", "loser"), ("winning", "losing"))


def find_sides(table: Table, ids: Mapping[str, str]) -> Sides | None:
    """Two sides of most records of a table; None if they have no names, and no ids with names."""
    keys = list(dict.fromkeys(key for _, row in table for key in row if not key.startswith(AROUND)))
    pairs = {words: [(key, twin) for key in keys for twin in _swapped(key, *words) if twin in keys] for words in SIDES}
    for words, matched in pairs.items():
        names = tuple(sorted((pair for pair in matched if _hold_names(table, pair, ids)), key=_name_rank))
        if 2 * sum(any(row.get(a) and row.get(b) for a, b in names) for _, row in table) <= len(table):
            continue
        other_pairs = [pair for other_words, group in pairs.items() if other_words != words for pair in group]
        all_pairs = dict.fromkeys((*matched, *other_pairs))
        goals = [pair for pair in all_pairs if pair not in names and _are_goals(table, pair)]
        marks = [pair for pair in matched if pair not in names and pair not in goals and last_word(pair[0]) in _MARKS]
        seated = next((pair for pair in matched if last_word(pair[0]) in _AT_HOME), None)
        rank = {pair: next(k for k, word in enumerate(_GOALS) if word in pair[0]) for pair in goals}  # full time first
        best = min(goals, key=lambda pair: (pair not in matched, rank[pair], len(pair[0]), pair[0]), default=None)
        mark = min(marks, key=lambda pair: (_MARKS.index(last_word(pair[0])), len(pair[0])), default=None)
        siblings = [pair for pair in all_pairs if best and _parents(pair) == _parents(best) != _parents(names[0])]
        labels = tuple(pair for pair in siblings if pair != best and _hold_names(table, pair, ids))
        return Sides(words, names, tuple(matched), best, labels, mark, seated)
    return None


def _parents(pair: Pair) -> tuple[str, str]:
    """Paths of the objects that contain a pair of values."""
    return pair[0].rpartition(".")[0], pair[1].rpartition(".")[0]


def are_own_ids(pair: Pair, names: Pair) -> bool:
    """True if a pair of paths has the ids of the sides whose names are at another pair: beside these, or above."""
    roots, name_roots = _parents(pair), _parents(names)
    return is_id(pair[0]) and all(f"{b}.".startswith(f"{a}.") or not a for a, b in zip(roots, name_roots, strict=True))


def _turned(result: str) -> str:
    """A result from the other side; words are unchanged."""
    return "-".join(result.split("-")[::-1]) if result[:1].isdigit() else {"+:-": "-:+"}.get(result, result)


def sits_second(row: Record, seated: Pair | None) -> bool:
    """True if a record places its second side at home, or with White."""
    if seated is None:
        return False
    first, second = (plain(row.get(path)) for path in seated)
    return second == _AT_HOME[last_word(seated[0])] != first


def _swapped(path: str, first: str, second: str) -> Iterator[str]:
    """Yield a path with a word of the first side exchanged for the second side's, all and one at a time."""
    before = r"(?<!\d)" if first == "1" else r"(?<![^._])"
    pattern = rf"{before}{first}(?![^._])" if len(first) < 2 else rf"{first}(?!\d)"
    several = [*re.finditer(pattern, path)]
    if len(several) > 1:
        yield re.sub(pattern, second, path)
    for match in several:
        yield path[: match.start()] + second + path[match.end() :]


def last_word(path: str) -> str:
    """The last part of a path without the sides' words: `name` of `home.name`, `score` of `away_score`."""
    last = path.rpartition(".")[2]
    if last in _MARKS or last in _AT_HOME:
        return last
    for word in (word for pair in SIDES for word in pair):
        if len(word) > 1 or not word.isalpha():
            last = last.removeprefix(word).removesuffix(word) or last
    return last.strip("_") or path.rpartition(".")[2]


def is_id(path: str) -> bool:
    """True if a path ends with an id."""
    return re.search(rf"(?:^|[._]|player\d?|team\d?|user|winner|{_LONG_SIDES})id$", path) is not None


def _hold_names(table: Table, pair: Pair, ids: Mapping[str, str]) -> bool:
    """True if names, or ids, are at both paths, and they differ within records."""
    values = [(row.get(pair[0]), row.get(pair[1])) for _, row in table]
    values = [(a, b) for a, b in values if a not in (None, "") and b not in (None, "")]
    if not values or 10 * sum(a == b for a, b in values) > len(values):
        return False
    if is_id(pair[0]) or all(isinstance(value, int) and str(value) in ids for two in values for value in two):
        return all(isinstance(value, str | int) for two in values for value in two)
    last = pair[0].rpartition(".")[2]
    name_words = {last, last_word(pair[0]), *last.split("_")} & {*_NAME_WORDS}
    return bool(name_words) and all(isinstance(value, str) and number(value) is None for two in values for value in two)


def _name_rank(pair: Pair) -> tuple[bool, int, int, str]:
    """Rank of a pair of names: ids last, names before codes, short paths first."""
    last = last_word(pair[0])
    return is_id(pair[0]), _NAME_WORDS.index(last) if last in _NAME_WORDS else len(_NAME_WORDS), len(pair[0]), pair[0]


def _are_goals(table: Table, pair: Pair) -> bool:
    """True if both paths have numbers of goals wherever either has a value."""
    if _NO_GOALS.search(pair[0]) or not any(word in pair[0] for word in _GOALS):
        return False
    values = [(row.get(pair[0]), row.get(pair[1])) for _, row in table]
    values = [(a, b) for a, b in values if a not in (None, "") or b not in (None, "")]
    return bool(values) and all(number(value) is not None for two in values for value in two)


def plain(value: object) -> str:
    """A value in small letters and digits; empty for None."""
    return "" if value is None else re.sub(r"[^a-z0-9]+", "", str(value).lower())


_DATES, _ROUNDS, _STATUS, _WINNERS = (_WORDS[role] for role in ("date", "round", "status", "winner"))
_SPOILT, _UNPLAYED, _OVER, _DRAWN = (_WORDS[role] for role in ("spoilt", "unplayed", "over", "drawn"))
_HALVES = dict.fromkeys(_WORDS["won"], 2) | dict.fromkeys((*_DRAWN, "d"), 1) | dict.fromkeys(_WORDS["lost"], 0)
_RESULTS = ("0-1", "1/2-1/2", "1-0")
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*[\[{]")
_INSIDE = re.compile(rb'[\[{,]\s*"\w+"\s*:\s*[\[{]')
_TOLD = re.compile(rb'(?i)"(?:winner\w*|(?=\w*?score)\w*+|goals|result|status|state|points|ft|outcome|reward|'
                   rb'\w+_(?:win|lost))"\s*:')  # fmt: skip
_LISTS = re.compile(rb'"(?:%s)"\s*:\s*\[\s*[{"]' % "|".join(_WORDS["lists"]).encode(), re.I)
_OPENED = [[re.compile(rb'(?i)"%s(?:_?(?:team|player|user|id|name))?"\s*:\s*[\[{"\d]' % word.encode())
            for word in pair] for pair in SIDES if pair[0] not in ("0", "1", "a")]  # fmt: skip


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as JSON with values in objects of objects, two sides, and a result."""
    if not (_HEAD.match(head) and _INSIDE.search(head) and _TOLD.search(head)):
        return False
    return bool(_LISTS.search(head)) or any(first.search(head) and second.search(head) for first, second in _OPENED)


def columns(file: str | Path, name: str, location: str) -> Source:
    """Games of a file; a file without a table of two sides and results is read like any other JSON."""
    document = read_document(file, location)
    ids = names_by_id(document)
    for table in sorted(tables_of(document).values(), key=len, reverse=True):
        sides = find_sides(table, ids)
        if sides is not None:
            filled_paths = dict.fromkeys(key for _, row in table for key in row if row[key] not in (None, ""))
            games = _Games(sides, ids, filled_paths)
            winners = {str(row.get(games.winner or "")) for _, row in table} - {"", "None"}
            numbered = {"2"} < winners <= {"-1", *"012"}  # the number of a side, unless players have such names
            if numbered and not any(winners & games.called(row, side) for _, row in table for side in (0, 1)):
                games.words = ("1", "2")
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
        self.words = sides.words
        self.winner, self.stated = self.path(_WINNERS), self.path(("result",))
        self.date, self.round, self.ground = map(self.path, (_DATES, _ROUNDS, ("neutral", "neutralsite")))
        self.spoilt = [path for path in keys if last_word(path) in _SPOILT and not _ASIDE.search(path)]  # no games
        states = (path for word in _STATUS if (path := self.path((word,))))
        self.states = [path for path in states if not path.startswith(AROUND)]  # of games, not of a round
        by_goals, by_winner = sides.goals or (), [self.winner] if self.winner else sides.marks or ()
        by_word = [self.stated] if self.stated else []
        self.result_paths = [*by_goals, *by_winner] or by_word or [*sides.names[0]] * sides.of_winners
        own_ids = [pair for pair in sides.pairs if any(are_own_ids(pair, names) for names in sides.names)]
        self.own = [*sides.names, *own_ids]  # pairs of paths of the sides' names and ids

    def path(self, words: Sequence[str]) -> str | None:
        """Shortest path outside the sides that ends with the first possible of some words."""
        sides = {path for pair in self.sides.pairs for path in pair}
        free = [path for path in self.keys if path not in sides and not _ASIDE.search(path)]
        groups = ([path for path in free if f".{path}".endswith(f".{word}")] for word in words)
        return next((min(paths, key=len) for paths in groups if paths), None)

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
        spoilt = any(plain(row.get(path)) in ("true", "1") for path in self.spoilt)
        below = any((number(row.get(path)) or 0.0) < 0.0 for path in self.sides.goals or ())
        if spoilt or (below and not self.goals(row)):
            return "+:-"
        return self.by_winner(row) or self.by_goals(row) or self.drawn(row)

    def contradicts(self, row: Record) -> bool:
        """True if the named winner of a record does not have more goals than the other side."""
        by_goals, by_winner = self.by_goals(row), self.by_winner(row)
        return by_goals != "" and by_winner in _RESULTS and by_winner != by_goals

    def by_goals(self, row: Record) -> str:
        """Result by the goals of a record; empty if they are missing."""
        goals = self.goals(row)
        return _RESULTS[1 + (goals[0] > goals[1]) - (goals[0] < goals[1])] if goals else ""

    def drawn(self, row: Record) -> str:
        """Draw if the status states it, or the game is over without a winner; else empty."""
        states = {plain(row.get(path)) for path in self.states}
        return _RESULTS[1] if states & {*_DRAWN} or (states & {*_OVER} and (self.winner or self.sides.marks)) else ""

    def goals(self, row: Record) -> list[float]:
        """Goals of both sides of a record, by names or ids beside them; None if missing."""
        numbers = [number(row.get(path)) for path in self.sides.goals or ()]
        signed = sum(count or 0.0 for count in numbers) == 0.0  # rewards of 1 and -1
        goals = [count for count in numbers if count is not None and (count >= 0 or signed)]
        if len(goals) < 2:
            return []
        for left, right in self.sides.labels:
            labels = plain(row.get(left)), plain(row.get(right))
            first, second = ([label in self.called(row, which) for which in (0, 1)] for label in labels)
            in_order, turned = first[0] and second[1], first[1] and second[0]
            if in_order or turned:
                return goals[::-1] if turned else goals
        return [] if self.sides.labels else goals

    def by_winner(self, row: Record) -> str:
        """Result by the named or marked winner; empty if absent."""
        if self.sides.of_winners:
            return _RESULTS[2]
        value = row.get(self.winner) if self.winner else None
        first, count = number(self.words[0]), number(value)
        if first is not None and count is not None and count < first:
            return self.by_goals(row) or f"neither ({value})"  # a tie, or no result
        if value not in (None, "") and self.winner:
            return self.won_by(row, plain(value)) or str(value) * (plain(value) != "0" or not is_id(self.winner))
        halves = [_HALVES.get(plain(row.get(path))) for path in self.sides.marks or ()]
        if len(halves) == 2 and halves[0] is not None and halves[1] == 2 - halves[0]:
            return _RESULTS[2 - halves[0] if "lost" in (self.sides.marks or ("",))[0] else halves[0]]
        return str(row[self.stated]) if self.stated and row.get(self.stated) not in (None, "") else ""

    def won_by(self, row: Record, word: str) -> str:
        """Result by a word for the winner: a side, a code, a name or an id; empty if not of one side."""
        winner = self.winner or ""
        if winner.endswith("code"):
            return {"1": _RESULTS[2], "2": _RESULTS[0], "3": _RESULTS[1], "0": _RESULTS[1]}.get(word, "")
        by_word = [word in (side, f"{side}team") for side in self.words]
        by_name = [word in self.called(row, which) for which in (0, 1)]
        for first, second in (by_word, by_name)[:: -1 if is_id(winner) else 1]:  # an id 1 may be the second side's
            if first != second:
                return _RESULTS[2 * first]
        return _RESULTS[1] if word in _DRAWN else ""

    def rows(self, table: Table) -> tuple[list[str], list[list[str]]]:
        """The header and the rows of a table of games."""
        ratings = next((pair for pair in self.sides.pairs if last_word(pair[0]) in ("rating", "elo")), None)
        team = self.sides.words[0].startswith(("home", "h", "local", "team", "radiant"))
        first, second = ("Home", "Away") if team else ("White", "Black")
        if self.sides.seated is None and self.sides.words[0] not in ("white", "home", "h", "local"):
            first, second = ("Team 1", "Team 2") if team else ("Player 1", "Player 2")
        rows = []
        odd = any(self.contradicts(row) or min(self.goals(row), default=0) < 0 for _, row in table)  # no margin
        for _, row in table:
            names, result = [self.side(row, 0), self.side(row, 1)], self.result(row)
            goals = [f"{count:g}" for count in self.goals(row) if result and not odd] or ["", ""]
            rated = ["" if ratings is None else str(row.get(path) or "") for path in (ratings or ("", ""))]
            if sits_second(row, self.sides.seated):
                names, goals, rated, result = names[::-1], goals[::-1], rated[::-1], _turned(result)
            neutral = "1" if self.sides.of_winners or plain(row.get(self.ground or "")) in ("true", "1") else ""
            when = [str(row.get(path or "") or "") for path in (self.date, self.round)]
            rows.append([*names, result, *goals, *rated, *when, neutral])
        return [first, second, *_WORDS["header"]], rows

    def notes(self, table: Table, playable: Table) -> list[str]:
        """Paths from which games are read, and excluded games."""
        pairs = (*self.sides.labels, *self.sides.names, self.sides.seated or ())
        when = (self.date, self.round, self.ground)
        used = {*self.result_paths, *self.states, *self.spoilt, *when, *(path for pair in pairs for path in pair)}
        unread_paths = (path for path in self.keys if path not in used and last_word(path) not in ("rating", "elo"))
        odd = sum(self.contradicts(row) for _, row in playable)
        return [
            f"JSON of games: sides {' and '.join(self.sides.names[0])}, results from {' and '.join(self.result_paths)}",
            set_aside(len(table) - len(playable), "game", " without the names of both sides"),
            f"{count_noun(odd, 'game')} won by a side that has not more goals: margins are not used" if odd else "",
            not_used(unread_paths),
        ]
