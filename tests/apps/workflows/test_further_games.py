"""Traces with a few further games, whose draws are not copied: beside plain arrays and the closest normal."""

import numpy as np
import pytest
import xarray as xr
from monte_carlo import LIMIT

from halfpoint.apps import workflows
from halfpoint.apps.workflows import updating
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.inference import gaussian
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.inference.traces.resampled import replaced, resampled
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select

PLAYERS, GAMES = 200, 3000
MODEL = "davidson-population"


def test_lazy_draws_are_those_of_plain_arrays():
    """By numbers, slices and arrays; resampled and replaced twice; before and after all draws are read."""
    rng = np.random.default_rng(1)
    plain = rng.standard_normal((2, 30, 7))
    lazy = xr.DataArray(plain, dims=("chain", "draw", "player"))
    for _ in range(2):
        kept = rng.integers(0, 60, 60).astype(np.int32)
        plain, lazy = plain.reshape(60, 7)[kept].reshape(2, 30, 7), resampled(lazy, kept)
        new, shift = rng.standard_normal((60, 2)), rng.standard_normal(60)
        plain[..., [5, 1]], lazy = new.reshape(2, 30, 2), replaced(lazy, np.array([5, 1]), new, shift)
        plain += shift.reshape(2, 30, 1)
    plain = plain.astype(np.float32).astype(np.float64)  # as moved draws are rounded
    for _ in range(2):
        np.testing.assert_array_equal(lazy.isel(player=5), plain[..., 5])
        np.testing.assert_array_equal(lazy.isel(player=[1, 0, 5], draw=slice(3, 20, 4)), plain[:, 3:20:4, [1, 0, 5]])
        np.testing.assert_array_equal(lazy.isel(chain=1, draw=[7, 2]), plain[1, [7, 2]])
        np.testing.assert_array_equal(lazy.isel(chain=0, draw=4, player=1), plain[0, 4, 1])
        np.testing.assert_array_equal(lazy.transpose("player", "chain", "draw"), np.moveaxis(plain, 2, 0))
        np.testing.assert_array_equal(lazy.to_numpy(), plain)


@pytest.fixture(scope="module")
def table():
    return workflows.simulate(games=GAMES + 60, players=PLAYERS, seed=8)[0]


@pytest.fixture(scope="module")
def weighted(table):
    return workflows.rate(table.take(np.arange(GAMES)), model=MODEL, method="normal").trace


def test_reading_two_players_gives_what_reading_all_gives(table, weighted, monkeypatch):
    games = table.take(np.arange(GAMES, GAMES + 2))
    short = workflows.update(weighted, games)
    monkeypatch.setattr(updating.Appended, "of", lambda *given: None)
    whole = workflows.update(weighted, games)
    assert short.attrs["updated"].startswith("draws reweighted")
    for group in ("posterior", "sample_stats", "constant_data", "observed_data"):
        xr.testing.assert_allclose(short[group].to_dataset(), whole[group].to_dataset(), rtol=1e-6)
    assert {name: short.attrs[name] for name in ("games", "data_name", "data_sha256", "updated")} == {
        name: whole.attrs[name] for name in ("games", "data_name", "data_sha256", "updated")
    }


def test_an_updated_trace_is_written_and_read(table, weighted, tmp_path):
    after = workflows.update(weighted, table.take(np.array([GAMES])))
    write(after, tmp_path / "trace.nc")
    again = read(tmp_path / "trace.nc")
    np.testing.assert_array_equal(again["posterior"]["rating_elo"], after["posterior"]["rating_elo"])
    assert workflows.rank(again).frame.equals(workflows.rank(after).frame)


def centred(tree):
    strength = tree["posterior"]["strength"].to_numpy()
    return (strength - strength.mean(axis=-1, keepdims=True)).reshape(-1, PLAYERS)


def closest(table, names, x):
    """Centre and deviations of strengths less their mean, of the closest normal at a spread."""
    problem = VariationalProblem(declare(MODEL, select(table, names)))
    found, z = problem.closest(x), problem.parts.position[problem.parts.of("strength")]
    covariance = np.array([problem.store.solve(found.root, one)[z] for one in np.eye(problem.size)[z]])
    level = covariance.mean(axis=0)
    return found.centre[z] - found.centre[z].mean(), np.sqrt(np.diag(covariance) - 2.0 * level + level.mean())


@pytest.mark.further
@pytest.mark.draws
def test_draws_without_weights_move_as_the_closest_normal_does(table, monkeypatch, tmp_path):
    """Means to 0.03 deviations and deviations to 3%, beside the chance of covariances of draws."""
    monkeypatch.setattr(gaussian, "moves_serve", lambda problem: False)  # as of a factor that is too long
    before = workflows.rate(table.take(np.arange(GAMES)), model=MODEL, method="normal").trace
    assert np.isnan(before.attrs["pareto_k"])
    after = before
    for game in range(10):
        after = workflows.update(after, table.take(np.array([GAMES + game])))
    assert after.attrs["updated"] == "normal draws updated by 10 games"
    names = before["posterior"]["player"].to_numpy().astype(np.str_)
    x = ReweightedFits(declare(MODEL, select(table.take(np.arange(GAMES)), names)), factored=False).fit().x
    (mean, sd), (later, narrower) = (closest(table.take(np.arange(count)), names, x) for count in (GAMES, GAMES + 10))
    one, other = centred(before), centred(after)
    moved = (other.mean(axis=0) - one.mean(axis=0) - (later - mean)) / narrower
    assert np.abs((later - mean) / sd).max() > 0.15
    assert np.abs(moved).max() < 0.03 + LIMIT * 0.3 / np.sqrt(len(one))
    assert np.abs(other.std(axis=0) / one.std(axis=0) * sd / narrower - 1.0).max() < 0.03
    write(after, tmp_path / "trace.nc")
    np.testing.assert_array_equal(read(tmp_path / "trace.nc")["posterior"]["strength"], after["posterior"]["strength"])
    with pytest.raises(EvaluationError, match="found draws updated by further games"):
        workflows.compare([after, after])
    ratings = after["posterior"]["rating_elo"].to_numpy().reshape(-1, PLAYERS)
    slope = 400.0 / np.log(10.0) * 2.0 / (2.0 + np.exp(after["posterior"]["log_draw"].to_numpy().reshape(-1, 1)))
    np.testing.assert_allclose(ratings - 1500.0, other * slope, atol=1e-2)


@pytest.mark.further
@pytest.mark.draws
def test_many_further_games_lead_to_a_new_fit(table, monkeypatch):
    monkeypatch.setattr(gaussian, "moves_serve", lambda problem: False)  # as of a factor that is too long
    before = workflows.rate(table.take(np.arange(GAMES)), model=MODEL, method="normal").trace
    after = workflows.update(before, table.take(np.arange(GAMES, GAMES + 60)))
    assert after.attrs["updated"].startswith("fitted again to all games")
