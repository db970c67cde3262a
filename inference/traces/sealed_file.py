"""Checks of an HDF5 file: no links to other files, no code to execute, no oversized data.

An HDF5 file can refer to other files (external links, virtual data sets, external storage), load code by the number of
a filter, and declare or unpack more data than any memory. All objects are checked by their descriptions, before a value
is read. Features that our traces do not need are refused: soft links, second links to an object, types of its own,
references to regions.
"""

import math
import zlib
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
from h5py import h5a, h5d, h5o, h5t, h5z

_MOST_OBJECTS, _MOST_DEPTH, _MOST_DIMENSIONS, _MOST_CHUNKS = 1000, 8, 8, 1_000_000
_MOST_ATTRIBUTES = 300  # of one object: to find the n-th takes the time of n
_WIDEST = 8  # bytes of a number
_MOST_ATTRIBUTES_BYTES = 2**20
_MOST_TEXTS = 16  # in one attribute: they are read in one piece, each may be as long as the file
_BYTES_OF_A_TEXT = 100  # of a Python string beside its letters
_SLICE_BYTES, _FEWEST_TEXTS = 2**28, 250  # texts read in one piece take that much, or 250 times the file
_INFLATION = 1032  # no deflated byte holds more
_FILTERS = {h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32}
_NUMBERS = {h5t.INTEGER, h5t.FLOAT}


class UnsealedError(ValueError):
    """Forbidden content of a file, in words."""


def first_unsealed(path: Path, limit: int) -> str:
    """Describe the first forbidden content of an HDF5 file; empty if absent."""
    try:
        with h5py.File(path, "r") as file:
            _Inspection(path.stat().st_size, limit).group(file.id, "/", 0)
    except UnsealedError as fault:
        return str(fault)
    return ""


@dataclass(frozen=True)
class _Owner:
    """Attributes of an object that h5py needs to read it."""

    id: h5py.h5g.GroupID | h5d.DatasetID


class _Inspection:
    """One walk through a file."""

    def __init__(self, size: int, limit: int) -> None:
        self.size, self.limit = max(size, 1), limit
        self.claimed, self.attributes_bytes = 0, 0
        self.seen: set[tuple[int, int]] = set()

    def claim(self, count: int) -> None:
        """Add to the bytes that the file claims."""
        self.claimed += count
        if self.claimed > self.limit:
            raise UnsealedError(f"a file that claims {self.claimed:,} bytes of numbers")

    def group(self, group: h5py.h5g.GroupID, name: str, depth: int) -> None:
        """Inspect a group and its contents."""
        self.meet(group, name)
        if depth > _MOST_DEPTH:
            raise UnsealedError(f"groups more than {_MOST_DEPTH} deep")
        self.attributes(group, name)
        kinds = {h5py.h5l.TYPE_SOFT: "a soft link", h5py.h5l.TYPE_EXTERNAL: "an external link, which leads to a file"}
        for key in group:
            inner = f"{name.rstrip('/')}/{key.decode(errors='replace')}"
            kind = group.links.get_info(key).type
            if kind != h5py.h5l.TYPE_HARD:
                raise UnsealedError(f"{inner}, {kinds.get(kind, 'a link of another kind')}")
            child = h5o.open(group, key)
            if isinstance(child, h5py.h5g.GroupID):
                self.group(child, inner, depth + 1)
            elif isinstance(child, h5d.DatasetID):
                self.dataset(child, inner)
            else:
                raise UnsealedError(f"{inner}, a type of its own")

    def meet(self, node: h5py.h5g.GroupID | h5d.DatasetID, name: str) -> None:
        """Count an object; a second path to it may lead in circles."""
        info = h5o.get_info(node)
        if (info.fileno, info.addr) in self.seen:
            raise UnsealedError(f"{name}, a second link to an object")
        self.seen.add((info.fileno, info.addr))
        if len(self.seen) > _MOST_OBJECTS:
            raise UnsealedError(f"more than {_MOST_OBJECTS} variables and groups")

    def dataset(self, data: h5d.DatasetID, name: str) -> None:
        """Inspect a variable, the place of its values first: the shape of a virtual one is in its sources."""
        self.meet(data, name)
        plist = data.get_create_plist()
        layout = plist.get_layout()
        if layout == h5d.VIRTUAL:
            raise UnsealedError(f"{name}, a virtual variable, whose values are in other files")
        if layout not in (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED):
            raise UnsealedError(f"{name}, a variable that is laid out in an unknown way")
        if plist.get_external_count():
            raise UnsealedError(f"{name}, a variable whose values are in another file")
        for number in range(plist.get_nfilters()):
            code = plist.get_filter(number)[0]
            if code not in _FILTERS:
                raise UnsealedError(f"{name}, a variable packed by filter {code}, which needs code from elsewhere")
        kind = data.get_type()
        text = kind.get_class() == h5t.STRING
        if not text and kind.get_class() not in _NUMBERS:
            raise UnsealedError(f"{name}, a variable of neither numbers nor texts")
        if not text and kind.get_size() > _WIDEST:
            raise UnsealedError(f"{name}, a variable of numbers of {kind.get_size()} bytes")
        space = data.get_space()
        shape = space.get_simple_extent_dims() if space.get_simple_extent_type() == h5py.h5s.SIMPLE else ()
        if len(shape) > _MOST_DIMENSIONS:
            raise UnsealedError(f"{name}, a variable with {len(shape)} dimensions")
        count = math.prod(shape)
        self.claim(count * (max(8, kind.get_size()) + (_BYTES_OF_A_TEXT if text else 0)))
        self.attributes(data, name)
        if layout == h5d.CHUNKED:
            self.chunks(data, name, plist, shape, kind.get_size())
        if text and kind.is_variable_str():
            self.texts(data, shape)

    def chunks(
        self, data: h5d.DatasetID, name: str, plist: h5py.h5p.PropDCID, shape: tuple[int, ...], width: int
    ) -> None:
        """Inspect the chunks of a variable: a whole chunk is unpacked for one value of it."""
        piece = plist.get_chunk()
        space = math.prod(piece) * width
        if space > self.limit:
            raise UnsealedError(f"a file that claims {space:,} bytes of numbers")
        if math.prod(-(-length // part) for length, part in zip(shape, piece, strict=True)) > _MOST_CHUNKS:
            raise UnsealedError(f"{name}, a variable in more than {_MOST_CHUNKS:,} pieces")
        packed = any(plist.get_filter(number)[0] == h5z.FILTER_DEFLATE for number in range(plist.get_nfilters()))
        for number in range(data.get_num_chunks() if packed else 0):
            chunk = data.get_chunk_info(number)
            if (
                chunk.size * _INFLATION > self.limit
                and _inflated_size(data.read_direct_chunk(chunk.chunk_offset)[1], space) > space
            ):
                raise UnsealedError(f"{name}, a variable that unpacks to more than it claims")

    def texts(self, data: h5d.DatasetID, shape: tuple[int, ...]) -> None:
        """Count the letters of texts, in slices: many texts may share one long text of the file."""
        values = h5py.Dataset(data)
        step = max(_FEWEST_TEXTS, _SLICE_BYTES // self.size)
        if not shape:
            self.claim(len(values[()]))
        elif len(shape) == 1:
            for begin in range(0, shape[0], step):
                self.claim(sum(map(len, values[begin : begin + step])))
        elif math.prod(shape) > step:
            raise UnsealedError("a table of texts")

    def attributes(self, owner: h5py.h5g.GroupID | h5d.DatasetID, name: str) -> None:
        """Inspect the attributes of a group or a variable."""
        if h5a.get_num_attrs(owner) > _MOST_ATTRIBUTES:
            raise UnsealedError(f"more than {_MOST_ATTRIBUTES} attributes of {name}")
        for number in range(h5a.get_num_attrs(owner)):
            attribute = h5a.open(owner, index=number)
            key, kind = attribute.name.decode(errors="replace"), attribute.get_type()
            count = math.prod(attribute.shape)
            if key in ("DIMENSION_LIST", "REFERENCE_LIST"):
                sound = _dimension_reference(kind)
            else:
                sound = kind.get_class() == h5t.STRING or (kind.get_class() in _NUMBERS and kind.get_size() <= _WIDEST)
            if not sound:
                raise UnsealedError(f"the attribute {key!r} of {name}, of a type of its own")
            variable = kind.get_class() == h5t.STRING and kind.is_variable_str()
            if variable and count > _MOST_TEXTS:
                raise UnsealedError(f"{count:,} texts in the attribute {key!r} of {name}")
            size = count * kind.get_size()
            if size <= _MOST_ATTRIBUTES_BYTES and variable and count:
                value = h5py.AttributeManager(_Owner(owner))[key]
                size = len(value) if isinstance(value, str | bytes) else sum(map(len, np.ravel(value).tolist()))
            self.attributes_bytes += size
            if self.attributes_bytes > _MOST_ATTRIBUTES_BYTES:
                raise UnsealedError(f"more than {_MOST_ATTRIBUTES_BYTES:,} bytes of attributes")


def _dimension_reference(kind: h5t.TypeID) -> bool:
    """True if a type ties variables to dimensions: references to objects, in lists or with a number."""
    if kind.get_class() == h5t.VLEN:
        return bool(kind.get_super() == h5t.STD_REF_OBJ)
    if kind.get_class() == h5t.COMPOUND and kind.get_nmembers() == 2:
        return bool(kind.get_member_type(0) == h5t.STD_REF_OBJ and kind.get_member_class(1) == h5t.INTEGER)
    return False


def _inflated_size(packed: bytes, space: int) -> int:
    """Count the bytes of a deflated piece, up to a little more than `space`."""
    unpack, total, remaining = zlib.decompressobj(), 0, packed
    while remaining and total <= space:
        total += len(unpack.decompress(remaining, 2**20))
        remaining = unpack.unconsumed_tail
    return total
