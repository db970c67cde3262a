"""Factors between thetas in differences: groups, both transformations, and weights at small spreads."""

import numpy as np
from numpy.testing import assert_allclose
from test_gaussian_draws import league

from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.tied_differences import tied_differences
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.gaussian.weighted_draws import standardise_draws
from halfpoint.models.declaration.catalogue import declare


def test_groups_are_the_players_and_sums_undo_differences():
    problem = VariationalProblem(declare("davidson-population-walk", league(10, 200)))
    rng, size = np.random.default_rng(3), problem.size
    for rank in (np.arange(size), rng.permutation(size)):
        tied = tied_differences(problem.parts, rank)
        ((spread, places),) = tied.groups
        assert spread == problem.declared.layout.where("innovation_spread")
        assert places.size == 10
        assert np.all(rank[tied.last[places]] > rank[places])
        z = rng.standard_normal((size, 3))
        assert_allclose(tied.sums(tied.differences(z.copy())), z, atol=1e-12)


def test_players_are_tied_by_their_spread_about_a_mean_and_priors_of_known_width_tie_nothing():
    tied = {
        name: tied_differences(
            (problem := VariationalProblem(declare(name, league(10, 200)))).parts, problem.store.rank
        )
        for name in ("davidson-population", "davidson-common")
    }
    assert [places.size for _, places in tied["davidson-population"].groups] == [10]  # eleven with the mean
    assert tied["davidson-common"].groups == ()


def test_draws_between_nodes_keep_their_weights_where_steps_are_next_to_nothing():
    problem = VariationalProblem(declare("davidson-population-walk", league(10, 200)))
    grid = HyperparameterGrid(problem)
    spread = [theta.name for theta in problem.parts.thetas].index("innovation_spread")
    rng, apart = np.random.default_rng(4), []
    for log_spread in (-6.3, -5.1, -4.2):
        theta = grid.middle.copy()
        theta[spread] = log_spread
        u = np.repeat((theta - grid.middle)[None] @ np.linalg.inv(grid.axes), 400, axis=0)
        noise = rng.standard_normal((400, problem.size))
        z, log_root = standardise_draws(grid, grid.thetas(u), noise, grid.shares(u))
        ratio = problem.log_joint(grid.thetas(u), z)[0] + 0.5 * np.square(noise).sum(axis=1) - log_root
        apart.append(ratio.std())
    assert max(apart) < 1.5
