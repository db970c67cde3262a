"""Variables of a finished PyMC model: shapes, numbers, observed values, walks behind names, marks of an edit."""

import numpy as np
import pymc as pm
import pytensor
from pytensor.compile.ops import ViewOp
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Apply, Variable
from pytensor.tensor.elemwise import Elemwise

from halfpoint.models.formulas.linear_form import kind_of
from halfpoint.models.games.table import Floats
from halfpoint.models.language.walk_variable import Walks
from halfpoint.models.pymc_import import constant_value, interpreted
from halfpoint.models.reading.layout import MARGIN, WEIGHT


def state_of(model: pm.Model) -> tuple[object, ...]:
    """Identity of a graph, which changes with every edit: its variables, and its data except the results of games."""
    data = [
        (name, hash(variable.get_value(borrow=True).tobytes()))
        for name, variable in model.named_vars.items()
        if isinstance(variable, SharedVariable) and name not in (WEIGHT, MARGIN)
    ]
    variables = [*model.free_RVs, *model.observed_RVs, *model.potentials, *model.deterministics]
    return tuple(map(id, variables)), tuple(data)


def unwrap(node: Variable) -> Variable:
    """Node of which copies were made for a name."""
    while node.owner is not None:
        op = node.owner.op
        same = type(op) is ViewOp or (isinstance(op, Elemwise) and kind_of(op) == "Identity")
        if not same:
            return node
        node = node.owner.inputs[0]
    return node


def walk_of(node: Variable) -> Apply | None:
    """The application of `Walks` behind a named variable; None if absent."""
    unwrapped = unwrap(node)
    return unwrapped.owner if unwrapped.owner is not None and isinstance(unwrapped.owner.op, Walks) else None


def shape_of(model: pm.Model, variable: Variable) -> tuple[int, ...]:
    """Shape of a variable of a model: from its dims, else from its type, else evaluated."""
    dims = model.named_vars_to_dims.get(str(variable.name))
    if dims is not None and all(dim is not None for dim in dims):
        return tuple(
            len(model.coords[str(dim)])
            if model.coords.get(str(dim)) is not None
            else int(constant_value(model.dim_lengths[dim]))
            for dim in dims
        )
    if None not in variable.type.shape:
        return tuple(int(length) for length in variable.type.shape)
    return tuple(int(length) for length in constant_value(variable.shape))


def observed_value(model: pm.Model, variable: Variable) -> Floats:
    """Observed value of a variable."""
    value = model.rvs_to_values[variable]
    return np.asarray(constant_value(value), dtype=np.float64)


def numbers_at_start(model: pm.Model, nodes: list[Variable]) -> list[Floats]:
    """Nodes of a graph as numbers at a point near the initial one."""
    values = [model.rvs_to_values[variable] for variable in model.free_RVs]
    graphs = model.replace_rvs_by_values(nodes)
    numbers_at = pytensor.function(values, graphs, mode=interpreted(), on_unused_input="ignore")
    start, rng = model.initial_point(random_seed=1), np.random.default_rng(1)
    point = [start[value.name] + 0.1 * rng.standard_normal(np.shape(start[value.name])) for value in values]
    return [
        np.asarray(number) for number in numbers_at(*(x.astype(v.dtype) for x, v in zip(point, values, strict=True)))
    ]
