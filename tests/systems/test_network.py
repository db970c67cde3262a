"""Network ratings compared with dense linear algebra, series of walks, and simulated walks."""

import numpy as np
import pytest
from rating_games import periods_of, simulated, table
from scipy import sparse

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.centrality import Centrality, centrality
from halfpoint.systems.network import points
from halfpoint.systems.park_newman import ParkNewman, largest_eigenvalue, win_and_loss_scores


def matrix(seed=41, players=9, games=60):
    games, _ = simulated(seed, players=players, games=games, periods=1)
    return points(games.white, games.black, games.score, players)


def test_points_count_wins_and_half_wins():
    beaten = points(np.array([0, 0, 1]), np.array([1, 1, 2]), np.array([1.0, 0.5, 0.0]), 3).toarray()
    assert beaten.tolist() == [[0.0, 0.5, 0.0], [1.5, 0.0, 1.0], [0.0, 0.0, 0.0]]


def test_largest_eigenvalue_is_that_of_dense_algebra():
    for seed in range(5):
        beaten = matrix(seed)
        dense = np.abs(np.linalg.eigvals(beaten.toarray())).max()
        assert largest_eigenvalue(beaten) == pytest.approx(dense, rel=1e-8)


def test_a_cycle_of_results_has_eigenvalue_one_and_a_chain_none():
    cycle = points(np.array([0, 1, 2]), np.array([1, 2, 0]), np.ones(3), 3)
    chain = points(np.array([0, 1]), np.array([1, 2]), np.ones(2), 3)
    assert largest_eigenvalue(cycle) == pytest.approx(1.0, abs=1e-9)
    assert largest_eigenvalue(chain) == 0.0


def test_scores_are_the_sum_of_discounted_indirect_wins():
    # Eq. 2.13 and 2.14 as the series k + alpha A^T k + alpha^2 (A^T)^2 k + ...
    beaten = matrix()
    alpha = 0.5 / largest_eigenvalue(beaten)
    dense = beaten.toarray()
    won, lost = term_w, term_l = dense.sum(axis=0), dense.sum(axis=1)
    for _ in range(200):
        term_w, term_l = alpha * dense.T @ term_w, alpha * dense @ term_l
        won, lost = won + term_w, lost + term_l
    found = win_and_loss_scores(beaten, alpha)
    assert found[0] == pytest.approx(won, rel=1e-10)
    assert found[1] == pytest.approx(lost, rel=1e-10)


def test_a_chain_of_three_by_hand():
    # a beat b, b beat c: a has one direct and alpha indirect wins, c the same in losses, b one of each.
    chain = points(np.array([0, 1]), np.array([1, 2]), np.ones(2), 3)
    won, lost = win_and_loss_scores(chain, 0.3)
    assert won.tolist() == pytest.approx([1.3, 1.0, 0.0])
    assert lost.tolist() == pytest.approx([0.0, 1.0, 1.3])


def test_alpha_must_be_below_the_reciprocal():
    beaten = matrix()
    bound = 1.0 / largest_eigenvalue(beaten)
    win_and_loss_scores(beaten, 0.999 * bound)
    with pytest.raises(RatingSystemError, match="alpha from 0 to below 1 / "):
        win_and_loss_scores(beaten, 1.001 * bound)


def test_centrality_is_the_leading_eigenvector_of_the_walk():
    beaten = matrix(42)
    share = centrality(beaten, 0.85)
    dense = beaten.toarray()
    size = dense.shape[0]
    lost = dense.sum(axis=1, keepdims=True)
    step = np.where(lost > 0.0, dense / np.where(lost > 0.0, lost, 1.0), 1.0 / size)
    google = 0.85 * step + 0.15 / size
    values, vectors = np.linalg.eig(google.T)
    leading = np.real(vectors[:, np.argmax(np.real(values))])
    assert np.real(values).max() == pytest.approx(1.0)
    assert share == pytest.approx(leading / leading.sum(), abs=1e-12)


def test_centrality_with_an_unbeaten_player():
    beaten = points(np.array([0, 0, 1]), np.array([1, 2, 2]), np.ones(3), 3)
    share = centrality(beaten, 0.5)
    step = np.array([[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    walk = np.linalg.matrix_power(0.5 * step + 0.5 / 3, 60)[0]
    assert share == pytest.approx(walk, abs=1e-12)


@pytest.mark.parametrize("system", [ParkNewman, Centrality])
def test_networks_find_strengths_and_forecast(system):
    games, strength = simulated(43, players=20, games=3000, periods=10, rated=False)
    rated = system()
    expected = []
    for period in periods_of(games):
        expected.append(rated.forecast(period).expected_score)
        rated.learn(period)
    found = np.array([rated.ledger.rating(name) for name in games.players])
    assert np.corrcoef(found, strength)[0, 1] > 0.9
    late = games.period > 3
    forecast = np.concatenate(expected)[late]
    # calibrated on the past: the mean forecast is the mean score within 4 standard errors, and it discriminates
    assert forecast.mean() == pytest.approx(games.score[late].mean(), abs=4 * games.score.std() / np.sqrt(late.sum()))
    assert np.corrcoef(forecast, games.score[late])[0, 1] > 0.2


def test_the_first_period_is_forecast_even():
    assert ParkNewman().forecast(table(["a"], ["b"], [1])).expected_score.tolist() == [0.5]


def test_bad_settings_are_named():
    with pytest.raises(RatingSystemError, match="share of the largest alpha"):
        ParkNewman(share=1.0)
    with pytest.raises(RatingSystemError, match="probability of continuing"):
        Centrality(going_on=1.0)


FOUR = (np.array([0, 1, 2, 0, 1, 3]), np.array([1, 2, 0, 3, 3, 2]))  # 0>1 1>2 2>0 0>3 1>3 3>2


def test_four_teams_of_the_printed_figures():
    beaten = points(*FOUR, np.ones(6), 4)
    largest = largest_eigenvalue(beaten)
    assert largest == pytest.approx(1.3953370, abs=5e-8)
    for share, expected in (
        (0.0, [1.0, 1.0, -1.0, -1.0]),
        (0.5, [1.523673, 1.667708, -1.523673, -1.667708]),
        (0.8, [3.054945, 3.693212, -3.054945, -3.693212]),
    ):
        won, lost = win_and_loss_scores(beaten, share / largest)
        np.testing.assert_allclose(won - lost, expected, atol=5e-7)


def test_a_chain_at_one_half():
    chain = points(np.array([0, 1]), np.array([1, 2]), np.ones(2), 3)
    won, lost = win_and_loss_scores(chain, 0.5)
    assert (won.tolist(), lost.tolist()) == ([1.5, 1.0, 0.0], [0.0, 1.0, 1.5])
    assert (won - lost).tolist() == [1.5, 0.0, -1.5]


def test_near_the_bound_scores_are_the_leading_eigenvectors():
    beaten = points(*FOUR, np.ones(6), 4)
    alpha = (1.0 - 1e-7) / largest_eigenvalue(beaten)
    won, lost = win_and_loss_scores(beaten, alpha)
    assert (won / won.sum()).round(5).tolist() == [0.32134, 0.28333, 0.23029, 0.16504]
    values, vectors = np.linalg.eig(beaten.toarray())
    leading = np.abs(np.real(vectors[:, np.argmax(np.real(values))]))
    np.testing.assert_allclose(lost / lost.sum(), leading / leading.sum(), atol=1e-5)


def test_any_matrix_without_negative_entries_will_do():
    """IMPs won as points, for instance: the scores are those of dense algebra."""
    rng = np.random.default_rng(3)
    dense = rng.gamma(1.0, 5.0, (6, 6)) * (rng.random((6, 6)) < 0.5)
    matrix = sparse.csr_array(dense)
    alpha = 0.7 / np.abs(np.linalg.eigvals(dense)).max()
    won, lost = win_and_loss_scores(matrix, alpha)
    np.testing.assert_allclose(won, np.linalg.solve(np.eye(6) - alpha * dense.T, dense.sum(axis=0)))
    np.testing.assert_allclose(lost, np.linalg.solve(np.eye(6) - alpha * dense, dense.sum(axis=1)))
    assert centrality(matrix, 0.6).sum() == pytest.approx(1.0)


def test_one_eigenvalue_bounds_alpha_of_all_parts():
    both = points(np.array([0, 1, 2, 3, 4]), np.array([1, 2, 0, 4, 5]), np.ones(5), 6)
    assert largest_eigenvalue(both) == pytest.approx(1.0)
    won, _ = win_and_loss_scores(both, 0.8)
    assert won[3:].tolist() == pytest.approx([1.8, 1.0, 0.0])
