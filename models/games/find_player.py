"""Resolve a typed name to a player: the same name, else the only name equal apart from case, accents and punctuation.

"sowinski, jan" means "Sowiński, Jan" if no other player has that name without accents, and so does "sowinski" if no
other player has that surname. A name that fits no player, or several, is refused with the nearest names.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import shorten_value

_NEAREST = 3
_LEAST_LIKENESS = 60.0
# Letters that Unicode does not take apart into a plain letter and an accent.
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t"}
)


def strip_accents(text: str) -> str:
    """A text in lower case without accents.

    Examples
    --------
    >>> strip_accents("Großmann, Łukasz Çelik")
    'grossmann, lukasz celik'
    """
    if text.isascii():
        return text.casefold()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).translate(_PLAIN_LETTERS)


def _fold_name(name: str) -> str:
    """A name in lower case without accents, its words parted by one blank, without a comma."""
    return " ".join(re.sub(r"[\s,_]+", " ", strip_accents(name)).split())


def _surname(name: str) -> str:
    """A surname in lower case without accents: the part before a comma, else the last word."""
    before, comma, _ = name.partition(",")
    return _fold_name(before) if comma else _fold_name(name).rpartition(" ")[2]


class Players:
    """Players, or other named entrants, found by name."""

    def __init__(self, names: Iterable[str], what: str = "a player who is rated", all_of: str = "Players") -> None:
        self.what, self.all_of = what, all_of  # in messages: one of them, and all
        self.names = [str(name) for name in names]
        self.exact = {name: place for place, name in enumerate(self.names)}

    @cached_property
    def alike(self) -> dict[str, list[int]]:
        """Places by folded name, made only if a name is not found exactly."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for name, place in self.exact.items():
            places[_fold_name(name)].append(place)
        return dict(places)

    def place(self, name: str) -> int | None:
        """A player's place among the names, None if the name is unknown or ambiguous."""
        if not isinstance(name, str):
            raise GameTableError("player", "a name", shorten_value(name))
        if name in self.exact:
            return self.exact[name]
        alike = self.alike.get(_fold_name(name), [])
        return alike[0] if len(alike) == 1 else None

    def nearest(self, name: str, least: float = _LEAST_LIKENESS) -> list[str]:
        """The names most similar to an unknown one, at most three, by a similarity of at most 100."""
        from rapidfuzz import fuzz, process  # of which a command whose names are right has no need

        likeness = process.extract(
            _fold_name(name), list(self.alike), scorer=fuzz.WRatio, limit=_NEAREST, score_cutoff=least
        )
        return [self.names[place] for text, _, _ in likeness for place in self.alike[text]][:_NEAREST]

    def hint(self, name: str) -> str:
        """A question with the nearest names, or with the first names if none is similar."""
        near = self.nearest(name)
        if near:
            return f"Did you mean {' or '.join(map(repr, near))}?"
        return (
            f"{self.all_of} are {', '.join(map(repr, self.names[:_NEAREST]))}{', ...' * (len(self.names) > _NEAREST)}."
        )

    def meant(self, name: str, source: str = "player") -> int | None:
        """Place of the player meant by a name, surname or unique words; None if unknown, an error if ambiguous."""
        place = self.place(name)
        words = {*_fold_name(name).split()} if place is None else None
        if words:
            of_family = [k for k, full in enumerate(self.names) if _surname(full) == _fold_name(name)]
            with_words = of_family or [k for k, full in enumerate(self.names) if words <= {*_fold_name(full).split()}]
            if len(with_words) > 1:
                fit = [self.names[k] for k in with_words]
                remedy = f"Did you mean {' or '.join(map(repr, fit[:_NEAREST]))}?"
                raise GameTableError(source, self.what, f"{name!r}, which fits {len(fit)} names", remedy)
            return with_words[0] if with_words else None
        return place

    def find(self, name: str, source: str = "player") -> int:
        """Place of the player for a name, as in `meant`; an unknown name is an error."""
        place = self.meant(name, source)
        if place is None:
            raise GameTableError(source, self.what, repr(name), self.hint(name))
        return place


def find_players(typed: Sequence[str], names: Iterable[str], source: str) -> list[str]:
    """Full names of the games for typed names."""
    players = Players(names)
    typed_of_name: dict[str, str] = {}
    for name in typed:
        name_of_games = players.names[players.find(str(name), source)]
        if name_of_games in typed_of_name:
            raise GameTableError(source, "every name once", f"a repeated name, {name!r}")
        typed_of_name[name_of_games] = str(name)
    return list(typed_of_name)
