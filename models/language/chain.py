r"""A recursion along states as one operator, and coordinates of a process by days in which its states are independent.

    Chain      x_k = w_k + sum_j c_kj x_before(k,j)
    Whitened   x_k = A x_k-1 + s C y_k,   y ~ N(0, 1) a priori, at every spread and length

`inference.loops` has the recursion compiled; PyTensor's own backends run it as NumPy, level by level.
"""

import numpy as np
import pytensor.tensor as pt
from pymc.logprob.transforms import Transform
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.tensor.variable import TensorVariable as Node

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.pymc_import import Operand
from halfpoint.models.rows.days import KERNELS, STATES, whitened


class Chain(Op):  # type: ignore[misc]
    """Operator of a recursion: c (state, term) and w (state,) in, x (state,) out; earlier states come first."""

    __props__ = ("held",)

    def __init__(self, before: Integers) -> None:
        self.before = np.asarray(before, dtype=np.int64)
        self.held = self.before.tobytes()
        depth = np.full(len(self.before) + 1, -1)  # the last entry is that of no earlier state, -1
        for k, earlier in enumerate(self.before):
            depth[k] = depth[earlier].max() + 1
        depth = depth[:-1]
        order = np.argsort(depth, kind="stable")
        self.levels = np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)

    def make_node(self, c: Operand, w: Operand) -> Apply:
        """Node of coefficients and increments."""
        c, w = pt.as_tensor(c), pt.as_tensor(w)
        return Apply(self, [c, w], [pt.tensor("chain", dtype="float64", shape=(len(self.before),))])

    def perform(self, node: Apply, inputs: list[Floats], outputs: list[list[Floats | None]]) -> None:
        """Run the recursion."""
        c, w = inputs
        x = np.array(w, dtype=np.float64)
        for level in self.levels[1:]:
            x[level] += (c[level] * x[self.before[level]]).sum(axis=1)
        outputs[0][0] = x

    def infer_shape(self, node: Apply, shapes: list[tuple[Node, ...]]) -> list[tuple[Node, ...]]:
        """Shape of w."""
        return [shapes[1]]

    def pullback(self, inputs: list[Node], outputs: list[Node], cotangents: list[Node]) -> list[Node]:
        """Derivatives by c and w."""
        gradient = _ChainBack(self)(inputs[0], cotangents[0])
        previous = outputs[0][np.maximum(self.before, 0)] * (self.before >= 0)
        return [gradient[:, None] * previous, gradient]


class _ChainBack(Op):  # type: ignore[misc]
    """Operator that carries derivatives by x back along the chain."""

    __props__ = ("held",)

    def __init__(self, chain: Chain) -> None:
        self.chain, self.held = chain, chain.held

    def make_node(self, c: Operand, g: Operand) -> Apply:
        """The node of coefficients and derivatives."""
        c, g = pt.as_tensor(c), pt.as_tensor(g)
        return Apply(self, [c, g], [g.type()])

    def perform(self, node: Apply, inputs: list[Floats], outputs: list[list[Floats | None]]) -> None:
        """Run the recursion backwards."""
        c, g = inputs
        gradient = np.array(g, dtype=np.float64)
        for level in reversed(self.chain.levels[1:]):
            np.add.at(gradient, self.chain.before[level], c[level] * gradient[level][:, None])
        outputs[0][0] = gradient

    def infer_shape(self, node: Apply, shapes: list[tuple[Node, ...]]) -> list[tuple[Node, ...]]:
        """The shape of the derivatives."""
        return [shapes[1]]


class Whitened(Transform):  # type: ignore[misc]
    """Coordinates of a process by days (`halfpoint.models.rows.days`): the innovation of each day, standardised."""

    name = "whitened"

    def __init__(self, kernel: str, before: Integers) -> None:
        self.kernel, self.visits = kernel, np.asarray(before, dtype=np.int64)
        size = STATES[kernel]
        places = size * self.visits[:, None, None] + np.arange(size)
        places = np.where(self.visits[:, None, None] >= 0, places, -1)
        self.chain = Chain(np.broadcast_to(places, (self.visits.size, size, size)).reshape(-1, size))

    def backward(self, value: Node, *inputs: Node) -> Node:
        """States at coordinates."""
        spread, length, days = inputs[2:5]
        a, c = KERNELS[self.kernel](days, length, pt)
        if len(c) == 1:
            return spread * self.chain(a[0][0][:, None], c[0][0] * value)
        linked = pt.stack([coefficient for row in a for coefficient in row], axis=1).reshape((2 * self.visits.size, 2))
        noise = pt.stack([c[0][0] * value[:, 0], c[1][0] * value[:, 0] + c[1][1] * value[:, 1]], axis=1)
        return spread * self.chain(linked, noise.reshape((2 * self.visits.size,))).reshape((self.visits.size, 2))

    def forward(self, value: Node, *inputs: Node) -> Node:
        """Coordinates of states."""
        spread, length, days = inputs[2:5]
        rows, _ = whitened(self.kernel, days, length, pt)
        states = [value] if len(rows) == 1 else [value[:, 0], value[:, 1]]
        parts = [*states, *(state[np.maximum(self.visits, 0)] for state in states)]
        coordinates = [sum(c * x for c, x in zip(row, parts, strict=True)) / spread for row in rows]
        return coordinates[0] if len(coordinates) == 1 else pt.stack(coordinates, axis=1)

    def log_jac_det(self, value: Node, *inputs: Node) -> Node:
        """Log determinant of the Jacobian, a number."""
        spread, length, days = inputs[2:5]
        _, log_size = whitened(self.kernel, days, length, pt)
        return (log_size + STATES[self.kernel] * pt.log(spread)).sum()
