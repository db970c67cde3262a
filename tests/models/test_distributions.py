"""Autoregression over meetings: its density, draws, distribution in a model, and games that do not use it."""

import numpy as np
import pandas as pd
import pymc as pm
import pytest
import scipy.sparse as sparse
from scipy.stats import multivariate_normal

from halfpoint.models import declare
from halfpoint.models.games import select
from halfpoint.models.games.meetings import meetings, opponents_matrix
from halfpoint.models.games.select import merge
from halfpoint.models.language.distributions import Autoregression
from halfpoint.models.rows.opponents_rows import matrix_of, pad_rows
from halfpoint.readers import read

SIZE = 7


def graph(seed=0):
    """Random matrix B of numbers of meetings."""
    met = np.triu(np.random.default_rng(seed).integers(0, 3, (SIZE, SIZE)), 1)
    return opponents_matrix(sparse.csr_array((met + met.T).astype(float)))


def test_rows_of_equal_length_are_the_matrix():
    matrix = graph()
    np.testing.assert_array_equal(matrix_of(*pad_rows(matrix)).toarray(), matrix.toarray())


@pytest.mark.parametrize("spread", [0.3, 2.0])
def test_density_is_that_of_the_multivariate_normal(spread):
    matrix, x = graph(), np.random.default_rng(1).normal(size=SIZE)
    dense = matrix.toarray()
    expected = multivariate_normal(np.zeros(SIZE), spread**2 * np.linalg.inv(dense.T @ dense)).logpdf(x)
    assert pm.logp(Autoregression.dist(spread, matrix), x).eval(mode="FAST_COMPILE") == pytest.approx(
        expected, abs=1e-6
    )


@pytest.mark.further
@pytest.mark.filterwarnings("ignore:Numba will use object mode")
def test_draws_have_the_covariance():
    matrix, draws = graph(2), 5_000
    dense = matrix.toarray()
    found = pm.draw(Autoregression.dist(0.5, matrix), draws, random_seed=3)
    expected = 0.25 * np.linalg.inv(dense.T @ dense)
    scale = np.sqrt(np.diag(expected))
    error = 5.0 * np.sqrt(2.0 / draws)
    np.testing.assert_allclose(np.cov(found.T) / np.outer(scale, scale), expected / np.outer(scale, scale), atol=error)


def two_leagues(days=None):
    """Two leagues of eight with two games between them."""
    pairs = [(i + first, j + first) for first in (0, 8) for i in range(8) for j in range(8) if i != j] + [
        (0, 8),
        (3, 11),
    ]
    white, black = ([f"P{one:02d}" for one in side] for side in zip(*pairs, strict=True))
    score = np.random.default_rng(4).choice([0.0, 0.5, 1.0], len(pairs))
    dates = {} if days is None else {"date": [f"2024-{1 + k % 12:02d}-01" for k in range(len(pairs))]}
    games = read(pd.DataFrame({"white": white, "black": black, "score": score, **dates}))
    return select(games, games.players)


def test_the_law_that_a_normal_approximation_reads_is_the_density():
    selection = two_leagues()
    declared = declare("davidson-matched", selection)
    law = next(one for one in declared.laws if one.name == "opponents_")
    (rows,) = law.gaussian
    assert rows.spread == "opponents_spread"
    start = declared.layout.where("opponents_")
    found = np.zeros((16, 16))
    for c, (place,) in rows.form.terms:
        np.add.at(found, (np.arange(16), place - start), c)
    np.testing.assert_allclose(found, opponents_matrix(meetings(merge(selection))).toarray(), atol=1e-14)
    np.testing.assert_array_equal(rows.sd, np.ones(16))


def test_pairings_by_lot_and_by_points_leave_opponents_out():
    rng = np.random.default_rng(6)
    white = rng.integers(0, 12, 600)
    black = (white + rng.integers(1, 12, 600)) % 12
    frame = pd.DataFrame({"white": white, "black": black, "score": rng.choice([0.0, 0.5, 1.0], 600)}).astype(
        {"white": str, "black": str}
    )
    lots = read(frame)
    assert "opponents_spread" not in declare("davidson-matched", select(lots, lots.players)).layout.slots
    assert "opponents_spread" in declare("davidson-matched", two_leagues()).layout.slots
    assert "opponents_spread" in declare("bt-matched-walk", two_leagues(days=True)).layout.slots
