"""Traces as NetCDF: written whole or not at all, read only if they are ours.

A file holds the groups of the tree (see docs/traces.md) and opens with ArviZ and with plain xarray.
"""

from io import BytesIO
from pathlib import Path

import xarray as xr

from halfpoint.games.whole_file import whole_file
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.sample import SCHEMA


def write(tree: xr.DataTree, path: str | Path) -> Path:
    """Write a trace; the file appears when it is complete.

    Parameters
    ----------
    tree : xarray.DataTree
        From `halfpoint.inference.sample.sample`.
    path : str or Path
        The NetCDF file; folders are made.

    Returns
    -------
    Path

    Raises
    ------
    HalfpointError
        If the file cannot be written.
    """
    encoding = {}
    if "log_likelihood" in tree.children:
        encoding = {"/log_likelihood": {"outcome": {"zlib": True, "complevel": 1}}}
    # Made in memory and written in one piece: the HDF5 library does not survive a disk that fills up under it.
    content = BytesIO()
    tree.to_netcdf(content, engine="h5netcdf", encoding=encoding)
    with whole_file(path) as temporary:
        temporary.write_bytes(content.getvalue())
    return Path(path)


def read(path: str | Path) -> xr.DataTree:
    """Read a trace into memory.

    Parameters
    ----------
    path : str or Path
        A NetCDF file that `write` wrote.

    Returns
    -------
    xarray.DataTree

    Raises
    ------
    InferenceError
        If there is no such file, it is no NetCDF, or it has another schema.
    """
    path = Path(path)
    if not path.is_file():
        raise InferenceError(f"{path}: expected a trace, found no such file")
    try:
        with xr.open_datatree(path, engine="h5netcdf") as opened:
            tree: xr.DataTree = opened.load()
    except Exception as error:
        raise InferenceError(
            f"{path}: expected a NetCDF trace, found a file that cannot be read ({type(error).__name__})"
        ) from error
    schema = tree.attrs.get("schema")
    if schema != SCHEMA:
        raise InferenceError(f"{path}: expected schema {SCHEMA}, found {schema!r}. Fit the model again.")
    return tree
