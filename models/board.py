r"""Games as the extended models read them, and the likelihood of cells for any formula of a game.

An extended formula is bare arithmetic on a mapping `p` of parameter name to array or graph node. Leading dims are
draws, the last ones the parameter's own: `p["strength"]` is (..., player) or (..., player, month), `p["log_draw"]` is
(...,). So one line of code serves the sampler, the pointwise likelihood, the forecast and the tests.

    log L = sum over cells and outcomes of  omega (s_outcome - log sum over the outcomes of exp(s))

s is what a formula returns, (loss, draw, win) on the log scale up to a common constant; omega the cell's summed weight.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pytensor.gradient import disconnected_grad

from halfpoint.games.cells import Cells
from halfpoint.games.select import Selection
from halfpoint.games.table import Codes, Floats
from halfpoint.games.units import to_natural

Parameters = Mapping[str, Any]
Scores = tuple[Any, Any, Any]


@dataclass(frozen=True, eq=False)
class Board:
    """Who sits where in each row (a cell or a game), as plain arrays.

    Parameters
    ----------
    white, black : array of int32, shape (row,)
        Index of the player; 0 where that side is anchored.
    white_monitored, black_monitored : array of float, shape (row,)
        1 where that side is a monitored player, 0 where it is anchored.
    white_anchor, black_anchor : array of float, shape (row,)
        Known rating of that side in natural units; of no effect where the player is monitored.
    month : array of int64, shape (row,)
        Index of the month, for strengths that walk; zeros otherwise.
    effects : mapping of str to array of float, shape (row, term)
        Columns of covariates by what they act on: "advantage", "log_draw", "strength".
    """

    white: Codes
    black: Codes
    white_monitored: Floats
    black_monitored: Floats
    white_anchor: Floats
    black_anchor: Floats
    month: Any
    effects: Mapping[str, Floats]

    def __len__(self) -> int:
        return int(self.white.size)


def board(games: Cells | Selection, month: Any = None, effects: Mapping[str, Floats] | None = None) -> Board:
    """Return the board of cells, or of the single games of a selection.

    Parameters
    ----------
    games : Cells or Selection
        Rows with `white`, `black` (-1 anchored) and `anchor_elo`.
    month : array of int, shape (row,), optional
        Month of each row, counted from the first month of the model.
    effects : mapping of str to array, shape (row, term), optional
        Columns of covariates.
    """
    anchor = to_natural(np.nan_to_num(games.anchor_elo))
    return seat(games.white, games.black, anchor, anchor, month, effects)


def seat(
    white: Codes,
    black: Codes,
    white_anchor: Floats,
    black_anchor: Floats,
    month: Any = None,
    effects: Mapping[str, Floats] | None = None,
) -> Board:
    """Return the board of rows with players -1 where that side is anchored; anchors in natural units."""
    months = np.zeros(white.size, dtype=np.int64) if month is None else np.asarray(month, dtype=np.int64)
    return Board(
        np.maximum(white, 0),
        np.maximum(black, 0),
        (white >= 0).astype(np.float64),
        (black >= 0).astype(np.float64),
        np.where(white >= 0, 0.0, white_anchor),
        np.where(black >= 0, 0.0, black_anchor),
        months,
        dict(effects or {}),
    )


def strengths(p: Parameters, rows: Board, anchors: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
    """Return the strengths of White and Black, shape (..., row), natural units, without any advantage.

    Parameters
    ----------
    p : mapping
        With `strength`, (..., player) or, if `innovation_spread` is there, (..., player, month).
    rows : Board
        The games.
    anchors : two arrays or graph nodes, shape (..., row), optional
        Strengths of anchored White and Black; the FIDE ratings in natural units if not given.
    """
    white_known, black_known = (rows.white_anchor, rows.black_anchor) if anchors is None else anchors
    g = p["strength"]
    if "innovation_spread" in p:
        white, black = g[..., rows.white, rows.month], g[..., rows.black, rows.month]
    else:
        white, black = g[..., rows.white], g[..., rows.black]
    white = white * rows.white_monitored + white_known * (1 - rows.white_monitored)
    black = black * rows.black_monitored + black_known * (1 - rows.black_monitored)
    return white, black


def of_player(value: Any, rows: Board, anchored: Any) -> tuple[Any, Any]:
    """Return a player's quantity at White's and Black's seat, shape (..., row), `anchored` where nobody is."""
    white = value[..., rows.white] * rows.white_monitored + anchored * (1 - rows.white_monitored)
    black = value[..., rows.black] * rows.black_monitored + anchored * (1 - rows.black_monitored)
    return white, black


def each(value: Any) -> Any:
    """Return a value of one number a draw, shape (...,), with a last axis for the rows."""
    return value[..., None]


def observe(scores: Scores, over: tuple[int, ...], weight: Floats) -> None:
    """Add the weighted log-potential of cells to the model; `weight` becomes data, so that it can be swapped.

    Parameters
    ----------
    scores : (loss, draw, win)
        Graph nodes of shape (cell,), on the log scale up to a common constant.
    over : tuple of int
        Outcomes whose probabilities sum to one.
    weight : array of float, shape (cell, outcome)
        Summed weights.
    """
    data = pm.Data("weight", weight)
    largest = scores[over[0]]
    for outcome in over[1:]:
        largest = pt.maximum(largest, scores[outcome])
    largest = disconnected_grad(largest)  # it cancels, so its gradient is zero and need not be computed
    total = largest + pt.log(sum(pt.exp(scores[outcome] - largest) for outcome in over))
    potential = sum(data[:, outcome] * (scores[outcome] - total) for outcome in range(3))
    pm.Potential("log_likelihood", potential.sum())


def log_probability(scores: Scores, over: tuple[int, ...]) -> Floats:
    """Return log probabilities, shape (..., row, outcome), from a formula's scores as arrays."""
    stacked = np.stack(np.broadcast_arrays(*scores), axis=-1)
    chosen = stacked[..., list(over)]
    largest = chosen.max(axis=-1, keepdims=True)
    return np.asarray(stacked - largest - np.log(np.exp(chosen - largest).sum(axis=-1, keepdims=True)))
