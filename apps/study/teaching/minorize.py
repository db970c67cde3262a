r"""Maximum likelihood by the MM algorithm: each round maximises a simpler lower bound that touches the likelihood.

    log L = sum s log x - n log D(x),     -log D(x) >= 1 - log D(y) - D(x) / D(y)                      Hunter, eq. 3 for
    gamma_i <- s_i / sum over games of (dD / d gamma_i) / D                                            Bradley-Terry

White's side is x_i = theta gamma_i, Black's x_j = gamma_j; s_i are points; values on the right are from the previous
round.

    half points   D = x_i + x_j
    Davidson      D = x_i + x_j + nu root(x_i x_j),  root(x_i x_j) <= (r x_i + x_j / r) / 2,  r = root(x_j / x_i) of y
                  nu <- draws / sum n root(x_i x_j) / D
    Rao-Kupper    wins and draws of White have D = x_i + tau x_j, losses and draws D = tau x_i + x_j
                  tau <- (T + root(T^2 + C^2)) / C,  T draws, C = sum of dD / dtau / D
    advantage     theta <- White's points / sum (dD / dtheta) / D
    gamma prior   gamma_i <- (a - 1 + s_i) / (b + sum ...), the EM algorithm of Caron and Doucet; a = 1, b = 0 is flat

The algorithm needs no matrix and no step halving, but many rounds where Newton's method (`inference.mode`) needs a few
steps. The maximum is the same.

Hunter (2004) Ann. Stat. 32:384; Caron & Doucet (2012) J. Comput. Graph. Stat. 21:174; Davidson (1970) JASA 65:317;
Rao & Kupper (1967) JASA 62:194. The bound on the root is the inequality of the arithmetic and the geometric mean.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from halfpoint.apps.study.teaching.gamma_gibbs import of_players, require_valid_prior
from halfpoint.inference.errors import InferenceError
from halfpoint.models.games.components import require_comparable, unbounded_players
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import Cells, Selection, merge
from halfpoint.models.games.table import Floats

Ties = Literal["half", "davidson", "rao_kupper"]
Round = tuple[tuple[Floats, Floats], tuple[Floats, Floats], float]  # what `half` returns
MOST, STILL = 100_000, 1e-14  # rounds; change of a logarithm that counts as none


@dataclass(frozen=True, eq=False)
class Climb:
    """Estimates at the end of the rounds."""

    strength: Floats  # (player,): log gamma, natural units; their mean 0 without a prior, which says the level
    advantage: float  # log theta; 0 where it is not estimated
    log_draw: float | None  # log nu of Davidson, log(tau - 1) of Rao and Kupper; None of half points
    rounds: int  # how many it took


def minorize(
    selection: Selection,
    ties: Ties = "half",
    advantage: bool = False,
    still: float = STILL,
    prior: tuple[float, float] | None = None,
) -> Climb:
    """Maximum likelihood estimates by the MM algorithm, or posterior mode with gamma priors by EM.

    Parameters
    ----------
    selection : Selection
        Games between players who all have strengths, one per side.
    ties : {"half", "davidson", "rao_kupper"}
        A draw is half a win, or has a parameter.
    advantage : bool
        True if the first seat has a common advantage.
    still : float
        The change of a logarithm per round below which the algorithm stops.
    prior : (float, float), optional
        Shape a, above 1, and rate b of gamma priors of exp(strength): EM (Caron and Doucet) in place of MM.

    Returns
    -------
    Climb
        strength, advantage and log_draw in natural units, and the number of rounds.

    Raises
    ------
    HalfpointError
        If the likelihood has no maximum, or 100,000 rounds do not reach it.

    Examples
    --------
    >>> import pandas as pd
    >>> from halfpoint.readers.read import read
    >>> from halfpoint.models.games.select import select
    >>> games = read(pd.DataFrame({"white": ["A", "A", "B"], "black": ["B", "B", "A"], "score": [1.0, 1.0, 1.0]}))
    >>> found = minorize(select(games, games.players, "both"))
    >>> round(float(found.strength[0] - found.strength[1]), 4)  # 2 of 3 won: ln 2
    0.6931
    """
    if selection.has_anchors or selection.sides is not None:
        raise InferenceError("MM: expected games between single players who all have strengths")
    cells = merge(selection)
    shape, rate = prior or (1.0, 0.0)
    if prior is None:
        require_comparable(selection)
    else:
        require_valid_prior(prior, 1.0)
    lost, drawn, won = cells.weight.sum(axis=0)
    if (
        (prior is None and unbounded_players(cells).any())
        or (advantage and 0.0 in (lost, won))
        or (ties != "half" and drawn in (0.0, cells.weight.sum()))
    ):
        raise GameTableError(selection.games.source, "games whose likelihood has a maximum", "none (`halfpoint mle`)")
    gamma, theta, tie = np.ones(cells.players.size), 1.0, 2.0
    rule = RULES[ties]
    for rounds in range(1, MOST + 1):
        before = np.array([*np.log(gamma), np.log(theta), tie])
        points, slope, _ = rule(cells, theta * gamma[cells.white], gamma[cells.black], tie)
        gamma = (shape - 1.0 + of_players(cells, *points)) / (rate + of_players(cells, theta * slope[0], slope[1]))
        gamma /= np.exp(np.log(gamma).mean()) if prior is None else 1.0
        if advantage:
            points, slope, _ = rule(cells, theta * gamma[cells.white], gamma[cells.black], tie)
            theta = float(points[0].sum() / (gamma[cells.white] * slope[0]).sum())
        if ties != "half":
            tie = rule(cells, theta * gamma[cells.white], gamma[cells.black], tie)[2]
        if np.abs(np.array([*np.log(gamma), np.log(theta), tie]) - before).max() < still:
            lam = None if ties == "half" else float(np.log(tie if ties == "davidson" else tie - 1.0))
            return Climb(np.log(gamma), float(np.log(theta)), lam, rounds)
    raise InferenceError(f"MM did not converge within {MOST:,} rounds: the change is above {still:g}")


def half(cells: Cells, x: Floats, y: Floats, tie: float) -> Round:
    """Points of White and Black, slopes of D by x and by y over D, times games, and the next tie parameter."""
    lost, drawn, won = cells.weight.T
    rate = cells.weight.sum(axis=1) / (x + y)
    return (won + drawn / 2.0, lost + drawn / 2.0), (rate, rate), tie


def davidson(cells: Cells, x: Floats, y: Floats, tie: float) -> Round:
    """Round for Davidson's ties, as `half` returns it; `tie` is nu."""
    lost, drawn, won = cells.weight.T
    mean, ratio = np.sqrt(x * y), np.sqrt(y / x)
    rate = cells.weight.sum(axis=1) / (x + y + tie * mean)
    slopes = rate * (1.0 + tie * ratio / 2.0), rate * (1.0 + tie / ratio / 2.0)
    return (won + drawn / 2.0, lost + drawn / 2.0), slopes, float(drawn.sum() / (rate * mean).sum())


def rao_kupper(cells: Cells, x: Floats, y: Floats, tie: float) -> Round:
    """Round for Rao and Kupper's ties, as `half` returns it; `tie` is tau."""
    lost, drawn, won = cells.weight.T
    first, second = (won + drawn) / (x + tie * y), (lost + drawn) / (tie * x + y)
    count, pull = float(drawn.sum()), float((first * y + second * x).sum())
    slopes = first + tie * second, tie * first + second
    return (won + drawn, lost + drawn), slopes, (count + float(np.hypot(count, pull))) / pull


RULES: dict[str, Callable[..., Round]] = {"half": half, "davidson": davidson, "rao_kupper": rao_kupper}
