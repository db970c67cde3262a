"""Draws of a trace in another order, with repetitions, read from the trace's own array on request.

Thousands of players make hundreds of megabytes of draws, and a copy of them takes a second. A variable of the class
below stores a list of draws instead; reading some players reads only their draws, and the result of reading all players
is kept.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from xarray.backends import BackendArray
from xarray.core import indexing

from halfpoint.models.games.table import Codes, Floats, Integers

_DRAWS = ("chain", "draw")


class _Resampled(BackendArray):
    """Values (chain, draw, ...), of which draw s is draw `order` s of another array.

    Some columns (draw,) are new, and a number of each draw, `shift` (draw,), is added to all of them.
    """

    def __init__(
        self, base: Floats, order: Codes | None, columns: Mapping[int, Floats], shift: Floats | None = None
    ) -> None:
        self.base, self.order, self.columns, self.shift = base, order, columns, shift
        self.shape, self.dtype = base.shape, base.dtype
        self.whole: Floats | None = None  # all values, once they have been read

    def __getitem__(self, key: Any) -> Any:
        support = indexing.IndexingSupport.OUTER
        return indexing.explicit_indexing_adapter(key, self.shape, support, self._values)

    def _values(self, key: tuple[Any, ...]) -> Floats:
        """Values at an orthogonal index: numbers, slices and arrays."""
        if self.whole is None and _is_whole(key):
            flat = self.base.reshape(-1, *self.shape[2:])
            self.whole = (flat.copy() if self.order is None else flat[self.order]).reshape(self.shape)
            for place, column in self.columns.items():
                self.whole[..., place] = column.reshape(self.shape[:2])
            if self.shift is not None:
                self.whole += self.shift.reshape(self.shape[:2] + (1,) * (len(self.shape) - 2))
                self.whole = _rounded(self.whole, self.dtype)
        if self.whole is not None:
            return np.asarray(_outer(self.whole, key))
        if self.order is None:
            values = _outer(self.base, key)
        else:
            flat = self.base.reshape(-1, *self.shape[2:])
            values = _outer(flat, (slice(None), *key[2:]))[_outer(self.order.reshape(self.shape[:2]), key[:2])]
        if not self.columns and self.shift is None:
            return np.asarray(values)
        wanted = np.arange(self.shape[-1])[key[-1]]
        values = np.array(values)
        for position, place in enumerate(np.ravel(wanted).tolist()):
            if place in self.columns:
                column = _outer(self.columns[place].reshape(self.shape[:2]), key[:2])
                values[... if np.ndim(wanted) == 0 else (..., position)] = column
        if self.shift is not None:
            by = np.asarray(_outer(self.shift.reshape(self.shape[:2]), key[:2]))
            values = _rounded(values + by.reshape(by.shape + (1,) * (values.ndim - by.ndim)), self.dtype)
        return np.asarray(values)


def _rounded(values: npt.NDArray[np.generic], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Values as single precision has them, which makes files half as large, of a dtype."""
    return np.asarray(values, dtype=np.float32).astype(dtype)


def _outer(values: npt.NDArray[Any], key: tuple[Any, ...]) -> npt.NDArray[Any]:
    """Values at an orthogonal index, axis by axis from the last axis."""
    for axis in reversed(range(len(key))):
        values = values[(*(slice(None),) * axis, key[axis])]
    return values


def resampled(values: xr.DataArray, order: Codes) -> xr.DataArray:
    """Draws of a variable by `order`, (draw,) indexes into all chains one after the other.

    Variables without chains and draws do not change. Draws resampled before are not copied either.
    """
    if not set(_DRAWS) <= set(values.dims):
        return values
    if values.dims[:2] != _DRAWS or values.ndim < 3:
        ordered = values.transpose(*_DRAWS, ...)
        flat = ordered.to_numpy().reshape(-1, *ordered.shape[2:])
        return ordered.copy(data=flat[order].reshape(ordered.shape))
    earlier = _earlier(values)
    columns = {place: column[order] for place, column in earlier.columns.items()}
    shift = None if earlier.shift is None else earlier.shift[order]
    return _lazy(
        values, _Resampled(earlier.base, order if earlier.order is None else earlier.order[order], columns, shift)
    )


def replaced(values: xr.DataArray, places: Integers, columns: Floats, shift: Floats | None = None) -> xr.DataArray:
    """A variable (chain, draw, place) with other draws (draw, place) at some places, and `shift` (draw,) added."""
    earlier = _earlier(values)
    if earlier.shift is not None:
        columns = columns - earlier.shift[:, None]
        shift = earlier.shift if shift is None else earlier.shift + shift
    new = dict(zip(places.tolist(), np.ascontiguousarray(columns.T), strict=True))
    return _lazy(values, _Resampled(earlier.base, earlier.order, {**earlier.columns, **new}, shift))


def _earlier(values: xr.DataArray) -> _Resampled:
    """The array of a variable, in its stored form if draws were resampled before."""
    data: Any = getattr(values.variable, "_data", None)
    inner = getattr(data, "array", None)
    if isinstance(inner, _Resampled) and data.shape == inner.shape and _is_whole(data.key.tuple):
        return inner if inner.whole is None else _Resampled(inner.whole, None, {})
    return _Resampled(values.to_numpy(), None, {})


def _lazy(values: xr.DataArray, array: _Resampled) -> xr.DataArray:
    """A variable like another variable, whose values are read from an array on request."""
    variable = xr.Variable(values.dims, indexing.LazilyIndexedArray(array), values.attrs)
    return xr.DataArray(variable, coords=values.coords, name=values.name)


def _is_whole(key: tuple[object, ...]) -> bool:
    """True if an index selects all values in their order."""
    return all(isinstance(index, slice) and index == slice(None) for index in key)
