"""Differences after a stop, and always-valid intervals, by simulated matches and closed forms."""

import numpy as np
import pytest

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.likelihood_ratio import shares_at
from halfpoint.apps.fields.arena.sequential_estimate import _chance_no_higher, after_stop, whenever_looked
from halfpoint.apps.fields.arena.sprt import Sprt

PAIRS = np.array([0.02, 0.2, 0.56, 0.2, 0.02])


def ended(test, share, tests, rng):
    """Mask of tests that accept H1, and their counts at the end, shape (test, 5), checked after every pair."""
    lower, upper = test.bounds
    counts, accepted = np.zeros((tests, share.size), dtype=np.int64), np.zeros(tests, dtype=bool)
    going = np.arange(tests)
    while going.size:
        counts[going] += rng.multinomial(1, share, size=going.size)
        ratio = test.ratio(counts[going])
        accepted[going] = ratio >= upper
        going = going[(lower < ratio) & (ratio < upper)]
    return accepted, counts


@pytest.mark.parametrize("drift", [-0.02, 0.0, 0.013])
def test_chances_of_outcomes_are_those_of_a_walk_in_small_steps(drift):
    rng, start, length, units = np.random.default_rng(3), 2.0, 5.0, 400
    seen = 0.583 * 0.1  # by which a walk passes a bound
    place, out = np.full(30_000, start), np.zeros(30_000)
    for _ in range(units):
        alive = out == 0
        place[alive] += drift + 0.1 * rng.normal(size=alive.sum())
        out[place >= length - seen], out[place <= seen] = 1, -1
    place[out == 1], place[out == -1] = np.inf, -np.inf
    for at in (0.0, 1.0, 2.5, 4.0, length):
        share = (place <= at).mean() if at < length else (place < np.inf).mean()
        error = np.sqrt(share * (1.0 - share) / place.size)
        assert _chance_no_higher(drift, 0.01, start, length, units, at) == pytest.approx(share, abs=4 * error + 1e-3)


def test_in_the_long_run_the_chance_of_the_lower_bound_is_walds():
    test = Sprt(0.0, 10.0, 0.05, 0.1)
    lower, upper = test.bounds
    step = float(np.diff(test.t_of((0.0, 10.0), PAIRS))[0])
    for difference in (0.0, 4.0, 10.0):
        drift = step * float(test.t_of(difference, PAIRS) - 0.5 * test.t_of((0.0, 10.0), PAIRS).sum())
        found = _chance_no_higher(drift, step**2, -lower, upper - lower, 1e6, 0.0)
        assert 1.0 - found == pytest.approx(float(test.outlook(difference, PAIRS)[0]), abs=1e-9)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("difference", "normalized"), [(0.0, False), (20.0, False), (30.0, True)])
def test_the_truth_lies_equally_often_on_both_sides_and_in_95_of_100_intervals(difference, normalized):
    test, number = Sprt(0.0, 20.0 if not normalized else 40.0, normalized=normalized), 600
    true = shares_at(PAIRS, difference, normalized)
    accepted, counts = ended(test, true, number, np.random.default_rng([4, int(difference)]))
    found = np.array([after_stop(test, one, "H1" if up else "H0") for one, up in zip(counts, accepted, strict=True)])
    naive = np.array([test.estimate(one) for one in counts])
    assert (found[:, 0] < difference).mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(number))
    held = (found[:, 1] <= difference) & (difference <= found[:, 2])
    assert held.mean() == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / number))
    spread = found[:, 0].std() / np.sqrt(number)
    if difference in (0.0, 20.0):  # at a bound the plain difference is off, away from the other one
        assert abs(np.median(naive) - difference) > 4 * spread


def test_an_interval_for_whenever_one_looks_holds_at_all_looks_of_95_of_100_matches():
    true, matches = shares_at(PAIRS, 7.0), 400
    rng, lost = np.random.default_rng(6), np.zeros(400, dtype=bool)
    counts = np.zeros((matches, 5), dtype=np.int64)
    for _ in range(60):
        counts += rng.multinomial(30, true, size=matches)
        ends = np.array([whenever_looked(one) for one in counts])
        lost |= (ends[:, 0] > 7.0) | (ends[:, 1] < 7.0)
    assert lost.mean() < 0.05 + 4 * np.sqrt(0.05 * 0.95 / matches)


def test_a_match_that_may_stop_by_its_width():
    counts = [6, 50, 120, 80, 9]
    low, high = whenever_looked(counts)
    for width, enough in ((high - low + 1.0, True), (high - low - 1.0, False)):
        found = arena.sequential_test(counts, Sprt(0.0, 2.0), width_elo=width)
        assert found.about["wide_enough"] == enough
        assert ("at most the requested width" in found.about["answer"]) == enough
        assert found.about["answer"].startswith("Stop" if enough else "Go on")
    assert found.about["after_stop"] == pytest.approx(after_stop(Sprt(0.0, 2.0), counts))
    assert low < found.about["after_stop"][0] < high
