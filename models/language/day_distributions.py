r"""Processes in continuous time as distributions of PyMC: one state of each player on each of their own days.

    form ~ OrnsteinUhlenbeck(spread, length, visits)     (visit,)
    form ~ Matern(spread, length, visits)                (visit, 2): form, and its slope by days

Equations, symbols, units and sources are as in `halfpoint.models.rows.days`. The density is a sum over visits, so that
a season of a league costs time in proportion to its games. Players are independent.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pymc as pm
import pytensor.tensor as pt
from pytensor.tensor.random.op import RandomVariable

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.pymc_import import Node, Operand
from halfpoint.models.rows.days import KERNELS, STATES, Visits, whitened


class DayVariable(RandomVariable):  # type: ignore[misc]
    """Operator of a process by days: s, l, days since the previous visit, that visit, and widths of state parts."""

    dtype = "float64"
    kernel: ClassVar[str]

    def rng_fn(
        self,
        rng: np.random.Generator,
        spread: Floats,
        length: Floats,
        days: Floats,
        before: Integers,
        *further: Sequence[int] | None,
    ) -> Floats:
        """Draws of all states, (..., visit) or (..., visit, 2)."""
        size, batch = further[-1], np.shape(spread)
        shape = batch if size is None else tuple(size)
        before = before.reshape(-1, before.shape[-1])[0]
        a, c = KERNELS[self.kernel](days, np.asarray(length)[..., None])
        states = rng.standard_normal((*shape, before.size, len(c)))
        for k, earlier in enumerate(before.tolist()):
            noise = states[..., k, :].copy()
            for i, row in enumerate(c):
                states[..., k, i] = sum(factor[..., k] * noise[..., j] for j, factor in enumerate(row))
                if earlier >= 0:
                    states[..., k, i] += sum(factor[..., k] * states[..., earlier, j] for j, factor in enumerate(a[i]))
        states *= np.asarray(spread)[..., None, None]
        return states[..., 0] if len(c) == 1 else states


class OrnsteinUhlenbeckRV(DayVariable):
    """The operator of Ornstein-Uhlenbeck processes."""

    name = "ornstein_uhlenbeck"
    kernel = "ornstein-uhlenbeck"
    signature = "(),(),(n),(n)->(n)"
    _print_name = ("OrnsteinUhlenbeck", "\\operatorname{OrnsteinUhlenbeck}")


class MaternRV(DayVariable):
    """The operator of Matern processes of smoothness 3/2."""

    name = "matern"
    kernel = "matern"
    signature = "(),(),(n),(n),(m)->(n,m)"
    _print_name = ("Matern", "\\operatorname{Matern}")


def _log_density(kernel: str, states: Node, spread: Node, length: Node, days: Node, before: Node) -> Node:
    """The log density of states, a number."""
    rows, log_size = whitened(kernel, days, length, pt)
    size, earlier = STATES[kernel], pt.maximum(before, 0)
    coordinates = [states if size == 1 else states[:, k] for k in range(size)]
    parts = [*coordinates, *(coordinate[earlier] for coordinate in coordinates)]
    total = -size * pt.log(spread) - log_size - 0.5 * size * np.log(2.0 * np.pi)
    for row in rows:
        residual = sum(c * x for c, x in zip(row, parts, strict=True))
        total = total - 0.5 * (residual / spread) ** 2
    return total.sum()


class OrnsteinUhlenbeck(pm.Distribution):  # type: ignore[misc]
    """Form by days whose correlation falls as e^(-d / length).

    Parameters
    ----------
    spread : tensor
        Standard deviation on any day, s.
    length : tensor
        Days over which the correlation falls to 1 / e, l.
    visits : Visits
        The days on which players have a state, `games.visits`.
    """

    rv_op = OrnsteinUhlenbeckRV()

    @classmethod
    def dist(cls, spread: Operand, length: Operand, visits: Visits, **kwargs: object) -> Node:
        """Unnamed distribution, like PyMC's `dist`."""
        return super().dist([*_numbers(spread, length), pt.constant(visits.days), pt.constant(visits.before)], **kwargs)

    def support_point(rv: Node, size: Node | None, spread: Node, length: Node, days: Node, before: Node) -> Node:  # noqa: N805
        """Zeros."""
        return pt.zeros(days.shape[-1:])

    def logp(value: Node, spread: Node, length: Node, days: Node, before: Node) -> Node:  # noqa: N805
        """The log density, a number."""
        return _log_density("ornstein-uhlenbeck", value, spread, length, days, before)


class Matern(pm.Distribution):  # type: ignore[misc]
    """Form by days, and its slope, whose correlation falls as (1 + a) e^(-a), a = sqrt(3) d / length.

    Parameters
    ----------
    spread : tensor
        Standard deviation on any day, s.
    length : tensor
        The length l of the kernel, days.
    visits : Visits
        The days on which players have a state, `games.visits`.
    """

    rv_op = MaternRV()

    @classmethod
    def dist(cls, spread: Operand, length: Operand, visits: Visits, **kwargs: object) -> Node:
        """Unnamed distribution, like PyMC's `dist`."""
        width = pt.constant(np.ones(2))
        inputs = [*_numbers(spread, length), pt.constant(visits.days), pt.constant(visits.before), width]
        return super().dist(inputs, **kwargs)

    def support_point(
        rv: Node,  # noqa: N805
        size: Node | None,
        spread: Node,
        length: Node,
        days: Node,
        before: Node,
        width: Node,
    ) -> Node:
        """Zeros."""
        return pt.zeros((days.shape[-1], width.shape[-1]))

    def logp(value: Node, spread: Node, length: Node, days: Node, before: Node, width: Node) -> Node:  # noqa: N805
        """The log density, a number."""
        return _log_density("matern", value, spread, length, days, before)


def _numbers(*values: Operand) -> list[Node]:
    """Convert numbers to nodes of double precision."""
    return [pt.as_tensor(np.float64(value) if isinstance(value, int | float) else value) for value in values]
