"""Seats in a PBN file: pairs by name, in seats, by number, section and direction."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from halfpoint.apps.fields.bridge.csv_results import split_pair

NOTHING = ("", "-", "*", "?", "--")


@dataclass(frozen=True)
class Pairs:
    """The pairs of a file."""

    names: dict[tuple[str, str, str], tuple[str, str] | None]  # by section, direction, number; None where two have it
    sections: frozenset[str]  # sections that played
    by_direction: bool  # whether pair 1 of North-South and pair 1 of East-West are two

    def of(self, cells: Mapping[str, str], side: str) -> tuple[str, str] | None:
        """Two players of a line of a score table by its number, None if absent."""
        number = id_of(cells, f"_{side}")
        if number in NOTHING:
            return None
        section = cells.get("Section", "") if len(self.sections) > 1 else ""
        for key in keys_of(cells.get("Section", ""), side, number):
            pair = self.names.get(key)
            if pair is not None:
                return pair
        direction = f" {side[0]}-{side[1]}" if self.by_direction else ""
        return _both_of(f"pair {section}{number}{direction}")


def keys_of(section: str, side: str, number: str) -> list[tuple[str, str, str]]:
    """Keys that identify a pair, the surest first."""
    return list(dict.fromkeys([(section, side, number), (section, "", number), ("", side, number), ("", "", number)]))


def id_of(cells: Mapping[str, str], side: str = "") -> str:
    """The number of a pair."""
    return cells.get(f"PairId{side}", cells.get(f"PairID{side}", ""))


def seats_of(cells: Mapping[str, str], pairs: Pairs) -> tuple[str, str, str, str]:
    """Names of North, East, South and West, from their columns or from the table of totals."""
    if any(cells.get(seat) for seat in ("North", "East", "South", "West")):
        return names_of_seats(cells)
    both_pairs = _split_pair_of_pairs(cells.get("Names", ""))
    sides = []
    for place, side in enumerate(("NS", "EW")):
        name = plain_name(cells.get(f"Names_{side}", ""))
        names = two_of(name) if name else both_pairs[place] if both_pairs else pairs.of(cells, side)
        sides.append(names or ("", ""))
    (north, south), (east, west) = sides
    return north, east, south, west


def _split_pair_of_pairs(text: str) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Two pairs of a cell with four names, "Ann - Bob : Cid - Dee"; None for another number."""
    halves = re.split(r"(?:(?<!\s)\s++)?(?::|;|\bvs?\b\.?)\s*", text, maxsplit=1)
    if len(halves) != 2:
        return None
    first, second = split_pair(halves[0]), split_pair(halves[1])
    return (first, second) if first and second else None


def names_of_seats(cells: Mapping[str, str]) -> tuple[str, str, str, str]:
    """Names of North, East, South and West from the seats of tags or cells."""
    (north, south), (east, west) = (
        _line_of(*(plain_name(cells.get(seat, "")) for seat in line)) for line in (("North", "South"), ("East", "West"))
    )
    return north, east, south, west


def two_of(text: str) -> tuple[str, str]:
    """Players of a pair by its name: Ash - Birch, Ash-Birch, or (1) and (2) for a single name.

    Examples
    --------
    >>> two_of("Ash-Birch"), two_of("pair 7"), two_of("Para-16")
    (('Ash', 'Birch'), ('pair 7 (1)', 'pair 7 (2)'), ('Para-16 (1)', 'Para-16 (2)'))
    """
    halves = [" ".join(half.split()) for half in re.split(r"-|(?<!\s)\s++and\s+", text)]
    plain = (halves[0], halves[1]) if len(halves) == 2 and all(halves) and not halves[1].isdecimal() else _both_of(text)
    return split_pair(text) or plain


def _line_of(first: str, second: str) -> tuple[str, str]:
    """Players of a line by its seats, either or both of which may have the name of the pair."""
    if first and first == second:
        return two_of(first)
    return (split_pair(first or second) if not (first and second) else None) or (first, second)


def _both_of(text: str) -> tuple[str, str]:
    """Players of a pair that the file lists under one name."""
    return f"{text} (1)", f"{text} (2)"


def split_unquoted(text: str, count: int, width: int) -> list[str]:
    """One or two names that contain blanks, separated by two blanks or more, else by the first column's width.

    Examples
    --------
    >>> split_unquoted("Ash-Birch    Van Dam-Elm", 2, 13), split_unquoted("Van Dam-Birch Cedar-Elm", 2, 14)
    (['Ash-Birch', 'Van Dam-Elm'], ['Van Dam-Birch', 'Cedar-Elm'])
    """
    if count == 1:
        return [text]
    parts = re.split(r"\s{2,}", text.strip())
    return parts if len(parts) == 2 or not width else [text[:width].strip(), text[width:].strip()]


def plain_name(text: str) -> str:
    """Name, empty if it is unknown."""
    return "" if text in NOTHING else " ".join(text.split())
