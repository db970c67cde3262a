r"""Stephenson's system: Glicko with more growth for more games, a bonus and a pull to the neighbours.

    v   <- v + c t                                       variance; t periods since the last period played
    v'  = ( 1 / (v + h m) + d )^(-1),                    m games in the period,  d = q^2 sum_j k_j^2 e_j (1 - e_j)
    r'  = r + q v' sum_j k_j (s_j - e_j + b) + lambda (mean of the opponents' ratings - r)

c, h   growth of the variance per period and per game (square roots are given here, in Elo points)
b      bonus per game;  lambda  pull; both as shares of 1 (PlayerRatings' `steph` has them times 100)
k, e, q as in Glicko (g, E, q). With h = b = lambda = 0 this is Glicko.

Stephenson & Sonas, PlayerRatings 1.1-0, vignette "Comparing Predictive Performance of Chess Ratings", appendix; a
variant of the winner among practical systems of the Deloitte/FIDE chess rating contest (Kaggle 2011).
"""

from dataclasses import dataclass

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.glicko import Glicko


@dataclass
class Stephenson(Glicko):
    """Stephenson ratings; the parameters of Glicko and three more."""

    growth_elo: float = 10.0
    deviation_elo: float = 300.0
    per_game_elo: float = 10.0  #: square root of h, in Elo points
    bonus: float = 0.0  #: b, the bonus a game
    pull: float = 0.02  #: lambda, the share of the way to the mean opponent

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.per_game_elo < 0.0 or not 0.0 <= self.pull <= 1.0:
            actual = f"{self.per_game_elo} and {self.pull}"
            raise RatingSystemError("Stephenson", "a growth a game >= 0 and a pull from 0 to 1", actual)

    @property
    def extra(self) -> tuple[float, float, float]:
        """Growth of the deviation a game, bonus and pull."""
        return float(self.per_game_elo), float(self.bonus), float(self.pull)
