"""Votes weighted by the number of votes of their pair, compared with independent weights, optimum and sandwich."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.apps.fields.arena.clusters import pair_weights
from halfpoint.apps.fields.arena.simulate import simulate_arena


@pytest.fixture(scope="module")
def battles():
    """Five models, two of whom meet ten times as often as others."""
    every = simulate_arena(models=5, battles=9000, judges=20, seed=3).battles[["model_a", "model_b", "winner"]]
    often = every["model_a"].isin(["model-00", "model-01"]) & every["model_b"].isin(["model-00", "model-01"])
    return pd.concat([every[often], every[~often].head(700)], ignore_index=True)


@pytest.fixture(scope="module")
def board(battles):
    return leaderboard(battles, method="normal", reweighted=True)


def weights_apart(battles):
    """1 / max(n, 50) of a pair in either order, mean 1: arena-rank's, by counting."""
    pairs = [frozenset(one) for one in battles[["model_a", "model_b"]].itertuples(index=False)]
    count = Counter(pairs)
    weight = np.array([1.0 / max(count[one], 50) for one in pairs])
    return weight / weight.mean()


def test_weights_are_those_of_arena_rank(battles, board):
    np.testing.assert_allclose(board.board.declared.selection.weight, weights_apart(battles), rtol=1e-12)
    assert board.trace.attrs["weighting"] == "pairs"
    summed = battles.groupby(["model_a", "model_b", "winner"]).size().rename("weight").reset_index()
    again = leaderboard(summed, method="normal", checks=False, reweighted=True)
    np.testing.assert_allclose(again.frame["rating_elo"], board.frame["rating_elo"], atol=0.3)
    np.testing.assert_allclose(again.frame["sd_elo"], board.frame["sd_elo"], rtol=0.03)


def test_a_rare_pair_weighs_as_one_of_fifty():
    frame = pd.DataFrame(
        {"model_a": ["p"] * 60 + ["q"], "model_b": ["q"] * 60 + ["r"], "winner": ["a", "b", "tie"] * 20 + ["a"]}
    )
    found = leaderboard(frame, method="normal", checks=False, reweighted=True).board.declared.selection
    assert found.weight[0] / found.weight[-1] == pytest.approx(50 / 60)
    np.testing.assert_allclose(pair_weights(found.with_weights(np.ones(61), "equal")), found.weight)


def test_strengths_and_errors_are_the_weighted_optimum_and_its_sandwich(battles, board):
    refits, posterior = board.board.refits, board.trace["posterior"].to_dataset()
    values = refits.model.values(refits.whole)
    spread, size = float(values["strength_spread"]), 5
    code = [battles[side].str[-2:].astype(int).to_numpy() for side in ("model_a", "model_b")]
    outcome = battles["winner"].map({"model_b": 0, "tie": 1, "model_a": 2}).to_numpy()
    weight, rows = weights_apart(battles), np.arange(len(battles))

    def log_likelihood(x):
        gap = x[code[0]] - x[code[1]] + x[size]
        scores = np.stack([-gap / 2, np.full(gap.size, x[size + 1]), gap / 2])
        return scores[outcome, rows] - np.log(np.exp(scores).sum(axis=0))

    def loss(x):  # strengths around their mean: the population's own is flat here
        away = x[:size] - x[:size].mean()
        prior = 0.5 * np.sum(away**2) / spread**2 + 0.5 * x[size] ** 2 + 0.5 * ((x[size + 1] - 1.0) / 5.0) ** 2
        return prior + 0.5 * x[:size].mean() ** 2 - weight @ log_likelihood(x)

    top = minimize(loss, np.zeros(size + 2), method="BFGS", options={"gtol": 1e-7}).x
    found = values["strength"] - values["strength"].mean()
    np.testing.assert_allclose(found, top[:size] - top[:size].mean(), atol=0.01)

    h, steps = 1e-4, 1e-4 * np.eye(size + 2)
    score = np.stack([(log_likelihood(top + one) - log_likelihood(top - one)) / (2 * h) for one in steps], axis=1)
    score *= weight[:, None]
    hessian = np.array([
        [
            (loss(top + a + b) - loss(top + a - b) - loss(top - a + b) + loss(top - a - b)) / (4 * h * h)
            for b in steps
        ]
        for a in steps
    ])  # fmt: skip
    prior = np.zeros((size + 2, size + 2))
    prior[:size, :size] = (np.eye(size) - 1.0 / size) / spread**2
    bread = np.linalg.inv(hessian)
    sandwich = bread @ (score.T @ score + prior) @ bread
    centre = np.eye(size) - 1.0 / size
    wanted = np.sqrt(np.diag(centre @ sandwich[:size, :size] @ centre))
    own = posterior["strength"] - posterior["strength"].mean("player")
    np.testing.assert_allclose(own.std(("chain", "draw")), wanted, rtol=0.05)
    plain = board.board.own["posterior"]["strength"]
    plain = (plain - plain.mean("player")).std(("chain", "draw")).to_numpy()
    assert np.abs(plain / wanted - 1.0).max() > 0.1  # the weighted posterior's own are no errors


def test_the_note_says_so(board):
    assert "Pairs with many judgements count less, and intervals allow for that" in board.about["widened"]
    assert board.frame["games"].sum() == 2 * len(board.board.games)
