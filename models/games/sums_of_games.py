"""Rows of sums among results: the goals of the other rows of their pair, or the numbers of them that each side won.

Terms are the legs of an aggregate, or the quarters, halves or maps of a game.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from halfpoint.models.games.table import Booleans, Floats

LEAST_AGAIN = 0.5  # share of rows with the pair of the row before, if most sums have two terms or more
_FEWEST = 2  # sums
_MANY = 0.5  # of the sums have two terms or more, and more than one goal


def sums_beside_terms(
    white: Sequence[str], black: Sequence[str], beside: Sequence[Sequence[object]], goals_of: Callable[[], Floats]
) -> tuple[Booleans, Booleans]:
    """Masks of the sums and of rows with the sides of their sum turned, (row,) each; False without such sums.

    In each run of rows of one pair, and of one game by the columns beside, the last row, or the first, is the sum.
    `goals_of` gives the goals of both sides, (row, 2), NaN if unknown.
    """
    pair, goals = [frozenset(sides) for sides in zip(white, black, strict=True)], np.empty((0, 2))
    for columns in (beside, []):
        first = np.flatnonzero(
            [True, *(before != after for before, after in pairwise(zip(pair, *columns, strict=True)))]
        )
        last = np.append(first[1:], len(pair)) - 1
        if first.size < _FEWEST or (last - first > 1).mean() <= _MANY:
            continue
        goals = goals if goals.size else goals_of()
        run = np.repeat(np.arange(first.size), last - first + 1)
        for place in (last, first):
            turned = np.array(white)[place][run] != np.array(white)
            oriented = np.where(turned[:, None], goals[:, ::-1], goals)
            large = (oriented[place].sum(axis=1) > 1.0).mean() > _MANY  # else a game may be such a sum by chance
            likely = large and not np.array_equal(oriented, oriented[place][run])  # as of 2-0, 2-0, 2-0
            for terms in (oriented, (oriented > oriented[:, ::-1]).astype(np.float64)):
                if likely and np.array_equal(np.add.reduceat(terms, first) - terms[place], oriented[place]):
                    return np.isin(np.arange(len(pair)), place), turned
    return np.zeros(len(pair), dtype=np.bool_), np.zeros(len(pair), dtype=np.bool_)
