r"""The order in which a symmetric matrix is factorised that fills little, and the columns of its factor there.

Minimum degree on the quotient graph: who is eliminated next has the fewest neighbours, and stands from then on as an
element, the set of these. A neighbour's degree is bounded by the sizes of its elements less what they share with the
newest one. The columns of L are the elements; what fills too much is given up on the way.

Amestoy, Davis & Duff (1996) SIAM J. Matrix Anal. Appl. 17:886; Liu (1990) SIAM J. Matrix Anal. Appl. 11:134 for trees.
"""

from functools import partial

import numba
import numpy as np

from halfpoint.games.table import Integers
from halfpoint.models.vector import kept

loop = partial(kept, partial(numba.njit, error_model="numpy"))


@loop
def listed(head, after, before, k, degree):  # type: ignore[no-untyped-def]
    """Put k at the head of those of a degree."""
    after[k], before[k] = head[degree], -1
    if head[degree] >= 0:
        before[head[degree]] = k
    head[degree] = k


@loop
def unlisted(head, after, before, k, degree):  # type: ignore[no-untyped-def]
    """Take k out of those of a degree."""
    if before[k] >= 0:
        after[before[k]] = after[k]
    else:
        head[degree] = after[k]
    if after[k] >= 0:
        before[after[k]] = before[k]


@loop
def eliminated(first, row, most):  # type: ignore[no-untyped-def]
    """Return the order, and where in a pool the element of each begins; nothing where the pool is longer than `most`.

    `first` and `row` are the columns of a pattern, both triangles and no diagonal. Of each not yet eliminated `row` has
    its neighbours that no element tells of, and then its elements.
    """
    size, row = first.size - 1, row.copy()
    neighbours, elements = first[1:] - first[:-1], np.zeros(size, dtype=np.int64)
    degree, gone, absorbed = neighbours.copy(), np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    head, after, before = np.full(size + 1, -1), np.full(size, -1), np.full(size, -1)
    mark, seen, outside = np.full(size, -1), np.full(size, -1), np.zeros(size, dtype=np.int64)
    order, begin = np.empty(size, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    start, length = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    pool = np.empty(most, dtype=np.int64)
    for k in range(size):
        listed(head, after, before, k, degree[k])
    least = top = 0
    for turn in range(size):
        while head[least] < 0:
            least += 1
        p = head[least]
        unlisted(head, after, before, p, degree[p])
        order[turn], begin[turn], gone[p], mark[p] = p, top, True, turn
        if top + degree[p] > most:
            return order, begin, pool[:0]
        for s in range(first[p], first[p] + neighbours[p]):
            if not gone[row[s]] and mark[row[s]] != turn:
                mark[row[s]], pool[top] = turn, row[s]
                top += 1
        for s in range(first[p] + neighbours[p], first[p] + neighbours[p] + elements[p]):
            e = row[s]
            absorbed[e] = True
            for t in range(start[e], start[e] + length[e]):
                if not gone[pool[t]] and mark[pool[t]] != turn:
                    mark[pool[t]], pool[top] = turn, pool[t]
                    top += 1
        start[p], length[p] = begin[turn], top - begin[turn]
        for s in range(start[p], top):
            i = pool[s]
            for t in range(first[i] + neighbours[i], first[i] + neighbours[i] + elements[i]):
                e = row[t]
                if not absorbed[e]:
                    if seen[e] != turn:
                        seen[e], outside[e] = turn, length[e]
                    outside[e] -= 1
        for s in range(start[p], top):
            i = pool[s]
            unlisted(head, after, before, i, degree[i])
            to, old = first[i], first[i] + neighbours[i]
            for t in range(first[i], old):
                if not gone[row[t]] and mark[row[t]] != turn:
                    row[to] = row[t]
                    to += 1
            found = neighbours[i] = to - first[i]
            for t in range(old, old + elements[i]):
                if not absorbed[row[t]]:
                    row[to] = row[t]
                    found += outside[row[t]]
                    to += 1
            row[to] = p
            elements[i] = to + 1 - first[i] - neighbours[i]
            degree[i] = min(found + length[p] - 1, degree[i] + length[p] - 1, size - turn - 2)
            listed(head, after, before, i, degree[i])
            least = min(least, degree[i])
    begin[size] = top
    return order, begin, pool[:top]


@loop
def postordered(parent):  # type: ignore[no-untyped-def]
    """Return the place of each node of a forest where children come before parents, and each tree is in one piece."""
    size = parent.size
    child, sibling = np.full(size + 1, -1), np.full(size, -1)
    for k in range(size - 1, -1, -1):
        sibling[k], child[parent[k]] = child[parent[k]], k
    place, stack, count, top = np.empty(size, dtype=np.int64), np.empty(size + 1, dtype=np.int64), 0, 0
    stack[0] = size
    while top >= 0:
        node = stack[top]
        if child[node] >= 0:
            top += 1
            stack[top], child[node] = child[node], sibling[child[node]]
        else:
            top -= 1
            if node < size:
                place[node] = count
                count += 1
    return place


def columns_of_factor(first: Integers, row: Integers, most: int) -> tuple[Integers, Integers, Integers] | None:
    """Return the columns of a factor in an order that fills little, or nothing where that is more than `most` numbers.

    Given are the columns of the pattern, both triangles and no diagonal; returned the place of each row in the order,
    and the columns of L by that order, each with its diagonal, rows rising.
    """
    size = first.size - 1
    order, begin, pool = eliminated(first.astype(np.int64), row.astype(np.int64), max(most, size))
    if pool.size == 0 and size > 1:
        return None
    rank = np.empty(size, dtype=np.int64)
    rank[order] = np.arange(size)
    column, below = np.repeat(np.arange(size), np.diff(begin)), rank[pool]
    parent = np.full(size, size)
    np.minimum.at(parent, column, below)
    place = postordered(parent)
    here = np.arange(size)
    column, below = np.concatenate([place[column], here]), np.concatenate([place[below], here])
    sequence = np.lexsort((below, column))
    return place[rank], np.searchsorted(column[sequence], np.arange(size + 1)), below[sequence]
