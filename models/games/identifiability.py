r"""Identifiability of people in teams: people who never play apart, and unidentified differences.

A game informs about the difference of two sides, each the mean of its people by shares of play. With X the matrix that
maps strengths to these differences, one row per game, the difference of two persons is identified if and only if every
z with X z = 0 has z_i = z_j. Random vectors projected onto these z show this for all people at once: people fall into
kinds; differences within a kind are identified, differences between kinds are not.

Two people who never play apart have the same column in X: only their mean is identified. In mixed doubles, a woman and
a man on each side, all women and all men are two kinds. In general the people of sides of two are identified separately
if and only if no part of the graph of partners falls into two halves with partners across only (is bipartite); a game
of single players mends it. Paige & Saunders (1982) ACM TOMS 8:43 for the projection by least squares of large X.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.sides import JOINED, Sides
from halfpoint.models.games.table import Codes, Floats, Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_linalg, _sparse = LazyModule("scipy.linalg"), LazyModule("scipy.sparse")
DENSE_PEOPLE = 1500  # people up to whom X'X is factorised whole
_PROBES, _SEED = 3, 20110701
_TOLERANCE = 1e-6
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Identifiability:
    """Identifiability of each person."""

    people: Texts  # (person,): the people
    # (person,): the same number for people who never play apart, in order of the first of them
    unit: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int64]  # (unit,): equal for units with identified differences; 0 is the largest kind

    @property
    def units(self) -> list[npt.NDArray[np.intp]]:
        """People of each unit, indexes into `people`."""
        order = np.argsort(self.unit, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.unit[order])) + 1)

    @property
    def names(self) -> Texts:
        """Name of each unit, shape (unit,): a person, or inseparable people joined by a plus."""
        return np.array([JOINED.join(sorted(self.people[unit].tolist())) for unit in self.units], dtype=np.str_)

    @property
    def together(self) -> list[str]:
        """Names of the units of more than one person."""
        return [name for name, unit in zip(self.names.tolist(), self.units, strict=True) if unit.size > 1]

    @property
    def apart(self) -> bool:
        """True if all differences of strength are identified."""
        return self.kind.size == self.people.size and not self.kind.any()

    def describe(self) -> list[str]:
        """Unidentified quantities, a line each; empty if all are identified."""
        lines = []
        pairs = self.together
        if pairs:
            shown = "; ".join(pairs[:_SHOWN]) + (f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else "")
            lines.append(f"always together, so listed as one name: {shown}")
        if self.kind.any():
            names, kinds = self.names, int(self.kind.max()) + 1
            groups = []
            for number in range(min(kinds, _SHOWN)):
                players_of_kind = names[self.kind == number].tolist()
                groups.append(", ".join(players_of_kind[:_SHOWN]) + (", ..." if len(players_of_kind) > _SHOWN else ""))
            omitted = f" and {kinds - _SHOWN} more kinds" if kinds > _SHOWN else ""
            lines.append(
                f"{kinds} groups of players whose difference is not identified, such as women and men in mixed doubles "
                f"({' | '.join(groups)}{omitted}): only the prior determines the difference between groups"
            )
        return lines


def identifiable_groups(sides: Sides, white: Codes, black: Codes) -> Identifiability:
    """Identifiability of people from games between sides, indexes (game,)."""
    count = sides.people.size
    met = np.unique(np.stack([white, black], axis=1), axis=0)
    used = np.unique(met)
    filled = sides.members[used] >= 0
    entries = sides.weights[used][filled], (np.nonzero(filled)[0], sides.members[used][filled])
    weight = _sparse.csr_array(entries, shape=(used.size, count))
    unit = _never_apart(weight)
    rows = np.searchsorted(used, met)
    free = _random_projections(weight[rows[:, 0]] - weight[rows[:, 1]])
    size = np.bincount(unit)
    mean = np.stack([np.bincount(unit, probe) / size for probe in free.T], axis=1)
    return Identifiability(sides.people, unit, _row_kinds(mean))


def _never_apart(weight: "csr_array") -> npt.NDArray[np.int64]:
    """A number for each column, shape (person,), equal for identical nonempty columns."""
    columns = weight.tocsc()
    number_of_column: dict[tuple[bytes, bytes] | int, int] = {}
    numbers = np.empty(columns.shape[1], dtype=np.int64)
    for k in range(columns.shape[1]):
        part = slice(columns.indptr[k], columns.indptr[k + 1])
        key = (columns.indices[part].tobytes(), columns.data[part].tobytes()) if part.stop > part.start else k
        numbers[k] = number_of_column.setdefault(key, len(number_of_column))
    return numbers


def _random_projections(design: "csr_array") -> Floats:
    """Random vectors projected onto the z with X z = 0, shape (person, probe)."""
    start = np.random.default_rng(_SEED).standard_normal((design.shape[1], _PROBES))
    if design.shape[1] <= DENSE_PEOPLE:
        values, vectors = _linalg.eigh((design.T @ design).toarray())
        null = vectors[:, values < 1e-10 * max(float(values[-1]), 1.0)]
        return np.asarray(null @ (null.T @ start))
    limit = 20 * design.shape[1]
    exactly = {"atol": 1e-12, "btol": 1e-12, "conlim": 0, "maxiter": limit}
    in_row_space = [_sparse.linalg.lsmr(design, design @ probe, **exactly)[0] for probe in start.T]
    return np.asarray(start - np.stack(in_row_space, axis=1))


def _row_kinds(values: Floats) -> npt.NDArray[np.int64]:
    """Number for each row, shape (unit,), equal for equal rows; 0 is the most frequent, then by place."""
    kind = np.zeros(values.shape[0], dtype=np.int64)
    for column in values.T:
        order = np.argsort(column)
        step = np.cumsum(np.concatenate([[0], np.diff(column[order]) > _TOLERANCE]))
        level = step[np.argsort(order)]
        kind = kind * (level.max() + 1) + level
    _, first, kind, size = np.unique(kind, return_index=True, return_inverse=True, return_counts=True)
    return np.asarray(np.argsort(np.lexsort((first, -size)))[kind], dtype=np.int64)
