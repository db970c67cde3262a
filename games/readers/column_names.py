"""Assignment of columns to fields for all formats: by a column map, the field's own name, or its words.

A file that tells winner and loser has no White and Black: the winner is seated first in all games and the seats say
nothing, so that every game is marked as neutral. Goals beside a result are the margin. Columns that nothing asks for
are left over.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.options import ReaderOptions
from halfpoint.games.readers.sources import SAMPLED_ROWS, Source
from halfpoint.games.readers.words import (
    ABOUT,
    ALIASES,
    ANSWERS,
    WORDS,
    are_outcomes,
    flags,
    list_names,
    noun_of,
    plain_word,
)
from halfpoint.games.sides import MOST_PEOPLE

EVERY_OTHER = "*"
GOALS = ("white_goals", "black_goals")
COUNTS = (*GOALS, *(f"{side}_{what}" for what in ("shots", "shots_on_target") for side in ("white", "black")))
_DECIDED = ("winner", "loser")
ONE_HOT = ("first_won", "second_won", "tied")
_FIELDS = (*WORDS, "margin", "weight", *ABOUT)
_SEATED = ("white", "black", *_DECIDED)
_PERSON = re.compile(r"(white|black|winner|loser)(_share)?_\d+|(white|black|winner|loser)_share")
_ONE_ONLY = ("white", "black", "loser", *GOALS)  # two columns for one of these: the user has to say which
_LEAST_SHARED = 0.2  # of the names of two columns that are proposed as the two players
_MOST_PROPOSED = 60  # columns that are looked at for a proposal


@dataclass(frozen=True)
class Assignment:
    """Assignment of columns to fields."""

    # field to column. With `winner` and `loser` there are no white, black and score; `winner` alone is told beside
    # white and black and stands for the score.
    columns: dict[str, str]
    # fields whose column was found by a word, not named by the user or by the field's own name
    guessed: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()  # columns that nothing asked for and the user did not leave out
    # columns of the second and further people of a side, and of shares of play, by keys such as white_2 and
    # white_share_1
    seats: dict[str, str] = field(default_factory=dict)
    noun: str | None = None  # what is compared: model, team, player, ...; None where the columns do not say it

    @property
    def every(self) -> dict[str, str]:
        """All assigned columns, including further people of a side and shares of play: white_2, white_share_1."""
        return self.columns | self.seats


def assign_columns(source: Source, options: ReaderOptions) -> Assignment:
    """Assign the columns of a source to fields."""
    where, covariates = f"{source.where}, columns", options.covariates
    said = {one if one in _FIELDS else ALIASES.get(one, one): name for one, name in options.columns.items()}
    asked = {*said.values(), *covariates, *options.ignore}
    present = [name for name in source.names if name not in source.nested or name in asked]
    count = Counter(present)
    silent, ignore = EVERY_OTHER in options.ignore, [name for name in options.ignore if name != EVERY_OTHER]
    columns, seats = _number_seats(count, said, {*covariates, *ignore})
    strange = [name for name in columns if name not in _FIELDS]
    if strange:
        raise GameTableError("--columns", f"fields among {', '.join(_FIELDS)}", repr(strange[0]))
    named = [*columns.values(), *seats.values(), *covariates, *ignore]
    _check_repeated(count, set(named), where)
    for name in named:
        if name not in count:
            raise GameTableError(where, f"a column {name!r}", f"columns {list_names(present)}")
    chosen = _by_words(count, columns, set(named), options.about, where)
    own = {one for one, name in chosen.items() if one in columns or one == name}
    chosen = _one_story(chosen, columns, options.scored, source)
    if any(one not in chosen for one in _DECIDED):
        told = any(one in chosen for one in ("score", "margin", "winner", "first_won", "equal"))
        scores = not options.scored or told or all(one in chosen for one in GOALS)
        missing = [one for one in ("white", "black") if one not in chosen] + ([] if scores else ["score"])
        if missing:
            free = [name for name in count if name not in named and name not in chosen.values() and count[name] == 1]
            proposed = _propose_columns(missing, free, source)
            remedy = f"Say which is which: {flags(proposed)}" if proposed else "A row is to be a game of two players"
            lost = [one for one in missing if one not in proposed and (one != "score" or "winner" not in proposed)]
            remedy += f", and --columns for {' and '.join(lost)}." if lost else "."
            raise GameTableError(
                where, f"a column for {' and '.join(missing)}", f"columns {list_names(present)}", remedy
            )
    place = {"winner": "white", "loser": "black"} if "loser" in chosen else {}
    parts = {key: key.partition("_") for key in seats}
    seats = {f"{place.get(side, side)}_{rest}": seats[key] for key, (side, _, rest) in parts.items() if side in chosen}
    used = {*chosen.values(), *seats.values(), *covariates, *ignore}
    left_out = () if silent else tuple(name for name in count if name and name not in used)
    noun = "player" if place else noun_of(chosen["white"])
    return Assignment(chosen, frozenset(set(chosen) - own), left_out, seats, noun)


def _by_words(
    count: Counter[str], columns: Mapping[str, str], named: set[str], about: Sequence[str], where: str
) -> dict[str, str]:
    """The column of each field: as the user says, by the field's own name, or by its words."""
    known = WORDS | {one: ABOUT[one] for one in about}
    chosen = dict(columns)
    chosen |= {f: f for f in (*known, "margin", "weight") if f not in columns and f in count and f not in named}
    columns_of: dict[str, list[str]] = {}
    for name in count:
        if count[name] == 1 and name not in named:
            columns_of.setdefault(plain_word(name), []).append(name)
    for one, words in known.items():
        taken = set(chosen.values())
        every = dict.fromkeys((plain_word(one), *words))
        found = [name for word in every for name in columns_of.get(word, ()) if name not in taken]
        found = found or [name for word in ANSWERS.get(one, ()) for name in columns_of.get(word, ())]
        if one not in chosen and len(found) > 1 and one in _ONE_ONLY:
            remedy = f"Say which: {flags({one: found[0]})}, for example."
            raise GameTableError(where, f"one column for {one}", list_names(found), remedy)
        if one not in chosen and found:
            chosen[one] = found[0]
    return chosen


def _number_seats(
    count: Counter[str], columns: Mapping[str, str], taken: set[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The column map with the first person's column of each side, and the columns of the further ones.

    Columns numbered from 1, such as home_1 and home_2 or winner1_name and winner2_name, are the people of a side where
    no single column is named for it and one of two opposite sides has at least two.
    """
    given = {field: name for field, name in columns.items() if _PERSON.fullmatch(field)}
    plain = {field: name for field, name in columns.items() if field not in given}
    found: dict[str, dict[str, str]] = {side: {} for side in _SEATED}
    taken = taken | set(columns.values())
    for name in count:
        key = _person_of(name) if name not in taken and count[name] == 1 else None
        if key is not None:
            found[key.partition("_")[0]].setdefault(key, name)
    seats: dict[str, str] = {}
    known = {plain_word(name) for name in count}
    for pair in (("white", "black"), _DECIDED):
        asked = [side for side in pair if any(field.startswith(f"{side}_") for field in given)]
        single = [side for side in pair if side in plain or known & {side, *WORDS[side]}]
        most = max(sum("share" not in key for key in found[side]) for side in pair)
        whole = all(f"{side}_1" in found[side] for side in pair)
        for side in pair:
            if side in asked:
                seats |= {field: name for field, name in given.items() if field.startswith(f"{side}_")}
                seats |= {key: name for key, name in found[side].items() if "share" in key and key not in seats}
            elif not asked and not single and whole and most > 1:
                seats |= found[side]
            elif side in single:  # one cell for the side may still have its shares beside it
                seats |= {key: name for key, name in found[side].items() if key == f"{side}_share"}
    for side in _SEATED:
        if f"{side}_1" in seats:
            plain[side] = seats.pop(f"{side}_1")
    return plain, seats


def _person_of(column: str) -> str | None:
    """The key of a numbered column of a side, such as white_2 or white_share_1, else None.

    Examples
    --------
    >>> _person_of("Home 2"), _person_of("winner1_name"), _person_of("white_share_1"), _person_of("player1")
    ('white_2', 'winner_1', 'white_share_1', None)
    """
    tokens = re.findall(r"[^\W\d_]+|\d+", column.lower())
    share = "share" in tokens
    tokens = [token for token in tokens if token != "share"]
    if tokens[-1:] == ["name"]:
        tokens.pop()
    number = int(tokens.pop()) if tokens[1:] and tokens[-1].isdecimal() and len(tokens[-1]) <= 3 else None
    player = tokens[1:] != [] and tokens[-1] == "player"
    stem = "".join(tokens[:-1] if player else tokens)
    side = next((one for one in _SEATED if stem == one or stem in WORDS[one]), None)
    if side is None or (stem[-1].isdigit() and not player):
        return None
    if number is None:
        return f"{side}_share" if share and column == f"{side}_share" else None
    if not 1 <= number <= MOST_PEOPLE:
        return None
    return f"{side}_share_{number}" if share else f"{side}_{number}"


def _check_repeated(count: Counter[str], named: set[str], where: str) -> None:
    """Raise `GameTableError` if a named or recognised column is repeated; others are left out."""
    understood = {plain_word(name) for name in _FIELDS} | {word for words in WORDS.values() for word in words}
    for name, times in count.items():
        if times > 1 and (name in named or plain_word(name) in understood):
            raise GameTableError(where, "every column once", f"column {name[:60]!r} again")


def _one_story(chosen: dict[str, str], columns: Mapping[str, str], scored: bool, source: Source) -> dict[str, str]:
    """The fields that determine each game: winner and loser, or White, Black and one form of a result.

    A column of results goes before one of winners if its cells are results. Goals stay beside either as the margin.
    """
    both = all(one in chosen for one in _DECIDED)
    seated = all(one in chosen for one in ("white", "black"))
    asked = all(one in columns for one in _DECIDED)
    outcome = ("score", "winner", "equal", *ONE_HOT)
    if scored and both and (asked or not seated) and not {"white", "black", "score"} & set(columns):
        dropped = {"white", "black", "neutral", "margin", *COUNTS, *outcome} - {"winner"}
    elif not scored:  # of winners and losers to come the names are columns of players
        dropped = {"margin", *COUNTS, *outcome} - ({"winner"} if both and not seated else set())
        dropped |= set() if both and not seated else {"loser"}
    else:
        dropped = {"loser"}
        told = [one for one in ("score", "winner") if one in chosen]
        if len(told) == 2 and not set(told) <= set(columns):
            preferred = next((one for one in told if one in columns), None)
            score = preferred == "score" or (preferred is None and _holds_outcomes(source, chosen["score"]))
            dropped |= {"winner" if score else "score"}
        if told or not all(one in chosen for one in ONE_HOT):
            dropped |= set(ONE_HOT)
        for pair in zip(COUNTS[::2], COUNTS[1::2], strict=True):
            if not all(one in chosen for one in pair):
                dropped |= set(pair)
    return {one: name for one, name in chosen.items() if one not in dropped}


def _holds_outcomes(source: Source, column: str) -> bool:
    """True if the first cells of a column, those that are not empty, are results."""
    cells = source.read([column], SAMPLED_ROWS)[column]
    return cells.dtype.is_nested() is False and are_outcomes([one for one in cells.unique().to_list() if one])


def _propose_columns(missing: Sequence[str], free: Sequence[str], source: Source) -> dict[str, str]:
    """Columns that look like the missing fields, by field; for results the one of scores, or of winners."""
    cells = source.read(free[:_MOST_PROPOSED], SAMPLED_ROWS)
    sampled = {name: set(one.unique().to_list()) - {""} for name, one in cells.items() if not one.dtype.is_nested()}
    proposed: dict[str, str] = {}
    if "score" in missing:
        scores = [name for name, one in sampled.items() if len(one) > 1 and are_outcomes(sorted(one))]
        scores += [name for name, one in sampled.items() if {"1", "2"} < {cell.casefold() for cell in one} <= {*"1x2"}]
        proposed |= {"score": scores[0]} if scores else {}
    if "white" in missing and "black" in missing:
        texts = [n for n in sampled if n != proposed.get("score") and not any(map(_is_number, sampled[n]))]
        pairs = [(one, two) for k, one in enumerate(texts) for two in texts[k + 1 :]]

        def shared(pair: tuple[str, str]) -> float:
            one, two = (sampled[name] for name in pair)
            return len(one & two) / max(1, len(one | two))

        best = max(pairs, key=shared, default=None)
        if best is not None and shared(best) >= _LEAST_SHARED:
            proposed |= dict(zip(("white", "black"), best, strict=True))
            names = sampled[best[0]] | sampled[best[1]]
            won = [n for n in texts if n not in best and len(sampled[n] & names) >= 0.5 * max(1, len(sampled[n]))]
            if "score" in missing and "score" not in proposed and won:
                proposed["winner"] = won[0]
    return {one: proposed[one] for one in ("white", "black", "score", "winner") if one in proposed}


def _is_number(text: str) -> bool:
    """True if a text is a number or empty."""
    return re.fullmatch(r"[-+]?[\d.,]*", text) is not None
