r"""Laplace approximation: a normal distribution with the curvature of the log posterior at its mode.

    q(x) = N(c, H^-1),    m = argmax log p(x | games),    H = -d2 log p / dx2 at m

in natural units. Exact for a normal posterior; for the models here the posterior is log-concave and nearly normal where
players have tens of games or more (Tierney & Kadane 1986, JASA 81:82).

The centre. The mode of many parameters at once is not the mean: each player's strength is a little further out than it
should be, and what all players share, White's advantage and log_draw, is off by many of its small standard deviations
(Neyman & Scott 1948, Econometrica 16:1). The default centre is one step towards the mean under which the expected
gradient vanishes, as it does for the best normal approximation (Opper & Archambeau 2009, Neural Computation 21:786;
van Niekerk & Rue 2024, JMLR 25:62):

    c = m + H^-1 E(d log p(m + e) / dx),    e ~ N(0, H^-1) in pairs e, -e

The step holds where it is short. A player who won every game has a log posterior that is all but flat on one side and
steep on the other: the normal reaches far down the steep side, and the step would be thousands of standard deviations.
A step longer than one standard deviation and half a natural unit in any parameter is not made. Its direction s = H^-1 g
is held at the mode and the expectation taken over the others, which are those orthogonal to s in H,

    e <- e - s (g'e) / (g's),    and so for the next step; again until the step is short

a trust region (Nocedal & Wright 2006, chapter 4) direction by direction. After `MOST_HELD` of them the centre is the
mode.

A spread that is estimated. With `spread="estimated"` the mean and standard deviation of the strengths' prior are those
of a population to which all players belong, found by expectation-maximisation (Dempster, Laird & Rubin 1977):

    mean <- average of m_i,     sd^2 <- average of (m_i - mean)^2 + Var(g_i),

so that players with few games are drawn towards the population as far as the population is narrow.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from halfpoint.games.cells import Cells
from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.laplace.hessian import curvature
from halfpoint.inference.laplace.mode import Mode, Solver, find_mode
from halfpoint.inference.laplace.target import Target, target
from halfpoint.models.model import Model

Spread = Literal["prior", "estimated"]
Centre = Literal["mean", "mode"]
PAIR_CELLS = 5_000_000  # cells times pairs of points at which the gradient is averaged
PAIRS = (32, 200)
LONGEST_STEP = 1.0, 0.5  # of the mode to the mean: standard deviations, natural units; both, and the mode is kept
MOST_HELD = 64
SPREAD_ROUNDS = 50
SPREAD_CHANGE = 1e-3  # relative change of the standard deviation at which it counts as found


@dataclass(frozen=True, eq=False)
class Approximation:
    """A normal approximation of a posterior.

    Parameters
    ----------
    target : Target
        The log posterior; its prior carries an estimated spread.
    mode : Mode
        Where it is highest, with the inverse of the Hessian.
    centre : array of float, shape (parameter,)
        Mean of the approximation, natural units.
    sd : array of float, shape (parameter,)
        Marginal standard deviations, natural units.
    seed : int
        Seed of the draws.
    held : int
        In how many directions the centre is the mode because no short step leads to the mean.
    """

    target: Target
    mode: Mode
    centre: Floats
    sd: Floats
    seed: int
    held: int

    @property
    def strength(self) -> Floats:
        """Strengths in natural units, shape (player,)."""
        return self.centre[: self.target.players.size]

    @property
    def strength_sd(self) -> Floats:
        """Standard deviations of the strengths in natural units, shape (player,)."""
        return self.sd[: self.target.players.size]

    def draws(self, count: int) -> Floats:
        """Return draws from the approximation, shape (count, parameter), natural units."""
        noise = self.mode.arrow.draws(count, np.random.default_rng([self.seed, 1]))
        return np.ascontiguousarray((self.centre[:, None] + noise).T)

    def log_density(self, drawn: Floats) -> Floats:
        """Return log q of draws (count, parameter) up to a constant, shape (count,)."""
        shape, body = self.mode.curvature, self.target.body
        away = drawn - self.centre
        square = np.empty(drawn.shape[0])
        for first in range(0, drawn.shape[0], 64):
            rows = slice(first, first + 64)
            inner, outer = away[rows, :body], away[rows, body:]
            square[rows] = np.einsum("ij,ji->i", inner, shape.times(np.ascontiguousarray(inner.T)))
            square[rows] += 2.0 * np.einsum("ij,jk,ik->i", inner, shape.cross, outer)
            square[rows] += np.einsum("ij,jk,ik->i", outer, shape.corner, outer)
        return -0.5 * square


def laplace(
    cells: Cells,
    model: Model,
    solver: Solver = "auto",
    spread: Spread = "prior",
    centre: Centre = "mean",
    seed: int = 0,
    samples: int = 32,
) -> Approximation:
    """Return the Laplace approximation of a model with independent normal priors.

    Parameters
    ----------
    cells : Cells
        The games.
    model : Model
        The model: independent normal priors and a sum on either side (see `halfpoint.inference.laplace.target`).
    solver : {"auto", "dense", "sparse", "iterative"}
        How to work with the Hessian (see `halfpoint.inference.laplace.mode.choose`).
    spread : {"prior", "estimated"}
        Keep the strengths' prior, or estimate its mean and standard deviation from all players.
    centre : {"mean", "mode"}
        Whether the approximation is centred on (a step towards) the posterior mean or on the mode.
    seed : int
        Seed of draws, of the step to the mean, and of the variances of the iterative solver.
    samples : int
        Draws behind the variances of the iterative solver.

    Returns
    -------
    Approximation

    Raises
    ------
    InferenceError
        If an option is unknown, the mode is not found, or a spread is to be estimated from fewer than ten players.
    """
    return approximation(target(cells, model), solver, spread, centre, seed, samples)


def approximation(
    posterior: Target,
    solver: Solver = "auto",
    spread: Spread = "prior",
    centre: Centre = "mean",
    seed: int = 0,
    samples: int = 32,
) -> Approximation:
    """Return the Laplace approximation of a target; arguments as in `laplace`."""
    for name, value, known in (("spread", spread, ("prior", "estimated")), ("centre", centre, ("mean", "mode"))):
        if value not in known:
            raise InferenceError(f"{name}: expected {' | '.join(known)}, found {value!r}")
    mode = find_mode(posterior, solver)
    drawn = mode.arrow.factor.draws(samples, np.random.default_rng([seed, 2]))
    variance = mode.arrow.variances(drawn)
    if spread == "estimated":
        mode, variance = with_spread(mode, variance, solver, samples, seed)
        drawn = mode.arrow.factor.draws(samples, np.random.default_rng([seed, 2]))
    sd, held, position = np.sqrt(variance), 0, mode.position
    if centre == "mean":
        step, held = to_mean(mode, drawn, sd, seed)
        position = position + step
    return Approximation(mode.curvature.target, mode, position, sd, seed, held)


def to_mean(mode: Mode, drawn: Floats, sd: Floats, seed: int) -> tuple[Floats, int]:
    """Return the step from the mode towards the mean, shape (parameter,), and how many directions it leaves out.

    Parameters
    ----------
    mode : Mode
        Where the log posterior is highest.
    drawn : array of float, shape (body, column)
        Draws of the body to begin with; more are made where the data are small.
    sd : array of float, shape (parameter,)
        Marginal standard deviations, natural units.
    seed : int
        Seed.
    """
    posterior, chance = mode.curvature.target, np.random.default_rng([seed, 3])
    pairs = int(np.clip(PAIR_CELLS // posterior.white.size, *PAIRS))
    if pairs > drawn.shape[1]:
        more = mode.arrow.factor.draws(pairs - drawn.shape[1], chance)
        drawn = np.concatenate([drawn, more], axis=1)
    away = mode.arrow.draws(pairs, chance, drawn[:, :pairs])
    left_out: list[tuple[Floats, Floats]] = []

    def rest(vectors: Floats) -> Floats:
        for direction, slope in left_out:
            vectors = vectors - np.outer(direction, slope @ vectors)
        return vectors

    for _ in range(MOST_HELD + 1):
        gradient = np.zeros(sd.size)
        for column in rest(away).T:
            for point in (mode.position + column, mode.position - column):
                gradient += curvature(posterior, point).gradient / (2 * pairs)
        step = rest(mode.arrow.times(gradient)[:, None])[:, 0]
        if not ((np.abs(step) > LONGEST_STEP[0] * sd) & (np.abs(step) > LONGEST_STEP[1])).any():
            return step, len(left_out)
        for direction, slope in left_out:  # H times the step, of which the gradient has more
            gradient = gradient - slope * (gradient @ direction)
        length = np.sqrt(gradient @ step)
        left_out.append((step / length, gradient / length))
    return np.zeros(sd.size), sd.size


def with_spread(mode: Mode, variance: Floats, solver: Solver, samples: int, seed: int) -> tuple[Mode, Floats]:
    """Return mode and variances under the population mean and standard deviation that fit all players best.

    Parameters
    ----------
    mode : Mode
        Under the priors given.
    variance : array of float, shape (parameter,)
        Marginal variances there.
    solver, samples, seed
        As in `laplace`.
    """
    count = mode.curvature.target.players.size
    if count < 10:
        raise InferenceError(f"spread: expected ten players or more to estimate it from, found {count}")
    for _ in range(SPREAD_ROUNDS):
        posterior = mode.curvature.target
        before = float(posterior.prior_sd[0])
        strength = mode.position[:count]
        centre = float(strength.mean())
        after = float(np.sqrt(np.mean((strength - centre) ** 2 + variance[:count])))
        mean, sd = posterior.prior_mean.copy(), posterior.prior_sd.copy()
        mean[:count], sd[:count] = centre, after
        posterior = replace(posterior, prior_mean=mean, prior_sd=sd)
        mode = find_mode(posterior, solver, start=mode.position)
        variance = mode.arrow.variances(mode.arrow.factor.draws(samples, np.random.default_rng([seed, 2])))
        if abs(after / before - 1.0) < SPREAD_CHANGE:
            return mode, variance
    raise InferenceError(f"spread: expected to settle in {SPREAD_ROUNDS} rounds, last standard deviation {after:.3g}")
