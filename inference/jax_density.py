r"""The same log posterior through JAX: on a CPU, a GPU or many devices, the cells dealt out over all of them.

    log p(x | games) = sum over devices ( sum over that device's cells ) + priors,    x = centre + unit * raw

Parameters stand on every device, cells on one each; each device sums the log likelihood and the gradient of its own
cells, and one all-reduce of a vector as long as the parameters joins them. Padding cells weigh nothing. Double
precision throughout: JAX is switched to it here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.laplace.hessian import curvature
from halfpoint.inference.laplace.target import Target

COLUMNS = ("white", "black", "known", "weight")


def load_jax() -> Any:
    """Return the module jax, in double precision.

    Raises
    ------
    InferenceError
        If the extra is not installed.
    """
    try:
        import jax
    except ImportError as error:
        raise InferenceError("JAX: expected the extra, found none. Install it: pip install 'halfpoint[jax]'") from error
    jax.config.update("jax_enable_x64", True)
    return jax


@dataclass(frozen=True, eq=False)
class JaxDensity:
    """A target on JAX devices, parameters in units of about one posterior standard deviation.

    Parameters
    ----------
    target : Target
        The log posterior.
    centre, unit : array of float, shape (parameter,)
        x = centre + unit * raw; the centre is the prior mean.
    cells : dict of str to jax.Array
        Columns of the cells, dealt out over the devices.
    devices : int
        How many devices hold cells.
    """

    target: Target
    centre: Floats
    unit: Floats
    cells: dict[str, Any]
    devices: int

    @property
    def spread(self) -> Floats:
        """Standard deviation of the prior of raw, shape (parameter,)."""
        return self.target.prior_sd / self.unit

    def log_likelihood(self, raw: Any, cells: dict[str, Any]) -> Any:
        """Return the weighted log likelihood; to be traced by JAX."""
        import jax.numpy as jnp

        target, count = self.target, self.target.players.size
        x = self.centre + self.unit * raw
        strength = jnp.append(x[:count], 0.0)
        white = black = strength
        if target.advantage == "common":
            white = strength + x[count]
        elif target.advantage == "player":
            half = jnp.append(x[count : 2 * count], 0.0)
            white, black = strength + half, strength - half
        d = white[cells["white"]] - black[cells["black"]] + cells["known"]
        loss, draw, win = cells["weight"][:, 0], cells["weight"][:, 1], cells["weight"][:, 2]
        log_z = jnp.logaddexp(0.5 * d, -0.5 * d)
        value = 0.5 * d * (win - loss)
        if target.draws:
            log_z = jnp.logaddexp(log_z, x[-1])
            value = value + x[-1] * draw
        return (value - (loss + draw + win) * log_z).sum()

    def log_density(self, raw: Any, cells: dict[str, Any]) -> Any:
        """Return the log posterior up to a constant; to be traced by JAX."""
        return self.log_likelihood(raw, cells) - 0.5 * ((raw / self.spread) ** 2).sum()


def jax_density(target: Target, devices: Sequence[Any] | None = None) -> JaxDensity:
    """Return a target on JAX devices.

    Parameters
    ----------
    target : Target
        The log posterior.
    devices : sequence of jax.Device, optional
        Devices to hold the cells; all of JAX's default backend if absent.

    Returns
    -------
    JaxDensity

    Raises
    ------
    InferenceError
        If JAX is not installed.
    """
    jax = load_jax()
    chosen = list(jax.devices() if devices is None else devices)
    mesh = jax.sharding.Mesh(np.array(chosen), ("cell",))
    dealt = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("cell"))
    padding = -target.white.size % len(chosen)

    def place(column: Any) -> Any:
        width = [(0, padding)] + [(0, 0)] * (column.ndim - 1)
        return jax.device_put(np.pad(column, width), dealt)

    cells = {name: place(getattr(target, name)) for name in COLUMNS}
    shape = curvature(target, target.prior_mean)
    unit = np.concatenate([shape.diagonal(), np.diag(shape.corner)]) ** -0.5
    return JaxDensity(target, target.prior_mean, unit, cells, len(chosen))
