"""Worth of leads: filters beside conditioning of normals and slopes of log probabilities, made matches."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.special import log_ndtr

from halfpoint.evaluation import worth_of_leads as module
from halfpoint.evaluation.worth_of_leads import PlayedSets, forecast_leads, worth_of_leads

YEAR = 365.25


def star(count=12, seed=2):
    """One player meets others once each, a month apart, so that only marginal states of others matter."""
    rng = np.random.default_rng(seed)
    other = 1 + np.arange(count)
    turned = np.arange(count) % 3 == 0
    white, black = np.where(turned, other, 0), np.where(turned, 0, other)
    lead = rng.normal(0.0, 30.0, count)
    day, long = 30.0 * np.arange(count), (np.arange(count) % 4 == 0).astype(np.float64)
    surface, rank = np.arange(count) % 2, np.full((2, count), np.nan)
    rank[0, 0], rank[0, 4] = np.log(40.0), np.log(150.0)  # of a player who is seen once, and of the one seen always
    return PlayedSets(white, black, (lead > 0.0).astype(np.float64), lead, day, long, surface, None, rank)


def test_the_filter_of_leads_is_conditioning_of_normals():
    """States by dense covariances: a walk of the strength, a strength of each surface, one ranking."""
    played = star()
    found, games = forecast_leads(played, True), played.day.size
    sign = np.where(played.white == 0, 1.0, -1.0)  # of the player of all games
    late = played.day > module._LATE_DAYS
    mean = -sign * np.where(late, module._NEWCOMER, 0.0)
    together = module._ENTRY**2 + module._STEP**2 * np.minimum.outer(played.day, played.day) / YEAR
    together += module._APART**2 * np.equal.outer(played.surface, played.surface)
    other = module._ENTRY**2 + module._APART**2
    noise = np.exp(2.0 * (module._LOG_WIDTH + module._LONG * played.long))
    prior = np.outer(sign, sign) * together + np.diag(np.full(games, other))
    measured = (module._RANK_SPREAD / module._RANK_SLOPE) ** 2
    own = sign * (module._ENTRY**2 + module._STEP**2 * np.minimum(played.day, played.day[4]) / YEAR)
    strength = -(np.log(150.0) - np.median(np.log([40.0, 150.0]))) / module._RANK_SLOPE
    alone = module._ENTRY**2 + module._STEP**2 * played.day[4] / YEAR + measured
    joint = np.block([[prior, own[:, None]], [own[None], np.array([[alone]])]])
    values, middle = np.append(played.lead, strength), np.append(mean, 0.0)
    wide = np.append(noise, 0.0)
    for game in (1, 3, 6, games - 1):
        before = [*range(game), *([games] if game > 4 else [])]
        gain = np.linalg.solve(joint[np.ix_(before, before)] + np.diag(wide[before]), joint[before, game])
        expected = middle[game] + gain @ (values[before] - middle[before])
        spread = np.sqrt(joint[game, game] - gain @ joint[before, game] + noise[game])
        assert found[game] == pytest.approx(expected / spread, abs=1e-9)


def test_effects_of_ages_pass_from_game_to_game():
    """Two games of four players, who share the effects of decades from 28 and of their squares alone."""
    age = np.array([[20.0, 30.0], [34.0, 23.0]])
    played = PlayedSets(
        np.array([0, 2]),
        np.array([1, 3]),
        np.ones(2),
        np.array([40.0, 10.0]),
        np.array([0.0, 9.0]),
        np.zeros(2),
        age=age,
    )
    decades = (age - 28.0) / 10.0
    columns = np.stack([decades[0] - decades[1], decades[0] ** 2 - decades[1] ** 2], axis=1)
    noise = 2.0 * module._ENTRY**2 + np.exp(2.0 * module._LOG_WIDTH)
    joint = columns @ columns.T * module._EFFECT**2 + noise * np.eye(2)
    gain = joint[1, 0] / joint[0, 0]
    expected = gain * 40.0 / np.sqrt(joint[1, 1] - gain * joint[0, 1])
    np.testing.assert_allclose(forecast_leads(played, True), [0.0, expected], atol=1e-12)


@pytest.mark.parametrize(("z", "won"), [(0.3, 1.0), (-2.0, 1.0), (1.4, 0.0)])
def test_moments_after_a_result_are_those_of_numerical_integration(z, won):
    """Mean and variance of a gap ~ N(z w, v) after a result, w^2 = v + noise^2."""
    variance, noise = 150.0, 25.0
    wide = variance + noise**2
    slope, curvature = module._of_result(z, won, wide)
    at = stats.norm(z * np.sqrt(wide), np.sqrt(variance))
    gap = np.linspace(at.ppf(1e-12), at.isf(1e-12), 20_001)
    density = at.pdf(gap) * np.exp(log_ndtr((2.0 * won - 1.0) * gap / noise))
    density /= density.sum()
    middle = float(density @ gap)
    assert at.mean() + slope * variance == pytest.approx(middle, rel=1e-6)
    assert variance - curvature * variance**2 == pytest.approx(float(density @ (gap - middle) ** 2), rel=1e-6)


def matches(count=1_500, seed=5, apart=6.0):
    """Matches of players of known strengths on two surfaces, two a day, with rankings that follow strength."""
    rng = np.random.default_rng(seed)
    strength, surface = rng.normal(0.0, 12.0, 40), rng.integers(0, 2, count)
    here = strength[:, None] + rng.normal(0.0, apart, (40, 2))
    white = rng.integers(0, 40, count)
    black = (white + rng.integers(1, 40, count)) % 40
    lead = here[white, surface] - here[black, surface] + rng.normal(0.0, 25.0, count)
    rank = np.exp(5.0 - 0.073 * strength + rng.normal(0.0, 0.3, 40))
    ranks = np.log(np.stack([rank[white], rank[black]]))
    day = np.arange(count) // 2.0
    return PlayedSets(white, black, (lead > 0.0).astype(float), lead, day, np.zeros(count), surface, None, ranks)


def test_leads_that_inform_are_used_and_leads_at_random_among_winners_are_not():
    played, rng = matches(), np.random.default_rng(1)
    found = worth_of_leads(played)
    assert found.names[0] == "leads in sets"
    assert found.worth.used
    assert found.worth.games == played.day.size - 50
    lead = played.lead.copy()
    for won in (0.0, 1.0):
        games = np.flatnonzero(played.won == won)
        lead[games] = rng.permutation(lead[games])
    assert worth_of_leads(replace(played, lead=lead)).names == ()


def test_surfaces_that_do_not_matter_are_not_used():
    assert "surfaces" in worth_of_leads(matches(apart=12.0)).names
    assert "surfaces" not in worth_of_leads(matches(apart=0.0)).names


def test_a_day_is_forecast_from_earlier_days_alone():
    played = matches(200)
    later = played.day >= played.day[100]
    one = forecast_leads(played, True)
    other = forecast_leads(replace(played, lead=np.where(later, -played.lead, played.lead)), True)
    first_after = int(np.flatnonzero(played.day > played.day[100])[0])
    np.testing.assert_array_equal(one[:first_after], other[:first_after])
    assert np.abs(one[first_after:] - other[first_after:]).max() > 0.01
