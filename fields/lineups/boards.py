r"""Matches of teams over boards: points of the match under every draw of a posterior.

Board k of the first team meets board k of the second. Under one draw boards are independent, so that the score is the
convolution of their chances (`halfpoint.evaluation.matches.fourier_transform`), exactly; over draws they are not: a
player who is weaker than thought is so in every match. A match is won with more than half of the board points, 2 points
for it and 1 for a draw.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.matches import Transformed, fourier_transform, scores_of
from halfpoint.games.table import Floats
from halfpoint.models.posterior_reader import Reading

HALF_POINTS = np.array([0.0, 0.5, 1.0])
MATCH_POINTS = np.array([0.0, 1.0, 2.0])  # of a lost, a drawn and a won match
TAILS = (0.025, 0.975)
type _Odd = npt.NDArray[np.bool_]


def white_boards(boards: int, odd: bool) -> _Odd:
    """On which boards the first team has White, shape (board,): the odd ones, or the even ones."""
    return np.asarray(np.arange(boards) % 2 == (0 if odd else 1))


def chances_of(reading: Reading, first: Sequence[int], second: Sequence[int], white: _Odd) -> Floats:
    """The chances of loss, draw and win of the first team's players, shape (draw, player, board, outcome)."""
    one, two = (np.asarray(side, dtype=np.int32).ravel() for side in np.meshgrid(first, second, indexing="ij"))
    has = np.tile(white, len(first))
    found = reading.pairing(np.where(has, one, two).astype(np.int32), np.where(has, two, one).astype(np.int32))
    found = np.where(has[:, None], found, found[..., ::-1])
    return found.reshape(-1, len(first), len(second), 3)


def results_of(transform: Transformed) -> Floats:
    """The chances of a lost, a drawn and a won match, shape (draw, outcome), from its Fourier transform."""
    chance = scores_of(transform)
    half = chance.shape[-1] // 2
    return np.stack([chance[..., :half].sum(axis=-1), chance[..., half], chance[..., half + 1 :].sum(axis=-1)], axis=-1)


@dataclass(frozen=True, eq=False)
class Meeting:
    """A match of two line-ups."""

    chances: Floats  #: (draw, player, board, outcome), as `chances_of` gives them

    @property
    def boards(self) -> int:
        """How many boards are played."""
        return int(self.chances.shape[2])

    def match(self) -> Transformed:
        """The Fourier transform of the score under each draw, shape (draw, frequency)."""
        boards = np.arange(self.boards)
        return np.asarray(fourier_transform(self.chances[:, boards, boards], self.boards).prod(axis=1))

    def board_points(self) -> Floats:
        """The first team's expected board points under each draw, shape (draw,)."""
        boards = np.arange(self.boards)
        return np.asarray((self.chances[:, boards, boards] @ HALF_POINTS).sum(axis=-1))
