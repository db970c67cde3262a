"""The log likelihood of an extended model under each draw, by the model's own formula (see `models.forecast`)."""

import numpy as np
import numpy.typing as npt
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.models.beyond import rows_of
from halfpoint.models.catalogue import Declared
from halfpoint.models.extended import Extended
from halfpoint.models.forecast import at_cells, draws_of, outcome_log_likelihood, total_log_likelihood
from halfpoint.models.periods import months


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
