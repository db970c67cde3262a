"""Numbers that priors tie to one another, such as a player's strengths of all months: blocks of H, inverted one by one.

A player whose number is independent in the prior is a block alone. Only blocks of the inverse are stored, as sparse
matrices.
"""

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components

from halfpoint.models.games.table import Floats

_MOST = 20_000_000  # numbers in blocks; of more every number is taken alone
_Integers = npt.NDArray[np.integer]


class BlockDiagonal:
    """Blocks of members, (z,), connected by sums of priors, sparse (row, z); the same at every theta.

    `of` has the block of each number, -1 for none; `whole` has, for each sum, whether each row's members share one
    block.
    """

    def __init__(self, sums: list[sparse.csr_array], members: npt.NDArray[np.bool_]) -> None:
        size = members.size
        parts = [matrix.tocsc()[:, members].tocoo() for matrix in sums]
        links = [sparse.csr_array((np.ones(part.nnz), (part.row, part.col)), shape=part.shape) for part in parts]
        count, label = connected_components(
            sum((link.T @ link for link in links), sparse.csr_array((members.sum(),) * 2))
        )
        if (np.bincount(label, minlength=count) ** 2).sum() > _MOST:
            count, label = label.size, np.arange(label.size)
        self.of = np.full(size, -1)
        self.of[members] = label
        pairs = [np.unique(np.stack([part.row, label[part.col]]), axis=1)[0] for part in parts]
        self.whole = [np.unique(rows).size == rows.size for rows in pairs]
        order, lengths = np.argsort(label, kind="stable"), np.bincount(label, minlength=count)
        begin = np.cumsum(lengths) - lengths
        order = np.flatnonzero(members)[order]
        self.place, self.slot = np.zeros(size, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self.place[order] = np.arange(order.size) - np.repeat(begin, lengths)
        self.groups: list[_Integers] = []
        for length in np.unique(lengths):
            blocks = np.flatnonzero(lengths == length)
            self.slot[blocks] = np.arange(blocks.size)
            self.groups.append(order[begin[blocks, None] + np.arange(length)])

    def within(self, matrix: sparse.sparray) -> sparse.csr_array:
        """Entries of a sparse matrix whose two numbers belong to one block."""
        if [group.shape[1] for group in self.groups] == [1]:
            return sparse.diags_array(np.where(self.of < 0, 0.0, matrix.diagonal())).tocsr()
        entries = matrix.tocoo()
        is_inside = (self.of[entries.row] == self.of[entries.col]) & (self.of[entries.row] >= 0)
        return sparse.csr_array(
            (entries.data[is_inside], (entries.row[is_inside], entries.col[is_inside])), shape=matrix.shape
        )

    def inverse(self, matrix: sparse.sparray) -> tuple[sparse.csr_array, sparse.csr_array, sparse.csr_array]:
        """W = M^-1, S with S S' = W, and S^-1, for the blocks M of a matrix, sparse, shape (z, z)."""
        entries = self.within(matrix).tocoo()
        length = np.bincount(self.of[self.of >= 0])[self.of[entries.row]]
        lists: list[list[Floats]] = [[], [], []]
        for group in self.groups:
            in_group = length == group.shape[1]
            row, column = entries.row[in_group], entries.col[in_group]
            blocks = np.zeros((*group.shape, group.shape[1]))
            blocks[self.slot[self.of[row]], self.place[row], self.place[column]] = entries.data[in_group]
            low = np.linalg.cholesky(blocks)
            back = np.linalg.inv(low)
            turned = np.swapaxes(back, 1, 2)
            for numbers, matrices in zip(lists, (turned @ back, turned, np.swapaxes(low, 1, 2)), strict=True):
                numbers.append(matrices.ravel())
        if not lists[0]:
            return (sparse.csr_array(matrix.shape),) * 3
        rows = np.concatenate([np.repeat(group, group.shape[1], axis=1).ravel() for group in self.groups])
        columns = np.concatenate([np.tile(group, group.shape[1]).ravel() for group in self.groups])
        return tuple(
            sparse.csr_array((np.concatenate(numbers), (rows, columns)), shape=matrix.shape) for numbers in lists
        )
