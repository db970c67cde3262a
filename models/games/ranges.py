"""Allowed values of options, numbers in ranges or words, and a one-line error for any other value.

A range is defined once, beside the code that uses the number; the command line declares the same range for its option.
"""

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from halfpoint.models.games.errors import HalfpointError, PlacedError

_SHOWN_DIGITS = 40


@dataclass(frozen=True)
class Range:
    """Numbers from `least` to `most`, both included.

    Examples
    --------
    >>> Range(1, 10).require("draws", 11)
    Traceback (most recent call last):
    ...
    halfpoint.models.games.errors.HalfpointError: draws: expected a whole number from 1 to 10, found 11
    """

    least: float  # the ends; whole numbers where only whole numbers are allowed
    most: float  # likewise

    @property
    def whole(self) -> bool:
        """True if only whole numbers are allowed."""
        return isinstance(self.least, int) and isinstance(self.most, int)

    @property
    def ends(self) -> str:
        """Both ends in words, such as "1 to 10"."""
        return f"{_end(self.least)} to {_end(self.most)}"

    def __str__(self) -> str:
        return f"a {'whole ' if self.whole else ''}number from {self.ends}"

    def __contains__(self, value: Any) -> bool:
        if isinstance(value, str):
            return False
        try:
            number = operator.index(value) if self.whole else float(value)
        except (TypeError, ValueError, OverflowError):
            return False
        return bool(self.least <= number <= self.most)  # false for NaN

    def require(self, name: str, value: object, kind: type[HalfpointError] = HalfpointError) -> None:
        """Raise unless a number is in the range."""
        if value in self:
            return
        raise _refusal(name, str(self), shorten_value(value), kind)


def require_word(
    name: str, value: object, words: Iterable[str | None], kind: type[HalfpointError] = HalfpointError
) -> None:
    """Raise unless a value is among the allowed words (or None, if allowed).

    Examples
    --------
    >>> require_word("--rule", "all", ("any", "both"))
    Traceback (most recent call last):
    ...
    halfpoint.models.games.errors.HalfpointError: --rule: expected any | both, found 'all'
    """
    allowed = list(words)
    if value not in allowed:
        raise _refusal(name, " | ".join(filter(None, allowed)), repr(value), kind)


def _refusal(name: str, expected: str, fault: str, kind: type[HalfpointError]) -> HalfpointError:
    """The error for an invalid option."""
    placed = issubclass(kind, PlacedError)
    return kind(name, expected, fault) if placed else kind(f"{name}: expected {expected}, found {fault}")


def _end(number: float) -> str:
    """End of a range as people write it."""
    if number == 2**63 - 1:
        return "2^63 - 1"
    return f"{number:,}" if isinstance(number, int) else f"{number:,g}"


def shorten_value(value: object) -> str:
    """Short text of an invalid number for a message; thousands of digits are cut."""
    if isinstance(value, int) and abs(value) >= 10**_SHOWN_DIGITS:
        return f"a number of about {int(math.log10(abs(value))) + 1:,} digits"
    text = repr(value) if not hasattr(value, "item") else repr(value.item())
    return text if len(text) <= _SHOWN_DIGITS else f"{text[:_SHOWN_DIGITS]}..."


SEED = Range(0, 2**63 - 1)  # valid in NumPy, nutpie, PyMC and JAX, and recorded by traces
GAMES_NEEDED = Range(1, 1_000_000_000)  # of a player with a rating of their own
HALF_LIFE = Range(1e-3, 1e9)  # in days, or in periods of games without days
PEOPLE = Range(1, 100)  # on one side
TAILS = ("normal", "t")  # of simulated margins
RATING_ELO = Range(0.0, 4000.0)  # that a player may have
Every = Literal["month", "week", "day"]  # periods made from dates


def require_instance(name: str, value: object, kinds: type | tuple[type, ...], remedy: str) -> None:
    """Raise unless a value is of one of the classes.

    Examples
    --------
    >>> require_instance("games", "games.csv", list, "Read the file first.")
    Traceback (most recent call last):
    ...
    halfpoint.models.games.errors.HalfpointError: games: expected list, found str. Read the file first.
    """
    if not isinstance(value, kinds):
        expected = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
        raise HalfpointError(f"{name}: expected {expected}, found {type(value).__name__}. {remedy}")
