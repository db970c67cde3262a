"""The log density of a declared model in the units that users see, from the sampled `raw` variables."""

import numpy as np
from pytensor.compile.mode import Mode

INTERPRETED = Mode(linker="py", optimizer=None)  # small graphs, evaluated a few times: not worth a compile


def point_of(model, values):
    """Return the sampled point at which the parameters have these values, and log |d values / d point|."""
    point, log_scale = {}, 0.0
    for name, value in values.items():
        unit = np.asarray(model[f"{name}_unit"].get_value())
        point[f"{name}_raw"] = (np.asarray(value, dtype=np.float64) - model[f"{name}_centre"].get_value()) / unit
        log_scale += float(np.log(np.broadcast_to(unit, np.shape(value))).sum())
    assert set(point) == {variable.name for variable in model.value_vars}
    return point, log_scale


class Density:
    """log p and its gradient in the parameters' own units, from the model's own compiled function."""

    def __init__(self, model, names):
        self.model = model
        self.names = tuple(names)
        self.function = model.logp_dlogp_function(ravel_inputs=True, mode=INTERPRETED)
        self.function.set_extra_values({})
        self.sizes = [int(np.prod(model[f"{name}_raw"].shape.eval(), dtype=int)) for name in self.names]
        order = [variable.name for variable in model.continuous_value_vars]
        assert order == [f"{name}_raw" for name in self.names], order
        unit = [np.broadcast_to(model[f"{n}_unit"].get_value(), k) for n, k in zip(self.names, self.sizes, strict=True)]
        centre = [np.full(k, model[f"{n}_centre"].get_value()) for n, k in zip(self.names, self.sizes, strict=True)]
        self.unit, self.centre = np.concatenate(unit), np.concatenate(centre)

    def __call__(self, flat):
        """Return log p and its gradient at the parameters laid end to end."""
        value, gradient = self.function((np.asarray(flat, dtype=np.float64) - self.centre) / self.unit)
        return float(value) - float(np.log(self.unit).sum()), np.array(gradient) / self.unit

    def split(self, flat):
        """Return the parameters by name."""
        parts = np.split(np.asarray(flat), np.cumsum(self.sizes)[:-1])
        return dict(zip(self.names, parts, strict=True))
