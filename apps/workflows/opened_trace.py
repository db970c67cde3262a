"""A trace of a file, with or without its model."""

import xarray as xr

from halfpoint.apps.workflows.answers import Trace, trace_from


def open(trace: Trace, *, data_only: bool = False) -> xr.DataTree:
    """Open a trace of this or an earlier version.

    Parameters
    ----------
    trace : str, Path, DataTree or result of `rate`
        A NetCDF file, a folder of results, or a trace in memory.
    data_only : bool
        Read draws, names and games, and never look for a function of the model, not even one of the catalogue: for
        services that take traces of strangers. A request that needs the function is then refused.

    Returns
    -------
    DataTree
        The trace, for all functions that take one. Without its function it answers `rank`, and `match` from recorded
        strengths.

    Raises
    ------
    HalfpointError
        If the file is not a trace, or is damaged.

    Examples
    --------
    >>> import halfpoint as hp
    >>> table, _ = hp.simulate(games=400, players=6, seed=3)
    >>> rated = hp.rate(table, model="davidson-common")
    >>> data = hp.open(rated, data_only=True)
    >>> hp.rank(data).frame["rank"].tolist()
    [1, 2, 3, 4, 5, 6]
    """
    return trace_from(trace, data_only=data_only)
