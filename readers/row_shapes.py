"""Convert rows to games: a row with a number of games, and a game with a row for each side.

    white, black, result, count           a row is N games of one result
    home, away, home.wins, away.wins      a row is as many games as both have wins (and `ties`)
    team, opponent, location, result      a row is a game from the view of one side; "away" or "@" seats it second
    winner, loser, winner_age, score      the winner takes the first seat, with the winner's columns and score

A game with one row per side is kept once. A column `winner_age` becomes `white_age`; a score such as 6-4 7-6 gives
points of both sides and a lead in sets.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.table import LEAD, Texts
from halfpoint.readers.column_values import Values, by_word, parse_count
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.outcomes import exchange_sides
from halfpoint.readers.result_cells import AWARDED, DECIDED, goals_of, lead_in_sets, sets_won
from halfpoint.readers.set_apart import GOALS, Mask, Rows, apart_in_words, are_in, goals_by_row
from halfpoint.readers.words import CELLS, DROP, FIRST, FLAG, LOCATIONS, SECOND, TRUE, ties_in

_MOST_GAMES = 20_000_000
_MOST_PAIRED = 0.9  # of the rows without a date, fewer with a mirror are games of their own
_SOME_PAIRED = 0.5  # of the rows with a day or an id, fewer with a mirror may be games of their own
_SEATED = ("{}", "{}_goals", "{}_rating_elo", "{}_shots", "{}_shots_on_target", "{}_id")
_WHEN = ("date", "period", "season", "event", "game_id")
_ONE_DAY = ("date", "game_id")  # of one game, except of two on a day
_FEWEST_MIRRORS, _MOST_MIRRORS = 20, 50_000  # rows
_IDLE = re.compile(rf"(?<!\W)\W*+(?:{'|'.join(CELLS['idle'])})\W*+", re.IGNORECASE)
_MOST_IDLE = 0.2  # of the rows, with byes under the name of a player
_SCORE_OF_WINS = {"white_wins": "1", "ties": "0.5", "black_wins": "0"}


def as_games(rows: Rows, own_side: bool) -> tuple[Rows, list[str]]:
    """Rows in their seats, repeated by their columns of counts, and notes."""
    rows, notes = seated(rows, own_side)
    rows, further = repeat_rows(rows)
    return rows, [*notes, *further]


def repeat_rows(rows: Rows) -> tuple[Rows, list[str]]:
    """Rows repeated by their columns of counts, and a note."""
    wins = [field for field in _SCORE_OF_WINS if field in rows.cells] if "white_wins" in rows.cells else []
    fields = ["count"] if "count" in rows.cells else wins
    if not fields:
        return rows, []
    times = np.stack([_counts(rows, field) for field in fields], axis=1)
    if not 0 < times.sum() <= _MOST_GAMES:
        raise GameTableError(rows.where, f"from 1 to {_MOST_GAMES:,} games by counts", f"{times.sum():,}")
    games = rows.take(np.repeat(np.repeat(np.arange(len(times)), len(fields)), times.ravel()))
    if fields == wins:
        scores = np.repeat(np.tile([_SCORE_OF_WINS[field] for field in fields], len(times)), times.ravel())
        games = games.with_texts("score", scores.tolist(), rows.names["white_wins"])
    columns = " and ".join(rows.names[field] for field in fields)
    note = f"counts: {count_noun(len(times), 'row')} are {int(times.sum())} games, by {columns}"
    return replace(games, cells={key: games.cells[key] for key in games.cells if key not in fields}), [note]


def _counts(rows: Rows, field: str) -> npt.NDArray[np.int64]:
    """The whole numbers of a column, shape (row,)."""
    numbers = by_word(rows.cells[field], parse_count, np.float64)
    empty = (rows.cells[field] == "").to_numpy()
    odd = ~empty & np.isnan(numbers)
    if odd.any():
        faulty = np.flatnonzero(odd).tolist()
        place = f"{rows.place(faulty[0])}, column {rows.names[field]}"
        raise GameTableError(place, "a number of games", repr(rows.cells[field][faulty[0]])).at(rows.place, faulty)
    return np.where(empty, 0, numbers).astype(np.int64)


def seated(rows: Rows, own_side: bool) -> tuple[Rows, list[str]]:
    """Rows in their seats by the column of locations, and a note.

    Without locations all games are neutral. An empty cell is a home game unless other cells name home games.
    """
    if not own_side and "location" not in rows.cells:
        return rows, []
    notes: list[str] = []
    count = len(rows.line)
    neutral, turned = np.full(count, own_side), np.full(count, False)
    if "location" in rows.cells:
        named = {LOCATIONS.get(word.casefold()) for word in rows.cells["location"].unique().to_list() if word}
        empty = "neutral" if "home" in named else "home"
        place = by_word(rows.cells["location"], lambda word: LOCATIONS.get(word.casefold(), empty), np.str_)
        turned, neutral = place == "away", place == "neutral"
        notes.append(f"seats: by column {rows.names['location']!r}, {int(turned.sum())} of {count} rows are away games")
    elif own_side:
        notes.append("no column identifies the home side, so no first-move or home advantage can be estimated")
    if "neutral" not in rows.cells or "location" in rows.cells:
        rows = rows.with_texts("neutral", np.where(neutral, "1", "0").tolist(), "neutral")
    return _turned(rows, turned), notes


def _turned(rows: Rows, turned: Mask) -> Rows:
    """Rows whose two sides are exchanged where `turned`; results are turned later."""
    cells, mask = dict(rows.cells), polars.Series(turned)
    for form in _SEATED:
        white, black = form.format("white"), form.format("black")
        if white in cells and black in cells:
            first, second = cells[white], cells[black]
            cells[white], cells[black] = second.zip_with(mask, first), first.zip_with(mask, second)
    return replace(rows, cells=cells, turned=turned)


def left_out_rows(
    names: tuple[Texts, Texts], meaning: Texts, margin: Values | None, rows: Rows, own_side: bool
) -> Iterator[tuple[Mask, str, list[str]]]:
    """Yield masks of rows to keep, each within the previous mask, with the reason and notes on the dropped rows.

    Left out are rows that the user drops, byes under the name of a player who never scores, and the second row of each
    game if every row has its mirror image.
    """
    is_kept = meaning != DROP
    if not is_kept.all():
        yield is_kept, "set apart", [f"dropped: {count_noun(int((~is_kept).sum()), 'game')}, by {FLAG}"]
    row = np.flatnonzero(is_kept)
    cells = {name for texts in names for name in {*texts.tolist()} if _IDLE.fullmatch(name)}
    if cells:
        white, black, won = (texts[row] for texts in (*names, meaning))
        lost = cells - {*white[won != SECOND].tolist(), *black[won != FIRST].tolist()}
        idle = np.isin(white, sorted(lost)) | np.isin(black, sorted(lost))
        if len(row) > _FEWEST_MIRRORS and 0 < idle.sum() <= _MOST_IDLE * len(row):
            yield ~idle, "set apart", [apart_in_words(rows.line[row[idle]].tolist(), rows.counts, "bye")]
            row = row[~idle]
    if own_side:
        first, remarks = _once(rows.take(row), meaning[row], margin if margin is None else margin[row])
        yield first, "folded", remarks
    elif meaning[:1].any() and _FEWEST_MIRRORS <= len(row) <= _MOST_MIRRORS:
        second = _second_rows(names[0][row], names[1][row], meaning[row], rows, row)
        if second.any():
            yield ~second, "folded", ["every row has its mirror: each game is counted once"]


def _second_rows(white: Texts, black: Texts, won: Texts, rows: Rows, row: npt.NDArray[np.int64]) -> Mask:
    """Mask of the rows that list a game again from the other side, if every row has its mirror; else none."""
    when = rows.cells["date"].gather(row.tolist()).to_list() if "date" in rows.cells else [""] * len(won)
    keys = [*zip(white.tolist(), black.tolist(), won.tolist(), when, strict=True)]
    counts, mirror = Counter(keys), {FIRST: SECOND, SECOND: FIRST}
    if any(counts[b, a, mirror.get(result, result), day] != times for (a, b, result, day), times in counts.items()):
        return np.zeros(len(won), dtype=bool)
    begun: dict[tuple[str, ...], tuple[str, str]] = {}
    games = [(*sorted((a, b)), result if a < b else mirror.get(result, result), day) for a, b, result, day in keys]
    return np.array([begun.setdefault(game, key[:2]) != key[:2] for game, key in zip(games, keys, strict=True)])


def _once(rows: Rows, meaning: Texts, margin: Values | None) -> tuple[Mask, list[str]]:
    """Mask that keeps one row of each game listed by both sides, shape (row,), and a note.

    Two rows of a pair, one by each side, are one game if seats and results agree. `GameTableError` if rows disagree in
    a file that lists each game twice.
    """
    assert rows.turned is not None
    white, black = (rows.cells[side].to_numpy().astype(np.str_) for side in ("white", "black"))
    count, by_lower_name = len(white), ((white < black) != rows.turned).tolist()
    when = [key for key in _WHEN if key in rows.cells]
    one_day = not {*_ONE_DAY}.isdisjoint(rows.cells)
    homes, *stories = _stories(rows, white, black, meaning, margin)
    game = [np.where(white < black, white, black), np.where(white < black, black, white)]
    game += [rows.cells[key].to_numpy() for key in when] + ([] if one_day else [homes])
    of_story: dict[tuple[object, ...], tuple[list[int], list[int]]] = {}  # rows by the higher name, and by the lower
    for row, key in enumerate(zip(*(part.tolist() for part in (*game, homes, *stories)), strict=True)):
        of_story.setdefault(key, ([], []))[by_lower_name[row]].append(row)
    second, alone = list[int](), dict[tuple[object, ...], tuple[list[int], list[int]]]()
    for key, sides in of_story.items():
        both = min(map(len, sides))
        second += sides[0][:both]
        for side, rest in enumerate(sides):
            if len(rest) > both:
                alone.setdefault(key[: len(game)], ([], []))[side].extend(rest[both:])
    disputed = [sorted(rivals) for rows_alone in alone.values() for rivals in zip(*rows_alone, strict=False)]
    if disputed and 2 * len(second) + 2 * len(disputed) >= (_SOME_PAIRED if one_day else _MOST_PAIRED) * count:
        first, other = min(disputed)
        raise _contradiction(rows, first, other, (str(homes[first]), str(homes[other])))
    is_kept = np.ones(count, dtype=bool)
    if second and not when and 2 * len(second) < _MOST_PAIRED * count:
        return is_kept, [f"{len(second)} of {count} rows have a mirror and no date: each row is a game"]
    is_kept[second] = False
    note = f"each side's view: {len(second)} of {count} rows are a game's second row, and left out"
    return is_kept, [note] if second else []


def _stories(rows: Rows, white: Texts, black: Texts, meaning: Texts, margin: Values | None) -> list[Values]:
    """Home sides (empty on neutral ground), outcomes, margins and goals, from the side of the lower name."""
    swapped = white > black
    homes = np.where(are_in(rows.cells["neutral"], TRUE), "", white)
    stories = [homes, np.where(swapped, exchange_sides(meaning), meaning)]
    if margin is not None:
        stories += [np.nan_to_num(np.where(swapped, -margin, margin)), np.nan_to_num(goals_by_row(rows).sum(axis=1))]
    return stories


def _contradiction(rows: Rows, first: int, second: int, homes: tuple[str, str]) -> GameTableError:
    """Error for two rows of one game that disagree, with what each row states."""
    assert rows.turned is not None
    place = f"{rows.where}, {rows.counts}s {rows.line[first]} and {rows.line[second]}"
    if homes[0] != homes[1]:
        found = " and ".join(f"{home!r} at home" if home else "neutral ground" for home in homes)
        return GameTableError(place, "one home side in both rows of a game", found, "Correct one of them.")
    fields = next(part for part in (("score",), ("winner",), GOALS, ("margin",)) if part[0] in rows.cells)
    cells = ["-".join(rows.cells[field][row] for field in fields) for row in (first, second)]
    sides = [rows.cells["black" if rows.turned[row] else "white"][row] for row in (first, second)]
    found = " and ".join(f"{cell!r} of {side!r}" for cell, side in zip(cells, sides, strict=True))
    columns = ",".join(f"{seat}={rows.names[seat]}" for seat in ("white", "black"))
    own_games = "" if "game_id" in rows.cells else f", or if each row is a game: --columns {shlex.quote(columns)}"
    return GameTableError(place, "one result in both rows of a game", found, f"Correct one of them{own_games}.")


_PRINTED_AS = {"ranking": "rank"}  # numbers of seats that are printed by another word
_OF_WINNERS = ("winner_goals", "winner_id")  # numbers that stay those of winners


def column_of_winners(name: str, columns: Sequence[str]) -> str:
    """Column of winners or losers from which that of a seat is made, `winner_age` of `white_age`; else the name."""
    seat, _, what = name.partition("_")
    made_of = f"{ {'white': 'winner', 'black': 'loser'}.get(seat, '') }_{_PRINTED_AS.get(what, what)}"
    return made_of if name not in columns and made_of in columns else name


def scores_of_winners(cells: polars.Series) -> dict[str, polars.Series]:
    """Results and points of both sides in a column of scores in a table of winners and losers.

    Empty cells are games without a result, unless the other cells only mark ties.
    """
    words = [word for word in cells.unique().to_list() if word not in UNKNOWN]
    empty = are_in(cells, UNKNOWN)
    empty &= not empty.all() and ties_in(words) != {*words}
    columns = {"score": polars.Series(np.where(empty, "", "1").tolist(), dtype=polars.String)}
    goals = {word: goal for word, goal in goals_of(words).items() if goal.tail not in (DECIDED, AWARDED)}
    for side, points in (("winner", "first"), ("loser", "second")) if goals else ():
        points_of_word = {word: f"{getattr(goal, points):g}" for word, goal in goals.items()}
        columns[f"{side}_goals"] = cells.replace_strict(points_of_word, default="", return_dtype=polars.String)
    if goals and any(sets_won(word) != (0, 0) for word in words):
        leads = {word: f"{lead_in_sets(word):g}" for word in words}
        columns[LEAD] = cells.replace_strict(leads, default="", return_dtype=polars.String)
    return columns


def seat_numbers(covariates: Mapping[str, Values]) -> dict[str, Values]:
    """Numbers of winners and losers, such as ages, as those of the first and the second seat; ranks are rankings."""
    of_seats: dict[str, Values] = {}
    for name in [name for name in covariates if name.startswith("winner_") and name not in _OF_WINNERS]:
        what = name.removeprefix("winner_")
        values = covariates[name], covariates.get(f"loser_{what}")
        if values[1] is not None and values[0].dtype.kind == values[1].dtype.kind == "f":
            what = next((seated for seated, printed in _PRINTED_AS.items() if printed == what), what)
            of_seats |= {f"white_{what}": values[0], f"black_{what}": values[1]}
    return of_seats
