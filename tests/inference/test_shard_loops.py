"""Loops over the cells of a shard, as Python, against sums over dense matrices."""

import numpy as np
import pytest
from plain_loops import run_as_python

from halfpoint.inference.gaussian import shard_loops

PLAYERS = 4
WHITE = np.array([0, 0, 1, 1, 1, 3])
BLACK = np.array([1, 3, 0, 2, 3, 2])
KIND = np.array([0, 1, 1, 0, 1, 0])
FIRST = np.array([0, 2, 5, 5, 6])


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_as_python(monkeypatch, shard_loops)


@pytest.fixture
def design():
    """White's place less Black's, (row, place)."""
    return np.eye(PLAYERS)[WHITE] - np.eye(PLAYERS)[BLACK]


def test_rows_are_sorted_by_white_and_keep_their_order():
    white = np.array([2, 0, 2, 3, 0])
    assert shard_loops.sort_by_white(white, 4).tolist() == [0, 2, 2, 4, 5]
    assert white.tolist() == [2, 0, 3, 4, 1]


@pytest.mark.parametrize("start", [0, 1, 3])
def test_a_block_has_the_differences_and_counts_of_its_rows(start, design):
    z, eta, lam = np.array([0.3, -0.2, 1.1, 0.7]), np.array([0.2, -0.4]), np.array([0.5, 0.9])
    counts = np.arange(18.0).reshape(3, 6)
    place, data = np.zeros((2, 6 - start)), np.zeros((3, 6 - start))
    shard_loops.lay_out(FIRST, BLACK, KIND, counts, z, eta, lam, start, place, data)
    np.testing.assert_allclose(place[0], (design @ z + eta[KIND])[start:])
    np.testing.assert_array_equal(place[1], lam[KIND][start:])
    np.testing.assert_array_equal(data, counts[:, start:])


@pytest.mark.parametrize("start", [0, 2])
def test_a_block_has_the_variances_of_its_rows(start, design):
    rng = np.random.default_rng(1)
    widths, tilt, cross, of_lam = rng.random(6), rng.normal(size=(2, PLAYERS)), rng.random(2), rng.random(2)
    variance = np.zeros((3, 6 - start))
    shard_loops.lay_widths(FIRST, BLACK, KIND, widths, tilt, cross, of_lam, start, variance)
    np.testing.assert_array_equal(variance[0], widths[start:])
    np.testing.assert_allclose(variance[1], ((design * tilt[KIND]).sum(axis=1) + cross[KIND])[start:])
    np.testing.assert_array_equal(variance[2], of_lam[KIND][start:])


@pytest.mark.parametrize("start", [0, 1])
def test_slopes_and_information_are_summed_by_place_and_kind(start, design):
    rng = np.random.default_rng(2)
    slope, second = rng.normal(size=(2, 6 - start)), -rng.random((3, 6 - start)) - np.array([[0.0], [0.0], [3.0]])
    second[:, 1] = 0.5, 0.0, -1.0  # a curvature above 0 counts as none
    sums, shared, upper = np.zeros((PLAYERS, 6)), np.zeros((2, 5)), np.zeros(6)
    shard_loops.gather(FIRST, BLACK, KIND, slope, second, start, sums, shared, upper)
    part, kind = design[start:], KIND[start:]
    ee, el = np.maximum(-second[0], 1e-12), -second[1]
    ll = np.maximum(-second[2], el**2 / ee)
    np.testing.assert_allclose(upper[start:], ee)
    np.testing.assert_allclose(sums[:, 0], part.T @ slope[0])
    np.testing.assert_allclose(sums[:, 1], np.abs(part).T @ ee)
    for k in range(2):
        np.testing.assert_allclose(sums[:, 2 + 2 * k], part.T @ (ee * (kind == k)), atol=1e-15)
        np.testing.assert_allclose(sums[:, 3 + 2 * k], part.T @ (el * (kind == k)), atol=1e-15)
        np.testing.assert_allclose(shared[k], [(of * (kind == k)).sum() for of in (*slope, ee, el, ll)])


@pytest.mark.parametrize("columns", [1, 3])
def test_the_information_between_players_times_columns(columns, design):
    rng = np.random.default_rng(3)
    upper, x, product = rng.random(6), rng.normal(size=(PLAYERS, columns)), rng.normal(size=(PLAYERS, columns))
    information = design.T @ (upper[:, None] * design)
    np.fill_diagonal(information, 0.0)
    expected = product + information @ x
    shard_loops.between(FIRST, BLACK, upper, x, product)
    np.testing.assert_allclose(product, expected)


def test_variances_are_squares_along_ways_and_their_change_is_measured(design):
    rng = np.random.default_rng(4)
    alone, ways, of_kind, of_shared = rng.random(4), rng.normal(size=(4, 3)), rng.normal(size=(2, 3)), rng.random(2)
    squares = (design @ ways + of_kind[KIND]) ** 2
    expected = alone[WHITE] + alone[BLACK] + of_shared[KIND] + squares @ [1.0, 1.0, -1.0]
    widths = np.full(6, 0.25)
    arguments = FIRST, BLACK, KIND, alone, ways, 2, of_kind, of_shared, widths
    moved, most = shard_loops.widen(*arguments, False)
    np.testing.assert_allclose(widths, expected)
    assert moved == pytest.approx(np.abs(expected - 0.25).max())
    assert most == pytest.approx(expected.max())
    assert shard_loops.widen(*arguments, True)[0] == 0.0


def test_without_kinds_all_rows_have_the_numbers_of_the_first():
    none, place, data = np.zeros(0, dtype=np.int64), np.zeros((2, 6)), np.zeros((3, 6))
    shard_loops.lay_out(FIRST, BLACK, none, data + 1.0, np.zeros(4), np.array([0.5]), np.array([2.0]), 0, place, data)
    assert place.tolist() == [[0.5] * 6, [2.0] * 6]
