"""Posterior predictive checks: uniform p for a known truth, and detection of each deviation by its own check."""

from dataclasses import replace

import numpy as np
import pytest
from composed import reading_of_draws
from few_cases import few
from scipy.stats import binom, kstest

from halfpoint.evaluation.predictive_checks import UNLIKELY, predictive_checks
from halfpoint.models.rows.rows import meetings

PLAYERS, DRAWS = 16, 400
NAMES = np.array([f"Player {number:02d}" for number in range(PLAYERS)])


def league(seed, games=800, slope=0.0, thin=0.0, tendency=0.0, seat=0.0, draws=True):
    """Games from strengths of spread 1, with a posterior equal to the truth, so that p of a realised discrepancy is
    uniform.

    `slope` of draws by strength, `thin` by distance, spreads of `tendency` to draw and of `seat` by player.
    """
    rng = np.random.default_rng(seed)
    strength = rng.permutation(np.linspace(-1.7, 1.7, PLAYERS))
    white = rng.integers(0, PLAYERS, games).astype(np.int32)
    black = ((white + rng.integers(1, PLAYERS, games)) % PLAYERS).astype(np.int32)
    by_player = [spread * rng.normal(0.0, 1.0, PLAYERS) for spread in (tendency, seat)]
    x = strength[white] - strength[black] + 0.2 + by_player[1][white] + by_player[1][black]
    lam = 0.1 + slope * (strength[white] + strength[black]) / 2 + by_player[0][white] + by_player[0][black]
    lam = lam - thin * np.abs(strength[white] - strength[black])
    share = np.exp(np.stack([-x / 2, lam if draws else np.full(games, -np.inf), x / 2], axis=-1))
    share /= share.sum(axis=-1, keepdims=True)
    outcome = (rng.random(games)[:, None] >= share.cumsum(axis=-1)[:, :2]).sum(axis=-1)
    truth = {"strength": strength, "advantage": 0.2, "log_draw": 0.1}
    p = {name: np.broadcast_to(value, (DRAWS, *np.shape(value))).copy() for name, value in truth.items()}
    reading = reading_of_draws("davidson-population" if draws else "bt-population", p, NAMES)
    nothing = np.zeros(games)
    return reading, meetings(white, black, nothing, nothing), outcome


@pytest.mark.slow
def test_p_values_are_uniform_at_the_truth_and_alarms_as_rare_as_stated():
    found = [predictive_checks(*league(seed, games=200), seed=seed) for seed in range(60)]
    for name in found[0].p:
        assert kstest([one.p[name] for one in found], "uniform").pvalue > 0.001, name
    alarms = sum(bool(one.lines) for one in found)
    assert alarms <= binom.ppf(0.9999, 60, 4 * (UNLIKELY + 1.0 / DRAWS))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"slope": 1.0},
            "stronger players draw more: with anchors use --model davidson-strength-draws",
        ),
        (
            {"slope": -1.0},
            "stronger players draw less: with anchors use --model davidson-strength-draws",
        ),
        ({"thin": 1.0}, "players far apart draw less than the model expects: --model rao-kupper"),
        ({"tendency": 0.7}, "players differ in their inclination to draw: --model davidson-player-draws"),
        ({"seat": 0.7}, "players differ in their first-seat advantage: --model davidson-pooled"),
        ({"seat": 0.9, "draws": False}, "players differ in their first-seat advantage: --model bt-pooled"),
    ],
)
def test_a_wrong_truth_is_found_under_its_name(wrong, said):
    reading, rows, outcome = league(1, **wrong)
    if "thin" in wrong:  # the level of draws is learned: take the one that these games have
        levels = np.linspace(-1.5, 0.1, 33)
        share = [predicted_draws(reading, rows, level) for level in levels]
        reading.p["log_draw"][:] = levels[np.argmin(np.abs(np.array(share) - (outcome == 1).mean()))]
    lines = predictive_checks(reading, rows, outcome).lines
    assert any(line.startswith(said) for line in lines), lines
    assert sum("draw" in line.partition(":")[0] for line in lines) <= 1
    assert not any("(p 0)" in line for line in lines)  # of 400 draws none above means below 1 in 400


def predicted_draws(reading, rows, level):
    """Share of draws for a draw parameter in these games."""
    p = {name: value[:1] for name, value in reading.p.items()} | {"log_draw": np.array([level])}
    return reading_of_draws(reading.name, p, NAMES).probabilities(rows)[1].mean()


def test_half_points_with_draws_and_margins_are_not_judged():
    reading, rows, outcome = league(1)
    half = reading_of_draws("bt-population", {name: reading.p[name] for name in ("strength", "advantage")}, NAMES)
    assert predictive_checks(half, rows, outcome) is None
    assert predictive_checks(half, rows, np.where(outcome == 1, 2, outcome)) is not None


def test_seats_without_an_advantage_are_not_judged():
    reading, rows, outcome = league(1, seat=0.9, draws=False)
    assert "seat" in predictive_checks(reading, rows, outcome).p
    even = reading_of_draws("bt-matched-even", {"strength": reading.p["strength"]}, NAMES)
    assert "seat" not in predictive_checks(even, rows, outcome).p
    assert "seat" not in predictive_checks(reading, replace(rows, seated=0.0 * rows.seated), outcome).p


def match(seed, rivals, games):
    """Player against some rivals, by draws of a posterior on a grid with a population of strengths and a known
    advantage.
    """
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 0.4, rivals + 1)
    white, black = np.zeros(rivals * games, dtype=np.int32), np.repeat(np.arange(1, rivals + 1, dtype=np.int32), games)
    turned = rng.random(white.size) < 0.5
    white, black = np.where(turned, black, white), np.where(turned, white, black)

    def chances(gap):
        share = np.exp(np.stack([-gap / 2, np.full(np.shape(gap), 0.1), gap / 2], axis=-1))
        return share / share.sum(axis=-1, keepdims=True)

    share = chances(strength[white] - strength[black] + 0.2)
    outcome = (rng.random(white.size)[:, None] >= share.cumsum(axis=-1)[:, :2]).sum(axis=-1)
    gap = np.linspace(-2.0, 2.0, 401)  # of the player and a rival, N(0, 0.4^2) beside the player
    draws = np.zeros((DRAWS, rivals + 1))
    for rival in range(1, rivals + 1):
        here = (white == rival) | (black == rival)
        sign = np.where(white[here] == rival, -1.0, 1.0)
        log = np.log(chances(sign[:, None] * gap + 0.2))[np.arange(here.sum()), :, outcome[here]].sum(axis=0)
        weight = np.exp(log - log.max() - gap**2 / 2 / 0.4**2)
        draws[:, rival] = -rng.choice(gap, DRAWS, p=weight / weight.sum())
    p = {"strength": draws, "advantage": np.full(DRAWS, 0.2), "log_draw": np.full(DRAWS, 0.1)}
    nothing = np.zeros(white.size)
    reading = reading_of_draws("davidson-population", p, NAMES[: rivals + 1])
    return reading, meetings(white, black, nothing, nothing), outcome


@pytest.mark.cases(1)
@pytest.mark.parametrize(("rivals", "games"), few([(1, 8), (1, 100), (4, 40), (12, 10)], 2))
def test_matches_and_gauntlets_are_of_the_model(rivals, games):
    """At most 5% of files get a warning; for a match of two players strength and gap are not tested."""
    found = [predictive_checks(*match(seed, rivals, games)) for seed in range(30)]
    assert sum(bool(one.lines) for one in found) <= binom.ppf(0.999, 30, 0.05)
    if rivals == 1:
        assert all(one.p["strength"] == one.p["gap"] == 1.0 for one in found)
