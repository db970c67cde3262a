r"""External forecasts: bookmakers' odds without their margin, and probabilities in columns of the games.

    proportional   p_k = r_k / B,                                                   r_k = 1 / o_k,  B = sum_k r_k
    Shin           p_k = (sqrt(z^2 + 4 (1 - z) r_k^2 / B) - z) / (2 (1 - z)),       z such that sum_k p_k = 1
    power          p_k = r_k^c,                                                     c likewise
    odds ratio     p_k = r_k / (c + r_k - c r_k),                                   c likewise
    additive       p_k = r_k - (B - 1) / n,                                         n outcomes, 0 at least

o_k are decimal odds of outcome k and B - 1 is the bookmaker's margin. Shin's bookmaker guards against a share z of
bettors informed of the outcome, and shortens long odds the most. Shin (1993) Economic Journal 103:1141, as Jullien &
Salanié (1994) Economic Journal 104:1418 invert it. The odds ratio is due to Cheung (2015), and equals a margin added to
the log odds; the additive margin is the case of weights proportional to the odds. For odds without a margin, B <= 1,
all methods are proportional. Clarke, Kovalchik & Ingram (2017) Am. J. Sports Sci. 5:45 compare them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.rating_system import Forecast, State
from halfpoint.models.games.table import OUTCOMES, Floats, GameTable

_HALVINGS = 60


def proportional(odds: npt.ArrayLike) -> Floats:
    """Probabilities from decimal odds, same shape (..., outcome), with the margin removed in proportion.

    Examples
    --------
    >>> proportional([4.20, 3.70, 1.95]).round(7).tolist()
    [0.2331556, 0.2646631, 0.5021813]
    """
    inverse = 1.0 / np.asarray(odds, dtype=np.float64)
    return np.asarray(inverse / inverse.sum(axis=-1, keepdims=True))


def shin(odds: npt.ArrayLike) -> Floats:
    """Probabilities of decimal odds, same shape (..., outcome), by Shin's model of insiders.

    Examples
    --------
    >>> shin([4.20, 3.70, 1.95]).round(5).tolist()
    [0.23157, 0.26357, 0.50485]
    """
    inverse = 1.0 / np.asarray(odds, dtype=np.float64)
    book = inverse.sum(axis=-1, keepdims=True)
    low, high = np.zeros_like(book), np.ones_like(book)
    for _ in range(_HALVINGS):  # the sum of the probabilities falls with z, from sqrt(B) to less than 1
        z = (low + high) / 2.0
        probabilities = (np.sqrt(z**2 + 4.0 * (1.0 - z) * inverse**2 / book) - z) / (2.0 * (1.0 - z))
        over = probabilities.sum(axis=-1, keepdims=True) > 1.0
        low, high = np.where(over, z, low), np.where(over, high, z)
    return np.where(book > 1.0, probabilities / probabilities.sum(axis=-1, keepdims=True), inverse / book)


def _with_root(odds: npt.ArrayLike, of: Callable[[Floats, Floats], Floats], low: float, high: float) -> Floats:
    """Probabilities at r = e^c, which fall with c, with c such that they sum to 1."""
    inverse = 1.0 / np.asarray(odds, dtype=np.float64)
    book = inverse.sum(axis=-1, keepdims=True)
    ends = np.full_like(book, low), np.full_like(book, high)
    for _ in range(_HALVINGS):
        c = (ends[0] + ends[1]) / 2.0
        probabilities = of(inverse, np.exp(c))
        over = probabilities.sum(axis=-1, keepdims=True) > 1.0
        ends = np.where(over, c, ends[0]), np.where(over, ends[1], c)
    return np.where(book > 1.0, probabilities / probabilities.sum(axis=-1, keepdims=True), inverse / book)


def power(odds: npt.ArrayLike) -> Floats:
    """Probabilities of decimal odds, same shape (..., outcome), as a common power of inverse odds.

    Examples
    --------
    >>> power([2.7, 2.3, 4.4]).round(5).tolist()
    [0.35917, 0.42373, 0.2171]
    """
    return _with_root(odds, lambda inverse, c: inverse**c, 0.0, 5.0)


def odds_ratio(odds: npt.ArrayLike) -> Floats:
    """Probabilities of decimal odds, same shape (..., outcome), by a common ratio to the bookmaker's odds.

    Examples
    --------
    >>> odds_ratio([2.7, 2.3, 4.4]).round(5).tolist()
    [0.35881, 0.42256, 0.21863]
    """
    return _with_root(odds, lambda inverse, c: inverse / (c + inverse - c * inverse), 0.0, 20.0)


def additive(odds: npt.ArrayLike) -> Floats:
    """Probabilities of decimal odds, same shape (..., outcome), less equal parts of the margin, 0 at least.

    Examples
    --------
    >>> additive([2.7, 2.3, 4.4]).round(5).tolist()
    [0.35956, 0.42397, 0.21646]
    """
    inverse = 1.0 / np.asarray(odds, dtype=np.float64)
    book = inverse.sum(axis=-1, keepdims=True)
    probabilities = np.maximum(inverse - np.maximum(book - 1.0, 0.0) / inverse.shape[-1], 0.0)
    return np.asarray(probabilities / probabilities.sum(axis=-1, keepdims=True))


WITHOUT_MARGIN: Mapping[str, Callable[[npt.ArrayLike], Floats]] = {
    "proportional": proportional, "shin": shin, "power": power, "odds-ratio": odds_ratio, "additive": additive,
}  # fmt: skip


def columns_of(name: str) -> tuple[str, ...]:
    """Columns of a forecaster's probabilities of loss, draw and win."""
    return tuple(f"{name}: {outcome}" for outcome in OUTCOMES)


@dataclass
class Quoted:
    """Probabilities of an external forecaster from columns of the games; without learning."""

    name: str  # whose: `columns_of` says in which covariates

    def learn(self, games: GameTable) -> None:
        """Learn nothing."""

    def forecast(self, games: GameTable) -> Forecast:
        """The probabilities of loss, draw and win; NaN if unknown."""
        outcome = np.stack([games.covariates[column] for column in columns_of(self.name)], axis=1).astype(np.float64)
        return Forecast.of_outcomes(outcome)

    def state(self) -> State:
        """Empty state: odds do not depend on past games."""
        return {}

    def load(self, state: Mapping[str, npt.NDArray[np.generic]]) -> None:
        """Ignore a state."""
