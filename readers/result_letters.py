"""Letters and signs of results: V, N and D of French, S, U and N of German, and + = -.

The letters of a column are of one language (letters.toml), so that D is a loss beside V and a draw beside W. Longer
words, such as "forfait", do not decide the language.
"""

from collections.abc import Iterable

from halfpoint.models.games.packaged import packaged_table
from halfpoint.models.games.plain_words import plain_word

_LANGUAGES = tuple(tuple(letters.split()) for letters in packaged_table("readers", "letters.toml").values())
_ENGLISH = (("w", "d", "l"), ("w", "t", "l"))
_IN_ENGLISH = frozenset("hwdtlaxb")  # home, win, draw, tie, loss, away, draw of football pools, a side
_SIGNS = ("+", "=", "-")
_DASHES = str.maketrans("‐‑–—−＋＝－", "-----+=-")
_LONGEST = 2  # letters, as Hungarian has
DRAWS = frozenset((*(draw for _, draw, _ in _LANGUAGES), *"dtx"))  # letters of a draw in any language


def initials_of_sides(words: Iterable[str], headers: Iterable[str]) -> tuple[str, ...]:
    """The initials of the columns of two sides, in small letters, if they differ and are both words of a column.

    Examples
    --------
    >>> initials_of_sides(["L", "E", "V"], ["Local", "Visitante"]), initials_of_sides(["V", "D"], ["Koti", "Vieras"])
    (('l', 'v'), ())
    """
    initials = tuple(plain_word(header)[:1] for header in headers)
    return initials if {*initials} <= {*map(plain_word, words)} and len({*initials}) > 1 else ()


def foreign_letters(words: Iterable[str]) -> tuple[str, ...]:
    """The letters of a win, a draw and a loss in the language of a column's plain words; empty for English letters.

    Words of more than two letters are passed over; a letter alone decides nothing.

    Examples
    --------
    >>> foreign_letters(["v", "d", "forfait"]), foreign_letters(["w", "d"]), foreign_letters(["v", "f", "?"])
    (('v', 'e', 'd'), (), ())
    """
    letters = {word for word in words if 0 < len(word) <= _LONGEST}
    if len(letters) < 2 or letters <= _IN_ENGLISH - {"b"}:
        return ()
    # a language whose letters English has too, as Vietnamese: only if all three occur
    fitting = sorted((kind for kind in _LANGUAGES if letters <= {*kind}), key=lambda kind: not {*kind[::2]} <= letters)
    return next((group for group in fitting if len(letters) > 2 or not {*group} <= _IN_ENGLISH), ())


def signs_of_results(words: Iterable[str]) -> tuple[str, ...]:
    """The signs + = - if the short words of a column are such signs, a plus among them; else empty.

    Examples
    --------
    >>> signs_of_results(["+", "–", "w.o."]), signs_of_results(["+", "-", "1"]), signs_of_results(["-", "="])
    (('+', '=', '-'), (), ())
    """
    signs = {plain_sign(word) for word in words if 0 < len(word.strip()) <= _LONGEST}
    return _SIGNS if "+" in signs and len(signs) > 1 and signs <= {*_SIGNS} else ()


def plain_sign(word: str) -> str:
    """A cell with a sign of the keyboard in place of longer, shorter and wider ones."""
    return word.strip().translate(_DASHES)


def letters_of_results(words: Iterable[str]) -> frozenset[str]:
    """The words of a column, in small letters, that are results although V and - may mean that no game was played.

    Examples
    --------
    >>> sorted(letters_of_results(["V", "N", "D"])), letters_of_results(["v", ""]), letters_of_results(["W", "L", "V"])
    (['d', 'n', 'v'], frozenset(), frozenset())
    """
    letters = {word.strip().lower() for word in words if 0 < len(word.strip()) <= _LONGEST}
    if signs_of_results(letters):
        return frozenset(letters)
    letters = {letter for letter in letters if plain_word(letter) == letter and letter.isalpha()}
    english = any(letters <= {*language} for language in _ENGLISH)
    foreign = not letters <= _IN_ENGLISH | {"v"} or foreign_letters(letters)
    return frozenset(letters) if len(letters) > 1 and (english or foreign) else frozenset()
