"""Log density and gradient of a PyMC graph, interpreted, as the reference for compiled code."""

from collections.abc import Callable

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode

from halfpoint.models.games.table import Floats

INTERPRETED = Mode(linker="py", optimizer=None)


def own_density(model: pm.Model) -> Callable[[Floats], tuple[float, Floats]]:
    """Function of the unconstrained coordinates, in the model's order: point -> (value, gradient)."""
    values = [model.rvs_to_values[variable] for variable in model.free_RVs]
    logp = model.logp()
    gradient = pt.concatenate([pt.atleast_1d(part).ravel() for part in pt.grad(logp, values)])
    function = pytensor.function(values, [logp, gradient], mode=INTERPRETED)
    start = model.initial_point()
    shapes = [np.shape(start[value.name]) for value in values]
    stops = np.cumsum([int(np.prod(shape)) for shape in shapes])

    def log_density(point: Floats) -> tuple[float, Floats]:
        pieces = np.split(point, stops[:-1])
        value, slope = function(*(piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)))
        return float(value), slope

    return log_density
