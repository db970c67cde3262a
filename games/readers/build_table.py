"""From columns of cells to a checked table, for all formats."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars

from halfpoint.games.errors import GameTableError, count_noun
from halfpoint.games.periods import CLOCK, clock_of
from halfpoint.games.readers.column_names import COUNTS, EVERY_OTHER, GOALS, ONE_HOT, Assignment
from halfpoint.games.readers.column_values import (
    OPTIONAL,
    SPREADSHEET_ZERO,
    UNKNOWN,
    Values,
    encode_cells,
    has_day_first,
    mostly_wrong,
    normalise_spelling,
    numbers_of,
    parse_column,
    texts_of,
)
from halfpoint.games.readers.options import ReaderOptions
from halfpoint.games.readers.set_apart import (
    UNPLAYED,
    Mask,
    Rows,
    add_advice,
    apart_in_words,
    are_forfeits,
    are_in,
    set_apart,
)
from halfpoint.games.readers.side_cells import SEAT, are_several, marks_of, parts_of, read_sides
from halfpoint.games.readers.sources import SAMPLED_ROWS, Source
from halfpoint.games.readers.words import (
    ABOUT,
    BOTH_BAD,
    DROP,
    FIRST,
    FLAG,
    SECOND,
    SIMULATED,
    TIE,
    TRUE,
    WORDS,
    Vocabulary,
    by_name,
    goals_of,
    is_mark,
    list_names,
    outcome_map,
    plain_word,
    scores_of,
    split_grades,
)
from halfpoint.games.sides import JOINED, Sides, seats_of_column
from halfpoint.games.table import GRADE, GameTable, Texts, code_players

_MOST_KEPT = 200  # columns of numbers that nothing asked for
_MOST_FAULTY, _FAULTY_SHARE = 100, 0.1  # rows that are set apart; more, and the file is not what it is taken for
_RESERVED = ("neutral", GRADE, "margin", "goal_difference", "both_bad", *ABOUT)
_ONLY_RESULTS = ("study", "pgn")  # formats in which every row is a game, and a score is no number of goals


def build_table(source: Source, assigned: Assignment, options: ReaderOptions) -> GameTable:
    """The checked table of a source whose columns are assigned.

    `GameTableError` at the first value that breaks a rule, or where more than 100 rows or a tenth would be set apart.
    """
    rows, left_out = _read_rows(source, assigned, options)
    lines: list[int] = []
    first: GameTableError | None = None
    while True:
        try:
            games = _table_of(source, assigned, options, rows, list(left_out))
        except GameTableError as error:
            found = re.search(rf"\b{rows.counts} (\d+)\b", error.where.removeprefix(source.where))
            here = np.zeros(rows.line.size, dtype=np.bool_) if found is None else rows.line == int(found[1])
            first = first or error
            most = min(_MOST_FAULTY, int(_FAULTY_SHARE * (rows.line.size + len(lines))))
            can = here.any() and len(lines) < most
            if options.faulty != "apart" or not can:
                raise (add_advice(first) if can else first) from None
            lines.append(int(rows.line[here][0]))
            rows = rows.keep(~here)
        else:
            apart = (apart_in_words(sorted(lines), rows.counts, "faulty"),) if lines else ()
            return replace(games, notes=(*apart, *games.notes))


def _table_of(
    source: Source, assigned: Assignment, options: ReaderOptions, rows: Rows, left_out: list[str]
) -> GameTable:
    """The checked table of rows, or raise `GameTableError` at the first value that breaks a rule."""
    notes = list(source.notes)
    if "loser" in assigned.columns:
        notes.append(
            "winners and losers: the first seat is unknown, so no first-move or home advantage can be estimated"
        )
    if len(rows.line) == 0:
        raise GameTableError(source.where, "at least one game", "no rows")
    if source.kind not in _ONLY_RESULTS:
        rows, told = set_apart(rows, outcome_map(options.outcomes))
        notes += told
    for field in [one for one in OPTIONAL if one in assigned.guessed and one in rows.cells]:
        place = f"{source.where}, column {rows.names[field]}"
        if mostly_wrong(field, rows.cells[field], place, options.date_format):
            rows = replace(rows, cells={key: one for key, one in rows.cells.items() if key != field})
            left_out.append(rows.names[field])
            if field == "date":
                word = next(filter(None, source.read([rows.names[field]], SAMPLED_ROWS)[rows.names[field]]), "")
                notes.append(f"no days: {word[:30]!r} in {rows.names[field]} is none (--date-format reads others)")
    mark, said = marks_of(rows.cells, options.sides)
    notes += [said] if said else []
    players: tuple[Any, ...] | None = None
    if are_several(rows.cells, mark):
        players = read_sides(rows, mark)
        names = players[0][players[1]], players[0][players[2]]
    else:
        left_out += [rows.names[key] for key in rows.cells if SEAT.fullmatch(key) and key not in ("white", "black")]
        names = _parsed_of(rows, "white"), _parsed_of(rows, "black")
    covariates: dict[str, Values] = {}
    if options.scored:
        meaning, margin = _outcomes_of(rows, names, options, mark, source.kind)
        if (meaning == DROP).any():
            kept = meaning != DROP
            notes.append(f"dropped: {count_noun(int((~kept).sum()), 'game')}, as {FLAG} says")
            if not kept.any():
                raise GameTableError(source.where, "at least one game", "all rows dropped")
            rows, meaning, names = rows.keep(kept), meaning[kept], (names[0][kept], names[1][kept])
            margin = margin if margin is None else margin[kept]
            players = players if players is None else read_sides(rows, mark)
        meaning, grade = split_grades(meaning)
        score = scores_of(meaning)
        if grade is not None:
            covariates[GRADE] = grade
        if margin is not None:
            covariates["margin" if "margin" in rows.cells else "goal_difference"] = margin
        if (meaning == BOTH_BAD).any():
            covariates["both_bad"] = (meaning == BOTH_BAD).astype(np.float64)
            bad = int(covariates["both_bad"].sum())
            notes.append(
                f"both bad: {count_noun(bad, 'game')}, counted as draws ({FLAG} both_bad=drop leaves them out)"
            )
    else:
        score = np.full(len(rows.line), 0.5)
    parsed: dict[str, Any] = {
        field: _parsed_of(rows, field, options.date_format)
        for field in ("period", "date", "white_rating_elo", "black_rating_elo", "event", "weight", "neutral")
        if field in rows.cells
    }
    notes += _zero_days(rows, parsed.get("date"))
    guess = rows.names["period"] if {"period", "date"} <= set(parsed) and "period" in assigned.guessed else "period"
    if guess.lower() != "period" and not np.isnat(parsed["date"]).all():
        covariates[guess] = parsed.pop("period").astype(np.float64)  # rounds begin anew with each event, days do not
    who: Sides | None = None
    if players is None:
        players = code_players(*names)
    else:
        left_out += [
            rows.names[one] for one in ("white_rating_elo", "black_rating_elo") if parsed.pop(one, None) is not None
        ]
        who = players[3]
        who = None if who.members.shape[1] == 1 and bool(np.all(who.share == 1.0)) else who  # nobody has a partner
    times = _clocks_of(rows)
    if times is not None:
        covariates[CLOCK] = times
    elif CLOCK in rows.cells:  # a duration, or no time at all
        numbers = numbers_of(rows.cells[CLOCK])
        left_out += [rows.names[CLOCK]] if numbers is None else []
        covariates |= {} if numbers is None else {rows.names[CLOCK]: numbers}
    if "neutral" in parsed:
        covariates = {"neutral": parsed.pop("neutral")} | covariates
    counts = {key: numbers_of(rows.cells[key]) for key in COUNTS if key in rows.cells}
    covariates |= {key: numbers for key, numbers in counts.items() if numbers is not None}
    left_out += [rows.names[key] for key, numbers in counts.items() if numbers is None]
    for key, cells in rows.further.items():
        numbers = None if key in ABOUT and key in assigned.columns else numbers_of(cells)
        covariates.setdefault(key, texts_of(cells) if numbers is None else numbers)
    once = list(source.names).count(SIMULATED) == 1 and SIMULATED not in source.nested
    simulated = once and is_mark(source.read([SIMULATED])[SIMULATED].unique())  # nobody played them
    if simulated and SIMULATED not in options.covariates:
        covariates.pop(SIMULATED, None)
        left_out = [name for name in left_out if name != SIMULATED]
    if left_out:
        use = "--columns FIELD=COLUMN uses one, --ignore '*' drops this line"
        notes.append(f"columns left out: {list_names(left_out)} ({use})")
    called = {column: one for one, column in options.columns.items() if one != "white"}
    first = rows.names["white"]
    seats = "first" if "loser" in assigned.columns else seats_of_column(called.get(first, first))
    everyone, white, black = players[:3]
    if seats == "home" and 2 * sum(", " in name for name in everyone.tolist()) > everyone.size:
        seats = "home player"  # people, Family, Given, on the boards of a league
    return GameTable(
        everyone, white, black, score, **parsed, covariates=covariates, line=rows.line, counts=rows.counts,
        name=source.name, source=source.where, sha256=source.sha256, notes=tuple(notes), seats=seats, sides=who,
        simulated=simulated, day_first="date" in parsed and has_day_first(rows.cells["date"]),
    )  # fmt: skip


def _read_rows(source: Source, assigned: Assignment, options: ReaderOptions) -> tuple[Rows, list[str]]:
    """The cells of the columns that are wanted, and the columns that are left out.

    The winner is White in every game of a file of winners and losers, and every game is neutral; what it tells of the
    score beside, as in "6-3 6-4" and "W/O", says whether a game was played.
    """
    chosen = assigned.every
    taken = source.nested.union(_RESERVED, (name for name, times in Counter(source.names).items() if times > 1))
    free = [name for name in assigned.left_out if name not in taken]
    keep = len(free) <= _MOST_KEPT and EVERY_OTHER not in options.ignore
    sample = source.read(free, SAMPLED_ROWS) if keep and free else {}
    numeric = [name for name, cells in sample.items() if numbers_of(cells) is not None]
    cells = source.read([*chosen.values(), *options.covariates, *numeric])
    numeric = [name for name in numeric if numbers_of(cells[name]) is not None]
    further = {name: cells[name] for name in (*options.covariates, *numeric)}
    further |= {one: cells[chosen[one]] for one in ABOUT if one in chosen}
    fields = {one: cells[name] for one, name in chosen.items()}
    names = dict(chosen)
    count = len(next(iter(cells.values()))) if cells else 0
    if "loser" in chosen:
        fields = {"white": fields.pop("winner"), "black": fields.pop("loser")} | fields
        fields |= {key: polars.Series(["1"] * count, dtype=polars.String) for key in ("score", "neutral")}
        told = next((name for name in assigned.left_out if plain_word(name) in ("score", *WORDS["score"])), None)
        if told is not None and not are_in(scores := source.read([told])[told], UNPLAYED).all():
            apart = are_forfeits(scores, ()) | are_in(scores, UNPLAYED)
            fields["score"] = fields["score"].zip_with(polars.Series(~apart), scores)
        names |= {"white": names["winner"], "black": names["loser"], "score": "score", "neutral": "neutral"}
    line = np.arange(1, count + 1) if source.line is None else source.line
    left_out = [name for name in assigned.left_out if name not in numeric]
    return Rows(source.where, source.counts, line, fields, names, further), left_out


def _parsed_of(rows: Rows, field: str, date_format: str | None = None) -> Values:
    """A field's values, shape (row,)."""
    return parse_column(field, rows.cells[field], rows.place, rows.names[field], date_format)


def _outcomes_of(
    rows: Rows, names: tuple[Texts, Texts], options: ReaderOptions, mark: str, kind: str
) -> tuple[Texts, Values | None]:
    """Meaning of each row, a word of `halfpoint.games.readers.words`, and the margin if given."""
    said = outcome_map(options.outcomes)
    margin = _margin_of(rows)
    told = next((one for one in ("score", "winner") if one in rows.cells), None)
    headers = (rows.names["white"], rows.names["black"])
    if told is not None:
        cells = rows.cells[told]
        if cells.dtype != polars.String:
            raise GameTableError(f"{rows.place(0)}, column {rows.names[told]}", "a result", "a list")
        codes, words = encode_cells(cells)
        goals = goals_of(words) if told == "score" and kind not in _ONLY_RESULTS else {}
        if goals:
            gap = np.array([goals[word][0] - goals[word][1] for word in words], dtype=np.float64)[codes]
            return _signs(gap), gap if margin is None else margin
        won = told == "winner"
        meanings = Vocabulary(said, headers, won).meanings(words)
        meaning = np.array([meanings[word] for word in words], dtype=np.str_)[codes]
        plain = np.array([_as_side(word, mark) for word in words], dtype=np.str_)[codes]
        meaning = by_name(meaning, plain, names, won)
        if "equal" in rows.cells:
            equal = are_in(rows.cells["equal"], TRUE) & are_in(cells, UNKNOWN)
            meaning = np.where(equal, said.get(TIE, TIE), meaning)
        bad = np.flatnonzero(meaning == "")
        if bad.size:
            raise _unknown_word(rows, told, int(bad[0]), names, kind)
        return meaning, margin
    if ONE_HOT[0] in rows.cells:
        return _one_hot(rows, said), margin
    if "equal" in rows.cells and margin is None:
        equal = are_in(rows.cells["equal"], TRUE)
        raise GameTableError(rows.place(int(np.argmin(equal))), "who was better, or a tie", "neither")
    assert margin is not None
    return _signs(margin), margin


def _clocks_of(rows: Rows) -> Values | None:
    """Seconds since midnight, NaN where unknown, by a column of times or by days with one; None if none is."""
    told = [rows.cells[one] for one in (CLOCK, "date") if one in rows.cells and rows.cells[one].dtype == polars.String]
    for cells in told:
        codes, texts = encode_cells(cells)
        values = np.array([clock_of(text) for text in texts], dtype=np.float64)[codes]
        if np.isfinite(values).any():
            return values
    return None


def _as_side(word: str, mark: str) -> str:
    """A cell as the name of a player or side."""
    plain = normalise_spelling(word)
    return JOINED.join(sorted(parts_of(plain, mark))) if mark and mark in plain else plain


def _signs(margin: Values) -> Texts:
    """Winners by margins, shape (game,)."""
    return np.where(margin > 0, FIRST, np.where(margin < 0, SECOND, TIE))


def _margin_of(rows: Rows) -> Values | None:
    """White's goals or points less Black's, shape (game,), None if not given.

    Beside a result unknown ones are NaN; where they are the result they are known, or the row is a fault.
    """
    fields = ["margin"] if "margin" in rows.cells else [one for one in GOALS if one in rows.cells]
    if not fields:
        return None
    known: Mask = np.full(len(rows.line), True)
    if "score" in rows.cells or "winner" in rows.cells:
        known = ~np.any([are_in(rows.cells[one], UNKNOWN) for one in fields], axis=0)
    told = rows.keep(known) if known.any() else rows
    values = [_parsed_of(told, one) for one in fields] if known.any() else []
    margin = np.full(len(rows.line), np.nan)
    if values:
        margin[known] = values[0] if len(values) == 1 else values[0] - values[1]
    return margin


def _one_hot(rows: Rows, said: Mapping[str, str]) -> Texts:
    """Meaning of each row if every outcome has a column of its own."""
    truth = [are_in(rows.cells[one], TRUE) for one in ONE_HOT]
    odd = np.flatnonzero(np.sum(truth, axis=0) != 1)
    if odd.size:
        columns = ", ".join(rows.names[one] for one in ONE_HOT)
        raise GameTableError(rows.place(int(odd[0])), f"one of {columns}", "none or several")
    return np.select(truth, [FIRST, SECOND, said.get(TIE, TIE)], "")


def _unknown_word(rows: Rows, told: str, row: int, names: tuple[Texts, Texts], kind: str) -> GameTableError:
    """The error for a row whose outcome is not known."""
    word = rows.cells[told][row]
    expected = "White's score: 0, 0.5 or 1"
    if told == "winner":
        expected = f"{str(names[0][row])[:60]!r}, {str(names[1][row])[:60]!r}, a side, tie or both_bad"
    remedy = "" if kind in _ONLY_RESULTS else f"Say what it means: {FLAG} {word[:60]}=first|second|tie|both_bad|drop."
    return GameTableError(f"{rows.place(row)}, column {rows.names[told]}", expected, repr(word[:60]), remedy)


def _zero_days(rows: Rows, date: Values | None) -> list[str]:
    """A line on the days that are a spreadsheet's zero, which are unknown."""
    if date is None or not np.isnat(date).any():
        return []
    empty = are_in(rows.cells["date"], UNKNOWN) | rows.cells["date"].str.contains("?", literal=True).to_numpy()
    zero = np.isnat(date) & ~empty
    if not zero.any():
        return []
    what = f"{count_noun(int(zero.sum()), 'game')} of {SPREADSHEET_ZERO}, a spreadsheet's zero"
    return [f"dates: {what}, taken as unknown ({rows.counts} {rows.line[np.argmax(zero)]})"]
