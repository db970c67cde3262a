"""The log likelihood of an extended model under each draw, by the model's own formula (see `models.forecast`)."""

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.games.table import Codes, Floats, GameTable
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.imputation import Rule, obey
from halfpoint.models.beyond import Clock, columns_of, months, rows_of
from halfpoint.models.board import seat
from halfpoint.models.catalogue import Declared
from halfpoint.models.extended import Extended
from halfpoint.models.forecast import at_cells, chunks, draws_of, outcome_log_likelihood, reach, total_log_likelihood


def options(declared: Declared) -> tuple[Extended, int]:
    """Return the entry of an extended model and its first month (0 where strengths do not walk)."""
    entry = declared.entry
    if not isinstance(entry, Extended):
        raise InferenceError(f"model {entry.name}: expected one beyond the study")
    return entry, int(months(declared.selection.games).min()) if entry.strength == "walk" else 0


def extended_total(declared: Declared, posterior: xr.Dataset) -> Floats:
    """Return the weighted log likelihood of all games for each draw, shape (draw,), chains one after the other."""
    entry, first = options(declared)
    rows = at_cells(entry, declared.selection, declared.cells, first)
    return total_log_likelihood(entry, posterior, declared.cells, rows)


def extended_log_likelihood(
    declared: Declared, posterior: xr.Dataset, kept: npt.NDArray[np.int64]
) -> npt.NDArray[np.float32]:
    """Return the unweighted log likelihood of each game for the draws `kept`, shape (draw, game), single precision."""
    entry, first = options(declared)
    p = {name: value[kept] for name, value in draws_of(posterior).items()}
    rows = rows_of(entry, declared.selection, first)
    return outcome_log_likelihood(entry, p, rows, declared.selection.games.outcome).astype(np.float32)


def extended_probabilities(
    entry: Extended,
    posterior: xr.Dataset,
    games: GameTable,
    places: tuple[Codes, Codes],
    ratings: tuple[Floats, Floats],
    seed: int = 0,
    rule: Rule | None = None,
    clock: Clock | None = None,
) -> Floats:
    """Return the probabilities of new games, shape (outcome, draw, game); half-point models have draws of 0.

    Parameters
    ----------
    entry : Extended
        The model.
    posterior : xarray.Dataset
        Its draws.
    games : GameTable
        The games, with months where strengths walk and covariates where the model has some.
    places : two arrays of int32, shape (game,)
        White and Black among the players of the model, -1 where unknown.
    ratings : two arrays of float, shape (game,)
        Ratings of the unknown in natural units.
    seed : int
        Seed of the innovations after a walk's last month.
    rule : Rule, optional
        What stands in for what the model does not know; the model's own by default.
    clock : {"period", "date"}, optional
        What the months of a walk were.
    """
    first = int(posterior["month"][0]) if entry.strength == "walk" else 0
    month = months(games, clock) - first if entry.strength == "walk" else None
    rows = seat(*places, *ratings, month, columns_of(entry, games).columns)
    p = obey(rule or Rule(), entry, reach(entry, draws_of(posterior), rows, seed), *places)
    result = np.empty((3, p["strength"].shape[0], len(games)))
    for part, value in chunks(entry, p, rows):
        result[:, part] = np.moveaxis(np.exp(value), -1, 0)
    if 1 not in entry.normalised:
        result[1] = 0.0
    return result
