r"""Matches of teams over boards: points of the match, and line-up orders tried, under every draw of a posterior.

Board k of the first team meets board k of the second. Under one draw boards are independent, so that the score is the
convolution of their chances (`halfpoint.evaluation.matches.transformed`), exactly; over draws they are not: a player
who is weaker than thought is so in every match. A match is won with more than half of the board points, 2 points for it
and 1 for a draw.

In another order of the first team's line-up the players meet other opponents in other seats; the second team's order
stays. Of an order are reported the match points that it gains on the given one, a number for every draw: their mean is
what to choose by, their interval what the games leave open of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.matches import Transformed, scores_of, transformed
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import Floats
from halfpoint.models.mixing import mean_error
from halfpoint.models.reading import Reading

MOST_ORDERS = 5_040  # seven boards without a rule
VALUES = 4_000_000  # orders times draws
HALF_POINTS = np.array([0.0, 0.5, 1.0])
MATCH_POINTS = np.array([0.0, 1.0, 2.0])  # of a lost, a drawn and a won match
TAILS = (0.025, 0.975)
type Order = tuple[int, ...]
type Odd = npt.NDArray[np.bool_]


def white_boards(boards: int, odd: bool) -> Odd:
    """Return on which boards the first team has White, shape (board,): the odd ones, or the even ones."""
    return np.asarray(np.arange(boards) % 2 == (0 if odd else 1))


def chances_of(reading: Reading, first: Sequence[int], second: Sequence[int], white: Odd) -> Floats:
    """Return the chances of loss, draw and win of the first team's players, shape (draw, player, board, outcome)."""
    one, two = (np.asarray(side, dtype=np.int32).ravel() for side in np.meshgrid(first, second, indexing="ij"))
    has = np.tile(white, len(first))
    found = reading.pairing(np.where(has, one, two).astype(np.int32), np.where(has, two, one).astype(np.int32))
    found = np.where(has[:, None], found, found[..., ::-1])
    return found.reshape(-1, len(first), len(second), 3)


def results_of(transform: Transformed) -> Floats:
    """Return the chances of a lost, a drawn and a won match, shape (draw, outcome), from its Fourier transform."""
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

    def match(self, order: Order | None = None) -> Transformed:
        """Return the Fourier transform of the score under each draw, shape (draw, frequency); None is as given."""
        made = np.ones((len(self.chances), self.boards + 1), dtype=np.complex128)
        for board, player in enumerate(order or range(self.boards)):
            made *= transformed(self.chances[:, player, board], self.boards)
        return made

    def board_points(self, order: Order | None = None) -> Floats:
        """Return the first team's expected board points under each draw, shape (draw,)."""
        players = list(order or range(self.boards))
        return np.asarray((self.chances[:, players, range(self.boards)] @ HALF_POINTS).sum(axis=-1))

    def match_points(self, orders: Sequence[Order]) -> Iterator[tuple[Order, Floats]]:
        """Yield orders, sorted, and the expected match points of each under each draw, shape (draw,).

        What orders begin with is reckoned once.
        """
        every = transformed(self.chances, self.boards)
        begun = [np.ones((len(every), self.boards + 1), dtype=np.complex128)]
        last: Order = ()
        for order in sorted(orders):
            same = next((k for k, (one, two) in enumerate(zip(order, last, strict=False)) if one != two), len(last))
            del begun[same + 1 :]
            for board in range(same, self.boards):
                begun.append(begun[-1] * every[:, order[board], board])
            last = order
            yield order, np.asarray(results_of(begun[-1]) @ MATCH_POINTS)


def orders_of(ratings: Sequence[float], within: float | None) -> list[Order]:
    """Return the legal orders of a line-up: all, or those in which nobody plays above a far stronger team-mate."""
    above = {
        (a, b): within is None or ratings[b] - ratings[a] <= within for a, b in permutations(range(len(ratings)), 2)
    }
    orders: list[Order] = [()]
    for _ in ratings:
        orders = [
            (*begun, player)
            for begun in orders
            for player in range(len(ratings))
            if player not in begun
            and all(above[player, other] for other in range(len(ratings)) if other != player and other not in begun)
        ]
        if len(orders) > MOST_ORDERS:
            rule = "a rule of at most so many points, --within 80" if within is None else "a smaller --within"
            raise GameTableError("--orders", f"{MOST_ORDERS:,} legal orders or fewer", "more", f"Give {rule}.")
    return orders


@dataclass(frozen=True)
class Gain:
    """What an order of a line-up gains in match points on the one that is given."""

    order: Order  #: the players on boards 1, 2, ..., counted from 0 in the order that is given
    match_points: float  #: expected
    mean: float  #: of the gain over the draws; 95% with equal tails
    low: float
    high: float
    error: float  #: Monte Carlo standard error of the mean

    @property
    def verdict(self) -> str:
        """What is known of it: better or worse with 95%, or it cannot be told."""
        if self.low > 0.0 and self.mean > 2.0 * self.error:
            return "better"
        return "worse" if self.high < 0.0 and self.mean < -2.0 * self.error else "cannot be told"


def gains(meeting: Meeting, orders: Sequence[Order], chains: int) -> list[Gain]:
    """Return what orders gain, most first; ties in the order that is given."""
    given = results_of(meeting.match()) @ MATCH_POINTS
    found = []
    for order, points in meeting.match_points(orders):
        gain = points - given
        error = mean_error(gain.reshape(chains, -1)) if np.ptp(gain) > 0.0 else 0.0
        low, high = np.quantile(gain, TAILS).tolist()
        found.append(Gain(order, float(points.mean()), float(gain.mean()), low, high, error))
    return sorted(found, key=lambda one: -one.mean)
