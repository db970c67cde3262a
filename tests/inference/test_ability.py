"""Ability in bridge: the closed form against SciPy, coverage on simulated clubs, and pairs that never split."""

import numpy as np
import pytest
from scipy import stats

from halfpoint.inference.ability import ability, design
from halfpoint.inference.errors import InferenceError

NAMES = np.array([f"P{k:02d}" for k in range(24)])


def club(seed, evenings=12, boards=8, steady=False):
    """Return seats, deals, IMPs and the truth of a club of 24 whose partners change by the evening."""
    rng = np.random.default_rng(seed)
    skill, bond = rng.normal(0, 1.0, NAMES.size), {}
    seats, deals = [], []
    for evening in range(evenings):
        order = np.arange(NAMES.size) if steady else rng.permutation(NAMES.size)
        pairs = order.reshape(-1, 2)
        for board in range(boards):
            pairs = rng.permutation(pairs)
            seats += [(*pairs[2 * t], *pairs[2 * t + 1]) for t in range(6)]
            deals += [evening * boards + board] * 6
    seats = tuple(np.array(seats, dtype=np.int32).T)
    matrix, pairs = design(NAMES.size, seats, np.array(deals))
    bond = rng.normal(0, 0.6, len(pairs))
    truth = np.concatenate([skill, bond])
    return seats, np.array(deals), matrix @ truth + rng.normal(0, 4.7, len(deals)), truth, pairs


def test_the_marginal_likelihood_is_that_of_the_normal_distribution():
    seats, deals, imps, _, _ = club(1, evenings=2)
    found = ability(NAMES, seats, deals, imps)
    matrix = design(NAMES.size, seats, deals)[0].toarray()
    one, two, noise = found.spreads
    prior = np.where(np.arange(matrix.shape[1]) < NAMES.size, one, two) ** 2
    covariance = (matrix * prior) @ matrix.T + noise**2 * np.eye(imps.size)
    expected = stats.multivariate_normal.logpdf(imps, np.zeros(imps.size), covariance)
    assert found.log_likelihood == pytest.approx(expected, rel=1e-8)
    gain = (matrix * prior).T @ np.linalg.inv(covariance)
    np.testing.assert_allclose(found.mean, gain @ imps, atol=1e-8)
    np.testing.assert_allclose(found.covariance, np.diag(prior) - gain @ (matrix * prior), atol=1e-8)


@pytest.mark.slow
def test_intervals_of_players_and_of_pairs_hold_nine_tenths():
    inside: dict[str, list[float]] = {"players": [], "pairs": []}
    for seed in range(24):
        seats, deals, imps, truth, pairs = club(seed)
        found = ability(NAMES, seats, deals, imps)
        assert found.told.apart
        known = {"players": truth[: NAMES.size], "pairs": truth[pairs].sum(axis=1) + truth[NAMES.size :]}
        for name, (mean, sd) in (("players", found.of_players()), ("pairs", found.of_pairs())):
            inside[name].append(np.mean(np.abs(mean - known[name]) < stats.norm.ppf(0.95) * sd))
    for name, shares in inside.items():
        error = np.std(shares) / np.sqrt(len(shares))
        assert 0.88 - 2 * error < np.mean(shares) < 0.92 + 2 * error, (name, np.mean(shares), error)


def test_pairs_that_never_split_are_known_as_pairs():
    seats, deals, imps, _, _ = club(3, evenings=6, steady=True)
    found = ability(NAMES, seats, deals, imps)
    assert len(found.told.together) == 12
    assert "never apart, so known and listed only together" in found.told.describe()[0]
    with pytest.raises(InferenceError, match="at least two tables of each deal"):
        ability(NAMES, seats, np.arange(deals.size), imps)
