"""Separation of rows that are not games with a result: not played, a walkover, or a bye."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.column_values import NO, YES, by_word
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.result_cells import AWARDED, DECIDED, FORFEIT, UNPLAYED, goals_in, kind_of, kinds_of, no_game_in
from halfpoint.readers.result_letters import initials_of_sides, letters_of_results
from halfpoint.readers.sources import Cells
from halfpoint.readers.words import BYES, EMPTY, FLAG, STATUS, SUMS, TOTALS, TRUE, ties_in

Mask = npt.NDArray[np.bool_]
GOALS, RANKS = ("white_goals", "black_goals"), ("white_rank", "black_rank")  # of the ranks 1 is the winner's
VERDICT = "verdict "  # how the fields of such columns begin

_BYE = re.compile(rf"(?i)(?<![^\w+])[^\w+]*+(?:{'|'.join(BYES)}|(?:(?:half|full|zero)[- ]?(?:point)?[- ]?)?bye"
                  r"(?:[^\w(\[]|_)*+(?:\d{1,3}|[(\[].*|(?:half|full|zero|no)\b.*)?)[^\w+]*+|"
                  r"(?<![-–—])[-–—]{2,}+")  # fmt: skip
_GETS_BYE = re.compile(r"\bbye\b", re.IGNORECASE)  # in a result beside one name
_TOTAL = re.compile(rf"\A(?:{'|'.join(TOTALS)})\b", re.IGNORECASE)
_NO_RESULT = (*UNKNOWN, "*", "...", "—", "–", ":", "-:-", "- : -", "vs", "v")
SHOWN_LINES = 5
_NIL, _OF_BOTH = re.compile(r"0\s*[-–:]\s*0"), re.compile(r"(?:[01]|½|1/2)\s*[-–:]\s*(?:[01]|½|1/2)")
_MOST_ALONE = 0.9  # share of rows with one name on both sides; of more, one column is perhaps read twice
_LONGEST_BYE = 40  # letters
_FEWEST_NIL, _MOST_NIL = 6, 0.3  # rows of 0-0 at the end, and share of 0-0 before them
_MOST_FAULTY, _FEWEST_ROWS = 100, 25
_FEWEST_OF_MATCHES, _MOST_OF_MATCHES = 5, 100_000  # rows
_ADVICE = "Or set such games apart, --faulty apart."


@dataclass(frozen=True, eq=False)
class Rows:
    """Cells by field, and their source."""

    where: str  # the source, for messages
    counts: str  # what `line` counts: lines of a file, or rows
    line: npt.NDArray[np.int64]  # (row,): number of each row in the source
    cells: Mapping[str, Cells]  # field to its cells
    names: Mapping[str, str]  # field to the column's name in the source
    further: Mapping[str, Cells]  # cells of other columns by their names
    # rows whose first seat is the second column's, by a column of locations; None where the columns are the seats
    turned: Mask | None = None

    def place(self, row: int) -> str:
        """Place of a row, for messages."""
        return f"{self.where}, {self.counts} {self.line[row]}"

    def keep(self, mask: Mask) -> Self:
        """Some of the rows."""
        return self if mask.all() else self.take(np.flatnonzero(mask))

    def take(self, index: npt.NDArray[np.int64]) -> Self:
        """Rows by their place, in any order and number."""
        cells, further = ({key: column[index] for key, column in part.items()} for part in (self.cells, self.further))
        turned = None if self.turned is None else self.turned[index]
        return replace(self, line=self.line[index], cells=cells, further=further, turned=turned)

    def with_texts(self, field: str, texts: Sequence[str], name: str) -> Self:
        """Rows with a field of texts, and the name of its column."""
        cells = polars.Series(texts, dtype=polars.String)
        return replace(self, cells={**self.cells, field: cells}, names={**self.names, field: name})

    def called(self, *fields: str) -> str:
        """Names of the columns of fields, for notes."""
        return " and ".join(dict.fromkeys(repr(self.names[field]) for field in fields if field in self.cells))

    @property
    def verdicts(self) -> list[str]:
        """Fields of columns that state by words whether rows were played."""
        return [key for key in self.cells if key.startswith(VERDICT)]


_MANY_UNTOLD = 0.05  # of the rows, without a winner: these may be draws


def set_apart(rows: Rows, meant: Collection[str] = (), own_side: bool = False) -> tuple[Rows, list[str]]:
    """Rows of games with a result, and a note for each kind of excluded row.

    A game has no result if its score, its winner or both its goals are empty. A walkover and a game that was not played
    are identified by the score, by a flag such as `completed` or `forfeit`, by a word such as "Postponed" in a column
    of its own, or by goals of -1, unless the user defined the word. If rows are games as one side sees them, the other
    side's row of such a game is set apart as well.
    """
    result_field = next((key for key in ("score", "winner") if key in rows.cells), None)
    fields = [result_field] if result_field else [key for key in ("margin", *GOALS, *RANKS) if key in rows.cells]
    none = np.zeros(len(rows.line), dtype=bool)
    byes = [_where(rows.cells[key], lambda name: is_bye(name) and name not in _NO_RESULT) for key in ("white", "black")]
    alone = are_in(rows.cells["white"], UNKNOWN) | are_in(rows.cells["black"], UNKNOWN)
    byes += [alone & _where(rows.cells[key], _GETS_BYE.search) for key in fields]
    bye = np.any([*byes, _without_partner(rows), *(are_in(rows.cells[key], BYES) for key in fields)], axis=0)
    unplayed = frozenset(_NO_RESULT) - {"" if word == EMPTY else word for word in meant}
    if result_field and rows.cells[result_field].dtype == polars.String:
        words = rows.cells[result_field].unique().to_list()
        unplayed -= letters_of_results(word for word in words if plain_word(word) not in STATUS)
        unplayed -= {*initials_of_sides(words, (rows.names[side] for side in ("white", "black")))}
    empty = np.all([are_in(rows.cells[key], unplayed) for key in fields], axis=0) if fields else none
    empty &= ~(ties_beside(rows) | _goals_alone(rows, empty))
    states = [_stand_for(rows.cells[key], meant) for key in (*fields, *rows.verdicts)]
    goals = [(rows.cells[key].str.strip_chars() == "-1").to_numpy() for key in GOALS if key in rows.cells]
    flags = [are_in(rows.cells[key], TRUE) for key in ("unplayed", *rows.verdicts)
             if key in rows.cells and {*map(str.lower, rows.cells[key].unique())} <= {*YES, *NO}]  # fmt: skip
    forfeits = [FORFEIT] if "loser" in rows.names else [FORFEIT, AWARDED]
    forfeit = np.any([none, *(np.isin(state, forfeits) for state in states), *goals, *flags], axis=0)
    level = _level(rows)
    nil = _nil_by_mention(rows, level)
    never = np.any([nil, _level_to_the_end(rows, level), *(state == UNPLAYED for state in states)], axis=0)
    if "played" in rows.cells:
        never |= ~are_in(rows.cells["played"], TRUE)
    forfeit |= _other_views(rows, (forfeit | never) & ~bye) if own_side else none
    notes, aside = [*_not_understood(rows, nil)], none
    for reason, mask in (
        ("a total", _are_totals(rows) | _are_matches(rows)),
        ("bye", bye),
        ("one player on both sides", _against_oneself(rows)),
        ("forfeit", forfeit),
        ("without a result", empty),
        ("not played", never),
    ):
        new = mask & ~aside
        if new.any():
            notes.append(apart_in_words(rows.line[new].tolist(), rows.counts, reason))
            if reason == "without a result" and result_field == "winner" and new.sum() >= _MANY_UNTOLD * len(new):
                word = rows.cells["winner"].filter(polars.Series(new)).mode().sort()[0] or EMPTY
                notes.append(f"a game without a winner counts as not played; if it was drawn, {FLAG} {word}=tie")
        aside = aside | mask
    if len(aside) and aside.all():
        remedy = "Rate the file once it has results, or add files with earlier games."
        none_played = f"none in {count_noun(len(aside), 'row')}"
        raise GameTableError(rows.where, "at least one game with a result", none_played, remedy)
    return rows.keep(~aside), notes


def _other_views(rows: Rows, unplayed: Mask) -> Mask:
    """Mask of the two rows, one by each side, of games of which one row was not played, shape (row,)."""
    when = [rows.cells[key].to_list() for key in ("date", "game_id") if key in rows.cells]
    pairs = map(frozenset, zip(rows.cells["white"].to_list(), rows.cells["black"].to_list(), strict=True))
    games = [*zip(pairs, *when, strict=True)] if when and unplayed.any() else [()] * len(unplayed)
    times, without = Counter(games), {games[row] for row in np.flatnonzero(unplayed).tolist()}
    return np.array([times[game] == 2 and game in without for game in games], dtype=bool)


def _level(rows: Rows) -> Mask:
    """Mask of rows of 0-0, shape (row,)."""
    nil = [are_in(rows.cells[key], ("0", "0.0")) for key in GOALS if key in rows.cells]
    nil = nil or ([_where(rows.cells["score"], _NIL.fullmatch)] if "score" in rows.cells else [])
    return np.all(nil, axis=0) if nil else np.zeros(len(rows.line), dtype=bool)


def _level_to_the_end(rows: Rows, nil: Mask) -> Mask:
    """Mask of the last rows if all are 0-0 and few before: these games are still to come, shape (row,)."""
    last = 0 if nil.all() or {"score", "winner"} & rows.cells.keys() else len(nil) - int(np.argmin(nil[::-1]))
    few = len(nil) - last < _FEWEST_NIL or last == 0 or nil[:last].mean() > _MOST_NIL
    return np.asarray((np.arange(len(nil)) >= last) & (not few))


def _are_totals(rows: Rows) -> Mask:
    """Mask of the rows of sums, which begin with such a word and lack a player, or have those of no other row."""
    alone = are_in(rows.cells["white"], UNKNOWN) | are_in(rows.cells["black"], UNKNOWN)
    sums = [_where(rows.cells[key], lambda text: plain_word(text) in SUMS) for key in rows.verdicts]
    labelled = np.any([alone & False, *sums], axis=0)
    if labelled.any():
        names = [rows.cells[side] for side in ("white", "black")]
        players = {name for cells in names for name in cells.filter(polars.Series(~labelled)).to_list()}
        alone |= labelled & ~np.any([cells.is_in([*players]).to_numpy() for cells in names], axis=0)
    if not {"count", "white_wins"}.isdisjoint(rows.cells):  # the sum of the counts of a player
        for side in ("white", "black"):
            alone |= _where(rows.cells[side], lambda name: plain_word(name) in SUMS or name.casefold() in TOTALS)
    texts = [cells for key, cells in rows.cells.items() if key != "event"] if alone.any() else []
    return np.asarray(alone & np.any([_where(cells, _TOTAL.match) for cells in texts], axis=0))


def goals_by_row(rows: Rows) -> npt.NDArray[np.float64]:
    """Goals of both sides by two columns, or by the result, NaN if unknown, shape (row, 2)."""
    if all(key in rows.cells for key in GOALS):
        return np.column_stack([rows.cells[key].cast(polars.Float64, strict=False).to_numpy() for key in GOALS])
    texts = rows.cells.get("score", rows.cells["white"])
    return by_word(texts, lambda text: (pair.first, pair.second) if (pair := goals_in(text)) else (np.nan,) * 2, float)


def _are_matches(rows: Rows) -> Mask:
    """Mask of matches of teams, shape (row,): all rows are such sums and the games of players below, or above, each."""
    fields = ["score"] if "score" in rows.cells else [key for key in GOALS if key in rows.cells]
    for way in (1, -1) if _FEWEST_OF_MATCHES <= len(rows.line) <= _MOST_OF_MATCHES else ():
        texts = ["-".join(map(str, cells)) for cells in zip(*map(rows.cells.__getitem__, fields), strict=True)][::way]
        place, matches = 0, np.zeros(len(texts), dtype=bool)
        while place < len(texts) and (total := goals_in(texts[place])) and total.first + total.second > 1:
            games = [*map(goals_in, texts[place + 1 : place + 1 + int(total.first + total.second)])]
            won = sum(0.5 + np.sign(game.gap) / 2 for game in games if game)
            sums = {game.first + game.second for game in games if game}
            if len(games) < total.first + total.second or abs(won - total.first) > games.count(None):
                break
            matches[place], place = True, place + 1 + len(games)
        if 0 < place == len(texts) and (matches.sum() > 1 or sums == {1.0}):  # beside one match only results of chess
            names = np.array([*map(str, (*rows.cells["white"], *rows.cells["black"]))])
            if not np.isin(names[np.tile(matches[::way], 2)], names[np.tile(~matches[::way], 2)]).any():
                return matches[::way]
    return np.zeros(len(rows.line), dtype=bool)


def _against_oneself(rows: Rows) -> Mask:
    """Mask of rows with one player on both sides, as of an engine against itself, (row,); empty if nearly all have."""
    white, black, *ids = (rows.cells[key] for key in ("white", "black", "white_id", "black_id") if key in rows.cells)
    if not white.dtype == black.dtype == polars.String or len(white) < _FEWEST_ROWS:
        return np.zeros(len(white), dtype=bool)
    alone = (white.str.strip_chars() == black.str.strip_chars()).to_numpy() & ~are_in(white, UNKNOWN)
    alone &= (ids[0] == ids[1]).fill_null(value=True).to_numpy() if len(ids) == 2 else True
    return np.asarray(alone & (alone.mean() < _MOST_ALONE))


def _without_partner(rows: Rows) -> Mask:
    """Mask of rows with 1 or 0 alone, beside results of both sides, for the only second name without such a result."""
    cells, rivals = rows.cells.get("score", rows.cells["white"]), rows.cells["black"]
    alone, of_both = are_in(cells, ("0", "1")), polars.Series(_where(cells, _OF_BOTH.fullmatch))
    if not alone.any() or 2 * of_both.sum() < len(of_both) or rivals.dtype != polars.String:
        return np.zeros(len(alone), dtype=bool)
    strange = {name for name in rivals.filter(polars.Series(alone)).to_list() if not is_bye(name)}
    players = {name for side in ("white", "black") for name in rows.cells[side].filter(of_both).to_list()}
    return np.asarray(alone & rivals.is_in([*strange]).to_numpy() & (len(strange) == 1 and strange.isdisjoint(players)))


def is_bye(name: str) -> bool:
    """True if a name means a bye.

    Examples
    --------
    >>> [is_bye(name) for name in ("BYE", "Bye (half point)", "---", "No opponent", "Bye, Ola", "Byers, Ann")]
    [True, True, True, True, False, False]
    """
    return bool(name) and len(name) <= _LONGEST_BYE and _BYE.fullmatch(name) is not None


def _nil_by_mention(rows: Rows, level: Mask) -> Mask:
    """Mask of the level rows beside a text with a word of a game that was not played, shape (row,)."""
    odd = np.zeros(len(rows.line), dtype=bool)
    for cells in [rows.cells[key] for key in rows.verdicts] if level.any() else []:
        times, others = Counter(cells.to_list()), {"", *cells.filter(polars.Series(~level)).to_list()}
        never = {word for word in times if word not in others and times[word] > 1 and not kind_of(word)}
        odd |= cells.is_in([*never]).to_numpy() | _where(cells, no_game_in)
    return np.asarray(level & odd)


def _not_understood(rows: Rows, nil: Mask) -> Iterator[str]:
    """Yield a note on texts beside the results that may mark rows as no games, without the rows of 0-0."""
    for key in rows.verdicts:
        kinds = {word: kind_of(word) for word in rows.cells[key].unique().to_list()}
        states = {"played", UNPLAYED} <= {*kinds.values()}  # of such a column no other text is a remark
        remarks = [word for word, kind in kinds.items() if word and not kind and (states or no_game_in(word))]
        odd = are_in(rows.cells[key], remarks) & ~nil
        if odd.any():
            shown = repr(rows.cells[key][int(np.argmax(odd))][:60])
            count = count_noun(int(odd.sum()), "row")
            yield f"counted as played: {count} with words such as {shown} in column {rows.names[key]!r}"


def _goals_alone(rows: Rows, empty: Mask) -> Mask:
    """Mask of the rows without a winner whose goals are the result, shape (row,).

    All are False if every such row is 0-0, since these may be future games.
    """
    if not all(key in rows.cells for key in GOALS):
        return np.zeros(len(empty), dtype=bool)
    goals = [rows.cells[key].cast(polars.Float64, strict=False).fill_null(-1.0).to_numpy() for key in GOALS]
    has_goals = empty & (goals[0] >= 0) & (goals[1] >= 0)
    return np.asarray(has_goals & bool((has_goals & (goals[0] + goals[1] > 0)).any()))


def _stand_for(cells: Cells, meant: Collection[str]) -> npt.NDArray[np.str_]:
    """FORFEIT or UNPLAYED for each cell, else empty, shape (row,)."""
    if cells.dtype != polars.String:
        return np.full(len(cells), "")
    kinds = kinds_of(cells.unique(maintain_order=True).to_list(), meant)
    return by_word(cells, lambda word: kinds.get(word, ""), np.str_)


def ties_beside(rows: Rows) -> Mask:
    """Mask of rows in which a flag or a word beside the result marks a tie, shape (row,)."""
    tied = np.zeros(len(rows.line), dtype=bool)
    if "equal" in rows.cells:
        tied |= are_in(rows.cells["equal"], TRUE)
    for key in rows.verdicts:
        tied |= rows.cells[key].is_in([*ties_in(rows.cells[key].unique().to_list())]).to_numpy()
    return tied


def decided_beside(rows: Rows) -> Mask:
    """Mask of rows in which a word marks a decision by other means than the score, shape (row,)."""
    decided = [_where(rows.cells[key], lambda word: kind_of(word) in (DECIDED, AWARDED)) for key in rows.verdicts]
    return np.any([np.zeros(len(rows.line), dtype=bool), *decided], axis=0)


def odd_rows_allowed(rows: int, faulty: str) -> int:
    """Number of invalid rows that may be excluded: 2%, none below 25 rows, or 10% on request.

    At most 100, since a file with more was probably misinterpreted.
    """
    return min(_MOST_FAULTY, rows // 10 if faulty == "apart" else -(-rows // 50) if rows >= _FEWEST_ROWS else 0)


def add_advice(error: GameTableError) -> GameTableError:
    """Add the option that excludes such games to the error of a game."""
    return GameTableError(error.where, error.expected, error.found, f"{error.remedy} {_ADVICE}".strip())


def apart_in_words(lines: Sequence[int], counts: str, reason: str, fault: str = "", count: int | None = None) -> str:
    """Number of excluded rows, the reason, the first five places, and the fault of the first; `count` if not all."""
    count = len(lines) if count is None else count
    place = f"{counts} {', '.join(map(str, lines[:SHOWN_LINES]))}{', ...' if count > SHOWN_LINES else ''}"
    return f"set apart: {count_noun(count, 'game')}, {reason} ({place}{fault and f'; the first has {fault}'})"


def are_in(cells: Cells, words: Sequence[str] | frozenset[str]) -> Mask:
    """Mask of rows whose text is one of some words, shape (row,); False for lists."""
    among = frozenset(words)
    return _where(cells, lambda text: text in among or text.lower() in among)


def _where(cells: Cells, fits: Callable[[str], object]) -> Mask:
    """Mask of rows whose text fits, shape (row,); False for lists."""
    texts = [text for text in cells.unique().to_list() if fits(text)] if cells.dtype == polars.String else []
    return cells.is_in(texts).to_numpy() if texts else np.zeros(len(cells), dtype=bool)
