"""Draws in another order, with new columns and shifts, read whole and in parts, against plain arrays."""

import numpy as np
import pytest
import xarray as xr

from halfpoint.inference.traces.resampled import _earlier, _outer, replaced, resampled

CHAINS, DRAWS, PLACES = 2, 3, 4
ORDER = np.array([5, 0, 0, 3, 2, 5])


def variable(dtype=np.float64):
    """A variable (chain, draw, player) of whole numbers."""
    values = np.arange(CHAINS * DRAWS * PLACES, dtype=dtype).reshape(CHAINS, DRAWS, PLACES)
    return xr.DataArray(
        values,
        dims=("chain", "draw", "player"),
        coords={"player": list("abcd")},
        name="strength",
        attrs={"unit": "natural"},
    )


def ordered(values, order=ORDER):
    """Draws by NumPy."""
    return values.reshape(-1, *values.shape[2:])[order].reshape(values.shape)


INDEXES = [
    {},
    {"player": 1},
    {"player": [2, 0]},
    {"chain": 1, "player": [3, 1]},
    {"chain": [1], "draw": [2, 0]},
    {"draw": slice(1, None), "player": slice(None, None, 2)},
    {"chain": 0, "draw": 2, "player": 3},
]


@pytest.mark.parametrize("index", INDEXES)
@pytest.mark.parametrize("first", [False, True])
def test_parts_are_those_of_the_whole(index, first):
    original = variable()
    lazy = resampled(original, ORDER)
    if first:
        lazy.to_numpy()
    np.testing.assert_array_equal(
        lazy.isel(index).to_numpy(), original.copy(data=ordered(original.to_numpy())).isel(index)
    )
    assert lazy.dims == original.dims
    assert lazy.attrs == original.attrs
    assert lazy.name == "strength"
    assert lazy.coords["player"].to_numpy().tolist() == list("abcd")


@pytest.mark.parametrize("index", INDEXES)
def test_new_columns_and_shifts(index):
    original = variable()
    columns = np.array([[100.0 + k, 200.0 + k] for k in range(CHAINS * DRAWS)])
    shift = np.linspace(0.0, 0.5, CHAINS * DRAWS)
    expected = ordered(original.to_numpy())
    expected[..., [3, 1]] = columns.reshape(CHAINS, DRAWS, 2)
    lazy = replaced(resampled(original, ORDER), np.array([3, 1]), columns)
    np.testing.assert_array_equal(lazy.isel(index).to_numpy(), original.copy(data=expected).isel(index))
    moved = replaced(resampled(original, ORDER), np.array([3, 1]), columns, shift)
    whole = original.copy(data=np.float32(expected + shift.reshape(CHAINS, DRAWS, 1)).astype(float))
    np.testing.assert_array_equal(moved.isel(index).to_numpy(), whole.isel(index))
    np.testing.assert_array_equal(moved.to_numpy(), whole)


def test_orders_columns_and_shifts_compose():
    original = variable()
    shift, more = np.arange(6.0), 10.0 * np.arange(6.0)
    columns = np.arange(6.0)[:, None] + 50.0
    lazy = replaced(original, np.array([0]), columns, shift)
    again = resampled(lazy, ORDER)
    plain = original.to_numpy().copy()
    plain[..., 0] = columns.reshape(2, 3)
    plain += shift.reshape(2, 3, 1)
    np.testing.assert_array_equal(again.to_numpy(), ordered(plain))
    twice = resampled(resampled(original, ORDER), ORDER[::-1])
    np.testing.assert_array_equal(twice.to_numpy(), ordered(ordered(original.to_numpy()), ORDER[::-1]))
    other = replaced(lazy, np.array([2]), columns - 7.0, more)  # columns include the earlier shift, not the new one
    plain[..., 2] = (columns - 7.0).reshape(2, 3)
    np.testing.assert_array_equal(other.to_numpy(), plain + more.reshape(2, 3, 1))
    kept = replaced(lazy, np.array([2]), columns - 7.0)
    np.testing.assert_array_equal(kept.to_numpy(), plain)


def test_single_precision_stays():
    lazy = replaced(variable(np.float32), np.array([0]), np.full((6, 1), 0.1), np.full(6, 0.2))
    assert lazy.dtype == np.float32
    assert lazy.to_numpy()[0, 0, 0] == np.float32(np.float32(0.1) + 0.2)


def test_the_order_is_composed_without_a_copy():
    original = variable()
    lazy = resampled(original, ORDER)
    inner = _earlier(lazy)
    assert inner.order is ORDER
    assert np.shares_memory(inner.base, original.to_numpy())
    assert inner.whole is None
    assert _earlier(original).order is None
    read = resampled(original, ORDER)
    read.to_numpy()
    assert _earlier(read).order is None
    np.testing.assert_array_equal(_earlier(read).base, ordered(original.to_numpy()))
    part = _earlier(lazy.isel(player=[0, 1]))
    np.testing.assert_array_equal(part.base, ordered(original.to_numpy())[..., :2])


def test_other_variables():
    plain = xr.DataArray(np.arange(3.0), dims="player")
    assert resampled(plain, ORDER) is plain
    by_draw = xr.DataArray(np.arange(6.0).reshape(2, 3), dims=("chain", "draw"))
    np.testing.assert_array_equal(resampled(by_draw, ORDER), by_draw.to_numpy().ravel()[ORDER].reshape(2, 3))
    turned = variable().transpose("player", "chain", "draw")
    found = resampled(turned, ORDER)
    assert found.dims == ("chain", "draw", "player")
    np.testing.assert_array_equal(found, ordered(variable().to_numpy()))


def test_orthogonal_indexes():
    values = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(
        _outer(values, ([1, 0], slice(1, 3), [3, 0, 3])), values[np.ix_([1, 0], [1, 2], [3, 0, 3])]
    )
    assert _outer(values, (1, 2, 3)) == 23
