"""Simulated games follow their probabilities, and the replica has the study's sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, outcome_probabilities, round_robin, simulate
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, study_opponents, study_players

finite = st.floats(-12.0, 12.0)


@given(finite, finite)
def test_outcomes_sum_to_one_and_swap_with_the_colours(difference, log_draw):
    here = outcome_probabilities(np.array([difference]), log_draw)[0]
    there = outcome_probabilities(np.array([-difference]), log_draw)[0]
    assert here.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(here, there[::-1], rtol=1e-9)
    assert here[1] / np.sqrt(here[0] * here[2]) == pytest.approx(np.exp(log_draw), rel=1e-9)


@given(finite)
def test_no_draw_parameter_is_bradley_terry(difference):
    loss, draw, win = outcome_probabilities(np.array([difference]))[0]
    assert draw == 0.0
    assert win == pytest.approx(1.0 / (1.0 + np.exp(-difference)), rel=1e-9)
    assert loss == pytest.approx(1.0 / (1.0 + np.exp(difference)), rel=1e-9)


def test_published_draw_share_of_equal_players():
    """Thesis 4.1: 59.98 % of games between equals are drawn at lambda 1.098 (59.985 before rounding)."""
    assert outcome_probabilities(np.zeros(1), 1.098)[0, 1] == pytest.approx(0.5998, abs=1e-4)


@pytest.mark.parametrize("advantage", [0.0, 0.3, np.array([0.4, -0.1])])
def test_shares_are_those_of_the_formula(advantage):
    truth = Truth(np.array(["Zoe", "Ann"]), np.array([0.5, 0.0]), advantage, log_draw=0.2)
    games, count = 40_000, np.zeros(3)
    side = np.zeros(games, dtype=np.int32)
    played = simulate(truth, Schedule(side, side + 1), seed=7)
    count += np.bincount(played.outcome, minlength=3)
    a, b = (advantage, 0.0) if np.ndim(advantage) == 0 else advantage
    odds = np.array([np.exp(0.0 - b), np.exp(0.2 + (0.5 + a - b) / 2), np.exp(0.5 + a)])
    expected = odds / odds.sum()
    error = np.sqrt(expected * (1 - expected) / games)
    assert (np.abs(count / games - expected) < 4.5 * error).all()
    assert (played.white_names == "Zoe").all()
    assert played.simulated


def test_the_same_seed_gives_the_same_games():
    truth = Truth(np.array(["Ann", "Bob", "Cid"]), np.zeros(3), 0.2, 0.0)
    schedule = round_robin(3, cycles=50)
    one, two, other = (simulate(truth, schedule, seed).score for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


@given(st.integers(2, 9), st.integers(1, 4))
def test_a_round_robin_pairs_everybody_once_a_cycle(players, cycles):
    schedule = round_robin(players, cycles)
    low, high = np.minimum(schedule.white, schedule.black), np.maximum(schedule.white, schedule.black)
    pairs, met = np.unique(low * players + high, return_counts=True)
    assert pairs.size == players * (players - 1) // 2
    assert (met == cycles).all()
    if cycles % 2 == 0:
        whites = np.bincount(schedule.white, minlength=players)
        np.testing.assert_array_equal(whites, np.bincount(schedule.black, minlength=players))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((np.array(["A", "A"]), np.zeros(2)), "two or more names, each once"),
        ((np.array(["A", "B"]), np.array([0.0, np.nan])), "2 finite values"),
        ((np.array(["A", "B"]), np.zeros(2), np.zeros(3)), "one finite value or 2"),
        ((np.array(["A", "B"]), np.zeros(2), 0.0, np.nan), "a number or minus infinity"),
    ],
)
def test_a_senseless_truth_is_refused(arguments, expected):
    with pytest.raises(GameTableError, match=expected):
        Truth(*arguments)


def test_a_senseless_schedule_is_refused():
    truth = Truth(np.array(["A", "B"]), np.zeros(2))
    with pytest.raises(GameTableError, match="players 0 to 1"):
        simulate(truth, Schedule(np.array([0], dtype=np.int32), np.array([2], dtype=np.int32)), seed=1)
    for white, black in (([1, 2], [0, 0]), ([1, -1], [0, 0]), ([0, 0], [1, -1])):
        sides = (np.array(side, dtype=np.int32) for side in (white, black))
        with pytest.raises(GameTableError, match="players 0 to 1"):
            simulate(truth, Schedule(*sides), seed=1)
    with pytest.raises(GameTableError, match="2 players or more"):
        round_robin(1)


def test_the_replica_has_the_studys_sizes_and_says_that_it_is_simulated():
    copy = replica()
    selection = select(copy.training, copy.monitored)
    both = (selection.white >= 0) & (selection.black >= 0)
    assert (len(selection), int(both.sum())) == (6807, 1842)
    assert np.unique(copy.training.period).tolist() == list(range(1, 36))
    anchor = selection.anchor_elo[~both]
    assert anchor.min() >= 2500
    assert anchor.max() <= 2840
    assert anchor.mean() == pytest.approx(2619.2, abs=8)  # the study's anchors: mean 2619.2, sd 57.6
    assert anchor.std() == pytest.approx(57.6, abs=6)
    a, b = select(copy.set_a, np.intersect1d(copy.monitored, copy.set_a.players), "both"), copy.set_b
    assert (len(a), len(copy.set_a), len(b)) == (411, 411, 732)
    assert (np.isin(b.white_names, copy.monitored) | np.isin(b.black_names, copy.monitored)).all()
    for games in (copy.training, copy.set_a, copy.set_b):
        assert games.simulated
        assert "SIMULATED" in games.name
    np.testing.assert_array_equal(replica().training.score, copy.training.score)
    assert copy.monitored.tolist() == monitored_names().tolist()


def test_the_replica_draws_as_often_as_its_truth_says():
    copy = replica()
    games = copy.training
    position = {name: k for k, name in enumerate(copy.truth.players.tolist())}
    white, black = (np.array([position[n] for n in side.tolist()]) for side in (games.white_names, games.black_names))
    expected = outcome_probabilities(copy.truth.difference(white, black), copy.truth.log_draw)
    spread = np.sqrt((expected * (1 - expected)).sum(axis=0))
    assert (np.abs(np.bincount(games.outcome) - expected.sum(axis=0)) < 4.5 * spread).all()


def test_the_lists_of_the_study_agree_with_each_other():
    players, opponents = study_players().set_index("name"), study_opponents().set_index("name")
    assert (len(players), len(opponents)) == (46, 96)
    assert (int(players["in_A"].sum()), int(opponents["in_B"].sum())) == (36, 87)
    shared = opponents.loc[players.index]
    assert (shared["rating_2012_12_elo"] == players["rating_2012_12_elo"]).all()
    assert (shared["in_A"] == players["in_A"]).all()
    assert (shared["in_B"] == players["in_B"]).all()
    assert (shared["data_name"] == players["data_name"]).all()
