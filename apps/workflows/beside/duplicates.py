"""Duplicates in a table: games, and spellings of players. Games and names are dropped or merged only on request.

Two games are copies if White, Black, score and date agree, and the round and the moves if the table has them (the
covariates `Round` and `moves` of `halfpoint.readers.pgn`), and the time of day if all games have one. They are
`certain` if the moves agree; without moves they are `possible`, since two players may meet twice on a day. Games
without a date and simulated games need the same moves, and games without moves do not agree.

Two names are proposed as one player's with a score of 0 to 100, and accepted by the user in a small file. Names with
the same FIDE id score 100. Otherwise both are written as "surname, given names" without accents, case and punctuation;
the surnames must agree almost (rapidfuzz ratio of at least 85, or two neighbouring letters exchanged), and the given
names must agree, be similar, or be initials or beginnings of one another. Names with different numbers, such as the
versions of an engine, are different players. Only names whose surnames begin with the same two letters are compared,
and in a group of more than 300 only names within 50 places of one another in the alphabet.
"""

import csv
import io
import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from halfpoint.apps.workflows.beside.columns import csv_rows
from halfpoint.models.games.atomic_write import write_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import strip_accents
from halfpoint.models.games.periods import CLOCK
from halfpoint.models.games.table import GameTable
from halfpoint.readers.pgn_scan import NO_MOVES
from halfpoint.readers.words import FORMULA_STARTS

ROUND, MOVES = "Round", "moves"
UNKNOWN_ROUNDS = ("", "?", "-")


@dataclass(frozen=True, eq=False)
class Duplicates:
    """Copies of earlier games."""

    copy: npt.NDArray[np.int64]  # (duplicate,): index of each game that repeats an earlier one
    original: npt.NDArray[np.int64]  # (duplicate,): index of the game it repeats
    certain: npt.NDArray[np.bool_]  # (duplicate,): whether the moves agree, too

    def __len__(self) -> int:
        return int(self.copy.size)

    def describe(self, games: GameTable, shown: int = 5) -> str:
        """A report: the number of duplicates, and the first of them with their places."""
        if not len(self):
            return "no duplicate games"
        moves = f" ({int(self.certain.sum())} with identical moves)" if MOVES in games.covariates else ""
        rows = [f"{len(self)} possible duplicate game{'s' * (len(self) != 1)}{moves}"]
        for copy, original in list(zip(self.copy.tolist(), self.original.tolist(), strict=True))[:shown]:
            pair = f"{games.white_names[copy]} - {games.black_names[copy]}"
            rows.append(f"  {games.place(copy)}: {pair}, as in {games.place(original)}")
        return "\n".join(rows + ["  ..."] * (len(self) > shown))


def find_duplicates(games: GameTable) -> Duplicates:
    """Find games that repeat an earlier one; the covariates `Round` and `moves` make the test sharper."""
    covariates: Mapping[str, npt.NDArray[np.generic]] = games.covariates
    keys = {"white": games.white, "black": games.black, "score": games.score}
    rows = np.arange(len(games))
    dated = np.ones(len(games), dtype=bool)
    if games.date is not None:
        dated = ~np.isnat(games.date)
        keys["date"] = games.date.astype(np.int64)
    elif games.period is not None:
        keys["period"] = games.period
    else:
        dated[:] = False
    if ROUND in covariates:
        played = covariates[ROUND].astype(np.str_)
        keys["round"] = np.where(np.isin(played, UNKNOWN_ROUNDS), "", played)
    if CLOCK in covariates and np.isfinite(np.asarray(covariates[CLOCK], dtype=np.float64)).all():
        keys["clock"] = covariates[CLOCK]
    has_moves = np.zeros(len(games), dtype=bool)
    if MOVES in covariates:
        keys["moves"] = covariates[MOVES]
        has_moves = covariates[MOVES] != NO_MOVES
    frame = pandas.DataFrame(keys)
    comparable = rows[has_moves | (dated & (not games.simulated))]
    number = frame.iloc[comparable].groupby(list(keys), sort=False).ngroup().to_numpy()
    first = np.full(int(number.max(initial=-1)) + 1, len(games), dtype=np.int64)
    np.minimum.at(first, number, comparable)
    is_copy = first[number] != comparable
    if games.line is not None:  # a row of counts has several games
        is_copy &= games.line[np.minimum(first[number], len(games) - 1)] != games.line[comparable]
    copies = comparable[is_copy]
    return Duplicates(copies, first[number][is_copy], has_moves[copies])


def drop_duplicates(games: GameTable, duplicates: Duplicates, certain_only: bool = True) -> GameTable:
    """The table without the copies."""
    is_kept = np.ones(len(games), dtype=bool)
    is_kept[duplicates.copy[duplicates.certain | (not certain_only)]] = False
    return games.take(is_kept)


_HEADER = ("accept", "name", "same_as", "score", "reason")
_ACCEPTED = {"yes": True, "y": True, "1": True, "no": False, "n": False, "": False, "0": False}
_SURNAME_SCORE, _EXCHANGED_SCORE = 85.0, 95.0
_LARGE_BLOCK, _NEIGHBOURS = 300, 50
_SHIELDED = (*FORMULA_STARTS, "'")
ID_TAGS = ("WhiteFideId", "BlackFideId")


@dataclass(frozen=True)
class Proposal:
    """Two names that may be one player."""

    name: str  # the spelling with fewer games
    same_as: str  # the spelling with more games, which would stay
    score: float  # agreement, 0 to 100
    reason: str  # why they were put together


@lru_cache(maxsize=2**18)
def normalise_name(name: str) -> tuple[str, str]:
    """Surname and given names in lower case, without accents, punctuation and titles.

    An e after a, o or u, or a second a, plain spellings of letters with a mark, is left out.

    Examples
    --------
    >>> normalise_name("Mueller, Juergen") == normalise_name("Müller, Jürgen")
    True
    """
    text = strip_accents(name)
    surname, comma, forenames = text.partition(",")
    if not comma:
        words = text.split()
        # CarlsenMagnus, as some files write: a capital inside a word begins the given names.
        joined = re.fullmatch(r"\A([A-Z].*?[a-z])([A-Z].*)", name.strip(), re.DOTALL) if len(words) == 1 else None
        if joined:
            surname, forenames = joined[1].casefold(), joined[2].casefold()
        elif len(words) > 1:
            surname, forenames = words[-1], " ".join(words[:-1])
    cleaned = (" ".join(re.sub(r"[\W_]+", " ", part).split()) for part in (surname, forenames))
    surname, forenames = (re.sub(r"(?<=[aou])e|(?<=a)a", "", part) for part in cleaned)
    return surname, forenames


def _is_exchanged(first: str, second: str) -> bool:
    """True if two neighbouring letters are exchanged, as by a typing error."""
    return sorted(first) == sorted(second) and OSA.distance(first, second) == 1


def _given_score(first: str, second: str) -> tuple[float, str]:
    """Similarity of two given names, 0 to 100, and the reason."""
    if first == second:
        return 100.0, "the same name"
    if not first or not second:
        return 80.0, "one without given names"
    if _is_exchanged(first, second):
        return _EXCHANGED_SCORE, "letters exchanged"
    short, long = sorted((first.split(), second.split()), key=lambda words: sum(map(len, words)))
    if all(any(word.startswith(part) for word in long) for part in short):
        kind = "initials" if all(len(part) == 1 for part in short) else "a shortened name"
        return (88.0 if kind == "initials" else 94.0), kind
    return 0.9 * fuzz.ratio(first, second), "similar names"


@lru_cache(maxsize=2**18)
def _numbers(name: str) -> tuple[str, ...]:
    """The numbers in a name without leading zeros: versions, sizes, dates."""
    return tuple(digits.lstrip("0") for digits in re.findall(r"\d+", name))


def name_score(name: str, other_name: str) -> tuple[float, str]:
    """Similarity of two names, 0 to 100, and the reason.

    Examples
    --------
    >>> name_score("Adams, Michael", "Adams,Michael")
    (100.0, 'the same name')
    >>> name_score("Adams, Mi", "Adams,Michael")
    (94.0, 'a shortened name')
    >>> name_score("Adams, Michael", "Adams, John")[0] < 50
    True
    >>> name_score("RubiChess 20240817", "RubiChess 20240617")
    (0.0, 'other numbers')
    >>> name_score("Carlos Peña", "Carols Peña")
    (95.0, 'letters exchanged')
    """
    if _numbers(name) != _numbers(other_name):
        return 0.0, "other numbers"
    (surname, forenames), (other_surname, other_forenames) = normalise_name(name), normalise_name(other_name)
    is_exchanged = _is_exchanged(surname, other_surname)
    surnames = _EXCHANGED_SCORE if is_exchanged else fuzz.ratio(surname, other_surname)
    if surnames < _SURNAME_SCORE:
        swapped = surname == other_forenames and forenames == other_surname
        return (92.0, "names in the other order") if swapped and surname else (0.0, "other surnames")
    score, reason = _given_score(forenames, other_forenames)
    return score * surnames / 100.0, reason if surnames == 100.0 else f"{reason}, similar surnames"


def propose(games: GameTable, least_score: float = 85.0) -> list[Proposal]:
    """Pairs of names that may be one player, the surest first, without merging.

    Parameters
    ----------
    games : GameTable
        The games; with the covariates WhiteFideId and BlackFideId, ids are compared too.
    least_score : float
        Leave out pairs below this score.

    Returns
    -------
    list of Proposal
        Opponents and partners of one another are left out, since they are different people.
    """
    count = dict(zip(games.people.tolist(), games.games_of_people.tolist(), strict=True))
    together = np.unique(games.everyone, axis=0)
    met = {frozenset(pair) for row in together.tolist() for pair in combinations([k for k in row if k >= 0], 2)}
    code = {name: number for number, name in enumerate(games.people.tolist())}
    blocks: defaultdict[str, set[str]] = defaultdict(set)
    for name in count:
        for part in normalise_name(name):
            blocks[part[:2]].add(name)
    proposals: dict[frozenset[str], Proposal] = {}
    numbers = {name: _numbers(name) for name in count}
    for block in blocks.values():
        names = sorted(block, key=normalise_name)
        reach = len(names) if len(names) <= _LARGE_BLOCK else _NEIGHBOURS
        for first, left in enumerate(names):
            for right in names[first + 1 : first + 1 + reach]:
                if numbers[left] != numbers[right]:
                    continue
                pair = frozenset((left, right))
                if pair not in proposals and frozenset((code[left], code[right])) not in met:
                    score, reason = name_score(left, right)
                    if score >= least_score:
                        proposals[pair] = _proposal(left, right, score, reason, count)
    spellings: defaultdict[int, set[str]] = defaultdict(set)
    for tag, side in zip(ID_TAGS, (games.white, games.black), strict=True):
        if tag in games.covariates:
            for number, name in {*zip(ids_of(games, tag).tolist(), games.players[side].tolist(), strict=True)}:
                spellings[number].add(name)
    for number in spellings.keys() - {0}:
        for left, right in pairwise(sorted(spellings[number])):
            proposals[frozenset((left, right))] = _proposal(left, right, 100.0, "the same FIDE id", count)
    return sorted(proposals.values(), key=lambda proposal: (-proposal.score, proposal.same_as, proposal.name))


def _proposal(left: str, right: str, score: float, reason: str, count: Mapping[str, int]) -> Proposal:
    """Proposal that keeps the spelling with more games."""
    name, same_as = sorted((left, right), key=lambda spelling: (count[spelling], spelling))
    return Proposal(name, same_as, round(score, 1), reason)


def ids_of(games: GameTable, tag: str) -> npt.NDArray[np.int64]:
    """The FIDE ids of a side from its covariate, 0 where unknown, shape (game,)."""
    if tag not in games.covariates:
        return np.zeros(len(games), dtype=np.int64)
    texts = [str(value).strip().removesuffix(".0") for value in games.covariates[tag].tolist()]
    return np.array([int(text) if text.isdecimal() and len(text) < 18 else 0 for text in texts], dtype=np.int64)


def write_proposals(proposals: Sequence[Proposal], path: str | Path) -> None:
    """Write proposals as CSV for the user to accept by a `yes` in the first column; whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_HEADER)
    for proposal in proposals:
        spellings = (_shield_name(proposal.name), _shield_name(proposal.same_as))
        writer.writerow(("", *spellings, f"{proposal.score:.1f}", proposal.reason))
    write_text(path, text.getvalue())


def has_answers(path: Path) -> bool:
    """True if a user has edited a file of proposals."""
    try:
        return os.path.lexists(path) and any(not row or bool(row[0].strip()) for row in _rows_of(path))
    except GameTableError:
        return True


def _rows_of(path: str | Path) -> list[list[str]]:
    """Rows of a file of proposals; `GameTableError` if it is not one."""
    rows = [row for _, row in csv_rows(path, "a file of proposals", ",")]
    if not rows or tuple(rows[0]) != _HEADER:
        header = repr(",".join(rows[0])[:80]) if rows else "none"
        raise GameTableError(f"{path}, line 1", f"the header {','.join(_HEADER)}", header)
    return rows[1:]


def _shield_name(name: str) -> str:
    """A name made safe for spreadsheets: an apostrophe before anything that looks like a formula."""
    return f"'{name}" if name.startswith(_SHIELDED) else name


def unshield_name(cell: str) -> str:
    """Undo `_shield_name`."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_SHIELDED) else cell


def read_accepted(path: str | Path) -> dict[str, str]:
    """Spelling to the spelling that stays, for the accepted rows of a file of proposals."""
    accepted: dict[str, str] = {}
    for number, row in enumerate(_rows_of(path), start=2):
        if len(row) != len(_HEADER) or row[0].strip().lower() not in _ACCEPTED:
            raise GameTableError(f"{path}, line {number}", "yes or no, and the columns as proposed", repr(row[:1]))
        name, same_as = unshield_name(row[1]), unshield_name(row[2])
        if _ACCEPTED[row[0].strip().lower()] and accepted.setdefault(name, same_as) != same_as:
            raise GameTableError(f"{path}, line {number}", f"one spelling for {name!r}", repr(same_as))
    for name in accepted:
        visited, spelling = {name}, accepted[name]
        while spelling in accepted:
            if spelling in visited:
                raise GameTableError(str(path), "a final spelling for each name", f"a cycle of spellings at {name!r}")
            visited.add(spelling)
            spelling = accepted[spelling]
        accepted[name] = spelling
    return accepted


def rename(games: GameTable, accepted: Mapping[str, str]) -> GameTable:
    """The table with the accepted spellings; `GameTableError` if a player would play themselves."""
    return games.renaming(accepted)
