"""PrefLib: orders of numbered alternatives, with the number of voters of each, and ties in braces.

    # ALTERNATIVE NAME 1: Ann Adler           8: 3,1,2,4           5: 1,{2,3},4

Alternatives that an order leaves out are not compared (.soi, .toi). (preflib.org, .soc, .soi, .toc, .toi.)
"""

import re

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Rows, text_form

_NAME = re.compile(r"# ALTERNATIVE NAME (\d{1,6}): *(.*)")
_ORDER = re.compile(r"(\d{1,9}): *+([\d{},\s]*+)")
_GROUP = re.compile(r"\{([\d,\s]*)\}|(\d+)")
_MOST_VOTES = 1_000_000


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with PrefLib's lines about its alternatives."""
    return head.lstrip().startswith(b"# ") and b"# ALTERNATIVE NAME " in head


def rows_of_text(text: str, location: str) -> Rows:
    """The orders of a file, one row for each voter."""
    names, rows, lines = dict[str, str](), list[tuple[str, str]](), list[int]()
    for number, line in enumerate(text.splitlines(), 1):
        about, order = _NAME.fullmatch(line.strip()), _ORDER.fullmatch(line.strip())
        if about is not None:
            names[about[1]] = about[2].strip().replace("=", " ").replace(">", " ") or about[1]
        elif order is not None:
            groups = [(tied or single).replace(",", " ").split() for tied, single in _GROUP.findall(order[2])]
            unknown = next((key for group in groups for key in group if key not in names), None)
            if unknown is not None:
                raise GameTableError(f"{location}, line {number}", "a number of the alternatives", unknown)
            if len(rows) + int(order[1]) > _MOST_VOTES:
                raise GameTableError(f"{location}, line {number}", f"at most {_MOST_VOTES:,} votes", order[1])
            ranking = " > ".join(" = ".join(names[key] for key in group) for group in groups if group)
            rows += [(f"line {number}, {voter}", ranking) for voter in range(1, int(order[1]) + 1)]
            lines += [number] * int(order[1])
        elif line.strip() and not line.startswith("#"):
            raise GameTableError(f"{location}, line {number}", "an order such as 8: 3,1,{2,4}", repr(line.strip()[:60]))
    if not rows:
        raise GameTableError(location, "orders of alternatives", "none")
    notes = (f"PrefLib: {count_noun(len(rows), 'vote')} on {count_noun(len(names), 'alternative')}",)
    return Rows(("event", "order"), rows, lines, notes)


PREF_LIB = text_form(recognises, rows_of_text)
