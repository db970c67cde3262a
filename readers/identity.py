"""Identity of players in two columns of names: ids beside names, and ratings or ranks written after names.

Names that differ in case alone are one player. If both seats have ids, each id is one player: people with the same name
are distinguished by their ids ("Smith (11)"), and a player with several spellings gets the most frequent spelling. A
rating or a rank beside names, as in "Adler, Ann (1701)", "hahn [2k]" and "#3 Adler", is removed from a name if it
splits one player into several names.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.table import Codes, Texts
from halfpoint.readers.days import UNKNOWN
from halfpoint.readers.words import BESIDE, list_names

_GLUED = (
    re.compile(r"\A(.*\S)\s*[(\[]\s*(?:[1-3]?\d{3}|\d{1,2} ?[kdp]|#?\d{1,3})\s*[?*]?[)\]]", re.IGNORECASE),
    re.compile(r"\A(?=[\W\d_]*[^\W\d_])(.*\S)\s+[1-3]\d{3}[?*]?"),  # a rating in no brackets, behind letters
    re.compile(r"\A(?=[\W\d_]*[^\W\d_])(.*\S)\s+\d{1,2} ?[kdp][?*]?", re.IGNORECASE),  # a rank of go
    re.compile(r"(?:[(\[]\s*#?\d{1,3}\s*[)\]]|#\d{1,3}|\d{1,3}\.)\s*([^\W\d_].*)"),  # a rank or a seed before
)
_MARK = r"[(\[]\s*(?:#?\d{1,3}|[A-Za-z]{1,3}|\d{1,2}[,/ ]+[A-Za-z]{1,3})\s*[)\]]"  # beside a name
_MARKED = re.compile(rf"\A(?:(?P<before>[^(\[]++){_MARK}|{_MARK}(?P<after>[^()\[\]]++))")
_FEWEST_AGAIN, _SHARE_AGAIN = 3, 0.3  # names of players with several spellings
_WORD, _WORD_OF_TWO = re.compile(r"[^\W\d_]+"), re.compile(r"[^\W\d_]{2,}")
_WORDS_ALONE = re.compile(r"[^\W\d_]+(?:[ ,.]+[^\W\d_]+)*\.?")
_MOSTLY = 0.8  # of the names are followed by a rating
_SHOWN = 3
NO_ID = re.compile(r"-?0+")  # unless one player has it
_LEAST_LETTERS = 3  # of names that differ in case only

type Key = tuple[str, str]  # a name and an id, empty if unknown
type Played = Callable[[], tuple[Counter[str], set[tuple[str, str]]]]  # games of each name, and the pairs that met


def names_of_players(
    keys: Sequence[Key], white: Codes, black: Codes, with_ids: bool
) -> tuple[Texts, Codes, Codes, list[str]]:
    """Sorted names of the players of games, codes of White and Black into them, and a note on each change.

    Parameters
    ----------
    keys : sequence of tuple
        Distinct names with their ids.
    white, black : array of int, shape (game,)
        Codes into the keys.
    with_ids : bool
        Whether each id is a player; else names that seem to be spellings of one player are merged.
    """
    used, code = np.unique(np.concatenate([white, black]), return_inverse=True)
    times = np.bincount(code).tolist()
    keys = [keys[key] for key in used.tolist()]
    plain, note = _ratings_behind(sorted({name for name, _ in keys}))
    names, notes = [plain.get(name, name) for name, _ in keys], [note]

    def played() -> tuple[Counter[str], set[tuple[str, str]]]:
        counts = Counter[str]()
        for name, count in zip(names, times, strict=True):
            counts[name] += count
        met = np.unique(code[: white.size] * used.size + code[white.size :]).tolist()
        return counts, {(names[pair // used.size], names[pair % used.size]) for pair in met}

    if with_ids:
        keys = [(name, number) for name, (_, number) in zip(names, keys, strict=True)]
        name_of_key, further = _called_by_ids(zip(keys, times, strict=True))
        names, notes = [name_of_key.get(key, key[0]) for key in keys], [*notes, *further]
    for step in () if with_ids else (_marks_behind, _spellings):
        spelling, note = step(sorted({*names}), played)
        names, notes = [spelling.get(name, name) for name in names], [*notes, note]
    players, place = np.unique(np.array(names, dtype=np.str_), return_inverse=True)
    codes = place.astype(np.int32)[code]
    return players, codes[: white.size], codes[white.size :], [*filter(None, notes)]


def _ratings_behind(distinct: Sequence[str]) -> tuple[dict[str, str], str]:
    """Names without a trailing rating or leading rank, and a note; unchanged unless players become fewer."""
    plain = {name: next((match[1] for form in _GLUED if (match := form.fullmatch(name))), name) for name in distinct}
    glued, players = [name for name in distinct if plain[name] != name], {*plain.values()}
    if not glued or len(glued) < _MOSTLY * len(distinct) or len(players) == len(distinct):
        return {}, ""
    what = "ratings behind" if glued[0].startswith(plain[glued[0]]) else "ranks before"
    note = f"{what} names, such as {glued[0]!r}, are left out: {len(players)} players, not {len(distinct)}"
    return plain, f"names: {note}"


def _unmarked(name: str) -> str:
    """A name without a seed or an entry mark in brackets before or after it."""
    match = _MARKED.fullmatch(name)
    return (match["before"] or match["after"]).strip() or name if match else name


def _marks_behind(distinct: Sequence[str], played: Played) -> tuple[dict[str, str], str]:
    """Names without seeds and marks of entry such as "[3]" and "(WC)", and a note; unchanged unless names become fewer.

    Most names then have several spellings, and no two of one player meet.
    """
    plain = {name: _unmarked(name) for name in distinct}
    several = Counter(plain.values())
    again = sum(times for times in several.values() if times > 1)
    few = again <= _FEWEST_AGAIN or again < _SHARE_AGAIN * len(plain)
    if few or any(plain[left] == plain[right] for left, right in played()[1]):
        return {}, ""
    first = next(name for name in distinct if plain[name] != name)
    note = f"seeds and marks beside names, such as {first!r}, are left out: {len(several)} players, not {len(plain)}"
    return {name: bare for name, bare in plain.items() if bare != name}, f"names: {note}"


def _spellings(distinct: Sequence[str], played: Played) -> tuple[dict[str, str], str]:
    """Names to replace by another spelling of the same player, and a note.

    Spellings may differ in case, title, team prefix, or the order at a comma. "FALK Jan" becomes "Falk, Jan", and
    "TL | Brandt" becomes "Brandt", if both spellings occur; names of players who met each other are kept.
    """
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in distinct:
        groups[tuple(sorted(_words(name)))].append(name)
    alike: list[list[str]] = []
    for names in (group for group in groups.values() if len(group) > 1):
        ordered = defaultdict(list)
        turned = any(map(_may_be_turned, names))
        for name in names:
            ordered["" if turned else " ".join(_words(name))].append(name)
        alike += [group for group in ordered.values() if len(group) > 1]
    if not alike:
        return {}, ""
    times, met = played()
    spelling_of_name: dict[str, str] = {}
    for spelt in alike:
        long = all(len(name) >= _LEAST_LETTERS for name in spelt)  # a and A may be two things
        if long and not any((left, right) in met for left in spelt for right in spelt):
            best = max(spelt, key=lambda name: (not name.isupper() and not name.islower(), times[name], -len(name)))
            spelling_of_name |= {name: best for name in spelt if name != best}
    if not spelling_of_name:
        return {}, ""
    first, second = next(iter(spelling_of_name.items()))
    ending = f" and {count_noun(len(spelling_of_name) - 1, 'other')}" if len(spelling_of_name) > 1 else ""
    return spelling_of_name, f"names: {first!r} is taken as {second!r}{ending}"


def _words(name: str) -> list[str]:
    """The words of a name without case, title and team; a name with digits or signs is one word."""
    plain = name.rpartition(" | ")[2].casefold()
    words = _WORD.findall(plain)
    words = words[1:] if len(words) > 2 and words[0] in BESIDE["titles"] else words
    return words if _WORDS_ALONE.fullmatch(plain) else [" ".join(plain.split())]


def _may_be_turned(name: str) -> bool:
    """True if a family name may come first: before a comma, or in capitals."""
    plain = name.rpartition(" | ")[2]
    capitals = [len(word) > 1 and word.isupper() for word in _WORD.findall(plain)]
    return "," in plain or (any(capitals) and not all(capitals))


def _called_by_ids(times: Iterable[tuple[Key, int]]) -> tuple[dict[Key, str], list[str]]:
    """The names of players by name and id, and one line per change; `times` counts the occurrences of each pair.

    Each id is a player, and so is a name without an id; a name with only one id belongs to that player even without the
    id.
    """
    spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (name, number), count in times:
        spelt[number][name] += count
    without = {number for number in spelt if number in UNKNOWN or (NO_ID.fullmatch(number) and len(spelt[number]) > 1)}
    bare = {(name, number): count for number in without for name, count in spelt.pop(number).items()}
    best = {number: _best(counts) for number, counts in spelt.items()}
    of_name = Counter(best.values())
    ids_of_name = Counter(name for counts in spelt.values() for name in counts)
    shared = sorted(name for name, players in of_name.items() if players > 1)
    several = sorted((best[number], number) for number, counts in spelt.items() if len(counts) > 1)
    name_of_id = {number: f"{name} ({number})" if of_name[name] > 1 else name for number, name in best.items()}
    notes = []
    if shared:
        are = "is" if len(shared) == 1 else "are"
        notes.append(f"names: {list_names(shared, _SHOWN)} {are} several players by their ids")
    alone = Counter[str]()
    for (name, _), count in bare.items():
        alone[name] += count if ids_of_name[name] > 1 else 0
    if alone := +alone:
        times_alone = f"{count_noun(alone.total(), 'time')} without an id"
        further = count_noun(len(alone), "further player")
        notes.append(f"names: {list_names(sorted(alone), _SHOWN)}, {times_alone}, counted as {further}")
    if several:
        words = {number: [{*_WORD_OF_TWO.findall(name.casefold())} for name in spelt[number]] for _, number in several}
        unlike = [number for number in words if not set.intersection(*words[number])]
        first = next(iter(unlike), several[0][1])
        shown = " and ".join(repr(name) for name, _ in spelt[first].most_common(2))
        odd = f", {len(unlike)} with unlike names" if unlike else ""
        players = count_noun(len(several), "player")
        notes.append(f"names: {players} spelt in several ways, by id{odd}, such as {shown} ({first})")
    name_of_key = {(name, number): name_of_id[number] for number, counts in spelt.items() for name in counts}
    called = {name: shown for (name, _), shown in name_of_key.items()}
    name_of_key |= {key: called[key[0]] for key in bare if ids_of_name[key[0]] == 1}
    return name_of_key, notes


def _best(spellings: Counter[str]) -> str:
    """Spelling of a player: the shortest if it is part of all spellings, else the most frequent one."""
    short = min(spellings, key=len)
    return short if short and all(short in spelling for spelling in spellings) else spellings.most_common(1)[0][0]
