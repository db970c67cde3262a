"""Graph nodes read as sparse sums of parameters: operator by operator, from a model's own graph.

Sums, differences, products with numbers, products of two parameters, selections, joins and matrix products with numbers
are carried out on `SparseAffine`; any other operator of a parameter raises `NotAffineError`, which names it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
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

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.linear_form import kind_of
from halfpoint.models.language.walk_variable import Walks
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine, joined, product

_MOVES = (DimShuffle, Subtensor, AdvancedSubtensor, Reshape, Split)  # which do not change values
type Form = SparseAffine | npt.NDArray[Any]
type Forms = dict[Variable, Form]


def affine(node: Variable, forms: Forms) -> Form:
    """Sparse sum of the parameters in `forms` that equals a node, or numbers; new nodes are added to `forms`."""
    stack = [node]
    while stack:  # without recursion: the graph of a walk written step by step is deep
        top = stack[-1]
        if top in forms:
            stack.pop()
        elif isinstance(top, Constant):
            forms[top] = np.asarray(top.data)
        elif isinstance(top, SharedVariable):
            forms[top] = np.asarray(top.get_value())
        elif (observed := getattr(top.tag, "observed", None)) is not None:
            forms[top] = np.asarray(observed)
        elif top.owner is None:
            raise NotAffineError(f"{top}, which is not a parameter")
        elif isinstance(top.owner.op, Walks):
            (plain,) = expand_walks(top.owner)
            if plain in forms:
                forms[top] = forms[plain]
            else:
                stack.append(plain)
        else:
            missing = [source for source in top.owner.inputs if source not in forms]
            if missing:
                stack += missing
            else:
                forms[top] = _applied(top.owner, [forms[source] for source in top.owner.inputs], top)
    return forms[node]


def expand_walks(node: Apply) -> list[Variable]:
    """Graph of the inputs of an operator of walks."""
    expanded = getattr(node.tag, "expanded", None)
    if expanded is None:
        expanded = node.tag.expanded = [node.op.build(*node.inputs)]
    return list(expanded)


def perform(node: Apply, inputs: Sequence[object], which: int = 0) -> npt.NDArray[Any]:
    """Result of an operator on arrays."""
    if isinstance(node.op, Elemwise) and any(np.asarray(array).dtype.kind in "iu" for array in inputs):
        node.op.prepare_node(node, None, None, "py")  # else NumPy takes roots of bytes in half precision
    stores: list[list[object]] = [[None] for _ in node.outputs]
    try:
        node.op.perform(node, list(inputs), stores)
    except IndexError as error:
        raise ModelError(
            f"model: an {error}. A table of the function may lack a player or a code of a column."
        ) from error
    return np.asarray(stores[which][0])


def _applied(node: Apply, inputs: list[Any], variable: Variable) -> Any:
    """Result of an operator on affine forms and numbers."""
    op = node.op
    if isinstance(op, CheckParameterValue | SpecifyShape) or type(op) is ViewOp:
        return inputs[0]
    if isinstance(op, Shape | Shape_i):
        sizes = np.asarray(inputs[0].shape, dtype=np.int64)
        return sizes if isinstance(op, Shape) else np.asarray(sizes[op.i])
    if isinstance(op, RandomVariable):
        raise NotAffineError(f"{variable.name or 'a random variable'}, which is a new draw")
    if not any(isinstance(form, SparseAffine) for form in inputs):
        return perform(node, inputs, node.outputs.index(variable))
    if isinstance(op, Elemwise):
        return _elementwise(op, inputs)
    if isinstance(op, Alloc):
        shape = tuple(int(length) for length in inputs[1:])
        return inputs[0].rearrange(shape, lambda array: np.broadcast_to(array, shape))
    if isinstance(op, _MOVES) and not any(isinstance(form, SparseAffine) for form in inputs[1:]):

        def turn(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
            return perform(node, [array, *inputs[1:]], node.outputs.index(variable))

        return inputs[0].rearrange(turn(np.empty(inputs[0].shape)).shape, turn)
    if isinstance(op, Sum):
        axes = tuple(range(inputs[0].ndim)) if op.axis is None else tuple(op.axis)
        return inputs[0].sum_over(axes)
    if isinstance(op, CumOp) and op.mode == "add":
        axis = 0 if op.axis is None else op.axis
        return inputs[0].cumulative_sum(axis)
    if isinstance(op, Join):
        axis = getattr(op, "axis", None)
        return joined(int(inputs[0]), inputs[1:]) if axis is None else joined(int(axis), inputs)
    if isinstance(getattr(op, "core_op", op), Dot):
        left, right = inputs
        if isinstance(right, SparseAffine):
            return product(left, right)
        return left @ right if right.ndim == 2 else (left @ right[:, None])[..., 0]
    raise NotAffineError(f"{kind_of(op)} of a parameter")


def _elementwise(op: Elemwise, inputs: list[Any]) -> Any:
    """Result of an elementwise operator on affine forms and numbers."""
    scalar, (first, *further) = op.scalar_op, inputs
    if isinstance(scalar, scalars.Add | scalars.Mul):
        result = first
        for operand in further:
            result = result + operand if isinstance(scalar, scalars.Add) else result * operand
        return result
    if isinstance(scalar, scalars.Sub):
        return first - further[0]
    if isinstance(scalar, scalars.TrueDiv):
        return first / further[0]
    if isinstance(scalar, scalars.Neg):
        return -first
    if isinstance(scalar, scalars.Switch) and not isinstance(first, SparseAffine):
        mask = 1.0 * np.asarray(first, dtype=np.float64)
        return further[0] * mask + further[1] * (1.0 - mask)
    if isinstance(scalar, scalars.Second | scalars.Identity | scalars.Cast):
        shape = np.broadcast_shapes(
            *(np.shape(form) if not isinstance(form, SparseAffine) else form.shape for form in inputs)
        )
        last = inputs[-1]
        return (
            last.rearrange(shape, lambda array: np.broadcast_to(array, shape))
            if isinstance(last, SparseAffine)
            else last
        )
    if isinstance(scalar, scalars.Sqr):
        return first * first
    raise NotAffineError(f"{kind_of(op)} of a parameter")


def forms_of_names(
    nodes: Sequence[Variable | None], slots: Mapping[str, tuple[int, tuple[int, ...]]], named: Mapping[str, Variable]
) -> list[Form | None]:
    """Affine forms of nodes in the values of a layout, by the names of its slots."""
    forms: Forms = {named[name]: SparseAffine.of(*slot) for name, slot in slots.items() if name in named}
    return [None if node is None else affine(node, forms) for node in nodes]
