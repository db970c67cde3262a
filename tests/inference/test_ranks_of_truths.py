"""Ranks and places of draws by hand; joined runs; the band of uniform ranks."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.simulation_based_calibration import (
    Experiment,
    Ranks,
    calibrate,
    count_below,
    even_indices,
    join_ranks,
    once,
)
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable


@pytest.mark.parametrize(
    ("chains", "draws", "count", "indices"),
    [
        (1, 6, 3, [0, 2, 4]),
        (2, 4, 4, [0, 2, 4, 6]),
        (2, 5, 4, [0, 2, 5, 7]),
        (2, 4, 3, [0, 2, 4]),
        (3, 2, 3, [0, 2, 4]),
        (2, 3, 6, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_kept_draws_are_evenly_spaced(chains, draws, count, indices):
    assert even_indices(chains, draws, count).tolist() == indices


def test_copies_come_last():
    total = xr.DataArray([[3.0, 1.0, 3.0], [2.0, 1.0, 4.0]], dims=("chain", "draw"))
    tree = {"sample_stats": {"log_likelihood_total": total}}
    assert once(tree, 4).tolist() == [0, 1, 3, 5]
    assert once(tree, 6).tolist() == [0, 1, 3, 5, 2, 4]


def test_draws_below_the_truth_are_counted_by_number():
    posterior = xr.Dataset({
        "advantage": (("chain", "draw"), [[0.1, 0.2], [0.3, 0.4]]),
        "strength": (("player", "chain", "draw"), [[[0.0, 1.0], [2.0, 3.0]], [[5.0, 5.0], [5.0, 5.0]]]),
    })  # fmt: skip
    truth = {"advantage": 0.25, "strength": np.array([2.5, 5.0])}
    every = np.arange(4)
    assert dict(count_below(posterior, truth, every)) == {"advantage": 2, "strength[0]": 3, "strength[1]": 0}
    assert dict(count_below(posterior, truth, np.array([0, 3]))) == {"advantage": 1, "strength[0]": 1, "strength[1]": 0}
    # less their mean: draws -2.5, -2, -1.5, -1 and the opposite; truth -1.25 and 1.25
    assert dict(count_below(posterior, truth, every, "strength")) == {
        "advantage": 2, "strength[0]": 3, "strength[1]": 1,
    }  # fmt: skip


def test_runs_are_joined():
    one = Ranks({"a": np.array([1, 2])}, 9, 3, np.array([True, False]))
    two = Ranks({"a": np.array([5])}, 9, 1, np.array([True]))
    joined = join_ranks([one, two])
    assert joined.rank["a"].tolist() == [1, 2, 5]
    assert (joined.draws, joined.divergences, joined.normal.tolist()) == (9, 4, [True, False, True])


def test_curves_are_shares_of_ranks_and_bands_hold_the_diagonal():
    rank = np.random.default_rng(1).permutation(np.arange(20))
    points, share, lower, upper = Ranks({"a": rank}, 19).curves()["a"]
    np.testing.assert_allclose(points, np.arange(1, 20) / 20.0)
    assert np.abs(share - points).max() <= 0.05  # each rank once
    assert ((lower <= points) & (points <= upper)).all()
    assert Ranks({"a": rank}, 19).outside() == {"a": 0.0}


@pytest.mark.parametrize("low", [True, False])
def test_ranks_at_one_end_leave_the_band_by_their_distance(low):
    ranks = Ranks({"a": np.full(20, 0 if low else 99)}, 99)
    points, share, lower, upper = ranks.curves()["a"]
    np.testing.assert_array_equal(share, np.where(low, points >= 0.01, False))
    distance = (1.0 - upper).max() if low else lower.max()
    assert ranks.outside()["a"] == pytest.approx(distance)
    assert distance > 0.5


def test_a_truth_is_a_draw_of_the_posterior_that_is_given():
    posterior = {"a": np.arange(5), "b": 10.0 * np.arange(5)}
    given = SimpleNamespace(posterior=posterior)
    drawn = [Experiment.truth(given, np.random.default_rng(seed)) for seed in range(40)]
    assert {one["a"] for one in drawn} == {0, 1, 2, 3, 4}
    assert all(one["b"] == 10.0 * one["a"] for one in drawn)


def test_ranks_without_more_have_no_divergences_and_no_normal_draws():
    ranks = Ranks({}, 10)
    assert ranks.divergences == 0
    assert ranks.normal.tolist() == []


def test_strengths_are_ranked_about_their_mean_if_no_rating_fixes_it():
    """Two centred numbers are each other's negatives, and so are their truths: their ranks are all draws together."""
    games = GameTable(
        np.array(["Ann", "Bo"]), np.zeros(4, np.int32), np.ones(4, np.int32), np.array([1.0, 0.0, 0.5, 0.5])
    )
    declared = declare("bt-common", select(games, games.players))
    even = np.full((len(declared.cells), 3), 1.0 / 3.0)
    experiment = Experiment(declared, ("strength",), lambda parameters: even)
    ranks = calibrate(experiment, 1, 4, method="normal", effort=Effort(draws=50, tune=50, chains=2))
    assert ranks.draws == 100
    assert ranks.rank["strength[0]"] + ranks.rank["strength[1]"] == [100]
