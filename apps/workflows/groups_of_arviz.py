"""A trace that names the remedy where a function of ArviZ looks for a group that the trace lacks."""

import warnings
from typing import Any, Self

import xarray as xr

_ADDED = {
    "log_likelihood": "The trace has no log likelihood of each game: use az.loo(hp.with_predictive(trace)).",
    "posterior_predictive": "The trace has no simulated results: use hp.with_predictive(trace).",
    "prior": 'The trace has no prior draws; hp.fit(..., groups=("prior",)) adds them.',
    "energy": 'The draws have no energy; hp.rate(..., method="nuts") samples with it.',
}
_WEIGHTED = "az.loo does not read log_likelihood_by_game (games with weights); use hp.compare."


class TraceForArviz(xr.DataTree):  # type: ignore[no-untyped-call]
    """Tree of a trace; a missing group of `_ADDED` is reported with its remedy.

    ArviZ looks for the log likelihood by `hasattr` and then raises its own error, so that the remedy is given in a
    warning; for other groups it is in the error message.
    """

    __slots__ = ()

    @classmethod
    def of(cls, tree: xr.DataTree) -> Self:
        """Copy of a tree that shares its arrays."""
        return cls.from_dict({node.path: node.to_dataset(inherit=False) for node in tree.subtree})

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError as error:
            if name == "log_likelihood" and "posterior" in self.children:
                weighted = "log_likelihood_by_game" in self.children
                warnings.warn(_WEIGHTED if weighted else _ADDED[name], UserWarning, stacklevel=2)
            raise AttributeError(f"{error}. {_ADDED[name]}" if name in _ADDED else str(error)) from None

    def __getitem__(self, name: Any) -> Any:
        try:
            return super().__getitem__(name)
        except KeyError as error:
            if name in _ADDED:
                raise KeyError(f"{error.args[0]}. {_ADDED[name]}") from None
            raise
