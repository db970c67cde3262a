r"""Read the numbers of a model off its graph: normal priors, and what the fused log-potential sees of the parameters.

A model can be sampled without compiling it when its parameters have independent normal priors and the inputs of its
one fused log-potential, and the rest of that potential, are linear in them. Both are checked, not assumed: priors by
their operators, linearity by values. Anything else raises `NotLinearError`, which says why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from pytensor.graph.replace import clone_replace
from pytensor.graph.traversal import ancestors
from pytensor.tensor.random.basic import NormalRV
from scipy.sparse import csr_array

from halfpoint.games.table import Floats
from halfpoint.inference.density import Numbers
from halfpoint.models.fused import LogPotential
from halfpoint.models.kernel import runs_of

INTERPRETED = Mode(linker="py", optimizer=None)  # these graphs are small and run a hundred times: not worth a compile
LARGEST_FULL = 2000  # parameters
STEP = 1024.0  # a power of two, long against the rounding of the constant


class NotLinearError(ValueError):
    """The model is not of the form that the compiled density covers."""


@dataclass(frozen=True, eq=False)
class Linear:
    """A model as numbers.

    Parameters
    ----------
    numbers : Numbers
        Input of the compiled functions.
    names : list of str
        Sampled variables, then deterministics: what a trace keeps.
    shapes : list of tuple of int
        Their shapes.
    """

    numbers: Numbers
    names: list[str]
    shapes: list[tuple[int, ...]]


def evaluate(outputs: Sequence[Any]) -> list[Any]:
    """Return the values of graphs without free inputs."""
    return list(pytensor.function([], list(outputs), mode=INTERPRETED)())


def elementwise_map(function: Any, sizes: Sequence[int], level: Floats) -> Any:
    """Return A if each output depends on at most one element of each variable, by two probes a variable.

    Raising all elements by h gives the slopes; raising element k by k h then gives, as a ratio, which element it was.
    """
    size = sum(sizes)
    matrix = csr_array((level.size, size))
    for start, length in zip(np.cumsum([0, *sizes[:-1]]), sizes, strict=True):
        raised, ranked = np.zeros(size), np.zeros(size)
        raised[start : start + length] = STEP
        ranked[start : start + length] = STEP * np.arange(1, length + 1)
        slope, rank = function(raised) - level, function(ranked) - level
        row = np.flatnonzero(slope)
        column = np.clip(np.rint(rank[row] / slope[row]).astype(np.int64) - 1, 0, length - 1)
        matrix = matrix + csr_array((slope[row] / STEP, (row, start + column)), shape=matrix.shape)
    return matrix


def full_map(function: Any, sizes: Sequence[int], level: Floats) -> Any:
    """Return A column by column, by one probe a parameter."""
    return csr_array(np.stack([(function(STEP * unit) - level) / STEP for unit in np.eye(sum(sizes))], axis=1))


def linear_map(function: Any, sizes: Sequence[int]) -> tuple[Any, Floats]:
    """Return A, sparse by rows, and c of y = A x + c, shape (output, parameter) and (output,).

    Parameters
    ----------
    function : callable
        x -> y.
    sizes : sequence of int
        Lengths of the variables that make up x.

    Raises
    ------
    NotLinearError
        If y is not linear in x.
    """
    constant = function(np.zeros(sum(sizes)))
    known = np.isfinite(constant)  # lam is minus infinity in Bradley-Terry
    level = np.where(known, constant, 0.0)

    def finite(point: Floats) -> Floats:
        return np.where(known, function(point), 0.0)

    trial = np.random.default_rng(400).normal(size=sum(sizes))
    expected = finite(trial)
    for find in (elementwise_map, full_map) if sum(sizes) <= LARGEST_FULL else (elementwise_map,):
        matrix = find(finite, sizes, level)
        if np.allclose(matrix @ trial + level, expected, rtol=1e-10, atol=1e-10):
            return matrix, constant
    raise NotLinearError("the seats are not linear in the sampled parameters")


def compressed(matrix: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Return starts of rows, columns and values of a matrix sparse by rows."""
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data


def priors(model: pm.Model) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each sampled parameter, in the order of the free variables.

    Raises
    ------
    NotLinearError
        If a prior is not an independent normal one.
    """
    variables = set(model.free_RVs)
    parameters = []
    for variable in model.free_RVs:
        if not isinstance(variable.owner.op, NormalRV) or model.rvs_to_transforms[variable] is not None:
            raise NotLinearError(f"the prior of {variable.name} is not normal")
        centre_and_spread = variable.owner.inputs[-2:]
        if variables & set(ancestors(centre_and_spread)):
            raise NotLinearError(f"the prior of {variable.name} depends on another parameter")
        parameters += [pt.broadcast_to(value, variable.shape).ravel() for value in centre_and_spread]
    values = evaluate(parameters)
    mean, spread = (np.concatenate(values[k::2]).astype(np.float64) for k in (0, 1))
    return mean, spread


def fused_node(potential: Any) -> Any:
    """Return the one fused log-potential below a graph.

    Raises
    ------
    NotLinearError
        If there is none, or more than one.
    """
    owners = {variable.owner for variable in ancestors([potential]) if variable.owner is not None}
    nodes = [node for node in owners if isinstance(node.op, LogPotential)]
    if len(nodes) != 1:
        raise NotLinearError("the likelihood is a graph, not the fused log-potential")
    return nodes[0]


def read_model(model: pm.Model) -> Linear:
    """Return a model as numbers.

    Parameters
    ----------
    model : pymc.Model
        A model whose likelihood is the fused log-potential.

    Returns
    -------
    Linear

    Raises
    ------
    NotLinearError
        If the model has another form; the message says what was found.
    """
    if model.observed_RVs or len(model.potentials) != 1:
        raise NotLinearError("the log density is not one potential and normal priors")
    mean, spread = priors(model)
    kept = list(model.deterministics)
    potential, *kept_values = model.replace_rvs_by_values([model.potentials[0], *kept])
    node = fused_node(potential)
    rest, doubled = (clone_replace(potential, {node.outputs[0]: pt.constant(np.float64(value))}) for value in (0, 1))
    seen, cells = [*node.inputs[:3], rest, doubled - rest], node.inputs[3:]
    values = [model.rvs_to_values[variable] for variable in model.free_RVs]
    shapes = [tuple(int(length) for length in shape) for shape in evaluate([v.shape for v in [*model.free_RVs, *kept]])]
    sizes = [int(np.prod(shape)) for shape in shapes[: len(values)]]
    joined = pt.dvector("joined")
    pieces = [joined[stop - size : stop] for size, stop in zip(sizes, np.cumsum(sizes), strict=True)]
    given = {value: piece.reshape(shape) for value, piece, shape in zip(values, pieces, shapes, strict=False)}

    def function(outputs: Sequence[Any]) -> Any:
        flat = clone_replace([pt.atleast_1d(output).ravel() for output in outputs], given)
        return pytensor.function([joined], pt.concatenate(flat), mode=INTERPRETED, on_unused_input="ignore")

    matrix, constant = linear_map(function(seen), sizes)
    if constant[-1] != 1.0 or matrix[[-1]].count_nonzero():
        raise NotLinearError("the fused log-potential is not simply added to the log density")
    trace_matrix, trace_constant = linear_map(function([joined, *kept_values]), sizes)
    white, black, offset, surplus, total = evaluate(cells)
    runs = runs_of(white, black)
    normaliser = -np.log(spread * np.sqrt(2.0 * np.pi)).sum()
    arrays = (mean, spread**-2.0, np.array([normaliser]), *compressed(matrix[:-1]), constant[:-1])
    trace = (*compressed(trace_matrix), trace_constant)
    data = (black, offset, surplus, total, runs.ravel())
    numbers = Numbers(*(np.ascontiguousarray(array) for array in (*arrays, *trace, *data)))
    names = [str(variable.name) for variable in [*values, *kept]]
    return Linear(numbers, names, shapes)
