"""Priors of processes by days against the dense process, with the spread and the length known or not."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from halfpoint.inference.gaussian.day_term import DayTerm
from halfpoint.models.rows.days import TICKS, DayLaw, Visits

DAYS = {0: [0.0, 3.0, 10.0], 1: [1.0, 10.0]}  # of each player; both have the last day
ROOT3 = np.sqrt(3.0)


def covariance(kernel, days, length):
    """Covariances of the states of one player, ordered by day, then by part of the state."""
    apart = np.subtract.outer(days, days)
    if kernel == "ornstein-uhlenbeck":
        return np.exp(-np.abs(apart) / length)
    a, fall = ROOT3 * np.abs(apart) / length, np.exp(-ROOT3 * np.abs(apart) / length)
    across = ROOT3 * apart / length * fall
    parts = np.array([[(1.0 + a) * fall, across], [-across, (1.0 - a) * fall]])
    return parts.transpose(2, 0, 3, 1).reshape(2 * len(days), -1)


def whole(kernel, length, first, size):
    """Covariance of z: the two players are independent; numbers before `first` are none of the process."""
    blocks = [covariance(kernel, np.array(days), length) for days in DAYS.values()]
    matrix, place = np.zeros((size, size)), first
    for block in blocks:
        matrix[place : place + len(block), place : place + len(block)] = block
        place += len(block)
    return matrix[first:, first:]


@pytest.fixture(params=["ornstein-uhlenbeck", "matern"])
def kernel(request):
    return request.param


def term_of(kernel, known_spread, known_length, spread, length):
    """Term of the visits of both players, whose states begin at place 2 of z."""
    players, days = zip(*[(player, day) for player, whens in DAYS.items() for day in whens], strict=True)
    ticks = (np.array(days) * TICKS).astype(np.int64)
    visits = Visits.of(np.array(players), ticks, 2, 10 * TICKS)
    states = 1 if kernel == "ornstein-uhlenbeck" else 2
    law = DayLaw(kernel, "s" * (spread >= 0), "l" * (length >= 0), known_spread, known_length)
    return DayTerm(law, visits, 2, 2 + states * len(visits), spread, length)


@pytest.mark.parametrize(
    ("known_spread", "known_length", "spread", "length"),
    [(0.7, 6.0, -1, -1), (1.0, 6.0, 0, -1), (0.7, 1.0, -1, 1), (1.0, 1.0, 0, 1), (0.5, 2.0, 0, 1)],
)
def test_terms_are_those_of_the_dense_process(kernel, known_spread, known_length, spread, length):
    term = term_of(kernel, known_spread, known_length, spread, length)
    v = np.array([1.3, 4.0, 9.0])
    s = known_spread * (v[0] if spread == 0 else 1.0)
    days = known_length * (v[1] if length == 1 else 1.0)
    assert term.length_of(v) == days
    assert term.share(v) == pytest.approx((known_spread / s) ** 2)
    dense = s**2 * whole(kernel, days, term.first, term.size)
    rng = np.random.default_rng(1)
    z, y = rng.normal(size=(2, term.size))
    process = multivariate_normal(np.zeros(len(dense)), dense)
    gap = process.logpdf(z[2:]) - process.logpdf(y[2:])
    assert term.log_density(z, v) - term.log_density(y, v) == pytest.approx(gap)
    other = np.array([2.0, 7.0, 9.0])
    s_other = known_spread * (other[0] if spread == 0 else 1.0)
    days_other = known_length * (other[1] if length == 1 else 1.0)
    process_other = multivariate_normal(np.zeros(len(dense)), s_other**2 * whole(kernel, days_other, 2, term.size))
    gap = process_other.logpdf(z[2:]) - process.logpdf(z[2:])
    assert term.log_density(z, other) - term.log_density(z, v) == pytest.approx(gap)

    precision = np.zeros((term.size, term.size))
    precision[2:, 2:] = np.linalg.inv(dense)
    np.testing.assert_allclose(term.slope(z, v), -precision @ z, atol=1e-9)
    scaled = term.scaled(v).toarray()
    np.testing.assert_allclose(scaled.T @ scaled, precision, atol=1e-9)
    low = np.zeros_like(precision)
    pattern = term.precision
    np.add.at(low, (pattern.row, pattern.col), term.precision_entries(pattern.data, v))
    np.testing.assert_allclose(low, np.tril(precision), atol=1e-9)
    bare = np.zeros_like(precision)
    np.add.at(bare, (pattern.row, pattern.col), term.precision_entries(pattern.data, v, spread=False))
    np.testing.assert_allclose(bare * term.share(v), low, atol=1e-12)
    assert np.square(term.rest(z, v)).sum() * term.share(v) == pytest.approx(z @ precision @ z)
    assert term.middle(v).tolist() == [0.0] * len(term.columns)
    assert term.sd.tolist() == [known_spread] * len(term.columns)


def test_sums_have_a_reference_length_of_the_median_days_between_visits(kernel):
    """Days between visits are 3, 7 and 9."""
    term = term_of(kernel, 0.5, 1.0, 0, 1)
    v = np.array([2.0, 7.0])
    z = np.random.default_rng(2).normal(size=term.size)
    precision = np.linalg.inv(whole(kernel, 7.0, 2, term.size))
    sums = term.sums.toarray()
    np.testing.assert_allclose((sums.T @ sums)[2:, 2:], precision, atol=1e-9)
    np.testing.assert_allclose(term.standard(z, v), sums @ z / (0.5 * 2.0))
    one = DayTerm(term.law, Visits.of(np.array([0]), np.array([0]), 1, 0), 0, term.states, 0, 1)
    np.testing.assert_allclose(one.sums.toarray(), np.eye(term.states), atol=1e-6)


def test_the_density_expected_over_states_has_their_covariance(kernel):
    """E z'Qz = m'Qm + tr(QV), at several lengths."""
    term = term_of(kernel, 0.5, 1.0, 0, 1)
    rng = np.random.default_rng(3)
    z, root = rng.normal(size=term.size), 0.3 * rng.normal(size=(term.size, term.size))
    covariance = root @ root.T
    pattern, share, lengths = term.precision, 0.25, np.array([2.0, 7.0])
    found = term.expected(lengths, z, covariance[pattern.row, pattern.col], share)
    expected = []
    for length in lengths:
        dense = whole(kernel, length, 2, term.size)
        second = (np.outer(z, z) + covariance)[2:, 2:]
        quadratic = np.sum(np.linalg.inv(dense) * second) * share / 0.5**2
        expected.append(-0.5 * quadratic - 0.5 * np.linalg.slogdet(dense)[1])
    np.testing.assert_allclose(found, expected, atol=1e-8)
