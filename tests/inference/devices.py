"""Run in a process of its own with four host devices: the dealt-out density beside one device's and nutpie's."""

import json
import sys

import jax
import numpy as np
from paired_tables import model_of, random_games

from halfpoint.inference.engine import density, numbers_of
from halfpoint.inference.jax_density import jax_density, nuts
from halfpoint.inference.normal.conditional import Problem
from halfpoint.models.declared import declare_model

found = {"devices": len(jax.devices()), "worst": 0.0}
for family, advantage in (("bradley_terry", "common"), ("davidson", "player")):
    declared = declare_model(model_of(family, advantage), random_games(9, 203, 1))
    own = density(numbers_of(declared))
    for devices in (jax.devices(), jax.devices()[:1]):
        shared, values, theirs = jax_density(declared, devices), [], []
        held = {len(column.sharding.device_set) for column in shared.cells.values()}
        assert held == {len(devices)}
        both = jax.jit(jax.value_and_grad(shared.log_density))
        for seed in (2, 3):  # densities agree up to a constant, coordinates are linear in one another
            raw = np.random.default_rng(seed).normal(0.0, 3.0, shared.centre.size)
            step = 1e-6 * np.random.default_rng(seed + 5).normal(size=raw.size)
            value, slope = both(raw, shared.cells)
            points = [
                declared.coordinates(
                    declared.layout.named(shared.parts.values(np.zeros(0), shared.centre + shared.unit * one)),
                )
                for one in (raw, raw + step)
            ]
            at, by = own(points[0])
            values, theirs = [*values, float(value)], [*theirs, at]
            rise = float(by @ (points[1] - points[0]))
            found["worst"] = max(found["worst"], abs(float(slope @ step) / rise - 1.0) / 1e3)  # a step loses digits
        apart = (values[1] - values[0]) / (theirs[1] - theirs[0]) - 1.0
        found["worst"] = max(found["worst"], abs(apart))
declared = declare_model(model_of("davidson", "common"), random_games(5, 60, 3))
v, statistics, settings = nuts(declared, 400, 200, 2, seed=4)
problem = Problem(declared)
near, here = problem.closest(np.zeros(0)), np.arange(problem.size)
sd = np.sqrt(problem.store.inverse(near.root)[problem.store.places(here, here)])
found["z"] = ((v[..., problem.parts.z].mean(axis=(0, 1)) - near.centre) / sd).tolist()
found["settings"] = settings
found["diverging"] = int(statistics["diverging"].sum())
json.dump(found, sys.stdout)
