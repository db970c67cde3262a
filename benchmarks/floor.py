"""Microseconds of one gradient by handwritten C and by the compiled density, alternately: python floor.py GAMES."""

import ctypes
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from variants import load

from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import merge
from halfpoint.models.games.units import to_natural

FLAGS = ("-O3", "-march=native", "-ffast-math")
ROUNDS, REPEATS = 40, 100
MODELS = (("davidson-player", 0.9), ("bt-common", -np.inf))


def build(folder):
    library = Path(folder) / "floor.so"
    source = Path(__file__).with_name("floor.c")
    subprocess.run(["cc", *FLAGS, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
    function = ctypes.CDLL(str(library)).time_gradients
    function.restype = ctypes.c_double
    return function


def starts_of_runs(cells):
    """First cells of the runs of equal White (and Black if a side is anchored), the end, and White of each run."""
    anchored = (cells.white < 0) | (cells.black < 0)
    opponent = np.where(anchored, cells.black, -2)
    new = np.append(True, (np.diff(cells.white) != 0) | (np.diff(opponent) != 0))
    first = np.append(np.flatnonzero(new), len(cells)).astype(np.int64)
    return first, np.append(cells.white[new], 0).astype(np.int64)


def gradients(name, selection, lam):
    """Median microseconds of a gradient of both programs; lam is -inf for Bradley-Terry."""
    cells = merge(selection)
    seats = cells.players.size + 1
    white_seat, black_seat = 15.5 + 0.3 * np.random.default_rng(1).normal(size=(2, seats))
    white_seat[-1] = black_seat[-1] = 0.0
    anchor = to_natural(np.nan_to_num(cells.anchor_elo))
    offset = np.where(cells.white < 0, anchor, 0.0) - np.where(cells.black < 0, anchor, 0.0)
    surplus, total = cells.weight[:, 2] - cells.weight[:, 0], cells.weight.sum(axis=1)
    start, run_white = starts_of_runs(cells)
    run_white = np.where(run_white < 0, seats - 1, run_white)
    black = np.where(cells.black < 0, seats - 1, cells.black).astype(np.int32)
    floor_slopes, scratch, lam_slope = np.zeros((2, seats)), np.empty(len(cells)), np.zeros(1)
    nanoseconds = np.zeros(REPEATS, dtype=np.int64)
    declared = declare(name, selection)
    compute, point = density(numbers_of(declared)), 0.1 * np.ones(declared.layout.count)
    with tempfile.TemporaryDirectory() as folder:
        function = build(folder)
        arrays = (start, run_white, black, offset, surplus, total, white_seat, black_seat)
        tail = (floor_slopes[0], floor_slopes[1], scratch, lam_slope)
        sizes = [ctypes.c_int64(number) for number in (len(cells), seats, len(start) - 1)]

        def floor():
            address = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, *tail)]
            value = function(
                ctypes.c_int64(REPEATS),
                ctypes.c_void_p(nanoseconds.ctypes.data),
                *sizes,
                *address[:8],
                ctypes.c_double(lam),
                *address[8:],
            )
            return value, np.median(nanoseconds) / 1000

        def ours():
            times = np.empty(REPEATS)
            for k in range(REPEATS):
                before = time.perf_counter_ns()
                compute(point)
                times[k] = time.perf_counter_ns() - before
            return np.median(times) / 1000

        rounds = [(floor(), ours()) for _ in range(ROUNDS)]
    eta = white_seat[np.where(cells.white < 0, seats - 1, cells.white)] - black_seat[black] + offset
    over = np.logaddexp(np.logaddexp(eta / 2, -eta / 2), lam)
    expected = float((surplus * eta / 2 - total * over).sum())
    assert abs(rounds[-1][0][0] / expected - 1) < 1e-9, (rounds[-1][0][0], expected)
    return float(np.median([one[1] for one, _ in rounds])), float(np.median([other for _, other in rounds]))


if __name__ == "__main__":
    chosen = load(sys.argv[1])
    print("RESULT " + json.dumps({name: gradients(name, chosen, lam) for name, lam in MODELS}))
