"""A PyMC graph read as a layout: free variable by free variable, operator by operator, edits included.

The log density of the games is left out: it is the loop of a formula (`inference.loops.generator`). Every potential,
and every other observed variable, counts as a prior, like the priors of the free variables.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pymc as pm
import pytensor.tensor as pt
from pymc.distributions.transforms import LogTransform
from pymc.logprob.transforms import Transform
from pymc.logprob.utils import CheckParameterValue
from pytensor.compile.ops import ViewOp
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Apply, Constant
from pytensor.graph.replace import clone_replace
from pytensor.graph.traversal import ancestors
from pytensor.tensor.basic import Alloc, Join, Split
from pytensor.tensor.elemwise import DimShuffle, Elemwise
from pytensor.tensor.extra_ops import CumOp
from pytensor.tensor.math import Dot, Sum
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.random.type import random_generator_type
from pytensor.tensor.shape import Reshape, Shape, Shape_i, SpecifyShape
from pytensor.tensor.subtensor import AdvancedSubtensor, Subtensor
from pytensor.tensor.variable import TensorVariable as Node

from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.linear_form import kind_of
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.language.chain import Chain
from halfpoint.models.language.walk_variable import Walks
from halfpoint.models.reading.affine import expand_walks
from halfpoint.models.reading.affine import perform as _perform_operator
from halfpoint.models.reading.games_variable import GamesVariable
from halfpoint.models.reading.layout import (
    BETWEEN,
    CHAIN,
    ELEMENT,
    GATHER,
    HIDDEN,
    MATRIX,
    PRIOR,
    SAMPLED,
    SUM,
    Layout,
    Operation,
)
from halfpoint.models.reading.model_variables import observed_value, shape_of, walk_of
from halfpoint.models.reading.transforms import LogUnits, PartlyCentred, Units

_PLAIN = (-2, -1, -0.5, 0, 0.5, 1, 2)
_Array = npt.NDArray[Any]
type _Transform = Transform | None


@dataclass(frozen=True, eq=False)
class _Place:
    """Values by their places, an array of int64 of any shape."""

    at: Integers


@dataclass(frozen=True, eq=False)
class Element:
    """An elementwise function of values and numbers."""

    graph: Node  # the function of one element
    leaves: "dict[Node, _Place | _Array]"  # its inputs and their kinds; they broadcast together

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the elements."""
        return np.broadcast_shapes(*(_shape_of(leaf) for leaf in self.leaves.values()))

    def rearrange(self, function: Callable[[_Array], _Array]) -> "Element":
        """Element with inputs rearranged by a function of arrays."""
        shape, moved = self.shape, {}
        for node, leaf in self.leaves.items():
            rearranged = function(np.broadcast_to(leaf.at if isinstance(leaf, _Place) else leaf, shape))
            moved[node] = _Place(rearranged) if isinstance(leaf, _Place) else rearranged
        return Element(self.graph, moved)

    def apart_from(self, leaves: "dict[Node, _Place | _Array]") -> "Element":
        """Element with inputs renamed if the other element uses their names for other values."""
        clash = [node for node, leaf in self.leaves.items() if node in leaves and not _alike(leaves[node], leaf)]
        if not clash:
            return self
        fresh: dict[Node, Node] = {node: node.type() for node in clash}
        (graph,) = clone_replace([self.graph], fresh)
        return Element(graph, {fresh.get(node, node): leaf for node, leaf in self.leaves.items()})


def _alike(left: _Place | _Array, right: _Place | _Array) -> bool:
    """True if two leaves are the same numbers or values."""
    if isinstance(left, _Place) != isinstance(right, _Place):
        return False
    first, second = (leaf.at if isinstance(leaf, _Place) else leaf for leaf in (left, right))
    return first is second or bool(
        (first.shape == second.shape or 1 in (first.size, second.size)) and np.all(first == second)
    )


_Reading = _Place | _Array | Element  # kinds of nodes
_Readings = dict[Node, _Reading]


def _ndim(reading: _Reading) -> int:
    """Number of dims of places, numbers or elements."""
    return len(_shape_of(reading))


def _shape_of(reading: _Reading) -> tuple[int, ...]:
    """Shape of places, numbers or elements."""
    return reading.at.shape if isinstance(reading, _Place) else reading.shape


def read_layout(model: pm.Model) -> Layout:
    """Layout of the variables of a PyMC model, except the potential of its games."""
    reader = _Reader(model)
    for variable in model.observed_RVs:
        if not isinstance(variable.owner.op, GamesVariable):
            reader.readings[variable] = observed_value(model, variable)
    sampled, deterministic = set(model.free_RVs), set(model.deterministics)
    for variable in model.named_vars.values():  # as they were declared
        if variable in sampled:
            reader.read_free(variable)
        elif variable in deterministic:
            try:
                reader.read_named(variable)
            except (NoLoopError, NotImplementedError, TypeError, ValueError, IndexError):
                reader.layout.computed.append(str(variable.name))  # what depends on it has no loop either
    for variable in model.observed_RVs:
        if isinstance(variable.owner.op, GamesVariable):
            continue
        value = pt.as_tensor(model.rvs_to_values[variable])
        reader.further_prior(pm.logp(variable, value, warn_rvs=False), str(variable.name))
    for variable in model.potentials:
        reader.further_prior(variable, str(variable.name))
    return reader.layout


class _Reader:
    """Reader of one graph: maps nodes to places among the values, numbers or elements."""

    def __init__(self, model: pm.Model) -> None:
        self.model, self.layout = model, Layout()
        self.readings: _Readings = {}
        self.leaves: dict[int, tuple[Node, _Reading]] = {}  # by identity
        walked = filter(None, map(walk_of, model.deterministics))
        self.steps = {walk.inputs[-1] for walk in walked}  # of walks, which take no room among the values

    def read_free(self, variable: Node) -> None:
        """Read a free variable: its coordinates, its value and its log density."""
        value, transform = self.model.rvs_to_values[variable], self.model.rvs_to_transforms[variable]
        shape = shape_of(self.model, variable)
        start = SAMPLED + self.layout.count
        self.layout.coordinates.append((str(variable.name), shape))
        self.layout.count += int(np.prod(shape, dtype=np.int64))
        self.readings[value] = _Place(start + np.arange(self.layout.count + SAMPLED - start).reshape(shape))
        together = getattr(variable.owner.op, "ndim_supp", 0)  # a density of several numbers has a shape of its own
        try:
            density = self.density(variable, value, transform)
        except NoLoopError as error:
            if str(variable.name) not in self.layout.slots:
                raise
            self.layout.unread = self.layout.unread or str(error)
            return
        self.prior(density, str(variable.name), None if together else shape)

    def further_prior(self, density: Node, owner: str) -> None:
        """Add a term of the log density to the prior; a term without a loop is noted."""
        try:
            self.prior(self.read_node(density, self.readings), owner)
        except NoLoopError as error:
            self.layout.unread = self.layout.unread or str(error)

    def prior(self, density: _Reading, owner: str, shape: tuple[int, ...] | None = None) -> None:
        """Add a log density to the prior, with a given shape or the density's shape."""
        full_shape = _shape_of(density) if shape is None else shape
        if isinstance(density, np.ndarray):
            self.layout.constant += float(np.broadcast_to(density, full_shape).sum())
        else:
            self.add(PRIOR, self.element(density), np.zeros(0, dtype=np.int64), full_shape, owner)

    def density(self, variable: Node, value: Node, transform: Transform) -> _Reading:
        """Read the log density of a free variable by its coordinate; read its natural value first."""
        node = variable.owner
        ours = isinstance(transform, Units | LogUnits | PartlyCentred)
        together = getattr(node.op, "ndim_supp", 0)
        plain = ours or type(transform) in (type(None), LogTransform)
        if not isinstance(node.op, RandomVariable) or together or not plain:
            free, readings = self.free_of_parents(variable)
            natural, density = _densities(free, value, transform)
            self.note_value(variable, self.read_node(natural, self.readings))
            self.readings[natural] = self.readings[variable]
            with_natural = self.readings if readings is self.readings else readings | {natural: self.readings[natural]}
            return self.read_node(density, with_natural)
        parents = node.op.dist_params(node)
        z, parameters, natural, density = family(node.op, len(parents), None if ours else transform)
        readings = {
            parameter: self.read_node(parent, self.readings)
            for parameter, parent in zip(parameters, parents, strict=True)
        }
        if not ours:
            readings[z] = self.readings[value]
            self.note_value(variable, self.read_node(natural, readings))
            return self.read_node(density, readings)
        self.note_value(variable, self.read_node(transform.backward(value, *node.inputs), self.readings))
        readings[z] = self.readings[variable]
        bent = self.read_node(transform.log_jac_det(value, *node.inputs), self.readings)
        log_density, log_jacobian = self.element(self.read_node(density, readings)), self.element(bent)
        return Element(pt.add(log_density.graph, log_jacobian.graph), log_density.leaves | log_jacobian.leaves)

    def free_of_parents(self, variable: Node) -> tuple[Node, _Readings]:
        """Copy a variable with plain inputs in place of its random parents; return these parents too."""
        if isinstance(variable.owner.op, RandomVariable):
            return variable, self.readings
        upstream = set(ancestors([variable])) - {variable}
        inputs = {rv: rv.type() for rv in self.model.basic_RVs if rv in upstream and rv in self.readings}
        free = clone_replace(variable, inputs) if inputs else variable
        return free, self.readings | {stand_in: self.readings[rv] for rv, stand_in in inputs.items()}

    def note_value(self, variable: Node, natural: _Reading) -> None:
        """Note the natural value of a free variable, in a slot if a trace keeps it."""
        self.readings[variable] = natural
        if variable not in self.steps:
            self.read_named(variable)

    def read_named(self, variable: Node) -> None:
        """Read a named value into a slot of its own."""
        element = self.element(self.read_node(variable, self.readings))
        start, size = self.layout.values, int(np.prod(element.shape, dtype=np.int64))
        self.layout.slots[str(variable.name)] = (start, element.shape)
        self.layout.values += size
        self.readings[variable] = _Place(self.carry_out(element, start).reshape(element.shape))

    def read_node(self, variable: Node, readings: _Readings) -> _Reading:
        """Read a node as places, numbers or an element."""
        if variable not in readings:
            if isinstance(variable, Constant):
                readings[variable] = np.asarray(variable.data)
            elif isinstance(variable, SharedVariable):
                readings[variable] = np.asarray(variable.get_value())
            elif variable.owner is not None and isinstance(variable.owner.op, Walks):
                readings[variable] = self.read_node(expand_walks(variable.owner)[0], readings)
            elif variable.owner is None:
                raise NoLoopError(f"{variable} is neither a number nor a parameter")
            else:
                readings[variable] = self.apply_operator(variable.owner, variable, readings)
            if str(variable.name).endswith(HIDDEN):
                self.read_named(variable)
        return readings[variable]

    def apply_operator(self, node: Apply, variable: Node, readings: _Readings) -> _Reading:
        """Result of an operator on its inputs."""
        op = node.op
        if isinstance(op, CheckParameterValue | SpecifyShape) or type(op) is ViewOp:
            return self.read_node(node.inputs[0], readings)
        inputs: list[Any] = [self.read_node(source, readings) for source in node.inputs]
        if isinstance(op, Shape | Shape_i):
            sizes = np.asarray(_shape_of(inputs[0]), dtype=np.int64)
            return sizes if isinstance(op, Shape) else sizes[op.i]
        if all(isinstance(reading, np.ndarray) for reading in inputs):
            return _perform_operator(node, inputs, node.outputs.index(variable))
        if isinstance(op, Elemwise):
            return self.combine_elements(node, inputs)
        if isinstance(op, Alloc):
            shape = tuple(int(length) for length in inputs[1:])
            return self.element(inputs[0]).rearrange(lambda array: np.broadcast_to(array, shape))
        if isinstance(op, DimShuffle | Subtensor | AdvancedSubtensor | Reshape | Split):
            which = node.outputs.index(variable)
            if isinstance(inputs[0], Element):
                return inputs[0].rearrange(lambda array: _perform_operator(node, [array, *inputs[1:]], which))
            return _Place(_perform_operator(node, [inputs[0].at, *inputs[1:]], which))
        if isinstance(op, Join):
            joined = _perform_operator(node, [self.place(part) for part in inputs])  # as doubles, which hold any place
            return _Place(joined.astype(np.int64))
        if isinstance(op, Sum):
            places = self.place(inputs[0])
            axes = range(places.ndim) if op.axis is None else op.axis
            gathered = np.moveaxis(places, tuple(axes), tuple(range(-len(tuple(axes)), 0)))
            shape = gathered.shape[: places.ndim - len(tuple(axes))]
            return _Place(self.further(SUM, [gathered.ravel()], shape))
        if isinstance(op, Chain):
            c, w = (self.contiguous(self.place(reading)) for reading in inputs)
            return _Place(self.further(CHAIN, [c.ravel(), w.ravel(), op.before.ravel()], w.shape))
        if isinstance(op, CumOp) and op.mode == "add" and op.axis in (-1, _ndim(inputs[0]) - 1):
            size = _shape_of(inputs[0])[-1]
            return self.product(inputs[0], np.triu(np.ones((size, size))))
        if isinstance(getattr(op, "core_op", op), Dot):
            return self.product(*inputs)
        raise NoLoopError(f"the parameters have the operator {kind_of(op)}, which has no compiled loop")

    def combine_elements(self, node: Apply, readings: list[_Reading]) -> Element:
        """Result of an elementwise operator on elements."""
        inputs: list[Node] = []
        leaves: dict[Node, _Place | Floats] = {}
        for reading in readings:
            if isinstance(reading, np.ndarray) and reading.size == 1 and reading.item() in _PLAIN:
                inputs.append(pt.constant(reading.reshape(())))  # the 2 of a square is part of the function
            else:
                element = self.element(reading).apart_from(leaves)
                inputs.append(element.graph)
                leaves.update(element.leaves)
        return Element(node.op.make_node(*inputs).outputs[0], leaves)

    def element(self, reading: _Reading) -> Element:
        """Convert places or numbers to elements."""
        if isinstance(reading, Element):
            return reading
        if id(reading) not in self.leaves:
            self.leaves[id(reading)] = pt.dscalar(), reading
        scalar, _ = self.leaves[id(reading)]
        return Element(
            scalar, {scalar: reading if isinstance(reading, _Place) else np.asarray(reading, dtype=np.float64)}
        )

    def place(self, reading: _Reading) -> Integers:
        """Places of elements; other elements are computed into new places."""
        if isinstance(reading, _Place):
            return reading.at
        element = self.element(reading)
        start = BETWEEN + self.layout.between
        self.layout.between += int(np.prod(element.shape, dtype=np.int64))
        return self.carry_out(element, start).reshape(element.shape)

    def carry_out(self, element: Element, start: int) -> Integers:
        """Add the operation that fills values from an index on; return their places, flat."""
        out = start + np.arange(int(np.prod(element.shape, dtype=np.int64)), dtype=np.int64)
        only = element.leaves.get(element.graph)
        if isinstance(only, _Place):
            self.layout.operations.append(
                Operation(GATHER, out.size, out, [np.broadcast_to(only.at, element.shape).ravel()])
            )
        else:
            self.add(ELEMENT, element, out, element.shape)
        return out

    def further(
        self, kind: int, places: list[Integers], shape: tuple[int, ...], numbers: Sequence[Floats] = ()
    ) -> Integers:
        """Add an operation with intermediate values; return their places."""
        size = int(np.prod(shape, dtype=np.int64))
        out = BETWEEN + self.layout.between + np.arange(size, dtype=np.int64)
        self.layout.between += size
        self.layout.operations.append(Operation(kind, shape[0] if kind == MATRIX else size, out, places, list(numbers)))
        return out.reshape(shape)

    def product(self, left: Any, right: Any) -> _Place:
        """Product of values with a known matrix on either side."""
        if isinstance(left, np.ndarray):
            turned = _Place(right.at.T) if isinstance(right, _Place) else right.rearrange(np.transpose)
            return _Place(self.product(turned, left.T).at.T)
        if not isinstance(right, np.ndarray) or right.ndim != 2:
            raise NoLoopError("the parameters have a matrix product of two parameters")
        left_places = self.place(left)
        places = self.contiguous(np.atleast_2d(left_places))
        shape = (places.shape[0], right.shape[1])
        out = self.further(MATRIX, [places.ravel()], shape, [np.asarray(right, dtype=np.float64)])
        return _Place(out[0] if left_places.ndim == 1 else out)

    def contiguous(self, places: Integers) -> Integers:
        """Copy values to consecutive places."""
        flat = places.ravel()
        if np.array_equal(flat, flat[0] + np.arange(flat.size)):
            return places
        return self.further(GATHER, [flat], places.shape)

    def add(self, kind: int, element: Element, out: Integers, shape: tuple[int, ...], owner: str = "") -> None:
        """Add an elementwise operation: its values in order or one for all, then columns of numbers."""
        places, numbers = {}, {}
        for node, leaf in element.leaves.items():
            if isinstance(leaf, _Place):
                alone = leaf.at.size == 1
                places[node] = leaf.at.ravel() if alone else self.contiguous(np.broadcast_to(leaf.at, shape)).ravel()
            else:
                numbers[node] = np.broadcast_to(leaf, shape).ravel()
        size = int(np.prod(shape, dtype=np.int64))
        operation = Operation(
            kind, size, out, list(places.values()), list(numbers.values()), element.graph, [*places, *numbers], owner
        )
        self.layout.operations.append(operation)


@cache
def family(operator: RandomVariable, count: int, transform: _Transform) -> tuple[Node, list[Node], Node, Node]:
    """Coordinate, parameters, natural value and log density of a family of priors, scalar graphs."""
    z, parameters = pt.dscalar("z"), [pt.dscalar(f"parameter_{k}") for k in range(count)]
    return (
        z,
        parameters,
        *_densities(operator(*parameters, rng=random_generator_type(), return_next_rng=True)[1], z, transform),
    )


def _densities(variable: Node, value: Node, transform: _Transform) -> tuple[Node, Node]:
    """Natural value of a variable at a coordinate, and its log density by the coordinate."""
    if transform is None:
        return value, pm.logp(variable, value, warn_rvs=False)
    natural = transform.backward(value, *variable.owner.inputs)
    bent = transform.log_jac_det(value, *variable.owner.inputs)
    return natural, pm.logp(variable, natural, warn_rvs=False) + bent
