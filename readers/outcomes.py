"""Outcome and margin of each row, and other columns that contradict them.

A verdict in another column overrides the seat: in a file of winners and losers, a flag, a word or equal points mark a
tie. The notes have one line with the count of each contradiction.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
import polars

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.sides import JOINED
from halfpoint.models.games.table import LEAD, Floats, Texts
from halfpoint.readers.column_names import ONE_HOT
from halfpoint.readers.column_values import Values, encode_cells, normalise_spelling, numbers_of, parse_column
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.result_cells import DECIDED, go_result, goals_of, result_of_go, winner_in, without_tail
from halfpoint.readers.set_apart import GOALS, RANKS, Mask, Rows, are_in, decided_beside, ties_beside
from halfpoint.readers.side_cells import parts_of
from halfpoint.readers.words import (
    BESIDE,
    COLOURS,
    FIRST,
    HALVES,
    HIGHER,
    SECOND,
    SIDES,
    TIE,
    TRUE,
    Vocabulary,
    number,
    outcome_flags,
    outcome_map,
    pairs_apart,
    result_word,
    split_legend,
    tokens_of,
    verdict_of,
)

_MOST_WORDS, _SHOWN = 12, 40  # words in a remedy, letters of a result in a note
_DATE = re.compile(r"\d{1,2}-[A-Z][a-z]{2}|[A-Z][a-z]{2}-\d{2}")  # a score 3-1 as a spreadsheet of days shows it
_NUMBER = re.compile(r"-?\d{1,4}")
_OF_WINNERS = ("winner_goals", "loser_goals")
_MANY_LOSSES = 0.1  # of the games
_EXCHANGED = {f"{a}{grade}": f"{b}{grade}" for a, b in ((FIRST, SECOND), (SECOND, FIRST)) for grade in ("", 2, 3)}
ONLY_RESULTS = ("study", "pgn")  # formats in which every row is a game, and a score is not a number of goals
type Pair = tuple[Texts, Texts]  # of White and Black
type Told = tuple[Texts, Values | None, list[str]]  # meanings, margins, notes


def outcomes_of(rows: Rows, names: Pair, ids: Pair | None, options: ReaderOptions, mark: str, kind: str) -> Told:
    """Outcome of each row, a word of `halfpoint.readers.words`, the margin if there is one, and notes."""
    meaning, margin, notes = _as_written(rows, names, ids, options, mark, kind)
    if "loser" in rows.names:
        meaning, further = _ties_of_winners(rows, meaning, outcome_map(options.outcomes).get(TIE, TIE))
        notes += further
    if rows.turned is None and "score" in rows.cells:
        meaning, further = _of_owner(rows, names, meaning)
        notes += further
    if rows.turned is not None and rows.turned.any():
        goals = all(field in rows.cells for field in GOALS)  # already seated with their sides, as a named winner is
        own = "loser" in rows.names or ("score" in rows.cells and not _by_place(rows))
        if own or not (goals or "winner" in rows.cells or "score" in rows.cells):
            meaning = np.where(rows.turned, exchange_sides(meaning), meaning)
        margin = margin if margin is None or goals else np.where(rows.turned, -margin, margin)
    return meaning, margin, [*notes, *_contradictions(rows, meaning, margin), *_shootouts(rows, meaning)]


def _of_owner(rows: Rows, names: Pair, meaning: Texts) -> tuple[Texts, list[str]]:
    """Meanings where results may be those of the one player of every game, in either seat, and a note."""
    in_all = (name for name in (names[0][0], names[1][0]) if ((names[0] == name) | (names[1] == name)).all())
    owner, *others = *in_all, ""
    second, mine = names[1] == owner, plain_word(rows.names["score"]) in BESIDE["mine"]
    words = {*map(plain_word, rows.cells["score"].unique().to_list())}
    if len(others) != 1 or not 0.0 < second.mean() < 1.0 or not (mine or words <= {*BESIDE["fortunes"]}):
        return meaning, []
    of_first = f"{rows.called('white')}; if of {str(owner)!r}, who plays every game, use columns player and opponent"
    note = f"results: those of {f'{str(owner)!r}, who plays every game' if mine else of_first}"
    return np.where(mine & second, exchange_sides(meaning), meaning), [note]


def _by_place(rows: Rows) -> bool:
    """True if results name the side that won by its place, as H and A do, and 1-0 beside colours."""
    words = {*map(plain_word, rows.cells["score"].unique().to_list())}
    colours = "location" in rows.cells and are_in(rows.cells["location"], ("white", "black")).any()
    return not words.isdisjoint(("h", "home", "away", *(("10", "01") if colours else ())))


def _as_written(rows: Rows, names: Pair, ids: Pair | None, options: ReaderOptions, mark: str, kind: str) -> Told:
    """Outcome of each row by its result, its winner or its goals."""
    said, margin = outcome_map(options.outcomes), _margin_of(rows)
    result_field = next((field for field in ("score", "winner") if field in rows.cells), None)
    headers = (rows.names["white"], rows.names["black"])
    if result_field is not None:
        cells = rows.cells[result_field]
        if cells.dtype != polars.String:
            raise GameTableError(f"{rows.place(0)}, column {rows.names[result_field]}", "a result", "a list")
        codes, words = encode_cells(cells)
        legend = _legend_of(rows.names[result_field], headers, words)
        said = {word: meaning for word, meaning in legend.items() if meaning} | said
        open_words = [word for word in words if word not in said]
        goals = goals_of(open_words) if result_field == "score" and kind not in ONLY_RESULTS else {}
        if goals:
            user_meanings = {word: said[word] for word in words if word in said}
            goals = {word: goal for word, goal in goals.items() if not np.isnan(goal.gap)}
            odd = [k for k, word in enumerate(words) if word not in goals and word not in user_meanings]
            if odd:
                raise _unknown(rows, result_field, names, kind, np.where(np.isin(codes, odd), "", FIRST), None)
            gap = np.array([goals[word].gap if word in goals else np.nan for word in words], dtype=np.float64)[codes]
            shootouts = [word[:_SHOWN] for word, goal in goals.items() if goal.tail == DECIDED and goal.gap == 0]
            notes = [f"level games decided by other means, such as {shootouts[0]!r}, are draws"] if shootouts else []
            sums = {goal.first + goal.second for goal in goals.values()}
            if len(sums) == 1 < max(sums) and any(goal.first % 1 for goal in goals.values()):
                notes.append(f"matches: rows of {max(sums):g} points are one game each")
            meant = np.array([user_meanings.get(word, "") for word in words], dtype=np.str_)[codes]
            return np.where(meant == "", signs_of(gap), meant), gap if margin is None else margin, notes
        won = result_field == "winner"
        own_words = {plain_word(word) for word in said} - {""}
        certain = {word for word in words if plain_word(word) in own_words or result_word(word)}
        bare = {word: word if word in certain else winner_in(without_tail(word)) for word in words}
        meanings = Vocabulary(said, headers, won).meanings([*bare.values()])
        meanings |= {word: "" for word in legend if word not in said}
        if kind not in ONLY_RESULTS and any(map(go_result, words)):  # beside B+R a 0 is a draw
            meanings |= {word: TIE for word in bare if word not in said and result_of_go(word) == "1/2-1/2"}
        spoken = [word for word in meanings if " " in word and word not in said and verdict_of(word) not in ("", TIE)]
        if spoken and any(np.isin(side, SIDES).any() for side in names):  # "A is better" may mean the player A
            meanings |= dict.fromkeys(spoken, "")
        if won and sum(not meanings[word] for word in {*bare.values()} - {*UNKNOWN}) > 1:  # names: 0 and 1 are no seats
            meanings |= {word: "" for word in ("0", "1", "2") if word in meanings and word not in said}
        outcomes = [meanings[bare[word]] or (go_result(word) if kind not in ONLY_RESULTS else "") for word in words]
        meaning = np.array(outcomes, dtype=np.str_)[codes]
        plain = np.array([_as_side(word, mark) for word in words], dtype=np.str_)[codes]
        meaning = by_name(meaning, plain, ids, won) if won and ids is not None else meaning
        meaning = by_name(meaning, plain, names, won or _always_named(plain, meaning, names))
        if any(bare[word] != word for word in words):  # sentences, such as "India won by 6 wickets"
            meaning = by_name(meaning, np.array([bare[word] for word in words], dtype=np.str_)[codes], names, False)
        notes = []
        tied = ties_beside(rows) if won or "equal" in rows.cells else np.zeros(len(rows.line), dtype=bool)
        if tied.any():
            level = tied & are_in(cells, UNKNOWN)
            level |= tied & (not won and TIE not in meanings.values())  # results that state no draws, such as 1 and 0
            meaning = np.where(level, said.get(TIE, TIE), meaning)
            decided = int((tied & ~level & ((meaning == FIRST) | (meaning == SECOND))).sum())
            if decided and won:
                column = repr(rows.names[result_field])
                notes.append(f"ties with a winner in {column}: {count_noun(decided, 'game')}, counted as won")
        if margin is not None and not won and _never_second(meaning, margin):
            fault = f"{rows.names[result_field]!r} has no loss"
            return signs_of(margin), margin, [f"results: by {rows.called('margin', *GOALS)}; {fault}"]
        if margin is not None and (open_ := are_in(cells, UNKNOWN) & (meaning == "") & ~np.isnan(margin)).any():
            meaning = np.where(open_, signs_of(margin), meaning)
            unscored = f"{count_noun(int(open_.sum()), 'game')} without one in {rows.names[result_field]!r}"
            notes.append(f"results: {unscored}, by {rows.called('margin', *GOALS)}")
        if (meaning == "").any():
            raise _unknown(rows, result_field, names, kind, meaning, margin)
        return meaning, margin, notes
    if ONE_HOT[0] in rows.cells:
        return _one_hot(rows, said), margin, []
    if RANKS[0] in rows.cells and margin is None:
        ranks = [rows.cells[field].cast(polars.Float64).to_numpy() for field in RANKS]
        note = f"results: from the ranks in {rows.called(*RANKS)}; 1 is the winner"
        return signs_of(ranks[1] - ranks[0]), None, [note]
    assert margin is not None
    for first, second in pairs_apart([*rows.further]):
        least = [values for name in (first, second) if (values := numbers_of(rows.further[name])) is not None]
        named = not {*BESIDE["handicaps"]}.isdisjoint(tokens_of(first))
        if named and len(least) > 1 and (least[0] != least[1]).any():
            points = (numbers_of(rows.cells[field]) for field in GOALS if field in rows.cells)
            reached = [own >= aim for own, aim in zip(points, least, strict=False) if own is not None]
            if len(reached) > 1 and (reached[0] != reached[1]).all():
                return np.where(reached[0], FIRST, SECOND), None, [f"results: by who reached {first!r} and {second!r}"]
            return signs_of(margin), margin, [f"handicaps: {first!r} and {second!r} are not added to the points"]
    return signs_of(margin), margin, []


def _legend_of(column: str, headers: tuple[str, str], words: Sequence[str]) -> dict[str, str]:
    """Meanings of cells by the legend in the name of their column; numbers between its numbers follow their signs."""
    texts = {cell: winner_in(text) for cell, text in split_legend(column)[1].items()}
    meanings = Vocabulary({}, headers, True).meanings([*texts.values()])
    legend = {cell: meanings[text] for cell, text in texts.items()}
    signs = {np.sign(value): meaning[:-1] if meaning in HIGHER else meaning
             for cell, meaning in legend.items() if (value := number(cell))}  # fmt: skip
    signs = signs | {0.0: TIE} if len(signs) > 1 else {0.5: TIE}
    others = {word: value for word in words if word not in legend and (value := number(word)) is not None}
    return legend | {word: signs.get(np.sign(value), signs.get(value, "")) for word, value in others.items() if legend}


def _always_named(cells: Texts, meaning: Texts, names: Pair) -> bool:
    """True if each cell names a player of its own row, or is a tie: the letter A is then the player, not away."""
    named = (cells == names[0]) | (cells == names[1])
    return bool(named.any() and np.where(named, ~np.char.isnumeric(cells), meaning == TIE).all())


def _ties_of_winners(rows: Rows, meaning: Texts, tie: str) -> tuple[Texts, list[str]]:
    """Meanings of rows of winners and losers, ties if another column marks them, and a note on both."""
    tied, notes = ties_beside(rows), []
    winner, loser = _points_of_winners(rows)
    if winner is not None and loser is not None:
        tied |= (winner == loser) & ~decided_beside(rows)
        if less := int((winner < loser).sum()):
            fewer = f"{count_noun(less, 'game')} by {rows.called(*_OF_WINNERS)}, kept as wins"
            notes.append(f"winners with fewer points than losers: {fewer}")
    tied &= meaning == FIRST
    if tied.any():
        notes.append(f"ties: {count_noun(int(tied.sum()), 'game')} of winners and losers, marked in another column")
    return np.where(tied, tie, meaning), notes


def _points_of_winners(rows: Rows) -> tuple[Values | None, ...]:
    """Points of winners and of losers, shape (row,) each, None where a file has none."""
    return tuple(numbers_of(rows.cells[field]) if field in rows.cells else None for field in _OF_WINNERS)


def _contradictions(rows: Rows, meaning: Texts, margin: Values | None) -> Iterator[str]:
    """Yield a note on results that goals contradict."""
    if margin is not None and {"score", "winner"} & rows.cells.keys():
        against = meaning.astype("<U1") == np.where(margin > 0, SECOND[0], FIRST[0])  # of any grade
        contrary = (against | (meaning == TIE)) & (margin != 0) & ~np.isnan(margin)
        if count := int(contrary.sum()):
            place = f"{rows.counts} {rows.line[np.argmax(contrary)]}"
            yield f"results that the goals contradict: {count_noun(count, 'game')}; the result counts ({place})"


def _shootouts(rows: Rows, meaning: Texts) -> Iterator[str]:
    """Yield a note on level games that numbers in two further columns, such as penalties, decide."""
    for pair in pairs_apart([name for name in rows.further if {*BESIDE["shootouts"]} & {*tokens_of(name)}]):
        first, second = (rows.further[name].cast(polars.Float64, strict=False).fill_null(0.0) for name in pair)
        if (decided := (first != second).to_numpy()).any() and (meaning[decided] == TIE).all():
            yield f"level games decided by {pair[0]!r} and {pair[1]!r}: {count_noun(int(decided.sum()), 'game')}, draws"


def _never_second(meaning: Texts, margin: Values) -> bool:
    """True if a column of results has no loss of the first side, although many games have fewer goals of it."""
    sure = (meaning != "") & ~np.isnan(margin)
    return bool(sure.any() and np.isin(meaning[sure], (FIRST, TIE)).all() and (margin[sure] < 0).mean() > _MANY_LOSSES)


def exchange_sides(meaning: Texts) -> Texts:
    """Meanings with the two sides exchanged."""
    return np.array([_EXCHANGED.get(word, word) for word in meaning.tolist()], dtype=np.str_)


def _as_side(word: str, mark: str) -> str:
    """A cell as the name of a player or side."""
    plain = normalise_spelling(word)
    return JOINED.join(sorted(parts_of(plain, mark))) if mark and mark in plain else plain


def signs_of(margin: Values) -> Texts:
    """Outcomes by the signs of margins, shape (game,)."""
    return np.where(margin > 0, FIRST, np.where(margin < 0, SECOND, TIE))


def _margin_of(rows: Rows) -> Values | None:
    """White's goals or points less Black's, shape (game,), None if the source lacks them.

    Unknown margins are NaN if a result is given separately; if the margin is the result, an unknown margin is an error.
    """
    fields = ["margin"] if "margin" in rows.cells else [field for field in GOALS if field in rows.cells]
    if not fields:
        return _margin_of_winners(rows)
    valid: Mask = np.full(len(rows.line), True)
    if "score" in rows.cells or "winner" in rows.cells:
        valid = ~np.any([are_in(rows.cells[field], UNKNOWN) for field in fields], axis=0)
    margin = np.full(len(rows.line), np.nan)
    if valid.any():
        part = rows.keep(valid)
        first, *second = (parse_column(key, part.cells[key], part.place, part.names[key]) for key in fields)
        margin[valid] = first - second[0] if second else first
    return margin


def _margin_of_winners(rows: Rows) -> Values | None:
    """Points of winners less those of losers, shape (game,), NaN if unknown or below 0; None if the source lacks them.

    Sets won are no margin if the games of each set are known, which are a lead.
    """
    winner, loser = _points_of_winners(rows)
    if "loser" not in rows.names or LEAD in rows.further or winner is None or loser is None:
        return None
    return np.where(winner >= loser, winner - loser, np.nan)


def _one_hot(rows: Rows, said: Mapping[str, str]) -> Texts:
    """Outcome of each row if every outcome has a column of its own."""
    fields = [field for field in ONE_HOT if field in rows.cells]
    fields += ["equal"] if "equal" in rows.cells and ONE_HOT[2] not in fields else []
    truth = [are_in(rows.cells[field], TRUE) for field in fields]
    odd = np.flatnonzero(np.sum(truth, axis=0) != 1).tolist()
    if odd:
        columns = ", ".join(rows.names[field] for field in fields)
        raise GameTableError(rows.place(odd[0]), f"one of {columns}", "none or several").at(rows.place, odd)
    return np.select(truth, [FIRST, SECOND, said.get(TIE, TIE)][: len(truth)], "")


def _guesses(words: Sequence[str], rows: Rows, margin: Values | None, used_meanings: Collection[str]) -> dict[str, str]:
    """Meanings of unknown words by their goals, by a seat or a draw within the word, or by elimination."""
    guesses: dict[str, str] = {}
    cells = rows.cells["score"].to_numpy()
    for word in words:
        signs = {*np.sign(margin[cells == word]).tolist()} if margin is not None else set()
        by_goals = {1.0: FIRST, -1.0: SECOND, 0.0: TIE}.get(signs.pop(), "") if len(signs) == 1 else ""
        guesses[word] = by_goals or next((meaning for part in tokens_of(word) if (meaning := result_word(part))), "")
    unused = {FIRST, SECOND, TIE} - {*used_meanings, *guesses.values()}
    if list(guesses.values()).count("") == len(unused) == 1:
        guesses = {word: meaning or unused.copy().pop() for word, meaning in guesses.items()}
    return guesses if all(guesses.values()) and len({*guesses.values()}) == len(guesses) else dict.fromkeys(words, "")


def _words_alike(words: Sequence[str], cells: Sequence[str]) -> list[str]:
    """Unknown words and all letters of their column if one is a letter, all numbers if all are; else empty.

    The meanings of the others may differ from the usual ones too. Numbers beside halves are scores.
    """
    if any(len(word) == 1 and word.isalpha() for word in words):
        return [*words, *(cell for cell in cells if len(cell) == 1 and cell.isalpha() and cell not in words)]
    if all(map(_NUMBER.fullmatch, words)) and not {*HALVES} & {*cells}:
        return sorted((cell for cell in cells if _NUMBER.fullmatch(cell)), key=int)
    return []


def _unknown(rows: Rows, field: str, names: Pair, kind: str, meaning: Texts, margin: Values | None) -> GameTableError:
    """Error for rows without a meaning; the remedy has all words, with meanings if these can be guessed."""
    faulty = np.flatnonzero(meaning == "").tolist()
    row, place = faulty[0], f"{rows.place(faulty[0])}, column {rows.names[field]}"
    word = rows.cells[field][row]
    words = list(dict.fromkeys(rows.cells[field].gather(faulty).to_list()))
    colour = rows.names["white"].capitalize() if plain_word(rows.names["white"]) in COLOURS else "White"
    expected = f"{colour}'s score: 0, 0.5 or 1"
    if field == "winner":
        expected = f"{str(names[0][row])[:60]!r}, {str(names[1][row])[:60]!r}, a side, tie or both_bad"
    remedy = "" if kind in ONLY_RESULTS else f"Say what it means: {outcome_flags({word: ''})}."
    if any(map(_DATE.fullmatch, words)):
        remedy = "A spreadsheet has turned scores into dates: make the column text, and type the scores again."
        return GameTableError(place, expected, repr(word[:60]), remedy)
    guesses = dict.fromkeys(words, "")
    if field == "score" and len(words) > 1:
        guesses = _guesses(words, rows, margin, {*meaning[meaning != ""].tolist()})
    others = [word for word in rows.cells[field].unique().sort().to_list() if not np.isin(word, names).any()]
    alike = [] if all(guesses.values()) else _words_alike(words, others)
    guesses = dict.fromkeys(alike, "") or guesses
    if kind not in ONLY_RESULTS and 1 < len(guesses) <= _MOST_WORDS and (field == "score" or alike):
        remedy = f"Say what they mean: {outcome_flags(guesses)}."
        remedy += " Or name another column: --columns score=COLUMN." if (meaning == "").all() else ""
    return GameTableError(place, expected, repr(word[:60]), remedy).at(rows.place, faulty)


def by_name(meaning: Texts, cells: Texts, names: Sequence[Texts], first: bool) -> Texts:
    """Meanings, each shape (game,), with the cells that name a player; words have priority unless `first`."""
    free = np.full(meaning.shape, True) if first else meaning == ""
    return np.where(free & (cells == names[0]), FIRST, np.where(free & (cells == names[1]), SECOND, meaning))


def split_grades(meaning: Texts) -> tuple[Texts, Floats | None]:
    """Meanings without grades, and the grades, shape (game,): 0 for ties, else 1 to 3; None if all are 1."""
    if not np.isin(meaning, [*HIGHER]).any():
        return meaning, None
    grade = ((meaning == FIRST) | (meaning == SECOND)).astype(np.float64)
    for word, (side, level) in HIGHER.items():
        meaning, grade = np.where(meaning == word, side, meaning), np.where(meaning == word, float(level), grade)
    return meaning, grade


def scores_of(meaning: Texts) -> Floats:
    """The first seat's score of each meaning, shape (game,)."""
    return np.where(meaning == FIRST, 1.0, np.where(meaning == SECOND, 0.0, 0.5))
