"""Traces with external links, code, cycles or false sizes: refused in one line."""

import resource
import shutil
import time
import zlib
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
import xarray as xr

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.sealed_file import first_unsealed
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.read import read as read_games

GROWTH_KIB = 300 * 1024


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Complete trace of two players, and another one with other draws."""
    folder = tmp_path_factory.mktemp("sealed")
    frame = pd.DataFrame({"white": ["Ann", "Bob"] * 8, "black": ["Bob", "Ann"] * 8, "score": [1.0, 0.5, 0.0, 1.0] * 4})
    games = read_games(frame)
    declared = declare("davidson-common", select(games, games.players, "both"))
    for name, seed in (("trace.nc", 1), ("other.nc", 2)):
        write(fit(declared, "normal", draws=40, chains=2, seed=seed), folder / name)
    return folder


def external_link(group, name, old):
    group[name] = h5py.ExternalLink("other.nc", "/posterior/advantage")


def virtual(group, name, old):
    layout = h5py.VirtualLayout(shape=(2, 40), dtype="f8")
    layout[:] = h5py.VirtualSource("other.nc", "/posterior/advantage", shape=(2, 40))
    group.create_virtual_dataset(name, layout)


def external_storage(group, name, old):
    group.create_dataset(name, shape=(2, 40), dtype="f8", external=[("other.nc", 0, 640)])


def soft_link(group, name, old):
    group[name] = h5py.SoftLink("/posterior/rating_elo")


def circle(group, name, old):
    group[name] = group.file["/"]


def second_link(group, name, old):
    group[name] = group.file["posterior/rating_elo"]


def named_type(group, name, old):
    group[name] = np.dtype("f8")


def compound(group, name, old):
    group.create_dataset(name, data=np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]))


def enumeration(group, name, old):
    group.create_dataset(name, shape=(3,), dtype=h5py.enum_dtype({"A": 1, "B": 2}))


def opaque(group, name, old):
    group.create_dataset(name, data=np.array([b"abc"], dtype="V3"))


def lists(group, name, old):
    group.create_dataset(name, shape=(3,), dtype=h5py.vlen_dtype(np.dtype("i4")))


def regions(group, name, old):
    data = group.create_dataset(name, shape=(1,), dtype=h5py.regionref_dtype)
    data[0] = group.file["posterior/rating_elo"].regionref[:1]


def region_attribute(group, name, old):
    group.create_dataset(name, data=[1.0])
    group[name].attrs["where"] = group.file["posterior/rating_elo"].regionref[:1]


def filter_of_a_library(group, name, old):
    group.create_dataset(name, data=np.zeros(1000), compression="lzf")


def scale_and_offset(group, name, old):
    group.create_dataset(name, data=np.zeros(1000, dtype="i4"), scaleoffset=0)


def endless(group, name, old):
    group.create_dataset(name, shape=(10**12,), chunks=(1000,), dtype="f8", fillvalue=1.0)


def wide_dimensions(group, name, old):
    group.create_dataset(name, shape=(10**5,) * 3, chunks=(10, 10, 10), dtype="i1", compression="gzip")


def huge_piece(group, name, old):
    group.create_dataset(name, shape=(10,), maxshape=(None,), chunks=(2**28,), dtype="f8")


def many_pieces(group, name, old):
    group.create_dataset(name, shape=(4_000_000,), chunks=(1,), dtype="f8")


def many_dimensions(group, name, old):
    group.create_dataset(name, data=np.zeros((1,) * 10))


def long_texts(group, name, old):
    group.create_dataset(name, shape=(40_000,), dtype=h5py.string_dtype(), fillvalue="x" * 50_000)


def long_attributes(group, name, old):
    for number in range(40):
        group.attrs[f"{name}-{number}"] = "x" * 40_000


def many_texts_in_an_attribute(group, name, old):
    group.attrs.create(name, ["x"] * 1000, dtype=h5py.string_dtype())


def deep(group, name, old):
    group.create_group("/".join([name] * 12))


CASES = {
    external_link: "an external link, which leads to a file",
    virtual: "a virtual variable, whose values are in other files",
    external_storage: "a variable whose values are in another file",
    soft_link: "a soft link",
    circle: "a second link to an object",
    second_link: "a second link to an object",
    named_type: "a type of its own",
    compound: "a variable of neither numbers nor texts",
    enumeration: "a variable of neither numbers nor texts",
    opaque: "a variable of neither numbers nor texts",
    lists: "a variable of neither numbers nor texts",
    regions: "a variable of neither numbers nor texts",
    region_attribute: "the attribute 'where' of",
    filter_of_a_library: "packed by filter 32000, which needs code from elsewhere",
    scale_and_offset: "packed by filter 6, which needs code from elsewhere",
    endless: "a file that claims 8,000,0",
    wide_dimensions: "a file that claims 8,000,000,000,0",
    huge_piece: "a file that claims 2,147,483,648 bytes",
    many_pieces: "in more than 1,000,000 pieces",
    many_dimensions: "a variable with 10 dimensions",
    long_texts: "a file that claims 1,",
    long_attributes: "more than 1,048,576 bytes of attributes",
    many_texts_in_an_attribute: "1,000 texts in the attribute",
    deep: "groups more than 8 deep",
}


def refused(path):
    """Read a trace that must be refused; return the message."""
    with pytest.raises(InferenceError) as found:
        read(path)
    message = str(found.value)
    assert message.startswith(f"{path}: expected a NetCDF trace, found ")
    assert message.isprintable()
    assert len(message) < 700
    return message


def test_sound_traces_are_read(sound):
    for name in ("trace.nc", "other.nc"):
        assert first_unsealed(sound / name, 2**30) == ""
        assert read(sound / name)["posterior"].sizes["draw"] == 40


@pytest.mark.parametrize("craft", list(CASES), ids=lambda craft: craft.__name__)
def test_what_a_trace_does_not_need_is_refused_by_name(craft, sound, tmp_path):
    shutil.copy(sound / "other.nc", tmp_path)
    path = Path(shutil.copy(sound / "trace.nc", tmp_path))
    with h5py.File(path, "r+") as file:
        old = file["posterior/advantage"]
        del file["posterior/advantage"]
        craft(file["posterior"], "advantage", old)
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    first = refused(path)
    assert CASES[craft] in first
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < GROWTH_KIB
    assert time.process_time() - begun < 20.0
    (tmp_path / "other.nc").unlink()  # what is not there cannot have been read
    assert refused(path) == first


def test_a_piece_that_unpacks_to_more_than_it_claims_is_refused(sound, tmp_path):
    path = Path(shutil.copy(sound / "trace.nc", tmp_path))
    with h5py.File(path, "r+") as file:
        data = file["posterior"].create_dataset("bomb", shape=(1000,), chunks=(1000,), dtype="f8", compression="gzip")
        data.id.write_direct_chunk((0,), zlib.compress(bytes(2**25)))
    assert first_unsealed(path, 2**24) == "/posterior/bomb, a variable that unpacks to more than it claims"
    assert first_unsealed(sound / "trace.nc", 2**24) == ""


def test_random_accidents_end_in_one_line(sound, tmp_path):
    chance = np.random.default_rng(20)
    crafts = [craft for craft in CASES if craft not in (many_texts_in_an_attribute, long_texts)]
    for number in range(20):
        path = shutil.copy(sound / "trace.nc", tmp_path / f"{number}.nc")
        with h5py.File(path, "r+") as file:
            groups = ["/", *(f"/{name}" for name in file)]
            for turn in range(int(chance.integers(1, 4))):
                group = file[groups[int(chance.integers(0, len(groups)))]]
                crafts[int(chance.integers(0, len(crafts)))](group, f"new{turn}", file["posterior/advantage"])
        refused(path)


def test_the_other_file_was_read_before(sound, tmp_path):
    shutil.copy(sound / "other.nc", tmp_path)
    path = Path(shutil.copy(sound / "trace.nc", tmp_path))
    with h5py.File(path, "r+") as file:
        old = file["posterior/advantage"]
        del file["posterior/advantage"]
        external_link(file["posterior"], "advantage", old)
    with (
        xr.open_dataset(path, group="posterior", engine="h5netcdf", phony_dims="access") as followed,
        xr.open_dataset(sound / "other.nc", group="posterior", engine="h5netcdf") as other,
    ):
        np.testing.assert_array_equal(followed["advantage"], other["advantage"])
