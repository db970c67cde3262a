"""A sparse matrix as rows of equal length, and back."""

import numpy as np
import scipy.sparse as sparse

from halfpoint.models.games.table import Floats, Integers


def pad_rows(matrix: sparse.sparray) -> tuple[Floats, Integers]:
    """Rows of equal length from a sparse matrix: weights and columns, (row, entry); spare entries have weight 0."""
    rows = sparse.csr_array(matrix)
    many = np.diff(rows.indptr)
    row = np.repeat(np.arange(many.size), many)
    entry = np.arange(rows.nnz) - np.repeat(rows.indptr[:-1], many)
    shape = (many.size, int(many.max(initial=0)))
    weight, place = np.zeros(shape), np.broadcast_to(np.arange(many.size)[:, None], shape).copy()
    weight[row, entry], place[row, entry] = rows.data, rows.indices
    return weight, place


def matrix_of(weight: Floats, place: Integers) -> sparse.csc_array:
    """Sparse matrix from rows of equal length, CSC."""
    row = np.broadcast_to(np.arange(len(weight))[:, None], weight.shape)
    count = len(weight)
    return sparse.coo_array((weight.ravel(), (row.ravel(), place.ravel())), shape=(count, count)).tocsc()
