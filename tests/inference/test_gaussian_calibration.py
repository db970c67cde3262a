"""Calibration of the method of `rate`: normal draws are inside their bands, and planted errors are detected."""

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.diagnostics.importance_ratios import Importance
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import weighted_draws
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.simulation_based_calibration import calibrate, even_indices, once

NARROWER, WIDER, MENDED = 3.0, 0.25, 0.75  # times the root of the Hessian


@pytest.fixture
def planted(monkeypatch):
    """Function that plants a wrong Hessian and omits the weights."""
    tabulate = HyperparameterGrid.tabulate

    def plant(root, weighted):
        def wrong(nested):
            nested.nodes = [replace(node, root=root * node.root) for node in nested.nodes]
            tabulate(nested)

        def equal(ratio):
            return Importance(0.0, np.full(ratio.size, -np.log(ratio.size)))

        monkeypatch.setattr(HyperparameterGrid, "tabulate", wrong)
        if not weighted:
            monkeypatch.setattr(weighted_draws, "smooth_weights", equal)

    return plant


def leaving(name, simulations, seed=5):
    """Number of data sets that pass, and the distance of the worst parameter outside its 99.9% band."""
    found = calibrate(experiment(name), simulations, seed, method="normal")
    return int(found.normal.sum()), max(found.outside(0.999).values())


@pytest.mark.slow
def test_auto_is_calibrated_and_takes_normal_draws():
    found = calibrate(experiment("davidson-common"), 25, 3, method="auto")
    assert found.normal.all()
    assert (found.draws, found.divergences) == (100, 0)
    assert {name: by for name, by in found.outside(0.999).items() if by > 0} == {}


@pytest.mark.cases(1)
@pytest.mark.parametrize("root", [NARROWER, WIDER])
def test_a_wrong_hessian_without_weights_is_found(planted, root):
    planted(root, weighted=False)
    believed, by = leaving("bt", 25)
    assert believed == 25
    assert by > 0


@pytest.mark.parametrize("root", [NARROWER, WIDER])
def test_a_wrong_hessian_with_weights_is_doubted(planted, root):
    planted(root, weighted=True)
    assert not calibrate(experiment("bt"), 20, 5, range(4), "normal").normal.any()


@pytest.mark.slow
def test_weights_mend_what_is_found_where_they_are_missing(planted):
    """Draws that are a third too wide, so that more than half of them are effective."""
    planted(MENDED, weighted=True)
    believed, by = leaving("bt", 200)
    assert believed > 180
    assert by == 0.0
    planted(MENDED, weighted=False)
    assert leaving("bt", 200)[1] > 0


def test_ranks_are_among_draws_that_stand_once_and_spread_evenly():
    rng = np.random.default_rng(2)
    mark = rng.standard_normal(60)[rng.permutation(np.repeat(np.arange(60), np.arange(60) % 3))]  # 0, 1 or 2 of each
    tree = xr.DataTree.from_dict(
        {"sample_stats": xr.Dataset({"log_likelihood_total": (("chain", "draw"), mark[None])})}
    )
    kept = once(tree, 45)
    assert np.unique(kept).size == 45
    assert np.unique(mark[kept[:40]]).size == 40  # all there are
    assert (np.diff(kept[:40]) > 0).all()
    np.testing.assert_array_equal(even_indices(2, 7, 6), [0, 2, 4, 7, 9, 11])


def test_a_method_that_cannot_be_calibrated_is_refused():
    with pytest.raises(InferenceError, match=r"method: expected auto \| normal \| nuts, found 'jax'"):
        calibrate(experiment("bt"), 20, 1, method="jax")
