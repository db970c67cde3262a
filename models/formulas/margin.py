r"""Margins: by how much the first side wins, in goals, points or IMPs.

    y = white - black + e,        white = g_i + a,    black = g_j,    s = e^lam,    z = (y - (white - black)) / s
    normal       e ~ N(0, s^2)    log f(y) = -lam - log(2 pi) / 2 - z^2 / 2
    Student t    e ~ s t_4        log f(y) = -lam + log(3 / 8) - (5 / 2) log(1 + z^2 / 4)

    P(loss) = P(y < -H),   P(draw) = P(|y| <= H),   P(win) = P(y > H),        H = 1/2; of goals 0.58

y      margin of the game, White's goals less Black's; the column `margin` of the games, or their goals
g, a   strengths and White's advantage, in units of the margin
lam    `log_width`, the logarithm of the spread s of a game around its expectation; an effect on `log_width` lets it
       differ, by deal for instance ("log_width ~ (1 | deal)")

Margins are usually whole numbers, so that a draw is a margin that rounds to 0. Games of goals are drawn somewhat more
often: 0.58 is of ten seasons of English football (`benchmarks/tables/football.md`). The likelihood is the density of
the margin: `normal`, `_student`, or a user's density. Probabilities of loss, draw and win, Elo points (see `outcome`)
and quantiles are computed from this density (`tails`). The t of four degrees of freedom is less sensitive to large
margins; its standard deviation is s times the root of 2.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from types import ModuleType

import numpy as np
import numpy.typing as npt

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.formulas.potential import potential
from halfpoint.models.formulas.tails import Tails, tails
from halfpoint.models.games.table import LEAD, Floats, GameTable
from halfpoint.models.language.games import Games
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.rows.rows import Values

DEGREES = 4.0
_HALF = 0.5  # margins nearer to 0 are draws
_HALF_OF_GOALS = 0.58  # likewise
_LEAD_IN_TENNIS = 29.9  # root mean square of leads in percent, ATP 2003 to 2009
_GOALS_IN_FOOTBALL = 1.8  # root mean square of goal differences, ten seasons of the Premier League
_LARGEST_LOG = 100.0  # of a width that edited draws may have
_MOST_SETS = 7.0  # of a match; larger numbers count as these
_PLACES = np.array([-3.0, -0.7, 0.0, 0.4, 1.1, 2.0, 7.0])  # at which densities are compared


def normal(z: Operand, module: ModuleType) -> Operand:
    """The log density of the normal, up to a constant; `module` does the arithmetic."""
    return -0.5 * z * z


def _student(z: Operand, module: ModuleType) -> Operand:
    """The log density of the Student t, up to a constant; `module` does the arithmetic."""
    return -0.5 * (DEGREES + 1.0) * module.log1p(z * z / DEGREES)


def leads_in_sets(games: GameTable) -> Floats:
    """White's lead in sets, else the margin, with the spread of tennis, shape (game,), NaN where it is unknown."""
    return _with_spread(games.covariates.get(LEAD, games.margin), _LEAD_IN_TENNIS)


def pairs_of_sets(best_of: Floats) -> Floats:
    """Pairs of sets beyond three that a match may have, (game,): 0 of best of three, 1 of five; at most 2."""
    return 0.5 * (np.clip(best_of, 1.0, _MOST_SETS) - 3.0)


def points_as_goals(games: GameTable) -> Floats:
    """Margins with the spread of goal differences in football, shape (game,), NaN where they are unknown."""
    return _with_spread(games.margin, _GOALS_IN_FOOTBALL)


def unit_of(law: "Distribution", games: GameTable) -> float:
    """Points, or percent of sets, of one unit of what a law observes in games; 1 for margins as they are."""
    if law.of not in (leads_in_sets, points_as_goals):
        return 1.0
    raw = games.covariates.get(LEAD, games.margin) if law.of is leads_in_sets else games.margin
    size, observed = np.abs(np.asarray(raw, dtype=np.float64)), np.abs(law.of(games))
    total = float(np.nansum(observed))
    return float(np.nansum(size)) / total if total > 0.0 else 1.0


def _with_spread(margin: npt.ArrayLike | None, spread: float) -> Floats:
    """Margins times the factor that gives their known values a root mean square."""
    margin = np.asarray(margin, dtype=np.float64)
    known = margin[np.isfinite(margin)]
    own = float(np.sqrt(np.mean(np.square(known)))) if known.size else 0.0
    return np.asarray(margin * (spread / own) if own > 0.0 else margin)


@dataclass(frozen=True)
class Distribution:
    """Distribution of margins around their expectation, given by its density."""

    #: (z, module) -> log density up to a constant, z in units of the spread: arithmetic of NumPy or of graph nodes
    kernel: Callable[[Operand, ModuleType], Operand]
    #: games -> their observed values, shape (game,), NaN if unknown: the margin
    of: Callable[[GameTable], Floats] = attrgetter("margin")
    forecast: bool = True  #: whether that is to be forecast too: a margin, no index made of several columns
    half: float = _HALF  #: values nearer to 0 are draws
    noise: float = 1.0  #: ratio of the spreads of results and of observed values around their expectation

    @property
    def tails(self) -> Tails:
        """Tails and quantiles in units of the spread."""
        return tails(self.kernel, np.asarray(self.kernel(_PLACES, np)).tobytes())

    def log_density(self, gap: Values, log_width: Values, margin: Values, module: ModuleType = np) -> Operand:
        """The log density of margins from the difference of the sides; `module` does the arithmetic."""
        z = (margin - gap) * module.exp(-log_width)
        return -self.tails.log_total - log_width + self.kernel(z, module)

    def scores(self, white: Values, black: Values, log_width: Values) -> tuple[Floats, Floats, Floats]:
        """Log probabilities of loss, draw and win, arrays."""
        gap = np.asarray(white - black, dtype=np.float64)
        log_width = np.clip(np.asarray(log_width, dtype=np.float64), -_LARGEST_LOG, _LARGEST_LOG)
        spread = self.noise * np.exp(log_width)
        return self.tails.log_parts((-self.half - gap) / spread, (self.half - gap) / spread)


NORMAL, STUDENT = Distribution(normal), Distribution(_student)
OF_GOALS = replace(NORMAL, half=_HALF_OF_GOALS)
OF_SETS = replace(NORMAL, of=leads_in_sets, forecast=False, half=0.0)
OF_POINTS = replace(OF_SETS, of=points_as_goals)
MARGIN_NORMAL = Outcome("margin_normal", information=1.0, title="margin, normal", margin=NORMAL, lam="log_width")
MARGIN_T = Outcome("margin_t", information=1.0, title="margin, Student t", margin=STUDENT, lam="log_width")
GOALS = Outcome("goals", information=1.0, title="goal difference, normal", margin=OF_GOALS, lam="log_width")
POINTS = Outcome("points", information=1.0, title="difference of points, normal", margin=OF_POINTS, lam="log_width")
SETS = Outcome("sets", information=1.0, title="lead in sets, normal", margin=OF_SETS, lam="log_width")


def margin(games: Games, white: Operand, black: Operand, log_width: Operand, law: Distribution = NORMAL) -> Node:
    """The log-potential of margins, goals or points or IMPs; call it inside `with pm.Model():`.

    Parameters
    ----------
    games : Games
        The games that the model function was given; they have margins.
    white, black : tensor, shape (row,) or ()
        The two sides of each row, in the unit of the margin.
    log_width : tensor, shape (row,) or ()
        Logarithm of the spread of a game around its expectation.
    law : Distribution
        `NORMAL`, `STUDENT`, or a user's distribution by its log density.

    Returns
    -------
    tensor
        The observed variable `games`.
    """
    formula_of_law = {NORMAL: MARGIN_NORMAL, STUDENT: MARGIN_T, OF_GOALS: GOALS, OF_SETS: SETS, OF_POINTS: POINTS}
    formula = formula_of_law.get(law) or Outcome("margin", information=1.0, title="margin", margin=law, lam="log_width")
    return potential(formula, games, white, black, log_width)


def margins_of(games: GameTable, needed: str = "", of: Distribution = NORMAL) -> Floats:
    """Margins of games, shape (game,), NaN for games without one."""
    margins = of.of(games)
    lost = np.flatnonzero(~np.isfinite(margins))
    if needed and lost.size:
        raise ModelError(
            f"model {needed}: {games.place(int(lost[0]))}: expected a margin, White's goals or points less Black's, "
            "found none. Give goals, or name the column: --columns margin=COLUMN."
        )
    return margins
