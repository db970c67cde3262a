"""Groups of a NetCDF file in memory, read by h5py; xarray decodes them.

xarray's own readers of NetCDF look every object up by its name hundreds of times, most of the time to read a trace.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import xarray as xr
from h5netcdf.attrs import Attributes
from xarray.backends.common import AbstractDataStore

_NO_VARIABLE = b"This is a netCDF dimension but not a netCDF variable"  # begins the name of a dimension without values
_NOT_OF_DIMENSION = "_nc4_non_coord_"  # begins the name of a variable that is called like a dimension of others
_DAYS = xr.coders.CFDatetimeCoder(time_unit="s")  # in nanoseconds there is no day before 1678


class _Group(AbstractDataStore):
    """Variables and attributes of a group, for xarray."""

    def __init__(self, group: h5py.Group) -> None:
        self.group = group

    def get_variables(self) -> dict[str, xr.Variable]:
        """Read the variables by name."""
        return {
            name.removeprefix(_NOT_OF_DIMENSION): _variable(node, name)
            for name, node in self.group.items()
            if isinstance(node, h5py.Dataset) and not bytes(node.attrs.get("NAME", b"")).startswith(_NO_VARIABLE)
        }

    def get_attrs(self) -> dict[str, Any]:
        """Read the attributes by name."""
        return _attributes(self.group)


def _attributes(node: h5py.Group | h5py.Dataset) -> dict[str, Any]:
    """Attributes of an object, without those of dimensions."""
    read = dict(Attributes(node.attrs, None, h5py))
    plain = ("_FillValue", "missing_value")
    return {
        key: value.decode() if isinstance(value, bytes) and key not in plain else value for key, value in read.items()
    }


def _variable(node: h5py.Dataset, name: str) -> xr.Variable:
    """Variable of a data set; one without a list of dimensions is its own dimension."""
    if "DIMENSION_LIST" in node.attrs:
        dims = tuple(node.file[scales[-1]].name.rpartition("/")[2] for scales in node.attrs["DIMENSION_LIST"])
    else:
        dims = (name,) * node.ndim
    text = h5py.check_string_dtype(node.dtype)
    values = node.asstr()[()] if text and text.length is None else node[()]
    encoding = {"dtype": str if text and text.length is None else node.dtype}
    return xr.Variable(
        dims, np.asarray(values, dtype=object if text and text.length is None else None), _attributes(node), encoding
    )


def _groups(group: h5py.Group, without: Collection[str]) -> Iterator[tuple[str, xr.Dataset]]:
    """Yield a group and those in it, less some at the top, with their paths."""
    yield group.name, xr.decode_cf(_Group(group), decode_times=_DAYS).load()
    for name, node in group.items():
        if isinstance(node, h5py.Group) and not (group.name == "/" and name in without):
            yield from _groups(node, without)


def read_groups(path: Path, without: Collection[str] = ()) -> xr.DataTree:
    """Read a NetCDF file into memory, less some groups at its top."""
    with h5py.File(path, "r") as file:
        return xr.DataTree.from_dict(dict(_groups(file, without)))
