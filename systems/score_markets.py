"""Probabilities of bets from Dixon and Coles' probabilities of each score: totals, handicaps, both to score.

A bet on a whole number is refunded if that number occurs; a quarter line, such as 2.25, is half a stake on each of its
neighbours 2 and 2.5. Probabilities of scores have the shape (game, goals of White, goals of Black), as
`halfpoint.systems.dixon_coles.score_chances` gives them.
"""

import numpy as np

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats


def result_chances(chances: Floats) -> Floats:
    """The chances of loss, draw and win for the first side, shape (game, 3)."""
    return _against(chances, _difference(chances), 0.0)


def totals(chances: Floats, line: float = 2.5) -> Floats:
    """The chances of fewer goals than a line, of a returned stake, and of more goals, shape (game, 3)."""
    count = np.arange(chances.shape[1])
    return _settled(chances, np.add.outer(count, count), line)


def handicap(chances: Floats, line: float) -> Floats:
    """Chances that a bet on the first side, given `line` goals, loses, is returned, and wins, shape (game, 3)."""
    return _settled(chances, _difference(chances), -line)


def both_score(chances: Floats) -> Floats:
    """The chance that both sides score, shape (game,)."""
    return np.asarray(chances[:, 1:, 1:].sum(axis=(1, 2)))


def clean_sheets(chances: Floats) -> Floats:
    """The chances that the first side wins and the second scores none, and the other way round, shape (game, 2)."""
    return np.stack([chances[:, 1:, 0].sum(axis=1), chances[:, 0, 1:].sum(axis=1)], axis=1)


def likeliest_scores(chances: Floats, count: int = 1) -> tuple[np.ndarray, Floats]:
    """The likeliest scores of each game, shape (game, count, 2), and their chances, (game, count)."""
    flat = chances.reshape(len(chances), -1)
    order = np.argsort(-flat, axis=1, kind="stable")[:, :count]
    return np.stack(np.divmod(order, chances.shape[2]), axis=-1), np.take_along_axis(flat, order, axis=1)


def _difference(chances: Floats) -> np.ndarray:
    """First side's goals less the second's for each score."""
    count = np.arange(chances.shape[1])
    return np.subtract.outer(count, count)


def _against(chances: Floats, number: np.ndarray, line: float) -> Floats:
    """Chances that a number of each score is below, at and above a line, shape (game, 3)."""
    parts = (number < line, number == line, number > line)
    return np.stack([chances[:, part].sum(axis=1) for part in parts], axis=1)


def _settled(chances: Floats, number: np.ndarray, line: float) -> Floats:
    """Chances of a bet against a line; a quarter line splits it between its neighbours."""
    if not np.isfinite(line) or 4.0 * line % 1.0:
        raise RatingSystemError("line", "a multiple of a quarter goal", f"{line:g}")
    if 2.0 * line % 1.0 == 0.0:
        return _against(chances, number, line)
    return np.asarray((_against(chances, number, line - 0.25) + _against(chances, number, line + 0.25)) / 2.0)
