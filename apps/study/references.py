r"""Reference models: forecasts by the shares of the outcomes, or by the rating on the day.

With n games, W wins, D draws and L losses of White (Pires 2014, section 3.4; the rules of its figures):

    family          equiprobable     proportional without draws            proportional
    Bradley-Terry   p = 1/2          p = W / (W + L)                       p = W / n
    Davidson        1/3, 1/3, 1/3    d = D / n, (1 - d) / 2 each           L / n, D / n, W / n

p is the probability of a win in the half-point likelihood y log p + (1 - y) log(1 - p), y in {0, 1/2, 1}. A weighted
figure takes the proportions of the unweighted counts and sums with weights. The FIDE rating on the day has
p = 1 / (1 + 10^((R_j - R_i) / 400)) and exists for Bradley-Terry only.
"""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats
from halfpoint.models.games.table import GameTable
from halfpoint.systems.curves import expected_score

Family = Literal["bradley_terry", "davidson"]
FAMILIES: tuple[Family, ...] = ("bradley_terry", "davidson")
NAMES = ("equiprobable", "proportional_no_draws", "proportional")


@dataclass(frozen=True)
class Counts:
    """Losses, draws and wins of White, or their summed weights."""

    loss: float
    draw: float
    win: float

    def __post_init__(self) -> None:
        if not (min(self.loss, self.draw, self.win) >= 0 and self.games > 0):
            raise EvaluationError("counts", "numbers >= 0, not all 0", f"{self.loss}, {self.draw}, {self.win}")

    @property
    def games(self) -> float:
        """Number of games, or sum of weights."""
        return self.loss + self.draw + self.win

    @property
    def score(self) -> float:
        """Points of White, a draw as half a point."""
        return self.win + self.draw / 2

    @classmethod
    def of(cls, outcome: npt.NDArray[np.integer], weight: Floats | None = None) -> Self:
        """Counts of outcomes, shape (game,), or their summed weights."""
        loss, draw, win = np.bincount(outcome, weights=weight, minlength=3)[:3]
        return cls(float(loss), float(draw), float(win))


@dataclass(frozen=True)
class Reference:
    """-2 log likelihood of one reference model."""

    family: Family  # whose likelihood
    name: str
    weighting: str
    neg2_loglik: float  # -2 times the summed log likelihood, without penalty


def reference_probability(family: Family, name: str, counts: Counts) -> Floats:
    """Forecast of a reference model: loss, draw and win, or (Bradley-Terry) lost and won half points."""
    if family not in FAMILIES or name not in NAMES:
        raise EvaluationError("reference", f"{' | '.join(FAMILIES)} and {' | '.join(NAMES)}", f"{family} and {name}")
    n = counts.games
    if family == "bradley_terry":
        decided = counts.win + counts.loss
        if name == "proportional_no_draws" and decided == 0:
            raise EvaluationError("reference proportional_no_draws", "a decided game", "draws only")
        win = {"equiprobable": 0.5, "proportional": counts.win / n}.get(name, counts.win / decided if decided else 0.5)
        return np.array([1 - win, win])
    if name == "equiprobable":
        return np.full(3, 1 / 3)
    if name == "proportional":
        return np.array([counts.loss, counts.draw, counts.win]) / n
    draw = counts.draw / n
    return np.array([(1 - draw) / 2, draw, (1 - draw) / 2])


def reference_neg2_loglik(family: Family, name: str, counts: Counts, weighted: Counts | None = None) -> float:
    """Return -2 log likelihood of a reference model from counts alone.

    Examples
    --------
    >>> round(reference_neg2_loglik("davidson", "proportional", Counts(1185, 3658, 1964)), 2)
    13569.13
    """
    sums = counts if weighted is None else weighted
    p = reference_probability(family, name, counts)
    if family == "bradley_terry":
        points = np.array([sums.games - sums.score, sums.score])
    else:
        points = np.array([sums.loss, sums.draw, sums.win])
    has_points = points > 0
    with np.errstate(divide="ignore"):
        return float(-2 * np.sum(points[has_points] * np.log(p[has_points])))


def reference_definetti(family: Family, name: str, counts: Counts) -> float:
    """The study's mean De Finetti measure of a reference model from counts alone.

    Davidson: mean of the three-outcome distance. Bradley-Terry: mean of (p - y)^2.

    Examples
    --------
    >>> round(reference_definetti("davidson", "equiprobable", Counts(62, 235, 114)), 4)
    0.6667
    """
    p = reference_probability(family, name, counts)
    shares = np.array([counts.loss, counts.draw, counts.win]) / counts.games
    if family == "bradley_terry":
        return float(shares @ (p[1] - np.array([0.0, 0.5, 1.0])) ** 2)
    return float(shares @ np.sum((p - np.eye(3)) ** 2, axis=1))


def rating_neg2_loglik(
    white_elo: npt.ArrayLike, black_elo: npt.ArrayLike, score: npt.ArrayLike, weight: npt.ArrayLike = 1.0
) -> float:
    """Return -2 log likelihood of the ratings without estimation, in the half-point likelihood.

    Ratings in Elo points, White's score and weights of the games, shape (game,); an `EvaluationError` where a rating is
    missing.
    """
    p, y = expected_score(np.subtract(white_elo, black_elo)), np.asarray(score, dtype=np.float64)
    lost = int(np.isnan(p).sum())
    if lost:
        raise EvaluationError("FIDE rating on the day", "both ratings in every game", f"{lost} games without one")
    return float(-2 * np.sum(np.asarray(weight) * (y * np.log(p) + (1 - y) * np.log1p(-p))))


def reference_models(games: GameTable, weight: Floats | None = None, weighting: str = "equal") -> list[Reference]:
    """All reference models of some games; the FIDE rating if every game has both ratings."""
    counts = Counts.of(games.outcome)
    sums = None if weight is None else Counts.of(games.outcome, weight)
    references = [
        Reference(f, name, weighting, reference_neg2_loglik(f, name, counts, sums)) for f in FAMILIES for name in NAMES
    ]
    white, black = games.white_rating_elo, games.black_rating_elo
    if white is not None and black is not None and not np.isnan(white).any() and not np.isnan(black).any():
        value = rating_neg2_loglik(white, black, games.score, 1.0 if weight is None else weight)
        references.append(Reference("bradley_terry", "fide_elo", weighting, value))
    return references
