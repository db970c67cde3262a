"""Sides of several people in rankings: "Ann + Bob (0.5)" in a cell, or one row per person of a team.

race,crew,place            match,team,player,share,place
M1,Ann + Bob,1             M1,red,Ann,1,1
M1,Cem + Dan (0.5),2       M1,red,Bob,0.5,1
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import MOST_PEOPLE, Sides, side_name
from halfpoint.readers.column_values import parse_name
from halfpoint.readers.side_cells import parts_of

_SHARE = re.compile(r"\A(.*\S)\s*\((\d++(?:\.\d+)?|\.\d+)\)")
type Side = Mapping[str, float]  # the share of play of each person


def share_of(text: str, location: str) -> float:
    """Share of play above 0; an empty cell is 1."""
    try:
        share = float(text or 1.0)
    except ValueError:
        share = np.nan
    if not (share > 0.0 and np.isfinite(share)):
        raise GameTableError(location, "a share of play above 0", repr(text))
    return share


def side_in(text: str, mark: str, location: str) -> dict[str, float]:
    """People in a cell, names between marks, with the shares in parentheses after them."""
    side: dict[str, float] = {}
    for part in parts_of(text, mark):
        shared = _SHARE.fullmatch(part)
        name, share = (shared[1], shared[2]) if shared else (part, "")
        try:
            name = parse_name(name)
        except ValueError:
            raise GameTableError(location, f"names between {mark!r}", repr(text)) from None
        if name in side:
            raise GameTableError(location, "every person once on a side", f"{name!r} twice")
        side[name] = share_of(share, location)
    if len(side) > MOST_PEOPLE:
        raise GameTableError(location, f"at most {MOST_PEOPLE} people on a side", f"{len(side)}")
    return side


def side_label(side: Side) -> str:
    """Name of a side: its people in alphabetical order, with shares other than 1."""
    people = sorted(side)
    return side_name(people, [side[name] for name in people])


def split_cells(placings: pd.DataFrame, mark: str, location: str) -> tuple[pd.DataFrame, dict[str, Side]]:
    """Placings with sides named by their people, and the sides by name."""
    sides = {
        text: side_in(text, mark, f"{location}, line {line}")
        for text, line in placings.drop_duplicates("who")[["who", "line"]].itertuples(index=False)
        if text
    }
    who = [side_label(sides[text]) if text else "" for text in placings["who"]]
    return placings.assign(who=who), {side_label(side): side for side in sides.values()}


def join_rows(
    placings: pd.DataFrame, teams: Sequence[str], shares: Sequence[str], location: str
) -> tuple[pd.DataFrame, dict[str, Side]]:
    """Placings of teams instead of their people, and the sides by name; `teams` and `shares` are by row."""
    sides: dict[tuple[str, str], dict[str, float]] = {}
    first: dict[tuple[str, str], int] = {}
    places, lines = placings["place"].tolist(), placings["line"].tolist()
    keys = list(zip(placings["event"].tolist(), teams, strict=True))
    for row, (key, who) in enumerate(zip(keys, placings["who"].tolist(), strict=True)):
        row_location = f"{location}, line {lines[row]}"
        if not key[1]:
            raise GameTableError(row_location, "a team", "an empty cell")
        side, begun = sides.setdefault(key, {}), first.setdefault(key, row)
        if who in side:
            raise GameTableError(row_location, "every person once on a side", f"{who!r} twice")
        if repr(places[row]) != repr(places[begun]):
            raise GameTableError(
                row_location, f"one place for all of {key[1]!r}", f"a different place in line {lines[begun]}"
            )
        side[who] = share_of(shares[row], row_location)
    by_side = placings.assign(who=[side_label(sides[key]) for key in keys]).iloc[sorted(first.values())]
    return by_side.reset_index(drop=True), {side_label(side): side for side in sides.values()}


def sides_by_name(sides: Mapping[str, Side], names: Sequence[str]) -> Sides:
    """People of sides with these names."""
    people = np.array(sorted({person for name in names for person in sides[name]}), dtype=np.str_)
    code = {person: place for place, person in enumerate(people.tolist())}
    width = max(len(sides[name]) for name in names)
    members, share = np.full((len(names), width), -1, dtype=np.int32), np.zeros((len(names), width))
    for row, name in enumerate(names):
        for seat, person in enumerate(sorted(sides[name])):
            members[row, seat], share[row, seat] = code[person], sides[name][person]
    return Sides(people, members, share)
