"""Traces as NetCDF: written whole or not at all, read if they have a schema of this package, present or earlier.

A file contains the groups of the tree (see docs/traces.md); ArviZ and plain xarray open it.
"""

import gc
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import numpy as np
import xarray as xr

from halfpoint.inference.diagnostics.convergence import diagnose
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.location import is_location_fixed
from halfpoint.inference.traces.earlier_schemas import SCHEMAS, present_trace
from halfpoint.inference.traces.sealed_file import first_unsealed
from halfpoint.inference.traces.whole_trace import fault_of
from halfpoint.models.declaration.pointwise import POINTWISE, each_game, with_each_game
from halfpoint.models.declaration.trace_attributes import THINNING
from halfpoint.models.games.atomic_write import write_precious
from halfpoint.models.games.errors import HalfpointError, clip_text, printable
from halfpoint.models.games.result_record import current

_SIZE_FLOOR_BYTES = 2**30  # a trace may claim this much without holding it
_SIZE_RATIO = 250
_JUDGED_NUMBERS = 20_000_000  # some ten seconds
_OF_A_RUN = ("created_at", "seconds_compile", "seconds_sample")  # attributes that differ between runs with one seed
_LONGEST_FAULT, _LONGEST_VERDICT = 300, 1000  # letters
_SINGLE = {"dtype": "float32", "_FillValue": None}
_HALVES = {"dtype": "int8", "scale_factor": np.float32(0.5), "_FillValue": np.int8(-128)}  # of scores 0, 1/2 and 1
BELIEVED = " (as the file says)"


def write(tree: xr.DataTree, path: str | Path) -> Path:
    """Write a trace; the file appears when it is complete.

    Two runs with one seed write equal files: time of day and seconds of sampling remain attributes in memory only.

    Parameters
    ----------
    tree : xarray.DataTree
        From `halfpoint.inference.sample.sample`.
    path : str or Path
        The NetCDF file; missing folders are created.

    Raises
    ------
    HalfpointError
        If the file cannot be written; the draws are then saved to another path, which the message gives.
    """
    encoding: dict[str, object] = {
        "/posterior": {
            str(name): _SINGLE for name, value in tree["posterior"].data_vars.items() if _fits_single_precision(value)
        }
    }
    if (by_game := each_game(tree)) is not None:
        encoding |= {f"/{name}": {"score": _short(by_game["score"])} for name in POINTWISE if name in tree.children}
    if "posterior_predictive" in tree.children:
        encoding |= {"/posterior_predictive": {"score": _HALVES}}
    # Made in memory and written in one piece: the HDF5 library does not survive a disk that fills up under it.
    content = BytesIO()
    tree = tree.map_over_datasets(_without_times)
    tree.to_netcdf(content, engine="h5netcdf", encoding=encoding)
    write_precious(path, content.getbuffer(), "draws")
    return Path(path)


def _without_times(group: xr.Dataset) -> xr.Dataset:
    """Group without its attributes of a run."""
    copy = group.copy(deep=False)
    copy.attrs = {name: value for name, value in group.attrs.items() if name not in _OF_A_RUN}
    return copy


def _short(values: xr.DataArray) -> dict[str, object]:
    """Encoding of log likelihoods of games in a file: steps of 2^-13 nats, longer ones if some are below -4."""
    least, most = (
        (float(bound) for bound in (values.min(skipna=False), values.max(skipna=False))) if values.size else (0.0, 0.0)
    )
    if not (np.isfinite(least) and most <= 4.0):
        return {}
    step = np.float32(2.0 ** np.ceil(np.log2(max(4.0, -least) / np.iinfo(np.int16).max)))
    return {"dtype": "int16", "scale_factor": step, "_FillValue": np.int16(np.iinfo(np.int16).min)}


def _fits_single_precision(value: xr.DataArray) -> bool:
    """True if single precision represents all numbers of a variable exactly, as for approximations."""
    numbers = value.to_numpy()
    return numbers.dtype == np.float64 and np.array_equal(numbers, numbers.astype(np.float32))


@contextmanager
def _quiet_destructors() -> Iterator[None]:
    """Suppress terminal output of the destructors of half-opened files."""
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = hook


def read(path: str | Path, pointwise: bool = True, data_only: bool = False) -> xr.DataTree:
    """Read a trace into memory, in the present schema.

    A trace of an earlier schema whose model has no function any more is read without it: its ratings and games can be
    used, and a request that needs the function is refused.

    Parameters
    ----------
    path : str or Path
        A NetCDF file that `write` wrote.
    pointwise : bool
        Also read the log likelihood of each game, which is most of a file and seldom needed.
    data_only : bool
        Read draws, names and games, and never look for a function of the model.

    Raises
    ------
    InferenceError
        If there is no such file, or it is not NetCDF or not a trace.
    """
    tree, name = open_netcdf(path, SCHEMAS, () if pointwise else POINTWISE), printable(str(path))
    try:
        tree = present_trace(tree, data_only)
        fault = fault_of(tree)
    except HalfpointError as error:
        fault = str(error)
    except Exception as error:  # an earlier schema is converted before it is checked
        fault = f"{type(error).__name__}: {error}"
    if fault:
        raise InferenceError(
            f"{name}: the trace is damaged: {printable(clip_text(fault, _LONGEST_FAULT))}. Fit the model again."
        )
    if (by_game := each_game(tree)) is not None:
        tree = with_each_game(tree, by_game)  # also of traces that had those of weighted games in ArviZ's group
    posterior = tree["posterior"].to_dataset()
    if sum(value.size for value in posterior.data_vars.values()) <= _JUDGED_NUMBERS:  # sums need more digits than draws
        short = {
            name: value.astype(np.float64) for name, value in posterior.data_vars.items() if value.dtype == np.float32
        }
        tree["posterior"] = xr.DataTree(posterior.assign(short))
    attach_verdict(tree, not is_location_fixed(tree))
    return tree


def open_netcdf(path: str | Path, wanted: Collection[str], without: Collection[str] = ()) -> xr.DataTree:
    """Read a NetCDF file of one of some schemas into memory, less some groups; completeness is not checked."""
    requested_path, path = path, current(Path(path))
    try:
        exists, limit = path.is_file(), max(_SIZE_FLOOR_BYTES, _SIZE_RATIO * path.stat().st_size)
    except (OSError, ValueError):
        exists, limit = False, 0
    name = printable(str(requested_path))
    if not exists:
        raise InferenceError(f"{name}: expected a trace, found no such file")
    fault, tree = "", None
    with _quiet_destructors():
        try:
            unsound = first_unsealed(path, limit)
            if unsound:
                raise InferenceError(f"{name}: expected a NetCDF trace, found {printable(unsound)}")
            tree, size = _in_memory(path, tuple(without), limit)
        except InferenceError:
            raise
        except Exception as error:
            fault = type(error).__name__
        if fault:
            gc.collect(1)  # the young objects, while destructors are quiet; a sound file is closed automatically
    if fault:
        with path.open("rb") as file:
            is_other = not file.read(4).startswith((b"\x89HDF", b"CDF"))
        remedy = ". Make a trace of games: halfpoint rate FILE --out FOLDER." if is_other else ""
        raise InferenceError(f"{name}: expected a NetCDF trace, found a file that cannot be read ({fault}){remedy}")
    if tree is None:
        raise InferenceError(f"{name}: the file claims {size:,} bytes of numbers, more than a trace of its size")
    schema = tree.attrs.get("schema")
    if str(schema) not in wanted:
        shown = printable(repr(schema)[:60])
        remedy = "Update halfpoint" if _is_later(str(schema), max(wanted)) else "Fit the model again"
        raise InferenceError(f"{name}: expected schema {max(wanted)} or an earlier one, found {shown}. {remedy}.")
    return tree


def _in_memory(path: Path, without: tuple[str, ...], limit: int) -> tuple[xr.DataTree | None, int]:
    """Groups of a file, less some, None if their numbers take more than a limit; and the bytes of all numbers."""
    days = xr.coders.CFDatetimeCoder(time_unit="s")  # in nanoseconds there is no day before 1678
    with xr.open_datatree(path, engine="h5netcdf", decode_times=days) as file:
        size = file.nbytes + sum(child.nbytes for child in file.descendants)
        return file.drop_nodes(without, errors="ignore").load() if size <= limit else None, size


def _is_later(schema: str, latest: str) -> bool:
    """True if a schema is of the same kind of trace, with a higher number."""
    (kind, _, number), (latest_kind, _, most) = schema.rpartition("-"), latest.rpartition("-")
    return kind == latest_kind and number.isdecimal() and int(number[:9]) > int(most)


def attach_verdict(tree: xr.DataTree, free_level: bool) -> None:
    """Attach the verdict of its own draws to a trace of a file.

    The file's verdict stays if draws are an approximation, too many, or a share of those that were judged and good
    enough for a share; its words also where it says that draws converged, and they did.
    """
    words = printable(clip_text(str(tree.attrs["verdict"]).removesuffix(BELIEVED), _LONGEST_VERDICT))
    posterior, statistics = tree["posterior"].to_dataset(), tree["sample_stats"].to_dataset()
    thinning, size = tree.attrs.get(THINNING, 1), sum(value.size for value in posterior.data_vars.values())
    thinned = isinstance(thinning, int | np.integer) and int(thinning) > 1
    diagnosis = None
    if not tree.attrs.get("approximate") and size <= _JUDGED_NUMBERS:
        normal = tree.attrs.get("sampler") == "normal"
        diagnosis = diagnose(posterior, statistics, free_level, normal, thinned=thinned)
    if diagnosis is not None and not (thinned and diagnosis.converged):
        confirmed = {"verdict": words} if diagnosis.converged and words.startswith("converged") else {}
        tree.attrs |= diagnosis.as_record | confirmed
    else:
        tree.attrs["verdict"] = words + BELIEVED
