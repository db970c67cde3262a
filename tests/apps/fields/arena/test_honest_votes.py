"""Careless and hostile votes: attacks on simulated boards, boards without attacks, shares, reported judges."""

import numpy as np
import pandas as pd
import pytest
from bench_votes import behind, board_of, rigged

from halfpoint.apps.fields import arena
from halfpoint.apps.fields.arena.honest_votes import honest_votes
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.models.games.errors import GameTableError


@pytest.fixture(scope="module")
def clean():
    made = simulate_arena(models=15, battles=6000, judges=100, seed=4, sharpness=0.3, length_elo=0.0)
    return made.battles[["model_a", "model_b", "winner", "judge"]], made.strength.sort_values(ascending=False)


@pytest.mark.cases(1)
@pytest.mark.parametrize("kind", ["target-only", "omnipresent"])
def test_rigged_votes_move_the_board_at_most_half_as_far(clean, kind):
    battles, strength = clean
    leader, target = strength.index[0], strength.index[3]
    before = behind(board_of(battles), leader, target)
    votes = rigged(strength, 3, kind, 200, 25, seed=1)
    after = behind(board_of(pd.concat([battles, votes], ignore_index=True)), leader, target)
    assert before[0] - after[0] > 20.0
    assert abs(before[1] - after[1]) < 0.5 * (before[0] - after[0])


def test_many_accounts_with_a_few_votes_each_for_who_wins_most_anyway_are_told(clean):
    battles, strength = clean
    before = behind(board_of(battles), strength.index[0], strength.index[1])
    votes = rigged(strength, 1, "target-only", 200, 5, seed=1)
    after = behind(board_of(pd.concat([battles, votes], ignore_index=True)), strength.index[0], strength.index[1])
    assert before[0] - after[0] > 20.0
    assert abs(before[1] - after[1]) < 0.5 * (before[0] - after[0])


@pytest.mark.cases(1)
@pytest.mark.parametrize("rank", [0, 7])
def test_honest_testers_of_one_model_keep_their_votes(clean, rank):
    battles, strength = clean
    tested = np.flatnonzero((battles[["model_a", "model_b"]] == strength.index[rank]).any(axis=1))
    judge = battles["judge"].to_numpy().astype(object)
    judge[tested] = [f"tester {number // 8}" for number in range(tested.size)]
    assert honest_votes(board_of(battles.assign(judge=judge))).share < 0.02


def test_a_clean_board_keeps_its_votes(clean):
    found = honest_votes(board_of(clean[0]))
    assert found.share < 0.02
    assert len(found.judges) <= 3


def test_who_votes_by_chance_and_who_turns_votes_round_are_told(clean):
    battles, _ = clean
    chance, turned = (battles.sample(250, random_state=seed) for seed in (1, 2))
    chance = chance.assign(judge="chance", winner=np.random.default_rng(3).choice(["model_a", "model_b", "tie"], 250))
    other = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    turned = turned.assign(judge="turned", winner=turned["winner"].map(other))
    found = arena.leaderboard(pd.concat([battles, chance, turned]), honest=True, method="normal", checks=False)
    told = found.board.honest.judges.set_index("judge")
    assert told.loc["chance", "why"].startswith("careless")
    assert told.loc["turned", "why"].startswith("hostile")
    assert (told.loc[["chance", "turned"], "weight"] < 0.05).all()
    assert found.board.honest.words in found.note


def test_judges_are_needed():
    battles = pd.DataFrame({"model_a": ["a", "b"], "model_b": ["b", "a"], "winner": ["model_a", "tie"]})
    with pytest.raises(GameTableError, match="--honest: expected a column of judges"):
        arena.leaderboard(battles, honest=True)
