"""The words by which columns are known, in one table: of chess, other sports, arenas of language models, and crowds.

They are compared without case, blanks and underscores, so that HomeTeam, home_team and "Home team" are one. Where
several columns could hold an optional field, the one whose word stands first is taken.
"""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence

STUDY_HEADER = ("Site", "Data", "WR", "W", "B", "BR", "y")
NOUNS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # what is compared: words of the columns of the two seats
    "model": (("modela", "modelaname", "leftmodel", "modelleft", "model1"),
              ("modelb", "modelbname", "rightmodel", "modelright", "model2")),
    "engine": (("enginea", "engine1", "enginewhite"), ("engineb", "engine2", "engineblack")),
    "system": (("systema", "system1"), ("systemb", "system2")),
    "item": (("left", "itema", "item1", "itemx", "leftitem"), ("right", "itemb", "item2", "itemy", "rightitem")),
    "option": (("optiona", "option1"), ("optionb", "option2")),
    "team": (("home", "hometeam", "teama", "team1"), ("away", "awayteam", "visitor", "visitingteam", "teamb", "team2")),
    "player": (("white", "whitename", "whiteplayer", "homeplayer", "playera", "player1", "competitor1", "playerone"),
               ("black", "blackname", "blackplayer", "awayplayer", "playerb", "player2", "competitor2", "playertwo")),
}  # fmt: skip
ANSWERS = {"white": ("answera", "responsea"), "black": ("answerb", "responseb")}  # where nothing else names the seats
WORDS: dict[str, tuple[str, ...]] = {
    "white": tuple(word for first, _ in NOUNS.values() for word in first),
    "black": tuple(word for _, second in NOUNS.values() for word in second),
    "winner": (
        *("winnername", "winningplayer", "winningteam", "winnerteam", "label", "chosenmodelname", "chosenmodel"),
        *("preference", "vote", "verdict", "votetype", "choice", "chosen"),
    ),
    "loser": ("losername", "losingplayer", "losingteam", "loserteam"),
    "score": ("result", "res", "ftr", "outcome", "ft", "fulltime", "finalscore", "fulltimescore"),
    "equal": ("bothequal", "istie"),
    "first_won": ("winnermodela",),
    "second_won": ("winnermodelb",),
    "tied": ("winnertie",),
    "white_goals": (
        *("homegoals", "homescore", "fthg", "homepoints", "hg", "hgoal", "hgoals", "goalshome", "scorehome"),
        *("scorea", "score1", "goals1", "team1goals", "team1score", "player1score"),
    ),
    "black_goals": (
        *("awaygoals", "awayscore", "ftag", "awaypoints", "visitorgoals", "ag", "vgoal", "agoal", "vgoals", "agoals"),
        *("goalsaway", "scoreaway", "visitorscore", "scoreb", "score2", "goals2"),
        *("team2goals", "team2score", "player2score"),
    ),
    "white_shots": ("hs", "homeshots"),
    "black_shots": ("as", "awayshots"),
    "white_shots_on_target": ("hst", "homeshotsontarget"),
    "black_shots_on_target": ("ast", "awayshotsontarget"),
    "neutral": ("neutralvenue", "neutralground", "neutralsite", "isneutral", "neutralfield"),
    "date": ("day", "matchdate", "gamedate", "tourneydate", "utcdate", "tstamp", "timestamp", "createdat"),
    "clock": ("time", "utctime", "starttime", "kickoff", "kickofftime"),
    "period": ("round", "rd", "week", "matchday", "month"),
    "white_rating_elo": (
        *("whiteelo", "whiterating", "homeelo", "homerating", "elowhite", "ratingwhite", "welo", "wrating"),
        *("elohome", "ratinghome", "player1rating", "player1elo", "rating1", "elo1"),
    ),
    "black_rating_elo": (
        *("blackelo", "blackrating", "awayelo", "awayrating", "eloblack", "ratingblack", "belo", "brating"),
        *("eloaway", "ratingaway", "player2rating", "player2elo", "rating2", "elo2"),
    ),
    "event": ("tournament", "competition", "league", "tourneyname", "site"),
}
ABOUT: dict[str, tuple[str, ...]] = {  # texts about a judgement, kept where they are asked for
    "judge": (
        *("judgename", "judgeid", "worker", "workerid", "annotator", "annotatorid", "rater", "user", "userid"),
        *("voter", "visitorid", "judgehash", "evaluationsessionid", "sessionhash"),
    ),
    "prompt": ("questionid", "promptid", "question", "instructionid", "itemid", "opening", "fen", "conversationpairid"),
    "category": ("selectedcategory", "task", "domain", "topic"),
    "language": ("lang",),
}
ALIASES = {"first": "white", "second": "black", "outcome": "score"}
SHOWN_COLUMNS = 8
SIMULATED = "simulated"  # a column of ones: nobody played what stands there


def plain_word(column: str) -> str:
    """Return a column's name in lower case without blanks and punctuation."""
    return re.sub(r"[\W_]+", "", column).lower()


def noun_of(column: str) -> str | None:
    """Return what is compared where a column holds the first of two, such as model or team; None if nothing says it.

    Examples
    --------
    >>> noun_of("model_a"), noun_of("HomeTeam"), noun_of("H")
    ('model', 'team', None)
    """
    return next((noun for noun, (first, _) in NOUNS.items() if plain_word(column) in first), None)


def is_mark(cells: Iterable[str]) -> bool:
    """Return whether the texts of the column `simulated` mark a file as simulated: all are one."""
    try:
        return {float(cell) for cell in cells} == {1.0}
    except (TypeError, ValueError):
        return False


def flags(columns: Mapping[str, str]) -> str:
    """Return the option that names columns, as it is typed in a shell."""
    return "--columns " + shlex.quote(",".join(f"{one}={name}" for one, name in columns.items()))


def listed(names: Sequence[str]) -> str:
    """Return the first columns' names for a message."""
    more = f" and {len(names) - SHOWN_COLUMNS} others" if len(names) > SHOWN_COLUMNS else ""
    return ", ".join(repr(name[:60]) for name in names[:SHOWN_COLUMNS]) + more
