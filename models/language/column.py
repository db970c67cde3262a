"""A column of games as a model function reads it, with statistics of the games of the fit.

    x = games.column("year");  z = (x - x.mean()) / x.std()

A function runs on the games of the fit, and later on other games: fixtures, a match, a rating list. There the mean, the
standard deviation and all other summaries remain those of the fit, through arithmetic and NumPy's functions.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import Floats

# functions of NumPy that summarize a column in few numbers
_SUMMARIES = {
    np.mean, np.median, np.average, np.std, np.var, np.min, np.max, np.ptp, np.sum, np.prod, np.quantile,
    np.percentile, np.any, np.all, np.count_nonzero, np.nanmean, np.nanmedian, np.nanstd, np.nanvar, np.nanmin,
    np.nanmax, np.nansum, np.nanquantile, np.nanpercentile,
}  # fmt: skip
# functions whose result has the rows of its columns: elementwise ones, and matrices of columns
_BY_ROW = {np.clip, np.where, np.stack, np.column_stack, np.vstack, np.hstack}


class Column(np.ndarray):
    """Column of some rows, with summaries of the games of the fit."""

    fit: Any = None  # the same column of the games of the fit, (game,)

    @classmethod
    def of(cls, values: Floats, fit: npt.NDArray[np.generic] | None) -> Self:
        """Column of rows, (row,), with the same column of the games of the fit, (game,)."""
        column = np.asarray(values).view(cls)
        column.fit = fit
        return column

    def __array_finalize__(self, other: object) -> None:
        self.fit = None  # of a part or a copy; arithmetic carries it

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: object) -> Any:
        plain = [np.asarray(value) if isinstance(value, Column) else value for value in inputs]
        options = {name: value for name, value in options.items() if name != "out"}
        fits = [value.fit if isinstance(value, Column) else value for value in inputs]
        if any(value is None for value in fits):
            return getattr(ufunc, method)(*plain, **options)
        if method != "__call__":  # a sum or a product over the column
            return getattr(ufunc, method)(*fits, **options)
        values = ufunc(*plain, **options)
        sizes = {np.shape(value) for value in fits if 0 < np.ndim(value) == max(map(np.ndim, fits))}
        return (
            Column.of(values, ufunc(*fits, **options)) if len(sizes) == 1 and values is not NotImplemented else values
        )

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Iterable[type],
        inputs: Iterable[object],
        options: Mapping[str, object],
    ) -> Any:
        summarises = function in _SUMMARIES
        values = function(*_plain(inputs, summarises), **_plain(options, summarises))
        if function not in _BY_ROW:
            return values
        try:
            return Column.of(values, function(*_plain(inputs, True), **_plain(options, True)))
        except ValueError:  # beside a plain array of other rows
            return values

    def astype(self, dtype: Any, *inputs: Any, **options: Any) -> Any:
        """Column of another type."""
        rows = np.asarray(self).astype(dtype, *inputs, **options)
        return rows if self.fit is None else Column.of(rows, np.asarray(self.fit).astype(dtype))

    def _summary(self, name: str, *inputs: object, **options: object) -> Any:
        source = np.asarray(self) if self.fit is None else np.asarray(self.fit)
        return getattr(source, name)(*inputs, **options)

    def mean(self, *inputs: object, **options: object) -> Any:
        """Mean over the games of the fit."""
        return self._summary("mean", *inputs, **options)

    def std(self, *inputs: object, **options: object) -> Any:
        """Standard deviation over the games of the fit."""
        return self._summary("std", *inputs, **options)

    def var(self, *inputs: object, **options: object) -> Any:
        """Variance over the games of the fit."""
        return self._summary("var", *inputs, **options)

    def min(self, *inputs: object, **options: object) -> Any:
        """Smallest value in the games of the fit."""
        return self._summary("min", *inputs, **options)

    def max(self, *inputs: object, **options: object) -> Any:
        """Largest value in the games of the fit."""
        return self._summary("max", *inputs, **options)

    def sum(self, *inputs: object, **options: object) -> Any:
        """Sum over the games of the fit."""
        return self._summary("sum", *inputs, **options)


def _plain(value: object, summarises: bool) -> Any:
    """Plain arrays of the columns in a value: of the rows, or with `summarises` of the games of the fit."""
    if isinstance(value, list | tuple):
        return type(value)([_plain(part, summarises) for part in value])
    if isinstance(value, Mapping):
        return {name: _plain(part, summarises) for name, part in value.items()}
    if not isinstance(value, Column):
        return value
    return np.asarray(value.fit if summarises and value.fit is not None else value)
