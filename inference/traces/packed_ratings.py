"""Ratings of players as 16-bit whole numbers in a file, with a scale factor and an offset as CF conventions have them.

Elo points are reported, and no formula reads them (`halfpoint.models.declaration.posterior_reader.REPORTED`), so that
steps of 1/64 to 1/8 of a point are enough. A file has them only if all values are on the grid, so that what is read is
what was in memory.
"""

from typing import Any

import numpy as np
import xarray as xr

PACKED = ("rating_elo", "rating_elo_by_month")
_LEAST, _MOST = 2.0**-6, 2.0**-3  # steps, Elo points
_LARGEST, _MISSING = 32_767, -32_768  # whole numbers; that of a missing value


def _grid_of(value: xr.DataArray) -> tuple[float, float] | None:
    """Offset and step of a grid with at most 65,535 places, None if its steps would be too long."""
    low, high = float(value.min(skipna=False)), float(value.max(skipna=False))
    if not (np.isfinite(low) and np.isfinite(high)):
        return None
    offset = float(np.rint((low + high) / 2.0))
    reach = max(high - offset, offset - low, _LEAST)
    step = max(_LEAST, float(2.0 ** np.ceil(np.log2((reach + _MOST) / _LARGEST))))
    return (offset, step) if step <= _MOST and abs(offset) + reach < 2.0**17 else None  # exact in single precision


def round_ratings(posterior: xr.Dataset) -> xr.Dataset:
    """Posterior whose ratings are on the grid of a file; of other variables nothing changes."""
    rounded = {}
    for name in PACKED:
        if name in posterior and posterior[name].size and (grid := _grid_of(posterior[name])) is not None:
            offset, step = grid
            rounded[name] = offset + step * np.rint((posterior[name] - offset) / step)
            rounded[name].attrs = posterior[name].attrs
    return posterior.assign(rounded)


def packing_of(value: xr.DataArray) -> dict[str, Any] | None:
    """Encoding of ratings on a grid, None for others."""
    if value.dtype.kind != "f" or not value.size or (grid := _grid_of(value)) is None:
        return None
    offset, step = grid
    places = (value.to_numpy() - offset) / step
    if not np.array_equal(places, np.rint(places)):
        return None
    return {"dtype": "int16", "scale_factor": step, "add_offset": offset, "_FillValue": np.int16(_MISSING)}
