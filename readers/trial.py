"""Trial of a table after it is read and before any model: questions on which a wrong reading shows itself.

A failed question is settled by another reading if that one passes; else the command stops with both readings, the first
row of each, and the option that chooses. `--trust` keeps the reading as it is, and the notes say so. The same trial
decides whether a hint is printed (`halfpoint.readers.proposals`).
"""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.find_player import strip_accents
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.table import GameTable
from halfpoint.readers.column_names import Assignment
from halfpoint.readers.column_roles import Sample
from halfpoint.readers.column_values import NO, YES, Values
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.sources import Cells, Source
from halfpoint.readers.words import BESIDE, FIRST, SECOND, WORDS, Vocabulary, flags, outcome_map, parted_by, tokens_of

TRUST = "--trust"
_MANY_DECISIVE = 15  # games won, of which none by one seat has a chance of 2^-15 where seats are alike
_FEW_LEVEL = 4
_MANY_AGAINST = 0.05  # of the games, fewer contradictions are slips
_MOST_ZEROS = 0.05  # of the winners' numbers, fewer zeros are no ties but games without a winner
_FEWEST_AGAIN, _SHARE_AGAIN = 3, 0.4  # of the names that are one without case and brackets
_MARKS = "#/;%* "  # before a row that is no row
_POINTS = r"^\s*([0-9]{1,9})\s*[-:–]\s*([0-9]{1,9})\s*$"
_BRACKETS = re.compile(r"(?<!\s)\s*+[\[(][^\])]{0,40}[\])]\s*+")


@dataclass(frozen=True)
class Doubt:
    """A question that a reading fails."""

    what: str  # what shows it
    readings: tuple[tuple[str, Mapping[str, Any]], ...] = ()  # other readings: an option, and options of the reader
    settles: bool = False  # whether another reading that passes is taken without asking


@dataclass(frozen=True)
class Reading:
    """A table with the columns that it was read from."""

    games: GameTable
    source: Source
    assigned: Assignment
    options: ReaderOptions

    def column(self, field: str) -> str | None:
        """Column of a field."""
        return self.assigned.columns.get(field)

    def words(self, field: str) -> Set[str]:
        """Distinct known cells of the first rows of a field's column; empty if it has none."""
        name = self.column(field)
        return Sample(self.source, [name]).of(name) if name else frozenset()

    def cells(self, columns: Sequence[str]) -> dict[str, Cells] | None:
        """Cells of columns by game; None where games have no lines."""
        if self.games.line is None or self.source.line is None:
            return None
        place = {line: k for k, line in enumerate(self.source.line.tolist())}
        index = [place[line] for line in self.games.line.tolist()]
        return {name: cells.gather(index) for name, cells in self.source.read(columns).items()}

    @property
    def margin(self) -> Values | None:
        """The first seat's goals less the second's in a file with results, shape (game,); None if there are none."""
        if not {"score", "winner", "loser"} & self.assigned.columns.keys():
            return None
        return self.games.covariates.get("margin", self.games.covariates.get("goal_difference"))


def stand_trial(reading: Reading, again: Callable[[ReaderOptions], Reading]) -> GameTable:
    """The games of a reading that passes, or of another that does; `GameTableError` with both if neither is certain."""
    games, doubts = reading.games, doubts_of(reading)
    if not doubts:
        return replace(games, notes=(*games.notes, *_winners_of_level_games(reading)))
    if reading.options.trust:
        return replace(games, notes=(*games.notes, *(f"accepted ({TRUST}), although {doubt.what}" for doubt in doubts)))
    doubt, passed = doubts[0], list[tuple[str, GameTable]]()
    for flag, changed in doubt.readings:
        try:
            reread = again(replace(reading.options, **changed))
        except GameTableError:
            continue
        if not [new_doubt for new_doubt in doubts_of(reread) if new_doubt.what != doubt.what or doubt.settles]:
            passed.append((flag, reread.games))
    if doubt.settles and len(passed) == 1:
        flag, other_games = passed[0]
        more = f"; {count_noun(added, 'game')} more" if (added := len(other_games) - len(games)) > 0 else ""
        return replace(other_games, notes=(*other_games.notes, f"read with {flag}, since otherwise {doubt.what}{more}"))
    alike = [flag for flag, table in passed if first_row(table) == first_row(games) and len(table) == len(games)]
    passed = [(flag, table) for flag, table in passed if flag not in alike]
    shown = "; ".join([f"as read, {first_row(games)}", *(f"with {flag}, {first_row(table)}" for flag, table in passed)])
    choices = " or ".join([*alike[:1], *(flag for flag, _ in passed), f"{TRUST} (as read)"])
    readings = f"{doubt.what}: {shown}"
    raise GameTableError(games.source, "games whose reading is certain", readings, f"Say which: {choices}.")


def doubts_of(reading: Reading) -> list[Doubt]:
    """Doubts on a reading, in the order of `QUESTIONS`."""
    return [doubt for question in QUESTIONS if (doubt := question(reading)) is not None]


def first_row(games: GameTable) -> str:
    """The first game of a table, in words."""
    place = "row 1" if games.line is None else f"{games.counts} {int(games.line[0])}"
    result = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}.get(float(games.score[0]), "?")
    pair = f"{str(games.white_names[0])!r} {result} {str(games.black_names[0])!r}"
    return f"{place} is {pair} of {count_noun(len(games), 'game')}"


def _numbers_of_winners(reading: Reading) -> Doubt | None:
    """Doubt on winners of 0 and 1, seats or a flag; -1, 0 and 1, signs or seats; a few of 0 beside 1 and 2.

    0 and 1 are seats if the columns of the sides have these numbers. A few zeros are ties, or games without a winner.
    """
    column, words = reading.column("winner") or "", reading.words("winner")
    parts, zeros = {*tokens_of(column)}, float((reading.games.score == 0.5).mean())
    numbered = [re.findall(r"\d+", reading.column(side) or "") for side in ("white", "black")] == [["0"], ["1"]]
    if words == {"0", "1"} and not numbered and {*BESIDE["choices"]} & parts:
        what = f"{column!r} is 0 or 1, the number of a side or whether the first won"
        texts = "0=first,1=second", "0=second,1=first"
    elif words == {"-1", "0", "1"} and "winner" in parts:
        what = f"{column!r} is -1, 0 or 1, the sign of the result or the number of a side"
        texts = "1=first,0=tie,-1=second", "0=first,1=second,-1=tie"
    elif words == {"0", "1", "2"} and zeros < _MOST_ZEROS:
        what, texts = f"{zeros:.1%} of the games have 0 in {column!r}, a tie or no result", ("0=tie", "0=drop")
    else:
        return None
    meant = outcome_map(reading.options.outcomes).keys()
    readings = tuple((f"--outcomes {text}", {"outcomes": text}) for text in texts)
    return None if outcome_map(texts[0]).keys() & meant or "=" in column else Doubt(what, readings)  # = in a legend


def _one_sided(reading: Reading) -> Doubt | None:
    """Doubt on games in which one seat never wins."""
    games = reading.games
    won = [int((games.score == score).sum()) for score in (0.0, 1.0)]
    if sum(won) < _MANY_DECISIVE or min(won) or games.all_neutral or not reading.options.scored:
        return None
    seats = [str(reading.column(side)) for side in ("white", "black")]
    named = parted_by(*seats) or any(plain_word(name) in (side, *WORDS[side]) or side in reading.options.columns
                                     for side, name in zip(("white", "black"), seats, strict=True))  # fmt: skip
    if named and not any(map(str.isalpha, "".join(map(str, reading.words("score") | reading.words("winner"))))):
        return None  # numbers and scores such as 1-0 have one meaning
    if min(np.unique(games.white).size, np.unique(games.black).size) < 3:
        return None  # games of one player, or of two
    which, seats = ("second", seats) if won[0] == 0 else ("first", seats[::-1])
    ways = [dict(zip(("winner", "loser"), order, strict=True)) for order in (seats, seats[::-1])[: 1 + (not named)]]
    readings = tuple((flags(columns), {"columns": columns}) for columns in ways)
    return Doubt(f"the {which} side never wins in {sum(won)} decided games", readings)


def _by_goals(reading: Reading, what: str, fault: str = "") -> Doubt:
    """Doubt on a column of results in a file with goals; in the other reading the goals are the results."""
    column = reading.column("score") or reading.column("winner")
    other_columns = {field: name for field, name in reading.options.columns.items() if name != column}
    seats = {side: name for side in ("white", "black") if (name := reading.column(side) or "")
             and plain_word(name) not in (side, *WORDS[side]) and side not in other_columns}  # fmt: skip
    seats = {} if "own" in reading.assigned.columns or reading.assigned.own_side else seats
    changed = {"ignore": (*reading.options.ignore, column), "columns": other_columns | seats}
    flag = f"{flags(seats)} " * bool(seats) + f"--ignore {shlex.quote(str(column))}"
    return Doubt(f"{what} {column!r}{fault}", ((flag, changed),))


def _contradicted(reading: Reading) -> Doubt | None:
    """Doubt on results and goals that name different winners."""
    games, margin = reading.games, reading.margin
    if margin is None:
        return None
    comparable = (games.score != 0.5) & (np.nan_to_num(margin) != 0.0)
    against, count = int((comparable & ((games.score > 0.5) != (margin > 0.0))).sum()), int(comparable.sum())
    if count < _FEW_LEVEL or 2 * against <= count:
        return None
    return _by_goals(reading, f"{against} of {count} results in", " contradict the goals")


def _another_winner(reading: Reading) -> Doubt | None:
    """Doubt on scores that a column of winners, or of results, contradicts; the other reading follows that column."""
    games, (column, field), white = reading.games, _verdict_beside(reading) or ("", ""), str(reading.column("white"))
    if not column or (cells := reading.cells([white, column])) is None:
        return None
    own, verdict = (cells[name].to_numpy().astype(np.str_) for name in (white, column))
    words = [word for word in np.unique(verdict).tolist() if any(map(str.isalpha, word))]
    meanings = Vocabulary({}, (white, str(reading.column("black"))), field == "winner").meanings(words)
    meaning = np.array([meanings.get(word, "") for word in verdict.tolist()], dtype=np.str_)
    turned = (own == games.black_names) & (own != games.white_names) & (field == "score")
    first, second = (meaning == np.where(turned, *sides) for sides in ((SECOND, FIRST), (FIRST, SECOND)))
    if field == "winner":
        first, second = first | (verdict == games.white_names), second | (verdict == games.black_names)
    against = int((first & (games.score < 0.5) | second & (games.score > 0.5)).sum())
    count = int((first | second).sum())
    settles = bool((games.score >= 0.5).all())  # every score is the winner's view
    slips = (against < _FEW_LEVEL and 4 * against < count) or against < _MANY_AGAINST * count
    level = int(((first | second) & (games.score == 0.5)).sum()) if field == "winner" else 0
    if level and not against:
        return replace(_by_goals(reading, f"{level} level results in", f" have a winner in {column!r}"), settles=True)
    if not against or (slips and not settles):
        return None
    doubt = _by_goals(reading, f"{against} of {count} results in", f" contradict {column!r}")
    if field == "score":
        columns = {**reading.options.columns, "score": column}
        doubt = replace(doubt, readings=((flags({"score": column}), {"columns": columns}),))
    return replace(doubt, settles=settles)


def _winners_of_level_games(reading: Reading) -> Iterator[str]:
    """Yield a note on an unread column that names a side of each decided game, the winner, and of some level games."""
    games, players = reading.games, {*reading.games.players.tolist()}
    tied, sample = games.score == 0.5, Sample(reading.source, reading.assigned.left_out)
    names = sample.names if tied.any() and (~tied).sum() >= 2 * _FEW_LEVEL else ()
    named = [name for name in names if len(sample.of(name)) > 1 and sample.of(name) <= players]
    for name, cells in (reading.cells(named) or {}).items() if named else ():
        first, second = (cells.to_numpy() == side for side in (games.white_names, games.black_names))
        level = int((first | second)[tied].sum())
        if level and np.where(games.score == 1.0, first, second)[~tied].all():
            yield f"level games whose winner {name!r} names: {level}, draws ({flags({'winner': name})} counts the wins)"


def _more_points_fewer_sets(reading: Reading) -> Doubt | None:
    """Doubt on sums of points in a file with the points of each set, of which the winner may have fewer in all."""
    unused = [name for name in reading.assigned.left_out if name[-1:].isdigit()]
    sets = [name for name in unused if {*BESIDE["sets"]} & {*tokens_of(name)}]
    by_goals = reading.column("white_goals") and reading.margin is None
    if len(sets) < 2 or not by_goals or (cells := reading.cells(sets)) is None:
        return None
    goals = [cells[name].str.extract_groups(_POINTS).struct.unnest().cast(polars.Float64).fill_null(0) for name in sets]
    won = np.sum([np.sign(pair.to_numpy() @ (1, -1)) for pair in goals], axis=0)
    against = int((won * (reading.games.score - 0.5) < 0.0).sum())
    advice = "if these are sets, call the columns Set 1, Set 2, ..."
    what = f"{count_noun(against, 'winner')} by points won fewer of {sets[0]!r}, {sets[1]!r}, ...; {advice}"
    return Doubt(what) if against else None


def _verdict_beside(reading: Reading) -> tuple[str, str] | None:
    """The only unused column of winners, or else of results in words, beside scores, and its field; None if absent."""
    if "score" not in reading.assigned.columns:
        return None
    unused = (*reading.assigned.left_out, *reading.assigned.verdicts)
    for field in ("winner", "score"):
        columns = [name for name in unused if plain_word(name) in (field, *WORDS[field])]
        columns = columns if field == "winner" else [name for name in columns if _are_words(reading, name)]
        if len(columns) == 1 and field not in reading.options.columns:
            return columns[0], field
    return None


def _are_words(reading: Reading, column: str) -> bool:
    """True if most cells of a column are results in words, such as W and L."""
    words = [word for word in Sample(reading.source, [column]).of(column) if any(map(str.isalpha, word))]
    return 2 * sum(map(bool, Vocabulary({}).meanings(words).values())) > len(words) > 1


def _level_but_won(reading: Reading) -> Doubt | None:
    """Doubt on games with level goals that are all won by one seat, and are probably draws."""
    margin = reading.margin
    if margin is None or "loser" in reading.assigned.columns or reading.assigned.verdicts:
        return None
    scores = reading.games.score[margin == 0.0]
    if len(scores) < _FEW_LEVEL or np.unique(scores).size > 1 or scores[0] == 0.5:
        return None
    return _by_goals(reading, f"all {len(scores)} games with level goals are won by one side in")


def _several_names(reading: Reading) -> Doubt | None:
    """Doubt on many names that are equal apart from case and brackets."""
    games = reading.games
    if games.sides is not None or {"white_id", "black_id"} & reading.assigned.columns.keys():
        return None
    names = games.players.tolist()
    plain = Counter(strip_accents(_BRACKETS.sub(" ", name)).casefold().strip() for name in names)
    again = sum(times for times in plain.values() if times > 1)
    if again <= _FEWEST_AGAIN or again < _SHARE_AGAIN * len(names):
        return None
    return Doubt(f"{len(names)} names are {len(plain)} without brackets and case")


def _behind_a_mark(reading: Reading) -> Doubt | None:
    """Doubt on a player with the name of another behind a mark, as in a row that is commented out."""
    names = {*reading.games.players.tolist()}
    marked = sorted(name for name in names if name.lstrip(_MARKS) != name and name.lstrip(_MARKS) in names)
    what = f"{marked[0]!r} is beside {marked[0].lstrip(_MARKS)!r}; delete rows that are commented out" if marked else ""
    return Doubt(what) if marked else None


def _named_as_headers(reading: Reading) -> Doubt | None:
    """Doubt on players with names of columns, such as White and Score."""
    names = [name for name in reading.games.players.tolist() if plain_word(name) in BESIDE["headers"]]
    values = {plain_word(name) for name in names} & {"score", "result", "date", "round"}  # that no person is called
    what = f"players are called {' and '.join(map(repr, names[:3]))}, like columns"
    return Doubt(what) if values and len(names) > 1 else None


def _all_drawn(reading: Reading) -> Doubt | None:
    """Doubt on a table in which every game has level goals, as unplayed games may have."""
    games = reading.games
    if not reading.options.scored or not (games.score == 0.5).all() or len(games) < _FEW_LEVEL:
        return None
    rows = len(reading.source.read(reading.source.names[:1])[reading.source.names[0]])
    if 2 * len(games) < rows and "count" not in reading.assigned.columns:
        return Doubt(f"{rows - len(games)} of {rows} rows are no games, and all others are drawn")
    many = reading.column("white_goals") and len(games) > _MANY_DECISIVE
    return Doubt("every game has level goals") if many else None


def _turned_by_flag(reading: Reading) -> Doubt | None:
    """Doubt on rows whose sides may be exchanged, by a flag, a column of the side shown first, or one of colours.

    A flag and the side shown first matter if results name a place, such as left; colours if columns name no colours.
    """
    cells, players = reading.words("winner") | reading.words("score"), {*reading.games.players.tolist()}
    headers = [str(reading.column(side)).casefold() for side in ("white", "black")]
    parts = {part for header in headers for part in tokens_of(header)}
    places, colours = {*map(str.casefold, cells)} & {*BESIDE["screens"]} - parts, {*BESIDE["colours"]}
    words = {*BESIDE["turned"]} if cells and all(Vocabulary({}).meanings([*cells]).values()) else set()
    words = set() if cells & players else words | {*(BESIDE["shown"] if places else ())}
    by_place = not {*map(str.casefold, cells)} & {*headers} and not cells & players
    words |= set() if colours & parts or reading.margin is not None or reading.assigned.own_side else colours
    free = [name for name in reading.source.names if name not in reading.assigned.every.values()]
    for name in (name for name in free if (words | {*BESIDE["shown"]}) & {plain_word(name), *tokens_of(name)}):
        marks = Sample(reading.source, [name]).of(name)
        lower = {mark.casefold() for mark in marks}
        if not words & {plain_word(name), *tokens_of(name)} and not (by_place and lower <= {*headers}):
            continue
        shown = len(marks) > 1 and (marks <= players or lower <= {*BESIDE["screens"], *BESIDE["orders"], *headers})
        if shown or (lower & {*YES} and lower & {*NO}):
            return Doubt(f"{name!r} marks rows whose sides may be exchanged; if so, exchange the sides in these rows")
    return None


QUESTIONS: tuple[Callable[[Reading], Doubt | None], ...] = (
    _named_as_headers, _behind_a_mark, _numbers_of_winners, _contradicted, _another_winner, _level_but_won,
    _more_points_fewer_sets, _one_sided, _several_names, _all_drawn, _turned_by_flag)  # fmt: skip
