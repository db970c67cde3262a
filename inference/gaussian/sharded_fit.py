"""Fit without a factor, with rows in shards: each step sends numbers z to shards, which return sums over rows.

A model is supported if eta and lam of a game are White's strength less Black's and sums of numbers that all games
share, with no further parameter in them: the models of constant strengths without effects. `ReweightedFits` computes
any prior, spreads and scales here; shards compute sums over rows. Sent and received bytes are counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from threadpoolctl import threadpool_limits

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.matrix_free_precision import MEMBERS, MatrixFreePrecision, Members, bends
from halfpoint.inference.gaussian.posterior_density import Optimum, PosteriorDensity
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits, are_settled, spreads_of
from halfpoint.inference.gaussian.shard import SeatForm
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.games.table import Floats, Texts

type Call = Callable[[str, tuple[Any, ...]], Any]  # method of a shard, arguments -> a future with `result()`


class Shards:
    """Shards of a fit, each represented by a callable that starts one of its methods (`Shard.call`)."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls, self.sent, self.received, self.steps = calls, 0, 0, 0

    def each(self, name: str, *arguments: object) -> list[Any]:
        """Results of a method of every shard, in their order."""
        started = [call(name, arguments) for call in self.calls]
        results = [future.result() for future in started]
        self.steps += 1
        self.sent += len(self.calls) * _bytes_of(arguments)
        self.received += _bytes_of(results)
        return results


def _bytes_of(value: object) -> int:
    """Bytes of the arrays in a value."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(_bytes_of, value)) if isinstance(value, tuple | list) else 0


@dataclass(eq=False)
class _Place:
    """Point at which rows are evaluated."""

    z: Floats | None = None


@dataclass(eq=False)
class _Gradient:
    """Contribution of the rows to the gradient by z, (z,)."""

    sums: Floats
    bent: bool  # whether rows curve up

    def copy(self) -> Self:
        """Return the object itself: shards keep the curvatures of their rows until the next look."""
        return self


@dataclass(eq=False)
class Widths:
    """Widths of the rows, which the shards keep."""

    shards: Shards
    alone: Floats  # (z,): V is diag(alone) + up up' - down down'
    up: Floats  # (z, way)
    down: Floats
    moved: float = np.inf  # largest change of a variance of eta
    variance: float = 0.0  # largest variance of eta
    widest: tuple[float, float] = (0.0, 0.0)  # largest deviations of eta and lam

    def __iadd__(self, further: tuple[list[Floats], Floats]) -> Self:
        """Compute widths in the shards, with the contribution of thetas."""
        ways, covariance = further
        if ways:  # thetas move all numbers
            size, turn = np.linalg.eigh(covariance)
            moved = np.transpose(ways) @ (turn * np.sqrt(np.abs(size)))
            self.up, self.down = (
                np.hstack([side, moved[:, mask]]) for side, mask in ((self.up, size >= 0.0), (self.down, size < 0.0))
            )
        reports = self.shards.each("widen", self.alone, self.up, self.down)
        self.moved, self.variance = (max(report[k] for report in reports) for k in range(2))
        self.widest = tuple(max(report[2][k] for report in reports) for k in range(2))
        return self


class _ShardedRows:
    """Rows in shards, with the interface of `AffineRows` for the climb of `posterior_density`."""

    still, kind, count = True, np.float64, 0  # the coordinator has no row
    products = (np.zeros(0, dtype=np.int64),)  # nor have cells a row that multiplies two z

    def __init__(self, shards: Shards) -> None:
        self.shards = shards

    def at(self, v: Floats) -> tuple[_Place, None]:
        """A new point, still without numbers, and None for slopes."""
        return _Place(), None

    def place(self, slope: None, z: Floats, place: _Place) -> None:
        """Set the numbers z of a point."""
        place.z = z

    def expect(self, place: _Place, variance: Widths | None) -> tuple[float, _Gradient, _Gradient]:
        """Value and gradient of the rows, the gradient twice."""
        widest = (0.0, 0.0) if variance is None else variance.widest
        reports = self.shards.each("look", place.z, variance is not None, widest)
        bent = bends(*(max(report[2][k] for report in reports) for k in range(2)))
        gradient = _Gradient(sum(report[1] for report in reports), bent)
        return sum(report[0] for report in reports), gradient, gradient

    def gather(self, slope: None, first: _Gradient, gradient: Floats) -> None:
        """Add to the gradient by z."""
        gradient += first.sums


class ShardedPrecision(MatrixFreePrecision):
    """H with the part between players in shards."""

    def __init__(
        self, posterior: PosteriorDensity, members: Members, slope: None, second: _Gradient, v: Floats
    ) -> None:
        self.shards: Shards = posterior.rows.shards  # type: ignore[attr-defined]
        reports = self.shards.each("information", v[posterior.parts.z] if second.bent else None)
        alone, with_wide = (sum(report[k] for report in reports) for k in range(2))
        self.finish(posterior.parts, members, alone, with_wide, v)

    def between(self, x: Floats) -> Floats:
        """Off-diagonal information between players of the same cell, times x, shape (z, column)."""
        return np.asarray(sum(self.shards.each("between", x)))

    def tied(self) -> float:
        """Zero: no prior ties two players."""
        return 0.0

    def widths(self) -> Widths:  # type: ignore[override]
        """Widths of the rows, which the shards compute and keep."""
        _, further, up, down = self.approximation
        return Widths(self.shards, self.own + further, up, down)


class ShardedFits(ReweightedFits):
    """A model on cells in shards.

    Parameters
    ----------
    declared : Declared
        The model on a few games of all its players, which include every kind of seats (neutral or not) in the cells.
    names : array of str, shape (player,)
        The players, sorted.
    shards : Shards
        Places of the cells.

    Raises
    ------
    InferenceError
        If the model reads more of a game than its players and seats, or there are fewer than 40 players.
    """

    def __init__(self, declared: Declared, names: Texts, shards: Shards) -> None:
        self.declared, self.shards, self.follows = declared, shards, False
        self.posterior = PosteriorDensity(declared)
        members = Members(self.parts)
        if any(group.shape[1] > 1 for group in members.blocks.groups):
            raise InferenceError(f"cells in shards: {declared.spec.name} ties players to one another by its prior")
        form = seat_form(self.posterior, members)
        if names.size < MEMBERS:  # whose strengths are no population
            raise InferenceError(f"cells in shards: expected at least {MEMBERS} players, found {names.size}")
        self.rows = sum(shards.each("seat", names, form))
        self.posterior.rows = _ShardedRows(shards)  # type: ignore[assignment]
        self.curve = partial(ShardedPrecision, self.posterior, members)
        spreads = spreads_of(self.parts)
        self.beside = [k for k in range(len(self.parts.thetas)) if k not in spreads]

    def of_thetas(self, top: Optimum) -> Any:
        """Shifts of z along thetas, and the covariance of thetas: the inputs of shards for widths."""
        return [w for _, w in top.moved], np.linalg.inv(top.inner)

    def has_settled(self, last: object, widths: Any) -> bool:
        """True if widths of the rows moved little."""
        return last is not None and are_settled(widths.moved, widths.variance)

    def deviations_about_mean(self, fitted: Any) -> Floats:
        """Standard deviations of strengths less the mean of all, natural units, shape (player,)."""
        places = self.parts.position[self.parts.of("strength")]
        with threadpool_limits(1, user_api="blas"):
            return np.asarray(fitted.top.curvature.deviations_about_mean(places))


def seat_form(posterior: PosteriorDensity, members: Members) -> SeatForm:
    """Form of eta and lam of a game in z, read from the rows of a few games."""
    declared, parts, rows = posterior.declared, posterior.parts, posterior.rows
    wrong = InferenceError(
        "cells in shards: expected a model with the difference of two strengths and common parameters only, found "
        f"{declared.spec.name}. Use --model davidson-population or davidson-rated."
    )
    keys = [key for key in declared.ground.made if isinstance(key, tuple)]
    who_met = any(key[0] == "opponents" for key in keys)  # a prior that all games make, not these few
    if who_met or not rows.still or declared.rows.margin is not None or "strength" not in declared.layout.slots:
        raise wrong
    player = parts.position[parts.of("strength")].astype(np.int32)
    if (player < 0).any():
        raise wrong
    alike = 1 - np.asarray(declared.rows.seated).astype(np.int64)
    slope = np.zeros((2, 2, members.wide.size))
    slopes_of_kind: dict[int, Floats] = {}
    for row in range(rows.count):
        entries = slice(rows.first[row], rows.first[row + 1])
        row_slopes = np.zeros((2, posterior.size))
        row_slopes[:, rows.column[entries]] = rows.base[:, entries]
        for sign, side in ((1.0, declared.rows.white), (-1.0, declared.rows.black)):
            place = player[side.players[row, 0]]
            if place < 0 or not np.array_equal(row_slopes[:, place], [sign, 0.0]):
                raise wrong
            row_slopes[:, place] = 0.0
        shared = row_slopes[:, members.wide]
        row_slopes[:, members.wide] = 0.0
        if row_slopes.any() or not np.array_equal(slopes_of_kind.setdefault(int(alike[row]), shared), shared):
            raise wrong
        slope[:, alike[row]] = shared
    slope[:, 1] = slope[:, int(1 in slopes_of_kind)]  # a model that does not read neutral ground has one kind
    used = np.flatnonzero(slope.any(axis=(0, 1)))
    alone = not declared.traits.draws
    return SeatForm(declared.outcome, alone, player, members.wide[used], slope[:, :, used], members.of)
