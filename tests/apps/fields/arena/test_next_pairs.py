"""Choice of the next pairs: the formula for a normal posterior by hand, and a refit of a board."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields.arena import leaderboard, next_comparisons
from halfpoint.apps.fields.arena.next_pairs import all_contrasts, next_pairs
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.models.games.errors import GameTableError

NAMES = ["a", "b", "c"]


def test_one_pair_takes_from_a_normal_posterior_what_the_formula_says():
    """Independent strengths of variance 1, 1 and 4; the variance of a - c is 5, and n I = 2 of a - c leaves 5 / 11."""
    rng = np.random.default_rng(1)
    draws = rng.standard_normal((400_000, 3)) * np.array([1.0, 1.0, 2.0])
    asked = np.array([[1.0, 0.0, -1.0]])
    found = next_pairs(draws, lambda i, j: np.array([[0.2]]), asked, NAMES, 1, judgements=10)
    assert found[["first", "second"]].to_numpy().tolist() == [["a", "c"]]
    assert found["left_percent"][0] == pytest.approx(100 / 11, rel=0.01)
    assert found["gain_percent"][0] + found["left_percent"][0] == pytest.approx(100.0)
    everything = next_pairs(draws, lambda i, j: np.array([[0.2]]), all_contrasts(3), NAMES, 6)
    assert "c" in everything.iloc[0][["first", "second"]].to_list()
    assert everything["left_percent"].is_monotonic_decreasing
    pairs = everything[["first", "second"]].apply(frozenset, axis=1)
    assert pairs[:3].nunique() == pairs[3:].nunique() == 3  # each pair once before any comes again


def test_the_board_learns_what_was_expected():
    arena = simulate_arena(models=5, battles=600, judges=10, seed=3, sharpness=0.0, habit_elo=0.0, length_elo=0.0)
    before = leaderboard(arena.battles, method="normal", checks=False, seed=1)
    asked = next_comparisons(before.trace, pairs=1, target="model-01:model-02", judgements=400)
    one, two = asked.frame[["first", "second"]].to_numpy()[0]
    assert {one, two} == {"model-01", "model-02"}
    more = simulate_arena(models=5, battles=40_000, judges=10, seed=3, sharpness=0.0, habit_elo=0.0, length_elo=0.0)
    rows = more.battles[[{a, b} == {one, two} for a, b in more.battles[["model_a", "model_b"]].to_numpy()]].head(400)
    after = leaderboard(pd.concat([arena.battles, rows]), method="normal", checks=False, seed=1)

    def variance(board):
        strength = board.trace["posterior"]["strength"]
        return float((strength.sel(player=one) - strength.sel(player=two)).var())

    # 4,000 draws on either side: 2.2% each; the information of 400 judgements is their expectation's within a tenth
    left = 100 * variance(after) / variance(before)
    assert left == pytest.approx(asked.frame["left_percent"][0], rel=0.15)


def test_mistakes_are_one_line(tmp_path):
    battles = simulate_arena(models=4, battles=300, judges=5).battles
    trace = leaderboard(battles, method="normal", checks=False, draws=250).trace
    assert len(next_comparisons(trace, pairs=3).frame) == 3
    for options, said in (
        ({"target": "near"}, "--target: expected borders | all | A:B, found 'near'"),
        ({"target": "model-01:model-01"}, "two different names"),
        ({"target": "model-01:nobody"}, "nobody"),
        ({"pairs": 0}, "--pairs"),
        ({"judgements": 0}, "--judgements"),
    ):
        with pytest.raises(GameTableError) as caught:
            next_comparisons(trace, **options)
        assert said in str(caught.value)
