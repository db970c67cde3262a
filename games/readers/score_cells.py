"""What one cell says of a game: a result, two numbers of goals as in "3-2", the word of the winner, a neutral ground.

Results are those of chess (1-0, 0-1, 1/2-1/2), of other sports (H, D, A for home, draw, away; W, D, L from White's
side), plain words, and the 1, X, 2 of football pools. A column of pairs of numbers of which one is more than 1 is a
column of goals. In a column of winners the cell may name White's or Black's column (model_a), their side (white, home,
a, 1) or the player; a tie is half a point, and so is "tie (bothbad)", in which judges of language models found both
answers bad.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import plain_word
from halfpoint.games.table import Floats

SCORE_OF_RESULT = {
    **{"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "½-½": 0.5, "0.5-0.5": 0.5, "1/2": 0.5, "½": 0.5, "0,5": 0.5},
    **{"h": 1.0, "d": 0.5, "a": 0.0, "w": 1.0, "l": 0.0},
    **{"home": 1.0, "draw": 0.5, "away": 0.0, "win": 1.0, "loss": 0.0, "tie": 0.5, "drawn": 0.5},
}
SIGNS = {"1": 1.0, "x": 0.5, "2": 0.0}  # of football pools: home, draw, away
GOALS_CELL = re.compile(r"\s*(\d{1,4})\s*[-–:]\s*(\d{1,4})\s*")
SPACED_DASH = re.compile(r"\s*[-–]\s*")
FIRST = ("white", "home", "a", "1", "modela", "playera", "teama", "player1", "team1", "first", "left", "h", "w")
SECOND = ("black", "away", "b", "2", "modelb", "playerb", "teamb", "player2", "team2", "second", "right", "visitor")
TIES = ("tie", "draw", "drawn", "tied", "bothbad", "tiebothbad", "both", "d")
YES = ("true", "t", "yes", "y", "1", "1.0", "neutral")
NO = ("false", "f", "no", "n", "0", "0.0", "")


def parse_score(text: str) -> float:
    """Return White's score; `ValueError` if it is not one."""
    score = SCORE_OF_RESULT.get(text)
    if score is None:
        score = SCORE_OF_RESULT.get(SPACED_DASH.sub("-", text).casefold())
    score = float(text) if score is None else score
    if score not in (0.0, 0.5, 1.0):
        raise ValueError(text)
    return score


def parse_goals_cell(text: str) -> float:
    """Return White's score from two numbers in one cell, as in "3-2"; `ValueError` if they are not there."""
    found = GOALS_CELL.fullmatch(text)
    if found is None:
        raise ValueError(text)
    white, black = int(found[1]), int(found[2])
    return (1.0 + (white > black) - (white < black)) / 2.0


def is_score(text: str) -> bool:
    """Return whether a text could stand in a column of scores."""
    try:
        parse_score(text)
    except ValueError:
        return GOALS_CELL.fullmatch(text) is not None
    return True


def holds_goals(texts: Sequence[str]) -> bool:
    """Return whether a column's distinct texts are pairs of goals: two numbers in each, more than 1 in some."""
    found = [GOALS_CELL.fullmatch(text) for text in texts]
    return all(found) and any(int(one[1]) > 1 or int(one[2]) > 1 for one in found if one is not None)


def holds_signs(texts: Sequence[str]) -> bool:
    """Return whether a column's distinct texts are 1, X and 2, as football pools have them, the X among them."""
    found = {text.casefold() for text in texts}
    return "x" in found and found <= set(SIGNS)


def parse_sign(text: str) -> float:
    """Return the home side's score from 1, X or 2."""
    return SIGNS[text.casefold()]


def goal_differences(values: npt.NDArray[np.generic]) -> Floats | None:
    """Return White's goals less Black's from cells such as "3-2", shape (game,); None unless the cells hold goals."""
    if values.dtype.kind not in "OUT" or not len(values):
        return None
    codes, distinct = pandas.factorize(np.asarray(values, dtype=object))
    found = [GOALS_CELL.fullmatch(str(text)) for text in distinct]
    if not holds_goals([str(text) for text in distinct]):
        return None
    return np.array([float(one[1]) - float(one[2]) for one in found if one is not None])[codes]


def parse_neutral(text: str) -> float:
    """Return 1 for a neutral ground, 0 for none or an empty cell; `ValueError` if it is neither."""
    word = text.casefold()
    if word not in (*YES, *NO):
        raise ValueError(text)
    return float(word in YES)


def winner_scores(
    winner: Sequence[str],
    white: npt.NDArray[np.str_],
    black: npt.NDArray[np.str_],
    headers: tuple[str, str],
    place: Callable[[int], str],
) -> Floats:
    """Return White's scores from a column that names the winner of each game, shape (game,).

    Parameters
    ----------
    winner : sequence of str, shape (game,)
        Texts of the column.
    white, black : array of str, shape (game,)
        The players' names, which the column may repeat.
    headers : tuple of str
        Names of the columns of White and Black, which the column may repeat too ("model_a").
    place : callable
        Where row k stands, for messages.

    Raises
    ------
    GameTableError
        At the first cell that is neither player, neither side and no tie.
    """
    codes, distinct = pandas.factorize(np.asarray(winner, dtype=object))
    names = np.asarray([" ".join(str(text).split()) for text in distinct], dtype=np.str_)
    words = [plain_word(text) for text in names]
    first, second = (plain_word(headers[0]), *FIRST), (plain_word(headers[1]), *SECOND)
    meant = [1.0 if w in first else 0.0 if w in second else 0.5 if w in TIES else np.nan for w in words]
    score = np.asarray(meant, dtype=np.float64)[codes]
    cell = names[codes]
    score = np.where(cell == white, 1.0, np.where(cell == black, 0.0, score))
    lost = np.flatnonzero(np.isnan(score))
    if lost.size:
        row = int(lost[0])
        raise GameTableError(
            f"{place(row)}, column of winners",
            f"{str(white[row])[:60]!r}, {str(black[row])[:60]!r}, a side or tie",
            repr(str(cell[row])[:60]),
        )
    return score
