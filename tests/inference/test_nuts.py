"""nutpie's draws: all or none."""

import _thread
import signal
import threading

import numpy as np
import pytest

from halfpoint.inference.adaptive import SamplingPlan
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.nuts import all_draws
from halfpoint.models.declaration.catalogue import declare
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
    timer = threading.Timer(2.0, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            all_draws(compiled, SamplingPlan(2_000_000, 20, 0.8), two)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
