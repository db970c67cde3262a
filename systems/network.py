r"""Common parts of network ratings: the graph of results so far, and a curve from scores to forecasts.

    E = 1 / (1 + exp(-(a + b (s_w - s_b))))

The wins of player i over player j are counted as points: a win 1, a draw 1/2 for each side. s is a network's score; a
and b maximise the half-point likelihood of past games given the differences BEFORE each game, so the games scored are
never those that determine the network. A weak prior, N(0, 100^2) for a and for b per standard deviation of the
differences, keeps both finite. Bradley-Terry's curve, Pires (2014), eq. 16.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import expit

from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, weights_of
from halfpoint.models.games.table import Floats, GameTable

_STEPS = 50
_PRIOR_PRECISION = 1e-4


def points(
    winner: npt.NDArray[np.integer],
    loser: npt.NDArray[np.integer],
    won: Floats,
    size: int,
    weight: Floats | float = 1.0,
) -> sparse.csr_array:
    """The points of each player (column) over each other (row), sparse: A of Park and Newman."""
    rows, columns = np.concatenate([loser, winner]), np.concatenate([winner, loser])
    values = np.concatenate([weight * won, weight * (1.0 - won)])
    is_positive = values > 0.0
    return sparse.coo_array(
        (values[is_positive], (rows[is_positive], columns[is_positive])), shape=(size, size)
    ).tocsr()


def margins_of(games: GameTable) -> Floats:
    """Margins of games, shape (game,): 1 for a win of unknown margin."""
    return np.where(np.isnan(games.margin), 2.0 * games.score - 1.0, games.margin)


@dataclass
class Network(LedgerSystem):
    """Rating by a player's place in the network of results; base class of such systems."""

    learned = ("ledger", "past", "past_difference", "past_score", "curve")

    def __post_init__(self) -> None:
        self.past = np.empty((0, 4))
        self.past_difference, self.past_score, self.curve = np.empty(0), np.empty(0), np.zeros(2)

    def _start(self, day_elo: Floats) -> Columns:
        return {"rating": np.full(day_elo.shape, self.unknown())}

    def unknown(self) -> float:
        """The score of a player without a game."""
        return 0.0

    def solve(self, beaten: sparse.csr_array) -> Floats:
        """The scores, shape (player,), of a matrix as `points` returns it."""
        raise NotImplementedError

    def solve_games(
        self, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], worth: Floats, weight: Floats
    ) -> Floats:
        """The scores, shape (player,), of games, shape (game,) each."""
        return self.solve(points(first, second, worth, len(self.ledger), weight))

    def worth(self, games: GameTable) -> Floats:
        """Weight of games for White, shape (game,): scores."""
        return games.score

    def learn_curve(self, games: GameTable) -> None:
        """Add games to the data of the curve, with the current scores."""
        self.past_difference = np.concatenate([self.past_difference, self.lead(games)])
        self.past_score = np.concatenate([self.past_score, games.score])
        self.curve = _curve_through(self.past_difference, self.past_score)

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn one period: first the curve from the scores before it, then the network."""
        self.learn_curve(games)
        white, black = self.ledger.enter(games)
        self.past = np.concatenate([self.past, np.column_stack([white, black, self.worth(games), weights_of(games)])])
        i, j = self.past[:, 0].astype(np.int64), self.past[:, 1].astype(np.int64)
        self.ledger["rating"][:] = self.solve_games(i, j, *self.past[:, 2:].T)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; a network defines no draw probability."""
        return Forecast(np.asarray(expit(self.curve[0] + self.curve[1] * self.lead(games)), dtype=np.float64))


def _curve_through(difference: Floats, score: Floats) -> Floats:
    """Parameters a and b, shape (2,), for past games, shape (game,) each."""
    scale = float(difference.std()) or 1.0
    design = np.column_stack([np.ones(score.size), difference / scale])
    coefficients = np.zeros(2)
    for _ in range(_STEPS):
        p = expit(design @ coefficients)
        slope = design.T @ (p - score) + _PRIOR_PRECISION * coefficients
        information = (design * (p * (1.0 - p))[:, None]).T @ design + _PRIOR_PRECISION * np.eye(2)
        step = np.linalg.solve(information, slope)
        coefficients = coefficients - step
        if np.abs(step).max() < 1e-10:
            break
    return np.asarray(coefficients / np.array([1.0, scale]))
