"""Season tables compared with exact enumeration, and later strengths with their variance."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from composed import reading_of_draws
from scipy.stats import norm

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.seasons import date_fixtures, played_out, remaining_fixtures, spread_out, unplayed_games
from halfpoint.evaluation.tournament_options import Calendar
from halfpoint.models.declaration.extension import drawn_further
from halfpoint.models.games.simulate import Schedule, Truth, simulate

NAMES = ["Ada", "Boris", "Chen"]


def reading(draws=4000, spread=0.3, months=3):
    """Draws of three sides of known strength in a two-speed model of margins."""
    strength = np.broadcast_to(np.array([0.5, 0.0, -0.5])[:, None], (draws, 3, months))
    p = {
        "strength": strength, "slow_strength": strength, "slow_spread": np.full(draws, spread),
        "fast_spread": np.zeros(draws), "advantage": np.full((draws, months), 0.2), "level_spread": np.full(draws, 0.4),
        "advantage_step_spread": np.zeros(draws), "log_width": np.zeros(draws), "newcomer_mean": np.full(draws, -1.0),
    }  # fmt: skip
    return reading_of_draws("margin-walk", p, NAMES, facts={"entered": np.zeros(3, dtype=np.int64)})


def fixtures(months):
    """Games of Ada and Boris in these months, and their seats."""
    white, black = np.zeros(len(months), dtype=np.int32), np.ones(len(months), dtype=np.int32)
    truth = Truth(np.array(NAMES), np.array([0.5, 0.0, -0.5]))
    return simulate(truth, Schedule(white, black, np.array(months)), 1), white, black


def test_a_season_of_three_against_every_result():
    over = np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 0.5]])
    white, black = unplayed_games(3, over)
    assert sorted(zip(white.tolist(), black.tolist(), strict=True)) == [(0, 2), (1, 0), (1, 2), (2, 1)]
    rng = np.random.default_rng(4)
    chance = rng.dirichlet([2.0, 2.0, 3.0], (2, 4))
    calendar = Calendar("3-1-0", 1, 1, zones={"Top two": (1, 2), "down": (3, 3)})
    found = played_out(np.moveaxis(chance, -1, 0), (white, black), over, NAMES, calendar, 200_000, rng)
    title, mean, squares = np.zeros(3), np.zeros(3), []
    for draw, way in itertools.product(range(2), itertools.product(range(3), repeat=4)):
        weight = 0.5 * np.prod([chance[draw, game, outcome] for game, outcome in enumerate(way)])
        points = np.array([3.0 + 1.0, 0.0, 1.0])
        for game, outcome in enumerate(way):
            points[white[game]] += (0, 1, 3)[outcome]
            points[black[game]] += (3, 1, 0)[outcome]
        best = points == points.max()
        title += weight * best / best.sum()
        mean += weight * points
        squares.append((weight, points))
    got = found.table.loc[NAMES]
    np.testing.assert_allclose(got["title"], title, atol=4 * np.sqrt(0.25 / 200_000))
    np.testing.assert_allclose(got["points"], mean, atol=4 * 4.0 / np.sqrt(200_000))
    np.testing.assert_allclose(got["first_1"], got["title"])
    np.testing.assert_allclose(found.places.sum(axis=0), 1.0)
    np.testing.assert_allclose(got["last_1"], found.places.loc[NAMES, 3])
    np.testing.assert_allclose(got["zone_down"], got["last_1"])
    np.testing.assert_allclose(got["zone_top_two"], 1.0 - got["last_1"])
    assert got["points_so_far"].tolist() == [4.0, 0.0, 1.0]
    assert got["games"].tolist() == [2, 1, 1]
    for place in range(3):
        order = sorted((points[place], weight) for weight, points in squares)
        below = np.cumsum([weight for _, weight in order])
        near = [order[np.searchsorted(below, level)][0] for level in (0.05, 0.95)]
        assert got[["points_low", "points_high"]].iloc[place].tolist() == near


def test_strengths_go_on_moving_until_a_game_is_played():
    made = reading(40_000)
    rows = spread_out(made, np.array([0], dtype=np.int32), np.array([2], dtype=np.int32), 1, np.random.default_rng(1))
    for ahead in (1, 6):
        later = replace(rows, period=np.full(1, 3 + ahead - 1))
        won = made.probabilities(later)[2].mean()
        expected = norm.cdf((1.0 + 0.2 - 0.5) / np.sqrt(1.0 + 2 * ahead * 0.3**2))
        assert won == pytest.approx(expected, abs=4 * 0.3 / np.sqrt(40_000))


@pytest.mark.parametrize(("played", "counted"), [([7, 8, 9], [2, 2, 2]), ([9, 10, 12], [2, 3, 5]), ([7, 11], [2, 4])])
def test_fixtures_count_from_the_first_month_of_the_trace(played, counted):
    rows = date_fixtures(replace(reading(4), first_period=7), *fixtures(played))
    assert rows.period.tolist() == counted


def test_fixtures_before_the_first_month_of_the_trace_are_refused():
    with pytest.raises(EvaluationError, match="fixtures after the first games of the trace"):
        date_fixtures(replace(reading(4), first_period=7), *fixtures([6, 9]))


def test_games_without_dates_are_spread_over_their_months():
    made = reading(4)
    seats = unplayed_games(3, np.empty((0, 3)))
    rows = spread_out(made, *(side.astype(np.int32) for side in seats), 3, np.random.default_rng(1))
    assert sorted(rows.period.tolist()) == [3, 3, 4, 4, 5, 5]


@pytest.mark.further
def test_who_enters_now_is_what_newcomers_have_been():
    made = reading(10_000, months=9)
    new = drawn_further(made, np.array([*NAMES, "Dora"]), 0, 1)["strength"][:, 3, -1]
    assert new.mean() == pytest.approx(-1.0, abs=4 * 0.4 / 100)
    assert new.std() == pytest.approx(0.4, rel=4 / np.sqrt(20_000))


def test_fixtures_that_are_over_are_not_played_again():
    seats = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    assert remaining_fixtures(seats, np.array([[0.0, 1.0, 1.0]])).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"scoring": "4-1-0"}, "scoring: expected"),
        ({"months": 0}, "months"),
        ({"first": -1}, "first"),
        ({"zones": {"cup": (3, 2)}}, "--zones: expected NAME=BEST-WORST"),
    ],
)
def test_mistakes_are_named(settings, words):
    with pytest.raises(EvaluationError, match=words):
        Calendar(**settings)
