"""The log-potential of merged games over seats; how exact a cell of it is says `test_potentials`."""

import math

import numpy as np
import pytest
from numba.core.runtime import rtsys
from numba.core.runtime._nrt_python import memsys_enable_stats
from test_potentials import potential

from halfpoint.models import kernel

PLAYERS = 6


def random_cells(seed, count):
    """Return white, black (-1 anchored), known part of the difference and weights, sorted by White, then Black."""
    random = np.random.default_rng(seed)
    white = random.integers(-1, PLAYERS, count).astype(np.int32)
    black = random.integers(-1, PLAYERS, count).astype(np.int32)
    black = np.where((white < 0) & (black < 0), 0, black).astype(np.int32)
    order = np.lexsort((black, white))
    white, black = white[order], black[order]
    known = np.where((white < 0) | (black < 0), random.uniform(-2.0, 2.0, count), 0.0)
    weight = random.integers(0, 4, (count, 3)) * random.uniform(0.3, 6.0, (count, 1)) + 0.1
    return white, black, known, weight


def log_potential(seat, other, lam, white, black, known, weight):
    """Return value and slopes by White's seats, Black's seats and lam."""
    slopes = np.empty(PLAYERS + 1), np.empty(PLAYERS + 1)
    surplus, total = weight[:, 2] - weight[:, 0], weight.sum(axis=1)
    runs = kernel.runs_of(white, black)
    value, by_lam = kernel.log_potential(seat, other, lam, black, known, surplus, total, runs, *slopes)
    return value, *slopes, by_lam


@pytest.mark.parametrize("count", [1, 17, 300, 3 * kernel.BLOCK + 17])
@pytest.mark.parametrize("name", ["bradley_terry", "davidson"])
def test_sums_over_seats_are_sums_over_cells(name, count):
    """Runs, blocks and seats against the C potential of each cell, gathered by NumPy."""
    white, black, known, weight = random_cells(7, count)
    seat, other = np.random.default_rng(8).normal(15.5, 1.0, (2, PLAYERS + 1))
    lam = 0.4 if name == "davidson" else -math.inf
    value, by_white, by_black, by_lam = log_potential(seat, other, lam, white, black, known, weight)
    expected, slope, slope_lam = potential(name, seat[white] - other[black] + known, max(lam, -1.0), weight)
    drawn = weight[:, 1].sum() if name == "davidson" else 0.0
    assert value + max(lam, -1.0) * drawn == pytest.approx(expected, rel=1e-12)
    gathered = np.zeros((2, PLAYERS + 1))
    np.add.at(gathered[0], white, slope)
    np.add.at(gathered[1], black, -slope)
    np.testing.assert_allclose(by_white, gathered[0], rtol=1e-11, atol=1e-11 * np.abs(gathered).max())
    np.testing.assert_allclose(by_black, gathered[1], rtol=1e-11, atol=1e-11 * np.abs(gathered).max())
    assert by_lam + drawn == pytest.approx(slope_lam[0], rel=1e-10, abs=1e-10)


def test_order_of_cells_does_not_matter():
    cells = random_cells(11, 500)
    seat, other = np.random.default_rng(12).normal(0, 1, (2, PLAYERS + 1))
    shuffled = np.random.default_rng(13).permutation(500)
    one, two = (log_potential(seat, other, 0.3, *given) for given in (cells, [part[shuffled] for part in cells]))
    np.testing.assert_allclose(np.hstack(one), np.hstack(two), rtol=1e-12, atol=1e-12)


def test_a_gradient_allocates_one_block_whatever_the_number_of_cells():
    """Work, not seconds: numba's own count of allocations."""
    memsys_enable_stats()
    counts = []
    for count in (100, 40 * kernel.BLOCK):
        white, black, known, weight = random_cells(17, count)
        surplus, total = weight[:, 2] - weight[:, 0], weight.sum(axis=1)
        seats = np.zeros((4, PLAYERS + 1))
        arguments = (seats[0], seats[1], 0.3, black, known, surplus, total, kernel.runs_of(white, black), *seats[2:])
        kernel.log_potential(*arguments)
        before = rtsys.get_allocation_stats()
        kernel.log_potential(*arguments)
        after = rtsys.get_allocation_stats()
        counts.append((after.alloc - before.alloc, after.free - before.free))
    arrays = sum(isinstance(given, np.ndarray) for given in arguments)  # each argument counts once as it crosses
    assert counts == [(arrays + 1, arrays + 1)] * 2
