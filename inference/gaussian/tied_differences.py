r"""Differences that share a spread, in units of it: coordinates in which factors are interpolated between thetas.

    y_i = (z_i - z_last(i)) / s,    y_last = z_last

The periods of a player are tied together by the spread s of their steps, players by that about their mean. `last` is
the last of such a group in the order of the factor, so differences leave triangles triangles. As s falls, a group's
places become equal: L^-T, of z, tends to a matrix whose rows differ by as little as s, which no interpolation keeps,
while that of y tends to a limit.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components

from halfpoint.inference.gaussian.day_term import DayTerm
from halfpoint.inference.gaussian.latent_split import LatentSplit
from halfpoint.models.games.table import Floats, Integers

_NOTHING = 1e-9  # sum of the two coefficients of a difference


@dataclass(frozen=True, eq=False)
class TiedDifferences:
    """Places of z that are tied to the last of their group, by the spread that ties them."""

    last: Integers  # (z,): the last place of the group; its own where nothing ties it
    groups: tuple[tuple[int, Integers], ...]  # value that is a spread, and the places that it ties, without the last

    def differences[Values: npt.NDArray[np.floating]](self, z: Values) -> Values:
        """Differences in place of z (z, column), which is overwritten; a last place may be tied in a later group."""
        for _, places in self.groups:
            z[places] -= z[self.last[places]]
        return z

    def sums[Values: npt.NDArray[np.floating]](self, y: Values) -> Values:
        """The z of differences y (z, column), which is overwritten."""
        for _, places in self.groups[::-1]:
            y[places] += y[self.last[places]]
        return y

    def scale(self, v: Floats) -> Floats:
        """The spread of each difference, shape (z,), 1 for numbers that are not tied, at values (value,)."""
        scale = np.ones(self.last.size)
        for spread, places in self.groups:
            scale[places] = v[spread]
        return scale


def tied_differences(parts: LatentSplit, rank: Integers) -> TiedDifferences:
    """Groups of a model's z: those that its prior ties by differences of two, with one spread.

    `rank` is the place of each z in the order of the factor.
    """
    size, groups = parts.z.size, list[tuple[int, Integers]]()
    last, is_free = np.arange(size), np.ones(size, dtype=bool)
    for term in parts.terms:
        if isinstance(term, DayTerm) or term.spread < 0:
            continue
        differs = (np.diff(term.sums.indptr) == 2) & (np.abs(term.sums.sum(axis=1)) < _NOTHING)
        ends = term.sums[differs].indices.reshape(-1, 2)
        ends = ends[is_free[ends].all(axis=1)]
        ties = sparse.coo_array((np.ones(len(ends)), ends.T), (size, size))
        group = connected_components(ties, directed=False)[1]
        order = np.argsort(rank)
        last_of = np.empty(size, dtype=np.int64)
        last_of[group[order]] = order  # the last assignment of a group stays
        places = np.flatnonzero(last_of[group] != np.arange(size))
        last[places], is_free[places] = last_of[group[places]], False
        if places.size:
            groups.append((term.spread, places))
    return TiedDifferences(last, tuple(groups))
