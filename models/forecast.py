"""Log probabilities of games from the draws of an extended model: the model's own formula on arrays.

Draws of all chains stand one after the other. A walk goes on beyond its last month with fresh innovations, so that a
forecast h months ahead carries the uncertainty of h months.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.cells import Cells
from halfpoint.games.select import Selection
from halfpoint.games.table import Codes, Floats
from halfpoint.models.beyond import rows_of
from halfpoint.models.board import Board, board, log_probability
from halfpoint.models.dynamic import carry_on
from halfpoint.models.errors import ModelError
from halfpoint.models.extended import Extended, scores

CHUNK_VALUES = 2_000_000  # (draw, game) pairs at a time
NEEDED = (
    "strength",
    "advantage",
    "advantage_mean",
    "log_draw",
    "draw_slope",
    "draw_tendency",
    "anchor_scale",
    "anchor_level",
    "innovation_spread",
    "advantage_effect",
    "log_draw_effect",
    "strength_effect",
)


def draws_of(posterior: xr.Dataset, thin: int = 1) -> dict[str, Floats]:
    """Return the parameters that formulas read, each of shape (draw, ...), chains one after the other."""
    found: dict[str, Floats] = {}
    for name in NEEDED:
        if name in posterior:
            value = posterior[name].transpose("chain", "draw", ...).to_numpy()[:, ::thin]
            found[name] = value.reshape(-1, *value.shape[2:]).astype(np.float64)
    return found


def reach(entry: Extended, p: dict[str, Floats], rows: Board, seed: int = 0) -> dict[str, Floats]:
    """Return the parameters with walks carried on to the last month of `rows`.

    Raises
    ------
    ModelError
        If a game is older than the first month of the walk.
    """
    if entry.strength != "walk":
        return p
    if rows.month.min() < 0:
        raise ModelError("forecast: expected games no older than the first month of the model, found older ones")
    missing = int(rows.month.max()) + 1 - p["strength"].shape[-1]
    if missing <= 0:
        return p
    return {**p, "strength": carry_on(p["strength"], p["innovation_spread"], missing, seed)}


def chunks(entry: Extended, p: dict[str, Floats], rows: Board) -> Iterator[tuple[slice, Floats]]:
    """Yield (draws, log probabilities (draw, row, outcome)); a half-point draw is the mean of the other two."""
    count = p["strength"].shape[0]
    step = max(1, CHUNK_VALUES // max(1, len(rows)))
    for start in range(0, count, step):
        part = slice(start, start + step)
        here: dict[str, Any] = {name: value[part] for name, value in p.items()}
        yield part, log_probability(scores(entry, here, rows), entry.normalised)


def log_probabilities(
    entry: Extended, posterior: xr.Dataset, selection: Selection, first_month: int = 0, thin: int = 1, seed: int = 0
) -> Floats:
    """Return the log probabilities of new games under each draw, shape (draw, game, outcome).

    Parameters
    ----------
    entry : Extended
        The model.
    posterior : xarray.Dataset
        Its draws.
    selection : Selection
        The games, with the same monitored players in the same order.
    first_month : int
        Number of the model's first month (walks).
    thin : int
        Keep every n-th draw of a chain.
    seed : int
        Seed of the innovations after a walk's last month.

    Raises
    ------
    ModelError
        If the players are others, or games are older than a walk.
    """
    if posterior["player"].values.tolist() != selection.players.tolist():
        raise ModelError("forecast: expected the players of the model in its order, found others")
    rows = rows_of(entry, selection, first_month)
    p = reach(entry, draws_of(posterior, thin), rows, seed)
    return np.concatenate([value for _, value in chunks(entry, p, rows)])


def total_log_likelihood(entry: Extended, posterior: xr.Dataset, cells: Cells, rows: Board) -> Floats:
    """Return the weighted log likelihood of all cells for each draw, shape (draw,)."""
    values = [
        np.tensordot(value, cells.weight, axes=([1, 2], [0, 1]))
        for _, value in chunks(entry, draws_of(posterior), rows)
    ]
    return np.concatenate(values)


def outcome_log_likelihood(entry: Extended, p: dict[str, Floats], rows: Board, outcome: Codes) -> Floats:
    """Return the unweighted log likelihood of each game under each draw, shape (draw, game)."""
    index = outcome[None, :, None].astype(np.intp)
    return np.concatenate([np.take_along_axis(value, index, axis=2)[..., 0] for _, value in chunks(entry, p, rows)])


def at_cells(entry: Extended, selection: Selection, cells: Cells, first_month: int = 0) -> Board:
    """Return the board of cells: that of one game of each cell."""
    rows = rows_of(entry, selection, first_month)
    game = np.zeros(len(cells), dtype=np.int64)
    game[cells.cell_of_game] = np.arange(len(selection))
    effects = {name: values[game] for name, values in rows.effects.items()}
    return replace(board(cells), month=rows.month[game], effects=effects)
