r"""Bradley-Terry with gamma priors: the sampler of Caron and Doucet; their EM algorithm is `minorize` with a prior.

    gamma_i ~ Gamma(a, b),     P(i beats j) = gamma_i / (gamma_i + gamma_j)

Two exponential clocks run at the rates of the two players, and the first to ring wins. In n games of i and j the total
time until the first rings is Z_ij ~ Gamma(n, gamma_i + gamma_j), and given all Z the strengths are gamma variables
again:

    gamma_i | Z ~ Gamma(a + s_i, b + sum over opponents of Z_ij),     s_i points, a draw half of one

The prior alone determines the level, with b as the unit of measure. In the model language the prior is the family
"log_gamma" of strengths, `Free(("log_gamma", a, b))`, and NUTS has the same posterior (`models.parts.priors`).

Caron & Doucet (2012) J. Comput. Graph. Stat. 21:174, section 2.
"""

import numpy as np

from halfpoint.inference.errors import InferenceError
from halfpoint.models.games.select import Cells, Selection, merge
from halfpoint.models.games.table import Floats

WARM = 200  # draws that are left out at the beginning


def met(selection: Selection) -> tuple[Cells, Floats, Floats]:
    """Games, their number by kind, and the points of each player."""
    if selection.has_anchors or selection.sides is not None:
        raise InferenceError("gamma priors: expected games between single players who all have strengths")
    cells = merge(selection)
    lost, drawn, won = cells.weight.T
    return cells, cells.weight.sum(axis=1), of_players(cells, won + drawn / 2.0, lost + drawn / 2.0)


def of_players(cells: Cells, white: Floats, black: Floats) -> Floats:
    """Sums over each player's cells of the values of their seats, shape (player,)."""
    size = cells.players.size
    return np.asarray(np.bincount(cells.white, white, size) + np.bincount(cells.black, black, size))


def require_valid_prior(prior: tuple[float, float], least: float) -> None:
    """Refuse an invalid prior."""
    shape, rate = prior
    if not (shape > least and rate > 0.0 and np.isfinite(prior).all()):
        expected = f"a shape above {least:g} and a rate above 0"
        raise InferenceError(f"gamma priors: expected {expected}, found {shape:g} and {rate:g}")


def gibbs(selection: Selection, shape: float = 2.0, rate: float = 1.0, draws: int = 4000, seed: int = 1) -> Floats:
    """Draws of log strengths by the Gibbs sampler of Caron and Doucet, after a burn-in of 200.

    Parameters
    ----------
    selection : Selection
        Games between players who all have strengths, one per side; a draw is half a win.
    shape, rate : float
        a and b of the gamma priors, above 0.
    draws, seed : int
        Number of draws, and the seed.

    Returns
    -------
    array of float, shape (draw, player)
        log gamma, natural units.

    Raises
    ------
    InferenceError
        If the games have sides or anchors, or the prior is invalid.
    """
    require_valid_prior((shape, rate), 0.0)
    cells, games, points = met(selection)
    rng, gamma = np.random.default_rng(seed), np.ones(points.size)
    sampled = np.empty((draws, points.size))
    for draw in range(-WARM, draws):
        waited = rng.gamma(games, 1.0 / (gamma[cells.white] + gamma[cells.black]))
        total = rate + of_players(cells, waited, waited)
        gamma = rng.gamma(shape + points, 1.0 / total)
        if draw >= 0:
            sampled[draw] = np.log(gamma)
    return sampled
