"""Draws of a seed depend neither on compilation nor on earlier work of the process."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib, sys
import numpy as np
from halfpoint.readers.datasets.replica import replica
from halfpoint.models.games.select import select
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare

copy = replica()
selection = select(copy.training, copy.monitored)
declared = declare("davidson-player", selection, "described")
if sys.argv[1] == "after":
    point = declared.model.initial_point()
    declared.model.compile_dlogp()(point)
    sample(declare("bt", selection), draws=5, tune=5, chains=1, pointwise_draws=0, adapt=False)
posterior = sample(declared, draws=20, tune=60, chains=2, seed=9, pointwise_draws=0, adapt=False)["posterior"]
print(hashlib.sha256(np.ascontiguousarray(posterior["strength"]).tobytes()).hexdigest())
"""


@pytest.mark.slow
def test_first_run_later_run_and_run_after_others_give_the_same_draws(tmp_path):
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    found = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, when], env=surroundings, capture_output=True, text=True, check=True
        ).stdout
        for when in ("first", "later", "after")
    ]
    assert len(found[0].strip()) == 64
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_the_density_is_compiled_once_and_not_in_each_process(tmp_path):
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    program = "from halfpoint.inference.loops import engine as e\n"
    program += "for function in (e.log_density, e.trace_values, e.log_likelihood): e.compiled_function(function)"
    kept = []
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], env=surroundings, capture_output=True, text=True, check=True)
        kept.append(sorted(path.name for path in tmp_path.rglob("engine.*.nbc")))
    assert len(kept[0]) == 3  # log density, values of a trace, log likelihood
    assert kept[1] == kept[0]
