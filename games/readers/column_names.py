"""Which column of a file holds what: by a column map, by the field's own name, or by the words of other sports.

The words are compared without case, blanks and underscores, so that HomeTeam, home_team and "Home team" are one. Where
several columns could hold an optional field, the one whose word stands first in `WORDS` is taken. A file that tells
winner and loser has no White and Black: the winner is seated first in all games and the seats say nothing, so that
`halfpoint.games.readers.columns` marks every game as neutral. Columns that nothing asks for are left out and named.
"""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from halfpoint.games.errors import GameTableError
from halfpoint.games.sides import MOST_PEOPLE

EVERY_OTHER = "*"
GOALS = ("white_goals", "black_goals")
DECIDED = ("winner", "loser")
FIELDS = (
    *("white", "black", "score", "margin", *GOALS, *DECIDED, "neutral"),
    *("period", "date", "white_rating_elo", "black_rating_elo", "event", "weight"),
)
WORDS = {
    "white": (
        *("home", "hometeam", "homeplayer", "whiteplayer", "whitename", "modela", "playera", "teama"),
        *("player1", "playerone", "team1", "competitor1", "left", "optiona", "modelaname"),
    ),
    "black": (
        *("away", "awayteam", "visitor", "visitingteam", "awayplayer", "blackplayer", "blackname", "modelb", "playerb"),
        *("teamb", "player2", "playertwo", "team2", "competitor2", "right", "optionb", "modelbname"),
    ),
    "winner": ("winnername", "winningplayer", "winningteam", "winnerteam", "chosenmodelname"),
    "loser": ("losername", "losingplayer", "losingteam", "loserteam"),
    "score": ("result", "res", "ftr", "outcome", "ft", "fulltime", "finalscore", "fulltimescore"),
    "white_goals": (
        *("homegoals", "homescore", "fthg", "homepoints", "hg", "hgoal", "hgoals", "goalshome", "scorehome"),
        *("scorea", "score1", "goals1", "team1goals", "team1score", "player1score"),
    ),
    "black_goals": (
        *("awaygoals", "awayscore", "ftag", "awaypoints", "visitorgoals", "ag", "vgoal", "agoal", "vgoals", "agoals"),
        *("goalsaway", "scoreaway", "visitorscore", "scoreb", "score2", "goals2"),
        *("team2goals", "team2score", "player2score"),
    ),
    "neutral": ("neutralvenue", "neutralground", "neutralsite", "isneutral", "neutralfield"),
    "date": ("day", "matchdate", "gamedate", "tourneydate", "utcdate"),
    "period": ("round", "rd", "week", "matchday", "month"),
    "white_rating_elo": ("whiteelo", "whiterating", "homeelo", "homerating"),
    "black_rating_elo": ("blackelo", "blackrating", "awayelo", "awayrating"),
    "event": ("tournament", "competition", "league", "tourneyname", "site"),
}
SEATED = ("white", "black", *DECIDED)
PERSON = re.compile(r"(white|black|winner|loser)(_share)?_\d+|(white|black|winner|loser)_share")
ONE_ONLY = ("white", "black", "winner", "loser", *GOALS)  # two columns for one of these: the user has to say which
SHOWN_COLUMNS = 8
SAMPLED_ROWS = 2000
LEAST_SHARED = 0.2  # of the names of two columns that are proposed as the two players


@dataclass(frozen=True)
class Assignment:
    """Which column holds which field.

    Parameters
    ----------
    columns : dict of str to str
        Field to column. With `winner` and `loser` there are no white, black and score; `winner` alone is told beside
        white and black and stands for the score; goals are left out where there is a score.
    guessed : frozenset of str
        Fields whose column was found by a word, not named by the user or by the field's own name.
    left_out : tuple of str
        Columns that nothing asked for and the user did not leave out.
    seats : dict of str to str
        Columns of the second and further people of a side, and of shares of play, by keys such as white_2 and
        white_share_1.
    """

    columns: dict[str, str]
    guessed: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = field(default=())
    seats: dict[str, str] = field(default_factory=dict)

    @property
    def every(self) -> dict[str, str]:
        """Which column holds what, further people of a side and shares of play included: white_2, white_share_1."""
        return self.columns | self.seats

    def notes(self) -> list[str]:
        """Return what a user should know of the columns, a line each."""
        if not self.left_out:
            return []
        return [
            f"columns left out: {listed(self.left_out)} (--columns FIELD=COLUMN uses one, --ignore '*' drops this line)"
        ]


def plain_word(column: str) -> str:
    """Return a column's name in lower case without blanks and punctuation."""
    return re.sub(r"[\W_]+", "", column).lower()


def assign_columns(
    present: Sequence[str],
    columns: Mapping[str, str],
    covariates: Sequence[str],
    ignore: Sequence[str],
    where: str,
    scored: bool = True,
    cells: Mapping[str, Sequence[str]] | None = None,
    is_score: Callable[[str], bool] | None = None,
    margin: bool = False,
) -> Assignment:
    """Return which source column holds which field.

    Parameters
    ----------
    present : sequence of str
        The source's columns.
    columns : mapping of str to str
        Field to source column; a field that is not named is looked up under its own name, then by the words of `WORDS`.
    covariates, ignore : sequence of str
        Source columns to keep as covariates, and to leave out; ``*`` leaves out all that are not understood and does
        not name them.
    where : str
        The source, for messages.
    scored : bool
        Whether a score is wanted; if not, columns of scores and goals are left out and need not be there.
    cells : mapping of str to sequence of str, optional
        The texts by column, from which a message can propose the columns that are missing.
    is_score : callable, optional
        Whether a text is a score, for the same proposal.
    margin : bool
        Whether goals are wanted beside a score, for models of margins.

    Raises
    ------
    GameTableError
        If a column that is wanted is repeated, unknown or missing, or two columns could hold one player, winner, loser
        or number of goals. The message has the option to add.
    """
    columns, seats = numbered(present, columns, (*covariates, *ignore))
    silent = EVERY_OTHER in ignore
    ignore = [name for name in ignore if name != EVERY_OTHER]
    strange = [name for name in columns if name not in FIELDS]
    if strange:
        raise GameTableError(f"{where}, column map", f"fields among {', '.join(FIELDS)}", repr(strange[0]))
    named = [*columns.values(), *seats.values(), *covariates, *ignore]
    check_repeated(present, named, where)
    for name in named:
        if name not in present:
            raise GameTableError(where, f"a column {name!r}", f"columns {listed(present)}")
    taken = set(named)
    chosen = dict(columns) | {f: f for f in FIELDS if f not in columns and f in present and f not in taken}
    own = set(chosen)
    count = Counter(present)
    once = [name for name in present if count[name] == 1]
    for one, words in WORDS.items():
        ranks = {word: rank for rank, word in enumerate((plain_word(one), *words))}
        free = [
            name for name in once if name not in taken and name not in chosen.values() and plain_word(name) in ranks
        ]
        found = sorted(free, key=lambda name: ranks[plain_word(name)])
        if one not in chosen and len(found) > 1 and one in ONE_ONLY:
            raise GameTableError(
                where, f"one column for {one}", listed(found), f"Say which: {flags({one: found[0]})}, for example."
            )
        if one not in chosen and found:
            chosen[one] = found[0]
    kept = {one: chosen[one] for one in GOALS if one in chosen} if margin else {}
    chosen = one_story(chosen, columns, scored) | (kept if scored and len(kept) == len(GOALS) else {})
    if any(one not in chosen for one in DECIDED):
        told = any(one in chosen for one in ("score", "margin", "winner"))
        scores = not scored or told or all(one in chosen for one in GOALS)
        missing = [one for one in ("white", "black") if one not in chosen] + ([] if scores else ["score"])
        if missing:
            proposed = propose_columns(missing, chosen, [n for n in once if n not in taken], cells or {}, is_score)
            raise GameTableError(
                where,
                f"a column for {' and '.join(missing)}",
                f"columns {listed(present)}",
                f"Say which is which: {flags(proposed)} (white_goals=, black_goals= or winner=, loser= "
                "where the file tells those).",
            )
    place = {"winner": "white", "loser": "black"} if "loser" in chosen else {}
    parts = {key: key.partition("_") for key in seats}
    seats = {f"{place.get(side, side)}_{rest}": seats[key] for key, (side, _, rest) in parts.items() if side in chosen}
    used = {*chosen.values(), *seats.values(), *covariates, *ignore}
    left_out = () if silent else tuple(dict.fromkeys(name for name in present if name not in used))
    return Assignment(chosen, frozenset(set(chosen) - own), left_out, seats)


def numbered(
    present: Sequence[str], columns: Mapping[str, str], taken: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the column map with the first person's column of each side, and the columns of the further ones.

    Columns numbered from 1, such as home_1 and home_2 or winner1_name and winner2_name, are the people of a side where
    no single column is named for it and one of two opposite sides has at least two.

    Parameters
    ----------
    present : sequence of str
        The source's columns.
    columns : mapping of str to str
        What the user says; white_1, white_2 and white_share_1 are fields too.
    taken : sequence of str
        Columns that are something else.
    """
    given = {field: name for field, name in columns.items() if PERSON.fullmatch(field)}
    plain = {field: name for field, name in columns.items() if field not in given}
    found: dict[str, dict[str, str]] = {side: {} for side in SEATED}
    for name in present:
        if name in taken or name in columns.values() or present.count(name) > 1:
            continue
        key = person_of(name)
        if key is not None:
            found[key.partition("_")[0]].setdefault(key, name)
    seats: dict[str, str] = {}
    for pair in (("white", "black"), DECIDED):
        asked = [side for side in pair if any(field.startswith(f"{side}_") for field in given)]
        single = [side for side in pair if side in plain or side in present or word_for(side, present)]
        most = max(sum("share" not in key for key in found[side]) for side in pair)
        whole = all(f"{side}_1" in found[side] for side in pair)
        for side in pair:
            if side in asked:
                seats |= {field: name for field, name in given.items() if field.startswith(f"{side}_")}
                seats |= {key: name for key, name in found[side].items() if "share" in key and key not in seats}
            elif not asked and not single and whole and most > 1:
                seats |= found[side]
            elif side in single:  # one cell for the side may still have its shares beside it
                seats |= {key: name for key, name in found[side].items() if key == f"{side}_share"}
    for side in SEATED:
        if f"{side}_1" in seats:
            plain[side] = seats.pop(f"{side}_1")
    return plain, seats


def person_of(column: str) -> str | None:
    """Return the key of a numbered column of a side, such as white_2 or white_share_1, None if it is none.

    Examples
    --------
    >>> person_of("Home 2"), person_of("winner1_name"), person_of("white_share_1"), person_of("player1")
    ('white_2', 'winner_1', 'white_share_1', None)
    """
    tokens = re.findall(r"[^\W\d_]+|\d+", column.lower())
    share = "share" in tokens
    tokens = [token for token in tokens if token != "share"]
    if tokens[-1:] == ["name"]:
        tokens.pop()
    number = int(tokens.pop()) if tokens[1:] and tokens[-1].isdecimal() and len(tokens[-1]) <= 3 else None
    player = tokens[1:] != [] and tokens[-1] == "player"
    stem = "".join(tokens[:-1] if player else tokens)
    side = next((one for one in SEATED if stem == one or stem in WORDS[one]), None)
    if side is None or (stem[-1].isdigit() and not player):
        return None
    if number is None:
        return f"{side}_share" if share and column == f"{side}_share" else None
    if not 1 <= number <= MOST_PEOPLE:
        return None
    return f"{side}_share_{number}" if share else f"{side}_{number}"


def word_for(side: str, present: Sequence[str]) -> bool:
    """Return whether a column stands for a whole side by one of its words."""
    return any(plain_word(name) in (side, *WORDS[side]) for name in present)


def check_repeated(present: Sequence[str], named: Sequence[str], where: str) -> None:
    """Raise `GameTableError` if a column stands twice that is named or understood; others are left out."""
    understood = {plain_word(name) for name in FIELDS} | {word for words in WORDS.values() for word in words}
    for name, count in Counter(present).items():
        if count > 1 and (name in named or plain_word(name) in understood):
            raise GameTableError(where, "every column once", f"column {name[:60]!r} again")


def one_story(chosen: dict[str, str], columns: Mapping[str, str], scored: bool) -> dict[str, str]:
    """Return the fields that tell each game once: winner and loser, or White, Black and the first form of a score."""
    both = all(one in chosen for one in DECIDED)
    seated = all(one in chosen for one in ("white", "black"))
    asked = all(one in columns for one in DECIDED)
    if scored and both and (asked or not seated) and not {"white", "black", "score"} & set(columns):
        dropped: tuple[str, ...] = ("white", "black", "score", "neutral", *GOALS)
    elif not scored:
        dropped = ("score", "margin", *GOALS, *DECIDED)
    elif "score" in chosen and "winner" not in columns:
        dropped = (*GOALS, *DECIDED)
    elif all(one in chosen for one in GOALS) and "winner" not in columns:
        dropped = DECIDED
    else:
        dropped = ("loser", "score", *GOALS) if "winner" in chosen else ("loser",)
    return {one: name for one, name in chosen.items() if one not in dropped}


def propose_columns(
    missing: Sequence[str],
    chosen: Mapping[str, str],
    free: Sequence[str],
    cells: Mapping[str, Sequence[str]],
    is_score: Callable[[str], bool] | None,
) -> dict[str, str]:
    """Return the missing fields with the columns that look like them, else the word COLUMN."""
    sampled = {
        name: {str(cell).strip() for cell in cells[name][:SAMPLED_ROWS]} - {""} for name in free if name in cells
    }
    proposed = dict.fromkeys(missing, "COLUMN")
    rest = [name for name in sampled if name not in chosen.values()]
    if "score" in missing and is_score is not None:
        scores = [name for name in rest if len(sampled[name]) > 1 and all(map(is_score, sampled[name]))]
        scores += [name for name in rest if {"1", "2"} < {cell.casefold() for cell in sampled[name]} <= {"1", "x", "2"}]
        if scores:
            proposed["score"] = scores[0]
    if "white" in missing and "black" in missing:
        texts = [n for n in rest if n != proposed.get("score") and not any(map(is_number, sampled[n]))]
        pairs = [(one, two) for k, one in enumerate(texts) for two in texts[k + 1 :]]

        def shared(pair: tuple[str, str]) -> float:
            one, two = (sampled[name] for name in pair)
            return len(one & two) / max(1, len(one | two))

        best = max(pairs, key=shared, default=None)
        if best is not None and shared(best) >= LEAST_SHARED:
            proposed["white"], proposed["black"] = best
    return proposed


def is_number(text: str) -> bool:
    """Return whether a text is a number or empty."""
    return re.fullmatch(r"[-+]?[\d.,]*", text) is not None


def flags(columns: Mapping[str, str]) -> str:
    """Return the option that names columns, as it is typed in a shell."""
    return "--columns " + shlex.quote(",".join(f"{one}={name}" for one, name in columns.items()))


def listed(names: Sequence[str]) -> str:
    """Return the first columns' names for a message."""
    more = f" and {len(names) - SHOWN_COLUMNS} others" if len(names) > SHOWN_COLUMNS else ""
    return ", ".join(repr(name[:60]) for name in names[:SHOWN_COLUMNS]) + more
