"""Numbers that priors tie to one another, such as a player's strengths of all months: blocks of H, inverted one by one.

A player whose number is independent in the prior is a block alone. Only blocks of the inverse are stored, as sparse
matrices.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components

from halfpoint.models.games.table import Floats

_MOST = 20_000_000  # numbers in blocks; of more every number is taken alone
_Integers = npt.NDArray[np.integer[Any]]


class BlockDiagonal:
    """Blocks of members, (z,), connected by sums of priors, sparse (row, z); the same at every theta.

    `of` has the block of each number, -1 for none; `whole` has, for each sum, whether each row's members share one
    block.
    """

    def __init__(self, sums: list[Any], members: npt.NDArray[np.bool_]) -> None:
        size = members.size
        held = [one.tocsc()[:, members].tocoo() for one in sums]
        links = [sparse.csr_array((np.ones(one.nnz), (one.row, one.col)), shape=one.shape) for one in held]
        count, label = connected_components(sum((one.T @ one for one in links), sparse.csr_array((members.sum(),) * 2)))
        if (np.bincount(label, minlength=count) ** 2).sum() > _MOST:
            count, label = label.size, np.arange(label.size)
        self.of = np.full(size, -1)
        self.of[members] = label
        pairs = [np.unique(np.stack([one.row, label[one.col]]), axis=1)[0] for one in held]
        self.whole = [np.unique(rows).size == rows.size for rows in pairs]
        order, each = np.argsort(label, kind="stable"), np.bincount(label, minlength=count)
        begin = np.cumsum(each) - each
        order = np.flatnonzero(members)[order]
        self.place, self.slot = np.zeros(size, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self.place[order] = np.arange(order.size) - np.repeat(begin, each)
        self.groups: list[_Integers] = []
        for length in np.unique(each):
            here = np.flatnonzero(each == length)
            self.slot[here] = np.arange(here.size)
            self.groups.append(order[begin[here, None] + np.arange(length)])

    def within(self, matrix: Any) -> Any:
        """Entries of a sparse matrix whose two numbers belong to one block."""
        if [group.shape[1] for group in self.groups] == [1]:
            return sparse.diags_array(np.where(self.of < 0, 0.0, matrix.diagonal())).tocsr()
        entries = matrix.tocoo()
        kept = (self.of[entries.row] == self.of[entries.col]) & (self.of[entries.row] >= 0)
        return sparse.csr_array((entries.data[kept], (entries.row[kept], entries.col[kept])), shape=matrix.shape)

    def inverse(self, matrix: Any) -> tuple[Any, Any, Any]:
        """W = M^-1, S with S S' = W, and S^-1, for the blocks M of a matrix, sparse, shape (z, z)."""
        entries = self.within(matrix).tocoo()
        length = np.bincount(self.of[self.of >= 0])[self.of[entries.row]]
        found: list[list[Floats]] = [[], [], []]
        for group in self.groups:
            here = length == group.shape[1]
            row, column = entries.row[here], entries.col[here]
            whole = np.zeros((*group.shape, group.shape[1]))
            whole[self.slot[self.of[row]], self.place[row], self.place[column]] = entries.data[here]
            low = np.linalg.cholesky(whole)
            back = np.linalg.inv(low)
            turned = np.swapaxes(back, 1, 2)
            for one, made in zip(found, (turned @ back, turned, np.swapaxes(low, 1, 2)), strict=True):
                one.append(made.ravel())
        if not found[0]:
            return (sparse.csr_array(matrix.shape),) * 3
        rows = np.concatenate([np.repeat(group, group.shape[1], axis=1).ravel() for group in self.groups])
        columns = np.concatenate([np.tile(group, group.shape[1]).ravel() for group in self.groups])
        return tuple(sparse.csr_array((np.concatenate(one), (rows, columns)), shape=matrix.shape) for one in found)
