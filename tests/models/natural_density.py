"""Log density of a declared model in the parameters of a trace, for any sampled coordinates.

x is the sampled point, y = f(x) the named parameters as one vector of the same length. f and its Jacobian are read from
the model's own graph; f(x) = y is solved by Newton's method, and

    log p(y) = log p(x) - log |det dy / dx|

So a model may sample its parameters in any units, centred or not, rotated, reflected or in contrasts.
"""

from itertools import pairwise

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode
from pytensor.gradient import jacobian

INTERPRETED = Mode(linker="py", optimizer=None)  # small graphs, evaluated a few times: not worth a compile


class NaturalDensity:
    """Log p of a PyMC model as a function of named parameters.

    Parameters
    ----------
    model : pymc.Model
        The model.
    names : sequence of str
        Deterministics or free variables that together determine the sampled point.
    positive : sequence of str
        Those that are positive: the equations are solved for their logarithms.
    """

    def __init__(self, model, names, positive=()):
        self.names, self.positive = tuple(names), tuple(positive)
        inputs = model.value_vars
        start = model.initial_point()
        self.shapes = [np.shape(start[variable.name]) for variable in inputs]
        self.start = np.concatenate([np.ravel(start[variable.name]) for variable in inputs])
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in self.shapes)])
        flat = pt.vector("flat", dtype="float64")
        pieces = [flat[a:b].reshape(shape) for (a, b), shape in zip(pairwise(ends), self.shapes, strict=True)]
        wanted = [model[name] for name in self.names]
        wanted = [pt.log(value) if name in self.positive else value for name, value in zip(names, wanted, strict=True)]
        mapped = pt.concatenate([pt.flatten(value) for value in model.replace_rvs_by_values(wanted)])
        # logp first, then the sampled point is cut out of one vector
        logp = model.logp()
        swap = dict(zip(inputs, pieces, strict=True))
        mapped, logp = pytensor.graph.replace.graph_replace([mapped, logp], swap, strict=False)
        slope = jacobian(mapped, flat, vectorize=True, disconnected_inputs="ignore")
        self.map = pytensor.function([flat], [mapped, slope], mode=INTERPRETED)
        self.logp = pytensor.function([flat], logp, mode=INTERPRETED)

    def raw(self, values):
        """Sampled point at which the parameters have these values, and log |det d values / d point|."""
        assert set(values) == set(self.names)
        target = [np.log(values[name]) if name in self.positive else values[name] for name in self.names]
        target = np.concatenate([np.ravel(value) for value in target]).astype(np.float64)
        assert target.size == self.start.size, f"{target.size} parameters, {self.start.size} sampled numbers"
        point = self.start.copy()
        for _ in range(100):
            found, slope = self.map(point)
            if np.abs(found - target).max() < 1e-10 * (1.0 + np.abs(target).max()):
                break
            point = point + np.linalg.solve(slope, target - found)
        assert np.abs(found - target).max() < 1e-9 * (1.0 + np.abs(target).max()), "no point has these values"
        logs = sum(np.log(values[name]).sum() for name in self.positive)
        return point, float(np.linalg.slogdet(slope)[1] + logs)

    def __call__(self, values):
        """Log p of the parameters, a mapping of name to value."""
        point, log_scale = self.raw(values)
        return float(self.logp(point)) - log_scale
