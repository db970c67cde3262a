"""Conversion of columns of cells to a checked table, common to all formats once their columns are identified.

Each column has a field or a reason for being unused. Rows are reshaped into games, other rows are set apart, and the
values are read; the table's notes have one line per change.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.periods import CLOCK
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.sides import Sides, seats_of_column
from halfpoint.models.games.table import GRADE, LEAD, Codes, GameTable, Texts, code_players
from halfpoint.readers.column_names import COUNTS, EVERY_OTHER, Assignment, assign_columns
from halfpoint.readers.column_values import OPTIONAL, Values, has_day_first, numbers_of, parse_column, texts_of, unfit
from halfpoint.readers.identity import names_of_players
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.outcomes import ONLY_RESULTS, outcomes_of, scores_of, split_grades
from halfpoint.readers.parts_of_games import without_sums
from halfpoint.readers.row_shapes import as_games, column_of_winners, left_out_rows, scores_of_winners, seat_numbers
from halfpoint.readers.set_apart import GOALS, VERDICT, Rows, add_advice, apart_in_words, odd_rows_allowed, set_apart
from halfpoint.readers.side_cells import SEAT, are_several, marks_of, read_sides, seats_of_locations
from halfpoint.readers.sources import SAMPLED_ROWS, Source
from halfpoint.readers.times_of_rows import clocks_of, within_events, within_seasons, zero_days
from halfpoint.readers.trial import Reading, stand_trial
from halfpoint.readers.words import ABOUT, BOTH_BAD, FLAG, SIMULATED, WORDS, is_mark, list_names, outcome_map

_MOST_KEPT = 200  # columns of numbers that nothing asked for
_NUMBERS_KEPT = ("season", "winner_goals", "loser_goals", "white_id", "black_id")
_RESERVED = ("neutral", GRADE, "margin", "goal_difference", "both_bad")


def read_table(source: Source, options: ReaderOptions) -> GameTable:
    """Assign the columns of a source, build its table and try it; `GameTableError` as in `build_table`."""
    return stand_trial(_reading(source, options), lambda options: _reading(source, options))


def _reading(source: Source, options: ReaderOptions) -> Reading:
    """A table as it is read, before its trial."""
    options = replace(options, covariates=tuple(column_of_winners(name, source.names) for name in options.covariates))
    assigned = assign_columns(source, options, read_table)
    return Reading(build_table(source, assigned, options), source, assigned, options)


def build_table(source: Source, assigned: Assignment, options: ReaderOptions) -> GameTable:
    """Build the checked table of a source whose columns are assigned.

    `GameTableError` at the first value that breaks a rule, if more rows do than may be set apart (`odd_rows_allowed`).
    """
    rows, left_out = _read_rows(source, assigned, options)
    count = len(rows.line)
    lines: list[int] = []
    first: GameTableError | None = None
    most = odd_rows_allowed(np.unique(rows.line).size, options.faulty)
    while True:
        try:
            account = Counter[str]()
            games = _table_of(source, assigned, options, rows, list(left_out), account)
        except GameTableError as error:
            places = (place.removeprefix(source.where) for place in (error.where, *error.places))
            matches = [re.search(rf"\b{rows.counts} (\d+)\b", place) for place in places]
            is_faulty = np.isin(rows.line, [int(match[1]) for match in matches if match is not None])
            first = first or error
            if not is_faulty.any() or len(lines) + is_faulty.sum() > most:
                can = is_faulty.any() and most <= len(lines) < odd_rows_allowed(
                    np.unique(rows.line).size + len(lines), "apart"
                )
                raise (add_advice(first) if can else first) from None
            lines += np.unique(rows.line[is_faulty]).tolist()
            rows = rows.keep(~is_faulty)
        else:
            account["set apart"] += len(lines)
            notes = [*games.notes]
            if first is not None:
                column = f" in {first.where.rpartition(', column ')[2]}" * (", column " in first.where)
                notes.insert(0, apart_in_words(sorted(lines), rows.counts, "faulty", first.found + column))
            excluded = [f"{account[kind]} {kind}" for kind in ("folded", "set apart") if account[kind]]
            if excluded:
                notes.append(f"rows: {count} = {' + '.join([count_noun(account['games'], 'game'), *excluded])}")
            return replace(games, notes=tuple(notes))


def _table_of(
    source: Source, assigned: Assignment, options: ReaderOptions, rows: Rows, left_out: list[str], account: Counter[str]
) -> GameTable:
    """The checked table of rows, or raise `GameTableError` at the first value that breaks a rule."""
    notes = [*source.notes, *assigned.notes]
    if "loser" in assigned.columns and "location" not in assigned.columns:
        unknown = "the first seat is unknown, so no first-move or home advantage can be estimated"
        notes.append(f"winners and losers: {unknown}")
    if len(rows.line) == 0:
        raise GameTableError(source.where, "at least one game", "no rows")
    if source.kind not in ONLY_RESULTS:
        account["set apart"] += len(rows.line)
        rows, remarks = set_apart(rows, outcome_map(options.outcomes), assigned.own_side)
        rows, of_parts = without_sums(rows)
        account["set apart"] -= len(rows.line)
        notes += [*remarks, *of_parts]
    account["games"] = len(rows.line)
    rows, remarks = as_games(rows, assigned.own_side)
    notes += remarks
    tallied = len(rows.line) != account["games"]
    for field in [field for field in OPTIONAL if field in assigned.guessed and field in rows.cells]:
        kind = "season" if rows.names[field] == rows.names.get("season") else field
        least = 1.0 if field == "period" and "date" in rows.cells else 0.5  # weeks such as WildCard, beside days
        if unfit(kind, rows.cells[field], f"{source.where}, column {rows.names[field]}", options.date_format, least):
            rows = replace(rows, cells={key: cells for key, cells in rows.cells.items() if key != field})
            left_out.append(rows.names[field])
            if field == "date":
                word = next(filter(None, source.read([rows.names[field]], SAMPLED_ROWS)[rows.names[field]]), "")
                notes.append(f"no days: {word[:30]!r} in {rows.names[field]} is not a date (set --date-format)")
    mark, remark = marks_of(rows.cells, options.sides)
    notes += [remark] if remark else []
    players: Sequence[Any] | None = None
    if are_several(rows.cells, mark):
        players = read_sides(rows, mark)
        names = players[0][players[1]], players[0][players[2]]
    else:
        left_out += [rows.names[key] for key in rows.cells if SEAT.fullmatch(key) and key not in ("white", "black")]
        names = _parsed_of(rows, "white"), _parsed_of(rows, "black")
    ids = _ids_of(rows)
    covariates: dict[str, Values] = {}
    meaning, margin = np.full(len(rows.line), ""), None
    if options.scored:
        meaning, margin, remarks = outcomes_of(rows, names, ids, options, mark, source.kind)
        notes += remarks
    for is_kept, reason, remarks in left_out_rows(names, meaning, margin, rows, assigned.own_side):
        notes += remarks
        lines = np.setdiff1d(rows.line, rows.line[is_kept]) if tallied else rows.line[~is_kept]
        account[reason] += lines.size
        account["games"] -= lines.size
        if not is_kept.any():
            raise GameTableError(source.where, "at least one game", "all rows dropped")
        rows, meaning, names = rows.keep(is_kept), meaning[is_kept], (names[0][is_kept], names[1][is_kept])
        ids, margin = _ids_of(rows), margin if margin is None else margin[is_kept]
        if reason == "folded" and not assigned.own_side:  # the seats are the order of the first listing
            rows = rows.with_texts("neutral", ["1"] * len(rows.line), rows.names.get("neutral", "neutral"))
        players = players if players is None else read_sides(rows, mark)
    if options.scored:
        meaning, grade = split_grades(meaning)
        score = scores_of(meaning)
        if grade is not None:
            covariates[GRADE] = grade
        if margin is not None:
            covariates["margin" if "margin" in rows.cells else "goal_difference"] = margin
        if (meaning == BOTH_BAD).any():
            covariates["both_bad"] = (meaning == BOTH_BAD).astype(np.float64)
            bad = count_noun(int(covariates["both_bad"].sum()), "game")
            notes.append(f"both bad: {bad}, counted as draws ({FLAG} both_bad=drop leaves them out)")
    else:
        score = np.full(len(rows.line), 0.5)
    if "period" in rows.cells and rows.names["period"] == rows.names.get("season"):
        rows = rows.with_texts("period", _parsed_of(rows, "season").astype(str).tolist(), rows.names["period"])
    parsed: dict[str, Any] = {
        field: _parsed_of(rows, field, options.date_format)
        for field in ("period", "date", "white_rating_elo", "black_rating_elo", "event", "weight", "neutral")
        if field in rows.cells
    }
    notes += zero_days(rows, parsed.get("date"))
    if "season" in rows.cells and "period" in parsed and "period" not in options.columns:
        notes += within_seasons(rows, parsed)
    elif {"event", "period"} <= parsed.keys() - {"date"} and "date" not in parsed and "period" not in options.columns:
        notes += within_events(rows, names, parsed)
    guess = rows.names["period"] if {"period", "date"} <= set(parsed) and "period" in assigned.guessed else "period"
    if guess.lower() != "period" and not np.isnat(parsed["date"]).all():
        covariates[guess] = parsed.pop("period").astype(np.float64)  # rounds begin anew with each event, days do not
    who: Sides | None = None
    if players is None:
        *players, remarks = _who_is_who(names, ids)
        notes += remarks
    else:
        unread = [key for key in ("white_rating_elo", "black_rating_elo") if parsed.pop(key, None) is not None]
        left_out += [rows.names[key] for key in unread]
        who = players[3]
        who = None if who.members.shape[1] == 1 and bool(np.all(who.share == 1.0)) else who  # no player has a partner
    times = clocks_of(rows)
    covariates |= {} if times is None else {CLOCK: times}
    covariates = {"neutral": parsed.pop("neutral")} | covariates if "neutral" in parsed else covariates
    for key in filter(rows.cells.__contains__, (CLOCK, *COUNTS) if times is None else COUNTS):
        if (numbers := numbers_of(rows.cells[key])) is None:
            left_out += [] if key in GOALS and margin is not None else [rows.names[key]]
        else:  # a clock without times is a duration
            covariates[rows.names[key] if key == CLOCK else key] = numbers
    for key, cells in rows.further.items():
        numbers = None if key in ABOUT and key in assigned.columns else numbers_of(cells)
        covariates.setdefault(key, texts_of(cells) if numbers is None else numbers)
    if "loser" in assigned.columns:
        covariates |= {name: values for name, values in seat_numbers(covariates).items() if name not in covariates}
    once = list(source.names).count(SIMULATED) == 1 and SIMULATED not in source.nested
    simulated = once and is_mark(source.read([SIMULATED])[SIMULATED].unique())  # generated games
    if simulated and SIMULATED not in options.covariates:
        covariates.pop(SIMULATED, None)
        left_out = [name for name in left_out if name != SIMULATED]
    if left_out:
        use = "--columns FIELD=COLUMN selects a column, --ignore '*' drops this line"
        notes.append(f"columns left out: {list_names(left_out)} ({use})")
    field_of_column = {column: field for field, column in options.columns.items() if field != "white"}
    first = rows.names["white"]
    seats = "first" if "loser" in assigned.columns else seats_of_column(field_of_column.get(first, first))
    seats = (assigned.own_side and seats_of_locations(rows)) or seats
    everyone, white, black = players[:3]
    if seats == "home" and 2 * sum(", " in name for name in everyone.tolist()) > everyone.size:
        seats = "home player"  # people, Family, Given, on the boards of a league
    return GameTable(
        everyone, white, black, score, **parsed, covariates=covariates, line=rows.line, counts=rows.counts,
        name=source.name, source=source.where, sha256=source.sha256, notes=tuple(notes), seats=seats, sides=who,
        simulated=simulated, day_first="date" in parsed and has_day_first(rows.cells["date"]),
    )  # fmt: skip


def _read_rows(source: Source, assigned: Assignment, options: ReaderOptions) -> tuple[Rows, list[str]]:
    """Read the cells of the requested columns; list the ignored columns.

    The winner is White in every game of a file of winners and losers, and every game is neutral.
    """
    chosen = assigned.every
    several = (name for name, times in Counter(source.names).items() if times > 1)
    barred = source.nested.union(_RESERVED, several, chosen.keys() & ABOUT.keys())
    free = [name for name in assigned.left_out if name not in barred]
    keep = len(free) <= _MOST_KEPT and EVERY_OTHER not in options.ignore
    sample = source.read(free, SAMPLED_ROWS) if keep and free else {}
    numeric = [name for name, cells in sample.items() if numbers_of(cells) is not None]
    used = [*(name for field, name in chosen.items() if field not in ABOUT), *assigned.verdicts]
    labels = {*options.covariates, *(name for field, name in chosen.items() if field in ABOUT)} - {*used}
    cells = source.read([*chosen.values(), *assigned.verdicts, *options.covariates, *numeric], labels=labels)
    numeric = [name for name in numeric if numbers_of(cells[name]) is not None]
    further = {name: cells[name] for name in (*options.covariates, *numeric)}
    further |= {field: cells[chosen[field]] for field in ABOUT if field in chosen}
    number_cells = {chosen[field]: cells[chosen[field]] for field in _NUMBERS_KEPT if field in chosen}
    further |= {name: cells for name, cells in number_cells.items() if keep and numbers_of(cells) is not None}
    fields = {field: cells[name] for field, name in chosen.items()}
    fields |= {f"{VERDICT}{name}": cells[name] for name in assigned.verdicts}
    names = dict(chosen) | {f"{VERDICT}{name}": name for name in assigned.verdicts}
    count = len(next(iter(cells.values()))) if cells else 0
    left_out = [name for name in assigned.left_out if name not in numeric]
    if "loser" in chosen:
        fields = {"white": fields.pop("winner"), "black": fields.pop("loser")} | fields
        fields |= {key: polars.Series(["1"] * count, dtype=polars.String) for key in ("score", "neutral")}
        names |= {"white": names["winner"], "black": names["loser"], "score": "score", "neutral": "neutral"}
        score_name = next((name for name in source.names if plain_word(name) in ("score", *WORDS["score"])), None)
        if score_name in (*assigned.left_out, *assigned.verdicts):
            added = scores_of_winners(source.read([score_name])[score_name])
            left_out = [name for name in left_out if name != score_name or "winner_goals" not in added]
            further |= {LEAD: added.pop(LEAD)} if LEAD in added else {}
            fields, names = added | fields | {"score": added["score"]}, dict.fromkeys(added, score_name) | names
    line = np.arange(1, count + 1) if source.line is None else source.line
    return Rows(source.where, source.counts, line, fields, names, further), left_out


def _parsed_of(rows: Rows, field: str, date_format: str | None = None) -> Values:
    """A field's values, shape (row,)."""
    return parse_column(field, rows.cells[field], rows.place, rows.names[field], date_format)


def _ids_of(rows: Rows) -> tuple[Texts, Texts] | None:
    """Ids of the two seats as texts, shape (row,) each, None if absent."""
    if not {"white_id", "black_id"} <= set(rows.cells):
        return None
    return texts_of(rows.cells["white_id"]), texts_of(rows.cells["black_id"])


def _who_is_who(names: tuple[Texts, Texts], ids: tuple[Texts, Texts] | None) -> tuple[Texts, Codes, Codes, list[str]]:
    """Sorted players, codes of White and Black into them, shape (row,) each, and a note on each change of a name."""
    pairs = zip(names, ids, strict=True) if ids is not None else ()
    sides = [[f"{name}\t{number}" for name, number in zip(*pair, strict=True)] for pair in pairs] or names
    players, white, black = code_players(*sides)
    keys = [(name, number) for name, _, number in (player.partition("\t") for player in players.tolist())]
    return names_of_players(keys, white, black, with_ids=ids is not None)
