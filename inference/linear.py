r"""Read the numbers of a model off its graph: normal priors, and what the fused log-potential sees of the parameters.

A model can be sampled without compiling it when its parameters have independent normal priors and the inputs of its
one fused log-potential, and the rest of that potential, are linear in them. Both are read off the operators of the
graph (`models.affine`), never tried at points. Anything else raises `NotLinearError`, which says why. What a trace
keeps may be any function of the parameters: what is not linear is computed afterwards, from the draws (`from_draws`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pymc as pm
import pytensor
from pytensor.graph.traversal import ancestors
from pytensor.tensor.random.basic import NormalRV
from pytensor.tensor.random.op import RandomVariable
from scipy.sparse import csr_array

from halfpoint.games.table import Floats
from halfpoint.inference.density import Numbers
from halfpoint.inference.from_draws import INTERPRETED
from halfpoint.models.affine import Affine, NotAffineError, Reading
from halfpoint.models.fused import LogPotential
from halfpoint.models.kernel import runs_of


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
        Sampled variables, then linear deterministics: what the sampler writes down.
    shapes : list of tuple of int
        Their shapes.
    left : list of str
        Deterministics that are not linear, to be computed from the draws.
    """

    numbers: Numbers
    names: list[str]
    shapes: list[tuple[int, ...]]
    left: list[str]


def evaluate(outputs: Sequence[Any]) -> list[Any]:
    """Return the values of graphs without free inputs."""
    return list(pytensor.function([], list(outputs), mode=INTERPRETED)())


def compressed(matrix: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Return starts of rows, columns and values of a matrix sparse by rows."""
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data


def priors(model: pm.Model) -> tuple[Floats, Floats, list[tuple[int, ...]]]:
    """Return mean and standard deviation of each sampled parameter, and the shapes of the variables, in their order.

    Raises
    ------
    NotLinearError
        If a prior is not an independent normal one.
    """
    wanted = []
    for variable in model.free_RVs:
        if not isinstance(variable.owner.op, NormalRV) or model.rvs_to_transforms[variable] is not None:
            raise NotLinearError(f"the prior of {variable.name} is not normal")
        centre_and_spread = variable.owner.inputs[-2:]
        if any(random(above) for above in ancestors(centre_and_spread)):
            raise NotLinearError(f"the prior of {variable.name} depends on another parameter")
        wanted += [variable.shape, *centre_and_spread]
    values = evaluate(wanted)
    shapes = [tuple(int(length) for length in shape) for shape in values[::3]]
    mean, spread = (
        np.concatenate(
            [np.broadcast_to(value, shape).ravel() for value, shape in zip(values[k::3], shapes, strict=True)]
        )
        for k in (1, 2)
    )
    mean, spread = mean.astype(np.float64), spread.astype(np.float64)
    if not np.isfinite(mean).all() or not (np.isfinite(spread) & (spread > 0.0)).all():
        raise NotLinearError("a prior has no finite mean and positive standard deviation")
    return mean, spread, shapes


def random(variable: Any) -> bool:
    """Return whether a variable is drawn by its graph."""
    return variable.owner is not None and isinstance(variable.owner.op, RandomVariable)


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
    potential, *kept_values = model.replace_rvs_by_values([model.potentials[0], *model.deterministics])
    node = fused_node(potential)
    mean, spread, shapes = priors(model)
    if any(random(above) for above in ancestors([potential, *kept_values])):
        raise NotLinearError("the model draws something that is no parameter")
    values = [model.rvs_to_values[variable] for variable in model.free_RVs]
    fused = node.outputs[0]  # a source beside the parameters, last among them
    reading = Reading({**dict(zip(values, shapes, strict=True)), fused: ()})
    try:
        seen = [reading.read(given) for given in node.inputs[:3]]
        cells = [reading.read(given) for given in node.inputs[3:]]
    except NotAffineError as found:
        raise NotLinearError(f"the seats are not linear in the sampled parameters: {found}") from found
    games = [cell for cell in cells if not isinstance(cell, Affine)]
    if len(games) < len(cells):
        raise NotLinearError("the games depend on a sampled parameter")
    try:
        seen.append(rest_of(reading.read(potential), reading, mean.size))
    except NotAffineError as found:
        raise NotLinearError(f"the rest of the potential is not linear in the sampled parameters: {found}") from found
    linear, left = linear_ones(reading, model, kept_values, mean.size)
    written = [reading.known[value] for value in [*values, *linear.values()]]
    own = np.arange(reading.terms) != mean.size
    inner, matrix, trace_matrix = (
        compressed(rows[:, own])
        for rows in (reading.inner, *(reading.stacked(list(map(reading.matrix, given))) for given in (seen, written)))
    )
    constant, trace_constant = (
        np.concatenate([constant_of(value).ravel() for value in part]) for part in (seen, written)
    )
    white, black, offset, surplus, total = games
    normaliser = np.array([-np.log(spread * np.sqrt(2.0 * np.pi)).sum()])
    parameters = (mean, spread**-2.0, normaliser, *inner, *matrix, constant, *trace_matrix, trace_constant)
    data = (black, offset, surplus, total, runs_of(white, black).ravel())
    numbers = Numbers(*(np.ascontiguousarray(array) for array in (*parameters, *data)))
    names = [*(str(variable.name) for variable in values), *linear]
    return Linear(numbers, names, [constant_of(value).shape for value in written], left)


def involving(reading: Reading, source: int) -> npt.NDArray[np.bool_]:
    """Return which terms depend on a source, shape (term,)."""
    found: npt.NDArray[np.bool_] = np.arange(reading.terms) == source
    for place, row in enumerate(reading.long, start=reading.sources):
        found[place] = found[row.indices].any()
    return found


def rest_of(potential: Any, reading: Reading, fused: int) -> Any:
    """Return what is added to the fused log-potential, the source of that number.

    Raises
    ------
    NotLinearError
        If the fused log-potential is not simply added, once.
    """
    row = reading.matrix(potential)
    if constant_of(potential).shape or involving(reading, fused)[row.indices].sum() != 1 or row[0, fused] != 1.0:
        raise NotLinearError("the fused log-potential is not simply added to the log density")
    alone = csr_array(([1.0], ([0], [fused])), shape=row.shape)
    return Affine(csr_array(row - alone), constant_of(potential))


def linear_ones(
    reading: Reading, model: pm.Model, values: Sequence[Any], fused: int
) -> tuple[dict[str, Any], list[str]]:
    """Return the deterministics that the sampler can write down, linear ones, by name, and the names of the others."""
    linear, left = {}, []
    for variable, value in zip(model.deterministics, values, strict=True):
        try:
            found = reading.read(value)
        except NotAffineError:
            left.append(str(variable.name))
            continue
        partly = None in model.named_vars_to_dims.get(variable.name, ())  # nutpie wants a name for every dim or none
        if isinstance(found, Affine) and not partly and not involving(reading, fused)[found.matrix.indices].any():
            linear[str(variable.name)] = value
        else:
            left.append(str(variable.name))
    return linear, left


def constant_of(value: Any) -> Floats:
    """Return c of an expression, or the numbers that it is."""
    return np.asarray(value.constant if isinstance(value, Affine) else value, dtype=np.float64)
