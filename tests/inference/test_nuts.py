"""nutpie's draws: complete or none."""

import _thread
import signal
import threading

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest

from halfpoint.inference.adaptive import SamplingPlan
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.nuts import all_draws
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate


def test_ctrl_c_while_sampling_is_an_error_and_gives_no_draws():
    truth = Truth(np.array(["Ann", "Bob", "Cid"]), np.array([15.0, 15.5, 16.0]), 0.2, 0.5)
    games = simulate(truth, round_robin(3, 10), 1)
    compiled = compile_declared(declare("davidson-common", select(games, games.players, "both"))).model
    two = Effort(chains=2, cores=2, seed=1)
    whole = all_draws(compiled, SamplingPlan(20, 20, 0.8), two)
    assert whole["posterior"].sizes["draw"] == 20
    few = all_draws(compiled, SamplingPlan(1, 20, 0.8), two)  # without a warning of ArviZ
    assert few["posterior"].sizes["draw"] == 1
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            all_draws(compiled, SamplingPlan(2_000_000, 20, 0.8), two)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_a_log_density_that_is_nowhere_finite_is_one_line():
    def model_without_support(games):
        with pm.Model(coords=games.coords) as model:
            g = pm.Normal("strength", 0, 1, dims="player")
            pm.Potential("nowhere", pt.switch(pt.sum(g**2) < 0.0, 0.0, -np.inf))
            bernoulli(games, games.white(g), games.black(g))
        return model

    games = simulate(Truth(np.array(["Ann", "Bob", "Cid"]), np.zeros(3), 0.2, 0.5), round_robin(3, 2), 1)
    declared = declare(model_without_support, select(games, games.players, "both"))
    with pytest.raises(InferenceError, match=r"^sampler: .*has to be finite where chains start") as raised:
        sample(declared, draws=10, tune=10, chains=2, seed=1)
    assert "\n" not in str(raised.value)
