r"""Information of the games on the free variables of a model, at the centre of their priors: for units of coordinates.

information of a value    sum over rows of w I c^2, c its coefficient in the sides and in lam
unit                      (1 / sd^2 + information)^(-1/2), about one posterior standard deviation
level                     an axis of its own if few rows depend on the sum of a vector of players
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.table import POINTS, Floats, Integers
from halfpoint.models.reading.sparse_affine import SparseAffine, Term

if TYPE_CHECKING:
    from halfpoint.models.formulas.outcome import Outcome
    from halfpoint.models.games.select import Cells

_FEW_ANCHORED = 0.25  # share of games that see a level, below which it is worth an axis of its own
_SEEN = 1e-12  # coefficient of a level that counts
type Variable = Hashable  # a variable of a graph, or its name


@dataclass(eq=False)
class Seen:
    """Dependence of the games of a model on its free variables."""

    start: dict[Variable, int]
    shape: dict[Variable, tuple[int, ...]]
    eta: list[Any]  # terms of the difference of the sides
    lam: list[Any]
    games: Floats  # (row,): how many games
    information: float  # of a game about the difference
    of_lam: float  # and about lam
    size: int
    weight: Floats  # (row, 3)
    margin: Floats | None  # (row,), where margins are seen
    players: set[Variable]  # variables with one value a player, or without dims

    @classmethod
    def of(
        cls,
        outcome: "Outcome",
        cells: "Cells",
        rows: Any,
        start: dict[Any, int],
        shape: dict[Any, tuple[int, ...]],
        size: int,
        terms: tuple[list[Term], list[Term]],
        players: set[Any],
    ) -> Self:
        """Dependence by the terms of the difference of the sides and of lam, for a formula on cells of games."""
        games = getattr(cells, "weight_of_games", cells.weight).sum(axis=1)
        if outcome.scores is not None:
            return cls(start, shape, *terms, games, outcome.information, 0.25, size, cells.weight, None, players)
        margin, has_games = rows.margin, cells.weight.sum(axis=1) > 0.0
        information = 1.0 / max(float(np.var(margin[has_games] if has_games.any() else margin)), 1e-6)
        return cls(start, shape, *terms, games, information, 2.0, size, cells.weight, margin, players)


@dataclass(eq=False)
class Informed:
    """Information about each value, and one step of each from the centre."""

    eta: Floats  # (value,)
    lam: Floats
    step: Floats  # (value,)
    moved: list[tuple[Floats, Integers]]  # terms of the difference with one index, and products at the centre


def _linear(terms: list[Term], centre: Floats, slope: Mapping[int, tuple[int, float]]) -> list[tuple[Floats, Integers]]:
    """Terms with one index each: products are linearised at the centre."""
    linear: list[tuple[Floats, Integers]] = []
    for c, index in terms:
        for k, part in enumerate(index):
            factor = c if len(index) == 1 else c * centre[index[1 - k]]
            place, size = part.copy(), np.array(factor, dtype=np.float64)
            for pseudo, (variable, rise) in slope.items():
                is_pseudo = place == pseudo
                size = np.where(is_pseudo, size * rise, size)
                place = np.where(is_pseudo, variable, place)
            linear.append((size, place))
    return linear


def information_of(design: Seen, centre: Floats, slope: Mapping[int, tuple[int, float]]) -> Informed:
    """Information and steps from the rows."""
    moved, of_lam = _linear(design.eta, centre, slope), _linear(design.lam, centre, slope)
    eta, lam, turned = np.zeros(design.size), np.zeros(design.size), np.zeros(design.size)
    start = np.zeros(design.games.size)
    for c, index in design.eta:
        start += c * np.prod([centre[part] for part in index], axis=0) if index else c
    surplus = _surplus(design, start)
    for c, index in moved:
        eta += np.bincount(index, design.information * design.games * c**2, design.size)
        turned += np.bincount(index, surplus * c, design.size)
    for c, index in of_lam:
        lam += np.bincount(index, design.of_lam * design.games * c**2, design.size)
    return Informed(eta, lam, turned / np.maximum(eta, design.information), moved)


def _surplus(design: Seen, eta: Floats) -> Floats:
    """Points, or margins, beyond their expectation for a difference of the sides, by row."""
    if design.margin is not None:
        return np.asarray(design.information * design.games * (design.margin - eta))
    return np.asarray(design.weight @ POINTS - design.games / (1.0 + np.exp(-4.0 * design.information * eta)))


def at_centre(form: object, centre: Floats) -> Floats:
    """A form at the centre."""
    if not isinstance(form, SparseAffine):
        return np.asarray(form, dtype=np.float64)
    total: Floats = np.zeros(form.shape)
    for c, index in form.terms:
        total = total + (c * np.prod([centre[part] for part in index], axis=0) if index else c)
    return total


def level_weight(design: Seen, informed: Informed, members: slice) -> float | None:
    """Weight of games that depend on the sum of a vector; None if lam depends on it."""
    total = np.zeros(design.games.size)
    for c, index in informed.moved:
        total += np.where((index >= members.start) & (index < members.stop), c, 0.0)
    level = np.zeros(design.games.size)
    for c, index in design.lam:
        for part in index:
            level += np.where((part >= members.start) & (part < members.stop), np.abs(c), 0.0)
    if level.any():
        return None
    return float(design.games[np.abs(total) > _SEEN].sum())


def units_of(
    design: Seen, informed: Informed, members: slice, sd: npt.ArrayLike, centre: Floats, alike: bool
) -> tuple[Floats, Floats, int | None]:
    """Centre, units and pivot of a normal variable with known standard deviations; `alike`: players with one mean."""
    shape = centre.shape
    information = informed.eta[members] + informed.lam[members]
    wide = np.broadcast_to(np.asarray(sd, dtype=np.float64), shape).ravel()
    unit = (wide**-2.0 + information) ** -0.5
    pivot = None
    if len(shape) == 1 and shape[0] > 1 and alike and np.ptp(wide) == 0.0:
        loose = level_weight(design, informed, members)
        if loose is not None and loose <= _FEW_ANCHORED * design.games.sum():
            pivot = int(np.argmax(information))
            unit[pivot] = (wide[0] ** -2.0 + design.information * loose / shape[0]) ** -0.5
            centre = np.where(np.arange(shape[0]) == pivot, np.sqrt(shape[0]) * centre[0], 0.0)
    return centre, unit.reshape(shape), pivot
