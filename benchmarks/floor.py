"""Microseconds of one gradient, the C floor and the kernel on the same cells in turns: python floor.py GAMES."""

import ctypes
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from variants import load

from halfpoint.games.cells import merge
from halfpoint.games.units import to_natural
from halfpoint.models import kernel

FLAGS = ("-O3", "-march=native", "-ffast-math")
ROUNDS, REPEATS = 40, 100


def build(folder):
    library = Path(folder) / "floor.so"
    source = Path(__file__).with_name("floor.c")
    subprocess.run(["cc", *FLAGS, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"], check=True)
    function = ctypes.CDLL(str(library)).time_gradients
    function.restype = ctypes.c_double
    return function


def gradients(selection, lam):
    """Median microseconds of a gradient of the floor and the kernel; lam is -inf for Bradley-Terry."""
    cells = merge(selection)
    seats = cells.players.size + 1
    white_seat, black_seat = 15.5 + 0.3 * np.random.default_rng(1).normal(size=(2, seats))
    white_seat[-1] = black_seat[-1] = 0.0
    anchor = to_natural(np.nan_to_num(cells.anchor_elo))
    offset = np.where(cells.white < 0, anchor, 0.0) - np.where(cells.black < 0, anchor, 0.0)
    surplus, total = cells.weight[:, 2] - cells.weight[:, 0], cells.weight.sum(axis=1)
    runs = kernel.runs_of(cells.white, cells.black)
    slopes, floor_slopes = np.zeros((2, seats)), np.zeros((2, seats))
    scratch, lam_slope = np.empty(len(cells)), np.zeros(1)
    start, run_white = runs[:, 0].copy(), np.where(runs[:, 1] < 0, seats - 1, runs[:, 1])
    black = np.where(cells.black < 0, seats - 1, cells.black).astype(np.int32)
    nanoseconds = np.zeros(REPEATS, dtype=np.int64)
    with tempfile.TemporaryDirectory() as folder:
        function = build(folder)
        arrays = (start, run_white, black, offset, surplus, total, white_seat, black_seat)
        tail = (floor_slopes[0], floor_slopes[1], scratch, lam_slope)
        sizes = [ctypes.c_int64(number) for number in (len(cells), seats, len(runs) - 1)]

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
                value, _ = kernel.log_potential(
                    white_seat, black_seat, lam, cells.black, offset, surplus, total, runs, slopes[0], slopes[1]
                )
                times[k] = time.perf_counter_ns() - before
            return value, np.median(times) / 1000

        rounds = [(floor(), ours()) for _ in range(ROUNDS)]
    (floor_value, _), (value, _) = rounds[-1]
    assert abs(value / floor_value - 1) < 1e-9, (value, floor_value)
    np.testing.assert_allclose(slopes, floor_slopes, rtol=1e-8, atol=1e-8)
    return tuple(float(np.median([pair[side][1] for pair in rounds])) for side in (0, 1))


if __name__ == "__main__":
    chosen = load(sys.argv[1])
    print("RESULT " + json.dumps({"davidson-player": gradients(chosen, 0.9), "bt-common": gradients(chosen, -np.inf)}))
