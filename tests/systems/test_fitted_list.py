"""The fitted list: its parameters equal those of a general optimiser, and known parameters are recovered."""

import numpy as np
import pytest
from scipy.optimize import minimize

from halfpoint.models.games.draw_curve import outcome_of
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.systems.fitted_list import MEAN, SD, FittedList, designs

TRUTH = np.array([0.85, 0.2, 0.9, 0.15, -0.2, -0.25])


def games(count=20_000, seed=4):
    """Games by the formula with known parameters."""
    rng = np.random.default_rng(seed)
    rating = rng.normal(2600.0, 90.0, (2, count)).round()
    players, white, black = code_players(np.full(count, "Ash"), np.full(count, "Elm"))
    table = GameTable(
        players, white, black, np.full(count, 0.5), white_rating_elo=rating[0], black_rating_elo=rating[1]
    )
    far, near = designs(table)
    p = outcome_of(1.0 / (1.0 + np.exp(-far @ TRUTH[:2])), near @ TRUTH[2:])
    outcome = (rng.random((count, 1)) > p.cumsum(axis=1)).sum(axis=1)
    return GameTable(
        players, white, black, outcome / 2.0, period=np.ones(count, dtype=int), white_rating_elo=rating[0],
        black_rating_elo=rating[1],
    )  # fmt: skip


def test_planted_numbers_are_found_and_the_mode_is_that_of_a_general_optimiser():
    table = games()
    fitted = FittedList()
    fitted.learn(table)
    far, near = designs(table)

    def loss(x):
        p = outcome_of(1.0 / (1.0 + np.exp(-far @ x[:2])), near @ x[2:])
        return -np.log(p[np.arange(len(table)), table.outcome]).sum() + 0.5 * (((x - MEAN) / SD) ** 2).sum()

    found = minimize(loss, MEAN, method="BFGS")
    assert fitted.parameters == pytest.approx(found.x, abs=1e-3)
    assert fitted.parameters == pytest.approx(TRUTH, abs=4 * np.sqrt(np.diag(found.hess_inv)).max())
    assert fitted.forecast(table).outcome.sum(axis=1) == pytest.approx(1.0)
