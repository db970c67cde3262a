"""Traces as NetCDF: written whole or not at all, read only if they are ours.

A file holds the groups of the tree (see docs/traces.md) and opens with ArviZ and with plain xarray.
"""

import contextlib
import os
import tempfile
from pathlib import Path

import xarray as xr

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
    InferenceError
        If the file cannot be written.
    """
    path = Path(path)
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        os.close(handle)
        encoding = {}
        if "log_likelihood" in tree.children:
            encoding = {"/log_likelihood": {"outcome": {"zlib": True, "complevel": 1}}}
        tree.to_netcdf(temporary, engine="h5netcdf", encoding=encoding)
        Path(temporary).replace(path)
    except OSError as error:
        raise InferenceError(f"{path}: expected a place to write the trace, found {error.strerror or error}") from error
    finally:
        if temporary:
            with contextlib.suppress(FileNotFoundError):
                Path(temporary).unlink()
    return path


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
