"""Blocks of parameters coupled by the prior, compared with NumPy's inverses of the blocks."""

import numpy as np
import pytest
import scipy.sparse as sparse

from halfpoint.inference.gaussian.sparse import block_diagonal
from halfpoint.inference.gaussian.sparse.block_diagonal import BlockDiagonal

BLOCKS = [[0, 3, 4], [1], [5, 7], [8, 9]]  # 2 and 6 are no members
MEMBERS = np.array([True, True, False, True, True, True, False, True, True, True])
TIES = [(0, 3), (3, 4), (5, 7), (8, 9), (1, 2)]  # the last with a number that is no member


def ties(pairs=TIES):
    """Sums of two parameters each, sparse (row, parameter)."""
    rows = np.repeat(np.arange(len(pairs)), 2)
    return sparse.csr_array((np.tile([1.0, -1.0], len(pairs)), (rows, np.ravel(pairs))), shape=(len(pairs), 10))


def precision(seed=2):
    """Positive definite matrix without zeros."""
    half = np.random.default_rng(seed).normal(size=(10, 10))
    return half @ half.T + 10.0 * np.eye(10)


def test_numbers_of_one_block_are_those_that_sums_tie():
    blocks = BlockDiagonal([ties()], MEMBERS)
    assert (blocks.of == -1).tolist() == (~MEMBERS).tolist()
    assert sorted(np.flatnonzero(blocks.of == block).tolist() for block in range(4)) == sorted(BLOCKS)
    assert blocks.whole == [True]


def test_a_sum_over_two_blocks_is_not_whole(monkeypatch):
    alone = BlockDiagonal([ties([(0, 3)]), ties([(0, 3), (5, 7)])], MEMBERS)
    assert alone.whole == [True, True]
    monkeypatch.setattr(block_diagonal, "_MOST", 8)  # a pair and six single numbers have 10 entries
    single = BlockDiagonal([ties([(0, 3)]), sparse.csr_array(np.eye(10)[:2])], MEMBERS)
    assert sorted(single.of[MEMBERS].tolist()) == list(range(8))  # each number alone
    assert single.whole == [False, True]


@pytest.mark.parametrize("pairs", [TIES, []])
def test_inverse_root_and_its_inverse(pairs):
    blocks = BlockDiagonal([ties(pairs)] if pairs else [], MEMBERS)
    groups = BLOCKS if pairs else [[k] for k in np.flatnonzero(MEMBERS)]
    matrix, expected = precision(), np.zeros((10, 10))
    inside = np.zeros((10, 10), dtype=bool)
    for group in groups:
        expected[np.ix_(group, group)] = np.linalg.inv(matrix[np.ix_(group, group)])
        inside[np.ix_(group, group)] = True
    within = blocks.within(sparse.csr_array(matrix)).toarray()
    inverse, root, back = (part.toarray() for part in blocks.inverse(sparse.csr_array(matrix)))
    assert within == pytest.approx(np.where(inside, matrix, 0.0), abs=0.0)
    assert inverse == pytest.approx(expected, abs=1e-15)
    assert root @ root.T == pytest.approx(expected, abs=1e-15)
    assert root @ back == pytest.approx(np.diag(MEMBERS.astype(float)), abs=1e-12)


def test_no_members_have_no_inverse():
    blocks = BlockDiagonal([ties()], np.zeros(10, dtype=bool))
    assert all(part.nnz == 0 for part in blocks.inverse(sparse.csr_array(precision())))
