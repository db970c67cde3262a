r"""Parts that the models share: scaled normal parameters, advantages, seats at the board, the weighted log-potential.

Who sits at the board. The two sides of a game enter every formula as one number each,

    white = g_i + a_i,     black = g_j - b_j,

g the strength, a what the first move is worth to White, b what it costs Black. A vector over players gets one more
slot, the last, for anchored opponents: index -1 reads it, and the anchor (a known rating) is added to it.

Geometry. A parameter x with prior N(mean, sd^2) is sampled as raw = (x - mean) / unit with unit about one posterior
standard deviation, so that NUTS meets a round target; log densities change by a constant only.
"""

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pymc as pm
import pytensor.tensor as pt

from halfpoint.games.cells import Cells
from halfpoint.models.errors import ModelError
from halfpoint.models.fused import family, fused_log_potential

Advantage = Literal["none", "common", "player"]
ADVANTAGES: tuple[Advantage, ...] = ("none", "common", "player")
Backend = Literal["fused", "graph"]
BACKENDS: tuple[Backend, ...] = ("fused", "graph")
Normal = tuple[float, float]
Floats = npt.NDArray[np.float64]


def coords(cells: Cells) -> dict[str, Any]:
    """Return the dims of a model of `cells`: player and outcome (loss, draw, win for White)."""
    return {"player": cells.players.astype(object), "outcome": ["loss", "draw", "win"]}


def parameter(name: str, prior: Normal, unit: float | Floats, dims: str | None = None, shift: Any = None) -> Any:
    """Declare a normal parameter sampled in units of about one posterior standard deviation.

    Parameters
    ----------
    name : str
        Name users see; the sampled variable is `name` + "_raw".
    prior : (float, float)
        Mean and standard deviation of the normal prior, in the parameter's own unit.
    unit : float or array of shape (player,)
        About one posterior standard deviation, in the parameter's own unit.
    dims : str, optional
        "player" for one per player.
    shift : TensorVariable, optional
        What the parameter follows: the sampled variable is (x - mean - shift) / unit; the density of x is the same.

    Returns
    -------
    TensorVariable
        The parameter in its own unit, registered as a deterministic.
    """
    mean, sd = prior
    centre = pm.Data(f"{name}_centre", np.float64(mean))
    scale = pm.Data(f"{name}_unit", np.asarray(unit, dtype=np.float64), dims=dims)
    spread = pm.Data(f"{name}_spread", np.asarray(sd / np.asarray(unit), dtype=np.float64), dims=dims)
    if shift is None:
        raw = pm.Normal(f"{name}_raw", 0.0, spread, dims=dims)
        return pm.Deterministic(name, centre + scale * raw, dims=dims)
    raw = pm.Normal(f"{name}_raw", -shift / scale, spread, dims=dims)
    return pm.Deterministic(name, centre + shift + scale * raw, dims=dims)


def posterior_scale(cells: Cells, prior_sd: float, information: float, of: Literal["player", "all"]) -> Any:
    """Return about one posterior standard deviation: 1 / sqrt(1 / prior_sd^2 + information * games).

    Parameters
    ----------
    cells : Cells
        The games.
    prior_sd : float
        Standard deviation of the prior.
    information : float
        Fisher information of one game, in 1 / unit^2 of the parameter.
    of : {"player", "all"}
        One value per player, from his games, or a single one from all games.

    Returns
    -------
    array of shape (player,), or float
    """
    games = cells.weight.sum(axis=1)
    if of == "all":
        return float((prior_sd**-2 + information * games.sum()) ** -0.5)
    played = np.zeros(cells.players.size + 1)
    np.add.at(played, cells.white, games)
    np.add.at(played, cells.black, games)
    return (prior_sd**-2 + information * played[:-1]) ** -0.5


def advantages(kind: Advantage, prior: Normal, anchored: float, cells: Cells, information: float) -> tuple[Any, Any]:
    """Declare White's advantage; return a and b, shape (player + 1,), the last slot for anchored opponents.

    Parameters
    ----------
    kind : {"none", "common", "player"}
        None; one whole advantage for all games (a = delta, b = 0); or half an advantage per player (a = b = delta_i).
    prior : (float, float)
        Mean and standard deviation of delta.
    anchored : float
        Known delta of an anchored opponent when there is one delta per player.
    cells : Cells
        The games.
    information : float
        Fisher information of one game (see `posterior_scale`).

    Raises
    ------
    ModelError
        If `kind` is unknown.
    """
    zero = pt.zeros(cells.players.size + 1)
    if kind == "none":
        return zero, zero
    if kind == "common":
        delta = parameter("advantage", prior, posterior_scale(cells, prior[1], information, "all"))
        return zero + delta, zero
    if kind == "player":
        unit = posterior_scale(cells, prior[1], information, "player")
        delta = parameter("advantage", prior, unit, dims="player")
        half = pt.concatenate([delta, [pm.Data("anchored_advantage", np.float64(anchored))]])
        return half, half
    raise ModelError(f"advantage: expected {' | '.join(ADVANTAGES)}, found {kind!r}")


def seats(strength: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Return what each player brings to the White and the Black seat, shape (player + 1,), last slot anchored."""
    known = pt.concatenate([strength, [0.0]])
    return known + a, known - b


def normalise(scores: tuple[Any, Any, Any], over: tuple[int, ...]) -> Any:
    """Return log probabilities (cell, outcome) from scores (loss, draw, win), normalised over some outcomes."""
    stacked = pt.stack(scores, axis=-1)
    return stacked - pt.logsumexp(stacked[..., list(over)], axis=-1, keepdims=True)


def observe(
    cells: Cells,
    scores: Callable[..., tuple[Any, Any, Any]],
    over: tuple[int, ...],
    white_seat: Any,
    black_seat: Any,
    anchor: Floats,
    *further: Any,
    backend: Backend = "fused",
) -> None:
    """Add the weighted log-potential of the cells to the model.

    Parameters
    ----------
    cells : Cells
        The games.
    scores : callable
        The formula: (white, black, *further) -> (loss, draw, win) on the log scale, each of shape (cell,).
    over : tuple of int
        Outcomes whose probabilities sum to one.
    white_seat, black_seat : TensorVariable, shape (player + 1,)
        From `seats`.
    anchor : array of float, shape (cell,)
        Anchors on the scale of the seats; 0 where both players are monitored.
    *further
        Further parameters of the formula (log_draw).
    backend : {"fused", "graph"}
        One compiled pass for value and gradient, or the formula as a graph. A formula that is not one of the two
        families goes to the graph, with a warning.

    Raises
    ------
    ModelError
        If `backend` is unknown.
    """
    if backend not in BACKENDS:
        raise ModelError(f"backend: expected {' | '.join(BACKENDS)}, found {backend!r}")
    known_white = pm.Data("anchor_white", np.where(cells.white < 0, anchor, 0.0))
    known_black = pm.Data("anchor_black", np.where(cells.black < 0, anchor, 0.0))
    i, j, weight = pm.Data("white", cells.white), pm.Data("black", cells.black), pm.Data("weight", cells.weight)
    if backend == "fused" and family(scores, over, further) is not None:
        value = fused_log_potential(white_seat, black_seat, i, j, known_white - known_black, weight, *further)
    else:
        if backend == "fused":
            message = "the formula is neither Bradley-Terry's nor Davidson's: it runs as a graph, slower and as exact"
            warnings.warn(message, stacklevel=3)
        each = normalise(scores(white_seat[i] + known_white, black_seat[j] + known_black, *further), over)
        value = (weight * each).sum()
    pm.Potential("log_likelihood", value)
