r"""Level and contrasts of strengths apart, where nobody is anchored: games tell differences, the prior tells the rest.

    x = c + H y,     H = I - 2 v v' / (v' v),     v = e_k - 1 / sqrt(n)

x      strengths of n players who only met one another, iid N(c, T^2) under their prior, any unit
k      the player with most games
y_k    sqrt(n) times how far the mean of all strengths is from c: the level, which no game sees
y_i    n - 1 contrasts, which the games see and the level does not touch

H is a reflection, its own inverse, with H 1 = sqrt(n) e_k: it lengthens nothing, so y are iid N(0, T^2) and the density
of x is as stated. What it mends is the target of NUTS: along the level the posterior is the prior, thousands of times
as wide as a contrast, and chains that sample x walk this ridge instead of the contrasts. Here y_k is sampled in units
of its prior, which is its posterior, and y_i in units of about one posterior standard deviation.

Every x_i but the one of k is y_i plus one number common to all, so the games may be given, in the place of x,

    s_i = y_i,       s_k = sum over the others of y_i / (sqrt(n) - 1)

which differ from x by that common number and hold no level at all.

Householder (1958) J. ACM 5:339. Ford (1957) Am. Math. Monthly 64(8):28 for what games between players can tell.
"""

from typing import Any

import numpy as np
import pymc as pm

from halfpoint.games.cells import Cells
from halfpoint.games.table import Floats
from halfpoint.models.parts import Normal, parameter


def mirror(cells: Cells) -> Floats | None:
    """Return the mirror of players who only met one another: v scaled so that H = I - v v'; None with anchored games.

    Parameters
    ----------
    cells : Cells
        The games.

    Returns
    -------
    array of float, shape (player,), or None
        Its one positive element is that of the player with most games.
    """
    count = cells.players.size
    if count < 2 or (cells.white < 0).any() or (cells.black < 0).any():
        return None
    games = cells.weight.sum(axis=1)
    played = np.bincount(cells.white, games, count) + np.bincount(cells.black, games, count)
    v = np.full(count, -(count**-0.5))
    v[played.argmax()] += 1.0
    return np.asarray(v * np.sqrt(2.0 / (v @ v)))


def reflect(value: Any, across: Any) -> Any:
    """Return H times a vector over players, an array or a graph node; twice is nothing."""
    return value - across * (across * value).sum()


def seen(contrasts: Any, across: Floats) -> Any:
    """Return what the games see of a reflected vector, shape (player,): H y but for a number common to all players."""
    first = (across > 0).astype(np.float64)
    others = contrasts * (1.0 - first)
    return others + first * (others.sum() / (np.sqrt(across.size) - 1.0))


def declare(name: str, prior: Normal, unit: Floats, cells: Cells) -> tuple[Any, Any]:
    """Add one normal parameter a player to the model in context; without anchors, level and contrasts apart.

    Parameters
    ----------
    name : str
        Name users see; the sampled variable is `name` + "_raw".
    prior : (float, float)
        Mean and standard deviation of the normal prior, in the parameter's own unit.
    unit : array of float, shape (player,)
        About one posterior standard deviation, in the parameter's own unit.
    cells : Cells
        The games.

    Returns
    -------
    value, seen : TensorVariable, shape (player,)
        The parameter, registered as a deterministic, and what the games may be given in its place.
    """
    across = mirror(cells)
    if across is None:
        value = parameter(name, prior, unit, "player")
        return value, value
    mean, sd = prior
    own = np.where(across > 0, sd, unit)
    centre = pm.Data(f"{name}_centre", np.float64(mean))
    scale = pm.Data(f"{name}_unit", own, dims="player")
    spread = pm.Data(f"{name}_spread", sd / own, dims="player")
    pm.Data(f"{name}_mirror", across, dims="player")
    turned = scale * pm.Normal(f"{name}_raw", 0.0, spread, dims="player")
    return pm.Deterministic(name, centre + reflect(turned, across), dims="player"), seen(turned, across)


def sampled(model: pm.Model, name: str, value: Any) -> Floats:
    """Return the sampled point at which a normal parameter of the model has this value, in its own unit.

    Parameters
    ----------
    model : pymc.Model
        The model.
    name : str
        Name of a parameter that `declare` or `parts.parameter` made.
    value : array of float
        Its value.
    """
    moved = np.asarray(value, dtype=np.float64) - model[f"{name}_centre"].get_value()
    if f"{name}_mirror" in model.named_vars:
        moved = reflect(moved, model[f"{name}_mirror"].get_value())
    return np.asarray(moved / model[f"{name}_unit"].get_value())
