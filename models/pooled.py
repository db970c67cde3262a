r"""Parameters that share a population with a learned mean and spread.

    x_i = m + s z_i,        z_i ~ N(0, 1),        s ~ HalfNormal(S)

x_i   the player's advantage delta_i, his drawing tendency, or his strength, natural units
m     mean of the population (0 for tendencies)
s     spread of the population; its posterior answers whether players differ at all

Non-centred (z_i sampled) suits parameters that the games of one player hardly move; centred (x_i sampled, in units u_i
of its posterior standard deviation) suits those they fix; between them partly centred, w_i = S0^2 / (S0^2 + u_i^2) with
S0 a first guess of s from the scores:

    y_i ~ N(w_i m, u_i (s / u_i)^w_i),        x_i = m + (s / u_i)^(1 - w_i) (y_i - w_i m)

Where no game sees the mean of all x_i (strengths without anchored opponents), sqrt(n) times it and n - 1 contrasts are
sampled apart, x = m + H y with y_k = s z_k not centred and y_i centred as above about 0 (see `level`); same density.

An anchored opponent has the population's mean. `benchmarks/extended.md` has effective draws of each form.

Papaspiliopoulos, Roberts & Skold (2007) Stat. Sci. 22:59 for the two forms; Gorinova, Moore & Hoffman (2020) ICML for
those between; Gelman (2006) Bayesian Anal. 1:515 for the
half-normal. Pires (2014), section 3.3, names pooled advantages as open.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pymc as pm

from halfpoint.games.cells import Cells
from halfpoint.games.table import Floats
from halfpoint.games.units import to_natural
from halfpoint.models.errors import ModelError
from halfpoint.models.level import reflect
from halfpoint.models.parts import Normal, parameter

Form = Literal["centred", "partly", "non-centred"]


@dataclass(frozen=True)
class Priors:
    """Priors in natural units: normal (mean, standard deviation), half-normal by its scale."""

    advantage_mean: Normal = (to_natural(25.0), to_natural(50.0))
    advantage_spread: float = to_natural(40.0)
    strength_mean: Normal = (to_natural(2705.0), to_natural(400.0))
    strength_spread: float = to_natural(400.0)
    tendency_spread: float = 0.5


def declare(
    name: str,
    mean: Any,
    spread: float,
    unit: Floats,
    form: Form,
    centre: float = 0.0,
    guess: float = 0.0,
    across: Floats | None = None,
) -> Any:
    """Add one parameter a player to the model in context, with `NAME_spread`, and return it, shape (player,).

    Parameters
    ----------
    name : str
        Name of the parameter, natural units.
    mean : float or graph node
        Mean of the population.
    spread : float
        Scale of the half-normal prior of the spread.
    unit : array of float, shape (player,)
        About one posterior standard deviation, for the centred form.
    form : {"centred", "partly", "non-centred"}
        What is sampled.
    centre : float
        A number near the values, which the sampled ones count from.
    guess : float
        First guess of the spread, for the partly centred form.
    across : array of float, shape (player,), optional
        Mirror of `level`, for the partly centred form where no game sees the mean of the values: then what the mean of
        the players differs from the population's is sampled for itself, as its prior has it, and their contrasts too.

    Raises
    ------
    ModelError
        If `form` is none of them.
    """
    if form not in ("centred", "partly", "non-centred"):
        raise ModelError(f"form: expected centred | partly | non-centred, found {form!r}")
    scale = pm.HalfNormal(f"{name}_spread_raw", 1.0) * spread
    scale = pm.Deterministic(f"{name}_spread", scale)
    if form == "non-centred":
        value = mean + scale * pm.Normal(f"{name}_raw", 0.0, 1.0, dims="player")
        return pm.Deterministic(name, value, dims="player")
    share = guess**2 / (guess**2 + unit**2) if form == "partly" else np.ones_like(unit)
    if across is not None:
        share = np.where(across > 0, 0.0, share)
    weight = pm.Data(f"{name}_centring", share, dims="player")
    if across is not None:
        width = scale / unit
        turned = unit * width ** (1.0 - weight) * pm.Normal(f"{name}_raw", 0.0, width**weight, dims="player")
        return pm.Deterministic(name, mean + reflect(turned, across), dims="player")
    middle, width = (mean - centre) / unit, scale / unit
    raw = pm.Normal(f"{name}_raw", weight * middle, width**weight, dims="player")
    value = centre + unit * (middle + width ** (1.0 - weight) * (raw - weight * middle))
    return pm.Deterministic(name, value, dims="player")


def guess_spread(cells: Cells, centre: float | Floats, information: float, unit: Floats, floor: float = 0.25) -> float:
    """Return a first guess of the spread of strengths: one step from all at the centre, less the noise of the step.

    Parameters
    ----------
    cells : Cells
        The games.
    centre : float or array of float, shape (player,)
        Where strengths stand before the step, natural units.
    information : float
        Fisher information of one game between equals.
    unit : array of float, shape (player,)
        About one posterior standard deviation of each strength.
    floor : float
        Least share of the step's variance that counts as spread: the noise is a guess too.
    """
    start = np.broadcast_to(np.asarray(centre, dtype=np.float64), unit.shape)
    known = to_natural(np.nan_to_num(cells.anchor_elo))
    difference = np.where(cells.white < 0, known, start[cells.white])
    difference = difference - np.where(cells.black < 0, known, start[cells.black])
    games = cells.weight.sum(axis=1)
    surplus = cells.weight @ np.array([0.0, 0.5, 1.0]) - games / (1.0 + np.exp(-4.0 * information * difference))
    moved, played = np.zeros((2, unit.size + 1))
    np.add.at(moved, cells.white, surplus)
    np.add.at(moved, cells.black, -surplus)
    for side in (cells.white, cells.black):
        np.add.at(played, side, games)
    step = moved[:-1] / (information * np.maximum(played[:-1], 1.0))
    return float(np.sqrt(max(step.var() - np.mean(unit**2), floor * step.var())))


def declare_mean(name: str, prior: Normal, unit: float) -> Any:
    """Add the mean of a population, `NAME_mean`, to the model in context and return it."""
    return parameter(f"{name}_mean", prior, np.float64(unit))
