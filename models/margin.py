r"""Margins: by how much the first side wins, in goals, points or IMPs.

    y = white - black + e,        white = g_i + a,    black = g_j,    s = e^lam,    z = (y - (white - black)) / s
    normal       e ~ N(0, s^2)    log f(y) = -lam - log(2 pi) / 2 - z^2 / 2
    Student t    e ~ s t_4        log f(y) = -lam + log(3 / 8) - (5 / 2) log(1 + z^2 / 4)

    P(loss) = P(y < -1/2),   P(draw) = P(|y| <= 1/2),   P(win) = P(y > 1/2)

y      margin of the game, White's goals less Black's; the column `margin` of the games, or their goals
g, a   strengths and White's advantage, in units of the margin
lam    `log_width`, the logarithm of the spread s of a game around its expectation; an effect on `log_width` lets it
       differ, by deal for instance ("log_width ~ (1 | deal)")

Margins are whole numbers more often than not, so that a draw is what rounds to 0. The likelihood is the density of the
margin; chances of loss, draw and win, and with them Elo points (see `outcome`), follow from it. The t of four degrees
of freedom minds a rout less; its standard deviation is s times the root of 2.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np

from halfpoint.games.later import Later
from halfpoint.games.table import Floats, GameTable
from halfpoint.models.blocks import Block, parameter
from halfpoint.models.errors import ModelError
from halfpoint.models.outcome import Outcome
from halfpoint.models.part import Draws, Site
from halfpoint.models.priors import Prior, moments
from halfpoint.models.rows import Parameters, Rows, Values, each

special = Later("scipy.special")
DEGREES = 4.0
HALF = 0.5  # margins nearer to 0 are draws
LOG_NORMAL = -0.5 * math.log(2.0 * math.pi)
LOG_T = math.log(3.0 / 8.0)
LEAST = 1e-300  # of a probability, so that its logarithm is a number


def log_normal(x: Any) -> Any:
    """Return the logarithm of the normal distribution function."""
    return special.log_ndtr(x)


def log_t(x: Floats) -> Floats:
    """Return the logarithm of the distribution function of the t of four degrees of freedom."""
    return np.asarray(np.log(np.maximum(special.stdtr(DEGREES, x), LEAST)))


def outcomes(log_below: Callable[[Floats], Floats]) -> Callable[[Any, Any, Any], tuple[Floats, Floats, Floats]]:
    """Return (white, black, lam) -> log probabilities of loss, draw and win, arrays, from a distribution function."""

    def scores(white: Any, black: Any, log_width: Any) -> tuple[Floats, Floats, Floats]:
        gap, spread = np.asarray(white - black, dtype=np.float64), np.exp(np.asarray(log_width, dtype=np.float64))
        ahead = np.abs(gap)  # by symmetry, where nothing cancels
        behind, beyond = log_below((-HALF - ahead) / spread), log_below((HALF - ahead) / spread)
        draw = beyond + np.log(np.maximum(-np.expm1(np.minimum(behind - beyond, 0.0)), LEAST))
        far = log_below((ahead - HALF) / spread)
        return np.where(gap >= 0, behind, far), draw, np.where(gap >= 0, far, behind)

    return scores


def normal_density(gap: Any, log_width: Any, margin: Any, module: ModuleType = np) -> Any:
    """Return the log density of margins, normal, from the difference of the sides; `module` does the arithmetic."""
    z = (margin - gap) * module.exp(-log_width)
    return LOG_NORMAL - log_width - 0.5 * z * z


def t_density(gap: Any, log_width: Any, margin: Any, module: ModuleType = np) -> Any:
    """Return the log density of margins, Student t, from the difference of the sides; `module` does the arithmetic."""
    z = (margin - gap) * module.exp(-log_width)
    return LOG_T - log_width - 0.5 * (DEGREES + 1.0) * module.log1p(z * z / DEGREES)


@dataclass(frozen=True)
class Distribution:
    """A distribution of margins around their expectation, in units of the spread."""

    # distribution function; log density of margins from the difference of the sides and lam
    below: Callable[[Any], Any]
    log_density: Callable[..., Any]  # likewise
    quantile: Callable[[Any], Any]  # inverse of the distribution function
    # games -> what is seen of them, shape (game,), NaN where it is not known: the margin
    of: Callable[[GameTable], Floats] = attrgetter("margin")
    forecast: bool = True  # whether that is to be forecast too: a margin, no index made of several columns


def normal_below(x: Any) -> Any:
    """Return the normal distribution function."""
    return np.exp(log_normal(x))


def t_below(x: Any) -> Any:
    """Return the t's distribution function, four degrees of freedom: (2 + 3 u - u^3) / 4, u = x / (4 + x^2)^.5."""
    u = x / np.sqrt(4.0 + np.square(x))
    return 0.5 + u * (0.75 - 0.25 * np.square(u))


def normal_quantile(p: Any) -> Any:
    """Return the quantile of the normal distribution."""
    return special.ndtri(p)


def t_quantile(p: Any) -> Any:
    """Return the quantile of the t of four degrees of freedom."""
    return special.stdtrit(DEGREES, p)


NORMAL = Distribution(normal_below, normal_density, normal_quantile)
STUDENT = Distribution(t_below, t_density, t_quantile)
normal_scores, t_scores = outcomes(log_normal), outcomes(log_t)

MARGIN_NORMAL = Outcome(
    "margin_normal", normal_scores, information=1.0, title="margin, normal", margin=NORMAL, lam="log_width"
)
MARGIN_T = Outcome("margin_t", t_scores, information=1.0, title="margin, Student t", margin=STUDENT, lam="log_width")


@dataclass(frozen=True)
class MarginSpread(Draws):
    """The spread of margins around their expectation."""

    level: Prior = (1.0, 2.0)  # mean and standard deviation of its logarithm

    def blocks(self, site: Site) -> list[Block]:
        """Return the parameter: `log_width`."""
        label, unit = "logarithm of the width of margins", site.overall(moments(self.level)[1], 2.0)
        return [parameter("log_width", label, prior=self.level, unit=unit)]

    def at(self, p: Parameters, rows: Rows, white: Values, black: Values) -> Values:
        """Return lam, shape (..., row)."""
        return each(p["log_width"])


def margins_of(games: GameTable, needed: str = "", of: Distribution = NORMAL) -> Floats:
    """Return the margins of games, shape (game,), NaN where they have none."""
    found = of.of(games)
    lost = np.flatnonzero(~np.isfinite(found))
    if needed and lost.size:
        raise ModelError(
            f"model {needed}: {games.place(int(lost[0]))}: expected a margin, White's goals or points less Black's, "
            "found none. Give goals, or say which column it is: --columns margin=COLUMN."
        )
    return found
