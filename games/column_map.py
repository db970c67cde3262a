"""Which column of a file holds what: by a column map, by the field's own name, or by the words of other sports.

The words are compared without case, blanks and underscores, so that HomeTeam, home_team and "Home team" are one.
"""

import re
from collections.abc import Mapping, Sequence

from halfpoint.games.errors import GameTableError

EVERY_OTHER = "*"
GOALS = ("white_goals", "black_goals")
FIELDS = (
    *("white", "black", "score", *GOALS),
    *("period", "date", "white_rating_elo", "black_rating_elo", "event", "weight"),
)
WORDS = {
    "white": ("home", "hometeam", "homeplayer"),
    "black": ("away", "awayteam", "visitor", "visitingteam", "awayplayer"),
    "score": ("result", "ftr", "outcome"),
    "white_goals": ("homegoals", "homescore", "fthg", "homepoints", "hg"),
    "black_goals": ("awaygoals", "awayscore", "ftag", "awaypoints", "visitorgoals", "ag"),
    "date": ("day", "matchdate", "gamedate"),
    "period": ("round", "week", "matchday", "month"),
    "white_rating_elo": ("whiteelo", "whiterating", "homeelo", "homerating"),
    "black_rating_elo": ("blackelo", "blackrating", "awayelo", "awayrating"),
    "event": ("site", "tournament", "league", "competition"),
}


def plain_word(column: str) -> str:
    """Return a column's name in lower case without blanks and punctuation."""
    return re.sub(r"[\W_]+", "", column).lower()


def assign_columns(
    present: Sequence[str],
    columns: Mapping[str, str],
    covariates: Sequence[str],
    ignore: Sequence[str],
    where: str,
    others: bool = False,
    scored: bool = True,
) -> dict[str, str]:
    """Return which source column holds which field.

    Parameters
    ----------
    present : sequence of str
        The source's columns.
    columns : mapping of str to str
        Field to source column; a field that is not named is looked up under its own name, then by the words of `WORDS`.
    covariates, ignore : sequence of str
        Source columns to keep as covariates, and to leave out; ``*`` leaves out all that are not understood.
    where : str
        The source, for messages.
    others : bool
        Leave out unknown columns instead of refusing them.
    scored : bool
        Whether a score is wanted; if not, columns of scores and goals are left out and need not be there.

    Returns
    -------
    dict of str to str
        Goals are left out where there is a score.

    Raises
    ------
    GameTableError
        If a column is repeated, unknown or missing, or two columns could hold one field.
    """
    known = ", ".join(FIELDS)
    if EVERY_OTHER in ignore:
        others, ignore = True, [name for name in ignore if name != EVERY_OTHER]
    strange = [field for field in columns if field not in FIELDS]
    if strange:
        raise GameTableError(f"{where}, column map", f"fields among {known}", repr(strange[0]))
    if len(set(present)) != len(present):
        twice = next(name for name in present if list(present).count(name) > 1)
        raise GameTableError(where, "every column once", f"column {twice[:60]!r} again")
    for name in [*columns.values(), *covariates, *ignore]:
        if name not in present:
            raise GameTableError(where, f"a column {name!r}", f"columns {listed(present)}")
    taken = {*columns.values(), *covariates, *ignore}
    chosen = dict(columns) | {f: f for f in FIELDS if f not in columns and f in present and f not in taken}
    for field, words in WORDS.items():
        free = [name for name in present if name not in taken and name not in chosen.values()]
        found = [name for name in free if plain_word(name) in (plain_word(field), *words)]
        if field not in chosen and len(found) > 1:
            raise GameTableError(
                where, f"one column for {field}", listed(found), "Give a column map (columns: field=column)."
            )
        if field not in chosen and found:
            chosen[field] = found[0]
    unknown = [name for name in present if name not in taken and name not in chosen.values()]
    if unknown and not others:
        remedy = "Map them to fields (columns), keep them as covariates, or leave them out (ignore; * for all)."
        raise GameTableError(where, f"columns among {known}", f"unknown columns {listed(unknown)}", remedy)
    if not scored:
        chosen = {field: name for field, name in chosen.items() if field not in ("score", *GOALS)}
    found_score = not scored or "score" in chosen or all(field in chosen for field in GOALS)
    for field, there in (("white", "white" in chosen), ("black", "black" in chosen), ("score", found_score)):
        if not there:
            raise GameTableError(
                where,
                f"a column for {field}",
                f"columns {listed(present)}",
                "Give a column map (columns: field=column).",
            )
    return {field: name for field, name in chosen.items() if "score" not in chosen or field not in GOALS}


def listed(names: Sequence[str]) -> str:
    """Return the first columns' names for a message."""
    return ", ".join(repr(name[:60]) for name in names[:8]) + (" and others" if len(names) > 8 else "")
