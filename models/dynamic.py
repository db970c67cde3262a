r"""Strengths that walk from month to month.

    g_i,t+1 = g_i,t + sigma e_i,t,     e_i,t ~ N(0, 1)

g_i,t   strength of player i in month t, natural units, shape (player, month)
sigma   `innovation_spread`, natural units per square root of a month, sigma ~ HalfNormal(S)
l_i     `level`: the mean of g_i,t over the months; its prior is flat next to what the games say

Who does not play keeps walking: his expected strength stays, its variance grows by sigma^2 a month. h months after the
last one, g ~ N(g_i,T, h sigma^2); this is the forecast.

The forms of one and the same walk, by what is sampled:

    waves        g_i = l_i + sigma U S y_i, y ~ N(0, 1): the mean-removed walk in its principal components U S, slow
                 waves first, so that what the games see is apart from what only the prior sees
    increments   g_i = l_i + sigma C e_i: the innovations themselves, summed (C) and mean-removed
    centred      g_i = l_i + C x_i, x ~ N(0, sigma^2)

Effective draws of sigma a CPU second of sampling on the study's games (46 players, 35 months, 2 chains of 400 + 1000
draws): waves 24, increments 32, two figures that their Monte Carlo error does not tell apart; centred 0.1, R-hat 1.65.

Glickman (1993), PhD thesis, Harvard; Glickman (1999) Appl. Stat. 48:377, eq. 3. Differs from both: the variance of an
innovation is the same for all players and learned with everything else; no approximation.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pymc as pm
import pytensor.tensor as pt

from halfpoint.games.cells import Cells
from halfpoint.games.table import Floats
from halfpoint.games.units import to_natural
from halfpoint.models import level
from halfpoint.models.errors import ModelError
from halfpoint.models.parts import Normal

Walk = Literal["waves", "increments", "centred"]


@dataclass(frozen=True)
class Priors:
    """Priors in natural units: normal (mean, standard deviation), half-normal by its scale."""

    level: Normal = (15.0, 400.0)
    innovation_spread: float = to_natural(20.0)


def basis(months: int, form: Walk) -> Floats:
    """Return the matrix from sampled innovations to mean-removed walks, shape (innovation, month).

    Raises
    ------
    ModelError
        If there are fewer than two months or the form is unknown.
    """
    if months < 2:
        raise ModelError(f"strengths that walk: expected games of at least two months, found {months}")
    steps = np.tril(np.ones((months, months)), -1)[:, :-1]
    removed = steps - steps.mean(axis=0)
    if form in ("increments", "centred"):
        return np.asarray(removed.T)
    if form == "waves":
        left, singular, _ = np.linalg.svd(removed, full_matrices=False)
        return np.asarray((left * singular).T)
    raise ModelError(f"form: expected waves | increments | centred, found {form!r}")


def declare(
    cells: Cells, months: int, unit: Floats, priors: Priors | None = None, form: Walk = "waves"
) -> dict[str, Any]:
    """Add walking strengths to the model in context; return `strength` (player, month) and `innovation_spread`.

    Parameters
    ----------
    cells : Cells
        The games.
    months : int
        Number of months; the model in context has the dims player and month.
    unit : array of float, shape (player,)
        About one posterior standard deviation of a level.
    priors : Priors, optional
        Priors in natural units.
    form : {"waves", "increments", "centred"}
        What is sampled.
    """
    priors = priors or Priors()
    matrix = basis(months, form)
    start, _ = level.declare("level", priors.level, unit, cells)
    spread = pm.Deterministic(
        "innovation_spread", pm.HalfNormal("innovation_spread_raw", 1.0) * priors.innovation_spread
    )
    if form == "centred":
        walk = pm.Normal("step_raw", 0.0, spread, dims=("player", "innovation")) @ matrix
    else:
        walk = spread * (pm.Normal("step_raw", 0.0, 1.0, dims=("player", "innovation")) @ matrix)
    strength = pm.Deterministic("strength", pt.expand_dims(start, -1) + walk, dims=("player", "month"))
    return {"strength": strength, "innovation_spread": spread}


def carry_on(strength: Floats, spread: Floats, months: int, seed: int) -> Floats:
    """Return strengths with further months, the walk going on: shape (..., player, month + months).

    Parameters
    ----------
    strength : array, shape (..., player, month)
        Draws of strengths.
    spread : array, shape (...,)
        Draws of `innovation_spread`.
    months : int
        How many months to add.
    seed : int
        Seed of the innovations.
    """
    rng = np.random.default_rng(seed)
    steps = rng.standard_normal((*strength.shape[:-1], months)) * np.asarray(spread)[..., None, None]
    return np.concatenate([strength, strength[..., -1:] + np.cumsum(steps, axis=-1)], axis=-1)
