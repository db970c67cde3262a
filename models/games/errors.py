"""Error classes: the base class of every folder's errors, and the class for games."""

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Self

MOST_PLACES = 101  # of games with one fault; readers set at most 100 apart
_LONGEST_PART = 500
FIRST_PROCESS = os.getpid()  # another one was forked from it since halfpoint was imported


class HalfpointError(ValueError):
    """A user's mistake, printed by the command line in one line without a traceback."""


class PlacedError(HalfpointError):
    """An error with place, expected value, found value and remedy."""

    def __init__(self, where: str, expected: str, found: str, remedy: str = "") -> None:
        self.where = where
        self.expected = expected
        self.found = found
        self.remedy = remedy
        message = f"{clip_text(where)}: expected {clip_text(expected)}, found {clip_text(found)}"
        super().__init__(printable(f"{message}. {remedy}" if remedy else message))

    def __reduce__(self) -> tuple[type, tuple[str, str, str, str]]:
        """Pickle the parts: errors of workers travel to the waiting process."""
        return type(self), (self.where, self.expected, self.found, self.remedy)


def clip_text(text: str, most: int = _LONGEST_PART) -> str:
    """A text cut to 500 characters, since contents of files may be endless."""
    return text if len(text) <= most else f"{text[:most]}..."


def count_noun(number: int, noun: str) -> str:
    """A number with a noun in singular or plural.

    Examples
    --------
    >>> count_noun(1, "game"), count_noun(3, "game")
    ('1 game', '3 games')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def few(names: Sequence[str]) -> list[str]:
    """Names, or the first and the number of others if there are more than three."""
    return list(names) if len(names) <= 3 else [names[0], f"{len(names) - 1} others"]


def printable(text: str) -> str:
    r"""A text as one line without control sequences for the terminal: other characters become escapes.

    Examples
    --------
    >>> print(printable("a\nb\x1b[2J"))
    a\nb\x1b[2J
    """
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


class GameTableError(PlacedError):
    """Invalid games or options of games."""

    places: Sequence[str] = ()  # the first and further games with the same fault, as `where` names them

    def at(self, place: Callable[[int], str], rows: Iterable[int]) -> Self:
        """The error with the places of the first rows that have the same fault."""
        self.places = list(islice(dict.fromkeys(map(place, islice(rows, 100_000))), MOST_PLACES))
        return self


class DownloadError(GameTableError):
    """A data set that is missing and cannot be downloaded."""


class RatingSystemError(PlacedError):
    """Raised for a setting, a state or games that a rating system cannot use."""
