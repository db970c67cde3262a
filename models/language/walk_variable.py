r"""Walks as one operator of a graph, from which the relation of successive periods is read.

    walk      x_i,t = level_i + s sum_k M_kt z_ik,     z ~ N(0, 1): a random walk around its mean over the periods
    entering  the same, less its value in the period T_i of a member's first game: x_i,T_i = level_i
    paced     x_i,t = level_i + sum_k M_kt z_ik,       z ~ N(0, (s e^(pace_i))^2)
    fading    x_i,t = centre_i,t + s sum_k M_kt z_ik,  an autoregression of order one with a given share

z, level, s and pace are ordinary random variables of PyMC and may have any prior.
"""

from collections.abc import Callable

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.builders import OpFromGraph

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.language.laws import Transition
from halfpoint.models.language.walk_matrices import ar1_matrix, law_of_walks, name_of
from halfpoint.models.pymc_import import Node


class Walks(OpFromGraph):  # type: ignore[misc]
    """Operator of walks: level (or centre), spread and steps in, walks out; its law is `transition`."""

    def __init__(self, inputs: list[Node], build: Callable[..., Node], transition: Transition, matrix: Floats) -> None:
        super().__init__(inputs, [build(*inputs)], inline=True)
        self.build, self.transition, self.matrix = build, transition, matrix

    def steps(self, values: Floats, around: Floats, spread: float | Floats) -> Floats:
        """Steps z at which walks have given values, (..., member, step), around levels or a centre."""
        deviations = np.asarray(values) - (around if self.transition.beside else np.asarray(around)[..., None])
        if self.transition.begins is not None:  # the matrix has the mean removed
            deviations = deviations - deviations.mean(axis=-1, keepdims=True)
        steps = deviations @ np.linalg.pinv(self.matrix)
        return np.asarray(steps if self.transition.pace else steps / spread)


def walks(
    level: Node,
    spread: float | Node,
    steps: Node,
    matrix: Floats,
    begins: Integers | None = None,
    pace: Node | None = None,
) -> Node:
    """Walks around levels (member,), from steps (member, step) by a matrix (step, period): a node (member, period)."""
    law = law_of_walks(level, spread, begins, pace)

    def build(start: Node, *further: Node) -> Node:
        moved = further[-1] @ matrix
        if begins is not None:
            moved = moved - pt.expand_dims(moved[np.arange(len(begins)), begins], -1)
        return pt.expand_dims(start, -1) + (moved if pace is not None else further[0] * moved)

    inputs = [level, spread, steps] if pace is None else [level, steps]
    nodes = [pt.as_tensor_variable(number) for number in inputs]
    return Walks([node.type() for node in nodes], build, law, matrix)(*nodes)


def fading(centre: Node, spread: float | Node, steps: Node, share: float) -> Node:
    """Autoregressive numbers of spread s around a centre, from steps; both of shape (member, period)."""
    learned = not isinstance(spread, int | float | np.floating)
    sd = float(np.sqrt(1.0 - share**2))
    law = Transition(
        name_of(spread, "a spread") if learned else "",
        None if learned else float(spread),
        share,
        sd,
        name_of(centre, "their centre"),
    )
    periods = centre.type.shape[-1]
    matrix = ar1_matrix(periods, share)

    def build(start: Node, s: Node, z: Node) -> Node:
        return start + s * (z @ matrix)

    nodes = [pt.as_tensor_variable(number) for number in (centre, spread, steps)]
    return Walks([node.type() for node in nodes], build, law, matrix)(*nodes)
