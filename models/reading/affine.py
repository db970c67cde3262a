"""Graph nodes read as sparse sums of parameters: operator by operator, from a model's own graph.

Sums, differences, products with numbers, products of two parameters, selections, joins and matrix products with numbers
are carried out on `SparseAffine`; any other operator of a parameter raises `NotAffineError`, which names it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pymc.logprob.utils import CheckParameterValue
from pytensor.compile.ops import ViewOp
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Apply, Constant, Variable
from pytensor.scalar import basic as scalars
from pytensor.tensor.basic import Alloc, Join, Split
from pytensor.tensor.elemwise import DimShuffle, Elemwise
from pytensor.tensor.extra_ops import CumOp
from pytensor.tensor.math import Dot, Sum
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.shape import Reshape, Shape, Shape_i, SpecifyShape
from pytensor.tensor.subtensor import AdvancedSubtensor, Subtensor

from halfpoint.models.formulas.linear_form import kind_of
from halfpoint.models.language.walk_variable import Walks
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine, joined, product

_MOVES = (DimShuffle, Subtensor, AdvancedSubtensor, Reshape, Split)  # which do not change values
type Form = SparseAffine | np.ndarray[Any, Any]
type Known = dict[Variable, Form]


def affine(node: Variable, known: Known) -> Form:
    """Sparse sum of the parameters in `known` that equals a node, or numbers; new nodes are added to `known`."""
    stack = [node]
    while stack:  # without recursion: the graph of a walk written step by step is deep
        one = stack[-1]
        if one in known:
            stack.pop()
        elif isinstance(one, Constant):
            known[one] = np.asarray(one.data)
        elif isinstance(one, SharedVariable):
            known[one] = np.asarray(one.get_value())
        elif (seen := getattr(one.tag, "observed", None)) is not None:
            known[one] = np.asarray(seen)
        elif one.owner is None:
            raise NotAffineError(f"{one}, which is not a parameter")
        elif isinstance(one.owner.op, Walks):
            (plain,) = expand_walks(one.owner)
            if plain in known:
                known[one] = known[plain]
            else:
                stack.append(plain)
        else:
            missing = [given for given in one.owner.inputs if given not in known]
            if missing:
                stack += missing
            else:
                known[one] = _applied(one.owner, [known[given] for given in one.owner.inputs], one)
    return known[node]


def expand_walks(node: Apply) -> list[Variable]:
    """Graph of the inputs of an operator of walks."""
    held = getattr(node.tag, "expanded", None)
    if held is None:
        held = node.tag.expanded = [node.op.build(*node.inputs)]
    return list(held)


def perform(node: Apply, given: Sequence[Any], which: int = 0) -> np.ndarray[Any, Any]:
    """Result of an operator on arrays."""
    if isinstance(node.op, Elemwise) and any(np.asarray(one).dtype.kind in "iu" for one in given):
        node.op.prepare_node(node, None, None, "py")  # else NumPy takes roots of bytes in half precision
    stores: list[list[Any]] = [[None] for _ in node.outputs]
    node.op.perform(node, list(given), stores)
    return np.asarray(stores[which][0])


def _applied(node: Apply, given: list[Any], variable: Variable) -> Any:
    """Result of an operator on affine forms and numbers."""
    op = node.op
    if isinstance(op, CheckParameterValue | SpecifyShape) or type(op) is ViewOp:
        return given[0]
    if isinstance(op, Shape | Shape_i):
        sizes = np.asarray(given[0].shape, dtype=np.int64)
        return sizes if isinstance(op, Shape) else np.asarray(sizes[op.i])
    if isinstance(op, RandomVariable):
        raise NotAffineError(f"{variable.name or 'a random variable'}, which is a new draw")
    if not any(isinstance(one, SparseAffine) for one in given):
        return perform(node, given, node.outputs.index(variable))
    if isinstance(op, Elemwise):
        return _elementwise(op, given)
    if isinstance(op, Alloc):
        shape = tuple(int(one) for one in given[1:])
        return given[0].rearrange(shape, lambda array: np.broadcast_to(array, shape))
    if isinstance(op, _MOVES) and isinstance(given[0], SparseAffine):

        def turn(array: Any) -> Any:
            return perform(node, [array, *given[1:]], node.outputs.index(variable))

        return given[0].rearrange(turn(np.empty(given[0].shape)).shape, turn)
    if isinstance(op, Sum):
        axes = tuple(range(given[0].ndim)) if op.axis is None else tuple(op.axis)
        return given[0].sum_over(axes)
    if isinstance(op, CumOp) and op.mode == "add":
        axis = 0 if op.axis is None else op.axis
        return given[0].cumulative_sum(axis)
    if isinstance(op, Join):
        axis = getattr(op, "axis", None)
        return joined(int(given[0]), given[1:]) if axis is None else joined(int(axis), given)
    if isinstance(getattr(op, "core_op", op), Dot):
        left, right = given
        if isinstance(right, SparseAffine):
            return product(left, right)
        return left @ right if right.ndim == 2 else (left @ right[:, None])[..., 0]
    raise NotAffineError(f"{kind_of(op)} of a parameter")


def _elementwise(op: Elemwise, given: list[Any]) -> Any:
    """Result of an elementwise operator on affine forms and numbers."""
    scalar, (first, *rest) = op.scalar_op, given
    if isinstance(scalar, scalars.Add | scalars.Mul):
        made = first
        for one in rest:
            made = made + one if isinstance(scalar, scalars.Add) else made * one
        return made
    if isinstance(scalar, scalars.Sub):
        return first - rest[0]
    if isinstance(scalar, scalars.TrueDiv):
        return first / rest[0]
    if isinstance(scalar, scalars.Neg):
        return -first
    if isinstance(scalar, scalars.Switch) and not isinstance(first, SparseAffine):
        here = 1.0 * np.asarray(first, dtype=np.float64)
        return rest[0] * here + rest[1] * (1.0 - here)
    if isinstance(scalar, scalars.Second | scalars.Identity | scalars.Cast):
        shape = np.broadcast_shapes(
            *(np.shape(one) if not isinstance(one, SparseAffine) else one.shape for one in given)
        )
        made = given[-1]
        return (
            made.rearrange(shape, lambda array: np.broadcast_to(array, shape))
            if isinstance(made, SparseAffine)
            else made
        )
    if isinstance(scalar, scalars.Sqr):
        return first * first
    raise NotAffineError(f"{kind_of(op)} of a parameter")


def forms_of_names(
    nodes: Sequence[Variable | None], slots: Mapping[str, tuple[int, tuple[int, ...]]], named: Mapping[str, Variable]
) -> list[Form | None]:
    """Affine forms of nodes in the values of a layout, by the names of its slots."""
    known: Known = {named[name]: SparseAffine.of(*slot) for name, slot in slots.items() if name in named}
    return [None if node is None else affine(node, known) for node in nodes]
