"""Pairs of games: pentanomial counts, errors and LOS by hand, and their coverage by simulation."""

import numpy as np
import pytest
from scipy.stats import norm

from halfpoint.apps.fields.arena.game_pairs import counts_of, elo_of_counts, in_pairs, meetings
from halfpoint.models.games.table import GameTable


def played(white, black, score):
    return GameTable(np.array(["A", "B"]), np.array(white, np.int32), np.array(black, np.int32), np.array(score, float))


def of_pairs_and_games(games, keys):
    """Pentanomial counts, and estimates by pairs and by single games."""
    points = in_pairs(games, np.array(keys))[["points", "points_turned"]].to_numpy()
    counts = counts_of(points.mean(axis=1), 5)
    return counts, elo_of_counts(counts), elo_of_counts(counts_of(points.ravel(), 3))


def test_pairs_are_counted_by_the_points_of_the_first():
    """Openings: x: A wins both; y: A wins with White and loses with Black; z: a draw and a win for A; w: one game."""
    games = played([0, 1, 0, 1, 0, 1, 0], [1, 0, 1, 0, 1, 0, 1], [1, 0, 1, 1, 0.5, 0, 1])
    counts, found, _ = of_pairs_and_games(games, ["x", "x", "y", "y", "z", "z", "w"])
    assert counts.tolist() == [0, 0, 1, 1, 1]
    assert found.score == pytest.approx(4.5 / 6)
    error = np.sqrt(((1 - 0.75) ** 2 + (0.75 - 0.75) ** 2 + (0.5 - 0.75) ** 2) / 3 / 3)
    assert found.elo == pytest.approx(400 * np.log10(3))
    assert found.elo_error == pytest.approx(400 / np.log(10) / (0.75 * 0.25) * error)
    assert found.los == pytest.approx(norm.cdf(0.25 / error))


@pytest.mark.slow
def test_the_error_of_pairs_covers_where_openings_are_lopsided_and_that_of_games_is_too_wide():
    rng = np.random.default_rng(3)
    x = rng.normal(0, 2.0, 400_000)
    truth = np.mean(1 / (1 + np.exp(-(0.2 + x))))
    elo = 400 * np.log10(truth / (1 - truth))
    inside, ratio = 0, []
    for _ in range(400):
        tilt = rng.normal(0, 2.0, 150)
        first, second = (1 / (1 + np.exp(-(0.2 + sign * tilt))) for sign in (1, -1))
        a = (rng.random(150) < first).astype(float)
        b = (rng.random(150) < second).astype(float)
        white, black = np.tile([0, 1], 150), np.tile([1, 0], 150)
        score = np.stack([a, 1 - b], axis=1).ravel()
        _, pairs, games = of_pairs_and_games(played(white, black, score), np.repeat(np.arange(150).astype(str), 2))
        inside += abs(pairs.elo - elo) < 1.96 * pairs.elo_error
        ratio.append(games.elo_error / pairs.elo_error)
    assert inside / 400 == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 400))
    assert np.mean(ratio) > 1.2


def test_all_points_leave_no_number():
    _, found, _ = of_pairs_and_games(played([0, 1], [1, 0], [1, 0]), ["x", "x"])
    assert found.score == 1.0
    assert np.isnan(found.elo)
    assert len(in_pairs(played([0], [1], [1]), np.array(["x"]))) == 0


def test_a_meeting_is_told_from_the_side_of_who_has_more_points():
    games = played([0, 1, 1], [1, 0, 0], [0, 0.5, 1])
    row = meetings(games, np.array(["x", "x", "y"]), np.array([[1480.0, 1520.0], [1470.0, 1530.0]])).iloc[0]
    assert (row["first"], row["second"], row["games"]) == ("B", "A", 3)
    assert row[["wins", "draws", "losses"]].tolist() == [2, 1, 0]
    assert row["score_percent"] == pytest.approx(100 * 2.5 / 3)
    assert row[["elo", "low_elo", "high_elo", "los_percent"]].tolist() == pytest.approx([50.0, 40.5, 59.5, 100.0])
    assert row[["pairs", "ll", "ld", "dd_wl", "wd", "ww"]].tolist() == [1, 0, 0, 0, 1, 0]


def test_without_pairs_of_games_no_pentanomial_columns():
    found = meetings(played([0, 1, 0, 1], [1, 0, 1, 0], [1, 0.5, 0.5, 1]), None, np.zeros((2, 2)))
    assert not {"pairs", "dd_wl"} & set(found)
