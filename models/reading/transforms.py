r"""The coordinates that a sampler uses in place of parameters, as transforms of PyMC: geometry, no part of a density.

    Units           x = H (centre + unit y)
    LogUnits        x = scale e^y
    PartlyCentred   x = c + H (u (m' + (s / u)^(1 - w) (y - w m'))),        x_i ~ N(m_i, s_i^2),  m' = (m - c) / u
    Shrunk          x = c + H (u (m' / (1 + s^2 / u^2)) + y / sqrt(1 / s^2 + 1 / u^2)),         likewise

y is sampled. In units of about one posterior standard deviation all coordinates have the same size. A population with a
learned spread s is sampled partly centred: w_i is between 0 (non-centred: games hardly move x_i) and 1 (centred: games
fix x_i). If spreads range widely and u is the standard deviation by the games alone, y has the posterior's width at
every spread (`Shrunk`): non-centred if s is much smaller than u, centred if s is much larger.

Reflection. With few or no anchored opponents the games inform about differences and hardly about the level. Strengths
are then sampled as H x, H the Householder reflection that maps the pivot's axis to the mean: y_pivot = sqrt(n) mean(x),
which games between players do not identify, and n - 1 contrasts, which games identify. H is orthonormal and its own
inverse.

Papaspiliopoulos, Roberts & Skold (2007) Stat. Sci. 22:59 and Gorinova, Moore & Hoffman (2020) ICML for partly centred
coordinates; Householder (1958) J. ACM 5:339.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pymc.logprob.transforms import Transform
from pytensor.graph.replace import graph_replace
from pytensor.tensor.variable import TensorVariable as Node

from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Operand, interpreted
from halfpoint.models.reading.model_variables import shape_of, unwrap, walk_of

_Numbers = float | Floats


def reflect(values: Operand, pivot: int | None, size: int) -> Operand:
    """x - v (2 v'x / v'v), a node or array (..., size), v such that the pivot's axis maps to the mean."""
    if pivot is None:
        return values
    v = np.full(size, -1.0 / np.sqrt(size))
    v[pivot] += 1.0
    v = v if size > 1 else np.zeros(1)
    scale = 2.0 / max(float(v @ v), 1e-300)
    return values - ((values * v).sum(axis=-1) * scale)[..., None] * v


class Units(Transform):  # type: ignore[misc]
    """Coordinates in units of about one posterior standard deviation, the pivot's axis reflected onto the mean."""

    name = "units"

    def __init__(self, centre: _Numbers, unit: _Numbers, pivot: int | None = None) -> None:
        self.centre, self.unit, self.pivot = np.asarray(centre), np.asarray(unit), pivot

    def backward(self, value: Node, *inputs: Node) -> Node:
        """Parameter at a coordinate."""
        return reflect(self.centre + self.unit * value, self.pivot, self.unit.size)

    def forward(self, value: Node, *inputs: Node) -> Node:
        """Coordinate of a parameter."""
        return (reflect(value, self.pivot, self.unit.size) - self.centre) / self.unit

    def log_jac_det(self, value: Node, *inputs: Node) -> Node:
        """Log determinant of the Jacobian."""
        return pt.zeros_like(value) + np.log(self.unit)


class LogUnits(Transform):  # type: ignore[misc]
    """The logarithm of a positive parameter over its prior's scale."""

    name = "log"

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def backward(self, value: Node, *inputs: Node) -> Node:
        """Parameter at a coordinate."""
        return self.scale * pt.exp(value)

    def forward(self, value: Node, *inputs: Node) -> Node:
        """Coordinate of a parameter."""
        return pt.log(value / self.scale)

    def log_jac_det(self, value: Node, *inputs: Node) -> Node:
        """Logarithm of the parameter."""
        return value + np.log(self.scale)


class PartlyCentred(Transform):  # type: ignore[misc]
    """Coordinates of members of a normal population, between centred and non-centred, around its mean and spread."""

    name = "partlycentred"

    def __init__(self, centre: _Numbers, unit: _Numbers, centring: _Numbers, pivot: int | None = None) -> None:
        self.centre, self.unit, self.centring, self.pivot = np.asarray(centre), np.asarray(unit), centring, pivot

    def population(self, mean: Node, sd: Node) -> tuple[Node, Node]:
        """Mean and log standard deviation of the members in their units, as graph nodes."""
        middle = mean - self.centre
        if self.pivot is not None:  # a mean that all share lies on the pivot's axis alone
            middle = middle * np.where(np.arange(self.unit.size) == self.pivot, np.sqrt(self.unit.size), 0.0)
        return middle / self.unit, pt.log(sd) - np.log(self.unit)

    def backward(self, value: Node, *inputs: Node) -> Node:
        """Parameter at a coordinate."""
        middle, width = self.population(*inputs[-2:])
        deviation = pt.exp((1.0 - self.centring) * width) * (value - self.centring * middle)
        return self.centre + reflect(self.unit * (middle + deviation), self.pivot, self.unit.size)

    def forward(self, value: Node, *inputs: Node) -> Node:
        """Coordinate of a parameter."""
        middle, width = self.population(*inputs[-2:])
        deviation = reflect(value - self.centre, self.pivot, self.unit.size) / self.unit - middle
        return self.centring * middle + deviation * pt.exp(-(1.0 - self.centring) * width)

    def log_jac_det(self, value: Node, *inputs: Node) -> Node:
        """Log determinant of the Jacobian."""
        _, width = self.population(*inputs[-2:])
        return pt.zeros_like(value) + np.log(self.unit) + (1.0 - self.centring) * width


class Shrunk(PartlyCentred):
    """Coordinates of members of a normal population, in units of their posterior deviations at any spread; w is 0."""

    name = "shrunk"

    def population(self, mean: Node, sd: Node) -> tuple[Node, Node]:
        """Mean and log posterior standard deviation of the members in their units, as graph nodes."""
        middle, width = super().population(mean, sd)
        in_games = np.ones(self.unit.shape) if self.pivot is None else 1.0 * (np.arange(self.unit.size) != self.pivot)
        log_shrinkage = pt.log1p(in_games * pt.exp(2.0 * width))  # no game sees the pivot's axis
        return middle * pt.exp(-log_shrinkage), width - 0.5 * log_shrinkage


def coordinates_of(model: pm.Model) -> Callable[[Mapping[str, Floats]], Floats]:
    """The coordinates, shape (coordinate,), at which the free variables of a model have values given by name."""
    free = {rv: rv.type() for rv in model.free_RVs}
    coordinates = []
    for rv, value in free.items():
        transform = model.rvs_to_transforms[rv]
        coordinates.append(pt.flatten(value if transform is None else transform.forward(value, *rv.owner.inputs)))
    (flat,) = graph_replace([pt.concatenate(coordinates)], free, strict=False)
    coordinates_at = pytensor.function(list(free.values()), flat, mode=interpreted(), on_unused_input="ignore")
    return lambda p: np.asarray(coordinates_at(*(np.asarray(p[rv.name], dtype=np.float64) for rv in free)))


def values_behind(model: pm.Model, p: Mapping[str, Floats]) -> dict[str, Floats]:
    """Values of all free variables, hidden ones included, from the values in a trace.

    Steps of walks are computed from the walks, logarithms from their arguments, parts of a vector from the vector, and
    other latent variables from the named sum that contains them. Raises KeyError if a value cannot be found.
    """
    values = dict(p)
    for variable in reversed(model.deterministics):
        if variable.name not in values:
            continue
        walk = walk_of(variable)
        if walk is not None:
            names = [str(getattr(source, "name", "")) for source in walk.inputs]
            law = walk.op.transition
            spread = law.known if law.known is not None else values[law.spread]
            values[names[-1]] = walk.op.steps(values[variable.name], values[names[0]], spread)
    for variable in model.free_RVs:
        if variable.name not in values:
            values[str(variable.name)] = _solved(model, variable, values)
    return values


def _solved(model: pm.Model, variable: Node, by_name: Mapping[str, Floats]) -> Floats:
    """Values of a latent variable at which a deterministic variable has given values."""
    from halfpoint.models.reading.affine import affine
    from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine

    shape = shape_of(model, variable)
    for deterministic in model.deterministics:
        if deterministic.name not in by_name:
            continue
        node = unwrap(deterministic)
        if node.owner is not None and "Exp" in str(node.owner.op) and node.owner.inputs[0] is variable:
            return np.log(by_name[deterministic.name])
        forms: dict[Node, SparseAffine | Floats] = {
            known_variable: np.asarray(by_name[known_variable.name])
            for known_variable in (*model.free_RVs, *model.deterministics)
            if known_variable is not deterministic and known_variable is not variable and known_variable.name in by_name
        }
        forms[variable] = SparseAffine.of(0, shape)
        unknowns = [rv for rv in model.free_RVs if rv not in forms]
        start = int(np.prod(shape, dtype=np.int64))
        for rv in unknowns:
            forms[rv] = SparseAffine.of(start, shape_of(model, rv))
            start += int(np.prod(shape_of(model, rv), dtype=np.int64))
        try:
            form = affine(deterministic, forms)
        except NotAffineError:
            continue
        if not isinstance(form, SparseAffine):
            continue
        values = np.ravel(by_name[deterministic.name]).astype(np.float64)
        matrix = np.zeros((values.size, start))
        for c, index in form.terms:
            if not index:
                values = values - np.ravel(c)
            elif len(index) == 1:
                np.add.at(matrix, (np.arange(values.size), np.ravel(index[0])), np.ravel(c))
        columns = matrix[:, : int(np.prod(shape, dtype=np.int64))]
        if not columns.any(axis=0).all():
            continue
        rows = columns.any(axis=1)
        return np.linalg.lstsq(columns[rows], values[rows])[0].reshape(shape)
    raise KeyError(str(variable.name))
