"""Groups read by h5py are those that xarray reads: of stored traces, and of every kind of variable."""

import gzip

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from earlier_traces import FOLDER

from halfpoint.inference.traces.netcdf_groups import read_groups

DAYS = xr.coders.CFDatetimeCoder(time_unit="s")


def by_xarray(path):
    """The tree as xarray reads it."""
    with xr.open_datatree(path, engine="h5netcdf", decode_times=DAYS) as tree:
        return tree.load()


def same(path):
    """Assert that both readers agree: values, dims, attributes, types, and how a variable is written again."""
    expected, found = by_xarray(path), read_groups(path)
    xr.testing.assert_identical(expected, found)
    for group in expected.subtree:
        for name, variable in group.variables.items():
            other = found[group.path].variables[name]
            assert variable.dtype == other.dtype
            for key in ("dtype", "scale_factor", "_FillValue", "units"):
                assert str(variable.encoding.get(key)) == str(other.encoding.get(key))


@pytest.mark.parametrize("name", ["1-bt-player", "6-split"])
def test_a_trace_is_as_xarray_reads_it(name, tmp_path):
    path = tmp_path / "trace.nc"
    path.write_bytes(gzip.decompress((FOLDER / f"{name}.nc.gz").read_bytes()))
    same(path)
    assert set(read_groups(path, ("posterior",)).children) == set(by_xarray(path).children) - {"posterior"}


def test_every_kind_of_variable_is_as_xarray_reads_it(tmp_path):
    frame = xr.Dataset(
        {
            "single": ("player", np.array([1.5, np.nan, 2.0], dtype=np.float32)),
            "halves": ("player", np.array([0.0, 0.5, np.nan])),
            "count": (("player", "bare"), np.arange(12, dtype=np.int8).reshape(3, 4)),
            "won": ("player", np.array([True, False, True])),
            "day": ("player", pd.to_datetime(["1500-02-03", "2024-01-01", "NaT"]).astype("datetime64[s]")),
            "club": ("player", np.array(["Ål", "", "日本"])),
            "code": ("player", np.array([b"a", b"bc", b""])),
            "number": ((), 3),
            "nothing": ("empty", np.zeros(0)),
            "grid": (("bare", "player"), np.zeros((4, 3))),
        },
        {"player": ["Ann", "Bo", "Cy"]},
        {"text": "é", "list": ["a", "b"], "numbers": [1, 2], "one": np.float64(2.0), "none": ""},
    )
    tree = xr.DataTree.from_dict({"/": xr.Dataset(attrs={"schema": "x"}), "/a": frame, "/a/b": frame[["number"]]})
    halves = {"dtype": "int8", "scale_factor": 0.5, "_FillValue": np.int8(-1)}
    tree.to_netcdf(tmp_path / "all.nc", engine="h5netcdf", encoding={"/a": {"halves": halves, "count": {"zlib": True}}})
    same(tmp_path / "all.nc")
