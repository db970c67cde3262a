"""Conversion of tables without columns of games: both players in one cell, several verdicts in a row, or no header.

    "Ann vs. Bob", "Bob @ Ann"             the two players of a cell; with "@" the second is at home, and where a file
                                           has both signs, or scores, a row is a game from the view of its first side
    "Ann 2-1 Bob", "Ann - Bob 2:1"         the same with the result between or after the names
    Ann,Bob,1                              a first line that is a game: its cells also appear in later rows
    match_id, team, side, goals            two rows a game, one for each side
    item_a, item_b, judge1, judge2         each verdict is a comparison (`with_judges`); the judge is judge1, judge2

Only tables without a column named after a seat are reshaped. A note reports each change.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.column_roles import CHECKED, LEAST_SHARED, Sample, are_numbers, share_of_common
from halfpoint.readers.proposals import are_results, propose
from halfpoint.readers.result_cells import goals_of
from halfpoint.readers.sources import SAMPLED_ROWS, Cells, Source, with_columns
from halfpoint.readers.words import ABOUT, BESIDE, HALVES, LOCATIONS, SPACED_DASH, WORDS, are_outcomes, pairs_apart

_SEATS = ("white", "black", "loser", "opponent", "first_won")
_MARKS = r"vs\.?|v\.?|versus|@|at|gegen|contre|contra|–|—|-"
_BETWEEN = rf"(?P<one>\S++(?:\s++(?!(?:{_MARKS})\s)\S++)*+)\s++(?P<mark>{_MARKS})\s++"
_SCORE = r"\d{1,3}\s*[-:–]\s*\d{1,3}"
_PAIR = re.compile(rf"\A{_BETWEEN}(?P<other>.+)", re.IGNORECASE)
_WITHIN = re.compile(
    rf"\A(?P<one>(?!\d)\S++(?:\s++(?!{_SCORE}\s++\D)\S++)*+)\s++(?P<score>{_SCORE})\s++(?P<other>\D.*)"
)
_BEHIND = re.compile(rf"\A{_BETWEEN}(?P<other>.+?)(?<![\s,:])[\s,:]++(?P<score>{_SCORE}.*)")
_LONGEST = 300  # letters of a cell with two players
_AWAY = ("@", "at")
_MARK_BEFORE = re.compile(r"\A(?:@\s*+|at\s++|vs?\.?\s++)", re.IGNORECASE)  # an opponent
_RESULT = re.compile(r"\d(?:/2)?\s?[-:–]\s?\d(?:/2)?|½\s?[-–]\s?½")  # which no column is called
_COLUMN = "column {}"
_FEWEST_GAMES, _MOST_WORDS = 3, 12  # of a file with two rows a game: ids, and results in words
_KNOWN = frozenset({word for words in (*WORDS.values(), *ABOUT.values()) for word in words} | {*WORDS, *ABOUT})


def reshape(source: Source) -> Source:
    """Source with columns of games; unchanged if it has them."""
    seats = {word for seat in _SEATS for word in (seat, *WORDS[seat])}
    plain = {name: plain_word(name) in seats for name in source.names}
    if (any(plain.values()) and not any(map(_RESULT.fullmatch, source.names))) or not source.names:
        source = _with_places_of_opponents(source)
        nested = not any(plain[name] for name in source.names if name not in source.nested)
        return replace(source, nested=frozenset()) if nested else source
    sample = Sample(source, [name for name, times in Counter(source.names).items() if times == 1 and name])
    short = [name for name in sample.names
             if all(len(text) <= _LONGEST and not _RESULT.fullmatch(text) for text in sample.of(name))]  # fmt: skip
    for form in (_WITHIN, _BEHIND, _PAIR):
        for name in short:
            matches = {text: match for text in sample.of(name) if (match := form.fullmatch(text))}
            names = [{match[side] for match in matches.values()} for side in ("one", "other")]
            if matches and len(matches) == len(sample.of(name)) and share_of_common(*names) >= LEAST_SHARED:
                marks = {match["mark"].lower() for match in matches.values() if form is not _WITHIN}
                numbered = any("1" in first and are_numbers(sample.of(first)) for first, _ in pairs_apart(sample.names))
                scored = form is not _PAIR or any(goals_of([*sample.of(column)]) for column in sample.names)
                return _parted(source, name, form, marks, scored or numbered)
    return _from_pairs_of_rows(source, sample) or _without_header(source, sample)


def _with_places_of_opponents(source: Source) -> Source:
    """Source without marks beside opponents, as in "@Kim", "vs Kim", "Kim (A)" and "Kim*", and with their places.

    Unchanged if names without marks occur neither as opponents nor in the column of the row's own side.
    """
    plain = {plain_word(name): name for name in source.names}
    opponent = next((plain[word] for word in ("opponent", *WORDS["opponent"]) if word in plain), "")
    if not opponent or source.names.count(opponent) > 1:
        return source
    own = [plain[word] for word in WORDS["own"] if word in plain]
    sample = Sample(source, [opponent, *own])
    marked = {cell: _unmarked(cell) for cell in sample.of(opponent) if _unmarked(cell)[0] != cell}
    bare, own_names = {name for name, _ in marked.values()}, {name for column in own for name in sample.of(column)}
    rivals = (sample.of(opponent) | own_names) - marked.keys()
    if not own_names.isdisjoint(marked) or (bare.isdisjoint(rivals) and len(bare) == len(marked)):
        return source
    located = {"location", *WORDS["location"]} & plain.keys() or "away" not in {place for _, place in marked.values()}

    def cells(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        columns = dict(source.cells([*(name for name in wanted if located or name != "location"), opponent], rows))
        names, places = zip(*map(_unmarked, columns[opponent].to_list()), strict=True)
        columns |= {opponent: polars.Series(names)} | ({} if located else {"location": polars.Series(places)})
        return {name: columns[name] for name in wanted}

    return replace(source, names=source.names if located else (*source.names, "location"), cells=cells)


def _unmarked(cell: str) -> tuple[str, str]:
    """Name of an opponent without a mark before or after it, and the place of the row's own side by the mark."""
    before = _MARK_BEFORE.match(cell)
    name, place = (cell[before.end() :], before[0].strip()) if before else (cell, "")
    bare, _, inside = name.removesuffix(")").rpartition("(")
    if name.endswith(")") and bare.strip() and inside.casefold() in LOCATIONS:
        name, place = bare, inside
    return name.rstrip("*† ") or name, str(LOCATIONS.get(place.casefold(), "home"))


def _parted(source: Source, name: str, form: re.Pattern[str], marks: set[str], scored: bool) -> Source:
    """Source with the cells of a column split into two players and the text between them; `scored` in their order."""
    away = marks & {*_AWAY}
    views = bool(away) and (scored or len(marks) > 1)  # of the side named first
    seats = ("own", "opponent") if views else ("away", "home") if away else ("white", "black")
    cell_of: dict[str, Callable[[re.Match[str]], str]]
    cell_of = {seats[0]: lambda match: match["one"], seats[1]: lambda match: match["other"]}
    if views:
        cell_of["location"] = lambda match: "away" if match["mark"].lower() in _AWAY else "home"
    counts = {*WORDS["white_wins"], *WORDS["black_wins"]} & {*map(plain_word, source.names)}
    if form is _PAIR and counts and not away:  # of games that both began
        cell_of["neutral"] = lambda match: "1"
    if form is not _PAIR and "score" not in source.names:
        cell_of["score"] = lambda match: "-".join(SPACED_DASH.split(match["score"]))

    def cells(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        columns = dict(source.cells([*(column for column in wanted if column not in cell_of), name], rows))
        matches = [form.fullmatch(text) for text in columns[name].to_list()]
        for column in (column for column in wanted if column in cell_of):
            texts = [cell_of[column](match) if match else "" for match in matches]
            columns[column] = polars.Series(texts, dtype=polars.String)
        return {column: columns[column] for column in wanted}

    names = (*cell_of, *(column for column in source.names if column != name and column not in cell_of))
    notes = (*source.notes, f"players: both names are in column {name!r}")
    return replace(source, names=names, cells=cells, notes=notes)


def _from_pairs_of_rows(source: Source, sample: Sample) -> Source | None:
    """Source with a row a game, if each game has two: its id, a side, the side's points or result; else None."""
    words = {name: plain_word(name) for name in sample.names}
    side = next((name for name, word in words.items() if word in WORDS["own"] and not are_numbers(sample.of(name))), "")
    results = ("score", *WORDS["score"], *WORDS["own_goals"])
    result = next((name for name, word in words.items() if word in results and sample.of(name)), "")
    free = [name for name in sample.names if name not in (side, result)]
    twice = (name for name in free if _in_twos(source.read([name], SAMPLED_ROWS)[name]))
    game = next(twice, "") if side and result else ""
    words_of_result = sample.of(result) if game else frozenset[str]()
    few = len(words_of_result) <= _MOST_WORDS
    if not game or not (few or are_results(words_of_result) or are_numbers(words_of_result)):
        return None
    named = words[result] not in WORDS["own_goals"]  # 1 is a win and 0 a loss then, or half a point a draw
    halves = sample.of(result) <= {"1", "0", *HALVES} and (named or not sample.of(result).isdisjoint(HALVES))
    goals = are_numbers(sample.of(result)) and not halves
    cells = source.read([side, result, *free])
    rows_of_game: dict[str, list[int]] = {}
    for row, number in enumerate(cells[game].to_list()):
        rows_of_game.setdefault(number, []).append(row)
    odd = [rows[0] for rows in rows_of_game.values() if len(rows) != 2]
    if odd:
        place = f"{source.place(odd[0])}, column {game}"
        raise GameTableError(place, "two rows for each game", repr(cells[game][odd[0]]))
    rival = np.empty(len(cells[game]), dtype=np.int64)
    first, second = np.array([*rows_of_game.values()]).T
    rival[first], rival[second] = second, first
    place = next((name for name in free if name != game and CHECKED["location"](sample.of(name))), "")
    columns = {"own": cells[side], "opponent": cells[side][rival], "game_id": cells[game]}
    of_both = {"own_goals": cells[result], "opponent_goals": cells[result][rival]}
    columns |= of_both if goals else {"score": cells[result]}
    columns |= {"location": cells[place]} if place else {}
    columns |= {name: cells[name] for name in free if name not in (game, place)}
    note = f"two rows a game, by column {game!r}: {2 * len(first)} rows are {len(first)} games"
    return replace(with_columns(source, columns), notes=(*source.notes, note))


def _in_twos(cells: Cells) -> bool:
    """True if most texts occur in two rows each, as ids of games with a row for each side do."""
    times = Counter(cells.to_list() if cells.dtype == polars.String else [])
    return len(times) > _FEWEST_GAMES and 10 * sum(count == 2 for count in times.values()) > 9 * len(times)


def _without_header(source: Source, sample: Sample) -> Source:
    """Source with its header as the first row, if the header is a game like the rows below."""
    header = source.names
    if source.kind != "csv" or len({*header}) < len(header) or source.line is None or len(source.line) < len(header):
        return source
    words = [name for name in header if len(name) > 1 and not name.isdecimal()]  # A may be a player
    if any(plain_word(name) in _KNOWN for name in words) and not any(map(_RESULT.fullmatch, header)):
        return source
    base = source.read(header, labels=header)
    columns = {_COLUMN.format(k): polars.Series([name, *base[name].to_list()]) for k, name in enumerate(header, 1)}
    line = np.concatenate([[source.line[0] - 1], source.line])
    notes = (*source.notes, "no header: the first line is a row, and columns are identified by their cells")
    table = replace(with_columns(source, columns), line=line, notes=notes)
    proposed = propose(("white", "black", "score"), {}, Sample(table, columns))
    if "score" not in proposed:  # two columns of numbers are goals
        numbers = [name for name, cells in columns.items() if are_numbers(frozenset(cells.to_list()))]
        proposed |= dict(zip(("white_goals", "black_goals"), numbers, strict=True)) if len(numbers) == 2 else {}
    result = columns.get(proposed.get("score", ""))
    if not {"white", "black"} <= proposed.keys() or not {"score", "white_goals"} & proposed.keys():
        return source
    below = [{*columns[proposed[side]].to_list()[1:]} for side in ("white", "black")]
    recurring = [columns[proposed[side]][0] in below[0] | below[1] for side in ("white", "black")]
    if not all(recurring) or (result is not None and result[0] not in {*result.to_list()[1:]}):
        return source
    field_of_name = {name: field for field, name in proposed.items()}
    return with_columns(table, {field_of_name.get(name, name): cells for name, cells in columns.items()})


_NUMBERED = re.compile(r"\A(.*?)[ _.-]?(\d{1,3}|[A-C])((?:[ _.-].*|(?<=\d)\D.*)?)", re.IGNORECASE)
_JUDGES = (*BESIDE["judges"], *ABOUT["judge"])
_FEWEST = 2


def with_judges(source: Source) -> Source:
    """The source with a row for each verdict, if only columns of numbered judges name the winner; else unchanged."""
    plain = {plain_word(name) for name in source.names}
    roles = ("white", "black", "score", "winner", "loser", "opponent", "white_goals", "margin")
    if {role for role in roles if plain & {role, *WORDS[role]}} != {"white", "black"}:
        return source
    stems: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in source.names:
        match = _NUMBERED.fullmatch(name)
        if match and plain_word(match[1]) in _JUDGES:
            stems[plain_word(match[1]), plain_word(match[3])].append(name)
    judges = max(stems.values(), key=len, default=[])
    if len(judges) < _FEWEST or len({*judges}) < len(judges):
        return source
    verdicts = frozenset[str]().union(*map(Sample(source, judges).of, judges))
    return _unpivoted(source, judges) if len(verdicts) > 1 and are_outcomes([*verdicts]) else source


def _unpivoted(source: Source, judges: Sequence[str]) -> Source:
    """The source with a row for each judge with a verdict."""
    other_names = [name for name in source.names if name not in judges]
    by_judge = source.read(judges)
    filled = np.stack([(by_judge[name] != "").to_numpy() for name in judges], axis=1)
    row, judge = np.nonzero(filled)
    added = {
        "preference": polars.Series([by_judge[judges[k]][int(place)] for place, k in zip(row, judge, strict=True)]),
        "judge": polars.Series([judges[k] for k in judge.tolist()], dtype=polars.String),
    }
    line = (np.arange(1, len(filled) + 1) if source.line is None else source.line)[row]
    note = f"judges: columns {judges[0]!r} to {judges[-1]!r}, {row.size} verdicts on {len(filled)} rows"
    notes = (*source.notes, note, "verdicts on one row are not independent, so intervals are too narrow")
    others = {name: cells.gather(row.tolist()) for name, cells in source.read(other_names, labels=other_names).items()}
    return replace(with_columns(source, others | added), line=line, notes=notes)
