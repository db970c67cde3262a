r"""Forecasts of margins and their quality: density, mean, quantiles, proper scores and calibration.

Under each draw of the posterior a margin varies around the difference d of the sides with spread s; the forecast is the
mixture over all draws, F(y) = mean F0((y - d) / s).

    log score   -log f(y)                                         lower is better
    CRPS        integral of (F(x) - 1[x >= y])^2 dx               lower is better, in units of the margin
                = E|Y - y| - E|Y - Y'| / 2                        Y, Y' independent, from the forecast
    PIT         F(y), uniform if forecasts are calibrated

For every distribution the CRPS is computed by quadrature, like tails and quantiles (`halfpoint.models.formulas.tails`).

Gneiting & Raftery (2007) JASA 102:359, section 4.2, for the CRPS.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from halfpoint.models.declaration.posterior_reader import Reading
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.psis import log_sum
from halfpoint.models.rows.rows import GameRows

_elementwise = LazyModule("scipy.optimize.elementwise")
_NODES = 64  # of the quadrature rule for the CRPS of a mixture, on either side of the observed value
_TAIL = 1e-5  # beyond this share of the farthest part the integrand is negligible
_MOST_DRAWS = 500  # behind a quantile
_CRPS_DRAWS = 200  # for the CRPS of a backtest: chances of a margin vary little between draws


@dataclass(frozen=True, eq=False)
class Margins:
    """Forecasts of the margins of some games under every draw."""

    outcome: Outcome  # the formula, with its distribution of margins
    location: Floats  # (chain, draw, game): expected margin and spread around it, in the unit of the margin
    spread: Floats  # likewise
    seen: Floats  # (game,): margins of the games; NaN if absent

    @property
    def mean(self) -> Floats:
        """Mean of the forecast, shape (game,)."""
        return np.asarray((self.location + self.outcome.margin.tails.mean * self.spread).mean(axis=(0, 1)))

    @property
    def log_density(self) -> Floats:
        """Log density of the observed margins, shape (chain, draw, game)."""
        return np.asarray(self.outcome.margin.log_density(self.location, np.log(self.spread), self.seen))

    @property
    def log_score(self) -> Floats:
        """Minus the log density of the mixture over draws at the observed margins, shape (game,)."""
        value = self.log_density
        return np.asarray(np.log(value[..., 0].size) - log_sum(np.moveaxis(value, 2, 0).reshape(value.shape[2], -1)))

    def below(self, y: Floats | float) -> Floats:
        """The probability of a margin of at most y, shape (game,)."""
        return np.asarray(self.outcome.margin.tails.below((y - self.location) / self.spread).mean(axis=(0, 1)))

    @property
    def pit(self) -> Floats:
        """F(y) of the observed margins, shape (game,): uniform if forecasts are calibrated."""
        return self.below(self.seen)

    def quantile(self, levels: npt.ArrayLike) -> Floats:
        """Quantiles of the forecast, shape (level, game)."""
        wanted = np.atleast_1d(np.asarray(levels, dtype=np.float64))
        step = -(-self.location[..., 0].size // _MOST_DRAWS)
        if step > 1:
            return replace(self, location=self.location[:, ::step], spread=self.spread[:, ::step]).quantile(levels)
        ends = self.outcome.margin.tails.quantile(wanted)[:, None, None, None] * self.spread + self.location
        wide = 1e-6 * self.spread.max(axis=(0, 1))
        low, high = ends.min(axis=(1, 2)) - wide, ends.max(axis=(1, 2)) + wide  # a mixture's is between its parts'

        def above(y: Floats, level: Floats, game: Integers) -> Floats:
            return self.take(game).below(y) - level

        games = np.arange(self.seen.size)
        return np.asarray(_elementwise.find_root(above, (low, high), args=(wanted[:, None], games)).x)

    @property
    def crps(self) -> Floats:
        """CRPS of the mixture over draws, shape (game,), in the unit of the margin: by Gauss and Legendre's rule."""
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        first, last = self.outcome.margin.tails.quantile(np.array([_TAIL, 1.0 - _TAIL]))
        ends = (
            (self.location + first * self.spread).min(axis=(0, 1)),
            (self.location + last * self.spread).max(axis=(0, 1)),
        )
        total = np.zeros(self.seen.size)
        for end, sign in zip(ends, (1.0, -1.0), strict=True):  # below y the integrand is F^2, above it (1 - F)^2
            outer = np.minimum(end, self.seen) if sign > 0 else np.maximum(end, self.seen)
            half = sign * (self.seen - outer) / 2.0
            for node, weight in zip(nodes, weights, strict=True):
                below = self.below((self.seen + outer) / 2.0 + half * node)
                total += weight * half * (below if sign > 0 else 1.0 - below) ** 2
        return total

    def score_table(self, margin: Floats, half: float) -> Floats:
        """Scores and forecasts of margins, shape (game, 5): `halfpoint.models.games.rating_system.MarginForecast`."""
        step = -(-self.location[..., 0].size // _CRPS_DRAWS)
        few = Margins(self.outcome, self.location[:, ::step], self.spread[:, ::step], margin)
        log_score = replace(self, seen=margin).log_score
        return np.stack([log_score, few.crps, self.mean, self.below(margin - half), self.below(margin + half)], axis=1)

    def take(self, games: Integers) -> "Margins":
        """The forecasts of some of the games."""
        return Margins(self.outcome, self.location[..., games], self.spread[..., games], self.seen[games])


def margins(reading: Reading, rows: GameRows, chains: int) -> Margins:
    """Forecasts of the margins of rows by a model of margins."""
    count = len(next(iter(reading.p.values())))
    location, spread = np.empty((2, count, len(rows)))
    for part, sides in reading.under(rows):
        assert sides.lam is not None
        location[part] = sides.white - sides.black
        spread[part] = np.exp(sides.lam)
    observed = np.full(len(rows), np.nan) if rows.margin is None else rows.margin
    shape = chains, -1, len(rows)
    return Margins(reading.outcome, location.reshape(shape), spread.reshape(shape), observed)
