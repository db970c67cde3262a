"""Notes of forms on their files, each empty if there is nothing to report."""

from collections.abc import Iterable

from halfpoint.models.games.errors import count_noun
from halfpoint.readers.words import list_names


def not_used(names: Iterable[str]) -> str:
    """Columns or keys that a form does not read."""
    unread = [*names]
    return f"not used: {list_names(unread)}" if unread else ""


def set_aside(count: int, what: str, why: str = "") -> str:
    """Number of rows that are no games, and the reason."""
    return f"set apart: {count_noun(count, what)}{why}" if count else ""


def unknown_seats(count: int, who: str = "who had White") -> str:
    """Number of games whose first seat is unknown."""
    return f"{who} is unknown in {count_noun(count, 'game')}, which count as neutral" if count else ""


def with_stones(count: int) -> str:
    """Number of games of go with a handicap."""
    return f"{count_noun(count, 'game')} with handicap stones (column handicap), counted as even" if count else ""
