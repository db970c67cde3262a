"""Certificates of boards compared with the exact greedy search and an independent mode; removal reverses the order."""

import numpy as np
import pandas as pd
import pytest
from bench_votes import Exact, compared, small_board

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.certificate import Votes
from halfpoint.apps.fields.arena.simulate import simulate_arena


def test_the_mode_is_that_of_the_formula():
    refits = small_board(1)
    exact = Exact(refits)
    found = Votes(refits).whole.top.z[refits.strengths]
    wanted = exact.modes(exact.number[None], exact.centre)[0][: found.size]
    np.testing.assert_allclose(found - found.mean(), wanted - wanted.mean(), atol=1e-6)


def test_as_many_votes_as_the_exact_greedy_drops():
    found = [compared(seed)[:2] for seed in (0, 2, 5, 7, 11)]
    assert all(ours == exact for ours, exact in found)


@pytest.fixture(scope="module")
def board():
    battles = simulate_arena(models=5, battles=500, judges=20, seed=3).battles.drop(columns="judge")
    return battles, arena.leaderboard(battles, method="normal")


def test_without_the_votes_another_leads(board):
    battles, found = board
    held = found.certificate
    first = held.places.iloc[0]
    assert first["above"] == found.frame["model"][0]
    assert held.words in found.note
    assert held.words.startswith(f"{first['votes']:,.0f} votes of {len(battles)} decide the first place")
    named = held.votes[held.votes["place"] == "first place"]
    assert named["votes"].sum() == first["votes"]
    kept = battles.copy()
    for row in named.itertuples():
        winner = "tie" if row.verdict == "tie" else "model_a" if row.verdict == row.first else "model_b"
        alike = (kept["model_a"] == row.first) & (kept["model_b"] == row.second) & (kept["winner"] == winner)
        assert str(battles.index.get_loc(kept.index[alike][0]) + 1) in row.where
        kept = kept.drop(kept.index[alike][: row.votes])
    again = arena.leaderboard(kept, method="normal", checks=False).frame
    ratings = again.set_index("model")["rating_elo"]
    assert ratings[first["below"]] > ratings[first["above"]] - 0.5  # spreads are learned anew


def test_counts_are_votes_and_a_border_at_its_edge_is_held_by_none(board):
    battles, found = board
    summed = battles.groupby(["model_a", "model_b", "winner"]).size().rename("weight").reset_index()
    counted = arena.leaderboard(summed, method="normal")
    pd.testing.assert_frame_equal(counted.certificate.places, found.certificate.places)
    assert counted.certificate.total == len(battles)


def test_who_always_won_is_first_by_every_vote():
    battles = pd.DataFrame({"model_a": ["a"] * 30, "model_b": ["b"] * 30, "winner": ["model_a"] * 30})
    found = arena.leaderboard(battles, method="normal").certificate
    assert found.words.startswith("30 votes of 30 decide the first place")
