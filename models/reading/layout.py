r"""Layout of parameters among sampled coordinates and values: a PyMC graph read as a few operations.

    element   v_out,k = f(v_a,k, v_b, numbers_k, ...)       an elementwise part of the graph, compiled separately
    prior     + sum_k log p(v_a,k, ...)                     the log density of a free variable, by `pm.logp`
    gather    v_out,k = v_i(k)                              indexing, joining
    sum       v_out,k = sum_j v_i(k,j)
    matrix    v_out = v_in M                                products with known matrices
    chain     v_out,k = v_b,k + sum_j v_a,kj v_out,i(k,j)   a recursion along states

v contains, in this order, the values of the parameters, intermediate values, and the coordinates. The layout has no
kinds of parameters: the graph gives all that blocks declare and users add, by free variable and operator, so that the
compiled model equals the PyMC model. A graph with other operators has no layout (`NoLoopError`).
"""

from dataclasses import dataclass, field

import numpy as np

from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.pymc_import import Node

ELEMENT, PRIOR, GATHER, SUM, MATRIX, CHAIN = range(6)  # kinds of operations, see `inference.loops.coordinates`
HIDDEN, LATENT = "_", "_noncentred"  # end names of values and of free variables that a trace does not keep
GAMES, WEIGHT, MARGIN = "games", "results", "margin"  # names of the observed games and of their data
GAMES_NODE = "_games_node"  # attribute of a PyMC model with the games of a likelihood of its own
BETWEEN, SAMPLED = 1 << 40, 1 << 41  # where values in between and coordinates begin until their places are known


@dataclass(frozen=True, eq=False)
class Operation:
    """A step from values to further values, or to the log prior."""

    kind: int  # ELEMENT, PRIOR, GATHER, SUM, MATRIX or CHAIN
    size: int  # number of elements, of sums, or of rows that a matrix turns
    out: Integers  # places of the result, one after the other; none for a prior
    # places that it reads: of each value that an element reads (one for all elements, or one each, one after the
    # other), or of all values; of a chain those of a and b, and which of its own results each term reads, -1 for none
    places: list[Integers]
    numbers: list[Floats] = field(default_factory=list)  # columns of numbers of an element, or the matrix
    graph: Node | None = None  # the function of an element
    inputs: list[Node] = field(default_factory=list)  # its inputs: values first, then numbers
    owner: str = ""  # whose prior it is


@dataclass(eq=False)
class Layout:
    """Places of parameters among sampled coordinates and values, and the operations between them."""

    coordinates: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)  # whose coordinates, in order
    slots: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)  # values by name
    operations: list[Operation] = field(default_factory=list)  # in the order in which they are carried out
    count: int = 0  # numbers of coordinates, of values of parameters, and of values in between
    values: int = 0  # likewise
    between: int = 0  # likewise
    constant: float = 0.0  # log density that nothing moves
    computed: list[str] = field(default_factory=list)  # deterministic variables that are computed from draws
    unread: str = ""  # why a term of the log density has no loop, in words

    def kept_slots(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Slots of the parameters that a trace keeps."""
        return {name: slot for name, slot in self.slots.items() if not name.endswith((HIDDEN, LATENT))}

    def named(self, v: Floats) -> dict[str, Floats]:
        """Parameters that a trace keeps, from values (..., value), each of shape (..., *its own)."""
        return {
            name: v[..., start : start + int(np.prod(shape))].reshape((*v.shape[:-1], *shape))
            for name, (start, shape) in self.kept_slots().items()
        }

    def where(self, name: str) -> int:
        """Index of the first value of a parameter."""
        return self.slots[name][0]

    def indices(self, places: Integers) -> Integers:
        """Indices in v: parameters, then values in between, then coordinates."""
        begin = np.where(places >= SAMPLED, self.values + self.between - SAMPLED, 0)
        begin = np.where((places >= BETWEEN) & (places < SAMPLED), self.values - BETWEEN, begin)
        return places + begin
