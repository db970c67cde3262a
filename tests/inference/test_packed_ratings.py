"""Ratings on a grid of a file: read as they were in memory, at half of the bytes, and never cut off."""

import numpy as np
import pytest
import xarray as xr

from halfpoint.inference.traces.packed_ratings import packing_of, round_ratings

DIMS = ("chain", "draw", "player")


def ratings(low, high, seed=1):
    """Draws of ratings of ten players between two ends."""
    value = np.random.default_rng(seed).uniform(low, high, (2, 300, 10))
    value[0, 0, :2] = low, high
    return xr.Dataset({"rating_elo": (DIMS, value, {"unit": "Elo"}), "strength": (DIMS, value / 174.0)})


@pytest.mark.parametrize(("low", "high", "step"), [(1490, 1520, 2**-6), (900, 2400, 2**-5), (-1000.5, 4000.25, 2**-3)])
def test_ratings_on_the_grid_are_read_as_they_were(tmp_path, low, high, step):
    draws = ratings(low, high)
    made = round_ratings(draws)
    code = packing_of(made["rating_elo"])
    assert code["scale_factor"] <= step
    assert np.abs(made["rating_elo"] - draws["rating_elo"]).max() <= code["scale_factor"] / 2
    assert made["strength"].identical(draws["strength"])
    assert made["rating_elo"].attrs == draws["rating_elo"].attrs
    made.to_netcdf(tmp_path / "draws.nc", engine="h5netcdf", encoding={"rating_elo": code})
    with xr.open_dataset(tmp_path / "draws.nc", engine="h5netcdf") as read:
        assert np.array_equal(read["rating_elo"], made["rating_elo"])


def test_ratings_off_the_grid_too_far_apart_or_not_finite_stay_as_they_are():
    draws = ratings(900, 2400)
    assert packing_of(draws["rating_elo"]) is None
    far = ratings(-9000, 9000)
    assert round_ratings(far).identical(far)
    missing = draws.copy(deep=True)
    missing["rating_elo"][0, 0, 0] = np.nan
    assert round_ratings(missing).identical(missing)
