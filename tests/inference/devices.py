"""Run in a process of its own with four host devices: compare the dealt-out density with one device and with NumPy."""

import json
import sys

import jax
import numpy as np
from paired_tables import model_of, random_cells

from halfpoint.inference.jax_backend import nuts
from halfpoint.inference.jax_density import jax_density
from halfpoint.inference.laplace import laplace
from halfpoint.inference.laplace.hessian import curvature
from halfpoint.inference.laplace.target import target

found = {"devices": len(jax.devices()), "worst": 0.0}
for family, advantage in (("bradley_terry", "common"), ("davidson", "player")):
    posterior = target(random_cells(9, 203, 1), model_of(family, advantage))
    position = posterior.prior_mean + np.random.default_rng(2).normal(0, 0.5, posterior.prior_mean.size)
    shape = curvature(posterior, position)
    for devices in (jax.devices(), jax.devices()[:1]):
        density = jax_density(posterior, devices)
        raw = (position - density.centre) / density.unit
        value, slope = jax.jit(jax.value_and_grad(density.log_density))(raw, density.cells)
        held = {len(column.sharding.device_set) for column in density.cells.values()}
        assert held == {len(devices)}
        error = np.abs(np.asarray(slope) / density.unit - shape.gradient).max() / np.abs(shape.gradient).max()
        found["worst"] = max(found["worst"], error, abs(float(value) / shape.value - 1))
cells = random_cells(5, 60, 3)
posterior = target(cells, model_of("davidson", "common"))
drawn, statistics, settings = nuts(posterior, 400, 200, 2, seed=4)
near = laplace(cells, model_of("davidson", "common"))
found["z"] = ((drawn.mean(axis=(0, 1)) - near.centre) / near.sd).tolist()
found["settings"] = settings
found["diverging"] = int(statistics["diverging"].sum())
json.dump(found, sys.stdout)
