"""Checks of the cells of a column for its role, beside its name: a guessed role is dropped if the cells do not fit.

The distinct cells of the first 2,000 rows are checked. Some roles follow from cells alone: a column of days is the date
if no column has the name of one, and a column of words such as "Walkover" marks the rows that were not played.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache, cached_property

from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.column_values import GOALS_AND_POINTS, NO, YES, parse_count
from halfpoint.readers.days import UNKNOWN, are_days
from halfpoint.readers.opposite_results import require_opposite
from halfpoint.readers.result_cells import UNPLAYED, goals_of, kind_of, no_game_in
from halfpoint.readers.sources import SAMPLED_ROWS, Source
from halfpoint.readers.words import BESIDE, LOCATIONS, WORDS, are_outcomes, pairs_apart, parted_by, ties_in, tokens_of

Texts = frozenset[str]
LEAST_SHARED = 0.2  # of the names in two columns
_NAMED, _NAME_ENDS, _RANKS = (BESIDE[kind] for kind in ("named", "name_ends", "ranks"))
_PARTS, _WHOLE, _WON, _POINTS, _LOSERS = ({*BESIDE[kind]} for kind in ("parts", "whole", "won", "points", "losers"))
_BIRTH = re.compile(r"birth|born|dob|geburt|naiss|nacim|regist")
_RECORDED = re.compile(r"update|created|inserted")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_SCORE = re.compile(r"\d{1,3}\s?[-–:]\s?\d{1,3}")
_SHARE = re.compile(r"\d+(?:[.,]\d+)?(?:\s?%|/\d+)?")
_YEAR = re.compile(r"\D{0,12}\d{1,4}\D?(?:\d{2,4})?(?:\.0)?")
WINS = ("white_wins", "black_wins")
_COUNTS = ("w d l", "wins draws losses", "wins ties losses", "wins  losses", "won  lost", "win  loss", "nwins  nlosses")
_FEWEST_ALONE = 10  # rows
_MOST_WORDS = 30  # distinct cells of a column that marks the rows that were played


class Sample:
    """Distinct cells of the first rows of the columns of a source; columns of lists are empty."""

    def __init__(self, source: Source, names: Iterable[str]) -> None:
        self.source, self.names = source, tuple(dict.fromkeys(names))
        self.known: dict[str, Texts] = {}

    def of(self, name: str) -> Texts:
        """The distinct known cells of a column."""
        if not self.known:
            columns = self.names if name in self.names else (*self.names, name)
            for column, cells in self.source.read(columns, SAMPLED_ROWS).items():
                texts = [] if cells.dtype.is_nested() else cells.to_list()
                self.known[column] = frozenset(text for text in texts if text not in UNKNOWN)
        return self.known.get(name, frozenset())

    @cached_property
    def rows(self) -> int:
        """Number of rows of the sample."""
        return len(self.source.read(self.names[:1], SAMPLED_ROWS)[self.names[0]]) if self.names else 0

    def fits(self, role: str, name: str) -> bool:
        """True if the cells of a column fit a role; an empty column fits every role."""
        check = CHECKED.get("ties" if role.endswith("_goals") and len(name) == 1 else role)  # H and A may be odds
        cells = self.of(name)
        return check is None or (not cells and role not in _NEEDED) or (bool(cells) and check(cells))

    def pairs(self, chosen: Mapping[str, str], user_columns: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
        """The seats, and the goals, from two columns whose names differ only in the side and contain no known word.

        A flag called by the first side and a win (radiant_win) is the result. With several pairs, only goals named as
        the full-time or final score are used.
        """
        idle = {"own", "own_goals", "opponent_goals"} if "opponent" not in chosen else set()
        used = {name for role, name in chosen.items() if role not in idle}
        free = [name for name in self.names if name not in {*used, *taken}]
        roles = self._flags(free, chosen)
        sides = [pair for pair in pairs_apart(free) if not self._are_rounds(pair, "own" in chosen)]
        if not {"white", "black", "winner", "loser", "opponent"} & {*chosen, *user_columns}:
            ended = [pair for pair in sides if parted_by(*pair) == ("winner", "loser") and self.share(*pair)]
            roles |= dict(zip(("winner", "loser"), ended[0], strict=True)) if ended else {}
        if not {"white", "black", "loser", "opponent"} & {*chosen, *user_columns, *roles}:
            seats = [pair for pair in sides if self.share(*pair) and not self._both(pair, _are_results)]
            alike = {(self.of(first), self.of(second)): (first, second) for first, second in reversed(seats)}
            seats = [pair for pair in seats if pair in {*alike.values()}]  # of columns with the same cells the first
            texts = [pair for pair in seats if not are_numbers(self.of(pair[0]))]
            tokens_by_pair = {pair: {*tokens_of(pair[0])} for pair in texts if len(texts) > 1}
            name_pairs = [pair for pair, tokens in tokens_by_pair.items() if {*_NAMED} & tokens and "id" not in tokens]
            roles |= _only(("white", "black"), name_pairs, texts, seats)
        if not {"score", "white_goals", "black_goals", "margin"} & {*chosen, *user_columns}:
            named = [pair for pair in sides if _POINTS & {*_bare(pair[0])} or _is_whole(pair)]
            goals = [pair for pair in named if self._both(pair, are_numbers)]
            totals = [pair for pair in goals if not names_no_result(pair[0])]
            full = [pair for pair in goals if _WHOLE & {*tokens_of(pair[0])}]
            roles |= _only(("white_goals", "black_goals"), full, totals)
        if not {"score", "winner", "white_goals", "margin", "white_wins"} & {*chosen, *user_columns, *roles}:
            ranks = [pair for pair in sides if any(token.endswith(_RANKS) for token in tokens_of(pair[0]))]
            ranks = [pair for pair in ranks if self._both(pair, lambda cells: cells <= {"1", "2"})]
            roles |= _only(("white_rank", "black_rank"), ranks)
        seats_by_name = {**chosen, **roles}
        parts = parted_by(seats_by_name.get("white", ""), seats_by_name.get("black", ""))
        if parts and not {"score", "winner", "white_goals", "margin"} & {*seats_by_name, *user_columns}:
            tokens = {name: {*tokens_of(name)} for name in free}
            won = [name for name in free if {*parts} & tokens[name] == {parts[0]} and {"win", "won"} & tokens[name]]
            roles |= {"score": won[0]} if len(won) == 1 and self.fits("equal", won[0]) else {}
        if not {"score", "winner", "white_goals", "margin"} & {*seats_by_name, *user_columns, *roles}:
            results = [pair for pair in sides if self._both(pair, _are_results)]
            results = [pair for pair in results if not names_no_result(pair[0])]
            results = [pair[::-1] if _LOSERS & {*tokens_of(pair[0])} else pair for pair in results]
            if len(results) == 1 and self._both(results[0], CHECKED["equal"]):  # flags of the winner
                marks = [name for name in free if {"tie", *WORDS["equal"], *WORDS["ties"]} & {*tokens_of(name)}]
                marks += filter(None, [chosen.get("ties")])
                ties = [name for name in marks if self.fits("equal", name)]
                roles |= dict(zip(("first_won", "second_won", "tied"), (*results[0], *ties[:1]), strict=False))
                roles.pop("equal", None)
            elif len(results) == 1:
                if {"black", "opponent"} & seats_by_name.keys():
                    require_opposite(self.source, results[0])
                roles["score"] = results[0][0]
        return roles

    def counts(self, chosen: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
        """Columns of counts that depend on other columns: W, D, L, or games if no pairing is repeated."""
        lost = {"lost", "loss"} & {*map(plain_word, self.names)}  # beside these, won is a count
        texts = self.of(name) if (name := chosen.get("score", "")) else frozenset()
        shares = bool(texts) and not are_outcomes([*texts]) and all(map(_SHARE.fullmatch, texts))  # of the points
        idle = {"ties", *(["score"] if shares or (lost and name.lower() in _WON) else [])}
        used = {name for role, name in chosen.items() if role not in idle}
        free = {plain_word(name): name for name in self.names if name not in {*used, *taken}}
        seats = [chosen[side] for side in ("white", "black", "winner", "loser") if side in chosen]
        scores = [chosen[role] for role in ("score", "white_goals", "margin") if role in chosen and role not in idle]
        roles = ("white_wins", "ties", "black_wins")
        won = [(first, "", second) for first, second in pairs_apart([*free.values()]) if _WON & {*tokens_of(first)}]
        named = [tuple(free.get(word, "") for word in three.split(" ")) for three in _COUNTS]
        records = not ({"score", "date", "period", "count"} - idle) & chosen.keys()  # of pairs, with all their goals
        for first, tie, second in (*named, *won) if len(seats) == 2 and (records or not scores) else ():
            tie = tie or next((free[word] for word in ("ties", *WORDS["ties"]) if word in free), "")
            columns = dict(zip(roles, (first, tie, second), strict=True))
            columns = {role: name for role, name in columns.items() if name or role != "ties"}
            if not all(name and self.fits(role, name) for role, name in columns.items()):
                continue
            texts = frozenset[str]().union(*map(self.of, columns.values() if tie else ()))
            if not scores or any(parse_count(cell) > 1 for cell in texts):
                return columns
        words = (*BESIDE["counts"], *(("wins",) if "loser" in chosen else ()))
        count_columns = [free[word] for word in words if word in free and self.fits("count", free[word])]
        no_count = {"count", "date", "period", "white_goals", *WINS} & chosen.keys()  # games and points of a match
        if no_count or len(count_columns) != 1 or len(seats) != 2 or any(goals_of([*self.of(name)]) for name in scores):
            return {}
        cells = self.source.read([*seats, *scores], SAMPLED_ROWS)
        rows = [*zip(*(column.to_list() for column in cells.values()), strict=True)]
        return {"count": count_columns[0]} if len({*rows}) == len(rows) else {}

    def most_decisive(self, columns: Sequence[str]) -> str | None:
        """Column of goals that decides: sets before points and goals, or the outermost; None if not clear."""
        rank = {word: k for k, word in enumerate(BESIDE["decisive"])}
        places = [min(rank.get(token, len(rank)) for token in tokens_of(name)) for name in columns]
        return self.outermost(columns) if len({*places}) < len(places) else min(zip(places, columns, strict=True))[1]

    def outermost(self, columns: Sequence[str]) -> str | None:
        """Column of the largest units, as sets are beside games: its numbers are at most half of others; else None."""
        most = sorted((max(map(int, re.findall(r"\d+", " ".join(self.of(name)))), default=0), name) for name in columns)
        return most[0][1] if len(most) > 1 and 0 < 2 * most[0][0] <= most[1][0] else None

    def of_matches(self, columns: Sequence[str]) -> Sequence[str]:
        """Columns of results, of several with points of both sides the outermost: matches of teams, then sets."""
        named = [name for name in self.names if plain_word(name) in BESIDE["outer"] and goals_of([*self.of(name)])]
        best = (*named, self.outermost([name for name in columns if goals_of([*self.of(name)])]))[0]
        return [best] if best else columns

    def _flags(self, free: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
        """The flags of ties and of games that were played or not, by a part of their name, such as matchIsFinished."""
        roles: dict[str, str] = {}
        for role in ("played", "unplayed", "equal"):
            marks = [name for name in free if {role, *WORDS[role]} & {*tokens_of(name)} and self.fits(role, name)]
            roles |= {role: marks[0]} if marks and role not in chosen else {}
        return roles

    def _are_rounds(self, pair: tuple[str, str], own: bool) -> bool:
        """True if columns of a pair are of rounds: a third follows, or they name opponents of the row's own side."""
        opponents = own and not {*WORDS["opponent"]}.isdisjoint(token.rstrip("12") for token in tokens_of(pair[0]))
        third = tokens_of(pair[0].replace("1", "3")) in map(tokens_of, self.names)
        return parted_by(*pair) == ("1", "2") and (opponents or third)

    def _both(self, pair: tuple[str, str], fits: Callable[[Texts], bool]) -> bool:
        """True if the cells of both columns of a pair are present and fit."""
        return all(self.of(name) and fits(self.of(name)) for name in pair)

    def share(self, left: str, right: str) -> bool:
        """True if two columns have names, many of them in common."""
        both = self.of(left) | self.of(right)
        many = share_of_common(self.of(left), self.of(right)) >= LEAST_SHARED
        return many and len(both) > 2 and not both <= {"0", "1", "true", "false", "True", "False"}

    def date_by_cells(self, taken: Iterable[str]) -> str | None:
        """The first column whose every cell is a day, None if absent; days of birth are passed over."""
        free = [name for name in self.names if name not in set(taken) and not _BIRTH.search(plain_word(name))]
        free.sort(key=lambda name: _RECORDED.search(plain_word(name)) is not None)  # others go before these
        return next((name for name in free if are_days(self.of(name))), None)

    def verdicts(self, taken: Iterable[str]) -> list[str]:
        """Columns that state whether rows were played: by name with such a word, or by all their cells."""
        return [name for name in self.names if name not in set(taken) and self._is_verdict(name)]

    def _is_verdict(self, name: str) -> bool:
        """True if cells of a column state whether rows were played: some if it is named so, else all."""
        cells, parts = self.of(name), {plain_word(name), *tokens_of(name)}
        flagged = any(part.rstrip("12") in WORDS["unplayed"] for part in parts) and self.fits("unplayed", name)
        is_named = flagged or bool(parts & {*BESIDE["status"], *WORDS["score"], *WORDS["equal"], "score"})
        if not is_named and not 1 < len(cells) <= _MOST_WORDS:
            return False
        ties = ties_in(cells)
        if flagged or any(plain_word(cell) in BESIDE["sums"] for cell in cells):
            return True
        kinds = ["tie" if cell in ties else kind_of(cell) for cell in cells if not _SCORE.fullmatch(cell)]
        if {"forfeit", "awarded", "unplayed", "decided", "tie"} & {*kinds} and (is_named or all(kinds)):
            return True
        return is_named and (({"played", ""} <= {*kinds} and len(cells) <= _MOST_WORDS) or any(map(no_game_in, cells)))


def names_no_result(name: str) -> bool:
    """True if the name of a column is of a part of a game, or of what only looks like results, such as predictions."""
    return not {*_PARTS, *BESIDE["doubtful"]}.isdisjoint(tokens_of(name))


def share_of_common(first: Set[str], second: Set[str]) -> float:
    """Share of the texts of two sets that are in both."""
    return len(first & second) / max(1, len(first | second))


def _only(roles: tuple[str, str], *groups: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The columns of two roles by the first group of pairs that has just one; empty if none has."""
    return next((dict(zip(roles, pairs[0], strict=True)) for pairs in groups if len(pairs) == 1), {})


def _is_whole(pair: tuple[str, str]) -> bool:
    """True if the names of two columns have a word of the full time beside the side, and no other."""
    side, name = parted_by(*pair), {*tokens_of(pair[0])}
    return side is not None and bool(_WHOLE & name) and name <= {side[0], *_WHOLE, "time" if "full" in name else ""}


def _bare(name: str) -> list[str]:
    """Parts of a column's name without the part of the side, such as pts of tm1pts."""
    return [re.sub(r"^(?:tm|team|player|p)?[12]", "", token) or token for token in tokens_of(name)]


def _all(fits: Callable[[str], object]) -> Callable[[Texts], bool]:
    """Make a check that every cell fits."""
    return lambda cells: all(map(fits, cells))


def _are_results(cells: Texts) -> bool:
    """True if all cells are words of results, or of games that were not played, or all are 0 and 1."""
    return cells <= {"0", "1", "0.5", "½"} or are_outcomes([cell for cell in cells if kind_of(cell) != UNPLAYED])


def _are_goals(cells: Texts) -> bool:
    """True if half of the cells are numbers, or all are goals and points of Gaelic games."""
    numbers = sum(_NUMBER.fullmatch(cell.rstrip("*†‡^ ")) is not None for cell in cells)
    return 2 * numbers >= len(cells) or all(map(GOALS_AND_POINTS.fullmatch, cells))


def _are_margins(cells: Texts) -> bool:
    """True if all cells are numbers, some above 0 and some below."""
    numbers = [float(cell.replace(",", ".")) for cell in cells] if all(map(_NUMBER.fullmatch, cells)) else [0.0]
    return min(numbers) < 0.0 < max(numbers)


def _are_locations(cells: Texts) -> bool:
    """True if all cells name the place of a side; letters only if home and away both occur."""
    words = {cell.casefold() for cell in cells}
    in_words = any(len(word) > 1 or word == "@" for word in words)
    return words <= {*LOCATIONS} and (in_words or {*"ha"} <= words or {*"cf"} <= words)


are_numbers, _are_counts = _all(_NUMBER.fullmatch), _all(lambda cell: parse_count(cell) >= 0)
_NEEDED = ("count", "white_wins", "black_wins", "ties", "location", "equal", "played", "unplayed")  # never empty
CHECKED: Mapping[str, Callable[[Texts], bool]] = {
    **dict.fromkeys(("equal", "played", "unplayed"), _all(lambda cell: cell.casefold() in (*YES, *NO))),
    **dict.fromkeys(("white_wins", "black_wins", "ties"), _are_counts),
    **dict.fromkeys(("white_goals", "black_goals"), _are_goals),
    **dict.fromkeys(("winner_goals", "loser_goals", "own_goals", "opponent_goals"), are_numbers),
    "count": lambda cells: _are_counts(cells) and max(map(parse_count, cells)) > 1,
    "margin": _are_margins,
    "season": lambda cells: all(map(_YEAR.fullmatch, cells)) and not are_days(cells),  # or numbered
    "location": _are_locations,
}


def columns_of_ids(sample: Sample, chosen: Mapping[str, str], taken: Sequence[str]) -> dict[str, str]:
    """Columns of ids of the two seats, by `white_id` and `black_id`; empty unless both exist."""
    sides = ("winner", "loser") if "loser" in chosen and "white" not in chosen else ("white", "black")
    columns: dict[str, str] = {}
    for side, seat in zip(sides, ("white", "black"), strict=True):
        stems = _stems_of(side) | {own := plain_word(chosen.get(side, side)), _stem(own)}
        free = [name for name in sample.names if name not in taken and name != chosen.get(side)]
        ids = [name for name in free if (word := plain_word(name)) and _without_id(word) & stems]
        columns |= {f"{seat}_id": name for name in ids[:1]}
    if len(columns) < 2 or any(len(sample.of(name)) < sample.rows for name in columns.values()):
        return columns if len(columns) == 2 else {}
    names = frozenset[str]().union(*(sample.of(chosen[side]) for side in sides if side in chosen))
    return {} if sample.rows >= _FEWEST_ALONE or 0 < len(names) <= sample.rows else columns  # ids of rows


@cache  # of constants
def _stems_of(side: str) -> Set[str]:
    """Words for a side, and without the part that means a name."""
    words = {plain_word(word) for word in (side, *WORDS[side])}
    return words | {*map(_stem, words)}


def _stem(word: str) -> str:
    """Word for a seat, without the part that means a name."""
    return next((word.removesuffix(end) for end in _NAME_ENDS if word.endswith(end)), word)


def _without_id(word: str) -> set[str]:
    """A column's word without `id`, and with `name` in its place; empty if absent."""
    bare = word.removesuffix("id").removesuffix("fide") if word.endswith("id") else word.removeprefix("id")
    return {_stem(bare), word.replace("id", "name", 1)} - {word, _stem(word)} if word != "id" else set()
