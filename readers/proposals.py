"""Proposals for a table without understood columns: the option that reads it, tried on the file, or its kind.

A proposal names the two columns that share their values most, and the one column whose every cell is a result. It is
printed only if it reads the first 2,000 rows: no more rows are set apart than in a valid table, no player meets
themselves, and players have more than one game.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.table import GameTable
from halfpoint.readers.column_roles import LEAST_SHARED, Sample, are_numbers, names_no_result, share_of_common
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.result_cells import go_result, goals_of, kinds_of, winner_in, without_tail
from halfpoint.readers.sources import SAMPLED_ROWS, Source
from halfpoint.readers.words import BESIDE, COLOURS, HALVES, WORDS, are_outcomes, flags, list_names, pairs_apart

_MOST_LOOKED_AT = 60  # columns
_DIGITS = re.compile(r"(?:(?<![-+.,])[-+.,]++)?\d[\d.,]*+[-+.,]*+")
SIDES, _GOALS = ("white", "black"), ("white_goals", "black_goals")
LIKE_ROWS = "The first line is like the others: write names of columns above it, such as white,black,result."
_MOST_OF_TWO = 3  # columns of one set of names in a table of games of two: sides and the winner
_POINTS = re.compile(rf"(?i)(?<![a-z])(?:{'|'.join(BESIDE['points'])})(?![a-z])")
_SECONDS = frozenset((*WORDS["black"], *WORDS["opponent"], *BESIDE["losers"]))
_LEAST_KEPT = 0.75  # of the rows, where others are games to come


type ReadTable = Callable[[Source, ReaderOptions], GameTable]


def are_results(words: Collection[str]) -> bool:
    """True if the distinct cells of a column are results, goals, or words for games not played."""
    unplayed = kinds_of([*words])
    bare = [winner_in(without_tail(word)) for word in words if word not in unplayed]
    sure = [goal.gap == goal.gap for goal in goals_of(bare).values()]
    return are_outcomes(bare) or (any(sure) and all(sure)) or (bool(bare) and all(map(go_result, bare)))


def require_game(
    source: Source, options: ReaderOptions, chosen: Mapping[str, str], sample: Sample, place: str, read_table: ReadTable
) -> dict[str, str]:
    """Assign columns by their cells alone if names do not identify players and result.

    The columns are used if results are goals and can be read; else `GameTableError` proposes them.
    """
    decided = any(field in chosen for field in ("score", "margin", "winner", "first_won", "white_wins", "white_rank"))
    scores = not options.scored or decided or all(field in chosen for field in _GOALS)
    missing = [field for field in ("white", "black") if field not in chosen] + ([] if scores else ["score"])
    if not missing or all(field in chosen for field in ("winner", "loser")):
        return {}
    proposed = propose(missing, chosen, sample)
    proposed_fields = {*proposed, *["score"] * ("winner" in proposed), *SIDES * ("white_1" in proposed)}
    complete = proposed_fields >= {*missing}
    good, named_score = complete and works(source, options, proposed, read_table), complete and scores
    named = {**chosen, **proposed}
    cells = sample.of(named.get("score") or named.get("winner") or sample.names[0]) if sample.names else []
    goals = not options.columns and goals_of([cell for cell in cells if cell not in kinds_of([*cells])])
    if goals and (good or (named_score and works(source, replace(options, trust=True), proposed, read_table))):
        return proposed  # the trial shows both readings of doubtful games
    wanted, filled = " and ".join(missing), [name for name in source.names if name]
    remedy = LIKE_ROWS if len(missing) == 3 and len({*filled}) < len(filled) else seems_to_be(sample)
    fields = wanted.replace("score", "score, or for white_goals and black_goals (more is better)")
    remedy += "" if remedy.endswith(".") else f"; name its columns by --columns for {fields}."
    fixtures = missing == ["white", "black"] and len(sample.names) == 2 and not {*chosen.values()} & {*sample.names}
    if not good and fixtures:  # two columns have one reading
        proposed, good = dict(zip(missing, sample.names, strict=True)), True
    readings = [flags(proposed), *other_way(proposed, cells)][_names_second(proposed.get("score", "")) :]
    remedy = f"Say which is which: {'; or '.join(readings)}." if good and readings else remedy
    ways = ways_of(chosen, proposed, sample) if "score" in missing and not good else []
    if ways and all(way.get("score") == "COLUMN" or works(source, options, way, read_table) for _, way in ways):
        remedy = f"Say which {'; or '.join(text + flags(way) for text, way in ways)}."
    raise GameTableError(place, f"a column for {wanted}", f"columns {list_names(sample.names)}", remedy)


def propose(missing: Sequence[str], chosen: Mapping[str, str], sample: Sample) -> dict[str, str]:
    """Columns that look like the missing fields, by field; for a result a column of scores or of winners."""
    no_side = {*chosen.values(), *(name for name in sample.names if plain_word(name) in WORDS["opponent"])}
    free = [name for name in sample.names[:_MOST_LOOKED_AT] if name not in no_side]
    cells = {name: distinct for name in free if (distinct := sample.of(name))}
    proposed: dict[str, str] = {}
    if "score" in missing:
        scores = [name for name, words in cells.items() if len(words) > 1 and are_results(words)]
        stems = Counter(_DIGITS.sub("", name) for name in scores)
        scores = [name for name in scores if stems[_DIGITS.sub("", name)] == 1]  # none of sessions or sets
        twins = [
            two for two in pairs_apart([*cells]) if all(goals_of([*cells[k]]) or are_numbers(cells[k]) for k in two)
        ]
        scores = [name for name in scores if not any(name in two for two in twins)]  # goals and points of each side
        scores = [name for name in scores if not (twins and {*map(str.casefold, cells[name])} <= {*"ab"})]  # of mats
        scores = [name for name in scores if not any(word.startswith("-") for word in cells[name])]  # for either side
        scores = [name for name in scores if not _names_second(name) or cells[name] <= {"0", "1", *HALVES}]
        scores += [name for name, words in cells.items() if {*"12"} < {*map(str.casefold, words)} <= {*"1x2"}]
        scores = [name for name in scores if not names_no_result(name)]
        proposed |= {"score": scores[0]} if len(dict.fromkeys(scores)) == 1 else {}
    texts = [name for name in cells if name != proposed.get("score") and not any(map(_DIGITS.fullmatch, cells[name]))]
    seated = [chosen[side] for side in ("white", "black") if side in chosen]
    firsts = [(name, sample.of(name)) for name in seated] or [(name, cells[name]) for name in texts]
    pairs = [(first, second) for k, (first, _) in enumerate(firsts) for second in (texts if seated else texts[k + 1 :])]
    all_ = dict(firsts) | cells

    def shared(pair: tuple[str, str]) -> float:
        return share_of_common(all_[pair[0]], all_[pair[1]])

    best = max(pairs, key=shared, default=None) if {"white", "black"} & {*missing} else None
    of_people = [name for name in texts if best and share_of_common(all_[best[0]], all_[name]) >= LEAST_SHARED]
    if best is not None and not seated and len(of_people) > _MOST_OF_TWO:
        proposed |= _partners(of_people)
    elif best is not None and shared(best) >= LEAST_SHARED:
        sides = [side for side in ("white", "black") if side in missing]
        proposed |= dict(zip(sides, best[bool(seated) :], strict=False))
        names = all_[best[0]] | all_[best[1]]
        won = [name for name in texts if name not in best and len(cells[name] & names) >= 0.5 * len(cells[name])]
        if "score" in missing and "score" not in proposed and won:
            proposed["winner"] = won[0]
    return dict(sorted(proposed.items(), key=lambda pair: pair[0].startswith(("score", "winner"))))


def _partners(names: Sequence[str]) -> dict[str, str]:
    """Columns of sides of several people, by field, if names are two stems with the same endings (a1, a2, b1, b2)."""
    stems: dict[str, dict[str, str]] = {}
    for name in names:
        stems.setdefault(name[:-1], {})[name[-1]] = name
    sides = list(stems.values())
    if len(sides) != len(SIDES) or not 1 < len(sides[0]) == len(sides[1]) or {*sides[0]} != {*sides[1]}:
        return {}
    return _people_of_sides([[columns[ending] for ending in sorted(columns)] for columns in sides])


def _people_of_sides(sides: Sequence[Sequence[str]], roles: Sequence[str] = SIDES) -> dict[str, str]:
    """Columns of the people of two sides by field, such as white_1 and black_2."""
    return {f"{side}_{k}": name for side, names in zip(roles, sides, strict=True) for k, name in enumerate(names, 1)}


def require_two_people(chosen: Mapping[str, str], left_out: Sequence[str], sample: Sample, place: str) -> None:
    """Raise `GameTableError` if unread columns, named like those of the sides, have names of the same people.

    Of a1, a2, b1, b2 and of p1, p2, p3, p4 two columns are not the sides of a game.
    """
    roles = SIDES if "white" in chosen else ("winner", "loser")
    seats = [chosen[side] for side in roles]
    alike = Counter(name[:-1] for name in (*seats, *left_out))
    names = [sample.of(seat) for seat in seats]
    alike_names = [name for name in left_out if alike[name[:-1]] > 1]
    mates = [name for name in alike_names if max(share_of_common(a, sample.of(name)) for a in names) >= LEAST_SHARED]
    people = [name for name in sample.names if name in (*seats, *mates)]
    proposed = _partners(people) or _with_mates(seats, left_out, sample, roles)
    mates = [name for name in proposed.values() if name not in seats] or mates
    of_one_stem = len({name[:-1] for name in people}) == 1 and len(people) % 2 == 0
    if len(mates) < len(SIDES) or not (proposed or of_one_stem):
        return
    half = len(people) // 2
    proposed = proposed or _people_of_sides([people[:half], people[half:]])
    remedy = f"If sides have several people: {flags(proposed)}; else --ignore {','.join(mates)!r}."
    also = f"names of the same people also in {list_names(mates)}"
    raise GameTableError(place, "a column for each side", also, remedy)


def _with_mates(seats: Sequence[str], left_out: Sequence[str], sample: Sample, roles: Sequence[str]) -> dict[str, str]:
    """Columns of the people of two sides if a pair of unread ones has the same people in other rows; else empty."""
    sides: list[Sequence[str]] = [seats]
    for pair in pairs_apart(left_out):
        alike = zip(map(sample.of, seats), map(sample.of, pair), strict=True)
        if min(share_of_common(*two) for two in alike) >= LEAST_SHARED:
            cells = sample.source.read([*seats, *pair], SAMPLED_ROWS)
            again = (cells[seat] == cells[name] for seat in seats for name in pair)
            sides += [] if any(map(polars.Series.any, again)) else [pair]
    return _people_of_sides([*zip(*sides, strict=True)], roles) if len(sides) > 1 else {}


def works(source: Source, options: ReaderOptions, proposed: Mapping[str, str], read_table: ReadTable) -> bool:
    """True if `read_table` accepts the first rows with the proposed columns."""

    def first(names: Sequence[str], rows: int | None) -> Mapping[str, object]:
        return source.cells(names, min(rows or SAMPLED_ROWS, SAMPLED_ROWS))

    line = None if source.line is None else source.line[:SAMPLED_ROWS]
    sampled = replace(source, cells=first, line=line)  # type: ignore[arg-type]
    try:
        games = read_table(sampled, replace(options, columns={**options.columns, **proposed}))
    except GameTableError:
        return False
    rows = len(source.read(source.names[:1], SAMPLED_ROWS)[source.names[0]])
    keeps_rows = len(games) >= _LEAST_KEPT * rows and not _each_twice(games)
    one_sided = len(games) > 20 and np.unique(games.score).size == 1 and not options.trust
    return keeps_rows and len(games) >= games.players.size // 2 and not one_sided


def ways_of(chosen: Mapping[str, str], proposed: Mapping[str, str], sample: Sample) -> list[tuple[str, dict[str, str]]]:
    """Readings of a table of two players a row without a result: a text, and the columns that it introduces.

    Of two columns of numbers higher numbers are better, or lower ones; of several such pairs one decides. Numbers above
    and below 0 in one column are for the first side, or for the second, which is then named first.
    """
    sides = {side: name for side, name in {**chosen, **proposed}.items() if side in SIDES}
    shared = share_of_common(*map(sample.of, sides.values())) if len(sides) == len(SIDES) else 0.0
    if shared < LEAST_SHARED or {"score", "winner"} & proposed.keys():
        return []
    names = [name for name in sample.names if len(name) > 1 and not names_no_result(name)]
    pairs = [pair for pair in pairs_apart(names) if all(map(are_numbers, map(sample.of, pair)))]
    signed = [name for name in {*names} - {*chosen.values()} if sample.of(name) and sample.fits("margin", name)]
    if not pairs and len(signed) == 1:
        way = {"score" if are_outcomes([*sample.of(signed[0])]) else "margin": signed[0]}
        turned = dict(zip(SIDES, (sides["black"], sides["white"]), strict=True))
        return [("side is better above 0: the first, ", {**proposed, **way}), ("the second, ", turned | way)]
    if not pairs:
        return [("column has the results: ", sides | {"score": "COLUMN"})] if {*SIDES} <= proposed.keys() else []
    more = [pair for pair in pairs if _POINTS.search(pair[0])]  # is better
    texts = ("is better: more, ", "less, ") if len(pairs) == 1 else ("decides: ", *[""] * len(more))
    pairs = [pairs[0], pairs[0][::-1]] if len(pairs) == 1 else more[: len(more) * (len(more) > 1)]
    return [*zip(texts, ({**proposed, **dict(zip(_GOALS, pair, strict=True))} for pair in pairs), strict=False)]


def other_way(proposed: Mapping[str, str], cells: Collection[str]) -> list[str]:
    """The option of the opposite reading if cells allow it: results by colour, or 1 and 0, which may mean a loss.

    Half points do not allow it, except in a column that is named after the second side, such as Black's score.
    """
    if {*SIDES} <= proposed.keys() and any(go_result(cell) or plain_word(cell) in COLOURS for cell in cells):
        return [flags({**proposed, "white": proposed["black"], "black": proposed["white"]})]
    opposite = f"if 1 is a loss, {flags(proposed)} --outcomes 0=first,1=second"
    halves = HALVES if _names_second(proposed.get("score", "")) else ()
    return [opposite] if "score" in proposed and {*cells} <= {"0", "1", *halves} else []


def _names_second(column: str) -> bool:
    """True if a column is named after the second side, such as Black's score, or after the loser."""
    return not _SECONDS.isdisjoint(map(plain_word, re.split(r"['’]s\b|[\s_]+", column)))


def _each_twice(games: GameTable) -> bool:
    """True if most games have two rows, one from each side."""
    day = games.date if games.date is not None else np.arange(len(games)) // 2
    rows = [*zip(games.white.tolist(), games.black.tolist(), games.score.tolist(), day.tolist(), strict=True)]
    mirrors = {(black, white, 1.0 - score, when) for white, black, score, when in rows}
    return len(rows) > 3 and sum(row in mirrors for row in rows) > 0.5 * len(rows)


def seems_to_be(sample: Sample) -> str:
    """Advice on a table without games of two: its likely kind, by default the expected rows; a full stop ends it."""
    words = {plain_word(name) for name in sample.names}
    texts = [name for name in sample.names if sample.of(name) and not are_numbers(sample.of(name))]
    numbers = [name for name in sample.names if sample.of(name) and are_numbers(sample.of(name))]
    if sum(name in sample.of(name) for name in sample.names) > 1 and not {*"123"} <= words:  # rounds, sets, innings
        return LIKE_ROWS
    if len(sets := [name for name in sample.names if goals_of([*sample.of(name)])]) > 1:
        return f"If {list_names(sets)} are sets of one match, call them Set 1, Set 2, ..., in the file."
    if words & {*BESIDE["places"]}:
        return "It seems to have the places of races or rankings: see halfpoint races list"
    if words & {*WORDS["opponent"]} and not words & {"own", *WORDS["white"], *WORDS["own"]}:
        return "A row names only the opponent: add a column player, or name it: --columns own=COLUMN."
    if words & {"rating", "elo", "ratingelo"} and len(texts) == 1 and not words & {*WORDS["white"], *WORDS["score"]}:
        return "It seems to be a list of ratings: pass it by --anchors"
    if len(texts) == 1 and len(numbers) > 3:
        return "It seems to have a row for each competitor; each row must be a game of two players"
    return "Each row must be a game of two players"
